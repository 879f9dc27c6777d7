"""Queries for the trainer: puzzles' ratings, solvers, attempts, and when a puzzle comes back."""

from __future__ import annotations

import json

from bot.model.ids import Player
from bot.model.puzzles import PuzzleAttempt, PuzzleName, PuzzleRecord, Repetition, Solver
from bot.pure.rating.model import Rating
from bot.store.columns import Column, Columns, columns_of, millionths, plain
from bot.store.queries import Queries, as_json


def _games(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


PUZZLES = Columns(
    PuzzleRecord,
    "puzzle",
    [
        *columns_of(PuzzleRecord, plain("puzzle", "name"), but=("rating",)),
        millionths("mean", "rating.mean"),
        millionths("deviation", "rating.deviation"),
        plain("tries", "rating.hands"),
    ],
    key=("puzzle",),
    parts={"rating": Rating},
)
SOLVERS = Columns(
    Solver,
    "solver",
    [
        *columns_of(
            Solver,
            Column(name="games", attribute="games", to_sql=as_json, from_sql=_games),
            but=("rating",),
        ),
        millionths("mean", "rating.mean"),
        millionths("deviation", "rating.deviation"),
        plain("tries", "rating.hands"),
        plain("rated_at", "rating.at"),
    ],
    key=("player",),
    beside=("player",),
    parts={"rating": Rating},
)
ATTEMPTS = Columns(
    PuzzleAttempt,
    "puzzle_attempt",
    columns_of(PuzzleAttempt, millionths("moved")),
    key=("player", "number"),
    beside=("player",),
)
REPETITIONS = Columns(
    Repetition,
    "repetition",
    columns_of(Repetition, millionths("stability"), millionths("difficulty")),
    key=("player", "puzzle"),
    beside=("player",),
)


class PuzzleQueries(Queries):
    """Queries for the trainer. A solver's rows are locked by player, and a puzzle's by its name."""

    def solver(self, player: Player) -> Solver:
        """Return the player's choices and rating, or those of a newcomer."""
        self._sql.hold(int(player))
        row = self._sql.one(f"SELECT {SOLVERS.names} FROM solver WHERE player = :player", player=player)
        return Solver() if row is None else SOLVERS.read(row)

    def solved_since(self, time: int, *, tries: int) -> list[tuple[Player, Solver]]:
        """Return solvers with a first try since a ``time`` (ms) and at least so many ``tries``, the latest first."""
        rows = self._sql.all(
            f"SELECT {SOLVERS.names}, solver.player FROM solver WHERE rated_at >= :time AND tries >= :tries",
            time=time,
            tries=tries,
        )
        found = [(Player(row["player"]), SOLVERS.read(row)) for row in rows]
        return sorted(found, key=lambda one: (-one[1].rating.at, one[0]))

    def save_solver(self, player: Player, solver: Solver) -> None:
        self._save(SOLVERS, solver, player=player)

    def puzzle(self, name: PuzzleName) -> PuzzleRecord | None:
        """Return what is known about a puzzle; None before the first attempt."""
        self._sql.hold(name)
        row = self._sql.one(f"SELECT {PUZZLES.names} FROM puzzle WHERE puzzle = :name", name=name)
        return None if row is None else PUZZLES.read(row)

    def save_puzzle(self, puzzle: PuzzleRecord) -> None:
        self._save(PUZZLES, puzzle)

    def puzzles(self) -> list[PuzzleRecord]:
        """Return what is known about all puzzles that were tried or withdrawn."""
        return [PUZZLES.read(row) for row in self._sql.all(f"SELECT {PUZZLES.names} FROM puzzle")]

    def choices(self, name: PuzzleName) -> dict[str, int]:
        """Return the number of people per placement, from their first attempts."""
        rows = self._sql.all("SELECT letters, people FROM puzzle_choice WHERE puzzle = :name", name=name)
        return {row["letters"]: row["people"] for row in rows}

    def count_choice(self, name: PuzzleName, letters: str) -> None:
        """Count one more person with this placement."""
        self._sql.run(
            "INSERT INTO puzzle_choice (puzzle, letters, people) VALUES (:name, :letters, 1) "
            "ON CONFLICT (puzzle, letters) DO UPDATE SET people = puzzle_choice.people + 1",
            name=name,
            letters=letters,
        )

    def attempts(self, player: Player, name: PuzzleName) -> list[PuzzleAttempt]:
        """Return the player's attempts at a puzzle, in order."""
        rows = self._sql.all(
            f"SELECT {ATTEMPTS.names} FROM puzzle_attempt WHERE player = :player AND puzzle = :name ORDER BY number",
            player=player,
            name=name,
        )
        return [ATTEMPTS.read(row) for row in rows]

    def attempts_at(self, name: PuzzleName) -> list[tuple[Player, PuzzleAttempt]]:
        """Return everyone's attempts at a puzzle."""
        rows = self._sql.all(
            f"SELECT {ATTEMPTS.names}, puzzle_attempt.player FROM puzzle_attempt WHERE puzzle = :name "
            "ORDER BY at, number",
            name=name,
        )
        return [(Player(row["player"]), ATTEMPTS.read(row)) for row in rows]

    def next_attempt(self, player: Player) -> int:
        """Return the number of the player's next attempt."""
        last = self._number("SELECT MAX(number) AS last FROM puzzle_attempt WHERE player = :player", player=player)
        return (last or 0) + 1

    def save_attempt(self, player: Player, attempt: PuzzleAttempt) -> None:
        self._save(ATTEMPTS, attempt, player=player)

    def tried(self, player: Player) -> set[PuzzleName]:
        """Return the puzzles that the player has tried."""
        rows = self._sql.all("SELECT DISTINCT puzzle FROM puzzle_attempt WHERE player = :player", player=player)
        return {PuzzleName(row["puzzle"]) for row in rows}

    def met(self, player: Player) -> set[PuzzleName]:
        """Return the puzzles that the player has tried or put off."""
        rows = self._sql.all(
            "SELECT puzzle FROM puzzle_attempt WHERE player = :player "
            "UNION SELECT puzzle FROM repetition WHERE player = :player",
            player=player,
        )
        return {PuzzleName(row["puzzle"]) for row in rows}

    def repetition(self, player: Player, name: PuzzleName) -> Repetition | None:
        row = self._sql.one(
            f"SELECT {REPETITIONS.names} FROM repetition WHERE player = :player AND puzzle = :name",
            player=player,
            name=name,
        )
        return None if row is None else REPETITIONS.read(row)

    def repetitions(self, player: Player) -> list[Repetition]:
        """Return the puzzles that come back, the earliest first."""
        rows = self._sql.all(
            f"SELECT {REPETITIONS.names} FROM repetition WHERE player = :player ORDER BY due_at, puzzle", player=player
        )
        return [REPETITIONS.read(row) for row in rows]

    def save_repetition(self, player: Player, repetition: Repetition) -> None:
        self._save(REPETITIONS, repetition, player=player)

    def drop_repetition(self, player: Player, name: PuzzleName) -> None:
        """Let a puzzle not come back to a player."""
        self._sql.run("DELETE FROM repetition WHERE player = :player AND puzzle = :name", player=player, name=name)

    def drop_repetitions(self, name: PuzzleName) -> None:
        """Let a puzzle come back to no one."""
        self._sql.run("DELETE FROM repetition WHERE puzzle = :name", name=name)
