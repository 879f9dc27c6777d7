"""Pages of choices, declared as rows: each row says what holds, what can be chosen instead and how that is written.

A :class:`ChoicePage` draws itself and reads the presses of its rows as changes of a record. It knows neither the gate
nor a use case: ``bot/chat/kit/choosing.py`` answers the presses. A new choice is one more row, and the sentences it
names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from discord import SelectOption
from discord.ui import Modal
from typing_extensions import override

from bot.chat.kit.custom_ids import Press, as_argument
from bot.chat.kit.fragments import QUIET_COLOUR
from bot.chat.kit.modals import FormField, modal
from bot.chat.kit.widgets import Part, Screen, button, rows_of, screen, section, select
from bot.model.ids import TableId
from bot.text.words import Words

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")
"""The record that the choices change."""
C = TypeVar("C")
"""The context: what a page shows beside its record."""


class ChoiceError(Exception):
    """A choice that can't be kept. ``key`` names the sentence that says why."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key, self.values = key, values


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState(Generic[R, C]):
    """The state that a page is drawn from."""

    record: R
    context: C
    words: Words
    """The reader's."""
    problem: str = ""
    """Why the last choice was refused; empty if it wasn't."""
    mark: str = ""
    """Ends the ids of menus drawn after a refusal, so that they differ from those in which it was chosen."""


Change = Callable[[R], R]
"""A choice. It runs inside the transaction that writes it, on the record as it is then; ChoiceError writes nothing."""
Reader = Callable[[Press, Sequence[str], Words], "Change[R] | None"]
"""Reads the choice of a press; None if nothing was chosen, or nothing on offer. It may raise ChoiceError too."""
Text = Callable[[PageState[R, C]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Generic[R, C]):
    """A row of a page. The base has a text and nothing to choose."""

    text: str | Text[R, C] = ""
    """The key of its sentence, or a function that writes it. A row without one has its control alone."""
    fields: tuple[str, ...] = ()
    """The fields of the record that its press may change."""
    is_shown: Callable[[PageState[R, C]], bool] = lambda state: True
    argument: str = ""
    """Tells rows apart that share a verb."""

    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        """Return the row as drawn."""
        said = self.said(state)
        return [said] if said else []

    def said(self, state: PageState[R, C]) -> str:
        """Return its sentence."""
        if callable(self.text):
            return self.text(state)
        return state.words(self.text) if self.text else ""

    def readers(self) -> Mapping[str, Reader[R]]:
        """Return how its presses are read, by verb. A row whose press is answered elsewhere has none."""
        return {}

    def stored(self, record: R) -> Any:
        """Return the value of its only field."""
        return getattr(record, self.fields[0])

    def storing(self, value: object) -> Change[R]:
        """Return the change that sets its only field."""
        return lambda before: replace(before, **{self.fields[0]: value})


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonRow(Row[R, C]):
    """A sentence with a button that leads elsewhere."""

    verb: str
    label: str

    @override
    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        return [section(self.said(state), button(press_of(self.verb, self.argument), state.words(self.label)))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(Row[R, C]):
    """The sentence ``key.on`` or ``key.off``, with the button ``key.turn_off`` or ``key.turn_on``.

    Without a field, ``is_on`` says whether it's on and ``write`` stores a press; if there is no ``write`` either, its
    press is answered elsewhere.
    """

    verb: str
    key: str
    is_on: Callable[[PageState[R, C]], bool] | None = None
    write: Callable[[R, bool], R] | None = None

    @override
    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        on = bool(self.stored(state.record)) if self.is_on is None else self.is_on(state)
        turn = replace(press_of(self.verb, self.argument), hand=int(not on))
        label = state.words(f"{self.key}.turn_{'off' if on else 'on'}")
        return [section(state.words(f"{self.key}.{'on' if on else 'off'}"), button(turn, label))]

    @override
    def readers(self) -> Mapping[str, Reader[R]]:
        write = self.write
        if write is not None:
            return {self.verb: lambda press, values, words: lambda before: write(before, bool(press.hand))}
        return {self.verb: lambda press, values, words: self.storing(bool(press.hand))} if self.fields else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative(Row[R, C]):
    """One of an enum's two members, told by ``key.member``, with the button ``key.to_other``."""

    verb: str
    key: str
    among: type[Enum]

    @override
    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        now = self.stored(state.record)
        (other,) = (member for member in self.among if member is not now)
        turn = button(press_of(self.verb, other.value), state.words(f"{self.key}.to_{other.value}"))
        return [section(state.words(f"{self.key}.{now.value}"), turn)]

    @override
    def readers(self) -> Mapping[str, Reader[R]]:
        def read(press: Press, values: Sequence[str], words: Words) -> Change[R] | None:
            chosen = next((member for member in self.among if member.value == press.argument), None)
            return None if chosen is None else self.storing(chosen)

        return {self.verb: read}


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu(Row[R, C]):
    """A menu of ``values``: ``holds`` says which of them holds, and ``write`` stores another."""

    verb: str
    placeholder: str
    values: Sequence[str]
    label: Callable[[str, Words], str]
    description: Callable[[str, Words], str | None] = lambda value, words: None
    holds: Callable[[R], str]
    write: Callable[[R, str], R]

    @override
    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        now, words = self.holds(state.record), state.words
        options = [
            SelectOption(
                label=self.label(value, words)[:100],
                value=value,
                description=self.description(value, words),
                default=value == now,
            )
            for value in self.values
        ]
        # A client keeps the last choice of a menu whose id stays the same.
        press = press_of(self.verb, as_argument(now) + state.mark)
        return [*Row.parts(self, state), select(press, options, placeholder=words(self.placeholder))]

    @override
    def readers(self) -> Mapping[str, Reader[R]]:
        def read(press: Press, values: Sequence[str], words: Words) -> Change[R] | None:
            chosen = next((value for value in values if value in self.values), None)
            return None if chosen is None else lambda before: self.write(before, chosen)

        return {self.verb: read}


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedRow(Row[R, C]):
    """A sentence and a button that asks for one line: ``key.form_title``, ``key.form_field``, ``key.form_hint``."""

    verb: str
    """Verb of the button."""
    answer: str
    """Verb of the form."""
    key: str
    label: str
    value: Callable[[PageState[R, C]], str]
    """The text that the form begins with."""
    most: int
    meant: Callable[[str, Words], Change[R]]
    """Reads the line; raises ChoiceError or Refused."""

    @override
    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        return [section(self.said(state), button(press_of(self.verb), state.words(self.label)))]

    @override
    def readers(self) -> Mapping[str, Reader[R]]:
        return {self.answer: lambda press, values, words: self.meant("".join(values[:1]).strip(), words)}

    def form(self, state: PageState[R, C]) -> Modal:
        """Return the form that asks for the line."""
        label, hint = state.words(f"{self.key}.form_field"), state.words(f"{self.key}.form_hint")
        field = FormField(label=label, value=self.value(state), hint=hint, most=self.most)
        return modal(press_of(self.answer), state.words(f"{self.key}.form_title"), [field])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicePage(Generic[R, C]):
    """A page of choices about a record."""

    of: type[R]
    key: str
    """``key.title`` and ``key.hint`` head the page."""
    rows: Sequence[Row[R, C]]
    buttons: Callable[[PageState[R, C]], Sequence[Part]] = lambda state: ()
    """The buttons below all rows."""
    colour: int = QUIET_COLOUR

    def __post_init__(self) -> None:
        for row in self.rows:
            require_fields(self.of, row.fields)

    def screen(self, state: PageState[R, C]) -> Screen:
        """Return the page as drawn."""
        words = state.words
        head = f"### {words(f'{self.key}.title')}\n{words(f'{self.key}.hint')}"
        rows = [part for row in self.rows if row.is_shown(state) for part in row.parts(state)]
        problem = [state.problem] if state.problem else []
        return screen(head, *problem, *rows, *rows_of(self.buttons(state)), colour=self.colour)

    def readers(self) -> dict[str, dict[str, Reader[R]]]:
        """Return how presses are read, by verb and then by the argument of rows that share it."""
        by_verb: dict[str, dict[str, Reader[R]]] = {}
        for row in self.rows:
            for verb, reader in row.readers().items():
                by_verb.setdefault(verb, {})[row.argument] = reader
        return by_verb


REFUSED = "-"


def mark_after(press: Press) -> str:
    """Return the mark of menus drawn after the refusal of a press: one that the pressed menu didn't have."""
    return "" if press.argument.endswith(REFUSED) else REFUSED


def require_fields(record: type[DataclassInstance], names: Sequence[str]) -> None:
    """Raise TypeError for a name that isn't a field of the record: a mistake in a declaration ends the import."""
    unknown = {*names} - {field.name for field in fields(record)}
    if unknown:
        raise TypeError(f"{record.__name__} has no field {', '.join(sorted(unknown))}")


def press_of(verb: str, argument: str = "") -> Press:
    """Return a press that speaks of no table."""
    return Press(verb=verb, table=TableId(0), argument=argument)
