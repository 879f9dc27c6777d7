"""The last two streets, compared with exact play by the rules and with a master that knows opponents only by steps."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from bot.base.solver_data import load_arrays
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve, start
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from bot.pure.solver.boards import children, patterns
from bot.pure.solver.duel import Chooser
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.levels import Computers
from bot.pure.solver.network import Deals
from bot.pure.solver.row_tables import Floats
from bot.pure.solver.search import Effort, judged
from bot.pure.solver.visible_cards import board_in, build_spot, cards_to_place, seeded_generator, unseen_by
from tests.pure.solver.hands import shuffled_deck
from tests.pure.solver.plain import decisions, on_the_button

NETWORKS = Effort(rounds=())
"""Effort for the streets before those measured. The networks place them, which takes almost no time."""
SEATS = (2, 3)
SHUFFLES = 32
"""Number of shuffles of the remaining cards if two ways to decide differ."""


def evaluator_of_game(variant: Variant) -> Evaluator:
    """Return a master's evaluator of the game."""
    evaluator = _computers().evaluator(variant)
    assert evaluator
    return evaluator


@lru_cache(maxsize=1)
def _computers() -> Computers:
    return Computers(load_arrays, NETWORKS)


def by_network(view: HandView) -> str:
    """Return the network's favourite placement, regardless of the opponents."""
    evaluator, held = evaluator_of_game(view.variant), cards_to_place(view)
    found = children(board_in(view), np.array([held], dtype=np.int32), to_place=view.to_place)
    deals = Deals(unseen_by(view)[None], evaluator.usual)
    parts = evaluator.expected(found.boards, deals, np.zeros(len(found.boards), dtype=np.intp), street=view.street)
    best = int(found.pattern[(parts @ evaluator.weights).argmax()])
    return patterns(len(held), view.to_place).letters(best)


def row_by_row(view: HandView) -> str:
    """Return a master's placement, with each opponent compared row by row."""
    return _computers().evaluate(view)[0].letters


def by_steps(view: HandView) -> str:
    """Return a master's placement, with all opponents modelled together by about eighty steps of strength."""
    evaluator = evaluator_of_game(view.variant)
    spot = replace(build_spot(view, evaluator), field=None)
    return judged(evaluator, spot, NETWORKS, seeded_generator(view))[0].letters


def lost(variant: Variant, seed: int, number: int) -> dict[str, float]:
    """Return the button's losses on the last three-handed street by the exact rules, for both opponent models."""
    hand = decisions(variant, by_network, seats=3, street=len(variant.streets), seed=1_000_000 * seed + number)
    (seen,) = [seen for seen in hand if seen.view.you == 2]
    won = on_the_button(seen, evaluator_of_game(variant).worth)
    choosers = {"rows": row_by_row, "steps": by_steps}
    return {name: max(won.values()) - won[chooser(seen.view)] for name, chooser in choosers.items()}


def won_from_steps(variant: Variant, seats: int, seed: int, number: int) -> dict[str, Any]:
    """Return the results of a row-by-row player among players who know steps, once in each seat of a deck.

    If all players know steps, the seats win nothing together, so only the difference counts. The two hands are the same
    up to the first decision that differs. From there, the remaining cards are shuffled repeatedly, which keeps the mean
    and removes most of their luck.
    """
    chance = np.random.default_rng([seed, number, seats])
    row: dict[str, list[float]] = {"points": [], "won": []}
    for seat in range(seats):
        points, won = _won_more(_opened(variant, seats, 1_000_000 * seed + number), seat, chance).tolist()
        row["points"].append(points)
        row["won"].append(won)
    return row


def _won_more(hand: Hand, seat: int, chance: np.random.Generator) -> Floats:
    """Return the difference in points, and in points with Fantasyland."""
    while hand.status is HandStatus.PLAYING:
        acting = hand.waiting[0]
        view = view_for(hand, str(acting))
        letters = _choose(view, by_steps)
        other = _choose(view, row_by_row) if acting == seat else letters
        if other != letters:
            found = []
            for _ in range(SHUFFLES):
                left = hand.dealt + chance.permutation(len(hand.deck) - hand.dealt)
                deck = *hand.deck[: hand.dealt], *(hand.deck[place] for place in left)
                shuffled = replace(hand, deck=deck)
                known = _ended(_placed(shuffled, acting, letters), seat, by_steps)
                found.append(_ended(_placed(shuffled, acting, other), seat, row_by_row) - known)
            mean: Floats = np.mean(found, axis=0)
            return mean
        hand = _placed(hand, acting, letters)
    return np.zeros(2)


def _choose(view: HandView, chooser: Chooser) -> str:
    return chooser(view) if evaluator_of_game(view.variant).compares(view.street) else by_network(view)


def _opened(variant: Variant, seats: int, seed: int) -> Hand:
    hand = Hand(variant=variant, deck=shuffled_deck(variant, seed))
    names = [str(seat) for seat in range(seats)]
    opening = start(variant, hand.deck, players=names, fantasyland=[0] * seats, button=seats - 1)
    return reduce(evolve, opening, hand)


def _placed(hand: Hand, seat: int, letters: str) -> Hand:
    return reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=letters)), hand)


def _ended(hand: Hand, seat: int, mine: Chooser) -> Floats:
    """Return the result of ``seat`` if it continues with ``mine`` while all others know steps."""
    while hand.status is HandStatus.PLAYING:
        acting = hand.waiting[0]
        letters = _choose(view_for(hand, str(acting)), mine if acting == seat else by_steps)
        hand = _placed(hand, acting, letters)
    score, worth = hand.score, evaluator_of_game(hand.variant).worth
    entered = [worth.get(board.next_fantasyland, 0.0) for board in score.boards]
    points = score.points[seat]
    return np.array([points, points + len(entered) * entered[seat] - sum(entered)])
