"""The tutorial hand: five streets with fixed cards, and a newcomer's progress through them. It needs no table.

The buttons carry the progress: the street and the draft of its cards. The lessons determine the board before each
street, because a street starts only after the correct placement in the previous one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from discord import ButtonStyle

from bot.chat.kit.custom_ids import Draft, Press
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import (
    FOUL_COLOUR,
    NOWHERE,
    RESULT_COLOUR,
    TABLE_COLOUR,
    TURN_COLOUR,
    open_table,
    practise,
    rules_button,
)
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, separator
from bot.chat.table.screens.boards import Size, board_text, preview_lines, sorted_row
from bot.chat.table.screens.placement_draft import PlacementDraft, sound
from bot.chat.table.screens.placing import card_mark
from bot.model.ids import TableId
from bot.pure.ofc.cards import EMPTY, ROWS, Card, RowCards, parse_cards
from bot.pure.ofc.placement import place, preview
from bot.pure.ofc.presets import PINEAPPLE
from bot.text.cards import card_text, row_name
from bot.text.words import Words, capital

GAME = PINEAPPLE
VERB = "learn"


@dataclass(frozen=True, slots=True, kw_only=True)
class TutorialLesson:
    """One street and its single lesson."""

    key: str
    """Prefix of its sentences' keys."""
    cards: tuple[Card, ...]
    answers: tuple[str, ...]
    """The correct placements. The first is shown on request."""
    reasons: tuple[str, ...]
    """For each card, the key of the sentence explaining its row."""


LESSONS = (
    TutorialLesson(
        key="rows",
        cards=parse_cards("Ah7s9hQd4h"),
        answers=("BMBFB",),
        reasons=("hearts", "seven", "hearts", "queen", "hearts"),
    ),
    TutorialLesson(
        key="foul",
        cards=parse_cards("Kc2sKs"),
        answers=("MDM",),
        reasons=("kings", "deuce", "kings"),
    ),
    TutorialLesson(
        key="royalties",
        cards=parse_cards("7dJh5c"),
        answers=("MBD",),
        reasons=("two_pair", "fourth_heart", "five"),
    ),
    TutorialLesson(
        key="discard",
        cards=parse_cards("Kd2h3d"),
        answers=("DBM",),
        reasons=("third_king", "flush", "three"),
    ),
    TutorialLesson(
        key="fantasyland",
        cards=parse_cards("8sQc5d"),
        answers=("FFD", "DFF"),
        reasons=("kicker", "second_queen", "kicker"),
    ),
)
END = len(LESSONS) + 1
"""Number after the last street, which means that the tutorial is over."""


class Remark(Enum):
    """The feedback on the last placement."""

    NOTHING = "nothing"
    WELL = "well"
    """The previous street was placed correctly."""
    SHOWN = "shown"
    """The answer for this street is shown because the player asked for it."""
    ASTRAY = "astray"
    """Some cards of this street are in the wrong row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TutorialStep:
    """A newcomer's progress: a street with a draft of its cards, or the end."""

    street: int = 1
    draft: Draft = ()
    """The draft of the street's cards; at the end, the one of the last street."""
    chosen: int | None = None
    remark: Remark = Remark.NOTHING

    @property
    def lesson(self) -> TutorialLesson:
        """The street's lesson; at the end, the last one."""
        return LESSONS[min(self.street, len(LESSONS)) - 1]

    @property
    def placement_draft(self) -> PlacementDraft:
        """The draft on the board that the previous lessons lead to."""
        lesson = self.lesson
        street = GAME.streets[LESSONS.index(lesson)]
        rows = board_before(lesson)
        fits = sound(self.draft, count=street.deal, rows=rows, to_place=street.to_place)
        return PlacementDraft(
            count=street.deal, to_place=street.to_place, rows=rows, draft=self.draft if fits else (), chosen=self.chosen
        )

    @property
    def rows(self) -> RowCards:
        """The board with the draft on it."""
        placement_draft = self.placement_draft
        return place(placement_draft.rows, self.lesson.cards, placement_draft.letters)[0]

    @property
    def astray(self) -> tuple[int, ...]:
        """The positions of the misplaced cards, in the order dealt."""
        answers, letters = self.lesson.answers, self.placement_draft.letters
        if letters in answers:
            return ()
        return tuple(number for number, letter in enumerate(letters) if letter != answers[0][number])

    def press(self, does: str = "", *, draft: Draft | None = None, chosen: int | None = None) -> Press:
        """Return the press of a button in this step. ``does`` distinguishes it from others with the same result."""
        kept = self.placement_draft.draft if draft is None else draft
        return Press(verb=VERB, table=TableId(0), street=self.street, draft=kept, chosen=chosen, argument=does)


def parse_step(press: Press) -> TutorialStep:
    """Return the step that a press leads to, or the nearest one if no button of the tutorial carries that press."""
    here = TutorialStep(street=min(max(press.street, 1), END), draft=press.draft, chosen=press.chosen)
    if here.street == END:
        return here
    if press.argument == "show":
        return TutorialStep(street=here.street, draft=_answer(here.lesson), remark=Remark.SHOWN)
    if press.argument == "next":
        return _next_step(here, _answer(here.lesson), Remark.NOTHING)
    if press.argument == "end":
        return TutorialStep(street=END, draft=_answer(LESSONS[-1]))
    if press.argument != "check" or not here.placement_draft.complete:
        return here
    if here.astray:
        return TutorialStep(street=here.street, draft=here.draft, remark=Remark.ASTRAY)
    return _next_step(here, here.draft, Remark.WELL)


def board_before(lesson: TutorialLesson) -> RowCards:
    """Return the board on which a lesson's cards are placed."""
    rows: RowCards = EMPTY
    for earlier in LESSONS[: LESSONS.index(lesson)]:
        rows, _ = place(rows, earlier.cards, earlier.answers[0])
    return rows


def _answer(lesson: TutorialLesson) -> Draft:
    """Return the lesson's first answer as a draft."""
    return tuple((number, letter) for number, letter in enumerate(lesson.answers[0]) if letter != "D")


def _next_step(step: TutorialStep, draft: Draft, remark: Remark) -> TutorialStep:
    """Return the next street, or the end, which shows the last street as placed."""
    street = step.street + 1
    return TutorialStep(street=street, draft=draft if street == END else (), remark=remark)


# The message of the tutorial hand: one lesson, the board, and the cards of the street.


def tutorial_screen(step: TutorialStep, words: Words, faces: Faces) -> Screen:
    """Draw a street of the tutorial, or its end."""
    if step.street == END:
        return _end(step, words, faces)
    colour = (
        FOUL_COLOUR if step.remark is Remark.ASTRAY else TURN_COLOUR if step.placement_draft.complete else TABLE_COLOUR
    )
    parts: list[str | Part] = [
        _heading(step, words),
        *_task_lines(step, words, faces),
        separator(line=False),
        _board(step, words, faces),
        *(_answer_buttons(step, words) if step.remark is Remark.SHOWN else _task_parts(step, words, faces)),
    ]
    return screen(*parts, colour=colour)


def _task_parts(step: TutorialStep, words: Words, faces: Faces) -> list[str | Part]:
    """Return the instruction and all controls."""
    return [
        separator(line=False),
        _asked(step, words, faces),
        *button_rows(_cards(step, words, faces)),
        *button_rows(_rows(step, words)),
        *button_rows(_placed_controls(step, words)),
        *button_rows([button(step.press("show"), words("tutorial.button.show")), *_past(step, words)]),
    ]


def _answer_buttons(step: TutorialStep, words: Words) -> list[Part]:
    """Return the buttons below a shown answer, where there is nothing left to place."""
    further = button(step.press("next"), words("tutorial.button.next"), style=ButtonStyle.success)
    return button_rows([further, *_past(step, words)])


def _heading(step: TutorialStep, words: Words) -> str:
    lesson = words(f"tutorial.{step.lesson.key}.name")
    title = words("tutorial.title", step=step.street, steps=len(LESSONS), lesson=lesson)
    return f"### {title}\n-# {words('tutorial.private')}" if step.street == 1 else f"### {title}"


def _task_lines(step: TutorialStep, words: Words, faces: Faces) -> list[str]:
    """Return the task and its reason, or the mistakes, or the answer."""
    thought = words(f"tutorial.{step.lesson.key}.text")
    match step.remark:
        case Remark.NOTHING:
            return [thought]
        case Remark.WELL:
            return [f"✅ {words(f'tutorial.{LESSONS[step.street - 2].key}.well')}", thought]
        case Remark.ASTRAY:
            return ["\n".join([_how_far_off(step, words), *_reasons(step, step.astray, words, faces)])]
        case Remark.SHOWN:
            every = range(len(step.lesson.cards))
            return ["\n".join([words("tutorial.answer"), *_reasons(step, every, words, faces)])]
        case _:
            assert_never(step.remark)


def _how_far_off(step: TutorialStep, words: Words) -> str:
    astray = len(step.astray)
    if astray == len(step.lesson.cards):
        return words("tutorial.all_astray")
    return words("tutorial.one_astray") if astray == 1 else words("tutorial.some_astray", cards=astray)


def _reasons(step: TutorialStep, numbers: Iterable[int], words: Words, faces: Faces) -> list[str]:
    """Return why these cards belong in their rows, each reason once."""
    lesson, cards = step.lesson, dict[str, list[str]]()
    for number in numbers:
        cards.setdefault(lesson.reasons[number], []).append(faces.card(lesson.cards[number]))
    return [f"- {' '.join(shown)} {words(f'tutorial.{lesson.key}.why.{reason}')}" for reason, shown in cards.items()]


def _board(step: TutorialStep, words: Words, faces: Faces) -> str:
    """Return the rows with their names, hands and royalties so far."""
    front, middle, back = (sorted_row(row) for row in step.rows)
    worth = preview_lines(preview(GAME, step.rows, fantasyland=0), words)
    return board_text((front, middle, back), worth, words, faces, size=Size.LARGE)


def _asked(step: TutorialStep, words: Words, faces: Faces) -> str:
    placement_draft = step.placement_draft
    card = placement_draft.next_card
    if step.remark is Remark.ASTRAY:
        return words("tutorial.again")
    if placement_draft.complete or card is None:
        return words("tutorial.confirm")
    return words("tutorial.tap", card=faces.card(step.lesson.cards[card]))


def _cards(step: TutorialStep, words: Words, faces: Faces) -> list[Part]:
    placement_draft = step.placement_draft
    chosen = None if placement_draft.complete else placement_draft.next_card
    buttons = []
    for number, (card, letter) in enumerate(zip(step.lesson.cards, placement_draft.letters, strict=True)):
        draft, taken = placement_draft.tap(number)
        buttons.append(
            button(
                step.press(f"card_{number}", draft=draft, chosen=taken),
                f"{card_text(card)}{card_mark(letter, words)}",  # with the card's name, as on the panel
                style=ButtonStyle.primary if number == chosen else ButtonStyle.secondary,
                emoji=faces.emoji(card),
            )
        )
    return buttons


def _rows(step: TutorialStep, words: Words) -> list[Part]:
    placement_draft = step.placement_draft
    buttons = []
    for row in ROWS:
        room = placement_draft.room(row.value)
        label = words("button.row", row=capital(row_name(row, words)), filled=row.size - room, size=row.size)
        buttons.append(
            button(
                step.press(f"row_{row.value}", draft=placement_draft.put(row.value)),
                label,
                style=ButtonStyle.primary,
                disabled=placement_draft.complete or room <= 0,
            )
        )
    # These are the same controls as at a table, so players will recognise them.
    undo = button(
        step.press("undo", draft=placement_draft.undone()), words("button.undo"), disabled=not placement_draft.draft
    )
    return [*buttons, undo]


def _placed_controls(step: TutorialStep, words: Words) -> list[Part]:
    """Return the controls for placed cards."""
    placement_draft = step.placement_draft
    return [
        button(
            step.press("check"),
            words("button.confirm"),
            style=ButtonStyle.success,
            disabled=not placement_draft.complete,
        ),
        button(step.press("clear", draft=()), words("button.clear"), disabled=not placement_draft.draft),
    ]


def _past(step: TutorialStep, words: Words) -> list[Part]:
    """Return the buttons that skip the tutorial."""
    return [
        button(step.press("end"), words("tutorial.button.end")),
        rules_button(GAME, words),
    ]


def _end(step: TutorialStep, words: Words, faces: Faces) -> Screen:
    """Draw the finished board, its royalties, and links to what comes next."""
    royalties = sum(points or 0 for points in preview(GAME, step.rows, fantasyland=0).royalties)
    again = button(NOWHERE.but("learn"), words("tutorial.button.again"))
    parts: list[str | Part] = [
        f"### {words('tutorial.end.title')}",
        _board(step, words, faces),
        words("tutorial.end.text", royalties=royalties),
        *button_rows([practise(words), open_table(words), again]),
    ]
    return screen(*parts, colour=RESULT_COLOUR)
