"""Forms: the fields of a modal, and the modal with these fields."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, assert_never

import discord
from discord import ui

from bot.chat.kit.custom_ids import Press
from bot.chat.kit.widgets import WRITTEN_IN

MAX_FIELDS = 5
"""Maximum number of fields that Discord allows in a modal."""
MAX_RADIOS = 10
"""Maximum number of options that Discord allows as radio buttons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """A text field of a modal."""

    label: str
    value: str = ""
    most: int = 100
    long: bool = False
    hint: str = ""
    optional: bool = False
    """True if an empty field is a valid value."""
    required: bool = False
    """True for a long field that must be filled in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormChoice:
    """A field for choosing options. The current choices are the options marked as default."""

    label: str
    options: Sequence[discord.SelectOption]
    hint: str = ""
    several: bool = False
    """True if any number of options may be chosen, including none."""
    optional: bool = False
    """True if the choice may be empty."""


class PickKind(Enum):
    """Kinds of things that are chosen from a server's complete list."""

    CHANNEL = "channel"
    ROLE = "role"
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPick:
    """A field for choosing channels, a role or a member of the server."""

    label: str
    kind: PickKind
    chosen: Sequence[int] = ()
    hint: str = ""
    most: int = 1
    kinds: Sequence[int] = WRITTEN_IN
    """For channels, Discord's channel types."""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FormFile:
    """A field for an optional file. Its value is Discord's id of the file."""

    label: str
    hint: str = ""


AnyField = FormField | FormChoice | FormPick | FormFile


def still_known(chosen: int | None, known: Collection[int]) -> list[int]:
    """Return the chosen ids for a :class:`FormPick`; empty if the channel or role was deleted."""
    return [chosen] if chosen is not None and chosen in known else []


def modal(press: Press, title: str, fields: Sequence[AnyField], *, said: str = "") -> ui.Modal:
    """Return a form with ``press`` as its custom id. Submitting it returns one value per field.

    ``said`` is shown above the fields.
    """
    form = ui.Modal(title=title[:45], custom_id=f"m1:{press}", timeout=None)
    if said:
        form.add_item(ui.TextDisplay(said))
    for field in fields:
        form.add_item(ui.Label(text=field.label[:45], description=field.hint[:100] or None, component=_control(field)))
    form.stop()
    return form


def _control(field: AnyField) -> ui.Item[Any]:
    match field:
        case FormField():
            return ui.TextInput(
                style=discord.TextStyle.paragraph if field.long else discord.TextStyle.short,
                default=field.value or None,
                max_length=field.most,
                required=field.required or not (field.long or field.optional),
            )
        case FormChoice():
            return _choice(field)
        case FormPick():
            return _pick(field)
        case FormFile():
            return ui.FileUpload(required=False, min_values=0, max_values=1)
    assert_never(field)


def _choice(field: FormChoice) -> ui.Item[Any]:
    """Return radio buttons if Discord allows that many; otherwise a menu."""
    options = list(field.options)
    if field.several:
        boxes = [
            discord.CheckboxGroupOption(
                label=one.label, value=one.value, description=one.description, default=one.default
            )
            for one in options
        ]
        return ui.CheckboxGroup(options=boxes, min_values=0, max_values=len(boxes), required=False)
    if 1 < len(options) <= MAX_RADIOS:
        radios = [
            discord.RadioGroupOption(label=one.label, value=one.value, description=one.description, default=one.default)
            for one in options
        ]
        return ui.RadioGroup(options=radios, required=not field.optional)
    return ui.Select(options=options, required=not field.optional, min_values=int(not field.optional))


def _pick(field: FormPick) -> ui.Item[Any]:
    least, chosen = int(not field.optional), field.chosen[: field.most]
    kind = discord.SelectDefaultValueType(field.kind.value)
    values = [discord.SelectDefaultValue(id=one, type=kind) for one in chosen]
    if field.kind is PickKind.USER:
        return ui.UserSelect(
            required=not field.optional, min_values=least, max_values=field.most, default_values=values
        )
    if field.kind is PickKind.ROLE:
        return ui.RoleSelect(
            required=not field.optional, min_values=least, max_values=field.most, default_values=values
        )
    return ui.ChannelSelect(
        channel_types=[discord.ChannelType(kind) for kind in field.kinds],
        required=not field.optional,
        min_values=least,
        max_values=field.most,
        default_values=values,
    )
