"""Keeps messages true to the tables: redraws are coalesced, and a message that is gone is posted anew.

A table's message is posted below the talk for each hand and edited while the hand runs. Work starts on demand: one task
a table, which ends when its table is drawn. It posts what happens once, refreshes private panels and calls who is on
turn; the redraw itself waits for the governor first and looks at the table then, so that the newest state is shown.
What changes meanwhile begins anew with what is urgent. What could not be drawn is tried again by
:meth:`Publisher.sweep`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial

import discord
from discord import ui

from bot.live.calls import SILENT_MS, Told, Wanted, wanted
from bot.live.governor import Governor, Importance, Ticket, important
from bot.live.live_message import UNKNOWN_CHANNEL, keep, remove, way
from bot.live.open_panels import OpenPanels
from bot.live.orphans import Orphans
from bot.live.posting import post
from bot.live.redraw_queue import RedrawQueue
from bot.live.threads import Threads
from bot.logs import note
from bot.meter import SILENT, Meter
from bot.ofc.refusals import Refused
from bot.play.model import GuildId, Post, Posting, ShownTurn, Table, TableKey
from bot.play.refusals import PlayReason
from bot.play.service import Play
from bot.play.views import TableView
from bot.text.words import Words, language_of, words_for
from bot.ui.faces import Faces
from bot.ui.fragments import table_title
from bot.ui.gate import NO_PINGS
from bot.ui.table.fingerprint import root_screen
from bot.ui.table.panel import Panel
from bot.ui.table.result import closed_screen, result_screens
from bot.ui.table.screen import call_screen, table_screen
from bot.ui.widgets import Interaction

log = logging.getLogger(__name__)

LULL_SECONDS = 8
"""Nobody waits longer than this for tables that are drawn again and again."""
LATE_SECONDS = 10
"""Players are told of a table's message that is behind by more."""
CALL_AGAIN_MS = 30_000
"""A call that could not be posted is tried again after this."""
SOUGHT_MS = 5 * 60_000
"""A table that shows its present state is drawn for those who look for it no more often than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What is to be noted of a table: which version its message shows, which message calls whom, the turn told."""

    version: int
    hand_no: int
    message: int | None
    call: int | None
    called: str = ""
    turn: ShownTurn | None = None


def _called_at_once(view: TableView) -> discord.AllowedMentions:
    """Whom a table's message calls when it is posted: those whom an event has just given a seat there."""
    if view.event is None or view.table.hand_no:
        return NO_PINGS
    people = [place.seat.player for place in view.places if not place.seat.computer and not place.seat.away]
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(int(one)) for one in people])


class TablePublisher:
    """Draws tables into their channels, posts results, calls players, and refreshes open panels."""

    def __init__(
        self,
        client: discord.Client,
        play: Play,
        faces: Faces,
        rooms: Threads,
        governor: Governor,
        *,
        now_ms: Callable[[], int],
        pause_seconds: float,
        meter: Meter = SILENT,
    ) -> None:
        self._client = client
        self._play = play
        self._faces = faces
        self._rooms = rooms
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
        self._panels = OpenPanels(play, faces, now_ms=now_ms, again=self._again)
        self._since: dict[TableKey, int] = {}
        """Since when a table's message does not show its state."""
        self._unposted: dict[TableKey, int] = {}
        """Since when something waits to be posted for a table."""
        self._changed_again: dict[TableKey, int | None] = {}
        """The tables that are being drawn, and when one changed meanwhile for the first time."""
        self._redraws: dict[TableKey, Ticket] = {}
        """Redraws that wait: what is newer and more urgent takes their place."""
        self._look_again_at: dict[TableKey, int] = {}
        """When somebody who was active must be called if he stays silent."""
        self._sought: dict[TableKey, int] = {}
        """When a table was last drawn for those who looked for it."""
        self._seek: set[TableKey] = set()
        """Tables to be drawn though they have not changed: their message may be gone."""
        self._unwritten: dict[TableKey, Drawn] = {}
        """What was sent and could not be noted: nothing more is sent there before it is."""
        self._posted: set[int] = set()
        """Postings of which the same is true."""
        self._removing: dict[int, asyncio.Task[None]] = {}
        self._removed: set[int] = set()

    def changed(self, key: TableKey) -> None:
        """Draw the table soon; many changes make one drawing."""
        self._since.setdefault(key, self.now())
        if key in self._changed_again:
            self._changed_again[key] = self._changed_again[key] or self.now()
        self._again(key)

    def sought(self, table: Table) -> None:
        """Somebody looks for a table: one whose message was deleted is found, and nothing else is drawn for it."""
        if table.drawn_version < table.version or table.message is None:
            self.changed(table.key)
        elif self._sought.get(table.key, 0) <= self.now() - SOUGHT_MS:
            self._sought[table.key] = self.now()
            self._seek.add(table.key)
            self._again(table.key)

    def behind(self, key: TableKey) -> float:
        """For how many seconds the table's message has not shown its state; 0 when it does."""
        since = self._since.get(key)
        return 0.0 if since is None else max(0, self.now() - since) / 1000

    def late(self, key: TableKey) -> bool:
        """True when the players are to be told that what everybody sees is behind."""
        return self.behind(key) > LATE_SECONDS

    def lag_seconds(self, guild: GuildId | None = None) -> float:
        """For how long the oldest state has not been shown, or a message has waited, in one server or in all."""
        waiting = (*self._since.items(), *self._unposted.items())
        oldest = min((at for key, at in waiting if guild in (None, key.guild)), default=self.now())
        return max(0, self.now() - oldest) / 1000

    def beat(self) -> None:
        """Call who has been silent for too long, and tell players of a message that is late."""
        now = self.now()
        silent = [key for key, at in self._look_again_at.items() if at <= now]
        late = [key for key in self._since if self.late(key) and self._panels.silent_about_lateness(key)]
        for key in (*silent, *late):
            self._again(key)

    async def sweep(self) -> None:
        """Begin to draw every table whose message is behind, and to post what was not posted."""
        self._panels.forget_old()
        self._sought = {key: at for key, at in self._sought.items() if at > self.now() - SOUGHT_MS}
        self._drawing.catch_up(await self._behind())

    async def draw_open_tables(self) -> None:
        """After a start: begin to draw every open table, so that what was deleted meanwhile is back."""
        everything = await self._play.all_open()
        self._seek.update(everything)
        self._orphans.look_for(everything, now=self.now())
        self._drawing.catch_up([*await self._behind(), *everything])

    async def _behind(self) -> list[TableKey]:
        undrawn = await self._play.undrawn()
        for key in undrawn:
            self._since.setdefault(key, self.now())
        return [*undrawn, *await self._play.unposted()]

    def _again(self, key: TableKey) -> None:
        """Look at a table from the beginning."""
        if (waiting := self._redraws.get(key)) is not None:
            waiting.withdraw()
        self._drawing.changed(key)

    async def drawn(self) -> None:
        """Wait for the drawing that is under way."""
        await self._drawing.drawn()
        while await self._rooms.made():
            await self._drawing.drawn()
        await asyncio.gather(*self._removing.values())

    async def close(self) -> None:
        """Begin nothing new, and let what is under way end; what only waits is drawn after the next start."""
        self._drawing.closing.set()
        await self._rooms.close()
        for ticket in self._redraws.values():
            ticket.withdraw()
        for removal in self._removing.values():
            removal.cancel()
        await self._drawing.close()

    def answering(self, panel: Panel) -> AbstractContextManager[None]:
        """Leave the open panel of a player alone while this one is on its way to him."""
        return self._panels.answering(panel)

    async def remember_panel(
        self, interaction: Interaction, panel: Panel, words: Words, *, message: int | None
    ) -> None:
        """Keep a panel that was just shown up to date while its token lives; an older one of the table goes."""
        await self._panels.remember(interaction, panel, words, message=message)

    async def lull(self, guild: GuildId) -> None:
        """Let what is urgent come to an end in a server, so that what is said of it comes after it."""
        under_way = self._drawing.under_way(lambda key: key.guild == guild and key not in self._redraws)
        if under_way:
            await asyncio.wait(under_way, timeout=LULL_SECONDS)

    async def _publish(self, key: TableKey) -> bool:
        note(guild=key.guild, table=key.table)
        await self._write_down(key)
        await self._post_waiting(key)
        try:
            view = await self._play.look(key)
            if view.table.open and view.event is not None and not view.event.housed:
                if await self._rooms.awaited(view, self.changed):
                    return False  # it is drawn in its thread, or in the event's channel when that does not come
                view = await self._play.look(key)
        except Refused:
            self._forget(key)
            return False
        note(guild=key.guild, table=key.table, hand=view.table.hand_no)
        await self._panels.refresh(key, late=self.late(key))
        drawn = await self._show_or_give_up(view)
        if drawn and self._orphans.wanted(key):
            await self._orphans.remove(await self._play.look(key))
        return drawn

    def _forget(self, key: TableKey) -> None:
        """Nothing is to be shown of it for now."""
        self._since.pop(key, None)
        self._look_again_at.pop(key, None)
        self._seek.discard(key)

    async def _post_waiting(self, key: TableKey) -> None:
        """Post what waits, in order, up to a result that must wait until other tables have played its deck."""
        for posting in await self._play.postings(key):
            self._unposted.setdefault(key, self.now())
            if self._drawing.closing.is_set() or not await self._post(posting):
                break
        self._unposted.pop(key, None)

    async def _show_or_give_up(self, view: TableView) -> bool:
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
            if not table.posted and await self._rooms.leave(view):
                return False
            # What stands there is not forgotten: a message may be edited where none may be sent.
            await self._give_up_drawing(view, message=table.message or table.retired)
        return False

    async def _give_up_drawing(self, view: TableView, *, message: int | None) -> None:
        """Nothing can be shown there now: the game goes on, and it is tried again only when the table changes."""
        table = view.table
        self._forget(table.key)
        await self._play.drawn(
            table.key,
            version=table.version,
            hand_no=table.hand_no,
            message=message,
            call=None,
            turn=view.shown_turn,
        )

    async def _show(self, view: TableView) -> bool:
        """Draw a new message at once, call, and redraw when that is let through; True when something was drawn."""
        key, drawn = view.table.key, False
        if view.owes_root and view.event is None:
            await self._tell_root(view.table)
            view = await self._play.look(key)
        if view.table.open and view.table.message is None:
            # The call stands below the table.
            drawn = await self._draw(view, Importance.CALL)
            view = await self._play.look(key)
        if view.table.open:
            await self._call(view)
        if view.owes_root and view.event is not None:
            # When many tables of an event are opened at once, their players are called before.
            await self._tell_root(view.table)
        if view.table.drawn_version < view.table.version or key in self._seek:
            return await self._draw(view, self._redraw_importance(view.table)) or drawn
        self._since.pop(key, None)
        return drawn

    async def _tell_root(self, table: Table) -> None:
        """Post what fixes the table's decks, before anybody can add to the first of them."""
        root = await self._play.untold_root(table.key)
        if root is None:
            return
        screen = root_screen(root, words_for(language_of(table.language)))
        which = ("root", table.key.guild, table.key.table, root.table.commitment.hex())
        message = await post(self._channel(table), screen, *which)
        await self._play.root_told(table.key, commitment=root.table.commitment, message=message.id)

    def _redraw_importance(self, table: Table) -> Importance:
        if table.drawn_version == table.version:
            return Importance.CLEANUP
        watched = self._panels.pressed_since(table.key, self.now() - SILENT_MS)
        return Importance.WATCHED if watched else Importance.REDRAW

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.channel, guild_id=table.key.guild)

    # the table's message

    async def _draw(self, view: TableView, importance: Importance) -> bool:
        """Wait until a drawing is let through, look at the table then, and draw it; False when it was overtaken."""
        key, table = view.table.key, view.table
        route = way(table.channel, table.message, now=self.now(), over=not table.open)
        if route is None:
            await self._note_drawn(view, message=None)
            self._forget(key)
            return True
        ticket = self._governor.ask(route, importance, waited_seconds=self.behind(key))
        if importance is not Importance.CALL:
            self._redraws[key] = ticket
        try:
            async with self._governor.using(ticket) as granted:
                self._redraws.pop(key, None)
                if granted:
                    await self._draw_now(key)
        finally:
            self._redraws.pop(key, None)
        return granted

    async def _draw_now(self, key: TableKey) -> None:
        self._changed_again[key] = None
        try:
            view = await self._play.look(key)
            table = view.table
            words = words_for(language_of(table.language))
            message = await keep(
                self._channel(table),
                table.message,
                table_screen(view, words, self._faces),
                *("table", table.key.guild, table.key.table, table.hand_no, table.retired),
                now=self.now(),
                over=not table.open,
                mentions=_called_at_once(view),
            )
            await self._note_drawn(view, message=message)
            self._seek.discard(key)
            self._shown(key)
        finally:
            del self._changed_again[key]
        if self._panels.say_that_it_is_late(key):
            await self._panels.refresh(key, late=False)

    def _shown(self, key: TableKey) -> None:
        """What everybody sees is the state at the beginning of the drawing."""
        if (again := self._changed_again[key]) is None:
            self._since.pop(key, None)
        else:
            self._since[key] = again

    async def _note_drawn(self, view: TableView, *, message: int | None) -> None:
        """Note what is shown; the message of the hand before goes, and at the end of the table whatever is left."""
        table, told = view.table, Told.read(view.table.called)
        call = table.call if table.open else None
        left = told.leftovers | ({table.retired, table.call} - {call, None})
        told = replace(told, leftovers=frozenset(one for one in left if one is not None and one != message))
        if not table.open:
            # Nobody looks at it again: what is over goes before that is noted.
            self._begin_to_remove(table, told.leftovers)
            await asyncio.gather(*(self._removing[one] for one in told.leftovers if one in self._removing))
        turn = view.shown_turn
        await self._note(table, version=table.version, message=message, call=call, told=told, turn=turn)
        if not table.open:
            await self._rooms.archive(view)

    async def _note(
        self,
        table: Table,
        *,
        version: int,
        message: int | None,
        call: int | None,
        told: Told,
        turn: ShownTurn | None = None,
    ) -> None:
        """Note what was sent, and begin to delete what is over."""
        gone = told.leftovers & self._removed
        self._removed -= gone
        told = replace(told, leftovers=told.leftovers - gone)
        self._unwritten[table.key] = Drawn(
            version=version, hand_no=table.hand_no, message=message, call=call, called=str(told), turn=turn
        )
        await self._write_down(table.key)
        self._begin_to_remove(table, told.leftovers)

    async def _write_down(self, key: TableKey) -> None:
        if (drawn := self._unwritten.get(key)) is not None:
            await self._play.drawn(
                key,
                version=drawn.version,
                hand_no=drawn.hand_no,
                message=drawn.message,
                call=drawn.call,
                called=drawn.called,
                turn=drawn.turn,
            )
            del self._unwritten[key]

    # what is over

    def _begin_to_remove(self, table: Table, messages: Iterable[int]) -> None:
        for message in messages:
            if message not in self._removing and message not in self._removed:
                self._removing[message] = asyncio.create_task(self._remove(table, message))

    async def _remove(self, table: Table, message: int) -> None:
        try:
            with important(Importance.CLEANUP):
                await remove(self._channel(table).get_partial_message(message))
            self._removed.add(message)
        finally:
            del self._removing[message]

    # calling the player on turn

    async def _call(self, view: TableView) -> None:
        """Call whoever is on turn and silent, or short of time, in a message of its own (edits do not notify)."""
        table = view.table
        told = Told.read(table.called).now(view)
        now = wanted(view, told, pressed_at=partial(self._panels.pressed_at, table.key), now=self.now())
        # What is not sent now is tried again: the table may need no drawing that would see to it.
        self._look_again_at[table.key] = self.now() + CALL_AGAIN_MS
        if now.players:
            await self._call_now(view, told, now)
        elif table.call is not None and not view.waiting:
            told = replace(told, leftovers=told.leftovers | {table.call})
            await self._note(table, version=table.drawn_version, message=table.message, call=None, told=told)
        else:
            self._begin_to_remove(table, told.leftovers)
        if now.look_again_at is None:
            del self._look_again_at[table.key]
        else:
            self._look_again_at[table.key] = now.look_again_at

    async def _call_now(self, view: TableView, told: Told, now: Wanted) -> None:
        table, words = view.table, words_for(language_of(view.table.language))
        mentions = discord.AllowedMentions(users=[discord.Object(int(player)) for player in now.players])
        shown = [player for player in view.waiting if player in now.players]
        reminder = now.players == now.reminded
        screen, quiet = call_screen(view, shown, words, reminder=reminder), reminder and table.clock.quiet
        told = told.and_told(now.players, reminded=now.reminded)
        call = table.call
        try:
            with important(Importance.CALL):
                what = ("call", table.key.guild, table.key.table, told.hand, told.street, table.call, reminder)
                players = ",".join(sorted(now.players))
                message = await post(self._channel(table), screen, *what, players, mentions=mentions, silent=quiet)
            call = message.id
            told = replace(told, leftovers=told.leftovers | ({table.call} if table.call is not None else set()))
        except discord.Forbidden as error:
            log.warning("players of table %s/%s cannot be called: %s", table.key.guild, table.key.table, error)
        turn = view.shown_turn
        turn = replace(turn, players=turn.players & told.players) if turn else None
        await self._note(table, version=table.drawn_version, message=table.message, call=call, told=told, turn=turn)

    # messages posted once

    async def _post(self, posting: Posting) -> bool:
        """Post it; False when it may not be posted yet."""
        if posting.number not in self._posted:
            try:
                await self._send(posting)
            except Refused as refused:
                if refused.reason is not PlayReason.NOT_REVEALED_YET:
                    raise
                return False
            except (discord.NotFound, discord.Forbidden) as error:
                log.warning("a message for table %s was dropped: %s", posting.key.table, error)
            self._posted.add(posting.number)
        await self._play.posted(posting.number)
        self._posted.discard(posting.number)
        return True

    async def _send(self, posting: Posting) -> None:
        table = (await self._play.look(posting.key)).table
        note(guild=posting.key.guild, table=posting.key.table, hand=posting.hand_no)
        for page, screen in enumerate(await self._posting_screens(posting)):
            # Not the posting's own number: it is given anew once nothing waits.
            what = (posting.kind.value, posting.key.guild, posting.key.table, posting.hand_no, page)
            await post(self._channel(table), screen, *what)

    async def _posting_screens(self, posting: Posting) -> list[ui.LayoutView]:
        if posting.kind is Post.CLOSED:
            view = await self._play.look(posting.key)
            words = words_for(language_of(view.table.language))
            text = words(f"closed.{view.table.closed_reason}")
            if view.table.hand_no:
                text += "\n" + words("closed.seeds", table=view.table.key.table)
            return [closed_screen(table_title(view.table, words), text)]
        result = await self._play.result(posting.key, posting.hand_no)
        return result_screens(result, words_for(language_of(result.table.language)), self._faces)
