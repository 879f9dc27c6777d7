"""The door to a server's bulletins: every use case as one awaitable call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.model.bulletins import Bulletin, Deed, Recap
from bot.model.daily import day_of
from bot.model.errors import NoThoughtError
from bot.model.ids import GuildId
from bot.play.bank import bulletins as cases
from bot.play.daily import morning as mornings
from bot.play.daily.morning import Morning
from bot.play.doors.daily import Daily
from bot.play.doors.transactions import Door, Transactions, asks, reads, writes
from bot.play.look import recaps
from bot.play.look.hints import reckoning
from bot.play.look.recaps import Weighed
from bot.play.look.reviews import LONGEST_SECONDS
from bot.play.session.thinkers import Thinkers, Urgency
from bot.store.transaction import Tx


class Bulletins(Door):
    """Use cases of the morning post and the weekly recap."""

    def __init__(self, transactions: Transactions, thinkers: Thinkers, daily: Daily) -> None:
        self._read, self._write = transactions.read, transactions.write
        self._thinkers = thinkers
        self._daily = daily

    of = asks(Tx.bulletin)
    every = asks(Tx.bulletins)
    change = writes(cases.change)
    begin = writes(cases.begin)
    seen_to = writes(cases.seen_to)
    given_up = writes(cases.given_up)
    numbered = reads(recaps.numbered)
    kept_of = reads(recaps.kept_of)
    week_channels = asks(Tx.week_channels)

    async def morning(self, guild: GuildId, bulletin: Bulletin, at: int) -> Morning:
        """What is told at an hour. The daily hand of a day is told once, whatever the clocks of the zone do."""
        over = day_of(at) - 1
        number = None
        if not bulletin.told or day_of(bulletin.told) - 1 < over:
            number = await self._daily.over(over)
        return await self._read(lambda s: mornings.morning(s, guild, bulletin, number, at=at))

    async def recap(
        self, guild: GuildId, *, since: int, until: int, channel: int, open_channels: Collection[int]
    ) -> Recap | None:
        """The recap of a week, made and kept if it was not yet; None where nothing was played.

        One that was made for another channel tells of no single table: what readers there may see, others may not.
        """
        known = await self._read(lambda s: recaps.kept_of(s, guild, until))
        if known is not None:
            return known if known.channel == channel else known.of_nobodys_table()
        week = await self._read(
            lambda s: recaps.week_of(s, guild, since=since, until=until, channel=channel, open_channels=open_channels)
        )
        if not (week.recap.hands or week.recap.victories or week.recap.dailies):
            return None
        won, lost = await self._luck(guild, week.won), await self._luck(guild, week.lost)
        lucky = sorted((deed for deed in won if deed.number > 0), key=lambda deed: -deed.number)
        unlucky = sorted((deed for deed in lost if deed.number < 0), key=lambda deed: deed.number)
        recap = replace(week.recap, lucky=lucky, unlucky=unlucky)
        kept = await self._write(lambda s: recaps.keep(s, guild, recap))
        return kept if kept.channel == channel else kept.of_nobodys_table()

    async def _luck(self, guild: GuildId, hands: Sequence[Weighed]) -> list[Deed]:
        """The hands with tenths of points of luck, in their order; those that nobody could weigh are left out.

        Tables think first: nobody waits for a recap.
        """
        deeds = []
        for one in hands:
            job = reckoning(one.past)
            try:
                account = await self._thinkers.think(job, guild=guild, urgency=Urgency.LATER, seconds=LONGEST_SECONDS)
            except NoThoughtError:
                continue
            if account.luck is not None:
                deeds.append(replace(one.deed, number=round(10 * account.luck)))
        return deeds
