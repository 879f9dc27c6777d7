"""Human biases for the weaker computer players: typical misjudgements, and first impressions of a board.

A bias adds points to a placement's estimated value. Each has a strength; 0 switches it off. The pull in one
decision is uniform between zero and twice the strength, and is derived from the visible cards.

Source: docs/solver.md, "Levels that err like people".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from bot.pure.ofc.cards import ACE, JOKERS, KING, QUEEN, ROWS, Card, Row, RowCards, rank_of, suit_of
from bot.pure.ofc.ranks import Category, Strength, category_of, five_card_strength, partial_strength, top_rank
from bot.pure.ofc.variants import MiddleRank, Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Biases:
    """Strengths of a player's biases: extra points for a board, or the probability of a mistake."""

    flushes: float = 0.0
    """Chasing flushes: points for each suited card beyond the second in a row that isn't full."""
    fantasyland: float = 0.0
    """Going for Fantasyland too early: points for a pair of queens or better in a front that the rows below don't beat
    yet. A single such card counts half."""
    two_pair: float = 0.0
    """Building the middle first: points for two pair or better there while the back is weaker."""
    front: float = 0.0
    """Overrating the front: points for a pair there. An ace or a king counts half."""
    dead_cards: float = 0.0
    """Forgetting that the cards on opponents' boards are dead: probability per decision, 0 to 1."""
    order: float = 0.0
    """Ignoring the order of the rows on the last street and taking the highest royalties, even if the board fouls:
    probability per last street, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledBiases:
    """A player's biases as sampled for one decision."""

    pull: tuple[float, float, float, float]
    """Extra points for a flush draw, unsupported queens, a middle above the back, and a front."""
    forgets: bool
    overlooks: bool


def sample_mood(biases: Biases, chance: np.random.Generator) -> SampledBiases:
    """Sample the biases for one decision."""
    *strengths, forgets, overlooks = astuple(biases)
    flushes, fantasyland, two_pair, front = (2 * strength * chance.random() for strength in strengths)
    return SampledBiases(
        pull=(flushes, fantasyland, two_pair, front),
        forgets=chance.random() < forgets,
        overlooks=chance.random() < overlooks,
    )


_FIVE = 5
_THREE_SUITED = 3
_MANY_SUITED = {2: 0.3, 3: 1.2, 4: 2.5, 5: 5.0}
"""Points at first sight for suited cards in a row, by their number."""
_IN_LINE = {3: 0.6, 4: 1.5, 5: 3.0}
_LOOKS = {
    Category.PAIR: 1.0,
    Category.TWO_PAIR: 2.5,
    Category.THREE_OF_A_KIND: 5.0,
    Category.STRAIGHT: 3.0,
    Category.FLUSH: 5.0,
    Category.FULL_HOUSE: 8.0,
    Category.FOUR_OF_A_KIND: 12.0,
}
_BEST_LOOK = 15.0
_OUT_OF_ORDER = 2.0
"""Points lost at first sight for each row that is stronger than the row below it."""
_MAX_LOW_RANK = 10
"""Highest top card of a legal low in the middle."""


class BoardsView:
    """A player's view of the boards of one decision. Rows are cached, since many boards share them."""

    def __init__(self, variant: Variant, sampled_biases: SampledBiases) -> None:
        self._low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
        self._enters = variant.fantasyland is not None
        self._sampled_biases = sampled_biases
        self._made: dict[tuple[Card, ...], Strength] = {}
        self._looks: dict[tuple[Row, tuple[Card, ...]], float] = {}

    def pull(self, rows: RowCards) -> float:
        """Return the points by which this player overrates a board."""
        flushes, fantasyland, two_pair, front = self._sampled_biases.pull
        shown = self.made(rows[0])
        middle, back = self.made(rows[1]), self.made(rows[2])
        found = 0.0
        if flushes:
            found += flushes * sum(_draw(row) for row in rows[self._low + 1 :])
        if self._enters and fantasyland and shown >> 16 and top_rank(shown) >= QUEEN:
            unsupported = back <= shown or (middle <= shown and not self._low)
            found += fantasyland * unsupported * (1.0 if category_of(shown) else 0.5)
        if two_pair and not self._low and middle > back and category_of(middle) >= Category.TWO_PAIR:
            found += two_pair
        if front and shown >> 16:
            found += front * (1.0 if category_of(shown) else 0.5 * (top_rank(shown) >= KING))
        return found

    def look(self, rows: RowCards) -> float:
        """Return how good a board looks at first sight, from made hands, draws and the order of the rows."""
        found = sum(self._look(row, cards) for row, cards in zip(ROWS, rows, strict=True))
        front, middle, back = map(self.made, rows)
        if self._low:
            return found - _OUT_OF_ORDER * (category_of(front) > category_of(back))
        above = (category_of(front) > category_of(middle)) + (category_of(middle) > category_of(back))
        return found - _OUT_OF_ORDER * above

    def made(self, cards: tuple[Card, ...]) -> Strength:
        """Return the strength of a row from the cards placed so far."""
        if cards not in self._made:
            self._made[cards] = _made(cards)
        return self._made[cards]

    def _look(self, row: Row, cards: tuple[Card, ...]) -> float:
        key = row, cards
        if key not in self._looks:
            self._looks[key] = self._looked(row, cards)
        return self._looks[key]

    def _looked(self, row: Row, cards: tuple[Card, ...]) -> float:
        natural = [card for card in cards if card not in JOKERS]
        ranks = sorted({rank_of(card) for card in natural})
        if row is Row.MIDDLE and self._low:
            return sum(1.0 if rank < _MAX_LOW_RANK else -1.5 for rank in ranks) - 3.0 * (len(cards) - len(ranks))
        made = self.made(cards)
        kind = category_of(made)
        found = _LOOKS.get(kind, _BEST_LOOK) if kind else 0.0
        if made >> 16:
            found += top_rank(made) / ACE * (1.0 if kind else 0.4)
        if row is Row.FRONT:
            return found
        if kind <= Category.PAIR and natural and len({suit_of(card) for card in natural}) == 1:
            found += _MANY_SUITED.get(len(cards), 0.0)
        if not kind and len(ranks) == len(natural) and ranks and ranks[-1] - ranks[0] < _FIVE:
            found += _IN_LINE.get(len(cards), 0.0)
        return found


def _made(cards: tuple[Card, ...]) -> Strength:
    natural = [card for card in cards if card not in JOKERS]
    if len(natural) == _FIVE:
        return five_card_strength(natural)
    return partial_strength(natural, jokers=len(cards) - len(natural))


def _draw(cards: Sequence[Card]) -> int:
    """Return the number of cards beyond the second in a flush draw; 0 if the row is full or mixes suits."""
    if not _THREE_SUITED <= len(cards) < _FIVE:
        return 0
    suits = Counter(suit_of(card) for card in cards if card not in JOKERS)
    return len(cards) - 2 if len(suits) == 1 else 0
