"""Solo hands, next to a random opponent whose visible cards are out of play.

U is royalties, plus ten per entry into Fantasyland, minus six per foul.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.duels import MANY
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import EMPTY, Card, RowCards, full_deck
from bot.pure.ofc.placement import place
from bot.pure.ofc.scoring import Board
from bot.pure.ofc.variants import Variant
from bot.pure.solver.boards import counts_of, single_board
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.luck import luck_of_deals
from bot.pure.solver.network import Deals
from bot.pure.solver.outcomes import nobody
from bot.pure.solver.row_tables import Ints
from bot.pure.solver.search import Effort, Spot, judged
from tests.pure.ofc.games import score_board

ENTRY_POINTS, FOUL_POINTS = 10, 6
FIRST_DRAWS = 40
"""Number of deals used to estimate the average value of the first street's cards. There are fewer than on later
streets, because the first street's cards can be placed in ten times as many ways."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision on one street of a solo hand."""

    spot: Spot
    seed: tuple[int, ...]
    letters: str
    milliseconds: float
    luck: float
    """Value of this street's cards above their average."""


def solo_evaluator(variant: Variant) -> Evaluator:
    """Return a master's evaluator that values each entry at ten points."""
    arrays = load_arrays(variant.key)
    assert arrays
    return Evaluator(variant, arrays, dict.fromkeys(range(13, 18), ENTRY_POINTS))


def hand_alone(evaluator: Evaluator, effort: Effort, *seed: int) -> tuple[RowCards, list[Decision]]:
    """Play a solo hand and return its board and decisions."""
    game = evaluator.variant
    deck = list(full_deck(decks=game.decks, jokers=game.jokers))
    random.Random(":".join(map(str, seed))).shuffle(deck)
    unseen = counts_of(deck)
    rows: RowCards = EMPTY
    decisions = []
    for street, rule in enumerate(game.streets, 1):
        other, mine, deck = deck[: rule.deal], tuple(deck[rule.deal : 2 * rule.deal]), deck[2 * rule.deal :]
        # The opponent places at random, so it doesn't matter which of their cards are seen.
        unseen = unseen - counts_of(other[: rule.to_place])
        luck = luck_alone(evaluator, rows, unseen, mine, (*seed, street))
        unseen = unseen - counts_of(mine)
        spot = Spot(board=single_board(rows), held=mine, street=street, unseen=unseen, rivals=nobody(1))
        began = time.thread_time()
        letters = judged(evaluator, spot, effort, np.random.default_rng([*seed, street]))[0].letters
        spent = 1000 * (time.thread_time() - began)
        decisions.append(Decision(spot=spot, seed=(*seed, street), letters=letters, milliseconds=spent, luck=luck))
        rows, _ = place(rows, mine, letters)
    return rows, decisions


def luck_alone(
    evaluator: Evaluator, rows: RowCards, unseen: Ints, held: Sequence[Card], seed: tuple[int, ...]
) -> float:
    """Return the value of ``held`` above the average deal from the unseen cards."""
    street = seed[-1]
    deals, cards = Deals(unseen[None], nobody(1)), np.array([held], dtype=np.int32)
    chance = np.random.default_rng([*seed, MANY])
    draws = MANY if street > 1 else FIRST_DRAWS
    return float(
        luck_of_deals(evaluator, single_board(rows), deals, cards, street=street, draws=draws, chance=chance)[0]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """Result of a solo hand."""

    worth: float
    luck: float
    royalties: int
    foul: bool
    enters: bool
    milliseconds: list[float]


def alone(evaluator: Evaluator, effort: Effort, *seed: int) -> Alone:
    """Play a solo hand and return its result."""
    rows, decisions = hand_alone(evaluator, effort, *seed)
    score = score_board(evaluator.variant, Board(rows=rows))
    entered = score.next_fantasyland > 0
    return Alone(
        worth=score.royalties + ENTRY_POINTS * entered - FOUL_POINTS * score.foul,
        luck=sum(decision.luck for decision in decisions),
        royalties=score.royalties,
        foul=score.foul,
        enters=entered,
        milliseconds=[round(decision.milliseconds, 2) for decision in decisions],
    )
