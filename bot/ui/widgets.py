"""Buttons and selects that survive restarts: what they carry stands in their custom ids, and no view is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from bot.play.model import TableId
from bot.ui.presses import BUTTON_TEMPLATE, MODAL_TEMPLATE, SELECT_TEMPLATE, Press, decode

Interaction = discord.Interaction[Any]
BUTTONS_A_ROW = 4
"""Phones wrap the fifth."""


class PressButton(ui.Button[Any]):
    """Any button of the bot."""

    press: Press


class PressSelect(ui.Select[Any]):
    """Any select of the bot."""

    press: Press


def pressed(interaction: Interaction) -> tuple[Press, Sequence[str]] | None:
    """The press and chosen or written values of a component or a modal, or None for any other interaction.

    Presses are taken from the raw interaction: discord.py hands a DynamicItem only those whose custom id is still on
    the message, drops the second press of a double click on a panel that was redrawn in between, and forgets modals at
    a restart. So views and forms are stopped when they are made: discord.py then neither keeps nor listens to them.
    """
    data: Any = interaction.data
    kinds = (discord.InteractionType.component, discord.InteractionType.modal_submit)
    if interaction.type not in kinds or not data:
        return None
    custom_id = str(data.get("custom_id", ""))
    templates = (BUTTON_TEMPLATE, SELECT_TEMPLATE, MODAL_TEMPLATE)
    match = next((found for template in templates if (found := template.fullmatch(custom_id))), None)
    if match is None:
        return Press(verb="", table=TableId(0)), ()  # an older version's: it is answered like any unknown verb
    values = data.get("values") or _written(data.get("components") or ())
    # Half of a surrogate pair cannot be written as UTF-8, and so not be stored.
    return decode(match), tuple(str(value).encode("utf-8", "replace").decode("utf-8") for value in values)


def _written(components: Sequence[Any]) -> Iterator[str]:
    """What was written into the fields of a modal, in order."""
    for component in components:
        if "value" in component:
            yield component["value"]
        yield from _written(component.get("components") or ())
        if "component" in component:
            yield from _written([component["component"]])


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field of a modal."""

    label: str
    value: str = ""
    most: int = 100
    long: bool = False
    hint: str = ""
    optional: bool = False
    """True where an empty field says something."""


def modal(press: Press, title: str, fields: Sequence[FormField]) -> ui.Modal:
    """A form that carries ``press``; what is written comes back as its values."""
    form = ui.Modal(title=title[:45], custom_id=f"m1:{press}", timeout=None)
    for field in fields:
        style = discord.TextStyle.paragraph if field.long else discord.TextStyle.short
        text: ui.TextInput[Any] = ui.TextInput(
            style=style,
            default=field.value or None,
            max_length=field.most,
            required=not (field.long or field.optional),
        )
        form.add_item(ui.Label(text=field.label[:45], description=field.hint[:100] or None, component=text))
    form.stop()
    return form


def button(
    press: Press,
    label: str | None,
    *,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: discord.PartialEmoji | str | None = None,
    disabled: bool = False,
) -> PressButton:
    """A button that carries ``press``."""
    item = PressButton(label=label, style=style, emoji=emoji, disabled=disabled, custom_id=f"c1:{press}")
    item.press = press
    return item


def select(
    press: Press, options: list[discord.SelectOption], *, placeholder: str, most: int, disabled: bool = False
) -> PressSelect:
    """A select of up to ``most`` of ``options`` that carries ``press``; choosing none is allowed."""
    item = PressSelect(
        custom_id=f"s1:{press}",
        options=options,
        placeholder=placeholder[:150],
        min_values=0,
        max_values=min(most, len(options)),
        disabled=disabled,
    )
    item.press = press
    return item


def rows_of(buttons: Sequence[PressButton]) -> list[ui.ActionRow[Any]]:
    """The buttons in rows of at most four, evenly filled (five make three and two)."""
    rows = -(-len(buttons) // BUTTONS_A_ROW)
    size = -(-len(buttons) // rows) if rows else 1
    return [ui.ActionRow(*buttons[start : start + size]) for start in range(0, len(buttons), size)]


def apart(blocks: Sequence[str]) -> list[str | ui.Item[Any]]:
    """Blocks of text with room between them."""
    parts: list[str | ui.Item[Any]] = []
    for block in blocks:
        parts += [ui.Separator(visible=False), block] if parts else [block]
    return parts


def screen(*parts: str | ui.Item[Any], colour: int) -> ui.LayoutView:
    """A message of one container; texts become text displays."""
    view = ui.LayoutView(timeout=None)
    items = [ui.TextDisplay(part) if isinstance(part, str) else part for part in parts]
    view.add_item(ui.Container(*items, accent_colour=colour))
    # discord.py would keep a private view and a timer for 15 minutes, and build each pressed message's view anew.
    view.stop()
    return view


def notice(text: str, *, colour: int) -> ui.LayoutView:
    """A message of one sentence or a few."""
    return screen(text, colour=colour)
