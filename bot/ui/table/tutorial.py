"""The tutorial hand: five streets with fixed cards, and where a newcomer is in it. Pure; it knows no table.

Where somebody is stands in the buttons: the street, and the draft of its cards. The board before a street follows from
the lessons, because nobody goes on before the cards lie as the lesson wants them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.model.ids import TableId
from bot.ofc.cards import EMPTY, Card, RowCards, parse_cards
from bot.ofc.placement import place
from bot.ofc.presets import PINEAPPLE
from bot.ui.custom_ids import Draft, Press
from bot.ui.table.sketch import Sketch, sound

GAME = PINEAPPLE
VERB = "learn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One street and its one thought."""

    key: str
    """Its sentences stand under this name."""
    cards: tuple[Card, ...]
    answers: tuple[str, ...]
    """The placements that are right; the first is shown to those who ask."""
    reasons: tuple[str, ...]
    """For each card the name of the sentence that says where it belongs, and why."""


LESSONS = (
    Lesson(
        key="rows",
        cards=parse_cards("Ah7s9hQd4h"),
        answers=("BMBFB",),
        reasons=("hearts", "seven", "hearts", "queen", "hearts"),
    ),
    Lesson(
        key="foul",
        cards=parse_cards("Kc2sKs"),
        answers=("MDM",),
        reasons=("kings", "deuce", "kings"),
    ),
    Lesson(
        key="royalties",
        cards=parse_cards("7dJh5c"),
        answers=("MBD",),
        reasons=("two_pair", "fourth_heart", "five"),
    ),
    Lesson(
        key="discard",
        cards=parse_cards("Kd2h3d"),
        answers=("DBM",),
        reasons=("third_king", "flush", "three"),
    ),
    Lesson(
        key="fantasyland",
        cards=parse_cards("8sQc5d"),
        answers=("FFD", "DFF"),
        reasons=("kicker", "second_queen", "kicker"),
    ),
)
END = len(LESSONS) + 1
"""The street of those who are through."""


class Remark(Enum):
    """What was just said of a placement."""

    NOTHING = "nothing"
    WELL = "well"
    """The street before was placed as it should be."""
    SHOWN = "shown"
    """The answer of this street lies there, for those who asked."""
    ASTRAY = "astray"
    """Some cards of this street belong elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Where a newcomer is: on a street with a draft of its cards, or at the end."""

    street: int = 1
    draft: Draft = ()
    """At the end, that of the last street."""
    chosen: int | None = None
    remark: Remark = Remark.NOTHING

    @property
    def lesson(self) -> Lesson:
        """The lesson of the street; at the end the last."""
        return LESSONS[min(self.street, len(LESSONS)) - 1]

    @property
    def sketch(self) -> Sketch:
        """The draft on the board as the lessons before have left it."""
        lesson = self.lesson
        street = GAME.streets[LESSONS.index(lesson)]
        rows = board_before(lesson)
        fits = sound(self.draft, count=street.deal, rows=rows, to_place=street.to_place)
        return Sketch(
            count=street.deal, to_place=street.to_place, rows=rows, draft=self.draft if fits else (), chosen=self.chosen
        )

    @property
    def rows(self) -> RowCards:
        """The board with the draft on it."""
        sketch = self.sketch
        return place(sketch.rows, self.lesson.cards, sketch.letters)[0]

    @property
    def astray(self) -> tuple[int, ...]:
        """The cards that do not lie where the lesson wants them, by their places in the order dealt."""
        answers, letters = self.lesson.answers, self.sketch.letters
        if letters in answers:
            return ()
        return tuple(number for number, letter in enumerate(letters) if letter != answers[0][number])

    def press(self, does: str = "", *, draft: Draft | None = None, chosen: int | None = None) -> Press:
        """A button of this step: what it ``does`` keeps it apart from others that lead to the same."""
        kept = self.sketch.draft if draft is None else draft
        return Press(verb=VERB, table=TableId(0), street=self.street, draft=kept, chosen=chosen, argument=does)


def step_of(press: Press) -> Step:
    """Where a press leads; one that no button of the tutorial carries leads to the nearest step."""
    here = Step(street=min(max(press.street, 1), END), draft=press.draft, chosen=press.chosen)
    if here.street == END:
        return here
    if press.argument == "show":
        return Step(street=here.street, draft=_answer(here.lesson), remark=Remark.SHOWN)
    if press.argument == "next":
        return _after(here, _answer(here.lesson), Remark.NOTHING)
    if press.argument == "end":
        return Step(street=END, draft=_answer(LESSONS[-1]))
    if press.argument != "check" or not here.sketch.complete:
        return here
    if here.astray:
        return Step(street=here.street, draft=here.draft, remark=Remark.ASTRAY)
    return _after(here, here.draft, Remark.WELL)


def board_before(lesson: Lesson) -> RowCards:
    """The board on which a lesson's cards are placed."""
    rows: RowCards = EMPTY
    for earlier in LESSONS[: LESSONS.index(lesson)]:
        rows, _ = place(rows, earlier.cards, earlier.answers[0])
    return rows


def _answer(lesson: Lesson) -> Draft:
    """The lesson's first answer as a draft."""
    return tuple((number, letter) for number, letter in enumerate(lesson.answers[0]) if letter != "D")


def _after(step: Step, draft: Draft, remark: Remark) -> Step:
    """The next street, or the end, which shows the last street as it was placed."""
    street = step.street + 1
    return Step(street=street, draft=draft if street == END else (), remark=remark)
