"""Placing cards with buttons and menus on the private panel, or by typing ``/place``."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.daily_screen import DailyPanel, day_title, placing_screen, try_screen
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.placement_draft import ANY_ARRANGEMENT, DRAWING, drawn_as, filled_in, playable, redrawn
from bot.chat.table.screens.review import ANOTHER_TRY
from bot.chat.table.screens.typed_placement import (
    TypedCards,
    TypedCardsError,
    done_text,
    names_no_card,
    read,
    slip_text,
    suggested,
    table_named,
    typed_in,
    which_text,
)
from bot.chat.trainer.typed_elsewhere import pointed_on
from bot.model.choices import MemberSettings
from bot.model.daily import ChallengeId
from bot.model.errors import StorageUnavailableError
from bot.model.ids import GuildId, Player, TableKey
from bot.model.reasons import HandReason
from bot.model.refusals import Stale
from bot.model.tables import Table
from bot.play.queries.views import TableView
from bot.pure.ofc.cards import BOARD_CARDS
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words
from cogs.table.past_hands import MyTableOption

log = logging.getLogger(__name__)

Typing: TypeAlias = Panel | DailyPanel
"""Panel of the hand for which cards are typed."""
MAX_SHOWN_FOULS = 1_000
"""Maximum number of typed fouls kept until they're confirmed."""
NOT_DONE = {"arrange": "not_arranged", "undo": "nothing_to_undo", "confirm": "no_draft"}
"""Keys of the sentences for typed commands that can't be applied to the draft."""
AGAIN_MS = 60_000
"""Time within which typing the same line again confirms a foul."""


def _who_has_confirmed(member_settings: MemberSettings) -> MemberSettings:
    return replace(member_settings, has_confirmed=True)


class Placement(commands.Cog):
    """Handlers for placing cards."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        self._shown_fouls: dict[tuple[GuildId, Player], tuple[tuple[str, int, int, str], int]] = {}
        for verb, handler in {
            **dict.fromkeys(DRAWING, self.draw),
            "row": self.row,
            "arrange": self.arrange,
            "confirm": self.confirm,
            "ahead": self.confirm_ahead,
            "read_all": self.read_all,
            "take_back": self.take_back,
            "declare": self.declare,
            "surrender": self.surrender,
            "give_up": self.give_up,
        }.items():
            bot.services.gate.route(verb, handler, anywhere=True)

    async def _panel(self, reply: Reply, press: Press) -> Panel:
        """Return the pressed panel with current data; raises Stale if the street or hand is over."""
        view = await self.services.play.look(reply.key(press), reply.player)
        if not playable(view) or view.hand is None or view.hand.mine is None:
            raise Stale
        mine = view.hand.mine
        same_street = mine.fantasyland or press.street == view.hand.street
        if view.table.hand_no != press.hand or not same_street:
            raise Stale
        panel = Panel(view=view, draft=press.draft, chosen=press.chosen)
        if panel.ahead and press.verb != "take_back":
            raise Stale  # the draft can't be changed until it's taken back
        return panel

    async def draw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Change only the draft."""
        panel = await self._panel(reply, press)
        if not await self._moved_beside(reply, panel):
            await self._draw(reply, press, redrawn(panel, press.verb, press.argument, values))

    async def _moved_beside(self, reply: Reply, panel: Panel) -> bool:
        """Show a newer draft that was made on a page or another panel since this panel was drawn. True if there was
        one.

        If so, the tap itself is ignored, because it would overwrite the newer draft.
        """
        panels, key = self.services.publisher.panels, panel.view.table.key
        on_page, on_panel = (
            panels.take_page_edit(key, reply.player),
            panels.newer(key, reply.player, than=reply.replaces),
        )
        for newer, told in ((on_page, "panel.moved_beside"), (on_panel, "panel.moved_elsewhere")):
            if newer is None or newer[0] != panel.moment:
                continue
            now = replace(panel, draft=newer[1], chosen=None, told=reply.words(told))
            if now.placement_draft.letters != panel.placement_draft.letters:
                await self.services.hand_panels.show(reply, now)
                return True
        return False

    async def _draw(self, reply: Reply, press: Press, panel: Panel) -> None:
        """Show a draft, and save it for timeouts with the next write. Until then, only the buttons carry it."""
        kept = asyncio.create_task(self._keep(reply, panel))
        await self.services.hand_panels.show(reply, panel)
        await kept

    async def _keep(self, reply: Reply, panel: Panel) -> None:
        if panel.view.table.private:
            return  # no one can time out there
        street = 0 if panel.seat.fantasyland else panel.hand.street
        rows, hand_no = panel.placement_draft.letters, panel.view.table.hand_no
        try:
            await self.services.play.save_draft(
                panel.view.table.key, reply.player, hand_no=hand_no, street=street, rows=rows, patient=True
            )
        except (StorageUnavailableError, Refused, Stale) as error:
            log.debug("a draft is stored only in its buttons: %r", error)

    async def read_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show everything that a brief panel leaves out, with the same draft."""
        sort, drawing = drawn_as(press.argument)
        view = await self.services.play.look(reply.key(press), reply.player)
        panel = await self._panel(reply, press) if playable(view) else Panel(view=view)
        await self.services.hand_panels.show(reply, replace(panel, sort=sort, drawing=drawing, whole=True))

    async def row(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Put the chosen card in a row. If the player's settings say so, the last card also confirms."""
        panel = await self._panel(reply, press)
        if await self._moved_beside(reply, panel):
            return
        drawn = redrawn(panel, "row", press.argument, values)
        if reply.member_settings.confirm_at_once and drawn.can_confirm:
            await self._place_cards(reply, reply.key(press), drawn.view, drawn.placement_draft.letters)
        else:
            await self._draw(reply, press, drawn)

    async def arrange(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Draft the best board that the cards allow. Only Confirm places it."""
        panel = await self._panel(reply, press)
        if not panel.by_select:
            raise Stale
        letters = await self.services.play.arranged(reply.guild, panel.hand)
        await self._draw(reply, press, filled_in(panel, letters, press.argument))

    async def confirm_ahead(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Confirm the draft ahead of the player's turn."""
        panel = await self._panel(reply, press)
        if not panel.placement_draft.complete:
            raise Stale
        await self._place_ahead(reply, reply.key(press), panel)

    async def _place_ahead(self, reply: Reply, key: TableKey, panel: Panel, *, told: str = "") -> None:
        hand_no, street, rows = panel.view.table.hand_no, panel.hand.street, panel.placement_draft.letters
        await self.services.play.confirm_ahead(
            key, reply.player, hand_no=hand_no, street=street, rows=rows, cause=reply.cause
        )
        back = panel.view.mine is not None and panel.view.mine.seat.away
        told = "\n".join(filter(None, (reply.words("away.back", table=panel.view.table.number) if back else "", told)))
        await self._note_whole_hand(reply, panel.view)
        await self.services.hand_panels.show_table(reply, key, told=told)

    async def take_back(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Turn a placement that was confirmed ahead back into a draft."""
        await self._take_back(reply, await self._panel(reply, press))

    async def _take_back(self, reply: Reply, panel: Panel, *, told: str = "") -> None:
        key, hand_no, street = panel.view.table.key, panel.view.table.hand_no, panel.hand.street
        await self.services.play.take_back(key, reply.player, hand_no=hand_no, street=street)
        await self.services.hand_panels.show_table(reply, key, draft=panel.placement_draft.draft, told=told)

    async def confirm(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Place the cards. Only this changes the game."""
        panel = await self._panel(reply, press)
        await self._place_cards(reply, reply.key(press), panel.view, panel.placement_draft.letters)

    async def declare(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Declare the natural that the cards make. It needs no arrangement."""
        panel = await self._panel(reply, press)
        letters = panel.placement_draft.letters if panel.placement_draft.complete else ANY_ARRANGEMENT
        await self._place_cards(reply, reply.key(press), panel.view, letters, declare=True)

    async def surrender(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for confirmation of a surrender."""
        panel = await self._panel(reply, press)
        sort, drawing = drawn_as(press.argument)
        await self.services.hand_panels.show(reply, replace(panel, sort=sort, drawing=drawing, sure=True))

    async def give_up(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Surrender."""
        panel = await self._panel(reply, press)
        key = reply.key(press)
        await self.services.play.surrender(key, reply.player, hand_no=panel.view.table.hand_no, cause=reply.cause)
        await self.services.hand_panels.show_table(reply, key)

    async def _note_whole_hand(self, reply: Reply, view: TableView) -> None:
        """Note that the player has placed a whole hand, so that their next panels don't explain what to tap."""
        assert view.hand is not None
        hand, mine = view.hand, view.hand.mine
        last = hand.street == len(hand.variant.streets) or (mine is not None and bool(mine.fantasyland))
        if not last or reply.member_settings.has_confirmed or not reply.guild:
            return
        try:
            reply.read_as(
                await self.services.play.change_member_settings(reply.guild, reply.player, _who_has_confirmed)
            )
        except StorageUnavailableError as trouble:
            log.debug("a player will see once more what to tap: %s", trouble)

    async def _place_cards(
        self, reply: Reply, key: TableKey, view: TableView, letters: str, *, declare: bool = False, told: str = ""
    ) -> None:
        assert view.hand is not None
        if view.mine is not None and view.mine.seat.away:  # placing cards brings the player back
            told = "\n".join(filter(None, (reply.words("away.back", table=view.table.number), told)))
        await self.services.play.place_cards(
            key,
            reply.player,
            hand_no=view.table.hand_no,
            street=view.hand.street,
            rows=letters,
            cause=reply.cause,
            declare=declare,
        )
        await self._note_whole_hand(reply, view)
        await self.services.hand_panels.show_table(reply, key, told=told)

    @app_commands.command(name="place", description=description_for("place"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(cards=description_for("option_cards"), table=description_for("option_table"))
    async def place(
        self,
        interaction: Interaction,
        cards: app_commands.Range[str, 1, 200],
        table: MyTableOption | None = None,
    ) -> None:
        """Place cards by typing their rows."""

        async def body(reply: Reply) -> None:
            try:
                panel = await self._meant(reply, table)
            except Refused as refused:
                if table is not None:
                    raise
                panel = await pointed_on(refused, reply, self.services.trainer, self.services.mistakes)
            if isinstance(panel, str):
                await reply.refuse(panel)
            else:
                await self._typed(reply, panel, read(cards))

        await self.services.gate.run(interaction, body, anywhere=True)

    async def _meant(self, reply: Reply, number: int | None) -> Typing | str:
        """Return the hand to place: the named table's, else the last one shown, else the only one with cards to place.

        The last hand shown counts even before the player's turn. But if it was shown in another channel, a hand with
        cards to place at this channel's table takes precedence. Returns a sentence if the hand is ambiguous. Raises
        Refused if there are no cards to place.
        """
        if number is not None:
            return await self._at(reply, await self.services.own_tables.meant(reply, number))
        shown = reply.member_settings.shown
        panels = await self.services.own_tables.panels(reply)
        if reply.guild and not self.services.hand_panels.shown_here(reply):
            own = [panel for panel in panels if panel.view.table.channel == reply.interaction.channel_id]
            here = [panel for panel in own if panel.waits]
            if here and shown not in (panel.shown_as for panel in own):
                return here[0] if len(here) == 1 else which_text(here, reply.words, where="", other_try=False)
        if not reply.guild or shown.startswith("d"):
            day = await self._of_day(reply, shown)
            if day is not None and (day.view.standing is None or not reply.guild):
                return day
        last = next((panel for panel in panels if panel.shown_as == shown), None)
        waiting = [panel for panel in panels if panel.waits]
        if last is not None and (last.may_confirm or not waiting):
            return await self._at(reply, last.view.table)
        known = last is not None or shown == ANOTHER_TRY or shown.startswith("d")
        if len(waiting) == 1 and not known:
            return waiting[0]
        if not waiting and shown != ANOTHER_TRY:
            return await self._at(reply, await self.services.own_tables.meant(reply, None))
        where = table_named(last.view.table, reply.words) if last else ""
        return which_text(waiting, reply.words, where=where, other_try=shown == ANOTHER_TRY)

    async def _at(self, reply: Reply, table: Table) -> Panel:
        view = await self.services.play.look(table.key, reply.player)
        if not playable(view):
            raise Refused(HandReason.NO_HAND)
        return Panel(view=view)

    async def _of_day(self, reply: Reply, shown: str) -> DailyPanel | None:
        """Return the last daily hand shown, or today's in direct messages; None if it isn't being played."""
        daily = self.services.daily
        number = shown.removeprefix("d")
        try:
            view = await (daily.look(ChallengeId(int(number)), reply.player) if number else daily.today(reply.player))
        except (Refused, Stale):
            return None
        return None if view.hand is None or view.closed is not None else DailyPanel(view=view)

    async def _typed(self, reply: Reply, panel: Typing, typed: TypedCards) -> None:
        """Place the typed cards, unless they're invalid or would foul without confirmation."""
        where = self._where(panel, reply.words)
        if typed.order:
            await self._ordered(reply, panel, typed, where=where)
            return
        try:
            letters = _letters(panel, typed)
        except TypedCardsError as slip:
            await reply.refuse(slip_text(slip, panel, reply.words, where=where))
            self._note_seen(panel)
            return
        drafted = filled_in(panel, letters, "")
        if names_no_card(typed.text) and self._are_unseen(reply, panel):
            await self._show(reply, drafted, told=reply.words("typed.unseen", where=where))
        else:
            await self._set_unless_foul(reply, drafted, typed, where=where)

    def _note_seen(self, panel: Typing) -> None:
        if isinstance(panel, Panel):
            self.services.publisher.panels.seen.note(panel)

    def _are_unseen(self, reply: Reply, panel: Typing) -> bool:
        """True if it isn't the player's turn yet and they hadn't seen these cards when they typed.

        The letters may be those for the previous street, sent twice.
        """
        if not isinstance(panel, Panel) or panel.may_place:
            return False
        return not self.services.publisher.panels.seen.had_seen(panel, at=reply.begun)

    async def _set_unless_foul(self, reply: Reply, drafted: Typing, typed: TypedCards, *, where: str) -> None:
        letters = drafted.placement_draft.letters
        meant = typed.declares or typed.insists
        if drafted.fouls_needlessly and not meant and not self._insists(reply, drafted, letters):
            await self._show(reply, drafted, told=reply.words("typed.fouls", where=where))
        elif isinstance(drafted, Panel) and not drafted.may_place:
            told = done_text(drafted, letters, reply.words, where=where, ahead=True)
            await self._place_ahead(reply, drafted.view.table.key, drafted, told=told)
        else:
            await self._set(reply, drafted, letters, declare=typed.declares)

    async def _ordered(self, reply: Reply, panel: Typing, typed: TypedCards, *, where: str) -> None:
        """Arrange a whole board, take back the last card, or confirm, as the buttons below the draft do."""
        drafted = replace(panel, draft=self.services.hand_panels.draft_on(reply, panel))
        match typed.order:
            case "arrange" if panel.by_select:
                letters = await self.services.play.arranged(reply.guild, panel.hand)
                await self._draft(reply, filled_in(panel, letters, ""), told=reply.words("typed.arranged", where=where))
            case "undo" if isinstance(drafted, Panel) and drafted.ahead:
                await self._take_back(reply, drafted, told=reply.words("typed.taken_back", where=where))
            case "undo" if drafted.placement_draft.draft:
                undone = replace(drafted, draft=drafted.placement_draft.undone(), chosen=None)
                await self._draft(reply, undone, told=reply.words("typed.undone", where=where))
            case "confirm" if drafted.placement_draft.complete:
                await self._set_unless_foul(reply, drafted, typed, where=where)
            case order:
                await reply.refuse(reply.words(f"typed.{NOT_DONE[order]}", where=where))

    async def _draft(self, reply: Reply, panel: Typing, *, told: str) -> None:
        """Show a draft, and save it for timeouts."""
        if isinstance(panel, Panel):
            await self._keep(reply, panel)
        await self._show(reply, panel, told=told)

    def _where(self, panel: Typing, words: Words) -> str:
        """Return the name of the panel's hand."""
        return table_named(panel.view.table, words) if isinstance(panel, Panel) else day_title(panel.view.of, words)

    async def _show(self, reply: Reply, panel: Typing, *, told: str) -> None:
        """Show the panel with a draft that isn't placed."""
        if isinstance(panel, Panel):
            await self.services.hand_panels.show(reply, replace(panel, told=told))
            return
        await self.services.hand_panels.note_shown(reply, panel)
        await reply.show(placing_screen(panel, reply.words, self.services.faces_for(reply)).and_above(told))

    async def _set(self, reply: Reply, panel: Typing, letters: str, *, declare: bool) -> None:
        told = done_text(panel, letters, reply.words, where=self._where(panel, reply.words))
        if isinstance(panel, Panel):
            await self._place_cards(reply, panel.view.table.key, panel.view, letters, declare=declare, told=told)
        else:
            await self._place_of_day(reply, panel, letters, declare=declare, told=told)

    async def _place_of_day(self, reply: Reply, panel: DailyPanel, letters: str, *, declare: bool, told: str) -> None:
        number, street = panel.view.of.number, panel.hand.street
        daily = self.services.daily
        await daily.place(number, reply.player, street=street, rows=letters, cause=reply.cause, declare=declare)
        await self.services.hand_panels.note_shown(reply, None, instead=panel.shown_as)
        view = await daily.look(number, reply.player)
        await reply.show(try_screen(view, reply.words, self.services.faces_for(reply)).and_above(told))

    def _insists(self, reply: Reply, panel: Typing, letters: str) -> bool:
        """True if the player typed the same foul within the last minute, which confirms it."""
        who = (reply.guild, reply.player)
        asked = (*panel.moment, letters)
        now, before = self.services.publisher.now(), self._shown_fouls.pop(who, None)
        if before is not None and before[0] == asked and now - before[1] <= AGAIN_MS:
            return True
        self._shown_fouls[who] = asked, now
        if len(self._shown_fouls) > MAX_SHOWN_FOULS:
            del self._shown_fouls[next(iter(self._shown_fouls))]
        return False

    @place.autocomplete("cards")
    async def suggest(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest legal placements that start with the typed text, naming their cards."""
        reply = await self.services.gate.typing(interaction)
        number = getattr(interaction.namespace, "table", None)
        try:
            panel = await self._meant(reply, number if isinstance(number, int) else None)
        except Refused:
            return []
        if isinstance(panel, str):
            return []
        where = self._where(panel, reply.words)
        self._note_seen(panel)  # the suggestions show the cards
        found = suggested(panel, current, reply.words, reply.member_settings, where=where)
        return [app_commands.Choice(name=name, value=typed) for name, typed in found]


def _letters(panel: Typing, typed: TypedCards) -> str:
    """Return the placement in letters; raises TypedCardsError."""
    if typed.declares and not panel.hand.variant.naturals:
        raise TypedCardsError("no_naturals", game=panel.hand.variant)
    if typed.declares and not typed.text and len(panel.cards) == BOARD_CARDS:
        return ANY_ARRANGEMENT
    return typed_in(typed.text, panel)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Placement(bot))
