"""Which presses a process answers while a shard changes hands: two are connected then, and both are sent each press.

Whoever owns the shard answers. The other keeps what it hears; once the shard is its own, it answers what came after the
newest press that the owner before has answered. So each press is answered by one of the two, and by one only. Where the
database cannot be asked whose the shard is, whoever keeps the press says so in words before it is too late.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from bot.live.client import Client
from bot.live.library.connections import hear_presses
from bot.model.ids import GuildId
from bot.ui.promises import HEARD_AT, UNSURE

KEPT_SECONDS = 2.5
"""Nobody can be answered any more who pressed earlier: Discord waits for three seconds."""
DOUBT_SECONDS = 1.0
"""Whoever cannot tell whether its servers are still its own lets others answer first."""

UNSURE_SECONDS, HEIR_UNSURE_SECONDS = 1.8, 2.2
"""After so long whoever lets go, and then whoever takes over, says that nobody knows."""

Json = dict[str, Any]


class Sieve:
    """Between discord.py, which hears of presses, and the bot, which answers them.

    ``in_doubt`` tells whether others may have taken over without this process knowing of it.
    """

    def __init__(self, client: Client, *, in_doubt: Callable[[], bool]) -> None:
        self._client = client
        self._in_doubt = in_doubt
        self._loop = asyncio.get_running_loop()
        self._kept: dict[int, deque[Json]] = {}
        """By shard; what is another's to answer so far."""
        self._lets_go: set[int] = set()
        """Shards that were its own until a moment ago, and are nobody's for sure."""
        self._newest: dict[int, int] = {}
        self._answer = hear_presses(client, self._hear)

    def keep(self, shard: int) -> None:
        """Another process answers for a shard; this one keeps what it hears."""
        self._kept.setdefault(shard, deque())

    def let_go(self, shard: int) -> int:
        """From now on another process may answer for a shard; returns the newest press that this one has answered."""
        self._lets_go.add(shard)
        self.keep(shard)
        return self._newest.get(shard, 0)

    def answer(self, shard: int, *, after: int) -> None:
        """From now on this process answers for a shard; also what it has kept that came after the press ``after``."""
        since = self._loop.time() - KEPT_SECONDS
        self._lets_go.discard(shard)
        for press in self._kept.pop(shard, ()):
            if press["data"][HEARD_AT] >= since and int(press["id"]) > after:
                self._hear(press)

    def forget(self, shard: int) -> None:
        """This process is not connected with a shard any more."""
        self._lets_go.discard(shard)
        self._kept.pop(shard, None)
        self._newest.pop(shard, None)

    def _hear(self, press: Json) -> None:
        shard = self._client.shard_of(GuildId(int(press.get("guild_id") or 0))).number
        # One clock for all that a press has to wait for: the gate goes on with it.
        heard_at = press.setdefault("data", {}).setdefault(HEARD_AT, self._loop.time())
        kept = self._kept.get(shard)
        if kept is not None:
            kept.append(press)
            while kept[0]["data"][HEARD_AT] < heard_at - KEPT_SECONDS:
                kept.popleft()
            wait = UNSURE_SECONDS if shard in self._lets_go else HEIR_UNSURE_SECONDS
            self._loop.call_later(wait, self._admit, shard, press)
            return
        self._newest[shard] = max(self._newest.get(shard, 0), int(press["id"]))
        if self._in_doubt():
            self._loop.call_later(DOUBT_SECONDS, self._answer, press)
        else:
            self._answer(press)

    def _admit(self, shard: int, press: Json) -> None:
        """Have said of a press that is still kept that nobody knows what becomes of it."""
        kept = self._kept.get(shard, ())
        if press in kept and (shard in self._lets_go or self._in_doubt()):
            self._kept[shard].remove(press)
            press["data"][UNSURE] = True
            self._answer(press)
