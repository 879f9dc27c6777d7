"""The bot's status in a server, without data about other servers."""

from __future__ import annotations

from bot import __version__
from bot.base.installation import version_text
from bot.chat.client import Client
from bot.chat.club.screens.status import BotStatus
from bot.model.ids import GuildId

BEAT_MS = 5_000
"""Time without a heartbeat after which clocks count as stopped."""


async def status_of(bot: Client, guild: GuildId) -> BotStatus:
    """Return the bot's status for a server."""
    services = bot.services
    play, now = services.play, services.publisher.now()
    shard = bot.shard_of(guild)
    connection = bot.get_shard(shard.number)
    backlog = await play.backlog(guild)
    storage_works = bot.metrics.storage_trouble is None
    beats = bot.metrics.beat_at is not None and now - bot.metrics.beat_at <= BEAT_MS
    return BotStatus(
        version=version_text(__version__),
        started_at=bot.started_at,
        now=now,
        latency_seconds=connection.latency if connection else float("inf"),
        tables=len(await play.open_tables(guild)),
        behind=backlog.waiting,
        lag_seconds=services.publisher.lag_seconds(guild),
        storage_works=storage_works,
        thinks_quickly=services.workers.quick,
        clocks_run=storage_works and beats and not await play.is_cut_off(shard),
    )
