"""Keeps messages true to the tables: redraws are coalesced, and a message that is gone is posted anew.

A table's message is posted below the talk for each hand and edited while the hand runs. Work starts on demand: one task
a table, which ends when its table is drawn. What could not be drawn is tried again by :meth:`Publisher.sweep`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

import discord
from discord import ui

from bot.logs import note
from bot.meter import SILENT, Meter
from bot.ofc.refusals import Refused
from bot.play.model import GuildId, Player, Post, Posting, Table, TableKey, is_computer
from bot.play.refusals import PlayReason
from bot.play.service import Play
from bot.play.views import TableView
from bot.text.words import Words, language_of, words_for
from bot.ui.event_rooms import Rooms
from bot.ui.faces import Faces
from bot.ui.gate import NO_PINGS
from bot.ui.kept_message import UNKNOWN_CHANNEL, keep, remove
from bot.ui.on_demand import OnDemand
from bot.ui.orphans import Orphans
from bot.ui.panel import Panel, panel_screen
from bot.ui.parts import table_title
from bot.ui.posting import post
from bot.ui.result_screen import closed_screen, result_screens
from bot.ui.table_screen import call_screen, table_screen
from bot.ui.widgets import Interaction

log = logging.getLogger(__name__)

LULL_SECONDS = 8
"""Nobody waits longer than this for tables that are drawn again and again."""
FRESH_MS = 14 * 60_000
"""The token of an interaction can edit its message for 15 minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Whom a message calls, and whom of them it reminds. It is kept with the table: a restart calls nobody again."""

    hand: int
    street: int
    players: frozenset[str]
    reminded: frozenset[str]

    def __str__(self) -> str:
        players, reminded = (",".join(sorted(some)) for some in (self.players, self.reminded))
        return f"{self.hand}:{self.street}:{players}:{reminded}"

    @classmethod
    def read(cls, text: str) -> Call | None:
        """The call that was written down; None for an empty text."""
        if not text:
            return None
        hand, street, *some = text.split(":")
        players, reminded = (frozenset(part.split(",")) - {""} for part in some)
        return cls(hand=int(hand), street=int(street), players=players, reminded=reminded)

    def news(self, before: Call | None) -> frozenset[str]:
        """Who is to be called now although ``before`` is posted: a new turn, or time that is nearly over."""
        if before is None or (before.hand, before.street) != (self.hand, self.street):
            return self.players
        return (self.players - before.players) | (self.reminded - before.reminded)


def _called_at_once(view: TableView) -> discord.AllowedMentions:
    """Whom a table's message calls when it is posted: those whom an event has just given a seat there."""
    if view.event is None or view.table.hand_no:
        return NO_PINGS
    people = [place.seat.player for place in view.places if not place.seat.computer and not place.seat.away]
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(int(one)) for one in people])


@dataclass(slots=True)
class OpenPanel:
    """A private panel that can still be edited: by which token, until when, and what it shows."""

    interaction: Interaction
    panel: Panel
    words: Words
    at: int
    message: int | None

    @property
    def shows(self) -> tuple[object, ...]:
        """What must change for the panel to be drawn anew without a press."""
        return _shows(self.panel.view)


def _shows(view: TableView) -> tuple[object, ...]:
    mine = view.hand.mine if view.hand else None
    return (
        view.table.state,
        view.table.hand_no,
        view.hand.street if view.hand else 0,
        view.waiting,
        mine.laid if mine else None,
    )


class Publisher:
    """Draws tables into their channels, posts results, calls players, and refreshes open panels."""

    def __init__(
        self,
        client: discord.Client,
        play: Play,
        faces: Faces,
        rooms: Rooms,
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
        self.now = now_ms
        self._drawing = OnDemand(
            self._publish,
            name=lambda key: f"table {key.guild}/{key.table}",
            ready=client.is_ready,
            pause_seconds=pause_seconds,
            meter=meter,
        )
        self._panels: dict[TableKey, dict[Player, OpenPanel]] = {}
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        """One drawing at a time in a channel: all of them wait for the same limit of Discord's."""

    def changed(self, key: TableKey) -> None:
        """Draw the table soon; many changes make one drawing."""
        self._drawing.changed(key)

    async def sweep(self) -> None:
        """Begin to draw every table whose message is behind, and to post what was not posted."""
        self._forget_old_panels()
        self._drawing.catch_up(await self._behind())

    async def draw_open_tables(self) -> None:
        """After a start: begin to draw every open table, so that what was deleted meanwhile is back."""
        tables = await self._play.all_open()
        self._orphans.look_for(tables, now=self.now())
        self._drawing.catch_up([*await self._behind(), *tables])

    async def _behind(self) -> list[TableKey]:
        return [*await self._play.undrawn(), *await self._play.unposted()]

    def turn_in(self, channel: int) -> asyncio.Lock:
        """Held by whoever draws in a channel."""
        return self._turns.setdefault(channel, asyncio.Lock())

    async def drawn(self) -> None:
        """Wait for the drawing that is under way, and for the threads that are being made."""
        await self._drawing.drawn()
        while await self._rooms.made():
            await self._drawing.drawn()

    async def close(self) -> None:
        """Begin nothing new, and let the drawing that is under way end."""
        await self._rooms.close()
        await self._drawing.close()

    async def remember_panel(
        self, interaction: Interaction, panel: Panel, words: Words, *, message: int | None
    ) -> None:
        """Keep a panel that was just shown up to date while its token lives; an older one of the table goes."""
        view = panel.view
        if view.you is None:
            return
        if interaction.message is not None:
            # Only its token is needed from now on; the parts of the message that was pressed are most of its weight.
            interaction.message.components.clear()
        opened = self._panels.setdefault(view.table.key, {})
        before = opened.get(view.you)
        opened[view.you] = OpenPanel(interaction, panel, words, self.now(), message)
        if before is not None and before.message != message and self.now() - before.at < FRESH_MS:
            try:
                await before.interaction.delete_original_response()
            except discord.HTTPException as error:
                log.debug("the panel before was gone: %s", error)

    async def lull(self, guild: GuildId) -> None:
        """Let the drawing come to an end that is under way in a server, so that what is said of it comes after it."""
        under_way = self._drawing.under_way(lambda key: key.guild == guild)
        if under_way:
            await asyncio.wait(under_way, timeout=LULL_SECONDS)

    async def _publish(self, key: TableKey) -> None:
        note(guild=key.guild, table=key.table)
        held_back = await self._post_waiting(key)
        try:
            view = await self._play.look(key)
            if view.table.open and view.event is not None and not view.event.housed:
                if await self._rooms.awaited(view, self.changed):
                    return  # it is drawn in its thread, or in the event's channel when that does not come
                view = await self._play.look(key)
        except Refused:
            return
        table = view.table
        if held_back and table.version == table.drawn_version and table.message is not None:
            return  # what waits is a result that nobody may see yet: there is nothing new to draw
        note(guild=key.guild, table=key.table, hand=view.table.hand_no)
        await self._refresh_panels(key)
        turn = self.turn_in(view.table.channel)
        waits = turn.locked()
        async with turn:
            if waits:
                # Discord limits a channel: while others were drawn there, this table may have changed again.
                self._drawing.seen(key)
                view = await self._play.look(key)
            await self._draw_or_give_up(view)
        if self._orphans.wanted(key):
            await self._orphans.remove(await self._play.look(key))

    async def _post_waiting(self, key: TableKey) -> bool:
        """Post what waits, in order; True when a result must wait until other tables have played its deck."""
        for posting in await self._play.postings(key):
            if not await self._post(posting):
                return True
        return False

    async def _draw_or_give_up(self, view: TableView) -> None:
        key = view.table.key
        try:
            await self._draw(view)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            await self._give_up_drawing(view, message=None)
            if view.table.open:
                await self._play.close(key, reason="channel_gone")
        except discord.Forbidden as error:
            log.warning("table %s/%s cannot be shown: %s", key.guild, key.table, error)
            if not view.table.posted and await self._rooms.leave(view):
                return
            # What stands there is not forgotten: a message may be edited where none may be sent.
            await self._give_up_drawing(view, message=view.table.message or view.table.retired)

    async def _give_up_drawing(self, view: TableView, *, message: int | None) -> None:
        """Nothing can be shown there now: the game goes on, and it is tried again only when the table changes."""
        table = view.table
        await self._play.drawn(
            table.key,
            version=table.version,
            hand_no=table.hand_no,
            message=message,
            call=None,
            turn=view.shown_turn,
        )

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.channel, guild_id=table.key.guild)

    # the table's message

    async def _draw(self, view: TableView) -> None:
        table = view.table
        words = words_for(language_of(table.language))
        channel, over = self._channel(table), not table.open
        message = await keep(
            channel,
            table.message,
            table_screen(view, words, self._faces),
            *("table", table.key.guild, table.key.table, table.hand_no, table.retired),
            now=self.now(),
            over=over,
            mentions=_called_at_once(view),
        )
        if table.retired is not None:
            await remove(channel.get_partial_message(table.retired))
        try:
            call = await self._call(view, words)
        except discord.HTTPException:
            # The table is shown and must not be posted twice: only the call is tried again.
            await self._play.drawn(
                table.key, version=table.drawn_version, hand_no=table.hand_no, message=message, call=None
            )
            raise
        number, called = call
        await self._play.drawn(
            table.key,
            version=table.version,
            hand_no=table.hand_no,
            message=message,
            call=number,
            called=called,
            turn=view.shown_turn,
        )
        if not table.open:
            await self._rooms.archive(view)

    # calling the player on turn

    async def _call(self, view: TableView, words: Words) -> tuple[int | None, str]:
        """Call whoever is newly on turn or short of time, in a message of its own (edits do not notify).

        Returns the message that calls now, and whom it calls; the last call is cleaned up.
        """
        table = view.table
        before = Call.read(table.called) if table.call is not None else None
        wanted = self._wanted_call(view)
        called = wanted.news(before) if wanted else frozenset()
        if table.call is not None and wanted and not called:
            return table.call, table.called
        if table.call is not None:
            await remove(self._channel(table).get_partial_message(table.call))
        if wanted is None:
            return None, ""
        reminder = called <= wanted.reminded
        mentions = discord.AllowedMentions(users=[discord.Object(int(player)) for player in called])
        shown = [player for player in view.waiting if player in called]
        screen = call_screen(view, shown, words, reminder=reminder)
        quiet = reminder and table.clock.quiet
        what = ("call", table.key.guild, table.key.table, wanted.hand, wanted.street, table.call, reminder)
        players = ",".join(sorted(called))
        message = await post(self._channel(table), screen, *what, players, mentions=mentions, silent=quiet)
        return message.id, str(wanted)

    def _wanted_call(self, view: TableView) -> Call | None:
        people = frozenset(p for p in view.waiting if not is_computer(p) and not self._is_away(view, p))
        others = [place for place in view.places if not place.seat.computer]
        if not people or view.hand is None or len(others) < 2:
            return None
        reminded = frozenset(p for p in people if (place := view.place_of(p)) and place.seat.reminded)
        return Call(hand=view.table.hand_no, street=view.hand.street, players=people, reminded=reminded)

    @staticmethod
    def _is_away(view: TableView, player: str) -> bool:
        place = view.place_of(player)
        return place is not None and place.seat.away

    # messages posted once

    async def _post(self, posting: Posting) -> bool:
        """Post it; False when it may not be posted yet."""
        try:
            table = (await self._play.look(posting.key)).table
            note(guild=posting.key.guild, table=posting.key.table, hand=posting.hand_no)
            for page, screen in enumerate(await self._posting_screens(posting)):
                # Not the posting's own number: it is given anew once nothing waits.
                what = (posting.kind.value, posting.key.guild, posting.key.table, posting.hand_no, page)
                await post(self._channel(table), screen, *what)
        except Refused as refused:
            if refused.reason is not PlayReason.NOT_REVEALED_YET:
                raise
            return False
        except (discord.NotFound, discord.Forbidden) as error:
            log.warning("a message for table %s was dropped: %s", posting.key.table, error)
        await self._play.posted(posting.number)
        return True

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

    # private panels

    def _forget_old_panels(self) -> None:
        now = self.now()
        for key, opened in list(self._panels.items()):
            for player in [player for player, panel in opened.items() if now - panel.at > FRESH_MS]:
                del opened[player]
            if not opened:
                del self._panels[key]

    async def _refresh_panels(self, key: TableKey) -> None:
        """Show players with an open panel what has changed for them; a draft of the same street is kept."""
        for player, opened in list(self._panels.get(key, {}).items()):
            if self.now() - opened.at <= FRESH_MS:
                await self._refresh_panel(key, player, opened)

    async def _refresh_panel(self, key: TableKey, player: Player, opened: OpenPanel) -> None:
        view = await self._play.look(key, player)
        # Meanwhile its player may have pressed something: that drawing is newer than this one.
        if self._panels.get(key, {}).get(player) is not opened or _shows(view) == opened.shows:
            return
        before = opened.panel.view
        same = (
            view.hand
            and before.hand
            and (view.table.hand_no, view.hand.street)
            == (
                before.table.hand_no,
                before.hand.street,
            )
        )
        panel = Panel(view=view, draft=opened.panel.draft if same else (), sort=opened.panel.sort)
        opened.panel = panel
        try:
            await opened.interaction.edit_original_response(
                view=panel_screen(panel, opened.words, self._faces), allowed_mentions=NO_PINGS
            )
        except discord.HTTPException as error:
            log.debug("a panel is gone: %s", error)
            self._panels.get(key, {}).pop(player, None)
