"""Play's transaction in SQL: hand-written, in the subset that SQLite and PostgreSQL share."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from bot.ofc.deck import Dealt
from bot.ofc.house_rules import renewed
from bot.ofc.log import Fact, LogError, from_json, kind_of, to_json
from bot.ofc.proof import HASH_BYTES, Leaf
from bot.ofc.settlement import WinCap
from bot.play.clock import Clock, Pace
from bot.play.event.model import EventTable
from bot.play.model import (
    Backlog,
    Deal,
    EventKey,
    GuildId,
    HandRecord,
    HandState,
    HouseGame,
    Limits,
    OpenCounts,
    Player,
    Post,
    Posting,
    Result,
    Seat,
    Shard,
    SharedDeal,
    Standing,
    Table,
    TableId,
    TableKey,
    TableState,
    Timer,
)
from bot.play.ports import StorageTroubleError, Tx, Watcher
from bot.store import StoreTroubleError
from bot.store.books import unbalanced
from bot.store.change_triggers import Changed
from bot.store.copy_mark import APPLICATION_ID, COPY_ID
from bot.store.database import Database
from bot.store.events import EventRows
from bot.store.ledger import Ledger
from bot.store.rows import CACHED, spec_text, table_key, upsert, variant_from

T = TypeVar("T")
Entropy = tuple[tuple[Player, str], ...]

MOST_EVENTS = 4096
"""Texts of events that are kept as values: a hand's log is read at each of its events, and most logs are alike."""
_TABLE_FIELDS = (
    "channel_id",
    "host",
    "language",
    "variant",
    "point_value",
    "buy_in",
    "max_seats",
    "pace",
    "turn_seconds",
    "state",
    "hand_no",
    "button",
    "turn_since",
    "commitment",
    "sealed_seed",
    "tree_from",
    "epoch",
    "root_message_id",
    "version",
    "drawn_version",
    "message_id",
    "retired_id",
    "call_id",
    "called",
    "stood_still",
    "created_at",
    "closed_reason",
    "limits",
    "tournament_id",
)
_SEAT_FIELDS = (
    "player",
    "computer",
    "dealt_in",
    "leaving",
    "away",
    "timeouts",
    "fantasyland",
    "entropy",
    "deadline",
    "remind_at",
    "reminded",
    "left_ms",
    "bank_ms",
)
_HAND_FIELDS = (
    "variant",
    "state",
    "reason",
    "commitment",
    "sealed_seed",
    "entropy",
    "point_value",
    "started_at",
    "ended_at",
    "shared",
    "deal",
)


_SAVE_TABLE = upsert("game_table", ("guild_id", "table_id"), _TABLE_FIELDS)
_SAVE_SEAT = upsert("seat", ("guild_id", "table_id", "seat_no"), _SEAT_FIELDS)
_SAVE_HAND = upsert("hand", ("guild_id", "table_id", "hand_no"), _HAND_FIELDS)


class SqlTx(Ledger, EventRows):
    """One transaction on a connection; see :class:`bot.play.ports.Tx` for what each call promises."""

    # tables and seats

    def next_table(self, guild: GuildId) -> TableId:
        last = self._number("SELECT MAX(table_id) FROM game_table WHERE guild_id = :guild_id", guild_id=guild)
        return TableId((last or 0) + 1)

    def add_table(self, table: Table) -> None:
        self.save_table(table)

    def table(self, key: TableKey) -> Table | None:
        row = self._one(
            "SELECT * FROM game_table WHERE guild_id = :guild_id AND table_id = :table_id", **table_key(key)
        )
        return None if row is None else _table(row)

    def save_table(self, table: Table) -> None:
        values = {
            "channel_id": table.channel,
            "host": table.host,
            "language": table.language,
            "variant": spec_text(table.variant),
            "point_value": table.point_value,
            "buy_in": table.buy_in,
            "max_seats": table.max_seats,
            "pace": table.clock.pace.value,
            "turn_seconds": table.clock.seconds,
            "state": table.state.value,
            "hand_no": table.hand_no,
            "button": table.button,
            "turn_since": table.turn_since,
            "commitment": table.commitment,
            "sealed_seed": table.sealed_seed,
            "tree_from": table.tree_from,
            "epoch": table.epoch,
            "root_message_id": table.root_message,
            "version": table.version,
            "drawn_version": table.drawn_version,
            "message_id": table.message,
            "retired_id": table.retired,
            "call_id": table.call,
            "called": table.called,
            "stood_still": table.stood_still,
            "created_at": table.created_at,
            "closed_reason": table.closed_reason,
            "limits": _limits_text(table.limits),
            "tournament_id": table.event_no,
        }
        self._sql.execute(_SAVE_TABLE, {**table_key(table.key), **values})

    def note_drawn(
        self, key: TableKey, *, version: int, hand_no: int, message: int | None, call: int | None, called: str
    ) -> None:
        # A drawing that was on its way while the next hand was dealt drew the message of the hand before.
        self._sql.execute(
            "UPDATE game_table SET drawn_version = :version, call_id = :call, called = :called, "
            "message_id = CASE WHEN hand_no = :hand_no THEN :message ELSE message_id END, "
            "retired_id = CASE WHEN hand_no = :hand_no THEN NULL ELSE COALESCE(:message, retired_id) END "
            "WHERE guild_id = :guild_id AND table_id = :table_id",
            {
                **table_key(key),
                "version": version,
                "hand_no": hand_no,
                "message": message,
                "call": call,
                "called": called,
            },
        )

    def open_tables(self, guild: GuildId, *, channel: int | None = None) -> list[Table]:
        rows = self._all(
            "SELECT * FROM game_table WHERE guild_id = :guild_id AND state <> 'closed' "
            "AND (:channel IS NULL OR channel_id = :channel) ORDER BY table_id",
            guild_id=guild,
            channel=channel,
        )
        return [_table(row) for row in rows]

    def open_counts(self, guild: GuildId, *, channel: int, host: Player) -> OpenCounts:
        row = self._all(
            "SELECT COUNT(*), COALESCE(SUM(channel_id = :channel), 0), "
            "COALESCE(SUM(state = 'lobby' AND channel_id = :channel), 0), "
            "COALESCE(SUM(state = 'lobby' AND host = :host), 0) FROM game_table "
            "WHERE guild_id = :guild_id AND state <> 'closed' AND tournament_id IS NULL",
            guild_id=guild,
            channel=channel,
            host=host,
        )[0]
        return OpenCounts(tables=row[0], tables_in_channel=row[1], lobbies_in_channel=row[2], lobbies_of_host=row[3])

    def computers(self, guild: GuildId | None = None, *, host: Player | None = None) -> int:
        found = self._number(
            "SELECT COUNT(*) FROM seat s JOIN game_table t ON t.guild_id = s.guild_id AND t.table_id = s.table_id "
            "WHERE s.computer = 1 AND (:guild_id IS NULL OR s.guild_id = :guild_id) "
            "AND (:host IS NULL OR t.host = :host)",
            guild_id=guild,
            host=host,
        )
        return found or 0

    def tables_of(self, guild: GuildId, player: Player) -> list[Table]:
        rows = self._all(
            "SELECT t.* FROM seat s JOIN game_table t ON t.guild_id = s.guild_id AND t.table_id = s.table_id "
            "WHERE s.guild_id = :guild_id AND s.player = :player AND t.state <> 'closed' ORDER BY t.table_id",
            guild_id=guild,
            player=player,
        )
        return [_table(row) for row in rows]

    def guilds_with_tables(self) -> list[GuildId]:
        rows = self._all("SELECT DISTINCT guild_id FROM game_table WHERE state <> 'closed'")
        return [GuildId(row["guild_id"]) for row in rows]

    def all_open(self) -> list[TableKey]:
        return self._keys("SELECT guild_id, table_id FROM game_table WHERE state <> 'closed'")

    def open_states(self) -> dict[TableState, int]:
        counts = dict.fromkeys((state for state in TableState if state is not TableState.CLOSED), 0)
        rows = self._all("SELECT state, count(*) FROM game_table WHERE state <> 'closed' GROUP BY state")
        return counts | {TableState(row[0]): row[1] for row in rows}

    def undrawn_tables(self) -> list[TableKey]:
        return self._keys("SELECT guild_id, table_id FROM game_table WHERE drawn_version < version")

    def _keys(self, sql: str) -> list[TableKey]:
        return [TableKey(guild=GuildId(row[0]), table=TableId(row[1])) for row in self._all(sql)]

    def seats(self, key: TableKey) -> list[Seat]:
        rows = self._all(
            "SELECT * FROM seat WHERE guild_id = :guild_id AND table_id = :table_id ORDER BY seat_no", **table_key(key)
        )
        return [_seat(row) for row in rows]

    def save_seat(self, key: TableKey, seat: Seat) -> None:
        values = {
            "seat_no": seat.number,
            "player": seat.player,
            "computer": int(seat.computer),
            "dealt_in": int(seat.dealt_in),
            "leaving": int(seat.leaving),
            "away": int(seat.away),
            "timeouts": seat.timeouts,
            "fantasyland": seat.fantasyland,
            "entropy": seat.entropy,
            "deadline": seat.deadline,
            "remind_at": seat.remind_at,
            "reminded": int(seat.reminded),
            "left_ms": seat.left_ms,
            "bank_ms": seat.bank_ms,
        }
        self._sql.execute(_SAVE_SEAT, {**table_key(key), **values})

    def remove_seat(self, key: TableKey, number: int) -> None:
        self._sql.execute(
            "DELETE FROM seat WHERE guild_id = :guild_id AND table_id = :table_id AND seat_no = :number",
            {**table_key(key), "number": number},
        )

    def floor(self, key: EventKey) -> list[tuple[EventTable, Table, list[Seat], dict[Player, int], bool]]:
        open_ones = (
            "FROM tournament_table e JOIN {0} ON t.guild_id = e.guild_id AND t.table_id = e.table_id "
            "WHERE e.guild_id = :guild_id AND e.tournament_id = :number AND e.over = 0"
        )
        values = {"guild_id": key.guild, "number": key.number}
        tables = self._all(f"SELECT t.* {open_ones.format('game_table t')} AND t.state <> 'closed'", **values)
        seats: dict[int, list[Seat]] = {row["table_id"]: [] for row in tables}
        for row in self._all(f"SELECT t.* {open_ones.format('seat t')} ORDER BY t.table_id, t.seat_no", **values):
            seats[row["table_id"]].append(_seat(row))
        stacks: dict[int, dict[Player, int]] = {row["table_id"]: {} for row in tables}
        for row in self._all(f"SELECT t.* {open_ones.format('account t')} AND t.kind = 'seat'", **values):
            stacks[row["table_id"]][Player(row["owner"])] = row["balance"]
        pausing = self._all(f"SELECT t.table_id {open_ones.format('timer t')} AND t.kind = 'next_hand'", **values)
        paused = {row["table_id"] for row in pausing}
        infos = {info.table: info for info in self.event_tables(key, over=False)}
        return [
            (infos[n], _table(row), seats[n], stacks[n], n in paused)
            for row in sorted(tables, key=lambda row: int(row["table_id"]))
            for n in (row["table_id"],)
        ]

    # the log

    def seen(self, cause: str) -> bool:
        row = self._one(
            "SELECT 1 FROM event WHERE cause = :cause UNION ALL SELECT 1 FROM tournament_log WHERE cause = :cause",
            cause=cause,
        )
        return row is not None

    def append(
        self,
        key: TableKey,
        events: Sequence[Fact],
        *,
        hand_no: int,
        actor: Player | None,
        cause: str | None,
        at: int,
    ) -> None:
        for place, event in enumerate(events):
            first = place == 0
            self._log(
                key,
                kind_of(event),
                to_json(event),
                hand_no=hand_no,
                actor=actor if first else None,
                cause=cause if first else None,
                at=at,
            )

    def note(self, key: TableKey, kind: str, *, hand_no: int, actor: Player | None, cause: str | None, at: int) -> None:
        self._log(key, f"table.{kind}", {}, hand_no=hand_no, actor=actor, cause=cause, at=at)

    def _log(
        self,
        key: TableKey,
        kind: str,
        payload: dict[str, Any],
        *,
        hand_no: int,
        actor: Player | None,
        cause: str | None,
        at: int,
    ) -> None:
        last = self._number(
            "SELECT MAX(seq) FROM event WHERE guild_id = :guild_id AND table_id = :table_id", **table_key(key)
        )
        self._sql.execute(
            "INSERT INTO event (guild_id, table_id, seq, hand_no, kind, payload, actor, cause, at) "
            "VALUES (:guild_id, :table_id, :seq, :hand_no, :kind, :payload, :actor, :cause, :at)",
            {
                **table_key(key),
                "seq": (last or 0) + 1,
                "hand_no": hand_no,
                "kind": kind,
                "payload": json.dumps(payload, separators=(",", ":")),
                "actor": actor,
                "cause": cause,
                "at": at,
            },
        )

    def facts(self, key: TableKey, hand_no: int) -> list[Fact]:
        rows = self._all(
            "SELECT kind, payload FROM event WHERE guild_id = :guild_id AND table_id = :table_id "
            "AND hand_no = :hand_no AND kind NOT LIKE 'table.%' ORDER BY seq",
            **table_key(key),
            hand_no=hand_no,
        )
        return [_event(row["kind"], row["payload"]) for row in rows]

    def add_hand(self, key: TableKey, hand: HandRecord) -> None:
        self.save_hand(key, hand)

    def save_hand(self, key: TableKey, hand: HandRecord) -> None:
        values = {
            "hand_no": hand.hand_no,
            "variant": spec_text(hand.variant),
            "state": hand.state.value,
            "reason": hand.reason,
            "commitment": hand.commitment,
            "sealed_seed": hand.sealed_seed,
            "entropy": _entropy_text(hand.entropy),
            "point_value": hand.point_value,
            "started_at": hand.started_at,
            "ended_at": hand.ended_at,
            "shared": None if hand.shared is None else _shared_text(hand.shared),
            "deal": None if hand.deal is None else _deal_text(hand.deal),
        }
        self._sql.execute(_SAVE_HAND, {**table_key(key), **values})

    def hand(self, key: TableKey, hand_no: int) -> HandRecord | None:
        row = self._one(
            "SELECT * FROM hand WHERE guild_id = :guild_id AND table_id = :table_id AND hand_no = :hand_no",
            **table_key(key),
            hand_no=hand_no,
        )
        return None if row is None else _hand(row)

    # results

    def add_results(self, key: TableKey, hand_no: int, results: Sequence[Result], *, at: int) -> None:
        self._sql.executemany(
            "INSERT INTO result (guild_id, table_id, hand_no, player, points, chips, fantasyland, foul, ranked, at) "
            "VALUES (:guild_id, :table_id, :hand_no, :player, :points, :chips, :fantasyland, :foul, :ranked, :at)",
            [
                {
                    **table_key(key),
                    "hand_no": hand_no,
                    "player": result.player,
                    "points": result.points,
                    "chips": result.chips,
                    "fantasyland": result.fantasyland,
                    "foul": int(result.foul),
                    "ranked": int(result.ranked),
                    "at": at,
                }
                for result in results
            ],
        )

    def results(self, key: TableKey, hand_no: int) -> list[Result]:
        rows = self._all(
            "SELECT * FROM result WHERE guild_id = :guild_id AND table_id = :table_id AND hand_no = :hand_no "
            "ORDER BY player",
            **table_key(key),
            hand_no=hand_no,
        )
        return [
            Result(
                player=row["player"],
                points=row["points"],
                chips=row["chips"],
                fantasyland=row["fantasyland"],
                foul=bool(row["foul"]),
                ranked=bool(row["ranked"]),
            )
            for row in rows
        ]

    def standings(self, guild: GuildId) -> list[Standing]:
        rows = self._all(
            "SELECT player, COUNT(*) AS hands, SUM(points) AS points, SUM(chips) AS chips, "
            "SUM(CASE WHEN fantasyland > 0 THEN 1 ELSE 0 END) AS fantasyland "
            "FROM result WHERE guild_id = :guild_id AND ranked = 1 GROUP BY player",
            guild_id=guild,
        )
        return [Standing(**dict(row)) for row in rows]

    # a server's own games

    def house_games(self, guild: GuildId) -> list[HouseGame]:
        rows = self._all("SELECT name, spec FROM house_game WHERE guild_id = :guild_id ORDER BY name", guild_id=guild)
        return [HouseGame(name=row["name"], variant=renewed(variant_from(row["spec"]))) for row in rows]

    def save_house_game(self, guild: GuildId, game: HouseGame, *, by: Player, at: int) -> None:
        self._sql.execute(
            "INSERT INTO house_game (guild_id, name, spec, changed_by, changed_at) "
            "VALUES (:guild_id, :name, :spec, :by, :at) ON CONFLICT (guild_id, name) DO UPDATE SET "
            "spec = excluded.spec, changed_by = excluded.changed_by, changed_at = excluded.changed_at",
            {"guild_id": guild, "name": game.name, "spec": spec_text(game.variant), "by": by, "at": at},
        )

    def remove_house_game(self, guild: GuildId, name: str) -> None:
        self._sql.execute(
            "DELETE FROM house_game WHERE guild_id = :guild_id AND name = :name", {"guild_id": guild, "name": name}
        )

    # what players wish

    def wants_reminders(self, guild: GuildId, player: Player) -> bool:
        chosen = self._number(
            "SELECT reminders FROM member WHERE guild_id = :guild_id AND player = :player",
            guild_id=guild,
            player=player,
        )
        return chosen != 0

    def save_reminders(self, guild: GuildId, player: Player, *, on: bool) -> None:
        self._sql.execute(
            "INSERT INTO member (guild_id, player, reminders) VALUES (:guild_id, :player, :on) "
            "ON CONFLICT (guild_id, player) DO UPDATE SET reminders = excluded.reminders",
            {"guild_id": guild, "player": player, "on": int(on)},
        )

    # clocks and messages

    def set_timer(self, key: TableKey, timer: Timer, due_at: int) -> None:
        self._sql.execute(
            "INSERT INTO timer (guild_id, table_id, kind, due_at) VALUES (:guild_id, :table_id, :kind, :due_at) "
            "ON CONFLICT (guild_id, table_id, kind) DO UPDATE SET due_at = excluded.due_at",
            {**table_key(key), "kind": timer.value, "due_at": due_at},
        )

    def clear_timer(self, key: TableKey, timer: Timer) -> None:
        self._sql.execute(
            "DELETE FROM timer WHERE guild_id = :guild_id AND table_id = :table_id AND kind = :kind",
            {**table_key(key), "kind": timer.value},
        )

    def timer(self, key: TableKey, timer: Timer) -> int | None:
        return self._number(
            "SELECT due_at FROM timer WHERE guild_id = :guild_id AND table_id = :table_id AND kind = :kind",
            **table_key(key),
            kind=timer.value,
        )

    def timers(self, key: TableKey) -> dict[Timer, int]:
        rows = self._all(
            "SELECT kind, due_at FROM timer WHERE guild_id = :guild_id AND table_id = :table_id", **table_key(key)
        )
        return {Timer(row["kind"]): row["due_at"] for row in rows}

    def due(self, now: int, *, limit: int) -> list[tuple[TableKey, Timer, int]]:
        rows = self._all(
            "SELECT * FROM timer t WHERE due_at <= :now AND NOT EXISTS "
            "(SELECT 1 FROM outage o WHERE (t.guild_id >> 22) % o.shard_count = o.shard_id) "
            "ORDER BY due_at LIMIT :limit",
            now=now,
            limit=limit,
        )
        return [
            (TableKey(guild=row["guild_id"], table=row["table_id"]), Timer(row["kind"]), row["due_at"]) for row in rows
        ]

    def next_due(self) -> int | None:
        both = (self._number("SELECT MIN(due_at) FROM timer"), self._next_alarm())
        return min((at for at in both if at is not None), default=None)

    def shift_timers(self, by: int, *, shard: Shard, tell: bool) -> None:
        served = "(guild_id >> 22) % :count = :number"
        values = {"by": by, "number": shard.number, "count": shard.count}
        self._sql.execute(f"UPDATE timer SET due_at = due_at + :by WHERE {served}", values)
        self._sql.execute(
            "UPDATE seat SET deadline = deadline + :by, remind_at = remind_at + :by "
            f"WHERE deadline IS NOT NULL AND {served}",
            values,
        )
        self._shift_alarms(by, shard=shard, tell=tell)
        if tell:
            self._sql.execute(
                "UPDATE game_table SET drawn_version = 0, "
                "stood_still = CASE WHEN stood_still + :by < 0 THEN 0 ELSE stood_still + :by END "
                f"WHERE state = 'playing' AND {served}",
                values,
            )

    def outages(self) -> dict[Shard, int]:
        rows = self._all("SELECT shard_id, shard_count, since FROM outage")
        return {Shard(number=row["shard_id"], count=row["shard_count"]): row["since"] for row in rows}

    def begin_outage(self, shard: Shard, since: int) -> None:
        self._sql.execute(
            "INSERT INTO outage (shard_id, shard_count, since) VALUES (:number, :count, :since) "
            "ON CONFLICT (shard_id, shard_count) DO NOTHING",
            {"number": shard.number, "count": shard.count, "since": since},
        )

    def end_outage(self, shard: Shard) -> None:
        self._sql.execute(
            "DELETE FROM outage WHERE shard_id = :number AND shard_count = :count",
            {"number": shard.number, "count": shard.count},
        )

    def alive_at(self) -> int | None:
        return self._number("SELECT alive_at FROM heartbeat")

    def beat(self, now: int) -> None:
        self._sql.execute(
            "INSERT INTO heartbeat (one, alive_at) VALUES (1, :now) "
            "ON CONFLICT (one) DO UPDATE SET alive_at = excluded.alive_at",
            {"now": now},
        )

    def restored(self) -> bool:
        return self._number("PRAGMA application_id") == COPY_ID

    def begin_epoch(self, name: str, *, copied_at: int | None, at: int) -> None:
        self._sql.execute(
            "INSERT INTO epoch (name, copied_at, at) VALUES (:name, :copied_at, :at)",
            {"name": name, "copied_at": copied_at, "at": at},
        )
        # The mark is part of the transaction, as every page of the file is.
        self._sql.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def epoch(self) -> str:
        row = self._one("SELECT name FROM epoch ORDER BY epoch_id DESC LIMIT 1")
        return "" if row is None else str(row["name"])

    def last_restore(self) -> tuple[int, int] | None:
        row = self._one("SELECT copied_at, at FROM epoch ORDER BY epoch_id DESC LIMIT 1")
        return None if row is None else (row["copied_at"] or row["at"], row["at"])

    def post(self, key: TableKey, kind: Post, *, hand_no: int, at: int) -> None:
        self._sql.execute(
            "INSERT INTO outbox (guild_id, table_id, kind, hand_no, at) "
            "VALUES (:guild_id, :table_id, :kind, :hand_no, :at)",
            {**table_key(key), "kind": kind.value, "hand_no": hand_no, "at": at},
        )

    def unposted_tables(self) -> list[TableKey]:
        return self._keys("SELECT guild_id, table_id FROM outbox GROUP BY guild_id, table_id ORDER BY MIN(outbox_id)")

    def postings(self, key: TableKey | None = None, *, limit: int) -> list[Posting]:
        rows = self._all(
            "SELECT * FROM outbox WHERE :guild_id IS NULL OR (guild_id = :guild_id AND table_id = :table_id) "
            "ORDER BY outbox_id LIMIT :limit",
            guild_id=key and key.guild,
            table_id=key and key.table,
            limit=limit,
        )
        return [
            Posting(
                number=row["outbox_id"],
                key=TableKey(guild=row["guild_id"], table=row["table_id"]),
                kind=Post(row["kind"]),
                hand_no=row["hand_no"],
            )
            for row in rows
        ]

    def backlog(self, guild: GuildId | None) -> Backlog:
        """Of one guild or, without one, of all."""
        undrawn, tables, events = (
            self._all(f"SELECT count(*) FROM {what} (:guild IS NULL OR guild_id = :guild)", guild=guild)[0][0]
            for what in ("game_table WHERE drawn_version < version AND", "outbox WHERE", "tournament_outbox WHERE")
        )
        return Backlog(undrawn=undrawn, unposted=tables + events)

    def posted(self, number: int) -> None:
        self._sql.execute("DELETE FROM outbox WHERE outbox_id = :number", {"number": number})


@lru_cache(MOST_EVENTS)
def _event(kind: str, payload: str) -> Fact:
    return from_json(kind, _payload(payload))


def _payload(text: str) -> dict[str, Any]:
    try:
        payload = json.loads(text)
    except ValueError as error:
        raise LogError(f"an event is no JSON: {error}") from error
    if not isinstance(payload, dict):
        raise LogError("an event has no fields")
    return payload


def _entropy_text(entropy: Entropy) -> str:
    return json.dumps(entropy, ensure_ascii=False, separators=(",", ":"))


def _entropy(pairs: Sequence[Sequence[str]]) -> Entropy:
    return tuple((Player(player), text) for player, text in pairs)


def _shared_text(shared: SharedDeal) -> str:
    return json.dumps({"name": shared.name, "entropy": shared.entropy}, ensure_ascii=False, separators=(",", ":"))


def _shared(text: str) -> SharedDeal:
    fields = json.loads(text)
    return SharedDeal(name=fields["name"], entropy=_entropy(fields["entropy"]))


def _limits_text(limits: Limits) -> str:
    fields = {
        "win_cap": limits.win_cap.value,
        "bust_is_final": limits.bust_is_final,
        "levels": limits.levels,
        "level_hands": limits.level_hands,
    }
    return json.dumps(fields, separators=(",", ":"))


@lru_cache(CACHED)
def _limits(text: str) -> Limits:
    fields = json.loads(text)
    # Written before 0.1; nobody can lose more than lies in front of him.
    fields.pop("loss_cap", None)
    if "win_cap" in fields:
        fields["win_cap"] = WinCap(fields["win_cap"])
    if "levels" in fields:
        fields["levels"] = tuple(fields["levels"])
    return Limits(**fields)


def _table(row: sqlite3.Row) -> Table:
    return Table(
        key=TableKey(guild=row["guild_id"], table=row["table_id"]),
        channel=row["channel_id"],
        host=row["host"],
        language=row["language"],
        variant=variant_from(row["variant"]),
        point_value=row["point_value"],
        buy_in=row["buy_in"],
        max_seats=row["max_seats"],
        clock=Clock(pace=Pace(row["pace"]), seconds=row["turn_seconds"]),
        state=TableState(row["state"]),
        hand_no=row["hand_no"],
        button=row["button"],
        turn_since=row["turn_since"],
        commitment=row["commitment"],
        sealed_seed=row["sealed_seed"],
        tree_from=row["tree_from"],
        epoch=row["epoch"],
        root_message=row["root_message_id"],
        version=row["version"],
        drawn_version=row["drawn_version"],
        message=row["message_id"],
        retired=row["retired_id"],
        call=row["call_id"],
        called=row["called"],
        stood_still=row["stood_still"],
        created_at=row["created_at"],
        closed_reason=row["closed_reason"],
        limits=_limits(row["limits"]),
        event_no=row["tournament_id"],
    )


def _seat(row: sqlite3.Row) -> Seat:
    return Seat(
        number=row["seat_no"],
        player=row["player"],
        dealt_in=bool(row["dealt_in"]),
        leaving=bool(row["leaving"]),
        away=bool(row["away"]),
        timeouts=row["timeouts"],
        fantasyland=row["fantasyland"],
        entropy=row["entropy"],
        deadline=row["deadline"],
        remind_at=row["remind_at"],
        reminded=bool(row["reminded"]),
        left_ms=row["left_ms"],
        bank_ms=row["bank_ms"],
    )


def _hand(row: sqlite3.Row) -> HandRecord:
    return HandRecord(
        hand_no=row["hand_no"],
        variant=variant_from(row["variant"]),
        state=HandState(row["state"]),
        commitment=row["commitment"],
        sealed_seed=row["sealed_seed"],
        entropy=_entropy(json.loads(row["entropy"])),
        point_value=row["point_value"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        reason=row["reason"],
        shared=None if row["shared"] is None else _shared(row["shared"]),
        deal=None if row["deal"] is None else _deal(row["deal"]),
    )


def _deal_text(deal: Deal) -> str:
    fields = {
        "epoch": deal.epoch,
        "leaf": deal.leaf.place,
        "path": b"".join(deal.leaf.path).hex(),
        "button": deal.dealt.button,
        "fantasyland": deal.dealt.fantasyland,
    }
    return json.dumps(fields)


def _deal(text: str) -> Deal:
    fields = json.loads(text)
    path = bytes.fromhex(fields["path"])
    hashes = tuple(path[start : start + HASH_BYTES] for start in range(0, len(path), HASH_BYTES))
    return Deal(
        epoch=fields["epoch"],
        leaf=Leaf(place=fields["leaf"], path=hashes),
        dealt=Dealt(button=fields["button"], fantasyland=tuple(fields["fantasyland"])),
    )


class _Watching:
    """A watcher as the database knows it."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def before_commit(self, connection: sqlite3.Connection, changed: Changed) -> None:
        self._watcher.before_commit(SqlTx(connection), changed)

    def after_commit(self, changed: Changed, *, well: bool) -> None:
        self._watcher.after_commit(changed, well=well)


class SqlStorage:
    """Play's storage over a :class:`bot.store.database.Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, job: Callable[[Tx], T]) -> T:
        """Run ``job`` in a transaction; returns once it is safe on disk."""
        try:
            return await self._database.write(lambda connection: job(SqlTx(connection)))
        except StoreTroubleError as trouble:
            raise StorageTroubleError(str(trouble)) from trouble

    def watch(self, watcher: Watcher) -> None:
        """Tell ``watcher`` of each transaction; on the writer's thread."""
        self._database.changes.listen(_Watching(watcher))

    async def unbalanced(self) -> list[GuildId]:
        """The guilds whose ledger does not give their accounts."""
        try:
            return await self._database.read(unbalanced)
        except StoreTroubleError as trouble:
            raise StorageTroubleError(str(trouble)) from trouble

    async def read(self, job: Callable[[Tx], T]) -> T:
        """Run ``job`` on a snapshot of what is committed."""
        try:
            return await self._database.read(lambda connection: job(SqlTx(connection)))
        except StoreTroubleError as trouble:
            raise StorageTroubleError(str(trouble)) from trouble
