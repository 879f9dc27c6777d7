"""What a table posts once: results, with a picture of the boards where there is room for one, and its last message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import discord

from bot.live.known_permissions import channel_lacks
from bot.live.posting import post
from bot.live.table.lateness import Lateness
from bot.logs import note
from bot.play.model import Post, Posting, Table
from bot.play.service import Play
from bot.text.words import words_for
from bot.ui.bot_permissions import Permission
from bot.ui.faces import Faces
from bot.ui.table.closing import closing_screen
from bot.ui.table.picture import PICTURE, described, pictured, result_picture
from bot.ui.table.result import result_screens
from bot.ui.widgets import Screen


def _what(posting: Posting, page: int) -> tuple[object, ...]:
    """What names a page of a posting. Not its own number: that is given again once nothing waits."""
    return posting.kind.value, posting.key.guild, posting.key.table, posting.hand_no, page


class TablePosts:
    """Sends what waits in the outbox of tables."""

    def __init__(
        self,
        client: discord.Client,
        play: Play,
        faces: Faces,
        lateness: Lateness,
        channel: Callable[[Table], discord.PartialMessageable],
    ) -> None:
        self._client = client
        self._play = play
        self._faces = faces
        self._lateness = lateness
        self._channel = channel

    async def send(self, posting: Posting) -> None:
        """Post it; raises Refused, or what discord.py raises."""
        table = (await self._play.look(posting.key)).table
        note(guild=posting.key.guild, table=posting.key.table, hand=posting.hand_no)
        if not await self._send_picture(table, posting):
            for page, screen in enumerate(await self._posting_screens(posting)):
                await post(self._channel(table), screen, *_what(posting, page))

    async def _send_picture(self, table: Table, posting: Posting) -> bool:
        """Post a result with its boards as a picture, which costs no other request; False where its text is posted."""
        late = self._lateness.late(table.key)
        if (
            posting.kind is not Post.RESULT
            or late
            or channel_lacks(self._client, table.channel, Permission.ATTACH_FILES)
        ):
            return False
        result = await self._play.result(posting.key, posting.hand_no)
        if not pictured(result):
            return False
        words, names = words_for(table.language), self._faces.names
        drawn = partial(result_picture, result, names, words)
        picture = await asyncio.get_running_loop().run_in_executor(None, drawn)
        (screen,) = result_screens(result, words, self._faces, picture=described(result, names, words))
        try:
            await post(self._channel(table), screen, *_what(posting, 0), attached=(PICTURE, picture))
        except discord.Forbidden:
            return False  # it may write here, perhaps, and attach nothing
        return True

    async def _posting_screens(self, posting: Posting) -> list[Screen]:
        if posting.kind is Post.CLOSED:
            closing = await self._play.closing(posting.key)
            return [closing_screen(closing, words_for(closing.table.language), self._faces)]
        result = await self._play.result(posting.key, posting.hand_no)
        return result_screens(result, words_for(result.table.language), self._faces)
