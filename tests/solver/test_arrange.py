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
from bot.ofc.ranks import Category, row_strength
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


def rank_of_board(variant: Variant, strengths: Sequence[int], *, stay_points: int) -> Rank:
    front, middle, back = strengths
    rule = variant.fantasyland
    earned = sum(variant.royalties.of(row, strength) for row, strength in zip(ROWS, strengths, strict=True))  # type: ignore[arg-type]
    stay = rule is not None and stays(rule, strengths)  # type: ignore[arg-type]
    return earned + stay_points * stay, back, middle, front


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
        frozenset(chosen): row_strength([cards[place] for place in chosen])
        for size in (3, 5)
        for chosen in combinations(places, size)
    }
    fives = [chosen for chosen in strengths if len(chosen) == 5]
    threes = [chosen for chosen in strengths if len(chosen) == 3]
    worths: dict[tuple[int, ...], Rank] = {}
    for back in fives:
        for middle in fives:
            if back & middle or strengths[middle] > strengths[back]:
                continue
            for front in threes:
                board = (strengths[front], strengths[middle], strengths[back])
                if board not in worths and not front & (back | middle) and in_order(variant, board):
                    worths[board] = rank_of_board(variant, board, stay_points=stay_points)
    return max(worths.values())
