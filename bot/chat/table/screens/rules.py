"""The rules of a game: one screen first, and the details behind buttons with their names."""

from __future__ import annotations

import re
from functools import cache

from bot.chat.art.felt import NamedRow, draw_board
from bot.chat.kit.custom_ids import OWN, Press, game_argument
from bot.chat.kit.fragments import TABLE_COLOUR
from bot.chat.kit.widgets import Part, Screen, button, gallery, rows_of, screen
from bot.model.ids import TableId
from bot.pure.ofc.cards import card_name
from bot.pure.ofc.variants import Variant
from bot.text.cards import row_name, row_text
from bot.text.rulebook.book import rules_pages
from bot.text.rulebook.overview import BoardLine, around_board, board_lines
from bot.text.rulebook.royalties import has_low_middle
from bot.text.words import Words, capital, words_for

# A legal board as a picture, with the same in words for those who hear it.

PICTURE = "board.png"
_ITEM = re.compile(r"^- (\*\*[^*\n]+\*\*) ", re.MULTILINE)
"""A point that begins with what it is about: a pause in bold print, which nobody hears."""


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


def rules_screen(game: Variant, words: Words, *, page: int = 0, picture: bool = False, heard: bool = False) -> Screen:
    """A page of the rules, from 0 on; past the end the last. Its buttons lead to the others.

    On the first page an attached ``picture`` takes the place of the board that is written in letters; in rules that
    are ``heard`` sentences take that of tables.
    """
    pages = rules_pages(game, words, heard=heard)
    page = min(page, len(pages) - 1)
    argument = game_argument(game)
    buttons = [
        button(
            Press(verb="rules", table=TableId(0), hand=number, argument=argument),
            shown.title,
            disabled=number == page,
        )
        for number, shown in enumerate(pages)
    ]
    told = pages[page].text
    shown: list[str | Part] = [_ITEM.sub(rf"- \1{words('aloud.colon')}", told) if heard else told]
    if picture and page == 0:
        above, below = around_board(pages[page].text)
        shown = [above, board_gallery(game, words), below]
    return screen(*shown, *rows_of(buttons), colour=TABLE_COLOUR)


def game_of(press: Press) -> str:
    """The game of such a button, as a choice names it."""
    return OWN + press.argument[1:] if press.argument.startswith("-") else press.argument
