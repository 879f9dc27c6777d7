"""Refusing to analyse positions of running hands, so that no one gets a computer's help in one.

The asker's own hands are compared with all that the asker sees, and strictly. Other hands are compared only with their
boards as the asker may see them, so a refusal never depends on a card that's hidden from the asker.

Source: docs/solver.md, "Running hands".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.model.errors import HandLostError
from bot.model.hands import HandState
from bot.model.ids import Player, TableKey
from bot.model.tables import Table, TableState
from bot.play.daily import hands
from bot.play.hand import hand_log
from bot.play.session.session import Session
from bot.play.trainer.all_puzzles import puzzle_named
from bot.pure.ofc.cards import RowCards
from bot.pure.ofc.hand import Hand, HandStatus
from bot.pure.ofc.log import Fact
from bot.pure.ofc.view import HandView, SeatView, face_down, view_for
from bot.pure.solver.review import moments
from bot.pure.trainer.likeness import has_board, is_like
from bot.pure.trainer.position import Position, position_in


def is_in_own_hand(s: Session, player: Player, asked: Position) -> bool:
    """True if a position is too much like one of the player's in a hand that isn't over."""
    return any(
        is_like(asked, mine) or any(_shows(asked, rows) for rows in _boards(view))
        for view, before in _own_hands(s, player)
        for mine in (*before, *_now(view))
    )


def others_hands(s: Session) -> list[TableKey]:
    """Return the tables whose hands :func:`is_in_hand` can look at."""
    return s.tx.tables.playing()


def is_in_hand(s: Session, player: Player, asked: Position, tables: Sequence[TableKey]) -> bool:
    """True if one of the tables shows the player a running hand with the position's own board."""
    return any(
        has_board(asked, rows) for key in tables for view in _public_view(s, player, key) for rows in _boards(view)
    )


def is_day_puzzle(s: Session, asked: Position) -> bool:
    """True if a position is too much like a puzzle of the day of any server."""
    puzzles = (puzzle_named(s, name) for name in s.tx.day_puzzles.open_anywhere(s.now))
    return any(puzzle is not None and is_like(asked, puzzle.position) for puzzle in puzzles)


# the player's own hands


def _own_hands(s: Session, player: Player) -> Iterator[tuple[HandView, list[Position]]]:
    """Yield the player's view of each of their hands that aren't over, with their positions in it so far."""
    for key in s.tx.tables.tables_everywhere(player):
        table = s.table(key)
        if _has_help(table) or not _is_secret(s, table):
            continue
        try:
            hand = hand_log.hand_of(s, key, table.hand_no)
        except HandLostError:
            continue  # it's about to be voided
        yield from _of_player(hand, player, s.tx.hands.facts(key, table.hand_no))
    for challenge in hands.of_today(s):
        attempt = s.tx.daily.attempt(challenge.number, player)
        if attempt is None or attempt.points is not None:
            continue  # after the last street, the day's hand is shown as a master played it
        try:
            hand = hands.hand_of(s, challenge, player)
        except HandLostError:
            continue
        yield from _of_player(hand, player, s.tx.daily.played(challenge.number, player))


def _has_help(table: Table) -> bool:
    """True at a practice table, where everyone may ask for hints."""
    return table.terms.practice and table.event_no is None


def _is_secret(s: Session, table: Table) -> bool:
    """True if a table's newest hand is being played, here or with the same deck at another table."""
    record = s.tx.hands.get(table.key, table.hand_no)
    if record is None or record.state is HandState.UNDEALT:
        return False
    return record.state is HandState.PLAYING or s.desk.conceals(s, table)


def _of_player(hand: Hand, player: Player, facts: Sequence[Fact]) -> Iterator[tuple[HandView, list[Position]]]:
    view = view_for(hand, player)
    if view.you is not None:
        yield view, [position_in(one.view) for one in moments(hand.variant, hand.deck, facts, view.you)]


def _now(view: HandView) -> list[Position]:
    """Return the player's current position; empty once the hand has ended."""
    return [] if view.status is HandStatus.ENDED else [position_in(view)]


def _shows(asked: Position, rows: RowCards) -> bool:
    """True if anyone in the position has this board."""
    return has_board(asked, rows) or any(has_board(_seen_by(one.rows), rows) for one in asked.opponents)


def _seen_by(rows: RowCards) -> Position:
    return Position(rows=rows, held=())


# the hands of others


def _public_view(s: Session, player: Player, key: TableKey) -> Iterator[HandView]:
    """Yield what a table shows the player of its running hand."""
    table = s.tx.tables.get(key)
    if table is None or table.state is not TableState.PLAYING or table.hidden_from(player) or _has_help(table):
        return
    try:
        view = view_for(hand_log.hand_of(s, key, table.hand_no), player)
    except HandLostError:
        return
    yield face_down(view) if view.you is None and s.desk.conceals(s, table) else view


def _boards(view: HandView) -> Iterator[RowCards]:
    """Yield the boards with a card, all of whose cards are face up to the viewer."""
    for seat in view.seats:
        front, middle, back = _face_up(seat)
        if any((front, middle, back)) and (front, middle, back) == seat.rows:
            yield front, middle, back


def _face_up(seat: SeatView) -> RowCards:
    front, middle, back = (tuple(card for card in row if card is not None) for row in seat.rows)
    return front, middle, back
