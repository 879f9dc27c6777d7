"""The arranger finds the best board there is: every other board is tried here the long way."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from bot.ofc.cards import JOKERS, Card, card_name, full_deck, parse_cards
from bot.ofc.fantasyland import stays
from bot.ofc.notation import board_text
from bot.ofc.placement import check_placement, place
from bot.ofc.ranks import Category, Strength, row_strength
from bot.ofc.rows import BOARD_CARDS, EMPTY, ROWS, RowCards
from bot.ofc.scoring import in_order
from bot.ofc.variants import CLASSIC, PINEAPPLE, Variant
from bot.solver.arrange import best_arrangement
from tests.ofc.games import DOUBLE_DECK, NO_FANTASYLAND, STRICT, rows

STRICT_PINEAPPLE = replace(PINEAPPLE, key="strict_pineapple", strict_rows=True)
UNPAID_TRIPS = replace(
    PINEAPPLE, key="unpaid_trips", royalties=replace(PINEAPPLE.royalties, front_trips={}), fantasyland=None
)
"""A table of royalties that does not rise with strength: a third queen on the front costs seven points."""
DEAR_STRAIGHTS = replace(
    PINEAPPLE, key="dear_straights", royalties=replace(PINEAPPLE.royalties, middle={Category.STRAIGHT: 9})
)
GAMES = (CLASSIC, PINEAPPLE, STRICT, STRICT_PINEAPPLE, DOUBLE_DECK, NO_FANTASYLAND, UNPAID_TRIPS, DEAR_STRAIGHTS)

Rank = tuple[int, int, int, int]
"""What a board earns, then the strengths of back, middle and front."""


def dealt(variant: Variant, count: int, *, seed: int, ranks: int = 13) -> tuple[Card, ...]:
    """Cards at random; the fewer ranks, the more pairs, straights and full houses."""
    deck = [card for card in full_deck(decks=variant.decks) if card < 4 * ranks]
    return tuple(Random(seed).sample(deck, count))


def rank_of_board(variant: Variant, strengths: Sequence[Strength], *, stay_points: int) -> Rank:
    front, middle, back = strengths
    rule = variant.fantasyland
    earned = sum(variant.royalties.of(row, strength) for row, strength in zip(ROWS, strengths, strict=True))
    if rule is not None and stays(rule, strengths):
        earned += stay_points
    return earned, back, middle, front


def arranged(cards: Sequence[Card], letters: str) -> RowCards:
    check_placement(EMPTY, cards, letters, lay=BOARD_CARDS)
    return place(EMPTY, cards, letters)[0]


def found(variant: Variant, cards: Sequence[Card], *, stay_points: int = 10) -> Rank:
    """The board that the arranger makes; it is legal."""
    board = arranged(cards, best_arrangement(variant, cards, stay_points=stay_points))
    strengths = [row_strength(row) for row in board]
    assert in_order(variant, strengths), board_text(board)
    return rank_of_board(variant, strengths, stay_points=stay_points)


def best_of_all(variant: Variant, cards: Sequence[Card], *, stay_points: int = 10) -> Rank:
    """The best legal board of all that the cards make."""
    places = range(len(cards))
    strengths = {
        chosen: row_strength([cards[place] for place in chosen])
        for size in (3, 5)
        for chosen in combinations(places, size)
    }
    boards: set[tuple[Strength, Strength, Strength]] = set()
    for back in combinations(places, 5):
        above = [place for place in places if place not in back]
        for middle in combinations(above, 5):
            if strengths[middle] > strengths[back]:
                continue
            top = [place for place in above if place not in middle]
            boards.update((strengths[front], strengths[middle], strengths[back]) for front in combinations(top, 3))
    return max(rank_of_board(variant, board, stay_points=stay_points) for board in boards if in_order(variant, board))


@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.key)
def test_no_board_of_thirteen_cards_is_better(variant: Variant) -> None:
    cards = dealt(variant, 13, seed=len(variant.key))
    assert found(variant, cards) == best_of_all(variant, cards)


@pytest.mark.parametrize("ranks", [4, 6, 8])
def test_no_board_is_better_where_pairs_and_straights_abound(ranks: int) -> None:
    cards = dealt(CLASSIC, 13, seed=ranks, ranks=ranks)
    assert found(CLASSIC, cards) == best_of_all(CLASSIC, cards)


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.key)
@pytest.mark.parametrize("stay_points", [0, 10, 40])
def test_no_board_of_many_deals_is_better(variant: Variant, stay_points: int) -> None:
    for seed in range(12):
        cards = dealt(variant, 13, seed=seed, ranks=13 - seed % 3 * 3)
        assert found(variant, cards, stay_points=stay_points) == best_of_all(variant, cards, stay_points=stay_points)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [PINEAPPLE, CLASSIC, STRICT_PINEAPPLE], ids=lambda variant: variant.key)
@pytest.mark.parametrize("ranks", [5, 9, 13])
def test_no_board_of_fourteen_cards_is_better(variant: Variant, ranks: int) -> None:
    cards = dealt(variant, 14, seed=ranks, ranks=ranks)
    assert found(variant, cards) == best_of_all(variant, cards)


@pytest.mark.parametrize("count", [13, 14, 15, 16, 17])
def test_every_card_is_laid_or_discarded_on_a_legal_board(count: int) -> None:
    for seed in range(8):
        points, *_ = found(PINEAPPLE, dealt(PINEAPPLE, count, seed=seed))
        assert points >= 0


@pytest.mark.parametrize("count", [13, 17])
def test_two_copies_of_a_card_are_two_cards(count: int) -> None:
    for seed in range(6):
        found(DOUBLE_DECK, dealt(DOUBLE_DECK, count, seed=seed, ranks=5))


@pytest.mark.parametrize(
    ("variant", "board"),
    [
        (PINEAPPLE, "QsQd4c/9s9d9c2s2d/AhKhQhJhTh"),
        (PINEAPPLE, "AcAdAh/5s5d5c9s9d/7s7d7c7hKc"),
        (CLASSIC, "2h2c3c/5h5d4c4d8d/AsKsQs9s7s"),
        (UNPAID_TRIPS, "QsQd3c/AhKhJh9h2h/Qc8s8d8c8h"),
    ],
)
def test_the_board_that_a_player_would_see_is_found(variant: Variant, board: str) -> None:
    cards = tuple(sorted(card for row in rows(board) for card in row))
    made = arranged(cards, best_arrangement(variant, cards))
    assert [row_strength(row) for row in made] == [row_strength(row) for row in rows(board)]


def test_staying_is_worth_giving_up_some_royalties_but_not_all_of_them() -> None:
    cards = parse_cards("QhQsAd6sTs4sKs3s5h5s3d5d3c2c")
    pair, trips = (arranged(cards, best_arrangement(PINEAPPLE, cards, stay_points=points))[0] for points in (0, 10))
    assert sorted(map(card_name, pair)) == ["Ad", "Qh", "Qs"]
    assert sorted(map(card_name, trips)) == ["3c", "3d", "3s"]


def test_without_fantasyland_staying_counts_for_nothing() -> None:
    cards = parse_cards("QhQsAd6sTs4sKs3s5h5s3d5d3c2c")
    boards = {best_arrangement(NO_FANTASYLAND, cards, stay_points=points) for points in (0, 10, 100)}
    assert len(boards) == 1


def test_the_order_in_which_cards_are_dealt_does_not_change_what_the_board_is_worth() -> None:
    cards = dealt(PINEAPPLE, 16, seed=7)
    assert found(PINEAPPLE, cards) == found(PINEAPPLE, cards[::-1])


def test_a_joker_is_not_arranged() -> None:
    with pytest.raises(ValueError, match="natural cards"):
        best_arrangement(PINEAPPLE, (*dealt(PINEAPPLE, 13, seed=1), JOKERS[0]))


def test_twelve_cards_make_no_board() -> None:
    with pytest.raises(ValueError, match="13"):
        best_arrangement(PINEAPPLE, dealt(PINEAPPLE, 12, seed=1))
