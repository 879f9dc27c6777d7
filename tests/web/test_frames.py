"""The transport below the messages: control frames, fragments, deadlines, resets and too many connections.

Limits are tested on the work done, never on time.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace

import pytest
from aiohttp import web

from bot.ops import visitors
from bot.ops.visitors import KEPT_FREE, MAX_BURST_BYTES, Visitor, max_connections
from bot.text.words import words_for
from bot.web import connection, frames, serving
from bot.web.addresses import PAGE, SOCKET
from bot.web.frames import MAX_CONTROL_FRAMES, Socket
from bot.web.page import Page
from tests.discord.club import Club
from tests.web.open_pages import Open, key_of, link_in, linked

EN = words_for("en")
PING = bytes.fromhex("898000000000")
URL = "https://cards.example.org"


@pytest.fixture
def page_url() -> str:
    return URL


def handshake(path: str = SOCKET, *, origin: str = URL) -> bytes:
    """The request for a socket."""
    lines = [f"GET {path} HTTP/1.1", "Host: cards.example.org", f"Origin: {origin}", "Upgrade: websocket"]
    lines += ["Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {'A' * 22}==", "", ""]
    return "\r\n".join(lines).encode()


@asynccontextmanager
async def raw(door: Open, first: bytes = b"") -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a raw connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(first)
    try:
        yield reader, writer
    finally:
        writer.close()


async def ends(reader: asyncio.StreamReader) -> None:
    """Wait until the other side has ended a connection."""
    async with asyncio.timeout(60):
        with suppress(ConnectionError):
            while await reader.read(65_536):
                pass


async def lets_in(club: Club, door: Open) -> None:
    """Assert that an honest visitor is let in."""
    async with door.socket() as sight:
        await sight.say(type="open", **key_of(link_in(await club.open_panel("alice"))))
        await sight.until(lambda told: told["type"] == "snapshot")


class Counted:
    """Counts what is done for sockets: control frames that were handled, and bytes that were read as frames."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.controls = self.bytes = self.sockets = 0
        allows, received = Socket._allows_control, web.RequestHandler.data_received  # noqa: SLF001

        def count_control(of: Socket, now: float) -> bool:
            self.controls += 1
            return allows(of, now)

        def count_bytes(of: web.RequestHandler, data: bytes) -> None:
            self.bytes += len(data)
            received(of, data)

        monkeypatch.setattr(Socket, "_allows_control", count_control)
        monkeypatch.setattr(web.RequestHandler, "data_received", count_bytes)


@pytest.mark.parametrize("size", [60_000, 250_000, 1_000_000, 4_000_000])
async def test_pings_are_counted_and_cut_off(
    club: Club, door: Open, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    await club.open_table("alice", "bob")
    counted = Counted(monkeypatch)
    async with raw(door, handshake()) as (reader, writer):
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        writer.write(PING * (size // len(PING)))
        await ends(reader)
    assert counted.controls <= MAX_CONTROL_FRAMES + 1
    assert len(handshake()) <= counted.bytes <= len(handshake()) + MAX_BURST_BYTES
    await lets_in(club, door)


async def test_a_few_pings_are_answered(club: Club, door: Open) -> None:
    await club.open_table("alice", "bob")
    async with raw(door, handshake()) as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(PING * MAX_CONTROL_FRAMES)
        async with asyncio.timeout(60):
            assert await reader.readexactly(2 * MAX_CONTROL_FRAMES) == b"\x8a\x00" * MAX_CONTROL_FRAMES
        writer.write(PING)
        await ends(reader)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"", PING),
        (b"", b"\x89\x00"),
        (b"", b"\x8a\x80\x00\x00\x00\x00"),
        (b"\x01\x80\x00\x00\x00\x00", b"\x00\x80\x00\x00\x00\x00"),
        (b"\x01\x00", b"\x00\x00"),
        (b"", b"\x81\x80\x00\x00\x00\x00"),
        (b"", b"\xc1\x80\x00\x00\x00\x00"),
        (b"", b"\xff\xff" * 8),
    ],
    ids=["pings", "unmasked", "pongs", "fragments", "unmasked fragments", "empty texts", "reserved bit", "no frames"],
)
@pytest.mark.parametrize("waits", [True, False], ids=["after the handshake", "with it"])
async def test_frames_without_end_end_the_connection(
    club: Club, door: Open, monkeypatch: pytest.MonkeyPatch, first: bytes, then: bytes, waits: bool
) -> None:
    await club.open_table("alice", "bob")
    counted = Counted(monkeypatch)
    async with raw(door, handshake()) as (reader, writer):
        if waits:
            await reader.readuntil(b"\r\n\r\n")
        writer.write(first + then * (1_000_000 // len(then)))
        await ends(reader)
    assert counted.controls <= MAX_CONTROL_FRAMES + 1
    assert counted.bytes <= len(handshake()) + MAX_BURST_BYTES
    await lets_in(club, door)


# deadlines


@pytest.fixture
def quick_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deadlines that are over as soon as a few frames have come."""
    monkeypatch.setattr(connection, "OPEN_SECONDS", 0.1)


async def keep_pinging(writer: asyncio.StreamWriter, *, most: int) -> int:
    """Send pings, one after the other, until the connection ends; returns how many went out."""
    for sent in range(most):
        writer.write(PING)
        try:
            await writer.drain()
        except ConnectionError:
            return sent
        await asyncio.sleep(0.005)
    return most


async def test_pings_keep_no_socket_that_does_not_say_who_it_is(
    club: Club, door: Open, quick_deadlines: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.open_table("alice", "bob")
    monkeypatch.setattr(frames, "MAX_CONTROL_FRAMES", 100_000)
    monkeypatch.setattr(frames, "CLOSE_SECONDS", 0.05)
    async with raw(door, handshake()) as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        pinging = asyncio.create_task(keep_pinging(writer, most=5_000))
        async with asyncio.timeout(60):
            with suppress(ConnectionError):
                said = b""
                while got := await reader.read(65_536):
                    said += got
        assert EN("page.not_understood").encode() in said
        assert await pinging < 5_000, "the deadline came while pings were still sent"


@pytest.mark.parametrize("deadline", ["idle", "until"])
async def test_pings_keep_no_page_past_its_time(
    club: Club, door: Open, monkeypatch: pytest.MonkeyPatch, deadline: str
) -> None:
    await club.open_table("alice", "bob")
    monkeypatch.setattr(frames, "MAX_CONTROL_FRAMES", 100_000)
    async with door.socket() as sight:
        await sight.say(type="open", **key_of(link_in(await club.open_panel("alice"))))
        (page,) = [page async for page in _opened(door)]
        if deadline == "idle":
            monkeypatch.setattr(connection, "IDLE_SECONDS", 1.0)
        else:
            page.reader = replace(page.reader, until=door.pages._now() + 1_000)  # noqa: SLF001
        # The next message restarts the deadline with the current limit.
        await sight.say(type="look", table=1)
        told = asyncio.create_task(sight.until(lambda told: told["type"] == "bye"))
        for _ in range(5_000):
            if told.done():
                break
            with suppress(ConnectionError):
                await sight.socket.ping()
            await asyncio.sleep(0.005)
        assert told.done(), "pings kept it open"
        assert (await told)["said"] == EN("page.idle" if deadline == "idle" else "page.not_known")


async def _opened(door: Open) -> AsyncIterator[Page]:
    while not door.pages.all:  # noqa: ASYNC110  (the server hears of it when it does)
        await asyncio.sleep(0.01)
    for page in door.pages.all:
        yield page


# contents of the log


async def test_no_reset_leaves_a_traceback(club: Club, door: Open, caplog: pytest.LogCaptureFixture) -> None:
    """The fixture of the club looks for complaints too."""
    await club.open_table("alice", "bob")
    caplog.set_level(logging.WARNING)
    tried = 0
    for said in (handshake(), handshake() + PING * 50, b"GET /table HTTP/1.1\r\nHost: cards.example.org\r\n\r\n"):
        for waits in (True, False):
            for _ in range(5):
                tried += 1
                await asyncio.to_thread(_reset, door.port, said, waits)
    assert tried == 30
    await lets_in(club, door)
    assert [record for record in caplog.records if record.exc_info or "Traceback" in record.getMessage()] == []


def _reset(port: int, said: bytes, waits: bool) -> None:
    made = socket.create_connection(("127.0.0.1", port), timeout=60)
    made.sendall(said)
    if waits:
        made.recv(4_096)
        made.sendall(PING * 50)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    made.close()


async def test_no_answer_tells_a_version(club: Club, door: Open) -> None:
    seen = []
    for said in (
        handshake(),
        handshake(origin="https://evil.example"),
        b"GET /table HTTP/1.1\r\nHost: cards.example.org\r\nConnection: close\r\n\r\n",
        b"GET /nowhere HTTP/1.1\r\nHost: cards.example.org\r\n\r\n",
        b"GET /table HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"POST /table HTTP/1.1\r\nHost: cards.example.org\r\n\r\n",
        b"\x16\x03\x01 no HTTP\r\n\r\n",
    ):
        async with raw(door, said) as (reader, _):
            async with asyncio.timeout(60):
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        seen.append(head.split()[1])
        assert "server: chaipo\r\n" in head
        assert "aiohttp" not in head
        assert "python" not in head
    assert seen == ["101", "403", "200", "404", "403", "405", "400"]


# more connections than there may be


@contextmanager
def at_most(files: int) -> Iterator[None]:
    """A limit of open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_fewer_connections_are_kept_than_files_may_be_open() -> None:
    for files in (256, 1_024, 4_096):
        with at_most(files):
            assert max_connections() <= max(visitors.MIN_CONNECTIONS, files - KEPT_FREE)
    with at_most(1_024):
        assert max_connections() == 1_024 - KEPT_FREE


async def test_who_says_nothing_makes_room_for_who_asks(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await club.open_table("alice", "bob")
    monkeypatch.setattr(serving, "max_connections", lambda: 8)
    entered: list[int] = []
    enter = visitors.Visitors.enter

    def counting(all_of_them: visitors.Visitors, visitor: Visitor) -> bool:
        let_in = enter(all_of_them, visitor)
        entered.append(len(all_of_them))
        return let_in

    monkeypatch.setattr(visitors.Visitors, "enter", counting)
    async with linked(club) as door:
        silent = [await asyncio.open_connection("127.0.0.1", door.port) for _ in range(30)]
        await lets_in(club, door)
        async with door.http.get(f"{door.origin}{PAGE}", headers=door.headers) as answer:
            assert answer.status == 200
        for reader, _ in silent[:20]:
            await ends(reader)
        for _, writer in silent:
            writer.close()
    assert len(entered) >= 32
    assert max(entered) == 8
    assert not [record for record in caplog.records if record.exc_info]


def test_requests_of_all_clients_together_keep_a_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "REQUESTS_PER_SECOND", 4)
    monkeypatch.setattr(visitors, "MAX_BURST_REQUESTS", 2)
    monkeypatch.setattr(visitors, "MAX_WAIT_SECONDS", 1)
    pace = visitors.Pace()
    assert [pace.delay(100) for _ in range(7)] == [0, 0, 0, 0.25, 0.5, 0.75, 1]
    for _ in range(3):
        with pytest.raises(web.HTTPServiceUnavailable):
            pace.delay(100)
    # Refused requests delay no others.
    assert [pace.delay(100.5), pace.delay(110), pace.delay(110)] == [0.75, 0, 0]


async def test_a_request_that_would_wait_too_long_is_refused(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "MAX_WAIT_SECONDS", 0)
    monkeypatch.setattr(visitors, "MAX_BURST_REQUESTS", 1)
    monkeypatch.setattr(visitors, "REQUESTS_PER_SECOND", 1 / 3_600)
    async with linked(club) as door:
        statuses = []
        for _ in range(4):
            async with door.http.get(f"{door.origin}{PAGE}", headers=door.headers) as answer:
                statuses.append(answer.status)
        assert statuses == [200, 200, 503, 503]
