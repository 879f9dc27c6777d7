"""Acts of players in a running hand: placing, surrendering, confirming ahead. Each is a part of one transaction.

Rules of thumb for the files of a hand, which call only further down:

1. The log is the hand (``hand_log``). A step replays the hand from its record and its facts, decides, and appends the
   facts that follow; nothing but the log says how the hand stands.
2. No rule of the game stands here, and no time or chip stands in the rules: ``bot.pure.ofc.hand`` decides, these
   files write down.
3. What a step makes necessary is written with it (``following``): the clocks of those who act next (``turns``), or the
   chips, the results and the pause after the hand (``settling``). So a crash finds either all of it or nothing.
4. A step is refused before anything is written. A press that comes twice, or for an earlier street, is Stale.
5. A hand whose seed or log is lost is void, and never guessed.
"""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import Player, TableKey, is_computer
from bot.model.refusals import Stale
from bot.model.tables import Table, TableState
from bot.play.hand import drafts, following, hand_log, turns
from bot.play.session.session import Session
from bot.pure.ofc.hand import Hand, PlaceCards, Surrender, decide, seat_of
from bot.pure.ofc.log import By
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
    """Place a player's street or set their Fantasyland, perhaps declaring a natural.

    ``rows`` has one letter for each card held, in the order dealt. ``fallback`` marks a computer player's placement
    that a lower level chose. Raises Refused, HandLostError, or Stale for an earlier street or hand.
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
    return following.follow(s, table, hand, facts, actor=player, cause=cause)


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
    kept = replace(place, away=False, timeouts=0, ahead=cause, draft=rows, draft_for=drafts.turn_name(hand_no, street))
    s.tx.tables.save_seat(table.key, kept)
    return s.save(table) if place.away else table


def surrender(s: Session, key: TableKey, player: Player, *, hand_no: int, cause: str) -> Table:
    """A player gives their thirteen cards up for the fixed price; raises Refused, HandLostError or Stale."""
    s.once(cause)
    table, hand = _running(s, key, player, hand_no=hand_no)
    number = seat_of(hand, player)
    s.check_penalty(table, player)
    facts = decide(hand, Surrender(seat=number))
    turns.acted(s, table, player, cause=cause)
    return following.follow(s, table, hand, facts, actor=player, cause=cause)


def take_back(s: Session, key: TableKey, player: Player, *, hand_no: int, street: int) -> Table:
    """A player takes back what they confirmed ahead; raises Refused, or Stale once it is placed."""
    table, _ = _running(s, key, player, hand_no=hand_no)
    place = s.seat(table, player)
    if place.ahead is None or place.draft_for != drafts.turn_name(hand_no, street):
        raise Stale
    s.tx.tables.save_seat(table.key, replace(place, ahead=None))
    return table


def sketch(s: Session, key: TableKey, player: Player, *, hand_no: int, street: int, rows: str) -> None:
    """Keep what a player has placed and not confirmed, in case their time runs out; nothing else follows from it."""
    s.tx.tables.keep_draft(key, player, hand_no=hand_no, turn=drafts.turn_name(hand_no, street), rows=rows)


def _running(s: Session, key: TableKey, player: Player, *, hand_no: int) -> tuple[Table, Hand]:
    """The table and its running hand; raises Refused, HandLostError, or Stale when it is another one."""
    table = s.open_table(key, player)
    if table.state is not TableState.PLAYING or table.hand_no != hand_no:
        raise Stale
    return table, hand_log.hand_of(s, key, hand_no)
