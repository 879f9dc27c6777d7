"""A seat for somebody who wants to play now: the next free one that suits, or a table of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from bot.model.ids import Player
from bot.model.tables import Table, TableState
from bot.play.session import chips
from bot.play.session.session import Session
from bot.play.table import lobby
from bot.play.table.company import apart
from bot.play.table.lobby import Offer

QUEUE_SEATS = 3
"""With so many a queue deals where nothing else was chosen and the game allows it."""


def quick(s: Session, like: Offer, *, seen: Collection[int], any_game: bool, cause: str) -> Table:
    """Take the next free seat, or open a table as offered; where the player waits already, that table. Raises Refused.

    ``seen`` are the channels whose tables the player may look at. Stakes are never above those that are offered.
    """
    s.once(cause)
    wallet = chips.wallet(s, like.guild, like.host)

    def suits(table: Table) -> bool:
        return (
            table.channel in seen
            and (any_game or table.terms.variant == like.terms.variant)
            and table.terms.practice == like.terms.practice
            and table.terms.clock.quiet == like.terms.clock.quiet
            and table.terms.buy_in <= min(like.terms.buy_in, wallet)
        )

    return _seat(s, like, suits, cause=cause)


def queue(s: Session, like: Offer, *, cause: str) -> Table:
    """Wait in this channel's queue of the offered game, or begin one; raises Refused."""
    s.once(cause)

    def suits(table: Table) -> bool:
        return table.state is TableState.LOBBY and (table.channel, table.terms) == (like.channel, like.terms)

    return _seat(s, like, suits, cause=cause)


def _seat(s: Session, like: Offer, suits: Callable[[Table], bool], *, cause: str) -> Table:
    """The table among those that suit at which the player waits, or which they join; or else one as offered."""
    player, unwelcome = like.host, apart(s, like.guild, like.host)
    found: list[tuple[tuple[int, ...], Table]] = []
    for table in s.tx.open_tables(like.guild):
        if table.private or table.event_no is not None or not suits(table):
            continue
        seated = [seat.player for seat in s.tx.seats(table.key)]
        if player in seated and table.state is TableState.LOBBY:
            return table
        if _is_free(table, player, seated) and unwelcome.isdisjoint(seated):
            found.append((_rank(table, like, seated), table))
    if found:
        return lobby.join(s, min(found, key=lambda one: one[0])[1].key, player, cause=cause)
    return lobby.open_table(s, like, cause=cause)


def _is_free(table: Table, player: Player, seated: Sequence[Player]) -> bool:
    return player not in (*seated, *table.removed) and len(seated) < table.terms.max_seats


def _rank(table: Table, like: Offer, seated: Sequence[Player]) -> tuple[int, ...]:
    """The order of tables: a game about to begin, then this channel, then the fullest, then the oldest."""
    running = table.state is not TableState.LOBBY
    return int(running), int(table.channel != like.channel), -len(seated), table.key.table


def queued(like: Offer, *, players: int | None) -> Offer:
    """The offer as a queue that deals with so many players."""
    terms = like.terms
    usual = max(terms.variant.min_seats, min(QUEUE_SEATS, terms.max_seats))
    return replace(like, terms=replace(terms, starts_with=players or usual))
