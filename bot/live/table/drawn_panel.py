"""The private message of a player at a table: their panel, and at a private table all that others read in public."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.model.tables import TableState
from bot.play.doors.play import Play
from bot.text.words import Words
from bot.ui.faces import Faces
from bot.ui.table.panel import Panel
from bot.ui.table.practice_screen import hand_over_screen, helpful_screen, practice_over_screen
from bot.ui.widgets import Screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a player reads what they alone see."""

    words: Words
    faces: Faces


async def drawn_panel(play: Play, panel: Panel, reader: Reader) -> Screen:
    """The screen of the panel's player as it is now."""
    view, table, words, faces = panel.view, panel.view.table, reader.words, reader.faces
    if view.event is not None and view.mine is None and view.you is not None:
        panel = replace(panel, standing=await play.standing(table.key, view.you))
    if not table.private:
        return helpful_screen(panel, words, faces)
    if not table.open:
        return practice_over_screen(await play.closing(table.key), words)
    if table.state is TableState.BETWEEN:
        result = await play.result(table.key, table.hand_no, view.you)
        return hand_over_screen(view, result, words, faces)
    return helpful_screen(panel, words, faces)
