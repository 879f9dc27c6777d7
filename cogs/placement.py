"""Placement: by buttons and selects in the private panel, or by typing ``/place``."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.model.errors import StorageTroubleError
from bot.model.ids import Player, TableKey
from bot.model.refusals import PlayReason, Stale
from bot.ofc.refusals import Refused
from bot.play.look.views import TableView
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply
from bot.ui.table.panel import Panel, playable
from bot.ui.table.placing import ANY_ARRANGEMENT, DRAWING, drawn_as, filled_in, redrawn
from bot.ui.table.typed_placement import letters_of, not_read, suggestions
from bot.ui.widgets import Interaction

log = logging.getLogger(__name__)

DECLARES = ("!", "！")
"""At the end of what is typed: the natural is declared."""


MOST_SHOWN_FOULS = 1_000
"""Typed fouls that are remembered until they are typed again."""


class Placement(commands.Cog):
    """Placing cards."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        self._shown_fouls: dict[tuple[TableKey, Player | None], tuple[int, int, str]] = {}
        for verb, handler in {
            **dict.fromkeys(DRAWING, self.draw),
            "row": self.row,
            "arrange": self.arrange,
            "confirm": self.confirm,
            "ahead": self.confirm_ahead,
            "take_back": self.take_back,
            "declare": self.declare,
            "surrender": self.surrender,
            "give_up": self.give_up,
        }.items():
            bot.services.gate.route(verb, handler)

    async def _panel(self, reply: Reply, press: Press) -> Panel:
        """The panel that was pressed, as things stand now; raises Stale for an earlier street or hand."""
        view = await self.services.play.look(reply.key(press), reply.player)
        if not playable(view) or view.hand is None or view.hand.mine is None:
            raise Stale
        mine = view.hand.mine
        same_street = mine.fantasyland or press.street == view.hand.street
        if view.table.hand_no != press.hand or not same_street:
            raise Stale
        panel = Panel(view=view, draft=press.draft, chosen=press.chosen)
        if panel.ahead and press.verb != "take_back":
            raise Stale  # it stands until it is taken back
        return panel

    async def draw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The draft changes, and nothing else."""
        panel = await self._panel(reply, press)
        await self._draw(reply, press, redrawn(panel, press.verb, press.argument, values))

    async def _draw(self, reply: Reply, press: Press, panel: Panel) -> None:
        """Show a draft, and keep it meanwhile for the clock: the answer doesn't wait for that."""
        kept = asyncio.create_task(self._keep(reply, press, panel))
        await self.services.show(reply, panel)
        await kept

    async def _keep(self, reply: Reply, press: Press, panel: Panel) -> None:
        if panel.view.table.private:
            return  # nobody's time runs out there
        street = 0 if panel.seat.fantasyland else panel.hand.street
        rows, hand_no = panel.sketch.letters, panel.view.table.hand_no
        try:
            await self.services.play.sketch(reply.key(press), reply.player, hand_no=hand_no, street=street, rows=rows)
        except (StorageTroubleError, Refused, Stale) as error:
            log.debug("a draft is in its buttons alone: %r", error)

    async def row(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A row was tapped: the chosen card goes there, and the last one confirms for those who wish it."""
        drawn = redrawn(await self._panel(reply, press), "row", press.argument, values)
        if reply.wishes.confirm_at_once and drawn.sure_to_stand:
            await self._place_cards(reply, reply.key(press), drawn.view, drawn.sketch.letters)
        else:
            await self._draw(reply, press, drawn)

    async def arrange(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Draw the best board that the cards make, as a draft: only Confirm places it."""
        panel = await self._panel(reply, press)
        if not panel.by_select:
            raise Stale
        letters = await self.services.play.arranged(reply.guild, panel.hand.variant, panel.cards)
        await self._draw(reply, press, filled_in(panel, letters, press.argument))

    async def confirm_ahead(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Confirm before one's turn."""
        panel = await self._panel(reply, press)
        if not panel.sketch.complete:
            raise Stale
        key, hand_no, street = reply.key(press), panel.view.table.hand_no, panel.hand.street
        rows = panel.sketch.letters
        await self.services.play.confirm_ahead(
            key, reply.player, hand_no=hand_no, street=street, rows=rows, cause=reply.cause
        )
        await self.services.show_panel(reply, key)

    async def take_back(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Take back what was confirmed before one's turn: it is a draft again."""
        panel = await self._panel(reply, press)
        key, hand_no, street = reply.key(press), panel.view.table.hand_no, panel.hand.street
        await self.services.play.take_back(key, reply.player, hand_no=hand_no, street=street)
        await self.services.show_panel(reply, key, draft=panel.sketch.draft)

    async def confirm(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The only press that changes the game."""
        panel = await self._panel(reply, press)
        await self._place_cards(reply, reply.key(press), panel.view, panel.sketch.letters)

    async def declare(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Declare the natural that the cards make; they need no arrangement."""
        panel = await self._panel(reply, press)
        letters = panel.sketch.letters if panel.sketch.complete else ANY_ARRANGEMENT
        await self._place_cards(reply, reply.key(press), panel.view, letters, declare=True)

    async def surrender(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask whether surrender is meant."""
        panel = await self._panel(reply, press)
        sort, drawing = drawn_as(press.argument)
        await self.services.show(reply, replace(panel, sort=sort, drawing=drawing, sure=True))

    async def give_up(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Surrender."""
        panel = await self._panel(reply, press)
        key = reply.key(press)
        await self.services.play.surrender(key, reply.player, hand_no=panel.view.table.hand_no, cause=reply.cause)
        await self.services.show_panel(reply, key)

    async def _place_cards(
        self, reply: Reply, key: TableKey, view: TableView, letters: str, *, declare: bool = False
    ) -> None:
        assert view.hand is not None
        await self.services.play.place_cards(
            key,
            reply.player,
            hand_no=view.table.hand_no,
            street=view.hand.street,
            rows=letters,
            cause=reply.cause,
            declare=declare,
        )
        await self.services.show_panel(reply, key)

    @app_commands.command(name="place", description=described("place"))
    @app_commands.guild_only()
    @app_commands.describe(cards=described("option_cards"), table=described("option_table"))
    async def place(
        self,
        interaction: Interaction,
        cards: app_commands.Range[str, 1, 100],
        table: app_commands.Range[int, 1, 999_999_999] | None = None,
    ) -> None:
        """Place cards by typing where they go."""

        async def body(reply: Reply) -> None:
            chosen = await self.services.table_for(reply, table)
            view = await self.services.play.look(chosen.key, reply.player)
            if not playable(view) or view.hand is None or view.hand.mine is None:
                raise Refused(PlayReason.NO_HAND)
            held = [card for card in view.hand.mine.held if card is not None]
            typed = cards.strip()
            natural = typed.endswith(DECLARES)
            letters = letters_of(typed.rstrip("".join(DECLARES)), held, to_place=view.hand.to_place)
            if letters is None:
                raise not_read(view.hand)
            typed_out = filled_in(Panel(view=view), letters, "")
            if not natural and typed_out.asks_first and not self._insists(typed_out, letters):
                await self.services.show(reply, typed_out)
            else:
                await self._place_cards(reply, chosen.key, view, letters, declare=natural)

        await self.services.gate.run(interaction, body)

    def _insists(self, panel: Panel, letters: str) -> bool:
        """True for a sure foul that its player has just typed, and types again."""
        view = panel.view
        asked = (view.table.key, view.you), (view.table.hand_no, panel.hand.street, letters)
        insists = self._shown_fouls.pop(asked[0], None) == asked[1]
        if not insists:
            self._shown_fouls[asked[0]] = asked[1]
            if len(self._shown_fouls) > MOST_SHOWN_FOULS:
                del self._shown_fouls[next(iter(self._shown_fouls))]
        return insists

    @place.autocomplete("cards")
    async def suggest(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Legal placements that begin with what was typed, in words."""
        if interaction.guild_id is None:
            return []
        words = await self.services.gate.words_of(interaction)
        reply = Reply(interaction)
        number = getattr(interaction.namespace, "table", None)
        try:
            chosen = await self.services.table_for(reply, number if isinstance(number, int) else None)
        except Refused:
            return []
        view = await self.services.play.look(chosen.key, reply.player)
        return [app_commands.Choice(name=name, value=letters) for letters, name in suggestions(view, current, words)]


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Placement(bot))
