"""Two whole boards compared that can be set from the same cards: in Fantasyland, or with thirteen cards."""

from __future__ import annotations

import numpy as np

from bot.ofc.placement import place
from bot.ofc.rows import EMPTY, RowCards
from bot.ofc.scoring import Board, BoardScore, score_hand
from bot.ofc.view import HandView
from bot.solver.arrange import STAY_POINTS
from bot.solver.boards import board_of
from bot.solver.brain import Brain
from bot.solver.comparison import Choice, Comparison, Facts, error_of
from bot.solver.levels import Computers
from bot.solver.outcomes import ROW_POINTS
from bot.solver.rowtables import Floats
from bot.solver.sight import known, rivals_in


def compared_at_once(computers: Computers, view: HandView, placed: str, best: str) -> Comparison:
    """Both boards against the same opponents: all that are known to set well, or those at the table."""
    boards = [_board(view, letters) for letters in (placed, best)]
    mine, its = (_values(computers, view, *board) for board in boards)
    choices = [Choice(letters=text, facts=_facts(b[1])) for text, b in zip((placed, best), boards, strict=True)]
    return Comparison(placed=choices[0], best=choices[1], loss=float((its - mine).mean()), error=error_of(its - mine))


def value_at_once(computers: Computers, view: HandView, letters: str) -> float:
    """What a board is worth in points against each opponent."""
    return float(_values(computers, view, *_board(view, letters)).mean())


def _board(view: HandView, letters: str) -> tuple[RowCards, BoardScore]:
    assert view.mine
    rows, _ = place(EMPTY, known(view.mine.held), letters)
    return rows, score_hand(view.variant, [Board(rows=rows, fantasyland=view.mine.fantasyland)]).boards[0]


def _facts(score: BoardScore) -> Facts:
    return Facts(
        foul=float(score.foul), fantasyland=float(score.next_fantasyland > 0), royalties=float(score.royalties)
    )


def _values(computers: Computers, view: HandView, rows: RowCards, score: BoardScore) -> Floats:
    """What a board is worth against each of the opponents that it is compared by."""
    setter = computers.setter(view.variant)
    if setter is not None:
        return setter.against_each(rows)
    brain = computers.brain(view.variant)
    return np.array([score.royalties + _beside(view, brain, rows, score)], dtype=np.float32)


def _beside(view: HandView, brain: Brain | None, rows: RowCards, score: BoardScore) -> float:
    """What the rows win or lose, and what the next hand is worth."""
    if brain is None:
        return STAY_POINTS * (score.next_fantasyland > 0) - view.variant.foul_points * score.foul
    return _row_points(view, brain, rows) + brain.worth.get(score.next_fantasyland, 0.0)


def _row_points(view: HandView, brain: Brain, rows: RowCards) -> float:
    """What the rows win from the opponents' boards as far as they are known."""
    parts = brain.scorer.outcomes(board_of(rows), rivals_in(view, brain), np.zeros(1, dtype=np.intp))
    return float(parts[0, ROW_POINTS])
