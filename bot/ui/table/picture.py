"""What is drawn on the picture of a hand's result, and the text that is read out in its place."""

from __future__ import annotations

from bot.art.felt import drawable
from bot.art.result_picture import DrawnBoard, DrawnRow, draw_result
from bot.ofc.cards import card_name
from bot.ofc.rows import ROWS
from bot.ofc.scoring import RowScore
from bot.ofc.view import SeatView
from bot.ofc.wild import has_joker
from bot.play.model import HandState
from bot.play.views import ResultView
from bot.text.names import hand_text, row_name, row_text
from bot.text.words import Words
from bot.ui.display_names import DisplayNames
from bot.ui.table.boards import Rows, laid, seat_rows

PICTURE = "result.png"
MOST_BOARDS = 4
"""More of them would be too small to be read on a phone, and their text too long for a description."""


def pictured(view: ResultView) -> bool:
    """True for a result whose boards a picture tells: few, whole, and each card what it is."""
    if view.record.state is not HandState.SETTLED or view.hand is None or view.hand.score is None:
        return False
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
            hand=hand_text(scored.strength, words),
            royalty=words.signed(scored.royalty) if scored.royalty else "",
        )
        for row, cards, scored in zip(ROWS, _rows(view, number), _scored(view, number), strict=True)
    )
    name = _name(view, number, names, words)
    if view.hand.score.boards[number].foul:
        name = words("board.fouled", player=name)
    return DrawnBoard(name=name, points=words.signed(points), won=points >= 0, rows=(front, middle, back))


def _told(view: ResultView, number: int, names: DisplayNames, words: Words) -> str:
    drawn = _drawn(view, number, names, words)
    rows = [
        words(
            "board.row",
            row=row_name(row, words),
            cards=row_text(card for card in cards if card is not None),
            hand=" ".join(filter(None, (shown.hand, shown.royalty))),
        )
        for row, cards, shown in zip(ROWS, _rows(view, number), drawn.rows, strict=True)
    ]
    return words("board.told", player=drawn.name, points=drawn.points, rows=words.list(rows))


def _rows(view: ResultView, number: int) -> Rows:
    assert view.hand is not None
    return seat_rows(view.hand.seats[number], view.record.variant)


def _scored(view: ResultView, number: int) -> tuple[RowScore, RowScore, RowScore]:
    assert view.hand is not None
    assert view.hand.score is not None
    rows = view.hand.score.boards[number].rows
    assert rows is not None
    return rows
