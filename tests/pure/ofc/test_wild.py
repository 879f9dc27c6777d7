"""Jokers: the hands of a row, and the best legal board."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pure.ofc.cards import JOKERS, ROWS, Card, RowCards, cards_text, parse_cards
from bot.pure.ofc.presets import DOUBLE_CLASSIC, JOKER_PINEAPPLE, JOKER_ULTIMATE, PINEAPPLE
from bot.pure.ofc.ranks import Category, Strength, category_of, row_strength, top_rank
from bot.pure.ofc.scoring import Board, in_order, possible_strengths, resolve, score_hand
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.wild import became, has_joker, row_strengths, strongest
from tests.pure.ofc.games import JOKER_THIRTEEN, any_rows, board, row, rows, score, score_board

NO_COPIES = replace(JOKER_PINEAPPLE, joker_may_copy=False)
DOUBLE_ACE = replace(JOKER_PINEAPPLE, double_ace_flush=True)
BACK = "AsAhAdAcKh"
"""Strong enough for any middle below four of a kind."""


def best(text: str, *, may_copy: bool = True, double_ace: bool = False) -> Strength:
    """The strongest that a row can be."""
    return row_strengths(parse_cards(text), may_copy=may_copy, double_ace=double_ace)[0]


def resolved(variant: Variant, text: str) -> list[str]:
    """The rows of a board with every joker replaced by a card that it stands for."""
    placed = rows(text)
    return [
        cards_text(became(cards, strength)) for cards, strength in zip(placed, resolve(variant, placed), strict=True)
    ]


def is_foul(variant: Variant, text: str) -> bool:
    return score_board(variant, board(text)).foul


def test_6_the_front_gives_way_to_the_middle() -> None:
    front, middle, _ = resolve(JOKER_PINEAPPLE, rows("Ad7sX1/8s8hKdQc2s/AsAhAcKhQd"))
    assert (category_of(front), top_rank(front)) == (Category.PAIR, 7)
    assert front == row("7h7dAh")
    assert middle == row("8s8hKdQc2s")


def test_6_the_middle_gives_way_to_the_back() -> None:
    _, middle, _ = resolve(JOKER_PINEAPPLE, rows("2s3d4h/KsKdX1Td9h/AsAdQhJhTs"))
    assert middle == row("KsKdAhTd9h")


def test_6_a_front_gives_way_without_a_middle_of_its_own() -> None:
    front, _, _ = resolve(JOKER_PINEAPPLE, rows("KsKdX1/AsAdQhJhTs/QsQdQcJsJd"))
    assert front == row("KsKdAh")


def test_6_a_joker_may_be_a_card_that_lies_in_another_row() -> None:
    text = "As6s2h/KdKcJh4d3c/2s3s4s5sX1"
    assert category_of(resolve(JOKER_PINEAPPLE, rows(text))[2]) is Category.STRAIGHT_FLUSH
    assert best("2s3s4s5sX1") == row("2s3s4s5s6s")


def test_6_two_aces_and_a_joker_are_three_aces_even_when_the_others_are_seen() -> None:
    front, _, _ = resolve(JOKER_PINEAPPLE, rows("AsAdX1/9s8d7h6c5s/AhAcKsKdKh"))
    assert front == row("AsAdAh")


def test_6_a_queen_and_a_joker_are_a_pair_of_queens_and_enter_fantasyland() -> None:
    text = "Qs2dX1/KsKd4h5c6s/AsAhAdKhQc"
    assert score_board(JOKER_PINEAPPLE, board(text)).next_fantasyland == 14
    assert score_board(JOKER_ULTIMATE, board("KcX1X2/9s8d7h6c5s/7s7h7d7c2s")).next_fantasyland == 17


@pytest.mark.parametrize(
    ("text", "natural"),
    [
        ("AsX1X2", "AsAhAd"),
        ("KsQdX1", "KsKhQd"),
        ("2s2hX1", "2s2h2d"),
        ("AsAhAdAcX1", "AsAhAdAcAs"),
        ("AsAhAdX1X2", "AsAhAdAcAc"),
        ("TsJsQsX1X2", "TsJsQsKsAs"),
        ("As2s3sX1X2", "As2s3s4s5s"),
        ("As2s4d5hX1", "As2s3d4d5h"),
        ("Ks9s5s2sX1", "AsKs9s5s2s"),
        ("AsKs9s5sX1", "AsKsQs9s5s"),
        ("As9s5sX1X2", "AsKsQs9s5s"),
        ("AsKd9h5cX1", "AsAhKd9h5c"),
        ("7s7h5d5cX1", "7s7h7d5d5c"),
        ("9s8d7h2cX1", "9s9h8d7h2c"),
        ("9s8d7hX1X2", "JsTd9s8d7h"),
        ("9s8s7hX1X2", "JsTd9s8d7h"),
        ("QsJsTs2sX1", "AsQsJsTs2s"),
    ],
)
def test_6_a_joker_makes_the_strongest_row(text: str, natural: str) -> None:
    assert best(text) == row(natural)


def test_6_in_a_flush_a_joker_is_the_highest_rank_that_is_missing() -> None:
    assert best("AsKs9s5sX1") == row("AsKsQs9s5s")
    assert is_foul(JOKER_PINEAPPLE, "2s3d4h/AhKhQhJh9h/AsKs9s5sX1")


def test_6_in_a_flush_a_joker_is_a_second_ace_where_the_house_says_so() -> None:
    assert best("AsKs9s5sX1", double_ace=True) == row("AsAsKs9s5s")
    assert best("Ks9s5s2sX1", double_ace=True) == row("AsKs9s5s2s")
    assert best("Ks9s5sX1X2", double_ace=True) == row("AsAsKs9s5s")
    assert best("AsKs9sX1X2", double_ace=True) == row("AsAsAsKs9s")
    assert not is_foul(DOUBLE_ACE, "2s3d4h/AhKhQhJh9h/AsKs9s5sX1")
    assert resolved(DOUBLE_ACE, "2s3d4h/AhKhQhJh9h/AsKs9s5sX1")[2] == "AsKs9s5sAs"


def test_6_no_copies_means_no_five_of_a_kind_where_the_house_says_so() -> None:
    assert best("AsAhAdAcX1", may_copy=False) == row("AsAhAdAcKs")
    assert best("AsAhAdX1X2", may_copy=False) == row("AsAhAdAcKs")
    assert category_of(best("AsAhAdX1X2")) is Category.FIVE_OF_A_KIND
    assert category_of(resolve(NO_COPIES, rows("2s3d4h/5s6d7h8c9s/AsAhAdAcX1"))[2]) is Category.FOUR_OF_A_KIND


def test_6_with_two_decks_five_of_a_kind_needs_no_copy() -> None:
    two_decks = replace(DOUBLE_CLASSIC, jokers=1, joker_may_copy=False)
    assert category_of(resolve(two_decks, rows("2s3d4h/5s6d7h8c9s/AsAhAdAcX1"))[2]) is Category.FIVE_OF_A_KIND


@pytest.mark.parametrize(
    ("text", "royalties"),
    [("2s3d4h/5s6d7h8c9s/AsAhAdAcX1", 4 + 50), ("2s3d4h/KsKhKdKcX1/AsAhAdAcX2", 100 + 50)],
)
def test_4_1_five_of_a_kind_pays_50_on_the_back_and_100_in_the_middle(text: str, royalties: int) -> None:
    scored = score_board(JOKER_PINEAPPLE, board(text))
    assert (scored.foul, scored.royalties) == (False, royalties)


def test_6_a_row_with_a_joker_ties_with_the_same_natural_row() -> None:
    wild, natural = "KsQd3h/4s4hX1Jc2s/7s7d8h8d5s", "KdQh3c/4d4cJd2d2h/7c7h8s8c5d"
    assert score(JOKER_PINEAPPLE, wild, natural).pairs[0].rows == (0, 0, 0)


def test_6_a_board_that_can_only_foul_is_shown_as_strong_as_its_rows_can_be() -> None:
    text = "AsAdX1/8s8d5h4c2s/9s9dKhQcJs"
    scored = score_board(JOKER_PINEAPPLE, board(text))
    assert scored.foul
    assert [part.category for part in scored.rows or ()] == [Category.THREE_OF_A_KIND, Category.PAIR, Category.PAIR]
    assert is_foul(JOKER_PINEAPPLE, "2s3d4h/KsKhX1Qd9c/8s8d5h4c2s")


def test_6_the_usual_bug_is_not_there_a_board_that_can_be_saved_is_no_foul() -> None:
    assert best("Ad7sX1") > row("8s8hKdQc2s")
    assert not is_foul(JOKER_PINEAPPLE, "Ad7sX1/8s8hKdQc2s/AsAhAcKhQd")


def test_6_a_discarded_joker_is_simply_gone() -> None:
    natural = "AsKdQh/9s9d3c4h5s/TsTdTh2c3d"
    assert score(JOKER_PINEAPPLE, natural) == score(PINEAPPLE, natural)


def test_11_2_where_rows_must_rise_a_joker_keeps_below() -> None:
    front, middle, back = resolve(JOKER_THIRTEEN, rows("2s3d4h/AsKdQh9cX1/AhAdKsQc9d"))
    assert back == row("AhAdKsQc9d")
    assert middle == row("KhKdAsQh9c")
    assert front == row("2s3d4h")


def test_a_row_knows_whether_it_holds_a_joker() -> None:
    assert [has_joker(parse_cards(text)) for text in ("", "AsAd", "2cX1", "X2")] == [False, False, True, True]


def test_everything_that_a_row_can_be_stands_strongest_first() -> None:
    values = row_strengths(parse_cards("9s8s7s6sX1"), may_copy=True, double_ace=False)
    assert list(values) == sorted(set(values), reverse=True)
    assert row("9s8s7s6s5s") in values
    assert row("9s8s7s6s5d") in values
    assert row("AsKsQsJsTs") not in values
    assert row_strengths(parse_cards("9s8d7h6c2s"), may_copy=True, double_ace=False) == (row("9s8d7h6c2s"),)


def test_the_strongest_below_a_limit_is_found_or_nothing() -> None:
    values = [row("AsAdKh"), row("KsKdAh"), row("AsKdQh")]
    assert strongest(values, None, strict=False) == values[0]
    assert strongest(values, values[1], strict=False) == values[1]
    assert strongest(values, values[1], strict=True) == values[2]
    assert strongest(values, row("2s3d4h"), strict=False) is None


@pytest.mark.parametrize(
    ("text", "strength", "cards"),
    [
        ("AsX1X2", "AsAhAd", "AsAcAd"),
        ("X1KdQh", "AsKdQh", "AcKdQh"),
        ("AsKs9s5sX1", "AsKsQs9s5s", "AsKs9s5sQs"),
        ("AsAhAdAcX1", "AsAhAdAcAs", "AsAhAdAcAc"),
        ("7s7h7dX2X1", "7s7h7d7c7c", "7s7h7d7c7c"),
        ("9s8s7s6sX1", "9s8s7s6s5d", "9s8s7s6s5c"),
        ("AsAs2d3hX1", "AsAhAd3h2d", "AsAs2d3hAc"),
        ("AsKdQh", "AsKdQh", "AsKdQh"),
        ("AsKdX1", "2s3d4h", "AsKdX1"),
    ],
)
def test_a_joker_became_a_card_that_gives_the_row_its_strength(text: str, strength: str, cards: str) -> None:
    assert cards_text(became(parse_cards(text), row(strength))) == cards


def may_stand(variant: Variant, natural: tuple[Card, ...]) -> bool:
    """True if a row of a one-deck game may have these cards. Duplicates need a rule that allows them."""
    if len(set(natural)) == len(natural):
        return True
    category = category_of(row_strength(natural))
    if category is Category.FIVE_OF_A_KIND:
        return variant.joker_may_copy
    copies = {card for card in natural if natural.count(card) > 1}
    return variant.double_ace_flush and category is Category.FLUSH and all(card >= 48 for card in copies)


def natural_boards(variant: Variant, placed: RowCards) -> Iterator[RowCards]:
    """Every board that natural cards in place of the jokers make."""
    jokers = [card for cards in placed for card in cards if card in JOKERS]
    for chosen in product(map(Card, range(52)), repeat=len(jokers)):
        stands_for = dict(zip(jokers, chosen, strict=True))
        front, middle, back = (tuple(stands_for.get(card, card) for card in cards) for cards in placed)
        if all(may_stand(variant, cards) for cards in (front, middle, back)):
            yield front, middle, back


def with_jokers(variant: Variant, chance: Random, *, jokers: int) -> RowCards:
    """Thirteen cards in rows, so many jokers among them."""
    while True:
        cards = [*chance.sample(range(52), 13 - jokers), *JOKERS[:jokers]]
        placed = any_rows([Card(card) for card in cards], chance)
        swapped = [list(cards) for cards in placed]
        for joker in JOKERS[:jokers]:
            here = next(place for place, cards in enumerate(swapped) if joker in cards)
            there, where = chance.randrange(3), chance.randrange(3)
            swapped[here][swapped[here].index(joker)] = swapped[there][where]
            swapped[there][where] = joker
        front, middle, back = (tuple(cards) for cards in swapped)
        if chance.random() < 0.2 or in_order(variant, resolve(variant, (front, middle, back))):
            return front, middle, back


def check_against_every_natural_board(variant: Variant, placed: RowCards) -> None:
    """Nothing that natural cards make beats what the jokers make, and the jokers make what natural cards can."""
    scored = score_board(variant, Board(rows=placed))
    assert scored.rows
    strengths = tuple(part.strength for part in scored.rows)
    seen = legal = False
    for natural in natural_boards(variant, placed):
        front, middle, back = (row_strength(cards) for cards in natural)
        seen = seen or strengths == (front, middle, back)
        if in_order(variant, (front, middle, back)):
            legal = True
            assert front <= strengths[0]
            assert middle <= strengths[1]
            assert back <= strengths[2]
            paid = sum(variant.royalties.of(where, s) for where, s in zip(ROWS, (front, middle, back), strict=True))
            assert paid <= scored.royalties
    assert legal is not scored.foul
    assert seen


RULES = st.sampled_from([JOKER_PINEAPPLE, NO_COPIES, DOUBLE_ACE, JOKER_THIRTEEN])
SEEDS = st.integers(0, (1 << 32) - 1)


@given(variant=RULES, seed=SEEDS)
def test_6_a_joker_is_never_worse_than_any_natural_card(variant: Variant, seed: int) -> None:
    check_against_every_natural_board(variant, with_jokers(variant, Random(seed), jokers=1))


@settings(max_examples=40)
@given(variant=RULES, seed=SEEDS)
def test_6_two_jokers_are_never_worse_than_any_two_natural_cards(variant: Variant, seed: int) -> None:
    check_against_every_natural_board(variant, with_jokers(variant, Random(seed), jokers=2))


@settings(max_examples=30)
@given(variant=RULES, seed=SEEDS)
def test_6_no_natural_card_in_place_of_a_joker_would_win_more_points(variant: Variant, seed: int) -> None:
    chance = Random(seed)
    opponent = Board(rows=any_rows([Card(card) for card in chance.sample(range(52), 13)], chance))
    placed = with_jokers(variant, chance, jokers=1)
    points = score_hand(variant, [Board(rows=placed), opponent]).points[0]
    for natural in natural_boards(variant, placed):
        if all(len(set(cards)) == len(cards) for cards in natural):
            assert score_hand(variant, [Board(rows=natural), opponent]).points[0] <= points


@given(variant=RULES, seed=SEEDS)
def test_a_joker_becomes_cards_that_make_the_board_what_it_is(variant: Variant, seed: int) -> None:
    placed = with_jokers(variant, Random(seed), jokers=1)
    strengths = resolve(variant, placed)
    for cards, strength in zip(placed, strengths, strict=True):
        shown = became(cards, strength)
        assert not has_joker(shown)
        assert row_strength(shown) == strength
        assert may_stand(variant, shown)


def test_what_a_row_can_be_is_asked_of_the_game() -> None:
    natural = parse_cards("9s8d7h6c2s")
    assert possible_strengths(JOKER_PINEAPPLE, ROWS[1], natural) == (row("9s8d7h6c2s"),)
    assert len(possible_strengths(JOKER_PINEAPPLE, ROWS[1], parse_cards("9s8d7h6cX1"))) > 10
