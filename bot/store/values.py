"""The values that stand in several tables, and how they are written as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from bot.model.ids import EventKey, GuildId, TableId, TableKey
from bot.ofc.house_rules import spec_of, variant_of
from bot.ofc.variants import Variant
from bot.store.sql import Row, Value

CACHED = 256
"""Texts whose values are kept: what is read again and again at a hand's end is the same few games and structures."""


def table_key(key: TableKey) -> dict[str, Value]:
    """The columns that name a table."""
    return {"guild_id": key.guild, "table_id": key.table}


def event_key(key: EventKey) -> dict[str, Value]:
    """The columns that name an event."""
    return {"guild_id": key.guild, "tournament_id": key.number}


def table_key_of(row: Row) -> TableKey:
    """The table that a row names."""
    return TableKey(guild=GuildId(row["guild_id"]), table=TableId(row["table_id"]))


def event_key_of(row: Row) -> EventKey:
    """The event that a row names."""
    return EventKey(guild=GuildId(row["guild_id"]), number=row["tournament_id"])


PLAYER_NUMBER = "CASE WHEN player LIKE 'gone-%' THEN 9223372036854775807 ELSE CAST(player AS BIGINT) END"
"""Equals stand by the age of their accounts, those who are gone last: numbers are sorted alike by every database."""
OF_TABLE = "guild_id = :guild_id AND table_id = :table_id"
"""The condition that takes :func:`table_key`."""
OF_EVENT = "guild_id = :guild_id AND tournament_id = :tournament_id"
"""The condition that takes :func:`event_key`."""


def as_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON without blanks, its letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def spec_text(variant: Variant) -> str:
    """A preset of the first edition by its key, any other game as JSON."""
    spec = spec_of(variant)
    return variant.key if spec == {"preset": variant.key} else json.dumps(spec, ensure_ascii=False)


@lru_cache(CACHED)
def variant_from(text: str) -> Variant:
    """The reverse of :func:`spec_text`."""
    return variant_of(json.loads(text) if text.startswith("{") else {"preset": text})
