"""Measure the share of luck in results: ``python -m study.luck GAME``.

Networks play heads-up hands without lookahead, and the second one makes a share of its placements at random. The luck
of every deal is subtracted from the result. In a second version, only the luck of the first player's own deals is
subtracted. As in a review in Discord, it's judged by the cards that they could see. The output has the means, which
must agree, and their deviations. Fantasyland counts at its value.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path

import numpy as np

from bot.base.command_help import HelpFormatter, examples
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import ROWS, full_deck
from bot.pure.ofc.presets import PRESETS
from bot.pure.solver.boards import Boards, children, counts_of, patterns
from bot.pure.solver.duel import CERTAINTY
from bot.pure.solver.evaluator import Evaluator, evaluator_for
from bot.pure.solver.lookahead import best_ways
from bot.pure.solver.luck import luck_of_deals, rivals_of
from bot.pure.solver.network import Deals
from bot.pure.solver.outcomes import ENTERS, ROYALTIES, nobody
from bot.pure.solver.row_tables import Floats, Ints

BATCH = 200
"""Hands per batch."""


@dataclass(slots=True, kw_only=True)
class Side:
    """One player's position in all hands of a batch."""

    boards: Boards
    unseen: Ints
    """Number of copies of each card that the player hasn't seen."""
    stray: float
    luck: Floats
    cards: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int32))


class Hands:
    """A batch of heads-up hands."""

    def __init__(
        self, evaluator: Evaluator, chance: np.random.Generator, *, count: int, stray: float, draws: int
    ) -> None:
        self.evaluator = evaluator
        self.chance = chance
        self.draws = draws
        self.count = count
        cards = np.array(full_deck(decks=evaluator.variant.decks, jokers=evaluator.variant.jokers), dtype=np.int32)
        self.deck = cards[chance.random((count, len(cards))).argsort(axis=1)]
        self.left = np.repeat(counts_of(cards.tolist())[None], count, axis=0)
        """Number of copies of each card left in each deck."""
        empty = Boards(np.zeros((count, 3), np.int32), np.zeros((count, 3), np.int32))
        self.beside = chance.spawn(1)[0]
        """Separate random generator for the additional draws, so that they don't change the hands."""
        self.in_sight = np.zeros(count, np.float32)
        """Luck of the first player's deals, as judged by the cards they could see."""
        self.sides = [
            Side(boards=empty, unseen=self.left.copy(), stray=share, luck=np.zeros(count, np.float32))
            for share in (0.0, stray)
        ]

    def play(self) -> Floats:
        """Return the first player's results, of shape (4, hands).

        The rows are the points, the points including the value of Fantasyland, the luck in them, and the luck of the
        player's own deals by the cards they could see.
        """
        dealt = 0
        for street, rule in enumerate(self.evaluator.variant.streets, 1):
            for side in self.sides:
                side.cards = self.deck[:, dealt : dealt + rule.deal]
                dealt += rule.deal
            self._count_luck(street)
            for number, side in enumerate(self.sides):
                self._place(side, self.sides[1 - number], street)
        return np.stack([*self._results(), self.sides[0].luck - self.sides[1].luck, self.in_sight])

    def _count_luck(self, street: int) -> None:
        first, second = self.sides
        self.in_sight += self._luck(first, second.boards, first.unseen, street, self.beside)
        for number, side in enumerate(self.sides):
            other = self.sides[1 - number].boards
            side.luck += self._luck(side, other, self.left, street, self.chance)
            _take(self.left, side.cards)

    def _luck(self, side: Side, other: Boards, left: Ints, street: int, chance: np.random.Generator) -> Floats:
        """Return the luck of a street's cards, dealt from ``left``."""
        rivals = rivals_of(self.evaluator, other, left, chance, after=street - 1)
        return luck_of_deals(
            self.evaluator,
            side.boards,
            Deals(left, rivals),
            side.cards,
            street=street,
            draws=self.draws,
            chance=chance,
        )

    def _place(self, side: Side, other: Side, street: int) -> None:
        """Place the cards by the network, or at random in a share of the hands (``stray``)."""
        evaluator = self.evaluator
        _take(side.unseen, side.cards)
        found = children(side.boards, side.cards[:, None], to_place=evaluator.variant.streets[street - 1].to_place)
        usual = evaluator.usual.at(np.zeros(self.count, dtype=np.intp))
        values = (
            evaluator.expected(found.boards, Deals(side.unseen, usual), found.parent, street=street) @ evaluator.weights
        )
        wild = self.chance.random(self.count) < side.stray
        values = np.where(wild[found.parent], self.chance.random(len(values)), values)
        best = best_ways(found, values, deals=1)[:, 0]
        side.boards = found.boards.at(best)
        rule = evaluator.variant.streets[street - 1]
        rows = patterns(rule.deal, rule.to_place).rows[found.pattern[best]]
        for column in range(rule.deal):
            seen = np.flatnonzero(rows[:, column] < len(ROWS))
            other.unseen[seen, side.cards[seen, column]] -= 1

    def _results(self) -> tuple[Floats, Floats]:
        """Return the points, and the points including the value of Fantasyland."""
        first, second = (side.boards for side in self.sides)
        paid, enters = (mine - its for mine, its in zip(self._paid(first), self._paid(second), strict=True))
        at_the_table = points(self.evaluator, first, second) + paid
        return at_the_table, at_the_table + enters

    def _paid(self, boards: Boards) -> tuple[Floats, Floats]:
        """Return the royalties and the value of the entries."""
        parts = self.evaluator.scorer.outcomes(boards, nobody(1), np.zeros(len(boards), dtype=np.intp))
        return parts[:, ROYALTIES], parts[:, ENTERS:] @ self.evaluator.weights[ENTERS:]


def _take(unseen: Ints, cards: Ints) -> None:
    for column in range(cards.shape[1]):
        unseen[np.arange(len(unseen)), cards[:, column]] -= 1


def points(evaluator: Evaluator, first: Boards, second: Boards) -> Floats:
    """Return the points of full boards for their rows, each against one other board."""
    game = evaluator.variant
    *mine, legal = evaluator.scorer.strengths(first)
    *theirs, its_legal = evaluator.scorer.strengths(second)
    signs = sum(np.sign(a - b) for a, b in zip(mine, theirs, strict=True))
    rows = signs * game.row_point + np.sign(signs) * (abs(signs) == len(mine)) * game.scoop_bonus
    fouls = (legal.astype(np.int32) - its_legal) * game.foul_points
    found: Floats = np.where(legal & its_legal, rows, fouls).astype(np.float32)
    return found


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m study.luck",
        description=__doc__,
        epilog=examples("pineapple", "classic --hands 40000 --stray 0.1 --out luck.npz"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("game", choices=PRESETS, metavar="GAME", help="the game (`python -m bot games` lists them)")
    parser.add_argument("--hands", type=int, default=20_000, help="hands to play, rounded up to whole batches")
    parser.add_argument(
        "--stray", type=float, default=0.0, help="share of the second player's placements that are random"
    )
    parser.add_argument("--draws", type=int, default=48, help="random draws to estimate the average of each deal")
    parser.add_argument("--seed", type=int, default=1, help="seed of the decks and random placements")
    parser.add_argument("--out", type=Path, help="file (.npz) for the points, result and luck of each hand")
    return parser


def main() -> None:
    """Play, and print the results so far after each batch."""
    arguments = parser().parse_args()
    evaluator = evaluator_for(PRESETS[arguments.game], load_arrays)
    if evaluator is None:
        sys.exit(f"nothing was fitted for {arguments.game}")
    found = np.zeros((4, 0))
    for batch in range(-(-arguments.hands // BATCH)):
        chance = np.random.default_rng([arguments.seed, batch])
        hands = Hands(evaluator, chance, count=BATCH, stray=arguments.stray, draws=arguments.draws)
        found = np.concatenate([found, hands.play()], axis=1)
        print(time.strftime("%H:%M:%S"), told(found), flush=True)
    if arguments.out:
        np.savez_compressed(arguments.out, found=found.astype(np.float32))


def told(found: Floats) -> str:
    """Return a summary of the results."""
    at_the_table, result, luck, in_sight = found
    parts = {"points": at_the_table, "result": result, "luck": luck, "adjusted": result - luck}
    parts |= {"own luck in sight": in_sight, "adjusted by that": result - in_sight}
    means = ", ".join(
        f"{name} {each.mean():+.3f} ± {_off(each):.3f} ({each.std():.2f})" for name, each in parts.items()
    )
    return f"{len(result)} hands: {means}"


def _off(values: Floats) -> float:
    return float(CERTAINTY * values.std() / sqrt(len(values)))


if __name__ == "__main__":
    main()
