"""Interface of the workers that compute computers' placements, reviews and hints off the event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Protocol, TypeVar

from bot.model.ids import GuildId
from bot.pure.ofc.view import HandView
from bot.pure.solver.levels import Computers

T = TypeVar("T")


class Priority(Enum):
    """Priority of a computation."""

    TABLE = "table"
    """A table or a viewer waits for it."""
    LATER = "later"
    """It may take longer, and runs in between others."""
    IDLE = "idle"
    """No one waits for it. It starts only while no other computation runs or waits."""


Job = Callable[[Computers], T]
"""A computation of the computer players. It's sent to another process, so it must be a module's function or a
``partial`` of one. It may contain only data that the result may depend on: views and visible cards, never a hand."""


MAX_COMPUTATION_SECONDS = 10.0


class Workers(Protocol):
    """Workers off the event loop. The number of concurrent jobs is limited, and servers take turns."""

    async def think(
        self,
        job: Job[T],
        *,
        guild: GuildId,
        quickly: Job[T] | None = None,
        urgency: Priority = Priority.TABLE,
        seconds: float = MAX_COMPUTATION_SECONDS,
        game: str = "",
    ) -> T:
        """Return the job's result, or raise its exception. Never call it inside a transaction.

        If a worker dies or takes longer than ``seconds``, ``quickly`` runs instead; raises ComputationFailedError if
        it's None. Without workers, the bot runs ``quickly`` or the job in a thread. A job should take at most a second,
        so that others get their turn. Timeouts are counted per ``game``. After a few in a row, only that game's jobs
        use ``quickly`` for a while.
        """
        ...

    async def think_aside(self, job: Job[T], *, seconds: float) -> T:
        """Return the result of a long job, which gets its own process that ends with it.

        Only one such job runs at a time. Its exceptions are raised here. Raises ComputationFailedError if it dies or
        takes longer than ``seconds``. Without workers, the bot runs it in a thread.
        """
        ...


Placer = Callable[[HandView], Awaitable[str]]
"""Returns a master's placement for a view of the player's seat."""
