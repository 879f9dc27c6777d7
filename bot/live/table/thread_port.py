"""Where a table is shown: what the tables' publisher asks of the one that gives tables threads of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum
from typing import Protocol

from bot.model.ids import TableKey
from bot.model.tables import Table
from bot.play.look.views import TableView


class Place(Enum):
    """Whether a table is where it is to be shown."""

    RIGHT = "right"
    LOOK_AGAIN = "look_again"
    """It may have been moved: the view is old."""
    AWAITED = "awaited"
    """It is to be shown in a thread that is being made: nothing is drawn yet."""


class Homes(Protocol):
    """Where tables are played, as it is noted: by play for tables of their own, by events for theirs."""

    async def homeless(self, key: TableKey) -> Table | None:
        """The table, if it is to have a thread and may be moved into it now."""

    async def housed(self, key: TableKey, *, channel: int | None) -> bool:
        """Note the thread that was made, or that there never will be one; False when the table may not move now."""

    async def leave_thread(self, key: TableKey) -> bool:
        """Play a table in its channel from now on; False when it is played there."""


class TablePlaces(Protocol):
    """Gives tables their threads, and puts threads away."""

    async def give_thread(self, view: TableView, changed: Callable[[TableKey], None]) -> Place:
        """Move a table into its thread, or ask for one; ``changed`` is called when it need no longer be waited for."""

    async def leave_thread(self, view: TableView) -> bool:
        """Give up a thread in which nothing can be posted; False where the table has no other place."""

    async def archive(self, view: TableView) -> None:
        """Put the thread of a closed table away."""

    async def made(self, channels: Collection[int] | None = None) -> bool:
        """Wait for the threads that are being made, below these channels or all; False when there are none."""

    async def close(self) -> None:
        """Make no more of them."""
