"""Queries for personal data: exporting it, and replacing a player with a pseudonym."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bot.model.clock import DAY
from bot.model.daily import ChallengeId
from bot.model.ids import EventKey, GuildId, Player, TableId, TableKey
from bot.model.mentions import in_wide_digits
from bot.model.privacy import BlockerKind, DeletionBlocker, RetainedRecord, UsedRight, UsedRightKind
from bot.store.columns import Columns, columns_of
from bot.store.events import people_in
from bot.store.export_queries import OWN_HANDS, TOLD, ExportQuery
from bot.store.personal import (
    FINAL,
    FREE_TEXT,
    NAMED,
    OF_SERVERS,
    FreeText,
    PersonalTable,
    at_tables,
    found_in,
    in_sql,
    naming,
    unmentioned,
    without_others,
    without_words,
    words_about,
)
from bot.store.queries import Queries, event_key_of
from bot.store.sql import SqlRow, Value, in_brackets, names_for

_BY_PRESS = ("send", "fee", "refund")
"""Prefixes of transfer causes that end with the id of the player's interaction."""
_AS_JSON = ("payload", "details", "draft")
# Tables of events are excluded, because players can't leave them. The event itself blocks the deletion.
_SEATED = (
    "SELECT t.guild_id, t.table_id AS number FROM game_table t WHERE t.state <> 'closed' AND t.host = :player "
    "AND t.event_id IS NULL "
    "UNION SELECT t.guild_id, t.table_id AS number FROM seat s JOIN game_table t ON t.guild_id = s.guild_id "
    "AND t.table_id = s.table_id WHERE t.state <> 'closed' AND s.player = :player AND t.event_id IS NULL"
)
# Drawn players are part of the draw's record even if they withdrew.
_ENTERED = (
    "SELECT t.guild_id, t.event_id AS number FROM event t WHERE t.phase NOT IN ('ended', 'cancelled') "
    "AND t.organiser = :player "
    "UNION SELECT t.guild_id, t.event_id AS number FROM entrant n JOIN event t ON t.guild_id = n.guild_id "
    "AND t.event_id = n.event_id WHERE t.phase NOT IN ('ended', 'cancelled') AND n.player = :player "
    "AND (n.state <> 'withdrawn' OR n.number > 0) "
    "UNION SELECT w.guild_id, w.event_id AS number FROM waiting_player w WHERE w.player = :player"
)
# A table's log ends when it closes.
_OVER = (
    "kept_entropy IS NOT NULL AND EXISTS (SELECT 1 FROM game_table t WHERE t.guild_id = hand.guild_id "
    "AND t.table_id = hand.table_id AND t.state = 'closed') AND (SELECT MAX(e.at) AS at FROM table_log e "
    "WHERE e.guild_id = hand.guild_id AND e.table_id = hand.table_id) < :before"
)
_ENDED = "kept_draw IS NOT NULL AND ended_at < :before"
_TRIED = (
    "SELECT a.challenge_id AS number FROM attempt a JOIN challenge c ON c.challenge_id = a.challenge_id "
    "WHERE a.player = :player AND a.points IS NULL AND c.seed IS NULL AND c.lost = 0 AND (c.day + 1) * :a_day > :at"
)


class PrivacyQueries(Queries):
    """Queries for privacy."""

    # Export

    def kinds_told(self) -> list[str]:
        """Return the kinds of rows in an export."""
        return [told.name for told in TOLD]

    def told(self, player: Player, kind: str) -> dict[GuildId | None, list[dict[str, Any]]]:
        """Return a kind's rows about the player, by server (None if outside servers), without confidential facts."""
        rows: dict[GuildId | None, list[dict[str, Any]]] = {}
        for row in self._told(next(told for told in TOLD if told.name == kind), player):
            rows.setdefault(row.pop("guild_id", None), []).append(row)
        return rows

    def _told(self, told: ExportQuery, player: Player) -> Iterator[dict[str, Any]]:
        patterns = {"quoted": f'%"{player}"%', "value": f"%{player}%", "wide": f"%{in_wide_digits(player)}%"}
        for found in self._asked(told.sql, player=player, **patterns):
            row = dict(zip(found.keys(), found, strict=True))
            row |= {name: json.loads(row[name]) for name in _AS_JSON if name in row}
            if told.name in ("rulings", "event_lines"):
                row["details"].pop("by", None)
                row["details"] = without_others(row["details"], player)
            if told.name == "mentions":
                row["text"] = words_about(row["text"], player)
            for name in told.lines:
                lines = [one for one in json.loads(row.pop(name)) if player in people_in(one)]
                row |= {name: without_others(lines, player)} if lines else {}
            if told.name == "hands":
                row["entropy"] = dict(json.loads(row["entropy"])).get(player, "")
            yield row

    def _asked(self, sql: str, **values: Value) -> Sequence[SqlRow]:
        """Return the rows of a query. Values without a parameter in the statement are ignored."""
        return self._sql.all(sql, **{name: value for name, value in values.items() if f":{name}" in sql})

    def lock_all_writes(self) -> None:
        """Block all other writers until the transaction ends, and allow it to write for servers of other processes."""
        self._sql.hold_all()
        self._sql.write_for_all()

    def write_for_all(self) -> None:
        """Allow this transaction to write for servers of other processes."""
        self._sql.write_for_all()

    def blockers(self, player: Player, *, at: int) -> list[DeletionBlocker]:
        """Return the tables, events and daily hands that block the player's deletion at time ``at`` (ms)."""
        day: dict[str, Value] = {"a_day": DAY, "at": at}
        asked = [(BlockerKind.TABLE, _SEATED, {}), (BlockerKind.EVENT, _ENTERED, {}), (BlockerKind.DAILY, _TRIED, day)]
        return [
            DeletionBlocker(
                kind=kind,
                guild=GuildId(row["guild_id"]) if kind is not BlockerKind.DAILY else None,
                number=row["number"],
            )
            for kind, sql, more in asked
            for row in self._sql.all(f"{sql} ORDER BY number", player=player, **more)
        ]

    # Pseudonyms

    def hands_to_keep(self, player: Player) -> list[tuple[TableKey, int]]:
        """Return the player's finished hands whose deck depends on their shuffle input."""
        rows = self._sql.all(
            f"SELECT x.guild_id, x.table_id, x.hand_no FROM {OWN_HANDS} AND x.kept_deck IS NULL "
            "AND x.shared IS NULL AND x.state IN ('settled', 'void') ORDER BY x.guild_id, x.table_id, x.hand_no",
            player=player,
            quoted=f'%"{player}"%',
        )
        return [
            (TableKey(guild=GuildId(row["guild_id"]), table=TableId(row["table_id"])), row["hand_no"]) for row in rows
        ]

    def draws_to_keep(self, player: Player) -> list[EventKey]:
        """Return the player's finished events whose draw depends on their input."""
        rows = self._sql.all(
            "SELECT t.guild_id, t.event_id FROM entrant n JOIN event t ON t.guild_id = n.guild_id "
            "AND t.event_id = n.event_id WHERE n.player = :player AND t.seed IS NOT NULL "
            "AND t.kept_draw IS NULL AND t.phase IN ('ended', 'cancelled') ORDER BY t.guild_id, t.event_id",
            player=player,
        )
        return [event_key_of(row) for row in rows]

    def keeps_proofs(self, *, ended_before: int) -> bool:
        """True if proofs are stored for tables or events that ended before ``ended_before`` (ms)."""
        asked = f"SELECT 1 AS found FROM hand WHERE {_OVER} UNION ALL SELECT 1 AS found FROM event WHERE {_ENDED}"
        return self._sql.one(f"{asked} LIMIT 1", before=ended_before) is not None

    def forget_proofs(self, *, ended_before: int) -> None:
        """Delete the proofs of tables and events that ended before ``ended_before`` (ms)."""
        self._known.forget()
        self._sql.run(f"UPDATE hand SET kept_entropy = NULL WHERE {_OVER}", before=ended_before)
        self._sql.run(f"UPDATE event SET kept_draw = NULL WHERE {_ENDED}", before=ended_before)

    def keeps(self, player: Player) -> bool:
        """True if any row names the player, in or outside a server."""
        everywhere = [f"{named.table} AS x WHERE x.{named.players[0]} = :player" for named in NAMED if named.everywhere]
        own = ["account AS x WHERE x.owner = :player", *everywhere]
        found = any(self._sql.one(f"SELECT 1 AS one FROM {rows} LIMIT 1", player=player) for rows in own)
        return found or bool(self.servers_of(player))

    def servers_of(self, player: Player) -> list[GuildId]:
        """Return the servers with rows that name the player, in order."""
        found = {
            row["guild_id"]
            for named in NAMED
            if not named.everywhere
            for rows in naming(named)
            for row in self._asked(f"SELECT DISTINCT x.guild_id FROM {rows}", player=player, value=f"%{player}%")
        }
        return sorted(map(GuildId, found))

    def put_pseudonym(self, guild: GuildId, player: Player, pseudonym: Player) -> None:
        """Delete the player's own data in a server, and replace them with the pseudonym in shared data.

        Logs of hands are rewritten later, but are shown with the pseudonym immediately (:class:`LeavingQueries`).
        """
        self._known.forget()
        with self._sql.unguarded(FINAL):
            self._take_presses(guild, player)
            self._leave_mentions_out(guild, player)
            for named in NAMED:
                if not named.everywhere and not named.by_hand:
                    self._put(named, player, pseudonym, where="guild_id = :guild_id", beside={"guild_id": guild})

    def put_pseudonym_everywhere(self, player: Player, pseudonym: Player) -> None:
        """Like :meth:`put_pseudonym`, for data outside servers."""
        self._known.forget()
        with self._sql.unguarded(FINAL):
            for named in NAMED:
                if named.everywhere:
                    self._put(named, player, pseudonym, where="1 = 1", beside={})
            # Referenced rows are renamed in copies, and the originals are deleted once all references have changed.
            for named in NAMED:
                if named.pointed_to:
                    self._sql.run(f"DELETE FROM {named.table} WHERE {named.players[0]} = :player", player=player)

    def _put(
        self, named: PersonalTable, player: Player, pseudonym: Player, *, where: str, beside: dict[str, Value]
    ) -> None:
        table = f"{in_sql(named.table)} WHERE {where}"
        if named.removed:
            for column in named.players:
                self._sql.run(f"DELETE FROM {table} AND {column} = :player", **beside, player=player)
            return
        if named.table == "event_log":
            self._take_words(player, where, beside)
        for column, rewrite in named.within.items():
            rows = self._within(named, column, player, beside)
            self._write(named, column, [(row, rewrite(row["text"], player, pseudonym)) for row in rows])
        for column in named.players:
            if named.cleared:
                cleared = ", ".join(f"{name} = :{name}" for name in named.cleared)
                self._sql.run(
                    f"UPDATE {in_sql(named.table)} SET {cleared} WHERE {where} AND {column} = :player",
                    **beside,
                    **named.cleared,
                    player=player,
                )
        for column in named.players:
            self._rename(named, column, player, pseudonym, where=where, beside=beside)

    def _within(self, named: PersonalTable, column: str, player: Player, beside: dict[str, Value]) -> Sequence[SqlRow]:
        """Return the rows that may contain the player within a text, with their keys."""
        found = found_in(named)
        here = f"{found.server} = :guild_id AND " if beside else ""
        return self._asked(
            f"SELECT DISTINCT {', '.join(f'x.{name}' for name in named.key)}, x.{column} AS text "
            f"FROM {found.sql} AND {here}(x.{column} LIKE :value OR x.{column} LIKE :wide)",
            **beside,
            player=player,
            value=f"%{player}%",
            wide=f"%{in_wide_digits(player)}%",
        )

    def _rename(
        self,
        named: PersonalTable,
        column: str,
        player: Player,
        pseudonym: Player,
        *,
        where: str,
        beside: dict[str, Value],
    ) -> None:
        if not named.pointed_to:
            self._sql.run(
                f"UPDATE {in_sql(named.table)} SET {column} = :pseudonym WHERE {where} AND {column} = :player",
                **beside,
                player=player,
                pseudonym=pseudonym,
            )
            return
        for row in self._sql.all(f"SELECT * FROM {named.table} WHERE {where} AND {column} = :player", player=player):
            values = dict(zip(row.keys(), row, strict=True)) | {column: pseudonym}
            names = ", ".join(values)
            self._sql.run(
                f"INSERT INTO {named.table} ({names}) VALUES ({', '.join(f':{name}' for name in values)})", **values
            )

    def _take_presses(self, guild: GuildId, player: Player) -> None:
        """Overwrite the ids of interactions in which the player moved chips or acted as a manager.

        Causes stay unique, so that nothing is paid twice. A manager's line keeps the same cause as its transfer.
        """
        acts = self._sql.all(
            "SELECT number, cause FROM audit WHERE guild_id = :guild_id AND manager = :player",
            guild_id=guild,
            player=player,
        )
        self._sql.many(
            "UPDATE transfer SET cause = :new WHERE guild_id = :guild_id AND cause = :old",
            [{"guild_id": guild, "old": f"admin:{row['cause']}", "new": f"admin:gone:{row['number']}"} for row in acts],
        )
        self._sql.many(
            "UPDATE audit SET cause = :new WHERE guild_id = :guild_id AND number = :number",
            [{"guild_id": guild, "number": row["number"], "new": f"gone:{row['number']}"} for row in acts],
        )
        paid = self._sql.all(
            "SELECT t.transfer_id, t.cause FROM account a JOIN transfer t ON t.payer = a.account_id "
            "WHERE a.guild_id = :guild_id AND a.kind = 'wallet' AND a.owner = :player "
            "AND t.kind IN ('sent', 'fee', 'entry_fee') "
            "UNION SELECT t.transfer_id, t.cause FROM account a JOIN transfer t ON t.payee = a.account_id "
            "WHERE a.guild_id = :guild_id AND a.kind = 'wallet' AND a.owner = :player AND t.kind = 'refund'",
            guild_id=guild,
            player=player,
        )
        self._sql.many(
            "UPDATE transfer SET cause = :new WHERE transfer_id = :transfer_id",
            [
                {"transfer_id": row["transfer_id"], "new": f"{row['cause'].split(':')[0]}:gone:{row['transfer_id']}"}
                for row in paid
                if row["cause"].split(":")[0] in _BY_PRESS
            ],
        )

    def _leave_mentions_out(self, guild: GuildId, player: Player) -> None:
        """Remove mentions of the player from other people's texts in a server."""
        rows = self._sql.all(
            "SELECT source FROM mentioned WHERE player = :player AND guild_id = :guild_id",
            player=player,
            guild_id=guild,
        )
        sources = {row["source"] for row in rows}
        for free in FREE_TEXT:
            if free.table in sources:
                self._rewrite_words(free, guild, player)

    def _rewrite_words(self, free: FreeText, guild: GuildId, player: Player) -> None:
        rows = self._sql.all(
            f"SELECT {', '.join((*free.key, *free.columns))} FROM {in_sql(free.table)} WHERE guild_id = :guild_id",
            guild_id=guild,
        )
        texts = {name: f"new_{name}" for name in free.columns}
        written = [
            {name: row[name] for name in free.key}
            | {new: unmentioned(row[name], player) for name, new in texts.items()}
            for row in rows
        ]
        self._sql.many(
            f"UPDATE {in_sql(free.table)} SET {', '.join(f'{name} = :{new}' for name, new in texts.items())} "
            f"WHERE {' AND '.join(f'{name} = :{name}' for name in free.key)}",
            [
                values
                for row, values in zip(rows, written, strict=True)
                if any(values[new] != row[name] for name, new in texts.items())
            ],
        )

    def _take_words(self, player: Player, where: str, beside: dict[str, Value]) -> None:
        named = next(named for named in NAMED if named.table == "event_log")
        rows = self._sql.all(
            f"SELECT {', '.join(named.key)}, details AS text FROM event_log WHERE {where} AND actor = :player",
            **beside,
            player=player,
        )
        self._write(named, "details", [(row, without_words(row["text"])) for row in rows])

    def _write(self, named: PersonalTable, column: str, texts: Sequence[tuple[SqlRow, str]]) -> None:
        """Save changed texts. Most matches are part of a longer number, and stay unchanged."""
        which = " AND ".join(f"{name} = :{name}" for name in named.key)
        self._sql.many(
            f"UPDATE {named.table} SET {column} = :text WHERE {which}",
            [{"text": text, **{name: row[name] for name in named.key}} for row, text in texts if text != row["text"]],
        )

    # Servers

    def known_servers(self) -> dict[GuildId, int | None]:
        """Return all servers with data, each with the time when the bot left it (ms); None while it's a member."""
        known = " UNION ".join(
            f"SELECT guild_id FROM {name}" for name in ("game_table", "event", "account", "member", "house_game")
        )
        rows = self._sql.all(
            f"SELECT k.guild_id, s.left_at FROM ({known} UNION SELECT guild_id FROM server) AS k "
            "LEFT JOIN server s ON s.guild_id = k.guild_id ORDER BY k.guild_id"
        )
        return {GuildId(row["guild_id"]): row["left_at"] for row in rows}

    def delete_server(self, guild: GuildId) -> None:
        """Delete all data of a server."""
        self._known.forget()
        with self._sql.unguarded(FINAL):
            for table in OF_SERVERS:
                self._sql.run(f"DELETE FROM {in_sql(table)} WHERE guild_id = :guild_id", guild_id=guild)


# Deleted people. For a while, a server still recognises them, but only by a keyed hash.

REMEMBERED = Columns(
    RetainedRecord,
    "remembered",
    columns_of(RetainedRecord),
    key=("guild_id", "person"),
    beside=("guild_id", "person"),
)
MEMORIES = Columns(
    UsedRight,
    "memory",
    columns_of(UsedRight),
    key=("guild_id", "person", "kind", "number"),
    beside=("guild_id", "person"),
)
_OF_PERSON = "guild_id = :guild_id AND person = :person"


class RetainedRecordQueries(Queries):
    """Queries about a server's records of deleted people."""

    def remembered(self, guild: GuildId, people: Sequence[bytes]) -> RetainedRecord | None:
        """Return a deleted person's row, for the first hash in ``people`` that has one."""
        for person in people:
            row = self._sql.one(
                f"SELECT {REMEMBERED.names} FROM remembered WHERE {_OF_PERSON}", guild_id=guild, person=person
            )
            if row is not None:
                return REMEMBERED.read(row)
        return None

    def remembers_any(self, guild: GuildId, people: Sequence[bytes], *, now: int) -> bool:
        """True if any hash in ``people`` has a row that hasn't expired."""
        if not people:
            return False
        row = self._sql.one(
            "SELECT 1 AS one FROM remembered WHERE guild_id = :guild_id AND until > :now "
            f"AND person IN ({in_brackets(people)}) LIMIT 1",
            guild_id=guild,
            now=now,
            **names_for(people),
        )
        return row is not None

    def remember(self, guild: GuildId, people: Sequence[bytes], kept: RetainedRecord) -> None:
        """Save ``kept`` under the first hash, and delete the rows of the others."""
        for person in people[1:]:
            self._sql.run(f"DELETE FROM remembered WHERE {_OF_PERSON}", guild_id=guild, person=person)
        self._save(REMEMBERED, kept, guild_id=guild, person=people[0])

    def remembering(self) -> list[GuildId]:
        """Return the servers that remember deleted people."""
        rows = self._sql.all("SELECT DISTINCT guild_id FROM remembered ORDER BY guild_id")
        return [GuildId(row["guild_id"]) for row in rows]

    def long_remembered(self, now: int) -> bool:
        """True if any row about a deleted person has expired."""
        row = self._sql.one(
            "SELECT 1 AS one FROM remembered WHERE until <= :now "
            "UNION ALL SELECT 1 AS one FROM memory WHERE until <= :now LIMIT 1",
            now=now,
        )
        return row is not None

    def forget_long_remembered(self, now: int) -> None:
        """Delete expired rows about deleted people."""
        self._sql.run("DELETE FROM remembered WHERE until <= :now", now=now)
        self._sql.run("DELETE FROM memory WHERE until <= :now", now=now)

    # Consequences that a deletion doesn't reset

    def memory(self, guild: GuildId, person: bytes, kind: UsedRightKind, number: int) -> UsedRight | None:
        row = self._sql.one(
            f"SELECT {MEMORIES.names} FROM memory WHERE {_OF_PERSON} AND kind = :kind AND number = :number",
            guild_id=guild,
            person=person,
            kind=kind.value,
            number=number,
        )
        return None if row is None else MEMORIES.read(row)

    def memories(self, guild: GuildId, person: bytes) -> list[UsedRight]:
        rows = self._sql.all(
            f"SELECT {MEMORIES.names} FROM memory WHERE {_OF_PERSON} ORDER BY kind, number",
            guild_id=guild,
            person=person,
        )
        return list(map(MEMORIES.read, rows))

    def with_memories(self) -> list[GuildId]:
        """Return the servers that remember anyone; 0 for memories outside servers."""
        rows = self._sql.all("SELECT DISTINCT guild_id FROM memory ORDER BY guild_id")
        return [GuildId(row["guild_id"]) for row in rows]

    def remember_more(self, guild: GuildId, person: bytes, memories: Sequence[UsedRight]) -> None:
        """Save ``memories`` in addition to the existing ones."""
        for memory in memories:
            self._save(MEMORIES, memory, guild_id=guild, person=person)

    def rename_memories(self, guild: GuildId, person: bytes, to: bytes) -> None:
        """Move a person's memories to another hash."""
        self.remember_more(guild, to, self.memories(guild, person))
        self._sql.run(f"DELETE FROM memory WHERE {_OF_PERSON}", guild_id=guild, person=person)

    def tries(self, player: Player, *, since: int) -> list[tuple[ChallengeId, int]]:
        """Return the daily hands since day ``since`` that the player tried, each with its day."""
        rows = self._sql.all(
            "SELECT c.challenge_id, c.day FROM attempt a JOIN challenge c ON c.challenge_id = a.challenge_id "
            "WHERE a.player = :player AND c.day >= :since",
            player=player,
            since=since,
        )
        return [(ChallengeId(row["challenge_id"]), row["day"]) for row in rows]

    def removed_from(self, guild: GuildId, player: Player) -> list[TableId]:
        """Return the open tables that the player was removed from."""
        rows = self._sql.all(
            f"SELECT DISTINCT x.table_id FROM {at_tables('game_table').sql} AND x.guild_id = :guild_id "
            "AND x.state <> 'closed' AND x.removed LIKE :quoted",
            guild_id=guild,
            player=player,
            quoted=f'%"{player}"%',
        )
        return [TableId(row["table_id"]) for row in rows]

    def disqualified_from(self, guild: GuildId, player: Player) -> list[int]:
        """Return the unfinished events from which the player was disqualified."""
        rows = self._sql.all(
            "SELECT t.event_id FROM entrant n JOIN event t ON t.guild_id = n.guild_id "
            "AND t.event_id = n.event_id WHERE n.player = :player AND n.guild_id = :guild_id "
            "AND n.disqualified = 1 AND t.phase NOT IN ('ended', 'cancelled')",
            guild_id=guild,
            player=player,
        )
        return [row["event_id"] for row in rows]
