"""A hand that is tried again: the panel on cards of the past, and how the try compares.

Where somebody is stands in the buttons: the decision from which they try, and what they have placed since. So a try
goes on after a restart, as long as the hand itself can be read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from discord import ButtonStyle

from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.play.look.looking_back import PastHand
from bot.play.look.retry import Retry
from bot.play.look.views import TableView
from bot.text.words import Words
from bot.ui.custom_ids import Draft, Press
from bot.ui.faces import Faces
from bot.ui.fragments import RESULT_COLOUR
from bot.ui.table.boards import Size, board_text, foul_reason, hands_of, sorted_row
from bot.ui.table.panel import Panel, panel_screen
from bot.ui.table.placing import BY_RANK
from bot.ui.widgets import Part, Screen, button, rows_of, screen, text

PREFIX = "try_"
"""Verbs of a panel, of one that tries again."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LETTERS = "FMBD"


@dataclass(frozen=True, kw_only=True)
class RetryPanel(Panel):
    """The panel of a try."""

    retry: Retry

    @cached_property
    def press(self) -> Press:
        """What every control of this panel carries beside where the try stands."""
        press = press_of(self.retry.past, PREFIX)
        return replace(press, draft=self.sketch.draft, chosen=self.sketch.next_card)

    def control(self, verb: str, argument: str = "") -> str:
        """The controls of a panel with what they need, and where the try stands behind it."""
        return super().control(PREFIX + verb, f"{argument}-{state_of(self.retry)}")


def retry_panel(retry: Retry, *, draft: Draft = (), chosen: int | None = None, sort: str = BY_RANK) -> RetryPanel:
    """The panel on which the next decision of a try is made."""
    return RetryPanel(view=seen_then(retry.past, retry), retry=retry, draft=draft, chosen=chosen, sort=sort or BY_RANK)


def seen_then(past: PastHand, retry: Retry) -> TableView:
    """The table as if the decision were to be made now."""
    table = replace(past.table, state=TableState.PLAYING, hand_no=past.hand_no)
    return TableView(
        table=table, places=(), hand=retry.view, next_hand_at=None, lobby_until=None, you=past.player, event=None
    )


def state_of(retry: Retry) -> str:
    """Where a try stands, in a few letters of a custom id."""
    number = 1
    for letter in "".join(retry.letters):
        number = number * len(_LETTERS) + _LETTERS.index(letter)
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return _DIGITS[retry.start] + digits


def retry_of(past: PastHand, argument: str) -> tuple[str, Retry]:
    """What a press of a try says beside its state, and the try; raises Stale for one that is none."""
    said, _, state = argument.rpartition("-")
    if len(state) < 2 or set(state) - set(_DIGITS):
        raise Stale
    number, letters = int(state[1:], len(_DIGITS)), ""
    while number >= len(_LETTERS):
        number, letter = divmod(number, len(_LETTERS))
        letters = _LETTERS[letter] + letters
    retry = Retry(past=past, start=_DIGITS.index(state[0]), letters=_split(past, _DIGITS.index(state[0]), letters))
    retry.check()
    return said, retry


def _split(past: PastHand, start: int, letters: str) -> tuple[str, ...]:
    """Letters in one row, apart by the decisions that they were placed in."""
    found = []
    for moment in past.moments[start:]:
        if letters and moment.view.mine:
            count = len(moment.view.mine.held)
            found.append(letters[:count])
            letters = letters[count:]
    if letters:
        raise Stale
    return tuple(found)


def retry_screen(panel: RetryPanel, words: Words, faces: Faces) -> Screen:
    """The panel, with what it is above it and the way out below."""
    heading = f"### {words('review.retry.title')}\n{words('review.retry.note')}"
    drawn = panel_screen(panel, words, faces)
    return Screen((text(heading), *drawn.parts, *rows_of([_back(panel.retry, words)])))


def retried_screen(retry: Retry, words: Words, faces: Faces) -> Screen:
    """The board that was made, what it wins and what the hand has come to."""
    past, score = retry.past, retry.score
    front, middle, back = map(sorted_row, retry.rows)
    rows = (front, middle, back)
    hands = hands_of(rows, past.end.variant, words)
    parts: list[str | Part] = [
        f"### {words('review.retry.title')}",
        board_text(rows, hands, words, faces, size=Size.LARGE),
        *(
            [words("review.foul", why=foul_reason(past.end.variant, rows, words))]
            if score.boards[past.seat].foul
            else []
        ),
        _compared(retry, words),
        *rows_of([_again(retry, words), _back(retry, words)]),
    ]
    return screen(*parts, colour=RESULT_COLOUR)


def _compared(retry: Retry, words: Words) -> str:
    past, score = retry.past, retry.score
    assert past.end.score
    told = words(
        "review.retry.points",
        points=words.signed(score.points[past.seat]),
        before=words.signed(past.end.score.points[past.seat]),
    )
    count = score.boards[past.seat].next_fantasyland
    return f"{told}\n{words('review.retry.fantasyland', count=count)}" if count else told


def press_of(past: PastHand, verb: str, *, street: int = 0) -> Press:
    """A press that speaks of this hand."""
    return Press(verb=verb, table=past.table.key.table, tag=past.table.tag, hand=past.hand_no, street=street)


def _again(retry: Retry, words: Words) -> Part:
    press = press_of(retry.past, "retry", street=retry.start + 1)
    return button(press, words("review.retry.again"), style=ButtonStyle.primary)


def _back(retry: Retry, words: Words) -> Part:
    return button(press_of(retry.past, "reviewed", street=retry.start + 1), words("review.retry.back"))
