"""Results of hands in SQL, and the leaderboard that is counted from them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.play.model import GuildId, PlayedHand, Result, Standing, TableKey, Total
from bot.store.columns import Columns, flag, plain
from bot.store.queries import Queries
from bot.store.values import OF_TABLE, table_key

RESULTS = Columns(
    Result,
    "result",
    [
        plain("player"),
        plain("points"),
        plain("chips"),
        plain("fantasyland"),
        flag("foul"),
        flag("ranked"),
    ],
    beside=("guild_id", "table_id", "hand_no", "at"),
)


class ResultQueries(Queries):
    """What :class:`bot.play.ports.Tx` promises of results."""

    def add_results(self, key: TableKey, hand_no: int, results: Sequence[Result], *, at: int) -> None:
        self._add(RESULTS, results, **table_key(key), hand_no=hand_no, at=at)

    def results(self, key: TableKey, hand_no: int) -> list[Result]:
        rows = self._sql.all(
            f"SELECT {RESULTS.names} FROM result WHERE {OF_TABLE} AND hand_no = :hand_no",
            **table_key(key),
            hand_no=hand_no,
        )
        return sorted(map(RESULTS.read, rows), key=lambda result: result.player)

    def played_hands(self, key: TableKey, *, limit: int) -> list[PlayedHand]:
        rows = self._sql.all(
            "SELECT hand_no, MAX(at) AS at, COUNT(*) AS players "
            f"FROM result WHERE {OF_TABLE} GROUP BY hand_no ORDER BY hand_no DESC LIMIT :limit",
            **table_key(key),
            limit=limit,
        )
        return [PlayedHand(hand_no=row["hand_no"], at=row["at"], players=row["players"]) for row in rows]

    def totals(self, key: TableKey) -> list[Total]:
        rows = self._sql.all(
            "SELECT player, COUNT(*) AS hands, SUM(points) AS points, SUM(chips) AS chips, SUM(foul) AS fouls, "
            "COUNT(CASE WHEN fantasyland > 0 THEN 1 END) AS fantasylands "
            f"FROM result WHERE {OF_TABLE} GROUP BY player",
            **table_key(key),
        )
        return [
            Total(
                player=row["player"],
                hands=row["hands"],
                points=int(row["points"]),
                chips=int(row["chips"]),
                fouls=int(row["fouls"]),
                fantasylands=row["fantasylands"],
            )
            for row in rows
        ]

    def standings(self, guild: GuildId) -> list[Standing]:
        rows = self._sql.all(
            "SELECT player, COUNT(*) AS hands, SUM(points) AS points, SUM(chips) AS chips, "
            "COUNT(CASE WHEN fantasyland > 0 THEN 1 END) AS fantasyland "
            "FROM result WHERE guild_id = :guild_id AND ranked = 1 GROUP BY player",
            guild_id=guild,
        )
        return [
            Standing(
                player=row["player"],
                hands=row["hands"],
                points=int(row["points"]),
                chips=int(row["chips"]),
                fantasyland=row["fantasyland"],
            )
            for row in rows
        ]
