"""The option ``do`` of commands: a button of the screen that the command shows, by its label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.ui.typed_press import LABEL_LENGTH
from bot.ui.widgets import Interaction

if TYPE_CHECKING:
    DoOption = str
else:
    DoOption = app_commands.Range[str, 0, LABEL_LENGTH]


def typed_number(interaction: Interaction, option: str = "table") -> int | None:
    """The number that is typed in another option already; None for none."""
    number = getattr(interaction.namespace, option, None)
    return number if isinstance(number, int) else None
