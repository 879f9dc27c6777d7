"""What a command was given, held against what it offers.

Discord's clients send only what was offered, but a raw interaction may hold anything, and discord.py passes it on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discord import AppCommandOptionType as Kind
from discord import app_commands

from bot.ui.widgets import Interaction

LARGEST_INTEGER = 2**53
"""Discord's own limit for an integer."""
LONGEST_TEXT = 6000
_GROUPS = (Kind.subcommand.value, Kind.subcommand_group.value)
_IDS = (Kind.user, Kind.channel, Kind.role, Kind.mentionable)


def unfit_option(interaction: Interaction) -> str | None:
    """The name of the first option whose value its command does not offer; None when all may be used."""
    command, data = interaction.command, interaction.data
    if not isinstance(command, app_commands.Command) or data is None:
        return None  # a command that is not known is answered as such
    offered = {parameter.display_name: parameter for parameter in command.parameters}
    given: Any = data.get("options") or ()
    resolved: Any = data.get("resolved") or {}
    channels = resolved.get("channels") or {}
    for name, value in _given(given):
        if name in offered and not _fits(value, offered[name]):
            return name
        if name in offered and offered[name].type is Kind.channel and value not in channels:
            return name  # Discord tells nothing of it: there is no such channel, or it cannot be seen
    return None


def _given(options: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    for option in options:
        if option.get("type") in _GROUPS:
            yield from _given(option.get("options") or ())
        else:
            yield option["name"], option.get("value")


def _fits(value: Any, offered: app_commands.Parameter) -> bool:
    if offered.type is Kind.integer:
        return type(value) is int and _within(value, offered, limit=LARGEST_INTEGER) and _is_choice(value, offered)
    if offered.type is Kind.string:
        return _is_text(value) and _within(len(value), offered, limit=LONGEST_TEXT) and _is_choice(value, offered)
    if offered.type is Kind.boolean:
        return isinstance(value, bool)
    if offered.type in _IDS:
        return isinstance(value, str) and value.isascii() and value.isdigit()
    return True


def _is_text(value: Any) -> bool:
    """True for text that can be written as UTF-8: half of a surrogate pair cannot."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _within(size: int, offered: app_commands.Parameter, *, limit: int) -> bool:
    least = -limit if offered.min_value is None else offered.min_value
    most = limit if offered.max_value is None else offered.max_value
    return least <= size <= most


def _is_choice(value: str | int, offered: app_commands.Parameter) -> bool:
    return not offered.choices or value in [choice.value for choice in offered.choices]
