"""The rules of a game: an overview, and named buttons for the details."""

from __future__ import annotations

import re
from functools import cache

from bot.chat.art.felt import NamedRow, draw_board
from bot.chat.kit.custom_ids import OWN, Press, game_argument
from bot.chat.kit.fragments import TABLE_COLOUR
from bot.chat.kit.widgets import Part, Screen, button, button_rows, gallery, screen
from bot.model.ids import TableId
from bot.pure.ofc.cards import card_name
from bot.pure.ofc.variants import Variant
from bot.text.cards import row_name, row_text
from bot.text.rulebook.book import rules_pages
from bot.text.rulebook.overview import BoardLine, around_board, board_lines
from bot.text.rulebook.royalties import has_low_middle
from bot.text.words import Words, capital, words_for

# A legal board as a picture, with a description for screen readers.

PICTURE = "board.png"
_ITEM = re.compile(r"^- (\*\*[^*\n]+\*\*) ", re.MULTILINE)
"""A list item that starts with its topic in bold. Read aloud, it needs a pause instead."""


def board_gallery(game: Variant, words: Words) -> Part:
    """Return the attached picture with its description."""
    rows = [
        words("board.row", row=row_name(line.row, words), cards=row_text(line.cards), hand=line.hand)
        for line in board_lines(words, low=has_low_middle(game))
    ]
    return gallery(PICTURE, description=words("board.legal", rows=words.list(rows)))


def board_png(game: Variant, words: Words) -> bytes:
    """Return the picture. The first call is slow, so run it in an executor."""
    return _drawn(words.language.code, low=has_low_middle(game))


@cache
def _drawn(language: str, *, low: bool) -> bytes:
    words = words_for(language)
    return draw_board([_named(line, words) for line in board_lines(words, low=low)])


def _named(line: BoardLine, words: Words) -> NamedRow:
    name = capital(row_name(line.row, words))
    return NamedRow(name=name, cards=tuple(map(card_name, line.cards)), hand=capital(line.hand))


def rules_screen(game: Variant, words: Words, *, page: int = 0, picture: bool = False, heard: bool = False) -> Screen:
    """Draw a page of the rules, counted from 0. Its buttons lead to the others.

    If ``page`` is too large, the last page is drawn. On the first page, an attached ``picture`` replaces the board in
    letters. If the rules are ``heard``, sentences replace the tables.
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
    return screen(*shown, *button_rows(buttons), colour=TABLE_COLOUR)


def game_of(press: Press) -> str:
    """Return the game of a rules button: a preset's key, or the tag of a custom game."""
    return OWN + press.argument[1:] if press.argument.startswith("-") else press.argument
