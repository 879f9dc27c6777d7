"""Records about deleted players that survive the deletion, identified by a keyed hash of the player.

The key isn't in the database, so a record can't be traced to an id there.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.ids import GuildId, Player
from bot.model.privacy import UsedRight, UsedRightKind
from bot.play.session.session import Session

ALL_SERVERS = GuildId(0)
"""Pseudo-server of records that belong to no server."""


def marks(s: Session, guild: GuildId, player: Player) -> Sequence[bytes]:
    """Return a server's hashes of a player, one per key, with the current key's first."""
    return s.vault.marks(f"{guild}:{player}")


def used(s: Session, guild: GuildId, player: Player, kind: UsedRightKind, number: int) -> int:
    """Return the amount that the player used before a deletion; 0 if there's no record."""
    found = (s.tx.remembered.memory(guild, mark, kind, number) for mark in marks(s, guild, player))
    return max((one.used for one in found if one is not None and one.until > s.now), default=0)


def keep(s: Session, guild: GuildId, player: Player, memories: Sequence[UsedRight]) -> None:
    """Store records of a player who is being deleted, under the current key only."""
    if memories:
        first, *others = marks(s, guild, player)
        for mark in others:
            s.tx.remembered.rename_memories(guild, mark, first)
        s.tx.remembered.remember_more(guild, first, memories)


def every(s: Session, player: Player) -> list[tuple[GuildId, UsedRight]]:
    """Return all records of a player with their servers."""
    return [
        (guild, one)
        for guild in s.tx.remembered.with_memories()
        for mark in marks(s, guild, player)
        for one in s.tx.remembered.memories(guild, mark)
    ]
