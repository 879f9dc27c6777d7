"""Current names for the tables of an older schema, so that the same queries work on it.

An older database is read before its upgrade: its ledger is compared with the upgraded copy's, ``check`` reads it, and
lost keys are recorded. Temporary views, which only this connection sees, provide the names introduced in schema 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from bot.store.sql import Sql

RENAMED_IN = 3
"""Schema that introduced the names."""
FORMER: Mapping[str, str] = {
    "table_log": "event",
    "event": "tournament",
    "entrant": "entrant",
    "game_table": "game_table",
    "event_draft": "tournament_draft",
    "event_log": "tournament_log",
    "event_match": "tournament_match",
    "event_named": "tournament_named",
    "event_outbox": "tournament_outbox",
    "event_table": "tournament_table",
}
"""Former names by current names, including tables with only a renamed column."""
_UNCHANGED = ("table_log", "event_draft")
"""Tables without a renamed column."""


@contextmanager
def todays_names(sql: Sql) -> Iterator[None]:
    """Make tables of an older schema readable by their current names inside the context."""
    if sql.schema() in range(1, RENAMED_IN):
        home = sql.home()
        for name, former in FORMER.items():
            renamed = "" if name in _UNCHANGED else ", tournament_id AS event_id"
            sql.run(f"CREATE TEMPORARY VIEW {name} AS SELECT *{renamed} FROM {home}.{former}")
        yield
        for name in FORMER:
            sql.run(f"DROP VIEW {name}")
    else:
        yield
