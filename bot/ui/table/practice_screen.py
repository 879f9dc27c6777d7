"""Practice: what helps a learner beside the panel, hints, and the one message of a private table."""

from __future__ import annotations

from math import hypot

from discord import ButtonStyle

from bot.model.ids import TableId
from bot.ofc.cards import DISCARD, ROWS, Card
from bot.play.look.hints import Hint, may_hint
from bot.play.look.views import ClosingView, ResultView, TableView
from bot.solver.search import Judged
from bot.text.names import capital, row_name
from bot.text.words import Words
from bot.ui.custom_ids import Press
from bot.ui.faces import Faces
from bot.ui.fragments import QUIET_COLOUR, guided_hand, how_to_play, open_table
from bot.ui.table.lobby import level_options, table_title
from bot.ui.table.panel import Panel, panel_screen
from bot.ui.table.result import result_screens
from bot.ui.widgets import Part, Screen, button, rows_of, screen, select, text

CLOSE = 0.1
"""Points that make no difference."""
CERTAIN = 2
"""So many standard errors must a difference have to be told as one."""


def helpful_screen(panel: Panel, words: Words, faces: Faces) -> Screen:
    """The panel, at a practice table with what helps a learner below it; at a private one also with the way out."""
    view = panel.view
    told = hint_text(panel.hint, words, faces) if panel.hint and panel.hint.is_for(view) else ""
    helps = []
    if not told and may_hint(view):
        helps.append(button(panel.press.but("hint"), words("practice.button.hint")))
    if view.table.private:
        helps += [how_to_play(words), _stop(view, words)]
    shown = panel_screen(panel, words, faces, spare=len(told) + 1)
    return shown.and_below(*([text(told)] if told else []), *rows_of(helps))


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


def practice_over_screen(closing: ClosingView, words: Words) -> Screen:
    """A private table that is closed, with what all its hands came to for its player."""
    table = closing.table
    again = button(Press(verb="practise", table=TableId(0)), words("practice.button.again"), style=ButtonStyle.success)
    return screen(
        f"**{table_title(table, words)}**",
        words(f"closed.{table.closed_reason}"),
        *_session(closing, words),
        *rows_of([again, open_table(words), guided_hand(words)]),
        colour=QUIET_COLOUR,
    )


def _session(closing: ClosingView, words: Words) -> list[str]:
    """Hands, points, fouls and Fantasylands; nothing where no hand was finished."""
    mine = next((total for total in closing.totals if total.player == closing.table.host), None)
    if mine is None:
        return []
    points = words("practice.session.points", points=words.signed(mine.points), count=abs(mine.points))
    told = [
        words("practice.session.hands", count=mine.hands),
        points,
        words("practice.session.fouls", count=mine.fouls),
    ]
    if closing.table.terms.variant.fantasyland is not None:
        told.append(words("practice.session.fantasylands", count=mine.fantasylands))
    return [" · ".join(told)]


def _stop(view: TableView, words: Words) -> Part:
    return button(_press(view, "stop"), words("practice.button.stop"))


def _press(view: TableView, verb: str) -> Press:
    table = view.table
    return Press(verb=verb, table=table.key.table, tag=table.tag, hand=table.hand_no)


# hints


def hint_text(hint: Hint, words: Words, faces: Faces) -> str:
    """The placements in the words of the panel."""
    lines = [words("hint.title", street=hint.hand.street)]
    for number, letters in enumerate(hint.letters, start=1):
        lines.append(words("hint.placement", number=number, places=_places(hint, letters, words, faces)))
        if hint.judged:
            lines.append(_facts(hint, hint.judged[number - 1], words))
    if not hint.judged:
        lines.append(words("hint.unknown"))
    elif len(hint.judged) > 1:
        best, second = hint.judged
        lines.append(_difference(best, second, words))
    if hint.judged:
        lines.append(words("hint.estimated"))
    return "\n".join(lines)


def _places(hint: Hint, letters: str, words: Words, faces: Faces) -> str:
    parts = [
        words("hint.place", row=capital(row_name(row, words)), cards=faces.row(cards))
        for row in ROWS
        if (cards := _cards(hint, letters, row.value))
    ]
    if discards := _cards(hint, letters, DISCARD):
        parts.append(words("hint.discard", cards=faces.row(discards)))
    return " · ".join(parts)


def _cards(hint: Hint, letters: str, letter: str) -> list[Card]:
    assert hint.hand.mine
    held = [card for card in hint.hand.mine.held if card is not None]
    return [card for card, place in zip(held, letters, strict=True) if place == letter]


def _facts(hint: Hint, judged: Judged, words: Words) -> str:
    foul = words.percent(round(100 * judged.foul))
    royalties = words.signed_decimal(judged.royalties, decimals=1)
    if hint.hand.variant.fantasyland is None:
        return words("hint.facts_without_fantasyland", foul=foul, royalties=royalties)
    fantasyland = words.percent(round(100 * judged.fantasyland))
    return words("hint.facts", foul=foul, fantasyland=fantasyland, royalties=royalties)


def _difference(best: Judged, second: Judged, words: Words) -> str:
    """How far the second stays behind, where that is more than the chance of the draw."""
    behind = best.value - second.value
    if behind <= max(CLOSE, CERTAIN * hypot(best.error, second.error)):
        return words("hint.close")
    return words("hint.behind", points=words.decimal(behind, decimals=1))
