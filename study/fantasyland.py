"""Measure Fantasyland: ``python -m study.fantasyland GAME...`` arranges many deals of each number of cards.

For each game and number, it saves the mean royalties, the probability of staying, and how often rows at each strength
step beat the arranged ones.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from bot.base.command_help import HelpFormatter, examples
from bot.pure.ofc.presets import PRESETS
from bot.pure.solver.evaluator import arranged
from study.files import added


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m study.fantasyland",
        description=__doc__,
        epilog=examples("pineapple", "classic joker_pineapple --deals 8000"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument(
        "games", nargs="+", choices=PRESETS, metavar="GAME", help="games (`python -m bot games` lists them)"
    )
    parser.add_argument(
        "--deals", type=int, default=2000, help="deals for each number of cards; games with jokers use an eighth"
    )
    return parser


def main() -> None:
    """Arrange deals, and add the results to each game's file."""
    args = parser().parse_args()
    for game in args.games:
        variant = PRESETS[game]
        deals = args.deals // 8 if variant.jokers else args.deals
        for cards in variant.fantasyland.numbers if variant.fantasyland else ():
            began = time.time()
            found = arranged(variant, cards, deals=deals)
            figures = np.array([found.royalties, found.stays], np.float32)
            added(game, {f"arranged_{cards}": figures, f"wins_{cards}": found.wins.astype(np.float16)})
            print(
                f"{game} {cards} cards, {deals} deals: royalties {found.royalties:.2f}, stays {found.stays:.1%}, "
                f"{time.time() - began:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
