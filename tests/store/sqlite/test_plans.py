"""How SQLite finds what is asked for often."""

from pathlib import Path
from typing import Any

from bot.model.ids import EventKey, GuildId
from bot.store.badges import BadgeQueries
from bot.store.sql import Row, Value
from bot.store.sqlite.database import Database
from bot.store.sqlite.driver import SqliteSql


async def test_the_sums_of_one_leaderboard_lie_side_by_side(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "chaipo.db")
    asked = "SELECT hands FROM standing WHERE guild_id = 1 AND span = 'all' AND since = 0 AND game = ''"
    plan = await database.read(lambda connection: connection.execute(f"EXPLAIN QUERY PLAN {asked}").fetchall())
    await database.close()
    # Not by an index that points to rows elsewhere.
    assert [row[3] for row in plan] == [
        "SEARCH standing USING PRIMARY KEY (guild_id=? AND span=? AND since=? AND game=?)"
    ]


async def test_the_events_of_those_who_end_one_are_found_by_their_names(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "chaipo.db")
    plans: list[list[str]] = []

    def explained(connection: Any) -> None:
        class Explained(SqliteSql):
            def all(self, statement: str, /, **values: Value) -> list[Row]:
                plans.append([row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)])
                return []

        BadgeQueries(Explained(connection)).events_of_each(EventKey(guild=GuildId(1), number=2))

    await database.read(explained)
    await database.close()
    (plan,) = plans
    assert "SEARCH n USING INDEX entrant_by_player (player=? AND guild_id=?)" in plan
    # What is looked for once isn't looked for again with each of their rows.
    assert not [step for step in plan if "CORRELATED" in step]
