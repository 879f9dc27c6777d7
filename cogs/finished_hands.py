"""Finished hands: their results are looked up and proven fair; and the players' own part in the next shuffle."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from discord.ext import commands

from bot.live.client import Client, Services
from bot.model.ids import GuildId, TableId, TableKey
from bot.model.refusals import PlayReason
from bot.model.tables import TableState
from bot.ofc.proof import check_proof
from bot.ofc.refusals import Refused
from bot.play.look.views import ResultView
from bot.text.zones import zone_named
from bot.ui.aloud import aloud
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.game_choice import MOST_CHOICES
from bot.ui.gate import NO_PINGS, Reply, in_a_new_message
from bot.ui.permissions_here import may_see
from bot.ui.table.fairness import fairness_screen, fixed_here, hand_choice, table_choice, verdict_screen
from bot.ui.table.result import result_screens
from bot.ui.table.typed_placement import waiting_text
from bot.ui.widgets import Interaction

MOST_LOOKED_THROUGH = 100
"""Tables or hands that one keystroke is compared with."""


class Number(app_commands.Transformer):
    """A number that is suggested while it is typed."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """As Discord knows it."""
        return discord.AppCommandOptionType.integer

    @property
    def min_value(self) -> int:
        """The first number."""
        return 1

    @property
    def max_value(self) -> int:
        """As long as a button can carry."""
        return 999_999_999

    async def transform(self, interaction: Interaction, value: int) -> int:
        """The number itself."""
        return value


class MyTable(Number):
    """A table at which somebody sits, suggested by its name, those that wait for them first."""

    async def autocomplete(self, interaction: Interaction, value: Any) -> list[app_commands.Choice[Any]]:
        """The tables that fit what was typed."""
        services: Services = interaction.client.services
        reply = await services.gate.typing(interaction)
        panels = await services.panels_of(reply)
        panels.sort(key=lambda panel: not panel.waits)
        named = [(waiting_text(panel, reply.words), int(panel.view.table.key.table)) for panel in panels]
        return fitting_numbers(named, str(value))


MyTableOption = app_commands.Transform[int, MyTable]


class PlayedTable(Number):
    """A table at which hands were played, the newest suggested first."""

    async def autocomplete(self, interaction: Interaction, value: Any) -> list[app_commands.Choice[Any]]:
        """The tables that fit what was typed."""
        services: Services = interaction.client.services
        words = await services.gate.words_of(interaction)
        tables = await services.play.newest_tables(GuildId(interaction.guild_id or 0), limit=MOST_LOOKED_THROUGH)
        seen = [table for table in tables if table.hand_no and may_see(interaction, table.channel)]
        named = [(table_choice(table, words), int(table.key.table)) for table in seen]
        return fitting_numbers(named, str(value))


class _PlayedHand(Number):
    """A hand of the table that was chosen, the newest suggested first."""

    async def autocomplete(self, interaction: Interaction, value: Any) -> list[app_commands.Choice[Any]]:
        """The hands that fit what was typed."""
        services: Services = interaction.client.services
        words, table = await services.gate.words_of(interaction), getattr(interaction.namespace, "table", None)
        if not isinstance(table, int):
            return []
        guild = GuildId(interaction.guild_id or 0)
        if not await _table_seen(interaction, TableKey(guild=guild, table=TableId(table))):
            return []
        hands = await services.play.played_hands(TableKey(guild=guild, table=TableId(table)), limit=MOST_LOOKED_THROUGH)
        zone = ZoneInfo(zone_named((await services.play.server(guild)).zone) or words.language.zone)
        return fitting_numbers([(hand_choice(hand, words, zone), hand.hand_no) for hand in hands], str(value))


async def _table_seen(interaction: Interaction, key: TableKey) -> bool:
    """True for a table that is there, in a channel that the person who types may see."""
    services: Services = interaction.client.services
    try:
        return may_see(interaction, (await services.play.look(key)).table.channel)
    except Refused:
        return False


def fitting_numbers(named: Sequence[tuple[str, int]], current: str) -> list[app_commands.Choice[Any]]:
    """Those whose number begins with what was typed, or whose name holds it."""
    typed = current.strip().casefold()
    fitting = [(name, value) for name, value in named if str(value).startswith(typed) or typed in name.casefold()]
    return [app_commands.Choice(name=name[:100], value=value) for name, value in fitting[:MOST_CHOICES]]


TableOption = app_commands.Transform[int, PlayedTable]
HandOption = app_commands.Transform[int, _PlayedHand]


class FinishedHands(commands.Cog):
    """Proofs of finished hands, and the players' part in the next shuffle."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("verify", in_a_new_message(self.press_verify))
        bot.services.gate.route("read_result", self.read_result)
        bot.services.gate.route("fairness", in_a_new_message(self.explain))

    @app_commands.command(name="verify", description=described("verify"))
    @app_commands.guild_only()
    @app_commands.describe(table=described("option_table"), hand=described("option_hand"))
    async def verify(
        self,
        interaction: Interaction,
        table: TableOption,
        hand: HandOption,
    ) -> None:
        """Recompute the deck of a finished hand and hand out the proof."""

        async def body(reply: Reply) -> None:
            await self._verify(reply, TableKey(guild=reply.guild, table=TableId(table)), hand)

        await self.services.gate.run(interaction, body)

    async def press_verify(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same from a result."""
        await self._verify(reply, reply.key(press), press.hand)

    async def _verify(self, reply: Reply, key: TableKey, hand: int) -> None:
        await self.services.demand_hand_seen(reply, key, hand)
        proof = await self.services.play.proof(key, hand, reply.player)
        data = json.dumps(proof, ensure_ascii=False, indent=2).encode()
        file = discord.File(io.BytesIO(data), filename=f"chaipo-{key.table}-{hand}.json")
        problem = check_proof(proof).problem
        shown = verdict_screen(key.table, hand, file.filename, reply.words, problem=problem)
        await reply.show_apart(shown, file=file)

    async def explain(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """How the deal is fixed, and how anybody checks it; from a table also all digits of what fixes its decks."""
        view = await self.services.play.look(reply.key(press)) if press.table else None
        await reply.show(fairness_screen(reply.words, *([] if view is None else fixed_here(view, reply.words))))

    @app_commands.command(name="seed", description=described("seed"))
    @app_commands.guild_only()
    @app_commands.describe(text=described("option_seed"), table=described("option_table"))
    async def seed(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, 64],
        table: MyTableOption | None = None,
    ) -> None:
        """Put my own text into the next shuffle."""

        async def body(reply: Reply) -> None:
            chosen = await self.services.table_for(reply, table)
            await self.services.play.set_entropy(chosen.key, reply.player, text, cause=reply.cause)
            await reply.say(reply.words("verify.seed_set", table=chosen.key.table, hand=chosen.hand_no + 1))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="result", description=described("result"))
    @app_commands.guild_only()
    @app_commands.describe(table=described("option_table"), hand=described("option_hand"))
    async def result(
        self,
        interaction: Interaction,
        table: TableOption,
        hand: HandOption | None = None,
    ) -> None:
        """Show the settlement of a finished hand again."""

        async def body(reply: Reply) -> None:
            key = TableKey(guild=reply.guild, table=TableId(table))
            number = hand or await self._newest(reply, key)
            await self.services.demand_hand_seen(reply, key, number)
            view = await self.services.play.result(key, number, reply.player)
            await self._show_result(reply, view)

        await self.services.gate.run(interaction, body)

    async def _show_result(self, reply: Reply, view: ResultView, *, whole: bool = False) -> None:
        """The settlement; all of it for one who has asked for the ``whole``, where it is short at first."""
        first, *more = result_screens(view, reply.words, self.services.faces_for(reply), whole=whole)
        await (reply.show_apart(first) if whole else reply.show(first))
        for page in more:
            heard = aloud(page, reply.words, reply.wishes)
            await reply.interaction.followup.send(view=heard, ephemeral=True, allowed_mentions=NO_PINGS)

    async def read_result(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """All of a result, in a message of its own."""
        key = reply.key(press)
        await self.services.demand_hand_seen(reply, key, press.hand)
        view = await self.services.play.result(key, press.hand, reply.player)
        await self._show_result(reply, view, whole=True)

    async def _newest(self, reply: Reply, key: TableKey) -> int:
        """The newest hand that is finished: by correspondence the one that is played takes days. Raises Refused."""
        view = await self.services.play.look(key, reply.player)
        if not view.table.hand_no:
            raise Refused(PlayReason.NO_SUCH_HAND, last=0)
        running = view.table.state is TableState.PLAYING
        return max(1, view.table.hand_no - running)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(FinishedHands(bot))
