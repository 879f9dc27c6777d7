"""Who thinks for computer players, reviews and hints: never on the event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Protocol, TypeVar

from bot.model.ids import GuildId
from bot.pure.ofc.view import HandView
from bot.pure.solver.levels import Computers

T = TypeVar("T")


class Urgency(Enum):
    """Who waits for a thought."""

    TABLE = "table"
    """A table, or somebody who looks at it."""
    LATER = "later"
    """The thoughts that may take longer: they come in between."""


Job = Callable[[Computers], T]
"""A thought: what is asked of the computer players. It goes to another process, so it is a function of a module or a
``partial`` of one, and holds nothing that its answer may not depend on: views and cards in sight, never a hand."""


LONGEST_THOUGHT_SECONDS = 10.0


class Thinkers(Protocol):
    """Who thinks, never on the event loop: so many at a time, and each server in its turn."""

    async def think(
        self,
        job: Job[T],
        *,
        guild: GuildId,
        quickly: Job[T] | None = None,
        urgency: Urgency = Urgency.TABLE,
        seconds: float = LONGEST_THOUGHT_SECONDS,
        game: str = "",
    ) -> T:
        """Return the job's result; whatever it raises is raised here. Never call it inside a transaction.

        If a worker dies or takes longer than ``seconds``, ``quickly`` runs instead; raises NoThoughtError without one.
        Without workers, the bot runs ``quickly`` or the job in a thread. A job should take a second at most, so that
        others get their turn. Timeouts are counted per ``game``: after a few in a row, only that game's jobs use the
        quick way for a while.
        """
        ...

    async def think_aside(self, job: Job[T], *, seconds: float) -> T:
        """The result of a job that may take long: one at a time, in a process that does nothing else and ends with it.

        What it raises is raised here. Raises NoThoughtError where it dies, or takes longer than ``seconds``. Without
        thinkers of its own the bot does it in a thread.
        """
        ...


Thinker = Callable[[HandView], Awaitable[str]]
"""The placement of a master, who sees what a player in their seat sees."""
