"""From a view to a decision: what its player has not seen, and what the opponents' boards may become."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from bot.ofc.cards import BOARD_CARDS, Card, full_deck
from bot.ofc.naturals import natural_of
from bot.ofc.view import Facing, HandView, SeatView
from bot.solver.boards import Boards, board_of, counts_of
from bot.solver.brain import Brain
from bot.solver.outcomes import Rivals, nobody
from bot.solver.rowtables import Ints, kinds
from bot.solver.search import Spot

PLAYED_OUT = 64
"""How often an opponent's board is played out to see what it may become."""
_FULL = 1.0
"""How often a board that was given up is a foul."""


_BACK = 99
"""A card that lies face down."""
_BREAK = 100


def known(cards: Facing) -> tuple[Card, ...]:
    """The cards that lie face up."""
    return tuple(card for card in cards if card is not None)


def cards_to_place(view: HandView) -> tuple[Card, ...]:
    """The cards that the viewer has to place; raises ValueError for a view without a seat, or with nothing to place."""
    if view.mine is None:
        raise ValueError("only a player can place cards")
    cards = known(view.mine.held)
    if not cards:
        raise ValueError("there are no cards to place")
    return cards


def declares(view: HandView) -> bool:
    """True when the viewer was dealt a natural: computers declare every one, for it pays whatever the others hold."""
    mine = view.mine
    if mine is None or mine.fantasyland or view.to_place != BOARD_CARDS:
        return False
    return natural_of(known(mine.held), view.variant.naturals) is not None


def seen_cards(view: HandView) -> tuple[Card, ...]:
    """Every card that the viewer knows, in the order of seats."""
    return tuple(chain.from_iterable(known((*chain(*seat.rows), *seat.held, *seat.discards)) for seat in view.seats))


def unseen_by(view: HandView) -> Ints:
    """How often each card is there that the viewer has not seen."""
    deck = counts_of(full_deck(decks=view.variant.decks, jokers=view.variant.jokers))
    return deck - counts_of(seen_cards(view))


def board_in(view: HandView) -> Boards:
    """The viewer's own board; raises ValueError for a view without a seat."""
    if view.mine is None:
        raise ValueError("only a player has a board")
    front, middle, back = (known(row) for row in view.mine.rows)
    return board_of((front, middle, back))


def rivals_in(view: HandView, brain: Brain) -> Rivals:
    """What all opponents together come to."""
    unseen = unseen_by(view)
    others = [seat for number, seat in enumerate(view.seats) if number != view.you]
    return together([_rival(seat, brain, unseen, chance_of(view)) for seat in others])


def spot_of(view: HandView, brain: Brain) -> Spot:
    """The decision that a view asks its player for; raises ValueError for a view without a seat."""
    if view.mine is None:
        raise ValueError("only a player can place cards")
    return Spot(
        board=board_in(view),
        held=known(view.mine.held),
        street=view.street,
        unseen=unseen_by(view),
        rivals=rivals_in(view, brain),
    )


def _rival(seat: SeatView, brain: Brain, unseen: Ints, chance: np.random.Generator) -> Rivals:
    """What one opponent's final board may be."""
    if seat.forfeited:
        return Rivals(np.full(1, _FULL, np.float32), nobody(1).wins)
    if seat.fantasyland:
        return brain.rivals_in_fantasyland(seat.fantasyland)
    front, middle, back = (known(row) for row in seat.rows)
    board = board_of((front, middle, back))
    after = _streets_placed(int(kinds().size[board.kinds].sum()), brain)
    if not after:
        return brain.usual
    some = np.zeros(PLAYED_OUT, dtype=np.intp)
    done = brain.played_out(board.at(some), unseen[None][some], chance, after=after)
    return brain.scorer.rivals_from(done, PLAYED_OUT)


def _streets_placed(cards: int, brain: Brain) -> int:
    """How many whole streets a board of so many cards has seen; 0 where none is known."""
    placed = 0
    for number, street in enumerate(brain.variant.streets, 1):
        placed += street.to_place
        if placed == cards:
            return number
    return 0


def together(rivals: Sequence[Rivals]) -> Rivals:
    """All opponents as one: each settles on its own, and a point against one counts as much as against another."""
    if not rivals:
        return nobody(1)
    return Rivals(
        np.stack([one.fouls for one in rivals]).mean(axis=0), np.stack([one.wins for one in rivals]).mean(axis=0)
    )


def chance_of(view: HandView, *salt: int) -> np.random.Generator:
    """A generator whose numbers follow from the cards in view, and from ``salt``."""
    rows = chain.from_iterable((*seat.rows, seat.held, seat.discards) for seat in view.seats)
    cards = chain.from_iterable((*(_BACK if card is None else card for card in row), _BREAK) for row in rows)
    return np.random.default_rng([*salt, view.street, view.you or 0, *cards])
