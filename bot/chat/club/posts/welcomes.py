"""Welcomes: the bot greets each server that it joins once, even if it was offline when it joined."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from enum import Enum

import aiohttp
import discord

from bot.chat.club.screens.hub import welcome_screen
from bot.chat.discord_patches.errors import is_transient
from bot.chat.discord_patches.own_messages import edit
from bot.chat.kit.bot_permissions import NEEDED, missing_in_channel
from bot.chat.kit.found_messages import UNSURE_MS
from bot.chat.kit.posting import post
from bot.model.choices import ServerSettings
from bot.model.ids import GuildId
from bot.play.api.play import Play
from bot.text.words import Words, words_for, words_of_locale

log = logging.getLogger(__name__)

RETRY_SECONDS = 30.0


class WelcomeTime(Enum):
    """The time when servers are greeted."""

    NEVER = "never"
    ONCE = "once"
    EACH_START = "each_start"
    """For the playground, which forgets its messages on each start."""


class Welcomes:
    """Posts the welcomes, one at a time.

    Each is recorded before it's sent, and its message afterwards. If the bot is killed in between, it neither skips a
    server nor greets it twice.
    """

    def __init__(
        self, client: discord.Client, play: Play, *, now_ms: Callable[[], int], welcoming: WelcomeTime
    ) -> None:
        self._client = client
        self._play = play
        self._now = now_ms
        self._welcoming = welcoming
        self._waiting: list[GuildId] = []
        self._known: set[GuildId] = set()
        """Servers that have been checked since the process started."""
        self._greeting: asyncio.Task[None] | None = None

    def greet(self, guild: GuildId) -> None:
        """Queue a check that posts the server's welcome if it hasn't had one."""
        if self._welcoming is WelcomeTime.NEVER or guild in self._known:
            return
        self._known.add(guild)
        self._waiting.append(guild)
        if self._greeting is None or self._greeting.done():
            self._greeting = asyncio.create_task(self._greet_all())

    async def redraw(self, guild: GuildId, server: ServerSettings) -> None:
        """Redraw the welcome after the server's language has changed."""
        found = self._client.get_guild(guild)
        if found is None or server.welcome_channel is None or server.welcome_message is None:
            return
        channel = self._client.get_partial_messageable(server.welcome_channel, guild_id=guild)
        screen = welcome_screen(words_of_server(found, server))
        try:
            await edit(channel.get_partial_message(server.welcome_message), screen)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.debug("the welcome of server %s was not updated: %s", guild, error)

    async def close(self) -> None:
        """Stop greeting servers."""
        if self._greeting is not None:
            self._greeting.cancel()
            await asyncio.gather(self._greeting, return_exceptions=True)

    async def _greet_all(self) -> None:
        while self._waiting:
            guild = self._waiting.pop(0)
            try:
                await self._greet(guild)
            except Exception as error:
                if not is_transient(error):
                    log.exception("the welcome of server %s failed", guild)
                    continue
                log.warning("the welcome of server %s is delayed: %r", guild, error)
                self._waiting.append(guild)
                await asyncio.sleep(RETRY_SECONDS)

    async def _greet(self, guild: GuildId) -> None:
        found, server = self._client.get_guild(guild), await self._play.server(guild)
        if self._welcoming is WelcomeTime.EACH_START:
            server = replace(server, welcomed_at=None, welcome_channel=None, welcome_message=None)
        channel = None if found is None or self._had(server) else _place(self._client, found, server)
        if found is None or channel is None:
            return
        if server.welcomed_at is None:
            await self._note(guild, at=self._now(), channel=channel, message=None)
        there = self._client.get_partial_messageable(channel, guild_id=guild)
        try:
            message = await post(there, welcome_screen(words_of_server(found, server)), "welcome", guild)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("the welcome of server %s was refused: %s", guild, error)
            await self._note(guild, at=None, channel=None, message=None)
            return
        await self._note(guild, at=self._now(), channel=channel, message=message.id)

    def _had(self, server: ServerSettings) -> bool:
        """True if the server has had its welcome, or may have had it and would risk getting a second one."""
        if server.welcomed_at is None:
            return False
        return server.welcome_message is not None or self._now() - server.welcomed_at > UNSURE_MS

    async def _note(self, guild: GuildId, *, at: int | None, channel: int | None, message: int | None) -> None:
        await self._play.choose_for_server(
            guild,
            lambda before: replace(before, welcomed_at=at, welcome_channel=channel, welcome_message=message),
        )


def _place(client: discord.Client, guild: discord.Guild, server: ServerSettings) -> int | None:
    """Return the recorded channel for the welcome, the system channel, or the first channel that the bot can use."""
    if server.welcome_channel is not None:
        return server.welcome_channel
    channels = [channel for channel in (guild.system_channel, *guild.text_channels) if channel is not None]
    return next((channel.id for channel in channels if not missing_in_channel(client, channel.id, *NEEDED)), None)


def words_of_server(guild: discord.Guild, server: ServerSettings) -> Words:
    """Return the words for public messages that no user triggered."""
    # Discord reports American English for servers that haven't chosen a language.
    words = words_for(server.language) if server.language else words_of_locale(str(guild.preferred_locale))
    return words.aloud if server.in_words else words
