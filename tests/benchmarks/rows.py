"""The last two streets at a table: against the rules alone, and against a master who knows opponents by steps alone."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from bot.fitted import fitted_arrays
from bot.ofc.variants import Variant
from bot.ofc.view import HandView
from bot.solver.boards import children, patterns
from bot.solver.brain import Brain
from bot.solver.duel import Chooser, played, rotations, with_fantasyland
from bot.solver.levels import Computers
from bot.solver.network import Deals
from bot.solver.search import Effort, judged
from bot.solver.sight import board_in, cards_to_place, chance_of, spot_of, unseen_by
from tests.solver.hands import shuffled_deck
from tests.solver.plain import decisions, on_the_button

NETWORKS = Effort(rounds=())
"""Streets before those that are measured are placed as the networks like best, which takes no time."""
SEATS = (2, 3)


def brain_of_game(variant: Variant) -> Brain:
    """What a master knows of it."""
    brain = _computers().brain(variant)
    assert brain
    return brain


@lru_cache(maxsize=1)
def _computers() -> Computers:
    return Computers(fitted_arrays, NETWORKS)


def by_network(view: HandView) -> str:
    """What the network likes best, which knows no opponent."""
    brain, held = brain_of_game(view.variant), cards_to_place(view)
    found = children(board_in(view), np.array([held], dtype=np.int32), to_place=view.to_place)
    deals = Deals(unseen_by(view)[None], brain.usual)
    parts = brain.expected(found.boards, deals, np.zeros(len(found.boards), dtype=np.intp), street=view.street)
    best = int(found.pattern[(parts @ brain.weights).argmax()])
    return patterns(len(held), view.to_place).letters(best)


def row_by_row(view: HandView) -> str:
    """As a master, each opponent met row by row."""
    return _computers().evaluate(view)[0].letters


def by_steps(view: HandView) -> str:
    """As a master who knows all opponents together by some eighty steps of strength."""
    brain = brain_of_game(view.variant)
    spot = replace(spot_of(view, brain), field=None)
    return judged(brain, spot, NETWORKS, chance_of(view))[0].letters


def lost(variant: Variant, seed: int, number: int) -> dict[str, float]:
    """What the button loses on the last street between three, by the rules alone; by both ways to know opponents."""
    hand = decisions(variant, by_network, seats=3, street=len(variant.streets), seed=1_000_000 * seed + number)
    (seen,) = [seen for seen in hand if seen.view.you == 2]
    won = on_the_button(seen, brain_of_game(variant).worth)
    choosers = {"rows": row_by_row, "steps": by_steps}
    return {name: max(won.values()) - won[chooser(seen.view)] for name, chooser in choosers.items()}


def won_from_steps(variant: Variant, seats: int, seed: int, number: int) -> dict[str, Any]:
    """What the one wins who meets opponents row by row, once in each seat of a deck; all others know steps."""
    brain = brain_of_game(variant)
    deck = shuffled_deck(variant, 1_000_000 * seed + number)
    known: dict[tuple[str, str], str] = {}

    def remembered(name: str, chooser: Chooser) -> Chooser:
        def choose(view: HandView) -> str:
            key = name, repr((view.you, view.street, view.seats))
            if key not in known:
                known[key] = chooser(view) if brain.compares(view.street) else by_network(view)
            return known[key]

        return choose

    players = [remembered("rows", row_by_row), *[remembered("steps", by_steps)] * (seats - 1)]
    row: dict[str, list[float]] = {"points": [], "won": []}
    for order in rotations(seats):
        showings = played(variant, deck, [(player, players[player]) for player in order])
        seat = order.index(0)
        row["points"].append(showings[seat].points)
        row["won"].append(with_fantasyland(showings, brain.worth)[seat])
    return row
