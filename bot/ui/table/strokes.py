"""What a press on a panel draws: the next sketch of a placement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from bot.ofc.rows import DISCARD, ROWS
from bot.play.refusals import Stale
from bot.ui.table.panel import BY_RANK, BY_SUIT, Panel

STROKES = ("card", "row", "undo", "clear", "sort", "set_f", "set_m", "set_b")
"""The verbs that draw."""


Drawn = TypeVar("Drawn", bound=Panel)


def stroke(panel: Drawn, verb: str, said: str, values: Sequence[str]) -> Drawn:
    """The panel after a press of this verb that ``said`` something; raises Stale for what no panel says."""
    sketch = panel.sketch
    match verb:
        case "card":
            draft, chosen = sketch.tap(_number(said))
            return replace(panel, draft=draft, chosen=chosen)
        case "row" if said in {row.value for row in ROWS}:
            return replace(panel, draft=sketch.put(said), chosen=None)
        case "undo":
            return replace(panel, draft=sketch.undone(), chosen=None)
        case "clear":
            return replace(panel, draft=(), chosen=None, sort=_sort(said))
        case "sort":
            return replace(panel, draft=sketch.draft, chosen=None, sort=_sort(said))
        case "set_f" | "set_m" | "set_b":
            places = [_number(value) for value in values]
            return replace(panel, draft=sketch.with_row(verb[-1].upper(), places), chosen=None, sort=_sort(said))
        case _:
            raise Stale


def arranged(panel: Drawn, letters: str, said: str) -> Drawn:
    """The panel with a whole placement drawn on it."""
    draft = tuple((number, letter) for number, letter in enumerate(letters) if letter != DISCARD)
    return replace(panel, draft=draft, chosen=None, sort=_sort(said))


def _sort(said: str) -> str:
    return BY_SUIT if said == BY_SUIT else BY_RANK


def _number(text: str) -> int:
    """A small number from a custom id; anything else points at no card."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else 99
