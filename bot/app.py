"""The bot itself: a discord.py client with a desk, cogs loaded by name, and card faces of its own."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable

import discord
from discord import app_commands
from discord.ext import commands

from bot.live import passing_trouble
from bot.live.application_assets import bring, bring_faces, register
from bot.live.client import Client
from bot.live.event_publisher import EventPublisher
from bot.live.fast_json import take_every_text
from bot.live.governor import USUAL_SHARE, Governor
from bot.live.services import Services
from bot.live.table_publisher import TablePublisher
from bot.live.threads import Threads
from bot.meter import Outcome
from bot.ops.http_trace import rest_trace
from bot.ops.metrics import Metrics
from bot.ops.watchdog import Watchdog
from bot.play.event.service import Events
from bot.play.policy import Policy
from bot.play.ports import Vault
from bot.play.service import Play
from bot.store.database import Database
from bot.store.records import SqlStorage
from bot.text.zones import zones
from bot.ui.brakes import Rates
from bot.ui.command_words import CommandTranslator
from bot.ui.faces import Faces
from bot.ui.gate import Gate, Reply
from bot.ui.raw_options import unfit_option
from bot.ui.widgets import Interaction, pressed

log = logging.getLogger(__name__)

COGS = (
    "cogs.lobby",
    "cogs.dealing",
    "cogs.placement",
    "cogs.settlement",
    "cogs.chips",
    "cogs.leaderboard",
    "cogs.rules",
    "cogs.house_rules",
    "cogs.my_games",
    "cogs.event.commands",
    "cogs.status",
)
REDRAW_PAUSE_SECONDS = 1.0
USUAL_RATES = Rates()
EVENT_PAUSES = 5
"""An event's message is drawn so many times as seldom as a table's: it shows what many tables do."""


class CommandTree(app_commands.CommandTree["ChaipoBot"]):
    """Slash commands whose failures are answered by the gate like everything else."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Refuse values that the command does not offer; what is still being typed may be anything."""
        name = None if interaction.type is discord.InteractionType.autocomplete else unfit_option(interaction)
        if name is None:
            return True

        async def body(reply: Reply) -> None:
            reply.outcome = Outcome.REFUSED
            await reply.say(reply.words("gate.unfit_option", option=name))

        await interaction.client.services.gate.run(interaction, body)
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Say what went wrong, in the reader's language."""

        async def body(reply: Reply) -> None:
            if isinstance(error, app_commands.MissingPermissions):
                reply.outcome = Outcome.REFUSED
                await reply.say(reply.words("gate.needs_manage_server"))
            elif isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
                reply.outcome = Outcome.STALE
                await reply.say(reply.words("gate.old_command"))
            else:
                raise error

        await interaction.client.services.gate.run(interaction, body)


class ChaipoBot(Client):
    """Chaipo on Discord. ``now_ms`` is the clock, in milliseconds since 1970."""

    def __init__(
        self,
        database: Database,
        vault: Vault,
        *,
        policy: Policy,
        now_ms: Callable[[], int],
        shard_count: int | None = None,
        sync_guild: int | None = None,
        redraw_pause: float = REDRAW_PAUSE_SECONDS,
        requests_a_second: float = USUAL_SHARE,
        metrics: Metrics | None = None,
        rates: Rates = USUAL_RATES,
        owner: str | None = None,
    ) -> None:
        """``owner`` is whose database it must be; left out, the application's that logs in."""
        self.metrics = metrics or Metrics()
        self.governor = Governor(share=requests_a_second)
        trace = rest_trace(self.metrics)
        self.governor.listen(trace)
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            shard_count=shard_count,
            tree_cls=CommandTree,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            http_trace=trace,
        )
        passing_trouble.listen()
        take_every_text()
        self._database = database
        self._owner = owner
        self._sync_guild = sync_guild
        self.started_at = now_ms()
        play = Play(SqlStorage(database), vault, policy=policy, now_ms=now_ms, meter=self.metrics, published=True)
        faces, events = Faces(), Events(play)
        publisher = TablePublisher(
            self,
            play,
            faces,
            Threads(self, events),
            self.governor,
            now_ms=now_ms,
            pause_seconds=redraw_pause,
            meter=self.metrics,
        )
        event_publisher = EventPublisher(
            self,
            events,
            publisher,
            self.governor,
            now_ms=now_ms,
            pause_seconds=redraw_pause * EVENT_PAUSES,
            meter=self.metrics,
        )
        play.on_change(publisher.changed)
        play.on_event(event_publisher.changed)
        self.services = Services(
            play=play,
            events=events,
            gate=Gate(self.metrics, rates=rates),
            publisher=publisher,
            event_publisher=event_publisher,
            faces=faces,
        )
        self.watchdog = Watchdog(self, self.metrics)
        self._bringing: list[asyncio.Task[None]] = []

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a button or select."""
        self.watchdog.heard(interaction.guild_id)
        if found := pressed(interaction):
            await self.services.gate.press(interaction, *found)

    async def on_shard_connect(self, number: int) -> None:
        """Discord has answered."""
        self.watchdog.logged_in(number)

    async def on_shard_resumed(self, number: int) -> None:
        """Discord has answered once more."""
        self.watchdog.logged_in(number)

    async def setup_hook(self) -> None:
        """Resume the clocks and load the cogs; the commands and the card faces follow in the background.

        Raises StoreError, before anything is changed, when the database is somebody else's.
        """
        self.governor.govern(self.http)
        await self._database.claim(self._owner or str(self.application_id))
        await self.services.play.resume()
        await asyncio.get_running_loop().run_in_executor(None, zones)
        for cog in COGS:
            await self.load_extension(cog)
        await self.tree.set_translator(CommandTranslator())
        guild = None if self._sync_guild is None else discord.Object(self._sync_guild)
        if guild is not None:
            self.tree.copy_global_to(guild=guild)
        self._bringing = [
            asyncio.create_task(bring("the commands", lambda: register(self.tree, guild))),
            asyncio.create_task(bring("the card faces", lambda: bring_faces(self, self.services.faces))),
        ]

    async def close(self) -> None:
        """Stop thinking and drawing, leave Discord, and close the database."""
        for task in self._bringing:
            task.cancel()
        await self.services.play.stop()
        await self.services.event_publisher.close()
        await self.services.publisher.close()
        await super().close()
        await self._database.close()

    def __repr__(self) -> str:
        return f"<ChaipoBot guilds={len(self.guilds)}>"


def settle_in() -> None:
    """Tell the garbage collector that what is loaded by now stays.

    Looking through all of it would halt every press for 0.1 to 0.3 seconds; and what a press leaves behind is looked at
    after many presses, not after each.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
