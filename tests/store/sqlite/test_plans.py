"""SQLite's query plans for frequent queries."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from bot.model.ids import EventKey, GuildId
from bot.store.sql import SqlRow, Value
from bot.store.sqlite.database import SqliteDatabase
from bot.store.sqlite.driver import SqliteSql
from bot.store.transaction import Tx

EVENT = EventKey(guild=GuildId(1), number=2)


async def test_the_sums_of_one_leaderboard_lie_side_by_side(tmp_path: Path) -> None:
    database = await SqliteDatabase.open(tmp_path / "chaipo.db")
    asked = "SELECT hands FROM standing WHERE guild_id = 1 AND span = 'all' AND since = 0 AND game = ''"
    plan = await database.read(lambda connection: connection.execute(f"EXPLAIN QUERY PLAN {asked}").fetchall())
    await database.close()
    # Not by an index that points to rows elsewhere.
    assert [row[3] for row in plan] == [
        "SEARCH standing USING PRIMARY KEY (guild_id=? AND span=? AND since=? AND game=?)"
    ]


async def plans_of(place: Path, ask: Callable[[Tx], object]) -> list[list[str]]:
    """Return the query plan of each statement."""
    database = await SqliteDatabase.open(place)
    plans: list[list[str]] = []

    def explained(connection: Any) -> None:
        class Explained(SqliteSql):
            @override
            def all(self, statement: str, /, **values: Value) -> list[SqlRow]:
                plans.append([row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)])
                return []

        ask(Tx(Explained(connection)))

    await database.read(explained)
    await database.close()
    return plans


async def test_the_events_of_those_who_end_one_are_found_by_their_names(tmp_path: Path) -> None:
    (plan,) = await plans_of(tmp_path / "chaipo.db", lambda tx: tx.badges.events_of_each(EVENT))
    assert "SEARCH n USING INDEX entrant_by_player (player=? AND guild_id=?)" in plan
    # A value looked up once isn't looked up again for each row.
    assert not [step for step in plan if "CORRELATED" in step]


@pytest.mark.parametrize(
    "ask",
    [
        lambda tx: tx.badges.placed_in(EVENT),
        lambda tx: tx.entrants.event_results(EVENT),
        lambda tx: tx.events.ended(EVENT.guild, series="Fridays"),
    ],
    ids=["cards placed", "results", "a series"],
)
async def test_what_is_asked_of_an_event_reads_no_rows_of_others(tmp_path: Path, ask: Callable[[Tx], object]) -> None:
    plans = await plans_of(tmp_path / "chaipo.db", ask)
    assert plans
    for plan in plans:
        # Its own tables lie among those of all events of the server, and nothing else is looked through.
        read = [step for step in plan if "(guild_id=?)" in step or "SCAN" in step]
        assert [step for step in read if "event_table" not in step] == []
