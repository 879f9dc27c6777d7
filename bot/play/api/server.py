"""Use cases of a server's bank, bulletins, matchmaking and seats."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.model.bank import ChipFlow
from bot.model.bulletins import Bulletin, Highlight, Recap
from bot.model.clock import DAY
from bot.model.daily import day_at
from bot.model.errors import ComputationFailedError
from bot.model.ids import GuildId, Player, TableKey
from bot.model.tables import Table
from bot.play import matchmaking
from bot.play.api.daily import DailyHands
from bot.play.api.transactions import Transactions, UseCases, asks, reads, writes
from bot.play.bank import bulletins as cases
from bot.play.bank import chips as claims
from bot.play.bank import chips as managing
from bot.play.bank import club_page as club_cases
from bot.play.bank import posts as post_cases
from bot.play.bank import seasons as season_cases
from bot.play.daily import morning as mornings
from bot.play.daily.morning import Morning
from bot.play.matchmaking import GuestCalls
from bot.play.queries import recaps
from bot.play.queries.recaps import LuckCandidate
from bot.play.queries.reviews import MAX_SECONDS, luck_job
from bot.play.session import chips
from bot.play.session.workers import Priority, Workers
from bot.play.table import blocked_players, hosting, seats
from bot.store.bank import BankQueries
from bot.store.bulletins import BulletinQueries
from bot.store.choices import ChoiceQueries
from bot.store.seasons import SeasonQueries

FLOW_DAYS = 30
MIN_FLOW = 1_000
FLOWS_SHOWN = 10


class Bank(UseCases):
    """Use cases of a server's bank."""

    # players

    offered = reads(claims.offered)
    claim = writes(claims.claim)
    send = writes(claims.send)
    why_frozen = reads(chips.why_frozen)

    # managers

    terms = asks(BankQueries, BankQueries.terms)
    change_terms = writes(managing.change_terms)
    change_chips = writes(managing.change_chips)
    freeze = writes(managing.freeze)
    unfreeze = writes(managing.unfreeze)
    seasons = reads(season_cases.page)
    last_seasons = asks(SeasonQueries, SeasonQueries.of)
    start_season = writes(season_cases.start)
    end_season = writes(season_cases.end)
    change_seasons = writes(season_cases.change_terms)
    untold_seasons = asks(SeasonQueries, SeasonQueries.untold)
    season_end = reads(season_cases.season_end)
    season_sending = writes(season_cases.record_sending)
    season_told = writes(season_cases.told)
    audit_log = asks(BankQueries, BankQueries.audit_log)
    club_page = asks(SeasonQueries, SeasonQueries.club_page)
    club_pages = asks(SeasonQueries, SeasonQueries.club_pages)
    change_club_page = writes(club_cases.change)
    club_page_shown = writes(club_cases.note_shown)

    async def flows(self, guild: GuildId) -> list[ChipFlow]:
        """Return pairs of players with large one-way flows of chips in the last days, from tables or transfers."""
        return await self._read(
            lambda s: s.tx.bank.flows(guild, since=s.now - FLOW_DAYS * DAY, least=MIN_FLOW, limit=FLOWS_SHOWN)
        )


class Bulletins(UseCases):
    """Use cases of the morning post and the weekly recap."""

    def __init__(self, transactions: Transactions, workers: Workers, daily: DailyHands) -> None:
        self._read, self._write = transactions.read, transactions.write
        self._workers = workers
        self._daily = daily

    of = asks(BulletinQueries, BulletinQueries.get)
    every = asks(BulletinQueries, BulletinQueries.enabled)
    change = writes(cases.change)
    begin = writes(cases.begin)
    mark_posted = writes(cases.mark_posted)
    turn_off = writes(cases.turn_off)
    numbered = reads(recaps.numbered)
    kept_of = reads(recaps.kept_of)
    week_channels = asks(BulletinQueries, BulletinQueries.week_channels)
    channels_played_in = asks(BulletinQueries, BulletinQueries.channels_played_in)
    all_posts = reads(post_cases.now)
    choose_posts = writes(post_cases.choose)

    ranked_here = reads(mornings.ranked_here)

    async def morning(self, guild: GuildId, bulletin: Bulletin, at: int, *, open_channels: Collection[int]) -> Morning:
        """Return the morning post for hour ``at``. Each daily hand is posted once, even if the zone's clocks change."""
        over = day_at(at) - 1
        number = None
        if not bulletin.told or day_at(bulletin.told) - 1 < over:
            number = await self._daily.over(over)
        return await self._read(
            lambda s: mornings.morning(s, guild, bulletin, number, at=at, open_channels=open_channels)
        )

    async def recap(
        self, guild: GuildId, *, since: int, until: int, channel: int, open_channels: Collection[int]
    ) -> Recap | None:
        """Return a week's recap, made and stored on the first call; None if no hand was played in the channels.

        A recap made for another channel is returned without tables and events, because its readers may see other
        channels.
        """
        known = await self._read(lambda s: recaps.kept_of(s, guild, until))
        if known is not None:
            return known if known.channel == channel else known.of_nobodys_table()
        week = await self._read(
            lambda s: recaps.load_week(s, guild, since=since, until=until, channel=channel, open_channels=open_channels)
        )
        if not (week.recap.hands or week.recap.event_hands or week.recap.events):
            return None
        won, lost = await self._luck(guild, week.won), await self._luck(guild, week.lost)
        lucky = sorted(
            (highlight for highlight in won if highlight.number > 0), key=lambda highlight: -highlight.number
        )
        unlucky = sorted(
            (highlight for highlight in lost if highlight.number < 0), key=lambda highlight: highlight.number
        )
        recap = replace(week.recap, lucky=lucky, unlucky=unlucky)
        kept = await self._write(lambda s: recaps.keep(s, guild, recap))
        return kept if kept.channel == channel else kept.of_nobodys_table()

    async def _luck(self, guild: GuildId, hands: Sequence[LuckCandidate]) -> list[Highlight]:
        """Return the hands in order, with their luck in tenths of a point. Hands that can't be evaluated are left out.

        Tables have priority, because no player waits for a recap.
        """
        highlights = []
        for one in hands:
            job = luck_job(one.past)
            try:
                account = await self._workers.think(job, guild=guild, urgency=Priority.LATER, seconds=MAX_SECONDS)
            except ComputationFailedError:
                continue
            if account.luck is not None:
                highlights.append(replace(one.highlight, number=round(10 * account.luck)))
        return highlights


class Matchmaking(UseCases):
    """Use cases of players who are looking for opponents."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write, self._now = transactions.read, transactions.write, transactions.now
        self._calls = GuestCalls()

    quick = writes(matchmaking.quick)

    quick_table = reads(matchmaking.quick_table)
    queue = writes(matchmaking.queue)
    queued_table = reads(matchmaking.queued_table)
    waits_at = reads(matchmaking.waits_at)

    # templates of a server

    templates = reads(matchmaking.known)
    save_template = writes(matchmaking.save)
    remove_template = writes(matchmaking.remove)
    template = reads(matchmaking.table_named)

    # blocked players

    refuse = writes(blocked_players.refuse)
    allow = writes(blocked_players.allow)
    refused_by = asks(ChoiceQueries, ChoiceQueries.refused_by)
    require_invitable = reads(blocked_players.require_invitable)

    def wanted_guests(self, table: Table, by: Player, guests: Sequence[Player]) -> list[Player]:
        """Return the guests that an invitation may ping, and record them.

        Raises Refused if all have been invited before, or if ``by`` invites too many.
        """
        return self._calls.wanted(table.key, by, guests, now=self._now())

    callable_guests = reads(blocked_players.callable_guests)

    async def called_at_opening(self, table: Table) -> frozenset[Player]:
        """Return the invited guests that the table's first message pings."""
        called = self._calls.opening(table.key, table.host, table.invited, now=self._now())
        return called & await self.callable_guests(table, table.invited)

    # pings for new tables

    async def told_role(self, key: TableKey) -> int | None:
        """Return the role that a new table's message pings; None if there is none."""
        if await self._read(lambda s: s.tx.choices.server(key.guild).told_role) is None:
            return None
        return await self._write(lambda s: matchmaking.told_role(s, key))


# Seats of tables.


class Seating(UseCases):
    """Use cases of seats at tables."""

    def __init__(self, transactions: Transactions) -> None:
        self._write = transactions.write

    rebuy = writes(seats.rebuy)
    top_up = writes(seats.top_up)
    sit_out = writes(seats.sit_out)
    sit_out_everywhere = writes(seats.sit_out_everywhere)
    change_seat = writes(seats.change_seat)
    hand_over = writes(hosting.hand_over)
    remove = writes(hosting.remove)
