"""Queries for puzzles that the bot has found."""

from __future__ import annotations

from bot.model.puzzles import FoundPuzzle, PuzzleName, PuzzleTraits
from bot.pure.rating.model import Rating
from bot.pure.trainer.themes import Theme
from bot.store.columns import Columns, columns_of, from_millionths, millionths, plain
from bot.store.queries import Queries

FOUND_PUZZLES = Columns(
    FoundPuzzle,
    "found_puzzle",
    [
        *columns_of(FoundPuzzle, plain("puzzle", "name"), but=("difficulty",)),
        millionths("mean", "difficulty.mean"),
        millionths("deviation", "difficulty.deviation"),
    ],
    key=("puzzle",),
    parts={"difficulty": Rating},
)
_ADDING = "found puzzles"


class FoundPuzzleQueries(Queries):
    """Queries for puzzles that the bot has found."""

    def hold(self) -> None:
        """Let no other process add a puzzle until the end of this transaction."""
        self._sql.hold(_ADDING)

    def puzzle(self, name: PuzzleName) -> FoundPuzzle | None:
        row = self._sql.one(f"SELECT {FOUND_PUZZLES.names} FROM found_puzzle WHERE puzzle = :name", name=name)
        return None if row is None else FOUND_PUZZLES.read(row)

    def puzzles(self) -> list[FoundPuzzle]:
        """Return all puzzles, by name."""
        rows = self._sql.all(f"SELECT {FOUND_PUZZLES.names} FROM found_puzzle ORDER BY puzzle")
        return [FOUND_PUZZLES.read(row) for row in rows]

    def traits(self) -> dict[PuzzleName, tuple[int, PuzzleTraits]]:
        """Return the edition and the traits of all puzzles."""
        rows = self._sql.all("SELECT puzzle, game, edition, theme, mean, deviation FROM found_puzzle ORDER BY puzzle")
        return {
            PuzzleName(row["puzzle"]): (
                row["edition"],
                PuzzleTraits(
                    game=row["game"],
                    theme=Theme(row["theme"]),
                    difficulty=Rating(mean=from_millionths(row["mean"]), deviation=from_millionths(row["deviation"])),
                ),
            )
            for row in rows
        }

    def count(self) -> int:
        """Return the number of puzzles, including those that were withdrawn."""
        return self._number("SELECT COUNT(*) AS number FROM found_puzzle") or 0

    def unverified(self, version: str, *, limit: int) -> list[FoundPuzzle]:
        """Return open puzzles that this version of the bot hasn't verified, by name."""
        rows = self._sql.all(
            f"SELECT {FOUND_PUZZLES.of('h')} FROM found_puzzle h LEFT JOIN puzzle p ON p.puzzle = h.puzzle "
            "WHERE h.verified_by <> :version AND COALESCE(p.withdrawn, 0) = 0 ORDER BY h.puzzle LIMIT :limit",
            version=version,
            limit=limit,
        )
        return [FOUND_PUZZLES.read(row) for row in rows]

    def save(self, puzzle: FoundPuzzle) -> None:
        self._save(FOUND_PUZZLES, puzzle)
