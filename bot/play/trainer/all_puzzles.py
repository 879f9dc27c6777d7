"""All puzzles: those that come with the bot, and those from finished hands. Code near Discord has no access to them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from functools import lru_cache

from bot.model.limits import MAX_HAND_PUZZLES
from bot.model.puzzles import HandPuzzle, PuzzleName
from bot.play.session.session import Session
from bot.play.trainer.known_puzzles import known_puzzles
from bot.pure.ofc.presets import PRESETS
from bot.pure.trainer.puzzle import Puzzle
from bot.pure.trainer.records import parse_puzzle


def all_puzzles(s: Session) -> Mapping[PuzzleName, Puzzle]:
    """Return all puzzles by name, also those that were withdrawn."""
    # A puzzle that comes with the bot is preferred to one with the same position from a hand.
    return ChainMap(dict(known_puzzles()), hand_puzzles(s))


def hand_puzzles(s: Session) -> dict[PuzzleName, Puzzle]:
    """Return the puzzles from finished hands by name, also those that were withdrawn."""
    found = ((one.name, read_puzzle(one)) for one in s.tx.hand_puzzles.puzzles())
    return {name: puzzle for name, puzzle in found if puzzle is not None}


def puzzle_named(s: Session, name: PuzzleName) -> Puzzle | None:
    """Return the puzzle with a name; None if there is none."""
    shipped = known_puzzles().get(name)
    if shipped is not None or not name:
        return shipped
    stored = s.tx.hand_puzzles.puzzle(name)
    return None if stored is None else read_puzzle(stored)


def read_puzzle(stored: HandPuzzle) -> Puzzle | None:
    """Return a stored puzzle; None if the rules of its game have changed since."""
    variant = PRESETS.get(stored.game)
    return None if variant is None or variant.edition != stored.edition else _parsed(stored.line)


@lru_cache(MAX_HAND_PUZZLES)
def _parsed(line: str) -> Puzzle:
    return parse_puzzle(line, PRESETS.__getitem__)
