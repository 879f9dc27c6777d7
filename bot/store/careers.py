"""Queries for careers: totals of hands for chips, and head-to-head records."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.careers import (
    Career,
    Versus,
    career_gain,
    meetings_of,
)
from bot.model.hands import Result
from bot.model.ids import GuildId, Player, TableKey
from bot.model.standings import Paid
from bot.store.columns import Columns, plain
from bot.store.queries import Queries
from bot.store.sql import Sql, in_brackets, names_for

CAREERS = Columns(
    Career,
    "career",
    [plain(name) for name in ("met", "scoops", "best_royalties", "best_table", "best_hand")],
    key=("guild_id", "player"),
    beside=("guild_id", "player"),
)
MEETINGS = Columns(
    Versus,
    "versus",
    [plain(name) for name in ("other", "hands", "ahead", "behind", "chips", "lessons")],
    key=("guild_id", "player", "other"),
    beside=("guild_id", "player"),
)
_BETTER = ", ".join(
    f"{name} = CASE WHEN excluded.best_royalties > career.best_royalties THEN excluded.{name} ELSE career.{name} END"
    for name in ("best_royalties", "best_table", "best_hand")
)
_ADD_CAREER = (
    f"{CAREERS.insert} ON CONFLICT (guild_id, player) DO UPDATE SET met = career.met + excluded.met, "
    f"scoops = career.scoops + excluded.scoops, {_BETTER}"
)
_ADD_MEETING = f"{MEETINGS.insert} ON CONFLICT (guild_id, player, other) DO UPDATE SET " + ", ".join(
    f"{name} = versus.{name} + excluded.{name}" for name in ("hands", "ahead", "behind", "chips", "lessons")
)
_OF_PLAYER = "guild_id = :guild_id AND player = :player"


def add_up(sql: Sql, key: TableKey, hand_no: int, results: Sequence[Result], paid: Paid, *, rated: bool) -> None:
    """Add a hand for chips to its players' totals, in the transaction that writes its results.

    ``rated`` is True if the hand changed their ratings.
    """
    sql.many(
        _ADD_CAREER,
        [
            {
                "guild_id": key.guild,
                "player": result.player,
                **CAREERS.values(career_gain(result, table=key.table, hand_no=hand_no)),
            }
            for result in results
        ],
    )
    sql.many(
        _ADD_MEETING,
        [
            {"guild_id": key.guild, "player": player, **MEETINGS.values(versus)}
            for player, versus in meetings_of(results, paid, rated=rated)
        ],
    )


class CareerQueries(Queries):
    """Queries for careers."""

    def get(self, guild: GuildId, player: Player) -> Career:
        row = self._sql.one(f"SELECT {CAREERS.names} FROM career WHERE {_OF_PLAYER}", guild_id=guild, player=player)
        return Career() if row is None else CAREERS.read(row)

    def versus(self, guild: GuildId, player: Player, other: Player) -> Versus | None:
        row = self._sql.one(
            f"SELECT {MEETINGS.names} FROM versus WHERE {_OF_PLAYER} AND other = :other",
            guild_id=guild,
            player=player,
            other=other,
        )
        return None if row is None else MEETINGS.read(row)

    def lessons_together(self, guild: GuildId, players: Sequence[Player]) -> dict[tuple[str, str], int]:
        """Return the number of hands that changed the ratings of each pair, keyed in both directions."""
        names = in_brackets(players)
        rows = self._sql.all(
            "SELECT player, other, lessons FROM versus "
            f"WHERE guild_id = :guild_id AND player IN ({names}) AND other IN ({names})",
            guild_id=guild,
            **names_for(players),
        )
        return {(row["player"], row["other"]): row["lessons"] for row in rows}

    def most_met(self, guild: GuildId, player: Player, *, limit: int) -> list[Versus]:
        """Return the most frequent opponents, leaving out players who hide their profile."""
        rows = self._sql.all(
            f"SELECT {MEETINGS.names} FROM versus WHERE {_OF_PLAYER} AND other NOT LIKE 'gone-%' AND NOT EXISTS ("
            "SELECT 1 FROM member m WHERE m.guild_id = versus.guild_id AND m.player = versus.other "
            "AND m.profile_visible = 0) ORDER BY hands DESC, CAST(other AS BIGINT) LIMIT :limit",
            guild_id=guild,
            player=player,
            limit=limit,
        )
        return list(map(MEETINGS.read, rows))

    def form(self, guild: GuildId, player: Player, *, limit: int) -> list[int]:
        """Return the points in the last hands for chips, oldest first."""
        rows = self._sql.all(
            f"SELECT points FROM result WHERE {_OF_PLAYER} AND ranked = 1 "
            "ORDER BY at DESC, table_id DESC, hand_no DESC LIMIT :limit",
            guild_id=guild,
            player=player,
            limit=limit,
        )
        return [row["points"] for row in reversed(rows)]

    def played_in(self, player: Player) -> list[GuildId]:
        """Return the servers where the player has played for chips, most hands first."""
        rows = self._sql.all(
            "SELECT guild_id, hands FROM standing WHERE player = :player AND span = 'all' AND since = 0 AND game = ''",
            player=player,
        )
        return [GuildId(row["guild_id"]) for row in sorted(rows, key=lambda row: (-row["hands"], row["guild_id"]))]

    def games_of(self, guild: GuildId, player: Player, games: Sequence[str]) -> list[tuple[str, int]]:
        """Return the games in ``games`` that the player has played for chips, with the number of hands, most first."""
        rows = self._sql.all(
            f"SELECT game, hands FROM standing WHERE {_OF_PLAYER} AND span = 'all' AND since = 0 "
            f"AND game IN ({in_brackets(games)})",
            guild_id=guild,
            player=player,
            **names_for(games),
        )
        return sorted(((row["game"], row["hands"]) for row in rows), key=lambda game: (-game[1], game[0]))
