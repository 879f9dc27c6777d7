"""Queries for leaderboards: totals of results per span, game and server, and the rankings based on them."""

from __future__ import annotations

from collections.abc import Collection

from bot.model.ids import GuildId, Player
from bot.model.standings import LeaderboardOrder, LeaderboardQuery, RankingPlace, Standing
from bot.store.columns import Columns, plain
from bot.store.queries import PLAYER_NUMBER, Queries
from bot.store.sql import Value, among

_SUMS = ("hands", "points", "chips", "visits", "stays", "royalties", "fouls")
STANDINGS = Columns(
    Standing,
    "standing",
    [plain(name) for name in ("player", *_SUMS, "best")],
    key=("guild_id", "span", "since", "game", "player"),
    beside=("guild_id", "span", "since", "until", "game"),
)
ADD_UP = (
    f"{STANDINGS.insert} ON CONFLICT (guild_id, span, since, game, player) DO UPDATE SET "
    + ", ".join(f"{name} = standing.{name} + :{name}" for name in _SUMS)
    + ", best = CASE WHEN standing.best < :best THEN :best ELSE standing.best END"
)
_MEANT = "guild_id = :guild_id AND span = :span AND since = :since AND game = :game AND hands >= :least"
_VALUES = {
    LeaderboardOrder.CHIPS: "chips",
    LeaderboardOrder.POINTS: "(points * 1.0 / hands)",
    LeaderboardOrder.FANTASYLAND: "visits",
    LeaderboardOrder.STAYS: "stays",
    LeaderboardOrder.ROYALTIES: "(royalties * 1.0 / hands)",
    LeaderboardOrder.BEST: "best",
    LeaderboardOrder.FOULS: "(-fouls * 1.0 / hands)",
}
"""Value that is highest for the best player. It's computed from integers, so that ties are exact."""


class LeaderboardQueries(Queries):
    """Queries for leaderboards."""

    def standings(
        self,
        guild: GuildId,
        asked: LeaderboardQuery,
        *,
        at: int,
        limit: int,
        skip: int = 0,
        without: Collection[Player] = (),
        only: Collection[Player] = (),
    ) -> list[Standing]:
        """Return the lines of the span around ``at``, best first, excluding ``without`` or limited to ``only``."""
        condition, players = among("player", without=without, only=only)
        rows = self._sql.all(
            f"SELECT {STANDINGS.names}, {PLAYER_NUMBER} AS number FROM standing "
            f"WHERE {_ranked_condition(asked.order)}{condition} "
            f"ORDER BY {_VALUES[asked.order]} DESC, hands DESC, number LIMIT :limit OFFSET :skip",
            **_meant(guild, asked, at),
            **players,
            limit=limit,
            skip=skip,
        )
        return list(map(STANDINGS.read, rows))

    def hands(self, guild: GuildId, asked: LeaderboardQuery, *, at: int) -> int:
        """Return the hands for chips of all players together in the span around ``at``, in all games."""
        every = LeaderboardQuery(span=asked.span, season=asked.season)
        return (
            self._number(f"SELECT SUM(hands) AS played FROM standing WHERE {_MEANT}", **_meant(guild, every, at)) or 0
        )

    def ranked(self, guild: GuildId, asked: LeaderboardQuery, *, at: int, without: Collection[Player] = ()) -> int:
        """Return the number of ranked players, excluding ``without``."""
        condition, players = among("player", without=without, only=())
        counted = f"SELECT COUNT(*) AS players FROM standing WHERE {_ranked_condition(asked.order)}{condition}"
        return self._number(counted, **_meant(guild, asked, at), **players) or 0

    def standing(
        self, guild: GuildId, asked: LeaderboardQuery, player: Player, *, at: int, without: Collection[Player] = ()
    ) -> tuple[Standing, RankingPlace] | None:
        """Return a player's line and place, not counting players in ``without``; None if they aren't ranked."""
        condition, left_out = among("player", without=without, only=())
        meant, value = {**_meant(guild, asked, at), **left_out}, _VALUES[asked.order]
        ranked = f"{_ranked_condition(asked.order)}{condition}"
        row = self._sql.one(
            f"SELECT {STANDINGS.names} FROM standing WHERE {ranked} AND player = :player",
            **meant,
            player=player,
        )
        if row is None:
            return None
        counted = self._sql.one(
            f"SELECT COUNT(CASE WHEN {value} > own.worth THEN 1 END) AS ahead, "
            f"COUNT(CASE WHEN {value} = own.worth THEN 1 END) AS equal "
            f"FROM standing, (SELECT {value} AS worth FROM standing WHERE {ranked} AND player = :player) AS own "
            f"WHERE {ranked}",
            **meant,
            player=player,
        )
        assert counted is not None
        return STANDINGS.read(row), RankingPlace(rank=counted["ahead"] + 1, shared=counted["equal"] > 1)

    def games_played(self, guild: GuildId) -> list[str]:
        """Return the keys of games with ranked players."""
        rows = self._sql.all(
            "SELECT DISTINCT game FROM standing "
            "WHERE guild_id = :guild_id AND span = 'all' AND since = 0 AND game <> ''",
            guild_id=guild,
        )
        return sorted(row["game"] for row in rows)


def _ranked_condition(order: LeaderboardOrder) -> str:
    """Return the condition for ranked rows. Fantasyland leaderboards rank only players who have been there."""
    return (
        f"{_MEANT} AND {_VALUES[order]} > 0"
        if order in (LeaderboardOrder.FANTASYLAND, LeaderboardOrder.STAYS)
        else _MEANT
    )


def _meant(guild: GuildId, asked: LeaderboardQuery, at: int) -> dict[str, Value]:
    return {
        "guild_id": guild,
        "span": asked.span.value,
        "since": asked.since(at),
        "game": asked.game,
        "least": asked.order.min_hands,
    }
