"""The page of a finished hand: a step per street, then the result, with the review's comments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.chat.kit.widgets import SEPARATOR, Screen, walk
from bot.chat.table.screens.boards import hand_labels, placed_by
from bot.chat.table.screens.lobby import hand_title
from bot.chat.table.screens.review import meanings_screen, review_screen
from bot.model.ids import Player, is_computer
from bot.model.tables import TableState
from bot.play.queries.replays import Frame, Replay, SeatFrame
from bot.play.queries.results import is_revealed
from bot.play.queries.reviews import Retry, Review
from bot.play.queries.views import TableView
from bot.pure.ofc.cards import RowCards
from bot.web.drawing import NOBODY, TableDrawing, codes, result_shown, row_names_of, seat_shown
from bot.web.messages import Better, Lines, PastShown, SeatShown, Step

_WHOLE = 0
"""Street number for a decision that sets a whole board."""


def past_shown(
    drawing: TableDrawing, replay: Replay, review: Review | None = None, *, guest: bool = False
) -> PastShown:
    """Draw a finished hand for its reader. The drawing's view must come from :func:`view_then`.

    Guests don't get its record.
    """
    words, end, record = drawing.words, replay.end, replay.result.record
    values = _values(drawing, review) if review else {}
    better = _better(drawing, review) if review else {}
    first = end.you or 0
    order = [(first + step) % len(end.seats) for step in range(len(end.seats))]
    steps = [
        Step(
            title=words("replay.street", hand=record.hand_no, street=frame.street, count=len(replay.frames)),
            seats=tuple(_seat_then(drawing, replay, frame, number) for number in order),
            value=values.get(frame.street, ()),
            better=better.get(frame.street),
        )
        for frame in replay.frames
    ]
    last = Step(
        title=words("replay.end", hand=record.hand_no),
        seats=tuple(replace(seat_shown(drawing, end, end.seats[number], number), latest=()) for number in order),
        value=values.get(_WHOLE, ()),
        better=better.get(_WHOLE),
    )
    result = result_shown(drawing)
    assert result is not None
    return PastShown(
        table=replay.result.table.key.table,
        hand=record.hand_no,
        title=drawing.plain(hand_title(replay.result.table, record.point_value, words)),
        about=words("table.hand", hand=record.hand_no),
        row_names=row_names_of(words, strict=record.variant.strict_rows),
        steps=(*steps, last),
        result=result,
        told=_overview(drawing, review) if review else (),
        meanings=_told(drawing, meanings_screen(review, words, drawing.faces), below=False) if review else (),
        played=end.you is not None,
        provable=is_revealed(replay.result.table, record) and not guest,
    )


def view_then(replay: Replay) -> TableView:
    """Return the table's view for a past hand, with no players seated and no cards to place."""
    mine = replay.end.mine
    return TableView(
        table=replace(replay.result.table, state=TableState.CLOSED),
        places=(),
        hand=replay.end,
        next_hand_at=None,
        lobby_until=None,
        you=Player(mine.player) if mine else None,
    )


def _seat_then(drawing: TableDrawing, replay: Replay, frame: Frame, number: int) -> SeatShown:
    seat, words = frame.seats[number], drawing.words
    shown = replace(
        NOBODY,
        name=drawing.name(seat.player),
        you=number == replay.end.you,
        dealer=number == replay.end.button,
        computer=is_computer(seat.player),
    )
    if seat.fantasyland:
        note = drawing.plain(words("replay.in_fantasyland", count=seat.fantasyland))
        return replace(shown, note=note, more=note)
    rows = _rows(seat)
    note = words.facts([drawing.plain(words(key)) for key in placed_by(clock=seat.by_clock, fallback=seat.by_fallback)])
    return replace(
        shown,
        note=note,
        more=note,
        rows=(codes(rows[0]), codes(rows[1]), codes(rows[2])),
        hands=drawing.three(hand_labels(rows, replay.end.variant, words)),
        latest=codes(sum(seat.placed, ())),
        discards=codes(seat.discards),
    )


def _rows(seat: SeatFrame) -> RowCards:
    front, middle, back = ((*then, *now) for then, now in zip(seat.before, seat.placed, strict=True))
    return front, middle, back


# the review's sentences


def _values(drawing: TableDrawing, review: Review) -> Mapping[int, Lines]:
    """Return the review's text by street: the placement, the master's placement and the cost of the difference."""
    pages = enumerate(review.decisions, start=1)
    return {
        decision.street: _told(drawing, review_screen(review, page, drawing.words, drawing.faces), below=True)
        for page, decision in pages
    }


def _overview(drawing: TableDrawing, review: Review) -> Lines:
    return _told(drawing, review_screen(review, 0, drawing.words, drawing.faces), below=False)


def _told(drawing: TableDrawing, shown: Screen, *, below: bool) -> Lines:
    """Return a screen's sentences without its heading; with ``below``, only the verdict after the separator."""
    told: list[Lines] = []
    for part in walk(shown.parts):
        if below and part.get("type") == SEPARATOR:
            told.clear()
        elif "content" in part:
            told.append(drawing.lines(part["content"]))
    return tuple(line for lines in (told if below else told[1:]) for line in lines)


def _better(drawing: TableDrawing, review: Review) -> Mapping[int, Better]:
    """Return the master's board by street, where it differs from the player's."""
    found = {}
    for start, decision in enumerate(review.decisions):
        letters = decision.best.letters
        if letters != decision.placed.letters:
            seat = _after(drawing, Retry(past=review.past, start=start, letters=(letters,)))
            found[decision.street] = Better(seat=seat, letters=letters, start=start)
    return found


def _after(drawing: TableDrawing, retry: Retry) -> SeatShown:
    """Return the player's board after the placements of a retry."""
    mine = retry.past.moments[retry.start].view.mine
    assert mine is not None
    before = {card for row in mine.rows for card in row}
    placed = [card for row in retry.rows for card in row if card not in before]
    return replace(
        NOBODY,
        name=drawing.name(mine.player),
        you=True,
        rows=(codes(retry.rows[0]), codes(retry.rows[1]), codes(retry.rows[2])),
        hands=drawing.three(hand_labels(retry.rows, retry.past.end.variant, drawing.words)),
        latest=codes((*placed,)),
        discards=codes(tuple(card for card in mine.held if card not in placed)),
    )
