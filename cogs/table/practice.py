"""Private practice: a table that only its player sees, and the buttons on its single message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from discord import app_commands
from discord.ext import commands

from bot.base.meter import InteractionOutcome
from bot.chat.client import Client
from bot.chat.kit.command_words import choice_name, description_for
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.game_choice import find_game
from bot.chat.kit.gate import PressKind
from bot.chat.kit.ofc import OFC
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction
from bot.chat.services import Services
from bot.chat.table.screens.new_practice import LEVELS_AT_MOST, NewPractice, practice_question
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.rules import game_of as chosen_game
from bot.chat.table.screens.screen import AGAIN
from bot.model.clock import Clock, Pace
from bot.model.ids import COMPUTERS, Player
from bot.model.reasons import TableReason
from bot.model.refusals import OtherTerms, Stale
from bot.model.tables import Terms
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant
from bot.pure.solver.levels import Level
from cogs.table.open_table import game_of

LEVELS: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=choice_name(f"lobby.level.{level.value}"), value=level.value) for level in Level
]
UNTIMED = Clock(pace=Pace.NONE, seconds=0)
DEFAULT_LEVEL = Level.CASUAL
"""Default level. Players who are new to practice are often beginners."""


class Practice(commands.Cog):
    """Handlers for playing against computers in private."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        for verb, handler in {
            "practise": self.practise,
            "practise_new": self.practise_new,
            "level": self.level,
            "next_hand": self.next_hand,
            "stop": self.stop,
            "hint": self.hint,
        }.items():
            bot.services.gate.route(verb, handler, anywhere=True)

    @app_commands.command(name="practice", description=description_for("ofc_practice"), extras=OFC)
    @app_commands.describe(
        game=description_for("option_variant"),
        level=description_for("option_level"),
        computers=description_for("option_computers"),
    )
    @app_commands.choices(level=LEVELS)
    async def practice(
        self,
        interaction: Interaction,
        game: app_commands.Range[str, 0, 100] = "",
        level: str = "",
        computers: app_commands.Range[int, 1, 3] | None = None,
    ) -> None:
        """Play against computers in private."""

        async def body(reply: Reply) -> None:
            variant = await game_of(self.services, reply, game) if game else None
            chosen = Level(level) if level else None
            await practise_alone(self.services, reply, game=variant, computers=computers, level=chosen)

        await self.services.gate.run(interaction, body, kind=PressKind.PUBLIC, anywhere=True)

    @practice.autocomplete("game")
    async def games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the presets and the server's custom games."""
        return await self.services.offered_games(interaction, current)

    async def practise(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Continue at the player's private table, or open one for the default game."""
        if press.argument != AGAIN:
            reply.reply_separately()
        await practise_alone(self.services, reply)

    async def practise_new(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """After confirmation, abandon the unfinished practice table and start another game."""
        computers, level = divmod(press.street, LEVELS_AT_MOST)
        await practise_alone(
            self.services,
            reply,
            game=await game_of(self.services, reply, chosen_game(press)),
            computers=computers or None,
            level=next(iter([*Level][level - 1 : level]), None) if level else None,
        )

    async def level(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Continue the same game against another level at a new private table."""
        old = await self.services.play.look(reply.key(press), reply.player)
        if not old.table.private or press.hand != old.table.hand_no:
            raise Stale
        computers = sum(place.seat.computer for place in old.places)
        await practise_alone(
            self.services, reply, game=old.table.terms.variant, computers=computers or None, level=level_named(values)
        )

    async def next_hand(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Deal the next hand."""
        key = reply.key(press)
        with _over_at_worst():
            await self.services.play.next_hand(key, reply.player, hand_no=press.hand, cause=reply.cause)
        await self.services.hand_panels.show_table(reply, key)

    async def stop(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Close the table."""
        key = reply.key(press)
        with _over_at_worst():
            await self.services.play.stop(key, reply.player, cause=reply.cause)
        await self.services.hand_panels.show_table(reply, key)

    async def hint(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the two best placements of a street on the panel."""
        key = reply.key(press)
        found = await self.services.play.hint(key, reply.player, hand_no=press.hand, street=press.street)
        view = await self.services.play.look(key, reply.player)
        if not found.is_for(view):
            raise Stale
        await self.services.hand_panels.show(
            reply, Panel(view=view, draft=press.draft, chosen=press.chosen, hint=found)
        )


@contextmanager
def _over_at_worst() -> Iterator[None]:
    """Suppress the error if the table is closed, so that the press shows its closing panel."""
    try:
        yield
    except Refused as refused:
        if refused.reason is not TableReason.TABLE_CLOSED:
            raise


async def practise_alone(
    services: Services,
    reply: Reply,
    *,
    game: Variant | None = None,
    computers: int | None = None,
    level: Level | None = None,
) -> None:
    """Show the player's private table, or a new one if they have none or made any choices. Raises Refused."""
    if game is None and computers is None and level is None:
        for table in await services.play.tables_of(reply.guild, reply.player):
            if table.private:
                await services.hand_panels.show_table(reply, table.key)
                return
    game = game or await find_game(services.play, reply.guild, "")
    offer = _offer(reply, game, opponents_in(game, computers, level))
    try:
        table = await services.play.practise(offer, ends=reply.terms, cause=reply.cause)
    except OtherTerms:
        reply.outcome = InteractionOutcome.STALE
        unfinished = await services.play.unfinished_practice(reply.guild, reply.player)
        if unfinished is None:
            raise
        new = NewPractice(game=game, computers=computers or 0, level=level)
        reply.reply_separately()
        await reply.show(practice_question(unfinished, new, reply.words))
        return
    await services.hand_panels.show_table(reply, table.key)


def level_named(values: Sequence[str]) -> Level:
    """Return the level chosen in a menu; raises Stale if there is none."""
    found = next((level for level in Level if level.value in values), None)
    if found is None:
        raise Stale
    return found


def opponents_in(game: Variant, computers: int | None, level: Level | None) -> tuple[Player, ...]:
    """Return ``computers`` opponents, by default as few as the game needs; raises Refused."""
    # The game's minimum may require more than one, as 十三張 does with four players.
    opponents = computers or max(1, game.min_seats - 1)
    if not game.min_seats <= opponents + 1 <= game.max_seats:
        raise Refused(TableReason.TOO_MANY_SEATS, least=game.min_seats, most=game.max_seats)
    return COMPUTERS[level or DEFAULT_LEVEL][:opponents]


def _offer(reply: Reply, game: Variant, computers: tuple[Player, ...]) -> TableOffer:
    return TableOffer(
        guild=reply.guild,
        channel=reply.interaction.channel_id or 0,
        host=reply.player,
        language=reply.words.language.code,
        terms=Terms(variant=game, point_value=0, buy_in=0, max_seats=game.max_seats, clock=UNTIMED),
        computers=computers,
    )


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Practice(bot))
