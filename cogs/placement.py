"""Placement: by buttons and selects in the private panel, or by typing ``/place``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.ofc.refusals import Refused
from bot.play.model import TableKey
from bot.play.refusals import PlayReason, Stale
from bot.play.views import TableView
from bot.ui.brakes import PressKind
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.gate import Reply
from bot.ui.table.panel import Panel, playable
from bot.ui.table.placing import ANY_ARRANGEMENT, BY_RANK, DRAWING, filled_in, redrawn
from bot.ui.table.typed_placement import letters_of, not_read, suggestions
from bot.ui.widgets import Interaction

DECLARES = ("!", "！")
"""At the end of what is typed: the natural is declared."""


class Placement(commands.Cog):
    """Laying cards."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            **dict.fromkeys(DRAWING, self.draw),
            "row": self.row,
            "arrange": self.arrange,
            "confirm": self.confirm,
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
        return Panel(view=view, draft=press.draft, chosen=press.chosen)

    async def draw(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The draft changes, and nothing else."""
        panel = await self._panel(reply, press)
        await self.services.show(reply, redrawn(panel, press.verb, press.argument, values))

    async def row(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A row was tapped: the chosen card goes there, and the last one confirms for those who wish it."""
        drawn = redrawn(await self._panel(reply, press), "row", press.argument, values)
        if reply.wishes.confirm_at_once and drawn.sure_to_stand:
            await self._lay(reply, reply.key(press), drawn.view, drawn.sketch.letters)
        else:
            await self.services.show(reply, drawn)

    async def arrange(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Draw the best board that the cards make, as a draft: only Confirm lays it."""
        panel = await self._panel(reply, press)
        if not panel.by_select:
            raise Stale
        letters = await self.services.play.arranged(reply.guild, panel.hand.variant, panel.cards)
        await self.services.show(reply, filled_in(panel, letters, press.argument))

    async def confirm(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The only press that changes the game."""
        panel = await self._panel(reply, press)
        await self._lay(reply, reply.key(press), panel.view, panel.sketch.letters)

    async def declare(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Declare the natural that the cards make; they need no arrangement."""
        panel = await self._panel(reply, press)
        letters = panel.sketch.letters if panel.sketch.complete else ANY_ARRANGEMENT
        await self._lay(reply, reply.key(press), panel.view, letters, declare=True)

    async def surrender(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask whether surrender is meant."""
        panel = await self._panel(reply, press)
        await self.services.show(reply, replace(panel, sort=press.argument or BY_RANK, sure=True))

    async def give_up(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Surrender."""
        panel = await self._panel(reply, press)
        key = reply.key(press)
        await self.services.play.surrender(key, reply.player, hand_no=panel.view.table.hand_no, cause=reply.cause)
        await self.services.show_panel(reply, key)

    async def _lay(self, reply: Reply, key: TableKey, view: TableView, letters: str, *, declare: bool = False) -> None:
        assert view.hand is not None
        await self.services.play.lay(
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
        """Lay cards by typing where they go."""

        async def body(reply: Reply) -> None:
            chosen = await self.services.table_for(reply, table)
            view = await self.services.play.look(chosen.key, reply.player)
            if not playable(view) or view.hand is None or view.hand.mine is None:
                raise Refused(PlayReason.NO_HAND)
            held = [card for card in view.hand.mine.held if card is not None]
            typed = cards.strip()
            natural = typed.endswith(DECLARES)
            letters = letters_of(typed.rstrip("".join(DECLARES)), held, lay=view.hand.lay)
            if letters is None:
                raise not_read(view.hand)
            await self._lay(reply, chosen.key, view, letters, declare=natural)

        await self.services.gate.run(interaction, body, kind=PressKind.PRIVATE)

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
