"""The tutorial hand as a message: one thought, the board, the cards of the street."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from discord import ButtonStyle

from bot.ofc.cards import DISCARD, ROWS
from bot.ofc.placement import OPEN, preview
from bot.text.names import capital, card_text, row_name
from bot.text.words import Words
from bot.ui.common_buttons import NOWHERE, open_table, practise, rules_of
from bot.ui.faces import Faces
from bot.ui.fragments import FOUL_COLOUR, RESULT_COLOUR, TABLE_COLOUR, TURN_COLOUR
from bot.ui.table.boards import Size, board_text, preview_lines, sorted_row
from bot.ui.table.tutorial import END, GAME, LESSONS, Remark, Step
from bot.ui.widgets import Part, Screen, button, rows_of, screen, separator


def tutorial_screen(step: Step, words: Words, faces: Faces) -> Screen:
    """A street of the tutorial, or its end."""
    if step.street == END:
        return _end(step, words, faces)
    colour = FOUL_COLOUR if step.remark is Remark.ASTRAY else TURN_COLOUR if step.sketch.complete else TABLE_COLOUR
    parts: list[str | Part] = [
        _heading(step, words),
        *_said(step, words, faces),
        separator(line=False),
        _board(step, words, faces),
        *(_shown(step, words) if step.remark is Remark.SHOWN else _tried(step, words, faces)),
    ]
    return screen(*parts, colour=colour)


def _tried(step: Step, words: Words, faces: Faces) -> list[str | Part]:
    """What is to be pressed, and all that can be."""
    return [
        separator(line=False),
        _asked(step, words, faces),
        *rows_of(_cards(step, faces)),
        *rows_of(_rows(step, words)),
        *rows_of(_done(step, words)),
        *rows_of([button(step.press("show"), words("tutorial.button.show")), *_past(step, words)]),
    ]


def _shown(step: Step, words: Words) -> list[Part]:
    """The ways on from an answer: there is nothing to place."""
    further = button(step.press("next"), words("tutorial.button.next"), style=ButtonStyle.success)
    return rows_of([further, *_past(step, words)])


def _heading(step: Step, words: Words) -> str:
    lesson = words(f"tutorial.{step.lesson.key}.name")
    title = words("tutorial.title", step=step.street, steps=len(LESSONS), lesson=lesson)
    return f"### {title}\n-# {words('tutorial.private')}" if step.street == 1 else f"### {title}"


def _said(step: Step, words: Words, faces: Faces) -> list[str]:
    """What is to be done and why, or what was wrong in what has been done, or the answer."""
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


def _how_far_off(step: Step, words: Words) -> str:
    astray = len(step.astray)
    if astray == len(step.lesson.cards):
        return words("tutorial.all_astray")
    return words("tutorial.one_astray") if astray == 1 else words("tutorial.some_astray", cards=astray)


def _reasons(step: Step, numbers: Iterable[int], words: Words, faces: Faces) -> list[str]:
    """Why these cards belong where they do, each reason once."""
    lesson, cards = step.lesson, dict[str, list[str]]()
    for number in numbers:
        cards.setdefault(lesson.reasons[number], []).append(faces.card(lesson.cards[number]))
    return [f"- {' '.join(shown)} {words(f'tutorial.{lesson.key}.why.{reason}')}" for reason, shown in cards.items()]


def _board(step: Step, words: Words, faces: Faces) -> str:
    """The rows with their names and what they are worth."""
    front, middle, back = (sorted_row(row) for row in step.rows)
    worth = preview_lines(preview(GAME, step.rows, fantasyland=0), words)
    return board_text((front, middle, back), worth, words, faces, size=Size.LARGE)


def _asked(step: Step, words: Words, faces: Faces) -> str:
    sketch = step.sketch
    card = sketch.next_card
    if step.remark is Remark.ASTRAY:
        return words("tutorial.again")
    if sketch.complete or card is None:
        return words("tutorial.confirm")
    return words("tutorial.tap", card=faces.card(step.lesson.cards[card]))


def _cards(step: Step, faces: Faces) -> list[Part]:
    sketch = step.sketch
    chosen = None if sketch.complete else sketch.next_card
    buttons = []
    for number, (card, letter) in enumerate(zip(step.lesson.cards, sketch.letters, strict=True)):
        mark = "" if letter == OPEN else "✕" if letter == DISCARD else "✓"
        draft, taken = sketch.tap(number)
        buttons.append(
            button(
                step.press(f"card_{number}", draft=draft, chosen=taken),
                f"{card_text(card)} {mark}".strip(),  # in words too, as in the panel
                style=ButtonStyle.primary if number == chosen else ButtonStyle.secondary,
                emoji=faces.emoji(card),
            )
        )
    return buttons


def _rows(step: Step, words: Words) -> list[Part]:
    sketch = step.sketch
    buttons = []
    for row in ROWS:
        room = sketch.room(row.value)
        label = words("button.row", row=capital(row_name(row, words)), filled=row.size - room, size=row.size)
        buttons.append(
            button(
                step.press(f"row_{row.value}", draft=sketch.put(row.value)),
                label,
                style=ButtonStyle.primary,
                disabled=sketch.complete or room <= 0,
            )
        )
    # As at a table: what is learnt here is found there.
    undo = button(step.press("undo", draft=sketch.undone()), words("button.undo"), disabled=not sketch.draft)
    return [*buttons, undo]


def _done(step: Step, words: Words) -> list[Part]:
    """What is done with the cards that have a place."""
    sketch = step.sketch
    return [
        button(step.press("check"), words("button.confirm"), style=ButtonStyle.success, disabled=not sketch.complete),
        button(step.press("clear", draft=()), words("button.clear"), disabled=not sketch.draft),
    ]


def _past(step: Step, words: Words) -> list[Part]:
    """The ways past a street that nobody has to place."""
    return [
        button(step.press("end"), words("tutorial.button.end")),
        rules_of(GAME, words),
    ]


def _end(step: Step, words: Words, faces: Faces) -> Screen:
    """The finished board, what it pays, and where to go from here."""
    royalties = sum(points or 0 for points in preview(GAME, step.rows, fantasyland=0).royalties)
    again = button(NOWHERE.but("learn"), words("tutorial.button.again"))
    parts: list[str | Part] = [
        f"### {words('tutorial.end.title')}",
        _board(step, words, faces),
        words("tutorial.end.text", royalties=royalties),
        *rows_of([practise(words), open_table(words), again]),
    ]
    return screen(*parts, colour=RESULT_COLOUR)
