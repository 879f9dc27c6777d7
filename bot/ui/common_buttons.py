"""Buttons that lead the same way from many screens; what they show is an answer of its own."""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.ids import TableId
from bot.model.tables import Table
from bot.ofc.variants import Variant
from bot.text.words import Words
from bot.ui.custom_ids import Press, game_argument
from bot.ui.widgets import Part, button

NOWHERE = Press(verb="help", table=TableId(0))
"""A press that speaks of no table; its verb is still to be chosen."""


def how_to_play(words: Words) -> Part:
    """The game on one screen, for those who see it for the first time."""
    return button(NOWHERE.but("howto"), words("ways.button.how_to_play"))


def guided_hand(words: Words, *, style: ButtonStyle = ButtonStyle.secondary) -> Part:
    """The tutorial: a hand in private, street by street."""
    return button(NOWHERE.but("learn"), words("ways.button.guided_hand"), style=style)


def lesson(words: Words) -> Part:
    """The tutorial for those who ask how one plays, beside a menu that stays."""
    return button(NOWHERE.but("lesson"), words("ways.button.how_to_play"))


def rules_of(game: Variant, words: Words) -> Part:
    """The rules of the game that is played."""
    return button(NOWHERE.but("rulebook", game_argument(game)), words("ways.button.rules"))


def verify_hand(table: Table, hand_no: int, words: Words) -> Part:
    """Check that a finished hand was dealt fairly."""
    press = Press(verb="verify", table=table.key.table, tag=table.tag, hand=hand_no)
    return button(press, words("ways.button.verify"))


def how_checked(words: Words) -> Part:
    """How a deal is fixed beforehand, and how anybody checks it."""
    return button(NOWHERE.but("fairness"), words("fairness.button"))


def practise(words: Words) -> Part:
    """A hand against the computer at once."""
    return button(NOWHERE.but("practise"), words("ways.button.practise"), style=ButtonStyle.primary)


def daily_hand(words: Words) -> Part:
    """Today's hand, in a message of the presser's own."""
    return button(NOWHERE.but("daily"), words("ways.button.daily"), style=ButtonStyle.success)


def open_table(words: Words) -> Part:
    """A table in this channel, of the usual game."""
    return button(NOWHERE.but("open"), words("ways.button.open_table"), style=ButtonStyle.success)
