"""Fouls, royalties and pairs: the clauses on scoring a hand."""

from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.pure.ofc.cards import EMPTY
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.presets import (
    CHINESE,
    CLASSIC,
    DOUBLE_PINEAPPLE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    THIRTEEN,
    TWO_SEVEN_PINEAPPLE,
)
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.royalties import Royalties
from bot.pure.ofc.scoring import Board, BoardScore, bonuses, score_hand
from bot.pure.ofc.variants import Variant
from tests.pure.ofc.games import STRICT, SURRENDER, any_boards, any_variant, board, score, score_board

PLAIN = replace(CLASSIC, royalties=Royalties(back={}, middle={}, front_pairs={}, front_trips={}))
"""Classic without royalties: points are rows and scoops."""

# Fronts and middles tie, only the backs differ.
FOUR = (
    "KcQd2h/AcJdTh9s6c/8c8d8h8s7c",
    "KdQh2s/AdJhTs9c6d/7d7h7s5c5d",
    "KhQs2c/AhJsTc9d6h/4c4d4h3c3d",
    "KsQc2d/AsJcTd9h6s/5h5s4s3h3s",
)
FOUL = "AsAdKs/2h3d4s5c7h/2s3s4h5s8c"
LEGAL = "QsQd9s/KhKd2d3h4c/7s7d7c8s8d"


def fouls(text: str) -> bool:
    return score_board(CLASSIC, board(text)).foul


@pytest.mark.parametrize(
    ("front", "middle", "foul"),
    [
        ("QsQd9h", "QhQc8s5d2c", True),
        ("QsQd7h", "QhQc9s8d2c", False),
        ("6s6dAh", "6h6cAs3d2c", False),
        ("AsAdAh", "KsKdKh2c3s", True),
        ("AsAdAh", "8s7d6h5c4s", False),
        ("AsKdQh", "AhKcQs3d2c", False),
    ],
)
def test_2_3_the_table_of_fronts_and_middles(front: str, middle: str, *, foul: bool) -> None:
    assert fouls(f"{front}/{middle}/JsJdJhJcTs") is foul


def test_3_a_middle_above_the_back_is_a_foul() -> None:
    assert fouls("2s3d4h/AsAdKh9c8s/KsKdAh9d8c")
    assert not fouls("2s3d4h/KsKdAh9d8c/AsAdKh9c8s")


def test_3_equal_middle_and_back_are_legal() -> None:
    assert not fouls("2s3d4h/AsKd9h5c2d/AdKh9s5d2h")
    assert not fouls("2s3d4h/9s8d7h6c5s/9d8h7c6s5d")


def test_3_equal_middle_and_back_foul_where_rows_must_rise() -> None:
    assert score_board(STRICT, board("2s3d4h/AsKd9h5c2d/AdKh9s5d2h")).foul
    assert not score_board(STRICT, board("2s3d4h/AsKd9h5c2d/AdKhTs5d2h")).foul


def test_3_a_seat_that_gave_up_is_a_foul_whatever_it_placed() -> None:
    scored = score_board(PINEAPPLE, replace(board(LEGAL), forfeited=True))
    assert (scored.foul, scored.rows, scored.royalties, scored.next_fantasyland) == (True, None, 0, 0)


def test_4_2_a_royalty_needs_only_a_legal_board() -> None:
    scored = score_board(CLASSIC, board(LEGAL))
    assert scored.rows is not None
    assert [(part.category, part.royalty) for part in scored.rows] == [
        (Category.PAIR, 7),
        (Category.PAIR, 0),
        (Category.FULL_HOUSE, 6),
    ]
    assert scored.royalties == 13


def test_4_2_royalty_is_paid_for_a_lost_row() -> None:
    loser, winner = "6s6d2h/7s7d3c4c5h/8s9sTsJs2s", "AsAdKh/KsKdKc9d8d/QhJhTh9h8h"
    pair = score(PLAIN, loser, winner).pairs[0]
    assert (pair.rows, pair.scoop, pair.points) == ((-1, -1, -1), -1, -6)
    pair = score(CLASSIC, loser, winner).pairs[0]
    assert pair.royalties == (1 + 0 + 4) - (9 + 2 + 15)
    assert pair.points == -6 - 21


def test_4_2_a_pair_is_the_same_from_either_side() -> None:
    loser, winner = "6s6d2h/7s7d3c4c5h/8s9sTsJs2s", "AsAdKh/KsKdKc9d8d/QhJhTh9h8h"
    (pair,) = score(CLASSIC, loser, winner).pairs
    assert pair.seen_by(0) == pair
    other = pair.seen_by(1)
    assert (other.first, other.second, other.rows, other.scoop) == (1, 0, (1, 1, 1), 1)
    assert (other.royalties, other.points) == (-pair.royalties, -pair.points)
    assert other.seen_by(0) == pair
    (swapped,) = score(CLASSIC, winner, loser).pairs
    assert swapped == other._replace(first=0, second=1)


def test_4_2_royalties_of_two_players_are_netted() -> None:
    first, second = "6s6d2h/7s7d3c4c5h/8s9sTsJs2s", "6h6c2c/7h7c3d4d5s/8h9hThJhQd"
    pair = score(CLASSIC, first, second).pairs[0]
    assert (pair.rows, pair.royalties, pair.points) == ((0, 0, 1), (1 + 4) - (1 + 2), 1 + 2)


def test_4_2_a_foulers_royalties_are_void_against_everyone() -> None:
    result = score(CLASSIC, FOUL, LEGAL, "2c3c4d/6h6d8hTsJh/9h9c9dKcTh")
    scored = result.boards[0]
    assert scored.foul
    assert scored.rows is not None
    assert [part.royalty for part in scored.rows] == [0, 0, 0]
    assert scored.royalties == 0
    assert [pair.points for pair in result.pairs] == [-6 - 13, -6, 6 + 13]


def test_5_two_rows_won_and_one_lost_are_one_point() -> None:
    pair = score(PLAIN, "AsKdQh/2s2d3h4c5s/9s9d3s4h5d", "KsQdJh/3d3c4d5h6s/8s8d2h4s6d").pairs[0]
    assert (pair.rows, pair.scoop, pair.points) == ((1, -1, 1), 0, 1)


def test_5_all_three_rows_won_are_six_points() -> None:
    pair = score(PLAIN, "AsKdQh/4s4d3h2c5s/9s9d3s4h5d", "KsQdJh/3d3c4c5h6s/8s8d2h4s6d").pairs[0]
    assert (pair.rows, pair.scoop, pair.points) == ((1, 1, 1), 1, 6)


def test_5_a_scoop_needs_three_strict_wins() -> None:
    pair = score(PLAIN, "AsKdQh/4s4d3h2c5s/9s9d3s4h5d", "AhKcQs/3d3c4c5h6s/8s8d2h4s6d").pairs[0]
    assert (pair.rows, pair.scoop, pair.points) == ((0, 1, 1), 0, 2)


def test_5_equal_boards_settle_nothing() -> None:
    pair = score(PLAIN, "AsKdQh/4s4d3h2c5s/9s9d3s4h6d", "AhKcQs/4h4c3d2d5h/9h9c3c4d6s").pairs[0]
    assert (pair.rows, pair.scoop, pair.royalties, pair.points) == ((0, 0, 0), 0, 0, 0)


def test_5_the_row_points_of_a_pair_are_none_one_two_or_six() -> None:
    fronts = ("AsKdQh", "AhKcQs", "KsQdJh")
    middles = ("4s4d3h2c5s", "4h4c3c2d5h", "3d3s2h5c6s")
    backs = ("9s9d7s8h6d", "9h9c7h8c6c", "8s8d7d6h5d")
    boards = ["/".join(texts) for texts in product(fronts, middles, backs)]
    seen = {score(PLAIN, first, second).points[0] for first, second in product(boards, repeat=2)}
    assert seen == {-6, -2, -1, 0, 1, 2, 6}


def test_5_one_fouls_and_the_legal_one_gets_six_and_its_royalties() -> None:
    pair = score(CLASSIC, LEGAL, FOUL).pairs[0]
    assert (pair.rows, pair.scoop, pair.royalties, pair.points) == ((1, 1, 1), 1, 13, 19)
    assert score(CLASSIC, FOUL, LEGAL).pairs[0].points == -19


def test_5_every_pair_settles_as_if_it_were_alone() -> None:
    boards = (LEGAL, FOUL, "2c3c4d/6h6d8hTsJh/9h9c9dKcTh")
    pairs = [score(CLASSIC, boards[first], boards[second]).pairs[0] for first, second in ((0, 1), (0, 2), (1, 2))]
    found = score(CLASSIC, *boards).pairs
    assert [pair[2:] for pair in pairs] == [pair[2:] for pair in found]


def test_5_two_fouls_settle_nothing() -> None:
    other = "KhKdKc/2d3h4c5d7s/6s6d6h6c8d"
    result = score(CLASSIC, FOUL, other)
    assert [scored.foul for scored in result.boards] == [True, True]
    assert (result.pairs[0].rows, result.pairs[0].scoop, result.pairs[0].points) == ((0, 0, 0), 0, 0)


def test_5_the_foul_line_follows_the_row_point_and_the_scoop() -> None:
    dear = replace(CLASSIC, row_point=2, scoop_bonus=5)
    assert dear.foul_points == 11
    assert score(dear, LEGAL, FOUL).points == (11 + 13, -11 - 13)


def test_5_four_players_one_row() -> None:
    assert score(PLAIN, *FOUR).points == (3, 1, -1, -3)


def test_5_three_players_one_row() -> None:
    assert score(PLAIN, *FOUR[:3]).points == (2, 0, -2)


def test_5_founding_text_one_row_up_and_royalties_14_v_28_pays_13() -> None:
    result = score(CLASSIC, "9s9d2h/JsJd3h3c5s/4s4d4h4c2s", "8s8d2c/TsTd7c6c5d/AhKhQhJhTh")
    assert [scored.royalties for scored in result.boards] == [14, 28]
    assert sum(result.pairs[0].rows) == 1
    assert result.points == (-13, 13)


def test_5_the_most_that_one_pair_pays_is_98() -> None:
    result = score(CLASSIC, "9s9d9h/AsKsQsJsTs/AhKhQhJhTh", "2s3d4h/2d2c5s6h8c/3s3h4c5d6d")
    assert result.boards[0].royalties == 17 + 50 + 25
    assert result.points == (98, -98)


# Alternative scorings: the points for wins, ties and losses of front, middle and back.


FRONTS = ("AsKdQh", "KsQdJh")
MIDDLES = ("4s4d3h2c5s", "3d3s2h5c6s")
BACKS = ("9s9d7s8h6d", "8s8d7d6h5d")


def points_for(variant: Variant, results: str) -> int:
    """Return the points of a player who wins (+), ties (=) or loses (-) front, middle and back."""
    rows = (FRONTS, MIDDLES, BACKS)
    mine = [row[1 if result == "-" else 0] for row, result in zip(rows, results, strict=True)]
    theirs = [row[1 if result == "+" else 0] for row, result in zip(rows, results, strict=True)]
    here = score(variant, "/".join(mine), "/".join(theirs)).pairs[0]
    there = score(variant, "/".join(theirs), "/".join(mine)).pairs[0]
    assert here.points == -there.points
    assert here.points == sum(here.row_points) + here.bonus
    return here.points


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        ({}, {"+++": 6, "++=": 2, "++-": 1, "+==": 1, "+=-": 0, "===": 0}),
        ({"scoop_bonus": 0, "majority_bonus": 1}, {"+++": 4, "++=": 3, "++-": 2, "+==": 2, "+=-": 0, "===": 0}),
        ({"scoop_bonus": 1}, {"+++": 4, "++=": 2, "++-": 1, "+==": 1, "+=-": 0, "===": 0}),
        ({"scoop_bonus": 0}, {"+++": 3, "++=": 2, "++-": 1, "+==": 1, "+=-": 0, "===": 0}),
        ({"row_point": 2, "scoop_bonus": 0}, {"+++": 6, "++=": 4, "++-": 2, "+==": 2, "+=-": 0, "===": 0}),
    ],
    ids=["1-6", "2-4", "1-4", "1-3", "2 per row"],
)
def test_5_the_scorings_that_houses_play(scoring: dict[str, Any], points: dict[str, int]) -> None:
    variant = replace(PLAIN, **scoring)
    for results, wanted in points.items():
        assert {points_for(variant, "".join(order)) for order in permutations(results)} == {wanted}
        lost = results.translate(str.maketrans("+-", "-+"))
        assert points_for(variant, lost) == -wanted
    assert variant.foul_points == points["+++"]
    assert score(variant, LEGAL, FOUL).points[0] == points["+++"]


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({}, {"+++": 3, "++=": 2, "++-": 1, "+==": 1, "+=-": 0, "===": 0}),
        ({"two_rows_bonus": 1}, {"+++": 4, "++=": 3, "++-": 2, "+==": 1, "+=-": 0, "===": 0}),
        ({"scoop_bonus": 1}, {"+++": 4, "++=": 2, "++-": 1, "+==": 1, "+=-": 0, "===": 0}),
        ({"two_rows_bonus": 1, "scoop_bonus": 1}, {"+++": 5, "++=": 3, "++-": 2, "+==": 1, "+=-": 0, "===": 0}),
        ({"total_bonus": 1}, {"+++": 4, "++=": 3, "++-": 2, "+==": 2, "+=-": 0, "===": 0}),
        (
            {"two_rows_bonus": 1, "scoop_bonus": 1, "total_bonus": 1},
            {"+++": 6, "++=": 4, "++-": 3, "+==": 2, "+=-": 0, "===": 0},
        ),
    ],
)
def test_11_2_the_three_options(options: dict[str, Any], points: dict[str, int]) -> None:
    variant = replace(THIRTEEN, naturals={}, **options)
    for results, wanted in points.items():
        assert {points_for(variant, "".join(order)) for order in permutations(results)} == {wanted}
    assert variant.foul_points == points["+++"]


def test_11_2_the_total_point_goes_to_the_player_who_has_more_after_royalties() -> None:
    variant = replace(CLASSIC, total_bonus=1)
    pair = score(variant, "6s6d2h/7s7d3c4c5h/8s9sTsJs2s", "6h6c2c/7h7c3d4d5s/8h9hThJhQd").pairs[0]
    assert (pair.row_points, pair.royalties, pair.bonus, pair.points) == ((0, 0, 1), 2, 1, 4)
    pair = score(variant, "9s9d2h/JsJd3h3c5s/4s4d4h4c2s", "8s8d2c/TsTd7c6c5d/AhKhQhJhTh").pairs[0]
    assert (sum(pair.row_points), pair.royalties, pair.bonus, pair.points) == (1, -14, -1, -14)


PAIRS = "KsQdJh/2s2d3h4c6s/3s3d4h5c7s"
"""A legal board that every row below beats."""


@pytest.mark.parametrize(
    ("board", "row_points"),
    [
        ("AsKdQh/4s4d3h2c5s/9s9d3s4h5d", (1, 1, 1)),
        ("8s8d8h/9s8c7h6c5s/AsKs9s5s3s", (3, 1, 1)),
        ("AsAdKh/4s4d4h8c8s/9s9d9h6c6s", (1, 2, 1)),
        ("AsAdKh/4s4d4h4c8s/9s9d9h9c6s", (1, 4, 4)),
        ("AsAdKh/4s4d4h4c8s/9s8s7s6s5s", (1, 4, 5)),
        ("AsAdKh/9h8h7h6h5h/AcKcQcJcTc", (1, 5, 5)),
    ],
)
def test_11_2_a_row_pays_by_the_hand_that_won_it(board: str, row_points: tuple[int, int, int]) -> None:
    pair = score(THIRTEEN, board, PAIRS).pairs[0]
    assert (pair.row_points, pair.bonus, pair.points) == (row_points, 0, sum(row_points))
    assert score(THIRTEEN, PAIRS, board).pairs[0].row_points == tuple(-points for points in row_points)


def test_11_2_only_the_winner_of_a_row_is_paid_and_a_tie_pays_nothing() -> None:
    quads_lose = score(THIRTEEN, "AsKdQh/4s4d3h2c6s/9s9d9h9c6h", "AhKcQs/4h4c3d2s7d/JsTs8s9s7s")
    assert quads_lose.pairs[0].rows == (0, -1, -1)
    assert quads_lose.pairs[0].row_points == (0, -1, -5)


def test_11_5_a_wrong_order_loses_every_row_to_every_legal_player() -> None:
    result = score(OPEN_THIRTEEN, "AsAdKs/2h3d4s5c7h/2s3s4h5s8c", PAIRS, "9s9d9h/7s7d7c6c6d/KsKdKhKcQs")
    assert [scored.foul for scored in result.boards] == [True, False, False]
    assert [pair.row_points for pair in result.pairs[:2]] == [(-1, -1, -1), (-3, -2, -4)]
    assert [pair.bonus for pair in result.pairs] == [0, 0, 0]


def test_11_5_two_wrong_orders_settle_nothing() -> None:
    result = score(OPEN_THIRTEEN, "AsAdKs/2h3d4s5c7h/2s3s4h5s8c", "AhAcKd/2d3c4c5d7d/2c3h4d5h8d")
    assert (result.pairs[0].row_points, result.points) == ((0, 0, 0), (0, 0))


def test_11_2_equal_rows_are_a_wrong_order() -> None:
    equal = "2s3d4h/AsKd9h5c2d/AdKh9s5d2h"
    assert score_board(THIRTEEN, board(equal)).foul
    assert not score_board(CHINESE, board(equal)).foul


def test_11_1_chinese_poker_scores_as_open_face_does() -> None:
    boards = "9s9d2h/JsJd3h3c5s/4s4d4h4c2s", "8s8d2c/TsTd7c6c5d/AhKhQhJhTh"
    chinese, classic = score(CHINESE, *boards), score(CLASSIC, *boards)
    assert chinese.pairs == classic.pairs
    assert chinese.points == (-13, 13)
    assert [scored.next_fantasyland for scored in chinese.boards] == [0, 0]


DRAGON = "As2d3c/4h5s6d7c8h/9sTdJcQhKs!"
FLUSHES = "2s5s9s/2h6h8hJhKh/4d7dTdQdAd!"
STRAIGHTS = "2c3d4h/5s6d7h8c9s/6s7d8h9cTs!"
SIX_PAIRS = "2s2d3h/3s5h5d7c7d/9s9dJhJcAs"
OTHER_SIX_PAIRS = "QsQdKh/Ks8h8d4c4d/TsTd6h6cAc"


@pytest.mark.parametrize(("natural", "points"), [(DRAGON, 13), (FLUSHES, 3), (STRAIGHTS, 3), (f"{SIX_PAIRS}!", 3)])
def test_11_2_a_natural_collects_its_points_from_each_player_without_one(natural: str, points: int) -> None:
    result = score(THIRTEEN, natural, PAIRS, "AsKdQh/4s4d3h2c5s/9s9d3s4h5d")
    assert [(pair.natural, pair.points) for pair in result.pairs] == [(points, points), (points, points), (0, -3)]
    assert [pair.rows for pair in result.pairs[:2]] == [(0, 0, 0), (0, 0, 0)]
    assert result.points == (2 * points, -points - 3, -points + 3)


def test_11_2_the_stronger_of_two_naturals_takes_its_own_value() -> None:
    result = score(THIRTEEN, DRAGON, FLUSHES, STRAIGHTS, PAIRS)
    assert [pair.natural for pair in result.pairs] == [13, 13, 13, 3, 3, 3]
    assert result.points == (39, -7, -13, -19)
    assert score(THIRTEEN, STRAIGHTS, FLUSHES).points == (-3, 3)


def test_11_2_naturals_of_one_kind_pay_each_other_nothing() -> None:
    result = score(THIRTEEN, f"{SIX_PAIRS}!", f"{OTHER_SIX_PAIRS}!", PAIRS)
    assert [pair.points for pair in result.pairs] == [0, 3, 3]


def test_11_2_a_natural_that_is_not_declared_is_played_as_it_lies() -> None:
    result = score(THIRTEEN, SIX_PAIRS, PAIRS)
    assert result.boards[0].natural is None
    assert result.pairs[0].natural == 0
    assert result.pairs[0].row_points == (1, 1, 1)


def test_11_2_a_natural_is_no_foul_and_its_rows_are_paid_nothing() -> None:
    variant = replace(CHINESE, naturals=THIRTEEN.naturals)
    placed = "AsAdKh/QhQcJsJd2c/9s9d7h7cKs"
    assert score_board(variant, board(placed)).foul
    natural = score_board(variant, board(f"{placed}!"))
    assert (natural.natural, natural.foul, natural.royalties) == (Natural.SIX_PAIRS, False, 0)
    assert natural.rows
    assert [part.royalty for part in natural.rows] == [0, 0, 0]


def test_11_2_a_natural_collects_no_more_from_a_foul_than_from_others() -> None:
    assert score(THIRTEEN, DRAGON, "AsAdKs/2h3d4s5c7h/2s3s4h5s8c").points == (13, -13)


def test_11_2_a_player_who_gave_up_has_lost_their_natural() -> None:
    gone = replace(board(DRAGON), forfeited=True)
    result = score_hand(THIRTEEN, [gone, board(PAIRS), board(f"{SIX_PAIRS}!")])
    assert result.boards[0].natural is None
    assert [pair.points for pair in result.pairs] == [-3, -3, -3]


def test_11_4_a_player_who_surrenders_pays_the_same_to_everybody() -> None:
    surrendered = Board(rows=EMPTY, surrendered=True)
    foul = board("AsAdKs/2h3d4s5c7h/2s3s4h5s8c")
    result = score_hand(SURRENDER, [surrendered, board(DRAGON), board(PAIRS), foul])
    assert [pair.natural for pair in result.pairs[:3]] == [-2, -2, -2]
    assert [(pair.rows, pair.bonus, pair.royalties) for pair in result.pairs[:3]] == [((0, 0, 0), 0, 0)] * 3
    assert result.boards[0] == BoardScore(
        foul=False, rows=None, royalties=0, next_fantasyland=0, natural=None, surrendered=True
    )
    assert result.points == (-6, 2 + 13 + 13, 2 - 13 + 3, 2 - 13 - 3)


def test_11_4_two_who_surrender_pay_each_other_nothing() -> None:
    surrendered = Board(rows=EMPTY, surrendered=True)
    assert score_hand(SURRENDER, [surrendered, surrendered]).points == (0, 0)


def test_11_4_to_surrender_costs_as_much_as_two_rows_of_three_where_rows_count_2_4() -> None:
    two_four = replace(CHINESE, scoop_bonus=0, majority_bonus=1, surrender=2)
    assert score_hand(two_four, [Board(rows=EMPTY, surrendered=True), board(PAIRS)]).points == (-2, 2)


LOW = "QsQd2c/7s5d4h3c2s/KsKdKh9c9d"
HIGHER_LOW = "AsJd3d/8s6d4c3h2d/ThTdTc8c8d"


def test_12_2_7_pineapple_the_lower_middle_wins() -> None:
    pair = score(TWO_SEVEN_PINEAPPLE, LOW, HIGHER_LOW).pairs[0]
    assert pair.rows == (1, 1, 1)
    assert pair.royalties == (7 + 8 + 6) - (0 + 2 + 6)
    assert score(TWO_SEVEN_PINEAPPLE, LOW, LOW).pairs[0].rows == (0, 0, 0)


@pytest.mark.parametrize(
    ("text", "foul"),
    [
        ("QsQd2c/7s5d4h3c2s/KsKdKh9c9d", False),
        ("QsQd2c/Ts9d8h7c5s/KsKdKh9c9d", False),
        ("QsQd2c/Ts9d8h7c6s/KsKdKh9c9d", True),
        ("QsQd2c/7s5s4s3s2s/KsKdKh9c9d", True),
        ("QsQd2c/As5d4h3c2s/KsKdKh9c9d", True),
        ("QsQd2c/Js5d4h3c2s/KsKdKh9c9d", True),
        ("QsQd2c/7s7d4h3c2s/KsKdKh9c9d", True),
        ("QsQd2c/7s5d4h3c2s/JsJd9h8c6s", True),
        ("9s9d9c/7s5d4h3c2s/TsTdTh8c6s", False),
        ("AsKd9c/7s5d4h3c2s/AdKhTh8c6s", False),
        ("AsKdTc/7s5d4h3c2s/AdKh9h8c6s", True),
    ],
)
def test_12_2_7_pineapple_asks_for_a_low_and_a_back_that_is_not_below_the_front(text: str, *, foul: bool) -> None:
    assert score_board(TWO_SEVEN_PINEAPPLE, board(text)).foul is foul


def test_6_a_declaration_is_scored_by_its_own_tables() -> None:
    """Variants come and go: scoring must never mix one up with another that took its place in memory."""
    boards = [board(LEGAL), board("2s3d4h/5s6d7h8c9s/TsTdTh8s8d")]
    for value in range(200):
        table = Royalties(back={Category.FULL_HOUSE: value}, middle={}, front_pairs={}, front_trips={})
        assert score_hand(replace(CLASSIC, royalties=table), boards).boards[0].royalties == value


ANY_VARIANT = any_variant()


@given(variant=ANY_VARIANT, seed=st.integers(0, 1 << 32))
def test_a_pairs_bonus_is_the_sum_of_its_parts(variant: Variant, seed: int) -> None:
    boards = any_boards(variant, Random(seed), players=2)
    for pair in score_hand(variant, boards).pairs:
        assert sum(bonuses(variant, pair)) == pair.bonus
        assert bonuses(variant, pair.seen_by(pair.second)) == tuple(-part for part in bonuses(variant, pair))
        assert sum(pair.row_points) + pair.bonus + pair.royalties + pair.natural == pair.points


@given(variant=ANY_VARIANT, seed=st.integers(0, 1 << 32))
def test_5_points_sum_to_zero_and_do_not_depend_on_the_order_of_seats(variant: Variant, seed: int) -> None:
    chance = Random(seed)
    players = chance.randint(2, min(4, variant.deck_cards // 13))
    boards = any_boards(variant, chance, players=players)
    points = score_hand(variant, boards).points
    assert sum(points) == 0
    for order in permutations(range(players)):
        turned = score_hand(variant, [boards[seat] for seat in order])
        assert turned.points == tuple(points[seat] for seat in order)


@given(variant=ANY_VARIANT, seed=st.integers(0, 1 << 32))
def test_5_a_pair_seen_from_the_other_side_is_its_negative(variant: Variant, seed: int) -> None:
    first, second = any_boards(variant, Random(seed), players=2)
    here, there = score_hand(variant, [first, second]).pairs[0], score_hand(variant, [second, first]).pairs[0]
    assert there.rows == tuple(-won for won in here.rows)
    assert there.row_points == tuple(-points for points in here.row_points)
    assert (there.scoop, there.bonus, there.royalties, there.natural, there.points) == (
        -here.scoop,
        -here.bonus,
        -here.royalties,
        -here.natural,
        -here.points,
    )


@given(variant=ANY_VARIANT, seed=st.integers(0, 1 << 32))
def test_5_the_points_of_a_pair_are_the_sum_of_their_parts(variant: Variant, seed: int) -> None:
    boards = any_boards(variant, Random(seed), players=3)
    result = score_hand(variant, boards)
    for pair in result.pairs:
        assert pair.points == sum(pair.row_points) + pair.bonus + pair.royalties + pair.natural
        alone = score_hand(variant, [boards[pair.first], boards[pair.second]]).pairs[0]
        assert pair[2:] == alone[2:]
    assert result.boards == tuple(score_board(variant, board) for board in boards)


def test_12_a_double_deck_scores_two_copies_of_a_card() -> None:
    result = score(DOUBLE_PINEAPPLE, "QsQs2h/AsAsKs9s5s/7h7h7d7d7s", "KcQd2h/AcJdTh9s6c/8c8d8h8s7c")
    assert [part.category for part in result.boards[0].rows or ()] == [
        Category.PAIR,
        Category.FLUSH,
        Category.FIVE_OF_A_KIND,
    ]
    assert result.boards[0].royalties == 7 + 8 + 25
