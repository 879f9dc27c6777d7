"""Playing the same game once more after a table has closed."""

from __future__ import annotations

from dataclasses import replace

from bot.ofc.refusals import Refused
from bot.play import company, lobby
from bot.play.lobby import Offer
from bot.play.model import Player, Table, TableKey, TableState, is_computer
from bot.play.refusals import PlayReason, Stale
from bot.play.session import Session


def play_again(s: Session, key: TableKey, like: Offer, *, cause: str) -> Table:
    """Open a lobby like a table that was played at, for those who played there, or take a seat in one that is open.

    ``like`` says who presses and where. Who played with computers alone is dealt at once. Raises Refused,
    or Stale for a table that is open.
    """
    old, player = s.table(key), like.host
    if old.open or old.event_no is not None:
        raise Stale
    unwelcome = company.apart(s, key.guild, player)
    for table in s.tx.open_tables(key.guild, channel=like.channel):
        waits = table.state is TableState.LOBBY and _game_of(table) == _game_of(old)
        if waits and unwelcome.isdisjoint(seat.player for seat in s.tx.seats(table.key)):
            return lobby.join(s, table.key, player, cause=cause)
    record = s.tx.hand(old.key, old.hand_no)
    players = [one for one, _ in record.entropy] if record else []
    computers = tuple(filter(is_computer, players))
    others = tuple(one for one in players if one != player and not is_computer(one))
    table = lobby.open_table(s, _offer_of(old, like, computers=computers, invited=others), cause=cause)
    alone = bool(computers) and len(players) == len(computers) + 1
    return lobby.start(s, table.key, player, cause=f"{cause}:start") if alone else table


def _game_of(table: Table) -> tuple[object, ...]:
    """What is played, for what, and how fast."""
    stakes = (_first_point_value(table), table.buy_in, table.limits)
    return table.variant, stakes, table.max_seats, table.clock, table.event_no, table.starts_with


def _first_point_value(table: Table) -> int:
    return table.limits.point_value(1) or table.point_value


def like_table(table: Table, like: Offer) -> Offer:
    """An offer of what is played at another table, open or closed; ``like`` says who offers it and where.

    Raises Refused for an event's, whose chips are its own.
    """
    if table.event_no is not None:
        raise Refused(PlayReason.EVENT_TABLE)
    return _offer_of(table, like, computers=(), invited=like.invited)


def _offer_of(table: Table, like: Offer, *, computers: tuple[Player, ...], invited: tuple[Player, ...]) -> Offer:
    return replace(
        like,
        variant=table.variant,
        point_value=_first_point_value(table),
        buy_in=table.buy_in,
        max_seats=table.max_seats,
        clock=table.clock,
        computers=computers,
        limits=table.limits,
        quiet=table.quiet,
        invited=invited,
        starts_with=table.starts_with,
    )
