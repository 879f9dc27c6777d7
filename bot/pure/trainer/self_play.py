"""Views of hands between computer players, for finding puzzles.

Each hand is asked for one puzzle, at a stage and with a number of players that follow from the hand's number. Most
placements are those of the networks. The others are a casual player's, so that boards are as troubled as people's.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np

from bot.pure.ofc.cards import full_deck
from bot.pure.ofc.hand import Hand, PlaceCards, decide, evolve, start
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, unseen, view_for
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.search import Effort
from bot.pure.solver.visible_cards import known

STAGES = (0, 1, 1, 1, 2, 2, 2, 3, 3, 4)
"""Stages of ten hands in a row: the fifth of the hand's streets in which the puzzle is looked for."""
SEATS = (2, 2, 3)
"""Numbers of players of the hands in turn."""
REDEALS = 40
"""Deals that are tried on a board of the last street."""
CASUAL = 0.25
"""Share of placements that a casual player makes."""
NETWORKS = Effort(rounds=())
"""Effort of the other placements, which uses only the networks."""


def stage_of(number: int) -> int:
    """Return the stage of a hand's puzzle, 0 to 4."""
    return STAGES[number % len(STAGES)]


def sampled_views(
    computers: Computers, variant: Variant, chance: np.random.Generator, *, number: int
) -> list[HandView]:
    """Return the views in which the puzzle of the hand with a ``number`` is looked for, in order."""
    streets = len(variant.streets)
    street = 1 + int((stage_of(number) + chance.random()) * streets) // (1 + max(STAGES))
    seats = SEATS[number // len(STAGES) % len(SEATS)]
    view = sampled_view(computers, variant, chance, seats=seats, street=street)
    redeals = REDEALS if street == streets else 0
    return [view, *(redealt(view, chance) for _ in range(redeals))]


def seeded_views(computers: Computers, variant: Variant, seed: bytes) -> list[HandView]:
    """Return the views of a hand in which everything follows from a seed, also its stage and its number of players."""
    chance = np.random.default_rng(list(seed))
    return sampled_views(computers, variant, chance, number=int(chance.integers(len(STAGES) * len(SEATS))))


def sampled_view(
    computers: Computers, variant: Variant, chance: np.random.Generator, *, seats: int, street: int
) -> HandView:
    """Return the view of a random seat before it places its cards of ``street``, outside Fantasyland."""
    cards = full_deck(decks=variant.decks, jokers=variant.jokers)
    deck = tuple(cards[number] for number in chance.permutation(len(cards)))
    names, asked = [str(seat) for seat in range(seats)], int(chance.integers(seats))
    hand = Hand(variant=variant, deck=deck)
    hand = reduce(evolve, start(variant, deck, players=names, fantasyland=[0] * seats, button=seats - 1), hand)
    while True:
        seat = hand.waiting[0]
        view = view_for(hand, names[seat])
        if hand.street == street and seat == asked:
            return view
        if chance.random() < CASUAL:
            letters = computers.choose(view, Level.CASUAL)
        else:
            letters = computers.evaluate(view, NETWORKS)[0].letters
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=letters)), hand)


def redealt(view: HandView, chance: np.random.Generator) -> HandView:
    """Return the view with other cards to place, from those that its player hasn't seen.

    Puzzles of the last street are rare, so many deals are tried on each board.
    """
    mine = view.mine
    assert mine is not None
    assert view.you is not None
    cards = (*unseen(view), *known(mine.held))
    dealt = tuple(cards[number] for number in chance.choice(len(cards), len(mine.held), replace=False))
    seats = list(view.seats)
    seats[view.you] = replace(mine, held=dealt)
    return replace(view, seats=tuple(seats))
