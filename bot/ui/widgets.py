"""Buttons and selects that survive restarts: DynamicItems, so that discord.py keeps no view in memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.play.model import TableId
from bot.ui.presses import BUTTON_TEMPLATE, SELECT_TEMPLATE, Press, decode

Interaction = discord.Interaction[Any]
BUTTONS_A_ROW = 4
"""Phones wrap the fifth."""


class PressButton(ui.DynamicItem[ui.Button[Any]], template=BUTTON_TEMPLATE):
    """Any button of the bot."""

    def __init__(self, item: ui.Button[Any], press: Press) -> None:
        super().__init__(item)
        self.press = press

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> PressButton:
        """The button that was pressed."""
        assert isinstance(item, ui.Button)
        return cls(item, decode(match))

    async def callback(self, interaction: Interaction) -> None:
        """Nothing: see :func:`pressed`."""


class PressSelect(ui.DynamicItem[ui.Select[Any]], template=SELECT_TEMPLATE):
    """Any select of the bot."""

    def __init__(self, item: ui.Select[Any], press: Press) -> None:
        super().__init__(item)
        self.press = press

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> PressSelect:
        """The select that was used."""
        assert isinstance(item, ui.Select)
        return cls(item, decode(match))

    async def callback(self, interaction: Interaction) -> None:
        """Nothing: see :func:`pressed`."""


def pressed(interaction: Interaction) -> tuple[Press, Sequence[str]] | None:
    """The press and chosen values of an interaction with a component, or None for any other interaction.

    Presses are taken from the raw interaction: discord.py hands a DynamicItem only those whose custom id is still on
    the message, and drops the second press of a double click on a panel that was redrawn in between.
    """
    data: Any = interaction.data
    if interaction.type is not discord.InteractionType.component or not data:
        return None
    custom_id = str(data.get("custom_id", ""))
    match = BUTTON_TEMPLATE.fullmatch(custom_id) or SELECT_TEMPLATE.fullmatch(custom_id)
    if match is None:
        return Press(verb="", table=TableId(0)), ()  # an older version's: it is answered like any unknown verb
    return decode(match), tuple(str(value) for value in data.get("values", ()))


def button(
    press: Press,
    label: str | None,
    *,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: discord.PartialEmoji | str | None = None,
    disabled: bool = False,
) -> PressButton:
    """A button that carries ``press``."""
    item: ui.Button[Any] = ui.Button(label=label, style=style, emoji=emoji, disabled=disabled, custom_id=f"c1:{press}")
    return PressButton(item, press)


def select(
    press: Press, options: list[discord.SelectOption], *, placeholder: str, most: int, disabled: bool = False
) -> PressSelect:
    """A select of up to ``most`` of ``options`` that carries ``press``; choosing none is allowed."""
    item: ui.Select[Any] = ui.Select(
        custom_id=f"s1:{press}",
        options=options,
        placeholder=placeholder[:150],
        min_values=0,
        max_values=min(most, len(options)),
        disabled=disabled,
    )
    return PressSelect(item, press)


def rows_of(buttons: Sequence[PressButton]) -> list[ui.ActionRow[Any]]:
    """The buttons in rows of at most four, evenly filled (five make three and two)."""
    rows = -(-len(buttons) // BUTTONS_A_ROW)
    size = -(-len(buttons) // rows) if rows else 1
    return [ui.ActionRow(*buttons[start : start + size]) for start in range(0, len(buttons), size)]


def screen(*parts: str | ui.Item[Any], colour: int) -> ui.LayoutView:
    """A message of one container; texts become text displays."""
    view = ui.LayoutView(timeout=None)
    items = [ui.TextDisplay(part) if isinstance(part, str) else part for part in parts]
    view.add_item(ui.Container(*items, accent_colour=colour))
    return view


def notice(text: str, *, colour: int) -> ui.LayoutView:
    """A message of one sentence or a few."""
    return screen(text, colour=colour)
