"""The services behind the cogs, and how players are shown their hand."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from discord import app_commands

from bot.live.asked_pictures import AskedPictures
from bot.live.bulletins import BulletinPosts
from bot.live.club_pages import ClubPages
from bot.live.doors import Doors
from bot.live.event.publisher import EventPublisher
from bot.live.event.start_polls import StartPolls
from bot.live.keeper import Keeper
from bot.live.members import Members
from bot.live.page_readers import PageReaders
from bot.live.season_ends import SeasonEnds
from bot.live.table.digests import Digests
from bot.live.table.open_panels import PageLinks, Reader, drawn_panel
from bot.live.table.publisher import TablePublisher
from bot.live.table.result_posts import learn_names
from bot.live.table.seated_names import SeatedNames
from bot.live.welcomes import Welcomes, words_of_server
from bot.model.bulletins import Kind
from bot.model.choices import Server
from bot.model.errors import StorageTroubleError
from bot.model.events import Phase
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.refusals import PlayReason
from bot.model.tables import Table, TableState
from bot.ofc.refusals import Refused
from bot.play.look.views import TableView
from bot.text.zones import zone_of
from bot.thinking.thinkers import Thinkers
from bot.ui.custom_ids import Draft
from bot.ui.faces import Faces
from bot.ui.game_choice import game_choices
from bot.ui.gate import Gate
from bot.ui.reply import Reply
from bot.ui.table.panel import Panel
from bot.ui.table.seats_screen import back_sentence, missed_text
from bot.ui.table.sketch import BY_RANK, Moment, Placing, settled_draft
from bot.ui.widgets import Interaction, Screen

log = logging.getLogger(__name__)

MOST_DRAFTS = 5_000
"""Panels of which the draft is known by what was shown last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(Doors):
    """Everything that cogs use."""

    gate: Gate
    publisher: TablePublisher
    event_publisher: EventPublisher
    season_ends: SeasonEnds
    club_pages: ClubPages
    bulletin_posts: BulletinPosts
    digests: Digests
    start_polls: StartPolls
    page_readers: PageReaders
    faces: Faces
    members: Members
    seated_names: SeatedNames
    welcomes: Welcomes
    thinkers: Thinkers
    pictures: AskedPictures
    page_links: PageLinks
    drafts: OrderedDict[tuple[GuildId, Player], tuple[Moment, Draft]] = field(default_factory=OrderedDict, repr=False)
    """The draft on the last panel that somebody was shown: at practice and in a hand of a day nothing else keeps it."""
    places: OrderedDict[tuple[GuildId, Player], int] = field(default_factory=OrderedDict, repr=False)
    """The channel in which somebody was shown their last panel, as far as this process has shown it."""

    @property
    def keepers(self) -> tuple[Keeper[Any], ...]:
        """What posts and keeps by itself, in the order in which it is seen to."""
        return self.season_ends, self.digests, self.start_polls, self.club_pages, self.bulletin_posts, self.page_readers

    def draft_on(self, reply: Reply, panel: Placing) -> Draft:
        """The draft that its player has seen last of this hand on this street; of a table also the one that is kept."""
        if isinstance(panel, Panel):
            moved = self.publisher.panels.moved_beside(panel.view.table.key, reply.player)
            if moved is not None and moved[0] == panel.moment:
                return moved[1]
        moment, draft = self.drafts.get((reply.guild, reply.player), (None, ()))
        if moment == panel.moment:
            return draft
        return settled_draft(panel.view) if isinstance(panel, Panel) else ()

    def faces_for(self, reply: Reply) -> Faces:
        """Cards as the one who pressed wants to see them."""
        return self.faces.for_reader(reply.wishes)

    def reader(self, reply: Reply) -> Reader:
        """How the one who pressed reads."""
        return Reader(words=reply.words, faces=self.faces.for_reader(reply.wishes), page_links=self.page_links)

    async def learn_beside(self, reply: Reply, players: Iterable[Player]) -> None:
        """Learn what these are called, beside whom buttons stand, for one who hears the buttons alone.

        A text mentions whoever isn't known, as after a restart; a button can't.
        """
        if reply.wishes.text_only:
            await learn_names(reply.interaction.client, reply.guild, players, self.faces.names)

    async def offered_games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games that a command offers while somebody types."""
        words = await self.gate.words_of(interaction)
        return await game_choices(self.play, GuildId(interaction.guild_id or 0), current, words)

    async def show_panel(
        self,
        reply: Reply,
        key: TableKey,
        *,
        draft: Draft = (),
        chosen: int | None = None,
        sort: str = BY_RANK,
        told: str = "",
    ) -> None:
        """Show the player their own hand, with a draft on it, below what they are ``told`` of what they have done."""
        view = await self.play.look(key, reply.player)
        panel = Panel(view=view, draft=draft or settled_draft(view), chosen=chosen, sort=sort, told=told)
        if view.table.terms.clock.quiet and reply.player not in view.waiting:
            panel = replace(panel, other_games=len(await self.waiting_for(reply, but=key)))
        await self.show(reply, panel)

    async def panel_screens(self, reply: Reply, key: TableKey) -> list[Screen]:
        """The player's own hand as :meth:`show_panel` shows it, also once they have pressed *Surrender*.

        Doesn't note that it was shown.
        """
        view = await self.play.look(key, reply.player)
        panel = Panel(view=view, draft=settled_draft(view))
        return [await drawn_panel(self.play, one, self.reader(reply)) for one in (panel, replace(panel, sure=True))]

    async def missed_by(self, reply: Reply, key: TableKey) -> str:
        """What somebody has missed at their table, in a sentence; empty where the clock has placed nothing for them."""
        view = await self.play.look(key, reply.player)
        if view.mine is None or not view.mine.seat.timeouts:
            return ""
        return missed_text(await self.play.missed(key, reply.player), reply.words)

    async def come_back(self, reply: Reply, key: TableKey) -> str:
        """Let somebody play again who sat out or was about to leave; returns that they are back, and what they missed.

        Raises Refused.
        """
        view, missed = await self.play.look(key, reply.player), await self.missed_by(reply, key)
        table = await self.play.stay(key, reply.player, cause=reply.cause)
        said = reply.words(back_sentence(view), table=table.key.table)
        return "\n".join(filter(None, (said, missed)))

    async def waiting_for(self, reply: Reply, *, but: TableKey) -> list[TableView]:
        """The other correspondence tables that wait for the one who pressed, the shortest time first."""
        tables = await self.play.tables_of(reply.guild, reply.player)
        views = [
            await self.play.look(table.key, reply.player)
            for table in tables
            if table.key != but and table.terms.clock.quiet and table.state is TableState.PLAYING
        ]
        return sorted((view for view in views if reply.player in view.waiting), key=_shortest_time)

    async def show(self, reply: Reply, panel: Panel) -> None:
        """Show a panel and keep it up to date."""
        await self.shown(reply, panel)
        late = self.publisher.lateness.late(panel.view.table.key)
        if panel.late != late:
            panel = replace(panel, late=late)
        with self.publisher.panels.answering(panel, over=reply.replaces) as panel:
            reader = self.reader(reply)
            shown = await drawn_panel(self.play, panel, reader)
            message = await reply.show(shown)
            await self.publisher.panels.remember(reply.interaction, panel, reader, message=message)

    async def shown(self, reply: Reply, panel: Placing | None, *, instead: str = "") -> None:
        """Note which hand its player sees from now on, with which draft: what they type is for that one.

        ``instead`` names it where no cards are to be placed in it.
        """
        who = reply.guild, reply.player
        self.drafts.pop(who, None)
        if panel is not None and panel.draft:
            self.drafts[who] = panel.moment, panel.draft
            if len(self.drafts) > MOST_DRAFTS:
                self.drafts.popitem(last=False)
        if not reply.guild:
            return
        self.places[who] = reply.interaction.channel_id or 0
        self.places.move_to_end(who)
        if len(self.places) > MOST_DRAFTS:
            self.places.popitem(last=False)
        try:
            await self.play.show_hand(*who, panel.shown_as if panel else instead)
        except StorageTroubleError as trouble:
            log.debug("which hand was shown is known here alone: %s", trouble)

    def shown_here(self, reply: Reply) -> bool:
        """True where the hand that its player was shown last stands in the channel in which they type."""
        return self.places.get((reply.guild, reply.player)) == reply.interaction.channel_id

    async def panels_of(self, reply: Reply) -> list[Panel]:
        """The panels of one's own tables."""
        tables = await self.play.tables_of(reply.guild, reply.player)
        return [Panel(view=await self.play.look(table.key, reply.player)) for table in tables]

    async def choose_for_server(self, reply: Reply, change: Callable[[Server], Server]) -> Server:
        """Change what a server has chosen. Its posts come at their hours in the time zone that is chosen now."""
        server = await self.play.choose_for_server(reply.guild, change)
        guild = reply.interaction.guild
        zone = zone_of(server, reply.words.language if guild is None else words_of_server(guild, server).language)
        for kind in Kind:
            if (await self.bulletins.of(reply.guild, kind)).channel is not None:
                await self.bulletins.change(reply.guild, kind, lambda before: replace(before, zone=zone))
        return server

    async def table_for(self, reply: Reply, number: int | None, *, gives_seats: bool = False) -> Table:
        """The table a command means: the one named, else where the player is on turn, else in this channel.

        With ``gives_seats`` one where its players choose their seats comes before those of events and for oneself.
        Raises Refused when they sit nowhere, or not at the one named.
        """
        tables = await self.play.tables_of(reply.guild, reply.player)
        if number is not None:
            named = await self.play.look(TableKey(guild=reply.guild, table=TableId(number)), reply.player)
            tables = [table for table in tables if table.key == named.table.key]
        lost = [] if tables else await self.play.lost_seats(reply.guild, reply.player)
        if lost and number in (None, *lost):
            raise Refused(PlayReason.LOST_SEAT, table=lost[-1] if number is None else number)
        if not tables and number is not None:
            raise Refused(PlayReason.NOT_AT_THIS_TABLE, table=number)
        if not tables:
            raise Refused(PlayReason.NOT_AT_TABLE)
        if gives_seats:
            tables = [table for table in tables if table.event_no is None and not table.private] or tables
        here = reply.interaction.channel_id
        urgent = [await self._urgency(reply, table, here=table.channel == here) for table in tables]
        return tables[urgent.index(max(urgent))]

    async def shown_to(self, reply: Reply, number: int | None) -> Table:
        """Return the table whose panel a player may see: their own, or one of an event in which they have no seat.

        Its panel says how they stand in the event. Raises Refused as :meth:`table_for` does.
        """
        try:
            return await self.table_for(reply, number)
        except Refused as refused:
            if refused.reason not in (PlayReason.NOT_AT_TABLE, PlayReason.NOT_AT_THIS_TABLE):
                raise
            if (table := await self._of_own_event(reply, number)) is None:
                raise
            return table

    async def _of_own_event(self, reply: Reply, number: int | None) -> Table | None:
        """Return a table of a running event in which the player takes part, or took part: best the one here."""
        found = []
        for event, _ in await self.events.own(reply.guild, reply.player, [Phase.RUNNING]):
            found += [line.table for line in (await self.events.look(event.key)).tables]
        if number is not None:
            return next((table for table in found if table.key.table == number), None)
        found.sort(key=lambda table: table.channel != reply.interaction.channel_id)
        return next(iter(found), None)

    async def _urgency(self, reply: Reply, table: Table, *, here: bool) -> tuple[bool, bool, bool]:
        view = await self.play.look(table.key, reply.player)
        return reply.player in view.waiting, here, table.state is TableState.PLAYING


def _shortest_time(view: TableView) -> tuple[int, int]:
    until = view.until(view.you) if view.you else None
    return until or 1 << 62, view.table.key.table
