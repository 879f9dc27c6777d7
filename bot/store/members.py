"""Queries for members who have left their server."""

from __future__ import annotations

from collections.abc import Iterable

from bot.model.ids import GuildId, Player
from bot.store.queries import Queries


class MemberQueries(Queries):
    """Queries for members who have left."""

    def departed(self, guild: GuildId) -> frozenset[Player]:
        """Return the members who have left the server."""
        rows = self._sql.all("SELECT player FROM departed WHERE guild_id = :guild_id", guild_id=guild)
        return frozenset(Player(row["player"]) for row in rows)

    def note_departed(self, guild: GuildId, players: Iterable[Player], *, at: int) -> None:
        """Record that these members have left."""
        self._sql.many(
            "INSERT INTO departed (guild_id, player, at) VALUES (:guild_id, :player, :at) "
            "ON CONFLICT (guild_id, player) DO NOTHING",
            [{"guild_id": guild, "player": player, "at": at} for player in players],
        )

    def note_returned(self, guild: GuildId, player: Player) -> None:
        """Record that a member has returned."""
        self._sql.run(
            "DELETE FROM departed WHERE guild_id = :guild_id AND player = :player", guild_id=guild, player=player
        )
