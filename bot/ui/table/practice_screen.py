"""Practice in private: what its one message shows beside the panel, and its buttons."""

from __future__ import annotations

from discord import ButtonStyle

from bot.play.model import TableId
from bot.play.views import ResultView, TableView
from bot.text.words import Words
from bot.ui.common_buttons import guided_hand, how_to_play
from bot.ui.custom_ids import Press
from bot.ui.faces import Faces
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.table.lobby import level_options
from bot.ui.table.result import result_screens
from bot.ui.table.title import table_title
from bot.ui.widgets import Part, Screen, button, rows_of, screen, select


def with_stop(shown: Screen, view: TableView, words: Words) -> Screen:
    """The panel of a private table, with the game in a minute and the way out below it."""
    return shown.and_below(*rows_of([how_to_play(words), _stop(view, words)]))


def hand_over_screen(view: TableView, result: ResultView, words: Words, faces: Faces) -> Screen:
    """How the hand went, and what comes next: at a private table its player says when."""
    first, *_ = result_screens(result, words, faces)
    further = button(_press(view, "next_hand"), words("practice.button.next"), style=ButtonStyle.success)
    levels = select(
        _press(view, "level"),
        level_options(words),
        placeholder=words("practice.opponents"),
        number=view.table.hand_no,
    )
    return first.and_below(*rows_of([further, _stop(view, words)]), levels)


def practice_over_screen(view: TableView, words: Words) -> Screen:
    """A private table that is closed."""
    again = button(Press(verb="practise", table=TableId(0)), words("practice.button.again"), style=ButtonStyle.success)
    open_one = button(Press(verb="open", table=TableId(0)), words("practice.button.open"), style=ButtonStyle.primary)
    return screen(
        f"**{table_title(view.table, words)}**",
        words(f"closed.{view.table.closed_reason}"),
        *rows_of([again, open_one, guided_hand(words)]),
        colour=QUIET_COLOUR,
    )


def _stop(view: TableView, words: Words) -> Part:
    return button(_press(view, "stop"), words("practice.button.stop"))


def _press(view: TableView, verb: str) -> Press:
    table = view.table
    return Press(verb=verb, table=table.key.table, tag=table.tag, hand=table.hand_no)
