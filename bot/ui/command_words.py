"""Descriptions of slash commands, and the names of their options: Discord gets English, and every other language
through the translator.
"""

from __future__ import annotations

import discord
from discord import app_commands

from bot.text.languages import ENGLISH, language_of
from bot.text.words import Words, words_for


def described(key: str) -> app_commands.locale_str:
    """The description ``command.<key>`` of ``data/text``, at most 100 characters."""
    return app_commands.locale_str(words_for(ENGLISH.code)(f"command.{key}"), key=f"command.{key}")


def named(key: str) -> app_commands.locale_str:
    """Any sentence of ``data/text`` as the name of a choice."""
    return app_commands.locale_str(words_for(ENGLISH.code)(key), key=key)


def option_name(option: str, words: Words) -> str:
    """What a reader sees an option called."""
    return words(f"option_name.{option}")


_READ_AS = {locale: language_of(str(locale)) for locale in discord.Locale}
"""discord.py asks for every sentence in every locale, ten thousand times at each start."""


class CommandTranslator(app_commands.Translator):
    """Translates what was made with :func:`described` and :func:`named`, and the names of options.

    Names of commands stay as they are: people tell them to each other in every language.
    """

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The sentence in the locale's language, or None for locales that read the English one."""
        key, language = string.extras.get("key"), _READ_AS[locale]
        if key is None and context.location is app_commands.TranslationContextLocation.parameter_name:
            key = f"option_name.{string.message}"
        return None if key is None or language is ENGLISH else words_for(language.code)(key)
