"""Fantasyland: who enters, who stays, and with how many cards."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ofc.ranks import Category, Strength, category_of, top_rank
from bot.ofc.variants import TRIPS, Fantasyland, Variant


def _entry(rule: Fantasyland, front: Strength) -> int:
    """Cards for a front made outside Fantasyland; 0 when it does not enter."""
    category = category_of(front)
    if category is Category.THREE_OF_A_KIND:
        return rule.entry.get(TRIPS, 0)
    if category is Category.PAIR:
        return rule.entry.get(top_rank(front), 0)
    return 0


def stays(rule: Fantasyland, strengths: Sequence[Strength]) -> bool:
    """True when a legal board made in Fantasyland keeps its player there. A pair of queens does not."""
    front, middle, back = (category_of(strength) for strength in strengths)
    if front is Category.THREE_OF_A_KIND or back >= rule.stay_back:
        return True
    return rule.stay_middle is not None and middle >= rule.stay_middle


def next_fantasyland(variant: Variant, strengths: Sequence[Strength], *, held: int) -> int:
    """Cards for the next hand of a player with this legal board, 0 for an ordinary hand.

    ``strengths`` is front, middle, back; ``held`` the cards he holds in Fantasyland now, 0 outside.
    """
    rule = variant.fantasyland
    if rule is None:
        return 0
    if not held:
        return _entry(rule, strengths[0])
    if not stays(rule, strengths):
        return 0
    return rule.stay_cards or held
