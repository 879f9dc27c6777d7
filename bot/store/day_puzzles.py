"""Queries for puzzles of the day and their answers."""

from __future__ import annotations

from bot.model.ids import GuildId, Player
from bot.model.puzzles import DayAnswer, DayPuzzle, PuzzleName
from bot.store.columns import Columns, columns_of
from bot.store.queries import Queries

DAY_PUZZLES = Columns(DayPuzzle, "day_puzzle", columns_of(DayPuzzle), key=("guild_id", "number"), beside=("guild_id",))
DAY_ANSWERS = Columns(
    DayAnswer,
    "day_answer",
    columns_of(DayAnswer),
    key=("guild_id", "number", "player"),
    beside=("guild_id", "number"),
)
_DRAWING = "puzzles of the day"


class DayPuzzleQueries(Queries):
    """Queries for puzzles of the day."""

    def hold(self) -> None:
        """Let no other server draw a puzzle until the end of this transaction."""
        self._sql.hold(_DRAWING)

    def of(self, guild: GuildId) -> list[DayPuzzle]:
        """Return all of a server's puzzles of the day, in order."""
        rows = self._sql.all(
            f"SELECT {DAY_PUZZLES.names} FROM day_puzzle WHERE guild_id = :guild_id ORDER BY number", guild_id=guild
        )
        return [DAY_PUZZLES.read(row) for row in rows]

    def day(self, guild: GuildId, number: int) -> DayPuzzle | None:
        row = self._sql.one(
            f"SELECT {DAY_PUZZLES.names} FROM day_puzzle WHERE guild_id = :guild_id AND number = :number",
            guild_id=guild,
            number=number,
        )
        return None if row is None else DAY_PUZZLES.read(row)

    def last(self, guild: GuildId) -> DayPuzzle | None:
        """Return the server's newest puzzle of the day."""
        row = self._sql.one(
            f"SELECT {DAY_PUZZLES.names} FROM day_puzzle WHERE guild_id = :guild_id ORDER BY number DESC LIMIT 1",
            guild_id=guild,
        )
        return None if row is None else DAY_PUZZLES.read(row)

    def unrated(self, guild: GuildId, now: int) -> DayPuzzle | None:
        """Return the first puzzle whose day is over and whose answers aren't all rated."""
        row = self._sql.one(
            f"SELECT {DAY_PUZZLES.names} FROM day_puzzle WHERE guild_id = :guild_id AND people IS NULL "
            "AND ends_at <= :now ORDER BY number LIMIT 1",
            guild_id=guild,
            now=now,
        )
        return None if row is None else DAY_PUZZLES.read(row)

    def save(self, guild: GuildId, day: DayPuzzle) -> None:
        self._save(DAY_PUZZLES, day, guild_id=guild)

    def open_anywhere(self, now: int) -> dict[PuzzleName, set[int]]:
        """Return the puzzles that are a server's puzzle of the day now, each with the times when its days end."""
        rows = self._sql.all("SELECT DISTINCT puzzle, ends_at FROM day_puzzle WHERE ends_at > :now", now=now)
        found: dict[PuzzleName, set[int]] = {}
        for row in rows:
            found.setdefault(PuzzleName(row["puzzle"]), set()).add(row["ends_at"])
        return found

    def is_open(self, name: PuzzleName, now: int) -> bool:
        """True if a puzzle is a server's puzzle of the day now."""
        row = self._sql.one(
            "SELECT 1 AS is_open FROM day_puzzle WHERE puzzle = :name AND ends_at > :now LIMIT 1", name=name, now=now
        )
        return row is not None

    def answers(self, guild: GuildId, number: int) -> list[DayAnswer]:
        """Return all answers to a puzzle, in order."""
        rows = self._sql.all(
            f"SELECT {DAY_ANSWERS.names} FROM day_answer WHERE guild_id = :guild_id AND number = :number "
            "ORDER BY at, cause",
            guild_id=guild,
            number=number,
        )
        return [DAY_ANSWERS.read(row) for row in rows]

    def answer(self, guild: GuildId, number: int, player: Player) -> DayAnswer | None:
        row = self._sql.one(
            f"SELECT {DAY_ANSWERS.names} FROM day_answer WHERE guild_id = :guild_id AND number = :number "
            "AND player = :player",
            guild_id=guild,
            number=number,
            player=player,
        )
        return None if row is None else DAY_ANSWERS.read(row)

    def unrated_answer(self, guild: GuildId, number: int) -> DayAnswer | None:
        """Return the first answer that hasn't been considered for the ratings."""
        row = self._sql.one(
            f"SELECT {DAY_ANSWERS.names} FROM day_answer WHERE guild_id = :guild_id AND number = :number "
            "AND rated = 0 ORDER BY at, cause LIMIT 1",
            guild_id=guild,
            number=number,
        )
        return None if row is None else DAY_ANSWERS.read(row)

    def first_answer(self, player: Player, name: PuzzleName) -> DayAnswer | None:
        """Return the player's first answer to a puzzle in any server."""
        row = self._sql.one(
            f"SELECT {DAY_ANSWERS.of('a')} FROM day_answer a JOIN day_puzzle d "
            "ON d.guild_id = a.guild_id AND d.number = a.number "
            "WHERE a.player = :player AND d.puzzle = :name ORDER BY a.at LIMIT 1",
            player=player,
            name=name,
        )
        return None if row is None else DAY_ANSWERS.read(row)

    def answered(self, player: Player) -> set[PuzzleName]:
        """Return the puzzles of the day that the player has answered, in any server."""
        rows = self._sql.all(
            "SELECT DISTINCT d.puzzle FROM day_answer a JOIN day_puzzle d "
            "ON d.guild_id = a.guild_id AND d.number = a.number WHERE a.player = :player",
            player=player,
        )
        return {PuzzleName(row["puzzle"]) for row in rows}

    def save_answer(self, guild: GuildId, number: int, answer: DayAnswer) -> None:
        self._save(DAY_ANSWERS, answer, guild_id=guild, number=number)
