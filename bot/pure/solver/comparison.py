"""Two placements of the same cards, compared: what each is worth, and what lies between them.

Both meet the same deals, so that the difference is known far better than either value.

Two whole boards compared that can be set from the same cards: in Fantasyland, or with thirteen cards.
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
from bot.pure.solver.boards import Boards, board_of, children, patterns
from bot.pure.solver.brain import Brain
from bot.pure.solver.levels import Computers
from bot.pure.solver.outcomes import ENTERS, FOUL, ROYALTIES, board_codes
from bot.pure.solver.possible_futures import completions
from bot.pure.solver.row_tables import Floats
from bot.pure.solver.search import Spot, looked_ahead, outcomes_of_each
from bot.pure.solver.sight import boards_met, known

GUESSED, BY_STEPS = 0.5, 0.1
"""Points against each opponent that a loss may be off (a standard error): where a network guesses what boards will come
to, and two streets before the last, where opponents are known by steps of strength. ``make bench-solver`` measures
both (``--part coverage``).
"""
FUTURES = 300
"""How many futures two placements meet in a game for which nothing was fitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a placement leads to."""

    foul: float
    """The chance of a foul, 0-1."""
    fantasyland: float
    """The chance of Fantasyland next hand, 0-1."""
    royalties: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A placement, and what it leads to."""

    letters: str
    facts: Facts | None
    """None in a game for which nothing was fitted: nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What was placed and what a master would have placed."""

    placed: Choice
    best: Choice
    loss: float
    """Points against each opponent that lie between them; below zero where what was placed is better."""
    error: float
    """The standard error of the loss; 0 where nothing was drawn or guessed."""


def compared(
    brain: Brain, spot: Spot, placed: str, best: str, *, chance: np.random.Generator, deals: int
) -> Comparison:
    """Both placements on the same deals: so many of the next street, or all that there are against each of the
    opponents' boards that were drawn.
    """
    each = _outcomes(brain, spot, _boards(brain, spot, (placed, best)), chance, deals=deals)
    between = (each[1] - each[0]) @ brain.weights
    sets = 1 if brain.compares(spot.street) else len(spot.rivals.fouls)
    error = error_by_sets(between, sets)
    return Comparison(
        placed=Choice(letters=placed, facts=_facts(each[0])),
        best=Choice(letters=best, facts=_facts(each[1])),
        loss=float(between.mean()),
        error=hypot(error, _guessed(brain, spot.street)) if between.any() else 0.0,
    )


def _guessed(brain: Brain, street: int) -> float:
    """How far off the loss of a street may be beside what is drawn."""
    if brain.compares(street):
        return 0.0
    exactly = street == brain.last - 2 and brain.before_last.exact
    return BY_STEPS if exactly else GUESSED


def roughly_compared(view: HandView, placed: str, best: str) -> Comparison:
    """Both placements in the same futures, each completed at its best, in a game for which nothing was fitted.

    Such an ending knows the cards to come, and so counts for more than players can make of it.
    """
    mine, its = np.array(completions(view, (placed, best), futures=FUTURES))
    return Comparison(
        placed=Choice(letters=placed, facts=None),
        best=Choice(letters=best, facts=None),
        loss=float((its - mine).mean()),
        error=error_of(its - mine),
    )


def error_of(values: Floats) -> float:
    """The standard error of the mean of values that were drawn; one alone was not."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def error_by_sets(values: Floats, sets: int) -> float:
    """The same of values that met so many sets of opponents' boards in turn, all of a set the same ones.

    What their means differ by holds the chance of the opponents' boards as well as that of the deals.
    """
    sets = min(sets, len(values))
    if sets == 1:
        return error_of(values)
    return max(error_of(values), error_of(np.array([values[one::sets].mean() for one in range(sets)])))


def _boards(brain: Brain, spot: Spot, placements: tuple[str, str]) -> Boards:
    """The boards that two placements make."""
    rule = brain.variant.streets[spot.street - 1]
    found = children(spot.board, np.array([spot.held], dtype=np.int32), to_place=rule.to_place)
    ways = patterns(rule.deal, rule.to_place)
    letters = [ways.letters(int(pattern)) for pattern in found.pattern]
    return found.boards.at(np.array([letters.index(placement) for placement in placements], dtype=np.intp))


def _outcomes(brain: Brain, spot: Spot, boards: Boards, chance: np.random.Generator, *, deals: int) -> Floats:
    """What each board comes to with each deal, or with each board of the opponents that was drawn; one line where
    nothing was: (boards, draws, PARTS).
    """
    if brain.compares(spot.street):
        return outcomes_of_each(brain, spot, boards)
    return looked_ahead(brain, spot, boards, chance, draws=deals)


def _facts(each: Floats) -> Facts:
    parts = each.mean(axis=0)
    foul, enters = (min(1.0, max(0.0, float(share))) for share in (parts[FOUL], parts[ENTERS:].sum()))
    # Two guesses may promise more than there is.
    return Facts(foul=foul, fantasyland=min(enters, 1 - foul), royalties=float(parts[ROYALTIES]))


def compared_at_once(computers: Computers, view: HandView, placed: str, best: str) -> Comparison:
    """Both boards against the same opponents: all that are known to set well, or those at the table."""
    boards = [_board(view, letters) for letters in (placed, best)]
    mine, its = (_values(computers, view, *board) for board in boards)
    between = [other - own for own, other in zip(mine, its, strict=True)]
    choices = [Choice(letters=text, facts=_facts_of(b[1])) for text, b in zip((placed, best), boards, strict=True)]
    return Comparison(placed=choices[0], best=choices[1], loss=_mean(between), error=_error_of_mean(between))


def value_at_once(computers: Computers, view: HandView, letters: str) -> float:
    """What a board is worth in points against each opponent."""
    return _mean(_values(computers, view, *_board(view, letters)))


def _mean(each: Sequence[Floats]) -> float:
    """The mean of all opponents, each of whom is known by boards of their own."""
    return sum(float(values.mean()) for values in each) / len(each)


def _error_of_mean(each: Sequence[Floats]) -> float:
    """The standard error of that: the opponents' boards were drawn apart."""
    return hypot(*map(error_of, each)) / len(each)


def _board(view: HandView, letters: str) -> tuple[RowCards, BoardScore]:
    assert view.mine
    rows, _ = place(EMPTY, known(view.mine.held), letters)
    return rows, score_hand(view.variant, [Board(rows=rows, fantasyland=view.mine.fantasyland)]).boards[0]


def _facts_of(score: BoardScore) -> Facts:
    return Facts(
        foul=float(score.foul), fantasyland=float(score.next_fantasyland > 0), royalties=float(score.royalties)
    )


def _values(computers: Computers, view: HandView, rows: RowCards, score: BoardScore) -> list[Floats]:
    """What a board is worth against each opponent, from each of the boards by which they are known."""
    setter = computers.setter(view.variant)
    if setter is not None:
        return [setter.against_each(rows)]
    brain = computers.brain(view.variant)
    if brain is None:
        beside = STAY_POINTS * (score.next_fantasyland > 0) - view.variant.foul_points * score.foul
        return [np.array([score.royalties + beside], dtype=np.float32)]
    finals = brain.scorer.finals(board_codes(board_of(rows)))
    alone = score.royalties + brain.worth.get(score.next_fantasyland, 0.0)
    won = [one.each(finals)[0] for one in boards_met(view, brain, others=True)]
    return [alone + points for points in won or [np.zeros(1, np.float32)]]
