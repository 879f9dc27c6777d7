"""Queries for the waiting lists of events."""

from __future__ import annotations

from bot.model.events import WaitingPlayer
from bot.model.ids import EventKey, GuildId, Player
from bot.store.columns import Columns, columns_of
from bot.store.queries import OF_EVENT, Queries, event_key

WAITING = Columns(
    WaitingPlayer,
    "waiting_player",
    columns_of(WaitingPlayer),
    key=("guild_id", "event_id", "player"),
    beside=("guild_id", "event_id"),
)


class WaitingQueries(Queries):
    """Queries for waiting lists."""

    def of(self, key: EventKey) -> list[WaitingPlayer]:
        """Return the players on an event's waiting list, those with an offer first, then by turn."""
        rows = self._sql.all(f"SELECT {WAITING.names} FROM waiting_player WHERE {OF_EVENT}", **event_key(key))
        return sorted(map(WAITING.read, rows), key=lambda waiting: waiting.order)

    def get(self, key: EventKey, player: Player) -> WaitingPlayer | None:
        row = self._sql.one(
            f"SELECT {WAITING.names} FROM waiting_player WHERE {OF_EVENT} AND player = :player",
            **event_key(key),
            player=player,
        )
        return None if row is None else WAITING.read(row)

    def events_of(self, guild: GuildId, player: Player) -> set[int]:
        """Return the numbers of a server's events on whose lists a player is."""
        rows = self._sql.all(
            "SELECT event_id FROM waiting_player WHERE player = :player AND guild_id = :guild_id",
            guild_id=guild,
            player=player,
        )
        return {row["event_id"] for row in rows}

    def save(self, key: EventKey, waiting: WaitingPlayer) -> None:
        self._save(WAITING, waiting, **event_key(key))

    def remove(self, key: EventKey, player: Player) -> None:
        self._sql.run(
            f"DELETE FROM waiting_player WHERE {OF_EVENT} AND player = :player", **event_key(key), player=player
        )
