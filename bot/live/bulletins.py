"""Bulletins, the morning post and the weekly recap, each posted once at its hour; and the ends of seasons, told once.

That one is posted is noted before, and that it stands after. A bot that was killed in between looks for it in its
channel, by what its button carries. Nothing that the bot asks of Discord matters less: whatever a table needs comes
first, and an hour that is long over by then is left out. At a season's end its champions get their role, and those
before them lose it. What Discord refuses there stops nothing: it is logged, noted, and shown to those who manage the
server.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from functools import partial

import discord
from typing_extensions import override

from bot.live.keeper import Keeper, KeeperContext
from bot.live.library.governor import important
from bot.live.library.limits import Importance
from bot.live.posting import UNKNOWN_CHANNEL, find_sent, post
from bot.live.table.result_posts import learn_names
from bot.live.welcomes import words_of_server
from bot.logs import note
from bot.model.bulletins import WEEK_DAYS, Bulletin, Kind, Recap
from bot.model.choices import Server
from bot.model.clock import DAY, MINUTE
from bot.model.events import Event
from bot.model.ids import GuildId, Player, tag_of
from bot.play.bank.seasons import SeasonEnd
from bot.text.words import Words
from bot.ui.aloud import WORDS_ALONE, aloud
from bot.ui.bot_permissions import NEEDED, Permission, channel_lacks, needed_in
from bot.ui.given_roles import hands_out, still_vouched
from bot.ui.mentions import with_user_names
from bot.ui.permissions_here import seen_by_readers
from bot.ui.server.leaderboard import SEASON_PICTURE, end_in_words, end_picture, end_pictured, season_end_screen
from bot.ui.server.posts.morning import morning_screen
from bot.ui.server.posts.recap import RECAP_PICTURE, drawing_of, people_drawn, recap_post
from bot.ui.widgets import Screen

log = logging.getLogger(__name__)

AGAIN_MS = 10 * MINUTE
"""What could not be posted is tried again after so long."""

_Whose = tuple[GuildId, Kind]
_Shown = tuple[Screen, tuple[str, bytes] | None]
"""The post, and the name and bytes of its picture."""


class BulletinPosts(Keeper[_Whose]):
    """Posts what is due, one task for each bulletin, which ends when it stands."""

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._again: dict[_Whose, int] = {}
        """When those are tried again that Discord has refused (ms)."""

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
        if lacking := channel_lacks(self.client, bulletin.channel, *needed_in(self._place(bulletin))):
            log.info("the %s post of server %s waits: %s", kind.value, guild, [one.value for one in lacking])
            self._again[whose] = self.now() + AGAIN_MS
            return False
        with important(Importance.CLEANUP):
            try:
                return await self._post(found, bulletin, bulletin.channel, at)
            except (discord.Forbidden, discord.NotFound) as error:
                await self._refused(guild, bulletin, error)
                return False
            except discord.HTTPException:
                # What passes is tried again by the queue, and what doesn't is no hammer.
                self._again[whose] = self.now() + AGAIN_MS
                raise

    async def _post(self, found: discord.Guild, bulletin: Bulletin, place: int, at: int) -> bool:
        guild, kind = GuildId(found.id), bulletin.kind
        channel, tag = self.client.get_partial_messageable(place, guild_id=guild), tag_of(kind.value, at, str(guild))
        if bulletin.sending == at:
            sent = await find_sent(self.client, channel, tag, since=at, now=self.now())
            if sent is not None:
                await self.bulletins.seen_to(guild, kind, at)
                return True
        server = await self.play.server(guild)
        make = self._morning if kind is Kind.MORNING else self._recap
        shown = await make(found, server, bulletin, at, tag)
        if shown is None:
            await self.bulletins.seen_to(guild, kind, at)
            return False
        if not await self.bulletins.begin(guild, bulletin, at):
            return False
        screen, picture = shown
        screen = with_user_names(screen, self.faces.names, guild, words_of_server(found, server))
        await post(channel, screen, "bulletin", guild, kind.value, at, attached=picture)
        await self.bulletins.seen_to(guild, kind, at)
        return True

    async def _refused(self, guild: GuildId, bulletin: Bulletin, error: discord.HTTPException) -> None:
        """Give one up whose channel is gone; whatever else is refused may be allowed again."""
        log.warning("the %s post of server %s was refused: %s", bulletin.kind.value, guild, error)
        if error.code != UNKNOWN_CHANNEL:
            self._again[guild, bulletin.kind] = self.now() + AGAIN_MS
            return
        await self.bulletins.given_up(guild, bulletin)

    def _place(self, bulletin: Bulletin) -> object:
        return self.client.get_channel(bulletin.channel or 0)

    # the two of them

    async def _morning(
        self, found: discord.Guild, server: Server, bulletin: Bulletin, at: int, tag: str
    ) -> _Shown | None:
        guild, words = GuildId(found.id), words_of_server(found, server)
        seen = self._open_to_readers(found, bulletin, await self.bulletins.channels_played_in(guild))
        morning = await self.bulletins.morning(guild, bulletin, at, open_channels=seen)
        if not morning.says_something:
            return None
        faces = self.faces.for_reader(WORDS_ALONE) if server.in_words else self.faces
        screen = morning_screen(morning, guild, words, faces, now=self.now(), tag=tag)
        return _heard(screen, words, server), None

    async def _recap(
        self, found: discord.Guild, server: Server, bulletin: Bulletin, at: int, tag: str
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
            drawn, told = await self._drawn(guild, bulletin, recap, words)
        coming = [event for event in await self.events.events(guild) if self._is_coming(found, bulletin, event)]
        coming.sort(key=lambda event: event.starts_at or 0)
        screen = recap_post(recap, guild, coming, words, self.faces.names, tag=tag, picture=told)
        return _heard(screen, words, server), (RECAP_PICTURE, drawn) if drawn else None

    def _is_coming(self, found: discord.Guild, bulletin: Bulletin, event: Event) -> bool:
        """True for an event of the next seven days that all who read of it may see."""
        soon = event.starts_at is not None and 0 <= event.starts_at - self.now() < WEEK_DAYS * DAY
        return event.phase.before and soon and self._is_open_to_readers(found, bulletin, event.channel)

    def _open_to_readers(self, found: discord.Guild, bulletin: Bulletin, channels: Collection[int]) -> set[int]:
        return {channel for channel in channels if self._is_open_to_readers(found, bulletin, channel)}

    def _is_open_to_readers(self, found: discord.Guild, bulletin: Bulletin, channel: int) -> bool:
        """True for a channel that everyone sees who reads the bulletin."""
        return seen_by_readers(found, bulletin.channel or 0, channel)

    async def _drawn(self, guild: GuildId, bulletin: Bulletin, recap: Recap, words: Words) -> tuple[bytes, str]:
        """The picture and its description; nothing where the lines are told as text."""
        names = self.faces.names
        if channel_lacks(self.client, bulletin.channel or 0, Permission.ATTACH_FILES):
            return b"", ""
        await learn_names(self.client, guild, people_drawn(recap), names)
        drawing = drawing_of(recap, guild, names, words)
        if drawing is None:
            return b"", ""
        return await asyncio.get_running_loop().run_in_executor(None, drawing.draw), drawing.told


def _heard(screen: Screen, words: Words, server: Server) -> Screen:
    """In words alone where the server has chosen that for all that everybody reads."""
    return aloud(screen, words, WORDS_ALONE) if server.in_words else screen


Ended = tuple[GuildId, int]
"""A server and the number of a season."""


class SeasonEnds(Keeper[Ended]):
    """Tells the ends of seasons, one task for each, which ends when it is told."""

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
        """Take the role from the former champions and give it to the new ones; False where Discord refuses."""
        taken = await self._change_roles(guild, end.former, end.former_role, give=False)
        if not end.champions or end.season.role is None:
            return taken
        if not await still_vouched(guild, end.season.role, end.season.role_by):
            log.warning("a season's role in server %s was not handed over: %s", guild.id, "nobody vouches for it")
            return False
        return await self._change_roles(guild, end.champions, end.season.role, give=True) and taken

    async def _change_roles(
        self, guild: discord.Guild, players: Sequence[Player], role: int | None, *, give: bool
    ) -> bool:
        if role is None or not players:
            return True
        found = guild.get_role(role)
        if found is None or not hands_out(found, await self.play.server(GuildId(guild.id))):
            log.warning("a season's role in server %s was not handed over: %s", guild.id, "it is not the bot's to give")
            return False
        well = True
        for player in players:
            member = await self._member(guild, player)
            if member is None:
                continue
            change = member.add_roles if give else member.remove_roles
            try:
                await change(discord.Object(role))
            except (discord.Forbidden, discord.NotFound) as error:
                log.warning("a season's role in server %s was not handed over: %s", guild.id, error)
                well = False
        return well

    async def _member(self, guild: discord.Guild, player: Player) -> discord.Member | None:
        """Somebody who is still in the server; their name is remembered."""
        if not player.isdigit():
            return None
        try:
            member = await guild.fetch_member(int(player))
        except discord.NotFound:
            return None
        self.names.saw(GuildId(guild.id), player, member.display_name, username=member.name)
        return member

    # the post

    async def _post(self, guild: discord.Guild, end: SeasonEnd) -> bool:
        """Post the end where the server wants it; False where it cannot be."""
        channel = end.season.channel
        if channel is None:
            return True
        if channel_lacks(self.client, channel, *NEEDED):
            log.warning("the end of a season of server %s was not posted: %s", guild.id, "the bot may not")
            return False
        words = words_of_server(guild, await self.play.server(GuildId(guild.id)))
        where = self.client.get_partial_messageable(channel, guild_id=guild.id)
        number, began = end.season.number, end.season.sending_at
        tag = tag_of(f"season {number}", end.season.ended_at or 0, str(guild.id))
        if began is not None and (await find_sent(self.client, where, tag, since=began, now=self.now()) is not None):
            return True
        drawn, told = await self._drawn(guild, end, words)
        screen = season_end_screen(end, GuildId(guild.id), self.names, words, picture=told, tag=tag)
        screen = with_user_names(screen, self.names, GuildId(guild.id), words)
        await self.bank.season_sending(GuildId(guild.id), number)
        try:
            what = ("season", guild.id, number)
            await post(where, screen, *what, attached=(SEASON_PICTURE, drawn) if drawn else None)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("the end of a season of server %s was not posted: %s", guild.id, error)
            return False
        return True

    async def _drawn(self, guild: discord.Guild, end: SeasonEnd, words: Words) -> tuple[bytes, str]:
        """The picture and its description; nothing where the lines are told as text."""
        server, channel = GuildId(guild.id), end.season.channel or 0
        if channel_lacks(self.client, channel, Permission.ATTACH_FILES):
            return b"", ""
        for _, line in end.listed:
            if not self.names.plain(server, line.player, words):
                await self._member(guild, line.player)
        if not end.listed or not end_pictured(end, server, self.names, words):
            return b"", ""
        drawn = partial(end_picture, end, server, self.names, words)
        picture = await asyncio.get_running_loop().run_in_executor(None, drawn)
        return picture, end_in_words(end, server, self.names, words)
