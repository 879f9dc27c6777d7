"""Use cases of *My mistakes*."""

from __future__ import annotations

from collections.abc import Callable

from bot.model.ids import GuildId, Player, TableKey
from bot.model.mistakes import MistakeCounts
from bot.model.puzzles import PuzzleName
from bot.play.api.transactions import Transactions, UseCases, reads
from bot.play.bus import Bus
from bot.play.session.workers import Workers
from bot.play.trainer import mistakes
from bot.play.trainer.judging import Judging
from bot.play.trainer.mistake_views import CorrectionView, MistakeLine, MistakeView, NoMistakeView


class Mistakes(UseCases):
    """Use cases of a player's own mistakes. The exercise never shows a mistake's correction.

    A mistake's hand is read before the transaction that writes, because any process may answer for a player.
    """

    def __init__(
        self, transactions: Transactions, workers: Workers, bus: Bus, *, serves: Callable[[GuildId], bool]
    ) -> None:
        super().__init__(transactions)
        self._judging = Judging(transactions, workers, bus, serves=serves)
        bus.player_deleted.subscribe(self._judging.forget)

    # judging

    def work(self) -> None:
        """Judge hands in the background, unless that's already in progress."""
        self._judging.work()

    async def done(self) -> None:
        """Wait until nothing is left to judge."""
        await self._judging.done()

    async def stop(self) -> None:
        """Stop judging. It continues after the next start."""
        await self._judging.stop()

    def line(self, key: TableKey, hand_no: int, player: Player) -> MistakeLine | None:
        """Return the player's largest clear mistake in a hand; None if there is none or it isn't known yet."""
        return self._judging.line(key, hand_no, player)

    def deleted_elsewhere(self) -> None:
        """Forget what is known about players, because another process deleted one."""
        self._judging.forget_lines()

    # exercises

    async def open(self, player: Player) -> MistakeCounts:
        """Let a player's hands be judged from now on, and return how much there is."""
        if await self._read(lambda s: s.tx.mistakes.learner(player)) is None:
            await self._write(lambda s: mistakes.start_learning(s, player), sets_clocks=False)
        self._judging.begin(player)
        return await self._read(lambda s: mistakes.counts(s, player))

    given = reads(mistakes.given)
    look = reads(mistakes.look)
    correction = reads(mistakes.correction)
    month = reads(mistakes.month)
    counts = reads(mistakes.counts)

    async def give(self, player: Player) -> MistakeView | NoMistakeView:
        """Return the mistake that the player was given, or choose the next one."""
        return await self._read(lambda s: mistakes.given(s, player)) or await self._give_next(player)

    async def put_aside(self, player: Player, name: PuzzleName) -> MistakeView | NoMistakeView:
        """Let a mistake come back tomorrow, and return the next one."""
        await self._write(lambda s: mistakes.put_aside(s, player, name), sets_clocks=False)
        return await self.give(player)

    async def _give_next(self, player: Player) -> MistakeView | NoMistakeView:
        view = await self._read(lambda s: mistakes.next_due(s, player))
        if view is None:
            return NoMistakeView(counts=await self.open(player))
        await self._write(lambda s: mistakes.note_given(s, player, view.name), sets_clocks=False)
        return view

    async def answer(self, player: Player, name: PuzzleName, letters: str, *, cause: str) -> CorrectionView:
        """Judge a placement; raises Refused or Stale."""
        judged = await self._read(lambda s: mistakes.judge_answer(s, player, name, letters))
        await self._write(lambda s: mistakes.answer(s, player, name, judged, cause=cause), sets_clocks=False)
        found = await self._read(lambda s: mistakes.look(s, player, name))
        assert isinstance(found, CorrectionView)
        return found
