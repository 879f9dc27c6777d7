"""Measure how people who solve puzzles slow down presses at tables.

    make bench ARGS="--parts puzzles"

Presses at a hundred tables alternate with the same presses while fifty people solve puzzles, in one run. Each of the
fifty presses a button of their private message every one and a half seconds: a row for the next card, *Confirm*, and
*Next puzzle*. A press takes as long as Discord waits for its response.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random

from benchmarks.bench_load import AT_ONCE_HOUSE, PRESSES_PER_HAND, Hall, hall, say
from benchmarks.bench_pages import Crowd
from tests.standin.sent import Sent
from tests.standin.things import Channel, User

TABLES, SOLVERS, RATE = 100, 50, 20.0
THINKING_SECONDS = 1.5
TIMES = 3
"""Number of measurements of each kind."""
FIRST_USER = 10**6
"""The solvers' ids come after those of the players."""


@dataclass
class Solver:
    """A person who solves puzzles one after the other, at random."""

    user: User
    channel: Channel
    chance: Random
    presses: int = 0
    answers: int = 0
    """Number of puzzles answered."""
    took: list[float] = field(default_factory=list)

    async def solve(self, made: Hall) -> None:
        """Solve puzzles until cancelled."""
        await asyncio.sleep(self.chance.uniform(0, THINKING_SECONDS))
        last = made.discord.slash(self.user, self.channel, "puzzle")
        while True:
            await last.finished()
            self.presses += 1
            self.took.append(last.seconds)
            await asyncio.sleep(THINKING_SECONDS)
            last = self._next(made, last)

    def _next(self, made: Hall, last: Sent) -> Sent:
        shown = last.answer
        assert shown is not None, f"{last.custom_id} has no response"
        ids = [str(part["custom_id"]) for part in shown.controls() if not part.get("disabled")]
        for verb in ("pz_confirm", "pz_row", "pz_next"):
            if found := [one for one in ids if one.split(":")[1] == verb]:
                self.answers += verb == "pz_confirm"
                return made.discord.press(self.user, shown, self.chance.choice(found))
        raise AssertionError(ids)


@asynccontextmanager
async def solving(made: Hall) -> AsyncIterator[list[Solver]]:
    """Let SOLVERS people solve puzzles in the first table's channel."""
    channel = made.games[0].place.channel
    people = [Solver(made.discord.user(FIRST_USER + number), channel, Random(number)) for number in range(SOLVERS)]
    tasks = [asyncio.create_task(one.solve(made)) for one in people]
    try:
        yield people
    finally:
        for task in tasks:
            if not task.done():
                task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def puzzles_beside_presses(seconds: float, *, rate: float = RATE) -> None:
    """Measure presses without and with solvers in turn."""
    waits: dict[str, list[float]] = {"without solvers": [], f"with {SOLVERS} solvers": []}
    without, beside = waits
    async with hall(TABLES, AT_ONCE_HOUSE) as made:
        chance = Random(TABLES)
        await asyncio.gather(*(game.begin_somewhere(chance.randrange(PRESSES_PER_HAND)) for game in made.games))
        await made.begin()
        crowd = Crowd(made, rate=rate)
        await crowd.press(seconds)  # the first run costs more
        for _ in range(TIMES):
            for name in waits:
                if name == without:
                    wait, _ = await crowd.press(seconds)
                else:
                    async with solving(made) as people:
                        wait, _ = await crowd.press(seconds)
                    took = [each for one in people for each in one.took]
                    answers = sum(one.answers for one in people)
                    assert answers
                    say(
                        f"puzzles {len(took)} presses by solvers, {answers} puzzles answered, a response after "
                        f"{1000 * statistics.median(took):.1f} ms, the slowest after {1000 * max(took):.0f} ms"
                    )
                waits[name].append(wait)
                say(f"puzzles {TABLES:>6} tables, {rate:g} presses/s, {name}: {1000 * wait:.2f} ms")
        assert not sum(game.wrong for game in made.games)
    ratio = statistics.median(waits[beside]) / statistics.median(waits[without])
    say(f"puzzles a press waits {ratio:.2f} times as long while {SOLVERS} people solve puzzles")
