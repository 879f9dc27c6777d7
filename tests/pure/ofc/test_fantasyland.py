"""Entering Fantasyland and staying: boards, and numbers of cards."""

from dataclasses import replace

import pytest

from bot.pure.ofc.presets import (
    CLASSIC,
    JOKER_PINEAPPLE,
    JOKER_ULTIMATE,
    PINEAPPLE,
    PRESETS,
    PROGRESSIVE,
    TWO_SEVEN_PINEAPPLE,
)
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.scoring import next_fantasyland
from bot.pure.ofc.variants import Fantasyland, Variant, entry_from
from tests.pure.ofc.family import AS_BEFORE, GAMES, Game
from tests.pure.ofc.games import NO_FANTASYLAND, board, row, score, score_board

BELOW = "KsKd2d3c4s/AsAdAhKc9s"
"""A middle and a back that hold up any front pair below kings and pay nothing."""
SEVENS = "7s7d7h7cTc"


def cards_next(variant: Variant, text: str) -> int:
    """Cards in Fantasyland that a board gives."""
    return score_board(variant, board(text)).next_fantasyland


@pytest.mark.parametrize("variant", [PINEAPPLE, CLASSIC])
@pytest.mark.parametrize(
    ("front", "enters"),
    [("JsJdAh", False), ("AsKdQh", False), ("QsQd2h", True), ("KsKd2h", True), ("AsAd2h", True), ("2s2d2h", True)],
)
def test_8_1_a_front_of_queens_or_better_enters(variant: Variant, front: str, *, enters: bool) -> None:
    cards = cards_next(variant, f"{front}/9s8d7h6c5s/AhKhJh9h8h")
    assert bool(cards) is enters


def test_8_1_a_fouled_board_does_not_enter() -> None:
    assert cards_next(PINEAPPLE, "QsQd2h/JsJd3h4c5s/AsAdAhKc9s") == 0
    assert cards_next(PINEAPPLE, f"QsQd2h/{BELOW}") == 14


def test_8_1_a_seat_that_gave_up_does_not_enter() -> None:
    assert score_board(PINEAPPLE, replace(board(f"QsQd2h/{BELOW}"), forfeited=True)).next_fantasyland == 0


def test_8_1_a_player_who_loses_everything_can_still_enter() -> None:
    result = score(PINEAPPLE, f"QsQd2h/{BELOW}", "3s3d3h/Ts9d8d7c6s/QhJhTh9h8h")
    assert result.pairs[0].scoop == -1
    assert [scored.next_fantasyland for scored in result.boards] == [14, 14]


def test_8_1_entry_can_be_switched_off_or_made_harder() -> None:
    queens, aces = f"QsQd2h/{BELOW}", "AsAd2h/9s8d7h6c5s/AhKhJh9h8h"
    harder = replace(PINEAPPLE, fantasyland=Fantasyland(entry=entry_from(14, 14), stay_cards=14))
    assert [cards_next(harder, text) for text in (queens, aces)] == [0, 14]
    assert [cards_next(NO_FANTASYLAND, text) for text in (queens, aces)] == [0, 0]
    pairs_alone = replace(PINEAPPLE, fantasyland=Fantasyland(entry={14: 14}, stay_cards=14))
    assert cards_next(pairs_alone, "2s2d2h/9s8d7h6c5s/AhKhJh9h8h") == 0


WITH_FANTASYLAND = [game for game in GAMES if game.enters]
every_game = pytest.mark.parametrize("game", WITH_FANTASYLAND, ids=lambda game: game.key)


@every_game
def test_8_2_cards_on_entry(game: Game) -> None:
    middle = "9s5d4h3c2s" if game.low_middle else "9s8d7h6c5s"
    fronts = ("JsJd2h", "QsQd2h", "KsKd2h", "AsAd2h", "3s3d3h")
    found = [cards_next(PRESETS[game.key], f"{front}/{middle}/AhKhJh9h8h") for front in fronts]
    assert tuple(found) == (0, *game.enters)


@every_game
def test_8_2_cards_for_a_stay(game: Game) -> None:
    middle = "9s5d4h3c2s" if game.low_middle else "2h3d4h5c6s"
    for held in sorted({*game.enters} - {0}):
        cards = cards_next(PRESETS[game.key], f"AsKdQh/{middle}/{SEVENS}@{held}")
        assert cards == (held if game.stay is AS_BEFORE else game.stay)


@pytest.mark.parametrize(
    ("rows", "stays"),
    [
        ("2s2d2h/9s8d7h6c5s/AhKhJh9h8h", True),
        ("AsAd2h/4s4d4h8c8s/9s9d9h6c6s", True),
        ("KsQd2h/4s4d4h4c8s/9s9d9h9c6s", True),
        ("KsQd2h/8s8d2s3c4s/7s7d7h7c5s", True),
        ("KsQd2h/8c8d2s3c4s/7s8s9sTsJs", True),
        ("KsQd2h/8s8d2s3c4s/AhKhQhJhTh", True),
        ("AsAd2h/Ks9s7s5s3s/9h9d9c6c6s", False),
        ("QsQd2h/KsKd3h4c5s/AsAdAhKc9s", False),
        ("KsQd2h/8s8d2s3c4s/9s9d9h6c6s", False),
    ],
)
def test_8_4_classic_stays_with_front_trips_middle_full_house_or_back_quads(rows: str, *, stays: bool) -> None:
    assert cards_next(CLASSIC, f"{rows}@13") == (13 if stays else 0)


@pytest.mark.parametrize(
    ("rows", "stays"),
    [
        ("2s2d2h/9s8d7h6c5s/AhKhJh9h8h", True),
        ("KsQd2h/8s8d2s3c4s/7s7d7h7c5s", True),
        ("KsQd2h/8c8d2s3c4s/7s8s9sTsJs", True),
        ("AsAd2h/Ks9s7s5s3s/9h9d9c6c6s", False),
    ],
)
def test_8_4_pineapple_stays_with_front_trips_or_back_quads(rows: str, *, stays: bool) -> None:
    assert cards_next(PINEAPPLE, f"{rows}@14") == (14 if stays else 0)


def test_8_4_pineapple_middle_full_house_is_no_stay() -> None:
    assert cards_next(PINEAPPLE, "AsAd2h/4s4d4h8c8s/9s9d9h6c6s@14") == 0


def test_8_4_queens_on_top_are_no_stay() -> None:
    for front in ("QsQd2h", "KsKd2h", "AsAd2h"):
        assert cards_next(PINEAPPLE, f"{front}/9s8d7h6c5s/AhKhJh9h8h@14") == 0
        assert cards_next(CLASSIC, f"{front}/9s8d7h6c5s/AhKhJh9h8h@13") == 0


def test_8_3_a_fouled_fantasyland_board_is_never_a_stay() -> None:
    assert cards_next(PINEAPPLE, f"2s2d2h/AsAdKh9c8s/{SEVENS}@14") == 0
    assert cards_next(CLASSIC, f"2s3d4h/AhKhQhJhTh/{SEVENS}@13") == 0


def test_8_6_progressive_gives_fourteen_again_even_for_aces_or_trips() -> None:
    assert cards_next(PROGRESSIVE, f"AsAd2h/KsKd3h3c9s/{SEVENS}@14") == 14
    assert cards_next(PROGRESSIVE, "AsAdAh/9s8d7h6c5s/KhQhJh9h8h@14") == 14


def test_8_6_after_dropping_out_queens_count_again() -> None:
    queens = f"QsQd2h/{BELOW}"
    assert cards_next(PINEAPPLE, f"{queens}@14") == 0
    assert cards_next(PINEAPPLE, queens) == 14


def test_the_middle_condition_is_a_setting() -> None:
    rule = Fantasyland(entry=entry_from(12, 14), stay_cards=14, stay_middle=Category.FOUR_OF_A_KIND)
    older = replace(PINEAPPLE, fantasyland=rule, royalties=PINEAPPLE.royalties)
    quads, full_house = "4s4d4h4c8s", "4s4d4h8c8s"
    back = row("9s9d9h6c6s")
    assert next_fantasyland(older, [row("AsKdQh"), row(quads), back], held=14) == 14
    assert next_fantasyland(older, [row("AsKdQh"), row(full_house), back], held=14) == 0


LOW_AND_BACK = "7s5d4h3c2s/AhKhJh9h8h"
NINE_LOW_AND_BACK = "9s5d4h3c2s/AhKhJh9h8h"


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        (f"QsQd6h/{NINE_LOW_AND_BACK}", 0),
        (f"KsKd6h/{NINE_LOW_AND_BACK}", 14),
        (f"AsAd6h/{NINE_LOW_AND_BACK}", 14),
        (f"6s6d6h/{NINE_LOW_AND_BACK}", 14),
        (f"QsQd6h/{LOW_AND_BACK}", 14),
        (f"AsKdQs/{LOW_AND_BACK}", 14),
        (f"KsKd6h/{LOW_AND_BACK}", 15),
        (f"6s6d6h/{LOW_AND_BACK}", 15),
        ("KsKd6h/7s5d4h3c2s/QsQd9h8c6s", 0),
        ("KsKd6h/7s7d4h3c2s/AhKhJh9h8h", 0),
    ],
)
def test_8_2_deuce_to_seven_enters_with_kings_or_the_wheel_and_with_both_on_fifteen(text: str, cards: int) -> None:
    assert cards_next(TWO_SEVEN_PINEAPPLE, text) == cards


def test_8_2_a_player_who_enters_in_two_ways_is_dealt_the_largest_number() -> None:
    assert TWO_SEVEN_PINEAPPLE.fantasyland
    rule = replace(TWO_SEVEN_PINEAPPLE.fantasyland, entry={13: 14, 14: 17}, wheel_cards=16, both_cards=15)
    richer = replace(TWO_SEVEN_PINEAPPLE, fantasyland=rule)
    assert [cards_next(richer, f"{front}/{LOW_AND_BACK}") for front in ("AsAd6h", "KsKd6h", "QsQd6h")] == [17, 16, 16]


@pytest.mark.parametrize(
    ("text", "stays", "stays_with_the_wheel"),
    [
        (f"6s6d6h/{NINE_LOW_AND_BACK}@14", True, True),
        ("KsQd6h/9s5d4h3c2s/JsJdJhJc8h@14", True, True),
        ("KsQd6h/9s5d4h3c2s/9h8h7h6h5h@15", True, True),
        (f"KsKd6h/{NINE_LOW_AND_BACK}@14", False, False),
        (f"KsQd6h/{LOW_AND_BACK}@14", False, True),
        (f"KsKd6h/{LOW_AND_BACK}@15", False, True),
        ("KsKd6h/7s6d4h3c2s/AhKhJh9h8h@14", False, False),
    ],
)
def test_8_4_deuce_to_seven_stays_with_front_trips_or_back_quads_and_with_the_wheel_where_the_house_says_so(
    text: str, *, stays: bool, stays_with_the_wheel: bool
) -> None:
    assert TWO_SEVEN_PINEAPPLE.fantasyland
    kinder = replace(TWO_SEVEN_PINEAPPLE, fantasyland=replace(TWO_SEVEN_PINEAPPLE.fantasyland, wheel_stays=True))
    assert cards_next(TWO_SEVEN_PINEAPPLE, text) == (14 if stays else 0)
    assert cards_next(kinder, text) == (14 if stays_with_the_wheel else 0)


def test_8_4_a_joker_may_make_the_stay() -> None:
    assert cards_next(JOKER_PINEAPPLE, "KsQd2h/8s8d2s3c4s/7s7d7hX15s@14") == 14
    assert cards_next(JOKER_ULTIMATE, "3s3dX1/8s8d8hX24s/7s7d7h7c5s@16") == 16
