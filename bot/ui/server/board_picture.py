"""A legal board as a picture, with the same in words for those who hear it."""

from __future__ import annotations

from functools import cache

from bot.art.board_picture import NamedRow, draw_board
from bot.ofc.cards import card_name
from bot.ofc.variants import Variant
from bot.text.names import capital, row_name, row_text
from bot.text.rulebook.overview import BoardLine, board_lines
from bot.text.rulebook.royalties import has_low_middle
from bot.text.words import Words, words_for
from bot.ui.widgets import Part, gallery

PICTURE = "board.png"


def board_gallery(game: Variant, words: Words) -> Part:
    """The attached picture with its description."""
    rows = [
        words("board.row", row=row_name(line.row, words), cards=row_text(line.cards), hand=line.hand)
        for line in board_lines(words, low=has_low_middle(game))
    ]
    return gallery(PICTURE, description=words("board.legal", rows=words.list(rows)))


def board_png(game: Variant, words: Words) -> bytes:
    """The picture itself. It takes a while at the first time: run it in an executor."""
    return _drawn(words.language.code, low=has_low_middle(game))


@cache
def _drawn(language: str, *, low: bool) -> bytes:
    words = words_for(language)
    return draw_board([_named(line, words) for line in board_lines(words, low=low)])


def _named(line: BoardLine, words: Words) -> NamedRow:
    name = capital(row_name(line.row, words))
    return NamedRow(name=name, cards=tuple(map(card_name, line.cards)), hand=capital(line.hand))
