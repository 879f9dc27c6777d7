"""Where a table is shown: what the tables' publisher asks of the one that gives tables threads of their own."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from bot.play.model import TableKey
from bot.play.views import TableView


class Place(Enum):
    """Whether a table is where it is to be shown."""

    RIGHT = "right"
    LOOK_AGAIN = "look_again"
    """It may have been moved: the view is old."""
    AWAITED = "awaited"
    """It is to be shown in a thread that is being made: nothing is drawn yet."""


class TablePlaces(Protocol):
    """Gives tables their threads, and puts threads away."""

    async def give_thread(self, view: TableView, changed: Callable[[TableKey], None]) -> Place:
        """Move a table into its thread, or ask for one; ``changed`` is called when it need no longer be waited for."""

    async def leave_thread(self, view: TableView) -> bool:
        """Give up a thread in which nothing can be posted; False where the table has no other place."""

    async def archive(self, view: TableView) -> None:
        """Put the thread of a closed table away."""

    async def made(self) -> bool:
        """Wait for the threads that are being made; False when there are none."""

    async def close(self) -> None:
        """Make no more of them."""
