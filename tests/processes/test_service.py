"""The service: bots of other processes log in over sockets, as they do to Discord."""

from __future__ import annotations

from pathlib import Path

import aiohttp

from tests.standin.bot_process import BotProcess
from tests.standin.service import Login, Service


async def test_a_bot_of_another_process_plays_on_it(tmp_path: Path) -> None:
    settings = {
        "CHAIPO_DATABASE": str(tmp_path / "chaipo.db"),
        "CHAIPO_KEY_FILE": str(tmp_path / "chaipo.key"),
        "CHAIPO_WORKERS": "0",
    }
    async with Service(shards=2, logins_at_once=2).serving() as discord:
        channel = discord.channel(discord.guild_on(1), 1)
        bot = BotProcess(discord.url, settings, log=tmp_path / "bot.log")
        try:
            await discord.until(lambda: discord.held == {0, 1} and discord.commands)
            sent = await discord.slash(discord.user(1), channel, "ofc play", game="pineapple").finished()
            assert sent.answer is not None
            assert "Table 1 is open" in sent.answer.text, bot.said
            await discord.until(lambda: any("Table 1 " in message.text for message in channel.public()[1:]))
        finally:
            bot.end()
    assert not discord.limits.refused
    assert not discord.too_early


async def test_servers_are_on_the_shard_that_was_asked_for() -> None:
    for shards in (1, 2, 3, 6):
        discord = Service(shards=shards)
        found = [discord.shard_of(discord.guild_on(shard, number).id) for shard in range(shards) for number in (0, 9)]
        assert found == [shard for shard in range(shards) for _ in range(2)]


async def test_a_login_that_comes_too_early_is_refused_and_each_bucket_has_its_own_turn() -> None:
    async with Service(shards=4, logins_at_once=2).serving() as discord, aiohttp.ClientSession() as session:
        for shard in (0, 1, 2):
            socket = await session.ws_connect(discord.url)
            await socket.receive_json()
            await socket.send_json({"op": 2, "d": {"shard": [shard, 4]}})
            assert (await socket.receive_json())["op"] == (9 if shard == 2 else 0)
    assert discord.too_early == [2]


async def test_a_session_keeps_what_happens_while_nobody_is_connected() -> None:
    login = Login("session-1", 0)
    for number in range(3):
        login.send("THING", str(number))
    assert [packet[-2:] for packet in login.missed(1)] == ["1}", "2}"]
