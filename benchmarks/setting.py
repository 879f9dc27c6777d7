"""Compare two levels that set the same cards, by their points against strong opponents.

The opponents are dealt from the remaining cards repeatedly, so the difference has little luck.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import reduce
from statistics import fmean

from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, Card, full_deck
from bot.pure.ofc.hand import Hand, evolve, start
from bot.pure.ofc.naturals import natural_of
from bot.pure.ofc.placement import place
from bot.pure.ofc.scoring import Board, score_hand
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import view_for
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.visible_cards import known

DEALS = 10
"""Number of times that the remaining cards are dealt to as many opponents as possible."""
WELL = (Level.MASTER, Level.CLUB)
"""Levels of the strong opponents. Each is measured separately."""


def gained(
    computers: Computers, variant: Variant, pair: tuple[Level, Level], seed: int, number: int, *, deals: int = DEALS
) -> dict[str, float]:
    """Return the gain of the better level over the worse one with one hand's cards, from each kind of opponent."""
    chance = random.Random(f"{seed}:{number}")
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    chance.shuffle(deck)
    better, worse = (board_of_level(computers, variant, deck[:BOARD_CARDS], level) for level in pair)
    if better == worse:
        return {level.value: 0.0 for level in WELL}
    left = deck[BOARD_CARDS:]
    others: list[list[Card]] = []
    for _ in range(deals):
        chance.shuffle(left)
        others.extend(left[low : low + BOARD_CARDS] for low in range(0, len(left) - BOARD_CARDS + 1, BOARD_CARDS))
    boards = {level: [board_of_level(computers, variant, cards, level) for cards in others] for level in WELL}
    return {
        level.value: fmean(won(variant, better, other) - won(variant, worse, other) for other in met)
        for level, met in boards.items()
    }


def board_of_level(computers: Computers, variant: Variant, cards: Sequence[Card], level: Level) -> Board:
    """Return the board that a level sets from ``cards``."""
    rest = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    for card in cards:
        rest.remove(card)
    deck, names = (*cards, *rest), [str(seat) for seat in range(variant.min_seats)]
    opening = start(variant, deck, players=names, fantasyland=[0] * len(names), button=len(names) - 1)
    view = view_for(reduce(evolve, opening, Hand(variant=variant, deck=deck)), names[0])
    assert view.mine
    held = known(view.mine.held)
    rows, _ = place(EMPTY, held, computers.choose(view, level))
    return Board(rows=rows, natural=natural_of(held, variant.naturals))


def won(variant: Variant, board: Board, other: Board) -> int:
    """Return the points that a board wins from another."""
    return score_hand(variant, [board, other]).points[0]
