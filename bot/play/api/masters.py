"""Masters' hands for daily and weekly hands, each computed once in the background."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from bot.model.daily import ChallengeId
from bot.model.errors import ComputationFailedError
from bot.model.reasons import DailyReason
from bot.play.api.transactions import Transactions
from bot.play.daily import hands
from bot.play.session.workers import Placer
from bot.pure.ofc.refusals import Refused

log = logging.getLogger(__name__)


class Masters:
    """Computes masters' hands. Concurrent callers for the same hand share one computation."""

    def __init__(self, transactions: Transactions, think: Placer) -> None:
        self._read, self._write, self._think = transactions.read, transactions.write, think
        self._tasks: dict[ChallengeId, asyncio.Task[None]] = {}
        self._thoughts: dict[ChallengeId, list[str]] = {}
        """Placements of unfinished computations, so that a retry can continue from there."""

    def begin(self, number: ChallengeId) -> asyncio.Task[None]:
        """Start computing a hand, unless it's already in progress."""
        if number not in self._tasks:
            self._tasks[number] = task = asyncio.create_task(self._play(number))
            task.add_done_callback(lambda done: self._ended(number, done))
        return self._tasks[number]

    async def played(self, number: ChallengeId) -> None:
        """Wait until a master has played a hand; raises Refused if the computation fails."""
        known = await self._read(lambda s: hands.known(s, number))
        if known.master:
            return
        try:
            # Other callers wait for the same task, so a cancelled caller must not cancel it.
            await asyncio.shield(self.begin(number))
        except ComputationFailedError as error:
            raise Refused(DailyReason.NO_MASTER) from error

    async def done(self) -> None:
        """Wait until all computations have finished."""
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def close(self) -> None:
        """Cancel all computations."""
        for task in self._tasks.values():
            task.cancel()
        await self.done()

    async def _play(self, number: ChallengeId) -> None:
        challenge, deck = await self._read(lambda s: hands.with_deck(s, number))
        if not challenge.master:
            thought = self._thoughts.setdefault(number, [])
            played = await hands.worked_out(challenge, deck, self._think, thought)
            await self._write(lambda s: s.tx.daily.save_challenge(replace(hands.known(s, number), master=played)))
            self._thoughts.pop(number, None)

    def _ended(self, number: ChallengeId, task: asyncio.Task[None]) -> None:
        del self._tasks[number]
        if not task.cancelled() and (error := task.exception()):
            log.info("no master could play hand %s of the day, retrying when it is needed: %r", number, error)
