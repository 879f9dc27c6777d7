"""Which game needs more puzzles, because a solver has few left.

Rules:

1. A solver has few left if there are fewer than ``FEW_PUZZLES`` in their games that they haven't tried. Their games are
   those they chose, or all. Their theme doesn't count, because a hand's theme is only known once it has been searched.
2. Only solvers with a first try in the last ``ACTIVE_MS`` count, the latest first. So no one computes for those who
   have left.
3. The game is the one of theirs with the fewest left.
4. There's room for it (:mod:`bot.play.trainer.found_puzzles`).
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.clock import DAY
from bot.model.limits import FEW_PUZZLES, KEPT_FOR_HANDS
from bot.model.puzzles import PuzzleName
from bot.play.session.session import Session
from bot.play.trainer import found_puzzles
from bot.play.trainer.known_puzzles import games_with_puzzles
from bot.play.trainer.training import all_records, open_puzzles
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import Variant

ACTIVE_MS = 30 * DAY
"""Time for which a solver counts after their last first try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlayedHand:
    """A hand to be played between computer players."""

    variant: Variant
    seed: bytes
    """Random bytes that decide everything in the hand."""


def next_hand(s: Session) -> SelfPlayedHand | None:
    """Return the next hand for a solver who has few puzzles left; None if no one has, or there's no room for more."""
    game = _game(s)
    return None if game is None else SelfPlayedHand(variant=PRESETS[game], seed=s.vault.new_seed())


def _game(s: Session) -> str | None:
    if found_puzzles.room(s) <= KEPT_FOR_HANDS:
        return None
    names: dict[str, set[PuzzleName]] = {game: set() for game in games_with_puzzles()}
    for name, puzzle in open_puzzles(s, all_records(s)).items():
        if puzzle.game in names:
            names[puzzle.game].add(name)
    least = min(map(len, names.values()), default=0) - FEW_PUZZLES
    for player, solver in s.tx.puzzles.solved_since(s.now - ACTIVE_MS, tries=least + 1):
        own = [game for game in names if not solver.games or game in solver.games]
        if not own or sum(len(names[game]) for game in own) - solver.rating.hands >= FEW_PUZZLES:
            continue  # few tries can't leave few puzzles, so their names needn't be read
        tried = s.tx.puzzles.tried(player)
        left = {game: len(names[game] - tried) for game in own}
        if sum(left.values()) < FEW_PUZZLES:
            return min(left, key=left.__getitem__)
    return None
