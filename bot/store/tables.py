"""Queries for tables, seats and the outbox of messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from bot.model.clock import Clock, Pace
from bot.model.events import EventPosting, Notice
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.tables import Backlog, Limits, OpenCounts, Posting, PostKind, Seat, Table, TableState, Terms
from bot.pure.ofc.settlement import WinCap
from bot.store.columns import Column, Columns, choice, columns_of, plain
from bot.store.queries import (
    CACHED,
    LAST,
    OF_EVENT,
    OF_TABLE,
    TIMERS,
    Queries,
    as_json,
    event_key,
    event_key_of,
    parse_timers,
    spec_text,
    table_key,
    table_key_of,
    variant_from,
)
from bot.store.sql import SqlRow, Value


@lru_cache(CACHED)
def _limits_text(limits: Limits) -> str:
    return as_json(asdict(limits) | {"win_cap": limits.win_cap.value})


@lru_cache(CACHED)
def _limits(text: str) -> Limits:
    fields = json.loads(text)
    if "win_cap" in fields:
        fields["win_cap"] = WinCap(fields["win_cap"])
    if "levels" in fields:
        fields["levels"] = tuple(fields["levels"])
    return Limits(**fields)


@lru_cache(CACHED)
def _players_text(players: tuple[Player, ...]) -> str:
    return as_json(players)


@lru_cache(CACHED)
def _players(text: str) -> tuple[Player, ...]:
    return tuple(map(Player, json.loads(text)))


TABLES = Columns(
    Table,
    "game_table",
    columns_of(
        Table,
        plain("guild_id", "key.guild"),
        plain("table_id", "key.table"),
        plain("channel_id", "channel"),
        Column(name="variant", attribute="terms.variant", to_sql=spec_text, from_sql=variant_from),
        *columns_of(Terms, path="terms", but=("variant", "clock", "limits")),
        choice("pace", Pace, "terms.clock.pace"),
        plain("turn_seconds", "terms.clock.seconds"),
        plain("root_message_id", "root_message"),
        plain("message_id", "message"),
        plain("retired_id", "retired"),
        plain("call_id", "call"),
        Column(name="limits", attribute="terms.limits", to_sql=_limits_text, from_sql=_limits),
        plain("event_id", "event_no"),
        plain("home_id", "home"),
        Column(name="removed", attribute="removed", to_sql=_players_text, from_sql=_players),
        Column(name="invited", attribute="invited", to_sql=_players_text, from_sql=_players),
    ),
    key=("guild_id", "table_id"),
    parts={"key": TableKey, "terms": Terms, "terms.clock": Clock},
)
SEATS = Columns(
    Seat,
    "seat",
    columns_of(Seat, plain("seat_no", "number"), Column(name="computer", attribute="computer", to_sql=int, read=False)),
    key=("guild_id", "table_id", "seat_no"),
    beside=("guild_id", "table_id"),
)
_TABLE = f"SELECT {TABLES.names} FROM game_table"
_SAT_AT = (
    f"SELECT {TABLES.of('t')} FROM seat s JOIN game_table t ON t.guild_id = s.guild_id AND t.table_id = s.table_id "
    "WHERE s.guild_id = :guild_id AND s.player = :player AND t.state <> 'closed' ORDER BY t.table_id"
)
_SEATS = f"SELECT {SEATS.names} FROM seat WHERE {OF_TABLE} ORDER BY seat_no"


def _count(*conditions: str) -> str:
    """Return an expression that counts the rows that meet all conditions."""
    return f"COUNT(CASE WHEN {' AND '.join(conditions)} THEN 1 END)"


class TableQueries(Queries):
    """Queries for tables and seats."""

    def next_number(self, guild: GuildId) -> TableId:
        last = self._number("SELECT MAX(table_id) AS last FROM game_table WHERE guild_id = :guild_id", guild_id=guild)
        return TableId((last or 0) + 1)

    def get(self, key: TableKey) -> Table | None:
        if (found := self._known.tables.get(key)) is not None:
            return found
        # Writers of a table need all of this sooner or later, so it's fetched in one round trip.
        seats = None if key in self._known.seats else self._sql.ahead(_SEATS, **table_key(key))
        timers = None if key in self._known.timers else self._sql.ahead(TIMERS, **table_key(key))
        last = None if key in self._known.last else self._sql.ahead(LAST, **table_key(key))
        if (row := self._sql.one(f"{_TABLE} WHERE {OF_TABLE}", **table_key(key))) is None:
            return None
        if seats is not None:
            self._known.seats[key] = [SEATS.read(row) for row in seats()]
        if timers is not None:
            self._known.timers[key] = parse_timers(timers())
        if last is not None:
            self._known.last[key] = last()[0]["last"] or 0
        self._known.tables[key] = TABLES.read(row)
        return self._known.tables[key]

    def save(self, table: Table) -> None:
        self._save(TABLES, table)
        self._known.tables[table.key] = table

    def note_drawn(
        self, key: TableKey, *, version: int, hand_no: int, message: int | None, call: int | None, called: str
    ) -> None:
        self._known.tables.pop(key, None)
        # If the next hand was dealt while the message was being drawn, it shows the previous hand.
        self._sql.run(
            "UPDATE game_table SET drawn_version = :version, call_id = :call, called = :called, "
            "message_id = CASE WHEN hand_no = :hand_no THEN :message ELSE message_id END, "
            "retired_id = CASE WHEN hand_no = :hand_no THEN NULL ELSE COALESCE(:message, retired_id) END "
            f"WHERE {OF_TABLE}",
            **table_key(key),
            version=version,
            hand_no=hand_no,
            message=message,
            call=call,
            called=called,
        )

    def open(self, guild: GuildId, *, channel: int | None = None) -> list[Table]:
        condition, values = "guild_id = :guild_id AND state <> 'closed'", dict[str, Value](guild_id=guild)
        if channel is not None:
            condition, values = f"{condition} AND channel_id = :channel", {**values, "channel": channel}
        rows = self._sql.all(f"{_TABLE} WHERE {condition} ORDER BY table_id", **values)
        return [TABLES.read(row) for row in rows]

    def closed_in_event(self, key: EventKey, number: int) -> list[Table]:
        """Return the event's closed tables with a number for people, newest first."""
        rows = self._sql.all(
            f"{_TABLE} WHERE {OF_EVENT} AND number_in_event = :number AND state = 'closed' ORDER BY table_id DESC",
            **event_key(key),
            number=number,
        )
        return [TABLES.read(row) for row in rows]

    def open_counts(self, guild: GuildId, *, channel: int, host: Player) -> OpenCounts:
        in_channel, lobby, of_host = "channel_id = :channel", "state = 'lobby'", "host = :host"
        row = self._sql.one(
            f"SELECT COUNT(*) AS tables, {_count(in_channel)} AS in_channel, "
            f"{_count(lobby, in_channel)} AS lobbies_in_channel, {_count(lobby, of_host)} AS lobbies_of_host "
            "FROM game_table WHERE guild_id = :guild_id AND state <> 'closed' AND event_id IS NULL",
            guild_id=guild,
            channel=channel,
            host=host,
        )
        assert row is not None
        return OpenCounts(
            tables=row["tables"],
            tables_in_channel=row["in_channel"],
            lobbies_in_channel=row["lobbies_in_channel"],
            lobbies_of_host=row["lobbies_of_host"],
        )

    def computers(self, guild: GuildId | None = None, *, host: Player | None = None) -> int:
        conditions, values = ["s.computer = 1"], dict[str, Value]()
        if guild is not None:
            conditions, values = [*conditions, "s.guild_id = :guild_id"], {**values, "guild_id": guild}
        if host is not None:
            conditions, values = [*conditions, "t.host = :host"], {**values, "host": host}
        found = self._number(
            "SELECT COUNT(*) AS seats FROM seat s "
            "JOIN game_table t ON t.guild_id = s.guild_id AND t.table_id = s.table_id "
            f"WHERE {' AND '.join(conditions)}",
            **values,
        )
        return found or 0

    def newest(self, guild: GuildId, *, limit: int) -> list[Table]:
        rows = self._sql.all(
            f"{_TABLE} WHERE guild_id = :guild_id AND private = 0 ORDER BY table_id DESC LIMIT :limit",
            guild_id=guild,
            limit=limit,
        )
        return list(map(TABLES.read, rows))

    def tables_of(self, guild: GuildId, player: Player) -> list[Table]:
        return [TABLES.read(row) for row in self._sql.all(_SAT_AT, guild_id=guild, player=player)]

    def tables_everywhere(self, player: Player) -> list[TableKey]:
        """Return the open tables where the player has a seat, in any server."""
        rows = self._sql.all(
            "SELECT t.guild_id, t.table_id FROM seat s "
            "JOIN game_table t ON t.guild_id = s.guild_id AND t.table_id = s.table_id "
            "WHERE s.player = :player AND t.state <> 'closed' ORDER BY t.guild_id, t.table_id",
            player=player,
        )
        return [table_key_of(row) for row in rows]

    def guilds_with_tables(self) -> list[GuildId]:
        """Return the servers with open public tables. Private tables don't need the bot to be in the server."""
        rows = self._sql.all("SELECT DISTINCT guild_id FROM game_table WHERE state <> 'closed' AND private = 0")
        return [GuildId(row["guild_id"]) for row in rows]

    def all_open(self) -> list[TableKey]:
        return self._keys("SELECT guild_id, table_id FROM game_table WHERE state <> 'closed'")

    def playing(self) -> list[TableKey]:
        """Return the tables with a running hand that others than its player see."""
        return self._keys(
            "SELECT guild_id, table_id FROM game_table WHERE state = 'playing' AND private = 0 "
            "ORDER BY guild_id, table_id"
        )

    def open_with_weekends_off(self) -> list[TableKey]:
        """Return the open tables whose clocks stop on weekends."""
        return self._keys("SELECT guild_id, table_id FROM game_table WHERE weekends_off = 1 AND state <> 'closed'")

    def open_states(self) -> dict[TableState, int]:
        counts = dict.fromkeys((state for state in TableState if state is not TableState.CLOSED), 0)
        rows = self._sql.all("SELECT state, COUNT(*) AS tables FROM game_table WHERE state <> 'closed' GROUP BY state")
        return counts | {TableState(row["state"]): row["tables"] for row in rows}

    def undrawn(self) -> list[TableKey]:
        return self._keys("SELECT guild_id, table_id FROM game_table WHERE drawn_version < version AND private = 0")

    def _keys(self, statement: str) -> list[TableKey]:
        return [table_key_of(row) for row in self._sql.all(statement)]

    def seats(self, key: TableKey) -> list[Seat]:
        if (seats := self._known.seats.get(key)) is None:
            seats = self._known.seats[key] = [SEATS.read(row) for row in self._sql.all(_SEATS, **table_key(key))]
        return list(seats)

    def save_seat(self, key: TableKey, seat: Seat) -> None:
        others = [other for other in self.seats(key) if other.number != seat.number]
        self._known.seats[key] = sorted([*others, seat], key=lambda seat: seat.number)
        self._save(SEATS, seat, **table_key(key))

    def keep_draft(self, key: TableKey, player: Player, *, hand_no: int, turn: str, rows: str) -> None:
        """Save the player's unconfirmed placement in the running hand. A placement confirmed ahead isn't overwritten.

        Each tap on a card calls this, so it avoids reading.
        """
        self._known.seats.pop(key, None)
        self._sql.run(
            f"UPDATE seat SET draft = :draft, draft_for = :turn WHERE {OF_TABLE} AND player = :player "
            "AND (draft <> :draft OR draft_for <> :turn) AND (ahead IS NULL OR draft_for <> :turn) "
            "AND EXISTS (SELECT 1 FROM game_table t WHERE t.guild_id = :guild_id AND t.table_id = :table_id "
            "AND t.state = 'playing' AND t.hand_no = :hand_no)",
            **table_key(key),
            player=player,
            draft=rows,
            turn=turn,
            hand_no=hand_no,
        )

    def remove_seat(self, key: TableKey, number: int) -> None:
        self._known.seats.pop(key, None)
        self._sql.run(f"DELETE FROM seat WHERE {OF_TABLE} AND seat_no = :number", **table_key(key), number=number)


# Messages of tables and events that are waiting to be posted.

POSTINGS = Columns(
    Posting,
    "outbox",
    [
        Column(name="outbox_id", attribute="number", written=False),
        plain("guild_id", "key.guild"),
        plain("table_id", "key.table"),
        choice("kind", PostKind),
        plain("hand_no"),
    ],
    beside=("at",),
    parts={"key": TableKey},
)
EVENT_POSTINGS = Columns(
    EventPosting,
    "event_outbox",
    [
        Column(name="outbox_id", attribute="number", written=False),
        plain("guild_id", "key.guild"),
        plain("event_id", "key.number"),
        choice("notice", Notice),
        Column(name="details", attribute="details", to_sql=as_json, from_sql=json.loads),
        plain("at"),
    ],
    parts={"key": EventKey},
)
_UNPOSTED = "(SELECT guild_id, at FROM outbox UNION ALL SELECT guild_id, at FROM event_outbox) AS unposted"
_UNDRAWN = "(SELECT guild_id, NULL AS at FROM game_table WHERE drawn_version < version AND private = 0) AS undrawn"
_NEW = 0
"""Placeholder for the number of a message, which the database assigns."""


class OutboxQueries(Queries):
    """Queries for messages."""

    def post(self, key: TableKey, kind: PostKind, *, hand_no: int, at: int) -> None:
        posting = Posting(number=_NEW, key=key, kind=kind, hand_no=hand_no)
        self._add(POSTINGS, [posting], at=at)

    def unposted_tables(self) -> list[TableKey]:
        rows = self._sql.all(
            "SELECT guild_id, table_id FROM outbox GROUP BY guild_id, table_id ORDER BY MIN(outbox_id)"
        )
        return [table_key_of(row) for row in rows]

    def postings(self, key: TableKey | None = None, *, limit: int) -> list[Posting]:
        """Return the oldest waiting messages of the table ``key``, or of all tables if it's None."""
        select, order = f"SELECT {POSTINGS.names} FROM outbox", "ORDER BY outbox_id LIMIT :limit"
        if key is None:
            rows = self._sql.all(f"{select} {order}", limit=limit)
        else:
            rows = self._sql.all(f"{select} WHERE {OF_TABLE} {order}", **table_key(key), limit=limit)
        return [POSTINGS.read(row) for row in rows]

    def posted(self, number: int) -> None:
        self._sql.run("DELETE FROM outbox WHERE outbox_id = :number", number=number)

    def post_event(self, key: EventKey, notice: Notice, details: Mapping[str, Any], *, at: int) -> None:
        posting = EventPosting(number=_NEW, key=key, notice=notice, details=details, at=at)
        self._add(EVENT_POSTINGS, [posting])

    def event_postings(self, key: EventKey, *, limit: int) -> list[EventPosting]:
        rows = self._sql.all(
            f"SELECT {EVENT_POSTINGS.names} FROM event_outbox WHERE {OF_EVENT} ORDER BY outbox_id LIMIT :limit",
            **event_key(key),
            limit=limit,
        )
        return [EVENT_POSTINGS.read(row) for row in rows]

    def event_posted(self, number: int) -> None:
        self._sql.run("DELETE FROM event_outbox WHERE outbox_id = :number", number=number)

    def undrawn_events(self) -> list[EventKey]:
        """Return the events whose message is out of date or that have messages waiting."""
        rows = self._sql.all(
            "SELECT guild_id, event_id FROM event WHERE drawn_version < version "
            "UNION SELECT guild_id, event_id FROM event_outbox ORDER BY guild_id, event_id"
        )
        return [event_key_of(row) for row in rows]

    def backlog(self, guild: GuildId | None = None) -> Backlog:
        """Return the backlog of one server, or of all if ``guild`` is None."""
        undrawn, unposted = self._waiting(_UNDRAWN, guild), self._waiting(_UNPOSTED, guild)
        return Backlog(undrawn=undrawn["waiting"], unposted=unposted["waiting"], since=unposted["since"])

    def _waiting(self, rows: str, guild: GuildId | None) -> SqlRow:
        """Return the number of ``rows``, and the time since which the oldest has been waiting (ms)."""
        count = f"SELECT COUNT(*) AS waiting, MIN(at) AS since FROM {rows}"
        if guild is None:
            found = self._sql.one(count)
        else:
            found = self._sql.one(f"{count} WHERE guild_id = :guild_id", guild_id=guild)
        assert found is not None
        return found
