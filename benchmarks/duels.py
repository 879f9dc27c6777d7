"""Duels of computer players without the luck of the deals: every deck in all seats of the smallest table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from bot.pure.ofc.cards import Card, RowCards, full_deck
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.pure.solver.boards import board_of, counts_of
from bot.pure.solver.brain import Brain
from bot.pure.solver.duel import Chooser, played, rotations, with_fantasyland
from bot.pure.solver.luck import luck_of_deals, rivals_of
from bot.pure.solver.network import Deals
from bot.pure.solver.sight import known, together

MANY, SOME = 300, 48
"""From how many deals it is taken what cards are worth on average. Fewer leave a little more of the luck, and are
enough where a deck is to take little time: the mean is the same.
"""


class Noted:
    """A player whose boards and cards are kept."""

    def __init__(self, chooser: Chooser) -> None:
        self._chooser = chooser
        self.streets: list[tuple[RowCards, tuple[Card, ...]]] = []

    def __call__(self, view: HandView) -> str:
        assert view.mine
        front, middle, back = map(known, view.mine.rows)
        self.streets.append(((front, middle, back), known(view.mine.held)))
        return self._chooser(view)


def luck_between(brain: Brain, players: Sequence[Noted], seed: tuple[int, ...], draws: int) -> float:
    """How much luckier the first of the players was than the others, in points of all pairs together.

    The first street is left out: nobody has placed anything yet, so that it says the same of every seat of a deck.
    """
    game = brain.variant
    left = counts_of(full_deck(decks=game.decks, jokers=game.jokers))
    chance = np.random.default_rng([*seed, draws])
    found = 0.0
    for street, cards in enumerate(zip(*(player.streets for player in players), strict=True), 1):
        boards = [board_of(rows) for rows, _ in cards]
        for number, (_, held) in enumerate(cards):
            if street > 1:
                # Only what lies between the first and the others counts.
                others = boards[:1] if number else boards[1:]
                rivals = together([rivals_of(brain, other, left[None], chance, after=street - 1) for other in others])
                deals, its_cards = Deals(left[None], rivals), np.array([held], dtype=np.int32)
                luck = luck_of_deals(brain, boards[number], deals, its_cards, street=street, draws=draws, chance=chance)
                found += float(luck[0]) * (-1 if number else len(others))
            left = left - counts_of(held)
    return found


def duelled(
    brain: Brain, first: Chooser, other: Chooser, draws: int, variant: Variant, seed: int, number: int
) -> dict[str, Any]:
    """What the first wins with one deck, once in each seat; the other seats are all the other's."""
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    random.Random(f"{seed}:{number}").shuffle(deck)
    row: dict[str, list[float]] = {"points": [], "won": [], "quiet": []}
    for order in rotations(variant.min_seats):
        choosers = [Noted(first), *(Noted(other) for _ in order[1:])]
        showings = played(variant, tuple(deck), [(player, choosers[player]) for player in order])
        seat = order.index(0)
        won = with_fantasyland(showings, brain.worth)[seat]
        row["points"].append(showings[seat].points)
        row["won"].append(won)
        row["quiet"].append(won - luck_between(brain, choosers, (seed, number, seat), draws))
    return row
