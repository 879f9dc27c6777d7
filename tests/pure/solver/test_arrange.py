"""The arranger finds the best board there is: every other board is tried here the long way."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, JOKERS, ROWS, Card, RowCards, card_name, full_deck, parse_cards
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.notation import board_text
from bot.pure.ofc.placement import check_placement, place
from bot.pure.ofc.presets import (
    CLASSIC,
    DOUBLE_CLASSIC,
    DOUBLE_PINEAPPLE,
    JOKER_PINEAPPLE,
    JOKER_ULTIMATE,
    OPEN_THIRTEEN,
    PINEAPPLE,
    PRESETS,
    THIRTEEN,
    TWO_SEVEN_PINEAPPLE,
)
from bot.pure.ofc.ranks import Category, Strength, category_of, is_low, low_ranks, row_strength
from bot.pure.ofc.scoring import in_order, possible_strengths, resolve, stays
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.wild import strongest
from bot.pure.solver.arrange import arrangement, best_arrangement
from bot.pure.solver.general import SET, share_beaten
from tests.pure.ofc.games import DOUBLE_JOKER, JOKER_THIRTEEN, NO_FANTASYLAND, STRICT, VARIANTS, rows

STRICT_PINEAPPLE = replace(PINEAPPLE, key="strict_pineapple", strict_rows=True)
UNPAID_TRIPS = replace(
    PINEAPPLE, key="unpaid_trips", royalties=replace(PINEAPPLE.royalties, front_trips={}), fantasyland=None
)
"""A table of royalties that does not rise with strength: a third queen on the front costs seven points."""
DEAR_STRAIGHTS = replace(
    PINEAPPLE, key="dear_straights", royalties=replace(PINEAPPLE.royalties, middle={Category.STRAIGHT: 9})
)
WHEEL_STAYS = house_variant("two_seven", {"fantasyland.wheel_stays": "on"})
JOKER_CLASSIC = house_variant("classic", {"jokers": "1"})
"""One joker, and a full house in the middle stays."""
QUICK = (CLASSIC, PINEAPPLE, STRICT, STRICT_PINEAPPLE, DOUBLE_CLASSIC, NO_FANTASYLAND, UNPAID_TRIPS, DEAR_STRAIGHTS)
"""Games of the quick search: natural cards, high hands, royalties."""
GENERAL = (JOKER_PINEAPPLE, JOKER_CLASSIC, JOKER_THIRTEEN, DOUBLE_JOKER, THIRTEEN, TWO_SEVEN_PINEAPPLE, WHEEL_STAYS)
GAMES = (*QUICK, *GENERAL)
UNLIKE = (CLASSIC, STRICT, UNPAID_TRIPS, DEAR_STRAIGHTS, JOKER_PINEAPPLE, DOUBLE_JOKER, THIRTEEN, TWO_SEVEN_PINEAPPLE)
"""Those of which no two are searched alike."""

EVERY_STEP = 10**9
"""More steps than any search takes."""
Rank = tuple[float, int, int, int]
"""A board's points, then the strengths of back, middle and front."""


def dealt(variant: Variant, count: int, *, seed: int, ranks: int = 13) -> tuple[Card, ...]:
    """Cards at random, all jokers of the game among them; the fewer ranks, the more pairs and full houses."""
    deck = [card for card in full_deck(decks=variant.decks) if card < 4 * ranks]
    chance = Random(seed)
    cards = [*JOKERS[: variant.jokers], *chance.sample(deck, count - variant.jokers)]
    chance.shuffle(cards)
    return tuple(cards)


def rank_of_board(variant: Variant, strengths: Sequence[Strength], *, stay_points: int) -> Rank:
    front, middle, back = strengths
    rule = variant.fantasyland
    earned: float = sum(variant.royalties.of(row, strength) for row, strength in zip(ROWS, strengths, strict=True))
    if rule is not None and stays(rule, strengths):
        earned += stay_points
    if variant.row_values:
        earned += sum(round(won_in_row(variant, place, strength), 3) for place, strength in enumerate(strengths))
    return round(earned, 3), back, middle, front


def won_in_row(variant: Variant, place: int, strength: Strength) -> float:
    """Return a row's expected points against an average one."""
    won = share_beaten(SET[ROWS[place]], strength)
    return won * variant.row_value(ROWS[place], category_of(strength)) - (1 - won) * variant.row_point


def arranged(cards: Sequence[Card], letters: str) -> RowCards:
    check_placement(EMPTY, cards, letters, to_place=BOARD_CARDS)
    return place(EMPTY, cards, letters)[0]


def found(variant: Variant, cards: Sequence[Card], *, stay_points: int = 10) -> Rank | None:
    """The board that the arranger makes, None for a foul."""
    board = arranged(cards, arrangement(variant, cards, stay_points, steps=EVERY_STEP).letters)
    strengths = resolve(variant, board)
    return rank_of_board(variant, strengths, stay_points=stay_points) if in_order(variant, strengths) else None


def legal(variant: Variant, cards: Sequence[Card]) -> Rank:
    """Return the rank of a board that isn't fouled."""
    rank = found(variant, cards)
    assert rank is not None, board_text(arranged(cards, best_arrangement(variant, cards)))
    return rank


def best_of_all(variant: Variant, cards: Sequence[Card], *, stay_points: int = 10) -> Rank | None:
    """The best legal board of all that the cards make, None when there is none."""
    places = range(len(cards))
    can_be = {
        (row, chosen): possible_strengths(variant, row, tuple(cards[place] for place in chosen))
        for row in ROWS
        for chosen in combinations(places, row.size)
    }
    front_row, middle_row, back_row = ROWS
    boards: set[tuple[Strength, Strength, Strength]] = set()
    for back in combinations(places, 5):
        above = [place for place in places if place not in back]
        its_back = can_be[back_row, back][0]
        for middle in combinations(above, 5):
            low = is_low(can_be[middle_row, middle][0])
            limit = None if low else its_back
            its_middle = strongest(can_be[middle_row, middle], limit, strict=variant.strict_rows)
            if its_middle is None:
                continue
            for front in combinations(sorted({*above} - {*middle}), 3):
                limit = its_back if low else its_middle
                its_front = strongest(can_be[front_row, front], limit, strict=variant.strict_rows)
                if its_front is not None:
                    boards.add((its_front, its_middle, its_back))
    kept = [rank_of_board(variant, board, stay_points=stay_points) for board in boards if in_order(variant, board)]
    return max(kept, default=None)


@pytest.mark.parametrize("variant", UNLIKE, ids=lambda variant: variant.key)
def test_no_board_of_thirteen_cards_is_better(variant: Variant) -> None:
    cards = dealt(variant, 13, seed=len(variant.key))
    assert found(variant, cards) == best_of_all(variant, cards)


@pytest.mark.parametrize("ranks", [4, 6, 8])
def test_no_board_is_better_where_pairs_and_straights_abound(ranks: int) -> None:
    cards = dealt(CLASSIC, 13, seed=ranks, ranks=ranks)
    assert found(CLASSIC, cards) == best_of_all(CLASSIC, cards)


@pytest.mark.deep
@pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.key)
@pytest.mark.parametrize("stay_points", [0, 10, 40])
def test_no_board_of_many_deals_is_better(variant: Variant, stay_points: int) -> None:
    for seed in range(12):
        cards = dealt(variant, 13, seed=seed, ranks=13 - seed % 3 * 3)
        assert found(variant, cards, stay_points=stay_points) == best_of_all(variant, cards, stay_points=stay_points)


@pytest.mark.deep
@pytest.mark.parametrize(
    "variant",
    [PINEAPPLE, CLASSIC, STRICT_PINEAPPLE, JOKER_PINEAPPLE, JOKER_CLASSIC, WHEEL_STAYS],
    ids=lambda variant: variant.key,
)
@pytest.mark.parametrize("ranks", [5, 9, 13])
def test_no_board_of_fourteen_cards_is_better(variant: Variant, ranks: int) -> None:
    cards = dealt(variant, 14, seed=ranks, ranks=ranks)
    assert found(variant, cards) == best_of_all(variant, cards)


@pytest.mark.parametrize("count", [13, 14, 15, 16, 17])
def test_every_card_is_placed_or_discarded_on_a_legal_board(count: int) -> None:
    for seed in range(8):
        points, *_ = legal(PINEAPPLE, dealt(PINEAPPLE, count, seed=seed))
        assert points >= 0


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.key)
def test_every_game_has_its_boards_arranged(variant: Variant) -> None:
    for count in {BOARD_CARDS, variant.max_cards}:
        cards = dealt(variant, count, seed=count)
        if variant is not TWO_SEVEN_PINEAPPLE:
            legal(variant, cards)
        arranged(cards, best_arrangement(variant, cards))


@pytest.mark.deep
@pytest.mark.parametrize("variant", PRESETS.values(), ids=lambda variant: variant.key)
@pytest.mark.parametrize("jokers", [1, 2])
def test_every_game_with_jokers_of_a_house_has_its_boards_arranged(variant: Variant, jokers: int) -> None:
    if variant is TWO_SEVEN_PINEAPPLE:
        return
    house = house_variant(variant.key, {"jokers": str(jokers), "naturals": "off"})
    for seed in range(4):
        legal(house, dealt(house, house.max_cards if seed % 2 else 13, seed=seed))


def test_a_board_that_is_proven_is_so_however_long_the_search_may_go_on() -> None:
    for seed in range(4):
        cards = dealt(JOKER_ULTIMATE, 15, seed=seed)
        whole = arrangement(JOKER_ULTIMATE, cards, steps=EVERY_STEP)
        assert whole.proven
        usual = arrangement(JOKER_ULTIMATE, cards)
        assert usual.letters == whole.letters or not usual.proven


def test_a_search_that_has_to_end_early_has_a_legal_board_and_says_that_it_is_not_proven() -> None:
    for seed in range(4):
        cards = dealt(JOKER_ULTIMATE, 17, seed=seed)
        short, whole = (arrangement(JOKER_ULTIMATE, cards, steps=steps) for steps in (1, EVERY_STEP))
        assert not short.proven
        ranks = []
        for one in (short, whole):
            strengths = resolve(JOKER_ULTIMATE, arranged(cards, one.letters))
            assert in_order(JOKER_ULTIMATE, strengths)
            ranks.append(rank_of_board(JOKER_ULTIMATE, strengths, stay_points=10))
        assert ranks[0] <= ranks[1]


def test_two_copies_of_a_card_are_two_cards() -> None:
    for seed in range(6):
        legal(DOUBLE_CLASSIC, dealt(DOUBLE_CLASSIC, 13, seed=seed, ranks=5))
        legal(DOUBLE_PINEAPPLE, dealt(DOUBLE_PINEAPPLE, 17, seed=seed, ranks=5))


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


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        ("AsAdX1KsKdKhKc2s7d8h9cJdJc", "AsAdAs/JdJc8h9c2s/KsKdKhKc7d"),
        ("QsX12c4d9h9c9d3s3hKhJhTh5h", "QsQh4d/9h9c9d3s3h/KhJhTh5h2h"),
        ("7s7hX1X28c8d8h2d3c4hJsQsKs", None),
    ],
)
def test_jokers_go_where_they_earn_most(cards: str, best: str | None) -> None:
    earned = legal(JOKER_PINEAPPLE, parse_cards(cards))
    assert earned == best_of_all(JOKER_PINEAPPLE, parse_cards(cards))
    assert best is None or earned >= rank_of_board(JOKER_PINEAPPLE, [*map(row_strength, rows(best))], stay_points=10)


def test_a_low_is_found_where_there_is_one() -> None:
    cards = parse_cards("7s5d4h3c2sAsAdKsKdKhQcQd9d")
    middle = arranged(cards, best_arrangement(TWO_SEVEN_PINEAPPLE, cards))[1]
    assert sorted(map(card_name, middle)) == ["2s", "3c", "4h", "5d", "7s"]


def test_a_wheel_that_stays_is_worth_more_than_kings_in_front() -> None:
    cards = parse_cards("7s5d4h3c2sAsAdKsKdQhQc8c9d")
    strengths = resolve(WHEEL_STAYS, arranged(cards, best_arrangement(WHEEL_STAYS, cards, 40)))
    assert low_ranks(strengths[1]) == (7, 5, 4, 3, 2)


def test_where_no_low_can_be_made_all_cards_are_placed() -> None:
    cards = parse_cards("AsAdAhAcKsKdKhKcQsQdQhQc2d")
    assert found(TWO_SEVEN_PINEAPPLE, cards) is None


@pytest.mark.parametrize("variant", [THIRTEEN, OPEN_THIRTEEN], ids=lambda variant: variant.key)
def test_where_rows_pay_three_of_a_kind_goes_to_the_head(variant: Variant) -> None:
    cards = parse_cards("8s8d8h2c3d4h5s6cTsJdQhKcAs")
    front = arranged(cards, best_arrangement(variant, cards))[0]
    assert sorted(map(card_name, front)) == ["8d", "8h", "8s"]


def test_seventeen_cards_with_jokers_make_a_legal_board_in_every_shape() -> None:
    for seed in range(6):
        legal(JOKER_ULTIMATE, dealt(JOKER_ULTIMATE, 17, seed=seed, ranks=13 - seed))


def test_twelve_cards_make_no_board() -> None:
    with pytest.raises(ValueError, match="13"):
        best_arrangement(PINEAPPLE, dealt(PINEAPPLE, 12, seed=1))
