"""Finding opponents: quick seats, queues, invitations, the role for new tables, and a server's templates."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from math import ceil

from bot.base.clean_text import one_line
from bot.model.choices import Template
from bot.model.clock import MINUTE
from bot.model.ids import GuildId, Player, TableKey
from bot.model.limits import DEFAULT_QUEUE_SEATS, MAX_TEMPLATE_NAME_LENGTH, MAX_TEMPLATES
from bot.model.mentions import require_no_mention
from bot.model.reasons import ServerReason, TableReason
from bot.model.tables import Table, TableState
from bot.play import terms as terms_of
from bot.play.session import chips
from bot.play.session.session import Session
from bot.play.table import lobby
from bot.play.table.blocked_players import blocked_players
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.refusals import Refused


def quick(
    s: Session, like: TableOffer, *, seen: Collection[int], any_game: bool, terms: str | None = None, cause: str
) -> Table:
    """Take the next free seat, or open a table as offered. If the player is already waiting at a table, return that.

    ``seen`` contains the channels that the player can see, and ``terms`` are the terms of the seat that they were
    shown. The stakes are never higher than those offered. Raises Refused, or OtherTerms.
    """
    s.check_not_repeated(cause)
    return _seat(s, like, quick_table(s, like, seen=seen, any_game=any_game), terms=terms, cause=cause)


def quick_table(s: Session, like: TableOffer, *, seen: Collection[int], any_game: bool) -> Table | None:
    """Return the table with the next free seat, or where the player is already waiting; None if there is none."""
    wallet = chips.wallet(s, like.guild, like.host)

    def suits(table: Table) -> bool:
        return (
            table.channel in seen
            and (any_game or table.terms.variant == like.terms.variant)
            and table.terms.practice == like.terms.practice
            and table.terms.clock.quiet == like.terms.clock.quiet
            and table.terms.buy_in <= min(like.terms.buy_in, wallet)
            and table.terms.point_value <= like.terms.point_value
        )

    return _find_table(s, like, suits)


def queue(s: Session, like: TableOffer, *, terms: str | None = None, cause: str) -> Table:
    """Join this channel's queue for the offered game under the ``terms`` that were shown, or open one.

    Raises Refused, or OtherTerms.
    """
    s.check_not_repeated(cause)
    return _seat(s, like, queued_table(s, like), terms=terms, cause=cause)


def queued_table(s: Session, like: TableOffer) -> Table | None:
    """Return this channel's queue for the offered game; None if there is none."""
    return _find_table(
        s,
        like,
        lambda table: table.state is TableState.LOBBY and (table.channel, table.terms) == (like.channel, like.terms),
    )


def waits_at(s: Session, table: Table, player: Player) -> bool:
    """True if ``player`` sits at a table that hasn't begun."""
    return table.state is TableState.LOBBY and player in [seat.player for seat in s.tx.tables.seats(table.key)]


def _find_table(s: Session, like: TableOffer, suits: Callable[[Table], bool]) -> Table | None:
    """Return the matching table where the player is waiting or that they would join; None if there is none."""
    player, unwelcome = like.host, blocked_players(s, like.guild, like.host)
    found: list[tuple[tuple[int, ...], Table]] = []
    for table in s.tx.tables.open(like.guild):
        if table.private or table.event_no is not None or not suits(table):
            continue
        if waits_at(s, table, player):
            return table
        seated = [seat.player for seat in s.tx.tables.seats(table.key)]
        if _is_free(table, player, seated) and unwelcome.isdisjoint(seated):
            found.append((_rank(table, like, seated), table))
    return min(found, key=lambda one: one[0])[1] if found else None


def _seat(s: Session, like: TableOffer, table: Table | None, *, terms: str | None, cause: str) -> Table:
    if table is not None and waits_at(s, table, like.host):
        return table
    terms_of.require_unchanged(terms, terms_of.of_seat(like.terms if table is None else table.terms))
    if table is not None:
        return lobby.join(s, table.key, like.host, cause=cause)
    return lobby.open_table(s, like, cause=cause)


def _is_free(table: Table, player: Player, seated: Sequence[Player]) -> bool:
    return player not in (*seated, *table.removed) and len(seated) < table.terms.max_seats


def _rank(table: Table, like: TableOffer, seated: Sequence[Player]) -> tuple[int, ...]:
    """Return a table's sort key: games about to start, then this channel, then the fullest, then the oldest."""
    running = table.state is not TableState.LOBBY
    return int(running), int(table.channel != like.channel), -len(seated), table.key.table


def as_queue(like: TableOffer, *, players: int | None) -> TableOffer:
    """Return the offer as a queue for ``players`` players, or the default number; raises Refused."""
    terms = like.terms
    if players is not None and not terms.variant.min_seats <= players <= terms.max_seats:
        raise Refused(TableReason.TOO_MANY_SEATS, least=terms.variant.min_seats, most=terms.max_seats)
    usual = max(terms.variant.min_seats, min(DEFAULT_QUEUE_SEATS, terms.max_seats))
    return replace(like, terms=replace(terms, starts_with=usual if players is None else players))


# Pings of a server's role for new tables, limited if several tables are opened in a row.

PAUSE_MS = 10 * MINUTE
"""Minimum time between two pings of the role (ms)."""


def told_role(s: Session, key: TableKey) -> int | None:
    """Return the role that a new table's message pings, and record it; None if another table has just pinged it.

    A repeated call for the same table returns the same role, because its message may not have been posted.
    """
    server = s.tx.choices.server(key.guild)
    if server.told_role is None:
        return None
    again = server.told_table == key.table
    if not again and server.told_at is not None and 0 <= s.now - server.told_at < PAUSE_MS:
        return None
    if not again:
        s.tx.choices.save_server(key.guild, replace(server, told_at=s.now, told_table=key.table))
    return server.told_role


# Recent pings by invitations, recorded to limit their number and repetition. Kept in memory, like all rate limits.

MINUTE_MS = 60_000
MAX_PINGS_AT_ONCE = 10
"""Maximum number of guests that a player can ping after a rest."""
MAX_PINGS_PER_MINUTE = 5
MAX_PINGS_PER_GUEST = 3
"""Maximum number of pings from one player to one guest within ``PINGS_PER_GUEST_MINUTES``, at any table."""
PINGS_PER_GUEST_MINUTES = 10
FORGET_MS = 24 * 60 * MINUTE_MS
"""Time after which pings are forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    at: int
    table: TableKey
    by: Player
    guest: Player


class GuestCalls:
    """Recent pings per server. Times are in milliseconds."""

    def __init__(self) -> None:
        self._calls: dict[GuildId, list[_Call]] = {}

    def wanted(self, table: TableKey, by: Player, guests: Collection[Player], *, now: int) -> list[Player]:
        """Return the guests that an invitation may ping, and record them.

        Raises Refused if all have been pinged for this table before, or if the player pings too many.
        """
        calls = self._recent_calls(table.guild, now)
        known = {call.guest for call in calls if call.table == table}
        fresh = [guest for guest in guests if guest not in known and self._may_call_again(calls, by, guest, now)]
        if not fresh:
            raise Refused(TableReason.INVITED_BEFORE)
        if wait := self._wait(calls, by, len(fresh), now):
            raise Refused(TableReason.TOO_MANY_INVITATIONS, count=ceil(wait / 1000))
        calls += [_Call(at=now, table=table, by=by, guest=guest) for guest in fresh]
        return fresh

    def opening(self, table: TableKey, by: Player, guests: Collection[Player], *, now: int) -> frozenset[Player]:
        """Return the guests that a table's first message pings. A retry after a failed post returns the same ones."""
        calls = self._recent_calls(table.guild, now)
        called = {call.guest for call in calls if call.table == table}
        for guest in guests:
            if (
                guest not in called
                and self._may_call_again(calls, by, guest, now)
                and not self._wait(calls, by, 1, now)
            ):
                calls.append(_Call(at=now, table=table, by=by, guest=guest))
                called.add(guest)
        return frozenset(called.intersection(guests))

    def _recent_calls(self, guild: GuildId, now: int) -> list[_Call]:
        self._calls[guild] = [call for call in self._calls.get(guild, ()) if call.at > now - FORGET_MS]
        return self._calls[guild]

    @staticmethod
    def _may_call_again(calls: list[_Call], by: Player, guest: Player, now: int) -> bool:
        """True unless the player has recently pinged the guest too often."""
        since = now - PINGS_PER_GUEST_MINUTES * MINUTE_MS
        return sum(call.by == by and call.guest == guest and call.at > since for call in calls) < MAX_PINGS_PER_GUEST

    @staticmethod
    def _wait(calls: list[_Call], by: Player, count: int, now: int) -> float:
        """Return the milliseconds until the player may ping ``count`` more guests."""
        gap, free_at = MINUTE_MS / MAX_PINGS_PER_MINUTE, 0.0
        for call in calls:
            if call.by == by:
                free_at = max(free_at, call.at) + gap
        return max(0.0, free_at - gap * (MAX_PINGS_AT_ONCE - count) - now)


# A server's templates: named tables from which others can open new ones with the same terms.


def folded(name: str) -> str:
    """Return a form shared by all names that differ only in case, width or invisible characters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", one_line(name)).casefold())


def save(s: Session, key: TableKey, name: str, *, by: Player, replacing: bool) -> Template:
    """Save a cash table as a template, replacing one with this name only if ``replacing``; raises Refused."""
    name = one_line(name)
    if not name or len(name) > MAX_TEMPLATE_NAME_LENGTH:
        raise Refused(ServerReason.BAD_TEMPLATE_NAME, most=MAX_TEMPLATE_NAME_LENGTH)
    require_no_mention(name)
    if not s.table(key).cash:
        raise Refused(TableReason.NO_CASH_TABLE)
    known = {folded(template.name) for template in s.tx.choices.templates(key.guild)}
    if folded(name) in known and not replacing:
        raise Refused(ServerReason.TEMPLATE_NAME_TAKEN)
    if folded(name) not in known and len(known) >= MAX_TEMPLATES:
        raise Refused(ServerReason.TOO_MANY_TEMPLATES, most=MAX_TEMPLATES)
    template = Template(name=name, table=key.table)
    s.tx.choices.save_template(key.guild, template, folded=folded(name), by=by, at=s.now)
    return template


def remove(s: Session, guild: GuildId, name: str) -> Template:
    """Delete a template. Tables opened from it aren't affected. Raises Refused."""
    template = _named(s, guild, name)
    s.tx.choices.remove_template(guild, folded(name))
    return template


def table_named(s: Session, guild: GuildId, name: str) -> Table:
    """Return a template's table; raises Refused."""
    return s.table(TableKey(guild=guild, table=_named(s, guild, name).table))


def known(s: Session, guild: GuildId) -> list[tuple[Template, Table]]:
    """Return a server's templates by name, each with its table."""
    return [
        (template, s.table(TableKey(guild=guild, table=template.table)))
        for template in sorted(s.tx.choices.templates(guild), key=lambda template: folded(template.name))
    ]


def _named(s: Session, guild: GuildId, name: str) -> Template:
    for template in s.tx.choices.templates(guild):
        if folded(template.name) == folded(name):
            return template
    raise Refused(ServerReason.NO_TEMPLATE)
