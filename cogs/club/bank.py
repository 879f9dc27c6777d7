"""The bank's terms, set by a server's managers."""

from __future__ import annotations

from functools import partial

from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.bank import BANK, CLAIMS, LogChannels
from bot.chat.kit.choice_page import Change, PageState
from bot.chat.kit.choosing import answer_form
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.permissions_here import check_may_write, for_managers
from bot.chat.kit.reply import Reply
from bot.model.bank import BankTerms
from cogs.club.setup_page import show_setup


class BankChoices(commands.Cog):
    """The `/setup` forms about chips."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        for form in (BANK, CLAIMS):
            answer_form(
                form,
                bot.services.gate,
                state=self._state,
                keep=self._keep,
                show=partial(self._show, form.title),
                guard=for_managers,
            )

    async def _state(self, reply: Reply, press: Press) -> PageState[BankTerms, LogChannels]:
        guild = reply.interaction.guild
        channels = LogChannels(
            known=frozenset(() if guild is None else (channel.id for channel in guild.channels)),
            require=partial(check_may_write, reply.interaction),
        )
        return PageState(record=await self.services.bank.terms(reply.guild), context=channels, words=reply.words)

    async def _keep(self, reply: Reply, press: Press, change: Change[BankTerms]) -> None:
        await self.services.bank.change_terms(reply.guild, reply.player, change, cause=reply.cause)

    async def _show(self, title: str, reply: Reply, problem: str) -> None:
        await show_setup(self.services, reply, told=problem, after="" if problem else title)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(BankChoices(bot))
