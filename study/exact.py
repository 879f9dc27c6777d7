"""The last street of three cards, exactly and fast: compiled, for making data only.

The same sums as :class:`bot.solver.lookahead.LastStreet`, for games without jokers whose last street lays two of three.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bot.ofc.ranks import Strength
from bot.ofc.rows import ROWS
from bot.ofc.variants import MiddleRank
from bot.solver.boards import Boards
from bot.solver.features import Deals
from bot.solver.outcomes import ENTERS, FOUL, PARTS, ROW_POINTS, ROYALTIES, Scorer, steps_of
from bot.solver.rowtables import RANK_OF, SUIT_OF, Floats, kinds


class FastLast:
    """Tables of one game, and the compiled sums over all deals of the last street."""

    def __init__(self, scorer: Scorer, weights: Floats) -> None:
        self._weights = weights
        values = [table.strongest for table in scorer.values]
        self._strength = np.stack(values).astype(np.int32)
        self._step = np.stack([steps_of(np.maximum(one, 0)) for one in values]).astype(np.int32)
        variant = scorer.variant
        pays = np.zeros(self._strength.shape, np.float32)
        for place, row in enumerate(ROWS):
            for code in np.flatnonzero(values[place] >= 0):
                pays[place, code] = variant.royalties.of(row, Strength(int(values[place][code])))
        self._pays = pays
        self._enters = np.full(self._strength.shape[1], -1, np.int32)
        for code in np.flatnonzero(values[0] >= 0):
            self._enters[code] = scorer.entry(Strength(int(values[0][code])))
        self._rules = np.array([variant.foul_points, variant.scoop_bonus, variant.row_point], np.float32)
        assert variant.middle is MiddleRank.HIGH
        assert not variant.jokers
        assert not variant.row_values

    def outcomes(self, boards: Boards, deals: Deals, deal: NDArray[np.intp]) -> Floats:
        """As LastStreet.outcomes."""
        found: Floats = _all(
            boards.kinds,
            boards.suits,
            deals.unseen,
            deals.rivals.fouls,
            deals.rivals.wins,
            deal,
            kinds().add,
            kinds().size,
            RANK_OF,
            SUIT_OF,
            self._strength,
            self._step,
            self._pays,
            self._enters,
            self._rules,
            self._weights,
        )
        return found


@njit(cache=True)
def _all(  # type: ignore[no-untyped-def]  # compiled for whatever it is given
    bk, bs, unseen, fouls, wins, deal, add, size, rank_of, suit_of, strength, step, pays, enters, rules, weights
):
    n = len(bk)
    out = np.zeros((n, PARTS), np.float32)
    cards = np.zeros(110, np.int64)
    pair_value = np.zeros((64, 64), np.float32)
    pair_parts = np.zeros((64, 64, PARTS), np.float32)
    parts = np.zeros(PARTS, np.float32)
    full = np.array([3, 5, 5])
    for i in range(n):
        d = deal[i]
        u = 0
        for c in range(54):
            for _ in range(unseen[d, c]):
                cards[u] = c
                u += 1
        rows = np.zeros(2, np.int64)
        k = 0
        for r in range(3):
            for _ in range(full[r] - size[bk[i, r]]):
                rows[k] = r
                k += 1
        code = np.zeros(3, np.int64)
        for a in range(u):
            for b in range(a + 1, u):
                best = np.float32(-1e9)
                for order in range(2 if rows[0] != rows[1] else 1):
                    first, second = (cards[a], cards[b]) if order == 0 else (cards[b], cards[a])
                    for r in range(3):
                        kind, suit = bk[i, r], bs[i, r]
                        if rows[0] == r:
                            kind, suit = add[kind, rank_of[first]], suit | suit_of[first]
                        if rows[1] == r:
                            kind, suit = add[kind, rank_of[second]], suit | suit_of[second]
                        one = suit == 1 or suit == 2 or suit == 4 or suit == 8
                        code[r] = 2 * kind + (1 if one else 0)
                    f, m, bb = strength[0, code[0]], strength[1, code[1]], strength[2, code[2]]
                    parts[:] = 0
                    if f <= m and m <= bb:
                        parts[ROYALTIES] = pays[0, code[0]] + pays[1, code[1]] + pays[2, code[2]]
                        e = enters[code[0]]
                        if e >= 0:
                            parts[ENTERS + e] = 1
                        w0 = wins[d, 0, step[0, code[0]]]
                        w1 = wins[d, 1, step[1, code[1]]]
                        w2 = wins[d, 2, step[2, code[2]]]
                        points = rules[2] * (2 * (w0 + w1 + w2) - 3)
                        points += rules[1] * (w0 * w1 * w2 - (1 - w0) * (1 - w1) * (1 - w2))
                        parts[ROW_POINTS] = points * (1 - fouls[d]) + rules[0] * fouls[d]
                    else:
                        parts[FOUL] = 1
                        parts[ROW_POINTS] = -rules[0] * (1 - fouls[d])
                    value = np.float32(0)
                    for p in range(PARTS):
                        value += parts[p] * weights[p]
                    if value > best:
                        best = value
                        pair_value[a, b] = value
                        pair_parts[a, b] = parts
        count = 0
        for a in range(u):
            for b in range(a + 1, u):
                x = pair_value[a, b]
                for c in range(b + 1, u):
                    # Every third deal, in turn: they are as good a sample as all, at a third of the cost.
                    if (a + b + c) % 3:
                        continue
                    count += 1
                    y, z = pair_value[a, c], pair_value[b, c]
                    if x >= y and x >= z:
                        out[i] += pair_parts[a, b]
                    elif y >= z:
                        out[i] += pair_parts[a, c]
                    else:
                        out[i] += pair_parts[b, c]
        out[i] /= max(count, 1)
    return out
