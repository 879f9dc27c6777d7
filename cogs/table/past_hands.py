"""Hands that are over: /result settles one again, /history lists one's own, and a replay shows one street by street."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.chat.client import Client
from bot.chat.kit.aloud import aloud
from bot.chat.kit.command_words import described, named
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.game_choice import MOST_CHOICES
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import demand_hand_seen, may_post, may_see, public_language, sees
from bot.chat.kit.posting import post
from bot.chat.kit.reply import NO_PINGS, Reply, in_a_new_message
from bot.chat.kit.typed_press import DoOption, typed_number
from bot.chat.kit.widgets import Interaction, Screen
from bot.chat.services import Services
from bot.chat.table.posts.result_posts import learn_names, post_picture
from bot.chat.table.screens.fairness import hand_choice, table_choice
from bot.chat.table.screens.replay import (
    HANDS,
    LAST_PAGE,
    STEPS,
    history_screen,
    replay_screen,
    shown_to_all,
    step_of,
    wanted_of,
)
from bot.chat.table.screens.result import details_screens, result_screens
from bot.chat.table.screens.typed_placement import waiting_text
from bot.model.hands import Outcome, Wanted, Within
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.reasons import HandReason, TableReason
from bot.model.refusals import Stale
from bot.model.standings import PlayedHand
from bot.model.tables import Table, TableState
from bot.play.look.replays import Replay
from bot.play.look.results import ResultView, gives_records
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, words_for
from bot.text.zones import zone_named

MOST_LOOKED_THROUGH = 100
"""Tables or hands that one keystroke is compared with."""


class Number(app_commands.Transformer):
    """A number that is suggested while it is typed."""

    @property
    @override
    def type(self) -> discord.AppCommandOptionType:
        """As Discord knows it."""
        return discord.AppCommandOptionType.integer

    @property
    @override
    def min_value(self) -> int:
        """The first number."""
        return 1

    @property
    @override
    def max_value(self) -> int:
        """As long as a button can carry."""
        return 999_999_999

    @override
    async def transform(self, interaction: Interaction, value: int) -> int:
        """The number itself."""
        return value


class MyTable(Number):
    """A table at which somebody sits, suggested by its name, those that wait for them first."""

    @override
    async def autocomplete(self, interaction: Interaction, value: Any) -> list[app_commands.Choice[Any]]:
        """The tables that fit what was typed."""
        services: Services = interaction.client.services
        reply = await services.gate.typing(interaction)
        panels = await services.own_tables.panels(reply)
        panels.sort(key=lambda panel: not panel.waits)
        named = [(waiting_text(panel, reply.words), int(panel.view.table.key.table)) for panel in panels]
        return fitting_numbers(named, str(value))


MyTableOption = app_commands.Transform[int, MyTable]


class PlayedTable(Number):
    """A table at which hands were played, the newest suggested first."""

    def fits(self, table: Table) -> bool:
        """True for a table to suggest."""
        return bool(table.hand_no)

    @override
    async def autocomplete(self, interaction: Interaction, value: Any) -> list[app_commands.Choice[Any]]:
        """The tables that fit what was typed."""
        services: Services = interaction.client.services
        words = await services.gate.words_of(interaction)
        tables = await services.play.newest_tables(GuildId(interaction.guild_id or 0), limit=MOST_LOOKED_THROUGH)
        seen = [table for table in tables if self.fits(table) and may_see(interaction, table.channel)]
        named = [(table_choice(table, words), int(table.key.table)) for table in seen]
        return fitting_numbers(named, str(value))


class _CheckableTable(PlayedTable):
    """A table whose hands can be checked now."""

    @override
    def fits(self, table: Table) -> bool:
        """True for a table to suggest."""
        return super().fits(table) and gives_records(table)


class _PlayedHand(Number):
    """A hand of the table that was chosen, the newest suggested first."""

    async def hands(self, services: Services, key: TableKey) -> list[PlayedHand]:
        """The hands to suggest."""
        return await services.play.listed_hands(key, limit=MOST_LOOKED_THROUGH)

    @override
    async def autocomplete(self, interaction: Interaction, value: Any) -> list[app_commands.Choice[Any]]:
        """The hands that fit what was typed."""
        services: Services = interaction.client.services
        words, table = await services.gate.words_of(interaction), getattr(interaction.namespace, "table", None)
        if not isinstance(table, int):
            return []
        guild = GuildId(interaction.guild_id or 0)
        key = TableKey(guild=guild, table=TableId(table))
        if not await _table_seen(interaction, key):
            return []
        hands = await self.hands(services, key)
        zone = ZoneInfo(zone_named((await services.play.server(guild)).zone) or words.language.zone)
        return fitting_numbers([(hand_choice(hand, words, zone), hand.hand_no) for hand in hands], str(value))


class _CheckableHand(_PlayedHand):
    """A hand whose record is given out now."""

    @override
    async def hands(self, services: Services, key: TableKey) -> list[PlayedHand]:
        """The hands to suggest."""
        return await services.play.checkable_hands(key, limit=MOST_LOOKED_THROUGH)


async def _table_seen(interaction: Interaction, key: TableKey) -> bool:
    """True for a table that is there, in a channel that the person who types may see."""
    services: Services = interaction.client.services
    try:
        return may_see(interaction, (await services.play.look(key)).table.channel)
    except Refused:
        return False


def fitting_numbers(named: Sequence[tuple[str, int]], current: str) -> list[app_commands.Choice[Any]]:
    """Those whose number begins with what was typed, or whose name holds it."""
    typed = current.strip().casefold()
    fitting = [(name, value) for name, value in named if str(value).startswith(typed) or typed in name.casefold()]
    return [app_commands.Choice(name=name[:100], value=value) for name, value in fitting[:MOST_CHOICES]]


TableOption = app_commands.Transform[int, PlayedTable]
HandOption = app_commands.Transform[int, _PlayedHand]
CheckableTableOption = app_commands.Transform[int, _CheckableTable]
CheckableHandOption = app_commands.Transform[int, _CheckableHand]


class PastHands(commands.Cog):
    """The result of a hand, a player's hands, and replays."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        gate = bot.services.gate
        gate.route("history", in_a_new_message(self.newest), anywhere=True)
        gate.route("hist_page", self.turn_page, anywhere=True)
        gate.route("hist_open", in_a_new_message(self.open), anywhere=True)
        gate.route("replay", in_a_new_message(self.step), anywhere=True)
        for verb in STEPS:
            gate.route(verb, self.step, anywhere=True)
        gate.route("read_result", self.read_result, anywhere=True)
        gate.route("hand_details", in_a_new_message(self.details), anywhere=True)
        gate.route("rp_file", in_a_new_message(self.file), anywhere=True)
        gate.route("rp_show", self.show_to_all, kind=PressKind.PUBLIC)

    @app_commands.command(name="result", description=described("result"))
    @app_commands.guild_only()
    @app_commands.describe(table=described("option_table"), hand=described("option_hand"), do=described("option_do"))
    async def result(
        self, interaction: Interaction, table: TableOption, hand: HandOption | None = None, do: DoOption = ""
    ) -> None:
        """Show the settlement of a finished hand again."""

        async def body(reply: Reply) -> None:
            await self._show_result(reply, await self._result(reply, table, hand))

        look = partial(self._look, table=table, hand=hand)
        await self.services.gate.run_or_press(interaction, body, do, look=look)

    async def _result(self, reply: Reply, table: int, hand: int | None) -> ResultView:
        key = TableKey(guild=reply.guild, table=TableId(table))
        number = hand or await self._newest(reply, key)
        await demand_hand_seen(self.services.play, reply, key, number)
        return await self.services.play.result(key, number, reply.player)

    async def _look(self, reply: Reply, *, table: int, hand: int | None) -> None:
        """The result, its details and its replay."""
        view = await self._result(reply, table, hand)
        faces = self.services.faces_for(reply)
        for screen in (*result_screens(view, reply.words, faces), *details_screens(view, reply.words, faces)):
            await reply.show(screen)
        press = Press(verb="replay", table=TableId(table), tag=view.table.tag, hand=view.record.hand_no)
        await self.services.gate.handle(reply, press, ())

    @result.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The buttons of the result and its replay."""
        table, hand = typed_number(interaction), typed_number(interaction, "hand")
        if table is None:
            return []
        return await self.services.gate.buttons(interaction, partial(self._look, table=table, hand=hand), current)

    async def _show_result(self, reply: Reply, view: ResultView) -> None:
        """The settlement, as it's posted without a picture."""
        await self._show_pages(reply, result_screens(view, reply.words, self.services.faces_for(reply)))

    async def _show_pages(self, reply: Reply, pages: Sequence[Screen], *, apart: bool = False) -> None:
        first, *more = pages
        await (reply.show_apart(first) if apart else reply.show(first))
        for page in more:
            heard = aloud(page, reply.words, reply.wishes)
            await reply.interaction.followup.send(view=heard, ephemeral=True, allowed_mentions=NO_PINGS)

    async def read_result(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """All of a result, in a message of its own."""
        view, faces = await self._pressed_result(reply, press), self.services.faces_for(reply)
        await self._show_pages(reply, result_screens(view, reply.words, faces, whole=True), apart=True)

    async def details(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Everything about a hand in words, and the check of its deal."""
        view = await self._pressed_result(reply, press)
        await self._show_pages(reply, details_screens(view, reply.words, self.services.faces_for(reply)))

    async def _pressed_result(self, reply: Reply, press: Press) -> ResultView:
        key = reply.key(press)
        await demand_hand_seen(self.services.play, reply, key, press.hand)
        return await self.services.play.result(key, press.hand, reply.player)

    async def _newest(self, reply: Reply, key: TableKey) -> int:
        """The newest hand that is finished: by correspondence the one that is played takes days. Raises Refused."""
        view = await self.services.play.look(key, reply.player)
        if not view.table.hand_no:
            raise Refused(HandReason.NO_SUCH_HAND, last=0)
        running = view.table.state is TableState.PLAYING
        return max(1, view.table.hand_no - running)

    @app_commands.command(name="history", description=described("history"))
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(
        game=described("option_played_game"),
        opponent=described("option_opponent"),
        within=described("option_within"),
        outcome=described("option_outcome"),
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=named(f"variant.{key}.name"), value=key) for key in PRESETS],
        within=[app_commands.Choice(name=named(f"history.within.{each.value}"), value=each.value) for each in Within],
        outcome=[
            app_commands.Choice(name=named(f"history.outcome.{each.value}"), value=each.value) for each in Outcome
        ],
    )
    async def history(
        self,
        interaction: Interaction,
        game: str = "",
        opponent: discord.User | None = None,
        within: str = Within.EVER.value,
        outcome: str = Outcome.ANY.value,
    ) -> None:
        """My hands, newest first."""
        wanted = Wanted(
            game=game,
            opponent=Player(str(opponent.id)) if opponent else None,
            within=Within(within),
            outcome=Outcome(outcome),
        )

        async def body(reply: Reply) -> None:
            await self._show_page(reply, wanted, page=0)

        await self.services.gate.run(interaction, body, anywhere=True)

    async def newest(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """All my hands, from a button."""
        await self._show_page(reply, Wanted(), page=0)

    async def turn_page(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Newer or older hands."""
        await self._show_page(reply, wanted_of(press), page=min(press.hand, LAST_PAGE))

    async def _show_page(self, reply: Reply, wanted: Wanted, *, page: int) -> None:
        found = await self.services.play.past_hands(reply.guild, reply.player, wanted, page=page, lines=HANDS)
        # The menu can mention nobody: it needs their names, also after a restart.
        others = {player for line in found.lines for player in line.others}
        await learn_names(self.bot, reply.guild, sorted(others), self.services.faces.names)
        await reply.show(history_screen(found, reply.words, self.services.faces.names))

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The replay of the hand that was chosen."""
        table, _, hand = next(iter(values), "").partition("/")
        if not (table.isascii() and table.isdigit() and hand.isascii() and hand.isdigit() and len(table + hand) < 19):
            await reply.done()
            return
        key = TableKey(guild=reply.guild, table=TableId(int(table)))
        replay = await self._replay(reply, key, int(hand))
        await reply.show(replay_screen(replay, 0, reply.words, self.services.faces_for(reply)))

    async def _replay(self, reply: Reply, key: TableKey, hand: int) -> Replay:
        """A hand for somebody who has played it, or may see the channel of its table; raises Refused."""
        await demand_hand_seen(self.services.play, reply, key, hand)
        return await self.services.play.replay(key, hand, reply.player)

    async def step(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A step of a hand: that which a button leads to."""
        replay = await self._replay(reply, reply.key(press), press.hand)
        step = step_of(press, replay.last)
        await reply.show(replay_screen(replay, step, reply.words, self.services.faces_for(reply)))

    async def file(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The hand as a file."""
        await demand_hand_seen(self.services.play, reply, reply.key(press), press.hand)
        text = await self.services.play.history_file(reply.key(press), press.hand, reply.player)
        file = discord.File(io.BytesIO(text.encode()), filename=f"chaipo-{press.table}-{press.hand}.phh")
        await reply.say(reply.words("replay.file", table=press.table, hand=press.hand), file=file)

    async def show_to_all(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Post the step in the channel, the result with a picture of its boards."""
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        # Also of one's own hands: what is played where one may not look is not carried out from there.
        table = (await self.services.play.look(reply.key(press), reply.player)).table
        if not await sees(reply.interaction, table.channel):
            raise Refused(TableReason.CHANNEL_HIDDEN)
        # For somebody who may see the hand, as everybody may see it: without what they have discarded.
        mine = await self.services.play.replay(reply.key(press), press.hand, reply.player)
        if mine.result.table.private:
            raise Stale
        interaction, play = reply.interaction, self.services.play
        channel = interaction.channel_id or 0
        await play.demand_postable(reply.key(press), press.hand, reply.player, channel)
        replay = await play.replay(reply.key(press), press.hand, None)
        words = words_for(public_language(interaction, await play.server(reply.guild)).code)
        await self._post(channel, replay, step_of(press, replay.last), words, cause=reply.cause)
        await reply.say(reply.words("replay.shown"))

    async def _post(self, channel: int, replay: Replay, step: int, words: Words, *, cause: str) -> None:
        where, faces = self.bot.get_partial_messageable(channel), self.services.faces
        if step == replay.last and await post_picture(self.bot, where, replay.result, words, faces, "replay", cause):
            return
        await post(where, shown_to_all(replay, step, words, faces), "replay", cause)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(PastHands(bot))
