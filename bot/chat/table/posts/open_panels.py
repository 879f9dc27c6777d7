"""Private messages that show players their hand, kept up to date while Discord lets the bot edit them.

Only the newest panel per player and table is kept. When newer messages push it up, it's sent again below them. Edits
use the token of the player's last press, so they don't count towards the bot's rate limit.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

import discord

from bot.chat.discord_patches.own_messages import edit_answer
from bot.chat.kit.custom_ids import Draft, Press
from bot.chat.kit.deferral import UNDELIVERED
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, page_buttons, text_length, watch_ways
from bot.chat.kit.reply import NO_PINGS
from bot.chat.kit.text_only import aloud
from bot.chat.kit.widgets import Interaction, Part, Screen, button_rows
from bot.chat.table.posts.seen_cards import SeenCards
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.placement_draft import Moment
from bot.chat.table.screens.screen import hand_over_screen, helpful_screen, practice_over_screen
from bot.model.ids import EventKey, GuildId, Player, Serves, TableId, TableKey
from bot.model.puzzles import NO_PUZZLE, PuzzleName
from bot.model.tables import Table, TableState
from bot.play.api.play import Play
from bot.play.bus import Bus
from bot.play.queries.views import TableView
from bot.text.words import Words

# A player's private message at a table: their panel. At a private table, it also shows everything that is usually
# public.


class PageLinks(Protocol):
    """Links to a table's web pages, and updates for open pages."""

    url: str
    """Base address of the pages; empty if there are no links."""
    public_url: str
    """Base address of events' public pages; empty if there are none."""
    served: bool
    """True if pages can be opened, by link or inside Discord."""

    @property
    def inside(self) -> object | None:
        """The page inside Discord; None if it isn't available there."""
        ...

    def link(self, guild: GuildId, player: Player, locale: str, *, table: TableId | None = None) -> str:
        """Return the address of a player's private page; empty if there are no links."""
        ...

    def puzzle_link(self, guild: GuildId, player: Player, locale: str, *, answered: PuzzleName = NO_PUZZLE) -> str:
        """Return the address of a player's private page with puzzles; empty if there is none."""
        ...

    def analysis_link(
        self, guild: GuildId, player: Player, locale: str, *, game: str, position: str = "", deeper: bool = False
    ) -> str:
        """Return the address of a player's private page with a position's analysis; empty if there is none.

        Without a position, the page assembles one.
        """
        ...

    def watch_links(self, player: Player, locale: str, tables: Iterable[Table]) -> Sequence[tuple[int, str]]:
        """Return the numbers of the first of ``tables`` that a player can watch, with the addresses for it.

        If there are several, the first address is for all of them, with the number 0.
        """
        ...

    def may_be_watched(self, table: Table) -> bool:
        """True if anyone in the server can watch the table by a link."""
        ...

    def stream_used(self, guild: GuildId, player: Player) -> int | None:
        """Return when a player's stream link was last in use (ms); None if it wasn't since the bot has started."""
        ...

    async def end_stream(self, guild: GuildId, player: Player) -> None:
        """Revoke a player's stream link."""
        ...

    async def end_stream_named(self, guild: GuildId, name: str) -> None:
        """Revoke the stream link with this name, if it's still valid."""
        ...

    def launched(self, guild: GuildId, player: Player, table: TableId) -> None:
        """Note that the player is about to launch the page inside Discord from ``table``."""
        ...

    async def close(self, guild: GuildId, player: Player) -> None:
        """Close the player's pages in a server and outside servers, and invalidate their links."""
        ...

    def readers(self) -> Collection[tuple[GuildId, Player]]:
        """Return the players who have a page open, whether by a link or inside Discord."""
        ...

    async def left(self, guild: GuildId, player: Player) -> None:
        """Close the pages of a player who has left the server."""
        ...

    def handed_over(self, serves: Serves) -> None:
        """Redirect the pages of servers that another process serves from now on."""
        ...

    def deleted_elsewhere(self) -> None:
        """Check all open pages again, because another process has deleted a player."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelReader:
    """The language, cards and links for a player's private messages."""

    words: Words
    faces: Faces
    page_links: PageLinks
    note: Callable[[TableView, Words, Faces], Sequence[Part]]
    """Return a note about the last hand for the viewer, or nothing."""


async def drawn_panel(play: Play, panel: Panel, reader: PanelReader) -> Screen:
    """Draw the panel with current data, in its player's language and display settings."""
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
    noted = drawn.and_below(*reader.note(view, words, faces))
    drawn = noted if text_length(noted) <= MAX_TEXT_LENGTH else drawn
    if view.mine is not None and table.open:
        key, page_links = table.key, reader.page_links
        url = page_links.link(key.guild, view.mine.seat.player, words.language.code, table=key.table)
        inside = page_links.inside is not None and bool(key.guild)
        press = Press(verb="launch", table=key.table, tag=table.tag)
        drawn = drawn.and_below(*button_rows(page_buttons(url, words, press, inside=inside)))
    elif view.you is not None and table.open:
        watched = reader.page_links.watch_links(view.you, words.language.code, [table])
        drawn = drawn.and_below(*button_rows(watch_ways(watched, words)))
    return aloud(drawn.and_above(panel.told) if panel.told else drawn, words, faces.member_settings)


log = logging.getLogger(__name__)

MAX_MOVED_DRAFTS = 5_000
"""Maximum number of cached drafts made outside the panels."""
FRESH_MS = 14 * 60_000
"""Maximum age at which an interaction's token is used. Discord accepts it for 15 minutes."""


@dataclass(slots=True)
class OpenPanel:
    """A panel, and the interaction that edits it with its time (ms)."""

    interaction: Interaction
    panel: Panel
    reader: PanelReader
    at: int
    message: int | None
    left: int | None = None
    """The message from which it was moved down."""
    stayed_above: int | None = None
    """The table's message when the panel failed to move below it."""

    async def delete(self) -> None:
        """Delete the panel. Errors are ignored because it may already be gone."""
        await _delete(self.interaction, self.message if self.left is not None else None)


@dataclass(frozen=True, slots=True)
class ExpectedMessage:
    """A private message that its player's next table will replace."""

    interaction: Interaction
    reader: PanelReader
    at: int
    message: int
    left: int | None = None


@dataclass(slots=True)
class PanelReply:
    """A panel that responds to its player's press and hasn't been sent yet."""

    panel: Panel
    over: int | None
    """The private message that it replaces; None if it's a new message."""
    behind: bool = False
    """True if it has become outdated and has to be redrawn."""


def _shows(view: TableView, *, late: bool) -> tuple[object, ...]:
    """Return the parts of a panel that require a redraw when they change without a press."""
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
    """The open panels of all tables."""

    def __init__(
        self,
        play: Play,
        bus: Bus,
        *,
        now_ms: Callable[[], int],
        again: Callable[[TableKey], None],
        used_beside: Callable[[TableKey, Player], int | None],
    ) -> None:
        """``again`` schedules a refresh of a table's panels.

        ``used_beside`` returns when a player last used their hand outside the panels, for example on a page.
        """
        self._play = play
        self._now = now_ms
        self._again = again
        self._panels: dict[TableKey, dict[Player, OpenPanel]] = {}
        self._tables: dict[Player, set[TableKey]] = {}
        """The tables for which each player has an open panel."""
        self._expected: dict[tuple[EventKey, Player], ExpectedMessage] = {}
        """The responses to players of an event who aren't seated yet."""
        self._answers: dict[tuple[TableKey, Player | None], PanelReply] = {}
        self._used_beside = used_beside
        self._moved: OrderedDict[tuple[TableKey, Player | None], tuple[Moment, Draft]] = OrderedDict()
        """Drafts made outside the panels, kept until the player presses a button on a panel."""
        self.seen = SeenCards()
        self._relinking: set[asyncio.Task[None]] = set()
        bus.draft_moved.subscribe(self._was_moved_beside)
        bus.link_used.subscribe(self._link_soon)

    def pressed_at(self, key: TableKey, player: Player) -> int | None:
        """Return when a player last used an open panel or page of the table (ms); None if they have neither."""
        opened = self._panels.get(key, {}).get(player)
        beside = self._used_beside(key, player)
        if opened is None or not self._fresh(opened):
            return beside
        return opened.at if beside is None else max(opened.at, beside)

    def _was_moved_beside(self, view: TableView, draft: Draft) -> None:
        """Keep a draft that a player made on a page."""
        panel = Panel(view=view, draft=draft)
        self.seen.note(panel)
        self._moved[view.table.key, view.you] = panel.moment, draft
        if len(self._moved) > MAX_MOVED_DRAFTS:
            self._moved.popitem(last=False)

    def take_page_edit(self, key: TableKey, player: Player) -> tuple[Moment, Draft] | None:
        """Return and remove the draft that a player made outside the panels; None if there is none."""
        return self._moved.pop((key, player), None)

    def newer(self, key: TableKey, player: Player, *, than: int | None) -> tuple[Moment, Draft] | None:
        """Return the draft on the player's newest panel; None if it has none or is the message ``than`` itself."""
        newest = self._panels.get(key, {}).get(player)
        if newest is None or than is None or newest.message in (None, than) or not newest.panel.draft:
            return None
        return newest.panel.moment, newest.panel.draft

    def of(self, key: TableKey) -> Collection[OpenPanel]:
        """Return the open panels of a table."""
        return self._panels.get(key, {}).values()

    def silent_about_lateness(self, key: TableKey) -> bool:
        """True if some panel of the table doesn't yet say that the public message is out of date."""
        return any(self._fresh(opened) and not opened.panel.late for opened in self.of(key))

    @contextmanager
    def answering(self, panel: Panel, *, over: int | None) -> Iterator[Panel]:
        """Block refreshes of a player's panel, and of the message it replaces, while ``panel`` is being sent.

        Yields the panel with the hint that was shown before. If the panel couldn't be sent, or is outdated by then, the
        table's panels are refreshed afterwards.
        """
        who = (panel.view.table.key, panel.view.you)
        before = self._panels.get(panel.view.table.key, {}).get(panel.view.you) if panel.view.you else None
        if before is not None and before.panel.hint and not panel.hint:
            panel = replace(panel, hint=before.panel.hint)
        answer = self._answers[who] = PanelReply(panel, over)
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
        self, event: EventKey, player: Player, interaction: Interaction, reader: PanelReader, *, message: int | None
    ) -> None:
        """Keep the response to a player of an event, because their first table there will replace it."""
        if message is not None:
            self._expected[event, player] = ExpectedMessage(interaction, reader, self._now(), message)

    async def seat(self, view: TableView, event: EventKey) -> None:
        """Show an event's table to the players who were just seated there, in their last private message."""
        for place in view.places:
            player = place.seat.player
            if place.seat.away or player in self._panels.get(view.table.key, {}):
                continue
            came = self._expected.pop((event, player), None) or self._take_over_panel(event, player)
            if came is not None and self._now() - came.at <= FRESH_MS:
                await self._open(view.table.key, player, came)

    def _take_over_panel(self, event: EventKey, player: Player) -> ExpectedMessage | None:
        """Take over a player's panel of the table from which the event has moved them."""
        for key in self._tables.get(player, set()):
            left = self._panels[key][player]
            if left.panel.view.table.event == event and left.message is not None:
                self._forget(key, player)
                return ExpectedMessage(left.interaction, left.reader, left.at, left.message, left.left)
        return None

    async def _open(self, key: TableKey, player: Player, came: ExpectedMessage) -> None:
        panel = Panel(view=await self._play.look(key, player))
        opened = OpenPanel(came.interaction, panel, came.reader, came.at, came.message, came.left)
        self._panels.setdefault(key, {})[player] = opened
        self._tables.setdefault(player, set()).add(key)
        await self._draw(key, player, opened)

    async def remember(
        self, interaction: Interaction, panel: Panel, reader: PanelReader, *, message: int | None
    ) -> None:
        """Keep a panel that was just shown, and delete the older one of the same table."""
        view = panel.view
        if view.you is None:
            return
        self.seen.note(panel)
        for key in self._tables.get(view.you, set()) - {view.table.key}:
            other = self._panels[key][view.you]
            # A message shows only one table, so the table it showed before no longer has a panel.
            if other.message == message:
                self._forget(key, view.you)
            elif view.table.private and other.panel.view.table.private and key.guild == view.table.key.guild:
                # A new practice table replaces the previous one.
                self._forget(key, view.you)
                if self._fresh(other):
                    await other.delete()
        opened = self._panels.setdefault(view.table.key, {})
        before = opened.get(view.you)
        if before is not None and message is not None and message == before.left:
            # The panel was pressed while it was being moved down. The lower message stays and shows the result of the
            # press.
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
        """Drop the panels that can no longer be edited."""
        for key, opened in list(self._panels.items()):
            for player in [player for player, panel in opened.items() if not self._fresh(panel)]:
                self._forget(key, player)
            if not opened:
                del self._panels[key]
        self._tables = {player: tables for player, tables in self._tables.items() if tables}
        self._expected = {who: one for who, one in self._expected.items() if self._now() - one.at <= FRESH_MS}

    async def refresh(self, table: Table, *, late: bool) -> None:
        """Refresh the table's open panels that are outdated. A draft of the same street is kept."""
        for player, opened in list(self._panels.get(table.key, {}).items()):
            answer = self._answers.get((table.key, player))
            panel = opened.panel if answer is None else answer.panel
            # Panels that already show the current version need no refresh, even if they're still being sent.
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
        # The player may have pressed a button in the meantime, and that drawing is newer.
        if self._panels.get(key, {}).get(player) is not opened or shows == _shows(before.view, late=before.late):
            return
        hand, then = view.hand, before.view.hand
        same_street = (
            hand is not None
            and then is not None
            and (view.table.hand_no, hand.street) == (before.view.table.hand_no, then.street)
        )
        draft = before.draft if same_street else ()
        # The notice stays until the table changes. A delayed redraw of the public message doesn't count as a change.
        told = before.told if view.table.version == before.view.table.version else ""
        opened.panel = replace(before, view=view, draft=draft, late=late, chosen=None, sure=False, told=told)
        await self._draw(key, player, opened)

    async def read_as(self, guild: GuildId, player: Player, reader: PanelReader) -> None:
        """Redraw a player's open panels in a server with new display settings."""
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
            log.exception("panels could not be given a new link")

    async def link_again(self, guild: GuildId, player: Player) -> None:
        """Give a player's open panels in a server new links, because the old ones have been used."""
        for key, panels in list(self._panels.items()):
            opened = panels.get(player)
            if key.guild == guild and opened is not None and self._fresh(opened):
                await self._draw(key, player, opened)

    async def _draw(self, key: TableKey, player: Player, opened: OpenPanel) -> None:
        panel = opened.panel
        view = await drawn_panel(self._play, panel, opened.reader)
        # A response that is about to replace this message is newer anyway.
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
        """Move panels down that the table's new message has pushed up."""
        for player, opened in list(self._panels.get(table.key, {}).items()):
            here = opened.interaction.channel_id == table.channel and opened.stayed_above != table.message
            pushed_up = opened.message is not None and table.message is not None and opened.message < table.message
            if here and pushed_up and self._fresh(opened):
                await self._move_down(table, player, opened)

    async def _move_down(self, table: Table, player: Player, opened: OpenPanel) -> None:
        """Send the panel again below, and delete the old message.

        If one of the two was pressed in the meantime, keep that one.
        """
        key = table.key
        if (answer := self._answers.get((key, player))) is not None:
            answer.behind = True  # refreshed again after the response
            return
        view = await drawn_panel(self._play, opened.panel, opened.reader)
        try:
            sent = await opened.interaction.followup.send(
                view=view, ephemeral=True, wait=True, allowed_mentions=NO_PINGS
            )
        except UNDELIVERED as error:
            log.debug("a panel could not be moved down: %r", error)
            opened.stayed_above = table.message
            return
        if (key, player) in self._answers or self._panels.get(key, {}).get(player) is not opened:
            await _delete(opened.interaction, sent.id)
            self._again(key)  # moved down after the response
            return
        before, original = opened.message, opened.left is None
        opened.left, opened.message = before, sent.id
        await _delete(opened.interaction, None if original else before)


async def _delete(interaction: Interaction, message: int | None) -> None:
    """Delete an interaction's response, or one of its later messages."""
    try:
        if message is None:
            await interaction.delete_original_response()
        else:
            await interaction.followup.delete_message(message)
    except UNDELIVERED as error:
        log.debug("a panel was gone: %r", error)
