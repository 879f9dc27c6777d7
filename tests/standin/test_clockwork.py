"""The clockwork at a start: what is gone is closed, and what is another process's is left alone."""

import asyncio
from pathlib import Path

from bot.play.model import GuildId, TableId, TableKey
from tests.standin.room import Room, make_bot


async def test_only_a_server_of_its_own_connections_is_taken_for_gone(room: Room, tmp_path: Path) -> None:
    unknown = room.discord.guild(2)
    await room.discord.slash(room.user(1), room.discord.channel(unknown, 1), "ofc play").finished()
    await room.drawn()
    await room.discord.stop()
    del room.discord.guilds[unknown.id]
    key = TableKey(guild=GuildId(unknown.id), table=TableId(1))
    for connections, closed in (([1], None), (None, "guild_gone")):
        room.bot = await make_bot(room.discord, tmp_path)
        room.bot.shard_ids = connections
        await room.discord.start(room.bot)
        while room.bot.clockwork.counted_to is None:  # noqa: ASYNC110  # no event tells it
            await asyncio.sleep(0.01)
        assert (await room.bot.services.play.look(key)).table.closed_reason == closed
        await room.discord.stop()
