"""How people err: leanings that make a placement look better than it is, and what catches the eye at a board.

A leaning pulls at what a player thinks a placement is worth: each has a strength, and none is there at 0. How hard it
pulls in one decision is drawn between nothing and twice its strength, and follows from the cards in view.

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
class Leanings:
    """How strongly a player leans to each mistake: points by which a board looks better, or how often one is made."""

    flushes: float = 0.0
    """Chases flushes: points for each card of one suit beyond the second in a row that isn't full."""
    fantasyland: float = 0.0
    """Goes for Fantasyland too early: points for queens or better in a front that the rows below don't beat yet, half
    for one such card."""
    two_pair: float = 0.0
    """Strengthens the middle first: points for two pair or better there while the back is weaker."""
    front: float = 0.0
    """Overrates the front: points for a pair there, half for an ace or a king."""
    dead_cards: float = 0.0
    """Forgets that the cards on the others' boards are gone: in so many decisions of one, 0-1."""
    order: float = 0.0
    """Overlooks the order of rows at the end, and takes what pays most, foul or not: in so many
    last streets of one, 0-1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mood:
    """What a player's leanings come to in one decision."""

    pull: tuple[float, float, float, float]
    """What a flush draw, unsupported queens, a middle above the back, and a front are given too many points."""
    forgets: bool
    overlooks: bool


def mood_of(leanings: Leanings, chance: np.random.Generator) -> Mood:
    """Each leaning as it is felt in one decision."""
    *strengths, forgets, overlooks = astuple(leanings)
    flushes, fantasyland, two_pair, front = (2 * strength * chance.random() for strength in strengths)
    return Mood(
        pull=(flushes, fantasyland, two_pair, front),
        forgets=chance.random() < forgets,
        overlooks=chance.random() < overlooks,
    )


_FIVE = 5
_THREE_SUITED = 3
_MANY_SUITED = {2: 0.3, 3: 1.2, 4: 2.5, 5: 5.0}
"""What cards of one suit in a row catch the eye, by how many they are."""
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
"""What a board loses to the eye for each row that stands above a weaker one."""
_LOWEST_HIGH = 10
"""A low in the middle is ten-high at most."""


class Eye:
    """What catches the eye of a player at the boards of one decision; each row is looked at once."""

    def __init__(self, variant: Variant, mood: Mood) -> None:
        self._low = variant.middle is MiddleRank.DEUCE_TO_SEVEN
        self._enters = variant.fantasyland is not None
        self._mood = mood
        self._made: dict[tuple[Card, ...], Strength] = {}
        self._looks: dict[tuple[Row, tuple[Card, ...]], float] = {}

    def pull(self, rows: RowCards) -> float:
        """By how many points this player thinks too well of a board."""
        flushes, fantasyland, two_pair, front = self._mood.pull
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
        """How good a board looks at first sight: what is made, what is drawn to, and rows in order."""
        found = sum(self._look(row, cards) for row, cards in zip(ROWS, rows, strict=True))
        front, middle, back = map(self.made, rows)
        if self._low:
            return found - _OUT_OF_ORDER * (category_of(front) > category_of(back))
        above = (category_of(front) > category_of(middle)) + (category_of(middle) > category_of(back))
        return found - _OUT_OF_ORDER * above

    def made(self, cards: tuple[Card, ...]) -> Strength:
        """What a row is by the cards that lie there."""
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
            return sum(1.0 if rank < _LOWEST_HIGH else -1.5 for rank in ranks) - 3.0 * (len(cards) - len(ranks))
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
    """How many cards of one suit beyond the second lie in a row that is neither full nor of two suits."""
    if not _THREE_SUITED <= len(cards) < _FIVE:
        return 0
    suits = Counter(suit_of(card) for card in cards if card not in JOKERS)
    return len(cards) - 2 if len(suits) == 1 else 0
