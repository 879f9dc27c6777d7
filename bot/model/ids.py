"""Ids of servers, players and tables, and the keys that name one table or one event.

A number may be reused after a restore, so buttons also carry the tag of their table or event.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NewType

from bot.pure.solver.levels import Level

GuildId = NewType("GuildId", int)


TableId = NewType("TableId", int)
"""A table's number, which counts from 1 in each guild."""


Player = NewType("Player", str)
"""A Discord user's decimal id, ``computer-1`` and so on for a computer, or a deleted user's pseudonym."""


_COMPUTERS = {Level.CLUB: (1, 2, 3), Level.CASUAL: (4, 5, 6), Level.MASTER: (7, 8, 9)}


COMPUTERS = {level: tuple(Player(f"computer-{number}") for number in known) for level, known in _COMPUTERS.items()}
"""The computer players of each level. Logs contain their names, so a player never changes level."""


UNTAGGED = "-"
"""The tag of a press that has none. It's accepted only if no database has ever been restored."""


def is_computer(player: str) -> bool:
    """True if ``player`` is a computer."""
    return player.startswith("computer-")


_GONE = "gone-"
DELETED = Player(_GONE)
"""Represents all deleted people together, where one person could otherwise have several pseudonyms."""


def pseudonym() -> Player:
    """Return a random name for a person whose data has been deleted. It can't be traced back to them."""
    return Player(_GONE + secrets.token_hex(6))


def is_pseudonym(player: str) -> bool:
    """True if ``player`` is the pseudonym of a deleted person."""
    return player.startswith(_GONE)


def level_of(computer: str) -> Level:
    """Return the level of a computer player."""
    return next(level for level, known in COMPUTERS.items() if computer in known)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKey:
    """A table in a guild."""

    guild: GuildId
    table: TableId
    tag: str = field(default="", compare=False)
    """Tag of the table that a button was drawn for, which rules out any other table; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKey:
    """An event in a guild. Its number counts from 1 in each guild."""

    guild: GuildId
    number: int
    tag: str = field(default="", compare=False)
    """Tag of the event that a button was drawn for; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """A connection to Discord, which serves the guilds for which ``(id >> 22) % count == number``."""

    number: int
    count: int

    def serves(self, guild: GuildId) -> bool:
        """True if the guild's interactions arrive over this connection."""
        return (guild >> 22) % self.count == self.number


EVERYTHING = Shard(number=0, count=1)
"""The only connection of a bot without sharding, which serves all servers."""
Serves = Callable[[GuildId], bool]
"""Predicate that selects servers."""


def matches_tag(tag: str, *, own: str, epoch: str) -> bool:
    """True if a button's ``tag`` matches its table or event. An empty tag, which no button has, always matches."""
    return not tag or tag == own or (tag == UNTAGGED and not epoch)


@lru_cache(8192)
def make_tag(name: str, created_at: int, epoch: str) -> str:
    """Return six hex digits that distinguish a table or event from others with the same name."""
    return hashlib.sha256(f"{name}/{created_at}/{epoch}".encode()).hexdigest()[:6]
