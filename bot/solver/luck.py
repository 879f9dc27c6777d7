"""The luck of the deals, apart from what players made of it.

The luck of a deal is what its cards are worth, placed best, less what cards drawn at that moment are worth on average.
Whatever the players do, its mean is zero. So a result less the luck in it is the same on average, and quieter: what is
left is mostly what the players have won and lost by their decisions. How good the values are matters for how quiet it
is, and not for its mean.

In backgammon this is the luck-adjusted result; Zinkevich and others (2006) show for poker why its mean is right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.boards import Boards
from bot.solver.brain import Brain
from bot.solver.features import Deals
from bot.solver.lookahead import ahead, drawn
from bot.solver.outcomes import Rivals
from bot.solver.rowtables import Floats, Ints

PLAYED_OUT = 16
"""How often an opponent's board is played out."""


def luck_of_deals(
    brain: Brain, boards: Boards, deals: Deals, cards: Ints, *, street: int, draws: int, chance: np.random.Generator
) -> Floats:
    """How much more than usual the cards (boards, cards) are worth to each board, which are dealt in this street.

    ``deals.unseen`` are all the cards from which they were dealt.
    """
    usual = drawn(deals.unseen, cards.shape[1], draws, chance)

    def judge(after: Boards, left: Deals, deal: NDArray[np.intp]) -> Floats:
        return brain.expected(after, left, deal, street=street)

    both = np.concatenate([cards[:, None].astype(np.int32), usual], axis=1)
    parts = ahead(boards, deals, both, judge, brain.weights, to_place=brain.variant.streets[street - 1].to_place)
    values = parts @ brain.weights
    found: Floats = values[:, 0] - values[:, 1:].mean(axis=1)
    return found


def rivals_of(brain: Brain, boards: Boards, unseen: Ints, chance: np.random.Generator, *, after: int) -> Rivals:
    """What boards may become that have been played to the end of street ``after``."""
    count = len(boards)
    if not after:
        return brain.usual.at(np.zeros(count, dtype=np.intp))
    each = np.repeat(np.arange(count), PLAYED_OUT)
    done = brain.played_out(boards.at(each), unseen[each], chance, after=after)
    return brain.scorer.rivals_from(done, PLAYED_OUT)
