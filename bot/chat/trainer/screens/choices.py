"""The choice of puzzles by theme and game."""

from __future__ import annotations

from discord import SelectOption

from bot.chat.kit.fragments import MAX_OPTIONS, NOWHERE, QUIET_COLOUR
from bot.chat.kit.widgets import Screen, button, button_rows, screen, select
from bot.chat.trainer.screens.puzzle import about, next_button
from bot.model.puzzles import NO_PUZZLE
from bot.play.trainer.views import ChoicesView
from bot.pure.trainer.themes import Theme
from bot.text.games import full_name
from bot.text.words import Words

ALL = "all"
"""Value of the options for all themes and all games."""


def choices_screen(view: ChoicesView, words: Words) -> Screen:
    """Draw the menus, with the number of puzzles that fit."""
    solver = view.of.solver
    themes = [SelectOption(label=words("puzzle.choices.all_themes"), value=ALL, default=solver.theme is None)]
    themes += [
        SelectOption(label=words(f"puzzle.theme.{theme.value}"), value=theme.value, default=theme is solver.theme)
        for theme in Theme
    ]
    games = [SelectOption(label=words("puzzle.choices.all_games"), value=ALL, default=not solver.games)]
    games += [
        SelectOption(label=full_name(game, words), value=game.key, default=game.key in solver.games)
        for game in view.of.games[: MAX_OPTIONS - 1]
    ]
    lines = [
        f"### {words('puzzle.choices.title')}",
        words("puzzle.choices.fitting", count=view.count, unmet=view.unmet),
    ]
    return screen(
        "\n".join(lines),
        select(about(NO_PUZZLE, "theme"), themes, placeholder=words("puzzle.choices.theme")),
        select(about(NO_PUZZLE, "games"), games, placeholder=words("puzzle.choices.games"), most=len(games)),
        *button_rows([next_button(NO_PUZZLE, words), button(NOWHERE.but("mi_open"), words("ways.button.mistakes"))]),
        colour=QUIET_COLOUR,
    )
