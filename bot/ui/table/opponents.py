"""The opponents' boards in a player's panel: a few lines each, as far as that player may see them."""

from __future__ import annotations

from bot.ofc.view import HandView, SeatView
from bot.play.views import TableView
from bot.text.words import Words
from bot.ui.faces import Faces
from bot.ui.table.boards import Size, board_text, drawn_line, hands_of, seat_rows, shows_cards
from bot.ui.widgets import Part, separator


def opponents(view: TableView, hand: HandView, words: Words, faces: Faces, *, size: Size) -> list[str | Part]:
    """Their boards above a line; nothing while none of them shows a card."""
    boards = [_board(view, hand, seat, words, faces, size=size) for seat in hand.seats if _shown(view, seat)]
    if not boards:
        return []
    if view.event is not None and view.event.conceals:
        boards.insert(0, words("event_table.opponents"))
    elif hand.conceals:
        boards.insert(0, words("panel.opponents"))
    return ["\n".join(boards), separator(line=True)]


def _shown(view: TableView, seat: SeatView) -> bool:
    return seat.player != view.you and (shows_cards(seat) or any(card is not None for card in seat.held))


def _board(view: TableView, hand: HandView, seat: SeatView, words: Words, faces: Faces, *, size: Size) -> str:
    rows = seat_rows(seat, hand.variant)
    board = board_text(rows, hands_of(rows, hand.variant, words), words, faces, size=size)
    name = faces.names.of(view.table.key.guild, seat.player, words)
    return "\n".join([name, board, *drawn_line(seat, words, faces)])
