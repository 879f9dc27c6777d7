"""The door to the hands of a day: every use case as one awaitable call."""

from __future__ import annotations

from typing import Any

from bot.ofc.proof import make_proof
from bot.ofc.refusals import Refused
from bot.play.daily import hands, views
from bot.play.daily.masters import Masters
from bot.play.daily.model import ChallengeId
from bot.play.daily.ports import Thinker
from bot.play.daily.rules import begins_at
from bot.play.daily.views import Solved, TryView
from bot.play.model import Player
from bot.play.ports import HandLostError
from bot.play.refusals import PlayReason
from bot.play.session import Session
from bot.play.transactions import Transactions


class Daily:
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

    async def place(
        self,
        number: ChallengeId,
        player: Player,
        *,
        street: int,
        rows: str,
        cause: str,
        declare: bool = False,
    ) -> None:
        """Place the cards of a street; raises Refused, or Stale for a press that comes twice or late."""
        await self._write(
            lambda s: hands.place(s, number, player, street=street, rows=rows, cause=cause, declare=declare)
        )

    async def share(self, number: ChallengeId, player: Player, *, channel: int) -> None:
        """Note that a result is posted in a channel; raises Refused where it was posted last."""
        await self._write(lambda s: hands.share(s, number, player, channel=channel))

    async def solved(self, number: ChallengeId, player: Player) -> Solved:
        """A hand with its cards, once its day is over; raises Refused."""
        await self._revealed(number)
        await self._masters.played(number)
        return await self._read(lambda s: views.solved(s, hands.known(s, number), player))

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
            raise Refused(PlayReason.DAY_LOST) from error

    async def _prepare(self) -> None:
        if await self._read(hands.unprepared):
            await self._write(hands.prepare)

    async def _revealed(self, number: ChallengeId) -> None:
        """Make sure that a hand's seed lies open; raises Refused while its day lasts, and where its key is lost."""
        await self._prepare()
        found = await self._read(lambda s: hands.known(s, number))
        if found.lost:
            raise Refused(PlayReason.DAY_LOST)
        if found.seed is None:
            raise Refused(PlayReason.DAY_NOT_OVER, until=str(begins_at(found.day + 1) // 1000))
