"""The managers' page for a server's seasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import discord
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.seasons import (
    SEASONS,
    SURE,
    SeasonContext,
    asks_first,
    begun_by,
    end_question,
    newest_seen,
    season_form,
    seasons_screen,
    terms_question,
    without_asking,
)
from bot.chat.kit.choice_page import Change, ChoiceError, PageState
from bot.chat.kit.choosing import answer_form
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.given_roles import role_problem
from bot.chat.kit.permissions_here import for_managers, require_kept_in
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Screen
from bot.model.bank import SeasonsPage, SeasonTerms
from bot.model.choices import ServerSettings


class SeasonChoices(commands.Cog):
    """The seasons page."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        gate = bot.services.gate
        for verb, handler in {
            "season_page": self.show,
            "season_ask": self.ask,
            "season_begun": self.start,
            "season_terms": self.change,
            "season_end": self.end,
        }.items():
            gate.route(verb, for_managers(handler))
        answer_form(SEASONS, gate, state=self._state, keep=self._keep, show=self._show_after, guard=for_managers)

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the page."""
        await self._show_after(reply, "")

    async def ask(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the next season's name."""
        form = season_form(await self.services.bank.seasons(reply.guild), reply.words)
        await reply.ask(form, again=press.but("season_ask"))

    async def start(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Start a season, with a name if one was given."""
        name, newest = next(iter(values), ""), newest_seen(press)
        page = await self.services.bank.start_season(reply.guild, reply.player, name, newest=newest, cause=reply.cause)
        await self._show(reply, page)

    async def change(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Confirm or cancel a change that affects everyone. A press on an outdated page asks again first."""
        page, change = await self.services.bank.seasons(reply.guild), begun_by(press)
        if asks_first(press, page):
            await reply.show(self._question(reply, change(page.terms), page))
        else:
            page = await self.services.bank.change_seasons(reply.guild, reply.player, change, cause=reply.cause)
            await self._show(reply, page)

    async def end(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """End the current season after a confirmation."""
        page = await self.services.bank.seasons(reply.guild)
        if page.running is not None and not press.argument.endswith(SURE):
            await reply.show(end_question(page.running, page, reply.words))
            return
        newest = newest_seen(press)
        page = await self.services.bank.end_season(reply.guild, reply.player, newest=newest, cause=reply.cause)
        await self._show(reply, page)

    # the form

    async def _state(self, reply: Reply, press: Press) -> PageState[SeasonTerms, SeasonContext]:
        guild, page = reply.interaction.guild, await self.services.bank.seasons(reply.guild)
        server = await self.services.play.server(reply.guild)
        context = SeasonContext(
            manager=reply.player,
            start_chips=page.start_chips,
            channels=frozenset(() if guild is None else (channel.id for channel in guild.channels)),
            roles=frozenset(() if guild is None else (role.id for role in guild.roles)),
            require_channel=partial(require_kept_in, reply.interaction, words=reply.words),
            require_role=partial(_require_role, reply, server),
        )
        return PageState(record=page.terms, context=context, words=reply.words)

    async def _keep(self, reply: Reply, press: Press, change: Change[SeasonTerms]) -> Screen | None:
        """Save the choice. If it affects everyone, first ask for confirmation, naming the day it first happens."""
        wanted: SeasonTerms | None = None

        def unasked(before: SeasonTerms) -> SeasonTerms:
            nonlocal wanted
            wanted = change(before)
            return without_asking(before, wanted)

        page = await self.services.bank.change_seasons(reply.guild, reply.player, unasked, cause=reply.cause)
        if wanted is None or without_asking(page.terms, wanted) == wanted:
            return None
        return self._question(reply, wanted, page)

    def _question(self, reply: Reply, wanted: SeasonTerms, page: SeasonsPage) -> Screen:
        return terms_question(wanted, page, reply.words, now_ms=self.services.publisher.now())

    async def _show_after(self, reply: Reply, problem: str) -> None:
        await self._show(reply, await self.services.bank.seasons(reply.guild), problem=problem)

    async def _show(self, reply: Reply, page: SeasonsPage, *, problem: str = "") -> None:
        page = replace(page, terms=_without_gone(page.terms, reply.interaction.guild))
        await reply.show(seasons_screen(page, reply.words, problem=problem))


def _require_role(reply: Reply, server: ServerSettings, role: int) -> None:
    """Raise ChoiceError if the bot can't assign the role on behalf of this manager."""
    if problem := role_problem(reply.interaction, role, server):
        raise ChoiceError(f"given_role.{problem.value}", role=f"<@&{role}>")


def _without_gone(terms: SeasonTerms, guild: discord.Guild | None) -> SeasonTerms:
    """Return the terms without deleted channels and roles."""
    if guild is None:
        return terms
    channel = terms.channel if guild.get_channel(terms.channel or 0) else None
    return replace(terms, channel=channel, role=terms.role if guild.get_role(terms.role or 0) else None)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(SeasonChoices(bot))
