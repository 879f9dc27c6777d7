"""Club pages: one message per server with its leaderboard, tables and next event, kept up to date.

A page is checked every ten minutes and edited if its content has changed. It has the lowest priority among requests to
Discord, so tables always come first. Before a process shows a page for the first time, it searches the channel, because
an earlier process may have been killed between posting the page and recording it.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from hashlib import blake2b
from typing import Any

import discord
from typing_extensions import override

from bot.base.logs import note
from bot.chat.art.podium import DrawnLine, draw_leaderboard
from bot.chat.club.posts.welcomes import words_of_server
from bot.chat.club.screens.club_page import MAX_TABLES, ClubPageContent, club_screen, is_listed, is_slow, next_event
from bot.chat.club.screens.leaderboard import PICTURE, PLACES, can_draw, drawn_on, in_words, without_own
from bot.chat.discord_patches.governor import important, posted_at
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.bot_permissions import Permission, missing_in_channel, needed_in
from bot.chat.kit.found_messages import presses_of, single_message
from bot.chat.kit.kept_messages import UNKNOWN_CHANNEL, keep, remove
from bot.chat.kit.members import Members
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.permissions_here import seen_by_readers, writes
from bot.chat.kit.scheduled_poster import PosterContext, ScheduledPoster
from bot.chat.table.posts.result_posts import learn_names
from bot.model.choices import ServerSettings
from bot.model.clock import DAY, HOUR, MINUTE
from bot.model.events import Event, Phase
from bot.model.ids import GuildId, Player
from bot.model.standings import ClubPage, Leaderboard
from bot.model.tables import Table
from bot.text.words import Words

log = logging.getLogger(__name__)

EVERY_MS = 10 * MINUTE
"""Minimum time between two edits of a page, unless a manager has just changed its settings."""
NOBODY = Player("")
_MARKS = frozenset(("ranks", "daily", "practise", "play"))
"""The verbs of a page's buttons. No other message has all of them."""
_OnPicture = tuple[str, tuple[DrawnLine, ...]]
"""The picture's heading and lines. It's only drawn again if they have changed."""


class ClubPagePosts(ScheduledPoster[tuple[GuildId]]):
    """Shows the pages. Each page due for a check has its own task."""

    def __init__(self, context: PosterContext, members: Members) -> None:
        super().__init__(context)
        self._members = members
        self._asked: dict[int, int] = {}
        """When each page's channel was last checked for newer messages, by the page's message."""
        self._looked: dict[GuildId, int] = {}
        """When each page was last checked (ms)."""
        self._seen: set[tuple[GuildId, int]] = set()
        """Servers and channels that this process has already searched for pages."""

    @override
    def _name(self, key: tuple[GuildId]) -> str:
        return f"the page of server {key[0]}"

    @override
    async def _due(self) -> list[tuple[GuildId]]:
        """Return the pages that haven't been checked for ten minutes."""
        now = self.now()
        pages = await self.bank.club_pages()
        self._looked = {guild: self._looked[guild] for guild, _ in pages if guild in self._looked}
        self._seen &= {(guild, page.channel) for guild, page in pages if self.client.get_guild(guild) is not None}
        self._asked = {page.message: self._asked[page.message] for _, page in pages if page.message in self._asked}
        return [(guild,) for guild, page in pages if now - max(page.shown_at, self._looked.get(guild, 0)) >= EVERY_MS]

    def changed(self, guild: GuildId) -> None:
        """Show a page that a manager has just changed."""
        self.queue.changed((guild,))

    async def take_away(self, page: ClubPage) -> None:
        """Delete the message of a page that is being moved to another channel or turned off."""
        if page.message is not None:
            await remove(self.client.get_partial_messageable(page.channel).get_partial_message(page.message))

    @override
    async def _see_to(self, key: tuple[GuildId]) -> bool:
        guild = key[0]
        note(guild=guild)
        self._looked[guild] = self.now()
        page, found = await self.bank.club_page(guild), self.client.get_guild(guild)
        if page is None or found is None:
            return False
        if lacking := missing_in_channel(self.client, page.channel, *needed_in(self.client.get_channel(page.channel))):
            log.info("the page of server %s can't be shown: %s", guild, [one.value for one in lacking])
            return False
        with important(Importance.CLEANUP):
            return await self._keep(found, page)

    async def _keep(self, found: discord.Guild, page: ClubPage) -> bool:
        guild, channel = GuildId(found.id), self.client.get_partial_messageable(page.channel, guild_id=found.id)
        server = await self.play.server(guild)
        club, words = await self._club(found, page, server), words_of_server(found, server)
        on_it, told = None, ""
        if not (page.in_words or server.in_words):
            on_it, told = await self._on_picture(guild, club.board, page, words)
        screen = with_user_names(club_screen(club, words, picture=told), self.names, guild, words)
        shown = blake2b(repr((screen.parts, on_it)).encode(), digest_size=16).hexdigest()
        left = page.message if await self._is_talked_past(page) else None
        if shown == page.shown and left is None and page.message is not None:
            return False
        drawn = b"" if on_it is None else await self._draw(*on_it)
        try:
            standing = await self._find_message(guild, page, channel)
            message = await keep(
                channel,
                None if left else standing,
                screen,
                *("club", guild, page.message or 0),
                now=self.now(),
                over=False,
                stays=True,
                attached=(PICTURE, drawn) if drawn else None,
                is_new=True,
            )
        except (discord.Forbidden, discord.NotFound) as error:
            await self._handle_refusal(guild, page, error)
            return False
        assert message is not None
        if not await self.bank.club_page_shown(guild, page, message=message, shown=shown):
            await remove(channel.get_partial_message(message))
            self.changed(guild)
            return True
        self._seen.add((guild, page.channel))
        if left is not None and standing is not None:
            await remove(channel.get_partial_message(standing))
        if message != page.message and not page.at_bottom:
            await self._pin(found, channel, message)
        return True

    async def _find_message(self, guild: GuildId, page: ClubPage, channel: discord.PartialMessageable) -> int | None:
        """Return the page's message, even if it was never recorded. Delete any duplicates."""
        if (guild, page.channel) in self._seen:
            return page.message
        return await single_message(channel, self.client, page.message, _is_page)

    async def _handle_refusal(self, guild: GuildId, page: ClubPage, error: discord.HTTPException) -> None:
        """Turn a page off if its channel is gone. Any other refusal may be temporary."""
        log.warning("the page of server %s was refused: %s", guild, error)
        if error.code == UNKNOWN_CHANNEL:
            await self.bank.change_club_page(
                guild, lambda now: None if now is None or now.channel == page.channel else now
            )

    async def _is_talked_past(self, page: ClubPage) -> bool:
        """True if the page should be at the bottom but newer messages have been below it for a day.

        Discord is asked at most once an hour.
        """
        if not page.at_bottom or page.message is None or self.now() - posted_at(page.message) < DAY:
            return False
        if self.now() - self._asked.get(page.message, 0) < HOUR:
            return False
        self._asked[page.message] = self.now()
        try:
            channel = await self.client.fetch_channel(page.channel)
        except discord.HTTPException as error:
            log.info("the posts below a club page could not be read: %s", error)
            return False
        return (getattr(channel, "last_message_id", None) or 0) > page.message

    async def _pin(self, guild: discord.Guild, channel: discord.PartialMessageable, message: int) -> None:
        """Pin the page if the bot happens to have the permission. The bot doesn't ask for it.

        A page that returns to the bottom needs no pin, and Discord's notice about the pin would appear below it.
        """
        known: Any = guild.get_channel_or_thread(channel.id)
        me: discord.Member | None = guild.me  # discord.py types this as a member, but it's None until it's cached
        if known is None or me is None or not known.permissions_for(me).pin_messages:
            return
        try:
            await channel.get_partial_message(message).pin()
        except discord.HTTPException as error:
            log.info("the page of server %s was not pinned: %s", guild.id, error)

    # content of the page

    async def _club(self, found: discord.Guild, page: ClubPage, server: ServerSettings) -> ClubPageContent:
        guild = GuildId(found.id)
        asked = page.asked
        if page.follows_play and not page.game:  # events have no leaderboard of one game
            asked = asked._replace(order=await self.play.first_order(guild, asked))
        board = await self.play.club_board(guild, asked, lines=PLACES)
        self._members.listed(guild, [line.player for line in board.lines])
        tables = [
            table
            for table in await self.play.open_tables(guild)
            if is_listed(table) and self._is_open_to_readers(found, page, table)
        ]
        listed = [table for table in tables if not is_slow(table)]
        events = [one for one in await self.events.events(guild) if self._is_open_to_readers(found, page, one)]
        return ClubPageContent(
            name=found.name,
            board=without_own(board),
            tables=[await self.play.look(table.key, None) for table in listed[:MAX_TABLES]],
            further=len(listed[MAX_TABLES:]),
            slow=[await self.play.look(table.key, None) for table in tables if is_slow(table)],
            running=[event for event in events if event.phase is Phase.RUNNING],
            event=next_event(events),
            opens=_tables_open_in(found.get_channel_or_thread(page.channel), server),
        )

    def _is_open_to_readers(self, guild: discord.Guild, page: ClubPage, what: Table | Event) -> bool:
        """True if all readers of the page can see the channel."""
        return seen_by_readers(guild, page.channel, what.channel)

    async def _on_picture(
        self, guild: GuildId, board: Leaderboard, page: ClubPage, words: Words
    ) -> tuple[_OnPicture | None, str]:
        """Return the picture's content and description; None and an empty text if the lines are shown as text."""
        if missing_in_channel(self.client, page.channel, Permission.ATTACH_FILES):
            return None, ""
        await learn_names(self.client, guild, [line.player for line in board.lines[:PLACES]], self.names)
        if not can_draw(board, guild, self.names, words):
            return None, ""
        return drawn_on(board, guild, NOBODY, self.names, words), in_words(board, guild, self.names, words)

    @staticmethod
    async def _draw(heading: str, lines: tuple[DrawnLine, ...]) -> bytes:
        drawing = partial(draw_leaderboard, heading=heading, lines=lines)
        return await asyncio.get_running_loop().run_in_executor(None, drawing)


def _tables_open_in(channel: object, server: ServerSettings) -> bool:
    """True if tables can be opened in the channel and everyone may write there.

    Also True if the channel isn't cached.
    """
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return True
    parent = channel.parent if isinstance(channel, discord.Thread) else None
    allowed = (parent or channel).permissions_for(channel.guild.default_role)
    chosen = server.has_tables_in(channel.id, None if parent is None else parent.id)
    return chosen and writes(allowed, thread=isinstance(channel, discord.Thread))


def _is_page(message: discord.Message) -> bool:
    return {press.verb for press in presses_of(message)} >= _MARKS
