"""Fouls, royalties and pairs: the clauses on scoring a hand."""

from dataclasses import replace
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ofc.cards import full_deck
from bot.ofc.ranks import Category
from bot.ofc.rows import RowCards
from bot.ofc.royalties import Royalties
from bot.ofc.scoring import Board, score_board, score_hand
from bot.ofc.variants import CLASSIC, PINEAPPLE
from tests.ofc.games import DOUBLE_DECK, STRICT, board, score

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


def test_3_a_seat_that_gave_up_is_a_foul_whatever_it_laid() -> None:
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


def test_5_one_fouls_and_the_legal_one_gets_six_and_his_royalties() -> None:
    pair = score(CLASSIC, LEGAL, FOUL).pairs[0]
    assert (pair.rows, pair.scoop, pair.royalties, pair.points) == ((1, 1, 1), 1, 13, 19)
    assert score(CLASSIC, FOUL, LEGAL).pairs[0].points == -19


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


def random_boards(seed: int, *, players: int) -> list[Board]:
    """Boards of random cards from one deck, seats in Fantasyland and forfeits among them."""
    chance = Random(seed)
    deck = list(full_deck())
    chance.shuffle(deck)
    boards = []
    for _ in range(players):
        hand, deck = sorted(deck[:13]), deck[13:]
        # Sorted cards lie in pairs more often, and the strongest row at the back is often legal.
        laid: RowCards = (tuple(hand[:3]), tuple(hand[3:8]), tuple(hand[8:]))
        fantasyland = chance.choice([0, 0, 13])
        boards.append(Board(rows=laid, fantasyland=fantasyland, forfeited=chance.random() < 0.1))
    return boards


@given(seed=st.integers(0, 1 << 32), players=st.integers(2, 4))
def test_5_points_sum_to_zero_and_do_not_depend_on_the_order_of_seats(seed: int, players: int) -> None:
    boards = random_boards(seed, players=players)
    points = score_hand(CLASSIC, boards).points
    assert sum(points) == 0
    for order in permutations(range(players)):
        turned = score_hand(CLASSIC, [boards[seat] for seat in order])
        assert turned.points == tuple(points[seat] for seat in order)


@given(seed=st.integers(0, 1 << 32))
def test_5_a_pair_seen_from_the_other_side_is_its_negative(seed: int) -> None:
    first, second = random_boards(seed, players=2)
    here, there = score_hand(CLASSIC, [first, second]).pairs[0], score_hand(CLASSIC, [second, first]).pairs[0]
    assert there.rows == tuple(-won for won in here.rows)
    assert (there.scoop, there.royalties, there.points) == (-here.scoop, -here.royalties, -here.points)


def test_12_a_double_deck_scores_two_copies_of_a_card() -> None:
    result = score(DOUBLE_DECK, "QsQs2h/AsAsKs9s5s/7h7h7d7d7s", "KcQd2h/AcJdTh9s6c/8c8d8h8s7c")
    assert [part.category for part in result.boards[0].rows or ()] == [
        Category.PAIR,
        Category.FLUSH,
        Category.FIVE_OF_A_KIND,
    ]
    assert result.boards[0].royalties == 7 + 8 + 50
