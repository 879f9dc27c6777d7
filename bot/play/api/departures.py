"""Cache of members who have left their server. It exists because every interaction checks its author."""

from __future__ import annotations

from collections.abc import Collection

from bot.model.ids import GuildId, Player
from bot.play.api.transactions import Transactions
from bot.play.session.session import Session

_NONE = frozenset[Player]()


class DepartureCache:
    """Cache of the members who have left, per server. Only this class changes them, except for deletions."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write
        self._known: dict[GuildId, frozenset[Player]] = {}

    async def of(self, guild: GuildId) -> frozenset[Player]:
        """Return the members who have left a server."""
        if guild not in self._known:
            found = await self._read(lambda s: s.tx.members.departed(guild))
            # A concurrent change is newer than this result.
            self._known.setdefault(guild, found or _NONE)
        return self._known[guild]

    async def note(self, guild: GuildId, players: Collection[Player]) -> None:
        """Record that ``players`` have left."""
        if new := set(players) - await self.of(guild):

            def note(s: Session) -> frozenset[Player]:
                s.tx.members.note_departed(guild, sorted(new), at=s.now)
                return s.tx.members.departed(guild)

            self._known[guild] = await self._write(note)

    async def returned(self, guild: GuildId, player: Player) -> None:
        """Record that ``player`` is a member. Writes only if they had left."""
        if player in await self.of(guild):

            def note(s: Session) -> frozenset[Player]:
                s.tx.members.note_returned(guild, player)
                return s.tx.members.departed(guild)

            self._known[guild] = await self._write(note)

    def forget(self) -> None:
        """Clear the cache."""
        self._known.clear()
