"""Shows players their own hand on a panel, and records which hand and draft they saw last."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.chat.kit.custom_ids import Draft
from bot.chat.kit.faces import Faces
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Part, Screen
from bot.chat.table.posts.open_panels import PageLinks, PanelReader, drawn_panel
from bot.chat.table.posts.own_tables import OwnTables
from bot.chat.table.posts.publisher import TablePublisher
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.placement_draft import BY_RANK, Moment, PlacementPanel, saved_draft
from bot.model.errors import StorageUnavailableError
from bot.model.ids import GuildId, Player, TableKey
from bot.play.api.play import Play
from bot.play.queries.views import TableView
from bot.text.words import Words

log = logging.getLogger(__name__)

MAX_DRAFTS = 5_000
"""Maximum number of players whose last draft and channel are cached."""


class HandPanels:
    """Shows the panels of this process, and keeps them up to date."""

    def __init__(
        self,
        play: Play,
        own_tables: OwnTables,
        publisher: TablePublisher,
        faces: Faces,
        page_links: PageLinks,
        *,
        note: Callable[[TableView, Words, Faces], Sequence[Part]],
    ) -> None:
        """``note`` returns what a panel says about its player's last hand."""
        self._play = play
        self._own_tables = own_tables
        self._publisher = publisher
        self._faces = faces
        self._page_links = page_links
        self._note = note
        self._drafts: OrderedDict[tuple[GuildId, Player], tuple[Moment, Draft]] = OrderedDict()
        """The draft on each player's last panel. In practice and daily hands it's stored nowhere else."""
        self._places: OrderedDict[tuple[GuildId, Player], int] = OrderedDict()
        """The channel of each player's last panel, if this process has shown it."""

    def reader(self, reply: Reply) -> PanelReader:
        """Return the language, cards and links of the reply's player."""
        return PanelReader(
            words=reply.words,
            faces=self._faces.for_reader(reply.member_settings),
            page_links=self._page_links,
            note=self._note,
        )

    def draft_on(self, reply: Reply, panel: PlacementPanel) -> Draft:
        """Return the player's last draft of this hand and street. At a table, it may also be the stored draft."""
        if isinstance(panel, Panel):
            moved = self._publisher.panels.take_page_edit(panel.view.table.key, reply.player)
            if moved is not None and moved[0] == panel.moment:
                return moved[1]
        moment, draft = self._drafts.get((reply.guild, reply.player), (None, ()))
        if moment == panel.moment:
            return draft
        return saved_draft(panel.view) if isinstance(panel, Panel) else ()

    async def show_table(
        self,
        reply: Reply,
        key: TableKey,
        *,
        draft: Draft = (),
        chosen: int | None = None,
        sort: str = BY_RANK,
        told: str = "",
    ) -> None:
        """Show the player their hand at a table, with ``draft`` on its board and the sentence ``told`` above it."""
        view = await self._play.look(key, reply.player)
        panel = Panel(view=view, draft=draft or saved_draft(view), chosen=chosen, sort=sort, told=told)
        if view.table.terms.clock.quiet and reply.player not in view.waiting:
            panel = replace(panel, other_games=len(await self._own_tables.waiting(reply, but=key)))
        await self.show(reply, panel)

    async def screens(self, reply: Reply, key: TableKey) -> list[Screen]:
        """Return the screens that :meth:`show_table` shows, before and after the player presses *Surrender*.

        This doesn't note the hand as shown.
        """
        view = await self._play.look(key, reply.player)
        panel = Panel(view=view, draft=saved_draft(view))
        return [await drawn_panel(self._play, one, self.reader(reply)) for one in (panel, replace(panel, sure=True))]

    async def show(self, reply: Reply, panel: Panel) -> None:
        """Show a panel and keep it up to date."""
        await self.note_shown(reply, panel)
        late = self._publisher.lag.late(panel.view.table.key)
        if panel.late != late:
            panel = replace(panel, late=late)
        with self._publisher.panels.answering(panel, over=reply.replaces) as panel:
            reader = self.reader(reply)
            shown = await drawn_panel(self._play, panel, reader)
            message = await reply.show(shown)
            await self._publisher.panels.remember(reply.interaction, panel, reader, message=message)

    async def note_shown(self, reply: Reply, panel: PlacementPanel | None, *, instead: str = "") -> None:
        """Note the hand and draft that the player now sees, because cards they type are meant for this hand.

        ``instead`` is the hand's name if it has no cards to place.
        """
        who = reply.guild, reply.player
        self._drafts.pop(who, None)
        if panel is not None and panel.draft:
            self._drafts[who] = panel.moment, panel.draft
            if len(self._drafts) > MAX_DRAFTS:
                self._drafts.popitem(last=False)
        if not reply.guild:
            return
        self._places[who] = reply.interaction.channel_id or 0
        self._places.move_to_end(who)
        if len(self._places) > MAX_DRAFTS:
            self._places.popitem(last=False)
        try:
            await self._play.show_hand(*who, panel.shown_as if panel else instead)
        except StorageUnavailableError as trouble:
            log.debug("the hand that was shown could not be saved: %s", trouble)

    def shown_here(self, reply: Reply) -> bool:
        """True if the player's last hand was shown in the channel that they're typing in."""
        return self._places.get((reply.guild, reply.player)) == reply.interaction.channel_id
