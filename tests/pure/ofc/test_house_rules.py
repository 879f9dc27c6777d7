"""House rules: every override, refusals with their reasons, and plausible games."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pure.ofc.cards import Row, parse_cards
from bot.pure.ofc.deck import deal_deck
from bot.pure.ofc.hand import HandStatus
from bot.pure.ofc.house_rules import house_variant, parse_spec, renew, says_something, to_spec, value_of
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.overrides import OVERRIDES, POINTS_OF_HANDS
from bot.pure.ofc.presets import EDITION, PRESETS, THIRTEEN
from bot.pure.ofc.ranks import Category, row_strength
from bot.pure.ofc.royalties import STANDARD, STEEPER_BACK
from bot.pure.ofc.scoring import score_hand
from bot.pure.ofc.variants import TRIPS, DealMode, Fantasyland, TurnOrder, Variant, VariantError
from tests.pure.ofc.games import HOUSE_VALUES, any_boards, any_hand, house_rules, houses, on_the_clock, opened, score

RANKS = "23456789TJQKA"
HANDS = ["high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind"]
HANDS += ["straight_flush", "royal_flush", "five_of_a_kind"]
FULL_HOUSE, QUADS = Category.FULL_HOUSE, Category.FOUR_OF_A_KIND


def rule_of(variant: Variant) -> Fantasyland:
    assert variant.fantasyland
    return variant.fantasyland


def low(variant: Variant, rank: int) -> int:
    """Return the royalty for a low up to this rank."""
    return variant.royalties.lows[rank]


def paid(variant: Variant, row: str, hand: str) -> int:
    """Return a hand's royalty in the middle or back."""
    table = variant.royalties.middle if row == "middle" else variant.royalties.back
    return table[Category[hand.upper()]]


def refusal(preset: str, overrides: dict[str, str]) -> tuple[str, dict[str, int | str]]:
    """Return the reason why these house rules are refused."""
    with pytest.raises(VariantError) as caught:
        house_variant(preset, overrides)
    return caught.value.problem, caught.value.details


# Each override separately


def worth(variant: Variant, row: Row, hand: str) -> int:
    """Return the points for a row won with this hand."""
    return variant.row_value(row, Category[hand.upper()])


APPLIED: list[tuple[str, str, str, Callable[[Variant], Any], Any]] = [
    ("classic", "seats", "3", lambda v: (v.min_seats, v.max_seats), (2, 3)),
    ("thirteen", "seats", "3", lambda v: (v.min_seats, v.max_seats), (3, 3)),
    ("classic", "decks", "2", lambda v: v.deck_cards, 104),
    ("classic", "jokers", "1", lambda v: v.deck_cards, 53),
    ("joker_pineapple", "jokers", "0", lambda v: v.deck_cards, 52),
    ("joker_pineapple", "joker_may_copy", "off", lambda v: v.joker_may_copy, False),
    ("joker_pineapple", "double_ace_flush", "on", lambda v: v.double_ace_flush, True),
    ("pineapple", "order", "in_turn", lambda v: v.order, TurnOrder.IN_TURN),
    ("pineapple", "order", "first_together", lambda v: v.order, TurnOrder.FIRST_TOGETHER),
    ("pineapple", "order", "all_together", lambda v: v.order, TurnOrder.ALL_TOGETHER),
    ("chinese", "strict_rows", "on", lambda v: v.strict_rows, True),
    ("thirteen", "strict_rows", "off", lambda v: v.strict_rows, False),
    ("classic", "row_point", "2", lambda v: (v.row_point, v.foul_points), (2, 9)),
    ("classic", "scoop_bonus", "0", lambda v: (v.scoop_bonus, v.foul_points), (0, 3)),
    ("classic", "majority_bonus", "1", lambda v: (v.majority_bonus, v.foul_points), (1, 7)),
    ("thirteen", "two_rows_bonus", "1", lambda v: (v.two_rows_bonus, v.foul_points), (1, 4)),
    ("thirteen", "total_bonus", "1", lambda v: (v.total_bonus, v.foul_points), (1, 4)),
    ("pineapple", "discards", "open", lambda v: (v.open_discards, v.hides_discards), (True, False)),
    ("pineapple", "discards", "hidden", lambda v: (v.open_discards, v.hides_discards), (False, True)),
    ("pineapple", "button", "rotate", lambda v: v.freeze_button, False),
    ("pineapple", "button", "freeze", lambda v: v.freeze_button, True),
    ("chinese", "surrender", "2", lambda v: v.surrender, 2),
    ("chinese", "naturals", "on", lambda v: v.naturals, THIRTEEN.naturals),
    ("thirteen", "naturals", "off", lambda v: v.naturals, {}),
    ("pineapple", "fantasyland", "off", lambda v: v.fantasyland, None),
    ("pineapple", "fantasyland", "on", lambda v: v.fantasyland, PRESETS["pineapple"].fantasyland),
    ("chinese", "fantasyland", "off", lambda v: v.fantasyland, None),
    ("pineapple", "fantasyland.entry", "KK", lambda v: rule_of(v).entry, {13: 14, 14: 14, TRIPS: 14}),
    ("pineapple", "fantasyland.entry", "JJ", lambda v: sorted(rule_of(v).entry), [TRIPS, 11, 12, 13, 14]),
    ("pineapple", "fantasyland.entry", "trips", lambda v: rule_of(v).entry, {TRIPS: 14}),
    ("progressive", "fantasyland.entry", "AA", lambda v: rule_of(v).entry, {14: 16, TRIPS: 17}),
    ("progressive", "fantasyland.entry", "JJ", lambda v: rule_of(v).entry[11], 14),
    ("pineapple", "fantasyland.cards", "15", lambda v: rule_of(v).numbers, (15,)),
    ("pineapple", "fantasyland.cards", "14, 15,16 ,17", lambda v: rule_of(v), PRESETS["progressive"].fantasyland),
    ("ultimate", "fantasyland.cards", "14,15,16,16", lambda v: rule_of(v).stay_cards, None),
    ("two_seven", "fantasyland.cards", "13", lambda v: rule_of(v).numbers, (13, 15)),
    ("two_seven", "fantasyland.cards", "13", lambda v: rule_of(v).wheel_cards, 13),
    ("two_seven", "fantasyland.cards", "14,15,16,17", lambda v: rule_of(v).both_cards, 15),
    ("ultimate", "fantasyland.repeat", "base", lambda v: rule_of(v), PRESETS["progressive"].fantasyland),
    ("progressive", "fantasyland.repeat", "same", lambda v: rule_of(v), PRESETS["ultimate"].fantasyland),
    ("classic", "fantasyland.stay_middle", "none", lambda v: rule_of(v).stay_middle, None),
    ("pineapple", "fantasyland.stay_middle", "full_house", lambda v: rule_of(v).stay_middle, FULL_HOUSE),
    ("pineapple", "fantasyland.stay_middle", "four_of_a_kind", lambda v: rule_of(v).stay_middle, QUADS),
    ("pineapple", "fantasyland.stay_back", "straight_flush", lambda v: rule_of(v).stay_back, Category.STRAIGHT_FLUSH),
    ("pineapple", "fantasyland.stay_back", "four_of_a_kind", lambda v: rule_of(v).stay_back, QUADS),
    ("two_seven", "fantasyland.wheel_stays", "on", lambda v: rule_of(v).wheel_stays, True),
    ("classic", "royalties", "standard", lambda v: v.royalties, STANDARD),
    ("classic", "royalties", "steeper_back", lambda v: v.royalties, STEEPER_BACK),
    ("two_seven", "royalties", "steeper_back", lambda v: v.royalties.back, STEEPER_BACK.back),
    *[
        ("classic", f"royalty.front.{rank * 2}", "40", lambda v, r=number: v.royalties.front_pairs[r], 40)
        for number, rank in enumerate(RANKS, start=2)
    ],
    *[
        ("classic", f"royalty.front.{rank * 3}", "40", lambda v, r=number: v.royalties.front_trips[r], 40)
        for number, rank in enumerate(RANKS, start=2)
    ],
    *[
        ("double_classic", f"royalty.{row}.{hand}", "40", lambda v, r=row, h=hand: paid(v, r, h), 40)
        for row in ("middle", "back")
        for hand in HANDS
    ],
    ("classic", "deal", "turn", lambda v: v.deal_mode, DealMode.TURN),
    ("open_thirteen", "deal", "street", lambda v: v.deal_mode, DealMode.STREET),
    ("pineapple", "fantasyland.clock", "own", lambda v: rule_of(v).own_clock, True),
    ("pineapple", "fantasyland.clock", "after_others", lambda v: rule_of(v).own_clock, False),
    ("pineapple", "results", "netted", lambda v: v.netted_results, True),
    ("pineapple", "results", "pairs", lambda v: v.netted_results, False),
    *[
        ("two_seven", f"royalty.low.{rank}", "40", lambda v, r=rank: low(v, r), 40)  #
        for rank in (7, 8, 9, 10)
    ],
    ("two_seven", "royalty.low.7-5-4-3-2", "40", lambda v: v.royalties.wheel_low, 40),
    *[
        ("double_classic", f"row.{row.key}.{hand}", "40", lambda v, r=row, h=hand: worth(v, r, h), 40)
        for row in (Row.MIDDLE, Row.BACK)
        for hand in HANDS
    ],
    *[
        ("thirteen", f"row.front.{hand}", "40", lambda v, h=hand: worth(v, Row.FRONT, h), 40)
        for hand in ("high_card", "pair", "three_of_a_kind")
    ],
    *[
        (
            "thirteen",
            f"natural.{natural.key}",
            "40",
            lambda v: v.naturals,
            {**THIRTEEN.naturals, natural: 40},
        )
        for natural in Natural
    ],
]


@pytest.mark.parametrize(
    ("preset", "key", "value", "looks", "wanted"), APPLIED, ids=[f"{row[0]} {row[1]}={row[2]}" for row in APPLIED]
)
def test_15_an_override_changes_what_it_names(
    preset: str, key: str, value: str, looks: Callable[[Variant], Any], wanted: Any
) -> None:
    variant = house_variant(preset, {key: value})
    assert looks(variant) == wanted
    assert (variant.key, variant.house) == (preset, {key: value.strip()})


def test_15_every_override_is_in_that_list() -> None:
    assert {row[1] for row in APPLIED} == set(OVERRIDES)


def test_15_an_override_changes_nothing_else() -> None:
    for preset, key, value, _, _ in APPLIED:
        changed, plain = house_variant(preset, {key: value}), PRESETS[preset]
        # Those that are declared: the others follow from them.
        names = [field.name for field in fields(Variant) if field.init and field.name != "edition"]
        same = [name for name in names if getattr(changed, name) == getattr(plain, name)]
        # Five of a kind follows the deck.
        most = 3 if key in ("decks", "jokers") or (key, preset) == ("seats", "thirteen") else 2
        assert len(names) - len(same) <= most


def test_15_pairs_below_queens_enter_with_the_first_of_four_numbers() -> None:
    variant = house_variant("pineapple", {"fantasyland.entry": "JJ", "fantasyland.cards": "13,15,16,17"})
    assert rule_of(variant).entry == {11: 13, 12: 13, 13: 15, 14: 16, TRIPS: 17}
    assert rule_of(variant).stay_cards == 13


def test_15_royal_flushes_at_50_in_joker_ultimate_pineapple() -> None:
    variant = house_variant(
        "ultimate", {"jokers": "2", "royalty.back.royal_flush": "50", "royalty.back.five_of_a_kind": "60"}, name="ours"
    )
    assert variant.house_name == "ours"
    board = score(variant, "2s3d4h/5s6d7h8c9s/AsKsQsJsX1").boards[0]
    assert board.royalties == 4 + 50


def test_4_3_the_flat_table_of_old_rooms_is_a_house_rule() -> None:
    flat = {"straight": 2, "flush": 4, "full_house": 6, "four_of_a_kind": 8, "straight_flush": 10, "royal_flush": 15}
    overrides = {f"royalty.{row}.{hand}": str(points) for row in ("middle", "back") for hand, points in flat.items()}
    variant = house_variant("chinese", {"row_point": "2", "scoop_bonus": "0", **overrides})
    result = score(variant, "2s3d4h/5s6d7h8c9s/AsKsQsJsTs", "2c3c5h/6s6h7c8s9c/TcTdTh2h3h")
    assert result.points == (2 - 2 + 2 + 2 + 15, -(2 - 2 + 2 + 2 + 15))


# Five of a kind


FIVES: list[tuple[str, dict[str, str], int, int]] = [
    ("double_classic", {}, 25, 50),
    ("double_classic", {"jokers": "1"}, 50, 100),
    ("double_pineapple", {"jokers": "2"}, 50, 100),
    ("pineapple", {"decks": "2"}, 25, 50),
    ("pineapple", {"jokers": "2"}, 50, 100),
    ("joker_pineapple", {"decks": "2"}, 50, 100),
    ("joker_pineapple", {"decks": "2", "jokers": "0"}, 25, 50),
    ("double_classic", {"jokers": "1", "royalties": "steeper_back"}, 100, 100),
    ("classic", {"decks": "2", "royalties": "steeper_back"}, 50, 50),
    ("classic", {"decks": "2", "royalty.back.royal_flush": "40"}, 40, 50),
    ("classic", {"decks": "2", "royalty.back.five_of_a_kind": "33"}, 33, 50),
    ("double_classic", {"jokers": "1", "royalty.middle.five_of_a_kind": "99"}, 50, 99),
]


@pytest.mark.parametrize(("preset", "overrides", "back", "middle"), FIVES)
def test_4_1_five_of_a_kind_follows_the_deck(preset: str, overrides: dict[str, str], back: int, middle: int) -> None:
    variant = house_variant(preset, overrides)
    assert (paid(variant, "back", "five_of_a_kind"), paid(variant, "middle", "five_of_a_kind")) == (back, middle)


def test_4_1_five_of_a_kind_pays_nothing_where_royal_flushes_pay_nothing() -> None:
    variant = house_variant("thirteen", {"naturals": "off", "jokers": "2"})
    assert variant.royalties == PRESETS["thirteen"].royalties
    assert house_variant("two_seven", {"decks": "2"}).royalties.middle == {}


# Number of cards after staying


@pytest.mark.parametrize("entry", ["JJ", "QQ", "KK", "AA", "trips"])
@pytest.mark.parametrize("preset", ["progressive", "progressive_16", "ultimate", "pineapple", "classic"])
def test_8_2_entry_changes_no_number_of_cards(preset: str, entry: str) -> None:
    usual, rule = rule_of(PRESETS[preset]), rule_of(house_variant(preset, {"fantasyland.entry": entry}))
    assert rule.stay_cards == usual.stay_cards
    assert {rank: usual.entry.get(rank, min(usual.entry.values())) for rank in rule.entry} == rule.entry


@pytest.mark.parametrize("entry", ["JJ", "QQ", "KK", "AA", "trips"])
def test_8_2_progressive_stays_with_fourteen_whether_or_not_that_is_said(entry: str) -> None:
    said = {"fantasyland.entry": entry, "fantasyland.repeat": "base"}
    for preset in ("progressive", "ultimate"):
        assert rule_of(house_variant(preset, said)).stay_cards == 14


def test_8_2_four_numbers_of_cards_give_a_stay_the_first_whether_or_not_that_is_said() -> None:
    for more in ({}, {"fantasyland.repeat": "base"}, {"fantasyland.entry": "AA", "fantasyland.repeat": "base"}):
        assert rule_of(house_variant("progressive", {"fantasyland.cards": "15,14,14,13", **more})).stay_cards == 15
    assert rule_of(house_variant("ultimate", {"fantasyland.cards": "13,15,16,17", **more})).stay_cards == 13


@settings(max_examples=10 * settings().max_examples)
@given(rules=house_rules(), key=st.sampled_from(list(OVERRIDES)))
def test_15_what_a_game_says_anyway_changes_nothing(rules: tuple[str, dict[str, str]], key: str) -> None:
    preset, overrides = rules
    try:
        game = house_variant(preset, overrides)
    except VariantError:
        return
    if not says_something(game, key) or key in overrides:
        return
    again = house_variant(preset, {**overrides, key: value_of(game, key)})
    plain: dict[str, Any] = {"house": {}, "edition": 1}
    if key.startswith(POINTS_OF_HANDS):
        # A hand that is listed with nothing pays as much as one that is not listed.
        plain |= {"royalties": STANDARD, "row_values": {}}
        assert [again.royalties.of(row, held) for row in Row for held in HELD] == [
            game.royalties.of(row, held) for row in Row for held in HELD
        ]
        assert [again.row_value(row, hand) for row in Row for hand in Category] == [
            game.row_value(row, hand) for row in Row for hand in Category
        ]
    assert replace(again, **plain) == replace(game, **plain)


# Points of single hands


def test_2_4_the_royalties_of_lows_are_the_house_s() -> None:
    variant = house_variant("two_seven", {"royalty.low.9": "3", "royalty.low.10": "1", "royalty.low.7-5-4-3-2": "20"})
    boards = score(variant, "2s3d4h/2d3h4c5s9d/AsKsQsJs8d", "2c3c4d/2h3s4s5d7c/AdKdQdJd8h").boards
    assert [board.royalties for board in boards] == [3, 20]
    tens = score(variant, "2s3d4h/2d3h4c5sTd/AsKsQsJs8d", "2c3c4d/2h3s4s6d7c/AdKdQdJd8h").boards
    assert [board.royalties for board in tens] == [1, 4]


def test_11_2_the_values_of_rows_and_naturals_are_the_house_s() -> None:
    variant = house_variant("thirteen", {"row.back.four_of_a_kind": "8", "natural.six_pairs": "6"})
    quads = score(variant, "2s3d4h/5s5d7h7c9s/8s8d8h8cTs", "2c3c4d/6s6h9h9cTc/JsJdJhQdQc")
    assert quads.pairs[0].row_points == (-0, -1, 8)
    pairs = score(variant, "AsAdKs/KdQhQcJsJd/TsTd9h9c2s!", "2c3c4d/6s6h7h7cTc/3s4s5h8d9d")
    assert pairs.pairs[0].natural == 6


def test_11_2_a_natural_without_points_is_none() -> None:
    assert set(house_variant("thirteen", {"natural.six_pairs": "0"}).naturals) == set(Natural) - {Natural.SIX_PAIRS}
    chinese = house_variant("chinese", {"naturals": "on", "natural.complete_straight": "20"})
    assert chinese.naturals == {**THIRTEEN.naturals, Natural.COMPLETE_STRAIGHT: 20}


# Editions


def test_15_a_game_of_the_first_edition_is_played_and_paid_as_it_was_for_ever() -> None:
    fives = parse_spec({"preset": "double_classic", "house": {"jokers": "1"}})
    assert (paid(fives, "back", "five_of_a_kind"), paid(fives, "middle", "five_of_a_kind")) == (25, 50)
    stay = parse_spec({"preset": "progressive", "house": {"fantasyland.entry": "AA", "fantasyland.repeat": "base"}})
    assert rule_of(stay).stay_cards == 16
    unpaid = parse_spec({"preset": "two_seven", "house": {"royalty.middle.flush": "5"}})
    assert paid(unpaid, "middle", "flush") == 5
    assert parse_spec({"preset": "open_thirteen"}).deal_mode is DealMode.STREET
    named = parse_spec({"preset": "open_thirteen", "name": "Ours"})
    assert (named.deal_mode, named.house_name) == (DealMode.STREET, "Ours")
    for old in (fives, stay, unpaid, named, parse_spec({"preset": "open_thirteen"})):
        assert "edition" not in to_spec(old)
        assert parse_spec(json.loads(json.dumps(to_spec(old)))) == old


def test_15_a_game_of_today_says_so() -> None:
    assert to_spec(house_variant("classic", {"seats": "3"}))["edition"] == EDITION
    assert to_spec(PRESETS["open_thirteen"]) == {"preset": "open_thirteen", "edition": 2}
    assert parse_spec(to_spec(PRESETS["open_thirteen"])) is PRESETS["open_thirteen"]
    named = house_variant("open_thirteen", {}, name="Ours")
    assert (named.deal_mode, parse_spec(to_spec(named))) == (DealMode.TURN, named)


def test_15_a_house_s_game_is_renewed_unless_that_is_refused() -> None:
    fives = parse_spec({"preset": "double_classic", "house": {"jokers": "1"}, "name": "Ours"})
    assert renew(fives) == house_variant("double_classic", {"jokers": "1"}, name="Ours")
    unpaid = parse_spec({"preset": "two_seven", "house": {"royalty.middle.flush": "5"}})
    assert renew(unpaid) is unpaid
    assert renew(parse_spec({"preset": "open_thirteen", "name": "Ours"})).deal_mode is DealMode.TURN


# Refusals

ORDERS = "in_turn, first_together, all_together"


@pytest.mark.parametrize(
    ("preset", "overrides", "problem", "details"),
    [
        ("holdem", {}, "no_such_game", {"value": "holdem", "choices": ", ".join(PRESETS)}),
        ("h" * 50, {"seats": "2"}, "no_such_game", {"value": "h" * 20, "choices": ", ".join(PRESETS)}),
        ("classic", {"stakes": "2"}, "no_such_override", {"value": "stakes", "choices": "seats, jokers, discards"}),
        (
            "classic",
            {"seats": "3", "royalty.back.low": "2"},
            "no_such_override",
            {"value": "royalty.back.low", "choices": "royalty.back.flush, royalty.back.pair, royalty.back.full_house"},
        ),
        (
            "classic",
            {"x" * 50: "2"},
            "no_such_override",
            {"value": "x" * 40, "choices": "natural.six_pairs, two_rows_bonus, total_bonus"},
        ),
        ("classic", {"seats": "1"}, "not_a_number", {"value": "1", "least": 2, "most": 8}),
        ("classic", {"seats": "9"}, "not_a_number", {"value": "9", "least": 2, "most": 8}),
        ("classic", {"decks": "0"}, "not_a_number", {"value": "0", "least": 1, "most": 2}),
        ("classic", {"jokers": "3"}, "not_a_number", {"value": "3", "least": 0, "most": 2}),
        ("classic", {"row_point": "-1"}, "not_a_number", {"value": "-1", "least": 0, "most": 1000}),
        ("classic", {"row_point": "1001"}, "not_a_number", {"value": "1001", "least": 0, "most": 1000}),
        ("classic", {"row_point": "9" * 5000}, "not_a_number", {"value": "9" * 20, "least": 0, "most": 1000}),
        ("classic", {"row_point": "２"}, "not_a_number", {"value": "２", "least": 0, "most": 1000}),
        ("classic", {"row_point": "²"}, "not_a_number", {"value": "²", "least": 0, "most": 1000}),
        ("classic", {"row_point": ""}, "not_a_number", {"value": "", "least": 0, "most": 1000}),
        (
            "classic",
            {"order": "backwards"},
            "not_a_choice",
            {"value": "backwards", "choices": ORDERS},
        ),
        ("classic", {"strict_rows": "yes"}, "not_a_choice", {"value": "yes", "choices": "on, off"}),
        ("classic", {"discards": "on"}, "not_a_choice", {"value": "on", "choices": "open, hidden"}),
        ("classic", {"button": "on"}, "not_a_choice", {"value": "on", "choices": "freeze, rotate"}),
        ("classic", {"royalties": "none"}, "not_a_choice", {"value": "none", "choices": "standard, steeper_back"}),
        ("classic", {"fantasyland": "maybe"}, "not_a_choice", {"value": "maybe", "choices": "on, off"}),
        ("classic", {"fantasyland.repeat": "12"}, "not_a_choice", {"value": "12", "choices": "base, same"}),
        ("classic", {"fantasyland.cards": "12"}, "not_a_number", {"value": "12", "least": 13, "most": 17}),
        ("classic", {"fantasyland.cards": "13,13"}, "one_or_four_numbers", {"value": "13,13"}),
        ("classic", {"fantasyland.cards": "14"}, "deck_too_small", {"seats": 4, "need": 56, "have": 52}),
        ("pineapple", {"seats": "4"}, "deck_too_small", {"seats": 4, "need": 68, "have": 52}),
        ("double_pineapple", {"decks": "1"}, "deck_too_small", {"seats": 6, "need": 102, "have": 52}),
        ("two_seven", {"jokers": "1"}, "jokers_in_two_seven", {}),
        (
            "joker_pineapple",
            {"royalty.back.royal_flush": "60"},
            "royalties_not_monotone",
            {"row": "back", "weaker": "royal_flush", "more": 60, "stronger": "five_of_a_kind", "less": 50},
        ),
        (
            "joker_pineapple",
            {"royalty.front.AA": "30"},
            "royalties_not_monotone",
            {"row": "front", "weaker": "AA", "more": 30, "stronger": "222", "less": 10},
        ),
        (
            "thirteen",
            {"naturals": "off", "jokers": "1", "row_point": "6"},
            "royalties_not_monotone",
            {"row": "front", "weaker": "pair", "more": 6, "stronger": "three_of_a_kind", "less": 3},
        ),
        ("thirteen", {"jokers": "1"}, "naturals_need_thirteen", {}),
        ("classic", {"natural.six_pairs": "0"}, "no_naturals", {}),
        ("chinese", {"natural.six_pairs": "3"}, "no_naturals", {}),
        ("thirteen", {f"natural.{natural.key}": "0" for natural in Natural}, "no_naturals", {}),
        ("two_seven", {"royalty.middle.flush": "5"}, "needs_high_middle", {}),
        ("two_seven", {"row.middle.flush": "5"}, "needs_high_middle", {}),
        ("pineapple", {"royalty.low.9": "5"}, "needs_low_middle", {}),
        *[
            ("pineapple", {f"{family}.{row}.five_of_a_kind": "5"}, "never_paid", {"row": row, "hand": "five_of_a_kind"})
            for family in ("royalty", "row")
            for row in ("middle", "back")
        ],
        *[
            (preset, overrides, "never_paid", {"row": row, "hand": hand})
            for preset, overrides, row, hand in (
                (
                    "joker_pineapple",
                    {"joker_may_copy": "off", "royalty.back.five_of_a_kind": "60"},
                    "back",
                    "five_of_a_kind",
                ),
                ("classic", {"jokers": "1", "royalty.middle.five_of_a_kind": "60"}, "middle", "five_of_a_kind"),
                ("thirteen", {"row.middle.royal_flush": "7"}, "middle", "royal_flush"),
            )
        ],
        ("chinese", {"deal": "turn"}, "turn_deal_needs_turns", {}),
        ("classic", {"deal": "turn", "order": "all_together"}, "turn_deal_needs_turns", {}),
        ("pineapple", {"deal": "turn"}, "turn_deal_shows_discards", {}),
        ("classic", {"naturals": "on"}, "naturals_need_thirteen", {}),
        ("classic", {"surrender": "2"}, "surrender_needs_thirteen", {}),
        ("chinese", {"fantasyland": "on"}, "no_fantasyland", {}),
        *[
            ("chinese", {f"fantasyland.{key}": "?"}, "no_fantasyland", {})
            for key in ("entry", "cards", "repeat", "stay_middle", "stay_back", "wheel_stays", "clock")
        ],
        ("classic", {"fantasyland": "off", "fantasyland.entry": "KK"}, "no_fantasyland", {}),
        ("classic", {"joker_may_copy": "off"}, "needs_joker_of_one_deck", {}),
        ("double_classic", {"jokers": "1", "joker_may_copy": "off"}, "needs_joker_of_one_deck", {}),
        ("classic", {"double_ace_flush": "on"}, "needs_jokers", {}),
        ("two_seven", {"strict_rows": "on"}, "needs_high_middle", {}),
        ("two_seven", {"fantasyland.stay_middle": "full_house"}, "needs_high_middle", {}),
        ("pineapple", {"fantasyland.wheel_stays": "on"}, "needs_low_middle", {}),
        ("classic", {"discards": "open"}, "needs_discards", {}),
        ("chinese", {"button": "rotate"}, "button_needs_fantasyland", {}),
        ("pineapple", {"fantasyland": "off", "button": "rotate"}, "button_needs_fantasyland", {}),
    ],
)
def test_15_what_cannot_be_played_is_refused_with_its_reason(
    preset: str, overrides: dict[str, str], problem: str, details: dict[str, int | str]
) -> None:
    assert refusal(preset, overrides) == (problem, details)


@pytest.mark.parametrize(
    ("preset", "keys"),
    [
        ("pineapple", {"naturals", "surrender", "joker_may_copy", "double_ace_flush", "fantasyland.wheel_stays"}),
        ("two_seven", {"jokers", "strict_rows", "fantasyland.stay_middle", "naturals", "surrender"}),
        ("joker_pineapple", {"naturals", "surrender", "fantasyland.wheel_stays"}),
        (
            "chinese",
            {"order", "deal", "discards", "button", "fantasyland", "fantasyland.entry", "fantasyland.cards"}
            | {
                "fantasyland.clock",
                "fantasyland.repeat",
                "fantasyland.stay_middle",
                "fantasyland.stay_back",
                "fantasyland.wheel_stays",
            },
        ),
    ],
)
def test_15_rules_that_say_nothing_in_a_game_are_known(preset: str, keys: set[str]) -> None:
    idle = {key for key in OVERRIDES if not says_something(PRESETS[preset], key)}
    assert keys <= idle
    assert not idle & {"seats", "row_point", "scoop_bonus", "royalties", "royalty.back.flush"}
    for key in keys - {"order"}:
        with pytest.raises(VariantError):
            house_variant(preset, {key: HOUSE_VALUES[key][0] if key in SWITCHES else HOUSE_VALUES[key][-1]})


SWITCHES = {"naturals", "fantasyland", "joker_may_copy", "double_ace_flush", "strict_rows"}
"""Their first value is on."""


def test_15_naturals_say_nothing_beside_jokers() -> None:
    assert says_something(THIRTEEN, "naturals")
    assert not says_something(house_variant("chinese", {"jokers": "1"}), "naturals")


@pytest.mark.parametrize("preset", PRESETS)
def test_15_the_value_of_a_rule_leaves_its_game_as_it_is(preset: str) -> None:
    game = PRESETS[preset]
    for key in OVERRIDES:
        value = value_of(game, key)
        if not says_something(game, key):
            continue
        if key.startswith("row."):
            row, hand = Row[key.split(".")[1].upper()], Category[key.split(".")[2].upper()]
            assert house_variant(preset, {key: value}).row_value(row, hand) == game.row_value(row, hand)
        elif key.startswith("royalty."):
            same = house_variant(preset, {key: value}).royalties
            assert all(same.of(row, strength) == game.royalties.of(row, strength) for row in Row for strength in HELD)
        else:
            assert replace(house_variant(preset, {key: value}), house={}, edition=game.edition) == game


HELD = [row_strength(parse_cards(text)) for text in ("QsQh7d", "7s7h7d", "AsKsQsJsTs", "7s7h7dQcQs", "8s8h8d8c8s")]


def test_15_a_house_gets_back_what_it_wrote() -> None:
    house = house_variant("progressive", {"fantasyland.entry": "KK", "royalty.front.AAA": "40", "row_point": "2"})
    values = {key: value_of(house, key) for key in ("fantasyland.entry", "royalty.front.AAA", "row_point", "seats")}
    assert values == {"fantasyland.entry": "KK", "royalty.front.AAA": "40", "row_point": "2", "seats": "3"}
    assert value_of(PRESETS["progressive"], "fantasyland.cards") == "14,15,16,17"
    assert value_of(PRESETS["pineapple"], "fantasyland.cards") == "14"
    assert value_of(house_variant("pineapple", {"fantasyland.entry": "trips"}), "fantasyland.cards") == "14"
    assert value_of(PRESETS["chinese"], "fantasyland.cards") == ""
    assert value_of(house_variant("classic", {"royalties": "steeper_back"}), "royalty.back.royal_flush") == "50"


@pytest.mark.parametrize("key", OVERRIDES)
def test_15_no_override_takes_just_anything(key: str) -> None:
    with pytest.raises(VariantError) as caught:
        house_variant("classic", {key: "???"})
    assert caught.value.problem in ("not_a_number", "not_a_choice")
    assert caught.value.details["value"] == "???"
    assert caught.value.override == key


def test_15_where_the_whole_cannot_be_played_no_override_is_blamed() -> None:
    with pytest.raises(VariantError) as caught:
        house_variant("classic", {"seats": "8"})
    assert (caught.value.problem, caught.value.override) == ("deck_too_small", "")


@pytest.mark.parametrize(
    ("preset", "overrides"),
    [
        ("classic", {"seats": "3", "fantasyland.cards": "14"}),
        ("classic", {"seats": "8", "decks": "2"}),
        ("double_pineapple", {"decks": "1", "seats": "3"}),
        ("classic", {"seats": "3", "fantasyland.cards": "13,14,15,17"}),
        ("thirteen", {"jokers": "1", "naturals": "off"}),
        ("joker_pineapple", {"royalty.back.royal_flush": "60", "royalty.back.five_of_a_kind": "60"}),
        ("joker_pineapple", {"royalty.back.royal_flush": "60", "joker_may_copy": "off"}),
        ("classic", {"jokers": "1", "royalty.middle.royal_flush": "120"}),
        ("pineapple", {"deal": "turn", "discards": "open"}),
        ("classic", {"deal": "turn", "order": "first_together"}),
        ("ultimate", {"fantasyland.repeat": "base", "fantasyland.entry": "KK"}),
        ("pineapple", {"royalty.back.straight": "30", "royalties": "steeper_back"}),
    ],
)
def test_15_only_the_whole_is_judged_and_the_order_of_overrides_means_nothing(
    preset: str, overrides: dict[str, str]
) -> None:
    turned = dict(reversed(overrides.items()))
    assert house_variant(preset, overrides) == house_variant(preset, turned)


# As data


def test_15_a_preset_is_its_key() -> None:
    for key, variant in PRESETS.items():
        assert parse_spec(to_spec(variant)) is variant
        assert to_spec(variant) == {"preset": key} or key == "open_thirteen"
        assert house_variant(key, {}) == variant


def test_15_a_house_is_its_preset_its_overrides_and_its_name() -> None:
    variant = house_variant("pineapple", {"jokers": " 2 ", "row_point": "3"}, name="Friday")
    house = {"jokers": "2", "row_point": "3"}
    spec = {"preset": "pineapple", "house": house, "name": "Friday", "edition": EDITION}
    assert to_spec(variant) == spec
    assert parse_spec(json.loads(json.dumps(spec))) == variant
    named = house_variant("pineapple", {}, name="Friday")
    assert parse_spec(to_spec(named)) == named
    assert (named.house, named.house_name) == ({}, "Friday")


@pytest.mark.parametrize(
    ("preset", "house"),
    [("holdem", {}), ("holdem", {"seats": "3"}), ("classic", {"seats": "5"}), ("classic", {"x": "1"})],
)
def test_15_a_spec_that_cannot_be_played_is_refused(preset: str, house: dict[str, str]) -> None:
    with pytest.raises(VariantError):
        parse_spec({"preset": preset, "house": house})


# Games that houses might think of


@given(rules=house_rules(), seed=st.integers(0, 1 << 32))
def test_15_a_house_rule_is_refused_or_makes_a_game_that_can_be_played(
    rules: tuple[str, dict[str, str]], seed: int
) -> None:
    try:
        variant = house_variant(*rules)
    except VariantError:
        return
    assert parse_spec(json.loads(json.dumps(to_spec(variant)))) == variant
    *_, played = any_hand(variant, Random(seed))
    assert played.hand.status in (HandStatus.ENDED, HandStatus.VOIDED)
    most = variant.fantasyland.max_cards if variant.fantasyland else 0
    full = opened(variant, seats=variant.max_seats, fantasyland=[most] * variant.max_seats)
    assert on_the_clock(full).hand.status is HandStatus.ENDED
    assert len(deal_deck(variant, hand_id="1", seed=bytes(32), entropy=[])) == variant.deck_cards


@given(variant=houses(), seed=st.integers(0, 1 << 32))
def test_15_a_house_game_scores_like_any_other(variant: Variant, seed: int) -> None:
    boards = any_boards(variant, Random(seed), players=3)
    result = score_hand(variant, boards)
    assert sum(result.points) == 0
    assert score_hand(variant, boards[::-1]).points == result.points[::-1]
    numbers = variant.fantasyland.numbers if variant.fantasyland else ()
    for board, scored in zip(boards, result.boards, strict=True):
        assert not (scored.foul and (scored.royalties or scored.next_fantasyland))
        assert scored.next_fantasyland in (0, board.fantasyland, *numbers)


def test_15_the_houses_of_the_tests_know_every_override() -> None:
    assert set(HOUSE_VALUES) == set(OVERRIDES)
