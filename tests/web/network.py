"""A network between a browser and the bot that can be lost without a word, as on a phone that sleeps or in a tunnel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Network:
    """A proxy from ``port`` to the server. With ``lost``, it drops data in both directions without closing anything."""

    def __init__(self) -> None:
        self.port = 0
        self.to = 0
        """The server's port; 0 refuses connections."""
        self.lost = False
        self.answers = asyncio.Event()
        """Cleared to hold back what the server sends."""
        self.answers.set()
        self._in_progress: set[asyncio.Task[None]] = set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        me = asyncio.current_task()
        assert me is not None
        self._in_progress.add(me)
        with suppress(OSError, asyncio.CancelledError):
            back, there = await asyncio.open_connection("127.0.0.1", self.to)
            ways = [
                asyncio.create_task(self._one_way(reader, there)),
                asyncio.create_task(self._one_way(back, writer, self.answers)),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                there.close()
                for way in ways:
                    way.cancel()
        writer.close()
        self._in_progress.discard(me)

    async def _one_way(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flows: asyncio.Event | None = None
    ) -> None:
        dead = False
        with suppress(OSError):
            while data := await reader.read(65_536):
                if flows is not None:
                    await flows.wait()
                dead |= self.lost  # A connection that has lost data is useless afterwards.
                if not dead:
                    writer.write(data)
                    await writer.drain()
        if dead:
            await asyncio.Event().wait()

    async def close(self) -> None:
        """End what is under way, so that nothing of it is left to whatever comes next on the same loop."""
        for task in (in_progress := list(self._in_progress)):
            task.cancel()
        await asyncio.gather(*in_progress, return_exceptions=True)


@asynccontextmanager
async def network() -> AsyncIterator[Network]:
    """A network for as long as the block lasts."""
    made = Network()
    door = await asyncio.start_server(made.carry, "127.0.0.1", 0)
    made.port = door.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        door.close()
        await made.close()
