"""Players' actions in a running hand: placing, surrendering, confirming ahead. Each is part of one transaction.

Rules for this package, whose modules only call downwards:

1. The log is the hand (``hand_log``). A step replays the hand from its record and facts, decides, and appends the new
   facts. Only the log determines the hand's state.
2. The game's rules are in ``bot.pure.ofc.hand``, which ignores time and chips. These modules only store its decisions.
3. The consequences of a step are written with it (``following``): the clocks of the next turns (``turns``), or chips,
   results and the pause after the hand (``settling``). So a crash leaves everything or nothing.
4. A step is refused before anything is written. A repeated press, or one for an earlier street, is Stale.
5. A hand whose seed or log is lost is void. It's never guessed.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import Player, TableKey, is_computer
from bot.model.refusals import Stale
from bot.model.tables import Table, TableState
from bot.play.hand import drafts, hand_log, step_effects, turns
from bot.play.session.session import Session
from bot.pure.ofc.hand import Hand, PlaceCards, Surrender, decide, seat_of
from bot.pure.ofc.log import PlacedBy
from bot.pure.ofc.placement import check_placement


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
    """Place a player's street or set their Fantasyland, optionally declaring a natural.

    ``rows`` has one letter for each card held, in the order dealt. ``fallback`` marks a computer player's placement
    chosen by a lower level. Raises Refused, HandLostError, or Stale for an earlier street or hand.
    """
    s.check_not_repeated(cause)
    table, hand = _require_running(s, key, player, hand_no=hand_no)
    number = seat_of(hand, player)
    seat = hand.seats[number]
    if not seat.fantasyland and (street != hand.street or seat.placed_street == street):
        raise Stale
    by = PlacedBy.PLAYER
    if is_computer(player):
        by = PlacedBy.FALLBACK if fallback else PlacedBy.COMPUTER
    s.check_penalty(table, player)
    facts = decide(hand, PlaceCards(seat=number, rows=rows, by=by, declare=declare))
    if by is PlacedBy.PLAYER:
        turns.record_action(s, table, player, cause=cause)
    return step_effects.follow(s, table, hand, facts, actor=player, cause=cause)


def confirm_ahead(
    s: Session, key: TableKey, player: Player, *, hand_no: int, street: int, rows: str, cause: str
) -> Table:
    """Confirm a street ahead of the player's turn. It's placed when the turn begins, or now if it has begun.

    Raises Refused, HandLostError, or Stale if the street or hand is an earlier one or no turn will follow.
    """
    s.check_not_repeated(cause)
    table, hand = _require_running(s, key, player, hand_no=hand_no)
    number = seat_of(hand, player)
    seat = hand.seats[number]
    if number in hand.waiting:
        return place_cards(s, key, player, hand_no=hand_no, street=street, rows=rows, cause=cause)
    if seat.fantasyland or street != hand.street or number not in hand.placing:
        raise Stale
    s.check_penalty(table, player)
    check_placement(seat.rows, seat.held, rows, to_place=hand.rule.to_place)
    place = s.seat(table, player)
    kept = replace(place, away=False, timeouts=0, ahead=cause, draft=rows, draft_for=drafts.turn_name(hand_no, street))
    s.tx.tables.save_seat(table.key, kept)
    return s.save(table) if place.away else table


def surrender(s: Session, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
    """Surrender a hand of thirteen cards for the fixed price; raises Refused, HandLostError or Stale."""
    s.check_not_repeated(cause)
    table, hand = _require_running(s, key, player, hand_no=hand_no)
    number = seat_of(hand, player)
    s.check_penalty(table, player)
    facts = decide(hand, Surrender(seat=number))
    turns.record_action(s, table, player, cause=cause)
    return step_effects.follow(s, table, hand, facts, actor=player, cause=cause)


def take_back(s: Session, key: TableKey, player: Player, *, hand_no: int, street: int) -> Table:
    """Take back a placement confirmed ahead; raises Refused, or Stale if it has been placed."""
    table, _ = _require_running(s, key, player, hand_no=hand_no)
    place = s.seat(table, player)
    if place.ahead is None or place.draft_for != drafts.turn_name(hand_no, street):
        raise Stale
    s.tx.tables.save_seat(table.key, replace(place, ahead=None))
    return table


def save_draft(s: Session, key: TableKey, player: Player, *, hand_no: int, street: int, rows: str) -> None:
    """Save a player's unconfirmed placement in case they time out."""
    s.tx.tables.keep_draft(key, player, hand_no=hand_no, turn=drafts.turn_name(hand_no, street), rows=rows)


def _require_running(s: Session, key: TableKey, player: Player, *, hand_no: int) -> tuple[Table, Hand]:
    """Return the table and its running hand; raises Refused, HandLostError, or Stale if another hand is running."""
    table = s.open_table(key, player)
    if table.state is not TableState.PLAYING or table.hand_no != hand_no:
        raise Stale
    return table, hand_log.hand_of(s, key, hand_no)
