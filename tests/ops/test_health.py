"""The health endpoint, asked over HTTP as a supervisor and Prometheus ask it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientConnectorError, ClientSession
from prometheus_client.parser import text_string_to_metric_families

from bot import __version__
from bot.__main__ import _serve, main
from bot.base import logs
from bot.base.installation import HOME
from bot.base.settings import load_settings
from bot.ops.health import CLOCK_MS, STALLED_SECONDS, Health, HealthError, serving, watching_the_loop
from bot.ops.metrics import Metrics
from tests.discord.club import Club, complaints, open_club
from tests.ops.service import service


class Watch:
    """A monotonic clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Page:
    """The endpoint of one bot."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.watch = Watch()
        self.health = Health(metrics, clock=self.watch)
        self.port = 0

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Page]:
        """Serve it."""
        async with serving(self.health, host="127.0.0.1", port=0) as self.port:
            yield self

    async def get(self, path: str) -> tuple[int, str, str]:
        """Status, content type and text of a page."""
        async with ClientSession() as http, http.get(f"http://127.0.0.1:{self.port}/{path}") as answer:
            return answer.status, answer.headers["Content-Type"], await answer.text()

    async def ask(self) -> tuple[int, dict[str, Any]]:
        """Status and body of ``/health``."""
        async with ClientSession() as http, http.get(f"http://127.0.0.1:{self.port}/health") as answer:
            told: dict[str, Any] = await answer.json()
            return answer.status, told

    async def metric(self, name: str, **labels: str) -> float | None:
        """One number of ``/metrics``."""
        _, _, text = await self.get("metrics")
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                if sample.name == name and sample.labels == labels:
                    return float(sample.value)
        return None


@pytest.fixture
async def club(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Club]:
    async with open_club(tmp_path) as opened:
        yield opened
    assert not complaints(caplog.get_records("call"), opened.forgiven)


@asynccontextmanager
async def page_of(club: Club) -> AsyncIterator[Page]:
    """The endpoint of the club's bot."""
    page = Page(club.bot.metrics)
    page.health.watch_connection(
        club.bot,
        club.play,
        club.world.now_ms,
        lag_seconds=club.bot.services.publisher.lag_seconds,
        thinking=lambda: len(club.bot.clockwork.timekeeper.thinking),
        workers=lambda: club.bot.services.workers.running,
    )
    async with page.opened():
        yield page


async def test_a_bot_that_is_not_there_yet_is_starting() -> None:
    async with Page(Metrics()).opened() as page:
        page.watch.now += 3.7
        status, told = await page.ask()
        assert status == 503
        assert told == {
            "status": "unwell",
            "reasons": ["starting"],
            "version": __version__,
            "uptime_seconds": 3,
            "shards": 0,
            "shards_connected": 0,
            "messages_behind_seconds": 0.0,
        }
        assert await page.metric("chaipo_storage_ok") == 1
        assert (await page.get("elsewhere"))[0] == 404


@pytest.mark.parametrize("head", [b"X: " + b"a" * 9000, b"no header", b"X: \0"])
async def test_a_request_that_is_no_http_is_answered_and_not_logged(
    head: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with Page(Metrics()).opened() as page:
        reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
        writer.write(b"GET /health HTTP/1.1\r\nHost: here\r\n" + head + b"\r\n\r\n")
        assert b" 400 " in await reader.readline()
        writer.close()
    assert not caplog.records


@pytest.mark.parametrize("path", ["health", "metrics"])
async def test_a_name_that_a_web_page_may_have_made_lead_here_is_refused(path: str) -> None:
    async with Page(Metrics()).opened() as page, ClientSession() as http:
        for host, status in {
            "evil.example": 403,
            "evil.example:9464": 403,
            "127.0.0.1.evil.example": 403,
            "127.0.0.1": 0,
            "127.0.0.1:9464": 0,
            "[::1]:9464": 0,
            "10.0.0.7:9464": 0,
            "localhost:9464": 0,
            "chaipo:9464": 0,
        }.items():
            async with http.get(f"http://127.0.0.1:{page.port}/{path}", headers={"Host": host}) as answer:
                assert (answer.status == 403) is (status == 403), host
                assert ("status" in (text := await answer.text()) or "chaipo" in text) is (status != 403), host


async def test_a_connection_is_limited_as_those_to_pages_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.ops.health.MAX_CONNECTIONS", 2)
    async with Page(Metrics()).opened() as page:
        silent = [await asyncio.open_connection("127.0.0.1", page.port) for _ in range(4)]
        async with ClientSession() as http:
            for ask in (http.get, http.head):
                async with ask(f"http://127.0.0.1:{page.port}/health") as answer:
                    assert answer.status == 503
                    assert answer.headers["Server"] == "Chaipo"
        for reader, _ in silent[:3]:
            with suppress(ConnectionResetError):
                assert await reader.read() == b"", "it made room"
        reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
        writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 1_000_000)
        with suppress(ConnectionResetError):
            await reader.read()
        for _, one in [*silent, (reader, writer)]:
            one.close()


async def test_a_healthy_bot_is_well(club: Club) -> None:
    await club.pass_time(2)
    async with page_of(club) as page:
        status, told = await page.ask()
        assert (status, told["status"], told["reasons"]) == (200, "ok", [])
        assert (told["shards"], told["shards_connected"]) == (1, 1)


async def test_what_is_wrong_is_named(club: Club) -> None:
    await club.pass_time(2)
    await club.open_table("alice", "bob")
    async with page_of(club) as page:
        page.watch.now += STALLED_SECONDS
        assert await page.ask() == (503, {**(await page.ask())[1], "reasons": ["event_loop"]})
        page.health.turned()
        assert (await page.ask())[0] == 200

        club.bot.metrics.beat(club.world.now_ms() - CLOCK_MS - 1)
        assert (await page.ask())[1]["reasons"] == ["clocks"]
        await club.pass_time(2)
        assert (await page.ask())[0] == 200

        club.troubles.append(sqlite3.SQLITE_FULL)
        club.forgiven += ["storage trouble", "the turn clock failed"]
        await club.pass_time(15)
        assert (await page.ask())[1]["reasons"] == ["storage"]
        assert await page.metric("chaipo_storage_ok") == 0
        club.troubles.clear()
        await club.pass_time(15)
        assert (await page.ask())[0] == 200

        for shard in club.bot.shards.values():
            await shard.disconnect()
        status, told = await page.ask()
        assert (status, told["reasons"], told["shards_connected"]) == (503, ["gateway"], 0)


async def test_metrics_are_what_prometheus_reads(club: Club) -> None:
    await club.pass_time(2)
    await club.open_table("alice", "bob")
    await club.slash("hanako", "ofc play")
    async with page_of(club) as page:
        status, kind, text = await page.get("metrics")
        assert status == 200
        assert kind.startswith("text/plain; version=")
        assert list(text_string_to_metric_families(text))
        assert [await page.metric("chaipo_tables", state=state) for state in ("lobby", "playing", "between")] == [
            1,
            1,
            0,
        ]
        assert await page.metric("chaipo_messages_behind") == 0
        assert await page.metric("chaipo_thinking") == 0
        assert await page.metric("chaipo_workers") == 0
        assert await page.metric("chaipo_shards_connected") == 1
        assert await page.metric("chaipo_gateway_latency_seconds", shard="0") == 0
        assert await page.metric("process_start_time_seconds")


async def test_metrics_name_nobody(club: Club) -> None:
    await club.open_table("alice", "bob")
    await club.type_hand()
    async with page_of(club) as page:
        _, _, text = await page.get("metrics")
    ids = {str(member.id) for member in club.members.values()} | {str(club.guild.id), str(club.channel.id)}
    assert {number for number in re.findall(r"\d{15,}", text) if number in ids} == set()


async def test_the_documents_name_every_metric_and_no_other() -> None:
    metrics = Metrics()
    declared = {family.name for family in metrics.registry.collect() if family.name.startswith("chaipo_")}
    types = {family.name: family.type for family in metrics.registry.collect()}
    named = {name + "_total" if types[name] == "counter" else name for name in declared}
    text = (HOME / "docs/reference.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(chaipo_[a-z_]+)", text, re.MULTILINE)
    assert sorted(listed) == sorted(named)
    used = set(re.findall(r"\bchaipo_[a-z_]+", text)) - named
    assert {re.sub(r"_(?:bucket|sum|count)$", "", name) for name in used} <= named


async def test_the_loop_is_measured_while_it_is_watched() -> None:
    metrics = Metrics()
    health = Health(metrics)
    async with watching_the_loop(health, metrics):
        while not metrics.registry.get_sample_value("chaipo_event_loop_lag_seconds_count"):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert health.reasons() == ["starting"]


def taken_port() -> socket.socket:
    """Return a port in use."""
    return socket.create_server(("127.0.0.1", 0))


async def test_a_port_in_use_is_refused_in_one_sentence() -> None:
    with taken_port() as taken:
        port = taken.getsockname()[1]
        with pytest.raises(HealthError) as refused:
            async with serving(Health(Metrics()), host="127.0.0.1", port=port):
                pass
        assert str(refused.value).startswith(f"The health endpoint cannot use port {port} on 127.0.0.1 (Address alre")
        assert "\n" not in str(refused.value)


async def test_an_address_of_another_machine_is_refused_too() -> None:
    with pytest.raises(HealthError, match=r"cannot use port 0 on 192\.0\.2\.1 \(Cannot assign"):
        async with serving(Health(Metrics()), host="192.0.2.1", port=0):
            pass


def test_the_bot_does_not_start_without_its_health_endpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logs, "set_up", lambda **_: None)
    with taken_port() as taken:
        port = taken.getsockname()[1]
        environ = {
            "CHAIPO_DATABASE": str(tmp_path / "a.db"),
            "CHAIPO_KEY_FILE": str(tmp_path / "a.key"),
            "CHAIPO_HEALTH_PORT": str(port),
            "CHAIPO_PORT": "0",
        }
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        assert main(["run", "--playground"]) == 1
    told = capsys.readouterr().err
    assert told.splitlines()[-1].startswith(f"chaipo: The health endpoint cannot use port {port}")
    assert "Traceback" not in told


async def test_the_bot_on_discord_has_it_from_its_start_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with taken_port() as taken:
        port = taken.getsockname()[1]
    written = {
        "DISCORD_TOKEN": "the-token",
        "CHAIPO_DATABASE": str(tmp_path / "a.db"),
        "CHAIPO_KEY_FILE": str(tmp_path / "a.key"),
        "CHAIPO_HEALTH_PORT": str(port),
    }
    # discord.py asks how many connections there should be.
    async with service(monkeypatch) as discord, ClientSession() as http:
        running = asyncio.create_task(_serve(load_settings(written, None), playground=False))
        told: dict[str, Any] = {"reasons": ["starting"]}
        while told["reasons"]:
            await asyncio.sleep(0.05)
            assert not running.done()
            with suppress(ClientConnectorError):
                async with http.get(f"http://127.0.0.1:{port}/health") as answer:
                    told = await answer.json()
        assert (told["status"], told["shards_connected"], discord.logins) == ("ok", 1, {0: 1})
        os.kill(os.getpid(), signal.SIGTERM)
        await running
        with pytest.raises(ClientConnectorError):
            await http.get(f"http://127.0.0.1:{port}/health")
