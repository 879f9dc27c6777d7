"""Queries for table and event timers, outages, the heartbeat and restores. Times are in milliseconds."""

from __future__ import annotations

import secrets
from collections.abc import Collection

from bot.model.beats import Epoch, Heartbeat, Restore
from bot.model.ids import EventKey, GuildId, Shard, TableKey
from bot.model.tables import Timer
from bot.store.queries import OF_TABLE, TIMERS, Queries, event_key_of, parse_timers, table_key, table_key_of

_SERVED = "(guild_id >> 22) % :count = :number"
"""True for servers of the shard ``number`` of ``count``."""
_CUT_OFF = "EXISTS (SELECT 1 FROM outage o WHERE (t.guild_id >> 22) % o.shard_count = o.shard_id)"
"""True if the shard of the row ``t`` is offline."""

_TIMED = (
    "(EXISTS (SELECT 1 FROM timer d WHERE d.guild_id = game_table.guild_id AND d.table_id = game_table.table_id "
    "AND d.kind <> 'computer' AND NOT (state = 'playing' AND pace = 'none')) "
    "OR EXISTS (SELECT 1 FROM event e WHERE e.guild_id = game_table.guild_id "
    "AND e.event_id = game_table.event_id AND e.break_until IS NOT NULL))"
)
"""True for tables whose message shows a deadline, the time of the next hand, or the end of a break.

Turns without a clock also time out, after days, but that isn't shown."""

_START = (
    "(SELECT e.starts_at FROM event e WHERE e.guild_id = waiting_player.guild_id "
    "AND e.event_id = waiting_player.event_id)"
)
"""Start of the event that the player of a row of ``waiting_player`` waits for."""


class TimerQueries(Queries):
    """Queries for clocks."""

    def set_timer(self, key: TableKey, timer: Timer, due_at: int | None) -> None:
        """Set the timer to fire at ``due_at`` (ms), or clear it if ``due_at`` is None."""
        timers = self.of(key)
        if timers.get(timer) == due_at:
            return
        if due_at is None:
            del timers[timer]
            self._sql.run(f"DELETE FROM timer WHERE {OF_TABLE} AND kind = :kind", **table_key(key), kind=timer.value)
            return
        timers[timer] = due_at
        self._sql.run(
            "INSERT INTO timer (guild_id, table_id, kind, due_at) VALUES (:guild_id, :table_id, :kind, :due_at) "
            "ON CONFLICT (guild_id, table_id, kind) DO UPDATE SET due_at = excluded.due_at",
            **table_key(key),
            kind=timer.value,
            due_at=due_at,
        )

    def of(self, key: TableKey) -> dict[Timer, int]:
        """Return the timers of a table, including this transaction's changes."""
        if (timers := self._known.timers.get(key)) is None:
            rows = self._sql.all(TIMERS, **table_key(key))
            timers = self._known.timers[key] = parse_timers(rows)
        return timers

    def due(self, now: int, *, shard: Shard, limit: int) -> list[tuple[TableKey, Timer, int]]:
        """Return due timers with their times (ms), oldest first. Shards that are offline are skipped."""
        rows = self._sql.all(
            "SELECT t.guild_id, t.table_id, t.kind, t.due_at FROM timer t "
            f"WHERE t.due_at <= :now AND {_SERVED} AND NOT {_CUT_OFF} ORDER BY t.due_at LIMIT :limit",
            now=now,
            number=shard.number,
            count=shard.count,
            limit=limit,
        )
        return [(table_key_of(row), Timer(row["kind"]), row["due_at"]) for row in rows]

    def event_alarms(self, now: int, *, shard: Shard, limit: int) -> list[EventKey]:
        """Return the events with a due alarm, oldest first. Shards that are offline are skipped."""
        rows = self._sql.all(
            "SELECT t.guild_id, t.event_id FROM event t "
            f"WHERE t.alarm_at <= :now AND {_SERVED} AND NOT {_CUT_OFF} ORDER BY t.alarm_at LIMIT :limit",
            now=now,
            number=shard.number,
            count=shard.count,
            limit=limit,
        )
        return [event_key_of(row) for row in rows]

    def next_due(self) -> int | None:
        row = self._sql.one(
            "SELECT (SELECT MIN(due_at) AS first FROM timer) AS of_tables, "
            "(SELECT MIN(alarm_at) AS first FROM event WHERE alarm_at IS NOT NULL) AS of_events"
        )
        assert row is not None
        return min((at for at in row if at is not None), default=None)

    def hold_clocks(self, shards: Collection[Shard]) -> None:
        """Block other writers for ``shards``, because they'd overwrite shifted clocks with values read earlier."""
        self._sql.hold_clocks(shards)

    def shift(self, by: int, *, shard: Shard, tell: bool) -> None:
        """Shift all clocks of the shard's servers by ``by`` ms. With ``tell``, redraw the messages that show them."""
        self.hold_clocks([shard])
        self._known.forget()
        self._shift("UPDATE timer SET due_at = due_at + :by WHERE", by, shard)
        self._shift(
            "UPDATE seat SET deadline = deadline + :by, remind_at = remind_at + :by WHERE deadline IS NOT NULL AND",
            by,
            shard,
        )
        self._shift("UPDATE seat SET waits_until = waits_until + :by WHERE waits_until IS NOT NULL AND", by, shard)
        # Announced times stay unchanged: the start, and those of a league's rounds. So the alarm never moves later. An
        # early alarm does no harm. A pause gives a level its full time back.
        self._shift(
            "UPDATE event SET alarm_at = CASE WHEN :by < 0 THEN alarm_at + :by ELSE alarm_at END, "
            "level_ends_at = CASE WHEN paused = 1 THEN level_ends_at ELSE level_ends_at + :by END, "
            "break_until = break_until + :by WHERE phase = 'running' AND",
            by,
            shard,
        )
        # Places are offered until the start at the latest.
        self._shift(
            f"UPDATE waiting_player SET offered_until = CASE WHEN offered_until + :by < {_START} "
            f"THEN offered_until + :by ELSE {_START} END WHERE offered_until IS NOT NULL AND",
            by,
            shard,
        )
        if tell:
            self._redraw(by, shard)

    def _redraw(self, by: int, shard: Shard) -> None:
        values = {"number": shard.number, "count": shard.count}
        self._sql.run(
            "UPDATE event SET drawn_version = 0 "
            f"WHERE (level_ends_at IS NOT NULL OR break_until IS NOT NULL) AND phase = 'running' AND {_SERVED}",
            **values,
        )
        self._shift(
            "UPDATE game_table SET "
            "stood_still = CASE WHEN stood_still + :by < 0 THEN 0 ELSE stood_still + :by END "
            "WHERE state = 'playing' AND",
            by,
            shard,
        )
        self._sql.run(
            f"UPDATE game_table SET drawn_version = 0 WHERE state <> 'closed' AND {_TIMED} AND {_SERVED}", **values
        )

    def _shift(self, statement: str, by: int, shard: Shard) -> None:
        self._sql.run(f"{statement} {_SERVED}", by=by, number=shard.number, count=shard.count)

    # Outages, the heartbeat and restores

    def outages(self) -> dict[Shard, int]:
        rows = self._sql.all("SELECT shard_id, shard_count, since FROM outage")
        return {Shard(number=row["shard_id"], count=row["shard_count"]): row["since"] for row in rows}

    def begin_outage(self, shard: Shard, since: int) -> None:
        self._sql.run(
            "INSERT INTO outage (shard_id, shard_count, since) VALUES (:number, :count, :since) "
            "ON CONFLICT (shard_id, shard_count) DO NOTHING",
            number=shard.number,
            count=shard.count,
            since=since,
        )

    def end_outage(self, shard: Shard) -> None:
        self._sql.run(
            "DELETE FROM outage WHERE shard_id = :number AND shard_count = :count",
            number=shard.number,
            count=shard.count,
        )

    def clear_processes(self) -> None:
        """Remove all processes, because none are left. Record outages for their shards since the last heartbeat."""
        self._sql.run(
            "INSERT INTO outage (shard_id, shard_count, since) "
            "SELECT l.shard_id, p.shard_count, p.alive_at FROM shard_lease l JOIN process p USING (process_id) "
            "WHERE true ON CONFLICT (shard_id, shard_count) DO NOTHING"
        )
        self._sql.run("DELETE FROM process")

    def frozen_servers(self) -> frozenset[GuildId]:
        return frozenset(GuildId(row["guild_id"]) for row in self._sql.all("SELECT guild_id FROM frozen_server"))

    def freeze_servers(self, guilds: Collection[GuildId]) -> None:
        self._sql.run("DELETE FROM frozen_server")
        # One process checks all servers' ledgers. A parameter ``:guild_id`` would require it to serve them as well.
        self._sql.many("INSERT INTO frozen_server (guild_id) VALUES (:server)", [{"server": guild} for guild in guilds])

    def alive_at(self) -> int | None:
        return self._number("SELECT alive_at FROM heartbeat")

    def beat(self, now: int) -> Heartbeat:
        """Record a heartbeat, and return the resulting position of the database."""
        row = self._sql.one(
            "INSERT INTO heartbeat (one, alive_at, database_id, beats) VALUES (1, :now, :fresh, 1) "
            "ON CONFLICT (one) DO UPDATE SET alive_at = excluded.alive_at, beats = heartbeat.beats + 1, "
            "database_id = CASE heartbeat.database_id WHEN '' THEN excluded.database_id ELSE heartbeat.database_id END "
            "RETURNING database_id, beats",
            now=now,
            fresh=secrets.token_hex(8),
        )
        assert row is not None
        return Heartbeat(row["database_id"], row["beats"])

    def last_beat(self) -> Heartbeat | None:
        """Return the last heartbeat's position; None before the first."""
        row = self._sql.one("SELECT database_id, beats FROM heartbeat")
        return None if row is None else Heartbeat(row["database_id"], row["beats"])

    def go_beyond(self, beats: int) -> Heartbeat:
        """Raise the heartbeat counter of an outdated database beyond ``beats``, and return the resulting position."""
        self._sql.run("UPDATE heartbeat SET beats = :beats + 1", beats=beats)
        found = self.last_beat()
        assert found is not None
        return found

    def restored(self) -> bool:
        return self._sql.is_copy()

    def take_for_copy(self) -> None:
        """Mark the database as restored, so that the next start detects it."""
        self._sql.become_copy()

    def begin_epoch(self, name: str, *, copied_at: int | None, at: int) -> None:
        """Start a new epoch, and clear the mark of a restored database."""
        self._sql.run(
            "INSERT INTO epoch (name, copied_at, at) VALUES (:name, :copied_at, :at)",
            name=name,
            copied_at=copied_at,
            at=at,
        )
        self._sql.forget_copy()

    def epoch(self) -> str:
        """Return the name of the epoch since the last restore; empty before the first."""
        row = self._sql.one("SELECT name FROM epoch ORDER BY epoch_id DESC LIMIT 1")
        return "" if row is None else str(row["name"])

    def epochs(self) -> tuple[Epoch, ...]:
        """Return all epochs, oldest first."""
        rows = self._sql.all("SELECT name, copied_at FROM epoch ORDER BY epoch_id")
        return tuple(Epoch(row["name"], row["copied_at"]) for row in rows)

    def last_restore(self) -> Restore | None:
        """Return the last restore of the database; None if there was none."""
        row = self._sql.one("SELECT copied_at, at FROM epoch ORDER BY epoch_id DESC LIMIT 1")
        return None if row is None else Restore(known_until=row["copied_at"] or row["at"], at=row["at"])
