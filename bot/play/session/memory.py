"""Memory of deleted people: what a deletion doesn't give back, known by a keyed hash of the person.

The key isn't in the database, so nothing there leads from a memory to an id.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.ids import GuildId, Player
from bot.model.privacy import Memory, MemoryKind
from bot.play.session.session import Session

ALL_SERVERS = GuildId(0)
"""Stands for the server where something belongs to none."""


def marks(s: Session, guild: GuildId, player: Player) -> Sequence[bytes]:
    """Return a server's hashes of a player, one per key, that of the current key first."""
    return s.vault.marks(f"{guild}:{player}")


def used(s: Session, guild: GuildId, player: Player, kind: MemoryKind, number: int) -> int:
    """Return what the player had used before a deletion; 0 if nothing is remembered."""
    found = (s.tx.remembered.memory(guild, mark, kind, number) for mark in marks(s, guild, player))
    return max((one.used for one in found if one is not None and one.until > s.now), default=0)


def keep(s: Session, guild: GuildId, player: Player, memories: Sequence[Memory]) -> None:
    """Remember these of a player who is being deleted, under the current key alone."""
    if memories:
        first, *others = marks(s, guild, player)
        for mark in others:
            s.tx.remembered.rename_memories(guild, mark, first)
        s.tx.remembered.remember_more(guild, first, memories)


def every(s: Session, player: Player) -> list[tuple[GuildId, Memory]]:
    """Return all memories of a player, with their server."""
    return [
        (guild, one)
        for guild in s.tx.remembered.with_memories()
        for mark in marks(s, guild, player)
        for one in s.tx.remembered.memories(guild, mark)
    ]
