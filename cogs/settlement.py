"""Settlement: results are posted by the publisher; here they are looked up and proven fair."""

from __future__ import annotations

import io
import json

import discord
from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.ofc.proof import check_proof
from bot.ofc.refusals import Refused
from bot.play.model import TableId, TableKey
from bot.play.refusals import PlayReason
from bot.ui.command_words import described
from bot.ui.gate import NO_PINGS, Reply
from bot.ui.table.result import result_screens
from bot.ui.widgets import Interaction


class Settlement(commands.Cog):
    """Proofs of finished hands, and the players' part in the next shuffle."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services

    @app_commands.command(name="verify", description=described("verify"))
    @app_commands.guild_only()
    @app_commands.describe(table=described("option_table"), hand=described("option_hand"))
    async def verify(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1, 999_999_999],
        hand: app_commands.Range[int, 1, 999_999_999],
    ) -> None:
        """Recompute the deck of a finished hand and hand out the proof."""

        async def body(reply: Reply) -> None:
            key = TableKey(guild=reply.guild, table=TableId(table))
            proof = await self.services.play.proof(key, hand)
            verdict = check_proof(proof)
            text = reply.words("verify.right" if verdict.ok else "verify.wrong", table=table, hand=hand)
            data = json.dumps(proof, ensure_ascii=False, indent=2).encode()
            name = f"chaipo-{table}-{hand}.json"
            await reply.say(text, file=discord.File(io.BytesIO(data), filename=name))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="seed", description=described("seed"))
    @app_commands.guild_only()
    @app_commands.describe(text=described("option_seed"), table=described("option_table"))
    async def seed(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, 64],
        table: app_commands.Range[int, 1, 999_999_999] | None = None,
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
        table: app_commands.Range[int, 1, 999_999_999],
        hand: app_commands.Range[int, 1, 999_999_999] | None = None,
    ) -> None:
        """Show the settlement of a finished hand again."""

        async def body(reply: Reply) -> None:
            key = TableKey(guild=reply.guild, table=TableId(table))
            number = hand or (await self.services.play.look(key)).table.hand_no
            if not number:
                raise Refused(PlayReason.NO_SUCH_HAND, last=0)
            view = await self.services.play.result(key, number)
            first, *more = result_screens(view, reply.words, self.services.faces)
            await reply.show(first)
            for page in more:
                await interaction.followup.send(view=page, ephemeral=True, allowed_mentions=NO_PINGS)

        await self.services.gate.run(interaction, body)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Settlement(bot))
