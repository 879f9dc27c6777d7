"""Hands that computer players play against each other on the same decks, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import sqrt
from statistics import fmean, stdev

from bot.ofc.cards import Card
from bot.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve, start
from bot.ofc.rows import RowCards
from bot.ofc.variants import Variant
from bot.ofc.view import HandView, view_for
from bot.solver.sight import declares

Chooser = Callable[[HandView], str]
"""A player: from a view to a placement."""
CERTAINTY = 1.96
"""Standard errors to each side of a mean that hold it in 95 of 100 cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """What one player showed in one hand."""

    player: int
    """The player's number among those who play each other."""
    board: RowCards
    royalties: int
    foul: bool
    fantasyland_cards: int
    """Cards that the board earned for the next hand, 0 for none."""
    points: int


def played(variant: Variant, deck: tuple[Card, ...], seated: Sequence[tuple[int, Chooser]]) -> list[Showing]:
    """One ordinary hand: players with their numbers in the order of seats, the last on the button."""
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
        Showing(
            player=number,
            board=hand.seats[seat].rows,
            royalties=score.boards[seat].royalties,
            foul=score.boards[seat].foul,
            fantasyland_cards=score.boards[seat].next_fantasyland,
            points=score.points[seat],
        )
        for seat, (number, _) in enumerate(seated)
    ]


def with_fantasyland(showings: Sequence[Showing], worth: Mapping[int, float]) -> list[float]:
    """The points of each with what was entered: ``worth`` is by the number of cards, against each opponent."""
    entered = [worth.get(showing.fantasyland_cards, 0.0) for showing in showings]
    return [showing.points + len(showings) * own - sum(entered) for showing, own in zip(showings, entered, strict=True)]


def rotations(players: int) -> list[list[int]]:
    """Every player once in every seat: the orders in which each deck is played."""
    return [[(first + seat) % players for seat in range(players)] for first in range(players)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean with how far it may be off: 95 of 100 such intervals hold the true value."""

    mean: float
    off: float

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.off:.1f}"


def interval(values: Sequence[float]) -> Interval:
    """The mean of independent values. One value alone may be off by any amount."""
    off = CERTAINTY * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
    return Interval(mean=fmean(values), off=off)


def per_hundred(points: Sequence[Sequence[float]]) -> Interval:
    """Points per 100 hands, from the points of each deck's hands: hands of one deck are not independent."""
    return interval([100 * fmean(deck) for deck in points])
