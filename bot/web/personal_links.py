"""Personal links to the page, which appear only in messages that only their player can read.

The part of a link after ``#`` is a ticket: a random, single-use word that is valid for half an hour and kept only in
memory. The page that uses it makes its own token, and the bot stores the token's digest. So the page keeps working
after a restart and with another process. Both ticket and token start with the server's id, so any process can tell
which server they belong to.
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
from typing import TypeAlias
from urllib.parse import quote_plus

from bot.model.errors import StorageUnavailableError
from bot.model.ids import GuildId, Player, Serves, TableId
from bot.model.puzzles import NO_PUZZLE, PuzzleName
from bot.model.tables import Table
from bot.play.api.play import Play
from bot.play.bus import Bus
from bot.web.activity import Activity
from bot.web.addresses import PAGE
from bot.web.events.pages import EventPages
from bot.web.forwarding import ServedElsewhereError
from bot.web.messages import Open
from bot.web.pages import Pages
from bot.web.tokens import PageReader, parse_guild

log = logging.getLogger(__name__)

GOOD_MS = 30 * 60_000
"""Validity of a ticket."""
YOUNG_MS = GOOD_MS // 2
"""Maximum age at which an unused ticket is offered again in the next message."""
MAX_TICKETS = 20_000
"""Maximum number of known tickets. The oldest is dropped."""
MAX_OFFERED_TABLES = 5
"""Maximum number of links for watching per message, which is one row of buttons."""
MAX_LINK = 512
"""Maximum length of a link button's address."""
OUTSIDE = GuildId(0)
"""Stands for the server on pages that were opened outside servers."""
TIMEOUT_SECONDS = 15.0
"""Timeout for finding the new address of pages whose server has moved to another process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTicket:
    """A ticket's reader, their table or their puzzle, and its expiry (ms)."""

    reader: PageReader
    table: TableId
    until: int
    puzzle: bool = False

    @property
    def purpose(self) -> _Purpose:
        """Key of the newest unused ticket, which is offered again."""
        reader = self.reader
        return reader.guild, reader.player, self.table, self.puzzle, reader.puzzle


_Purpose: TypeAlias = tuple[GuildId, Player, TableId, bool, PuzzleName]


class PersonalLinks:
    """The links of this process, and the admission of visitors who follow them."""

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
        event_pages: EventPages | None = None,
    ) -> None:
        """``url`` is the pages' public address. If it's empty, there are no links.

        ``url_of`` returns the page address of a server of another process. ``inside`` admits visitors from Discord's
        frame; None if the page doesn't open there.
        """
        self._play = play
        self.url = url
        self.public_url = url
        """Base address of events' public pages; empty if there are none."""
        self.served = bool(url)
        """True if pages can be opened, by links or in another way."""
        self._now = now_ms
        self._serves = serves
        self._url_of = url_of
        self._known: OrderedDict[str, LinkTicket] = OrderedDict()
        self._newest: dict[_Purpose, str] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self.pages = pages
        self.inside = inside
        self.event_pages = event_pages
        self.simulated: Callable[[PageReader, str], str] | None = None
        """Returns the address of a page with this query in the playground, which has no links."""
        self._bus = bus
        bus.player_deleted.subscribe(self.deleted)

    # links

    def link(
        self, guild: GuildId, player: Player, locale: str, *, table: TableId | None = None, beside: bool = False
    ) -> str:
        """Return the address of a player's own page, meant only for them; empty if links are disabled.

        With ``beside``, the page also shows the other tables that the player may watch.
        """
        if not self.url or not guild:
            return ""
        reader = PageReader(guild=guild, player=player, locale=locale)
        return f"{self.url}{PAGE}{'?all' if beside else ''}#{self._ticket(reader, table or TableId(0))}"

    def puzzle_link(self, guild: GuildId, player: Player, locale: str, *, answered: PuzzleName = NO_PUZZLE) -> str:
        """Return the address of a player's own page with puzzles; empty if there is none.

        It begins with the puzzle that they've ``answered``, or else with their current one. Outside servers, ``guild``
        is 0. Such a link works only in the process that serves direct messages.
        """
        reader = PageReader(guild=guild, player=player, locale=locale, puzzle=answered)
        return self._anywhere(reader, "puzzle")

    def analysis_link(
        self, guild: GuildId, player: Player, locale: str, *, game: str, position: str = "", deeper: bool = False
    ) -> str:
        """Return the address of a player's own page that assembles a position of a game; empty if there is none.

        The page begins with the analysis of ``position``, a ``deeper`` one if that was made. One too long for a link's
        button is left out.
        """
        reader = PageReader(guild=guild, player=player, locale=locale)
        query = f"analysis={quote_plus(f'{game} {position}', safe='/@')}"
        filled = self._anywhere(reader, f"{query}&deeper" if deeper else query)
        if len(filled) <= MAX_LINK:
            return filled
        return self._anywhere(reader, f"analysis={quote_plus(game)}")

    def _anywhere(self, reader: PageReader, query: str) -> str:
        """Return the address of a page that also opens outside servers, with this query."""
        if self.simulated is not None:
            return self.simulated(reader, query)
        if not self.url or not self._serves(reader.guild):
            return ""
        return f"{self.url}{PAGE}?{query}#{self._ticket(reader, TableId(0), puzzle=True)}"

    def _ticket(self, reader: PageReader, table: TableId, *, puzzle: bool = False) -> str:
        """Return a ticket for the reader, which may be one that was offered before and not used."""
        now = self._now()
        fresh = LinkTicket(reader=reader, table=table, until=now + GOOD_MS, puzzle=puzzle)
        name = self._newest.get(fresh.purpose, "")
        ticket = self._known.get(name)
        if ticket is None or ticket.until - now < GOOD_MS - YOUNG_MS or ticket.reader.locale != reader.locale:
            name = f"{reader.guild}.{secrets.token_urlsafe(32)}"
            self._newest[fresh.purpose], self._known[name] = name, fresh
            while len(self._known) > MAX_TICKETS or next(iter(self._known.values())).until <= now:
                self._drop(next(iter(self._known)))
        return name

    def watch_links(self, player: Player, locale: str, tables: Iterable[Table]) -> list[tuple[int, str]]:
        """Return the numbers of the first few of ``tables`` that anyone may watch, with addresses for watching them.

        If there are several, the first address shows them together, and its number is 0.
        """
        watched = [table for table in tables if self.may_be_watched(table)]
        shown = watched[: MAX_OFFERED_TABLES - (len(watched) > 1)]
        links = [(table.number, self.link(table.key.guild, player, locale, table=table.key.table)) for table in shown]
        if len(shown) > 1:
            first = shown[0].key
            links.insert(0, (0, self.link(first.guild, player, locale, table=first.table, beside=True)))
        return links

    def may_be_watched(self, table: Table) -> bool:
        """True if anyone in the server may watch the table by a link."""
        return bool(self.url) and self.pages.watching.allows(table)

    # streams

    def stream_used(self, guild: GuildId, player: Player) -> int | None:
        """Return when a player's stream link was last in use; None if it wasn't since this process has started."""
        return self.pages.stream_used(guild, player)

    async def end_stream(self, guild: GuildId, player: Player) -> None:
        """Revoke a player's stream link, and close what it has opened."""
        await self._play.end_stream_link(guild, player)
        self.pages.end_streams(guild, player)

    async def end_stream_named(self, guild: GuildId, name: str) -> None:
        """Revoke the stream link with this name, if it's still valid, and close what it has opened."""
        owner = await self._play.end_stream_link_named(guild, name)
        if owner is not None:
            self.pages.end_streams(guild, owner)

    def launched(self, guild: GuildId, player: Player, table: TableId) -> None:
        """Remember the table from which ``player`` launches the page in Discord."""
        if self.inside is not None:
            self.inside.launched(guild, player, table)

    def _drop(self, name: str) -> LinkTicket | None:
        ticket = self._known.pop(name, None)
        if ticket is not None and self._newest.get(ticket.purpose) == name:
            del self._newest[ticket.purpose]
        return ticket

    # arrivals

    async def came(self, opening: Open) -> tuple[PageReader, TableId] | None:
        """Return the visitor and their table; None if the visitor is unknown.

        Raises ServedElsewhereError and StorageUnavailableError.
        """
        guild = parse_guild(opening.token)
        if guild is None or not self.url:
            return None
        digest = hashlib.sha256(opening.token.encode()).digest()
        await self.require_served_here(guild)
        ticket = self._drop(opening.ticket)
        if ticket is not None and ticket.until > self._now() and ticket.reader.guild == guild:
            try:
                await self._play.admit(guild, ticket.reader.player, digest, locale=ticket.reader.locale)
            except StorageUnavailableError:
                self._known[opening.ticket] = ticket  # the page will retry
                raise
            self._bus.link_used.send(guild, ticket.reader.player)
        kept = await self._play.admitted(guild, digest)
        if kept is None or not hmac.compare_digest(kept.digest, digest):
            return None
        reader = PageReader(
            guild=guild,
            player=kept.player,
            locale=kept.locale,
            until=kept.until,
            digest=digest,
            puzzle=NO_PUZZLE if ticket is None else ticket.reader.puzzle,
        )
        return reader, TableId(0) if ticket is None else ticket.table

    async def require_served_here(self, guild: GuildId) -> None:
        """Raise ServedElsewhereError if another process serves the server, because its pages don't work here."""
        if not self._serves(guild):
            raise ServedElsewhereError(await self.elsewhere(guild))

    async def elsewhere(self, guild: GuildId) -> str:
        """Return the page address of a server that another process serves.

        Empty if the process is unknown or may soon be this one.
        """
        base = await self.base_elsewhere(guild)
        return base and f"{base}{PAGE}"

    async def base_elsewhere(self, guild: GuildId) -> str:
        """Return the base address of the pages of a server that another process serves.

        Empty if the process is unknown or may soon be this one.
        """
        if self._url_of is None:
            return ""
        try:
            url = await self._url_of(guild)
        except StorageUnavailableError as trouble:
            log.debug("the process that serves a server could not be looked up: %s", trouble)
            return ""
        return "" if url in ("", self.url) else url

    # departures

    async def close(self, guild: GuildId, player: Player) -> None:
        """Close a player's pages in a server and outside servers. Their links and tokens there stop working."""
        for one in dict.fromkeys((guild, OUTSIDE)):
            await self._close(one, player, said="page.closed")

    async def _close(self, guild: GuildId, player: Player, *, said: str) -> None:
        self._forget(player, guild)
        await self._play.close_pages(guild, player)
        self.pages.close_for(player, guild, said=said)

    def readers(self) -> Collection[tuple[GuildId, Player]]:
        """Return the players with an open page of a server, which may be a stream's. Guests aren't included."""
        readers = [page.reader for page in self.pages.all if page.reader.guild]
        return dict.fromkeys((reader.guild, reader.player) for reader in readers if reader.digest or reader.stream)

    async def left(self, guild: GuildId, player: Player) -> None:
        """Close the pages of a player who left the server."""
        await self._close(guild, player, said="page.left")

    def deleted(self, player: Player) -> None:
        """Close the pages of a deleted player. Their tokens are already deleted."""
        self._forget(player)
        if self.inside is not None:
            self.inside.forget(player)
        self.pages.close_for(player)

    def _forget(self, player: Player, guild: GuildId | None = None) -> None:
        for name, ticket in list(self._known.items()):
            if ticket.reader.player == player and guild in (None, ticket.reader.guild):
                self._drop(name)

    def deleted_elsewhere(self) -> None:
        """Recheck the readers of all pages, because another process has deleted a player."""
        self._forget_events()
        self._soon(self._look_again())

    async def _look_again(self) -> None:
        for page in self.pages.all:
            reader = page.reader
            gone = bool(reader.digest) and await self._play.admitted(reader.guild, reader.digest) is None
            if gone or (reader.stream and await self._play.stream_of(reader.stream) is None):
                self._forget(reader.player)
                self.pages.close_for(reader.player)

    def handed_over(self, serves: Serves) -> None:
        """Send the pages of servers that another process now serves to their new address."""
        self._forget_events()
        for name, ticket in list(self._known.items()):
            if serves(ticket.reader.guild):
                self._drop(name)
        if any(serves(page.reader.guild) for page in self.pages.all):
            self._soon(self._send_on(serves))

    def _forget_events(self) -> None:
        if self.event_pages is not None:
            self.event_pages.clear()

    async def end(self) -> None:
        """Send on the pages of servers that other processes have taken over, because this process is about to end."""
        await self._send_on(lambda guild: not self._serves(guild))

    async def _send_on(self, serves: Serves) -> None:
        to: dict[GuildId, str] = {}
        for page in self.pages.all:
            guild = page.reader.guild
            if serves(guild) and guild not in to:
                async with asyncio.timeout(TIMEOUT_SECONDS):
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
            log.exception("pages could not be notified that they moved or closed")
