"""The files that computer players read: ``python -m study.pack GAME VALUES.npz FANTASYLAND-FOLDER``.

Networks in half precision, the usual board and what it comes to, and what is set in Fantasyland.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from bot.fitted import FOLDER
from bot.ofc.variants import PRESETS
from bot.solver.features import Features
from bot.solver.network import Network, weights_from
from bot.solver.outcomes import Rivals
from study.games import Table, mixed
from study.values import objective


def main() -> None:
    """Pack one game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=PRESETS)
    parser.add_argument("values", type=Path)
    parser.add_argument("fantasyland", type=Path)
    parser.add_argument("--hands", type=int, default=5000)
    args = parser.parse_args()
    packed: dict[str, np.ndarray] = {}
    if args.values.is_file():
        packed |= _values(args.game, args.values, args.hands)
    known = args.fantasyland / f"{args.game}.json"
    for cards, figures in json.loads(known.read_text()).items() if known.is_file() else ():
        packed[f"arranged_{cards}"] = np.array([figures["royalties"], figures["stays"]], np.float32)
        packed[f"wins_{cards}"] = np.array(figures["wins"], np.float16)
    FOLDER.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(FOLDER / f"{args.game}.npz", **packed)


def _values(game: str, path: Path, hands: int) -> dict[str, np.ndarray]:
    arrays = dict(np.load(path))
    variant = PRESETS[game]
    table = Table(variant, objective(10.0), np.random.default_rng(1))
    table.usual = Rivals(arrays["usual_fouls"], arrays["usual_wins"])
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
