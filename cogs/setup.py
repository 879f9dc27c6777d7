"""Setting up: the welcome of a server, what those who manage it choose, and the check of the bot's permissions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ChannelType, app_commands
from discord.ext import commands
from typing_extensions import override

from bot.clean_text import one_line
from bot.live.client import Client
from bot.live.library.trouble import SERVER_ERROR
from bot.meter import Outcome
from bot.model.choices import Server
from bot.model.clock import LIMITS, Pace
from bot.model.ids import GuildId
from bot.model.refusals import PlayReason, Stale
from bot.ofc.refusals import Refused
from bot.ofc.variants import Variant, VariantError
from bot.play.table.lobby import time_limits
from bot.text.durations import parse_duration
from bot.text.languages import LANGUAGES
from bot.text.refusals import refusal
from bot.text.words import Words, escape_name
from bot.ui.bot_permissions import invitation
from bot.ui.command_words import described
from bot.ui.custom_ids import Press
from bot.ui.fragments import as_typed_before, refused_form
from bot.ui.game_choice import find_game
from bot.ui.given_roles import could_choose, free_role
from bot.ui.modals import modal
from bot.ui.permissions_here import allowed_in, chosen_channels, for_managers, has_threads
from bot.ui.presses import ids_of, picked
from bot.ui.reply import Reply, in_a_new_message
from bot.ui.server.setup import (
    HOME,
    LONGEST_NICK,
    LONGEST_ZONE,
    MOST_CHANNELS,
    MOST_PICTURE_BYTES,
    MOST_POINT_VALUE,
    Checkup,
    SetupPage,
    basics_fields,
    doctor_screen,
    game_value,
    look_fields,
    setup_screen,
    time_written,
    zone_fields,
)
from bot.ui.typed_choice import zone_meant
from bot.ui.widgets import WRITTEN_IN, Interaction

log = logging.getLogger(__name__)

PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF")
"""How the files begin that Discord takes as pictures of somebody."""
Named = app_commands.AppCommandChannel | app_commands.AppCommandThread


class WhereOneWrites(app_commands.Transformer):
    """A channel in which people write, or a thread, as Discord tells it in the command."""

    @property
    @override
    def type(self) -> discord.AppCommandOptionType:
        """A channel."""
        return discord.AppCommandOptionType.channel

    @property
    @override
    def channel_types(self) -> list[discord.ChannelType]:
        """Those that are offered: Discord's own description knows no others that hold messages."""
        threads = (ChannelType.news_thread, ChannelType.public_thread, ChannelType.private_thread)
        return [*(ChannelType(number) for number in WRITTEN_IN), *threads]

    @override
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
            "su_basics": self.set_basics,
            "su_zone": self.ask_zone,
            "su_zoned": self.set_zone,
            "su_look": self.ask_look,
            "su_looks": self.set_look,
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
        """The server has another language in Discord: what stands there follows, unless `/setup` has chosen one."""
        guild = GuildId(after.id)
        if before.preferred_locale != after.preferred_locale and self.bot.serves(guild):
            server = await self.services.play.server(guild)
            if server.language is None:
                await self._speak(guild, server)

    async def _speak(self, guild: GuildId, server: Server) -> None:
        """Show what stands in a server in the language that was chosen just now."""
        await self.services.welcomes.redraw(guild, server)
        self.services.club_pages.changed(guild)

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

    async def _page(self, reply: Reply) -> SetupPage:
        play = self.services.play
        return SetupPage(
            server=_known(reply.interaction, await play.server(reply.guild)),
            game=await play.usual_game(reply.guild),
            games=await play.games(reply.guild),
        )

    async def _show(self, reply: Reply, *, not_yours: int | None = None) -> None:
        page = await self._page(reply)
        server = page.server
        page = replace(
            page,
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
        await self._speak(reply.guild, server)

    async def set_channels(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Where tables may be opened; none is anywhere."""
        channels = chosen_channels(reply.interaction, values)[:MOST_CHANNELS]
        await self._choose(reply, lambda before: replace(before, channels=channels))

    async def set_game(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """What is played where no game was chosen."""
        if not values:
            await self._show(reply)
            return
        game = await self._game(reply, values[0])
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
        """Ask what tables are like; what was refused is still there."""
        fields = as_typed_before(basics_fields(await self._page(reply), reply.words), reply.pressed_texts)
        form = modal(HOME.but("su_basics"), reply.words("setup.form_title"), fields)
        await reply.ask(form, again=HOME.but("su_stakes"))

    async def set_basics(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """They were chosen and written."""
        page, words = await self._page(reply), reply.words
        fields = basics_fields(page, words)
        if len(values) != len(fields):
            raise Stale
        language, wanted, written, chosen, time = (value.strip() for value in values)
        before, point_value = page.server, _point_value(written)
        pace = next((pace for pace in Pace if pace.value == chosen), before.clock.pace)
        if pace is not before.clock.pace and time == time_written(before.turn_seconds):
            time = ""  # nobody has touched it: the usual time of the pace that was chosen
        why = words("setup.bad_point_value", most=words.number(MOST_POINT_VALUE)) if written else ""
        why = why if point_value is None else ""
        try:
            seconds = _seconds(time, pace)
        except Refused as refused:
            why = why or refusal(refused, words)
        if why:
            reply.outcome = Outcome.REFUSED
            await reply.show_apart(refused_form(why, fields, values, HOME.but("su_stakes"), words))
            return
        game = before.game if wanted == game_value(page.game) else await self._game(reply, wanted)
        server = await self._choose(
            reply,
            lambda before: replace(
                before,
                language=language if language in LANGUAGES else None,
                game=game,
                point_value=point_value,
                pace=pace,
                turn_seconds=seconds,
            ),
        )
        if server.language != page.server.language:
            await self._speak(reply.guild, server)

    async def _game(self, reply: Reply, wanted: str) -> Variant:
        """A game of a menu; raises Stale where it was deleted meanwhile."""
        try:
            return await find_game(self.services.play, reply.guild, wanted)
        except VariantError:
            raise Stale from None

    async def ask_zone(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask for the server's time zone; what was refused is still there."""
        server = await self.services.play.server(reply.guild)
        fields = as_typed_before(zone_fields(server, reply.words), reply.pressed_texts)
        await reply.ask(modal(HOME.but("su_zoned"), reply.words("setup.zone_change"), fields), again=press)

    async def set_zone(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A time zone or a town was written; nothing is the zone of each reader's language again."""
        # A form that was forged holds more than its field takes.
        typed, words = "".join(values[:1]).strip()[:LONGEST_ZONE], reply.words
        try:
            zone = zone_meant(typed, words) if typed else ""
            why = "" if zone is not None else words("hours.zone.unknown", typed=escape_name(typed))
        except Refused as refused:
            zone, why = None, refusal(refused, words)
        if zone is None:
            reply.outcome = Outcome.REFUSED
            fields = zone_fields(await self.services.play.server(reply.guild), words)
            await reply.show_apart(refused_form(why, fields, [typed], HOME.but("su_zone"), words))
            return
        await self.services.choose_for_server(reply, lambda before: replace(before, zone=zone))
        await self._show(reply)

    # the bot's own name and picture here

    async def ask_look(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """Ask how the bot looks in this server; the name that was refused is still there."""
        fields = as_typed_before(look_fields(_nick(reply.interaction), reply.words), reply.pressed_texts)
        await reply.ask(modal(HOME.but("su_looks"), reply.words("setup.look"), fields), again=HOME.but("su_look"))

    async def set_look(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        """A name, a picture or both; what Discord or somebody's permissions refuse is said, and changes nothing."""
        interaction, words = reply.interaction, reply.words
        guild, fields = interaction.guild, look_fields(_nick(interaction), words)
        if guild is None or len(values) != len(fields):
            raise Stale
        name, changes = one_line(values[0])[:LONGEST_NICK], dict[str, Any]()
        why = ""
        if name != _nick(interaction):
            changes["nick"] = name or None
            why = _why_no_name(interaction, words)
        if picked(values[1]):
            changes["avatar"] = await _picture(interaction, values[1])
            why = why or ("" if changes["avatar"] else words("setup.look_bad_picture"))
        elif picked(values[2]):
            changes["avatar"] = None
        if changes and not why:
            try:
                edited = await guild.me.edit(**changes)
                # The event that tells of it may come after the next press.
                guild.me.nick = None if edited is None else edited.nick
            except discord.HTTPException as error:
                if error.status >= SERVER_ERROR:
                    raise
                log.info("how the bot looks in server %s was refused: %s", guild.id, error)
                why = words("setup.look_refused")
        if why:
            reply.outcome = Outcome.REFUSED
            await reply.show_apart(refused_form(why, fields, values, HOME.but("su_look"), words))
            return
        await reply.say(words("setup.look_changed" if changes else "setup.look_same"))

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
            threadless=not has_threads(interaction, channel),
            allowed=allowed_in(interaction, channel),
            bot=self.bot.user.name if self.bot.user else "",
            invitation=invitation(interaction.application_id),
            page_url=self.services.page_links.url,
            inside=self.services.page_links.inside is not None,
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


def _nick(interaction: Interaction) -> str:
    """The name that the bot has in this server alone; empty for its usual one."""
    guild = interaction.guild
    me: discord.Member | None = None if guild is None else guild.me  # None before discord.py knows it
    return (me.nick or "") if me is not None else ""


def _why_no_name(interaction: Interaction, words: Words) -> str:
    """Why the person who asks, or the bot, may not change its name here; empty where both may."""
    if not interaction.permissions.manage_nicknames:
        return words("setup.look_not_yours")
    return "" if interaction.app_permissions.change_nickname else words("setup.look_no_power")


async def _picture(interaction: Interaction, chosen: str) -> bytes | None:
    """The picture that was sent with a form; None for what is none, or too large."""
    data: Mapping[str, Any] = interaction.data or {}
    file = data.get("resolved", {}).get("attachments", {}).get(chosen, {})
    if not 0 < int(file.get("size", 0)) <= MOST_PICTURE_BYTES or not str(file.get("url", "")):
        return None
    try:
        read: bytes = await interaction.client.http.get_from_cdn(str(file["url"]))
    except discord.HTTPException:
        return None
    return read if read.startswith(PICTURES) else None


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
