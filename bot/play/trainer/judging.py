"""Judging players' hands in the background, one at a time, while the workers are idle. Then puzzles are found.

Players take turns, each with their newest hand. Which hands aren't judged is found by a query, so a restart loses at
most the hand in progress.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from bot.model.clock import MINUTE
from bot.model.errors import ComputationFailedError, StorageUnavailableError
from bot.model.ids import GuildId, Player, TableKey
from bot.play.api.transactions import Transactions
from bot.play.bus import Bus
from bot.play.queries.reviews import MAX_SECONDS
from bot.play.session.session import Session
from bot.play.session.workers import Job, Priority, Workers
from bot.play.trainer import mistakes
from bot.play.trainer.finding import Finding
from bot.play.trainer.mistake_views import HandName, MistakeLine
from bot.play.trainer.mistakes import UnjudgedHand
from bot.pure.solver.review import DecisionPoint
from bot.pure.trainer.correction import Judgement, judged

log = logging.getLogger(__name__)

MAX_LINES = 1_000
"""Maximum number of cached lines about the last hands."""
LOOK_AGAIN_MS = 10 * MINUTE
"""Interval between two looks at all players.

The decks of an event may no longer be secret, a player may have begun in another process, or a solver may have few
puzzles left.
"""


def judgement_job(moment: DecisionPoint) -> Job[Judgement | None]:
    """Return a job for how a decision counts."""
    return partial(judged, moment=moment)


class Judging:
    """Judges the hands of learners in this process's servers."""

    def __init__(
        self, transactions: Transactions, workers: Workers, bus: Bus, *, serves: Callable[[GuildId], bool]
    ) -> None:
        self._read, self._write, self._now = transactions.read, transactions.write, transactions.now
        self._workers = workers
        self._serves = serves
        self._finding = Finding(transactions, workers, serves=serves)
        self._task: asyncio.Task[None] | None = None
        self._learners: set[Player] | None = None
        """All learners; None before they're read."""
        self._read_at = 0
        self._waiting: OrderedDict[Player, None] = OrderedDict()
        """Learners who may have hands to judge, in the order of their turns."""
        self._changed: set[TableKey] = set()
        """Tables that may have ended a hand."""
        self._failed: set[tuple[TableKey, int]] = set()
        """Hands that couldn't be judged. They're tried again after the next start."""
        self._lines: OrderedDict[tuple[HandName, Player], MistakeLine | None] = OrderedDict()
        bus.table_changed.subscribe(self._table_changed)

    def _table_changed(self, key: TableKey) -> None:
        if self._learners and self._serves(key.guild):
            self._changed.add(key)

    def begin(self, player: Player) -> None:
        """Judge a player's hands from now on."""
        if self._learners is not None:
            self._learners.add(player)
        self._waiting[player] = None

    def forget(self, player: Player) -> None:
        """Forget a player who was deleted."""
        self._waiting.pop(player, None)
        if self._learners is not None:
            self._learners.discard(player)
        for name in [name for name in self._lines if name[1] == player]:
            del self._lines[name]

    def forget_lines(self) -> None:
        """Forget all lines, because another process deleted a player."""
        self._lines.clear()

    def line(self, key: TableKey, hand_no: int, player: Player) -> MistakeLine | None:
        """Return the line about a player's largest mistake in a hand; None if there is none or it isn't known yet."""
        return self._lines.get(((key, hand_no), player))

    def work(self) -> None:
        """Start judging, unless it's already in progress or there is nothing to do."""
        stale = self._learners is None or self._now() - self._read_at >= LOOK_AGAIN_MS
        if (stale or self._waiting or self._changed) and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._work(), name="judging")

    async def done(self) -> None:
        """Wait until nothing is left to judge."""
        self.work()
        while self._task is not None and not self._task.done():
            await asyncio.wait([self._task])
            self.work()

    async def stop(self) -> None:
        """Stop judging. What isn't judged yet is found again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _work(self) -> None:
        try:
            await self._look_for_players()
            while await self._judge_next() or await self._finding.step():
                await self._look_for_players()
        except StorageUnavailableError as trouble:
            log.debug("hands can't be judged now: %s", trouble)
            self._learners = None
        except Exception:
            log.exception("judging hands has failed")

    async def _look_for_players(self) -> None:
        """Add the players whose hands have ended since the last look."""
        is_time = self._now() - self._read_at >= LOOK_AGAIN_MS
        if is_time:
            self._finding.look_again()
        if self._learners is None or is_time:
            self._read_at = self._now()
            learners = await self._read(lambda s: s.tx.mistakes.learners())
            self._learners = {*learners, *self._waiting}
            self._waiting |= dict.fromkeys(learners)
        changed, self._changed = self._changed, set()
        if changed:

            def ended(s: Session) -> list[Player]:
                return [player for key in changed for player in s.tx.mistakes.learners_of_last_hands(key)]

            self._waiting |= dict.fromkeys(await self._read(ended))

    async def _judge_next(self) -> bool:
        """Judge a hand of the player whose turn it is; False if no one waits."""
        if not self._waiting:
            return False
        player, _ = self._waiting.popitem(last=False)
        if await self._judge_newest(player):
            self._waiting[player] = None
        return True

    async def _judge_newest(self, player: Player) -> bool:
        """Judge a player's newest hand; False if there is none to judge now."""
        hand = await self._read(lambda s: mistakes.next_unjudged(s, player, serves=self._serves, but=self._failed))
        if hand is None:
            return False
        try:
            found = [await self._think(moment, hand) for moment in (hand.past.moments if hand.past else ())]
        except ComputationFailedError:
            log.info("hand %s of %s could not be judged", hand.hand_no, hand.key)
            self._failed.add((hand.key, hand.hand_no))
            return True
        line = await self._write(lambda s: mistakes.save_judged(s, hand, found), patient=True, sets_clocks=False)
        if line is not None:
            self._lines[(hand.key, hand.hand_no), player] = line
            if len(self._lines) > MAX_LINES:
                self._lines.popitem(last=False)
        return True

    async def _think(self, moment: DecisionPoint, hand: UnjudgedHand) -> Judgement | None:
        """Judge a decision, so that other computations can run before the next one."""
        return await self._workers.think(
            judgement_job(moment), guild=hand.key.guild, urgency=Priority.IDLE, seconds=MAX_SECONDS
        )
