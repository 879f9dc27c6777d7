"""Declarations of games: accepted ones, and refusals with their reasons."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.ofc.cards import ACE, KING, QUEEN, Row
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.presets import (
    CHINESE,
    CLASSIC,
    DOUBLE_CLASSIC,
    DOUBLE_PINEAPPLE,
    FIRST_EDITION,
    JOKER_PINEAPPLE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    PRESETS,
    PROGRESSIVE,
    THIRTEEN,
    TURBO,
    TWO_SEVEN_PINEAPPLE,
    ULTIMATE,
)
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.royalties import STANDARD
from bot.pure.ofc.variants import (
    TRIPS,
    DealMode,
    Fantasyland,
    MiddleRank,
    Street,
    TurnOrder,
    Variant,
    VariantError,
    entry_from,
    entry_name,
)
from tests.pure.ofc.family import GAMES, Game, check_listed
from tests.pure.ofc.games import (
    ALL_TOGETHER,
    FIRST_TOGETHER,
    JOKER_THIRTEEN,
    NO_FANTASYLAND,
    OPEN_DISCARDS,
    STRICT,
    SURRENDER,
    any_boards,
    any_variant,
    board,
    score_board,
)

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def refusal(variant: Variant, **changes: Any) -> tuple[str, dict[str, int | str]]:
    """Return the reason why a changed declaration is refused."""
    with pytest.raises(VariantError) as caught:
        replace(variant, **changes)
    assert caught.value.problem in str(caught.value)
    return caught.value.problem, caught.value.details


def rule_of(variant: Variant) -> Fantasyland:
    """The Fantasyland of a game that has one."""
    assert variant.fantasyland
    return variant.fantasyland


def test_1_the_everyday_game_is_offered_first() -> None:
    assert next(iter(PRESETS.values())) is PINEAPPLE
    assert [key for key, variant in PRESETS.items() if key != variant.key] == []


def test_keys_are_permanent_and_every_game_has_its_row() -> None:
    check_listed(PRESETS)


def test_a_game_without_a_row_is_refused_with_what_to_write() -> None:
    with pytest.raises(AssertionError, match=r'new_game has no row in GAMES .* write .* Game\("new_game", seats='):
        check_listed([*PRESETS, "new_game"])
    with pytest.raises(AssertionError, match="none is taken out"):
        check_listed(list(PRESETS)[1:])


@every_game
def test_7_2_streets_and_decks(game: Game) -> None:
    variant = PRESETS[game.key]
    assert (variant.min_seats, variant.max_seats) == game.seats
    assert tuple((street.deal, street.to_place) for street in variant.streets) == game.streets
    assert (variant.street_cards, variant.deck_cards) == (sum(dealt for dealt, _ in game.streets), game.deck)
    assert variant.discards == sum(street.discard for street in variant.streets) == variant.street_cards - 13


@every_game
def test_8_2_the_numbers_of_cards_in_fantasyland(game: Game) -> None:
    rule = PRESETS[game.key].fantasyland
    found = () if rule is None else tuple(rule.entry.get(front, 0) for front in (QUEEN, KING, ACE, TRIPS))
    assert found == game.enters
    if rule is not None:
        assert (rule.entry.get(11, 0), rule.stay_cards) == (0, game.stay)


@every_game
def test_8_4_what_keeps_a_player_in_fantasyland(game: Game) -> None:
    rule = PRESETS[game.key].fantasyland
    middle = Category.FULL_HOUSE if game.full_house else None
    stays = None if rule is None else (rule.stay_middle, rule.stay_back)
    assert stays == ((middle, Category.FOUR_OF_A_KIND) if game.enters else None)


@every_game
def test_4_which_rows_a_game_asks_for_and_what_a_scoop_pays(game: Game) -> None:
    variant = PRESETS[game.key]
    assert (variant.middle is MiddleRank.DEUCE_TO_SEVEN, variant.strict_rows) == (game.low_middle, game.strict)
    assert (variant.scoop_bonus, variant.row_point, variant.surrender) == (game.scoop, 1, 0)
    assert variant.edition == game.edition


def test_8_2_a_deuce_to_seven_wheel_enters_too() -> None:
    rule = rule_of(TWO_SEVEN_PINEAPPLE)
    assert (rule.wheel_cards, rule.both_cards, rule.wheel_stays) == (14, 15, False)
    assert (rule.numbers, rule.max_cards) == ((14, 15), 15)


def test_7_1_discards_stay_secret_unless_there_are_none_or_they_are_open() -> None:
    assert PINEAPPLE.hides_discards
    assert not CLASSIC.hides_discards
    assert not CHINESE.hides_discards
    assert not OPEN_DISCARDS.hides_discards
    progressive_classic = replace(CLASSIC, max_seats=3, fantasyland=PROGRESSIVE.fantasyland)
    assert progressive_classic.hides_discards


def test_5_a_foul_costs_three_rows_and_every_bonus() -> None:
    assert PINEAPPLE.foul_points == 6
    assert THIRTEEN.foul_points == 3
    assert replace(CHINESE, majority_bonus=1, scoop_bonus=0).foul_points == 4
    assert replace(THIRTEEN, row_point=2, scoop_bonus=1, two_rows_bonus=1, total_bonus=1).foul_points == 9


def test_7_1_turn_order_is_a_property_of_each_street() -> None:
    games = (PINEAPPLE, FIRST_TOGETHER, ALL_TOGETHER, OPEN_THIRTEEN)
    assert [[game.together(street) for street in (1, 2)] for game in games] == [
        [False, False],
        [True, False],
        [True, True],
        [True, False],
    ]
    assert PINEAPPLE.order is TurnOrder.IN_TURN


@pytest.mark.parametrize("order", TurnOrder)
def test_11_1_thirteen_cards_at_once_are_always_set_together(order: TurnOrder) -> None:
    game = replace(CHINESE, order=order)
    assert game.at_once
    assert game.together(1)


def test_games_that_are_equal_are_one_key_and_every_change_makes_another() -> None:
    again = house_variant("pineapple", {"scoop_bonus": "5"})
    changed = replace(again, royalties=replace(STANDARD, middle={**STANDARD.middle, Category.FLUSH: 9}))
    assert len({again, house_variant("pineapple", {"scoop_bonus": "5"}), replace(again)}) == 1
    assert len({*PRESETS.values(), *FIRST_EDITION.values(), again, changed}) == len(PRESETS) + 3


def test_16_every_seat_may_be_dealt_its_most() -> None:
    assert [game.max_cards for game in (CLASSIC, PINEAPPLE, ULTIMATE, NO_FANTASYLAND)] == [13, 17, 17, 17]
    assert replace(TURBO, max_seats=3, fantasyland=PINEAPPLE.fantasyland).max_cards == 14


def test_16_three_seats_of_seventeen_cards_fit_and_four_do_not() -> None:
    assert refusal(PINEAPPLE, max_seats=4) == ("deck_too_small", {"seats": 4, "need": 68, "have": 52})
    assert refusal(DOUBLE_PINEAPPLE, max_seats=7) == ("deck_too_small", {"seats": 7, "need": 119, "have": 104})
    assert refusal(CLASSIC, max_seats=5) == ("deck_too_small", {"seats": 5, "need": 65, "have": 52})
    fourteen = Fantasyland(entry=entry_from(12, 14), stay_cards=14)
    assert refusal(CLASSIC, fantasyland=fourteen) == ("deck_too_small", {"seats": 4, "need": 56, "have": 52})
    kept = Fantasyland(entry=entry_from(12, 13), stay_cards=14)
    assert refusal(CLASSIC, fantasyland=kept)[0] == "deck_too_small"
    both = Fantasyland(entry=entry_from(12, 13), stay_cards=13, both_cards=14)
    assert refusal(CLASSIC, fantasyland=both)[0] == "deck_too_small"


def test_streets_that_place_no_whole_board_are_refused() -> None:
    assert refusal(CLASSIC, streets=(Street(5, 5), Street(4, 4))) == ("streets_place_wrong", {"cards": 13})
    assert refusal(CLASSIC, streets=()) == ("streets_place_wrong", {"cards": 13})


@pytest.mark.parametrize("street", [Street(7, 8), Street(8, 0)])
def test_a_street_that_cannot_be_placed_is_refused(street: Street) -> None:
    streets = (Street(5, 5), street, *[Street(8 - street.to_place, 8 - street.to_place)] * (street.to_place < 8))
    assert refusal(CLASSIC, streets=streets) == ("street_places_wrong", {})


@pytest.mark.parametrize(("least", "most"), [(1, 3), (3, 2), (0, 0)])
def test_a_table_for_one_is_refused(least: int, most: int) -> None:
    assert refusal(PINEAPPLE, min_seats=least, max_seats=most) == ("too_few_seats", {})


@pytest.mark.parametrize("changes", [{"decks": 0}, {"decks": 3}, {"jokers": 3}, {"jokers": -1}])
def test_other_decks_are_refused(changes: dict[str, int]) -> None:
    assert refusal(PINEAPPLE, **changes) == ("no_such_deck", {})


@pytest.mark.parametrize(
    "rule",
    [
        Fantasyland(entry=entry_from(12, 12), stay_cards=14),
        Fantasyland(entry=entry_from(12, 14), stay_cards=12),
        Fantasyland(entry={12: 14, TRIPS: 12}, stay_cards=None),
        Fantasyland(entry=entry_from(12, 14), stay_cards=14, wheel_cards=12),
        Fantasyland(entry={}, stay_cards=None),
    ],
)
def test_a_fantasyland_without_a_whole_board_is_refused(rule: Fantasyland) -> None:
    assert refusal(PINEAPPLE, fantasyland=rule) == ("fantasyland_too_few", {"cards": 13})


@pytest.mark.parametrize(
    "field", ["row_point", "scoop_bonus", "majority_bonus", "two_rows_bonus", "total_bonus", "surrender"]
)
def test_points_below_zero_are_refused(field: str) -> None:
    assert refusal(CHINESE, **{field: -1}) == ("negative_points", {})


def test_6_jokers_are_refused_beside_a_deuce_to_seven_low() -> None:
    assert refusal(TWO_SEVEN_PINEAPPLE, jokers=1) == ("jokers_in_two_seven", {})


def test_6_jokers_need_payments_that_rise_with_strength() -> None:
    flat = replace(STANDARD, back={**STANDARD.back, Category.ROYAL_FLUSH: 10})
    problem, details = refusal(JOKER_PINEAPPLE, royalties=flat)
    assert problem == "royalties_not_monotone"
    assert details == {"row": "back", "weaker": "straight_flush", "more": 15, "stronger": "royal_flush", "less": 10}
    assert replace(PINEAPPLE, royalties=flat).royalties is flat
    problem, details = refusal(JOKER_THIRTEEN, row_point=6)
    assert problem == "royalties_not_monotone"
    assert details == {"row": "front", "weaker": "pair", "more": 6, "stronger": "three_of_a_kind", "less": 3}
    problem, details = refusal(JOKER_THIRTEEN, row_values={(Row.FRONT, Category.PAIR): 2})
    assert (problem, details["row"], details["stronger"]) == ("royalties_not_monotone", "front", "three_of_a_kind")


def test_11_2_naturals_need_thirteen_cards_at_once_and_no_joker() -> None:
    naturals = {Natural.SIX_PAIRS: 3}
    assert replace(CHINESE, naturals=naturals).naturals == naturals
    assert refusal(OPEN_THIRTEEN, naturals=naturals) == ("naturals_need_thirteen", {})
    assert refusal(THIRTEEN, jokers=1) == ("naturals_need_thirteen", {})


def test_11_4_surrender_needs_thirteen_cards_at_once() -> None:
    assert SURRENDER.surrender == 2
    assert refusal(CLASSIC, surrender=2) == ("surrender_needs_thirteen", {})


@pytest.mark.parametrize(
    ("row", "category", "points"),
    [
        (Row.FRONT, Category.PAIR, 1),
        (Row.FRONT, Category.THREE_OF_A_KIND, 3),
        (Row.MIDDLE, Category.FLUSH, 1),
        (Row.MIDDLE, Category.FULL_HOUSE, 2),
        (Row.BACK, Category.FULL_HOUSE, 1),
        *[(row, Category.FOUR_OF_A_KIND, 4) for row in (Row.MIDDLE, Row.BACK)],
        *[(row, Category.STRAIGHT_FLUSH, 5) for row in (Row.MIDDLE, Row.BACK)],
        *[(row, Category.ROYAL_FLUSH, 5) for row in (Row.MIDDLE, Row.BACK)],
        *[(row, Category.FIVE_OF_A_KIND, 5) for row in (Row.MIDDLE, Row.BACK)],
    ],
)
def test_11_2_a_row_is_worth_what_won_it(row: Row, category: Category, points: int) -> None:
    assert THIRTEEN.row_value(row, category) == points
    assert OPEN_THIRTEEN.row_value(row, category) == points
    assert CHINESE.row_value(row, category) == 1


def test_11_thirteen_cards_pay_no_royalties_and_know_naturals() -> None:
    assert (CHINESE.royalties, THIRTEEN.royalties.back) == (STANDARD, {})
    assert [len(v.naturals) for v in (CHINESE, THIRTEEN, OPEN_THIRTEEN)] == [0, 4, 0]


LEGAL: list[tuple[Variant, str]] = [
    (CLASSIC, "2s3d4h/TsJsQsKsAs/TdJdQdKdAd"),
    (JOKER_PINEAPPLE, "2s3d4h/5s5d5h5cX1/6s6d6h6cX2"),
    (replace(CLASSIC, jokers=1), "2s3d4h/TsJsQsKsAs/6s6d6h6cX1"),
    (DOUBLE_CLASSIC, "2s3d4h/5s5d5h5c5s/6s6d6h6c6s"),
    (THIRTEEN, "2s3d4h/9sTsJsQsKs/TdJdQdKdAd"),
    (replace(STRICT, jokers=1), "2s3d4h/TsJsQsKsAs/6s6d6h6cX1"),
]


@pytest.mark.parametrize(("variant", "text"), LEGAL, ids=[f"{game.key} {text}" for game, text in LEGAL])
def test_4_1_the_best_hands_that_a_game_knows_can_be_placed(variant: Variant, text: str) -> None:
    placed = score_board(variant, board(text))
    assert not placed.foul
    assert placed.rows
    assert placed.rows[1].category is variant.possible(Row.MIDDLE)[-1]
    assert placed.rows[2].category is variant.possible(Row.BACK)[-1]


@given(variant=any_variant(), seed=st.integers(0, 1 << 32))
def test_4_1_no_legal_board_holds_a_hand_that_the_game_does_not_know(variant: Variant, seed: int) -> None:
    for placed in any_boards(variant, Random(seed), players=2):
        scored = score_board(variant, placed)
        if scored.rows is None or scored.foul or scored.natural is not None:
            continue
        for row, made in zip(Row, scored.rows, strict=True):
            assert made.category in variant.possible(row) or made.category is Category.LOW


@pytest.mark.parametrize(
    ("variant", "middle", "back"),
    [
        (CLASSIC, Category.ROYAL_FLUSH, Category.ROYAL_FLUSH),
        (STRICT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH),
        (JOKER_PINEAPPLE, Category.FIVE_OF_A_KIND, Category.FIVE_OF_A_KIND),
        (replace(JOKER_PINEAPPLE, joker_may_copy=False), Category.ROYAL_FLUSH, Category.ROYAL_FLUSH),
        (replace(CLASSIC, jokers=1), Category.ROYAL_FLUSH, Category.FIVE_OF_A_KIND),
        (replace(STRICT, jokers=1), Category.ROYAL_FLUSH, Category.FIVE_OF_A_KIND),
        (DOUBLE_CLASSIC, Category.FIVE_OF_A_KIND, Category.FIVE_OF_A_KIND),
    ],
    ids=str,
)
def test_4_1_which_hands_are_possible_follows_from_the_deck_and_the_order_of_rows(
    variant: Variant, middle: Category, back: Category
) -> None:
    assert (variant.possible(Row.MIDDLE)[-1], variant.possible(Row.BACK)[-1]) == (middle, back)
    assert variant.possible(Row.FRONT)[-1] is Category.THREE_OF_A_KIND


def test_4_1_a_deuce_to_seven_middle_is_no_high_hand() -> None:
    assert list(TWO_SEVEN_PINEAPPLE.possible(Row.MIDDLE)) == []


def test_11_5_open_thirteen_is_dealt_in_turn_from_the_second_street_on() -> None:
    assert [OPEN_THIRTEEN.dealt_in_turn(street) for street in (1, 2, 9)] == [False, True, True]
    assert [FIRST_EDITION["open_thirteen"].dealt_in_turn(street) for street in (1, 2)] == [False, False]
    assert {key for key, variant in PRESETS.items() if FIRST_EDITION[key] is not variant} == {"open_thirteen"}


def test_7_1_dealing_in_turn_needs_turns_and_open_discards() -> None:
    assert refusal(CHINESE, deal_mode=DealMode.TURN) == ("turn_deal_needs_turns", {})
    assert refusal(ALL_TOGETHER, deal_mode=DealMode.TURN) == ("turn_deal_needs_turns", {})
    assert refusal(PINEAPPLE, deal_mode=DealMode.TURN) == ("turn_deal_shows_discards", {})
    assert replace(OPEN_DISCARDS, deal_mode=DealMode.TURN).dealt_in_turn(1)


def test_entries_have_names() -> None:
    assert [entry_name(rank) for rank in (12, 13, 14, TRIPS)] == ["QQ", "KK", "AA", "trips"]
    assert entry_from(13, 14) == {13: 14, 14: 14, TRIPS: 14}
