"""What Fantasyland is: ``python -m study.fantasyland GAME...`` arranges many deals of each number of cards.

Kept for each game and number: mean royalties, how often its player stays, and how often rows of each step of strength
beat the arranged ones.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np

from bot.ofc.cards import full_deck
from bot.ofc.fantasyland import stays
from bot.ofc.placement import place
from bot.ofc.rows import EMPTY
from bot.ofc.scoring import in_order, resolve
from bot.ofc.variants import PRESETS, Variant
from bot.solver.arrange import best_arrangement
from bot.solver.boards import board_of
from bot.solver.outcomes import Scorer
from study.games import mixed


def arranged(variant: Variant, cards: int, *, deals: int, seed: int) -> dict[str, object]:
    """The figures of one number of cards."""
    chance = random.Random(f"{seed}:{variant.key}:{cards}")
    scorer = Scorer(variant)
    rule = variant.fantasyland
    assert rule
    boards, royalties, staying = [], [], []
    for _ in range(deals):
        deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
        chance.shuffle(deck)
        held = tuple(deck[:cards])
        rows, _ = place(EMPTY, held, best_arrangement(variant, held))
        strengths = resolve(variant, rows)
        legal = in_order(variant, strengths)
        boards.append(board_of(rows))
        royalties.append(sum(variant.royalties.of(row, s) for row, s in zip(ROWS, strengths, strict=True)) * legal)
        staying.append(legal and stays(rule, strengths))
    rivals = scorer.rivals_from(mixed(boards), deals)
    return {
        "royalties": float(np.mean(royalties)),
        "stays": float(np.mean(staying)),
        "fouls": float(rivals.fouls[0]),
        "wins": rivals.wins[0].round(4).tolist(),
        "deals": deals,
    }


from bot.ofc.rows import ROWS  # noqa: E402


def main() -> None:
    """Arrange, and write one file for all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for game in args.games:
        variant = PRESETS[game]
        if variant.fantasyland is None:
            continue
        began = time.time()
        deals = args.deals // 8 if variant.jokers else args.deals
        found = {str(n): arranged(variant, n, deals=deals, seed=args.seed) for n in variant.fantasyland.numbers}
        (args.out / f"{game}.json").write_text(json.dumps(found))
        print(
            game,
            {n: (round(f["royalties"], 2), round(f["stays"], 3)) for n, f in found.items()},
            f"{time.time() - began:.0f}s",
            flush=True,
        )


if __name__ == "__main__":
    main()
