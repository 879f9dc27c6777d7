"""Dealing the next hand of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.model.clock import BANK_REFILL_MS
from bot.model.errors import HandLostError
from bot.model.hands import HandRecord, HandState, SharedDeal
from bot.model.ids import TableKey
from bot.model.tables import Seat, Table, TableState
from bot.play.hand import hand_log, settling, shuffle_inputs, turns
from bot.play.session import decks
from bot.play.session.session import Session
from bot.pure.ofc.deck import DealInputs, commitment
from bot.pure.ofc.hand import start as start_hand


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeck:
    """A deck shared by several tables, with the data it's shuffled from."""

    deal: SharedDeal
    seed: bytes


def deal(s: Session, table: Table, *, shared: SharedDeck | None = None) -> Table:
    """Deal the next hand from the committed seed or a shared deck, and commit to later hands if needed.

    If the seed is lost, the hand is void immediately.
    """
    seats = s.dealt_in(table)
    numbers = [seat.number for seat in seats]
    button = next((n for n in numbers if n >= table.button), numbers[0])
    dealt = DealInputs(button=numbers.index(button), fantasyland=tuple(seat.fantasyland for seat in seats))
    record = _next_record(s, table, seats)
    if shared is None:
        record = decks.with_seed(s.vault, table, record, dealt)
    else:
        record = _from_shared(s, table.key, record, shared)
    _make_ready(s, table)
    s.tx.hands.save(table.key, record)
    table = _in_hand(table, record, button=button)
    if decks.used_up(table, record):
        table = shuffle_inputs.commit(s, table)
    try:
        deck = decks.deck(table.key, record, decks.seed(s.vault, table.key, record))
    except HandLostError as error:
        return settling.void_lost_hand(s, table, error)
    facts = start_hand(
        record.variant,
        deck,
        players=[seat.player for seat in seats],
        fantasyland=dealt.fantasyland,
        button=dealt.button,
    )
    turns.start(s, table, hand_log.begin(s, table, record, deck, facts))
    return s.save(replace(table, turn_since=s.now, stood_still=0))


def _next_record(s: Session, table: Table, seats: Sequence[Seat]) -> HandRecord:
    """Return the record of the next hand, without a seed."""
    point_value = table.terms.limits.point_value(table.hand_no + 1)
    if point_value is None or any(seat.fantasyland for seat in seats):
        # The point value doesn't rise during Fantasyland.
        point_value = table.terms.point_value
    return HandRecord(
        hand_no=table.hand_no + 1,
        variant=table.terms.variant,
        state=HandState.PLAYING,
        commitment=b"",
        sealed_seed=b"",
        entropy=tuple((seat.player, seat.entropy) for seat in seats),
        point_value=point_value,
        started_at=s.now,
    )


def _from_shared(s: Session, key: TableKey, record: HandRecord, shared: SharedDeck) -> HandRecord:
    return replace(
        record,
        shared=shared.deal,
        commitment=commitment(hand_id=shared.deal.name, seed=shared.seed),
        sealed_seed=s.vault.seal(shared.seed, hand_id=record.id_at(key)),
    )


def _make_ready(s: Session, table: Table) -> None:
    """Give every seat its time for a hand, and clear its input to the shuffle."""
    for seat in s.tx.tables.seats(table.key):
        # Waiting newcomers are included, because their inputs are already known when the next seed is drawn.
        bank = min(table.terms.clock.bank_ms, seat.bank_ms + BANK_REFILL_MS)
        left = table.terms.clock.budget_ms
        fresh = replace(seat, entropy="", left_ms=left, bank_ms=bank, deadline=None, remind_at=None)
        s.tx.tables.save_seat(table.key, replace(fresh, draft="", draft_for="", ahead=None))


def _in_hand(table: Table, record: HandRecord, *, button: int) -> Table:
    """Return the table with this hand running."""
    # An event table's message was posted a moment ago, along with many others, so it isn't posted again.
    keeps_message = table.event_no is not None and table.hand_no == 0
    return replace(
        table,
        state=TableState.PLAYING,
        hand_no=record.hand_no,
        terms=replace(table.terms, point_value=record.point_value),
        button=button,
        message=table.message if keeps_message else None,
        retired=table.retired if keeps_message else table.message or table.retired,
    )
