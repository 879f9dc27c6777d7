"""Review of the decisions in a finished hand, with the cost of each.

A decision is judged by what its player could see at the time, never by the cards that came later. The player's
placement is compared with a master's on the same deals. These are fresh deals, because a choice looks too good on the
deals that led to it. The loss is a difference of means and comes with its standard error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, Card
from bot.pure.ofc.hand import Hand, evolve
from bot.pure.ofc.log import CardsPlaced, Fact, FantasylandSet, PlacedBy
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.boards import children
from bot.pure.solver.comparison import Choice, Comparison, compare, compared_at_once, roughly_compared
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.search import PlacementValue
from bot.pure.solver.visible_cards import board_in, known, reviewed_spot, seeded_generator

DEALS = 2400
"""Default number of deals on which the two placements of a decision are compared."""
CERTAIN = 2
"""Minimum size of a significant difference, in standard errors."""
NOTHING = 0.001
"""Values that differ by less than this count as equal."""
FLOOR, LARGE, BLUNDER = 0.3, 1.0, 3.0
"""Minimum loss of a mistake, a large mistake and a blunder, in points."""
ROUGH_FLOOR = 1.0
"""Minimum loss of a mistake in a game without fitted values, whose comparison is less accurate."""
SALT = 15
"""Salt for the review's own deals and opponents' boards, distinct from those on which a master chooses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPoint:
    """A player's view before a decision, and their placement."""

    view: HandView
    letters: str
    by: PlacedBy

    @property
    def street(self) -> int:
        """The street; 0 for a whole board set in one step."""
        return 0 if self.view.to_place == BOARD_CARDS else self.view.street


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A player's placement compared with a master's, in points over all opponents."""

    street: int
    """0 for a whole board set in one step."""
    placed: Choice
    best: Choice
    loss: float
    """Points lost; negative if the player's placement turned out to be better."""
    error: float
    """Standard error of the loss; 0 if nothing was sampled."""
    real: bool
    """True if the possible placements differ significantly, so that there was a real decision."""
    arranged: bool = False
    """True for a whole board that equals the program's own arrangement."""

    @property
    def lost(self) -> float:
        """The loss, or 0 if it's negative."""
        return max(0.0, self.loss)

    @property
    def mistake(self) -> bool:
        """True if the loss is significant and large enough to matter."""
        return self.loss > CERTAIN * self.error and self.loss > (FLOOR if self.placed.facts else ROUGH_FLOOR)


def moments(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact], seat: int) -> list[DecisionPoint]:
    """Return a seat's decisions in order. Declaring a natural and surrendering don't count as decisions.

    A Fantasyland board that was set more than once counts as one decision, the last.
    """
    found = list(_moments(variant, deck, facts, seat))
    sets = [moment for moment in found if moment.view.to_place == BOARD_CARDS]
    return [moment for moment in found if moment not in sets[:-1]]


def _moments(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact], seat: int) -> Iterator[DecisionPoint]:
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        if isinstance(fact, CardsPlaced | FantasylandSet) and fact.seat == seat and not _declared(fact):
            yield DecisionPoint(view=_view_before(hand, fact), letters=fact.rows, by=fact.by)
        hand = evolve(hand, fact)


def _declared(fact: CardsPlaced | FantasylandSet) -> bool:
    return isinstance(fact, CardsPlaced) and fact.natural is not None


def _view_before(hand: Hand, fact: CardsPlaced | FantasylandSet) -> HandView:
    """Return the seat's view before it placed. A board that was set again is shown as not set yet."""
    view = view_for(hand, hand.seats[fact.seat].player)
    if isinstance(fact, CardsPlaced):
        return view
    seats = list(view.seats)
    seats[fact.seat] = replace(seats[fact.seat], rows=EMPTY, discards=(), placed=False, waiting=True)
    return replace(view, seats=tuple(seats))


def decision(computers: Computers, moment: DecisionPoint, *, deals: int = DEALS) -> Decision:
    """Return the review of one decision."""
    at_once = moment.view.to_place == BOARD_CARDS
    found, real = _compare_board(computers, moment) if at_once else _compare_street(computers, moment, deals)
    opponents = len(moment.view.seats) - 1
    return Decision(
        street=moment.street,
        placed=found.placed,
        best=found.best,
        loss=found.loss * opponents,
        error=found.error * opponents,
        real=real,
        arranged=at_once and moment.letters == computers.arranged(moment.view),
    )


def _compare_board(computers: Computers, moment: DecisionPoint) -> tuple[Comparison, bool]:
    best = computers.choose(moment.view, Level.MASTER)
    return compared_at_once(computers, moment.view, moment.letters, best), True


def _compare_street(computers: Computers, moment: DecisionPoint, deals: int) -> tuple[Comparison, bool]:
    view = moment.view
    evaluator = computers.evaluator(view.variant)
    if evaluator is None:
        return roughly_compared(view, moment.letters, computers.choose(view, Level.MASTER)), _open(view)
    placements, spot = computers.evaluate(view), reviewed_spot(view, evaluator, SALT)
    chance = seeded_generator(view, SALT)
    found = compare(evaluator, spot, moment.letters, placements[0].letters, chance=chance, deals=deals)
    return found, _matters(placements)


def _open(view: HandView) -> bool:
    """True if there is more than one way to place the cards."""
    assert view.mine
    cards = np.array([known(view.mine.held)], dtype=np.int32)
    return len(children(board_in(view), cards, to_place=view.to_place).boards) > 1


def _matters(placements: Sequence[PlacementValue]) -> bool:
    """True if the best and the worst placement differ significantly."""
    best, worst = placements[0], min(placements, key=lambda judged: judged.value)
    return best.value - worst.value > max(NOTHING, CERTAIN * hypot(best.error, worst.error))


DRAWS, BOARDS = 300, 16
"""Number of alternative deals sampled to estimate the luck of a street, and of a whole board (which takes longer)."""
