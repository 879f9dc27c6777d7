"""Thirteen cards set at once: the best of all boards against the opponents that are known."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

from benchmarks.setting import gained
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import EMPTY, Card, RowCards, full_deck
from bot.pure.ofc.placement import place
from bot.pure.ofc.presets import CHINESE, THIRTEEN
from bot.pure.ofc.scoring import Board, in_order, resolve, score_hand
from bot.pure.ofc.variants import Variant
from bot.pure.solver import setting
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.levels import Computers, Level, from_the_back
from bot.pure.solver.setting import Opponents, Setter, mask_of


def dealt(chance: Random) -> tuple[Card, ...]:
    deck = list(full_deck())
    chance.shuffle(deck)
    return tuple(deck[:13])


def opponents(variant: Variant, count: int) -> list[RowCards]:
    chance = Random(3)
    hands = [dealt(chance) for _ in range(count)]
    return [place(EMPTY, cards, best_arrangement(variant, cards))[0] for cards in hands]


def known_as(variant: Variant, others: list[RowCards]) -> Opponents:
    strengths = [resolve(variant, rows) for rows in others]
    cards = [mask_of(card for row in rows for card in row) for rows in others]
    return Opponents(strengths=np.array(strengths, dtype=np.int32), cards=np.array(cards, dtype=np.uint64))


def ways_to_meet(cards: Sequence[Card], other: RowCards) -> int:
    """Return the number of renamings of suits after which the board has none of the cards."""
    theirs = [card for row in other for card in row]
    renamed = [{Card(card - card % 4 + to[card % 4]) for card in theirs} for to in permutations(range(4))]
    return sum(not held & set(cards) for held in renamed)


def gain(variant: Variant, rows: RowCards, others: list[RowCards]) -> float:
    """Return a board's average points against the opponents, by the rules."""
    wins = [score_hand(variant, [Board(rows=rows), Board(rows=other)]).points[0] for other in others]
    return sum(wins) / len(wins)


@pytest.mark.parametrize("variant", [CHINESE, THIRTEEN], ids=lambda variant: variant.key)
def test_a_board_is_worth_what_it_wins(variant: Variant) -> None:
    others = opponents(variant, 60)
    setter = Setter(variant, known_as(variant, others))
    chance = Random(8)
    for _ in range(5):
        cards = dealt(chance)
        met = [other for other in others for _ in range(ways_to_meet(cards, other))]
        found = setter.best(cards)
        rows, discards = place(EMPTY, cards, found.letters)
        assert not discards
        assert in_order(variant, resolve(variant, rows))
        assert found.value == pytest.approx(gain(variant, rows, met), abs=1e-4)


@pytest.mark.parametrize("variant", [CHINESE, THIRTEEN], ids=lambda variant: variant.key)
def test_any_board_wins_from_those_who_may_hold_theirs(variant: Variant) -> None:
    others = opponents(variant, 60)
    setter = Setter(variant, known_as(variant, others))
    chance = Random(9)
    fouls = 0
    for _ in range(12):
        cards = dealt(chance)
        rows = (cards[:3], cards[3:8], cards[8:])
        fouls += not in_order(variant, resolve(variant, rows))
        met = [other for other in others for _ in range(ways_to_meet(cards, other))]
        assert setter.against_each(rows).mean() == pytest.approx(gain(variant, rows, met), abs=1e-4)
    assert 0 < fouls < 12


def test_opponents_hold_none_of_ones_own_cards() -> None:
    """With four aces of your own, opponents have none, so queens in front beat more of the remaining boards."""
    others = opponents(CHINESE, 60)
    alike = [other for other in others if not any(card // 4 == 12 for row in other for card in row)]
    assert 0 < len(alike) < len(others)
    cards = (*range(48, 52), 0, 5, 10, 15, 16, 21, 26, 31, 32)
    rows = (tuple(map(Card, cards[:3])), tuple(map(Card, cards[4:9])), tuple(map(Card, (cards[3], *cards[9:]))))
    met = Setter(CHINESE, known_as(CHINESE, others)).against_each(rows)
    assert len(met) == sum(ways_to_meet([Card(card) for card in cards], other) for other in alike)


def test_with_two_decks_everybody_may_be_met() -> None:
    others = opponents(CHINESE, 6)
    setter = Setter(replace(CHINESE, decks=2), known_as(CHINESE, others))
    assert len(setter.against_each(others[0])) == 6


@pytest.mark.parametrize("variant", [CHINESE, THIRTEEN], ids=lambda variant: variant.key)
def test_a_master_gains_over_a_club_player_with_the_same_cards(variant: Variant) -> None:
    computers = Computers(load_arrays)
    pair = (Level.MASTER, Level.CLUB)
    gains = [gained(computers, variant, pair, 1, number, deals=2)["master"] for number in range(10)]
    assert sum(gains) > 0


@pytest.mark.slow
def test_no_board_wins_more() -> None:
    others = opponents(CHINESE, 20)
    setter = Setter(CHINESE, known_as(CHINESE, others))
    cards = dealt(Random(4))
    met = [other for other in others for _ in range(ways_to_meet(cards, other))]
    assert met
    best = setter.best(cards).value
    for front in combinations(cards, 3):
        rest = [card for card in cards if card not in front]
        for middle in combinations(rest, 5):
            back = tuple(card for card in rest if card not in middle)
            if in_order(CHINESE, resolve(CHINESE, (front, middle, back))):
                assert gain(CHINESE, (front, middle, back), met) <= best + 1e-4


def test_all_boards_of_thirteen_cards_are_looked_at() -> None:
    assert len(setting.all_boards().front) == 72_072


def test_only_thirteen_cards_are_set() -> None:
    with pytest.raises(ValueError, match="13 cards"):
        Setter(CHINESE, known_as(CHINESE, opponents(CHINESE, 1))).best(full_deck()[:12])


@pytest.mark.parametrize("variant", [CHINESE, THIRTEEN], ids=lambda variant: variant.key)
def test_a_board_set_from_the_back_is_in_order_wherever_that_can_be(variant: Variant) -> None:
    chance = Random(2)
    for _ in range(20):
        cards = dealt(chance)
        rows, _ = place(EMPTY, cards, from_the_back(variant, cards))
        assert tuple(map(len, rows)) == (3, 5, 5)
        front, middle, back = resolve(variant, rows)
        assert front <= middle <= back
