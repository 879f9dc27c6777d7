"""Naturals: thirteen cards that pay without being arranged."""

from collections.abc import Callable, Sequence
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.pure.ofc.cards import Card, full_deck, parse_cards, rank_of, suit_of
from bot.pure.ofc.naturals import Natural, natural_named, natural_of
from tests.pure.ofc.games import NATURALS

SIX, STRAIGHTS, FLUSHES, DRAGON = Natural


@pytest.mark.parametrize(
    ("cards", "natural"),
    [
        ("AsKdQhJcTs9d8h7c6s5d4h3c2s", DRAGON),
        ("AsKsQsJsTs9s8s7s6s5s4s3s2s", DRAGON),
        ("As9s3sKhJh8h5h2hQdTd9d7d4d", FLUSHES),
        ("As9s3sKsJs8s5s2sQsTs9d7d4d", FLUSHES),
        ("As9s3sKsJs8s5s2sQsTh9d7d7h", None),
        ("As9s3sKsJs8s5s2sQsTsAd9d4d", FLUSHES),
        ("2d3d5d7d9dAs9s3sKsJs8s5s2s", FLUSHES),
        ("AsAdKsKdQhQcJsJdTsTd9h9c2s", SIX),
        ("AsAdKsKdQhQcJsJd7sTd9h9c2s", None),
        ("AsAdAhAcQhQcJsJdTsTd9h9c2s", SIX),
        ("AsAdAhAcQhQcQsQdTsTdThTc2s", SIX),
        ("AsAdAhKsKdQhQcJsJd7s7d9h9c", SIX),
        ("AsAdAhKsKdKhQcJsJd7s7d9h9c", None),
        ("5s6d7h9c8s7d6h5cKsQdJhTc9h", STRAIGHTS),
        ("As2d3h9c8s7d6h5cKsQdJhTc9h", STRAIGHTS),
        ("AsQdKh9c8s7d6h5cKsQhJhTc9h", STRAIGHTS),
        ("As2dKh9c8s7d6h5cKsQhJhTc9h", None),
        ("As2d3h4c5s5d4h3c2sAd6s7d8h", STRAIGHTS),
        ("As2d3h4c5sAdKhQcJsTd6s7d8h", STRAIGHTS),
        ("9s8d7h6c5s9d8h7c6s5d9h8c7s", STRAIGHTS),
        ("AsAdKsKdQhQc9s9d8s8d7h7c2s", SIX),
        ("2s4d6h8cTsQdAh3c5s7d9hJc3h", STRAIGHTS),
        ("2s4d6h8cTsQdKh3c5s7d9hJc3h", None),
    ],
)
def test_11_2_the_four_naturals(cards: str, natural: Natural | None) -> None:
    assert natural_of(parse_cards(cards)) is natural


def test_11_2_their_order_is_six_pairs_three_straights_three_flushes_complete_straight() -> None:
    assert sorted(Natural) == [SIX, STRAIGHTS, FLUSHES, DRAGON]
    assert [natural_of(parse_cards(cards)) for cards in NATURALS] == [DRAGON, FLUSHES, STRAIGHTS, SIX]


def test_11_2_of_several_naturals_in_one_hand_the_strongest_counts() -> None:
    flushes_and_straights = parse_cards("AsKsQsJhTh9h8h7h9d8d7d6d5d")
    assert natural_of(flushes_and_straights) is FLUSHES
    assert natural_of(flushes_and_straights, [STRAIGHTS, SIX]) is STRAIGHTS
    straights_and_pairs = parse_cards("9s9d8s8d7h7c6s6d5s5d8h7s9h")
    assert natural_of(straights_and_pairs) is STRAIGHTS


def test_11_2_a_house_without_naturals_finds_none() -> None:
    assert natural_of(parse_cards(NATURALS[0]), []) is None


def test_naturals_have_names() -> None:
    assert [natural_named(natural.key) for natural in Natural] == list(Natural)
    assert [natural.key for natural in Natural] == [
        "six_pairs",
        "three_straights",
        "three_flushes",
        "complete_straight",
    ]
    with pytest.raises(ValueError, match="'royal' is not a natural"):
        natural_named("royal")


def can_be_placed(cards: Sequence[Card], good: Callable[[Sequence[Card]], bool]) -> bool:
    """True when some way to place thirteen cards makes three rows that are each good."""
    for front in combinations(cards, 3):
        if good(front):
            left = [card for card in cards if card not in front]
            for middle in combinations(left, 5):
                if good(middle) and good([card for card in left if card not in middle]):
                    return True
    return False


def one_suit(cards: Sequence[Card]) -> bool:
    return len({suit_of(card) for card in cards}) == 1


def run(cards: Sequence[Card]) -> bool:
    """True for cards in sequence; the ace is low or high."""
    ranks = sorted(rank_of(card) for card in cards)
    low = [1 if rank == 14 else rank for rank in ranks]
    return any(sorted(way) == list(range(min(way), min(way) + len(way))) for way in (ranks, low))


def by_hand(cards: Sequence[Card]) -> Natural | None:
    """The natural of thirteen cards as a player would look for it: every way to place them."""
    ranks = [rank_of(card) for card in cards]
    if len(set(ranks)) == 13:
        return DRAGON
    if can_be_placed(cards, one_suit):
        return FLUSHES
    if can_be_placed(cards, run):
        return STRAIGHTS
    return SIX if sum(ranks.count(rank) // 2 for rank in set(ranks)) == 6 else None


def suited_hand(chance: Random) -> list[Card]:
    """Thirteen cards that split 3-5-5, or nearly."""
    sizes = chance.choice([(3, 5, 5, 0), (10, 3, 0, 0), (8, 5, 0, 0), (4, 5, 4, 0), (3, 5, 4, 1), (11, 2, 0, 0)])
    suits = chance.sample(range(4), 4)
    return [
        Card(4 * rank + suit)
        for suit, size in zip(suits, sizes, strict=True)
        for rank in chance.sample(range(13), size)
    ]


def straight_hand(chance: Random) -> list[Card]:
    """Three runs placed together, if the deck holds them, now and then one card off."""
    runs = [[r % 13 for r in range(low - 1, low - 1 + size)] for size, low in _lows(chance)]
    ranks = [(rank - 1) % 13 for run_of in runs for rank in run_of]
    if chance.random() < 0.3:
        ranks[chance.randrange(13)] = chance.randrange(13)
    cards: list[Card] = []
    for rank in ranks:
        free = [Card(4 * rank + suit) for suit in range(4) if Card(4 * rank + suit) not in cards]
        if not free:
            return straight_hand(chance)
        cards.append(chance.choice(free))
    return cards


def _lows(chance: Random) -> list[tuple[int, int]]:
    return [(3, chance.randint(1, 12)), (5, chance.randint(1, 10)), (5, chance.randint(1, 10))]


@settings(max_examples=40)
@given(seed=st.integers(0, 1 << 32))
def test_11_2_naturals_are_what_every_way_to_place_the_cards_finds(seed: int) -> None:
    chance = Random(seed)
    hands = [suited_hand(chance), straight_hand(chance), chance.sample(full_deck(), 13)]
    for cards in hands:
        assert natural_of(cards) is by_hand(cards)


def test_11_2_six_pairs_are_counted_with_fours_as_two_and_threes_as_one() -> None:
    for counts in combinations_with_replacement(range(1, 5), 7):
        if sum(counts) == 13:
            cards = [
                Card(8 * (rank - (rank == 6)) % 52 + suit) for rank, count in enumerate(counts) for suit in range(count)
            ]
            pairs = sum(count // 2 for count in counts)
            assert (natural_of(cards, [SIX]) is SIX) is (pairs == 6)
