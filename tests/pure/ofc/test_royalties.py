"""Every number of the royalty tables."""

from dataclasses import replace
from typing import Any

import pytest

from bot.pure.ofc.cards import Row, parse_cards
from bot.pure.ofc.ranks import Category, encode_strength, low_strength
from bot.pure.ofc.royalties import (
    DOUBLE_DECK,
    HIGH_CATEGORIES,
    NO_ROYALTIES,
    STANDARD,
    STEEPER_BACK,
    TWO_SEVEN,
    Royalties,
)
from tests.pure.ofc.games import row

STRAIGHT, FLUSH, FULL_HOUSE = "9s8d7h6c5s", "Ks9s7s4s2s", "3s3d3hAcAs"
QUADS, STRAIGHT_FLUSH, ROYAL = "6s6d6h6cAs", "KsQsJsTs9s", "AhKhQhJhTh"
FIVES, TRIPS = "7s7d7h7c7s", "2s2d2hAcKs"
LESS = ["AsKdQh9c2s", "TsTdAhKcQs", "5s5d4h4cAs"]


@pytest.mark.parametrize(
    ("text", "pays"),
    [(STRAIGHT, 2), (FLUSH, 4), (FULL_HOUSE, 6), (QUADS, 10), (STRAIGHT_FLUSH, 15), (ROYAL, 25), (FIVES, 50)],
)
def test_4_1_back(text: str, pays: int) -> None:
    assert STANDARD.of(Row.BACK, row(text)) == pays


@pytest.mark.parametrize("text", [*LESS, TRIPS])
def test_4_1_the_back_pays_nothing_below_a_straight(text: str) -> None:
    assert STANDARD.of(Row.BACK, row(text)) == 0


@pytest.mark.parametrize(
    ("text", "pays"),
    [
        *[(TRIPS, 2), (STRAIGHT, 4), (FLUSH, 8), (FULL_HOUSE, 12)],
        *[(QUADS, 20), (STRAIGHT_FLUSH, 30), (ROYAL, 50), (FIVES, 100)],
    ],
)
def test_4_1_middle(text: str, pays: int) -> None:
    assert STANDARD.of(Row.MIDDLE, row(text)) == pays


@pytest.mark.parametrize("text", LESS)
def test_4_1_the_middle_pays_nothing_below_three_of_a_kind(text: str) -> None:
    assert STANDARD.of(Row.MIDDLE, row(text)) == 0


def test_4_1_the_middle_pays_twice_the_back_but_for_three_of_a_kind() -> None:
    for category in Category:
        back, middle = (STANDARD.of(where, encode_strength(category, [7])) for where in (Row.BACK, Row.MIDDLE))
        assert middle == (2 if category is Category.THREE_OF_A_KIND else 2 * back)


def test_4_1_five_ace_low_suited_cards_are_a_straight_flush() -> None:
    assert STANDARD.of(Row.BACK, row("As2s3s4s5s")) == 15
    assert STANDARD.of(Row.MIDDLE, row("As2s3s4s5s")) == 30


@pytest.mark.parametrize(
    ("rank", "pays"),
    [("6", 1), ("7", 2), ("8", 3), ("9", 4), ("T", 5), ("J", 6), ("Q", 7), ("K", 8), ("A", 9)],
)
def test_4_1_front_pair(rank: str, pays: int) -> None:
    assert STANDARD.of(Row.FRONT, row(f"{rank}s{rank}d2h")) == pays


@pytest.mark.parametrize("rank", "2345")
def test_4_1_a_front_pair_below_sixes_pays_nothing(rank: str) -> None:
    assert STANDARD.of(Row.FRONT, row(f"{rank}s{rank}dAh")) == 0


@pytest.mark.parametrize(
    ("rank", "pays"),
    [
        *[("2", 10), ("3", 11), ("4", 12), ("5", 13), ("6", 14), ("7", 15), ("8", 16), ("9", 17)],
        *[("T", 18), ("J", 19), ("Q", 20), ("K", 21), ("A", 22)],
    ],
)
def test_4_1_front_trips(rank: str, pays: int) -> None:
    assert STANDARD.of(Row.FRONT, row(f"{rank}s{rank}d{rank}h")) == pays


def test_4_1_a_front_without_a_pair_pays_nothing() -> None:
    assert STANDARD.of(Row.FRONT, row("AsKsQs")) == 0


EVERY_FIVE = [*LESS, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL, FIVES]
EVERY_FRONT = [
    "AsKdQh",
    *(f"{rank}s{rank}d{kicker}h" for rank, kicker in zip("23456789TJQKA", "A" * 12 + "K", strict=True)),
]
EVERY_FRONT += [f"{rank}s{rank}d{rank}h" for rank in "23456789TJQKA"]


def pays(table: Royalties, where: Row, texts: list[str]) -> list[int]:
    """Return the royalty of each row."""
    return [table.of(where, row(text)) for text in texts]


def test_4_3_the_steeper_back_pays_more_for_the_rarest_hands_and_nothing_else_changes() -> None:
    rarest = [STRAIGHT_FLUSH, ROYAL, FIVES]
    assert pays(STEEPER_BACK, Row.BACK, rarest) == [25, 50, 100]
    common = [text for text in EVERY_FIVE if text not in rarest]
    assert pays(STEEPER_BACK, Row.BACK, common) == pays(STANDARD, Row.BACK, common)
    assert pays(STEEPER_BACK, Row.MIDDLE, EVERY_FIVE) == pays(STANDARD, Row.MIDDLE, EVERY_FIVE)
    assert pays(STEEPER_BACK, Row.FRONT, EVERY_FRONT) == pays(STANDARD, Row.FRONT, EVERY_FRONT)


def test_2_5_five_of_a_kind_of_two_decks_pays_what_a_royal_flush_pays() -> None:
    for where, points in ((Row.MIDDLE, 50), (Row.BACK, 25)):
        assert pays(DOUBLE_DECK, where, [FIVES, ROYAL]) == [points, points]
        assert pays(DOUBLE_DECK, where, EVERY_FIVE[:-1]) == pays(STANDARD, where, EVERY_FIVE[:-1])


@pytest.mark.parametrize(
    ("text", "points"),
    [
        *[("7s5d4h3c2s", 8), ("7s6d4h3c2s", 4), ("7s6d5h4c2s", 4), ("7s6d5h3c2s", 4)],
        *[("8s5d4h3c2s", 2), ("8s7d6h5c3s", 2), ("9s5d4h3c2s", 1), ("9s8d7h6c4s", 1)],
        *[("Ts5d4h3c2s", 0), ("Ts9d8h7c5s", 0)],
    ],
)
def test_4_3_a_deuce_to_seven_middle_pays_for_its_highest_card(text: str, points: int) -> None:
    assert TWO_SEVEN.of(Row.MIDDLE, low_strength(parse_cards(text))) == points


def test_4_3_a_deuce_to_seven_game_pays_front_and_back_as_usual_and_no_high_middle() -> None:
    assert pays(TWO_SEVEN, Row.MIDDLE, EVERY_FIVE) == [0] * len(EVERY_FIVE)
    assert pays(TWO_SEVEN, Row.BACK, EVERY_FIVE) == pays(STANDARD, Row.BACK, EVERY_FIVE)
    assert pays(TWO_SEVEN, Row.FRONT, EVERY_FRONT) == pays(STANDARD, Row.FRONT, EVERY_FRONT)


def test_4_3_an_old_table_is_a_change_of_data() -> None:
    old = replace(STANDARD, middle={**STANDARD.middle, Category.THREE_OF_A_KIND: 0})
    assert pays(old, Row.MIDDLE, [TRIPS, STRAIGHT]) == [0, 4]


def test_no_royalties_pay_nothing() -> None:
    assert pays(NO_ROYALTIES, Row.FRONT, EVERY_FRONT) == [0] * len(EVERY_FRONT)
    for where in (Row.MIDDLE, Row.BACK):
        assert pays(NO_ROYALTIES, where, EVERY_FIVE) == [0] * len(EVERY_FIVE)


@pytest.mark.parametrize("table", [STANDARD, STEEPER_BACK, DOUBLE_DECK, NO_ROYALTIES])
def test_6_the_tables_never_pay_a_stronger_row_less(table: Royalties) -> None:
    assert table.first_fall(dict.fromkeys(Row, HIGH_CATEGORIES)) is None
    for where, texts in ((Row.FRONT, EVERY_FRONT), (Row.MIDDLE, EVERY_FIVE), (Row.BACK, EVERY_FIVE)):
        paid = pays(table, where, sorted(texts, key=row))
        assert paid == sorted(paid)


@pytest.mark.parametrize(
    "changes",
    [
        {"back": {**STANDARD.back, Category.FLUSH: 1}},
        {"middle": {**STANDARD.middle, Category.FIVE_OF_A_KIND: 0}},
        {"front_pairs": {**STANDARD.front_pairs, 6: 3}},
        {"front_pairs": {**STANDARD.front_pairs, 14: 11}},
        {"front_trips": {**STANDARD.front_trips, 14: 0}},
    ],
)
def test_6_a_table_that_pays_a_stronger_row_less_is_not_monotone(changes: dict[str, Any]) -> None:
    assert replace(STANDARD, **changes).first_fall(dict.fromkeys(Row, HIGH_CATEGORIES))
