"""The confirmation before a new practice table replaces an unfinished one."""

from __future__ import annotations

from dataclasses import dataclass

from discord import ButtonStyle

from bot.chat.kit.custom_ids import Press, game_argument
from bot.chat.kit.fragments import TURN_COLOUR
from bot.chat.kit.widgets import Screen, button, button_rows, screen
from bot.model.tables import Table, TableState
from bot.play import terms as terms_of
from bot.pure.ofc.variants import Variant
from bot.pure.solver.levels import Level
from bot.text.games import full_name
from bot.text.words import Words

LEVELS_AT_MOST = 10
"""Base of the digit that encodes a level in a custom id, so there can be at most ten levels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPractice:
    """A request for a practice table."""

    game: Variant
    computers: int = 0
    """Number of computers; 0 for the game's minimum."""
    level: Level | None = None
    """The computers' level; None for the default."""


def practice_question(unfinished: Table, new: NewPractice, words: Words) -> Screen:
    """Ask whether to abandon an unfinished practice table."""
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
    return screen(asked, *button_rows(buttons), colour=TURN_COLOUR)
