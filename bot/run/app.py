"""The Discord bot: a client that loads cogs by name and has its own card faces."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands
from typing_extensions import override

from bot.base.meter import InteractionOutcome
from bot.chat.application_assets import await_faces, register, sync, upload_card_emojis
from bot.chat.client import Client
from bot.chat.clockwork import Clockwork
from bot.chat.discord_patches import errors
from bot.chat.discord_patches.governor import Governor
from bot.chat.discord_patches.own_messages import trim_message_parsing
from bot.chat.discord_patches.wire import lead_through, take_every_text
from bot.chat.kit.command_words import CommandTranslator, option_name, unfit_option
from bot.chat.kit.ofc import gather
from bot.chat.kit.presses import parse_press
from bot.chat.kit.reply import Reply
from bot.chat.kit.widgets import Interaction
from bot.chat.launch import launch
from bot.chat.services import Services
from bot.model.activities import LAUNCHES
from bot.model.ids import TableId
from bot.ops.metrics import Metrics
from bot.ops.token_watch import TokenWatch
from bot.ops.watchdog import Watchdog, counted
from bot.run.cluster.held_shards import HeldShards
from bot.text.words import untranslated
from bot.text.zones import zones
from bot.web.pages import Pages
from bot.web.personal_links import PersonalLinks

log = logging.getLogger(__name__)

FINISH_SECONDS = 5.0
"""Maximum time to finish running work when the bot stops, and again to disconnect from Discord."""

COGS = (
    "cogs.club.hub",
    "cogs.table.lobby",
    "cogs.table.open_table",
    "cogs.table.table_command",
    "cogs.club.blocked_players",
    "cogs.table.seats",
    "cogs.club.my_games",
    "cogs.table.hand",
    "cogs.table.activity",
    "cogs.table.watching",
    "cogs.table.placement",
    "cogs.table.practice",
    "cogs.table.fairness",
    "cogs.table.review",
    "cogs.table.past_hands",
    "cogs.club.daily",
    "cogs.trainer.analyse",
    "cogs.trainer.puzzle",
    "cogs.club.chips",
    "cogs.club.manage",
    "cogs.club.bank",
    "cogs.club.seasons",
    "cogs.club.leaderboard",
    "cogs.club.profile",
    "cogs.club.honours",
    "cogs.table.rules",
    "cogs.table.house_rules",
    "cogs.club.settings",
    "cogs.event.commands",
    "cogs.club.setup",
    "cogs.club.club_page",
    "cogs.club.bulletins",
)


class CommandTree(app_commands.CommandTree["ChaipoBot"]):
    """Slash commands. Like all failures, theirs are answered by the gate."""

    @override
    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Refuse values that a command doesn't offer. Autocomplete accepts any text.

        Discord's own command that launches the Activity isn't in the tree. It arrives here if the application is set to
        handle it.
        """
        data: Mapping[str, Any] = interaction.data or {}
        if data.get("type") == LAUNCHES:
            services = interaction.client.services
            await services.gate.run(interaction, lambda reply: launch(services.page_links, reply, TableId(0)))
            return False
        name = None if interaction.type is discord.InteractionType.autocomplete else unfit_option(interaction)
        if name is None:
            return True

        async def body(reply: Reply) -> None:
            await reply.refuse(reply.words("gate.unfit_option", option=option_name(name, reply.words)))

        await interaction.client.services.gate.run(interaction, body)
        return False

    @override
    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Reply with the error in the reader's language."""

        async def body(reply: Reply) -> None:
            if isinstance(error, app_commands.MissingPermissions):
                await reply.refuse(reply.words("gate.needs_manage_server"))
            elif isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
                reply.outcome = InteractionOutcome.STALE
                await reply.say(reply.words("gate.old_command"))
            else:
                raise error

        await interaction.client.services.gate.run(interaction, body)


class ChaipoBot(Client):
    """Chaipo on Discord, assembled in ``bot/run/wiring.py``."""

    clockwork: Clockwork
    has_threads = True
    """False for a simulated Discord that shows no threads."""

    def __init__(
        self,
        claim: Callable[[str], Awaitable[None]],
        *,
        governor: Governor,
        metrics: Metrics,
        started_at: int,
        shard_count: int | None,
        sync_guild: int | None,
        held: HeldShards | None = None,
    ) -> None:
        """``held`` manages the shards that this process has leased; by default, the process has all of them.

        ``claim`` assigns the database to an application by its id, or raises StoreError. ``started_at`` is in ms.
        """
        intents = discord.Intents.none()
        intents.guilds = True
        self.held = held
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            shard_count=shard_count,
            tree_cls=CommandTree,
            allowed_mentions=discord.AllowedMentions.none(),
            # Commands for direct messages, such as /daily, set this themselves.
            allowed_installs=app_commands.AppInstallationType(guild=True),
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
        )
        errors.listen()
        take_every_text()
        trim_message_parsing(self)
        self.metrics = metrics
        self.governor = governor
        self.started_at = started_at
        self.watchdog = Watchdog(self, metrics)
        self.token_watch = TokenWatch(self)
        self._claim = claim
        self._sync_guild = sync_guild
        self.leased = None if held is None else held.serving
        self.leads = held is None
        self._bringing: list[asyncio.Task[None]] = []

    def equip(self, services: Services, clockwork: Clockwork, pages: Pages, links: PersonalLinks) -> None:
        """Set the services, whose constructors need the bot."""
        self.services, self.clockwork, self.pages, self.links = services, clockwork, pages, links

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a button or a select."""
        self.watchdog.heard(interaction.guild_id)
        if found := parse_press(interaction):
            await self.services.gate.press(interaction, *found)

    async def on_shard_connect(self, number: int) -> None:
        """Record a shard's login."""
        self.watchdog.logged_in(number)

    async def on_shard_ready(self, number: int) -> None:
        """Resume the clocks of a shard whose connection is ready."""
        if self.held is not None:
            await self.held.connected(number)
        await self.clockwork.connected(number)

    async def on_shard_resumed(self, number: int) -> None:
        """Resume the clocks of a shard that has reconnected."""
        self.watchdog.logged_in(number)
        await self.clockwork.connected(number)

    async def on_shard_disconnect(self, number: int) -> None:
        """Record a lost connection."""
        await self.clockwork.disconnected(number)

    @override
    async def setup_hook(self) -> None:
        """Start the clocks and load the cogs. Commands and card faces are uploaded in the background.

        Raises StoreError before anything changes if the database belongs to another application.
        """
        lead_through(self.http, partial(counted, self.metrics), on_unauthorized=self.token_watch.doubt)
        self.governor.govern(self.http)
        await self._claim(str(self.application_id))
        timekeeper = self.clockwork.timekeeper
        await (timekeeper.resume() if self.held is None else self.held.join(timekeeper))
        self.clockwork.start()
        await asyncio.get_running_loop().run_in_executor(None, zones)
        await self.load_cogs()
        for code, count in untranslated().items():
            log.info("%s sentences aren't translated into %s, so they are shown in English", count, code)
        await self.tree.set_translator(CommandTranslator())
        guild = None if self._sync_guild is None else discord.Object(self._sync_guild)
        if guild is not None:
            self.tree.copy_global_to(guild=guild)
        if self.held is None:
            self.sync()
        else:
            self._bringing = [asyncio.create_task(await_faces(self, self.services.faces))]

    async def load_cogs(self) -> None:
        """Load all cogs into a bot without cogs."""
        for cog in COGS:
            await import_module(cog).setup(self)
        gather(self.tree)

    def sync(self) -> None:
        """Upload the commands and the card faces to Discord. Only one process does this."""
        guild = None if self._sync_guild is None else discord.Object(self._sync_guild)
        self._bringing += [
            asyncio.create_task(sync("the commands", lambda: register(self.tree, guild))),
            asyncio.create_task(sync("the card faces", lambda: upload_card_emojis(self, self.services.faces))),
        ]

    def lead(self) -> None:
        """Take over the tasks that only one process does for the whole bot."""
        self.leads = True
        self.sync()
        self.clockwork.audit.restart()

    @override
    async def launch_shards(self) -> None:
        """Connect to Discord with all shards, or only with the leased ones."""
        if self.held is None:
            await super().launch_shards()
        else:
            await self.held.begin(self, self.clockwork, lead=self.lead)

    @override
    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for a shard's turn to log in."""
        if self.held is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self.held.wait_to_log_in(shard_id or 0)

    @override
    async def close(self) -> None:
        """Hand over to other processes, stop the clocks and the drawing, and disconnect from Discord."""
        if self.held is not None:
            await self.held.hand_all_over()
        for task in self._bringing:
            task.cancel()
        if self.held is not None:
            await self.held.stop()
        try:
            async with asyncio.timeout(FINISH_SECONDS):
                await self._finish()
        except TimeoutError as late:
            # If it waited longer, the supervisor would kill the process while it holds its leases. Stored changes are
            # safe and are drawn later.
            log.warning("the bot is exiting with unfinished work: %r", late)
        self.services.pictures.close()
        try:
            async with asyncio.timeout(FINISH_SECONDS):
                await super().close()
        except TimeoutError as late:
            log.warning("the bot is exiting with unfinished work: %r", late)
        if self.held is not None:
            await self.held.leave()

    async def _finish(self) -> None:
        """Stop accepting work, and draw what is pending."""
        await self.links.end()
        await self.clockwork.stop()
        await self.services.event_publisher.close()
        for poster in self.services.posters:
            await poster.close()
        await self.services.seated_names.close()
        await self.services.publisher.close()
        await self.services.welcomes.close()
        await self.services.daily.close()

    @override
    def __repr__(self) -> str:
        return f"<ChaipoBot guilds={len(self.guilds)}>"


def settle_in() -> None:
    """Exclude everything loaded so far from garbage collection.

    A full collection would delay interactions by 0.1 to 0.3 seconds. With these thresholds, a collection runs after
    many interactions instead of after each one.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
