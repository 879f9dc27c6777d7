"""Filter for interactions during a shard's handover, when two connected processes receive each of them.

The shard's owner answers. The other process keeps what it receives. Once it gets the shard, it answers the interactions
after the newest one that the previous owner answered, so exactly one process answers each interaction.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from bot.chat.client import Client
from bot.chat.discord_patches.connections import hear_presses
from bot.model.ids import GuildId

KEPT_SECONDS = 2.5
"""Maximum age of kept interactions. Discord accepts no reply after three seconds."""
DOUBT_SECONDS = 1.0
"""Delay of replies while this process can't tell whether it's still the owner, so that another can reply first."""
UNSURE_SECONDS = 2.0
"""Time after which a releasing process replies that the outcome is unknown, if the heir can't get the shard yet."""

Json = dict[str, Any]


class PressFilter:
    """Filter between discord.py, which receives interactions, and the bot, which answers them.

    ``in_doubt`` returns True if other processes may have taken over unnoticed, and ``in_trouble`` if the database is
    unavailable.
    """

    def __init__(self, client: Client, *, in_doubt: Callable[[], bool], in_trouble: Callable[[], bool]) -> None:
        self._client = client
        self._in_doubt = in_doubt
        self._in_trouble = in_trouble
        self._kept: dict[int, deque[tuple[float, Json]]] = {}
        """Interactions kept per shard, which another process should answer."""
        self._letting_go: set[int] = set()
        self._newest: dict[int, int] = {}
        self._unsure: set[int] = set()
        self._answer = hear_presses(client, self._hear)

    def keep(self, shard: int) -> None:
        """Keep a shard's interactions, because another process answers them and this one may get the shard soon."""
        self._kept.setdefault(shard, deque())

    def release_shard(self, shard: int) -> int:
        """Keep a shard's interactions for its release, and return the newest one answered here."""
        self.keep(shard)
        self._letting_go.add(shard)
        return self._newest.get(shard, 0)

    def answer(self, shard: int, *, after: int) -> None:
        """Answer a shard's interactions from now on, including those kept after ``after``."""
        since = self._now - KEPT_SECONDS
        self._letting_go.discard(shard)
        for heard_at, press in self._kept.pop(shard, ()):
            if heard_at >= since and int(press["id"]) > after:
                self._hear(press)

    def forget(self, shard: int) -> None:
        """Forget a shard to which this process is no longer connected."""
        self._letting_go.discard(shard)
        self._kept.pop(shard, None)
        self._newest.pop(shard, None)

    def unsure(self, press: int) -> bool:
        """True, once, for an interaction with an unknown outcome. The reply says so."""
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
        """If neither process can tell who owns the shard, reply that an interaction's outcome is unknown."""
        kept = self._kept.get(shard, ())
        if heard in kept and (shard in self._letting_go or self._in_trouble()):
            self._kept[shard].remove(heard)
            self._unsure.add(int(heard[1]["id"]))
            self._answer(heard[1])
