"""Messages that a table posts once: its results, as pictures if allowed, and its closing message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from functools import partial

import discord

from bot.base.logs import note
from bot.chat.kit.bot_permissions import Permission, missing_in_channel
from bot.chat.kit.faces import DisplayNames, Faces
from bot.chat.kit.posting import post
from bot.chat.kit.redraw_queue import MessageLag
from bot.chat.kit.text_only import WORDS_ALONE, for_everybody, words_at
from bot.chat.kit.widgets import Screen
from bot.chat.table.screens.picture import PICTURE, can_draw, describe_picture, result_picture, scored
from bot.chat.table.screens.result import closing_screen, result_screens
from bot.model.ids import GuildId
from bot.model.tables import Posting, PostKind, Table
from bot.play.api.play import Play
from bot.play.queries.replays import PostedResult
from bot.play.queries.results import ResultView
from bot.text.words import Words

log = logging.getLogger(__name__)


def _page_key(posting: Posting, table: Table, page: int) -> tuple[object, ...]:
    """Return the key of a posting's page. The posting's number can't serve as the key, because numbers are reused."""
    return posting.kind.value, posting.key.guild, posting.key.table, table.tag, posting.hand_no, page


async def post_picture(
    client: discord.Client,
    channel: discord.PartialMessageable,
    result: ResultView,
    words: Words,
    faces: Faces,
    *what: object,
) -> discord.Message | None:
    """Post a result with its boards as a picture; None if that isn't possible."""
    if missing_in_channel(client, channel.id, Permission.ATTACH_FILES) or not scored(result):
        return None
    players = [seat.player for seat in result.hand.seats] if result.hand else []
    await learn_names(client, result.table.key.guild, players, faces.names)
    drawn = partial(result_picture, result, faces.names, words)
    picture = await asyncio.get_running_loop().run_in_executor(None, drawn)
    (screen,) = result_screens(result, words, faces, picture=describe_picture(result, faces.names, words))
    try:
        return await post(channel, screen, *what, attached=(PICTURE, picture))
    except discord.Forbidden:
        return None  # the bot may be allowed to write but not to attach files


async def learn_names(client: discord.Client, key: GuildId, players: Iterable[str], names: DisplayNames) -> None:
    """Fetch the names of players who haven't pressed anything since the start, each name only once.

    If Discord is unavailable, the next call tries again.
    """
    guild = client.get_guild(key)
    if guild is None:
        return
    for player in names.to_ask(key, players):
        if not names.to_ask(key, [player]):
            continue  # answered by a concurrent request
        try:
            person = await _person(client, guild, int(player))
        except discord.HTTPException as error:
            log.info("the name of a player of server %s could not be read: %s", key, error)
            if isinstance(error, discord.NotFound | discord.Forbidden):
                names.asked(key, player)
        else:
            names.saw(key, player, person.display_name, username=person.name)


async def _person(client: discord.Client, guild: discord.Guild, player: int) -> discord.Member | discord.User:
    """Fetch a member, or just the user if they have left the server."""
    try:
        return await guild.fetch_member(player)
    except discord.NotFound:
        return await client.fetch_user(player)


class TablePosts:
    """Sends the posts in the outbox of tables."""

    def __init__(
        self,
        client: discord.Client,
        play: Play,
        faces: Faces,
        lag: MessageLag,
        channel: Callable[[Table], discord.PartialMessageable],
    ) -> None:
        self._client = client
        self._play = play
        self._faces = faces
        self._lateness = lag
        self._channel = channel

    async def send(self, posting: Posting) -> PostedResult | None:
        """Send a post.

        Returns where a result was posted; None for other posts. Raises Refused or discord.py's exceptions.
        """
        table = (await self._play.look(posting.key)).table
        note(guild=posting.key.guild, table=posting.key.table, hand=posting.hand_no)
        first = await self._send_picture(table, posting) or await self._send_text(table, posting)
        if posting.kind is not PostKind.RESULT:
            return None
        return PostedResult(key=posting.key, hand_no=posting.hand_no, channel=first.channel.id, message=first.id)

    async def _send_text(self, table: Table, posting: Posting) -> discord.Message:
        """Post all pages and return the first."""
        first, *more = await self._posting_screens(posting)
        message = await post(self._channel(table), first, *_page_key(posting, table, 0))
        for page, screen in enumerate(more, start=1):
            await post(self._channel(table), screen, *_page_key(posting, table, page))
        return message

    async def _send_picture(self, table: Table, posting: Posting) -> discord.Message | None:
        """Post a result with its boards as a picture, in one request; None if its text has to be posted instead."""
        if posting.kind is not PostKind.RESULT or table.in_words or self._lateness.late(table.key):
            return None
        result = await self._play.result(posting.key, posting.hand_no)
        if not can_draw(result):
            return None
        words = words_at(table)
        return await post_picture(
            self._client, self._channel(table), result, words, self._faces, *_page_key(posting, table, 0)
        )

    async def _posting_screens(self, posting: Posting) -> list[Screen]:
        if posting.kind is PostKind.CLOSED:
            closing = await self._play.closing(posting.key)
            table, words = closing.table, words_at(closing.table)
            return [for_everybody(closing_screen(closing, words, self._faces), table, words)]
        result = await self._play.result(posting.key, posting.hand_no)
        table, words = result.table, words_at(result.table)
        faces = self._faces.for_reader(WORDS_ALONE) if table.in_words else self._faces
        screens = result_screens(result, words, faces)
        return [for_everybody(screen, table, words) for screen in screens]
