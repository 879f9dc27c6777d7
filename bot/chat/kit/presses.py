"""Parsing a press: the custom id and values of a component or modal, from the raw interaction."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import discord

from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, MODAL_TEMPLATE, SELECT_TEMPLATE, Press, decode
from bot.chat.kit.widgets import Interaction
from bot.model.ids import TableId

BETWEEN = ","
"""Separator between the values of a modal's field with several choices."""
MAX_ID_LENGTH = 19
"""Maximum digits of a Discord id."""


def parse_press(interaction: Interaction) -> tuple[Press, Sequence[str]] | None:
    """Return the press and values of a component or modal; None for any other interaction.

    The raw interaction is used because discord.py passes a DynamicItem only presses whose custom id is still on the
    message, drops the second press of a double click if the panel was redrawn in between, and forgets modals on
    restart. Screens and forms are created as finished, so that discord.py neither keeps nor listens to them.
    """
    data: Any = interaction.data
    kinds = (discord.InteractionType.component, discord.InteractionType.modal_submit)
    if interaction.type not in kinds or not data:
        return None
    custom_id = str(data.get("custom_id", ""))
    templates = (BUTTON_TEMPLATE, SELECT_TEMPLATE, MODAL_TEMPLATE)
    match = next((found for template in templates if (found := template.fullmatch(custom_id))), None)
    if match is None:
        return Press(verb="", table=TableId(0)), ()  # not one of the bot's ids, so it's treated as an unknown verb
    values = data.get("values") or (_field_texts(data["components"]) if data.get("components") else ())
    # Half a surrogate pair can't be encoded as UTF-8, and so can't be stored.
    return decode(match), tuple(str(value).encode("utf-8", "replace").decode("utf-8") for value in values)


def _field_texts(components: Sequence[Any]) -> Iterator[str]:
    """Yield one text per field of a modal, in order: the typed text or the choices."""
    for component in components:
        if "values" in component:
            yield BETWEEN.join(map(str, component["values"]))
        elif "value" in component:
            yield component["value"] or ""
        yield from _field_texts(component.get("components") or ())
        if "component" in component:
            yield from _field_texts([component["component"]])


def picked_values(value: str) -> list[str]:
    """Return the values of a modal's field with several choices."""
    return [one for one in value.split(BETWEEN) if one]


def parse_ids(values: Sequence[str]) -> list[int]:
    """Return the values that are Discord ids."""
    return [int(value) for value in values if value.isascii() and value.isdigit() and len(value) <= MAX_ID_LENGTH]


def first_picked(value: str, known: Collection[int]) -> int | None:
    """Return the first chosen channel or role that is in ``known``; None if there is none."""
    return next((one for one in parse_ids(picked_values(value)) if one in known), None)
