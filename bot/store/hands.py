"""Queries for hands: the log, and the record of each hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from bot.model.hands import DealRecord, ExportFilter, HandRecord, SharedDeal
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.pure.ofc.deck import DealInputs
from bot.pure.ofc.log import Fact, HandStarted, LogError, PlacedBy, from_json, kind_of, to_json
from bot.pure.ofc.proof import HASH_BYTES, Leaf
from bot.store.columns import Column, Columns, columns_of
from bot.store.personal import IS_LEFT, pseudonyms, renamed
from bot.store.queries import LAST, OF_TABLE, Queries, as_json, spec_text, table_key, table_key_of, variant_from
from bot.store.sql import Value

MAX_FACTS = 4096
"""Cache size for parsed facts. A hand's log is read at each action, and most logs share their facts."""
MAX_DEALS = 1024
"""Cache size for parsed deals and entropy, which are read with the log."""
Entropy = tuple[tuple[Player, str], ...]


@lru_cache(MAX_DEALS)
def _entropy(text: str) -> Entropy:
    return _entropy_of(json.loads(text))


def _entropy_of(pairs: Iterable[tuple[str, str]]) -> Entropy:
    return tuple((Player(player), text) for player, text in pairs)


def _shared_text(shared: SharedDeal) -> str:
    return as_json({"name": shared.name, "entropy": shared.entropy})


def _shared(text: str) -> SharedDeal:
    fields = json.loads(text)
    return SharedDeal(name=fields["name"], entropy=_entropy_of(fields["entropy"]))


def _deal_text(deal: DealRecord) -> str:
    fields = {
        "epoch": deal.epoch,
        "leaf": deal.leaf.place,
        "path": b"".join(deal.leaf.path).hex(),
        "button": deal.dealt.button,
        "fantasyland": deal.dealt.fantasyland,
    }
    return json.dumps(fields)


@lru_cache(MAX_DEALS)
def _deal(text: str) -> DealRecord:
    fields = json.loads(text)
    path = bytes.fromhex(fields["path"])
    hashes = tuple(path[start : start + HASH_BYTES] for start in range(0, len(path), HASH_BYTES))
    return DealRecord(
        epoch=fields["epoch"],
        leaf=Leaf(place=fields["leaf"], path=hashes),
        dealt=DealInputs(button=fields["button"], fantasyland=tuple(fields["fantasyland"])),
    )


HANDS = Columns(
    HandRecord,
    "hand",
    columns_of(
        HandRecord,
        Column(name="variant", attribute="variant", to_sql=spec_text, from_sql=variant_from),
        Column(name="entropy", attribute="entropy", to_sql=as_json, from_sql=_entropy),
        Column(name="shared", attribute="shared", to_sql=_shared_text, from_sql=_shared),
        Column(name="deal", attribute="deal", to_sql=_deal_text, from_sql=_deal),
    ),
    key=("guild_id", "table_id", "hand_no"),
    beside=("guild_id", "table_id"),
)


class HandQueries(Queries):
    """Queries for hands and a table's log."""

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
        entries = [(kind_of(event), to_json(event)) for event in events]
        self._log(key, entries, hand_no=hand_no, actor=actor, cause=cause, at=at)
        if isinstance(events[0], HandStarted):
            self._known.facts[key, hand_no] = list(events)
        elif (known := self._known.facts.get((key, hand_no))) is not None:
            known.extend(events)

    def note(self, key: TableKey, kind: str, *, hand_no: int, actor: Player | None, cause: str | None, at: int) -> None:
        self._log(key, [(f"table.{kind}", {})], hand_no=hand_no, actor=actor, cause=cause, at=at)

    def _log(
        self,
        key: TableKey,
        entries: Sequence[tuple[str, dict[str, Any]]],
        *,
        hand_no: int,
        actor: Player | None,
        cause: str | None,
        at: int,
    ) -> None:
        """Append ``entries``, pairs of kind and payload. The first is the actor's, and gets the cause."""
        last = self.logged(key)
        self._known.last[key] += len(entries)
        self._sql.many(
            "INSERT INTO table_log (guild_id, table_id, seq, hand_no, kind, payload, actor, cause, at) "
            "VALUES (:guild_id, :table_id, :seq, :hand_no, :kind, :payload, :actor, :cause, :at)",
            [
                {
                    **table_key(key),
                    "seq": seq,
                    "hand_no": hand_no,
                    "kind": kind,
                    "payload": json.dumps(payload, separators=(",", ":")),
                    "actor": None if seq - last > 1 else actor,
                    "cause": None if seq - last > 1 else cause,
                    "at": at,
                }
                for seq, (kind, payload) in enumerate(entries, last + 1)
            ],
        )

    def logged(self, key: TableKey) -> int:
        """Return the length of a table's log. It's append-only, so an equal length means an unchanged log."""
        if key not in self._known.last:
            self._known.last[key] = self._number(LAST, **table_key(key)) or 0
        return self._known.last[key]

    def facts(self, key: TableKey, hand_no: int) -> list[Fact]:
        """Return the facts of a hand, in order; raises ``bot.pure.ofc.log.LogError`` for an unreadable one."""
        if (known := self._known.facts.get((key, hand_no))) is not None:
            return list(known)
        rows = self._sql.all(
            f"SELECT kind, payload, {IS_LEFT} FROM table_log WHERE {OF_TABLE} "
            "AND hand_no = :hand_no AND kind NOT LIKE 'table.%' ORDER BY seq",
            **table_key(key),
            hand_no=hand_no,
        )
        gone = pseudonyms(self._sql, key, hand_no) if rows and rows[0]["is_left"] else {}
        facts: list[Fact] = []
        for row in rows:
            payload = row["payload"]
            for player, pseudonym in gone.items():
                payload = renamed(payload, player, pseudonym)
            facts.append(fact_from(row["kind"], payload))
        self._known.facts[key, hand_no] = facts
        return list(facts)

    def pace_of(self, guild: GuildId, *, since: int, until: int, tables: int, hands: int) -> list[tuple[int, int]]:
        """Return the duration (ms) and the number of human turns of a server's newest settled hands.

        Only hands dealt from ``since`` and before ``until`` (ms) at the newest ``tables`` tables count.
        """
        rows = self._sql.all(
            "SELECT h.ended_at - h.started_at AS took, COUNT(*) AS turns FROM hand h "
            "JOIN table_log e ON e.guild_id = h.guild_id AND e.table_id = h.table_id AND e.hand_no = h.hand_no "
            "WHERE h.guild_id = :guild_id AND h.state = 'settled' AND h.started_at >= :since AND h.started_at < :until "
            "AND h.table_id IN "
            "(SELECT table_id FROM game_table WHERE guild_id = :guild_id ORDER BY table_id DESC LIMIT :tables) "
            "AND e.actor IS NOT NULL AND e.actor NOT LIKE 'computer-%' AND e.kind NOT LIKE 'table.%' "
            "GROUP BY h.table_id, h.hand_no, h.started_at, h.ended_at "
            "ORDER BY h.started_at DESC, h.table_id DESC LIMIT :hands",
            guild_id=guild,
            since=since,
            until=until,
            tables=tables,
            hands=hands,
        )
        return [(row["took"], row["turns"]) for row in rows]

    def placed_by(self, key: TableKey, hand_no: int) -> set[Player]:
        """Return the players who placed cards or surrendered in a hand, or whose draft the clock confirmed."""
        rows = self._sql.all(
            f"SELECT DISTINCT actor FROM table_log WHERE {OF_TABLE} "
            "AND hand_no = :hand_no AND kind NOT LIKE 'table.%' AND actor IS NOT NULL",
            **table_key(key),
            hand_no=hand_no,
        )
        return {Player(row["actor"]) for row in rows}

    def by_clock_since(self, key: TableKey, player: Player) -> list[tuple[int, int, Fact]]:
        """Return the player's auto-placed cards at a table since they last acted there.

        Each fact comes with its hand number and its time (ms).
        """
        rows = self._sql.all(
            f"SELECT hand_no, at, kind, payload FROM table_log WHERE {OF_TABLE} "
            "AND kind IN ('cards_laid', 'fantasyland_set') "
            f"AND payload LIKE :clock AND seq > COALESCE((SELECT MAX(seq) AS last FROM table_log WHERE {OF_TABLE} "
            "AND actor = :player AND cause IS NOT NULL), 0) ORDER BY seq",
            **table_key(key),
            player=player,
            clock=f'%"by":"{PlacedBy.CLOCK.value}"%',
        )
        return [(row["hand_no"], row["at"], fact_from(row["kind"], row["payload"])) for row in rows]

    def lost_seats(self, guild: GuildId, player: Player, *, since: int) -> list[TableId]:
        """Return the tables where a player has lost their seat by missing hands since they last acted in a server."""
        rows = self._sql.all(
            "SELECT l.table_id FROM table_log l WHERE l.actor = :player AND l.guild_id = :guild_id "
            "AND l.kind = 'table.lost_seat' AND l.at >= :since AND NOT EXISTS (SELECT 1 FROM table_log d "
            "WHERE d.actor = :player AND d.guild_id = :guild_id AND d.cause IS NOT NULL AND d.at > l.at) "
            "ORDER BY l.at, l.table_id",
            guild_id=guild,
            player=player,
            since=since,
        )
        return [TableId(row["table_id"]) for row in rows]

    def save(self, key: TableKey, hand: HandRecord) -> None:
        self._save(HANDS, hand, **table_key(key))
        self._known.hands[key, hand.hand_no] = hand

    def get(self, key: TableKey, hand_no: int) -> HandRecord | None:
        if (found := self._known.hands.get((key, hand_no))) is not None:
            return found
        row = self._sql.one(
            f"SELECT {HANDS.names}, {IS_LEFT} FROM hand WHERE {OF_TABLE} AND hand_no = :hand_no",
            **table_key(key),
            hand_no=hand_no,
        )
        if row is None:
            return None
        record = HANDS.read(row)
        if row["is_left"]:
            gone = pseudonyms(self._sql, key, hand_no)
            entropy = tuple((gone[one], "") if one in gone else (one, text) for one, text in record.entropy)
            record = replace(record, entropy=entropy)
        self._known.hands[key, hand_no] = record
        return record

    def settled(self, exported: ExportFilter) -> list[tuple[TableKey, int]]:
        """Return the hands to export, ordered by server, table and number."""
        conditions = ["h.state = 'settled'", "h.started_at >= :since", "h.started_at < :until"]
        values: dict[str, Value] = {"since": exported.since, "until": exported.until}
        if exported.guild is not None:
            conditions.append("h.guild_id = :guild_id")
            values["guild_id"] = exported.guild
        if exported.player is not None:
            conditions.append(
                "EXISTS (SELECT 1 FROM result r WHERE r.guild_id = h.guild_id AND r.table_id = h.table_id "
                "AND r.hand_no = h.hand_no AND r.player = :player)"
            )
            values["player"] = exported.player
        rows = self._sql.all(
            f"SELECT h.guild_id, h.table_id, h.hand_no FROM hand h WHERE {' AND '.join(conditions)} "
            "ORDER BY h.guild_id, h.table_id, h.hand_no",
            **values,
        )
        return [(table_key_of(row), row["hand_no"]) for row in rows]


@lru_cache(MAX_FACTS)
def fact_from(kind: str, payload: str) -> Fact:
    """Return the fact stored as ``kind`` and ``payload``; raises LogError."""
    try:
        fields = json.loads(payload)
    except ValueError as error:
        raise LogError(f"a fact is not valid JSON: {error}") from error
    if not isinstance(fields, dict):
        raise LogError("a fact has no fields")
    return from_json(kind, fields)
