"""Reviews of finished hands: who asks waits for those who think, and what was found is remembered for a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import ceil

from bot.model.errors import NoThoughtError
from bot.model.ids import Player
from bot.model.refusals import PlayReason
from bot.ofc.refusals import Refused
from bot.play.look.hints import judgement, reckoning
from bot.play.look.replays import PastHand
from bot.play.session.thinkers import Job, T, Thinkers, Urgency
from bot.solver.deals import Account
from bot.solver.review import Decision

MOST_KNOWN = 300
"""Reviews that are remembered; turning their pages costs no thought."""
MOST_A_MINUTE = 6
"""Reviews that one person may ask for; each is a second or two of a processor."""
LONGEST_SECONDS = 120.0
"""Nobody reads on after so long."""
MINUTE_MS = 60_000

Told = Callable[[int], Awaitable[None]]
"""Is told, each time, how many decisions have been judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A hand with what was found."""

    past: PastHand
    decisions: tuple[Decision, ...]
    """One for each of its moments."""
    account: Account


class Reviews:
    """Reviews that are known, and those that are being thought out."""

    def __init__(self, thinkers: Thinkers, now: Callable[[], int]) -> None:
        self._thinkers = thinkers
        self._now = now
        self._known: OrderedDict[tuple[str, Player], Review] = OrderedDict()
        self._asked: dict[Player, deque[int]] = {}
        """When each person has asked for a review in the last minute."""

    async def of(self, past: PastHand, told: Told) -> Review:
        """The review of a hand; raises Refused for somebody who asks too often, and where nobody has the time."""
        name = past.name, past.player
        found = self._known.get(name)
        if found is None:
            self._brake(past.player)
            found = self._known[name] = await self._thought_out(past, told)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        self._known.move_to_end(name)
        return found

    def _brake(self, player: Player) -> None:
        now = self._now()
        self._asked = {who: times for who, times in self._asked.items() if times[-1] > now - MINUTE_MS}
        times = self._asked.setdefault(player, deque(maxlen=MOST_A_MINUTE))
        if len(times) == MOST_A_MINUTE and (wait := times[0] + MINUTE_MS - now) > 0:
            raise Refused(PlayReason.TOO_MANY_REVIEWS, count=ceil(wait / 1000))
        times.append(now)

    async def _thought_out(self, past: PastHand, told: Told) -> Review:
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                return await self._judged(past, told)
        except (NoThoughtError, TimeoutError):
            raise Refused(PlayReason.REVIEW_LATER) from None

    async def _judged(self, past: PastHand, told: Told) -> Review:
        """One thought after the other: others think in between."""
        decisions: list[Decision] = []
        for moment in past.moments:
            decisions.append(await self._think(judgement(moment), past))
            await told(len(decisions))
        return Review(past=past, decisions=tuple(decisions), account=await self._think(reckoning(past), past))

    async def _think(self, job: Job[T], past: PastHand) -> T:
        """A busy machine takes its time, and the one who waits is told how far it is."""
        guild = past.table.key.guild
        return await self._thinkers.think(job, guild=guild, urgency=Urgency.LATER, seconds=LONGEST_SECONDS)
