"""Fit opponents for games where all thirteen cards are set together: ``python -m study.settings GAME``.

This is fictitious play. In each round, boards are set against those of the previous rounds, and the early rounds are
dropped. The remaining boards are saved as the game's opponents.
"""

from __future__ import annotations

import argparse
import random

import numpy as np

from bot.base.command_help import HelpFormatter, examples
from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, Card, full_deck
from bot.pure.ofc.naturals import natural_of
from bot.pure.ofc.placement import place
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.scoring import resolve
from bot.pure.ofc.variants import Variant
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.setting import Opponents, Setter, mask_of
from study.files import added


def _hands(variant: Variant, chance: random.Random, count: int) -> list[tuple[Card, ...]]:
    """Return hands without naturals, because naturals are declared and their rows don't count."""
    deck = list(full_deck())
    found: list[tuple[Card, ...]] = []
    while len(found) < count:
        chance.shuffle(deck)
        cards = tuple(deck[:BOARD_CARDS])
        if natural_of(cards, variant.naturals) is None:
            found.append(cards)
    return found


def _strengths(variant: Variant, cards: tuple[Card, ...], letters: str) -> tuple[int, int, int]:
    rows, _ = place(EMPTY, cards, letters)
    return resolve(variant, rows)


def _opponents(variant: Variant, hands: list[tuple[Card, ...]], letters: list[str]) -> Opponents:
    strengths = [_strengths(variant, *each) for each in zip(hands, letters, strict=True)]
    return Opponents(strengths=np.array(strengths, np.int32), cards=np.array(list(map(mask_of, hands)), np.uint64))


def _together(rounds: list[Opponents]) -> Opponents:
    """Return the later half of the rounds."""
    kept = rounds[len(rounds) // 2 :]
    return Opponents(
        strengths=np.concatenate([one.strengths for one in kept]), cards=np.concatenate([one.cards for one in kept])
    )


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m study.settings",
        description=__doc__,
        epilog=examples("thirteen", "chinese --boards 4000 --rounds 8"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("game", choices=[key for key, variant in PRESETS.items() if variant.at_once], help="the game")
    parser.add_argument("--boards", type=int, default=2000, help="boards to set per round")
    parser.add_argument("--rounds", type=int, default=6, help="rounds of fictitious play")
    parser.add_argument("--seed", type=int, default=1, help="seed of the hands")
    return parser


def main() -> None:
    """Write the opponents' boards of a game."""
    args = parser().parse_args()
    variant = PRESETS[args.game]
    chance = random.Random(f"{args.seed}:{args.game}")
    hands = _hands(variant, chance, args.boards)
    rounds = [_opponents(variant, hands, [best_arrangement(variant, cards) for cards in hands])]
    for number in range(args.rounds):
        setter = Setter(variant, _together(rounds))
        hands = _hands(variant, chance, args.boards)
        found = [setter.best(cards) for cards in hands]
        rounds.append(_opponents(variant, hands, [board.letters for board in found]))
        print(f"round {number}: {np.mean([board.value for board in found]):+.3f} points a hand", flush=True)
    kept = _together(rounds)
    added(args.game, {"boards": kept.strengths, "cards": kept.cards})


if __name__ == "__main__":
    main()
