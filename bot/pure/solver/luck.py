"""Luck of the deals in a finished hand.

The luck of a deal is the value of its cards in their best placement, minus the average value of the cards that could
have been dealt. Its mean is zero, whatever the players do. Subtracting luck from a result therefore keeps its mean and
reduces its variance, so the remainder shows mostly the players' decisions. Better values reduce the variance further,
but don't affect the mean.

In backgammon, this is called the luck-adjusted result. Zinkevich et al. (2006) prove for poker that it's unbiased.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import BOARD_CARDS, Card
from bot.pure.ofc.hand import Hand, evolve
from bot.pure.ofc.log import Fact
from bot.pure.ofc.scoring import HandScore
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.boards import Boards, counts_of
from bot.pure.solver.comparison import value_at_once
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.lookahead import ahead, drawn
from bot.pure.solver.network import Deals
from bot.pure.solver.outcomes import OpponentBoards
from bot.pure.solver.review import BOARDS, DRAWS
from bot.pure.solver.row_tables import Floats, Ints
from bot.pure.solver.visible_cards import board_in, rivals_in, seeded_generator, unseen_by

PLAYED_OUT = 16
"""Sampled completions per opponent's board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetDeal:
    """One player's cards of one street."""

    view: HandView
    """The player's view before the deal."""
    cards: tuple[Card, ...]
    left: tuple[Card, ...] | None
    """The cards they were dealt from; None to count every card that the player hadn't seen."""


def iter_deals(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact]) -> Iterator[StreetDeal]:
    """Yield the deals of a hand in order."""
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        before, hand = hand, evolve(hand, fact)
        dealt = before.dealt
        held = [len(seat.held) for seat in before.seats] or [0] * len(hand.seats)
        for seat in hand.clockwise if hand.dealt > dealt else ():
            count = len(hand.seats[seat].held) - held[seat]
            if count > 0:
                view = _before_these_cards(view_for(hand, hand.seats[seat].player))
                yield StreetDeal(view=view, cards=deck[dealt : dealt + count], left=deck[dealt:])
                dealt += count


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckResult:
    """One seat's result in a hand, and how much of it was luck."""

    points: int
    worth: tuple[float, ...]
    """Value of each seat's next Fantasyland to this seat, in points; negative for the other seats."""
    luck: float | None
    """Luck of the deals; None if the game has no fitted values."""

    @property
    def fantasyland(self) -> float:
        """Value of the seat's Fantasyland minus the value of the others'."""
        return sum(self.worth)

    @property
    def result(self) -> float:
        """Points including the value of Fantasyland."""
        return self.points + self.fantasyland

    @property
    def adjusted(self) -> float | None:
        """The result minus luck; None if luck isn't known."""
        return None if self.luck is None else self.result - self.luck


def account(
    computers: Computers, variant: Variant, score: HandScore, deals: Sequence[StreetDeal], seat: int
) -> LuckResult:
    """Return a seat's account of the hand, counting the luck of ``deals``."""
    evaluator = computers.evaluator(variant)
    worth = evaluator.worth if evaluator else {}
    each = [worth.get(board.next_fantasyland, 0.0) for board in score.boards]
    return LuckResult(
        points=score.points[seat],
        worth=tuple((len(each) - 1) * one if number == seat else -one for number, one in enumerate(each)),
        luck=luck_in(computers, deals, seat),
    )


def in_sight(deal: StreetDeal) -> StreetDeal:
    """Return the deal from its player's point of view, where opponents' held and discarded cards count as undealt."""
    return replace(deal, left=None)


def _before_these_cards(view: HandView) -> HandView:
    """Return the view before this deal, without any cards dealt to other seats at the same time."""
    return replace(view, seats=tuple(replace(seat, held=()) for seat in view.seats))


def luck_in(computers: Computers, deals: Sequence[StreetDeal], seat: int) -> float | None:
    """Return the luck of all players' deals for one seat, in points over all opponents.

    Return None if the game has no fitted values.
    """
    total = 0.0
    for deal in deals:
        found = luck_of(computers, deal)
        if found is None:
            return None
        total += found * (len(deal.view.seats) - 1 if deal.view.you == seat else -1)
    return total


def luck_of(computers: Computers, deal: StreetDeal) -> float | None:
    """Return the luck of one deal for its player, in points per opponent; None if the game has no fitted values."""
    if len(deal.cards) >= BOARD_CARDS:
        return _luck_of_board(computers, deal)
    evaluator = computers.evaluator(deal.view.variant)
    return None if evaluator is None else _luck_of_street(evaluator, deal)


def _luck_of_street(evaluator: Evaluator, deal: StreetDeal) -> float:
    found = luck_of_deals(
        evaluator,
        board_in(deal.view),
        Deals(_unseen(deal)[None], rivals_in(deal.view, evaluator)),
        np.array([deal.cards], dtype=np.int32),
        street=deal.view.street,
        draws=DRAWS,
        chance=seeded_generator(deal.view, *deal.cards),
    )
    return float(found[0])


def _luck_of_board(computers: Computers, deal: StreetDeal) -> float:
    others = drawn(_unseen(deal)[None], len(deal.cards), BOARDS, seeded_generator(deal.view, *deal.cards))[0]
    mine, *its = (_best_value(computers, deal, cards) for cards in (deal.cards, *others.tolist()))
    return mine - sum(its) / len(its)


def _best_value(computers: Computers, deal: StreetDeal, cards: Sequence[int]) -> float:
    """Return the value of the best board from these cards."""
    assert deal.view.you is not None
    seats = list(deal.view.seats)
    seats[deal.view.you] = replace(seats[deal.view.you], held=tuple(map(Card, cards)))
    view = replace(deal.view, seats=tuple(seats))
    return value_at_once(computers, view, computers.choose(view, Level.MASTER))


def _unseen(deal: StreetDeal) -> Ints:
    """Return the cards that could have been dealt, as counts."""
    return unseen_by(deal.view) if deal.left is None else counts_of(deal.left)


def luck_of_deals(
    evaluator: Evaluator,
    boards: Boards,
    deals: Deals,
    cards: Ints,
    *,
    street: int,
    draws: int,
    chance: np.random.Generator,
) -> Floats:
    """Return the luck of the cards that each board was dealt on ``street``, in points per opponent.

    ``cards`` has the shape (boards, cards). They were dealt from ``deals.unseen``.
    """
    usual = drawn(deals.unseen, cards.shape[1], draws, chance)

    def judge(after: Boards, left: Deals, deal: NDArray[np.intp]) -> Floats:
        return evaluator.expected(after, left, deal, street=street)

    both = np.concatenate([cards[:, None].astype(np.int32), usual], axis=1)
    parts = ahead(
        boards, deals, both, judge, evaluator.weights, to_place=evaluator.variant.streets[street - 1].to_place
    )
    values = parts @ evaluator.weights
    found: Floats = values[:, 0] - values[:, 1:].mean(axis=1)
    return found


def rivals_of(
    evaluator: Evaluator, boards: Boards, unseen: Ints, chance: np.random.Generator, *, after: int
) -> OpponentBoards:
    """Return the distribution of final boards for boards that have finished street ``after``."""
    count = len(boards)
    if not after:
        return evaluator.usual.at(np.zeros(count, dtype=np.intp))
    each = np.repeat(np.arange(count), PLAYED_OUT)
    done = evaluator.played_out(boards.at(each), unseen[each], chance, after=after)
    return evaluator.scorer.rivals_from(done, PLAYED_OUT)
