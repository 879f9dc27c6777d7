"""Themes of puzzles, which say why the best placement is better than the next one."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from bot.pure.ofc.cards import JOKERS, Card, RowCards, rank_of, suit_of
from bot.pure.ofc.placement import place
from bot.pure.ofc.variants import Variant
from bot.pure.solver.comparison import ExpectedResults
from bot.pure.trainer.position import Position

CLEARLY = 0.08
"""Difference between two probabilities that's enough to explain a puzzle."""
SUITED = 3
"""Minimum number of cards of one suit that count as a draw to a flush."""


class Theme(Enum):
    """Reason that a placement is the best one."""

    LAST_CARD = "last_card"
    """The last street."""
    LIVE_OUTS = "live_outs"
    """The cards on the opponents' boards."""
    FANTASYLAND = "fantasyland"
    """Entering Fantasyland."""
    FOUL_RISK = "foul_risk"
    FRONT_PAIR = "front_pair"
    DISCARD = "discard"
    """The choice of the discard."""
    DRAW = "draw"
    """Keeping a draw alive."""


def theme_of(
    position: Position,
    variant: Variant,
    best: tuple[str, ExpectedResults],
    second: tuple[str, ExpectedResults],
    *,
    alone: str,
) -> Theme:
    """Return the theme of a puzzle.

    ``best`` and ``second`` are the two best placements, with their results. ``alone`` is the placement that would
    be best if no opponents were there.
    """
    (letters, right), (others, worse) = best, second
    if position.street(variant) == len(variant.streets):
        return Theme.LAST_CARD
    if alone != letters:
        return Theme.LIVE_OUTS
    rows, discards = place(position.rows, position.held, letters)
    other_rows, other_discards = place(position.rows, position.held, others)
    if _largest_group(rows[0]) > max(1, _largest_group(other_rows[0])):
        return Theme.FRONT_PAIR
    if right.fantasyland - worse.fantasyland >= CLEARLY:
        return Theme.FANTASYLAND
    if worse.foul - right.foul >= CLEARLY:
        return Theme.FOUL_RISK
    if _swapped(rows, other_rows) and sorted(discards) != sorted(other_discards):
        return Theme.DISCARD
    if _draw(rows) >= max(SUITED, _draw(other_rows) + 1):
        return Theme.DRAW
    gains = {
        Theme.FOUL_RISK: (worse.foul - right.foul) * variant.foul_points,
        Theme.FANTASYLAND: (right.fantasyland - worse.fantasyland) * _WORTH,
        Theme.DRAW: right.royalties - worse.royalties,
    }
    return max(gains, key=lambda theme: gains[theme])


_WORTH = 10
"""Approximate worth of a Fantasyland, which only orders the reasons of a puzzle."""


def _largest_group(cards: tuple[Card, ...]) -> int:
    """Return the size of the largest group of one rank, with jokers added to it."""
    ranks = Counter(rank_of(card) for card in cards if card not in JOKERS)
    return max(ranks.values(), default=0) + sum(card in JOKERS for card in cards)


def _swapped(rows: RowCards, others: RowCards) -> bool:
    """True if the boards differ in one card, which is in the same row."""
    apart = [Counter(row) - Counter(other) for row, other in zip(rows, others, strict=True)]
    return sum(map(Counter.total, apart)) == 1 and [len(row) for row in rows] == [len(row) for row in others]


def _draw(rows: RowCards) -> int:
    """Return the most cards of one suit in a row of five that has only that suit."""
    suited = [[suit_of(card) for card in row if card not in JOKERS] for row in rows[1:]]
    return max((len(suits) for suits in suited if len(set(suits)) == 1), default=0)
