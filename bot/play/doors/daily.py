"""The door to the hands of a day: every use case as one awaitable call."""

from __future__ import annotations

import logging
from typing import Any

from bot.model.daily import ChallengeId, Series, begins_at
from bot.model.errors import HandLostError
from bot.model.ids import Player
from bot.model.reasons import DailyReason
from bot.play.daily import hands, views
from bot.play.daily.views import Solved, TryView
from bot.play.doors.masters import Masters
from bot.play.doors.transactions import Door, Transactions, writes
from bot.play.session.session import Session
from bot.play.session.thinkers import Thinker
from bot.pure.ofc.proof import make_proof
from bot.pure.ofc.refusals import Refused

log = logging.getLogger(__name__)


class Daily(Door):
    """Use cases of the daily hand and the weekly one. None of them gives out a card that is still to come."""

    def __init__(self, transactions: Transactions, think: Thinker) -> None:
        """``think`` says what a master places."""
        self._read, self._write = transactions.read, transactions.write
        self._masters = Masters(transactions, think)

    async def done(self) -> None:
        """Wait until no master thinks."""
        await self._masters.done()

    async def close(self) -> None:
        """Think about nothing any more."""
        await self._masters.close()

    async def today(self, player: Player) -> TryView:
        """The daily hand of today and somebody's try at it; the others of today stand beside it."""
        await self._prepare()
        today = await self._read(hands.of_today)
        for challenge in today:
            # Somebody may begin it soon: then a master has had some time.
            if not challenge.master:
                self._masters.begin(challenge.number)
        return await self.look(today[0].number, player)

    async def look(self, number: ChallengeId, player: Player) -> TryView:
        """One hand and somebody's try at it; raises Stale for one that is not there, Refused for one that is lost."""
        view = await self._look(number, player)
        if view.hand is not None and view.hand.over and view.standing is None:
            await self._masters.played(number)
            return await self._look(number, player)
        return view

    async def begin(self, number: ChallengeId, player: Player, *, cause: str) -> None:
        """Begin one's try; raises Refused, or Stale for somebody who has begun."""
        challenge = await self._read(lambda s: hands.open_today(s, number))
        if challenge.game.at_once:
            await self._masters.played(number)  # they sit at the table
        await self._write(lambda s: hands.begin(s, number, player, cause=cause))

    place = writes(hands.place)
    share = writes(hands.share)

    async def solved(self, number: ChallengeId, player: Player) -> Solved:
        """A hand with its cards, once its day is over; raises Refused."""
        await self._revealed(number)
        await self._masters.played(number)
        return await self._read(lambda s: views.solved(s, hands.known(s, number), player))

    async def over(self, day: int) -> ChallengeId | None:
        """The daily hand of a day that is over, which a master has played where one could; None where there is none."""
        await self._prepare()
        found = await self._read(lambda s: s.tx.daily.challenge_of(Series.DAILY, day))
        if found is None or found.seed is None:
            return None
        try:
            await self._masters.played(found.number)
        except Refused as refused:
            log.info("what a master did with the hand of day %s is not known: %s", day, refused.reason)
        return found.number

    async def proof(self, number: ChallengeId) -> dict[str, Any]:
        """The public record of a hand, once its day is over; raises Refused."""
        await self._revealed(number)

        def job(s: Session) -> dict[str, Any]:
            found = hands.known(s, number)
            seed = hands.seed_of(s, found)
            proof = make_proof(found.game, hand_id=found.name, seed=seed, entropy=(), committed=found.commitment)
            return proof.to_json()

        return await self._read(job)

    async def _look(self, number: ChallengeId, player: Player) -> TryView:
        try:
            return await self._read(lambda s: views.look(s, hands.known(s, number), player))
        except HandLostError as error:
            raise Refused(DailyReason.DAY_LOST) from error

    async def _prepare(self) -> None:
        if await self._read(hands.unprepared):
            await self._write(hands.prepare)

    async def _revealed(self, number: ChallengeId) -> None:
        """Make sure that a hand's seed lies open; raises Refused while its day lasts, and where its key is lost."""
        await self._prepare()
        found = await self._read(lambda s: hands.known(s, number))
        if found.lost:
            raise Refused(DailyReason.DAY_LOST)
        if found.seed is None:
            raise Refused(DailyReason.DAY_NOT_OVER, until=str(begins_at(found.day + 1) // 1000))
