"""The bot's web pages at the playground's address.

A table's page is shown next to the channel, with the same player's view. Events' public pages open in a tab.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from aiohttp import web

from bot.model.ids import GuildId, Player
from bot.run.playground.simulated_server import SimulatedServer
from bot.web.addresses import EVENT, FILES, PAGE, SOCKET
from bot.web.events.answers import event_answer
from bot.web.pages import Doing, Pages
from bot.web.personal_links import PersonalLinks
from bot.web.server import PageServer
from bot.web.tokens import PageReader

ROUTES = (PAGE, SOCKET, f"{FILES}{{name}}", f"{EVENT}/{{name}}")
IN_TIME = "Date.now = parent.playgroundNow ?? Date.now;"
"""Script that makes the table's page use the playground's clock, which may be faster than the wall clock."""
_MODULE = re.compile(r'(<script )type="module" (nonce="[^"]+") src="[^"]+">')


class PageProxy:
    """Serves the pages of the running bot. In tests, the bot may have none."""

    def __init__(self, world: SimulatedServer, *, doing: Doing) -> None:
        """``doing`` wraps the pages' actions, so that they run by the clock of the simulated Discord."""
        found = getattr(world.env.bot, "pages", None)
        self._pages = found if isinstance(found, Pages) else None
        self._server: PageServer | None = None
        self._world = world
        self._tokens: dict[PageReader, str] = {}
        if self._pages is not None:
            self._pages.doing = doing
        links = getattr(world.env.bot, "links", None)
        self._links = links if isinstance(links, PersonalLinks) else None
        if self._links is not None:
            self._links.served = True

    def serve_at(self, url: str) -> None:
        """Offer events' pages, and those for puzzles and analyses, at this address, which is the playground's.

        The ``=`` before a token makes the page keep it when it's reloaded.
        """
        if self._links is not None:
            self._links.public_url = url
            self._links.simulated = lambda reader, query: f"{url}{PAGE}?{query}#={self._token_of(reader)}"

    async def answer(self, request: web.Request, *, hosts: Callable[[], Collection[str]]) -> web.StreamResponse:
        """Answer a request for one of the pages' paths."""
        if request.path.startswith(f"{EVENT}/"):
            return await self._event(request, hosts=hosts)
        if self._server is None and self._pages is not None:
            self._server = PageServer(self._pages, hosts=hosts)
        if self._server is None:
            raise web.HTTPNotFound
        if request.path.startswith(FILES):
            return await self._server.file(request)
        answer = await self._server.routes()[request.path](request)
        if isinstance(answer, web.Response) and answer.text:
            answer.text = _MODULE.sub(rf"\1\2>{IN_TIME}</script>\n\g<0>", answer.text, count=1)
        return answer

    async def _event(self, request: web.Request, *, hosts: Callable[[], Collection[str]]) -> web.StreamResponse:
        if request.host not in hosts():
            raise web.HTTPForbidden
        if self._links is None or self._links.event_pages is None:
            raise web.HTTPNotFound
        return await event_answer(self._links.event_pages, request)

    def token(self, viewer: object) -> str:
        """Return a token for the member with this id; empty for any other value."""
        member = next((one for one in self._world.members.values() if str(one.id) == viewer), None)
        if member is None or self._pages is None:
            return ""
        guild, player = GuildId(self._world.guild.id), Player(str(member.id))
        reader = PageReader(guild=guild, player=player, locale=self._world.locale_of(member.id))
        user = self._world.env.backend.get_user(member.id)
        self._pages.saw(reader, user.global_name or user.name, username=user.name)
        return self._pages.tokens.give(reader)

    def _token_of(self, reader: PageReader) -> str:
        """Return the reader's token for these pages. It stays the same while it's valid."""
        if self._pages is None:
            return ""
        token = self._tokens.get(reader, "")
        if self._pages.tokens.reader(token) is None:
            token = self._tokens[reader] = self._pages.tokens.give(reader)
        return token

    def close(self) -> None:
        """Close the pages when the playground ends."""
        if self._pages is not None:
            self._pages.close()
