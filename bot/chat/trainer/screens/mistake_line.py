"""The line about the largest mistake of a hand, on its player's own panel until they have placed the next cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.chat.kit.faces import Faces
from bot.chat.kit.widgets import Part, button, button_rows, text
from bot.chat.trainer.screens.mistakes import about_mistake
from bot.model.ids import Player, TableKey
from bot.model.tables import TableState
from bot.play.queries.views import TableView
from bot.play.trainer.mistake_views import MistakeLine
from bot.text.words import Words

LineOf = Callable[[TableKey, int, Player], MistakeLine | None]
"""Returns a player's largest mistake in a hand, if it's known. It reads nothing, so it costs a panel nothing."""


def mistake_note(line_of: LineOf, view: TableView, words: Words, faces: Faces) -> Sequence[Part]:
    """Return the line and its buttons; nothing if the hand had no clear mistake or isn't reviewed yet."""
    hand_no = _last_hand(view)
    if view.you is None or not hand_no or not faces.member_settings.mistake_line:
        return []
    line = line_of(view.table.key, hand_no, view.you)
    if line is None:
        return []
    look = button(about_mistake(line.name, "look"), words("mistakes.line.look"))
    hide = button(about_mistake(line.name, "quiet"), words("mistakes.line.hide"))
    return [text(f"-# {line_text(line, words, faces)}"), *button_rows([look, hide])]


def _last_hand(view: TableView) -> int:
    """Return the number of the hand that ended last; 0 once the next one has reached its second street."""
    if view.table.state is not TableState.PLAYING:
        return view.table.hand_no
    return view.table.hand_no - 1 if view.hand is not None and view.hand.street <= 1 else 0


def line_text(line: MistakeLine, words: Words, faces: Faces) -> str:
    """Return ``Street 3: K♠ in the middle was 1.4 points better.``"""
    points = words.decimal(line.lost, decimals=1)
    if not line.better:
        return words("mistakes.line.whole", points=points)
    better = [words(f"mistakes.line.{letter.lower()}", cards=faces.row(cards)) for letter, cards in line.better]
    street = words("review.street", street=line.street)
    return words("mistakes.line.street", street=street, better=words.list(better), points=points)
