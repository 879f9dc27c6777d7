"""The door for those who play on Discord: a link of their own, which stands in what they alone read.

Behind the ``#`` of a link is a ticket: a word of chance that is good once, for half an hour, and is in memory alone.
The page that uses it makes a token of its own. The token's digest is kept in the database, so the page goes on by
itself after a restart, and at another process. The server's id stands in front of both: whichever process is asked
knows whose it is.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass

from bot.model.errors import StorageTroubleError
from bot.model.ids import GuildId, Player, Serves, TableId
from bot.model.tables import Table
from bot.play.bus import Bus
from bot.play.doors.play import Play
from bot.web.activity import Activity
from bot.web.messages import Open
from bot.web.pages import Pages
from bot.web.tokens import Reader, guild_of

log = logging.getLogger(__name__)

GOOD_MS = 30 * 60_000
"""A ticket opens a page for so long after it was made."""
YOUNG_MS = GOOD_MS // 2
"""One that nobody has used stands in the next message too while it is not older."""
MOST = 20_000
"""Tickets that are known; the oldest goes."""
MOST_OFFERED = 5
"""Tables to watch that one message offers: a row of buttons."""
LONGEST = 15.0
"""Seconds for which pages of servers that are another's now wait to hear whose."""


class ElsewhereError(Exception):
    """Another process serves the server; ``to`` is where it has its pages, or empty: asked again, that may be here."""

    def __init__(self, to: str) -> None:
        super().__init__("another process serves this server")
        self.to = to


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """Who may use it, for which of their tables, and until when (ms)."""

    reader: Reader
    table: TableId
    until: int


class PersonalLinks:
    """The links of this process, and whoever came by one."""

    def __init__(
        self,
        play: Play,
        pages: Pages,
        bus: Bus,
        *,
        url: str,
        now_ms: Callable[[], int],
        serves: Serves,
        url_of: Callable[[GuildId], Awaitable[str]] | None = None,
        inside: Activity | None = None,
    ) -> None:
        """``url`` is where the pages are reached. If it's empty, there are no links.

        ``url_of`` returns where the pages of other processes' servers are. ``inside`` is the door in Discord itself;
        None if the page doesn't open there.
        """
        self._play = play
        self.url = url
        self.served = bool(url)
        """True where pages can be opened: by links, or by another door."""
        self._now = now_ms
        self._serves = serves
        self._url_of = url_of
        self._known: OrderedDict[str, Ticket] = OrderedDict()
        self._newest: dict[tuple[GuildId, Player, TableId], str] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self.pages = pages
        self.inside = inside
        self._bus = bus
        bus.player_deleted.subscribe(self.deleted)

    # links

    def link(self, guild: GuildId, player: Player, locale: str, *, table: TableId | None = None) -> str:
        """The address of somebody's own page, for their eyes alone; empty where there are none."""
        if not self.url or not guild:
            return ""
        table, now = table or TableId(0), self._now()
        who = guild, player, table
        name = self._newest.get(who, "")
        ticket = self._known.get(name)
        if ticket is None or ticket.until - now < GOOD_MS - YOUNG_MS or ticket.reader.locale != locale:
            name = f"{guild}.{secrets.token_urlsafe(32)}"
            reader = Reader(guild=guild, player=player, locale=locale)
            self._newest[who], self._known[name] = name, Ticket(reader=reader, table=table, until=now + GOOD_MS)
            while len(self._known) > MOST or next(iter(self._known.values())).until <= now:
                self._drop(next(iter(self._known)))
        return f"{self.url}/table#{name}"

    def watch_links(self, player: Player, locale: str, tables: Iterable[Table]) -> dict[TableId, str]:
        """The addresses at which a player watches the first of ``tables`` that anyone may watch."""
        if not self.url:
            return {}
        watched = [table.key for table in tables if self.pages.watching.allows(table)][:MOST_OFFERED]
        return {key.table: self.link(key.guild, player, locale, table=key.table) for key in watched}

    def launched(self, guild: GuildId, player: Player, table: TableId) -> None:
        """Somebody launches the page in Discord from one of their tables."""
        if self.inside is not None:
            self.inside.launched(guild, player, table)

    def _drop(self, name: str) -> Ticket | None:
        ticket = self._known.pop(name, None)
        if ticket is not None:
            who = ticket.reader.guild, ticket.reader.player, ticket.table
            if self._newest.get(who) == name:
                del self._newest[who]
        return ticket

    # who comes

    async def came(self, opening: Open) -> tuple[Reader, TableId] | None:
        """Who opens a page, and at which table; None for nobody who is known.

        Raises ElsewhereError, and StorageTroubleError.
        """
        guild = guild_of(opening.token)
        if guild is None or not self.url:
            return None
        digest = hashlib.sha256(opening.token.encode()).digest()
        await self.demand_here(guild)
        ticket = self._drop(opening.ticket)
        if ticket is not None and ticket.until > self._now() and ticket.reader.guild == guild:
            try:
                await self._play.admit(guild, ticket.reader.player, digest, locale=ticket.reader.locale)
            except StorageTroubleError:
                self._known[opening.ticket] = ticket  # the page asks again
                raise
            self._bus.link_used.send(guild, ticket.reader.player)
        kept = await self._play.admitted(guild, digest)
        if kept is None or not hmac.compare_digest(kept.digest, digest):
            return None
        reader = Reader(guild=guild, player=kept.player, locale=kept.locale, until=kept.until, digest=digest)
        return reader, TableId(0) if ticket is None else ticket.table

    async def demand_here(self, guild: GuildId) -> None:
        """Raise ElsewhereError where another process serves a server: a page of it would be heard by nobody here."""
        if not self._serves(guild):
            raise ElsewhereError(await self.elsewhere(guild))

    async def elsewhere(self, guild: GuildId) -> str:
        """Where the pages of a server are that another process serves; empty where that may be here, in a moment."""
        if self._url_of is None:
            return ""
        try:
            url = await self._url_of(guild)
        except StorageTroubleError as trouble:
            log.debug("whose a server is is not known: %s", trouble)
            return ""
        return "" if url in ("", self.url) else f"{url}/table"

    # who goes

    async def close(self, guild: GuildId, player: Player, *, said: str = "page.closed") -> None:
        """Close somebody's pages in a server, and let no link or token of theirs open another."""
        self._forget(player, guild)
        await self._play.close_pages(guild, player)
        self.pages.close_of(player, guild, said=said)

    def readers(self) -> Collection[tuple[GuildId, Player]]:
        """Who has a page open that they came to by a link or by the door in Discord."""
        readers = [page.reader for page in self.pages.all]
        return dict.fromkeys((reader.guild, reader.player) for reader in readers if reader.digest or reader.stream)

    async def left(self, guild: GuildId, player: Player) -> None:
        """Close the pages of somebody who is no longer in the server."""
        await self.close(guild, player, said="page.left")

    def deleted(self, player: Player) -> None:
        """Somebody was deleted, their tokens too."""
        self._forget(player)
        if self.inside is not None:
            self.inside.forget(player)
        self.pages.close_of(player)

    def _forget(self, player: Player, guild: GuildId | None = None) -> None:
        for name, ticket in list(self._known.items()):
            if ticket.reader.player == player and guild in (None, ticket.reader.guild):
                self._drop(name)

    def deleted_elsewhere(self) -> None:
        """Another process has deleted somebody: whoever has a page open is looked up again."""
        self._soon(self._look_again())

    async def _look_again(self) -> None:
        for page in self.pages.all:
            reader = page.reader
            gone = bool(reader.digest) and await self._play.admitted(reader.guild, reader.digest) is None
            if gone or (reader.stream and await self._play.stream_of(reader.stream) is None):
                self._forget(reader.player)
                self.pages.close_of(reader.player)

    def given_up(self, serves: Serves) -> None:
        """Another process serves these servers from now on: their pages are told where they go on."""
        for name, ticket in list(self._known.items()):
            if serves(ticket.reader.guild):
                self._drop(name)
        if any(serves(page.reader.guild) for page in self.pages.all):
            self._soon(self._send_on(serves))

    async def end(self) -> None:
        """Send on the pages whose servers others have taken over: this process ends, and can soon ask nothing more."""
        await self._send_on(lambda guild: not self._serves(guild))

    async def _send_on(self, serves: Serves) -> None:
        to: dict[GuildId, str] = {}
        for page in self.pages.all:
            guild = page.reader.guild
            if serves(guild) and guild not in to:
                async with asyncio.timeout(LONGEST):
                    to[guild] = await self.elsewhere(guild)
        for guild, url in to.items():
            self.pages.send_on(guild, url)

    def _soon(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(self._done(work))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    @staticmethod
    async def _done(work: Awaitable[None]) -> None:
        try:
            await work
        except Exception:
            log.exception("pages could not be told what has become of them")
