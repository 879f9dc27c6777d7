"""Tables with the terms of another one (after it has closed, or with changes), and private practice tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.model.clock import Clock
from bot.model.ids import GuildId, Player, TableKey, is_computer
from bot.model.limits import DEFAULT_HANDS_PER_LEVEL
from bot.model.reasons import EventReason
from bot.model.refusals import Stale
from bot.model.tables import Limits, Table, TableState, Terms
from bot.play import terms as terms_of
from bot.play.hand import dealing, shuffle_inputs
from bot.play.session.session import Session
from bot.play.table import blocked_players, lobby
from bot.play.table.lobby import TableOffer, buy_in_of
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant


def play_again(s: Session, key: TableKey, like: TableOffer, *, cause: str) -> Table:
    """Open a lobby with the terms of a closed table for its players, or join such a lobby if one is open.

    ``like`` gives the player who pressed and the channel. A game against computers only is dealt immediately. Raises
    Refused, or Stale if the old table is open.
    """
    old, player = _require_closed(s, key), like.host
    if waits := _waiting_for(s, old, player, channel=like.channel):
        return lobby.join(s, waits.key, player, cause=cause)
    players = _players_of(s, old)
    computers, others = tuple(filter(is_computer, players)), _others(players, player)
    table = lobby.open_table(s, _build_offer(old, like, computers=computers, invited=others), cause=cause)
    alone = bool(computers) and len(players) == len(computers) + 1
    return lobby.start(s, table.key, player, cause=f"{cause}:start") if alone else table


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch:
    """The new table that playing again would open; it pings ``others``."""

    others: tuple[Player, ...]
    buy_in: int
    """Buy-in in chips; 0 at practice tables."""


def opens(s: Session, key: TableKey, player: Player, *, channel: int) -> Rematch | None:
    """Return the table that :func:`play_again` would open; None if it'd join one. Raises Stale if the table is open."""
    old = _require_closed(s, key)
    if _waiting_for(s, old, player, channel=channel):
        return None
    return Rematch(others=_others(_players_of(s, old), player), buy_in=old.terms.buy_in if old.cash else 0)


def _require_closed(s: Session, key: TableKey) -> Table:
    old = s.table(key)
    if old.open or old.event_no is not None:
        raise Stale
    return old


def _waiting_for(s: Session, old: Table, player: Player, *, channel: int) -> Table | None:
    """Return a lobby with the same game in the channel, without players who block the player or are blocked by them."""
    unwelcome = blocked_players.blocked_players(s, old.key.guild, player)
    for table in s.tx.tables.open(old.key.guild, channel=channel):
        waits = table.state is TableState.LOBBY and _game_of(table) == _game_of(old)
        if waits and unwelcome.isdisjoint(seat.player for seat in s.tx.tables.seats(table.key)):
            return table
    return None


def _players_of(s: Session, old: Table) -> list[Player]:
    """Return the players of the last hand."""
    record = s.tx.hands.get(old.key, old.hand_no)
    return [one for one, _ in record.entropy] if record else []


def _others(players: Sequence[Player], player: Player) -> tuple[Player, ...]:
    return tuple(one for one in players if one != player and not is_computer(one))


def _game_of(table: Table) -> tuple[object, ...]:
    """Return the game, its stakes and its pace, for comparison."""
    return _first_terms(table), table.event_no


def _first_terms(table: Table) -> Terms:
    """Return a table's original terms, because its point value may have risen since."""
    first = table.terms.limits.point_value(1) or table.terms.point_value
    return replace(table.terms, point_value=first)


def like_table(table: Table, like: TableOffer) -> TableOffer:
    """Return an offer with the terms of another table, open or closed. ``like`` gives the host and the channel.

    Raises Refused if it's an event's table, because its chips are the event's.
    """
    if table.event_no is not None:
        raise Refused(EventReason.EVENT_TABLE)
    return _build_offer(table, like, computers=(), invited=like.invited)


@dataclass(frozen=True, slots=True, kw_only=True)
class TermChanges:
    """A player's changes to a table's terms. None keeps the offered value."""

    variant: Variant | None = None
    point_value: int | None = None
    seats: int | None = None
    buy_in: int | None = None
    levels: tuple[int, ...] = ()
    level_hands: int | None = None
    weekends_off: bool | None = None
    others: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the terms that affect no other field, by name."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the limits, by name."""


def change_terms(terms: Terms, by: TermChanges) -> Terms:
    """Return the terms with the changes applied.

    A new point value ends rising levels and sets the default buy-in. A game with another number of seats sets its own
    number. Weekends off end if the new pace doesn't have them, unless they were chosen.
    """
    variant = by.variant or terms.variant
    same_room = variant.max_seats == terms.variant.max_seats
    seats = by.seats or (terms.max_seats if same_room else variant.max_seats)
    chosen = by.levels[0] if by.levels else by.point_value
    point_value = terms.point_value if chosen is None else chosen
    kept = terms.buy_in if chosen is None and by.buy_in is None else None
    others = _chosen(by.others)
    clock: Clock = others.get("clock", terms.clock)
    return replace(
        terms,
        variant=variant,
        point_value=point_value,
        buy_in=buy_in_of(point_value, chosen=by.buy_in) if kept is None else kept,
        max_seats=seats,
        limits=_changed_limits(terms.limits, by),
        starts_with=min(terms.starts_with, seats),
        weekends_off=(terms.weekends_off and clock.quiet) if by.weekends_off is None else by.weekends_off,
        **others,
    )


def _changed_limits(limits: Limits, by: TermChanges) -> Limits:
    levels = by.levels or (limits.levels if by.point_value is None else ())
    hands = by.level_hands or limits.level_hands or DEFAULT_HANDS_PER_LEVEL
    return replace(limits, levels=levels, level_hands=hands if levels else 0, **_chosen(by.limits))


def _chosen(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _build_offer(
    table: Table, like: TableOffer, *, computers: tuple[Player, ...], invited: tuple[Player, ...]
) -> TableOffer:
    return replace(like, terms=_first_terms(table), computers=computers, invited=invited)


# Private practice: a table in one message that only its player sees.
#
# It posts nothing. The next hand is dealt when the player asks for it. The table closes when they stop, open another
# one, or do nothing for a long time.

STOPPED = "practice_stopped"


def practise(s: Session, offer: TableOffer, *, ends: str | None = None, cause: str) -> Table:
    """Open a private table and deal its first hand. The player's previous private table is closed.

    ``ends`` holds the terms that the player accepted for giving up an unfinished hand or a pending Fantasyland. Raises
    Refused, or OtherTerms.
    """
    s.check_not_repeated(cause)
    if (unfinished := unfinished_practice(s, offer.guild, offer.host)) is not None:
        terms_of.require_unchanged(ends, terms_of.of_hand(unfinished))
    for before in s.tx.tables.tables_of(offer.guild, offer.host):
        if before.private:
            lobby.close(s, before, reason=STOPPED)
    table = lobby.seated(s, replace(offer, private=True), cause=cause)
    _stir(s, table, offer.host, cause=cause)
    s.note(table, "started", actor=offer.host)
    return dealing.deal(s, table)


def unfinished_practice(s: Session, guild: GuildId, player: Player) -> Table | None:
    """Return the player's private table if a hand is in progress there or they are in Fantasyland in the next one."""
    for table in s.tx.tables.tables_of(guild, player):
        if table.private and (table.state is TableState.PLAYING or s.seat(table, player).fantasyland):
            return table
    return None


def next_hand(s: Session, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
    """Deal the hand after ``hand_no``; raises Refused, or Stale if it was dealt before."""
    s.check_not_repeated(cause)
    table = s.open_table(key, player)
    if not table.private or table.state is not TableState.BETWEEN or table.hand_no != hand_no:
        raise Stale
    _stir(s, table, player, cause=cause)
    s.note(table, "goes_on", actor=player, cause=cause)
    return lobby.next_hand(s, table)


def _stir(s: Session, table: Table, player: Player, *, cause: str) -> None:
    """Add the press to the shuffle, and mark the player as present."""
    seat = s.seat(table, player)
    s.tx.tables.save_seat(
        table.key, replace(seat, entropy=shuffle_inputs.entropy_after(s, seat, cause), away=False, timeouts=0)
    )


def stop(s: Session, key: TableKey, player: Player, *, cause: str) -> Table:
    """Close the player's private table, even during a hand; raises Refused, or Stale for any other table."""
    s.check_not_repeated(cause)
    table = s.open_table(key, player)
    if not table.private:
        raise Stale
    s.note(table, "stops", actor=player, cause=cause)
    return lobby.close(s, table, reason=STOPPED)
