"""The page as a Discord Activity, shown in a frame inside Discord. Discord vouches for the reader's identity.

Discord gives the page a code for the user who opened the frame, and the bot exchanges it for the user's identity. The
bot also asks Discord for the instance's members and server, because it doesn't trust the page's own claims about them.
After that, it works like a personal link: the page makes a token, and the bot stores the token's digest.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

from bot.model.activities import ActivityInstance, ActivityUser, DiscordUnavailableError
from bot.model.ids import GuildId, Player, TableId
from bot.play.api.play import Play
from bot.web.limits import Allowances, FairQueue, OverloadedError
from bot.web.messages import Open
from bot.web.tokens import PageReader, parse_guild

log = logging.getLogger(__name__)

FRESH_MS = 30 * 60_000
"""Time for which a launch's table is remembered."""
MAX_LAUNCHES = 20_000
PAUSE_SECONDS = 0.2
"""Pause between two visitors that Discord is asked about. Each takes up to three requests."""
MAX_SECONDS = 8.0
"""Maximum wait for a visitor's turn. Visitors who would have to wait longer are asked to try later."""
MAX_FAILURES = 30
"""Maximum number of failed attempts per minute, for each instance if it's known, otherwise for each address."""
MAX_DISCORD_ERRORS = 20
"""Maximum number of requests per minute that Discord refuses or fails to answer.

A wrong client secret gets a 401 each time, and Discord blocks clients that receive 10,000 of those in ten minutes.
"""
MAX_INSTANCES = 5_000
"""Maximum number of known instances. An instance is known once one of its users has been admitted."""
_CODE: Final = re.compile(r"[0-9A-Za-z_.-]{1,200}")
_INSTANCE: Final = re.compile(r"[0-9A-Za-z_-]{1,200}")


class ActivityVerifier(Protocol):
    """Queries to Discord. Each can raise DiscordUnavailableError."""

    @property
    def application(self) -> int:
        """The application's id; 0 before it's known."""
        ...

    async def who(self, code: str) -> ActivityUser | None:
        """Return the user identified by ``code``; None if it's invalid, used or expired."""
        ...

    async def instance(self, name: str) -> ActivityInstance | None:
        """Return a running instance of this application's Activity; None if there is none."""
        ...


class ActivityUnverifiedError(Exception):
    """A visitor was refused. ``key`` is the key of the sentence with the reason."""

    def __init__(self, key: str, *, again: bool = False) -> None:
        super().__init__(key)
        self.key = key
        self.again = again


class Activity:
    """Admission of visitors who open the page in Discord's frame."""

    def __init__(
        self,
        play: Play,
        discord: ActivityVerifier,
        *,
        home: str,
        now_ms: Callable[[], int],
        is_in: Callable[[GuildId], bool] = lambda guild: True,
    ) -> None:
        """``home`` is the page's address in browsers. ``is_in`` returns True for servers that the bot is in."""
        self._play = play
        self._discord = discord
        self.home = home
        self._now = now_ms
        self._launched: OrderedDict[tuple[GuildId, Player], tuple[TableId, int]] = OrderedDict()
        self._is_in = is_in
        self._turns = FairQueue(pause=PAUSE_SECONDS, max_wait=MAX_SECONDS)
        self._failed = Allowances(MAX_FAILURES, clock=lambda: now_ms() / 1000)
        self._troubles = Allowances(MAX_DISCORD_ERRORS, clock=lambda: now_ms() / 1000)
        self._instances: OrderedDict[str, GuildId] = OrderedDict()

    @property
    def application(self) -> int:
        """The application's id, which is part of the frame's address; 0 before it's known."""
        return self._discord.application

    @property
    def origin(self) -> str:
        """The frame's origin."""
        return f"https://{self.application}.discordsays.com"

    def launched(self, guild: GuildId, player: Player, table: TableId) -> None:
        """Remember the table from which ``player`` launches the Activity, because the launch doesn't carry it."""
        self._launched.pop((guild, player), None)
        self._launched[guild, player] = table, self._now()
        while len(self._launched) > MAX_LAUNCHES:
            self._launched.popitem(last=False)

    def forget(self, player: Player) -> None:
        """Forget the launches of a deleted player."""
        for who in [who for who in self._launched if who[1] == player]:
            del self._launched[who]

    def _table(self, guild: GuildId, player: Player) -> TableId:
        table, at = self._launched.get((guild, player), (TableId(0), 0))
        return table if self._now() - at < FRESH_MS else TableId(0)

    @staticmethod
    def require_server(opening: Open) -> None:
        """Raise ActivityUnverifiedError if the frame is in a direct message, because only servers have tables."""
        if parse_guild(opening.token) == 0:
            raise ActivityUnverifiedError("page.no_server" if opening.code else "page.not_vouched")

    async def came(
        self, opening: Open, *, address: str, alive: Callable[[], bool] = lambda: True
    ) -> tuple[PageReader, TableId]:
        """Return the visitor and their table; 0 if they didn't launch the Activity from a table.

        ``address`` is the visitor's address, and ``alive`` returns False after they have disconnected. This process
        must serve the visitor's server. Raises ActivityUnverifiedError and StorageUnavailableError.
        """
        guild = parse_guild(opening.token)
        if guild is None or not _CODE.fullmatch(opening.code) or not _INSTANCE.fullmatch(opening.instance):
            raise ActivityUnverifiedError("page.not_vouched")
        if not self._is_in(guild):
            raise ActivityUnverifiedError("page.not_vouched")
        whose_failure = opening.instance if self._instances.get(opening.instance) == guild else address
        if not self._failed.take(whose_failure):
            raise ActivityUnverifiedError("page.later", again=True)
        try:
            await self._turns.wait(address, opening.instance, alive=alive)
            person = await self._vouched(opening, guild)
        except (OverloadedError, DiscordUnavailableError) as trouble:
            self._failed.give_back(whose_failure)
            raise ActivityUnverifiedError("page.later", again=True) from trouble
        if person is None:
            raise ActivityUnverifiedError("page.not_vouched")
        self._failed.give_back(whose_failure)
        self._note_instance(opening.instance, guild)
        digest = hashlib.sha256(opening.token.encode()).digest()
        await self._play.admit(guild, person.player, digest, locale=person.locale)
        kept = await self._play.admitted(guild, digest)
        if kept is None or kept.player != person.player:
            raise ActivityUnverifiedError("page.not_vouched")
        reader = PageReader(guild=guild, player=kept.player, locale=kept.locale, until=kept.until, digest=digest)
        return reader, self._table(guild, person.player)

    async def _vouched(self, opening: Open, guild: GuildId) -> ActivityUser | None:
        """Ask Discord for the visitor; None if they aren't in this instance and server.

        The code is exchanged only once the instance is known. Raises DiscordUnavailableError.
        """
        if self._troubles.left("") < 1:
            raise DiscordUnavailableError("too many requests failed")
        try:
            instance = await self._discord.instance(opening.instance)
            if instance is None or instance.guild != guild:
                return None
            person = await self._discord.who(opening.code)
        except DiscordUnavailableError as trouble:
            self._troubles.take("")
            log.warning("the user who opens the Activity could not be looked up: %s", trouble)
            raise
        if person is not None and person.player not in instance.players:
            log.info("a user opened an instance of the Activity that is not theirs")
            return None
        return person

    def _note_instance(self, name: str, guild: GuildId) -> None:
        self._instances.pop(name, None)
        self._instances[name] = guild
        while len(self._instances) > MAX_INSTANCES:
            self._instances.popitem(last=False)
