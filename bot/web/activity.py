"""The door in Discord itself: the page in a frame there, whose reader Discord vouches for.

The page has a code that Discord gave it for whoever looks at the frame; the bot exchanges it and so learns who that is.
Discord then tells who takes part in the instance of the Activity, and in which server it runs: neither is believed of
the page. From there on it is as with a link of one's own: the page has made a token, whose digest is kept.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

from bot.model.activities import DiscordTroubleError, Instance, Person
from bot.model.ids import GuildId, Player, TableId
from bot.play.doors.play import Play
from bot.web.limits import Allowances, CrowdedError, Turns
from bot.web.messages import Open
from bot.web.tokens import Reader, guild_of

log = logging.getLogger(__name__)

FRESH_MS = 30 * 60_000
"""For so long it is remembered at which table somebody has launched the Activity."""
MOST_REMEMBERED = 20_000
PAUSE_SECONDS = 0.2
"""Between two visitors whom Discord is asked about: each costs up to three requests."""
LONGEST_SECONDS = 8.0
"""Whoever would have to wait longer for their turn is told to come again."""
MOST_FAILED = 30
"""Failed tries per minute at one known instance; at unknown ones, from one address."""
MOST_TROUBLES = 20
"""Requests per minute that Discord refuses or fails to answer. A wrong client secret gets 401 each time, and Discord
locks out whoever gets 10,000 of those in ten minutes."""
MOST_INSTANCES = 5_000
"""Instances that are known from someone who was let in."""
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
        is_in: Callable[[GuildId], bool] = lambda guild: True,
    ) -> None:
        """``home`` is where browsers reach the same page; ``is_in`` is true of servers that have the bot."""
        self._play = play
        self._discord = discord
        self.home = home
        self._now = now_ms
        self._launched: OrderedDict[tuple[GuildId, Player], tuple[TableId, int]] = OrderedDict()
        self._is_in = is_in
        self._turns = Turns(pause=PAUSE_SECONDS, longest=LONGEST_SECONDS)
        self._failed = Allowances(MOST_FAILED, clock=lambda: now_ms() / 1000)
        self._troubles = Allowances(MOST_TROUBLES, clock=lambda: now_ms() / 1000)
        self._instances: OrderedDict[str, GuildId] = OrderedDict()

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

    async def came(
        self, opening: Open, *, address: str, alive: Callable[[], bool] = lambda: True
    ) -> tuple[Reader, TableId]:
        """Who opens a page of a server that this process serves, and at which table.

        They come from ``address``, and have gone once they aren't ``alive``. Raises NotVouchedError,
        StorageTroubleError.
        """
        guild = guild_of(opening.token)
        if guild is None or not _CODE.fullmatch(opening.code) or not _INSTANCE.fullmatch(opening.instance):
            raise NotVouchedError("page.not_vouched")
        if not self._is_in(guild):
            raise NotVouchedError("page.not_vouched")
        whose_failure = opening.instance if self._instances.get(opening.instance) == guild else address
        if not self._failed.take(whose_failure):
            raise NotVouchedError("page.later", again=True)
        try:
            await self._turns.wait(address, opening.instance, alive=alive)
            person = await self._vouched(opening, guild)
        except (CrowdedError, DiscordTroubleError) as trouble:
            self._failed.give_back(whose_failure)
            raise NotVouchedError("page.later", again=True) from trouble
        if person is None:
            raise NotVouchedError("page.not_vouched")
        self._failed.give_back(whose_failure)
        self._note_instance(opening.instance, guild)
        digest = hashlib.sha256(opening.token.encode()).digest()
        await self._play.admit(guild, person.player, digest, locale=person.locale)
        kept = await self._play.admitted(guild, digest)
        if kept is None or kept.player != person.player:
            raise NotVouchedError("page.not_vouched")
        reader = Reader(guild=guild, player=kept.player, locale=kept.locale, until=kept.until, digest=digest)
        return reader, self._table(guild, person.player)

    async def _vouched(self, opening: Open, guild: GuildId) -> Person | None:
        """Ask Discord who it is; None for someone who doesn't take part in this instance in this server.

        The code is exchanged only once the instance is known. Raises DiscordTroubleError.
        """
        if self._troubles.left("") < 1:
            raise DiscordTroubleError("it was asked in vain too often")
        try:
            instance = await self._discord.instance(opening.instance)
            if instance is None or instance.guild != guild:
                return None
            person = await self._discord.who(opening.code)
        except DiscordTroubleError as trouble:
            self._troubles.take("")
            log.warning("who opens the Activity could not be asked: %s", trouble)
            raise
        if person is not None and person.player not in instance.players:
            log.info("somebody came with an instance of the Activity that is not theirs")
            return None
        return person

    def _note_instance(self, name: str, guild: GuildId) -> None:
        self._instances.pop(name, None)
        self._instances[name] = guild
        while len(self._instances) > MOST_INSTANCES:
            self._instances.popitem(last=False)
