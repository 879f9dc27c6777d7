"""Puzzles as lines of JSON, as they're shipped and stored.

Source: docs/notation.md, "Puzzles".
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bot.pure.ofc.variants import Variant
from bot.pure.rating.model import Rating
from bot.pure.solver.comparison import ExpectedResults
from bot.pure.trainer.position import parse_position
from bot.pure.trainer.puzzle import Puzzle, PuzzlePlacement
from bot.pure.trainer.themes import Theme


def puzzle_record(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle's values by name, which JSON can hold."""
    return {
        "game": puzzle.variant.key,
        "position": str(puzzle.position),
        "best": puzzle.best,
        "gap": round(puzzle.gap, 2),
        "error": round(puzzle.error, 2),
        "theme": puzzle.theme.value,
        "difficulty": round(puzzle.difficulty.mean, 2),
        "deviation": round(puzzle.difficulty.deviation, 2),
        "placements": [
            {
                "placement": placement.letters,
                "value": round(placement.value, 2),
                "foul": round(placement.facts.foul, 3),
                "fantasyland": round(placement.facts.fantasyland, 3),
                "royalties": round(placement.facts.royalties, 2),
            }
            for placement in puzzle.placements
        ],
        "costs": {letters: round(cost, 2) for letters, cost in puzzle.costs.items()},
    }


def puzzle_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of JSON."""
    return json.dumps(puzzle_record(puzzle), separators=(",", ":"))


def parse_puzzle(line: str, game: Callable[[str], Variant]) -> Puzzle:
    """Return the puzzle in a line of JSON; ``game`` returns the game with a key. Raises ValueError if it isn't one."""
    try:
        record = json.loads(line)
        variant = game(record["game"])
        return Puzzle(
            variant=variant,
            position=parse_position(record["position"], variant),
            placements=tuple(map(_placement, record["placements"])),
            costs=record["costs"],
            gap=record["gap"],
            error=record["error"],
            theme=Theme(record["theme"]),
            difficulty=Rating(mean=record["difficulty"], deviation=record["deviation"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"{line[:60]!r} is no puzzle") from error


def _placement(record: dict[str, Any]) -> PuzzlePlacement:
    return PuzzlePlacement(
        letters=record["placement"],
        value=record["value"],
        facts=ExpectedResults(foul=record["foul"], fantasyland=record["fantasyland"], royalties=record["royalties"]),
    )
