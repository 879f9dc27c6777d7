"""The thoughts of masters on the hands of a day: worked out once for each, beside everything else."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from bot.model.daily import ChallengeId
from bot.model.errors import NoThoughtError
from bot.model.reasons import DailyReason
from bot.play.daily import hands
from bot.play.doors.transactions import Transactions
from bot.play.session.thinkers import Thinker
from bot.pure.ofc.refusals import Refused

log = logging.getLogger(__name__)


class Masters:
    """Has masters play hands; whoever asks for one that is thought about waits for the same thought."""

    def __init__(self, transactions: Transactions, think: Thinker) -> None:
        self._read, self._write, self._think = transactions.read, transactions.write, think
        self._tasks: dict[ChallengeId, asyncio.Task[None]] = {}
        self._thoughts: dict[ChallengeId, list[str]] = {}
        """The thoughts on hands that nobody has played to the end yet: whoever goes on begins behind them."""

    def begin(self, number: ChallengeId) -> asyncio.Task[None]:
        """Think about a hand, if nobody does yet."""
        if number not in self._tasks:
            self._tasks[number] = task = asyncio.create_task(self._play(number))
            task.add_done_callback(lambda done: self._ended(number, done))
        return self._tasks[number]

    async def played(self, number: ChallengeId) -> None:
        """Wait until a master has played a hand; raises Refused where nobody could think."""
        known = await self._read(lambda s: hands.known(s, number))
        if known.master:
            return
        try:
            # Another one waits for the same task: whoever gives up must not end it.
            await asyncio.shield(self.begin(number))
        except NoThoughtError as error:
            raise Refused(DailyReason.NO_MASTER) from error

    async def done(self) -> None:
        """Wait until nothing is left to think about."""
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def close(self) -> None:
        """Think about nothing any more."""
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
            log.info("no master has played hand %s of the day, it is tried again when it is needed: %r", number, error)
