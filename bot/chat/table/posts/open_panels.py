"""Players' private messages with their hand, kept up to date while Discord lets the bot edit them.

Only the newest one per player and table is kept. Once newer messages have pushed it up, it's shown again below them.
Editing uses the token of the player's last press, which doesn't count towards the bot's rate limit.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

import discord

from bot.chat.kit.aloud import aloud
from bot.chat.kit.custom_ids import Draft, Press
from bot.chat.kit.deferral import UNDELIVERED
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import page_ways, watch_ways
from bot.chat.kit.reply import NO_PINGS
from bot.chat.kit.widgets import Interaction, Screen, rows_of
from bot.chat.library.own_messages import edit_answer
from bot.chat.table.posts.seen_cards import SeenCards
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.screen import hand_over_screen, helpful_screen, practice_over_screen
from bot.chat.table.screens.sketch import Moment
from bot.model.ids import EventKey, GuildId, Player, Serves, TableId, TableKey
from bot.model.tables import Table, TableState
from bot.play.bus import Bus
from bot.play.doors.play import Play
from bot.play.look.views import TableView
from bot.text.words import Words

# The private message of a player at a table: their panel, and at a private table all that others read in public.


class PageLinks(Protocol):
    """What leads to the table as a page, and what becomes of those that are open."""

    url: str
    """Where the pages are; empty where no links lead there."""
    served: bool
    """True where pages can be opened: by links, or by another door."""

    @property
    def inside(self) -> object | None:
        """The door in Discord itself; None where the page does not open there too."""
        ...

    def link(self, guild: GuildId, player: Player, locale: str, *, table: TableId | None = None) -> str:
        """The address of somebody's own page, for their eyes alone; empty where there are none."""
        ...

    def watch_links(self, player: Player, locale: str, tables: Iterable[Table]) -> dict[TableId, str]:
        """The addresses at which a player watches the first of ``tables`` that anyone may watch."""
        ...

    def launched(self, guild: GuildId, player: Player, table: TableId) -> None:
        """Somebody launches the page in Discord from one of their tables."""
        ...

    async def close(self, guild: GuildId, player: Player) -> None:
        """Close somebody's pages in a server, and let no link of theirs open another."""
        ...

    def readers(self) -> Collection[tuple[GuildId, Player]]:
        """Who has a page open that they came to by a link or by the door in Discord."""
        ...

    async def left(self, guild: GuildId, player: Player) -> None:
        """Close the pages of somebody who is no longer in the server."""
        ...

    def given_up(self, serves: Serves) -> None:
        """Another process serves these servers from now on."""
        ...

    def deleted_elsewhere(self) -> None:
        """Another process has deleted somebody."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a player reads what they alone see."""

    words: Words
    faces: Faces
    page_links: PageLinks


async def drawn_panel(play: Play, panel: Panel, reader: Reader) -> Screen:
    """The screen of the panel's player as it is now, and as they read."""
    view, table, words, faces = panel.view, panel.view.table, reader.words, reader.faces
    if view.event is not None and view.mine is None and view.you is not None:
        panel = replace(panel, standing=await play.standing(table.key, view.you))
    if view.mine is not None and view.mine.seat.timeouts and view.you is not None and not table.private:
        panel = replace(panel, missed=await play.missed(table.key, view.you))
    if table.private and not table.open:
        drawn = practice_over_screen(await play.closing(table.key), words)
    elif table.private and table.state is TableState.BETWEEN:
        result = await play.result(table.key, table.hand_no, view.you)
        drawn = hand_over_screen(view, result, words, faces)
    else:
        drawn = helpful_screen(panel, words, faces)
    if view.mine is not None and table.open:
        key, page_links = table.key, reader.page_links
        url = page_links.link(key.guild, view.mine.seat.player, words.language.code, table=key.table)
        inside = page_links.inside is not None and bool(key.guild)
        press = Press(verb="launch", table=key.table, tag=table.tag)
        drawn = drawn.and_below(*rows_of(page_ways(url, words, press, inside=inside)))
    elif view.you is not None and table.open:
        watched = reader.page_links.watch_links(view.you, words.language.code, [table])
        drawn = drawn.and_below(*rows_of(watch_ways(watched, words)))
    return aloud(drawn.and_above(panel.told) if panel.told else drawn, words, faces.wishes)


log = logging.getLogger(__name__)

MOST_MOVED = 5_000
"""Drafts made beside the panels that are remembered."""
FRESH_MS = 14 * 60_000
"""The token of an interaction can edit its message for 15 minutes."""


@dataclass(slots=True)
class OpenPanel:
    """One panel: by which token it is edited, until when, and what it shows."""

    interaction: Interaction
    panel: Panel
    reader: Reader
    at: int
    message: int | None
    left: int | None = None
    """The message from which it has moved down."""
    stayed_above: int | None = None
    """The table's message below which it couldn't be shown again."""

    async def delete(self) -> None:
        """Take it away; that it is gone already stops nothing."""
        await _delete(self.interaction, self.message if self.left is not None else None)


@dataclass(frozen=True, slots=True)
class Expected:
    """A private message in which the next table of its player is to be shown."""

    interaction: Interaction
    reader: Reader
    at: int
    message: int
    left: int | None = None


@dataclass(slots=True)
class Answer:
    """A panel that answers its player's press and is still on its way."""

    panel: Panel
    over: int | None
    """The private message that it replaces; None for one of its own."""
    behind: bool = False
    """True once it does not show how things stand."""


def _shows(view: TableView, *, late: bool) -> tuple[object, ...]:
    """The parts that must change for a panel to be drawn again without a press."""
    mine = view.hand.mine if view.hand else None
    return (
        view.table.state,
        view.table.hand_no,
        view.hand.street if view.hand else 0,
        view.waiting,
        mine.placed if mine else None,
        view.broke,
        (view.mine.seat.sits_out, view.mine.seat.away) if view.mine else None,
        view.stalled,
        view.unready,
        len(view.places) if view.table.state is TableState.LOBBY else None,
        late,
    )


class OpenPanels:
    """The panels of all tables."""

    def __init__(
        self,
        play: Play,
        bus: Bus,
        *,
        now_ms: Callable[[], int],
        again: Callable[[TableKey], None],
        used_beside: Callable[[TableKey, Player], int | None],
    ) -> None:
        """``again`` has the panels of a table refreshed once more.

        ``used_beside`` returns when a player last used another way to their hand, such as a page.
        """
        self._play = play
        self._now = now_ms
        self._again = again
        self._panels: dict[TableKey, dict[Player, OpenPanel]] = {}
        self._tables: dict[Player, set[TableKey]] = {}
        """The tables of which a player has one open."""
        self._expected: dict[tuple[EventKey, Player], Expected] = {}
        """The answers to players that an event has not given a seat yet."""
        self._answers: dict[tuple[TableKey, Player | None], Answer] = {}
        self._used_beside = used_beside
        self._moved: OrderedDict[tuple[TableKey, Player | None], tuple[Moment, Draft]] = OrderedDict()
        """The drafts that were made there, until something is pressed here."""
        self.seen = SeenCards()
        self._relinking: set[asyncio.Task[None]] = set()
        bus.draft_moved.subscribe(self._was_moved_beside)
        bus.link_used.subscribe(self._link_soon)

    def pressed_at(self, key: TableKey, player: Player) -> int | None:
        """When a player last used the panel or page that is open for them at a table; None when there is none."""
        opened = self._panels.get(key, {}).get(player)
        beside = self._used_beside(key, player)
        if opened is None or not self._fresh(opened):
            return beside
        return opened.at if beside is None else max(opened.at, beside)

    def _was_moved_beside(self, view: TableView, draft: Draft) -> None:
        """Note a draft that a player has made on a page."""
        panel = Panel(view=view, draft=draft)
        self.seen.note(panel)
        self._moved[view.table.key, view.you] = panel.moment, draft
        if len(self._moved) > MOST_MOVED:
            self._moved.popitem(last=False)

    def moved_beside(self, key: TableKey, player: Player) -> tuple[Moment, Draft] | None:
        """The draft that a player has made beside the panels since this was asked last; None for none."""
        return self._moved.pop((key, player), None)

    def newer(self, key: TableKey, player: Player, *, than: int | None) -> tuple[Moment, Draft] | None:
        """The draft on the newest panel of a player, where that is another message ``than`` theirs; None for none."""
        newest = self._panels.get(key, {}).get(player)
        if newest is None or than is None or newest.message in (None, than) or not newest.panel.draft:
            return None
        return newest.panel.moment, newest.panel.draft

    def of(self, key: TableKey) -> Collection[OpenPanel]:
        """Those of a table."""
        return self._panels.get(key, {}).values()

    def silent_about_lateness(self, key: TableKey) -> bool:
        """True when a panel of the table does not say that what everybody sees is behind."""
        return any(self._fresh(opened) and not opened.panel.late for opened in self.of(key))

    @contextmanager
    def answering(self, panel: Panel, *, over: int | None) -> Iterator[Panel]:
        """Leave the panel of a player alone while this one is on its way to them, or to the message that it replaces.

        Gives the panel with the hint that its player was given before.
        What it turns out not to show is drawn when it is there, and so is everything when it was lost.
        """
        who = (panel.view.table.key, panel.view.you)
        before = self._panels.get(panel.view.table.key, {}).get(panel.view.you) if panel.view.you else None
        if before is not None and before.panel.hint and not panel.hint:
            panel = replace(panel, hint=before.panel.hint)
        answer = self._answers[who] = Answer(panel, over)
        try:
            yield panel
        except BaseException:
            answer.behind = True
            raise
        finally:
            if self._answers.get(who) is answer:
                del self._answers[who]
            if answer.behind:
                self._again(panel.view.table.key)

    def expect(
        self, event: EventKey, player: Player, interaction: Interaction, reader: Reader, *, message: int | None
    ) -> None:
        """Keep the answer to somebody who takes part in an event: their first table there is shown in its place."""
        if message is not None:
            self._expected[event, player] = Expected(interaction, reader, self._now(), message)

    async def seat(self, view: TableView, event: EventKey) -> None:
        """Show an event's table to those it has given a seat, where they look: as a cash table does that they join."""
        for place in view.places:
            player = place.seat.player
            if place.seat.away or player in self._panels.get(view.table.key, {}):
                continue
            came = self._expected.pop((event, player), None) or self._of_last_table(event, player)
            if came is not None and self._now() - came.at <= FRESH_MS:
                await self._open(view.table.key, player, came)

    def _of_last_table(self, event: EventKey, player: Player) -> Expected | None:
        """The panel of a player that the event has moved from another table."""
        for key in self._tables.get(player, set()):
            left = self._panels[key][player]
            if left.panel.view.table.event == event and left.message is not None:
                self._forget(key, player)
                return Expected(left.interaction, left.reader, left.at, left.message, left.left)
        return None

    async def _open(self, key: TableKey, player: Player, came: Expected) -> None:
        panel = Panel(view=await self._play.look(key, player))
        opened = OpenPanel(came.interaction, panel, came.reader, came.at, came.message, came.left)
        self._panels.setdefault(key, {})[player] = opened
        self._tables.setdefault(player, set()).add(key)
        await self._draw(key, player, opened)

    async def remember(self, interaction: Interaction, panel: Panel, reader: Reader, *, message: int | None) -> None:
        """Keep a panel that was just shown; an older one of the table goes."""
        view = panel.view
        if view.you is None:
            return
        self.seen.note(panel)
        for key in self._tables.get(view.you, set()) - {view.table.key}:
            other = self._panels[key][view.you]
            # A message shows one table: what becomes of the one that it showed before is told elsewhere.
            if other.message == message:
                self._forget(key, view.you)
            elif view.table.private and other.panel.view.table.private and key.guild == view.table.key.guild:
                # A new sitting of practice takes the place of the one before.
                self._forget(key, view.you)
                if self._fresh(other):
                    await other.delete()
        opened = self._panels.setdefault(view.table.key, {})
        before = opened.get(view.you)
        if before is not None and message is not None and message == before.left:
            # It was pressed while it moved: the one below stays, and shows what came of the press.
            self._again(view.table.key)
            return
        opened[view.you] = OpenPanel(interaction, panel, reader, self._now(), message)
        self._tables.setdefault(view.you, set()).add(view.table.key)
        if before is not None and before.message != message and self._fresh(before):
            await before.delete()

    def _forget(self, key: TableKey, player: Player) -> None:
        if self._panels.get(key, {}).pop(player, None) is not None:
            self._tables[player].discard(key)

    def forget_old(self) -> None:
        """Forget those that can be edited no more."""
        for key, opened in list(self._panels.items()):
            for player in [player for player, panel in opened.items() if not self._fresh(panel)]:
                self._forget(key, player)
            if not opened:
                del self._panels[key]
        self._tables = {player: tables for player, tables in self._tables.items() if tables}
        self._expected = {who: one for who, one in self._expected.items() if self._now() - one.at <= FRESH_MS}

    async def refresh(self, table: Table, *, late: bool) -> None:
        """Show players with an open panel what has changed for them; a draft of the same street is kept."""
        for player, opened in list(self._panels.get(table.key, {}).items()):
            answer = self._answers.get((table.key, player))
            panel = opened.panel if answer is None else answer.panel
            # One that was drawn of this very version of its table, or is on its way so, stays as it is.
            if self._fresh(opened) and (panel.view.table.version, panel.late) != (table.version, late):
                await self._refresh(table.key, player, opened, late=late)

    def _fresh(self, opened: OpenPanel) -> bool:
        return self._now() - opened.at <= FRESH_MS

    async def _refresh(self, key: TableKey, player: Player, opened: OpenPanel, *, late: bool) -> None:
        view = await self._play.look(key, player)
        shows = _shows(view, late=late)
        if (answer := self._answers.get((key, player))) is not None:
            answer.behind |= shows != _shows(answer.panel.view, late=answer.panel.late)
            return
        before = opened.panel
        # Meanwhile its player may have pressed something: that drawing is newer than this one.
        if self._panels.get(key, {}).get(player) is not opened or shows == _shows(before.view, late=before.late):
            return
        hand, then = view.hand, before.view.hand
        same_street = (
            hand is not None
            and then is not None
            and (view.table.hand_no, hand.street) == (before.view.table.hand_no, then.street)
        )
        draft = before.draft if same_street else ()
        # What its player was told stays until something happens: that the table is drawn late is no such thing.
        told = before.told if view.table.version == before.view.table.version else ""
        opened.panel = replace(before, view=view, draft=draft, late=late, chosen=None, sure=False, told=told)
        await self._draw(key, player, opened)

    async def read_as(self, guild: GuildId, player: Player, reader: Reader) -> None:
        """Draw the panels that are open for a player in a server in another way."""
        for key, panels in list(self._panels.items()):
            opened = panels.get(player)
            if key.guild == guild and opened is not None and self._fresh(opened):
                opened.reader, opened.panel = reader, replace(opened.panel, told="")
                await self._draw(key, player, opened)

    def _link_soon(self, guild: GuildId, player: Player) -> None:
        task = asyncio.create_task(self._relink(guild, player))
        self._relinking.add(task)
        task.add_done_callback(self._relinking.discard)

    async def _relink(self, guild: GuildId, player: Player) -> None:
        try:
            await self.link_again(guild, player)
        except Exception:
            log.exception("panels could not be given another link")

    async def link_again(self, guild: GuildId, player: Player) -> None:
        """Give the panels that are open for a player in a server a link that was not used yet."""
        for key, panels in list(self._panels.items()):
            opened = panels.get(player)
            if key.guild == guild and opened is not None and self._fresh(opened):
                await self._draw(key, player, opened)

    async def _draw(self, key: TableKey, player: Player, opened: OpenPanel) -> None:
        panel = opened.panel
        view = await drawn_panel(self._play, panel, opened.reader)
        # While an answer is on its way into its message, that is what its player will see.
        over = {answer.over for (_, who), answer in self._answers.items() if who == player} - {None}
        if self._panels.get(key, {}).get(player) is not opened or opened.message in over:
            return
        try:
            if opened.left is None or opened.message is None:
                await edit_answer(opened.interaction, view)
            else:
                await opened.interaction.followup.edit_message(opened.message, view=view, allowed_mentions=NO_PINGS)
        except discord.HTTPException as error:
            log.debug("a panel is gone: %s", error)
            self._forget(key, player)
        else:
            self.seen.note(panel)

    async def follow(self, table: Table) -> None:
        """Show those panels again, below, that the table's message has pushed up."""
        for player, opened in list(self._panels.get(table.key, {}).items()):
            here = opened.interaction.channel_id == table.channel and opened.stayed_above != table.message
            pushed_up = opened.message is not None and table.message is not None and opened.message < table.message
            if here and pushed_up and self._fresh(opened):
                await self._move_down(table, player, opened)

    async def _move_down(self, table: Table, player: Player, opened: OpenPanel) -> None:
        """There are never two: whichever was pressed meanwhile stays, and the other goes."""
        key = table.key
        if (answer := self._answers.get((key, player))) is not None:
            answer.behind = True  # it is looked at again when the answer is there
            return
        view = await drawn_panel(self._play, opened.panel, opened.reader)
        try:
            sent = await opened.interaction.followup.send(
                view=view, ephemeral=True, wait=True, allowed_mentions=NO_PINGS
            )
        except UNDELIVERED as error:
            log.debug("a panel stays above: %r", error)
            opened.stayed_above = table.message
            return
        if (key, player) in self._answers or self._panels.get(key, {}).get(player) is not opened:
            await _delete(opened.interaction, sent.id)
            self._again(key)  # it moves when it has been answered
            return
        before, original = opened.message, opened.left is None
        opened.left, opened.message = before, sent.id
        await _delete(opened.interaction, None if original else before)


async def _delete(interaction: Interaction, message: int | None) -> None:
    """Delete the answer of an interaction, or a later message of it."""
    try:
        if message is None:
            await interaction.delete_original_response()
        else:
            await interaction.followup.delete_message(message)
    except UNDELIVERED as error:
        log.debug("a panel was gone: %r", error)
