"""Comparison of two placements of the same cards, and of two whole boards set in one step.

Both placements are tested on the same deals, so their difference is known far more precisely than either value. Whole
boards are set in Fantasyland, or in games that deal thirteen cards at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from bot.pure.ofc.cards import EMPTY, RowCards
from bot.pure.ofc.placement import place
from bot.pure.ofc.scoring import Board, BoardScore, score_hand
from bot.pure.ofc.view import HandView
from bot.pure.solver.arrange import STAY_POINTS
from bot.pure.solver.boards import Boards, children, patterns, single_board
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.levels import Computers
from bot.pure.solver.outcomes import ENTERS, FOUL, ROYALTIES, board_codes
from bot.pure.solver.possible_futures import completions
from bot.pure.solver.row_tables import Floats
from bot.pure.solver.search import Spot, outcomes_of_each, search_ahead
from bot.pure.solver.visible_cards import boards_met, known

GUESSED, BY_STEPS = 0.5, 0.1
"""Standard errors of a loss in addition to the sampling error, in points per opponent.

``GUESSED`` applies if a network estimates the boards. ``BY_STEPS`` applies two streets before the last, where only the
strength steps of opponents' rows are known. ``make bench-solver`` measures both with ``--part coverage``.
"""
FUTURES = 300
"""Number of sampled futures per comparison in a game without fitted values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedResults:
    """Expected results of a placement."""

    foul: float
    """Probability of a foul, 0 to 1."""
    fantasyland: float
    """Probability of Fantasyland in the next hand, 0 to 1."""
    royalties: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A placement and its expected results."""

    letters: str
    facts: ExpectedResults | None
    """The expected results; None in a game without fitted values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A player's placement next to the master's."""

    placed: Choice
    best: Choice
    loss: float
    """Points per opponent by which the player's placement is worse; negative if it's better."""
    error: float
    """Standard error of the loss; 0 if nothing was sampled or estimated."""


def compare(
    evaluator: Evaluator, spot: Spot, placed: str, best: str, *, chance: np.random.Generator, deals: int
) -> Comparison:
    """Compare two placements on the same deals.

    These are ``deals`` deals of the next street, or all possible ones against each sampled board of the opponents.
    """
    each = outcomes_ahead(evaluator, spot, boards_after(evaluator, spot, (placed, best)), chance, deals=deals)
    between = (each[1] - each[0]) @ evaluator.weights
    sets = 1 if evaluator.compares(spot.street) else len(spot.rivals.fouls)
    error = error_by_sets(between, sets)
    return Comparison(
        placed=Choice(letters=placed, facts=expected_results(each[0])),
        best=Choice(letters=best, facts=expected_results(each[1])),
        loss=float(between.mean()),
        error=hypot(error, model_error(evaluator, spot.street)) if between.any() else 0.0,
    )


def model_error(evaluator: Evaluator, street: int) -> float:
    """Return the standard error of a street's loss beyond the sampling error."""
    if evaluator.compares(street):
        return 0.0
    exactly = street == evaluator.last - 2 and evaluator.before_last.exact
    return BY_STEPS if exactly else GUESSED


def roughly_compared(view: HandView, placed: str, best: str) -> Comparison:
    """Compare two placements in a game without fitted values, by the best completion in each sampled future.

    A completion knows the cards to come, so the values are higher than players can reach.
    """
    mine, its = np.array(completions(view, (placed, best), futures=FUTURES))
    return Comparison(
        placed=Choice(letters=placed, facts=None),
        best=Choice(letters=best, facts=None),
        loss=float((its - mine).mean()),
        error=standard_error(its - mine),
    )


def standard_error(values: Floats) -> float:
    """Return the standard error of the mean of sampled values; 0 for a single value, which is exact."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def error_by_sets(values: Floats, sets: int) -> float:
    """Return the standard error of values that cycle through ``sets`` samples of the opponents' boards.

    The means of the sets also vary with the opponents' boards, so their spread covers both sources of error.
    """
    sets = min(sets, len(values))
    if sets == 1:
        return standard_error(values)
    return max(standard_error(values), standard_error(np.array([values[one::sets].mean() for one in range(sets)])))


def boards_after(evaluator: Evaluator, spot: Spot, placements: Sequence[str]) -> Boards:
    """Return the boards after each of the placements."""
    rule = evaluator.variant.streets[spot.street - 1]
    found = children(spot.board, np.array([spot.held], dtype=np.int32), to_place=rule.to_place)
    ways = patterns(rule.deal, rule.to_place)
    letters = [ways.letters(int(pattern)) for pattern in found.pattern]
    return found.boards.at(np.array([letters.index(placement) for placement in placements], dtype=np.intp))


def outcomes_ahead(
    evaluator: Evaluator, spot: Spot, boards: Boards, chance: np.random.Generator, *, deals: int
) -> Floats:
    """Return each board's outcomes, of shape (boards, draws, PARTS).

    A draw is a deal of the next street or a sampled board of the opponents. If nothing is sampled, there is a single
    draw.
    """
    if evaluator.compares(spot.street):
        return outcomes_of_each(evaluator, spot, boards)
    return search_ahead(evaluator, spot, boards, chance, draws=deals)


def expected_results(each: Floats) -> ExpectedResults:
    parts = each.mean(axis=0)
    foul, enters = (min(1.0, max(0.0, float(share))) for share in (parts[FOUL], parts[ENTERS:].sum()))
    # Both are estimates, so their sum can exceed 1.
    return ExpectedResults(foul=foul, fantasyland=min(enters, 1 - foul), royalties=float(parts[ROYALTIES]))


def compared_at_once(computers: Computers, view: HandView, placed: str, best: str) -> Comparison:
    """Compare two whole boards against the same opponents: sampled good boards if known, else those at the table."""
    boards = [_board(view, letters) for letters in (placed, best)]
    mine, its = (_values(computers, view, *board) for board in boards)
    between = [other - own for own, other in zip(mine, its, strict=True)]
    choices = [Choice(letters=text, facts=_facts_of(b[1])) for text, b in zip((placed, best), boards, strict=True)]
    return Comparison(placed=choices[0], best=choices[1], loss=_mean(between), error=_error_of_mean(between))


def value_at_once(computers: Computers, view: HandView, letters: str) -> float:
    """Return a board's value in points per opponent."""
    return _mean(_values(computers, view, *_board(view, letters)))


def _mean(each: Sequence[Floats]) -> float:
    """Return the mean over all opponents, each with their own sample of boards."""
    return sum(float(values.mean()) for values in each) / len(each)


def _error_of_mean(each: Sequence[Floats]) -> float:
    """Return the standard error of :func:`_mean`; the opponents' boards were sampled independently."""
    return hypot(*map(standard_error, each)) / len(each)


def _board(view: HandView, letters: str) -> tuple[RowCards, BoardScore]:
    assert view.mine
    rows, _ = place(EMPTY, known(view.mine.held), letters)
    return rows, score_hand(view.variant, [Board(rows=rows, fantasyland=view.mine.fantasyland)]).boards[0]


def _facts_of(score: BoardScore) -> ExpectedResults:
    return ExpectedResults(
        foul=float(score.foul), fantasyland=float(score.next_fantasyland > 0), royalties=float(score.royalties)
    )


def _values(computers: Computers, view: HandView, rows: RowCards, score: BoardScore) -> list[Floats]:
    """Return the board's values against each opponent, one for each of that opponent's sampled boards."""
    setter = computers.setter(view.variant)
    if setter is not None:
        return [setter.against_each(rows)]
    evaluator = computers.evaluator(view.variant)
    if evaluator is None:
        beside = STAY_POINTS * (score.next_fantasyland > 0) - view.variant.foul_points * score.foul
        return [np.array([score.royalties + beside], dtype=np.float32)]
    finals = evaluator.scorer.finals(board_codes(single_board(rows)))
    alone = score.royalties + evaluator.worth.get(score.next_fantasyland, 0.0)
    won = [one.each(finals)[0] for one in boards_met(view, evaluator, others=True)]
    return [alone + points for points in won or [np.zeros(1, np.float32)]]
