"""Every number of the royalty table."""

import pytest

from bot.ofc.ranks import Category, strength_of
from bot.ofc.rows import Row
from bot.ofc.royalties import STANDARD
from tests.ofc.games import row

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
        back, middle = (STANDARD.of(where, strength_of(category, [7])) for where in (Row.BACK, Row.MIDDLE))
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
