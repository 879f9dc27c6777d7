"""Playing a hand at a table: deal, place, surrender, time out. Each is one transaction, or a part of one.

Rules of thumb:

1. The log is the hand. A step folds the hand from its record and its facts, decides, and appends the facts that follow;
   nothing else says how the hand stands.
2. No rule of the game stands here, and no time or chip stands in the rules: ``bot.ofc.hand`` decides, this module
   writes down.
3. What a step makes necessary is written with it: the clocks of those who act next (``turns``), or the chips, the
   results and the pause after the hand (``settling``). So a crash finds either all of it or nothing.
4. A step is refused before anything is written. A press that comes twice, or for an earlier street, is Stale.
5. A hand whose seed or log is lost is void, and never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from bot.model.clock import BANK_REFILL_MS
from bot.model.errors import HandLostError
from bot.model.hands import HandRecord, HandState, SharedDeal
from bot.model.ids import Player, TableKey, is_computer
from bot.model.refusals import Stale
from bot.model.tables import Seat, Table, TableState
from bot.ofc.deck import Dealt, commitment
from bot.ofc.hand import Hand, HandStatus, PlaceCards, Surrender, decide, evolve, seat_of
from bot.ofc.hand import start as start_hand
from bot.ofc.log import By, Fact
from bot.ofc.placement import check_placement
from bot.ofc.refusals import Refused
from bot.play.hand import settling, turns
from bot.play.hand.turns import Thought
from bot.play.session import decks
from bot.play.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeck:
    """A deck that several tables are dealt: what it is shuffled from."""

    deal: SharedDeal
    seed: bytes


# dealing


def deal(s: Session, table: Table, *, shared: SharedDeck | None = None) -> Table:
    """Deal the next hand from the committed seed, or from a shared deck, and commit to those after it.

    Whose seed is lost is void at once.
    """
    seats = s.dealt_in(table)
    numbers = [seat.number for seat in seats]
    button = next((n for n in numbers if n >= table.button), numbers[0])
    dealt = Dealt(button=numbers.index(button), fantasyland=tuple(seat.fantasyland for seat in seats))
    record = _next_record(s, table, seats)
    if shared is None:
        record = decks.with_seed(s.vault, table, record, dealt)
    else:
        record = _from_shared(s, table.key, record, shared)
    _make_ready(s, table)
    s.tx.save_hand(table.key, record)
    table = _in_hand(table, record, button=button)
    if decks.used_up(table, record):
        table = s.committed(table)
    try:
        deck = decks.deck(table.key, record, decks.seed(s.vault, table.key, record))
    except HandLostError as error:
        return settling.lost(s, table, error)
    facts = start_hand(
        record.variant,
        deck,
        players=[seat.player for seat in seats],
        fantasyland=dealt.fantasyland,
        button=dealt.button,
    )
    s.tx.append(table.key, facts, hand_no=record.hand_no, actor=None, cause=None, at=s.now)
    hand = reduce(evolve, facts, Hand(variant=record.variant, deck=deck))
    s.folds.begin(record.id_at(table.key), record, facts, hand)
    turns.start(s, table, hand)
    return s.save(replace(table, turn_since=s.now, stood_still=0))


def _next_record(s: Session, table: Table, seats: Sequence[Seat]) -> HandRecord:
    """The record of the next hand of these seats, without a seed."""
    point_value = table.terms.limits.point_value(table.hand_no + 1)
    if point_value is None or any(seat.fantasyland for seat in seats):
        # It does not rise while somebody is in Fantasyland.
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
    """Give every seat the time of a hand, and take what it has put into the shuffle."""
    for seat in s.tx.seats(table.key):
        # Newcomers who wait as well: what they gave was known before the next seed is.
        bank = min(table.terms.clock.bank_ms, seat.bank_ms + BANK_REFILL_MS)
        left = table.terms.clock.budget_ms
        fresh = replace(seat, entropy="", left_ms=left, bank_ms=bank, deadline=None, remind_at=None)
        s.tx.save_seat(table.key, replace(fresh, draft="", draft_for="", ahead=None))


def _in_hand(table: Table, record: HandRecord, *, button: int) -> Table:
    """The table while it plays this hand."""
    # The message of an event's table was posted a moment ago, when many others were: it need not be posted again.
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


# acting


def place_cards(
    s: Session,
    key: TableKey,
    player: Player,
    *,
    hand_no: int,
    street: int,
    rows: str,
    cause: str | None,
    declare: bool = False,
    fallback: bool = False,
) -> Table:
    """Place a player's street or set their Fantasyland, perhaps declaring a natural.

    ``rows`` has one letter for each card held, in the order dealt. ``fallback`` marks a computer player's placement
    that a lower level chose. Raises Refused, HandLostError,
    or Stale for an earlier street or hand.
    """
    s.once(cause)
    table, hand = _running(s, key, player, hand_no=hand_no)
    number = seat_of(hand, player)
    seat = hand.seats[number]
    if not seat.fantasyland and (street != hand.street or seat.placed_street == street):
        raise Stale
    by = By.PLAYER
    if is_computer(player):
        by = By.FALLBACK if fallback else By.COMPUTER
    s.check_penalty(table, player)
    facts = decide(hand, PlaceCards(seat=number, rows=rows, by=by, declare=declare))
    if by is By.PLAYER:
        turns.acted(s, table, player, cause=cause)
    return _apply(s, table, hand, facts, actor=player, cause=cause)


def surrender(s: Session, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
    """A player gives their thirteen cards up for the fixed price; raises Refused, HandLostError or Stale."""
    s.once(cause)
    table, hand = _running(s, key, player, hand_no=hand_no)
    number = seat_of(hand, player)
    s.check_penalty(table, player)
    facts = decide(hand, Surrender(seat=number))
    turns.acted(s, table, player, cause=cause)
    return _apply(s, table, hand, facts, actor=player, cause=cause)


def time_out(s: Session, table: Table, rows: Mapping[Thought, str] | None = None) -> Table:
    """The clock places for everybody whose turn has run out; two in a row mark a seat away.

    ``rows`` are the whole boards, worked out beforehand (:func:`bot.play.hand.turns.boards_to_set`).
    """
    try:
        hand = s.hand(table.key, table.hand_no)
    except HandLostError as error:
        return settling.lost(s, table, error)
    turns.rest(s, table)
    late = turns.due(s, table, hand)
    if not late:
        # The alarm was that of somebody who has placed meanwhile.
        turns.start(s, table, hand)
    for player in late:
        turn = turns.turn_of(hand, player)
        draft = turns.drafted(s, table, hand, player)
        turns.missed(s, table, player)
        turn, thought = turns.turn_of(hand, player), None
        if turns.confirmed_by_clock(hand, player, draft) is None:
            thought = (rows or {}).get((turn, draft))
        letters = thought or turns.automatic_rows(hand, player, draft)
        facts = decide(hand, PlaceCards(seat=seat_of(hand, player), rows=letters, by=By.CLOCK))
        actor = player if turns.is_kept(draft, letters) else None
        table = _apply(s, table, hand, facts, actor=actor, cause=None)
        if table.state is not TableState.PLAYING:
            break
        hand = s.hand(table.key, table.hand_no)  # somebody may have confirmed ahead
    return table


def restart_clock(s: Session, table: Table) -> Table:
    """Start the clocks of those who are on turn and have none, such as somebody who is back."""
    try:
        hand = s.hand(table.key, table.hand_no)
    except HandLostError as error:
        return settling.lost(s, table, error)
    turns.start(s, table, hand, known=True)
    return table


def _running(s: Session, key: TableKey, player: Player, *, hand_no: int) -> tuple[Table, Hand]:
    """The table and its running hand; raises Refused, HandLostError, or Stale when it is another one."""
    table = s.open_table(key, player)
    if table.state is not TableState.PLAYING or table.hand_no != hand_no:
        raise Stale
    return table, s.hand(key, hand_no)


def _apply(
    s: Session, table: Table, hand: Hand, facts: Sequence[Fact], *, actor: Player | None, cause: str | None
) -> Table:
    """Write the facts; then settle the hand, or start the clocks of those who act next."""
    s.tx.append(table.key, facts, hand_no=table.hand_no, actor=actor, cause=cause, at=s.now)
    before, hand = hand, reduce(evolve, facts, hand)
    s.folds.grow(s.record(table.key, table.hand_no).id_at(table.key), before, facts, hand)
    if hand.status is HandStatus.ENDED:
        return settling.settle_hand(s, table, hand)
    if (placed := _placed_ahead(s, table, hand)) is not None:
        return placed
    turns.start(s, table, hand)
    if hand.street == before.street and set(hand.waiting) <= set(before.waiting):
        return s.save(table)
    return s.save(replace(table, turn_since=s.now, stood_still=0))


def _placed_ahead(s: Session, table: Table, hand: Hand) -> Table | None:
    """The table after the placement of somebody whose turn has come, confirmed before; None where nobody has one."""
    for number in hand.waiting:
        player = Player(hand.seats[number].player)
        if is_computer(player) or (seat := s.seat(table, player)).ahead is None:
            continue
        draft = turns.drafted(s, table, hand, player)
        if not draft or turns.sets_whole_board(hand, player):
            continue
        try:
            facts = decide(hand, PlaceCards(seat=number, rows=draft))
        except Refused:
            continue  # they place, or the clock does, as if they had not
        turns.acted(s, table, player, cause=seat.ahead, ahead=True)
        return _apply(s, table, hand, facts, actor=player, cause=seat.ahead)
    return None


def confirm_ahead(
    s: Session, key: TableKey, player: Player, *, hand_no: int, street: int, rows: str, cause: str
) -> Table:
    """A player confirms the street before their turn: it is placed when that begins, or now where it has begun.

    Raises Refused, HandLostError, or Stale for an earlier street or hand, and where nobody waits for a turn.
    """
    s.once(cause)
    table, hand = _running(s, key, player, hand_no=hand_no)
    number = seat_of(hand, player)
    seat = hand.seats[number]
    if number in hand.waiting:
        return place_cards(s, key, player, hand_no=hand_no, street=street, rows=rows, cause=cause)
    if seat.fantasyland or street != hand.street or number not in hand.placing:
        raise Stale
    s.check_penalty(table, player)
    check_placement(seat.rows, seat.held, rows, to_place=hand.rule.to_place)
    place = s.seat(table, player)
    kept = replace(place, away=False, timeouts=0, ahead=cause, draft=rows, draft_for=turns.turn_name(hand_no, street))
    s.tx.save_seat(table.key, kept)
    return s.save(table) if place.away else table


def take_back(s: Session, key: TableKey, player: Player, *, hand_no: int, street: int) -> Table:
    """A player takes back what they confirmed ahead; raises Refused, or Stale once it is placed."""
    table, _ = _running(s, key, player, hand_no=hand_no)
    place = s.seat(table, player)
    if place.ahead is None or place.draft_for != turns.turn_name(hand_no, street):
        raise Stale
    s.tx.save_seat(table.key, replace(place, ahead=None))
    return table


def sketch(s: Session, key: TableKey, player: Player, *, hand_no: int, street: int, rows: str) -> None:
    """Keep what a player has placed and not confirmed, in case their time runs out; nothing else follows from it."""
    s.tx.keep_draft(key, player, hand_no=hand_no, turn=turns.turn_name(hand_no, street), rows=rows)
