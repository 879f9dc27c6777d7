"""Opponents with visible boards are compared by the table's scoring, and no hidden card is known."""

from collections.abc import Sequence
from functools import reduce
from random import Random

import numpy as np
import pytest

from benchmarks.rows import by_network
from bot.base.solver_data import load_arrays
from bot.pure.ofc.cards import RowCards, cards_text, full_deck
from bot.pure.ofc.hand import HandStatus, PlaceCards, decide, evolve
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.log import PlacedBy
from bot.pure.ofc.presets import CLASSIC, JOKER_PINEAPPLE, OPEN_THIRTEEN, PINEAPPLE, PRESETS, TWO_SEVEN_PINEAPPLE
from bot.pure.ofc.scoring import Board, score_hand
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.boards import mixed, single_board
from bot.pure.solver.field import KnownOpponent
from bot.pure.solver.levels import Computers
from bot.pure.solver.outcomes import FinalBoards, Scorer, board_codes
from bot.pure.solver.review import DecisionPoint, decision
from bot.pure.solver.search import Effort
from tests.pure.solver.plain import Seen, before_the_button, decisions, on_the_button
from tests.pure.solver.test_levels import opened, redealt, seen
from tests.pure.solver.test_outcomes import some_boards

QUICK = Computers(load_arrays, Effort(rounds=()), evaluators=len(PRESETS))
"""Plays as the networks do, and where every deal is looked at as a master does."""
BONUSES = house_variant("pineapple", {"majority_bonus": "2", "two_rows_bonus": "1", "total_bonus": "3"})
GAMES = (PINEAPPLE, OPEN_THIRTEEN, TWO_SEVEN_PINEAPPLE, BONUSES)


def best_of(view: HandView) -> str:
    return QUICK.evaluate(view)[0].letters


def finals_of(scorer: Scorer, boards: Sequence[RowCards]) -> FinalBoards:
    return scorer.finals(board_codes(mixed([*map(single_board, boards)])))


def between(variant: Variant, mine: RowCards, other: RowCards) -> int:
    """The points of the rows, without royalties."""
    pair = score_hand(variant, [Board(rows=mine), Board(rows=other)]).pairs[0]
    return pair.points - pair.royalties


@pytest.mark.parametrize("variant", GAMES, ids=["pineapple", "open_thirteen", "two_seven", "bonuses"])
def test_boards_are_compared_as_the_table_scores_them(variant: Variant) -> None:
    """Against each of some boards, and against their mean; fouls are among them on both sides."""
    chance, scorer = Random(2), Scorer(variant)
    others, mine = some_boards(variant, chance, 64), some_boards(variant, chance, 40)
    known, finals = KnownOpponent(scorer, finals_of(scorer, others)), finals_of(scorer, mine)
    assert 0 < known.finals.legal.sum() < 64
    assert 0 < finals.legal.sum() < 40
    paid = [[between(variant, board, other) for other in others] for board in mine]
    assert known.each(finals) == pytest.approx(np.array(paid))
    assert known.points(finals) == pytest.approx(np.array(paid).mean(axis=1))


def on_street(variant: Variant, *, seats: int, street: int, seed: int, seat: int) -> Seen:
    found = decisions(variant, best_of, seats=seats, street=street, seed=seed)
    return next(seen for seen in found if seen.view.you == seat)


@pytest.mark.parametrize(
    ("seats", "street", "seed", "placed"),
    [
        (3, 5, 90159, {"Jh": "F", "5d": "M", "2c": "D"}),
        (3, 5, 95203, {"Td": "F", "6h": "M", "4c": "D"}),
        (2, 4, 80244, {"Ks": "F", "7d": "F", "4c": "D"}),
    ],
)
def test_a_kicker_that_everybody_sees_wins_its_row(seats: int, street: int, seed: int, placed: dict[str, str]) -> None:
    """K-Q-J wins from K-Q-4 and Q-K-7 from Q-K-6, though all fronts of king and queen are one step of strength."""
    seen = on_street(PINEAPPLE, seats=seats, street=street, seed=seed, seat=seats - 1)
    letters = best_of(seen.view)
    assert {cards_text([card]): letter for card, letter in zip(seen.held, letters, strict=True)} == placed


def lost_on_the_button(variant: Variant, *, seats: int, seed: int) -> float:
    """Return the loss of a decision on the last street if all cards are visible."""
    (seen,) = [
        seen
        for seen in decisions(variant, by_network, seats=seats, street=len(variant.streets), seed=seed)
        if seen.view.you == seats - 1
    ]
    evaluator = QUICK.evaluator(variant)
    assert evaluator
    won = on_the_button(seen, evaluator.worth)
    placed = QUICK.evaluate(seen.view)
    best = max(won.values())
    others = seats - 1
    # The others' payments among themselves don't depend on the placement.
    apart = {round(one.value * others - won[one.letters], 2) for one in placed}
    assert len(apart) == 1, "values say what lies between placements, to the cent"
    return best - won[placed[0].letters]


@pytest.mark.parametrize(
    ("variant", "seats", "hands"),
    [
        (PINEAPPLE, 3, 6),
        (PINEAPPLE, 2, 3),
        (TWO_SEVEN_PINEAPPLE, 3, 3),
        (JOKER_PINEAPPLE, 3, 3),
        (CLASSIC, 3, 2),
        (OPEN_THIRTEEN, 4, 2),
        (BONUSES, 3, 3),
        pytest.param(PINEAPPLE, 3, 1000, marks=pytest.mark.deep),
    ],
    ids=lambda value: getattr(value, "key", str(value)),
)
def test_nothing_is_lost_on_the_button(variant: Variant, seats: int, hands: int) -> None:
    lost = [lost_on_the_button(variant, seats=seats, seed=seed) for seed in range(hands)]
    assert lost == pytest.approx([0] * hands, abs=1e-3)


@pytest.mark.parametrize("seed", [3, 4])
def test_three_cards_still_to_come_to_the_button_are_answered_as_is_best(seed: int) -> None:
    """Between three, the second of them: every deal of the last one, each answer scored by the rules."""
    seen = on_street(PINEAPPLE, seats=3, street=5, seed=seed, seat=1)
    evaluator = QUICK.evaluator(PINEAPPLE)
    assert evaluator
    gone = {card for rows in (seen.rows, *seen.others) for row in rows for card in row} | {*seen.held}
    assert seen.view.mine
    gone |= {card for card in seen.view.mine.discards if card is not None}
    unseen = [card for card in full_deck() if card not in gone]
    placed = QUICK.evaluate(seen.view)
    some = [one.letters for one in placed[:3]]
    won = before_the_button(seen, unseen, evaluator.worth, some)
    found = {one.letters: 2 * one.value for one in placed if one.letters in won}
    assert len(some) == 3
    for letters in some[1:]:
        assert found[some[0]] - found[letters] == pytest.approx(won[some[0]] - won[letters], abs=0.01)


@pytest.mark.parametrize(
    "variant",
    [PINEAPPLE, CLASSIC, pytest.param(JOKER_PINEAPPLE, marks=pytest.mark.deep)],
    ids=lambda variant: variant.key,
)
def test_other_cards_in_the_dark_change_nothing_between_three(variant: Variant) -> None:
    """This holds for decisions on streets where boards are compared row by row, and for their reviews."""
    hand, compared, drawn = opened(variant, seed=12, seats=3), 0, 0
    evaluator = QUICK.evaluator(variant)
    assert evaluator
    while hand.status is HandStatus.PLAYING:
        seat = hand.waiting[0]
        view = view_for(hand, str(seat))
        placed = QUICK.evaluate(view)
        if evaluator.compares(view.street):
            compared += 1
            hidden = [card for card in full_deck(jokers=variant.jokers) if card not in seen(view)]
            Random(1).shuffle(hidden)
            other = view_for(redealt(hand, seat, hidden), str(seat))
            assert QUICK.evaluate(other) == placed
            moments = [
                DecisionPoint(view=each, letters=placed[-1].letters, by=PlacedBy.PLAYER) for each in (view, other)
            ]
            mine, its = (decision(QUICK, moment) for moment in moments)
            assert mine == its
            drawn += mine.error > 0
            exact = view.street == evaluator.last and any(each.placed for each in view.seats)
            assert not exact or mine.error == 0, "one opponent at most is still to act: nothing is drawn"
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=placed[0].letters)), hand)
    assert compared == 6
    assert drawn >= 2, "who is still to act twice, or with another, was played out some times"
