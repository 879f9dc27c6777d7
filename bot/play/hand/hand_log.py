"""Reading and writing of the logs from which hands are replayed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from bot.model.errors import BadLogError
from bot.model.hands import HandRecord
from bot.model.ids import Player, TableKey
from bot.model.reasons import HandReason
from bot.model.tables import Table
from bot.play.session import decks
from bot.play.session.session import Session
from bot.pure.ofc.cards import Card
from bot.pure.ofc.hand import Hand, evolve
from bot.pure.ofc.log import Fact, LogError
from bot.pure.ofc.refusals import Refused


def record_of(s: Session, key: TableKey, hand_no: int) -> HandRecord:
    """Return the record of a hand; raises Refused."""
    record = s.tx.hands.get(key, hand_no)
    if record is None:
        raise Refused(HandReason.NO_HAND)
    return record


def hand_of(s: Session, key: TableKey, hand_no: int, *, known: Hand | None = None) -> Hand:
    """Return a hand that was dealt, replayed from its log; raises Refused, or HandLostError.

    Pass the hand as ``known`` if the log hasn't changed since it was replayed.
    """
    record = record_of(s, key, hand_no)
    name = record.id_at(key)
    # The seed is checked each time, because without its key, even a cached hand counts as lost.
    seed = decks.seed(s.vault, key, record)
    if known is not None:
        return known
    try:
        facts = s.tx.hands.facts(key, hand_no)
        hand = s.cache.hand(name, record, facts, lambda: decks.deck(key, record, seed))
    except LogError as error:
        raise BadLogError(f"the log of hand {name} is damaged: {error}") from error
    # A hand voided before it was dealt has no seats.
    if hand.seats and [seat.player for seat in hand.seats] != [player for player, _ in record.entropy]:
        raise BadLogError(f"the log of hand {name} names players other than those dealt in")
    return hand


def begin(s: Session, table: Table, record: HandRecord, deck: Sequence[Card], facts: Sequence[Fact]) -> Hand:
    """Write a hand's first facts, and return the hand."""
    s.tx.hands.append(table.key, facts, hand_no=record.hand_no, actor=None, cause=None, at=s.now)
    hand = reduce(evolve, facts, Hand(variant=record.variant, deck=tuple(deck)))
    s.cache.begin(record.id_at(table.key), record, facts, hand)
    return hand


def write(
    s: Session, table: Table, hand: Hand, facts: Sequence[Fact], *, actor: Player | None, cause: str | None
) -> Hand:
    """Write decided facts to the running hand's log, and return the hand after them."""
    s.tx.hands.append(table.key, facts, hand_no=table.hand_no, actor=actor, cause=cause, at=s.now)
    after = reduce(evolve, facts, hand)
    s.cache.grow(record_of(s, table.key, table.hand_no).id_at(table.key), hand, facts, after)
    return after
