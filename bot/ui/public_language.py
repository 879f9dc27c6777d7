"""The language of what everybody reads: tables, calls, results, events. What one person reads is in theirs."""

from __future__ import annotations

import discord

from bot.model.choices import Server
from bot.text.languages import Language, language_of
from bot.ui.widgets import Interaction


def public_language(interaction: Interaction, server: Server) -> Language:
    """The language of what everybody sees: the server's where one was chosen, otherwise that of who begins it."""
    guild, told = interaction.guild, interaction.guild_locale
    # Only Community servers tell Discord a language; it reports American English for all the others.
    community = guild is not None and "COMMUNITY" in guild.features
    known = community or told not in (None, discord.Locale.american_english)
    return language_of(server.language or str(told if known else interaction.locale))
