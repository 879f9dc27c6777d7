"""The welcome: what a server reads when the bot has joined it, with the ways to begin."""

from __future__ import annotations

from bot.text.words import Words
from bot.ui.common_buttons import NOWHERE, how_to_play, open_table, practise
from bot.ui.fragments import TABLE_COLOUR
from bot.ui.widgets import Screen, apart, button, rows_of, screen


def welcome_screen(words: Words) -> Screen:
    """What the game is, and a button for each way to begin; the last one is for those who manage the server."""
    set_up = button(NOWHERE.but("set_up"), words("welcome.set_up"))
    texts = [f"## {words('welcome.title')}", words("welcome.game"), words("welcome.start")]
    buttons = [practise(words), open_table(words), how_to_play(words), set_up]
    return screen(*apart(texts), *rows_of(buttons), colour=TABLE_COLOUR)
