"""Transaction poolers are refused with an explanation at every connection. Session poolers are allowed.

The pooler here is minimal. It gives each connection its own numbers, and either one shared server session, with whole
transactions in turn, or separate ones.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.store import StoreError
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.exclusive import open_snapshot
from tests.databases import DATABASES, POSTGRES, place_in

READY, NUMBERS, END, IDLE = b"Z", b"K", b"X", b"I"
ITS_OWN = struct.pack(">II", 1_000_000_007, 7)
"""The numbers that a client gets instead of the server's."""


class Pooler:
    """Between clients and a server."""

    def __init__(self, socket: Path, *, by_transaction: bool) -> None:
        self._socket = socket
        self._by_transaction = by_transaction
        self._turn = asyncio.Lock()
        self._session: tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes] | None = None
        self._to_servers: list[asyncio.StreamWriter] = []
        self.clients = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client until it leaves."""
        self.clients += 1
        try:
            await self._serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def close(self) -> None:
        """Leave the server."""
        for to_server in self._to_servers:
            to_server.close()
            await to_server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        (length,) = struct.unpack(">I", await reader.readexactly(4))
        started = struct.pack(">I", length) + await reader.readexactly(length - 4)
        async with self._turn:
            if self._session is None or not self._by_transaction:
                self._session = await self._log_in(started)
            session = self._session
        from_server, to_server, greeting = session
        writer.write(greeting)
        while True:
            kind, body = await _message(reader)
            if kind == END:
                if not self._by_transaction:
                    to_server.write(kind + body)
                return
            async with self._turn:
                while True:
                    to_server.write(kind + body)
                    # Whole batches are answered, because this client sends a request and waits.
                    while kind not in (b"Q", b"S"):
                        kind, body = await _message(reader)
                        to_server.write(kind + body)
                    if await _answer(from_server, writer) == IDLE:
                        break
                    kind, body = await _message(reader)

    async def _log_in(self, started: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]:
        from_server, to_server = await asyncio.open_unix_connection(str(self._socket))
        self._to_servers.append(to_server)
        to_server.write(started)
        greeting = b""
        while True:
            kind, body = await _message(from_server)
            greeting += kind + (body[:4] + ITS_OWN if kind == NUMBERS else body)
            if kind == READY:
                return from_server, to_server, greeting


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Its kind, and its length with the rest."""
    kind, length = await reader.readexactly(1), await reader.readexactly(4)
    return kind, length + await reader.readexactly(struct.unpack(">I", length)[0] - 4)


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """Pass an answer on; returns in what state the session is then."""
    while True:
        kind, body = await _message(reader)
        writer.write(kind + body)
        if kind == READY:
            await writer.drain()
            return body[4:]


@asynccontextmanager
async def pooling(folder: Path, *, by_transaction: bool) -> AsyncIterator[tuple[Pooler, str]]:
    """A pooler before the test's database, and its address."""
    DATABASES.kind = POSTGRES
    parts = urlsplit(str(place_in(folder)))
    (socket,) = parse_qs(parts.query)["host"]
    pooler = Pooler(Path(socket) / ".s.PGSQL.5432", by_transaction=by_transaction)
    server = await asyncio.start_server(pooler.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield pooler, f"postgresql://postgres@127.0.0.1:{port}{parts.path}?sslmode=disable&gssencmode=disable"
    finally:
        server.close()
        await pooler.close()


async def test_a_pooler_of_transactions_is_refused_in_words(tmp_path: Path) -> None:
    async with pooling(tmp_path, by_transaction=True) as (pooler, address):
        with pytest.raises(StoreError, match=r"pools transactions.*pool_mode = session"):
            await PostgresDatabase.open(address)
        with pytest.raises(StoreError, match="pools transactions"):
            await asyncio.to_thread(_look, address)
        assert pooler.clients >= 4


async def test_a_pooler_of_sessions_is_none_to_the_bot(tmp_path: Path) -> None:
    async with pooling(tmp_path, by_transaction=False) as (pooler, address):
        database = await PostgresDatabase.open(address)
        await database.close()
        await asyncio.to_thread(_look, address)
        assert pooler.clients >= 3


def _look(address: str) -> None:
    with open_snapshot(address):
        pass
