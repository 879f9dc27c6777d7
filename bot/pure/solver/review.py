"""The decisions of a finished hand, one by one, with what each has cost.

A decision is judged by what its player could see when they made it (:func:`decisions`), never by the cards that came.
Beside what was placed stands what a master would have placed. The two then meet the same deals, other deals than those
by which the master has chosen: a choice looks best on the deals that chose it. What is lost is a difference of means,
with the standard error of the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, Card
from bot.pure.ofc.hand import Hand, evolve
from bot.pure.ofc.log import By, CardsPlaced, Fact, FantasylandSet
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.boards import children
from bot.pure.solver.comparison import Choice, Comparison, compared, compared_at_once, roughly_compared
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.search import Judged
from bot.pure.solver.sight import board_in, chance_of, known, reviewed_spot

DEALS = 2400
"""How many deals the two placements of a decision meet."""
CERTAIN = 2
"""So many standard errors must a difference have to be one."""
NOTHING = 0.001
"""Values that differ less are the same."""
FLOOR, LARGE, BLUNDER = 0.3, 1.0, 3.0
"""Points from which a loss is a mistake, a large one, a blunder."""
ROUGH_FLOOR = 1.0
"""The same where nothing was fitted for the game, and every ending is taken for the best."""
_SALT = 15
"""Other deals, and other boards of the opponents, than those by which a master chooses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A decision as its player saw it, and what they placed."""

    view: HandView
    letters: str
    by: By

    @property
    def street(self) -> int:
        """The street, 0 for a whole board that is set at once."""
        return 0 if self.view.to_place == BOARD_CARDS else self.view.street


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was placed, what a master would have placed, and the points between them, of all opponents together."""

    street: int
    """0 for a whole board that was set at once."""
    placed: Choice
    best: Choice
    loss: float
    """Below zero where the placement turned out to be the better one."""
    error: float
    """The standard error of the loss; 0 where nothing was drawn."""
    real: bool
    """True where placements differ beyond doubt."""
    arranged: bool = False
    """True for a whole board that is the one the program arranges."""

    @property
    def lost(self) -> float:
        """The points that were given away."""
        return max(0.0, self.loss)

    @property
    def mistake(self) -> bool:
        """True where something was lost beyond doubt, and enough to speak of."""
        return self.loss > CERTAIN * self.error and self.loss > (FLOOR if self.placed.facts else ROUGH_FLOOR)


def moments(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact], seat: int) -> list[Moment]:
    """Every decision of a seat, in order; one that declared a natural or surrendered decided nothing else.

    A Fantasyland that was set again is one decision: the last one.
    """
    found = list(_moments(variant, deck, facts, seat))
    sets = [moment for moment in found if moment.view.to_place == BOARD_CARDS]
    return [moment for moment in found if moment not in sets[:-1]]


def _moments(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact], seat: int) -> Iterator[Moment]:
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        if isinstance(fact, CardsPlaced | FantasylandSet) and fact.seat == seat and not _declared(fact):
            yield Moment(view=_before(hand, fact), letters=fact.rows, by=fact.by)
        hand = evolve(hand, fact)


def _declared(fact: CardsPlaced | FantasylandSet) -> bool:
    return isinstance(fact, CardsPlaced) and fact.natural is not None


def _before(hand: Hand, fact: CardsPlaced | FantasylandSet) -> HandView:
    """What the seat sees before it places; a board that it sets again lies before it as if it had not been set."""
    view = view_for(hand, hand.seats[fact.seat].player)
    if isinstance(fact, CardsPlaced):
        return view
    seats = list(view.seats)
    seats[fact.seat] = replace(seats[fact.seat], rows=EMPTY, discards=(), placed=False, waiting=True)
    return replace(view, seats=tuple(seats))


def decision(computers: Computers, moment: Moment, *, deals: int = DEALS) -> Decision:
    """What a placement has cost."""
    at_once = moment.view.to_place == BOARD_CARDS
    found, real = _of_board(computers, moment) if at_once else _of_street(computers, moment, deals)
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


def _of_board(computers: Computers, moment: Moment) -> tuple[Comparison, bool]:
    best = computers.choose(moment.view, Level.MASTER)
    return compared_at_once(computers, moment.view, moment.letters, best), True


def _of_street(computers: Computers, moment: Moment, deals: int) -> tuple[Comparison, bool]:
    view = moment.view
    brain = computers.brain(view.variant)
    if brain is None:
        return roughly_compared(view, moment.letters, computers.choose(view, Level.MASTER)), _open(view)
    placements, spot = computers.evaluate(view), reviewed_spot(view, brain, _SALT)
    chance = chance_of(view, _SALT)
    found = compared(brain, spot, moment.letters, placements[0].letters, chance=chance, deals=deals)
    return found, _matters(placements)


def _open(view: HandView) -> bool:
    """True where the cards can be placed in more than one way."""
    assert view.mine
    cards = np.array([known(view.mine.held)], dtype=np.int32)
    return len(children(board_in(view), cards, to_place=view.to_place).boards) > 1


def _matters(placements: Sequence[Judged]) -> bool:
    """True where the best and the worst placement differ beyond doubt."""
    best, worst = placements[0], min(placements, key=lambda judged: judged.value)
    return best.value - worst.value > max(NOTHING, CERTAIN * hypot(best.error, worst.error))


DRAWS, BOARDS = 300, 16
"""How many other deals a street is compared with, and a board that is set at once, which takes longer."""
