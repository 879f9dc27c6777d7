"""The analysis of a position, with its best placements as small boards, values, errors and chances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from discord import ButtonStyle, SelectOption

from bot.chat.kit.custom_ids import Press, game_argument
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import QUIET_COLOUR, RESULT_COLOUR, first_fitting
from bot.chat.kit.widgets import Part, Screen, apart, button, button_rows, screen, select
from bot.chat.table.screens.boards import Size, board_text, hand_labels, placement_text, sorted_row
from bot.chat.trainer.screens.position_form import VERB, about, enter_button, page_button, position_block
from bot.model.ids import TableId
from bot.play.trainer.views import AnalysisView
from bot.pure.ofc.cards import ROWS
from bot.pure.ofc.placement import place
from bot.pure.ofc.variants import Variant
from bot.pure.trainer.analysis import AnalysedPlacement
from bot.pure.trainer.decisions import HandDecision
from bot.pure.trainer.packed import MAX_LENGTH, packed
from bot.text.cards import row_text
from bot.text.games import full_name
from bot.text.words import Words

CLEAR = 2
"""Number of errors in a clear lead."""


def analysis_screen(view: AnalysisView, words: Words, faces: Faces, *, page: str = "") -> Screen:
    """Draw the best placements, with boards as large as fits.

    ``page`` is the address of the reader's page, if there is one.
    """
    return first_fitting(
        _draw(view, words, faces, size=size, page=page) for size in (Size.SMALL, Size.TIGHT, Size.LETTERS)
    )


def _draw(view: AnalysisView, words: Words, faces: Faces, *, size: Size, page: str) -> Screen:
    blocks = [
        _head(view, words),
        *(_block(view, at, words, faces, size=size) for at in range(len(view.placements))),
        "\n".join([f"-# {words('puzzle.answer.averages')}", *_meaning(view, words)]),
        position_block(view.position),
    ]
    buttons = _buttons(view.variant, words, deeper=view.may_deepen, page=page)
    return screen(*apart(blocks), *button_rows(buttons), colour=RESULT_COLOUR)


def _buttons(game: Variant, words: Words, *, deeper: bool, page: str = "") -> list[Part]:
    search = button(about(game, "deeper"), words("analysis.button.deeper"), style=ButtonStyle.primary)
    return [*([search] if deeper else []), enter_button(game, words, change=True), *page_button(page, words)]


def buttons_screen(game: Variant, words: Words, *, deeper: bool) -> Screen:
    """Draw the buttons below an analysis, for suggestions."""
    return screen(*button_rows(_buttons(game, words, deeper=deeper)), colour=RESULT_COLOUR)


def _meaning(view: AnalysisView, words: Words) -> list[str]:
    """Return what an error is, if there are any."""
    return [f"-# {words('analysis.errors')}"] if any(one.error for one in view.placements) else []


def _head(view: AnalysisView, words: Words) -> str:
    facts = [full_name(view.variant, words), words("analysis.deeper") if view.deeper else ""]
    lines = [f"### {words('analysis.title')}", f"-# {words.facts(facts)}", lead_text(view, words)]
    return "\n".join(line for line in lines if line)


def lead_text(view: AnalysisView, words: Words) -> str:
    """Return whether the best placement leads clearly; empty if it's the only one."""
    if len(view.placements) == 1:
        return ""
    best, second = view.placements[:2]
    lead = best.value - second.value
    if not second.error:
        return (
            words("analysis.lead.exact", lead=words.decimal(lead, decimals=1)) if lead else words("analysis.lead.equal")
        )
    key = "clear" if lead > CLEAR * second.error else "close"
    return words(f"analysis.lead.{key}", lead=words.decimal(lead, decimals=1), error=error_text(second, words))


def error_text(placement: AnalysedPlacement, words: Words) -> str:
    """Return the standard error of a placement's difference from the best one."""
    return words.decimal(placement.error, decimals=1)


def _behind(placement: AnalysedPlacement, best: AnalysedPlacement, words: Words) -> str:
    """Return how far a placement is behind the best; empty for that itself."""
    if placement is best:
        return ""
    points = words.decimal(best.value - placement.value, decimals=1)
    if not placement.error:
        return words("analysis.behind_exact", points=points)
    return words("analysis.behind", points=points, error=error_text(placement, words))


def _block(view: AnalysisView, at: int, words: Words, faces: Faces, *, size: Size) -> str:
    """Return a placement: its rank, its cards, its numbers, and the board that it leads to."""
    placement, best = view.placements[at], view.placements[0]
    head = words("puzzle.answer.place", number=at + 1) if at else words("puzzle.answer.best")
    points = words("puzzle.answer.points", points=words.signed_decimal(placement.value, decimals=1))
    facts = placement.facts
    numbers = [
        points,
        _behind(placement, best, words),
        words("puzzle.answer.foul", share=words.percent(round(100 * facts.foul))),
        words("puzzle.answer.fantasyland", share=words.percent(round(100 * facts.fantasyland))),
        words("puzzle.answer.royalties", points=words.decimal(facts.royalties, decimals=1)),
    ]
    return "\n".join(
        [
            f"**{head}**",
            placement_text(view.position.held, placement.letters, words, faces),
            words.facts(numbers),
            _board(view, placement.letters, words, faces, size=size),
        ]
    )


def _board(view: AnalysisView, letters: str, words: Words, faces: Faces, *, size: Size) -> str:
    placed, _ = place(view.position.rows, view.position.held, letters)
    front, middle, back = (
        sorted_row(cards) if len(cards) == row.size else cards for row, cards in zip(ROWS, placed, strict=True)
    )
    rows = front, middle, back
    return board_text(rows, hand_labels(rows, view.variant, words), words, faces, size=size)


# The decisions of a hand from a file.


def decisions_screen(game: Variant, found: Sequence[HandDecision], words: Words, *, you: str) -> Screen:
    """Draw the menus of a hand's decisions, one per player. ``you`` is the reader's name in the file."""
    fitting = [one for one in found if len(packed(one.position)) <= MAX_LENGTH]
    menus = [_menu(game, number, list(own), words, you=you) for number, own in groupby(fitting, _number)]
    lines = [f"### {words('analysis.file.title')}", f"-# {full_name(game, words)}", words("analysis.file.text")]
    if len(fitting) < len(found):
        lines.append(words("analysis.file.too_long"))
    return screen("\n".join(lines), *menus, colour=QUIET_COLOUR)


def _number(decision: HandDecision) -> int:
    return decision.number


def _menu(game: Variant, number: int, found: Sequence[HandDecision], words: Words, *, you: str) -> Part:
    press = Press(verb=f"{VERB}from", table=TableId(0), hand=number, argument=game_argument(game))
    name = words("analysis.file.you" if found[0].player == you else "analysis.file.player", number=number)
    options = [
        SelectOption(
            label=words("panel.street", street=one.street, streets=len(game.streets))
            if one.street
            else words("analysis.file.whole"),
            value=packed(one.position),
            description=row_text(one.position.held)[:100],
        )
        for one in found
    ]
    return select(press, options, placeholder=name)
