"""Forms of choices, declared as rows: up to five fields behind one button, each with how it is drawn and written.

A :class:`ChoiceForm` knows neither the gate nor a use case: ``bot/chat/kit/choosing.py`` asks for it and answers it.
Its rows also answer the menus and switches that stood on a page before it: a message that was posted then still works.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Generic

from discord.ui import Modal

from bot.chat.kit.choice_page import C, Change, PageState, R, press_of, require_fields
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.form_terms import form_terms
from bot.chat.kit.modals import MOST_FIELDS, AnyField, modal
from bot.chat.kit.presses import BETWEEN

Former = Callable[[Press, Sequence[str], PageState[R, C]], str | None]
"""Return what a press on a former control writes into its field; None if nothing was chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRow(Generic[R, C]):
    """One field of a form."""

    fields: tuple[str, ...]
    """The fields of the record that it may change."""
    draw: Callable[[PageState[R, C]], AnyField]
    read: Callable[[str, PageState[R, C]], Change[R]]
    """Returns the change that stores what was entered. Both it and the change may raise ChoiceError or Refused."""
    is_shown: Callable[[PageState[R, C]], bool] = lambda state: True
    former: Mapping[str, Former[R, C]] = field(default_factory=dict)
    """The verbs of the controls that stood for it on a page, each with what its presses write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceForm(Generic[R, C]):
    """A form of choices about a record."""

    of: type[R]
    title: str
    """The key of its title."""
    ask: str
    """Verb of the button that opens it."""
    answer: str
    """Verb of the form."""
    rows: Sequence[FormRow[R, C]]

    def __post_init__(self) -> None:
        if len(self.rows) > MOST_FIELDS:
            raise TypeError(f"{self.title}: Discord takes {MOST_FIELDS} fields")
        for row in self.rows:
            require_fields(self.of, row.fields)

    def shown(self, state: PageState[R, C]) -> list[FormRow[R, C]]:
        """Return the rows that the form has."""
        return [row for row in self.rows if row.is_shown(state)]

    def fields(self, state: PageState[R, C]) -> list[AnyField]:
        """Return the fields as drawn."""
        return [row.draw(state) for row in self.shown(state)]

    def modal(self, state: PageState[R, C], fields: Sequence[AnyField], argument: str = "") -> Modal:
        """Return the form with these fields. Its terms are the fields as they are now, whatever was typed before."""
        press = replace(press_of(self.answer, argument), terms=form_terms(self.fields(state)))
        return modal(press, state.words(self.title), fields)

    def change(self, values: Sequence[str], state: PageState[R, C]) -> Change[R]:
        """Return the change that stores what was entered, field by field. Raises ChoiceError or Refused."""
        changes = [row.read(value, state) for row, value in zip(self.shown(state), values, strict=True)]
        return lambda before: reduce(lambda record, change: change(record), changes, before)

    def former(self) -> Iterator[tuple[str, FormRow[R, C], Former[R, C]]]:
        """Yield the verb of each former control, with its row and with what its presses write."""
        yield from ((verb, row, entered) for row in self.rows for verb, entered in row.former.items())


# What presses on former controls write.


def chosen(press: Press, values: Sequence[str], state: PageState[R, C]) -> str | None:
    """Return the choice of a menu; None if none is left in it."""
    return values[0] if values else None


def picked_all(press: Press, values: Sequence[str], state: PageState[R, C]) -> str:
    """Return all choices of a menu, none as well."""
    return BETWEEN.join(values)


def turned(press: Press, values: Sequence[str], state: PageState[R, C]) -> str:
    """Return whether a switch was turned on."""
    return str(press.hand)


def emptied(press: Press, values: Sequence[str], state: PageState[R, C]) -> str:
    """Return nothing, for a button that took a choice back."""
    return ""
