"""Ids of servers, players and tables, and the keys that name one table or one event.

A number can be used again after a restore, so a button also carries its table's or event's tag.
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
"""Counts from 1 in each guild."""


Player = NewType("Player", str)
"""The decimal id of a Discord user, ``computer-1`` ... for a computer's seat, or the pseudonym of who is gone."""


_COMPUTERS = {Level.CLUB: (1, 2, 3), Level.CASUAL: (4, 5, 6), Level.MASTER: (7, 8, 9)}


COMPUTERS = {level: tuple(Player(f"computer-{number}") for number in known) for level, known in _COMPUTERS.items()}
"""The computer players of each level. Who played stands in logs: one never changes its level."""


UNTAGGED = "-"
"""The tag of a press that has none. It's accepted only if no database was ever restored."""


def is_computer(player: str) -> bool:
    """True for a seat that the computer plays."""
    return player.startswith("computer-")


_GONE = "gone-"
DELETED = Player(_GONE)
"""Stands for all deleted people together, where the same person could be several."""


def pseudonym() -> Player:
    """A name drawn by chance, for somebody whose data were deleted: nothing leads from it to who it was."""
    return Player(_GONE + secrets.token_hex(6))


def is_gone(player: str) -> bool:
    """True for the pseudonym of somebody whose data were deleted."""
    return player.startswith(_GONE)


def level_of(computer: str) -> Level:
    """How strong a computer player is."""
    return next(level for level, known in COMPUTERS.items() if computer in known)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKey:
    """A table of a guild."""

    guild: GuildId
    table: TableId
    tag: str = field(default="", compare=False)
    """The mark of the table that a button was drawn for: it means no other. Empty when there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKey:
    """An event of a guild; its number counts from 1 in each."""

    guild: GuildId
    number: int
    tag: str = field(default="", compare=False)
    """The mark of the event that a button was drawn for; empty when there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """One of the connections to Discord: it serves the guilds with ``(id >> 22) % count == number``."""

    number: int
    count: int

    def serves(self, guild: GuildId) -> bool:
        """True when the guild's interactions come over this connection."""
        return (guild >> 22) % self.count == self.number


EVERYTHING = Shard(number=0, count=1)
"""The one connection of a bot in few servers; as a share of the servers, all of them."""
Serves = Callable[[GuildId], bool]
"""True of some of the servers."""


def is_meant(tag: str, *, own: str, epoch: str) -> bool:
    """True when what a button says of its table or event fits; an empty ``tag`` is no button's."""
    return not tag or tag == own or (tag == UNTAGGED and not epoch)


@lru_cache(8192)
def tag_of(name: str, created_at: int, epoch: str) -> str:
    """Six hexadecimal digits that tell what was opened then from anything else that is called so."""
    return hashlib.sha256(f"{name}/{created_at}/{epoch}".encode()).hexdigest()[:6]
