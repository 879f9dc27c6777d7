"""A game as the page needs it in order to judge rows itself, derived from the game's declaration.

``page/rows`` has the same rules in JavaScript. ``make page`` writes the boards on which both must agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from bot.pure.ofc.cards import ACE, RANKS, ROWS, Row
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.variants import TRIPS, Fantasyland, MiddleRank, Variant, entry_name
from bot.web.messages import FantasylandRules, Points, RowRules


@lru_cache(maxsize=64)
def row_rules(variant: Variant) -> RowRules:
    """Return the parts of a game that judge a row.

    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> rules = row_rules(PINEAPPLE)
    >>> rules.royalties[0]['QQ'], rules.royalties[2]['flush'], rules.fantasyland.entry['QQ']
    (7, 4, 14)
    """
    front, middle, back = (_royalties(variant, row) for row in ROWS)
    front_wins, middle_wins, back_wins = (_wins(variant, row) for row in ROWS)
    return RowRules(
        decks=variant.decks,
        jokers=variant.jokers,
        # The other deck has a second copy of every card.
        joker_may_copy=variant.joker_may_copy or variant.decks > 1,
        double_ace_flush=variant.double_ace_flush,
        low_middle=variant.middle is MiddleRank.DEUCE_TO_SEVEN,
        strict=variant.strict_rows,
        royalties=(front, middle, back),
        wins=(front_wins, middle_wins, back_wins),
        fantasyland=_fantasyland(variant.fantasyland) if variant.fantasyland else None,
    )


def _royalties(variant: Variant, row: Row) -> Points:
    """Return the royalties of the hands that are possible in a row, weakest first."""
    pays = variant.royalties
    if row is Row.FRONT:
        return _by_rank(pays.front_pairs, 2) | _by_rank(pays.front_trips, 3)
    if row is Row.MIDDLE and variant.middle is MiddleRank.DEUCE_TO_SEVEN:
        lows = {str(rank): pays.lows[rank] for rank in sorted(pays.lows, reverse=True) if pays.lows[rank]}
        return lows | ({"wheel": pays.wheel_low} if pays.wheel_low else {})
    table = pays.middle if row is Row.MIDDLE else pays.back
    return {_key(category): table[category] for category in variant.possible(row) if table.get(category)}


def _by_rank(points: Mapping[int, int], size: int) -> Points:
    return {RANKS[rank - 2] * size: points[rank] for rank in sorted(points) if points[rank]}


def _wins(variant: Variant, row: Row) -> Points:
    """Return the points for winning a row with a hand that has its own value."""
    values = {category: variant.row_value(row, category) for category in variant.possible(row)}
    return {_key(category): value for category, value in values.items() if value != variant.row_point}


def _fantasyland(rule: Fantasyland) -> FantasylandRules:
    entry = {entry_name(rank): rule.entry[rank] for rank in sorted(rule.entry, key=_place_of_entry)}
    return FantasylandRules(
        entry=entry,
        stay_cards=rule.stay_cards or 0,
        stay_middle=_key(rule.stay_middle) if rule.stay_middle is not None else "",
        stay_back=_key(rule.stay_back),
        wheel_cards=rule.wheel_cards,
        both_cards=rule.both_cards,
        wheel_stays=rule.wheel_stays,
    )


def _place_of_entry(rank: int) -> int:
    """Return the sort key of an entry: pairs by rank, then three of a kind."""
    return ACE + 1 if rank == TRIPS else rank


def _key(category: Category) -> str:
    return category.name.lower()
