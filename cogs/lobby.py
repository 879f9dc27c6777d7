"""The lobby: open a table, join, leave, start, cancel, close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.live.client import Client
from bot.ofc.house_rules import house_variant
from bot.ofc.refusals import Refused
from bot.ofc.settlement import WinCap
from bot.ofc.variants import Variant, VariantError
from bot.play.choices import Server
from bot.play.clock import USUAL, Clock, Pace, offered_times, pace_for
from bot.play.lobby import USUAL_POINT_VALUE, Offer, buy_in_of, time_limits
from bot.play.model import GuildId, Limits, Table, TableId, TableKey, TableState
from bot.play.refusals import PlayReason
from bot.solver.levels import Level
from bot.text.durations import duration, parse_duration
from bot.text.house_rules import problem_text
from bot.text.names import full_name
from bot.ui.bot_permissions import labels_of
from bot.ui.brakes import PressKind
from bot.ui.command_words import described, named
from bot.ui.custom_ids import Press
from bot.ui.game_choice import find_game
from bot.ui.gate import Reply
from bot.ui.permissions_here import may_post, missing_for_threads, roles_of
from bot.ui.public_language import public_language
from bot.ui.server.hub import hub_screen
from bot.ui.server.open_tables import tables_text
from bot.ui.widgets import Interaction, Part, button
from cogs.practice import UNTIMED, level_named, opponents_in, practise_alone
from cogs.seats import show_seats

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


@app_commands.guild_only()
class Lobby(commands.GroupCog, group_name="ofc", group_description=described("ofc")):
    """Tables before, between and after hands."""

    def __init__(self, bot: Client) -> None:
        super().__init__()
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "join": self.join,
            "leave": self.leave,
            "stay": self.stay,
            "start": self.start,
            "cancel": self.cancel,
            "computer": self.computer,
            "add_computer": self.add_computer,
            "again": self.again,
            "open": self.open,
        }.items():
            bot.services.gate.route(verb, handler, kind=PressKind.PUBLIC)

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
    )
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
        win_cap: str = WinCap.OWN_STACK.value,
        bust_is_final: bool = False,
        top_up: bool = True,
        levels: app_commands.Range[str, 0, 100] = "",
        level_hands: app_commands.Range[int, 1, 100] = 4,
        quiet: bool = False,
    ) -> None:
        """Open a table in this channel."""

        async def body(reply: Reply) -> None:
            game = await self._game(reply, variant, discards=discards)
            rising = _levels(levels)
            server = await self.services.play.server(reply.guild)
            offer = _offer(
                reply,
                game,
                server,
                clock=_clock(pace, time, usual=server.clock),
                point_value=rising[0] if rising else point_value,
                buy_in=buy_in,
            )
            limits = Limits(
                win_cap=WinCap(win_cap),
                bust_is_final=bust_is_final,
                levels=rising,
                level_hands=level_hands if rising else 0,
                top_up=top_up,
            )
            await self._open(reply, replace(offer, max_seats=seats or game.max_seats, limits=limits, quiet=quiet))

        await self.services.gate.run(interaction, body)

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
            game = await self._game(reply, variant) if variant else None
            chosen_level = Level(level) if level else None
            if not public:
                await practise_alone(self.services, reply, game=game, computers=computers, level=chosen_level)
                return
            server = await self.services.play.server(reply.guild)
            chosen = game or await self._game(reply, "")
            offer = _offer(reply, chosen, server, clock=UNTIMED, point_value=0)
            offer = replace(offer, computers=opponents_in(chosen, computers, chosen_level))
            key = await self._open(reply, offer, start=True)
            if key is not None:
                await self.services.show_panel(reply, key)

        await self.services.gate.run(interaction, body)

    @play.autocomplete("time")
    async def times(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Usual times of the pace that was chosen."""
        words = await self.services.gate.words_of(interaction)
        typed = parse_duration(current)
        offered = offered_times(str(getattr(interaction.namespace, "pace", "")))
        chosen = offered if typed is None else (typed, *(seconds for seconds in offered if seconds != typed))
        return [app_commands.Choice(name=duration(seconds, words), value=f"{seconds}s") for seconds in chosen]

    @play.autocomplete("variant")
    @practice.autocomplete("variant")
    async def games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The presets and the server's own games."""
        return await self.services.offered_games(interaction, current)

    async def _game(self, reply: Reply, text: str, *, discards: str = "") -> Variant:
        """The game that was chosen, or the usual one; its discards as agreed for this table. Raises Refused."""
        try:
            game = await find_game(self.services.play, reply.guild, text)
            if not discards:
                return game
            return house_variant(game.key, {**game.house, "discards": discards}, name=game.house_name)
        except VariantError as error:
            raise Refused(PlayReason.NO_SUCH_GAME, why=problem_text(error, reply.words)) from error

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
                table
                for table in await self.services.play.open_tables(reply.guild)
                if not table.hidden_from(reply.player)
            ]
            await reply.say(tables_text(tables, reply.words))
            for table in tables:
                if table.channel == interaction.channel_id:
                    self.services.publisher.sought(table)

        await self.services.gate.run(interaction, body)

    @app_commands.command(name="seats", description=described("ofc_seats"))
    @app_commands.describe(table=described("option_table"))
    async def seats(
        self, interaction: Interaction, table: app_commands.Range[int, 1, 999_999_999] | None = None
    ) -> None:
        """The seats of a table, and what mine can do now."""

        async def body(reply: Reply) -> None:
            if table is None:
                key = (await self.services.table_for(reply, None)).key
            else:
                key = TableKey(guild=reply.guild, table=TableId(table))
            await show_seats(self.services, reply, key)

        await self.services.gate.run(interaction, body)

    async def _open(self, reply: Reply, offer: Offer, *, start: bool = False) -> TableKey | None:
        if not await may_post(reply, "lobby.missing_permissions"):
            return None
        table = await self.services.play.open_table(offer, cause=reply.cause)
        if start:
            await self.services.play.start(table.key, reply.player, cause=f"{reply.cause}:start")
            return table.key
        await self._say_opened(reply, table)
        return table.key

    async def _say_opened(self, reply: Reply, table: Table) -> None:
        """What its host does now, and why the table gets no thread where the server wants one."""
        told = [reply.words("lobby.opened", table=table.key.table, game=full_name(table.variant, reply.words))]
        lacking = missing_for_threads(reply.interaction)
        in_channel = not isinstance(reply.interaction.channel, discord.Thread)
        if lacking and in_channel and (await self.services.play.server(reply.guild)).threads:
            told.append(reply.words("lobby.no_thread", permissions=labels_of(lacking, reply.words)))
        await reply.say("\n".join(told))

    async def open(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Open a table of the usual game in this channel."""
        reply.keep_pressed()
        server = await self.services.play.server(reply.guild)
        await self._open(reply, _offer(reply, await self._game(reply, ""), server, clock=server.clock))

    async def join(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Take a seat; what answers it is the panel, which shows the cards once they are dealt."""
        table = await self.services.play.join(reply.key(press), reply.player, cause=reply.cause)
        await self.services.show_panel(reply, table.key)

    async def leave(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Stand up, now or later."""
        table = await self.services.play.leave(reply.key(press), reply.player, cause=reply.cause)
        if table.event_no is not None:
            await reply.say(reply.words("event_table.sits_out", table=table.key.table), then=_back(table, reply))
            return
        if table.practice and not table.open:
            return  # the table's last message says it to everybody
        left = "lobby.left_practice" if table.practice else "lobby.left"
        still_seated = table.open and await self._is_seated(reply, table.key)
        said = reply.words("lobby.leaving" if still_seated else left, table=table.key.table)
        await reply.say(said, then=_back(table, reply) if still_seated else ())

    async def _is_seated(self, reply: Reply, key: TableKey) -> bool:
        return (await self.services.play.look(key, reply.player)).mine is not None

    async def stay(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Be back, or stay after all."""
        table = await self.services.play.stay(reply.key(press), reply.player, cause=reply.cause)
        said = "lobby.stays" if table.event_no is None else "event_table.is_back"
        await reply.say(reply.words(said, table=table.key.table))

    async def start(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Deal the first hand, and show the host their cards."""
        key = reply.key(press)
        await self.services.play.start(key, reply.player, cause=reply.cause)
        await self.services.show_panel(reply, key)

    async def cancel(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Close the table before the start."""
        table = await self.services.play.cancel(reply.key(press), reply.player, cause=reply.cause)
        await reply.say(reply.words("lobby.cancelled", table=table.key.table))

    async def computer(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Seat a computer at a practice table: the button of older messages, when all played alike."""
        await self.services.play.join_computer(reply.key(press), reply.player, level=Level.CLUB, cause=reply.cause)

    async def add_computer(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Seat a computer of the level that was chosen."""
        level = level_named(values)
        await self.services.play.join_computer(reply.key(press), reply.player, level=level, cause=reply.cause)

    async def again(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Play the same game once more after a table has closed: a seat in its lobby, or the cards of practice."""
        if not await may_post(reply, "lobby.missing_permissions"):
            return
        key = reply.key(press)
        old = (await self.services.play.look(key)).table
        like = _offer(reply, old.variant, await self.services.play.server(reply.guild), clock=old.clock)
        table = await self.services.play.play_again(key, like, cause=reply.cause)
        if table.state is TableState.LOBBY and table.host == reply.player:
            await self._say_opened(reply, table)
        else:
            await self.services.show_panel(reply, table.key)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Tables and events of a channel that is gone close; everybody gets their chips back."""
        await self._gone(GuildId(channel.guild.id), channel=channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """The same for a thread."""
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


def _back(table: Table, reply: Reply) -> list[Part]:
    """The button by which somebody is back after all."""
    return [button(Press(verb="stay", table=table.key.table, tag=table.tag), reply.words("button.stay"))]


def _offer(
    reply: Reply,
    game: Variant,
    server: Server,
    *,
    clock: Clock,
    point_value: int | None = None,
    buy_in: int | None = None,
) -> Offer:
    """A table of this game in the channel of an interaction, with all the seats that the game allows."""
    interaction, usual = reply.interaction, server.point_value
    if point_value is None:
        point_value = USUAL_POINT_VALUE if usual is None else usual
    return Offer(
        guild=reply.guild,
        channel=interaction.channel_id or 0,
        parent=interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None,
        host=reply.player,
        manager=interaction.permissions.manage_guild,
        roles=roles_of(interaction),
        language=public_language(interaction, server).code,
        variant=game,
        point_value=point_value,
        buy_in=buy_in_of(point_value, chosen=buy_in),
        max_seats=game.max_seats,
        clock=clock,
        threaded=server.threads and not missing_for_threads(interaction),
    )


def _clock(pace: str, time: str, *, usual: Clock) -> Clock:
    """The clock of a pace and a time as it was typed; either may be left out. Raises Refused."""
    if not pace and not time.strip():
        return usual
    seconds = parse_duration(time)
    if time.strip() and seconds is None:
        raise Refused(PlayReason.BAD_TIME, **time_limits(Pace(pace) if pace else Pace.PER_TURN))
    chosen = Pace(pace) if pace else Pace.PER_TURN if seconds is None else pace_for(seconds)
    return Clock(pace=chosen, seconds=USUAL[chosen] if seconds is None or chosen is Pace.NONE else seconds)


def _levels(text: str) -> tuple[int, ...]:
    """``50,100,200`` as numbers; raises Refused."""
    parts = [part.strip() for part in text.replace("、", ",").split(",") if part.strip()]
    if not all(part.isascii() and part.isdigit() and len(part) <= 7 for part in parts):
        raise Refused(PlayReason.BAD_LEVELS)
    return tuple(int(part) for part in parts)


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Lobby(bot))
