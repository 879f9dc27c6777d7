"""Use cases of daily and weekly hands."""

from __future__ import annotations

import logging
from typing import Any

from bot.model.daily import ChallengeId, Series, begins_at
from bot.model.errors import HandLostError
from bot.model.ids import Player
from bot.model.reasons import DailyReason
from bot.play.api.masters import Masters
from bot.play.api.transactions import Transactions, UseCases, writes
from bot.play.daily import hands, views
from bot.play.daily.views import AttemptView, SolvedHand
from bot.play.session.session import Session
from bot.play.session.workers import Placer
from bot.pure.ofc.proof import make_proof
from bot.pure.ofc.refusals import Refused

log = logging.getLogger(__name__)


class DailyHands(UseCases):
    """Use cases of daily and weekly hands. None of them reveals an undealt card."""

    def __init__(self, transactions: Transactions, think: Placer) -> None:
        """``think`` computes a master's placement."""
        self._read, self._write = transactions.read, transactions.write
        self._masters = Masters(transactions, think)

    async def done(self) -> None:
        """Wait until no master's hand is being computed."""
        await self._masters.done()

    async def close(self) -> None:
        """Cancel the computations of masters' hands."""
        await self._masters.close()

    async def today(self, player: Player) -> AttemptView:
        """Return today's daily hand with the player's attempt. The view also lists today's other hands."""
        await self._prepare()
        today = await self._read(hands.of_today)
        for challenge in today:
            # Start the master's computation early, because it must be finished by the time a player finishes.
            if not challenge.master:
                self._masters.begin(challenge.number)
        return await self.look(today[0].number, player)

    async def look(self, number: ChallengeId, player: Player) -> AttemptView:
        """Return a hand with the player's attempt; raises Stale if it doesn't exist, and Refused if it's lost."""
        view = await self._look(number, player)
        if view.hand is not None and view.hand.over and view.standing is None:
            await self._masters.played(number)
            return await self._look(number, player)
        return view

    async def begin(self, number: ChallengeId, player: Player, *, cause: str) -> None:
        """Start the player's attempt; raises Refused, or Stale if an unfinished attempt exists."""
        challenge = await self._read(lambda s: hands.open_today(s, number))
        if challenge.game.at_once:
            await self._masters.played(number)  # masters play in the other seats
        await self._write(lambda s: hands.begin(s, number, player, cause=cause))

    place = writes(hands.place)
    share = writes(hands.share)

    async def solved(self, number: ChallengeId, player: Player) -> SolvedHand:
        """Return a hand with its cards, once its day is over; raises Refused before that."""
        await self._require_revealed(number)
        await self._masters.played(number)
        return await self._read(lambda s: views.solved(s, hands.known(s, number), player))

    async def over(self, day: int) -> ChallengeId | None:
        """Return the daily hand of a finished day, after a master has played it if possible; None if there is none."""
        await self._prepare()
        found = await self._read(lambda s: s.tx.daily.challenge_of(Series.DAILY, day))
        if found is None or found.seed is None:
            return None
        try:
            await self._masters.played(found.number)
        except Refused as refused:
            log.info("the master's result for the hand of day %s is not known: %s", day, refused.reason)
        return found.number

    async def proof(self, number: ChallengeId) -> dict[str, Any]:
        """Return the public record of a hand, once its day is over; raises Refused before that."""
        await self._require_revealed(number)

        def job(s: Session) -> dict[str, Any]:
            found = hands.known(s, number)
            seed = hands.seed_of(s, found)
            proof = make_proof(found.game, hand_id=found.name, seed=seed, entropy=(), committed=found.commitment)
            return proof.to_json()

        return await self._read(job)

    async def _look(self, number: ChallengeId, player: Player) -> AttemptView:
        try:
            return await self._read(lambda s: views.look(s, hands.known(s, number), player))
        except HandLostError as error:
            raise Refused(DailyReason.DAY_LOST) from error

    async def _prepare(self) -> None:
        if await self._read(hands.needs_preparation):
            await self._write(hands.prepare)

    async def _require_revealed(self, number: ChallengeId) -> None:
        """Raise Refused if a hand's seed isn't public, because its day isn't over or its key is lost."""
        await self._prepare()
        found = await self._read(lambda s: hands.known(s, number))
        if found.lost:
            raise Refused(DailyReason.DAY_LOST)
        if found.seed is None:
            raise Refused(DailyReason.DAY_NOT_OVER, until=str(begins_at(found.day + 1) // 1000))
