"""Pack fitted networks into the file that computer players read: ``python -m study.pack GAME VALUES.npz ...``.

The file has the networks in half precision, the average board, and that board's outcome. Networks of several successive
rounds are averaged, because their errors differ and partly cancel out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.base.command_help import HelpFormatter, examples
from bot.pure.ofc.presets import PRESETS
from bot.pure.solver.boards import mixed
from bot.pure.solver.network import Features, Network, weights_from
from bot.pure.solver.outcomes import OpponentBoards
from study.files import added, weighted_mean
from study.games import Table
from study.values import objective


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m study.pack",
        description=__doc__,
        epilog=examples(
            "pineapple values/pineapple-3.npz",
            "pineapple values/pineapple-2.npz values/pineapple-3.npz --shares 0.5 1",
        ),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("game", choices=PRESETS, metavar="GAME", help="the game (`python -m bot games` lists them)")
    parser.add_argument("values", type=Path, nargs="+", metavar="VALUES", help="files from study.values to average")
    parser.add_argument("--shares", type=float, nargs="+", default=[1.0], help="weight of each file in the average")
    parser.add_argument("--hands", type=int, default=5000, help="hands to play for the average board")
    return parser


def main() -> None:
    """Pack one game."""
    args = parser().parse_args()
    added(args.game, _values(args.game, weighted_mean(args.values, args.shares), args.hands))


def _values(game: str, arrays: dict[str, NDArray[Any]], hands: int) -> dict[str, NDArray[Any]]:
    variant = PRESETS[game]
    table = Table(variant, objective([10.0]), np.random.default_rng(1))
    table.usual = OpponentBoards(arrays["usual_fouls"], arrays["usual_wins"])
    features = Features(table.scorer)
    last = len(variant.streets)
    nets = {street: Network(features, weights_from(arrays, str(street))) for street in range(1, last)}
    boards = mixed([seat.boards for seat, _ in table.hands(hands, nets, stray=0)[last]])
    usual = table.scorer.rivals_from(boards, len(boards))
    parts = table.scorer.outcomes(boards, usual, np.zeros(len(boards), dtype=np.intp)).mean(axis=0)
    layers = {name: array.astype(np.float16) for name, array in arrays.items() if not name.startswith("usual")}
    return {**layers, "usual_fouls": usual.fouls, "usual_wins": usual.wins.astype(np.float16), "usual_parts": parts}


if __name__ == "__main__":
    main()
