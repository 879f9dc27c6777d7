"""How rows are asked for and written, and the values that stand in several tables."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from bot.ofc.house_rules import spec_of, variant_of
from bot.ofc.variants import Variant
from bot.play.model import TableKey

CACHED = 256
"""Texts whose values are kept: what is read again and again at a hand's end is the same few games and structures."""


def upsert(name: str, keys: Sequence[str], fields: Sequence[str]) -> str:
    """The statement that writes a row whether or not it is there."""
    columns = [*keys, *fields]
    values = ", ".join(f":{column}" for column in columns)
    updates = ", ".join(f"{field} = excluded.{field}" for field in fields)
    return (
        f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({values}) "
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {updates}"
    )


def table_key(key: TableKey) -> dict[str, Any]:
    """The columns that name a table."""
    return {"guild_id": key.guild, "table_id": key.table}


def spec_text(variant: Variant) -> str:
    """A preset of the first edition by its key, any other game as JSON."""
    spec = spec_of(variant)
    return variant.key if spec == {"preset": variant.key} else json.dumps(spec, ensure_ascii=False)


@lru_cache(CACHED)
def variant_from(text: str) -> Variant:
    """The reverse of :func:`spec_text`."""
    return variant_of(json.loads(text) if text.startswith("{") else {"preset": text})


class Rows:
    """A connection that is asked in SQL."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def _one(self, sql: str, **values: Any) -> Any:
        return self._sql.execute(sql, values).fetchone()

    def _all(self, sql: str, **values: Any) -> list[Any]:
        return self._sql.execute(sql, values).fetchall()

    def _number(self, sql: str, **values: Any) -> int | None:
        row = self._one(sql, **values)
        return None if row is None or row[0] is None else int(row[0])
