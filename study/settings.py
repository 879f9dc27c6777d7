"""Boards of thirteen cards set at once by players who set well: ``python -m study.settings GAME``.

Fictitious play: everybody sets against what everybody has set so far, round after round, and the first rounds are
forgotten. What is left is kept as the opponents of the game.
"""

from __future__ import annotations

import argparse
import random

import numpy as np

from bot.ofc.cards import Card, full_deck
from bot.ofc.placement import place
from bot.ofc.presets import PRESETS
from bot.ofc.rows import BOARD_CARDS, EMPTY
from bot.ofc.scoring import resolve
from bot.ofc.variants import Variant
from bot.solver.arrange import best_arrangement
from bot.solver.setting import Setter
from study.files import added


def _hands(chance: random.Random, count: int) -> list[tuple[Card, ...]]:
    deck = list(full_deck())
    found = []
    for _ in range(count):
        chance.shuffle(deck)
        found.append(tuple(deck[:BOARD_CARDS]))
    return found


def _strengths(variant: Variant, cards: tuple[Card, ...], letters: str) -> tuple[int, int, int]:
    rows, _ = place(EMPTY, cards, letters)
    return resolve(variant, rows)


def main() -> None:
    """Write the opponents' boards of a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=[key for key, variant in PRESETS.items() if variant.at_once])
    parser.add_argument("--boards", type=int, default=200, help="boards set in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    variant = PRESETS[args.game]
    chance = random.Random(f"{args.seed}:{args.game}")
    hands = _hands(chance, args.boards)
    rounds = [[_strengths(variant, cards, best_arrangement(variant, cards)) for cards in hands]]
    for number in range(args.rounds):
        kept = rounds[len(rounds) // 2 :] if len(rounds) > 1 else rounds
        setter = Setter(variant, np.array([board for some in kept for board in some], np.int32))
        found = [(cards, setter.best(cards)) for cards in _hands(chance, args.boards)]
        rounds.append([_strengths(variant, cards, board.letters) for cards, board in found])
        print(f"round {number}: {np.mean([board.value for _, board in found]):+.3f} points a hand", flush=True)
    boards = np.array([board for some in rounds[len(rounds) // 2 :] for board in some], np.int32)
    added(args.game, {"boards": boards})


if __name__ == "__main__":
    main()
