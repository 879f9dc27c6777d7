"""Use cases of the trainer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import TypeVar

from bot.model.bulletins import Bulletin
from bot.model.ids import GuildId, Player
from bot.model.puzzles import PuzzleName, Solver
from bot.play.api.transactions import Transactions, UseCases, reads
from bot.play.bus import Signal
from bot.play.session.session import Session
from bot.play.session.workers import Workers
from bot.play.trainer import day_puzzles, training
from bot.play.trainer.analyses import Analyses
from bot.play.trainer.views import (
    AnalysisView,
    AnswerView,
    ChoicesView,
    DayAnswerView,
    DayPuzzleView,
    DayResultView,
    MorningPuzzle,
    NoPuzzleView,
    PuzzleView,
)
from bot.pure.ofc.variants import Variant
from bot.pure.trainer.position import Position

T = TypeVar("T")


class Trainer(UseCases):
    """Use cases of puzzles and analyses.

    None reveals a solution before the answer, or before the end of a puzzle of the day.
    """

    def __init__(self, transactions: Transactions, workers: Workers) -> None:
        super().__init__(transactions)
        self.changed = Signal[[Player]]()
        """A player has answered a puzzle, was given another one, or has changed their choice."""
        self._analyses = Analyses(transactions, workers)
        self._has_forgiven = False

    async def give(self, player: Player) -> PuzzleView | NoPuzzleView:
        """Return the player's puzzle, or choose a new one."""
        await self._forgive()
        found = await self._read(lambda s: training.given(s, player))
        if found is not None:
            return found
        given = await self._write(lambda s: training.give(s, player), sets_clocks=False)
        if isinstance(given, PuzzleView):
            self.changed.send(player)
        return given

    given = reads(training.given)
    look = reads(training.look)
    choices = reads(training.choices)

    async def aim(self, player: Player, *, harder: int, instead_of: PuzzleName) -> PuzzleView | NoPuzzleView:
        """Give the player a harder or easier puzzle, unless they've left ``instead_of`` for another one already."""
        return await self._change(player, lambda s: training.aim(s, player, harder=harder, instead_of=instead_of))

    async def put_aside(self, player: Player, name: PuzzleName) -> PuzzleView | NoPuzzleView:
        """Let a puzzle come back tomorrow, and give the player another one."""
        return await self._change(player, lambda s: training.put_aside(s, player, name))

    async def answer(self, player: Player, name: PuzzleName, letters: str, *, cause: str) -> AnswerView:
        """Judge a placement; raises Refused or Stale."""
        return await self._change(player, lambda s: training.answer(s, player, name, letters, cause=cause))

    async def choose(self, player: Player, change: Callable[[Solver], Solver]) -> ChoicesView:
        """Change the player's theme or games."""
        return await self._change(player, lambda s: training.choose(s, player, change))

    async def _change(self, player: Player, job: Callable[[Session], T]) -> T:
        """Run ``job``, then let the player's other screens follow."""
        result = await self._write(job, sets_clocks=False)
        self.changed.send(player)
        return result

    async def analyse(
        self, player: Player, guild: GuildId, variant: Variant, position: Position, *, deeper: bool = False
    ) -> AnalysisView:
        """Return a position's best placements; raises Refused. ``deeper`` looks one street further ahead."""
        return await self._analyses.of(player, guild, variant, position, deeper=deeper)

    # puzzles of the day

    day_today = reads(day_puzzles.today)
    next_day_at = reads(day_puzzles.next_at)

    async def look_at_day(
        self, guild: GuildId, player: Player, number: int
    ) -> DayPuzzleView | DayAnswerView | DayResultView:
        """Return a puzzle of the day, or its result once it's over; raises Refused."""
        while (view := await self._read(lambda s: day_puzzles.look(s, guild, player, number))) is None:
            await self._rate_days(guild)
        return view

    async def answer_day(
        self, guild: GuildId, player: Player, number: int, name: PuzzleName, letters: str, *, cause: str
    ) -> DayAnswerView:
        """Store an answer to a puzzle of the day; raises Refused or Stale."""
        return await self._write(
            lambda s: day_puzzles.answer(s, guild, player, number, name, letters, cause=cause), sets_clocks=False
        )

    async def morning(
        self, guild: GuildId, bulletin: Bulletin, at: int, *, open_channels: Collection[int]
    ) -> MorningPuzzle:
        """Return the part of the morning post for hour ``at``, after rating the answers of past days."""
        await self._forgive()
        await self._rate_days(guild)
        return await self._write(
            lambda s: day_puzzles.morning(s, guild, bulletin, at, open_channels=open_channels), sets_clocks=False
        )

    async def _rate_days(self, guild: GuildId) -> None:
        if not await self._read(lambda s: day_puzzles.has_unrated(s, guild)):
            return
        while await self._write(lambda s: day_puzzles.rate_next(s, guild), sets_clocks=False):
            pass

    async def _forgive(self) -> None:
        """Once per process, forgive the attempts at puzzles that this version of the bot withdraws."""
        if self._has_forgiven:
            return
        for name in await self._read(training.to_withdraw):
            await self._write(partial(training.withdraw, name=name))
        self._has_forgiven = True
