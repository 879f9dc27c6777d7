"""The server's leaderboard: by what, of which time, at which game; for oneself, or for everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.art.podium import draw_leaderboard
from bot.chat.client import Client
from bot.chat.club.screens.leaderboard import (
    EVERY,
    PICTURE,
    PLACES,
    asked_of,
    drawn_on,
    in_words,
    leaderboard_for_all,
    leaderboard_screen,
    pictured,
    span_of,
)
from bot.chat.kit.command_words import described, named
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.gate import PressKind
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.permissions_here import may_post, may_see, public_language
from bot.chat.kit.posting import post
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.widgets import Interaction
from bot.model.ids import Player
from bot.model.standings import EVERY_GAME, Asked, Leaderboard, Order, Span
from bot.text.words import Words, words_for

LAST_PAGE = 9_999
NOBODY = Player("")


class Ranks(commands.Cog):
    """The players who are ahead."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        for verb, handler in {
            "ranks": in_a_new_message(self.press),
            "lb_by": self.choose_order,
            "lb_span": self.choose_span,
            "lb_game": self.choose_game,
            "lb_page": self.press,
        }.items():
            gate.route(verb, handler, kind=PressKind.DRAWN)
        gate.route("lb_show", self.show_to_all, kind=PressKind.PUBLIC)

    @app_commands.command(name="leaderboard", description=described("leaderboard"))
    @app_commands.guild_only()
    @app_commands.describe(by=described("option_by"), span=described("option_span"))
    @app_commands.choices(
        by=[app_commands.Choice(name=named(f"leaderboard.by.{order.value}"), value=order.value) for order in Order],
        span=[app_commands.Choice(name=named(f"leaderboard.span.{span.value}"), value=span.value) for span in Span],
    )
    async def leaderboard(
        self, interaction: Interaction, by: str = Order.CHIPS.value, span: str = Span.ALL.value
    ) -> None:
        """The best of this server, and the asker's own place."""

        async def body(reply: Reply) -> None:
            await self._show(reply, Asked(Order(by), Span(span)), page=0)

        await self.services.gate.run(interaction, body, kind=PressKind.DRAWN)

    async def press(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The same from a button, or another page of it."""
        await self._show(reply, asked_of(press), page=min(press.hand, LAST_PAGE))

    async def choose_order(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """By what."""
        order = next((order for order in Order if order.value in values), asked_of(press).order)
        await self._show(reply, asked_of(press)._replace(order=order), page=0)

    async def choose_span(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Of which time."""
        await self._show(reply, span_of(next(iter(values), ""), asked_of(press)), page=0)

    async def choose_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """At which game."""
        chosen = next(iter(values), press.argument)
        asked = asked_of(replace(press, argument=EVERY_GAME if chosen == EVERY else chosen))
        await self._show(reply, asked, page=0)

    async def show_to_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the page in the channel, without who keeps to themselves."""
        interaction = reply.interaction
        channel = interaction.channel_id or 0
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        asked, page = asked_of(press), min(press.hand, LAST_PAGE)
        board = await self.services.play.page_for_all(reply.guild, asked, page=page, lines=PLACES)
        if not board.lines:
            await reply.say(reply.words("leaderboard.nobody_to_show"))
            return
        words = words_for(public_language(interaction, await self.services.play.server(reply.guild)).code)
        drawn, told = await self._drawn(reply, board, words, viewer=NOBODY)
        await post(
            self.bot.get_partial_messageable(channel),
            with_user_names(
                leaderboard_for_all(board, words, picture=told), self.services.faces.names, reply.guild, words
            ),
            "ranks",
            reply.cause,
            attached=(PICTURE, drawn) if drawn else None,
        )
        await reply.say(reply.words("leaderboard.shown"))

    async def _show(self, reply: Reply, asked: Asked, *, page: int) -> None:
        board = await self.services.play.leaderboard(reply.guild, asked, reply.player, page=page, lines=PLACES)
        self.services.members.listed(reply.guild, [line.player for line in board.lines])
        drawn, told = b"", ""
        if not reply.wishes.text_only:
            drawn, told = await self._drawn(reply, board, reply.words, viewer=reply.player)
        file = discord.File(BytesIO(drawn), filename=PICTURE) if drawn else None
        series = await self._series(reply) if board.asked.order.of_events else []
        await reply.show(leaderboard_screen(board, reply.words, picture=told, series=series), file=file)

    async def _series(self, reply: Reply) -> list[str]:
        """The series whose newest event is in a channel that the asker may see."""
        known = await self.services.events.series(reply.guild)
        return [name for name, channel in known.items() if may_see(reply.interaction, channel)]

    async def _drawn(self, reply: Reply, board: Leaderboard, words: Words, *, viewer: Player) -> tuple[bytes, str]:
        """The picture and its description; nothing where the lines are told as text."""
        names, guild = self.services.faces.names, reply.guild
        if not reply.interaction.app_permissions.attach_files or not pictured(board, guild, names, words):
            return b"", ""
        heading, lines = on_it = drawn_on(board, guild, viewer, names, words)
        drawing = partial(draw_leaderboard, heading=heading, lines=lines)
        drawn = await self.services.pictures.draw(on_it, drawing)
        return drawn, in_words(board, guild, names, words)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Ranks(bot))
