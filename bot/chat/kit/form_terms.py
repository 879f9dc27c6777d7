"""The terms of a form: a digest of the values it showed, so that an outdated form can be refused."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import shown_value
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormPick
from bot.chat.kit.presses import BETWEEN, picked_values
from bot.play import terms as terms_of
from bot.text.words import Words


def form_terms(fields: Sequence[AnyField]) -> str:
    """Return the terms of a form that shows ``fields``."""
    return terms_of.of_form([unchanged_value(field) for field in fields])


def unchanged_value(field: AnyField) -> str:
    """Return the value that a field sends if it isn't changed."""
    match field:
        case FormField():
            return field.value
        case FormChoice():
            return BETWEEN.join(option.value for option in field.options if option.default)
        case FormPick():
            return BETWEEN.join(map(str, field.chosen))
        case _:
            return ""


class FormOutdatedError(Exception):
    """A form showed outdated values. ``said`` lists the current values that differ from those entered."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


def require_current(press: Press, fields: Sequence[AnyField], values: Sequence[str], words: Words) -> None:
    """Raise FormOutdatedError if the values that the form showed differ from the current ``fields``.

    Call this in the transaction that writes the form. Otherwise, two forms submitted concurrently would both pass.
    """
    if not press.terms or press.terms == form_terms(fields):
        return
    now = [
        words("gate.form_now", field=field.label, value=shown_value(field, unchanged_value(field)))
        for field, value in zip(fields, values, strict=True)
        if sorted(picked_values(unchanged_value(field))) != sorted(picked_values(value))
    ]
    raise FormOutdatedError("\n".join([words("gate.form_overtaken"), *now]))
