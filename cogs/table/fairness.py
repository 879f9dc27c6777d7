"""Fairness of the deal: proofs of finished hands, and an explanation."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence

import discord
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.permissions_here import require_hand_visible
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.table.screens.fairness import fairness_screen, fixed_here, verdict_screen
from bot.chat.table.screens.lobby import details_button
from bot.model.ids import TableKey
from bot.pure.ofc.proof import check_proof


class Fairness(commands.Cog):
    """Handlers for proofs of finished hands, and for the explanation."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        bot.services.gate.route("verify", in_a_new_message(self.press_verify))
        bot.services.gate.route("fairness", in_a_new_message(self.explain))

    async def press_verify(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Recompute the deck of a finished hand and send the proof."""
        await self._verify(reply, reply.key(press), press.hand)

    async def _verify(self, reply: Reply, key: TableKey, hand: int) -> None:
        await require_hand_visible(self.services.play, reply, key, hand)
        proof = await self.services.play.proof(key, hand, reply.player)
        number = (await self.services.play.look(key, reply.player)).table.number
        data = json.dumps(proof, ensure_ascii=False, indent=2).encode()
        file = discord.File(io.BytesIO(data), filename=f"chaipo-{key.table}-{hand}.json")
        problem = check_proof(proof).problem
        shown = verdict_screen(number, hand, file.filename, reply.words, problem=problem)
        await reply.show_separately(shown, file=file)

    async def explain(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Explain how a deal is fixed and verified. For a table, include the full fingerprint of its decks."""
        if not press.table:
            await reply.show(fairness_screen(reply.words))
            return
        view = await self.services.play.look(reply.key(press))
        back = [] if view.table.private else [details_button(view.table, reply.words)]
        await reply.show(fairness_screen(reply.words, *fixed_here(view, reply.words), back=back))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Fairness(bot))
