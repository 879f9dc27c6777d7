"""The decisions of a finished hand, one by one, with what each has cost; its deals, and the luck in them.

A decision is judged by what its player could see when they made it (:func:`decisions`), never by the cards that came.
Beside what was placed stands what a master would have placed. The two then meet the same deals, other deals than those
by which the master has chosen: a choice looks best on the deals that chose it. What is lost is a difference of means,
with the standard error of the difference.

The luck of a deal is what its cards are worth, placed best, less what cards drawn at that moment are worth on average.
Whatever the players do, its mean is zero. So a result less the luck in it is the same on average, and quieter: what is
left is mostly what the players have won and lost by their decisions. How good the values are matters for how quiet it
is, and not for its mean.

In backgammon this is the luck-adjusted result; Zinkevich and others (2006) show for poker why its mean is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot

import numpy as np
from numpy.typing import NDArray

from bot.ofc.cards import BOARD_CARDS, EMPTY, Card
from bot.ofc.hand import Hand, evolve
from bot.ofc.log import By, CardsPlaced, Fact, FantasylandSet
from bot.ofc.scoring import HandScore
from bot.ofc.variants import Variant
from bot.ofc.view import HandView, view_for
from bot.solver.boards import Boards, Floats, Ints, children, counts_of
from bot.solver.brain import Brain
from bot.solver.comparison import Choice, Comparison, compared, compared_at_once, roughly_compared, value_at_once
from bot.solver.levels import Computers, Level
from bot.solver.lookahead import ahead, drawn
from bot.solver.network import Deals
from bot.solver.outcomes import Rivals
from bot.solver.search import Judged
from bot.solver.sight import board_in, chance_of, known, reviewed_spot, rivals_in, unseen_by

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


PLAYED_OUT = 16
"""How often an opponent's board is played out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Cards as they came to one player."""

    view: HandView
    """What they saw before."""
    cards: tuple[Card, ...]
    left: tuple[Card, ...] | None
    """The cards from which they were dealt; None where it counts what their player had not seen."""


def deals_of(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact]) -> Iterator[Deal]:
    """Every deal of a hand, in order."""
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        before, hand = hand, evolve(hand, fact)
        dealt = before.dealt
        held = [len(seat.held) for seat in before.seats] or [0] * len(hand.seats)
        for seat in hand.clockwise if hand.dealt > dealt else ():
            count = len(hand.seats[seat].held) - held[seat]
            if count > 0:
                view = _before_these_cards(view_for(hand, hand.seats[seat].player))
                yield Deal(view=view, cards=deck[dealt : dealt + count], left=deck[dealt:])
                dealt += count


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a hand has come to for one seat, and how much of it was luck."""

    points: int
    worth: tuple[float, ...]
    """What each seat's next Fantasyland is worth to this one, in points: below zero that of another."""
    luck: float | None
    """The luck of the deals; None where nobody knows what unfinished boards are worth."""

    @property
    def fantasyland(self) -> float:
        """What Fantasyland is worth that was entered, less what others have entered."""
        return sum(self.worth)

    @property
    def result(self) -> float:
        """Points with what Fantasyland is worth."""
        return self.points + self.fantasyland

    @property
    def adjusted(self) -> float | None:
        """The result without the luck."""
        return None if self.luck is None else self.result - self.luck


def account(computers: Computers, variant: Variant, score: HandScore, deals: Sequence[Deal], seat: int) -> Account:
    """How a seat has done; ``deals`` are those whose luck counts."""
    brain = computers.brain(variant)
    worth = brain.worth if brain else {}
    each = [worth.get(board.next_fantasyland, 0.0) for board in score.boards]
    return Account(
        points=score.points[seat],
        worth=tuple((len(each) - 1) * one if number == seat else -one for number, one in enumerate(each)),
        luck=luck_in(computers, deals, seat),
    )


def in_sight(deal: Deal) -> Deal:
    """A deal as its player alone may judge it: what others hold and have discarded may be dealt as well."""
    return replace(deal, left=None)


def _before_these_cards(view: HandView) -> HandView:
    """A view from before these cards came, and those of the others that were dealt at the same time."""
    return replace(view, seats=tuple(replace(seat, held=()) for seat in view.seats))


def luck_in(computers: Computers, deals: Sequence[Deal], seat: int) -> float | None:
    """How much more than usual a seat has won by these deals, its own and others', in points of all pairs together.

    None for a game in which nobody knows what unfinished boards are worth.
    """
    total = 0.0
    for deal in deals:
        found = luck_of(computers, deal)
        if found is None:
            return None
        total += found * (len(deal.view.seats) - 1 if deal.view.you == seat else -1)
    return total


def luck_of(computers: Computers, deal: Deal) -> float | None:
    """How much more than usual the cards are worth to their player, in points against each opponent."""
    if len(deal.cards) >= BOARD_CARDS:
        return _luck_of_board(computers, deal)
    brain = computers.brain(deal.view.variant)
    return None if brain is None else _luck_of_street(brain, deal)


def _luck_of_street(brain: Brain, deal: Deal) -> float:
    found = luck_of_deals(
        brain,
        board_in(deal.view),
        Deals(_unseen(deal)[None], rivals_in(deal.view, brain)),
        np.array([deal.cards], dtype=np.int32),
        street=deal.view.street,
        draws=DRAWS,
        chance=chance_of(deal.view, *deal.cards),
    )
    return float(found[0])


def _luck_of_board(computers: Computers, deal: Deal) -> float:
    others = drawn(_unseen(deal)[None], len(deal.cards), BOARDS, chance_of(deal.view, *deal.cards))[0]
    mine, *its = (_worth(computers, deal, cards) for cards in (deal.cards, *others.tolist()))
    return mine - sum(its) / len(its)


def _worth(computers: Computers, deal: Deal, cards: Sequence[int]) -> float:
    """What the best board of these cards is worth."""
    assert deal.view.you is not None
    seats = list(deal.view.seats)
    seats[deal.view.you] = replace(seats[deal.view.you], held=tuple(map(Card, cards)))
    view = replace(deal.view, seats=tuple(seats))
    return value_at_once(computers, view, computers.choose(view, Level.MASTER))


def _unseen(deal: Deal) -> Ints:
    """The cards that could have been dealt."""
    return unseen_by(deal.view) if deal.left is None else counts_of(deal.left)


def luck_of_deals(
    brain: Brain, boards: Boards, deals: Deals, cards: Ints, *, street: int, draws: int, chance: np.random.Generator
) -> Floats:
    """How much more than usual the cards (boards, cards) are worth to each board, which are dealt in this street.

    ``deals.unseen`` are all the cards from which they were dealt.
    """
    usual = drawn(deals.unseen, cards.shape[1], draws, chance)

    def judge(after: Boards, left: Deals, deal: NDArray[np.intp]) -> Floats:
        return brain.expected(after, left, deal, street=street)

    both = np.concatenate([cards[:, None].astype(np.int32), usual], axis=1)
    parts = ahead(boards, deals, both, judge, brain.weights, to_place=brain.variant.streets[street - 1].to_place)
    values = parts @ brain.weights
    found: Floats = values[:, 0] - values[:, 1:].mean(axis=1)
    return found


def rivals_of(brain: Brain, boards: Boards, unseen: Ints, chance: np.random.Generator, *, after: int) -> Rivals:
    """What boards may become that have been played to the end of street ``after``."""
    count = len(boards)
    if not after:
        return brain.usual.at(np.zeros(count, dtype=np.intp))
    each = np.repeat(np.arange(count), PLAYED_OUT)
    done = brain.played_out(boards.at(each), unseen[each], chance, after=after)
    return brain.scorer.rivals_from(done, PLAYED_OUT)
