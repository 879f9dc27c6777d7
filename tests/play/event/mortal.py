"""A transaction whose process is killed at a random statement, so that nothing of it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from bot.store.sql import Sql, SqlRow, Value


class KilledError(Exception):
    """The process dies before the transaction is written."""


class MortalSql:
    """A transaction that is killed before its ``dies_at``-th statement."""

    def __init__(self, sql: Sql, dies_at: int) -> None:
        self._sql, self._left = sql, dies_at

    def _live(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise KilledError

    def one(self, statement: str, /, **values: Value) -> SqlRow | None:
        """Like ``Sql``'s."""
        self._live()
        return self._sql.one(statement, **values)

    def all(self, statement: str, /, **values: Value) -> Sequence[SqlRow]:
        """Like ``Sql``'s."""
        self._live()
        return self._sql.all(statement, **values)

    def ahead(self, statement: str, /, **values: Value) -> Callable[[], Sequence[SqlRow]]:
        """Like ``Sql``'s."""
        self._live()
        return self._sql.ahead(statement, **values)

    def run(self, statement: str, /, **values: Value) -> None:
        """Like ``Sql``'s."""
        self._live()
        self._sql.run(statement, **values)

    def many(self, statement: str, rows: Iterable[Mapping[str, Value]], /) -> None:
        """Like ``Sql``'s."""
        self._live()
        self._sql.many(statement, rows)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sql, name)


def mortal(sql: Sql, *, dies_at: int) -> Sql:
    """Return ``sql`` as a transaction that is killed before its ``dies_at``-th statement."""
    return cast(Sql, MortalSql(sql, dies_at))
