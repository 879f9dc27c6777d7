"""The events of servers in SQL."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from bot.event.structure import Structure, structure_from
from bot.play.clock import Clock, Pace
from bot.play.event.model import (
    Entrant,
    EntrantState,
    Event,
    EventDraft,
    EventFact,
    EventPosting,
    EventTable,
    Notice,
    Phase,
    Server,
    Waits,
)
from bot.play.model import EventKey, GuildId, Player, Shard, TableId, TableKey
from bot.store.rows import CACHED, Rows, spec_text, table_key, upsert, variant_from

_TOURNAMENT_FIELDS = (
    "name",
    "organiser",
    "helpers",
    "channel_id",
    "language",
    "variant",
    "structure",
    "pace",
    "turn_seconds",
    "series",
    "phase",
    "starts_at",
    "created_at",
    "started_at",
    "ended_at",
    "reason",
    "commitment",
    "sealed_seed",
    "seed",
    "level",
    "level_ends_at",
    "breaks",
    "break_until",
    "paused",
    "round",
    "round_began_at",
    "moment",
    "hand_for_hand",
    "final_table",
    "board",
    "compared",
    "epoch",
    "decks_epoch",
    "board_commitment",
    "board_sealed",
    "reminded",
    "alarm_at",
    "version",
    "drawn_version",
    "message_id",
    "scheduled_id",
    "scheduled_as",
)
_ENTRANT_FIELDS = (
    "state",
    "registered_at",
    "cause",
    "entries",
    "number",
    "score",
    "hands",
    "out_moment",
    "out_stack",
    "out_order",
    "place",
    "prize",
    "disqualified",
    "penalty",
    "move_to",
    "absent",
)
_TABLE_FIELDS = (
    "tournament_id",
    "round",
    "match",
    "played",
    "extra",
    "accounted",
    "board",
    "waits",
    "threaded",
    "over",
)
_SAVE_TOURNAMENT = upsert("tournament", ("guild_id", "tournament_id"), _TOURNAMENT_FIELDS)
_SAVE_ENTRANT = upsert("entrant", ("guild_id", "tournament_id", "player"), _ENTRANT_FIELDS)
_SAVE_TABLE = upsert("tournament_table", ("guild_id", "table_id"), _TABLE_FIELDS)
_SAVE_MATCH = upsert("tournament_match", ("guild_id", "tournament_id", "match"), ("winner",))
_SAVE_DRAFT = upsert("tournament_draft", ("guild_id", "organiser"), ("draft", "at"))
_SAVE_SERVER = upsert("server", ("guild_id",), ("organiser_role", "zone"))
_OF_EVENT = "guild_id = :guild_id AND tournament_id = :tournament_id"


def _key(key: EventKey) -> dict[str, Any]:
    return {"guild_id": key.guild, "tournament_id": key.number}


class EventRows(Rows):
    """What :class:`bot.play.ports.Tx` promises of events."""

    def next_event(self, guild: GuildId) -> int:
        last = self._number("SELECT MAX(tournament_id) FROM tournament WHERE guild_id = :guild_id", guild_id=guild)
        return (last or 0) + 1

    def save_event(self, event: Event) -> None:
        values = {
            "name": event.name,
            "organiser": event.organiser,
            "helpers": _json(event.helpers),
            "channel_id": event.channel,
            "language": event.language,
            "variant": spec_text(event.variant),
            "structure": _json(event.structure.to_json()),
            "pace": event.clock.pace.value,
            "turn_seconds": event.clock.seconds,
            "series": event.series,
            "phase": event.phase.value,
            "starts_at": event.starts_at,
            "created_at": event.created_at,
            "started_at": event.started_at,
            "ended_at": event.ended_at,
            "reason": event.reason,
            "commitment": event.commitment,
            "sealed_seed": event.sealed_seed,
            "seed": event.seed,
            "level": event.level,
            "level_ends_at": event.level_ends_at,
            "breaks": event.breaks,
            "break_until": event.break_until,
            "paused": int(event.paused),
            "round": event.round,
            "round_began_at": event.round_began_at,
            "moment": event.moment,
            "hand_for_hand": int(event.hand_for_hand),
            "final_table": int(event.final_table),
            "board": event.board,
            "compared": event.compared,
            "epoch": event.epoch,
            "decks_epoch": event.decks_epoch,
            "board_commitment": event.board_commitment,
            "board_sealed": event.board_sealed,
            "reminded": int(event.reminded),
            "alarm_at": event.alarm_at,
            "version": event.version,
            "drawn_version": event.drawn_version,
            "message_id": event.message,
            "scheduled_id": event.scheduled,
            "scheduled_as": event.scheduled_as,
        }
        self._sql.execute(_SAVE_TOURNAMENT, {**_key(event.key), **values})

    def event(self, key: EventKey) -> Event | None:
        row = self._one(f"SELECT * FROM tournament WHERE {_OF_EVENT}", **_key(key))
        return None if row is None else _event(row)

    def events(self, guild: GuildId, phases: Sequence[Phase]) -> list[Event]:
        wanted = {f"phase_{number}": phase.value for number, phase in enumerate(phases)}
        rows = self._all(
            f"SELECT * FROM tournament WHERE guild_id = :guild_id "
            f"AND phase IN ({', '.join(f':{name}' for name in wanted)}) ORDER BY tournament_id DESC",
            guild_id=guild,
            **wanted,
        )
        return [_event(row) for row in rows]

    def running_events(self) -> list[EventKey]:
        return self._events(
            "SELECT guild_id, tournament_id FROM tournament WHERE phase NOT IN ('ended', 'cancelled') "
            "ORDER BY guild_id, tournament_id"
        )

    def _events(self, sql: str, **values: Any) -> list[EventKey]:
        return [EventKey(guild=GuildId(row[0]), number=row[1]) for row in self._all(sql, **values)]

    # who takes part

    def entrants(self, key: EventKey) -> list[Entrant]:
        rows = self._all(f"SELECT * FROM entrant WHERE {_OF_EVENT} ORDER BY registered_at, player", **_key(key))
        return [_entrant(row) for row in rows]

    def entrant(self, key: EventKey, player: Player) -> Entrant | None:
        row = self._one(f"SELECT * FROM entrant WHERE {_OF_EVENT} AND player = :player", **_key(key), player=player)
        return None if row is None else _entrant(row)

    def save_entrant(self, key: EventKey, entrant: Entrant) -> None:
        values = {
            "player": entrant.player,
            "state": entrant.state.value,
            "registered_at": entrant.registered_at,
            "cause": entrant.cause,
            "entries": entrant.entries,
            "number": entrant.number,
            "score": entrant.score,
            "hands": entrant.hands,
            "out_moment": entrant.out_moment,
            "out_stack": entrant.out_stack,
            "out_order": entrant.out_order,
            "place": entrant.place,
            "prize": entrant.prize,
            "disqualified": int(entrant.disqualified),
            "penalty": entrant.penalty,
            "move_to": entrant.move_to,
            "absent": int(entrant.absent),
        }
        self._sql.execute(_SAVE_ENTRANT, {**_key(key), **values})

    # its tables and matches

    def event_tables(self, key: EventKey, *, over: bool) -> list[EventTable]:
        rows = self._all(
            f"SELECT * FROM tournament_table WHERE {_OF_EVENT} AND (over = 0 OR :over) ORDER BY table_id",
            **_key(key),
            over=int(over),
        )
        return [_event_table(row) for row in rows]

    def event_table(self, key: TableKey) -> EventTable | None:
        row = self._one(
            "SELECT * FROM tournament_table WHERE guild_id = :guild_id AND table_id = :table_id", **table_key(key)
        )
        return None if row is None else _event_table(row)

    def save_event_table(self, key: EventKey, table: EventTable) -> None:
        values = {
            "table_id": table.table,
            "round": table.round,
            "match": table.match,
            "played": table.played,
            "extra": int(table.extra),
            "accounted": table.accounted,
            "board": table.board,
            "waits": table.waits.value,
            "threaded": int(table.threaded),
            "over": int(table.over),
        }
        self._sql.execute(_SAVE_TABLE, {**_key(key), **values})

    def matches(self, key: EventKey) -> dict[int, Player]:
        rows = self._all(f"SELECT match, winner FROM tournament_match WHERE {_OF_EVENT} ORDER BY match", **_key(key))
        return {row["match"]: Player(row["winner"]) for row in rows}

    def save_match(self, key: EventKey, match: int, winner: Player) -> None:
        self._sql.execute(_SAVE_MATCH, {**_key(key), "match": match, "winner": winner})

    # its log

    def note_event(
        self,
        key: EventKey,
        kind: str,
        details: Mapping[str, Any],
        *,
        actor: Player | None,
        cause: str | None,
        at: int,
    ) -> None:
        last = self._number(f"SELECT MAX(seq) FROM tournament_log WHERE {_OF_EVENT}", **_key(key))
        self._sql.execute(
            "INSERT INTO tournament_log (guild_id, tournament_id, seq, kind, details, actor, cause, at) "
            "VALUES (:guild_id, :tournament_id, :seq, :kind, :details, :actor, :cause, :at)",
            {
                **_key(key),
                "seq": (last or 0) + 1,
                "kind": kind,
                "details": _json(details),
                "actor": actor,
                "cause": cause,
                "at": at,
            },
        )

    def event_log(self, key: EventKey) -> list[EventFact]:
        rows = self._all(f"SELECT * FROM tournament_log WHERE {_OF_EVENT} ORDER BY seq", **_key(key))
        return [_fact(row) for row in rows]

    def facts_of(self, key: EventKey, actor: Player) -> list[EventFact]:
        query = f"SELECT * FROM tournament_log WHERE {_OF_EVENT} AND actor = :actor ORDER BY seq"
        return [_fact(row) for row in self._all(query, actor=actor, **_key(key))]

    def last_fact(self, key: EventKey, kinds: Sequence[str]) -> EventFact | None:
        row = self._one(
            f"SELECT * FROM tournament_log WHERE {_OF_EVENT} AND kind IN (SELECT value FROM json_each(:kinds)) "
            "ORDER BY seq DESC LIMIT 1",
            kinds=json.dumps(kinds),
            **_key(key),
        )
        return None if row is None else _fact(row)

    # clocks and messages

    def event_alarms(self, now: int, *, limit: int) -> list[EventKey]:
        return self._events(
            "SELECT guild_id, tournament_id FROM tournament t WHERE alarm_at <= :now AND NOT EXISTS "
            "(SELECT 1 FROM outage o WHERE (t.guild_id >> 22) % o.shard_count = o.shard_id) "
            "ORDER BY alarm_at LIMIT :limit",
            now=now,
            limit=limit,
        )

    def _next_alarm(self) -> int | None:
        return self._number("SELECT MIN(alarm_at) FROM tournament WHERE alarm_at IS NOT NULL")

    def _shift_alarms(self, by: int, *, shard: Shard, tell: bool) -> None:
        # Hours that were announced stay: that of the start, and those of a league's rounds. So the director looks no
        # later; looking early does no harm. A pause gives a level all of its time back.
        served = "phase = 'running' AND (guild_id >> 22) % :count = :number"
        values = {"by": by, "number": shard.number, "count": shard.count}
        self._sql.execute(
            "UPDATE tournament SET alarm_at = CASE WHEN :by < 0 THEN alarm_at + :by ELSE alarm_at END, "
            "level_ends_at = CASE WHEN paused THEN level_ends_at ELSE level_ends_at + :by END, "
            f"break_until = break_until + :by WHERE {served}",
            values,
        )
        if tell:
            self._sql.execute(
                "UPDATE tournament SET drawn_version = 0 "
                f"WHERE (level_ends_at IS NOT NULL OR break_until IS NOT NULL) AND {served}",
                values,
            )

    def note_event_drawn(self, key: EventKey, *, version: int, message: int | None) -> None:
        self._sql.execute(
            f"UPDATE tournament SET drawn_version = :version, message_id = :message WHERE {_OF_EVENT}",
            {**_key(key), "version": version, "message": message},
        )

    def note_scheduled(self, key: EventKey, *, scheduled: int | None, told: str) -> None:
        self._sql.execute(
            f"UPDATE tournament SET scheduled_id = :scheduled, scheduled_as = :told WHERE {_OF_EVENT}",
            {**_key(key), "scheduled": scheduled, "told": told},
        )

    def undrawn_events(self) -> list[EventKey]:
        return self._events(
            "SELECT guild_id, tournament_id FROM tournament WHERE drawn_version < version "
            "UNION SELECT guild_id, tournament_id FROM tournament_outbox ORDER BY guild_id, tournament_id"
        )

    def post_event(self, key: EventKey, notice: Notice, details: Mapping[str, Any], *, at: int) -> None:
        self._sql.execute(
            "INSERT INTO tournament_outbox (guild_id, tournament_id, notice, details, at) "
            "VALUES (:guild_id, :tournament_id, :notice, :details, :at)",
            {**_key(key), "notice": notice.value, "details": _json(details), "at": at},
        )

    def event_postings(self, key: EventKey, *, limit: int) -> list[EventPosting]:
        rows = self._all(
            f"SELECT * FROM tournament_outbox WHERE {_OF_EVENT} ORDER BY outbox_id LIMIT :limit",
            **_key(key),
            limit=limit,
        )
        return [
            EventPosting(
                number=row["outbox_id"],
                key=key,
                notice=Notice(row["notice"]),
                details=json.loads(row["details"]),
                at=row["at"],
            )
            for row in rows
        ]

    def event_posted(self, number: int) -> None:
        self._sql.execute("DELETE FROM tournament_outbox WHERE outbox_id = :number", {"number": number})

    # series

    def series(self, guild: GuildId) -> list[str]:
        rows = self._all(
            "SELECT series FROM tournament WHERE guild_id = :guild_id AND series <> '' "
            "GROUP BY series ORDER BY MAX(created_at) DESC, MAX(tournament_id) DESC",
            guild_id=guild,
        )
        return [row["series"] for row in rows]

    def series_events(self, guild: GuildId, series: str) -> list[EventKey]:
        return self._events(
            "SELECT guild_id, tournament_id FROM tournament "
            "WHERE guild_id = :guild_id AND series = :series AND phase = 'ended' ORDER BY tournament_id",
            guild_id=guild,
            series=series,
        )

    # what is prepared, and what a server has chosen

    def draft(self, guild: GuildId, organiser: Player) -> EventDraft | None:
        row = self._one(
            "SELECT * FROM tournament_draft WHERE guild_id = :guild_id AND organiser = :organiser",
            guild_id=guild,
            organiser=organiser,
        )
        if row is None:
            return None
        return EventDraft(guild=guild, organiser=organiser, values=json.loads(row["draft"]), at=row["at"])

    def save_draft(self, draft: EventDraft) -> None:
        self._sql.execute(
            _SAVE_DRAFT,
            {"guild_id": draft.guild, "organiser": draft.organiser, "draft": _json(draft.values), "at": draft.at},
        )

    def forget_draft(self, guild: GuildId, organiser: Player) -> None:
        self._sql.execute(
            "DELETE FROM tournament_draft WHERE guild_id = :guild_id AND organiser = :organiser",
            {"guild_id": guild, "organiser": organiser},
        )

    def server(self, guild: GuildId) -> Server:
        row = self._one("SELECT * FROM server WHERE guild_id = :guild_id", guild_id=guild)
        return Server() if row is None else Server(organiser_role=row["organiser_role"], zone=row["zone"])

    def save_server(self, guild: GuildId, server: Server) -> None:
        values = {"guild_id": guild, "organiser_role": server.organiser_role, "zone": server.zone}
        self._sql.execute(_SAVE_SERVER, values)


def _json(value: Mapping[str, Any] | Sequence[str]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(CACHED)
def _structure(text: str) -> Structure:
    return structure_from(json.loads(text))


def _event(row: sqlite3.Row) -> Event:
    return Event(
        key=EventKey(guild=row["guild_id"], number=row["tournament_id"]),
        name=row["name"],
        organiser=row["organiser"],
        helpers=tuple(json.loads(row["helpers"])),
        channel=row["channel_id"],
        language=row["language"],
        variant=variant_from(row["variant"]),
        structure=_structure(row["structure"]),
        clock=Clock(pace=Pace(row["pace"]), seconds=row["turn_seconds"]),
        series=row["series"],
        phase=Phase(row["phase"]),
        starts_at=row["starts_at"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        reason=row["reason"],
        commitment=row["commitment"],
        sealed_seed=row["sealed_seed"],
        seed=row["seed"],
        level=row["level"],
        level_ends_at=row["level_ends_at"],
        breaks=row["breaks"],
        break_until=row["break_until"],
        paused=bool(row["paused"]),
        round=row["round"],
        round_began_at=row["round_began_at"],
        moment=row["moment"],
        hand_for_hand=bool(row["hand_for_hand"]),
        final_table=bool(row["final_table"]),
        board=row["board"],
        compared=row["compared"],
        epoch=row["epoch"],
        decks_epoch=row["decks_epoch"],
        board_commitment=row["board_commitment"],
        board_sealed=row["board_sealed"],
        reminded=bool(row["reminded"]),
        alarm_at=row["alarm_at"],
        version=row["version"],
        drawn_version=row["drawn_version"],
        message=row["message_id"],
        scheduled=row["scheduled_id"],
        scheduled_as=row["scheduled_as"],
    )


def _entrant(row: sqlite3.Row) -> Entrant:
    return Entrant(
        player=row["player"],
        state=EntrantState(row["state"]),
        registered_at=row["registered_at"],
        cause=row["cause"],
        entries=row["entries"],
        number=row["number"],
        score=row["score"],
        hands=row["hands"],
        out_moment=row["out_moment"],
        out_stack=row["out_stack"],
        out_order=row["out_order"],
        place=row["place"],
        prize=row["prize"],
        disqualified=bool(row["disqualified"]),
        penalty=row["penalty"],
        move_to=row["move_to"],
        absent=bool(row["absent"]),
    )


def _event_table(row: sqlite3.Row) -> EventTable:
    return EventTable(
        table=TableId(row["table_id"]),
        round=row["round"],
        match=row["match"],
        played=row["played"],
        extra=bool(row["extra"]),
        accounted=row["accounted"],
        board=row["board"],
        waits=Waits(row["waits"]),
        threaded=bool(row["threaded"]),
        over=bool(row["over"]),
    )


def _fact(row: Any) -> EventFact:
    return EventFact(
        number=row["seq"],
        kind=row["kind"],
        details=json.loads(row["details"]),
        actor=row["actor"],
        at=row["at"],
    )
