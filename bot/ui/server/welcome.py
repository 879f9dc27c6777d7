"""The welcome: what a server reads when the bot has joined it, with the ways to begin."""

from __future__ import annotations

from discord import ButtonStyle

from bot.ofc.presets import PRESETS
from bot.play.model import TableId
from bot.text.words import Words
from bot.ui.custom_ids import Press
from bot.ui.fragments import TABLE_COLOUR
from bot.ui.widgets import Screen, apart, button, rows_of, screen

WAYS = Press(verb="practise", table=TableId(0))


def welcome_screen(words: Words) -> Screen:
    """What the game is, and a button for each way to begin; the last one is for those who manage the server."""
    first = next(iter(PRESETS))
    buttons = [
        button(WAYS, words("welcome.practise"), style=ButtonStyle.primary),
        button(WAYS.but("open"), words("welcome.open_table"), style=ButtonStyle.success),
        button(WAYS.but("rules", first), words("welcome.how_to_play")),
        button(WAYS.but("set_up"), words("welcome.set_up")),
    ]
    texts = [f"## {words('welcome.title')}", words("welcome.game"), words("welcome.start")]
    return screen(*apart(texts), *rows_of(buttons), colour=TABLE_COLOUR)
