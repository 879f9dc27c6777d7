"""Which presses a process answers while a shard changes hands: two are connected then, and both are sent each press.

Whoever owns the shard answers. The other keeps what it hears; once the shard is its own, it answers what came after the
newest press that the owner before has answered. So each press is answered by one of the two, and by one only.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from bot.chat.client import Client
from bot.chat.library.connections import hear_presses
from bot.model.ids import GuildId

KEPT_SECONDS = 2.5
"""Nobody can be answered any more who pressed earlier: Discord waits for three seconds."""
DOUBT_SECONDS = 1.0
"""Whoever cannot tell whether its servers are still its own lets others answer first."""
UNSURE_SECONDS = 2.0
"""After so long whoever lets go says in words that nobody knows, where the other cannot have a shard yet."""

Json = dict[str, Any]


class Sieve:
    """Between discord.py, which hears of presses, and the bot, which answers them.

    ``in_doubt`` tells whether others may have taken over without this process knowing of it, and ``in_trouble`` whether
    the database could not be asked just now.
    """

    def __init__(self, client: Client, *, in_doubt: Callable[[], bool], in_trouble: Callable[[], bool]) -> None:
        self._client = client
        self._in_doubt = in_doubt
        self._in_trouble = in_trouble
        self._kept: dict[int, deque[tuple[float, Json]]] = {}
        """By shard; what is another's to answer so far."""
        self._letting_go: set[int] = set()
        self._newest: dict[int, int] = {}
        self._unsure: set[int] = set()
        self._answer = hear_presses(client, self._hear)

    def keep(self, shard: int) -> None:
        """From now on another process answers for a shard, and this one may have it soon."""
        self._kept.setdefault(shard, deque())

    def let_go(self, shard: int) -> int:
        """The same of a shard that another is to have; returns the newest press that this one has answered."""
        self.keep(shard)
        self._letting_go.add(shard)
        return self._newest.get(shard, 0)

    def answer(self, shard: int, *, after: int) -> None:
        """From now on this process answers for a shard; also what it has kept that came after the press ``after``."""
        since = self._now - KEPT_SECONDS
        self._letting_go.discard(shard)
        for heard_at, press in self._kept.pop(shard, ()):
            if heard_at >= since and int(press["id"]) > after:
                self._hear(press)

    def forget(self, shard: int) -> None:
        """This process is not connected with a shard any more."""
        self._letting_go.discard(shard)
        self._kept.pop(shard, None)
        self._newest.pop(shard, None)

    def unsure(self, press: int) -> bool:
        """True once of a press of which nobody can know what becomes of it: it is only told so."""
        known = press in self._unsure
        self._unsure.discard(press)
        return known

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _hear(self, press: Json) -> None:
        shard = self._client.shard_of(GuildId(int(press.get("guild_id") or 0))).number
        loop, kept = asyncio.get_running_loop(), self._kept.get(shard)
        if kept is not None:
            kept.append((self._now, press))
            while kept[0][0] < self._now - KEPT_SECONDS:
                kept.popleft()
            loop.call_later(UNSURE_SECONDS, self._say_so, shard, kept[-1])
            return
        self._newest[shard] = max(self._newest.get(shard, 0), int(press["id"]))
        if self._in_doubt():
            loop.call_later(DOUBT_SECONDS, self._answer, press)
        else:
            self._answer(press)

    def _say_so(self, shard: int, heard: tuple[float, Json]) -> None:
        """Tell whoever pressed that it is not known what becomes of it, while neither side can know whose it is."""
        kept = self._kept.get(shard, ())
        if heard in kept and (shard in self._letting_go or self._in_trouble()):
            self._kept[shard].remove(heard)
            self._unsure.add(int(heard[1]["id"]))
            self._answer(heard[1])
