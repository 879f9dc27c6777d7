"""How SQLite finds what is asked for often."""

from pathlib import Path

from bot.store.sqlite.database import Database


async def test_the_sums_of_one_leaderboard_lie_side_by_side(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "chaipo.db")
    asked = "SELECT hands FROM standing WHERE guild_id = 1 AND span = 'all' AND since = 0 AND game = ''"
    plan = await database.read(lambda connection: connection.execute(f"EXPLAIN QUERY PLAN {asked}").fetchall())
    await database.close()
    # Not by an index that points to rows elsewhere.
    assert [row[3] for row in plan] == [
        "SEARCH standing USING PRIMARY KEY (guild_id=? AND span=? AND since=? AND game=?)"
    ]
