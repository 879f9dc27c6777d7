"""Channels for announcing that an event was cancelled because its own channel was deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord

from bot.chat.kit.bot_permissions import NEEDED, missing_in_channel
from bot.chat.kit.permissions_here import seen_by_all
from bot.model.bank import BankTerms
from bot.model.choices import ServerSettings
from bot.model.events import Event
from bot.model.ids import GuildId


class SpareChannels:
    """Finds channels whose readers may know about an event that has lost its channel."""

    def __init__(
        self,
        client: discord.Client,
        server: Callable[[GuildId], Awaitable[ServerSettings]],
        terms: Callable[[GuildId], Awaitable[BankTerms]],
    ) -> None:
        self._client = client
        self._server = server
        self._terms = terms
        self._public: set[int] = set()
        """Deleted channels that everyone on their server could see."""

    def deleted(self, channel: object) -> None:
        """Record that a channel or thread was deleted; ``channel`` is None for an uncached thread."""
        if seen_by_all(channel) and isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            self._public.add(channel.id)

    async def of(self, event: Event) -> list[int]:
        """Return the remaining channels, best first.

        Players read the event's other channels. If everyone could see the deleted one, the server's table channels, its
        welcome channel and Discord's system channel are options too. The managers' log always is.
        """
        guild = self._client.get_guild(event.key.guild)
        if guild is None:
            return []
        server, terms = await self._server(event.key.guild), await self._terms(event.key.guild)
        chosen: list[int | None] = [*event.structure.channels]
        if event.channel in self._public:
            system = None if guild.system_channel is None else guild.system_channel.id
            chosen += [*server.channels, server.welcome_channel, system]
        chosen.append(terms.audit_channel)
        found = dict.fromkeys(one for one in chosen if one is not None and one != event.channel)
        known = [one for one in found if guild.get_channel_or_thread(one) is not None]
        return [one for one in known if not missing_in_channel(self._client, one, *NEEDED)]
