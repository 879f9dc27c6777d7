"""Automatic placement: a board without a foul, and no other goals."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from bot.pure.ofc.cards import EMPTY, Card, RowCards, full_deck, parse_cards
from bot.pure.ofc.clock_placement import clock_placement
from bot.pure.ofc.placement import RowOrder, check_placement, place, preview
from bot.pure.ofc.presets import CLASSIC, JOKER_PINEAPPLE, PINEAPPLE, PRESETS, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant

STREET_GAMES = [variant for variant in PRESETS.values() if not variant.at_once]
HANDS = 60
FOULS = {"classic": 12, "turbo": 6, "double_classic": 18, "open_thirteen": 12}
"""Most fouls in so many hands: a game without discards cannot always be saved. In every other game four."""


def boards(variant: Variant, hands: int) -> Iterator[list[tuple[RowCards, tuple[Card, ...], int, str]]]:
    """Hands that the clock plays alone: before each street the board, its cards, how many are placed, and where."""
    chance = random.Random(f"clock {variant.key}")
    for _ in range(hands):
        deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
        chance.shuffle(deck)
        rows, told = EMPTY, []
        for street in variant.streets:
            cards, deck = tuple(deck[: street.deal]), deck[street.deal :]
            letters = clock_placement(variant, rows, cards, to_place=street.to_place)
            told.append((rows, cards, street.to_place, letters))
            rows = place(rows, cards, letters)[0]
        yield told


def fouls(variant: Variant, rows: RowCards) -> bool:
    return preview(variant, rows, fantasyland=0).order is RowOrder.FOUL


@pytest.mark.no_cover
@pytest.mark.parametrize("variant", STREET_GAMES, ids=lambda variant: variant.key)
def test_a_board_that_the_clock_plays_hardly_ever_fouls(variant: Variant) -> None:
    fouled = 0
    for hand in boards(variant, HANDS):
        for rows, cards, to_place, letters in hand:
            check_placement(rows, cards, letters, to_place=to_place)
        last_rows, last_cards, _, last = hand[-1]
        fouled += fouls(variant, place(last_rows, last_cards, last)[0])
    assert fouled <= FOULS.get(variant.key, 4)


@pytest.mark.no_cover
@pytest.mark.parametrize("variant", STREET_GAMES, ids=lambda variant: variant.key)
def test_a_foul_that_the_last_street_can_avoid_is_avoided(variant: Variant) -> None:
    for hand in boards(variant, 25):
        rows, cards, to_place, letters = hand[-1]
        saved = any(not fouls(variant, board) for board in _ends(rows, cards, to_place))
        assert fouls(variant, place(rows, cards, letters)[0]) is not saved


def _ends(rows: RowCards, cards: tuple[Card, ...], to_place: int) -> Iterator[RowCards]:
    for choice in product("FMBD", repeat=len(cards)):
        try:
            check_placement(rows, cards, "".join(choice), to_place=to_place)
        except Refused:
            continue
        yield place(rows, cards, "".join(choice))[0]


@pytest.mark.parametrize(
    ("variant", "board", "cards", "to_place", "letters"),
    [
        (PINEAPPLE, "//", "Kd7dTc5c8s", 5, "BFFMF"),
        (PINEAPPLE, "//", "KdKs2c5c5s", 5, "BBMMM"),
        (PINEAPPLE, "2c/5c5s/KdKs", "KcAd3h", 2, "BDF"),
        (CLASSIC, "2c/5c5s/KdKs", "Kc", 1, "B"),
        (CLASSIC, "2c/5c5s/KdKs", "Ad", 1, "M"),
        # Only a second pair in the middle is more than the kings in front of it.
        (PINEAPPLE, "KsKd2c/5c5s9h3d/AcAd", "4dTh9c", 2, "DBM"),
        # Neither a king nor a pair makes a low, and no straight does.
        (TWO_SEVEN_PINEAPPLE, "QhJd/7c5d4h2s/AhAdKs", "KdTd7h", 2, "BMD"),
        (TWO_SEVEN_PINEAPPLE, "QhJd/6c5d4h3s/AhAdKs", "2d7h9c", 2, "FDM"),
    ],
)
def test_the_clock_keeps_the_rows_apart(variant: Variant, board: str, cards: str, to_place: int, letters: str) -> None:
    front, middle, back = (parse_cards(row) for row in board.split("/"))
    assert clock_placement(variant, (front, middle, back), parse_cards(cards), to_place=to_place) == letters


@pytest.mark.parametrize(
    ("board", "cards", "letters"),
    [
        # With a second queen the middle is either less than the front or more than the back.
        ("KhKd6c/X13sTcQh/9h6d9s6h", "AdQs5c", "MBD"),
    ],
)
def test_a_joker_between_two_rows_that_it_cannot_both_fit_is_seen(board: str, cards: str, letters: str) -> None:
    front, middle, back = (parse_cards(row) for row in board.split("/"))
    rows, dealt = (front, middle, back), parse_cards(cards)
    placed = clock_placement(JOKER_PINEAPPLE, rows, dealt, to_place=2)
    assert placed == letters
    assert not fouls(JOKER_PINEAPPLE, place(rows, dealt, placed)[0])
    assert fouls(JOKER_PINEAPPLE, place(rows, dealt, "BMD")[0]), "what would be placed if it were not looked for"


def test_a_pair_of_queens_in_hand_does_not_tempt_the_clock() -> None:
    rows = (parse_cards("2c"), parse_cards("9c9s4h"), parse_cards("AdAsTc"))
    assert "F" not in clock_placement(PINEAPPLE, rows, parse_cards("QcQd7h"), to_place=2)[:2]
