"""A server's leaderboard by order, time span and game, for one reader or for everyone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.art.podium import draw_leaderboard
from bot.chat.client import Client
from bot.chat.club.screens.leaderboard import (
    EVERY,
    PICTURE,
    PLACES,
    can_draw,
    drawn_on,
    in_words,
    leaderboard_for_all,
    leaderboard_screen,
    parse_query,
    with_span,
)
from bot.chat.club.screens.ranking import Listing, Ranking, chosen_ranking, named_rankings, named_times, rank_by
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press, game_tag
from bot.chat.kit.fragments import NOWHERE, QUIET_COLOUR
from bot.chat.kit.gate import PressKind
from bot.chat.kit.mentions import with_user_names
from bot.chat.kit.ofc import OFC
from bot.chat.kit.permissions_here import may_post, may_see, public_language
from bot.chat.kit.posting import post
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.suggestions import shortened
from bot.chat.kit.typed_choice import NamedChoice, fitting, the_one
from bot.chat.kit.typed_press import LABEL_LENGTH
from bot.chat.kit.widgets import Interaction, screen
from bot.model.ids import GuildId, Player
from bot.model.standings import EVERY_GAME, Leaderboard, LeaderboardOrder, LeaderboardQuery, LeaderboardSpan
from bot.play.queries.leaderboards import SEASONS
from bot.text.words import Words, words_for

LAST_PAGE = 9_999
NOBODY = Player("")


def _choices(typed: str, named: Sequence[NamedChoice[Any]], words: Words) -> list[app_commands.Choice[str]]:
    names = [one.name[:LABEL_LENGTH] for one in fitting(typed, named)]
    return shortened([app_commands.Choice(name=name, value=name) for name in names], typed, words)


class LeaderboardPages(commands.Cog):
    """The leaderboard's command and menus."""

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

    @app_commands.command(name="leaderboard", description=description_for("leaderboard"), extras=OFC)
    @app_commands.describe(by=description_for("option_by"), when=description_for("option_during"))
    async def leaderboard(
        self,
        interaction: Interaction,
        by: app_commands.Range[str, 0, LABEL_LENGTH] = "",
        when: app_commands.Range[str, 0, LABEL_LENGTH] = "",
    ) -> None:
        """Show the server's leaderboard with the reader's own place, or its records, recaps, series and seasons."""

        async def body(reply: Reply) -> None:
            words = reply.words
            known = named_rankings(await self._series(reply.interaction), words)
            asked = LeaderboardQuery()
            if when.strip():
                asked = with_span(the_one(when, await self._times(reply.interaction, words), words), asked)
            first = await self.services.play.first_order(reply.guild, asked)
            ranking = the_one(by, known, words) if by.strip() else first
            await self._look_up(reply, ranking, asked)

        await self.services.gate.run(interaction, body, kind=PressKind.DRAWN)

    @leaderboard.autocomplete("by")
    async def suggest_rankings(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest what to look up, including the server's series by name."""
        words = await self.services.gate.words_of(interaction)
        return _choices(current, named_rankings(await self._series(interaction), words), words)

    @leaderboard.autocomplete("when")
    async def suggest_times(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest time spans and the server's seasons."""
        words = await self.services.gate.words_of(interaction)
        return _choices(current, await self._times(interaction, words), words)

    async def _look_up(self, reply: Reply, ranking: Ranking | str, asked: LeaderboardQuery) -> None:
        """Show a leaderboard or another entry of the menu. If ``ranking`` is a string, it names a series."""
        handle = self.services.gate.handle
        if isinstance(ranking, LeaderboardOrder):
            await self._show(reply, asked._replace(order=ranking), page=0)
        elif ranking is Listing.SEASON:
            season = asked if asked.span is LeaderboardSpan.SEASON else LeaderboardQuery(span=LeaderboardSpan.SEASON)
            first = await self.services.play.first_order(reply.guild, season)
            await self._show(reply, season._replace(order=first), page=0)
        elif ranking is Listing.RECORDS:
            await handle(reply, NOWHERE.but("rec_game"), (EVERY,))
        elif ranking is Listing.RECAP:
            await handle(reply, NOWHERE.but("recap_page"), ())
        else:
            names = [ranking] if isinstance(ranking, str) else await self._series(reply.interaction)
            if names:
                await handle(reply, NOWHERE.but("ev_series", game_tag(names[0])), ())
            else:
                none = reply.words("event.series_table.none")
                await reply.show(screen(none, rank_by(Listing.SERIES, reply.words), colour=QUIET_COLOUR))

    async def _times(self, interaction: Interaction, words: Words) -> list[NamedChoice[str]]:
        seasons = await self.services.bank.last_seasons(GuildId(interaction.guild_id or 0), limit=SEASONS)
        return named_times(seasons, words)

    async def press(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the leaderboard from a button, or turn its page."""
        await self._show(reply, parse_query(press), page=min(press.hand, LAST_PAGE))

    async def choose_order(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Change the order, or look up another entry of the menu."""
        asked = parse_query(press)
        await self._look_up(reply, chosen_ranking(values) or asked.order, asked)

    async def choose_span(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Change the time span."""
        await self._show(reply, with_span(next(iter(values), ""), parse_query(press)), page=0)

    async def choose_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Change the game."""
        chosen = next(iter(values), press.argument)
        asked = parse_query(replace(press, argument=EVERY_GAME if chosen == EVERY else chosen))
        await self._show(reply, asked, page=0)

    async def show_to_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the page in the channel, leaving out players who hide their profile."""
        interaction = reply.interaction
        channel = interaction.channel_id or 0
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        asked, page = parse_query(press), min(press.hand, LAST_PAGE)
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

    async def _show(self, reply: Reply, asked: LeaderboardQuery, *, page: int) -> None:
        board = await self.services.play.leaderboard(reply.guild, asked, reply.player, page=page, lines=PLACES)
        self.services.members.listed(reply.guild, [line.player for line in board.lines])
        drawn, told = b"", ""
        if not reply.member_settings.text_only:
            drawn, told = await self._drawn(reply, board, reply.words, viewer=reply.player)
        file = discord.File(BytesIO(drawn), filename=PICTURE) if drawn else None
        menu = rank_by(board.asked.order, reply.words, asked=board.asked)
        await reply.show(leaderboard_screen(board, reply.words, menu, picture=told), file=file)

    async def _series(self, interaction: Interaction) -> list[str]:
        """Return the series whose newest event is in a channel that the reader may see."""
        known = await self.services.events.series(GuildId(interaction.guild_id or 0))
        return [name for name, channel in known.items() if may_see(interaction, channel)]

    async def _drawn(self, reply: Reply, board: Leaderboard, words: Words, *, viewer: Player) -> tuple[bytes, str]:
        """Return the picture and its description; both empty if the lines are shown as text."""
        names, guild = self.services.faces.names, reply.guild
        if not reply.interaction.app_permissions.attach_files or not can_draw(board, guild, names, words):
            return b"", ""
        heading, lines = on_it = drawn_on(board, guild, viewer, names, words)
        drawing = partial(draw_leaderboard, heading=heading, lines=lines)
        drawn = await self.services.pictures.draw(on_it, drawing)
        return drawn, in_words(board, guild, names, words)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(LeaderboardPages(bot))
