"""Messages that wait to be posted, in SQL: those of tables and those of events."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bot.model.events import EventPosting, Notice
from bot.model.ids import EventKey, GuildId, TableKey
from bot.model.tables import Backlog, Post, Posting
from bot.store.columns import Column, Columns, choice, plain
from bot.store.queries import OF_EVENT, OF_TABLE, Queries, as_json, event_key, event_key_of, table_key, table_key_of

POSTINGS = Columns(
    Posting,
    "outbox",
    [
        Column(name="outbox_id", attribute="number", written=False),
        plain("guild_id", "key.guild"),
        plain("table_id", "key.table"),
        choice("kind", Post),
        plain("hand_no"),
    ],
    beside=("at",),
    parts={"key": TableKey},
)
EVENT_POSTINGS = Columns(
    EventPosting,
    "tournament_outbox",
    [
        Column(name="outbox_id", attribute="number", written=False),
        plain("guild_id", "key.guild"),
        plain("tournament_id", "key.number"),
        choice("notice", Notice),
        Column(name="details", attribute="details", to_sql=as_json, from_sql=json.loads),
        plain("at"),
    ],
    parts={"key": EventKey},
)
_UNDRAWN = "(SELECT guild_id FROM game_table WHERE drawn_version < version AND private = 0) AS undrawn"
_NEW = 0
"""The number of a message that the database is still to give one."""


class OutboxQueries(Queries):
    """The queries of messages."""

    def post(self, key: TableKey, kind: Post, *, hand_no: int, at: int) -> None:
        posting = Posting(number=_NEW, key=key, kind=kind, hand_no=hand_no)
        self._add(POSTINGS, [posting], at=at)

    def unposted_tables(self) -> list[TableKey]:
        rows = self._sql.all(
            "SELECT guild_id, table_id FROM outbox GROUP BY guild_id, table_id ORDER BY MIN(outbox_id)"
        )
        return [table_key_of(row) for row in rows]

    def postings(self, key: TableKey | None = None, *, limit: int) -> list[Posting]:
        """The oldest messages that wait, of one table or, without one, of all."""
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
            f"SELECT {EVENT_POSTINGS.names} FROM tournament_outbox WHERE {OF_EVENT} ORDER BY outbox_id LIMIT :limit",
            **event_key(key),
            limit=limit,
        )
        return [EVENT_POSTINGS.read(row) for row in rows]

    def event_posted(self, number: int) -> None:
        self._sql.run("DELETE FROM tournament_outbox WHERE outbox_id = :number", number=number)

    def undrawn_events(self) -> list[EventKey]:
        """The events whose message does not show their present state, and those with messages that wait."""
        rows = self._sql.all(
            "SELECT guild_id, tournament_id FROM tournament WHERE drawn_version < version "
            "UNION SELECT guild_id, tournament_id FROM tournament_outbox ORDER BY guild_id, tournament_id"
        )
        return [event_key_of(row) for row in rows]

    def backlog(self, guild: GuildId | None = None) -> Backlog:
        """Of one guild or, without one, of all."""
        unposted = self._count("outbox", guild) + self._count("tournament_outbox", guild)
        return Backlog(undrawn=self._count(_UNDRAWN, guild), unposted=unposted)

    def _count(self, rows: str, guild: GuildId | None) -> int:
        count = f"SELECT COUNT(*) AS waiting FROM {rows}"
        if guild is None:
            return self._number(count) or 0
        return self._number(f"{count} WHERE guild_id = :guild_id", guild_id=guild) or 0
