"""Declarations: what is offered, and what is refused with a sentence."""

from dataclasses import replace
from typing import Any

import pytest

from bot.ofc.ranks import Category
from bot.ofc.variants import (
    CLASSIC,
    PINEAPPLE,
    PRESETS,
    TRIPS,
    Fantasyland,
    Street,
    TurnOrder,
    Variant,
    VariantError,
    entry_from,
    entry_name,
)
from tests.ofc.games import (
    ALL_TOGETHER,
    DOUBLE_DECK,
    FIRST_TOGETHER,
    NO_FANTASYLAND,
    OPEN_DISCARDS,
    PROGRESSIVE,
    TURBO,
    ULTIMATE,
)


def refusal(variant: Variant, **changes: Any) -> str:
    """The sentence with which a changed declaration is refused."""
    with pytest.raises(VariantError) as caught:
        replace(variant, **changes)
    return str(caught.value)


def test_1_the_everyday_game_is_offered_first() -> None:
    assert list(PRESETS.items()) == [("pineapple", PINEAPPLE), ("classic", CLASSIC)]


@pytest.mark.parametrize(
    ("variant", "seats", "streets", "total"),
    [
        (CLASSIC, 4, [(5, 5)] + [(1, 1)] * 8, 13),
        (PINEAPPLE, 3, [(5, 5)] + [(3, 2)] * 4, 17),
        (TURBO, 4, [(5, 5), (4, 4), (4, 4)], 13),
        (PROGRESSIVE, 3, [(5, 5)] + [(3, 2)] * 4, 17),
        (ULTIMATE, 3, [(5, 5)] + [(3, 2)] * 4, 17),
        (DOUBLE_DECK, 6, [(5, 5)] + [(3, 2)] * 4, 17),
    ],
)
def test_7_2_the_street_table(variant: Variant, seats: int, streets: list[tuple[int, int]], total: int) -> None:
    assert (variant.min_seats, variant.max_seats) == (2, seats)
    assert [(street.deal, street.lay) for street in variant.streets] == streets
    assert variant.street_cards == total
    assert variant.discards == sum(street.discard for street in variant.streets) == total - 13


def test_8_4_classic_alone_stays_with_a_middle_full_house() -> None:
    assert CLASSIC.fantasyland is not None
    assert PINEAPPLE.fantasyland is not None
    assert CLASSIC.fantasyland.stay_middle is Category.FULL_HOUSE
    assert PINEAPPLE.fantasyland.stay_middle is None


def test_7_1_discards_stay_secret_unless_there_are_none_or_they_are_open() -> None:
    assert PINEAPPLE.hides_discards
    assert not CLASSIC.hides_discards
    assert not OPEN_DISCARDS.hides_discards
    progressive_classic = replace(CLASSIC, max_seats=3, fantasyland=PROGRESSIVE.fantasyland)
    assert progressive_classic.hides_discards


def test_5_a_foul_costs_three_rows_and_the_scoop() -> None:
    assert PINEAPPLE.foul_points == 6


def test_7_1_turn_order_is_a_property_of_each_street() -> None:
    games = (PINEAPPLE, FIRST_TOGETHER, ALL_TOGETHER)
    assert [[game.together(street) for street in (1, 2)] for game in games] == [
        [False, False],
        [True, False],
        [True, True],
    ]
    assert PINEAPPLE.order is TurnOrder.IN_TURN


def test_16_every_seat_may_be_dealt_its_most() -> None:
    assert [game.most_cards for game in (CLASSIC, PINEAPPLE, ULTIMATE, NO_FANTASYLAND)] == [13, 17, 17, 17]
    assert [game.deck_cards for game in (PINEAPPLE, DOUBLE_DECK, replace(PINEAPPLE, jokers=2))] == [52, 104, 54]


def test_16_three_seats_of_seventeen_cards_fit_and_four_do_not() -> None:
    assert refusal(PINEAPPLE, max_seats=4) == "pineapple: 4 seats need 68 cards of 52"
    assert refusal(DOUBLE_DECK, max_seats=7) == "double_deck: 7 seats need 119 cards of 104"
    assert refusal(CLASSIC, max_seats=5) == "classic: 5 seats need 65 cards of 52"
    fourteen = Fantasyland(entry=entry_from(12, 14), stay_cards=14)
    assert refusal(CLASSIC, fantasyland=fourteen) == "classic: 4 seats need 56 cards of 52"
    kept = Fantasyland(entry=entry_from(12, 13), stay_cards=14)
    assert refusal(CLASSIC, fantasyland=kept) == "classic: 4 seats need 56 cards of 52"


def test_streets_that_lay_no_whole_board_are_refused() -> None:
    sentence = "classic: the streets must lay 13 cards in all"
    assert refusal(CLASSIC, streets=(Street(5, 5), Street(4, 4))) == sentence
    assert refusal(CLASSIC, streets=()) == sentence


@pytest.mark.parametrize("street", [Street(7, 8), Street(8, 0)])
def test_a_street_that_cannot_be_laid_is_refused(street: Street) -> None:
    streets = (Street(5, 5), street, *[Street(8 - street.lay, 8 - street.lay)] * (street.lay < 8))
    assert refusal(CLASSIC, streets=streets) == "classic: a street lays at least one card and no more than it deals"


@pytest.mark.parametrize(("least", "most"), [(1, 3), (3, 2), (0, 0)])
def test_a_table_for_one_is_refused(least: int, most: int) -> None:
    assert refusal(PINEAPPLE, min_seats=least, max_seats=most) == "pineapple: a table needs two seats or more"


@pytest.mark.parametrize("changes", [{"decks": 0}, {"decks": 3}, {"jokers": 3}, {"jokers": -1}])
def test_other_decks_are_refused(changes: dict[str, int]) -> None:
    assert refusal(PINEAPPLE, **changes) == "pineapple: one or two decks and at most two jokers"


@pytest.mark.parametrize(
    "rule",
    [
        Fantasyland(entry=entry_from(12, 12), stay_cards=14),
        Fantasyland(entry=entry_from(12, 14), stay_cards=12),
        Fantasyland(entry={12: 14, TRIPS: 12}, stay_cards=None),
        Fantasyland(entry={}, stay_cards=None),
    ],
)
def test_a_fantasyland_without_a_whole_board_is_refused(rule: Fantasyland) -> None:
    assert refusal(PINEAPPLE, fantasyland=rule) == "pineapple: Fantasyland deals 13 cards or more"


def test_entries_have_names() -> None:
    assert [entry_name(rank) for rank in (12, 13, 14, TRIPS)] == ["QQ", "KK", "AA", "trips"]
    assert entry_from(13, 14) == {13: 14, 14: 14, TRIPS: 14}
