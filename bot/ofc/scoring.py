"""Scoring a hand: fouls, royalties, and every pair of players against each other.

Each unordered pair settles on its own: a point for each row won, a bonus for three strict wins (scoop), and the
difference of royalties. A fouled board loses all three rows and the scoop to a legal one and collects no royalties;
two fouled boards settle nothing. The points of a table sum to zero by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from bot.ofc.fantasyland import next_fantasyland
from bot.ofc.ranks import Category, Strength, category_of, row_strength
from bot.ofc.rows import ROWS, RowCards
from bot.ofc.variants import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A complete board as it is scored; ``fantasyland`` is the number of cards dealt there, 0 outside."""

    rows: RowCards
    fantasyland: int = 0
    forfeited: bool = False
    """True for a seat that gave up the hand: it is scored as a foul, its rows may be incomplete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowScore:
    """One row by itself: what it is and what it pays (0 when the board is fouled)."""

    strength: Strength
    category: Category
    royalty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardScore:
    """One board by itself. ``rows`` is front, middle, back, or None for an incomplete, forfeited board."""

    foul: bool
    rows: tuple[RowScore, RowScore, RowScore] | None
    royalties: int
    next_fantasyland: int
    """Cards dealt to this seat in Fantasyland next hand, 0 for an ordinary hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairScore:
    """Two seats against each other, seen from ``first``: +1 a row won, -1 a row lost, 0 a tie."""

    first: int
    second: int
    rows: tuple[int, int, int]
    scoop: int
    royalties: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandScore:
    """A whole hand: each board, each pair (first < second, in order of seats), and points by seat."""

    boards: tuple[BoardScore, ...]
    pairs: tuple[PairScore, ...]
    points: tuple[int, ...]


def in_order(variant: Variant, strengths: Sequence[Strength]) -> bool:
    """True when front <= middle <= back (strictly lower where the variant says so)."""
    front, middle, back = strengths
    if variant.strict_rows:
        return front < middle < back
    return front <= middle <= back


def score_board(variant: Variant, board: Board) -> BoardScore:
    """One board by itself: foul, royalties, and what it is dealt next hand."""
    if board.forfeited:
        return BoardScore(foul=True, rows=None, royalties=0, next_fantasyland=0)
    strengths = [row_strength(cards) for cards in board.rows]
    foul = not in_order(variant, strengths)
    front, middle, back = (
        RowScore(
            strength=strength,
            category=category_of(strength),
            royalty=0 if foul else variant.royalties.of(row, strength),
        )
        for row, strength in zip(ROWS, strengths, strict=True)
    )
    return BoardScore(
        foul=foul,
        rows=(front, middle, back),
        royalties=front.royalty + middle.royalty + back.royalty,
        next_fantasyland=0 if foul else next_fantasyland(variant, strengths, held=board.fantasyland),
    )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _row_wins(first: BoardScore, second: BoardScore) -> tuple[int, int, int]:
    """+1, 0 or -1 for front, middle and back, from the side of ``first``."""
    if first.foul or second.foul:
        win = int(second.foul) - int(first.foul)
        return win, win, win
    assert first.rows is not None
    assert second.rows is not None
    front, middle, back = (_sign(a.strength - b.strength) for a, b in zip(first.rows, second.rows, strict=True))
    return front, middle, back


def score_pair(variant: Variant, boards: Sequence[BoardScore], *, first: int, second: int) -> PairScore:
    """Two seats against each other, from the side of ``first``."""
    rows = _row_wins(boards[first], boards[second])
    won = sum(rows)
    scoop = won // 3 if abs(won) == 3 else 0
    royalties = boards[first].royalties - boards[second].royalties
    points = won * variant.row_point + scoop * variant.scoop_bonus + royalties
    return PairScore(first=first, second=second, rows=rows, scoop=scoop, royalties=royalties, points=points)


def score_hand(variant: Variant, boards: Sequence[Board]) -> HandScore:
    """The whole hand; ``points`` sum to zero."""
    scored = tuple(score_board(variant, board) for board in boards)
    pairs = tuple(
        score_pair(variant, scored, first=first, second=second) for first, second in combinations(range(len(scored)), 2)
    )
    points = [0] * len(scored)
    for pair in pairs:
        points[pair.first] += pair.points
        points[pair.second] -= pair.points
    return HandScore(boards=scored, pairs=pairs, points=tuple(points))
