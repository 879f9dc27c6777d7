"""Queries for players' ratings, and for the results they're computed from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from bot.model.ids import GuildId, Player, TableKey
from bot.model.standings import RankingPlace, RatingLine
from bot.pure.rating.model import (
    CERTAINTY,
    DAY_MS,
    GRACE_DAYS,
    RUST,
    SPREAD,
    Luck,
    RatedResult,
    Rating,
    RatingVersion,
    Score,
)
from bot.store.columns import Columns, millionths, plain, to_millionths
from bot.store.queries import OF_TABLE, PLAYER_NUMBER, Queries, table_key
from bot.store.sql import among, in_brackets, names_for

_MILLION = 1_000_000
_AT_ONCE = 10_000
"""Number of lessons per query."""


RATINGS = Columns(
    Rating,
    "rating",
    [millionths("mean"), millionths("deviation"), plain("hands"), plain("at")],
    key=("guild_id", "game_group", "player"),
    beside=("guild_id", "game_group", "player"),
)
LUCK = Columns(
    Luck,
    "luck",
    [millionths("squares"), plain("freedom")],
    key=("guild_id", "game_group"),
    beside=("guild_id", "game_group"),
)
BOOKS = Columns(
    RatingVersion, "rating_book", [plain("model"), plain("lessons")], key=("guild_id",), beside=("guild_id",)
)
_HUNDREDTHS = round(100 * CERTAINTY)
_MAX_DEVIATION = round(SPREAD * _MILLION)
_GROWN = f"deviation + {round(RUST * _MILLION)} * ((:now - at) / {DAY_MS} - {GRACE_DAYS})"
_DEVIATION = (
    f"CASE WHEN :now - at < {(GRACE_DAYS + 1) * DAY_MS} OR deviation >= {_MAX_DEVIATION} THEN deviation "
    f"WHEN {_GROWN} > {_MAX_DEVIATION} THEN {_MAX_DEVIATION} ELSE {_GROWN} END"
)
"""SQL counterpart of :meth:`Rating.by`, for the deviation."""
_BOUND = f"(100 * mean - {_HUNDREDTHS} * {_DEVIATION})"
"""Lower bound of a skill with 97 % confidence, as an integer. So players with few hands rank low."""
_OF_SERVER = "guild_id = :guild_id"
_RANKED = f"{_OF_SERVER} AND game_group = :game_group AND hands >= :least"


class RatingQueries(Queries):
    """Queries for ratings."""

    def rating_book(self, guild: GuildId) -> RatingVersion | None:
        row = self._sql.one(f"SELECT {BOOKS.names} FROM rating_book WHERE {_OF_SERVER}", guild_id=guild)
        return None if row is None else BOOKS.read(row)

    def save_rating_book(self, guild: GuildId, book: RatingVersion) -> None:
        self._save(BOOKS, book, guild_id=guild)

    def rated_guilds(self) -> list[GuildId]:
        """Return the servers with ratings, and those whose ratings will be computed at the next start."""
        rows = self._sql.all("SELECT guild_id FROM rating_book ORDER BY guild_id")
        return [GuildId(row["guild_id"]) for row in rows]

    def ratings(self, guild: GuildId, group: str, players: Sequence[Player]) -> dict[str, Rating]:
        """Return the ratings of ``players``, leaving out players who have none."""
        rows = self._sql.all(
            f"SELECT {RATINGS.names}, player FROM rating "
            f"WHERE {_OF_SERVER} AND game_group = :game_group AND player IN ({in_brackets(players)})",
            guild_id=guild,
            game_group=group,
            **names_for(players),
        )
        return {row["player"]: RATINGS.read(row) for row in rows}

    def ratings_of(self, guild: GuildId, player: Player, groups: Sequence[str]) -> dict[str, Rating]:
        """Return a player's ratings in ``groups``, leaving out groups without one."""
        rows = self._sql.all(
            f"SELECT {RATINGS.names}, game_group FROM rating "
            f"WHERE {_OF_SERVER} AND player = :player AND game_group IN ({in_brackets(groups)})",
            guild_id=guild,
            player=player,
            **names_for(groups),
        )
        return {row["game_group"]: RATINGS.read(row) for row in rows}

    def save_ratings(self, guild: GuildId, group: str, ratings: Mapping[str, Rating]) -> None:
        self._sql.many(
            RATINGS.upsert,
            [
                {**RATINGS.values(rating), "guild_id": guild, "game_group": group, "player": player}
                for player, rating in ratings.items()
            ],
        )

    def luck(self, guild: GuildId, key: str) -> Luck:
        row = self._sql.one(
            f"SELECT {LUCK.names} FROM luck WHERE {_OF_SERVER} AND game_group = :game_group",
            guild_id=guild,
            game_group=key,
        )
        return Luck() if row is None else LUCK.read(row)

    def save_luck(self, guild: GuildId, key: str, luck: Luck) -> None:
        self._save(LUCK, luck, guild_id=guild, game_group=key)

    def all_ratings(self, guild: GuildId) -> dict[tuple[str, str], Rating]:
        """Return all ratings of a server, by group and player."""
        rows = self._sql.all(
            f"SELECT {RATINGS.names}, game_group, player FROM rating WHERE {_OF_SERVER}", guild_id=guild
        )
        return {(row["game_group"], row["player"]): RATINGS.read(row) for row in rows}

    def all_luck(self, guild: GuildId) -> dict[str, Luck]:
        rows = self._sql.all(f"SELECT {LUCK.names}, game_group FROM luck WHERE {_OF_SERVER}", guild_id=guild)
        return {row["game_group"]: LUCK.read(row) for row in rows}

    def forget_ratings(self, guild: GuildId) -> None:
        self._sql.run(f"DELETE FROM rating WHERE {_OF_SERVER}", guild_id=guild)
        self._sql.run(f"DELETE FROM luck WHERE {_OF_SERVER}", guild_id=guild)

    def note_lesson(self, key: TableKey, hand_no: int, lesson: int) -> None:
        """Assign a hand's results to a lesson."""
        self._sql.run(
            f"UPDATE result SET lesson = :lesson WHERE {OF_TABLE} AND hand_no = :hand_no",
            **table_key(key),
            hand_no=hand_no,
            lesson=lesson,
        )

    def lessons(self, guild: GuildId) -> Iterator[RatedResult]:
        """Yield the results that affected ratings, ordered by lesson, table and seat."""
        book = self.rating_book(guild)
        for done in range(0, book.lessons if book else 0, _AT_ONCE):
            rows = self._sql.all(
                "SELECT lesson, at, table_id, seat, player, points, game FROM result "
                f"WHERE {_OF_SERVER} AND lesson > 0 AND lesson > :done AND lesson <= :until",
                guild_id=guild,
                done=done,
                until=done + _AT_ONCE,
            )
            for row in sorted(rows, key=lambda row: (row["lesson"], row["table_id"], row["seat"])):
                score = Score(player=row["player"], points=row["points"])
                yield RatedResult(
                    lesson=row["lesson"], at=row["at"], table=row["table_id"], game=row["game"], score=score
                )

    # Rankings

    def best_rated(
        self,
        guild: GuildId,
        group: str,
        *,
        now: int,
        least: int,
        limit: int,
        skip: int,
        without: Collection[Player] = (),
        only: Collection[Player] = (),
    ) -> list[RatingLine]:
        """Return the best players with at least ``least`` hands, excluding ``without`` or limited to ``only``."""
        condition, players = among("player", without=without, only=only)
        rows = self._sql.all(
            f"SELECT {RATINGS.names}, player, {PLAYER_NUMBER} AS number FROM rating WHERE {_RANKED}{condition} "
            f"ORDER BY {_BOUND} DESC, number LIMIT :limit OFFSET :skip",
            guild_id=guild,
            game_group=group,
            now=now,
            least=least,
            limit=limit,
            skip=skip,
            **players,
        )
        return [RatingLine(player=row["player"], rating=RATINGS.read(row).by(now)) for row in rows]

    def rated(self, guild: GuildId, group: str, *, least: int, without: Collection[Player] = ()) -> int:
        """Return the number of players with at least ``least`` hands, excluding ``without``."""
        condition, players = among("player", without=without, only=())
        return (
            self._number(
                f"SELECT COUNT(*) AS players FROM rating WHERE {_RANKED}{condition}",
                guild_id=guild,
                game_group=group,
                least=least,
                **players,
            )
            or 0
        )

    def rated_place(
        self,
        guild: GuildId,
        group: str,
        player: Player,
        *,
        now: int,
        least: int,
        without: Collection[Player] = (),
    ) -> tuple[RatingLine, RankingPlace] | None:
        """Return a player's line and place, not counting players in ``without``; None if they aren't ranked."""
        if player in without:
            return None
        condition, players = among("player", without=without, only=())
        rating = self.ratings(guild, group, [player]).get(player)
        if rating is None or rating.hands < least:
            return None
        rating = rating.by(now)
        counted = self._sql.one(
            f"SELECT COUNT(CASE WHEN {_BOUND} > :bound THEN 1 END) AS ahead, "
            f"COUNT(CASE WHEN {_BOUND} = :bound THEN 1 END) AS equal FROM rating WHERE {_RANKED}{condition}",
            **players,
            guild_id=guild,
            game_group=group,
            now=now,
            least=least,
            bound=100 * to_millionths(rating.mean) - _HUNDREDTHS * to_millionths(rating.deviation),
        )
        assert counted is not None
        place = RankingPlace(rank=counted["ahead"] + 1, shared=counted["equal"] > 1)
        return RatingLine(player=player, rating=rating), place

    def rated_groups(self, guild: GuildId) -> list[str]:
        """Return the groups with rated players, most hands first."""
        rows = self._sql.all(
            f"SELECT game_group, SUM(hands) AS hands FROM rating WHERE {_OF_SERVER} GROUP BY game_group", guild_id=guild
        )
        return [row["game_group"] for row in sorted(rows, key=lambda row: (-row["hands"], row["game_group"]))]
