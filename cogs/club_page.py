"""The page of a server, for those who manage it: where it stands, and what it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from discord.ext import commands

from bot.live.client import Client
from bot.live.services import Services
from bot.live.welcomes import words_of_server
from bot.model.ids import GuildId
from bot.model.standings import CALENDAR, EVERY_GAME, ClubPage, Order, Span
from bot.ofc.presets import PRESETS
from bot.ui.custom_ids import Press
from bot.ui.permissions_here import allowed_in, chosen_channels, for_managers, why_not_kept_in
from bot.ui.reply import Reply
from bot.ui.server.club_page import choices_screen


async def stand_in(services: Services, guild: GuildId, channel: int | None) -> ClubPage | None:
    """Let the page stand in a channel, or nowhere; where it stands already nothing changes."""
    before = await services.bank.club_page(guild)
    if channel == (None if before is None else before.channel):
        return before
    if before is not None:
        # Before it is noted: a process that ends in between posts it again where it stood.
        await services.club_pages.take_away(before)

    def moved(page: ClubPage | None) -> ClubPage | None:
        if channel is None:
            return None
        return ClubPage(channel=channel) if page is None else replace(page, channel=channel, message=None)

    page = await services.bank.change_club_page(guild, moved)
    services.club_pages.changed(guild)
    return page


async def language_noted(reply: Reply, services: Services) -> str:
    """That what everybody reads is in another language than this reader's, where nobody has chosen one."""
    guild, server = reply.interaction.guild, await services.play.server(reply.guild)
    if guild is None or server.language is not None:
        return ""
    spoken = words_of_server(guild, server)
    if spoken.language is reply.words.language:
        return ""
    return reply.words("posts.in_another", language=spoken("setup.own_language"))


class ClubPages(commands.Cog):
    """What managers choose for the page; it is shown by ``bot/live/club_pages.py``."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "club": self.show,
            "club_channel": self.set_channel,
            "club_by": self.set_order,
            "club_span": self.set_span,
            "club_game": self.set_game,
            "club_switch": self.switch,
            "club_off": self.give_up,
        }.items():
            bot.services.gate.route(verb, for_managers(handler))

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The choices, from `/setup`."""
        await self._show(reply, await self.services.bank.club_page(reply.guild))

    async def _show(self, reply: Reply, page: ClubPage | None, *, problem: str = "") -> None:
        guild = reply.interaction.guild
        stands = page is not None and guild is not None and guild.get_channel(page.channel) is not None
        allowed = None if page is None else allowed_in(reply.interaction, page.channel)
        pins = allowed is not None and allowed.pin_messages
        problem = "\n".join(filter(None, [problem, await language_noted(reply, self.services)]))
        await reply.show(choices_screen(page, reply.words, problem=problem, stands=stands, pins=pins))

    async def set_channel(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Where it stands. None chosen changes nothing: giving it up is a button of its own."""
        before = await self.services.bank.club_page(reply.guild)
        channel = next(iter(chosen_channels(reply.interaction, values)), None)
        if channel is None or (before is not None and before.channel == channel):
            await self._show(reply, before)
            return
        if problem := why_not_kept_in(reply, channel):
            await self._show(reply, before, problem=problem)
            return
        await self._show(reply, await stand_in(self.services, reply.guild, channel))

    async def set_order(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """By what players are ranked."""
        order = next((order for order in Order if order.value in values), None)
        await self._choose(reply, lambda page: page if order is None else replace(page, order=order))

    async def set_span(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Of which time."""
        span = next((span for span in (*CALENDAR, Span.SEASON) if span.value in values), None)
        await self._choose(reply, lambda page: page if span is None else replace(page, span=span))

    async def set_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """At which game, or at all of them."""
        game = next((value if value in PRESETS else EVERY_GAME for value in values), None)
        await self._choose(reply, lambda page: page if game is None else replace(page, game=game))

    async def switch(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Picture or words; or whether it is posted again at the bottom."""
        what, on = press.argument, bool(press.hand)
        if what == "in_words":
            await self._choose(reply, lambda page: replace(page, in_words=on))
        else:
            await self._choose(reply, lambda page: replace(page, at_bottom=on))

    async def give_up(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The page goes."""
        await self._show(reply, await stand_in(self.services, reply.guild, None))

    async def _choose(self, reply: Reply, change: Callable[[ClubPage], ClubPage]) -> None:
        """Change a page that is there; where it was given up meanwhile, that is shown."""
        await self._change(reply, lambda page: None if page is None else change(page))

    async def _change(self, reply: Reply, change: Callable[[ClubPage | None], ClubPage | None]) -> None:
        page = await self.services.bank.change_club_page(reply.guild, change)
        await self._show(reply, page)
        self.services.club_pages.changed(reply.guild)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(ClubPages(bot))
