"""Detects other processes that use the bot's token with another database, by means of a mark stored on Discord.

The mark is an application emoji whose name contains a random text from the process that last wrote it. Each process
writes its own mark on start, and checks it once a minute. No one else can change the mark, so if it has changed,
another process is running. The two overwrite each other's marks, so both notice. If several processes share a database,
only the leading one writes the mark.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

import aiohttp
import discord

from bot.base.plurals import counted
from bot.chat.application_assets import is_card
from bot.chat.art.faces import draw_face

log = logging.getLogger(__name__)

PREFIX = "process_"
LOOK_SECONDS = 60.0
SURE_SECONDS = 10.0
"""Delay after a change has been seen. By then, a process that lost the lead will have stopped."""
REPEAT_LOOKS = 10
"""Number of checks after which the warning is logged again."""
CALM_LOOKS = 2
"""Number of checks without a change after which the other process counts as stopped."""
SKEW = timedelta(minutes=2)
"""Maximum difference between this machine's clock and Discord's."""


class ProcessMark:
    """The mark of this process. ``place`` names the database in log messages.

    ``unused`` is True if the database is new. If so, the first check also finds out whether the bot has run before.
    """

    def __init__(
        self, client: discord.Client, *, place: str, unused: bool, leads: Callable[[], bool], started_at: datetime
    ) -> None:
        self._client = client
        self._place = place
        self._unused = unused
        self._leads = leads
        self._started_at = started_at
        self._name = PREFIX + secrets.token_hex(8)
        self._emoji: int | None = None
        self._looking: asyncio.Task[None] | None = None
        self._changes = self._calm = 0

    @property
    def has_rival(self) -> bool:
        """True while another process uses the token with another database."""
        return self._changes > 0

    async def begin(self) -> None:
        """Start checking once a minute. Further calls do nothing."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_on(), name="process-mark")

    def end(self) -> None:
        """Stop checking."""
        if self._looking is not None:
            self._looking.cancel()

    async def _look_on(self) -> None:
        while True:
            try:
                await self.look()
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.debug("the mark of this process could not be read: %r", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Write the mark on the first check. Later checks detect whether another process has overwritten it."""
        if not self._leads():
            return
        if self._emoji is None:
            await self._write_first()
        elif await self._is_own():
            self._keep_calm()
        else:
            await asyncio.sleep(SURE_SECONDS)
            self._tell_of_rival()
            await self._write()

    async def _write_first(self) -> None:
        emojis = await self._client.fetch_application_emojis()
        if self._unused:
            self._unused = False
            self._tell_of_past(emojis)
        marks = sorted((emoji for emoji in emojis if emoji.name.startswith(PREFIX)), key=lambda emoji: emoji.id)
        for extra in marks[1:]:  # left by two processes that started together
            await extra.delete()
        if marks:
            self._emoji = marks[0].id
            await self._write()
        else:
            image = await asyncio.to_thread(draw_face, "back")
            self._emoji = (await self._client.create_application_emoji(name=self._name, image=image)).id

    async def _is_own(self) -> bool:
        assert self._emoji is not None
        try:
            return (await self._client.fetch_application_emoji(self._emoji)).name == self._name
        except discord.NotFound:
            return False

    async def _write(self) -> None:
        assert self._emoji is not None
        assert self._client.application_id is not None
        try:
            await self._client.http.edit_application_emoji(
                self._client.application_id, self._emoji, payload={"name": self._name}
            )
        except discord.NotFound:
            self._emoji = None  # the next check writes a new one

    def _tell_of_rival(self) -> None:
        self._calm = 0
        if self._changes % REPEAT_LOOKS == 0:
            log.error(
                "another process uses this bot's token with a database other than %s. Both answer the same "
                "presses, and each knows only its own tables. Stop one of them, or reset the token if the "
                "other is not yours",
                self._place,
            )
        self._changes += 1

    def _keep_calm(self) -> None:
        self._calm += 1
        if self._changes and self._calm >= CALM_LOOKS:
            self._changes = 0
            log.info("the other process with this bot's token has ended")

    def _tell_of_past(self, emojis: Iterable[discord.Emoji]) -> None:
        since = first_run((emoji.id, emoji.name) for emoji in emojis)
        if self._client.guilds and since is not None and since < self._started_at - SKEW:
            log.error(
                "%s is new and empty, but this application's bot has run since %s and is in %s. If a club "
                "has played there, its tables, chips and results are in another database. Stop the bot and "
                "move them here with `move-out` and `move-in` (docs/how-to/move-the-bot.md), or name that "
                "database in CHAIPO_DATABASE",
                self._place,
                f"{since:%Y-%m-%d}",
                counted(len(self._client.guilds), "server"),
            )


def first_run(emojis: Iterable[tuple[int, str]]) -> datetime | None:
    """Return when this program first ran for the application, based on its emojis' ids and names; None if never."""
    ids = [id for id, name in emojis if name.startswith(PREFIX) or is_card(name)]
    return discord.utils.snowflake_time(min(ids)) if ids else None
