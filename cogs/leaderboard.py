"""The server's leaderboard: chips won, points a hand, visits to Fantasyland."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.play.model import Standing
from bot.text.words import Words
from bot.ui.command_words import described, named
from bot.ui.fragments import RESULT_COLOUR, player_name
from bot.ui.gate import Reply
from bot.ui.widgets import Interaction, notice

PLACES = 10
HANDS_FOR_AVERAGE = 5
"""Points a hand count from this many hands on, so that one lucky hand is no record."""
ORDERS: dict[str, Callable[[Standing], float]] = {
    "chips": lambda standing: standing.chips,
    "points": lambda standing: standing.points / standing.hands,
    "fantasyland": lambda standing: standing.fantasyland,
}


class Leaderboard(commands.Cog):
    """Who is ahead."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services

    @app_commands.command(name="leaderboard", description=described("leaderboard"))
    @app_commands.guild_only()
    @app_commands.describe(by=described("option_by"))
    @app_commands.choices(by=[app_commands.Choice(name=named(f"leaderboard.by.{key}"), value=key) for key in ORDERS])
    async def leaderboard(self, interaction: Interaction, by: str = "chips") -> None:
        """The best ten of this server, and the asker's own place."""

        async def body(reply: Reply) -> None:
            standings = await self.services.play.standings(reply.guild)
            text = leaderboard_text(standings, by=by, asker=reply.player, words=reply.words)
            await reply.show(notice(text, colour=RESULT_COLOUR))

        await self.services.gate.run(interaction, body)


def leaderboard_text(standings: Sequence[Standing], *, by: str, asker: str, words: Words) -> str:
    """The table of places, or why there is none yet."""
    ranked = [s for s in standings if s.hands >= (HANDS_FOR_AVERAGE if by == "points" else 1)]
    if by == "fantasyland":
        ranked = [s for s in ranked if s.fantasyland]
    ranked.sort(key=lambda s: (-ORDERS[by](s), -s.hands, int(s.player)))
    title = f"### {words('leaderboard.title', by=words(f'leaderboard.by.{by}'))}"
    if not ranked:
        return f"{title}\n{words('leaderboard.empty', hands=HANDS_FOR_AVERAGE if by == 'points' else 1)}"
    lines = [_line(place, s, by=by, words=words) for place, s in enumerate(ranked[:PLACES], 1)]
    own = next((place for place, s in enumerate(ranked, 1) if s.player == asker), 0)
    if own > PLACES:
        lines += ["…", _line(own, ranked[own - 1], by=by, words=words)]
    return "\n".join([title, *lines])


def _line(place: int, standing: Standing, *, by: str, words: Words) -> str:
    value = ORDERS[by](standing)
    shown = f"{value:+.2f}".replace("-", "−") if by == "points" else words.signed(int(value))
    if by == "fantasyland":
        shown = words.number(int(value))
    name = player_name(standing.player, words)
    return words("leaderboard.line", place=place, player=name, value=shown, hands=words.number(standing.hands))


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Leaderboard(bot))
