"""Forms of choices, declared as rows. A button opens up to five fields, each with its own drawing and parsing.

A :class:`ChoiceForm` is independent of the gate and the use cases. ``bot/chat/kit/choosing.py`` opens it and handles
the answers. Its rows also handle the menus and switches that they replaced, so that older messages still work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Generic

from discord.ui import Modal

from bot.chat.kit.choice_page import C, Change, PageState, R, build_press, require_fields
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.form_terms import form_terms
from bot.chat.kit.modals import MAX_FIELDS, AnyField, modal
from bot.chat.kit.presses import BETWEEN

Former = Callable[[Press, Sequence[str], PageState[R, C]], str | None]
"""Return the field's value for a press on a former control; None if nothing was chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRow(Generic[R, C]):
    """One field of a form."""

    fields: tuple[str, ...]
    """The record's fields that the row may change."""
    draw: Callable[[PageState[R, C]], AnyField]
    read: Callable[[str, PageState[R, C]], Change[R]]
    """Return the change that stores the entered value. Both may raise ChoiceError or Refused."""
    is_shown: Callable[[PageState[R, C]], bool] = lambda state: True
    former: Mapping[str, Former[R, C]] = field(default_factory=dict)
    """Verbs of the controls that the row replaced, each with the function that handles its presses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceForm(Generic[R, C]):
    """A form of choices about a record."""

    of: type[R]
    title: str
    """Key of the title."""
    ask: str
    """Verb of the button that opens the form."""
    answer: str
    """Verb of the form."""
    rows: Sequence[FormRow[R, C]]

    def __post_init__(self) -> None:
        if len(self.rows) > MAX_FIELDS:
            raise TypeError(f"{self.title}: Discord takes {MAX_FIELDS} fields")
        for row in self.rows:
            require_fields(self.of, row.fields)

    def shown(self, state: PageState[R, C]) -> list[FormRow[R, C]]:
        """Return the rows that the form shows."""
        return [row for row in self.rows if row.is_shown(state)]

    def fields(self, state: PageState[R, C]) -> list[AnyField]:
        """Return the drawn fields."""
        return [row.draw(state) for row in self.shown(state)]

    def modal(self, state: PageState[R, C], fields: Sequence[AnyField], argument: str = "") -> Modal:
        """Return the form with ``fields``. Its terms are a digest of the current values, not of ones typed earlier."""
        press = replace(build_press(self.answer, argument), terms=form_terms(self.fields(state)))
        return modal(press, state.words(self.title), fields)

    def change(self, values: Sequence[str], state: PageState[R, C]) -> Change[R]:
        """Return the change that stores all entered values, in order. Raises ChoiceError or Refused."""
        changes = [row.read(value, state) for row, value in zip(self.shown(state), values, strict=True)]
        return lambda before: reduce(lambda record, change: change(record), changes, before)

    def former(self) -> Iterator[tuple[str, FormRow[R, C], Former[R, C]]]:
        """Yield the verb of each former control, with its row and the function that handles its presses."""
        yield from ((verb, row, entered) for row in self.rows for verb, entered in row.former.items())


# Field values for presses on former controls.


def chosen(press: Press, values: Sequence[str], state: PageState[R, C]) -> str | None:
    """Return the choice of a menu; None if it was cleared."""
    return values[0] if values else None


def picked_all(press: Press, values: Sequence[str], state: PageState[R, C]) -> str:
    """Return all choices of a menu; empty if there are none."""
    return BETWEEN.join(values)


def switch_value(press: Press, values: Sequence[str], state: PageState[R, C]) -> str:
    """Return ``"1"`` if a switch was turned on, otherwise ``"0"``."""
    return str(press.hand)


def empty_value(press: Press, values: Sequence[str], state: PageState[R, C]) -> str:
    """Return an empty value, for a button that cleared a choice."""
    return ""
