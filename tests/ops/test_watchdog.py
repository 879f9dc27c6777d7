"""A deaf connection: the real bot with discord.py's own gateway, and a service that acknowledges and says nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from typing_extensions import override

from bot.ops.watchdog import RECONNECT_SECONDS, SILENT_SECONDS, Watchdog
from bot.run.app import ChaipoBot
from bot.run.wiring import OperatorChoices, Resources, build_bot
from bot.store.sqlite.database import SqliteDatabase
from bot.store.vault import SeedVault
from tests.databases import hurried
from tests.ops.service import Service, connected, service

IMPATIENT_SECONDS = 0.05
"""For an answer that does not come, however long it is waited for."""


async def at_once(shard_id: int | None, *, initial: bool = False) -> None:
    """Do not wait between the logins of two shards, as Discord wants it."""


class Dog(Watchdog):
    """The watchdog, but it gives up at once where the service is known to send nothing.

    With the others it keeps its patience: on a busy machine their answers take their time.
    """

    def __init__(self, bot: ChaipoBot, discord: Service, *, clock: Callable[[], float]) -> None:
        super().__init__(bot, bot.metrics, clock=clock)
        self._discord = discord

    @override
    def patience(self, shard: int) -> float:
        """Seconds."""
        return IMPATIENT_SECONDS if shard in self._discord.deaf else super().patience(shard)


class WatchedBot:
    """A bot that is watched, the service, and the watchdog's clock."""

    def __init__(self, bot: ChaipoBot, discord: Service) -> None:
        self.bot = bot
        self.discord = discord
        self.now = 1000.0
        bot.watchdog = Dog(bot, discord, clock=lambda: self.now)

    async def look(self, *, after: float) -> None:
        """Let the watchdog look after so many seconds."""
        self.now += after
        await self.bot.watchdog.look()

    def count(self, metric: str, /, **labels: str) -> float:
        """A metric."""
        return self.bot.metrics.registry.get_sample_value(metric, labels) or 0.0


@asynccontextmanager
async def opened(path: Path, monkeypatch: pytest.MonkeyPatch, *, shards: int) -> AsyncIterator[WatchedBot]:
    async with AsyncExitStack() as stack:
        discord = await stack.enter_async_context(service(monkeypatch, shards=shards))
        database = await SqliteDatabase.open(path / "chaipo.db", connect=hurried)
        stack.push_async_callback(database.close)
        vault = SeedVault.open(path / "chaipo.key")
        bot = build_bot(
            Resources(database=database, vault=vault), OperatorChoices(shard_count=shards), now_ms=lambda: 0
        )
        bot.before_identify_hook = at_once  # type: ignore[method-assign]
        watched = WatchedBot(bot, discord)
        await stack.enter_async_context(connected(bot))
        await watched.look(after=0)
        yield watched


async def until(true: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    while not true():  # noqa: ASYNC110  # no event tells of all of it
        await asyncio.sleep(0.01)


async def test_a_quiet_connection_that_answers_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(tmp_path, monkeypatch, shards=1) as watched:
        await watched.look(after=SILENT_SECONDS - 1)
        assert not watched.discord.questions
        for night in range(1, 4):
            await watched.look(after=SILENT_SECONDS + 1)
            assert watched.discord.questions == {0: night}
            await watched.look(after=60)
            assert watched.discord.questions == {0: night}
        assert watched.discord.logins == {0: 1}
        assert watched.count("chaipo_shard_probes_total", outcome="answered") == 3


async def test_a_deaf_connection_is_made_anew_once_an_hour_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path, monkeypatch, shards=2) as watched:
        watched.discord.deaf = {1}
        await watched.look(after=SILENT_SECONDS + 1)
        await until(lambda: watched.discord.logins == {0: 1, 1: 2})
        assert "shard 1 has been silent for 901 s" in caplog.text
        # The connection stays silent, and the next attempt follows an hour later.
        await watched.look(after=SILENT_SECONDS + 1)
        await watched.look(after=60)
        assert watched.count("chaipo_shard_reconnects_total", shard="1") == 1
        await watched.look(after=RECONNECT_SECONDS)
        await until(lambda: watched.discord.logins == {0: 1, 1: 3})
        assert watched.count("chaipo_shard_reconnects_total", shard="1") == 2
        assert watched.count("chaipo_shard_reconnects_total", shard="0") == 0


async def test_a_connection_that_hears_again_after_it_was_made_anew_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, monkeypatch, shards=1) as watched:
        watched.discord.deaf = {0}
        await watched.look(after=SILENT_SECONDS + 1)
        watched.discord.deaf = set()
        ready = asyncio.create_task(watched.bot.wait_for("shard_ready"))
        await ready
        await watched.look(after=RECONNECT_SECONDS)
        assert watched.discord.logins == {0: 2}
        assert watched.count("chaipo_shard_probes_total", outcome="answered") == 1


async def test_a_login_that_is_never_answered_is_tried_anew_without_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, monkeypatch, shards=1) as watched:
        watched.discord.deaf = watched.discord.mute_at_login = {0}
        await watched.look(after=SILENT_SECONDS + 1)
        await until(lambda: watched.discord.logins == {0: 2})
        watched.discord.deaf = watched.discord.mute_at_login = set()
        await watched.look(after=RECONNECT_SECONDS + 1)
        await until(lambda: watched.discord.logins == {0: 3})
        assert watched.discord.questions == {0: 1}


async def test_a_connection_that_discord_py_makes_anew_is_its_own_business(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, monkeypatch, shards=1) as watched:
        back = asyncio.create_task(watched.bot.wait_for("shard_resumed"))
        await watched.discord.drop(0)
        await back
        await watched.look(after=SILENT_SECONDS - 1)
        assert watched.discord.logins == {0: 1}
        assert not watched.discord.questions


async def test_presses_are_signs_of_life_and_discords_answers_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, monkeypatch, shards=1) as watched:
        watched.now += SILENT_SECONDS - 1
        watched.discord.statuses = [429, 404]
        for number in (1, 2):
            await watched.discord.send(0, "INTERACTION_CREATE", press(watched.discord.guild_of(0), number))
        await until(lambda: watched.count("chaipo_interaction_age_seconds_count") == 2)
        await watched.look(after=SILENT_SECONDS - 1)
        assert not watched.discord.questions
        assert watched.count("chaipo_rest_rate_limited_total", scope="shared") == 1
        assert watched.count("chaipo_rest_responses_total", status="429") == 1
        # The emojis of the cards are not there either.
        assert watched.count("chaipo_rest_responses_total", status="404") >= 1
        # Requests of the login come before the first count.
        assert watched.count("chaipo_rest_responses_total", status="200") >= 3
        answered = [
            watched.count("chaipo_interactions_total", kind="press", name="unknown", outcome=outcome)
            for outcome in ("stale", "undelivered")
        ]
        assert answered == [2, 0]


def press(guild: int, number: int) -> dict[str, object]:
    """A press on a button of no bot that we know."""
    user = {"id": "7", "username": "alice", "discriminator": "0", "avatar": None}
    member: dict[str, object] = {
        "user": user,
        "roles": [],
        "joined_at": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": "0",
    }
    return {
        "id": str(number),
        "application_id": "100",
        "type": 3,
        "token": f"token-{number}",
        "version": 1,
        "guild_id": str(guild),
        "channel_id": "5",
        "channel": {"id": "5", "type": 0, "name": "cards", "position": 0},
        "locale": "en-US",
        "app_permissions": "0",
        "attachment_size_limit": 1,
        "entitlements": [],
        "authorizing_integration_owners": {},
        "member": member,
        "data": {"custom_id": "another:bot", "component_type": 2},
    }
