"""Search of some placements one street further ahead than a review, to verify their values.

More deals wouldn't verify them: a review's doubt about opponents on the first streets comes from its networks, not from
the number of deals. Half of the cards are used to choose each line's placement, and the other half to judge it. On the
last two streets every deal is looked at already, so more of the opponents' boards are drawn instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.view import HandView
from bot.pure.solver.boards import Boards, children
from bot.pure.solver.comparison import boards_after
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.lookahead import drawn, likely_ways, without
from bot.pure.solver.network import Deals
from bot.pure.solver.row_tables import Floats
from bot.pure.solver.search import EXACT_SHARE, Spot, outcomes_of_each, search_ahead
from bot.pure.solver.visible_cards import OF_EACH_SET, SETS, build_spot, seeded_generator

SALT = 102
"""Salt for cards other than those of a choice or a review."""
FIRST, LATER, WAYS = 64, 12, 3
"""Default number of deals of the next street, of deals after each, and of placements per deal that are searched."""
LAST_DEALS = 9_600
"""Deals of the last street, behind which there is none, where not every deal can be looked at."""
MANY_BOARDS = 512
"""Sampled boards per opponent on the last two streets."""


def deeper_values(
    evaluator: Evaluator, view: HandView, placements: Sequence[str], *, deals: int = FIRST, salt: int = SALT
) -> tuple[Floats, int]:
    """Return the placements' values in each of the same draws, and the number of sets that the draws use in turn.

    The values are points per opponent, of shape (placements, draws). A draw is one of ``deals`` deals of the next
    street, or a sampled board of the opponents on the last two streets.
    """
    if evaluator.compares(view.street):
        spot = build_spot(view, evaluator, salt, boards=MANY_BOARDS)
        return outcomes_of_each(evaluator, spot, boards_after(evaluator, spot, placements)) @ evaluator.weights, 1
    spot = build_spot(view, evaluator, salt, boards=SETS * OF_EACH_SET, sets=SETS)
    boards = boards_after(evaluator, spot, placements)
    if view.street == evaluator.last - 1:
        each = search_ahead(evaluator, spot, boards, seeded_generator(view, salt), draws=LAST_DEALS)
        return each @ evaluator.weights, SETS
    return _further(evaluator, spot, boards, seeded_generator(view, salt), deals=deals), SETS


def _further(evaluator: Evaluator, spot: Spot, boards: Boards, chance: np.random.Generator, *, deals: int) -> Floats:
    street = spot.street + 1
    rule = evaluator.variant.streets[street - 1]
    cards = drawn(spot.unseen[None], rule.deal, deals, chance)
    found = children(boards, cards[0], to_place=rule.to_place)
    after = without(spot.unseen[None], cards)
    rivals = spot.rivals.at(np.arange(deals) % len(spot.rivals.fouls))
    values = evaluator.expected(found.boards, Deals(after, rivals), found.deal, street=street) @ evaluator.weights
    some = likely_ways(found, values, deals=deals, keep=WAYS)
    each = np.empty((len(boards), deals), dtype=np.float32)
    for deal in range(deals):
        there = Spot(board=boards, held=(), street=street, unseen=after[deal], rivals=rivals.at(np.array([deal])))
        each[:, deal] = _best_of(evaluator, there, found.boards, some[:, deal], chance)
    return each


def _best_of(
    evaluator: Evaluator, spot: Spot, boards: Boards, some: NDArray[np.intp], chance: np.random.Generator
) -> Floats:
    """Return the value of each line's best placement, chosen with half of the cards and judged with the other half."""
    chosen = boards.at(some.reshape(-1))
    if evaluator.compares(spot.street):
        one = np.zeros(len(chosen), dtype=np.intp)
        parts = evaluator.before_last.outcomes(chosen, Deals(spot.unseen[None], spot.rivals), one)
        best: Floats = (parts @ evaluator.weights).reshape(some.shape).max(axis=1)
        return best
    draws = LATER * (EXACT_SHARE if spot.street == evaluator.last - 2 else 1)
    each = search_ahead(evaluator, spot, chosen, chance, draws=draws)
    values = (each @ evaluator.weights).reshape(*some.shape, -1)
    half = values.shape[-1] // 2
    best_ways = values[..., :half].mean(axis=-1).argmax(axis=1)
    judged: Floats = values[np.arange(len(some)), best_ways, half:].mean(axis=-1)
    return judged
