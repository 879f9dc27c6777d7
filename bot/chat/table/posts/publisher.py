"""Keeps messages up to date with their tables. Redraws are coalesced, and a deleted message is posted again.

Each hand gets a new message at the bottom of the channel, which is edited during the hand. Work starts on demand, in
one task per table that ends once the table is drawn. The task sends pending posts, refreshes private panels and has the
players on turn notified. The redraw itself first waits for the governor, and then uses the newest state. If the table
changes during that wait, the urgent steps are repeated first. Failed redraws are retried by
:meth:`TablePublisher.sweep`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import discord

from bot.base.logs import note
from bot.base.meter import SILENT, Meter
from bot.chat.discord_patches.governor import Governor, post_route
from bot.chat.discord_patches.limits import Importance, RequestTicket
from bot.chat.kit.faces import Faces
from bot.chat.kit.kept_messages import UNKNOWN_CHANNEL, keep, way
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.outbox import Outbox
from bot.chat.kit.posting import drop_if_refused, post
from bot.chat.kit.redraw_queue import MessageLag, RedrawQueue
from bot.chat.kit.text_only import for_everybody, words_at
from bot.chat.kit.widgets import text
from bot.chat.table.posts.calls import SILENT_MS, CallPoster, CallRecord, TableNotes, called_by_message
from bot.chat.table.posts.open_panels import OpenPanels
from bot.chat.table.posts.orphans import Orphans
from bot.chat.table.posts.result_posts import TablePosts
from bot.chat.table.posts.threads import Threads
from bot.chat.table.screens.fairness import root_screen
from bot.chat.table.screens.screen import table_screen
from bot.model.ids import EVERYTHING, GuildId, Player, Serves, TableKey
from bot.model.reasons import HandReason
from bot.model.tables import Posting, Table
from bot.play.api.play import Play
from bot.play.api.server import Matchmaking
from bot.play.bus import Bus
from bot.play.queries.replays import PostedResult
from bot.play.queries.views import TableView
from bot.pure.ofc.refusals import Refused

log = logging.getLogger(__name__)

LULL_SECONDS = 8
"""Maximum wait for urgent drawings. It's limited because a table may be redrawn over and over."""
SOUGHT_MS = 5 * 60_000
"""Minimum time between checks for a deleted message of a table that is up to date."""


class TablePublisher:
    """Draws tables in their channels, posts results, notifies players and refreshes open panels."""

    def __init__(
        self,
        client: discord.Client,
        play: Play,
        matchmaking: Matchmaking,
        faces: Faces,
        places: Threads,
        governor: Governor,
        bus: Bus,
        *,
        now_ms: Callable[[], int],
        pause_seconds: float,
        used_beside: Callable[[TableKey, Player], int | None],
        may_be_watched: Callable[[Table], bool] = lambda table: False,
        serves: Serves = EVERYTHING.serves,
        meter: Meter = SILENT,
    ) -> None:
        """``serves`` is true for servers of this process.

        ``used_beside`` returns when a player last used a page with the table. ``may_be_watched`` is true for tables
        that everyone in the server can watch on a page.
        """
        self._client = client
        self._serves = serves
        self._play = play
        self._matchmaking = matchmaking
        self._faces = faces
        self._may_be_watched = may_be_watched
        self._places = places
        self._orphans = Orphans(client)
        self._governor = governor
        self.now = now_ms
        self._drawing = RedrawQueue(
            self._publish,
            name=lambda key: f"table {key.guild}/{key.table}",
            ready=client.is_ready,
            pause_seconds=pause_seconds,
            meter=meter,
        )
        self.panels = OpenPanels(play, bus, now_ms=now_ms, again=self.recheck, used_beside=used_beside)
        self.lag = MessageLag(now_ms)
        self._notes = TableNotes(play, self._channel)
        self._caller = CallPoster(
            self._notes, self._channel, pressed_at=self.panels.pressed_at, chosen=play.member_settings, now_ms=now_ms
        )
        self._outbox = Outbox(play.posted)
        self._posts = TablePosts(client, play, faces, self.lag, self._channel)
        self._redraws: dict[TableKey, RequestTicket] = {}
        """Tickets of redraws that aren't urgent. A newer change replaces them."""
        self._sought: dict[TableKey, int] = {}
        """When each table was last drawn because a player was looking for it (ms)."""
        self._seek: set[TableKey] = set()
        """Tables to be drawn although they haven't changed, because their message may be gone."""
        bus.table_changed.subscribe(self.changed)

    def changed(self, key: TableKey) -> None:
        """Queue the table for drawing. Several changes are drawn together."""
        self.lag.changed(key)
        if (waiting := self._redraws.get(key)) is not None:
            waiting.withdraw()
        self._drawing.changed(key)

    def sought(self, table: Table) -> None:
        """Check a table that a player is looking for, in case its message was deleted."""
        if table.drawn_version < table.version or table.message is None:
            self.changed(table.key)
        elif self._sought.get(table.key, 0) <= self.now() - SOUGHT_MS:
            self._sought[table.key] = self.now()
            self._seek.add(table.key)
            self.recheck(table.key)

    def recheck(self, key: TableKey) -> None:
        """Process a table from the start although it hasn't changed, for example to notify players."""
        if (waiting := self._redraws.get(key)) is not None:
            waiting.withdraw()
        self._drawing.changed(key, just_now=False)

    def lag_seconds(self, guild: GuildId | None = None) -> float:
        """Return the age of the oldest undrawn change or unsent message (s), in one server or in all."""
        return self.lag.lag_seconds(guild)

    def beat(self) -> None:
        """Retry failed drawings, notify silent players, and mark the panels of tables whose message is late."""
        self._drawing.beat()
        late = [key for key in self.lag.late_tables() if self.panels.silent_about_lateness(key)]
        for key in (*self._caller.silent(), *late):
            self.recheck(key)

    async def sweep(self, serves: Serves = EVERYTHING.serves) -> None:
        """Queue every table that has an outdated message or pending posts."""
        self.panels.forget_old()
        self._sought = {key: at for key, at in self._sought.items() if at > self.now() - SOUGHT_MS}
        self._drawing.catch_up(await self._behind(serves))

    async def draw_open_tables(self, serves: Serves = EVERYTHING.serves) -> None:
        """Queue every open table after connecting, and draw those that are out of date.

        A table is out of date if it changed after it was drawn, if it shows a time that the downtime has shifted (the
        timekeeper marks those), or if its message is gone. All other messages stay as they are, because messages
        outlive a process. Their buttons carry everything they need, later versions can read them, and a card deck
        remains in use until the one after it has been replaced. Notifications are checked again at every table, because
        pending ones exist only in memory.
        """
        everything = [key for key in await self._play.all_open() if serves(key.guild)]
        self._orphans.look_for(everything, now=self.now())
        self._drawing.catch_up([*await self._behind(serves), *everything])

    async def _behind(self, serves: Serves) -> list[TableKey]:
        undrawn = [key for key in await self._play.undrawn() if serves(key.guild)]
        for key in undrawn:
            self.lag.begin(key)
        return [*undrawn, *(key for key in await self._play.unposted() if serves(key.guild))]

    def handed_over(self, serves: Serves) -> None:
        """Stop drawing the tables of servers that another process serves from now on."""
        for key, ticket in self._redraws.items():
            if serves(key.guild):
                ticket.withdraw()

    async def drawn(self) -> None:
        """Wait for all running drawings."""
        await self._drawing.drawn()
        while await self._places.made():
            await self._drawing.drawn()
        await self._notes.removed()

    async def close(self) -> None:
        """Finish running drawings and start no new ones. The rest is drawn after the next start."""
        self._drawing.closing.set()
        await self._places.close()
        for ticket in self._redraws.values():
            ticket.withdraw()
        self._notes.close()
        await self._drawing.close()

    async def lull(self, guild: GuildId, *, threads_of: Collection[int] = ()) -> None:
        """Wait for urgent drawings in a server, so that a message about them appears below the tables.

        Also wait for new threads below the channels ``threads_of``, and for their first messages.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(LULL_SECONDS):
                while True:
                    while threads_of and await self._places.made(threads_of):
                        pass
                    if in_progress := self._drawing.in_progress(
                        lambda key: key.guild == guild and key not in self._redraws
                    ):
                        await asyncio.wait(in_progress)
                    # The first drawing of a table asks for its thread.
                    if not (threads_of and self._places.making(threads_of)):
                        break

    async def _finished(self, key: TableKey) -> None:
        """Wait for the drawing of a closed table, so that another table appears below its last messages."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LULL_SECONDS):
                if in_progress := self._drawing.in_progress(lambda other: other == key):
                    await asyncio.wait(in_progress)

    async def _publish(self, key: TableKey) -> bool:
        note(guild=key.guild, table=key.table)
        if not self._serves(key.guild):
            self._forget(key)
            return False
        await self._notes.write_down(key)
        # Posts are sent in order. A result has to wait while its deck is still in play at other tables.
        for posting in await self._play.postings(key):
            self.lag.waits(key)
            if self._drawing.closing.is_set() or not await self._post(posting):
                break
        self.lag.posted(key)
        try:
            view = await self._play.look(key)
            is_placed = view.table.is_placed if view.event is None else view.event.is_placed
            if view.table.open and not (view.table.private or is_placed):
                if not await self._places.give_thread(view, self.changed, self._finished):
                    return False  # it's drawn later, with or without its thread
                view = await self._play.look(key)
        except Refused:
            self._forget(key)
            return False
        note(guild=key.guild, table=key.table, hand=view.table.hand_no)
        if view.table.private:
            # A private table has no public message.
            self._forget(key)
            await self.panels.refresh(view.table, late=False)
            return True
        await self.panels.refresh(view.table, late=self.lag.late(key))
        if view.table.event is not None:
            await self.panels.seat(view, view.table.event)
        drawn = await self._show_or_give_up(view)
        await self.panels.follow((drawn or view).table)
        if key in self._orphans.unseen and (drawn or view.table.drawn_version == view.table.version):
            return await self._clean_up_after_restart(key, drawn=drawn is not None)
        return drawn is not None

    async def _clean_up_after_restart(self, key: TableKey, *, drawn: bool) -> bool:
        """Delete messages of the table left by an earlier process, and redraw it if its own message is gone."""
        view = await self._play.look(key)
        if await self._orphans.look(view) or drawn or not view.table.open:
            return drawn
        self._seek.add(key)
        return await self._show_or_give_up(await self._play.look(key)) is not None

    def _forget(self, key: TableKey) -> None:
        """Stop tracking the table, because there is nothing to show."""
        self.lag.forget(key)
        self._caller.forget(key)
        self._seek.discard(key)

    async def _show_or_give_up(self, view: TableView) -> TableView | None:
        key, table = view.table.key, view.table
        try:
            return await self._show(view)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            await self._give_up_drawing(view, message=None)
            if table.open:
                await self._play.close(key, reason="channel_gone")
        except discord.Forbidden as error:
            log.warning("table %s/%s cannot be shown: %s", key.guild, key.table, error)
            if table.message is None and await self._places.leave_thread(view):
                return None
            # Keep the message on record, because editing may be allowed where sending isn't.
            await self._give_up_drawing(view, message=table.message or table.retired)
        return None

    async def _give_up_drawing(self, view: TableView, *, message: int | None) -> None:
        """Record the table as drawn although drawing failed. The game continues, and the next change retries."""
        table = view.table
        self._forget(table.key)
        await self._play.drawn(
            table.key,
            version=table.version,
            hand_no=table.hand_no,
            message=message,
            call=None,
            turn=view.announced_turn,
        )

    async def _show(self, view: TableView) -> TableView | None:
        """Draw a new message immediately, notify players, and redraw as soon as the governor allows it.

        Returns the last view drawn, or None.
        """
        key, drawn = view.table.key, None
        if view.owes_root and view.event is None:
            await self._tell_root(view.table)
            view = await self._play.look(key)
        if view.table.open and view.table.message is None:
            # The call has to appear below the table.
            drawn = await self._draw(view, Importance.CALL)
            view = await self._play.look(key)
        if view.table.open and await self._caller.call(view):
            view = await self._play.look(key)
        if view.table.drawn_version < view.table.version or key in self._seek:
            importance, since = Importance.CLEANUP, self.now() - SILENT_MS
            if view.table.drawn_version < view.table.version:
                watched = any(opened.at >= since for opened in self.panels.of(key))
                importance = Importance.WATCHED if watched else Importance.REDRAW
            redrawn = await self._draw(view, importance)
            if redrawn is None:
                return drawn
            drawn = redrawn
        else:
            self.lag.forget(key)
        if view.owes_root and view.table.hand_no:
            await self._tell_root_in_turn(view.table)
        return drawn

    async def _tell_root_in_turn(self, table: Table) -> None:
        """Post the root of an event's table after its players were notified.

        Many such tables open at once and may share a channel. Until the root is posted, it's part of each table's own
        message, which is posted before a hand is dealt.
        """
        waited = (self.now() - table.created_at) / 1000
        ticket = self._governor.ask(post_route(table.channel), Importance.CLEANUP, waited_seconds=waited)
        async with self._overtakable(table.key, ticket) as granted:
            if granted and (await self._play.look(table.key)).owes_root:
                await self._tell_root(table)

    async def _tell_root(self, table: Table) -> None:
        """Post the root of the table's decks. Ordinary tables do so before players can add to the first deck."""
        root = await self._play.untold_root(table.key)
        if root is None:
            return
        words = words_at(table)
        screen = for_everybody(root_screen(root, words), table, words)
        which = ("root", table.key.guild, table.key.table, root.table.commitment.hex())
        message = await post(self._channel(table), screen, *which)
        await self._play.root_told(table.key, commitment=root.table.commitment, message=message.id)

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.channel, guild_id=table.key.guild)

    # The table's message

    async def _draw(self, view: TableView, importance: Importance) -> TableView | None:
        """Wait for permission to draw, then draw the table's current state.

        Returns the view that was drawn, with its message; None if a newer change superseded it.
        """
        key, table = view.table.key, view.table
        route = way(table.channel, table.message, now=self.now(), over=not table.open)
        if route is None:
            await self._note_drawn(view, message=None)
            self._forget(key)
            return view
        ticket = self._governor.ask(route, importance, waited_seconds=self.lag.behind(key))
        urgent = importance is Importance.CALL
        waits = not ticket.granted.done()
        async with self._governor.using(ticket) if urgent else self._overtakable(key, ticket) as granted:
            if not granted:
                return None
            if not self._serves(key.guild):
                return view
            # A countdown may have changed while waiting.
            if waits or key in self._drawing.dirty:
                view = await self._play.look(key)
            return await self._draw_now(view)

    @asynccontextmanager
    async def _overtakable(self, key: TableKey, ticket: RequestTicket) -> AsyncIterator[bool]:
        """Wait for a ticket, and yield True if the request may be sent. A change to the table withdraws the ticket."""
        self._redraws[key] = ticket
        try:
            async with self._governor.using(ticket) as granted:
                self._redraws.pop(key, None)
                yield granted
        finally:
            self._redraws.pop(key, None)

    async def _draw_now(self, view: TableView) -> TableView:
        key, table = view.table.key, view.table
        with self.lag.drawing(key):
            words = words_at(table)
            called = await called_by_message(view, self._matchmaking)
            faces = self._faces
            if called.people:
                faces = replace(faces, names=faces.names.calling(called.people))
            shown = table_screen(view, words, faces, watched=self._may_be_watched(table))
            screen = with_user_names(shown, faces.names, key.guild, words)
            if called.role is not None:
                screen = screen.and_below(text(words("lobby.told", role=f"<@&{called.role}>")))
            message = await keep(
                self._channel(table),
                table.message,
                screen,
                *("table", table.key.guild, table.key.table, table.tag, table.hand_no, table.retired),
                now=self.now(),
                over=not table.open,
                mentions=called.mentions,
                silent=called.silent,
            )
            await self._note_drawn(view, message=message)
            self._seek.discard(key)
        if any(opened.panel.late for opened in self.panels.of(key)):
            await self.panels.refresh(table, late=False)
        return replace(view, table=replace(table, message=message))

    async def _note_drawn(self, view: TableView, *, message: int | None) -> None:
        """Record what is shown, and delete the previous hand's message and obsolete calls.

        If the table is closed, delete all its other messages first.
        """
        table, told = view.table, CallRecord.read(view.table.called)
        # A call is still needed while the table is waiting for a player that it notified.
        waits = table.open and not told.now(view).players.isdisjoint(view.waiting)
        call = table.call if waits else None
        left = told.leftovers | ({table.retired, table.call} - {call, None})
        told = replace(told, leftovers=frozenset(one for one in left if one is not None and one != message))
        if not table.open:
            # The table won't be checked again, so delete its obsolete messages before recording it as drawn.
            await self._notes.remove(table, told.leftovers)
        turn = view.announced_turn
        await self._notes.note(table, version=table.version, message=message, call=call, told=told, turn=turn)
        if not table.open:
            await self._places.archive(view)

    # Messages posted once

    async def _post(self, posting: Posting) -> bool:
        """Send a pending post; False if it can't be posted yet."""

        async def send() -> PostedResult | None:
            with drop_if_refused(f"table {posting.key.guild}/{posting.key.table}", discord.NotFound, discord.Forbidden):
                return await self._posts.send(posting)
            return None

        try:
            await self._outbox.post(posting.number, send)
        except Refused as refused:
            if refused.reason is not HandReason.NOT_REVEALED_YET:
                raise
            return False
        return True
