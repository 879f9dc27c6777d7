"""Queries for results of hands."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.careers import after
from bot.model.clock import DAY
from bot.model.hands import HandFilter, HandOutcome, Result
from bot.model.ids import GuildId, Player, TableKey
from bot.model.standings import NOTHING_PAID, Paid, PlayedHand, TableTotal, standing_rows
from bot.store.badges import add_feats
from bot.store.careers import add_up
from bot.store.columns import Columns, columns_of
from bot.store.leaderboards import ADD_UP, STANDINGS
from bot.store.queries import OF_TABLE, Queries, table_key, table_key_of
from bot.store.sql import Value, names_for

RESULTS = Columns(
    Result,
    "result",
    columns_of(Result),
    beside=("guild_id", "table_id", "hand_no", "at", "lesson", "season"),
)

_OUTCOMES = {
    HandOutcome.ANY: [],
    HandOutcome.WON: ["r.points > 0"],
    HandOutcome.LOST: ["r.points < 0"],
    HandOutcome.FOUL: ["r.foul = 1"],
    HandOutcome.FANTASYLAND: ["r.fantasyland > 0"],
}


class ResultQueries(Queries):
    """Queries for results."""

    def add(
        self,
        key: TableKey,
        hand_no: int,
        results: Sequence[Result],
        *,
        at: int,
        lesson: int = 0,
        season: int = 0,
        paid: Paid = NOTHING_PAID,
    ) -> list[Result]:
        """Save a hand's results, and return them with updated counts of consecutive hands.

        ``lesson`` and ``season`` are numbers, or 0 if there is none. ``paid`` are the chips that the hand moved.
        """
        before = self._before(key, hand_no, [result.player for result in results if result.ranked])
        results = [after(result, before.get(result.player)) if result.ranked else result for result in results]
        self._add(RESULTS, results, **table_key(key), hand_no=hand_no, at=at, lesson=lesson, season=season)
        rows = [row for result in results for row in standing_rows(result, at=at, season=season)]
        self._sql.many(
            ADD_UP,
            [
                {
                    "guild_id": key.guild,
                    "span": span.value,
                    "since": since,
                    "until": until,
                    "game": game,
                    **STANDINGS.values(line),
                }
                for span, since, until, game, line in rows
            ],
        )
        ranked = [result for result in results if result.ranked]
        add_up(self._sql, key, hand_no, ranked, paid, rated=lesson > 0)
        if ranked:
            add_feats(self._sql, key, hand_no, ranked, at=at)
        return results

    def _before(self, key: TableKey, hand_no: int, players: Sequence[Player]) -> dict[Player, Result]:
        """Return each player's previous result for chips at the table."""
        if not players:
            return {}
        named = names_for(players)
        last = (
            f"SELECT * FROM (SELECT {RESULTS.names} FROM result WHERE {OF_TABLE} AND hand_no < :hand_no "
            "AND player = :{who} AND ranked = 1 ORDER BY hand_no DESC LIMIT 1) AS {who}"
        )
        statement = " UNION ALL ".join(last.replace("{who}", name) for name in named)
        found = map(RESULTS.read, self._sql.all(statement, **table_key(key), hand_no=hand_no, **named))
        return {result.player: result for result in found}

    def of(self, key: TableKey, hand_no: int) -> list[Result]:
        rows = self._sql.all(
            f"SELECT {RESULTS.names} FROM result WHERE {OF_TABLE} AND hand_no = :hand_no",
            **table_key(key),
            hand_no=hand_no,
        )
        return sorted(map(RESULTS.read, rows), key=lambda result: result.player)

    def points_since(self, key: TableKey, player: Player, *, hand_no: int, ended_since: int = 0) -> list[int]:
        """Return a player's points in each ended hand from ``hand_no`` on, in order.

        ``ended_since`` limits them to hands that ended at that time (ms) or later.
        """
        rows = self._sql.all(
            f"SELECT points FROM result WHERE {OF_TABLE} AND player = :player AND hand_no >= :hand_no AND hand_no IN "
            f"(SELECT hand_no FROM hand WHERE {OF_TABLE} AND COALESCE(ended_at, 0) >= :since) ORDER BY hand_no",
            **table_key(key),
            player=player,
            hand_no=hand_no,
            since=ended_since,
        )
        return [row["points"] for row in rows]

    def last_points(self, key: TableKey, player: Player) -> int | None:
        """Return a player's points in their last hand at a table; None before the first."""
        return self._number(
            f"SELECT points FROM result WHERE {OF_TABLE} AND player = :player ORDER BY hand_no DESC LIMIT 1",
            **table_key(key),
            player=player,
        )

    def played_hands(self, key: TableKey, *, limit: int) -> list[PlayedHand]:
        rows = self._sql.all(
            "SELECT hand_no, MAX(at) AS at, COUNT(*) AS players "
            f"FROM result WHERE {OF_TABLE} GROUP BY hand_no ORDER BY hand_no DESC LIMIT :limit",
            **table_key(key),
            limit=limit,
        )
        return [PlayedHand(hand_no=row["hand_no"], at=row["at"], players=row["players"]) for row in rows]

    def hands_of(
        self, guild: GuildId, player: Player, wanted: HandFilter, *, now: int, limit: int, skip: int
    ) -> list[tuple[TableKey, int]]:
        """Return a player's hands that match ``wanted``, newest first."""
        conditions, values = _wanted(wanted, now)
        rows = self._sql.all(
            f"SELECT r.guild_id, r.table_id, r.hand_no FROM result r WHERE {' AND '.join(conditions)} "
            "ORDER BY r.at DESC, r.table_id DESC, r.hand_no DESC LIMIT :limit OFFSET :skip",
            guild_id=guild,
            player=player,
            limit=limit,
            skip=skip,
            **values,
        )
        return [(table_key_of(row), row["hand_no"]) for row in rows]

    def totals(self, key: TableKey) -> list[TableTotal]:
        rows = self._sql.all(
            "SELECT player, COUNT(*) AS hands, SUM(points) AS points, SUM(chips) AS chips, SUM(foul) AS fouls, "
            "COUNT(CASE WHEN fantasyland > 0 THEN 1 END) AS fantasylands "
            f"FROM result WHERE {OF_TABLE} GROUP BY player",
            **table_key(key),
        )
        return [
            TableTotal(
                player=row["player"],
                hands=row["hands"],
                points=int(row["points"]),
                chips=int(row["chips"]),
                fouls=int(row["fouls"]),
                fantasylands=row["fantasylands"],
            )
            for row in rows
        ]

    def owed(self, key: TableKey) -> dict[Player, int]:
        """Return the chips that each player's points at a table were worth, had every stack been long enough."""
        rows = self._sql.all(
            "SELECT r.player, SUM(r.points * h.point_value) AS owed FROM result r "
            "JOIN hand h ON h.guild_id = r.guild_id AND h.table_id = r.table_id AND h.hand_no = r.hand_no "
            "WHERE r.guild_id = :guild_id AND r.table_id = :table_id GROUP BY r.player",
            **table_key(key),
        )
        return {Player(row["player"]): int(row["owed"]) for row in rows}


def _wanted(wanted: HandFilter, now: int) -> tuple[list[str], dict[str, Value]]:
    """Return the SQL conditions and parameters for ``wanted``."""
    conditions, values = ["r.guild_id = :guild_id", "r.player = :player"], dict[str, Value]()
    if wanted.within.days:
        conditions.append("r.at >= :since")
        values["since"] = now - wanted.within.days * DAY
    if wanted.game:
        conditions.append("r.game = :game")
        values["game"] = wanted.game
    if wanted.opponent:
        conditions.append(
            "EXISTS (SELECT 1 FROM result o WHERE o.guild_id = r.guild_id AND o.table_id = r.table_id "
            "AND o.hand_no = r.hand_no AND o.player = :opponent)"
        )
        values["opponent"] = wanted.opponent
    conditions += _OUTCOMES[wanted.outcome]
    return conditions, values
