"""What is drawn on the picture of a hand's result, and the text that is read out in its place."""

from __future__ import annotations

from collections.abc import Sequence

from bot.art.felt import drawable
from bot.art.result_picture import DrawnBoard, DrawnPair, DrawnRow, draw_result
from bot.model.hands import HandState
from bot.ofc.cards import ROWS, Row, card_name
from bot.ofc.ranks import Category
from bot.ofc.scoring import RowScore
from bot.ofc.view import Facing, SeatView
from bot.ofc.wild import has_joker
from bot.play.look.views import ResultView
from bot.play.paid_pairs import PaidPair
from bot.text.names import category_name, hand_text, natural_name, row_name, row_text
from bot.text.words import Words
from bot.ui.display_names import DisplayNames
from bot.ui.table.boards import Rows, seat_rows, shows_all
from bot.ui.table.pairs import chips_of, points_of
from bot.ui.widgets import MOST_DESCRIPTION

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
    return shows_all(seat) and not any(has_joker(tuple(card for card in row if card is not None)) for row in seat.rows)


def result_picture(view: ResultView, names: DisplayNames, words: Words) -> bytes:
    """The boards as a PNG. Run it in an executor."""
    boards = [_drawn(view, number, names, words) for number in _order(view)]
    called = _names(view, names, words)
    return draw_result(boards, [_drawn_pair(view, pair, called, words) for pair in _told_pairs(view)])


def described(view: ResultView, names: DisplayNames, words: Words) -> str:
    """The same in words, without marks: what a screen reader says; without cards where names leave no room."""
    called = _names(view, names, words)
    pairs = [_pair_in_words(view, pair, called, words) for pair in _told_pairs(view)]
    for cards in (True, False) if len(called) <= MOST_BOARDS else (False,):
        boards = [_told(view, number, names, words, cards=cards) for number in _order(view)]
        told = words("board.picture", hand=view.record.hand_no, boards=words.side_by_side([*boards, *pairs]))
        if len(told) <= MOST_DESCRIPTION:
            break
    return told


def _told_pairs(view: ResultView) -> Sequence[PaidPair]:
    """The pairs, where they say more than the points beside the names."""
    return view.pairs if len(view.pairs) > 1 or view.record.point_value else ()


def _drawn_pair(view: ResultView, pair: PaidPair, names: Sequence[str], words: Words) -> DrawnPair:
    points = points_of(view, pair)
    return DrawnPair(
        winner=names[pair.winner],
        between=words("board.over" if points else "board.level_with"),
        loser=names[pair.loser],
        points=words.signed(points),
        chips=chips_of(pair, words),
    )


def _pair_in_words(view: ResultView, pair: PaidPair, names: Sequence[str], words: Words) -> str:
    """``Bob over Alice +8, 1,600 of 2,400 chips.``"""
    players, points = {"first": names[pair.winner], "second": names[pair.loser]}, points_of(view, pair)
    if not points:
        return words("board.pair_end", pair=words("board.pair_told_even", **players))
    told = words("board.pair_told", **players, points=words.signed(points))
    return words("board.pair_end", pair=words.language.joint.join(filter(None, (told, chips_of(pair, words)))))


def _names(view: ResultView, names: DisplayNames, words: Words) -> list[str]:
    assert view.hand is not None
    return [_name(view, number, names, words) for number in range(len(view.hand.seats))]


def _order(view: ResultView) -> list[int]:
    """The seats, the winner first."""
    assert view.hand is not None
    assert view.hand.score is not None
    points = view.hand.score.points
    return sorted(range(len(points)), key=lambda number: -points[number])


def _name(view: ResultView, number: int, names: DisplayNames, words: Words) -> str:
    """The name as it can be drawn, else the user name; the number of the seat for somebody who has left the server."""
    assert view.hand is not None
    guild, player = view.table.key.guild, view.hand.seats[number].player
    name = drawable(names.plain(guild, player, words)) or drawable(names.username(guild, player))
    return name or words("board.somebody", number=number + 1)


def _drawn(view: ResultView, number: int, names: DisplayNames, words: Words) -> DrawnBoard:
    assert view.hand is not None
    assert view.hand.score is not None
    points = view.hand.score.points[number]
    front, middle, back = (
        DrawnRow(
            letter=words(f"board.mark.{row.key}"),
            cards=tuple(card_name(card) for card in cards if card is not None),
            hand=drawn_hand(scored, words) if scored else "",
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


def drawn_hand(scored: RowScore, words: Words) -> str:
    """What a row is, beside its cards: of a straight flush there is no room to say how high."""
    straight_flush = scored.category is Category.STRAIGHT_FLUSH
    return category_name(scored.category, words) if straight_flush else hand_text(scored.strength, words)


def _note(view: ResultView, number: int, words: Words) -> str:
    """What the whole board is where that is not told by its rows; empty for most."""
    assert view.hand is not None
    assert view.hand.score is not None
    board = view.hand.score.boards[number]
    if board.surrendered:
        return words("result.surrendered")
    if board.natural is not None:
        return natural_name(board.natural, words)
    seat, streets = view.hand.seats[number], len(view.hand.variant.streets)
    notes = {"foul": board.foul, "auto": seat.untouched(streets)}
    return " · ".join(words(f"board.note_{note}") for note, holds in notes.items() if holds)


def _told(view: ResultView, number: int, names: DisplayNames, words: Words, *, cards: bool) -> str:
    """A board in a sentence; without its cards what the rows are."""
    drawn = _drawn(view, number, names, words)
    rows = [
        _told_row(row, placed if cards else (), shown, words)
        for row, placed, shown in zip(ROWS, _rows(view, number), drawn.rows, strict=True)
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
