"""Descriptions of slash commands: Discord gets English, and Japanese through the translator."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.text.words import language_of, words_for


def described(key: str) -> app_commands.locale_str:
    """The description ``command.<key>`` of ``data/text``, at most 100 characters."""
    return app_commands.locale_str(words_for("en")(f"command.{key}"), key=f"command.{key}")


def named(key: str) -> app_commands.locale_str:
    """Any sentence of ``data/text`` as the name of a choice."""
    return app_commands.locale_str(words_for("en")(key), key=key)


class CommandTranslator(app_commands.Translator):
    """Translates what was made with :func:`described` and :func:`named`; leaves names of commands alone."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The Japanese sentence, or None for languages that read the English one."""
        key = string.extras.get("key")
        if key is None or language_of(str(locale)) == "en":
            return None
        return words_for(language_of(str(locale)))(key)
