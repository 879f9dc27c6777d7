"""Pages of choices, declared as rows. Each row shows a value, offers alternatives, and stores the choice.

A :class:`ChoicePage` draws itself and turns presses on its rows into changes to a record. It's independent of the gate
and the use cases. ``bot/chat/kit/choosing.py`` handles the presses. To add a choice, add a row and the sentences that
it names.
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
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, section, select
from bot.model.ids import TableId
from bot.text.words import Words

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")
"""The record that the choices change."""
C = TypeVar("C")
"""The context: data that a page shows in addition to its record."""


class ChoiceError(Exception):
    """A choice that can't be stored. ``key`` names the sentence with the reason."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key, self.values = key, values


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState(Generic[R, C]):
    """The state that a page is drawn from."""

    record: R
    context: C
    words: Words
    """The player's words."""
    problem: str = ""
    """The reason that the last choice was refused; empty if it wasn't."""
    mark: str = ""
    """Suffix for the ids of menus drawn after a refusal, so that they differ from those of the pressed menus."""


Change = Callable[[R], R]
"""A change to the record, run inside the transaction that writes it. If it raises ChoiceError, nothing is written."""
Reader = Callable[[Press, Sequence[str], Words], "Change[R] | None"]
"""Return the change chosen by a press; None if the choice is empty or not on offer. May raise ChoiceError."""
Text = Callable[[PageState[R, C]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceRow(Generic[R, C]):
    """A row of a page. The base class has a text and no control."""

    text: str | Text[R, C] = ""
    """The key of the row's sentence, or a function that writes it. If it's empty, the row has only its control."""
    fields: tuple[str, ...] = ()
    """The record's fields that a press may change."""
    is_shown: Callable[[PageState[R, C]], bool] = lambda state: True
    argument: str = ""
    """Distinguishes rows that share a verb."""

    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        """Return the drawn row."""
        said = self.said(state)
        return [said] if said else []

    def said(self, state: PageState[R, C]) -> str:
        """Return the row's sentence."""
        if callable(self.text):
            return self.text(state)
        return state.words(self.text) if self.text else ""

    def readers(self) -> Mapping[str, Reader[R]]:
        """Return the readers of the row's presses, by verb; empty if they are handled elsewhere."""
        return {}

    def stored(self, record: R) -> Any:
        """Return the value of the row's only field."""
        return getattr(record, self.fields[0])

    def storing(self, value: object) -> Change[R]:
        """Return the change that sets the row's only field."""
        return lambda before: replace(before, **{self.fields[0]: value})


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonRow(ChoiceRow[R, C]):
    """A sentence with a button that opens another screen."""

    verb: str
    label: str

    @override
    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        return [section(self.said(state), button(build_press(self.verb, self.argument), state.words(self.label)))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(ChoiceRow[R, C]):
    """The sentence ``key.on`` or ``key.off``, with the button ``key.turn_off`` or ``key.turn_on``.

    Without a field, ``is_on`` returns the state and ``write`` stores a press. If there is no ``write`` either, the
    presses are handled elsewhere.
    """

    verb: str
    key: str
    is_on: Callable[[PageState[R, C]], bool] | None = None
    write: Callable[[R, bool], R] | None = None

    @override
    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        on = bool(self.stored(state.record)) if self.is_on is None else self.is_on(state)
        turn = replace(build_press(self.verb, self.argument), hand=int(not on))
        label = state.words(f"{self.key}.turn_{'off' if on else 'on'}")
        return [section(state.words(f"{self.key}.{'on' if on else 'off'}"), button(turn, label))]

    @override
    def readers(self) -> Mapping[str, Reader[R]]:
        write = self.write
        if write is not None:
            return {self.verb: lambda press, values, words: lambda before: write(before, bool(press.hand))}
        return {self.verb: lambda press, values, words: self.storing(bool(press.hand))} if self.fields else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative(ChoiceRow[R, C]):
    """A choice between an enum's two members: the sentence ``key.member``, with the button ``key.to_other``."""

    verb: str
    key: str
    among: type[Enum]

    @override
    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        now = self.stored(state.record)
        (other,) = (member for member in self.among if member is not now)
        turn = button(build_press(self.verb, other.value), state.words(f"{self.key}.to_{other.value}"))
        return [section(state.words(f"{self.key}.{now.value}"), turn)]

    @override
    def readers(self) -> Mapping[str, Reader[R]]:
        def read(press: Press, values: Sequence[str], words: Words) -> Change[R] | None:
            chosen = next((member for member in self.among if member.value == press.argument), None)
            return None if chosen is None else self.storing(chosen)

        return {self.verb: read}


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu(ChoiceRow[R, C]):
    """A menu of ``values``. ``holds`` returns the current one, and ``write`` stores another."""

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
        # A client keeps showing the last choice in a menu whose id hasn't changed.
        press = build_press(self.verb, as_argument(now) + state.mark)
        return [*ChoiceRow.parts(self, state), select(press, options, placeholder=words(self.placeholder))]

    @override
    def readers(self) -> Mapping[str, Reader[R]]:
        def read(press: Press, values: Sequence[str], words: Words) -> Change[R] | None:
            chosen = next((value for value in values if value in self.values), None)
            return None if chosen is None else lambda before: self.write(before, chosen)

        return {self.verb: read}


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedRow(ChoiceRow[R, C]):
    """A sentence and a button that asks for one line: ``key.form_title``, ``key.form_field``, ``key.form_hint``."""

    verb: str
    """Verb of the button."""
    answer: str
    """Verb of the form."""
    key: str
    label: str
    value: Callable[[PageState[R, C]], str]
    """The initial text of the form."""
    most: int
    meant: Callable[[str, Words], Change[R]]
    """Parse the entered line; raises ChoiceError or Refused."""
    optional: bool = False
    """True if an empty line is a valid value."""

    @override
    def parts(self, state: PageState[R, C]) -> list[str | Part]:
        return [section(self.said(state), button(build_press(self.verb), state.words(self.label)))]

    @override
    def readers(self) -> Mapping[str, Reader[R]]:
        return {self.answer: lambda press, values, words: self.meant("".join(values[:1]).strip(), words)}

    def form(self, state: PageState[R, C]) -> Modal:
        """Return the form that asks for the line."""
        label, hint = state.words(f"{self.key}.form_field"), state.words(f"{self.key}.form_hint")
        field = FormField(label=label, value=self.value(state), hint=hint, most=self.most, optional=self.optional)
        return modal(build_press(self.answer), state.words(f"{self.key}.form_title"), [field])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicePage(Generic[R, C]):
    """A page of choices about a record."""

    of: type[R]
    key: str
    """Prefix of the keys ``key.title`` and ``key.hint`` at the top of the page."""
    rows: Sequence[ChoiceRow[R, C]]
    buttons: Callable[[PageState[R, C]], Sequence[Part]] = lambda state: ()
    """The buttons below all rows."""
    colour: int = QUIET_COLOUR

    def __post_init__(self) -> None:
        for row in self.rows:
            require_fields(self.of, row.fields)

    def screen(self, state: PageState[R, C]) -> Screen:
        """Return the drawn page."""
        words = state.words
        head = f"### {words(f'{self.key}.title')}\n{words(f'{self.key}.hint')}"
        rows = [part for row in self.rows if row.is_shown(state) for part in row.parts(state)]
        problem = [state.problem] if state.problem else []
        return screen(head, *problem, *rows, *button_rows(self.buttons(state)), colour=self.colour)

    def readers(self) -> dict[str, dict[str, Reader[R]]]:
        """Return the readers of presses, by verb and then by the argument of rows that share it."""
        by_verb: dict[str, dict[str, Reader[R]]] = {}
        for row in self.rows:
            for verb, reader in row.readers().items():
                by_verb.setdefault(verb, {})[row.argument] = reader
        return by_verb


REFUSED = "-"


def mark_after(press: Press) -> str:
    """Return the mark for menus drawn after ``press`` was refused. It differs from the pressed menu's mark."""
    return "" if press.argument.endswith(REFUSED) else REFUSED


def require_fields(record: type[DataclassInstance], names: Sequence[str]) -> None:
    """Raise TypeError if a name isn't a field of the record, so that a wrong declaration fails on import."""
    unknown = {*names} - {field.name for field in fields(record)}
    if unknown:
        raise TypeError(f"{record.__name__} has no field {', '.join(sorted(unknown))}")


def build_press(verb: str, argument: str = "") -> Press:
    """Return a press without a table."""
    return Press(verb=verb, table=TableId(0), argument=argument)
