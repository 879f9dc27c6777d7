"""Ends of seasons: each is posted once, and its champions get their role.

The previous champions lose the role. If Discord refuses a step, the others are still carried out, and the refusal is
logged, recorded and shown to the managers.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import discord
from typing_extensions import override

from bot.base.logs import note
from bot.chat.club.posts.champion_roles import ChampionRoles
from bot.chat.club.posts.welcomes import words_of_server
from bot.chat.club.screens.leaderboard import SEASON_PICTURE, end_in_words, end_picture, end_pictured, season_end_screen
from bot.chat.kit.bot_permissions import NEEDED, Permission, missing_in_channel
from bot.chat.kit.found_messages import find_sent
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.posting import post
from bot.chat.kit.scheduled_poster import PosterContext, ScheduledPoster
from bot.model.ids import GuildId, make_tag
from bot.play.bank.seasons import SeasonEnd
from bot.text.words import Words

log = logging.getLogger(__name__)

Ended = tuple[GuildId, int]
"""A server and a season's number."""


class SeasonEnds(ScheduledPoster[Ended]):
    """Announces the ends of seasons. Each has its own task, which ends once it has been announced."""

    def __init__(self, context: PosterContext) -> None:
        super().__init__(context)
        self._roles = ChampionRoles(self.play.server, self.names)

    @override
    def _name(self, ended: Ended) -> str:
        return f"the end of season {ended[0]}/{ended[1]}"

    @override
    async def _due(self) -> list[Ended]:
        return await self.bank.untold_seasons()

    @override
    async def _see_to(self, ended: Ended) -> bool:
        guild, number = ended
        note(guild=guild)
        end, found = await self.bank.season_end(guild, number), self.client.get_guild(guild)
        if end is None or found is None:
            return False
        role_missed = not await self._hand_roles_over(found, end)
        post_missed = not await self._post(found, end)
        await self.bank.season_told(guild, number, role_missed=role_missed, post_missed=post_missed)
        return True

    # roles

    async def _hand_roles_over(self, guild: discord.Guild, end: SeasonEnd) -> bool:
        """Take the role from the previous champions and give it to the new ones; False if Discord refuses."""
        return await self._roles.pass_on(
            guild,
            role=end.season.role,
            by=end.season.role_by,
            champions=end.champions,
            former_role=end.former_role,
            former=end.former,
        )

    # the post

    async def _post(self, guild: discord.Guild, end: SeasonEnd) -> bool:
        """Post the end in the channel that the server has chosen for it; False if that isn't possible."""
        channel = end.season.channel
        if channel is None:
            return True
        if missing_in_channel(self.client, channel, *NEEDED):
            log.warning(
                "the end of a season in server %s was not posted: %s", guild.id, "the bot lacks a permission there"
            )
            return False
        words = words_of_server(guild, await self.play.server(GuildId(guild.id)))
        where = self.client.get_partial_messageable(channel, guild_id=guild.id)
        number, began = end.season.number, end.season.sending_at
        tag = make_tag(f"season {number}", end.season.ended_at or 0, str(guild.id))
        if began is not None and (await find_sent(self.client, where, tag, since=began, now=self.now()) is not None):
            return True
        drawn, told = await self._draw(guild, end, words)
        screen = season_end_screen(end, GuildId(guild.id), self.names, words, picture=told, tag=tag)
        screen = with_user_names(screen, self.names, GuildId(guild.id), words)
        await self.bank.season_sending(GuildId(guild.id), number)
        try:
            what = ("season", guild.id, number)
            await post(where, screen, *what, attached=(SEASON_PICTURE, drawn) if drawn else None)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("the end of a season in server %s was not posted: %s", guild.id, error)
            return False
        return True

    async def _draw(self, guild: discord.Guild, end: SeasonEnd, words: Words) -> tuple[bytes, str]:
        """Return the picture and its description; both empty if the lines are shown as text."""
        server, channel = GuildId(guild.id), end.season.channel or 0
        if missing_in_channel(self.client, channel, Permission.ATTACH_FILES):
            return b"", ""
        for _, line in end.listed:
            if not self.names.plain(server, line.player, words):
                await self._roles.member(guild, line.player)
        if not end.listed or not end_pictured(end, server, self.names, words):
            return b"", ""
        drawn = partial(end_picture, end, server, self.names, words)
        picture = await asyncio.get_running_loop().run_in_executor(None, drawn)
        return picture, end_in_words(end, server, self.names, words)
