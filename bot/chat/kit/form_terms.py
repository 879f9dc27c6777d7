"""The terms of a form: a digest of what it showed, with which a form that is out of date is refused."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import shown_value
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormPick
from bot.chat.kit.presses import BETWEEN, picked
from bot.play import terms as terms_of
from bot.text.words import Words


def form_terms(fields: Sequence[AnyField]) -> str:
    """Return the terms of a form that shows these fields."""
    return terms_of.of_form([untouched(field) for field in fields])


def untouched(field: AnyField) -> str:
    """Return what a field sends if nobody changes it."""
    match field:
        case FormField():
            return field.value
        case FormChoice():
            return BETWEEN.join(option.value for option in field.options if option.default)
        case FormPick():
            return BETWEEN.join(map(str, field.chosen))
        case _:
            return ""


def overtaken(press: Press, fields: Sequence[AnyField], values: Sequence[str], words: Words) -> str:
    """Return why a form can't be saved that showed other values than there are now; empty if it showed these.

    ``fields`` are as they are now. The sentence names those of them that differ from what was entered.
    """
    if not press.terms or press.terms == form_terms(fields):
        return ""
    now = [
        words("gate.form_now", field=field.label, value=shown_value(field, untouched(field)))
        for field, value in zip(fields, values, strict=True)
        if sorted(picked(untouched(field))) != sorted(picked(value))
    ]
    return "\n".join([words("gate.form_overtaken"), *now])
