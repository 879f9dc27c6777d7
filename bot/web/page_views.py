"""Choosing and drawing a page's table, which is one of its reader's own or one that they may watch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.chat.kit.faces import Faces
from bot.chat.kit.text_only import words_wished
from bot.chat.table.screens.lobby import table_title
from bot.chat.table.screens.own_seat import needs_wallet
from bot.model.choices import MemberSettings
from bot.model.ids import Player, TableKey
from bot.model.refusals import Stale
from bot.model.tables import Role, Table, TableState
from bot.play.api.play import Play
from bot.play.queries.results import ResultView
from bot.play.queries.views import TableView
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, words_for, words_of_locale
from bot.web.drawing import TableDrawing, nothing
from bot.web.messages import TableChoice, View
from bot.web.page import Page
from bot.web.page_words import sent_words
from bot.web.plain import plain
from bot.web.puzzles import PagePuzzles, way_back
from bot.web.retry import drawn_try, offers_at_end, view_of_try
from bot.web.seats import PageSeats
from bot.web.view_cache import ViewCache
from bot.web.viewers import Viewers
from bot.web.watching import MAX_BOARDS, WatchableTables, not_yet


class PageViews:
    """Produces the views of tables for pages. A stream's page has the public view, even of its reader's own table."""

    def __init__(
        self,
        play: Play,
        faces: Faces,
        watching: WatchableTables,
        seats: PageSeats,
        viewers: Viewers,
        puzzles: PagePuzzles,
        *,
        now_ms: Callable[[], int],
    ) -> None:
        self._play = play
        self._faces = faces
        self._watching = watching
        self._seats = seats
        self._viewers = viewers
        self._puzzles = puzzles
        self._now = now_ms
        self._drawn, self._drawn_late = ViewCache(), ViewCache()

    async def view(self, page: Page) -> View:
        """Return everything that the page shows now."""
        view = await self._view(page)
        if page.solves and page.puzzle is None:
            view = replace(view, offers=(*view.offers, way_back(words_for(page.worded))))
        return view if page.link or page.late else replace(view, analyses=True)

    async def _view(self, page: Page) -> View:
        reader = page.reader
        member_settings = await self._play.member_settings(reader.guild, reader.player)
        words = words_wished(member_settings, words_of_locale(reader.locale))
        if page.worded != words.language.code:
            page.worded = words.language.code
            page.line.send(sent_words(words))
        if page.puzzle is not None:
            shown = await self._puzzles.view(page.puzzle, reader.player, words, member_settings)
            return replace(shown, tables=await self._calls(page, words))
        seen = [] if page.link else await self._tables(page)
        view = next((view for view in seen if view.table.key == page.key), None)
        if page.retry is not None:
            view = view_of_try(page.retry)
        elif view is None:
            page.event, page.beside = None, []
            return nothing(words, member_settings, shared=bool(page.link), late=page.late)
        if page.late:
            page.event = view.table.event
            return await self._late(page, view, words, member_settings, self._choices(page, seen, words))
        drawing = TableDrawing(
            view=view,
            words=words,
            faces=self._faces.for_reader(member_settings).in_letters(),
            member_settings=member_settings,
            result=None if page.retry else await self._result(page, view),
            standing=page.standing,
            wallet=await self._play.wallet_seen(reader.guild, reader.player) if needs_wallet(view) else 0,
        )
        if page.retry is not None:
            # During a retry, the table itself is announced when it's the reader's turn, like their other tables.
            calls = [one for one in _own(page, seen, words) if one.waits]
            return replace(drawn_try(drawing, page.retry), tables=tuple(replace(one, chosen=False) for one in calls))
        page.event = view.table.event
        shown = self._drawn.of(drawing, self._choices(page, seen, words))
        joins = self._seats.join_offers(drawing, reader.player)
        shown = replace(
            shown,
            offers=(*joins, *shown.offers),
            seatless=view.mine is None,
            viewers=self._viewers.of(view.table.key),
        )
        if view.you is not None:
            shown = replace(shown, offers=(*shown.offers, *offers_at_end(drawing)))
        if view.you is not None and page.standing is None:
            page.beside = []
            return shown
        event, page.beside = await self._watching.event(drawing, out=reader.player if page.standing else None)
        if event is not None or view.you is not None:
            return replace(shown, event=event, others=len(event.boards) if event else 0)
        others = [table for table in page.watchable if table.key != view.table.key]
        if not page.shows_others:
            return replace(shown, others=min(len(others), MAX_BOARDS))
        boards, page.beside = await self._watching.beside(drawing, others)
        return replace(shown, others=len(boards), beside=boards)

    async def _late(
        self, page: Page, now: TableView, words: Words, member_settings: MemberSettings, choices: list[TableChoice]
    ) -> View:
        """Return the view of a stream's page. ``now`` is the table's current public view."""
        late = await self._watching.look_late(now.table.key)
        if late.due is not None:
            seconds = max(0, late.due - self._now()) / 1000
            asyncio.get_running_loop().call_later(seconds, page.woken.set)
        drawing = TableDrawing(
            view=late.view or now,
            words=words,
            faces=self._faces.for_reader(member_settings).in_letters(),
            member_settings=member_settings,
            result=None if late.view is None else await self._result(page, late.view),
        )
        shown = self._drawn_late.of(drawing, choices)
        return shown if late.view is not None else not_yet(shown, words)

    async def _calls(self, page: Page, words: Words) -> tuple[TableChoice, ...]:
        """Return the reader's tables that wait for them, for a page that shows none."""
        if page.looks and page.reader.guild:
            page.tables = [table.key for table in await self._play.tables_of(page.reader.guild, page.reader.player)]
        page.looks = False
        seen = [view for key in page.tables if (view := await self._look(page, key)) is not None]
        return tuple(one for one in _own(page, seen, words) if one.waits)

    async def _tables(self, page: Page) -> list[TableView]:
        """Return the tables as the reader sees them, and the table shown. Chooses one if the page shows none."""
        reader = page.reader
        if page.looks:
            page.looks = False
            own = [] if page.late else await self._play.tables_of(reader.guild, reader.player)
            page.tables = [table.key for table in own]
            page.watchable = [one for one in await self._watching.tables(reader.guild) if one.key not in page.tables]
        keys = [*page.tables, *([page.key] if page.key and page.key not in page.tables else [])]
        seen = [view for key in keys if (view := await self._look(page, key)) is not None]
        shown = next((view for view in seen if page.key == view.table.key), None)
        if (last := await self._last(page, shown)) is not None:
            return [*(view for view in seen if view is not shown), last]
        sits = [view for view in seen if view.mine is not None and view.table.open]
        if sits and (shown is None or (shown not in sits and not (page.chosen and shown.you is None))):
            page.key = min(sits, key=lambda view: _urgency(view, reader.player)).table.key
        elif shown is None:
            if page.key is not None:  # it's now closed to watchers, and others may have opened
                page.watchable = await self._watching.tables(reader.guild)
            page.key = page.watchable[0].key if page.watchable else None
            found = await self._look(page, page.key) if page.key else None
            seen += [found] if found is not None else []
        return seen

    async def _last(self, page: Page, shown: TableView | None) -> TableView | None:
        """Return the last hand of a reader who lost their seat in an event; None for any other.

        Also None if they view another table. Their other tables don't replace the last hand automatically, so that they
        can read how they finished.
        """
        if shown is not None and shown.you is not None:
            gone = shown.event is not None and (shown.mine is None or not shown.table.open)
            page.last = shown if gone else None
        if page.last is None or page.last.table.key != page.key:
            page.last = page.standing = None
            return None
        with suppress(Refused, Stale):
            page.standing = await self._play.standing(page.last.table.key, page.reader.player)
            # The page itself lets the reader choose a table to watch.
            page.standing = page.standing and replace(page.standing, table=0)
        if page.standing is None or page.standing.part in (Role.SEATED, Role.NONE):
            page.last = page.standing = None
        return page.last

    async def _look(self, page: Page, key: TableKey) -> TableView | None:
        """Return one of the reader's tables, or one that they may watch; None for any other.

        Players who left or were removed can see their last hand there until the next one is dealt. After that, they see
        the table only if they may watch it.
        """
        if not page.late:
            with suppress(Refused, Stale):
                view = await self._play.look(key, page.reader.player)
                if view.mine is not None or (view.hand is not None and view.hand.mine is not None):
                    page.sat.add(key)
                elif view.table.open:
                    page.sat.discard(key)
                if key in page.sat:
                    return view
        return await self._watching.look(key)

    async def _result(self, page: Page, view: TableView) -> ResultView | None:
        table = view.table
        if table.state is TableState.PLAYING or not table.hand_no:
            return None
        of = (table.key, table.hand_no, table.state)
        if page.shown[0] != of:
            try:
                result = await self._play.result(table.key, table.hand_no, view.you)
            except (Refused, Stale):
                return None  # other players still have to play its deck
            page.shown = of, result
        return page.shown[1]

    def _choices(self, page: Page, seen: list[TableView], words: Words) -> list[TableChoice]:
        """Return the tables to choose from; empty if there is only the one shown."""
        found = _own(page, seen, words)
        shown = {one.table for one in found}
        others = [table for table in page.watchable if table.key.table not in shown]
        found += [_choice(page, table, words, watch=True) for table in others]
        return found if any(not one.chosen for one in found) else []


def _urgency(view: TableView, player: Player) -> tuple[bool, bool, int]:
    """Sort key for the default table: the player's turn first, then a hand in progress, then the newest."""
    return player not in view.waiting, view.table.state is not TableState.PLAYING, -view.table.key.table


def _own(page: Page, seen: list[TableView], words: Words) -> list[TableChoice]:
    """Return the reader's own tables."""
    player = page.reader.player
    own = [view for view in seen if view.you is not None]
    return [_choice(page, view.table, words, turn=view if player in view.waiting else None) for view in own]


def _choice(
    page: Page, table: Table, words: Words, *, turn: TableView | None = None, watch: bool = False
) -> TableChoice:
    """Return a table's menu entry. ``turn`` is set if it's waiting for the reader, and ``watch`` if they only watch."""
    return TableChoice(
        table=table.key.table,
        title=plain(table_title(table, words), str),
        waits=turn is not None,
        until=turn.until(page.reader.player) if turn else None,
        chosen=table.key == page.key,
        watch=watch,
    )
