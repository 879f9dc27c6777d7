"""Thirteen cards set at once: the best of all boards against the opponents that are known."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from bot.ofc.cards import Card, full_deck
from bot.ofc.placement import place
from bot.ofc.presets import CHINESE, THIRTEEN
from bot.ofc.rows import EMPTY, RowCards
from bot.ofc.scoring import Board, in_order, resolve, score_hand
from bot.ofc.variants import Variant
from bot.solver import setting
from bot.solver.arrange import best_arrangement
from bot.solver.greedy import from_the_back
from bot.solver.setting import Setter


def dealt(chance: Random) -> tuple[Card, ...]:
    deck = list(full_deck())
    chance.shuffle(deck)
    return tuple(deck[:13])


def opponents(variant: Variant, count: int) -> list[RowCards]:
    chance = Random(3)
    hands = [dealt(chance) for _ in range(count)]
    return [place(EMPTY, cards, best_arrangement(variant, cards))[0] for cards in hands]


def gain(variant: Variant, rows: RowCards, others: list[RowCards]) -> float:
    """What a board wins from the opponents on average, by the rules."""
    wins = [score_hand(variant, [Board(rows=rows), Board(rows=other)]).points[0] for other in others]
    return sum(wins) / len(wins)


@pytest.mark.parametrize("variant", [CHINESE, THIRTEEN], ids=lambda variant: variant.key)
def test_a_board_is_worth_what_it_wins(variant: Variant) -> None:
    others = opponents(variant, 12)
    setter = Setter(variant, np.array([resolve(variant, rows) for rows in others], dtype=np.int32))
    chance = Random(8)
    for _ in range(5):
        cards = dealt(chance)
        found = setter.best(cards)
        rows, discards = place(EMPTY, cards, found.letters)
        assert not discards
        assert in_order(variant, resolve(variant, rows))
        assert found.value == pytest.approx(gain(variant, rows, others), abs=1e-4)


@pytest.mark.slow
def test_no_board_wins_more() -> None:
    others = opponents(CHINESE, 6)
    setter = Setter(CHINESE, np.array([resolve(CHINESE, rows) for rows in others], dtype=np.int32))
    cards = dealt(Random(4))
    best = setter.best(cards).value
    for front in combinations(cards, 3):
        rest = [card for card in cards if card not in front]
        for middle in combinations(rest, 5):
            back = tuple(card for card in rest if card not in middle)
            if in_order(CHINESE, resolve(CHINESE, (front, middle, back))):
                assert gain(CHINESE, (front, middle, back), others) <= best + 1e-4


def test_all_boards_of_thirteen_cards_are_looked_at() -> None:
    assert len(setting._shapes().front) == 72_072  # noqa: SLF001  # how many there are is known


def test_only_thirteen_cards_are_set() -> None:
    with pytest.raises(ValueError, match="13 cards"):
        Setter(CHINESE, np.array([[0, 0, 0]])).best(full_deck()[:12])


@pytest.mark.parametrize("variant", [CHINESE, THIRTEEN], ids=lambda variant: variant.key)
def test_a_board_set_from_the_back_is_in_order_wherever_that_can_be(variant: Variant) -> None:
    chance = Random(2)
    for _ in range(20):
        cards = dealt(chance)
        rows, _ = place(EMPTY, cards, from_the_back(variant, cards))
        assert tuple(map(len, rows)) == (3, 5, 5)
        front, middle, back = resolve(variant, rows)
        assert front <= middle <= back
