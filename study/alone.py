"""Measure the strength of networks without search: ``python -m study.alone GAME VALUES.npz ...``.

All networks play the same decks, two boards from each, without lookahead or knowledge of an opponent. The output is U
(royalties, plus ten per entry into Fantasyland, minus six per foul), and each file's difference from the first.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from bot.base.command_help import HelpFormatter, examples
from bot.pure.ofc.presets import PRESETS
from bot.pure.solver.boards import mixed
from bot.pure.solver.duel import interval
from bot.pure.solver.network import Features, Network, weights_from
from bot.pure.solver.outcomes import nobody
from bot.pure.solver.row_tables import Floats
from study.games import Table
from study.values import objective

TOGETHER = 2500
"""Decks per batch."""


def worths(game: str, path: Path, *, decks: int, seed: int) -> Floats:
    """Return U of each deck."""
    variant, arrays = PRESETS[game], dict(np.load(path))
    table = Table(variant, objective([10.0]), np.random.default_rng(seed))
    table.usual = nobody(1)
    features, last = Features(table.scorer), len(variant.streets)
    nets = {street: Network(features, weights_from(arrays, str(street))) for street in range(1, last)}
    found = []
    for first in range(0, decks, TOGETHER):
        table.chance = np.random.default_rng([seed, first])
        boards = mixed([seat.boards for seat, _ in table.hands(TOGETHER, nets, stray=0)[last]])
        parts = table.scorer.outcomes(boards, nobody(len(boards)), np.arange(len(boards)))
        found.append((parts @ table.weights).reshape(2, -1).mean(axis=0))
    return np.concatenate(found)


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m study.alone",
        description=__doc__,
        epilog=examples("pineapple values/pineapple-3.npz", "pineapple old.npz new.npz --decks 4000 --seed 9"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("game", choices=PRESETS, metavar="GAME", help="the game (`python -m bot games` lists them)")
    parser.add_argument("values", type=Path, nargs="+", metavar="VALUES", help="file with a network, from study.values")
    parser.add_argument("--decks", type=int, default=10_000, help=f"decks to play, in steps of {TOGETHER}")
    parser.add_argument("--seed", type=int, default=5, help="seed of the decks")
    return parser


def main() -> None:
    """Measure each file in turn."""
    args = parser().parse_args()
    first: Floats | None = None
    for path in args.values:
        found = worths(args.game, path, decks=args.decks, seed=args.seed)
        first = found if first is None else first
        mean, more = interval(found.tolist()), interval((found - first).tolist())
        print(f"{path.stem}: U {mean.mean:.3f} ± {mean.off:.3f}, {more.mean:+.3f} ± {more.off:.3f} to the first")


if __name__ == "__main__":
    main()
