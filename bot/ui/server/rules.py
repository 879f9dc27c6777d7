"""The rules of a game: one screen first, and the details behind buttons with their names."""

from __future__ import annotations

from bot.model.ids import TableId
from bot.ofc.variants import Variant
from bot.text.rulebook.book import rules_pages
from bot.text.rulebook.overview import around_board
from bot.text.words import Words
from bot.ui.custom_ids import OWN, Press, game_argument
from bot.ui.fragments import TABLE_COLOUR
from bot.ui.server.board_picture import board_gallery
from bot.ui.widgets import Part, Screen, button, rows_of, screen


def rules_screen(game: Variant, words: Words, *, page: int = 0, picture: bool = False) -> Screen:
    """A page of the rules, from 0 on; past the end the last. Its buttons lead to the others.

    On the first page an attached ``picture`` takes the place of the board that is written in letters.
    """
    pages = rules_pages(game, words)
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
    shown: list[str | Part] = [pages[page].text]
    if picture and page == 0:
        above, below = around_board(pages[page].text)
        shown = [above, board_gallery(game, words), below]
    return screen(*shown, *rows_of(buttons), colour=TABLE_COLOUR)


def game_of(press: Press) -> str:
    """The game of such a button, as a choice names it."""
    return OWN + press.argument[1:] if press.argument.startswith("-") else press.argument
