"""The start screens: ``/ofc help``, the guided hand, and introductions to the game."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.club_page import is_listed
from bot.chat.club.screens.hub import how_to_play_screen, hub_alone_screen, hub_screen, play_screen
from bot.chat.kit.command_words import description_for
from bot.chat.kit.custom_ids import Press, game_argument
from bot.chat.kit.fragments import NOWHERE
from bot.chat.kit.game_choice import games_named
from bot.chat.kit.gate import PressKind
from bot.chat.kit.ofc import OFC
from bot.chat.kit.permissions_here import tables_seen, views_listed
from bot.chat.kit.reply import Reply, in_a_new_message
from bot.chat.kit.suggestions import shortened
from bot.chat.kit.typed_choice import NamedChoice, fitting, the_one
from bot.chat.kit.typed_press import typed_presses
from bot.chat.kit.widgets import Interaction, Screen
from bot.chat.table.screens.new_table import TableChoices
from bot.chat.table.screens.tutorial import VERB, parse_step, tutorial_screen
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from cogs.table.open_table import offer_table

TOPICS = {
    "ways.button.how_to_play": NOWHERE.but("howto"),
    "ways.button.guided_hand": NOWHERE.but("lesson"),
    "ways.button.rules": NOWHERE.but("rulebook"),
    "hub.topic.by_ear": NOWHERE.but("by_ear"),
    "hub.topic.own": NOWHERE.but("own"),
}
"""Topics of ``/ofc help``, by the key of their name, in addition to the games and the menu's entries."""


class Hub(commands.Cog):
    """The menu of everything the bot offers."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route("help", in_a_new_message(self.open), anywhere=True)
        bot.services.gate.route("play", in_a_new_message(self.play))
        bot.services.gate.route("howto", in_a_new_message(self.how_to_play), anywhere=True)

    @app_commands.command(name="help", description=description_for("help"), extras=OFC)
    @app_commands.describe(about=description_for("option_topic"))
    async def help(self, interaction: Interaction, about: app_commands.Range[str, 0, 100] = "") -> None:
        """Show the menu, or one topic."""

        async def body(reply: Reply) -> None:
            if not about.strip():
                await reply.show(_hub(reply))
                return
            topic = the_one(about, await self._topics(reply), reply.words)
            await self.services.gate.handle(reply, topic, ())

        kind = PressKind.PUBLIC if about else PressKind.PRIVATE
        await self.services.gate.run(interaction, body, kind=kind, anywhere=True)

    @help.autocomplete("about")
    async def topics(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the topics, the games and the buttons of the menu."""
        reply = await self.services.gate.typing(interaction)
        found = fitting(current, await self._topics(reply))
        choices = [app_commands.Choice(name=one.name[:100], value=one.name[:100]) for one in found]
        return shortened(choices, current, reply.words)

    async def _topics(self, reply: Reply) -> list[NamedChoice[Press]]:
        """Return the topics, the rules of each game, and the buttons of the menu."""
        named = [
            NamedChoice(name=reply.words(key), value=press, others=tuple(words_for(code)(key) for code in LANGUAGES))
            for key, press in TOPICS.items()
        ]
        for game in await games_named(self.services.play, reply.guild, reply.words):
            press = NOWHERE.but("rulebook", game_argument(game.value))
            named.append(NamedChoice(name=game.name, value=press, others=game.others))
        told = {one.value.verb for one in named} - {"rulebook"}
        buttons = typed_presses([_hub(reply)], reply.words)
        return [
            *named,
            *(NamedChoice(name=one.label, value=one.press) for one in buttons if one.press.verb not in told),
        ]

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the menu from a button."""
        await reply.show(_hub(reply))

    async def play(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the tables to join and a button to open one. If there are none, offer to open one right away."""
        tables = [table for table in await tables_seen(self.services.play, reply) if is_listed(table)]
        if not tables:
            await offer_table(self.services, reply, TableChoices())
            return
        listed = await views_listed(self.services.play, reply, tables)
        links, code = self.services.page_links, reply.words.language.code
        watched = links.watch_links(reply.player, code, [view.table for view in listed])
        await reply.show(play_screen(listed, reply.words, watched=watched))

    async def how_to_play(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the game's introduction."""
        await reply.show(how_to_play_screen(reply.words, served=reply.is_in_server))


def _hub(reply: Reply) -> Screen:
    """Return the menu for the place where the reply is shown."""
    if reply.is_in_server:
        return hub_screen(reply.words, manages=reply.interaction.permissions.manage_guild)
    return hub_alone_screen(reply.words)


class GuidedHand(commands.Cog):
    """The guided hand, which teaches the game. Nothing is stored."""

    def __init__(self, bot: Client) -> None:
        self.services = bot.services
        bot.services.gate.route(VERB, self.step, anywhere=True)
        bot.services.gate.route("lesson", in_a_new_message(self.step), anywhere=True)

    async def step(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Show the step that ``press`` leads to, or the first step."""
        await reply.show(tutorial_screen(parse_step(press), reply.words, self.services.faces_for(reply)))


async def setup(bot: Client) -> None:
    """Load the cogs."""
    await bot.add_cog(Hub(bot))
    await bot.add_cog(GuidedHand(bot))
