"""Digests of three processes, of which one is killed when Discord has taken a digest and before it hears of that."""

from __future__ import annotations

import asyncio
import re
import signal
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.chat.clockwork import SWEEP_EVERY
from tests.databases import Server, ask, do
from tests.processes.house import House, house
from tests.standin.bot_process import BotProcess
from tests.standin.rest import Request
from tests.standin.standin import custom_ids
from tests.standin.things import Message

SHARDS = 6
PATIENCE_SECONDS = 180
DIGEST = re.compile(r"c1:games:")
_ON_TURN = "SELECT guild_id, player FROM seat WHERE deadline IS NOT NULL"
_CHOOSE = (
    "INSERT INTO member (guild_id, player, reminders, zone, digest_at, digest_due) VALUES (?, ?, 1, 'UTC', ?, ?) "
    "ON CONFLICT (guild_id, player) DO UPDATE SET zone = excluded.zone, digest_at = excluded.digest_at, "
    "digest_due = excluded.digest_due"
)
_SENT = "SELECT COUNT(*) FROM member WHERE digest_message IS NOT NULL AND digest_due > ?"


class Killer:
    """Kills the first process that sends a digest."""

    def __init__(self, played: House) -> None:
        self.victim: BotProcess | None = None
        self._played = played
        played.discord.hook = self._asked

    def _asked(self, request: Request) -> None:
        if self.victim is not None or request.kind != "send" or not DIGEST.search(request.body):
            return
        (channel,) = [channel for channel in self._played.channels if str(channel.id) in request.path]
        shard = self._played.channels.index(channel)
        self.victim = self._played.owners(shard)[0]
        self.victim.signal(signal.SIGKILL)


def digests(played: House) -> Sequence[list[Message]]:
    """Return the digests by server."""
    return [
        [message for message in channel.public() if any(custom_ids(message, "games"))] for channel in played.channels
    ]


def choose(played: House) -> None:
    """Give the players to act a digest that is due now."""
    now = datetime.now(UTC)
    waiting = ask(played.address, _ON_TURN)
    assert len(waiting) == SHARDS
    for guild, player in waiting:
        do(played.address, _CHOOSE, (guild, player, now.hour, round(now.timestamp() * 1000) - 60_000))


@pytest.mark.deep
async def test_each_digest_is_sent_once_though_one_process_is_killed_while_it_sends(
    server: Server, tmp_path: Path
) -> None:
    async with house(server, tmp_path, shards=SHARDS, logins_at_once=2) as played:
        former = await played.start(3)
        await played.ready()
        await played.open_slow_tables()
        killer = Killer(played)
        # Existing members were already known without one.
        await asyncio.to_thread(choose, played)
        await played.start(3)
        await played.discord.until(played.fairly_shared)
        for old in former:
            old.signal(signal.SIGTERM)
        await played.discord.until(lambda: all(old.ended is not None for old in former))
        await played.discord.until(lambda: all(digests(played)), seconds=PATIENCE_SECONDS)
        await asyncio.sleep(SWEEP_EVERY + 5)
        assert killer.victim is not None
        assert killer.victim.ended == -signal.SIGKILL
        assert [len(sent) for sent in digests(played)] == [1] * SHARDS
        assert ask(played.address, _SENT, (round(time.time() * 1000),)) == [(SHARDS,)]
        assert played.wrong() == []
