"""Logins to Discord are few: shards move with as few as can be, one at a time, and never use up the last."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from bot.run.cluster.held_shards import LAST_LOGINS
from tests.databases import DATABASES, ask
from tests.processes.house import House, house

SHARDS, MANY = 4, 6


async def test_a_process_that_joins_while_the_first_still_logs_in_costs_no_login(tmp_path: Path) -> None:
    async with house(DATABASES.server, tmp_path, shards=MANY) as played:
        (first,) = await played.start()
        await played.discord.until(lambda: played.discord.held)
        assert "if this process dies, the last one is served 34 s later" in first.said
        await played.start()
        await played.ready()
        assert sorted(shard for _, shard in played.discord.logins) == list(range(MANY)), "each shard has logged in once"
        assert not played.discord.too_early


async def test_a_login_that_connects_slowly_pushes_the_next_one_back(tmp_path: Path) -> None:
    async with house(DATABASES.server, tmp_path, shards=2) as played:
        played.discord.hello_seconds = [3.0]
        await played.start()
        await played.ready()
        assert not played.discord.hello_seconds
        assert sorted(shard for _, shard in played.discord.logins) == [0, 1]
        assert not played.discord.too_early


async def test_shards_wait_when_discord_takes_few_more_logins(tmp_path: Path) -> None:
    async with house(DATABASES.server, tmp_path, shards=SHARDS, logins_at_once=SHARDS) as played:
        discord = played.discord
        discord.logins_left, discord.logins_reset_ms = LAST_LOGINS + 1, 1000
        (bot,) = await played.start()
        await discord.until(lambda: "shards are waiting" in bot.said)
        assert discord.logins_left == LAST_LOGINS
        assert len(discord.held) == 1
        discord.logins_left = 1000
        await played.ready()


async def test_nothing_moves_that_can_stay_when_logins_are_few(tmp_path: Path) -> None:
    async with house(DATABASES.server, tmp_path, shards=SHARDS, logins_at_once=SHARDS) as played:
        await played.start()
        await played.ready()
        played.discord.logins_left = 2 * SHARDS
        await played.start()
        words: set[int] = set()

        def has_stood() -> bool:
            words.update(_last_word_of_the_newcomer(played))
            return len(words) > 3

        await played.discord.until(has_stood)
        assert ask(played.address, "SELECT COUNT(*) FROM heir") == [(0,)]
        assert len(played.discord.logins) == SHARDS


def _last_word_of_the_newcomer(played: House) -> list[int]:
    """When it last said that it lives, once it has joined."""
    return [at for (at,) in ask(played.address, "SELECT expires_at FROM process ORDER BY process_id OFFSET 1")]


async def test_how_many_logins_are_left_is_not_asked_for_each_of_many(tmp_path: Path) -> None:
    async with house(DATABASES.server, tmp_path, shards=2 * MANY, logins_at_once=2 * MANY) as played:
        asked: Counter[str] = Counter()
        played.discord.hook = lambda request: asked.update([request.kind])
        await played.start()
        await played.ready()
        assert len(played.discord.logins) == 2 * MANY
        assert 0 < asked["gateway"] < MANY, "a question for each login would be twice as many"
