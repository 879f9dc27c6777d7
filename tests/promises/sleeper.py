"""A bot with a running turn of ten seconds at its table, which is stopped for longer than that and then continued."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from bot.model.ids import GuildId
from tests.standin.standin import Standin, custom_ids
from tests.standin.wired_bot import make_bot

TURN = "10s"


def now_ms() -> int:
    return time.time_ns() // 1_000_000


async def sleep_through(folder: Path) -> None:
    """Open a table, report it, and check later whether a player has timed out."""
    discord = Standin(now_ms=now_ms)
    channel = discord.channel(discord.guild(1), 1)
    bot = await make_bot(discord, folder, now_ms=now_ms)
    await discord.start(bot)
    host, guest = discord.user(1), discord.user(2)
    await discord.slash(host, channel, "ofc play", clock=TURN).finished()
    for user, verb in ((guest, "join"), (host, "start")):
        await bot.services.publisher.drawn()
        message = channel.public()[-1]
        (custom_id,) = custom_ids(message, verb)
        await discord.press(user, message, custom_id).finished()
    while bot.clockwork.counted_to is None:  # noqa: ASYNC110 - no event tells it
        # The clock has to have beaten, or it could not tell that it was kept from beating.
        await asyncio.sleep(0.1)
    print("playing", flush=True)
    (table,) = await bot.services.play.open_tables(GuildId(channel.guild.id))
    for _ in range(100):
        await asyncio.sleep(0.1)
        view = await bot.services.play.look(table.key)
        if view.table.stood_still or view.waiting[0] != str(guest.id):
            break
    late = [place.seat.timeouts for place in view.places if place.seat.timeouts]
    print("timed out" if late or view.table.stood_still < 8_000 else "nobody was timed out", flush=True)
    await discord.stop()
