"""Members who have left. Discord is asked where this matters, and a player's next press marks them as back.

Without privileged intents, Discord doesn't report that a member has left. But it does answer queries about members, for
a hundred at a time over the gateway and for one over REST. Only *Unknown Member* from REST proves that a member has
left. After any other error, the player counts as a member.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence

import discord

from bot.chat.discord_patches.governor import important
from bot.chat.discord_patches.limits import Importance
from bot.chat.kit.redraw_queue import RedrawQueue
from bot.model.clock import DAY
from bot.model.ids import GuildId, Player
from bot.play.api.play import Play

log = logging.getLogger(__name__)

UNKNOWN_MEMBER = 10007
QUERIED = 100
"""Maximum number of members per gateway query."""
QUERY_SECONDS = 10
"""Timeout of a gateway query."""
ASKED_SECONDS = 40
"""Timeout of the requests about single players, after the gateway queries. Players left over count as members."""
ASKED_EVERY = DAY
"""Minimum time between queries for a listed player (ms)."""
MAX_QUERIED_MEMBERS = 20_000
"""Maximum number of players whose last query time is remembered."""


class Members:
    """Asks Discord which players are members, and records departures."""

    def __init__(self, client: discord.Client, play: Play, *, now_ms: Callable[[], int]) -> None:
        self._client = client
        self._play = play
        self._now = now_ms
        self._listed: dict[GuildId, set[Player]] = {}
        """The listed players to ask Discord about, by server."""
        self._asked_at: dict[tuple[GuildId, Player], int] = {}
        self.queue = RedrawQueue(self._look, name=lambda key: f"members of server {key}", ready=client.is_ready)

    def listed(self, key: GuildId, players: Iterable[Player]) -> None:
        """Queue a query for the players on a list, at most one a day per player, so that the next list is correct."""
        now = self._now()
        if len(self._asked_at) > MAX_QUERIED_MEMBERS:
            self._asked_at.clear()
        new = {one for one in players if now - self._asked_at.get((key, one), now - ASKED_EVERY) >= ASKED_EVERY}
        if new:
            self._asked_at |= {(key, player): now for player in new}
            self._listed.setdefault(key, set()).update(new)
            self.queue.changed(key)

    async def _look(self, key: GuildId) -> bool:
        players = self._listed.pop(key, None)
        if players is None:
            return False
        await self.departed(key, sorted(players))
        return True

    async def departed(self, key: GuildId, players: Collection[Player]) -> list[Player]:
        """Return the ``players`` who have left the server, and record it."""
        guild = self._client.get_guild(key)
        people = [player for player in players if player.isdigit()]
        if guild is None or guild.unavailable or not people:
            return []
        here = await self._present_members(guild, people)
        gone: list[Player] = []
        try:
            async with asyncio.timeout(ASKED_SECONDS):
                for player in people:
                    if player not in here and await self._has_left(guild, player):
                        gone.append(player)
        except TimeoutError:
            log.info("server %s: not all members could be looked up in time", key)
        await self._play.note_departed(key, gone)
        for player in here & await self._play.departed(key):
            await self._play.note_returned(key, player)
        return gone

    async def _present_members(self, guild: discord.Guild, people: Sequence[Player]) -> set[Player]:
        """Return the ``people`` who are members according to Discord; all of them if it doesn't answer."""
        here = set[Player]()
        for first in range(0, len(people), QUERIED):
            some = people[first : first + QUERIED]
            try:
                async with asyncio.timeout(QUERY_SECONDS):
                    found = await guild.query_members(user_ids=[*map(int, some)], limit=QUERIED, cache=False)
            except (TimeoutError, OSError, RuntimeError, LookupError, discord.DiscordException) as error:
                log.info("the members of server %s could not be requested: %r", guild.id, error)
                here.update(some)
            else:
                here.update(Player(str(member.id)) for member in found)
        return here

    async def _has_left(self, guild: discord.Guild, player: Player) -> bool:
        try:
            with important(Importance.CALL):
                await guild.fetch_member(int(player))
        except discord.HTTPException as error:
            return isinstance(error, discord.NotFound) and error.code == UNKNOWN_MEMBER
        return False
