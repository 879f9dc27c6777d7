"""Setting up: the welcome of a server, what those who manage it choose, and the check of the bot's permissions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import discord
from discord import ChannelType, app_commands
from discord.ext import commands

from bot.live.services import Client
from bot.meter import Outcome
from bot.model.choices import Server
from bot.model.clock import LIMITS, Pace
from bot.model.ids import GuildId
from bot.model.refusals import PlayReason, Stale
from bot.ofc.refusals import Refused
from bot.ofc.variants import VariantError
from bot.play.table.lobby import time_limits
from bot.text.durations import parse_duration
from bot.text.languages import LANGUAGES
from bot.ui.bot_permissions import invitation
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.game_choice import find_game
from bot.ui.given_roles import could_choose, free_role
from bot.ui.permissions_here import allowed_in, chosen_channels, for_managers, ids_of
from bot.ui.reply import Reply, in_a_new_message
from bot.ui.server.setup import (
    HOME,
    MOST_CHANNELS,
    MOST_POINT_VALUE,
    Checkup,
    SetupPage,
    doctor_screen,
    setup_screen,
    stakes_form,
)
from bot.ui.widgets import WRITTEN_IN, Interaction

Named = app_commands.AppCommandChannel | app_commands.AppCommandThread


class WhereOneWrites(app_commands.Transformer):
    """A channel in which people write, or a thread, as Discord tells it in the command."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """Those that are offered: Discord's own description knows no others that hold messages."""
        threads = (ChannelType.news_thread, ChannelType.public_thread, ChannelType.private_thread)
        return [*(ChannelType(number) for number in WRITTEN_IN), *threads]

    async def transform(self, interaction: Interaction, value: Named, /) -> Named:
        """As it is: whether the bot sees the channel is what the check tells."""
        return value


class Setup(commands.Cog):
    """For those who manage a server: what holds there, and what the bot lacks."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.services = bot.services
        for verb, handler in {
            "set_up": self.show,
            "su_language": self.set_language,
            "su_channels": self.set_channels,
            "su_game": self.set_game,
            "su_pace": self.set_pace,
            "su_threads": self.set_threads,
            "su_words": self.set_in_words,
            "su_host": self.set_host_role,
            "su_told": self.set_told_role,
            "su_stakes": self.ask_stakes,
            "su_written": self.set_stakes,
            "su_doctor": self.check_here,
            "su_check": self.check_chosen,
        }.items():
            bot.services.gate.route(verb, for_managers(handler))
        bot.services.gate.route("manage", in_a_new_message(for_managers(self.show)))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited."""
        if self.bot.serves(GuildId(guild.id)):
            self.services.welcomes.greet(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is there, perhaps one that has invited the bot while it was not running."""
        if self.bot.serves(GuildId(guild.id)):
            self.services.welcomes.greet(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """The server has another language in Discord: the welcome follows, unless `/setup` has chosen one."""
        guild = GuildId(after.id)
        if before.preferred_locale != after.preferred_locale and self.bot.serves(guild):
            server = await self.services.play.server(guild)
            if server.language is None:
                await self.services.welcomes.redraw(guild, server)

    @app_commands.command(name="setup", description=described("setup"))
    @app_commands.describe(check=described("option_check"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def setup(
        self,
        interaction: Interaction,
        check: app_commands.Transform[Named, WhereOneWrites] | None = None,
    ) -> None:
        """Choose what holds in this server, or check a channel (Manage Server)."""

        async def body(reply: Reply) -> None:
            if check is None:
                await self._show(reply)
            else:
                await self._check(reply, check.id, in_thread=isinstance(check, app_commands.AppCommandThread))

        await self.services.gate.run(interaction, body)

    # the page

    async def show(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The page, from the welcome or from the check."""
        await self._show(reply)

    async def _show(self, reply: Reply, *, not_yours: int | None = None) -> None:
        play = self.services.play
        server = _known(reply.interaction, await play.server(reply.guild))
        page = SetupPage(
            server=server,
            game=await play.usual_game(reply.guild),
            games=await play.games(reply.guild),
            silent=_is_silent(reply.interaction, server.told_role),
            kept=server.told_role is not None and await free_role(reply.interaction, server) is None,
            not_yours=not_yours,
        )
        await reply.show(setup_screen(page, reply.words))

    async def _choose(self, reply: Reply, change: Callable[[Server], Server]) -> Server:
        server = await self.services.play.choose_for_server(reply.guild, change)
        await self._show(reply)
        return server

    async def set_language(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The language of what everybody reads; the welcome is the first of it."""
        if not values:
            await self._show(reply)
            return
        code = values[0] if values[0] in LANGUAGES else None
        server = await self._choose(reply, lambda before: replace(before, language=code))
        await self.services.welcomes.redraw(reply.guild, server)

    async def set_channels(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Where tables may be opened; none is anywhere."""
        channels = chosen_channels(reply.interaction, values)[:MOST_CHANNELS]
        await self._choose(reply, lambda before: replace(before, channels=channels))

    async def set_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """What is played where no game was chosen."""
        if not values:
            await self._show(reply)
            return
        try:
            game = await find_game(self.services.play, reply.guild, values[0])
        except VariantError:
            raise Stale from None
        await self._choose(reply, lambda before: replace(before, game=game))

    async def set_pace(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The usual clock, with its usual time."""
        pace = next((pace for pace in Pace if pace.value in values), None)
        if pace is None:
            await self._show(reply)
            return
        await self._choose(reply, lambda before: replace(before, pace=pace, turn_seconds=None))

    async def set_threads(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Whether tables are played in threads of their own."""
        await self._choose(reply, lambda before: replace(before, threads=bool(press.hand)))

    async def set_in_words(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Whether what everybody reads at new tables is in words alone."""
        await self._choose(reply, lambda before: replace(before, in_words=bool(press.hand)))

    async def set_host_role(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Who may open tables; nobody chosen is everybody."""
        role = _role(reply.interaction, values)
        await self._choose(reply, lambda before: replace(before, host_role=role))

    async def set_told_role(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Who is told of new tables: members can take that role, so only one that the manager could give."""
        role = _role(reply.interaction, values)
        if role is not None and not could_choose(reply.interaction, role):
            reply.outcome = Outcome.REFUSED
            await self._show(reply, not_yours=role)
            return
        by = None if role is None else reply.player
        await self._choose(reply, lambda before: replace(before, told_role=role, told_role_by=by))

    async def ask_stakes(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the point value and the time."""
        form = stakes_form(await self.services.play.server(reply.guild), reply.words)
        await reply.ask(form, again=HOME.but("su_stakes"))

    async def set_stakes(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """They were written."""
        written, time = (*(value.strip() for value in values), "", "")[:2]
        point_value = _point_value(written)
        if written and point_value is None:
            reply.outcome = Outcome.REFUSED
            most = reply.words.number(MOST_POINT_VALUE)
            await reply.say(reply.words("setup.bad_point_value", most=most))
            return
        pace = (await self.services.play.server(reply.guild)).clock.pace
        seconds = _seconds(time, pace)
        await self._choose(
            reply, lambda before: replace(before, point_value=point_value, pace=pace, turn_seconds=seconds)
        )

    # the check

    async def check_here(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """The channel in which it was asked."""
        interaction = reply.interaction
        in_thread = isinstance(interaction.channel, discord.Thread)
        await self._check(reply, interaction.channel_id or 0, in_thread=in_thread)

    async def check_chosen(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Another channel."""
        channels = chosen_channels(reply.interaction, values)[:MOST_CHANNELS]
        if channels:
            await self._check(reply, channels[0], in_thread=False)
        else:
            await self.check_here(reply, press, values)

    async def _check(self, reply: Reply, channel: int, *, in_thread: bool) -> None:
        interaction = reply.interaction
        checkup = Checkup(
            channel=channel,
            in_thread=in_thread,
            threads=(await self.services.play.server(reply.guild)).threads,
            allowed=allowed_in(interaction, channel),
            bot=self.bot.user.name if self.bot.user else "",
            invitation=invitation(interaction.application_id),
            page_url=self.services.page_links.url,
        )
        await reply.show(doctor_screen(checkup, reply.words))


def _known(interaction: Interaction, server: Server) -> Server:
    """The server's choices without channels and roles that are gone: a menu that names one is refused by Discord."""
    guild = interaction.guild
    if guild is None:
        return server
    return replace(
        server,
        channels=tuple(channel for channel in server.channels if guild.get_channel(channel)),
        host_role=server.host_role if guild.get_role(server.host_role or 0) else None,
        told_role=server.told_role if guild.get_role(server.told_role or 0) else None,
    )


def _role(interaction: Interaction, values: Sequence[str]) -> int | None:
    """The chosen role; None also for the one that everybody has."""
    guild = interaction.guild
    return next((role for role in ids_of(values) if guild and role != guild.id and guild.get_role(role)), None)


def _is_silent(interaction: Interaction, role: int | None) -> bool:
    """True for a role that nobody may mention, the bot neither."""
    found = interaction.guild.get_role(role or 0) if interaction.guild else None
    return found is not None and not (found.mentionable or interaction.app_permissions.mention_everyone)


def _point_value(written: str) -> int | None:
    """Chips a point as they were written; None for anything else."""
    number = int(written) if written.isascii() and written.isdigit() and len(written) <= 7 else None
    return number if number is not None and number <= MOST_POINT_VALUE else None


def _seconds(written: str, pace: Pace) -> int | None:
    """The time of a pace as it was written; None for the usual one. Raises Refused."""
    if not written or pace is Pace.NONE:
        return None
    seconds, (shortest, longest) = parse_duration(written), LIMITS[pace]
    if seconds is None or not shortest <= seconds <= longest:
        raise Refused(PlayReason.BAD_TIME, **time_limits(pace))
    return seconds


async def setup(bot: Client) -> None:
    """Load the cog."""
    await bot.add_cog(Setup(bot))
