"""Web socket that counts control frames and keeps to its deadlines, no matter what arrives.

aiohttp would answer pings in a loop that never yields, and treat each as a sign of life. Bytes are counted one layer
down (``bot/ops/visitors.py``), because fragments without content never arrive here.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from aiohttp import WSCloseCode, WSMsgType, web

HEARTBEAT_SECONDS = 25.0
MAX_CONTROL_FRAMES = 100
"""Maximum number of control frames per minute. A browser only answers the heartbeat, about three times per minute."""
CLOSE_SECONDS = 2.0
"""Time that the other side has to close the connection after the last message."""


class Socket(web.WebSocketResponse):
    """An untrusted visitor's socket."""

    def __init__(self, *, max_bytes: int) -> None:
        super().__init__(
            max_msg_size=max_bytes,
            heartbeat=HEARTBEAT_SECONDS,
            compress=False,
            autoping=False,
            autoclose=False,
            timeout=CLOSE_SECONDS,
        )
        self._minute = 0.0
        self.controls = 0
        """Number of control frames in the current minute."""

    async def hear(self, until: float) -> str | None:
        """Return the next text; None once the socket is closed or cut off.

        Raises TimeoutError at ``until``, by the event loop's clock.
        """
        loop = asyncio.get_running_loop()
        with suppress(ConnectionError):
            async with asyncio.timeout_at(until):
                while loop.time() < until:
                    message = await self.receive()
                    if message.type is WSMsgType.TEXT:
                        return str(message.data)
                    if message.type not in (WSMsgType.PING, WSMsgType.PONG):
                        return None
                    if not self._allows_control(loop.time()):
                        self.cut()
                        return None
                    if message.type is WSMsgType.PING:
                        await self.pong(message.data)
            raise TimeoutError
        return None

    def _allows_control(self, now: float) -> bool:
        if now - self._minute > 60:
            self._minute, self.controls = now, 0
        self.controls += 1
        return self.controls <= MAX_CONTROL_FRAMES

    async def say_goodbye(self) -> None:
        """Send the closing frame, and cut the connection if the other side doesn't respond in time."""
        await self.send_frame(WSCloseCode.OK.to_bytes(2, "big"), WSMsgType.CLOSE)
        asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.cut)

    async def part(self) -> None:
        """Wait for the other side to close, so that it can read the last message, and then cut the connection."""
        until = asyncio.get_running_loop().time() + CLOSE_SECONDS
        with suppress(TimeoutError):
            for _ in range(MAX_CONTROL_FRAMES):
                if await self.hear(until) is None:
                    break
        self.cut()

    def is_connected(self) -> bool:
        """True until the connection is lost."""
        return self._req is not None and self._req.transport is not None

    def cut(self) -> None:
        """Abort the connection without reading any more data."""
        if self._req is not None and self._req.transport is not None:
            self._req.transport.abort()
