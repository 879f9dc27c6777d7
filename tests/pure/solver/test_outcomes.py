"""Outcomes of full boards against opponents, which equal the payments by the rules."""

from random import Random

import numpy as np
import pytest

from bot.pure.ofc.cards import EMPTY, RowCards, full_deck
from bot.pure.ofc.placement import place
from bot.pure.ofc.presets import OPEN_THIRTEEN, PINEAPPLE
from bot.pure.ofc.scoring import Board, in_order, resolve, score_hand
from bot.pure.ofc.variants import Variant
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.boards import mixed, single_board
from bot.pure.solver.outcomes import FOUL, ROW_POINTS, ROYALTIES, Scorer


def some_boards(variant: Variant, chance: Random, count: int) -> list[RowCards]:
    """Boards of which one in five is placed as the cards come: most of these foul."""
    deck, found = list(full_deck()), []
    for _ in range(count):
        chance.shuffle(deck)
        cards = tuple(deck[:13])
        letters = best_arrangement(variant, cards) if chance.random() < 0.8 else "FFFMMMMMBBBBB"
        found.append(place(EMPTY, cards, letters)[0])
    return found


@pytest.mark.parametrize("variant", [OPEN_THIRTEEN, PINEAPPLE], ids=lambda variant: variant.key)
def test_rows_are_paid_by_what_won_them_whoever_won(variant: Variant) -> None:
    chance, scorer = Random(1), Scorer(variant)
    others = some_boards(variant, chance, 150 if variant is OPEN_THIRTEEN else 300)
    rivals = scorer.rivals_from(mixed([*map(single_board, others)]), len(others))
    fouls = [other for other in others if not in_order(variant, resolve(variant, other))]
    assert 0 < len(fouls) < len(others) / 2
    mine = some_boards(variant, chance, 15)
    found = scorer.outcomes(mixed([*map(single_board, mine)]), rivals, np.zeros(len(mine), dtype=np.intp))
    for rows, parts in zip(mine, found, strict=True):
        pairs = [score_hand(variant, [Board(rows=rows), Board(rows=other)]).pairs[0] for other in others]
        points = sum(pair.points - pair.royalties for pair in pairs) / len(pairs)
        # Rows are taken to be won independently of each other, in steps of strength.
        close = 0.1 if not variant.scoop_bonus else 0.4
        assert parts[ROW_POINTS] == pytest.approx(points, abs=0.02 if parts[FOUL] else close)
        if parts[FOUL]:
            assert parts[ROYALTIES] == 0
