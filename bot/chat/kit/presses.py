"""Reading a press: the custom id and the values of a component or a modal, from the raw interaction."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import discord

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, MODAL_TEMPLATE, SELECT_TEMPLATE, Press, decode
from bot.chat.kit.widgets import Interaction
from bot.model.ids import TableId

BETWEEN = ","
"""What stands between the values of a field of a modal in which several were chosen."""
LONGEST_ID = 19
"""Digits of an id of Discord."""


def pressed(interaction: Interaction) -> tuple[Press, Sequence[str]] | None:
    """The press and chosen or written values of a component or a modal, or None for any other interaction.

    Presses are taken from the raw interaction: discord.py hands a DynamicItem only those whose custom id is still on
    the message, drops the second press of a double click on a panel that was redrawn in between, and forgets modals at
    a restart. So screens and forms are finished when they are made: discord.py then neither keeps nor listens to them.
    """
    data: Any = interaction.data
    kinds = (discord.InteractionType.component, discord.InteractionType.modal_submit)
    if interaction.type not in kinds or not data:
        return None
    custom_id = str(data.get("custom_id", ""))
    templates = (BUTTON_TEMPLATE, SELECT_TEMPLATE, MODAL_TEMPLATE)
    match = next((found for template in templates if (found := template.fullmatch(custom_id))), None)
    if match is None:
        return Press(verb="", table=TableId(0)), ()  # no id of this bot: it is answered like any unknown verb
    values = data.get("values") or (_written(data["components"]) if data.get("components") else ())
    # Half of a surrogate pair cannot be written as UTF-8, and so not be stored.
    return decode(match), tuple(str(value).encode("utf-8", "replace").decode("utf-8") for value in values)


def _written(components: Sequence[Any]) -> Iterator[str]:
    """What was written into the fields of a modal, or chosen in them, in order: one text for each field."""
    for component in components:
        if "values" in component:
            yield BETWEEN.join(map(str, component["values"]))
        elif "value" in component:
            yield component["value"] or ""
        yield from _written(component.get("components") or ())
        if "component" in component:
            yield from _written([component["component"]])


def picked(value: str) -> list[str]:
    """The values of a field of a modal in which several were chosen."""
    return [one for one in value.split(BETWEEN) if one]


def ids_of(values: Sequence[str]) -> list[int]:
    """Those of the chosen values that are ids of Discord."""
    return [int(value) for value in values if value.isascii() and value.isdigit() and len(value) <= LONGEST_ID]


def first_picked(value: str, known: Collection[int]) -> int | None:
    """Return the first choice of a field that picks channels or roles, of those that are ``known``; None for none."""
    return next((one for one in ids_of(picked(value)) if one in known), None)
