"""All that a strong player of one game knows: what full boards come to, what unfinished ones promise, usual rivals.

A brain is made of a game and of the arrays that were fitted for it, which the caller has read from a file. It may be
another game's file, as long as both deal the same streets from the same deck: what full boards are worth is always the
game's own.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bot.ofc.variants import Variant
from bot.solver.boards import Boards, children
from bot.solver.features import Deals, Features
from bot.solver.lookahead import LastStreet, best_ways, drawn
from bot.solver.network import Network, weights_from
from bot.solver.outcomes import ENTERS, PARTS, ROW_POINTS, ROYALTIES, Rivals, Scorer
from bot.solver.rowtables import Floats, Ints
from bot.solver.worth import entry_cards

Arrays = Mapping[str, NDArray[np.generic]]


class Brain:
    """What a strong player of one game knows."""

    def __init__(self, variant: Variant, arrays: Arrays, worth: Mapping[int, float]) -> None:
        self.variant = variant
        self.scorer = Scorer(variant)
        self.weights = objective(variant, worth)
        features = Features(self.scorer)
        self.networks = {
            street: Network(features, weights_from(arrays, str(street))) for street in range(1, len(variant.streets))
        }
        self.usual = Rivals(np.asarray(arrays["usual_fouls"], np.float32), np.asarray(arrays["usual_wins"], np.float32))
        self._in_fantasyland = {
            int(name.removeprefix("wins_")): np.asarray(wins, np.float32)
            for name, wins in arrays.items()
            if name.startswith("wins_")
        }
        self.last = len(variant.streets)
        self.before_last = LastStreet(self.scorer, variant.streets[-1], self.weights)

    def rivals_in_fantasyland(self, cards: int) -> Rivals:
        """What a board set from so many cards may be."""
        wins = self._in_fantasyland.get(cards)
        return self.usual if wins is None else Rivals(np.zeros(1, np.float32), wins[None])

    def expected(self, boards: Boards, deals: Deals, deal: NDArray[np.intp], *, street: int) -> Floats:
        """What boards come to that stand so after this street: at once, judged by the network or, at the end, exactly."""
        if street == self.last:
            return self.scorer.outcomes(boards, deals.rivals, deal)
        return self.networks[street].outcomes(boards, deals, deal)

    def placed(self, boards: Boards, deals: Deals, cards: Ints, *, street: int) -> Boards:
        """Each board with its own cards (boards, cards) placed where the network likes them best."""
        found = children(boards, cards[:, None], lay=self.variant.streets[street - 1].lay)
        parts = self.expected(found.boards, deals, found.parent, street=street)
        return found.boards.at(best_ways(found, parts @ self.weights, deals=1)[:, 0])

    def played_out(self, boards: Boards, unseen: Ints, chance: np.random.Generator, *, after: int) -> Boards:
        """Boards at the end of the hand, each dealt from what is unseen to it."""
        left = unseen.copy()
        rivals = self.usual.at(np.zeros(len(boards), dtype=np.intp))
        for street in range(after + 1, self.last + 1):
            cards = drawn(left, self.variant.streets[street - 1].deal, 1, chance)[:, 0]
            for column in range(cards.shape[1]):
                left[np.arange(len(left)), cards[:, column]] -= 1
            boards = self.placed(boards, Deals(left, rivals), cards, street=street)
        return boards


def objective(variant: Variant, worth: Mapping[int, float]) -> Floats:
    """What the columns of an outcome count for; ``worth`` is that of Fantasyland by its number of cards."""
    weights = np.zeros(PARTS, np.float32)
    weights[ROYALTIES] = weights[ROW_POINTS] = 1
    weights[ENTERS:] = [worth.get(cards, 0.0) for cards in entry_cards(variant)]
    return weights
