"""Fantasyland: which boards enter and which stay, and with how many cards.

Source: docs/rules.md, "Fantasyland".
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.ofc.ranks import WHEEL_LOW, Category, Strength, category_of, is_low, low_ranks, top_rank
from bot.ofc.variants import TRIPS, Fantasyland, Variant


def _entry(rule: Fantasyland, strengths: Sequence[Strength]) -> int:
    """Cards for a board made outside Fantasyland; 0 when it does not enter."""
    front, middle, _ = strengths
    by_front = 0
    if category_of(front) is Category.THREE_OF_A_KIND:
        by_front = rule.entry.get(TRIPS, 0)
    elif category_of(front) is Category.PAIR:
        by_front = rule.entry.get(top_rank(front), 0)
    by_low = rule.wheel_cards if _is_wheel(middle) else 0
    if by_front and by_low:
        return max(by_front, by_low, rule.both_cards)
    return by_front or by_low


def _is_wheel(middle: Strength) -> bool:
    return is_low(middle) and low_ranks(middle) == WHEEL_LOW


def stays(rule: Fantasyland, strengths: Sequence[Strength]) -> bool:
    """True when a legal board made in Fantasyland keeps its player there. A pair of queens does not.

    ``strengths`` is front, middle, back.

    >>> from bot.ofc.notation import parse_board
    >>> from bot.ofc.presets import PINEAPPLE
    >>> from bot.ofc.scoring import resolve
    >>> assert PINEAPPLE.fantasyland is not None
    >>> boards = ['2s2d2c/4c4d5h5s9c/AhKhQhJh9h', 'QsQd2c/5c5d7h9s9c/AhKhQhJh9h']
    >>> [stays(PINEAPPLE.fantasyland, resolve(PINEAPPLE, parse_board(board, PINEAPPLE).rows)) for board in boards]
    [True, False]
    """
    front, middle, back = map(category_of, strengths)
    if front is Category.THREE_OF_A_KIND or back >= rule.stay_back:
        return True
    if middle is Category.LOW:
        return rule.wheel_stays and _is_wheel(strengths[1])
    return rule.stay_middle is not None and middle >= rule.stay_middle


def next_fantasyland(variant: Variant, strengths: Sequence[Strength], *, held: int) -> int:
    """Cards for the next hand of a player with this legal board, 0 for an ordinary hand.

    ``strengths`` is front, middle, back; ``held`` the cards that they hold in Fantasyland now, 0 outside.
    Source: docs/rules.md, "Fantasyland".

    >>> from bot.ofc.notation import parse_board
    >>> from bot.ofc.presets import PINEAPPLE
    >>> from bot.ofc.scoring import resolve
    >>> queens = resolve(PINEAPPLE, parse_board('QsQd2c/5c5d7h9s9c/AhKhQhJh9h', PINEAPPLE).rows)
    >>> next_fantasyland(PINEAPPLE, queens, held=0), next_fantasyland(PINEAPPLE, queens, held=14)
    (14, 0)
    """
    rule = variant.fantasyland
    if rule is None:
        return 0
    if not held:
        return _entry(rule, strengths)
    if not stays(rule, strengths):
        return 0
    return rule.stay_cards or held
