"""The door in Discord itself: the page in a frame there, whose reader Discord vouches for.

The page has a code that Discord gave it for whoever looks at the frame; the bot exchanges it and so learns who that is.
Discord then tells who takes part in the instance of the Activity, and in which server it runs: neither is believed of
the page. From there on it is as with a link of one's own: the page has made a token, whose digest is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

from bot.model.activities import DiscordTroubleError, Instance, Person
from bot.model.ids import GuildId, Player, TableId
from bot.play.doors.play import Play
from bot.web.limits import Allowances
from bot.web.messages import Open
from bot.web.tokens import Reader, guild_of

log = logging.getLogger(__name__)

FRESH_MS = 30 * 60_000
"""For so long it is remembered at which table somebody has launched the Activity."""
MOST_REMEMBERED = 20_000
PAUSE_SECONDS = 0.2
"""Between two codes that Discord is asked about: each costs up to three requests."""
LONGEST_SECONDS = 8.0
"""Whoever would have to wait longer for their turn is told to come again."""
MOST_OF_INSTANCE = 30
"""Codes of one instance in a minute."""
_CODE: Final = re.compile(r"[0-9A-Za-z_.-]{1,200}")
_INSTANCE: Final = re.compile(r"[0-9A-Za-z_-]{1,200}")


class Vouching(Protocol):
    """What Discord is asked. Everything raises DiscordTroubleError."""

    @property
    def application(self) -> int:
        """The application's id; 0 before it is known."""
        ...

    async def who(self, code: str) -> Person | None:
        """Whom a code stands for; None for one that is none, was used or is too old."""
        ...

    async def instance(self, name: str) -> Instance | None:
        """A running instance of this application's Activity."""
        ...


class NotVouchedError(Exception):
    """Somebody is not let in; ``key`` is the sentence that says why."""

    def __init__(self, key: str, *, again: bool = False) -> None:
        super().__init__(key)
        self.key = key
        self.again = again


class Activity:
    """Whoever comes by Discord's frame."""

    def __init__(
        self,
        play: Play,
        discord: Vouching,
        *,
        home: str,
        now_ms: Callable[[], int],
    ) -> None:
        """``home`` is where browsers reach the same page."""
        self._play = play
        self._discord = discord
        self.home = home
        self._now = now_ms
        self._launched: OrderedDict[tuple[GuildId, Player], tuple[TableId, int]] = OrderedDict()
        self._due = 0.0
        self._of_instance = Allowances(MOST_OF_INSTANCE, clock=lambda: now_ms() / 1000)

    @property
    def application(self) -> int:
        """The application's id, which is in the frame's address; 0 before it is known."""
        return self._discord.application

    @property
    def origin(self) -> str:
        """That of the frame."""
        return f"https://{self.application}.discordsays.com"

    def launched(self, guild: GuildId, player: Player, table: TableId) -> None:
        """Somebody launches it from one of their tables: a launch itself says nothing."""
        self._launched.pop((guild, player), None)
        self._launched[guild, player] = table, self._now()
        while len(self._launched) > MOST_REMEMBERED:
            self._launched.popitem(last=False)

    def forget(self, player: Player) -> None:
        """Somebody was deleted."""
        for who in [who for who in self._launched if who[1] == player]:
            del self._launched[who]

    def _table(self, guild: GuildId, player: Player) -> TableId:
        table, at = self._launched.get((guild, player), (TableId(0), 0))
        return table if self._now() - at < FRESH_MS else TableId(0)

    @staticmethod
    def demand_server(opening: Open) -> None:
        """Raise NotVouchedError for a frame that is in no server: a conversation has no tables."""
        if guild_of(opening.token) == 0:
            raise NotVouchedError("page.no_server" if opening.code else "page.not_vouched")

    async def came(self, opening: Open) -> tuple[Reader, TableId]:
        """Who opens a page of a server that this process serves, and at which table.

        Raises NotVouchedError, StorageTroubleError.
        """
        guild = guild_of(opening.token)
        if guild is None or not _CODE.fullmatch(opening.code) or not _INSTANCE.fullmatch(opening.instance):
            raise NotVouchedError("page.not_vouched")
        if not self._of_instance.take(opening.instance):
            raise NotVouchedError("page.later", again=True)
        await self._wait_for_turn()
        try:
            person = await self._discord.who(opening.code)
            instance = None if person is None else await self._discord.instance(opening.instance)
        except DiscordTroubleError as trouble:
            log.warning("who opens the Activity could not be asked: %s", trouble)
            raise NotVouchedError("page.later", again=True) from trouble
        if person is None:
            raise NotVouchedError("page.not_vouched")
        if instance is None or instance.guild != guild or person.player not in instance.players:
            log.info("somebody came with an instance of the Activity that is not theirs")
            raise NotVouchedError("page.not_vouched")
        digest = hashlib.sha256(opening.token.encode()).digest()
        await self._play.admit(guild, person.player, digest, locale=person.locale)
        kept = await self._play.admitted(guild, digest)
        if kept is None or kept.player != person.player:
            raise NotVouchedError("page.not_vouched")
        reader = Reader(guild=guild, player=kept.player, locale=kept.locale, until=kept.until, digest=digest)
        return reader, self._table(guild, person.player)

    async def _wait_for_turn(self) -> None:
        """Ask Discord about one after the other, at a pace that it takes. Raises NotVouchedError."""
        now = asyncio.get_running_loop().time()
        due = max(self._due + PAUSE_SECONDS, now)
        if due - now > LONGEST_SECONDS:
            raise NotVouchedError("page.later", again=True)
        self._due = due
        await asyncio.sleep(due - now)
