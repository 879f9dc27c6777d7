"""Temporary write errors of the storage. Nothing stops permanently, and the log has lines without tracebacks."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from typing_extensions import override

from bot.chat.kit.redraw_queue import RETRY_SECONDS
from bot.model.ids import GuildId, TableId, TableKey
from bot.run.app import ChaipoBot
from bot.run.wiring import OperatorChoices, Resources, build_bot
from bot.store.vault import SeedVault
from tests.simulation.disk import Disk
from tests.standin.rest import Fault, Request
from tests.standin.standin import Standin
from tests.standin.wired_bot import WiredBot, now_ms


class Weather(Disk):
    """A disk. After the transactions that a start takes, none of the database begins until the disk is well."""

    left = 2
    well = False

    @override
    def trace(self, where: str) -> None:
        """Receive the database's trace of a write."""
        if where != "begin":
            return
        self.left -= 1
        if self.left < 0 and not self.well:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error


async def made(discord: Standin, folder: Path) -> tuple[ChaipoBot, Weather]:
    weather = Weather(folder / "chaipo.db", Random(1))
    database = await weather.open(print)
    discord.closing.push_async_callback(database.close)
    vault = SeedVault.open(folder / "chaipo.key")
    operation = OperatorChoices(shard_count=1, redraw_pause=0)
    return build_bot(Resources(database=database, vault=vault), operation, now_ms=now_ms), weather


def tracebacks(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return tracebacks by the clock and by discord.py."""
    speakers = ("discord", "cogs", "bot")
    return [r.getMessage() for r in caplog.records if r.exc_info and r.name.split(".")[0] in speakers]


async def test_a_storage_that_fails_at_the_start_does_not_stop_the_clock_for_good(
    wired: WiredBot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    gone = wired.discord.guild(2)
    await wired.discord.slash(wired.user(1), wired.discord.channel(gone, 1), "ofc play").finished()
    await wired.drawn()
    await wired.discord.stop()
    del wired.discord.guilds[gone.id]
    wired.bot, weather = await made(wired.discord, tmp_path)
    await wired.discord.start(wired.bot)
    while "the clock is waiting for the storage" not in caplog.text:  # noqa: ASYNC110  # nothing tells of it
        await asyncio.sleep(0.01)
    weather.well = True
    key = TableKey(guild=GuildId(gone.id), table=TableId(1))
    while (await wired.bot.services.play.look(key)).table.open:  # noqa: ASYNC110  # the same
        await asyncio.sleep(0.01)
    assert not tracebacks(caplog)


async def test_a_table_is_drawn_as_soon_as_edits_work_again(wired: WiredBot) -> None:
    loop, refused = asyncio.get_running_loop(), list[float]()
    await wired.open(wired.user(1), wired.user(2))

    def twelve_fail(request: Request) -> Fault | None:
        if request.kind != "edit" or len(refused) == 12:
            return None
        refused.append(loop.time())
        return Fault(status=500)

    wired.discord.hook = twelve_fail
    (waiting,) = (await wired.look()).waiting
    await wired.place_cards(next(user for user in map(wired.user, (1, 2)) if str(user.id) == waiting))
    while (table := (await wired.look()).table).drawn_version < table.version:  # noqa: ASYNC110  # nothing tells of it
        await asyncio.sleep(1)
    assert len(refused) == 12
    # discord.py itself waits for up to nine seconds before it tries again, or gives up.
    assert loop.time() - refused[-1] <= 9 + RETRY_SECONDS + 2
    assert all(later - sooner <= 9 + RETRY_SECONDS + 2 for sooner, later in pairwise(refused))


async def test_a_listener_that_meets_a_storage_in_trouble_leaves_one_line(
    wired: WiredBot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await wired.open(wired.user(1), wired.user(2))
    await wired.discord.stop()
    wired.bot, weather = await made(wired.discord, tmp_path)
    await wired.discord.start(wired.bot)
    caplog.clear()
    await asyncio.wait(wired.discord.remove_channel(wired.channel))
    lines = [r.getMessage() for r in caplog.records if r.name == "discord.client" and r.levelno == logging.WARNING]
    assert any(line.startswith("Ignoring exception in on_guild_channel_delete: ") for line in lines)
    assert not tracebacks(caplog)
    weather.well = True
