"""Bulletins: the morning post and the weekly recap, each posted once at its scheduled hour.

A bulletin is recorded before it's posted and again afterwards. If the bot was killed in between, it searches the
channel for the tag in the bulletin's button. Bulletins have the lowest priority among requests to Discord, so tables
always come first. If a bulletin is too late by then, it's skipped.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from typing import Protocol

import discord
from typing_extensions import override

from bot.base.logs import note
from bot.chat.club.posts.welcomes import words_of_server
from bot.chat.club.screens.posts.morning import morning_screen
from bot.chat.club.screens.posts.recap import RECAP_PICTURE, build_drawing, people_drawn, recap_post
from bot.chat.discord_patches.governor import important
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.added_parts import AddedParts
from bot.chat.kit.bot_permissions import Permission, missing_in_channel, needed_in
from bot.chat.kit.faces import Faces
from bot.chat.kit.found_messages import find_sent
from bot.chat.kit.kept_messages import UNKNOWN_CHANNEL
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.permissions_here import seen_by_readers
from bot.chat.kit.posting import post
from bot.chat.kit.scheduled_poster import PosterContext, ScheduledPoster
from bot.chat.kit.text_only import WORDS_ALONE, aloud
from bot.chat.kit.widgets import Screen
from bot.chat.table.posts.result_posts import learn_names
from bot.model.bulletins import WEEK_DAYS, Bulletin, BulletinKind, Recap
from bot.model.choices import ServerSettings
from bot.model.clock import DAY, MINUTE
from bot.model.events import Event
from bot.model.ids import GuildId, make_tag
from bot.text.words import Words

log = logging.getLogger(__name__)

AGAIN_MS = 10 * MINUTE
"""Delay before retrying a failed post."""

_Whose = tuple[GuildId, BulletinKind]
_Shown = tuple[Screen, tuple[str, bytes] | None]
"""The post, with the name and bytes of its picture."""


class MorningPart(Protocol):
    """A part of the morning post that another feature adds."""

    async def parts(
        self, guild: GuildId, bulletin: Bulletin, at: int, words: Words, faces: Faces, *, open_channels: Collection[int]
    ) -> AddedParts | None:
        """Return what the post for hour ``at`` shows, the same each time; None if there is nothing."""
        ...


class BulletinPosts(ScheduledPoster[_Whose]):
    """Posts the bulletins that are due. Each has its own task, which ends once it has been posted."""

    def __init__(self, context: PosterContext, morning_part: MorningPart | None = None) -> None:
        super().__init__(context)
        self._morning_part = morning_part
        self._again: dict[_Whose, int] = {}
        """When to retry bulletins that Discord has refused (ms)."""

    @override
    def _name(self, whose: _Whose) -> str:
        return f"the {whose[1].value} post of server {whose[0]}"

    @override
    async def _due(self) -> list[_Whose]:
        now = self.now()
        self._again = {whose: at for whose, at in self._again.items() if at > now}
        return [
            (guild, bulletin.kind)
            for guild, bulletin in await self.bulletins.every()
            if (guild, bulletin.kind) not in self._again and bulletin.due(now) is not None
        ]

    @override
    async def _see_to(self, whose: _Whose) -> bool:
        guild, kind = whose
        note(guild=guild)
        bulletin, found = await self.bulletins.of(guild, kind), self.client.get_guild(guild)
        at = bulletin.due(self.now())
        if at is None or bulletin.channel is None or found is None:
            return False
        if lacking := missing_in_channel(self.client, bulletin.channel, *needed_in(self._place(bulletin))):
            log.info("the %s post of server %s is delayed: %s", kind.value, guild, [one.value for one in lacking])
            self._again[whose] = self.now() + AGAIN_MS
            return False
        with important(Importance.CLEANUP):
            try:
                return await self._post(found, bulletin, bulletin.channel, at)
            except (discord.Forbidden, discord.NotFound) as error:
                await self._handle_refusal(guild, bulletin, error)
                return False
            except discord.HTTPException:
                # The queue retries temporary errors. The delay keeps permanent ones from being retried too often.
                self._again[whose] = self.now() + AGAIN_MS
                raise

    async def _post(self, found: discord.Guild, bulletin: Bulletin, place: int, at: int) -> bool:
        guild, kind = GuildId(found.id), bulletin.kind
        channel, tag = self.client.get_partial_messageable(place, guild_id=guild), _tag(guild, kind, at)
        if bulletin.sending > bulletin.told:
            # An earlier process may have sent this post, or one of a past day that nothing else has followed.
            earlier = bulletin.sending
            told = _tag(guild, kind, earlier)
            if await find_sent(self.client, channel, told, since=earlier, now=self.now()) is not None:
                await self.bulletins.mark_posted(guild, kind, earlier)
                bulletin = await self.bulletins.of(guild, kind)
                if bulletin.due(self.now()) != at:
                    return True
        server = await self.play.server(guild)
        make = self._morning if kind is BulletinKind.MORNING else self._recap
        shown = await make(found, server, bulletin, at, tag)
        if shown is None:
            await self.bulletins.mark_posted(guild, kind, at)
            return False
        if not await self.bulletins.begin(guild, bulletin, at):
            return False
        screen, picture = shown
        screen = with_user_names(screen, self.faces.names, guild, words_of_server(found, server))
        await post(channel, screen, "bulletin", guild, kind.value, at, attached=picture)
        await self.bulletins.mark_posted(guild, kind, at)
        return True

    async def _handle_refusal(self, guild: GuildId, bulletin: Bulletin, error: discord.HTTPException) -> None:
        """Turn a bulletin off if its channel is gone. After any other refusal, retry it later."""
        log.warning("the %s post of server %s was refused: %s", bulletin.kind.value, guild, error)
        if error.code != UNKNOWN_CHANNEL:
            self._again[guild, bulletin.kind] = self.now() + AGAIN_MS
            return
        await self.bulletins.turn_off(guild, bulletin)

    def _place(self, bulletin: Bulletin) -> object:
        return self.client.get_channel(bulletin.channel or 0)

    # the two bulletins

    async def _morning(
        self, found: discord.Guild, server: ServerSettings, bulletin: Bulletin, at: int, tag: str
    ) -> _Shown | None:
        guild, words = GuildId(found.id), words_of_server(found, server)
        seen = self._open_to_readers(found, bulletin, await self.bulletins.channels_played_in(guild))
        morning = await self.bulletins.morning(guild, bulletin, at, open_channels=seen)
        faces = self.faces.for_reader(WORDS_ALONE) if server.in_words else self.faces
        added = None
        if self._morning_part is not None:
            added = await self._morning_part.parts(guild, bulletin, at, words, faces, open_channels=seen)
        if not morning.says_something and added is None:
            return None
        screen = morning_screen(morning, guild, words, faces, now=self.now(), tag=tag, added=added)
        return _as_text(screen, words, server), None

    async def _recap(
        self, found: discord.Guild, server: ServerSettings, bulletin: Bulletin, at: int, tag: str
    ) -> _Shown | None:
        guild, words, (since, until) = GuildId(found.id), words_of_server(found, server), bulletin.week_before(at)
        channels = await self.bulletins.week_channels(guild, since=since)
        seen = self._open_to_readers(found, bulletin, channels)
        place = bulletin.channel or 0
        recap = await self.bulletins.recap(guild, since=since, until=until, channel=place, open_channels=seen)
        if recap is None:
            return None
        drawn, told = b"", ""
        if not (bulletin.in_words or server.in_words):
            drawn, told = await self._draw(guild, bulletin, recap, words)
        coming = [event for event in await self.events.events(guild) if self._is_coming(found, bulletin, event)]
        coming.sort(key=lambda event: event.starts_at or 0)
        screen = recap_post(recap, guild, coming, words, self.faces.names, tag=tag, picture=told)
        return _as_text(screen, words, server), (RECAP_PICTURE, drawn) if drawn else None

    def _is_coming(self, found: discord.Guild, bulletin: Bulletin, event: Event) -> bool:
        """True if the event starts within seven days and all readers of the bulletin can see its channel."""
        soon = event.starts_at is not None and 0 <= event.starts_at - self.now() < WEEK_DAYS * DAY
        return event.phase.before and soon and self._is_open_to_readers(found, bulletin, event.channel)

    def _open_to_readers(self, found: discord.Guild, bulletin: Bulletin, channels: Collection[int]) -> set[int]:
        return {channel for channel in channels if self._is_open_to_readers(found, bulletin, channel)}

    def _is_open_to_readers(self, found: discord.Guild, bulletin: Bulletin, channel: int) -> bool:
        """True if all readers of the bulletin can see the channel."""
        return seen_by_readers(found, bulletin.channel or 0, channel)

    async def _draw(self, guild: GuildId, bulletin: Bulletin, recap: Recap, words: Words) -> tuple[bytes, str]:
        """Return the picture and its description; both empty if the lines are shown as text."""
        names = self.faces.names
        if missing_in_channel(self.client, bulletin.channel or 0, Permission.ATTACH_FILES):
            return b"", ""
        await learn_names(self.client, guild, people_drawn(recap), names)
        drawing = build_drawing(recap, guild, names, words)
        if drawing is None:
            return b"", ""
        return await asyncio.get_running_loop().run_in_executor(None, drawing.draw), drawing.told


def _tag(guild: GuildId, kind: BulletinKind, at: int) -> str:
    """Return the tag in a post's button, which is unique to that post."""
    return make_tag(kind.value, at, str(guild))


def _as_text(screen: Screen, words: Words, server: ServerSettings) -> Screen:
    """Convert the screen to text only if the server has chosen that for public messages."""
    return aloud(screen, words, WORDS_ALONE) if server.in_words else screen
