"""The puzzles that come with the bot, with their solutions. Code near Discord has no access to them.

A puzzle that a later search has overturned stays in its file with ``"withdrawn": true``, so that everyone who tried it
can be forgiven.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from bot.base.puzzle_files import puzzle_lines
from bot.model.puzzles import PuzzleName
from bot.pure.ofc.presets import PRESETS
from bot.pure.trainer.puzzle import Puzzle
from bot.pure.trainer.records import parse_puzzle

DIGITS = 12


def puzzle_name(game: str, position: str) -> PuzzleName:
    """Return the name of the puzzle with a game, by its key, and a position."""
    return PuzzleName(hashlib.sha256(f"{game} {position}".encode()).hexdigest()[:DIGITS])


@cache
def known_puzzles() -> Mapping[PuzzleName, Puzzle]:
    """Return all puzzles by name, also those that were withdrawn."""
    puzzles = [parse_puzzle(line, PRESETS.__getitem__) for game in PRESETS for line in puzzle_lines(game)]
    return MappingProxyType({puzzle_name(puzzle.variant.key, str(puzzle.position)): puzzle for puzzle in puzzles})


@cache
def withdrawn_puzzles() -> frozenset[PuzzleName]:
    """Return the names of the puzzles that were withdrawn."""
    records = [json.loads(line) for game in PRESETS for line in puzzle_lines(game) if '"withdrawn"' in line]
    return frozenset(puzzle_name(record["game"], record["position"]) for record in records if record["withdrawn"])


@cache
def games_with_puzzles() -> tuple[str, ...]:
    """Return the keys of the games with puzzles, in the order of the presets."""
    found = {puzzle.variant.key for name, puzzle in known_puzzles().items() if name not in withdrawn_puzzles()}
    return tuple(game for game in PRESETS if game in found)
