"""Which presses a process answers while a shard changes hands: two are connected then, and both are sent each press.

Whoever owns the shard answers. The other keeps what it hears; once the shard is its own, it answers what came after the
newest press that the owner before has answered. So each press is answered by one of the two, and by one only.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from bot.live.client import Client
from bot.live.library.connections import hear_presses
from bot.model.ids import GuildId

KEPT_SECONDS = 2.5
"""Nobody can be answered any more who pressed earlier: Discord waits for three seconds."""
DOUBT_SECONDS = 1.0
"""Whoever cannot tell whether its servers are still its own lets others answer first."""

Json = dict[str, Any]


class Sieve:
    """Between discord.py, which hears of presses, and the bot, which answers them.

    ``in_doubt`` tells whether others may have taken over without this process knowing of it.
    """

    def __init__(self, client: Client, *, in_doubt: Callable[[], bool]) -> None:
        self._client = client
        self._in_doubt = in_doubt
        self._kept: dict[int, deque[tuple[float, Json]]] = {}
        """By shard; what is another's to answer so far."""
        self._newest: dict[int, int] = {}
        self._answer = hear_presses(client, self._hear)

    def keep(self, shard: int) -> int:
        """From now on another process answers for a shard; returns the newest press that this one has answered."""
        self._kept.setdefault(shard, deque())
        return self._newest.get(shard, 0)

    def answer(self, shard: int, *, after: int) -> None:
        """From now on this process answers for a shard; also what it has kept that came after the press ``after``."""
        since = time.monotonic() - KEPT_SECONDS
        for heard_at, press in self._kept.pop(shard, ()):
            if heard_at >= since and int(press["id"]) > after:
                self._hear(press)

    def forget(self, shard: int) -> None:
        """This process is not connected with a shard any more."""
        self._kept.pop(shard, None)
        self._newest.pop(shard, None)

    def _hear(self, press: Json) -> None:
        shard = self._client.shard_of(GuildId(int(press.get("guild_id") or 0))).number
        kept = self._kept.get(shard)
        if kept is not None:
            now = time.monotonic()
            kept.append((now, press))
            while kept[0][0] < now - KEPT_SECONDS:
                kept.popleft()
            return
        self._newest[shard] = max(self._newest.get(shard, 0), int(press["id"]))
        if self._in_doubt():
            asyncio.get_running_loop().call_later(DOUBT_SECONDS, self._answer, press)
        else:
            self._answer(press)
