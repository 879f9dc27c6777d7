"""Ready-made phrases, which players at a table send from their pages to everyone who has it open. Nothing is stored."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from functools import partial
from math import ceil

from bot.chat.kit.faces import Faces
from bot.chat.kit.gate import Gate
from bot.chat.kit.page_request import PageRequest
from bot.model.ids import Player, TableId, TableKey
from bot.model.reasons import TableReason
from bot.model.refusals import Stale
from bot.play.api.play import Play
from bot.play.queries.views import TableView
from bot.pure.ofc.refusals import Refused
from bot.text.words import words_for
from bot.web.drawing import may_say, name_at
from bot.web.intents import unless_late
from bot.web.messages import Intent, PhraseSaid
from bot.web.page import Page
from bot.web.watching import WatchableTables

PAUSE_MS = 5_000
"""Minimum time between two phrases of a player at a table."""
MAX_PHRASES_PER_MINUTE = 6
"""Maximum number of a player's phrases per table and minute."""
MINUTE_MS = 60_000
MAX_SPEAKERS = 5_000
"""Maximum number of players and tables whose phrases are remembered. The one quiet for longest is dropped."""


class PhraseLimiter:
    """The rate limit of phrases, per player and table."""

    def __init__(self) -> None:
        self._said: OrderedDict[tuple[TableKey, Player], list[int]] = OrderedDict()

    def wait_seconds(self, key: TableKey, player: Player, *, at: int) -> int:
        """Return the seconds to wait until the next phrase is allowed; 0 if this one is, which counts it."""
        said = [then for then in self._said.pop((key, player), []) if 0 <= at - then < MINUTE_MS]
        wait = said[-1] + PAUSE_MS - at if said else 0
        if len(said) >= MAX_PHRASES_PER_MINUTE:
            wait = max(wait, said[-MAX_PHRASES_PER_MINUTE] + MINUTE_MS - at)
        self._said[key, player] = said if wait > 0 else [*said, at]
        while len(self._said) > MAX_SPEAKERS:
            self._said.popitem(last=False)
        return max(0, ceil(wait / 1000))


class Phrases:
    """Sends phrases to the pages that show their table."""

    def __init__(self, play: Play, gate: Gate, faces: Faces, watching: WatchableTables) -> None:
        self._play = play
        self._gate = gate
        self._faces = faces
        self._watching = watching
        self._limiter = PhraseLimiter()

    async def say(self, asked: PageRequest, intent: Intent, pages: Collection[Page]) -> None:
        """Send a phrase to those of the server's ``pages`` that show its table. A refusal goes into ``asked``."""

        async def body() -> None:
            key = TableKey(guild=asked.guild, table=TableId(intent.table))
            view = await self._play.look(key, asked.player)
            if not intent.phrase or not view.table.open:
                raise Stale
            if view.mine is None:
                raise Refused(TableReason.NOT_AT_THIS_TABLE, table=view.table.number)
            if not may_say(view):
                raise Refused(TableReason.NO_ONE_TO_TALK_TO)
            if wait := self._limiter.wait_seconds(key, asked.player, at=asked.made_at):
                raise Refused(TableReason.TOO_MANY_PHRASES, count=wait)
            for page in pages:
                if self._shows(page, view):
                    name = name_at(view, asked.player, self._faces.names, words_for(page.worded))
                    page.line.send(PhraseSaid(table=intent.table, name=name, phrase=intent.phrase))

        await self._gate.ask(asked, partial(unless_late, asked, body), verb="say", table=intent.table)

    def _shows(self, page: Page, view: TableView) -> bool:
        """True if the page shows the table now, to a player there or to someone who may watch it.

        Streams, which are late, and retries of a finished hand hear nothing.
        """
        shown = page.key == view.table.key and page.view is not None and page.view.table == view.table.key.table
        if not shown or page.late or page.retry is not None:
            return False
        return view.place_of(page.reader.player) is not None or self._watching.allows(view.table)
