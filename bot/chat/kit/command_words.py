"""Descriptions of slash commands and names of their options. Discord is sent English and all translations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import discord
from discord import AppCommandOptionType as BulletinKind
from discord import app_commands
from typing_extensions import override

from bot.chat.kit.widgets import Interaction
from bot.text.languages import ENGLISH, language_of
from bot.text.words import Words, words_for


def description_for(key: str) -> app_commands.locale_str:
    """Return the description ``command.<key>`` of ``data/text``, at most 100 characters."""
    return app_commands.locale_str(words_for(ENGLISH.code)(f"command.{key}"), key=f"command.{key}")


def choice_name(key: str) -> app_commands.locale_str:
    """Return a sentence from ``data/text`` as the name of a choice."""
    return app_commands.locale_str(words_for(ENGLISH.code)(key), key=key)


def option_name(option: str, words: Words) -> str:
    """Return an option's name in the player's language."""
    return words(f"option_name.{option}")


_READ_AS = {locale: language_of(str(locale)) for locale in discord.Locale}
"""Cached because discord.py asks for every sentence in every locale, which means ten thousand lookups per start."""


class CommandTranslator(app_commands.Translator):
    """Translates texts made with :func:`description_for` and :func:`choice_name`, and the names of options.

    Names of commands aren't translated, because players mention them to each other in every language.
    """

    @override
    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return the sentence in the locale's language; None for locales that use English."""
        key, language = string.extras.get("key"), _READ_AS[locale]
        if key is None and context.location is app_commands.TranslationContextLocation.parameter_name:
            key = f"option_name.{string.message}"
        return None if key is None or language is ENGLISH else words_for(language.code)(key)


# Validation of a command's options.
#
# Discord's clients send only offered values, but a raw interaction may contain anything, and discord.py passes it on.

MAX_INTEGER = 2**53
"""Discord's own limit for an integer."""
MAX_STRING_LENGTH = 6000
_GROUPS = (BulletinKind.subcommand.value, BulletinKind.subcommand_group.value)
_IDS = (BulletinKind.user, BulletinKind.channel, BulletinKind.role, BulletinKind.mentionable)


def unfit_option(interaction: Interaction) -> str | None:
    """Return the name of the first option whose value the command doesn't offer; None if all are valid."""
    command, data = interaction.command, interaction.data
    if not isinstance(command, app_commands.Command) or data is None:
        return None  # unknown commands have their own response
    offered = {parameter.display_name: parameter for parameter in command.parameters}
    given: Any = data.get("options") or ()
    resolved: Any = data.get("resolved") or {}
    channels: Mapping[str, Any] = resolved.get("channels") or {}
    for name, value in _given(given):
        if name in offered and not (_fits(value, offered[name]) and _is_known(value, offered[name], channels)):
            return name
    return None


def _given(options: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    for option in options:
        if option.get("type") in _GROUPS:
            yield from _given(option.get("options") or ())
        else:
            yield option["name"], option.get("value")


def _fits(value: Any, offered: app_commands.Parameter) -> bool:
    if offered.type is BulletinKind.integer:
        return type(value) is int and _within(value, offered, limit=MAX_INTEGER) and _is_choice(value, offered)
    if offered.type is BulletinKind.string:
        return _is_text(value) and _within(len(value), offered, limit=MAX_STRING_LENGTH) and _is_choice(value, offered)
    if offered.type is BulletinKind.boolean:
        return isinstance(value, bool)
    if offered.type in _IDS:
        return isinstance(value, str) and value.isascii() and value.isdigit()
    return True


def _is_known(value: Any, offered: app_commands.Parameter, channels: Mapping[str, Any]) -> bool:
    """False for a channel that has the wrong type or wasn't sent with the interaction."""
    if offered.type is not BulletinKind.channel:
        return True
    kinds = {kind.value for kind in offered.channel_types}
    return value in channels and (not kinds or channels[value].get("type") in kinds)


def _is_text(value: Any) -> bool:
    """True for text that UTF-8 can encode, so not for half a surrogate pair."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _within(size: int, offered: app_commands.Parameter, *, limit: int) -> bool:
    least = -limit if offered.min_value is None else offered.min_value
    most = limit if offered.max_value is None else offered.max_value
    return least <= size <= most


def _is_choice(value: str | int, offered: app_commands.Parameter) -> bool:
    return not offered.choices or value in [choice.value for choice in offered.choices]
