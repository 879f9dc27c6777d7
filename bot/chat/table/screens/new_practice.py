"""The question before another practice takes the place of one that is not over."""

from __future__ import annotations

from dataclasses import dataclass

from discord import ButtonStyle

from bot.chat.kit.custom_ids import Press, game_argument
from bot.chat.kit.fragments import TURN_COLOUR
from bot.chat.kit.widgets import Screen, button, rows_of, screen
from bot.model.tables import Table, TableState
from bot.play import terms as terms_of
from bot.pure.ofc.variants import Variant
from bot.pure.solver.levels import Level
from bot.text.games import full_name
from bot.text.words import Words

LEVELS_AT_MOST = 10
"""Numbers of levels in a custom id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPractice:
    """The practice that somebody asks for."""

    game: Variant
    computers: int = 0
    """0 for as few as the game takes."""
    level: Level | None = None
    """None for the usual one."""


def practice_question(unfinished: Table, new: NewPractice, words: Words) -> Screen:
    """Ask whether an unfinished practice is to be given up."""
    level = 0 if new.level is None else 1 + [*Level].index(new.level)
    here = Press(verb="practise", table=unfinished.key.table, tag=unfinished.tag)
    other = Press(
        verb="practise_new",
        table=unfinished.key.table,
        tag=unfinished.tag,
        street=LEVELS_AT_MOST * new.computers + level,
        argument=game_argument(new.game),
        terms=terms_of.of_hand(unfinished),
    )
    playing = unfinished.state is TableState.PLAYING
    asked = words(
        "practice.unfinished.hand" if playing else "practice.unfinished.fantasyland",
        game=full_name(unfinished.terms.variant, words),
    )
    buttons = [
        button(here, words("practice.unfinished.go_on"), style=ButtonStyle.success),
        button(other, words("practice.unfinished.new"), style=ButtonStyle.danger),
    ]
    return screen(asked, *rows_of(buttons), colour=TURN_COLOUR)
