"""All puzzles: those that come with the bot, and those that it has found. Code near Discord has no access to them."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model.puzzles import FoundPuzzle, PuzzleName, PuzzleTraits
from bot.play.session.session import Session
from bot.play.trainer.known_puzzles import known_puzzles
from bot.pure.ofc.presets import PRESETS
from bot.pure.trainer.puzzle import Puzzle
from bot.pure.trainer.records import parse_puzzle


def all_traits(s: Session) -> Mapping[PuzzleName, Puzzle | PuzzleTraits]:
    """Return what all puzzles are chosen by, by name, also of those that were withdrawn."""
    return {**found_traits(s), **known_puzzles()}


def found_traits(s: Session) -> dict[PuzzleName, PuzzleTraits]:
    """Return what the puzzles that the bot has found are chosen by, by name, also of those that were withdrawn."""
    found = s.tx.found_puzzles.traits().items()
    return {name: traits for name, (edition, traits) in found if _is_current(traits.game, edition)}


def puzzle_named(s: Session, name: PuzzleName) -> Puzzle | None:
    """Return the puzzle with a name; None if there is none."""
    shipped = known_puzzles().get(name)
    if shipped is not None or not name:
        return shipped
    stored = s.tx.found_puzzles.puzzle(name)
    return None if stored is None else read_puzzle(stored)


def read_puzzle(stored: FoundPuzzle) -> Puzzle | None:
    """Return a stored puzzle; None if the rules of its game have changed since."""
    return parse_puzzle(stored.line, PRESETS.__getitem__) if _is_current(stored.game, stored.edition) else None


def _is_current(game: str, edition: int) -> bool:
    return game in PRESETS and PRESETS[game].edition == edition
