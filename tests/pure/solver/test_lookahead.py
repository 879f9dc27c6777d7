"""The outlook of a street, which equals the average over all deals."""

from itertools import combinations

import numpy as np
import pytest

from bot.pure.ofc.cards import ROWS, Card, RowCards, parse_cards
from bot.pure.ofc.placement import place
from bot.pure.ofc.presets import CLASSIC, DOUBLE_PINEAPPLE, JOKER_PINEAPPLE, PINEAPPLE, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.scoring import in_order, next_fantasyland, resolve
from bot.pure.ofc.variants import Variant
from bot.pure.solver.boards import counts_of, patterns, single_board
from bot.pure.solver.evaluator import objective
from bot.pure.solver.lookahead import LastStreet, drawn, without
from bot.pure.solver.network import Deals
from bot.pure.solver.outcomes import ENTERS, FOUL, ROYALTIES, Scorer, nobody

WORTH = dict.fromkeys(range(13, 18), 10.0)


def worth(variant: Variant, rows: RowCards) -> float:
    """Return the value of a full board without opponents."""
    strengths = resolve(variant, rows)
    if not in_order(variant, strengths):
        return float(-variant.foul_points)
    paid = sum(variant.royalties.of(row, made) for row, made in zip(ROWS, strengths, strict=True))
    return paid + 10 * (next_fantasyland(variant, strengths, held=0) > 0)


def brute_force(variant: Variant, rows: RowCards, unseen: tuple[Card, ...]) -> float:
    """The mean over every deal of the best placement of the last street."""
    rule = variant.streets[-1]
    free = {letter: size - len(row) for letter, size, row in zip("FMB", (3, 5, 5), rows, strict=True)}
    ways = [
        patterns(rule.deal, rule.to_place).letters(way) for way in range(len(patterns(rule.deal, rule.to_place).rows))
    ]
    ways = [way for way in ways if all(way.count(letter) == room for letter, room in free.items())]
    deals = list(combinations(unseen, rule.deal))
    return sum(max(worth(variant, place(rows, deal, way)[0]) for way in ways) for deal in deals) / len(deals)


@pytest.mark.parametrize(
    ("variant", "board"),
    [
        (PINEAPPLE, "QhQd/7c7d3s2s/AhKhThJh4h"),
        (PINEAPPLE, "QhQdKc/7c7d3s2s/AhKhThJh"),
        (PINEAPPLE, "Qh/KcKd3s2sKh/AhAdTh2h9h"),
        (JOKER_PINEAPPLE, "KhX1/7c7d3s2s/AhKdThJh4h"),
        (TWO_SEVEN_PINEAPPLE, "KhKd/7c5d3s2s/AhAdThJh4h"),
        (CLASSIC, "QhQd/7c7d3s2s7h/AhKhThJh4h"),
        (DOUBLE_PINEAPPLE, "QhQd/7c7d3s2s/AhKhThJh4h"),
        (DOUBLE_PINEAPPLE, "QhQdKc/7c7d3s/AhKhThJh4h"),
        (DOUBLE_PINEAPPLE, "8h/5c5d3s2s9h/AhAdTh2h9d"),
    ],
)
def test_the_last_street_is_the_mean_over_every_deal(variant: Variant, board: str) -> None:
    front, middle, back = map(parse_cards, board.split("/"))
    rows = (front, middle, back)
    unseen = parse_cards("QsQc7s7hAsAcKs4s5h9dTd2c6c8d" + ("X2" if variant.jokers else ""))
    if variant is CLASSIC:
        unseen = tuple(card for card in unseen if card not in (*front, *middle, *back))
    if variant.decks > 1:
        unseen = (*unseen, *parse_cards("7hAs2c4h"))
    scorer = Scorer(variant)
    last = LastStreet(scorer, variant.streets[-1], objective(variant, WORTH))
    deals = Deals(counts_of(unseen)[None], nobody(1))
    found = last.outcomes(single_board(rows), deals, np.zeros(1, dtype=np.intp))[0]
    assert float(found @ objective(variant, WORTH)) == pytest.approx(brute_force(variant, rows, unseen), abs=1e-3)
    assert 0 <= found[FOUL] <= 1
    assert found[ENTERS:].sum() <= 1
    assert found[ROYALTIES] >= 0


def test_deals_hold_only_unseen_cards_and_no_card_twice() -> None:
    unseen = counts_of(parse_cards("2c3c4c5c6c7c"))
    unseen[Card(0)] = 2
    deals = drawn(unseen[None], 4, 200, np.random.default_rng(1))
    assert deals.shape == (1, 200, 4)
    left = without(unseen[None], deals)
    assert left.min() >= 0
    assert left.sum(axis=1).tolist() == [3] * 200


def test_boards_with_different_copies_unseen_are_averaged_apart() -> None:
    """Deals in one call may have different numbers of cards, and are evaluated as if separate."""
    variant = DOUBLE_PINEAPPLE
    rows = single_board((parse_cards("QhQd"), parse_cards("7c7d3s2s"), parse_cards("AhKhThJh4h")))
    one, two = parse_cards("QsQs7s7s7hAsAcKs4s4s"), parse_cards("QsQc7s7hAsAcKs4s5h9d")
    assert len(one) == len(two)
    assert len({*one}) < len({*two})
    last = LastStreet(Scorer(variant), variant.streets[-1], objective(variant, WORTH))
    deals = Deals(np.stack([counts_of(one), counts_of(two)]), nobody(2))
    both = last.outcomes(rows.at(np.zeros(2, dtype=np.intp)), deals, np.arange(2))
    for row, unseen in enumerate((one, two)):
        alone = last.outcomes(rows, Deals(counts_of(unseen)[None], nobody(1)), np.zeros(1, dtype=np.intp))[0]
        assert both[row] == pytest.approx(alone, abs=1e-5)
    assert not np.allclose(both[0], both[1])
