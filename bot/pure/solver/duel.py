"""Duels between computer players on the same decks, and simple reference players to measure the levels against."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import sqrt
from statistics import fmean, stdev

import numpy as np

from bot.pure.ofc.cards import BOARD_CARDS, ROWS, Card, Row, RowCards
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve, start
from bot.pure.ofc.ranks import Strength
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.boards import Children, children, patterns, single_board
from bot.pure.solver.general import PLACED, share_beaten
from bot.pure.solver.possible_futures import completions
from bot.pure.solver.row_tables import Ints, codes_of, part_strengths, row_values
from bot.pure.solver.visible_cards import cards_to_place, declares, known

Chooser = Callable[[HandView], str]
"""A player: takes a view and returns a placement."""
CERTAINTY = 1.96
"""Half-width of a 95 % confidence interval, in standard errors."""


FUTURES = 20
"""Number of sampled futures per placement for the ``completion`` player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelResult:
    """One player's result in one hand."""

    player: int
    """The player's index in the duel."""
    board: RowCards
    royalties: int
    foul: bool
    fantasyland_cards: int
    """Fantasyland cards earned for the next hand; 0 if none."""
    points: int


def play_hand(variant: Variant, deck: tuple[Card, ...], seated: Sequence[tuple[int, Chooser]]) -> list[DuelResult]:
    """Play one hand without Fantasyland.

    ``seated`` lists each player's index and chooser in seat order. The last seat has the button.
    """
    names = [str(seat) for seat in range(len(seated))]
    opening = start(variant, deck, players=names, fantasyland=[0] * len(names), button=len(names) - 1)
    hand = reduce(evolve, opening, Hand(variant=variant, deck=deck))
    while hand.status is HandStatus.PLAYING:
        seat = hand.waiting[0]
        view = view_for(hand, names[seat])
        action = PlaceCards(seat=seat, rows=seated[seat][1](view), declare=declares(view))
        hand = reduce(evolve, decide(hand, action), hand)
    score = hand.score
    return [
        DuelResult(
            player=number,
            board=hand.seats[seat].rows,
            royalties=score.boards[seat].royalties,
            foul=score.boards[seat].foul,
            fantasyland_cards=score.boards[seat].next_fantasyland,
            points=score.points[seat],
        )
        for seat, (number, _) in enumerate(seated)
    ]


def with_fantasyland(showings: Sequence[DuelResult], worth: Mapping[int, float]) -> list[float]:
    """Return each player's points including the value of the Fantasylands that were earned.

    ``worth`` is the value of a Fantasyland by its number of cards, in points per opponent.
    """
    entered = [worth.get(showing.fantasyland_cards, 0.0) for showing in showings]
    return [showing.points + len(showings) * own - sum(entered) for showing, own in zip(showings, entered, strict=True)]


def rotations(players: int) -> list[list[int]]:
    """Return the seat orders in which each deck is played, so that every player sits once in every seat."""
    return [[(first + seat) % players for seat in range(players)] for first in range(players)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean with its 95 % confidence interval; ``off`` is the half-width."""

    mean: float
    off: float

    def __str__(self) -> str:  # type: ignore[explicit-override]  # typing has no override before 3.12
        return f"{self.mean:+.1f} ± {self.off:.1f}"


def interval(values: Sequence[float]) -> Interval:
    """Return the mean of independent values. A single value has an infinite interval."""
    off = CERTAINTY * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
    return Interval(mean=fmean(values), off=off)


def per_hundred(points: Sequence[Sequence[float]]) -> Interval:
    """Return the points per 100 hands. ``points`` are grouped by deck, because hands of one deck aren't independent."""
    return interval([100 * fmean(deck) for deck in points])


def greedy(view: HandView) -> str:
    """Choose the placement that would win the most rows if the hand ended now, preferring boards with rows in order."""
    held = cards_to_place(view)
    if view.to_place == BOARD_CARDS:
        return best_arrangement(view.variant, held)
    found = _child_boards(view, held)
    codes = codes_of(found.boards.kinds, found.boards.suits)
    made = [_row_strengths(view.variant, row, codes[:, row.place]) for row in ROWS]
    won = np.zeros(len(codes))
    for row in ROWS:
        won += [share_beaten(PLACED[row], Strength(int(one))) for one in made[row.place]]
    ordered = (made[0] <= made[1]) & (made[1] <= made[2])
    best = np.lexsort((won, ordered))[-1]
    return patterns(len(held), view.to_place).letters(int(found.pattern[best]))


def _child_boards(view: HandView, held: tuple[Card, ...]) -> Children:
    """Return the boards of all placements."""
    assert view.mine
    front, middle, back = map(known, view.mine.rows)
    return children(single_board((front, middle, back)), np.array([held], dtype=np.int32), to_place=view.to_place)


def _row_strengths(variant: Variant, row: Row, codes: Ints) -> Ints:
    """Return the rows' strengths, also of rows that aren't full yet."""
    made: Ints = np.maximum(row_values(variant, row).strongest[codes], part_strengths(row.size)[codes // 2])
    return made


def completion(view: HandView) -> str:
    """Choose the placement whose best completions average the most points over sampled futures, ignoring opponents."""
    held = cards_to_place(view)
    if view.to_place == BOARD_CARDS:
        return best_arrangement(view.variant, held)
    found = _child_boards(view, held)
    ways = [patterns(len(held), view.to_place).letters(int(pattern)) for pattern in found.pattern]
    alone = replace(view, variant=replace(view.variant, row_point=0, row_values={}))
    outcomes = np.array(completions(alone, ways, futures=FUTURES))
    return ways[int(outcomes.mean(axis=1).argmax())]


YARDSTICKS: Mapping[str, Chooser] = {"completion": completion, "greedy": greedy}
"""Reference players by name."""
