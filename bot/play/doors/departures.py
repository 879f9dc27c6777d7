"""Members who have left their server, kept in memory: every interaction asks whether its author had left."""

from __future__ import annotations

from collections.abc import Collection

from bot.model.ids import GuildId, Player
from bot.play.doors.transactions import Transactions
from bot.play.session.session import Session

_NONE = frozenset[Player]()


class KnownDepartures:
    """The members who have left, by server. They are changed here and nowhere else, except by a deletion."""

    def __init__(self, transactions: Transactions) -> None:
        self._read, self._write = transactions.read, transactions.write
        self._known: dict[GuildId, frozenset[Player]] = {}

    async def of(self, guild: GuildId) -> frozenset[Player]:
        """Return the members who have left a server."""
        if guild not in self._known:
            found = await self._read(lambda s: s.tx.members.departed(guild))
            # A change made in the meantime is newer than what was read.
            self._known.setdefault(guild, found or _NONE)
        return self._known[guild]

    async def note(self, guild: GuildId, players: Collection[Player]) -> None:
        """Note that these members have left."""
        if new := set(players) - await self.of(guild):

            def note(s: Session) -> frozenset[Player]:
                s.tx.members.note_departed(guild, sorted(new), at=s.now)
                return s.tx.members.departed(guild)

            self._known[guild] = await self._write(note)

    async def returned(self, guild: GuildId, player: Player) -> None:
        """Note that somebody is a member; writes only if they had left."""
        if player in await self.of(guild):

            def note(s: Session) -> frozenset[Player]:
                s.tx.members.note_returned(guild, player)
                return s.tx.members.departed(guild)

            self._known[guild] = await self._write(note)

    def forget(self) -> None:
        """Read the departures again."""
        self._known.clear()
