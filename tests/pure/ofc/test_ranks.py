"""Strength of rows: the clauses of the rules, and all possible hands."""

import hashlib
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement

import pytest

from bot.pure.ofc.cards import Card, cards_text, parse_cards
from bot.pure.ofc.ranks import (
    _RANK_KEYS,
    Category,
    Strength,
    category_of,
    encode_strength,
    five_card_strength,
    is_low,
    low_ranks,
    low_strength,
    partial_strength,
    rank_strength,
    row_strength,
    second_rank,
    suited_strength,
    three_card_strength,
    top_rank,
)
from tests.pure.ofc.games import row

Naive = tuple[int, list[int]]

FIVE_CARDS = {
    Category.HIGH_CARD: 1302540,
    Category.PAIR: 1098240,
    Category.TWO_PAIR: 123552,
    Category.THREE_OF_A_KIND: 54912,
    Category.STRAIGHT: 10200,
    Category.FLUSH: 5108,
    Category.FULL_HOUSE: 3744,
    Category.FOUR_OF_A_KIND: 624,
    Category.STRAIGHT_FLUSH: 36,
    Category.ROYAL_FLUSH: 4,
}
THREE_CARDS = {Category.HIGH_CARD: 18304, Category.PAIR: 3744, Category.THREE_OF_A_KIND: 52}

# Made once by `naive` below, over all hands in the order of itertools.combinations(range(52), n).
FIVE_CARD_ORDER = "fcc041f322c251026b7cac1722fb3bb51f236a242fc59a5d974163ffbf3dcf52"
THREE_CARD_ORDER = "d687715cdb004c2229f0adfae162e8c20efb0ab01b3430888ac64b319b403ba3"
MIXED_ORDER = "634699f99fa87785ded773d72c3f8f571608d9651e5a8df34a1bb993dd924a7a"


def naive(cards: Sequence[Card]) -> Naive:
    """Category and ranks of a row as the rule book words them, with no table and no trick."""
    ranks = sorted((card // 4 + 2 for card in cards), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    sizes = [size for size, _ in groups]
    order = ([rank for _, rank in groups] + [0, 0, 0, 0])[:5]
    top = 0
    if len(groups) == 5:
        top = ranks[0] if ranks[0] - ranks[4] == 4 else 5 if ranks == [14, 5, 4, 3, 2] else 0
    flush = len(cards) == 5 and len({card % 4 for card in cards}) == 1
    if flush and top:
        return (9 if top == 14 else 8), [top, 0, 0, 0, 0]
    if top:
        return 4, [top, 0, 0, 0, 0]
    shapes = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (3,): 3}
    pair_or_less = 1 if sizes[0] == 2 else 0
    return (5 if flush else shapes.get(tuple(sizes), pair_or_less)), order


def every_kind_of_row() -> list[tuple[Card, ...]]:
    """One hand for each of the 7462 strengths of five cards and the 455 of three."""
    rows = []
    for size in (3, 5):
        for ranks in combinations_with_replacement(range(13), size):
            if max(Counter(ranks).values()) <= 4:
                # Neighbours differ in suit: copies of a rank are different cards, and no flush comes about by chance.
                suits = [place % 4 for place in range(size)]
                rows.append(tuple(Card(rank * 4 + suit) for rank, suit in zip(ranks, suits, strict=True)))
            if size == 5 and len(set(ranks)) == 5:
                rows.append(tuple(Card(rank * 4) for rank in ranks))
    return rows


def order_digest(strengths: Sequence[Strength]) -> str:
    """SHA-256 of each hand's place among all, weakest 0, as 16-bit big-endian numbers."""
    place = {strength: number for number, strength in enumerate(sorted(set(strengths)))}
    places = array("H", (place[strength] for strength in strengths))
    if sys.byteorder == "little":
        places.byteswap()
    return hashlib.sha256(places.tobytes()).hexdigest()


def counts(strengths: Iterable[Strength]) -> dict[Category, int]:
    """Return the number of hands in each category."""
    return dict(Counter(map(category_of, strengths)))


@pytest.mark.parametrize(
    ("text", "category", "top"),
    [
        ("AsKdQh9c2s", Category.HIGH_CARD, 14),
        ("TsTdAhKcQs", Category.PAIR, 10),
        ("5s5d4h4cAs", Category.TWO_PAIR, 5),
        ("2s2d2hAcKs", Category.THREE_OF_A_KIND, 2),
        ("9s8d7h6c5s", Category.STRAIGHT, 9),
        ("Ks9s7s4s2s", Category.FLUSH, 13),
        ("3s3d3hAcAs", Category.FULL_HOUSE, 3),
        ("6s6d6h6cAs", Category.FOUR_OF_A_KIND, 6),
        ("KsQsJsTs9s", Category.STRAIGHT_FLUSH, 13),
        ("AhKhQhJhTh", Category.ROYAL_FLUSH, 14),
        ("7s7d7h7c7s", Category.FIVE_OF_A_KIND, 7),
    ],
)
def test_2_1_five_card_rows_have_these_categories(text: str, category: Category, top: int) -> None:
    strength = row(text)
    assert category_of(strength) is category
    assert top_rank(strength) == top


def test_2_1_categories_rank_from_high_card_to_five_of_a_kind() -> None:
    texts = "7s5d4h3c2s 2s2d3h4c5s 3s3d2h2c4s 2s2d2h3c4s As2d3h4c5s 7s5s4s3s2s 2s2d2h3c3s 2s2d2h2c3s As2s3s4s5s"
    weakest = [row(text) for text in [*texts.split(), "AsKsQsJsTs", "2s2d2h2c2s"]]
    assert weakest == sorted(weakest)
    assert [category_of(strength) for strength in weakest] == [c for c in Category if c is not Category.LOW]


def test_2_1_a_royal_flush_is_nothing_but_the_ace_high_straight_flush() -> None:
    assert row("AsKsQsJsTs") > row("KsQsJsTs9s")
    assert category_of(row("As5s4s3s2s")) is Category.STRAIGHT_FLUSH


def test_2_1_ace_to_five_is_the_lowest_straight() -> None:
    assert top_rank(row("As2d3h4c5s")) == 5


def test_the_second_rank_is_of_the_lower_pair_or_the_first_kicker() -> None:
    assert [second_rank(row(text)) for text in ("QsQh7d", "QsQh7d7cAs", "7s7h7dQcQs", "As2d3h4c5s")] == [7, 7, 12, 0]
    assert row("As2d3h4c5s") < row("2s3d4h5c6s")
    assert row("As2s3s4s5s") < row("2s3s4s5s6s")


@pytest.mark.parametrize("text", ["KsAd2h3c4s", "QsKdAh2c3s", "JsQdKhAc2s"])
def test_2_1_a_straight_does_not_wrap(text: str) -> None:
    assert category_of(row(text)) is Category.HIGH_CARD


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("3s3d3h3cKs", "2s2d2h2cAs"),
        ("2s2d2h2cAs", "2s2d2h2cKs"),
        ("3s3d3h2c2s", "2s2d2hAcAs"),
        ("3s3d3hAcAs", "3s3d3hKcKs"),
        ("AsJs9s5s3s", "AdJd9d5d2d"),
        ("4s4d4hAc3s", "4s4d4hAc2s"),
        ("9s9d4h4c2s", "8s8d7h7cAs"),
        ("9s9d5h5c2s", "9s9d4h4cAs"),
        ("9s9d5h5c3s", "9s9d5h5c2s"),
        ("8s8dAh5c3s", "8s8dAh5c2s"),
        ("8s8dAh5c3s", "8s8dKhQcJs"),
        ("9s8d7h6c5s", "8s7d6h5c4s"),
        ("AsKdQhJc9s", "AsKdQhJc8s"),
    ],
)
def test_2_1_ties_inside_a_category_go_by_size_of_group_then_rank(higher: str, lower: str) -> None:
    assert row(higher) > row(lower)


def test_2_1_suits_never_break_a_tie() -> None:
    assert row("AsKsQsJsTs") == row("AcKcQcJcTc")
    assert row("AsKdQh9c2s") == row("AdKhQc9s2d")
    assert row("QsQh4d") == row("QdQc4s")


@pytest.mark.parametrize("text", ["AsKsQs", "5s4s3s", "5s4d3h", "As2d3h"])
def test_2_2_the_front_knows_no_straights_and_no_flushes(text: str) -> None:
    assert category_of(row(text)) is Category.HIGH_CARD


def test_2_2_the_front_knows_three_of_a_kind_pair_and_high_card() -> None:
    assert [category_of(row(text)) for text in ("2s2d2h", "2s2d3h", "2s3d4h")] == [
        Category.THREE_OF_A_KIND,
        Category.PAIR,
        Category.HIGH_CARD,
    ]
    assert row("2s2d2h") > row("AsAdKh") > row("2s2dAh") > row("AsKdQh") > row("2s3d5h")


def test_2_3_front_v_middle_kicker_counts() -> None:
    assert row("QsQd9h") > row("QhQc8s5d2c")
    assert row("QsQd7h") < row("QhQc9s8d2c")


def test_2_3_front_v_middle_same_three_ranks_leave_the_middle_ahead() -> None:
    assert row("6s6dAh") < row("6h6cAs3d2c")
    assert row("AsKdQh") < row("AhKcQs3d2c")


def test_2_3_front_v_middle_trips_compare_by_rank() -> None:
    assert row("AsAdAh") > row("KsKdKh2c3s")


def test_2_3_front_v_middle_a_higher_category_is_ahead() -> None:
    assert row("AsAdAh") < row("8s7d6h5c4s")


def test_2_3_a_front_and_a_middle_are_never_equal() -> None:
    rows = every_kind_of_row()
    fronts = {row_strength(cards) for cards in rows if len(cards) == 3}
    fives = {row_strength(cards) for cards in rows if len(cards) == 5}
    assert (len(fronts), len(fives), len(fronts & fives)) == (455, 7462, 0)


def test_2_3_one_number_orders_all_rows_as_the_rule_book_words_it() -> None:
    rows = every_kind_of_row()
    assert sorted(rows, key=row_strength) == sorted(rows, key=naive)
    sizes = "".join(str(len(cards)) for cards in sorted(rows, key=row_strength))
    assert hashlib.sha256(sizes.encode()).hexdigest() == MIXED_ORDER


def test_2_3_every_strength_carries_its_category_and_ranks() -> None:
    for cards in every_kind_of_row():
        category, ranks = naive(cards)
        assert row_strength(cards) == encode_strength(Category(category), ranks), cards_text(cards)


LOWS = sorted(
    ranks
    for ranks in combinations(range(10, 1, -1), 5)
    if ranks[0] - ranks[4] != 4  # no straight; an ace would be too high anyway
)
"""The ranks of every low that qualifies, best first: the lower the better, from the highest card down."""


def low(text: str) -> Strength:
    """The strength of five cards as a deuce-to-seven low."""
    return low_strength(parse_cards(text))


def test_2_4_the_best_low_is_7_5_4_3_2_and_the_worst_t_9_8_7_5() -> None:
    assert (LOWS[0], LOWS[-1], len(LOWS)) == ((7, 5, 4, 3, 2), (10, 9, 8, 7, 5), 121)
    assert is_low(low("7s5d4h3c2s"))
    assert is_low(low("Ts9d8h7c5s"))
    assert low("7s5d4h3c2s") > low("7s6d4h3c2s") > low("8s5d4h3c2s") > low("Ts9d8h7c5s")


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Ts9d8h7c6s", Category.STRAIGHT),
        ("9s8d7h6c5s", Category.STRAIGHT),
        ("7s5s4s3s2s", Category.FLUSH),
        ("As5d4h3c2s", Category.STRAIGHT),
        ("As8d4h3c2s", Category.HIGH_CARD),
        ("Js5d4h3c2s", Category.HIGH_CARD),
        ("2s2d4h3c5s", Category.PAIR),
    ],
)
def test_2_4_anything_else_qualifies_for_no_low_and_stays_a_high_hand(text: str, category: Category) -> None:
    assert category_of(low(text)) is category
    assert low(text) == row(text)
    assert not is_low(low(text))
    assert low(text) < low("Ts9d8h7c5s")


def test_2_4_lows_compare_by_their_ranks_from_the_highest_down() -> None:
    hands = [tuple(Card(4 * (rank - 2) + place % 4) for place, rank in enumerate(ranks)) for ranks in LOWS]
    strengths = [low_strength(cards) for cards in hands]
    assert all(map(is_low, strengths))
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(LOWS)
    assert [low_ranks(strength) for strength in strengths] == LOWS


def test_2_4_no_hand_but_those_is_a_low() -> None:
    found = [cards for cards in every_kind_of_row() if len(cards) == 5 and is_low(low_strength(cards))]
    assert len(found) == len(LOWS)
    assert all(max(cards) // 4 + 2 <= 10 for cards in found)


def test_2_4_suits_never_break_a_tie_between_lows() -> None:
    assert low("7s5d4h3c2s") == low("2h3d4s5c7d")


def test_2_5_with_two_decks_a_flush_may_hold_a_pair() -> None:
    assert category_of(row("AsAsKs9s5s")) is Category.FLUSH
    assert row("AsAsKs9s5s") > row("AsKsQsJs9s")
    assert row("AsAsKsKs5s") > row("AsAsKs9s5s")


def test_2_5_with_two_decks_two_copies_of_a_card_are_a_pair() -> None:
    assert category_of(row("AsAsKd9h5c")) is Category.PAIR
    assert category_of(row("AsAsAdKhKh")) is Category.FULL_HOUSE
    assert category_of(row("AsAsAd")) is Category.THREE_OF_A_KIND


@pytest.mark.parametrize("size", [3, 5])
def test_the_additive_keys_collide_nowhere(size: int) -> None:
    sums = [sum(keys) for keys in combinations_with_replacement(_RANK_KEYS, size)]
    assert len(sums) == len(set(sums))
    assert max(sums) < 1 << 20


@pytest.mark.parametrize(
    ("text", "category", "ranks"),
    [
        ("", Category.HIGH_CARD, []),
        ("As", Category.HIGH_CARD, [14]),
        ("2sKdAh", Category.HIGH_CARD, [14, 13, 2]),
        ("2s2d", Category.PAIR, [2]),
        ("2s2dAhKc", Category.PAIR, [2, 14, 13]),
        ("2s2d3h3c", Category.TWO_PAIR, [3, 2]),
        ("7s7d7hAc", Category.THREE_OF_A_KIND, [7, 14]),
        ("7s7d7h7c", Category.FOUR_OF_A_KIND, [7]),
        ("5s4s3s2s", Category.HIGH_CARD, [5, 4, 3, 2]),
    ],
)
def test_an_unfinished_row_is_worth_its_groups_and_kickers(text: str, category: Category, ranks: list[int]) -> None:
    assert partial_strength(parse_cards(text)) == encode_strength(category, ranks)


@pytest.mark.parametrize("jokers", [1, 2])
def test_6_in_an_unfinished_row_a_joker_is_one_more_of_the_largest_group(jokers: int) -> None:
    for count in range(5 - jokers):
        for ranks in combinations_with_replacement(range(13), count):
            cards = [Card(4 * rank + place) for place, rank in enumerate(ranks)]
            anything = combinations_with_replacement([Card(4 * rank) for rank in range(13)], jokers)
            assert partial_strength(cards, jokers=jokers) == max(
                partial_strength([*cards, *added]) for added in anything
            )


@pytest.mark.parametrize("text", ["AsKdQh", "2s2d3h", "9s8d7h6c5s", "As2d3h4c5s", "2s2d2h2c2s"])
def test_ranks_alone_are_worth_what_cards_of_several_suits_are(text: str) -> None:
    assert rank_strength([card // 4 + 2 for card in parse_cards(text)]) == row(text)


@pytest.mark.parametrize("text", ["AsKsQs9s2s", "9s8s7s6s5s", "As2s3s4s5s", "AsAsKsKs2s"])
def test_suited_ranks_alone_are_worth_what_cards_of_one_suit_are(text: str) -> None:
    assert suited_strength([card // 4 + 2 for card in parse_cards(text)]) == row(text)


def test_another_card_never_lowers_a_row() -> None:
    for cards in every_kind_of_row():
        steps = [partial_strength(cards[:count]) for count in range(len(cards))]
        assert steps == sorted(steps)
        assert row_strength(cards) >= steps[-1]


def test_there_are_this_many_three_card_hands_of_each_category() -> None:
    strengths = [three_card_strength(cards) for cards in combinations(map(Card, range(52)), 3)]
    assert counts(strengths) == THREE_CARDS
    assert order_digest(strengths) == THREE_CARD_ORDER


@pytest.mark.slow
@pytest.mark.no_cover
def test_there_are_this_many_five_card_hands_of_each_category() -> None:
    strengths = [five_card_strength(cards) for cards in combinations(map(Card, range(52)), 5)]
    assert counts(strengths) == FIVE_CARDS
    assert order_digest(strengths) == FIVE_CARD_ORDER
