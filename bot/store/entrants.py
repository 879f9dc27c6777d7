"""Queries for the entrants of events, and the events' tables and matches."""

from __future__ import annotations

import json

from bot.model.events import Entrant, EventResult, EventTable, FloorTable
from bot.model.ids import EventKey, Player, TableId, TableKey
from bot.model.tables import Seat
from bot.store.columns import Columns, columns_of, plain
from bot.store.queries import OF_EVENT, OF_TABLE, Queries, event_key, table_key
from bot.store.tables import SEATS, TABLES

ENTRANTS = Columns(
    Entrant,
    "entrant",
    columns_of(Entrant),
    key=("guild_id", "event_id", "player"),
    beside=("guild_id", "event_id"),
)
EVENT_TABLES = Columns(
    EventTable,
    "event_table",
    columns_of(EventTable, plain("table_id", "table")),
    key=("guild_id", "table_id"),
    beside=("guild_id", "event_id"),
)
_of_open = (
    "FROM event_table e JOIN {0} t ON t.guild_id = e.guild_id AND t.table_id = e.table_id "
    "WHERE e.guild_id = :guild_id AND e.event_id = :event_id AND e.over = 0"
).format
"""FROM clause for rows of a database table that belong to an event's open game tables."""
_FLOOR_TABLES = f"SELECT {TABLES.of('t')} {_of_open('game_table')} AND t.state <> 'closed' ORDER BY t.table_id"
_FLOOR_SEATS = f"SELECT {SEATS.of('t')}, t.table_id {_of_open('seat')} ORDER BY t.table_id, t.seat_no"
_FLOOR_STACKS = f"SELECT t.table_id, t.owner, t.balance {_of_open('account')} AND t.kind = 'seat'"
_FLOOR_PAUSES = f"SELECT t.table_id {_of_open('timer')} AND t.kind = 'next_hand'"
_ACTED = (
    "SELECT 1 AS acted FROM table_log e JOIN event_table t ON t.guild_id = e.guild_id AND t.table_id = e.table_id "
    "WHERE t.guild_id = :guild_id AND t.event_id = :event_id AND e.actor = :player "
    "AND e.cause IS NOT NULL AND e.at > :since LIMIT 1"
)
_ENTRANT = f"SELECT {ENTRANTS.names} FROM entrant WHERE {OF_EVENT}"
_EVENT_TABLE = f"SELECT {EVENT_TABLES.names} FROM event_table"


class EntrantQueries(Queries):
    """Queries for entrants, and for tables and matches of events."""

    def of(self, key: EventKey) -> list[Entrant]:
        """Return the entrants in order of registration, including those who withdrew."""
        entrants = [ENTRANTS.read(row) for row in self._sql.all(_ENTRANT, **event_key(key))]
        return sorted(entrants, key=lambda entrant: (entrant.registered_at, entrant.player))

    def get(self, key: EventKey, player: Player) -> Entrant | None:
        row = self._sql.one(f"{_ENTRANT} AND player = :player", **event_key(key), player=player)
        return None if row is None else ENTRANTS.read(row)

    def drawn(self, key: EventKey) -> int:
        """Return the number of entrants with a number from the draw."""
        found = self._number(f"SELECT COUNT(*) AS found FROM entrant WHERE {OF_EVENT} AND number > 0", **event_key(key))
        return found or 0

    def save(self, key: EventKey, entrant: Entrant) -> None:
        self._save(ENTRANTS, entrant, **event_key(key))

    def wallets_in(self, key: EventKey) -> dict[Player, int]:
        """Return the server's chips in entrants' wallets, leaving out entrants who have no wallet."""
        rows = self._sql.all(
            "SELECT a.owner, a.balance FROM entrant e JOIN account a ON a.guild_id = e.guild_id "
            "AND a.kind = 'wallet' AND a.table_id = 0 AND a.owner = e.player "
            "WHERE e.guild_id = :guild_id AND e.event_id = :event_id",
            **event_key(key),
        )
        return {Player(row["owner"]): row["balance"] for row in rows}

    def purses_in(self, key: EventKey) -> dict[Player, int]:
        """Return the event's own chips that entrants hold outside tables, leaving out entrants who have none."""
        rows = self._sql.all(
            "SELECT e.player, a.balance FROM entrant e JOIN account a ON a.guild_id = e.guild_id "
            "AND a.kind = 'wallet' AND a.table_id = 0 AND a.owner = 'event:' || e.event_id || ':' || e.player "
            "WHERE e.guild_id = :guild_id AND e.event_id = :event_id AND a.balance > 0",
            **event_key(key),
        )
        return {Player(row["player"]): row["balance"] for row in rows}

    def event_tables(self, key: EventKey, *, over: bool) -> list[EventTable]:
        """Return the event's tables by number; only those still playing if ``over`` is False."""
        condition = OF_EVENT if over else f"{OF_EVENT} AND over = 0"
        rows = self._sql.all(f"{_EVENT_TABLE} WHERE {condition} ORDER BY table_id", **event_key(key))
        return [EVENT_TABLES.read(row) for row in rows]

    def table_numbers(self, key: EventKey) -> dict[TableId, int]:
        """Return the numbers within the event of its tables, including closed ones. Older tables have none."""
        rows = self._sql.all(
            f"SELECT table_id, number_in_event FROM game_table WHERE {OF_EVENT} AND number_in_event IS NOT NULL",
            **event_key(key),
        )
        return {TableId(row["table_id"]): row["number_in_event"] for row in rows}

    def event_table(self, key: TableKey) -> EventTable | None:
        row = self._sql.one(f"{_EVENT_TABLE} WHERE {OF_TABLE}", **table_key(key))
        return None if row is None else EVENT_TABLES.read(row)

    def event_results(self, key: EventKey) -> list[EventResult]:
        """Return the results of the event's hands, including those at closed tables, in the order they were dealt."""
        rows = self._sql.all(
            "SELECT e.round, e.table_id, r.hand_no, h.shared, r.player, r.seat, r.points FROM event_table e "
            "CROSS JOIN result r CROSS JOIN hand h WHERE e.guild_id = :guild_id AND e.event_id = :event_id "
            "AND r.guild_id = e.guild_id AND r.table_id = e.table_id "
            "AND h.guild_id = r.guild_id AND h.table_id = r.table_id AND h.hand_no = r.hand_no "
            "ORDER BY e.table_id, r.hand_no, r.seat",
            **event_key(key),
        )
        return [
            EventResult(
                round=row["round"],
                table=row["table_id"],
                hand_no=row["hand_no"],
                deck="" if row["shared"] is None else str(json.loads(row["shared"])["name"]),
                player=Player(row["player"]),
                seat=row["seat"],
                points=row["points"],
            )
            for row in rows
        ]

    def sat_at(self, key: EventKey) -> dict[TableId, list[Player]]:
        """Return the players with a settled hand at each table, including closed ones, in order of their first hand."""
        rows = self._sql.all(
            "SELECT e.table_id, r.player, MIN(r.hand_no) AS first, MIN(r.seat) AS seat FROM event_table e "
            "CROSS JOIN result r WHERE e.guild_id = :guild_id AND e.event_id = :event_id "
            "AND r.guild_id = e.guild_id AND r.table_id = e.table_id GROUP BY e.table_id, r.player",
            **event_key(key),
        )
        sat: dict[TableId, list[Player]] = {}
        for row in sorted(rows, key=lambda row: (row["table_id"], row["first"], row["seat"])):
            sat.setdefault(TableId(row["table_id"]), []).append(Player(row["player"]))
        return sat

    def save_event_table(self, key: EventKey, table: EventTable) -> None:
        self._save(EVENT_TABLES, table, **event_key(key))

    def last_acts(self, key: EventKey) -> dict[TableId, int]:
        """Return the time (ms) of the last action at each table that is still playing."""
        rows = self._sql.all(
            "SELECT e.table_id, (SELECT x.at FROM table_log x "
            "WHERE x.guild_id = e.guild_id AND x.table_id = e.table_id ORDER BY x.seq DESC LIMIT 1) AS at "
            "FROM event_table e WHERE e.guild_id = :guild_id AND e.event_id = :event_id AND e.over = 0",
            **event_key(key),
        )
        return {TableId(row["table_id"]): row["at"] for row in rows if row["at"] is not None}

    def has_acted(self, key: EventKey, player: Player, *, since: int) -> bool:
        """True if the player has acted at the event's tables since ``since`` (ms)."""
        return self._sql.one(_ACTED, **event_key(key), player=player, since=since) is not None

    def matches(self, key: EventKey) -> dict[int, Player]:
        """Return the winners of a bracket's matches, by match number."""
        rows = self._sql.all(f"SELECT match, winner FROM event_match WHERE {OF_EVENT} ORDER BY match", **event_key(key))
        return {row["match"]: Player(row["winner"]) for row in rows}

    def save_match(self, key: EventKey, match: int, winner: Player) -> None:
        self._sql.run(
            "INSERT INTO event_match (guild_id, event_id, match, winner) "
            "VALUES (:guild_id, :event_id, :match, :winner) "
            "ON CONFLICT (guild_id, event_id, match) DO UPDATE SET winner = excluded.winner",
            **event_key(key),
            match=match,
            winner=winner,
        )

    def floor(self, key: EventKey) -> list[FloorTable]:
        """Return the event's open tables by number, loaded in a few queries."""
        event, ask = event_key(key), self._sql.all
        infos = {info.table: info for info in self.event_tables(key, over=False)}
        if not infos:
            return []
        tables = [TABLES.read(row) for row in ask(_FLOOR_TABLES, **event)]
        seats: dict[int, list[Seat]] = {table.key.table: [] for table in tables}
        for row in ask(_FLOOR_SEATS, **event):
            seats[row["table_id"]].append(SEATS.read(row))
        stacks: dict[int, dict[Player, int]] = {table.key.table: {} for table in tables}
        for row in ask(_FLOOR_STACKS, **event):
            stacks[row["table_id"]][Player(row["owner"])] = row["balance"]
        paused = {row["table_id"] for row in ask(_FLOOR_PAUSES, **event)}
        return [
            FloorTable(
                info=infos[number], table=table, seats=seats[number], stacks=stacks[number], pausing=number in paused
            )
            for table in tables
            for number in (table.key.table,)
        ]
