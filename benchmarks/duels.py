"""Duels of computer players without the luck of the deal, with every deck played in all seats of the smallest table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from bot.pure.ofc.cards import Card, RowCards, full_deck
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.pure.solver.boards import counts_of, single_board
from bot.pure.solver.duel import Chooser, play_hand, rotations, with_fantasyland
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.luck import luck_of_deals, rivals_of
from bot.pure.solver.network import Deals
from bot.pure.solver.visible_cards import known, together

MANY, SOME = 300, 48
"""Numbers of deals used to estimate the average value of cards. Fewer deals leave a little more luck but keep the mean,
so they suffice if a deck should take little time."""


class Noted:
    """A player who records their boards and cards."""

    def __init__(self, chooser: Chooser) -> None:
        self._chooser = chooser
        self.streets: list[tuple[RowCards, tuple[Card, ...]]] = []

    def __call__(self, view: HandView) -> str:
        assert view.mine
        front, middle, back = map(known, view.mine.rows)
        self.streets.append(((front, middle, back), known(view.mine.held)))
        return self._chooser(view)


def luck_between(evaluator: Evaluator, players: Sequence[Noted], seed: tuple[int, ...], draws: int) -> float:
    """Return the first player's luck minus that of the others, in points over all pairs.

    The first street is left out, because its cards are worth the same in every seat: none are placed before it.
    """
    game = evaluator.variant
    left = counts_of(full_deck(decks=game.decks, jokers=game.jokers))
    chance = np.random.default_rng([*seed, draws])
    found = 0.0
    for street, cards in enumerate(zip(*(player.streets for player in players), strict=True), 1):
        boards = [single_board(rows) for rows, _ in cards]
        for number, (_, held) in enumerate(cards):
            if street > 1:
                # Only pairs of the first player and another count.
                others = boards[:1] if number else boards[1:]
                rivals = together(
                    [rivals_of(evaluator, other, left[None], chance, after=street - 1) for other in others]
                )
                deals, its_cards = Deals(left[None], rivals), np.array([held], dtype=np.int32)
                luck = luck_of_deals(
                    evaluator, boards[number], deals, its_cards, street=street, draws=draws, chance=chance
                )
                found += float(luck[0]) * (-1 if number else len(others))
            left = left - counts_of(held)
    return found


def duelled(
    evaluator: Evaluator, first: Chooser, other: Chooser, draws: int, variant: Variant, seed: int, number: int
) -> dict[str, Any]:
    """Return the first player's results with one deck, once in each seat. ``other`` plays all other seats."""
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    random.Random(f"{seed}:{number}").shuffle(deck)
    row: dict[str, list[float]] = {"points": [], "won": [], "quiet": []}
    for order in rotations(variant.min_seats):
        choosers = [Noted(first), *(Noted(other) for _ in order[1:])]
        showings = play_hand(variant, tuple(deck), [(player, choosers[player]) for player in order])
        seat = order.index(0)
        won = with_fantasyland(showings, evaluator.worth)[seat]
        row["points"].append(showings[seat].points)
        row["won"].append(won)
        row["quiet"].append(won - luck_between(evaluator, choosers, (seed, number, seat), draws))
    return row
