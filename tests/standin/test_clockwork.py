"""The clockwork at a start: what is gone is closed, and what is another process's is left alone."""

import asyncio
from pathlib import Path

from bot.play.model import GuildId, TableId, TableKey
from tests.standin.wired_bot import WiredBot, make_bot


async def test_only_a_server_of_its_own_connections_is_taken_for_gone(wired: WiredBot, tmp_path: Path) -> None:
    unknown = wired.discord.guild(2)
    await wired.discord.slash(wired.user(1), wired.discord.channel(unknown, 1), "ofc play").finished()
    await wired.drawn()
    await wired.discord.stop()
    del wired.discord.guilds[unknown.id]
    key = TableKey(guild=GuildId(unknown.id), table=TableId(1))
    for connections, closed in (([1], None), (None, "guild_gone")):
        wired.bot = await make_bot(wired.discord, tmp_path)
        wired.bot.shard_ids = connections
        await wired.discord.start(wired.bot)
        while wired.bot.clockwork.counted_to is None:  # noqa: ASYNC110  # no event tells it
            await asyncio.sleep(0.01)
        assert (await wired.bot.services.play.look(key)).table.closed_reason == closed
        await wired.discord.stop()
