"""Queries for puzzles from finished hands."""

from __future__ import annotations

from bot.model.puzzles import HandPuzzle, PuzzleName, PuzzleTraits
from bot.pure.rating.model import Rating
from bot.pure.trainer.themes import Theme
from bot.store.columns import Columns, columns_of, from_millionths, millionths, plain
from bot.store.queries import Queries

HAND_PUZZLES = Columns(
    HandPuzzle,
    "hand_puzzle",
    [
        *columns_of(HandPuzzle, plain("puzzle", "name"), but=("difficulty",)),
        millionths("mean", "difficulty.mean"),
        millionths("deviation", "difficulty.deviation"),
    ],
    key=("puzzle",),
    parts={"difficulty": Rating},
)
_ADDING = "puzzles from finished hands"


class HandPuzzleQueries(Queries):
    """Queries for puzzles from finished hands."""

    def hold(self) -> None:
        """Let no other process add a puzzle until the end of this transaction."""
        self._sql.hold(_ADDING)

    def puzzle(self, name: PuzzleName) -> HandPuzzle | None:
        row = self._sql.one(f"SELECT {HAND_PUZZLES.names} FROM hand_puzzle WHERE puzzle = :name", name=name)
        return None if row is None else HAND_PUZZLES.read(row)

    def puzzles(self) -> list[HandPuzzle]:
        """Return all puzzles, by name."""
        rows = self._sql.all(f"SELECT {HAND_PUZZLES.names} FROM hand_puzzle ORDER BY puzzle")
        return [HAND_PUZZLES.read(row) for row in rows]

    def traits(self) -> dict[PuzzleName, tuple[int, PuzzleTraits]]:
        """Return the edition and the traits of all puzzles."""
        rows = self._sql.all("SELECT puzzle, game, edition, theme, mean, deviation FROM hand_puzzle ORDER BY puzzle")
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
        return self._number("SELECT COUNT(*) AS number FROM hand_puzzle") or 0

    def unverified(self, version: str, *, limit: int) -> list[HandPuzzle]:
        """Return open puzzles that this version of the bot hasn't verified, by name."""
        rows = self._sql.all(
            f"SELECT {HAND_PUZZLES.of('h')} FROM hand_puzzle h LEFT JOIN puzzle p ON p.puzzle = h.puzzle "
            "WHERE h.verified_by <> :version AND COALESCE(p.withdrawn, 0) = 0 ORDER BY h.puzzle LIMIT :limit",
            version=version,
            limit=limit,
        )
        return [HAND_PUZZLES.read(row) for row in rows]

    def save(self, puzzle: HandPuzzle) -> None:
        self._save(HAND_PUZZLES, puzzle)
