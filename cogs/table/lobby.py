"""The lobby: open a table, join, leave, start, cancel, close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.client import Client
from bot.chat.club.screens.hub import hub_screen, tables_text
from bot.chat.kit.command_words import described, named
from bot.chat.kit.custom_ids import Press
from bot.chat.kit.fragments import watch_ways
from bot.chat.kit.gate import PressKind
from bot.chat.kit.permissions_here import demand_seen, may_post, may_see, person_of, tables_seen, views_listed
from bot.chat.kit.reply import Reply
from bot.chat.kit.typed_press import DoOption, typed_number
from bot.chat.kit.widgets import Interaction, Part, button
from bot.chat.table.screens.result import asked_again
from bot.model.clock import Pace, may_take, offered_times
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.reasons import ServerReason, TableReason
from bot.model.tables import Table, TableState
from bot.play.table.again import Changes, changed, like_table
from bot.play.table.lobby import Offer
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant
from bot.pure.solver.levels import Level
from bot.text.durations import duration, parse_duration
from cogs.table.open_table import (
    clock_of,
    game_of,
    levels_of,
    offer_of,
    open_at_once,
    opened_text,
    template_choices,
    template_named,
    with_discards,
)
from cogs.table.past_hands import MyTableOption, PlayedTable
from cogs.table.practice import UNTIMED, level_named, opponents_in, practise_alone
from cogs.table.seats import ask_for_seat, look_at_seats, show_seats

PACES: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=named(f"lobby.pace_choice.{pace.value}"), value=pace.value) for pace in Pace
]
LEVELS: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=named(f"lobby.level.{level.value}"), value=level.value) for level in Level
]
DISCARDS: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=named(f"house.value.{value}"), value=value) for value in ("hidden", "open")
]
WIN_CAPS: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=named(f"lobby.win_cap.{cap.value}"), value=cap.value) for cap in WinCap
]


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class Lobby(commands.GroupCog, group_name="ofc", group_description=described("ofc")):
    """Tables before, between and after hands."""

    def __init__(self, bot: Client) -> None:
        super().__init__()
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "leave": self.leave,
            "stay": self.stay,
            "start": self.start,
            "start_now": self.start_now,
            "add_computer": self.add_computer,
            "again": self.again,
        }.items():
            bot.services.gate.route(verb, handler, kind=PressKind.PUBLIC)
        asks = partial(ask_for_seat, bot.services)
        bot.services.gate.route("join", self.join, kind=PressKind.PUBLIC, asks=asks)

    @app_commands.command(name="play", description=described("ofc_play"))
    @app_commands.describe(
        variant=described("option_variant"),
        point_value=described("option_point_value"),
        seats=described("option_seats"),
        pace=described("option_pace"),
        time=described("option_time"),
        buy_in=described("option_buy_in"),
        discards=described("option_discards"),
        win_cap=described("option_win_cap"),
        bust_is_final=described("option_bust_is_final"),
        top_up=described("option_top_up"),
        levels=described("option_levels"),
        level_hands=described("option_level_hands"),
        quiet=described("option_quiet"),
        weekends_off=described("option_weekends_off"),
        guest=described("option_with"),
        template=described("option_template"),
        like=described("option_like_table"),
    )
    @app_commands.rename(guest="with")
    @app_commands.choices(pace=PACES)
    @app_commands.choices(discards=DISCARDS)
    @app_commands.choices(win_cap=WIN_CAPS)
    async def play(
        self,
        interaction: Interaction,
        variant: str = "",
        point_value: app_commands.Range[int, 0, 1_000_000] | None = None,
        seats: app_commands.Range[int, 2, 8] | None = None,
        pace: str = "",
        time: app_commands.Range[str, 0, 40] = "",
        buy_in: app_commands.Range[int, 0, 1_000_000_000] | None = None,
        discards: str = "",
        win_cap: str = "",
        bust_is_final: bool | None = None,
        top_up: bool | None = None,
        levels: app_commands.Range[str, 0, 100] = "",
        level_hands: app_commands.Range[int, 1, 100] | None = None,
        quiet: bool | None = None,
        weekends_off: bool | None = None,
        guest: discord.User | None = None,
        template: app_commands.Range[str, 0, 100] = "",
        like: app_commands.Transform[int, PlayedTable] | None = None,
    ) -> None:
        """Open a table in this channel."""

        async def body(reply: Reply) -> None:
            invited = () if guest is None else (await self._guest(reply, guest),)
            game = await game_of(self.services, reply, variant)
            offer = await self._offered(reply, game, template=template, like=like)
            game = game if variant else offer.terms.variant
            cap = WinCap(win_cap) if win_cap else None
            changes = Changes(
                variant=with_discards(reply, game, discards),
                point_value=point_value,
                seats=seats,
                buy_in=buy_in,
                levels=levels_of(levels),
                level_hands=level_hands,
                limits={"win_cap": cap, "bust_is_final": bust_is_final, "top_up": top_up},
                weekends_off=weekends_off,
                others={"clock": clock_of(pace, time, usual=offer.terms.clock), "quiet": quiet},
            )
            terms = changed(offer.terms, changes)
            await open_at_once(self.services, reply, replace(offer, terms=terms, invited=invited))

        await self.services.gate.run(interaction, body, kind=PressKind.PUBLIC)

    async def _offered(self, reply: Reply, game: Variant, *, template: str, like: int | None) -> Offer:
        """A table as it is usual here, or like another one; raises Refused."""
        server = await self.services.play.server(reply.guild)
        offer = offer_of(reply, game, server, clock=server.clock)
        if template and like is not None:
            raise Refused(ServerReason.TEMPLATE_OR_TABLE)
        if template:
            name = await template_named(self.services, reply, template)
            return like_table(await self.services.together.template(reply.guild, name), offer)
        if like is None:
            return offer
        key = TableKey(guild=reply.guild, table=TableId(like))
        return like_table(await demand_seen(self.services.play, reply, key), offer)

    async def _guest(self, reply: Reply, user: object) -> Player:
        """A player that a table is opened for; raises Refused."""
        guest = person_of(user)
        await self.services.together.demand_guest(reply.guild, reply.player, guest)
        return guest

    @app_commands.command(name="quick", description=described("ofc_quick"))
    @app_commands.describe(variant=described("option_quick_variant"))
    async def quick(self, interaction: Interaction, variant: str = "") -> None:
        """The next free seat, or a table of one's own."""

        async def body(reply: Reply) -> None:
            like = await self._usual(reply, variant)
            if like is None:
                return
            tables = await self.services.play.open_tables(reply.guild)
            seen = {table.channel for table in tables if may_see(reply.interaction, table.channel)}
            table = await self.services.together.quick(like, seen=seen, any_game=not variant, cause=reply.cause)
            await self._show_seat(reply, table)

        await self.services.gate.run(interaction, body, kind=PressKind.PUBLIC)

    @app_commands.command(name="queue", description=described("ofc_queue"))
    @app_commands.describe(variant=described("option_variant"), players=described("option_queue_players"))
    async def queue(
        self, interaction: Interaction, variant: str = "", players: app_commands.Range[int, 2, 8] | None = None
    ) -> None:
        """Wait here until enough others do."""

        async def body(reply: Reply) -> None:
            like = await self._usual(reply, variant)
            if like is not None:
                table = await self.services.together.queue(like, players=players, cause=reply.cause)
                await self.services.hand_panels.show_table(reply, table.key)

        await self.services.gate.run(interaction, body, kind=PressKind.PUBLIC)

    async def _usual(self, reply: Reply, variant: str) -> Offer | None:
        """A table of this game as it is usual here; None, and it is said why, where the bot may not write."""
        game = await game_of(self.services, reply, variant)
        if not await may_post(reply, "lobby.missing_permissions"):
            return None
        server = await self.services.play.server(reply.guild)
        return offer_of(reply, game, server, clock=server.clock)

    async def _show_seat(self, reply: Reply, table: Table) -> None:
        """What a host does now, or the panel of somebody who has joined."""
        if table.state is TableState.LOBBY and table.host == reply.player and not table.terms.starts_with:
            await reply.say(await opened_text(self.services, reply, table))
        else:
            await self.services.hand_panels.show_table(reply, table.key)

    @app_commands.command(name="practice", description=described("ofc_practice"))
    @app_commands.describe(
        variant=described("option_variant"),
        computers=described("option_computers"),
        level=described("option_level"),
        public=described("option_public"),
    )
    @app_commands.choices(level=LEVELS)
    async def practice(
        self,
        interaction: Interaction,
        variant: str = "",
        computers: app_commands.Range[int, 1, 3] | None = None,
        level: str = "",
        public: bool = False,
    ) -> None:
        """Play against the computer, in private unless others are to see it."""

        async def body(reply: Reply) -> None:
            game = await game_of(self.services, reply, variant) if variant else None
            chosen_level = Level(level) if level else None
            if not public:
                await practise_alone(self.services, reply, game=game, computers=computers, level=chosen_level)
                return
            server = await self.services.play.server(reply.guild)
            chosen = game or await game_of(self.services, reply, "")
            offer = offer_of(reply, chosen, server, clock=UNTIMED, point_value=0)
            offer = replace(offer, computers=opponents_in(chosen, computers, chosen_level))
            key = await open_at_once(self.services, reply, offer, start=True)
            if key is not None:
                await self.services.hand_panels.show_table(reply, key)

        await self.services.gate.run(interaction, body, kind=PressKind.PUBLIC)

    @play.autocomplete("time")
    async def times(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Usual times of the pace that was chosen."""
        words = await self.services.gate.words_of(interaction)
        typed = parse_duration(current)
        pace = str(getattr(interaction.namespace, "pace", ""))
        named = [(duration(seconds, words), seconds) for seconds in offered_times(pace)]
        if typed is not None:
            # A time that would be refused isn't suggested.
            first = [(duration(typed, words), typed)] if may_take(pace, typed) else []
            named = first + [(name, seconds) for name, seconds in named if seconds != typed]
        elif current.strip():
            named = [(name, seconds) for name, seconds in named if current.strip().casefold() in name.casefold()]
        return [app_commands.Choice(name=name, value=f"{seconds}s") for name, seconds in named]

    @play.autocomplete("template")
    async def templates(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The server's templates."""
        return await template_choices(self.services, interaction, current)

    @play.autocomplete("variant")
    @practice.autocomplete("variant")
    @quick.autocomplete("variant")
    @queue.autocomplete("variant")
    async def games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The presets and the server's own games."""
        return await self.services.offered_games(interaction, current)

    @app_commands.command(name="menu", description=described("help"))
    async def menu(self, interaction: Interaction) -> None:
        """Everything that the bot offers."""

        async def body(reply: Reply) -> None:
            await reply.show(hub_screen(reply.words, manages=reply.interaction.permissions.manage_guild))

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="tables", description=described("ofc_tables"))
    async def tables(self, interaction: Interaction) -> None:
        """The open tables of this server."""

        async def body(reply: Reply) -> None:
            tables = [
                table for table in await tables_seen(self.services.play, reply) if not table.hidden_from(reply.player)
            ]
            views = await views_listed(self.services.play, reply, tables)
            others = [view.table for view in views if view.mine is None]
            watched = self.services.page_links.watch_links(reply.player, reply.words.language.code, others)
            await reply.say(tables_text(views, reply.words), then=watch_ways(watched, reply.words))
            for table in tables:
                if table.channel == interaction.channel_id:
                    self.services.publisher.sought(table)

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="seats", description=described("ofc_seats"))
    @app_commands.describe(table=described("option_table"), do=described("option_do"))
    async def seats(self, interaction: Interaction, table: MyTableOption | None = None, do: DoOption = "") -> None:
        """The seats of a table, and what mine can do now."""

        async def body(reply: Reply) -> None:
            await show_seats(self.services, reply, await self._meant(reply, table))

        await self.services.gate.run_or_press(interaction, body, do, look=partial(self._look, number=table))

    async def _meant(self, reply: Reply, number: int | None) -> TableKey:
        if number is not None:
            return TableKey(guild=reply.guild, table=TableId(number))
        return (await self.services.own_tables.meant(reply, None, gives_seats=True)).key

    async def _look(self, reply: Reply, *, number: int | None) -> None:
        await look_at_seats(self.services, reply, await self._meant(reply, number))

    @seats.autocomplete("do")
    async def buttons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The buttons of a table and its seats."""
        look = partial(self._look, number=typed_number(interaction))
        return await self.services.gate.buttons(interaction, look, current)

    async def join(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Take a seat; what answers it is the panel, which shows the cards once they are dealt, also to who has one."""
        key = (await demand_seen(self.services.play, reply, reply.key(press))).key
        try:
            await self.services.play.join(key, reply.player, terms=reply.terms, cause=reply.cause)
        except Refused as refused:
            if refused.reason is not TableReason.ALREADY_SEATED:
                raise
        await self.services.hand_panels.show_table(reply, key)

    async def leave(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Stand up, now or later."""
        table = await self.services.play.leave(reply.key(press), reply.player, cause=reply.cause)
        if table.event_no is not None:
            kept = "sits_out_points" if table.terms.practice else "sits_out"
            await reply.say(
                reply.words(f"event_table.{kept}", table=table.key.table), then=_back(table, reply, "button.stay")
            )
            return
        if table.terms.practice and not table.open:
            return  # the table's last message says it to everybody
        left = "lobby.left_practice" if table.terms.practice else "lobby.left"
        still_seated = table.open and await self._is_seated(reply, table.key)
        said = reply.words("lobby.leaving" if still_seated else left, table=table.key.table)
        await reply.say(said, then=_back(table, reply, "button.do_not_leave") if still_seated else ())

    async def _is_seated(self, reply: Reply, key: TableKey) -> bool:
        return (await self.services.play.look(key, reply.player)).mine is not None

    async def stay(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Be back, or stay after all."""
        await reply.say(await self.services.own_tables.come_back(reply, reply.key(press)))

    async def start(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Deal the first hand, and show the host their cards."""
        key = reply.key(press)
        await self.services.play.start(key, reply.player, cause=reply.cause)
        await self.services.hand_panels.show_table(reply, key)

    async def start_now(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Begin the next hand before its time, once all want it."""
        key = reply.key(press)
        await self.services.play.start_now(key, reply.player, hand_no=press.hand, cause=reply.cause)
        await self.services.hand_panels.show_table(reply, key)

    async def add_computer(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Seat a computer of the level that was chosen."""
        level, key = level_named(values), reply.key(press)
        await self.services.play.join_computer(key, reply.player, level=level, cause=reply.cause)
        if reply.replaces is not None:
            await show_seats(self.services, reply, key)

    async def again(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Play the same game once more after a table has closed: a seat in its lobby, or the cards of practice.

        Before a table is opened that calls others they are asked, once.
        """
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        key, channel = reply.key(press), reply.interaction.channel_id or 0
        new = None if press.hand else await self.services.play.opens_again(key, reply.player, channel=channel)
        if new is not None and new.others:
            faces = self.services.faces_for(reply)
            await reply.show(asked_again(new, press, reply.guild, reply.words, faces))
            return
        old = await demand_seen(self.services.play, reply, key)
        like = offer_of(reply, old.terms.variant, await self.services.play.server(reply.guild), clock=old.terms.clock)
        table = await self.services.play.play_again(key, like, cause=reply.cause)
        await self._show_seat(reply, table)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Tables and events of a channel that is gone close; everybody gets their chips back."""
        self.services.event_publisher.spare_channels.deleted(channel)
        await self._gone(GuildId(channel.guild.id), channel=channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """The same for a thread."""
        self.services.event_publisher.spare_channels.deleted(event.thread)
        await self._gone(GuildId(event.guild_id), channel=event.thread_id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The same for a server that the bot has left; wallets are kept for its return."""
        await self.services.events.place_gone(GuildId(guild.id), reason="guild_gone")
        await self.services.play.close_all(GuildId(guild.id), reason="guild_gone")

    async def _gone(self, guild: GuildId, *, channel: int) -> None:
        """Call off the events that were held there; then close its tables, or seat those of events elsewhere."""
        await self.services.events.place_gone(guild, channel=channel, reason="channel_gone")
        await self.services.play.close_all(guild, channel=channel, reason="channel_gone")


def _back(table: Table, reply: Reply, label: str) -> list[Part]:
    """The button by which somebody is back, or stays after all."""
    return [button(Press(verb="stay", table=table.key.table, tag=table.tag), reply.words(label))]


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Lobby(bot))
