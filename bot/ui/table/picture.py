"""What is drawn on the picture of a hand's result, and the text that is read out in its place."""

from __future__ import annotations

from collections.abc import Sequence

from bot.art.felt import drawable
from bot.art.result_picture import DrawnBoard, DrawnRow, draw_result
from bot.ofc.cards import card_name
from bot.ofc.rows import ROWS, Row
from bot.ofc.scoring import RowScore
from bot.ofc.view import Facing, SeatView
from bot.ofc.wild import has_joker
from bot.play.model import HandState
from bot.play.views import ResultView
from bot.text.names import hand_text, natural_name, row_name, row_text
from bot.text.words import Words
from bot.ui.display_names import DisplayNames
from bot.ui.table.boards import Rows, laid, seat_rows

PICTURE = "result.png"
MOST_BOARDS = 4
"""A picture of more of them is too long to be posted after each hand, and their text for a description."""


def scored(view: ResultView) -> bool:
    """True for a result with boards to show."""
    return view.record.state is HandState.SETTLED and view.hand is not None and view.hand.score is not None


def pictured(view: ResultView) -> bool:
    """True for a result whose boards a picture tells by itself: few, whole, and each card what it is."""
    if not scored(view):
        return False
    assert view.hand is not None
    assert view.hand.score is not None
    seats, boards = view.hand.seats, view.hand.score.boards
    plain = all(board.rows is not None and board.natural is None and not board.surrendered for board in boards)
    return plain and len(seats) <= MOST_BOARDS and all(map(_plain, seats)) and not view.record.variant.open_discards


def _plain(seat: SeatView) -> bool:
    return laid(seat) and not any(has_joker(tuple(card for card in row if card is not None)) for row in seat.rows)


def result_picture(view: ResultView, names: DisplayNames, words: Words) -> bytes:
    """The boards as a PNG. Run it in an executor."""
    return draw_result([_drawn(view, number, names, words) for number in _order(view)])


def described(view: ResultView, names: DisplayNames, words: Words) -> str:
    """The same in words, without marks: what a screen reader says."""
    boards = " ".join(_told(view, number, names, words) for number in _order(view))
    return words("board.picture", hand=view.record.hand_no, boards=boards)


def _order(view: ResultView) -> list[int]:
    """The seats, the winner first."""
    assert view.hand is not None
    assert view.hand.score is not None
    points = view.hand.score.points
    return sorted(range(len(points)), key=lambda number: -points[number])


def _name(view: ResultView, number: int, names: DisplayNames, words: Words) -> str:
    """The name as it can be drawn, or the number of the seat."""
    assert view.hand is not None
    name = drawable(names.plain(view.table.key.guild, view.hand.seats[number].player, words))
    return name or words("board.somebody", number=number + 1)


def _drawn(view: ResultView, number: int, names: DisplayNames, words: Words) -> DrawnBoard:
    assert view.hand is not None
    assert view.hand.score is not None
    points = view.hand.score.points[number]
    front, middle, back = (
        DrawnRow(
            letter=words(f"board.mark.{row.key}"),
            cards=tuple(card_name(card) for card in cards if card is not None),
            hand=hand_text(scored.strength, words) if scored else "",
            royalty=words.signed(scored.royalty) if scored and scored.royalty else "",
        )
        for row, cards, scored in zip(ROWS, _rows(view, number), _scored(view, number), strict=True)
    )
    return DrawnBoard(
        name=_name(view, number, names, words),
        note=_note(view, number, words),
        points=words.signed(points),
        won=points >= 0,
        rows=(front, middle, back),
    )


def _note(view: ResultView, number: int, words: Words) -> str:
    """What the whole board is where that is not told by its rows; empty for most."""
    assert view.hand is not None
    assert view.hand.score is not None
    board = view.hand.score.boards[number]
    if board.surrendered:
        return words("result.surrendered")
    if board.natural is not None:
        return natural_name(board.natural, words)
    return words("board.note_foul") if board.foul else ""


def _told(view: ResultView, number: int, names: DisplayNames, words: Words) -> str:
    """A board in a sentence; of many boards only what their rows are, since a description is short."""
    assert view.hand is not None
    drawn, few = _drawn(view, number, names, words), len(view.hand.seats) <= MOST_BOARDS
    rows = [
        _told_row(row, cards if few else (), shown, words)
        for row, cards, shown in zip(ROWS, _rows(view, number), drawn.rows, strict=True)
    ]
    player = words("board.called", player=drawn.name, what=drawn.note) if drawn.note else drawn.name
    return words("board.told", player=player, points=drawn.points, rows=words.list(rows))


def _told_row(row: Row, cards: Facing, shown: DrawnRow, words: Words) -> str:
    """``front Q♠ Q♥ 4♣ (pair of queens +7)``; without cards what they are."""
    hand = " ".join(filter(None, (shown.hand, shown.royalty)))
    if not cards:
        return words("board.row_hand", row=row_name(row, words), hand=hand)
    told = row_text(card for card in cards if card is not None)
    return words("board.row", row=row_name(row, words), cards=told, hand=hand)


def _rows(view: ResultView, number: int) -> Rows:
    assert view.hand is not None
    return seat_rows(view.hand.seats[number], view.record.variant)


def _scored(view: ResultView, number: int) -> Sequence[RowScore | None]:
    """The rows as they were scored; None each of a board that was given up."""
    assert view.hand is not None
    assert view.hand.score is not None
    return view.hand.score.boards[number].rows or (None, None, None)
