"""What an unfinished board will come to: a small network, fitted to boards that were played out.

Its first layer is a sum: what each row is by itself is looked up whole (a table by the row's code), as is what is
known beside the boards of one deal; only what is left around the rows is multiplied for each board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.solver.boards import Boards
from bot.solver.features import Deals, Features, Left
from bot.solver.rowtables import Floats

_CHUNK = 4096
"""So many boards at once stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Layers as they were fitted. ``first`` has its rows in the order front, middle, back, around, deal, one."""

    first: Floats
    second: Floats
    third: Floats


class Network:
    """The outcomes to be expected of boards after one street: columns as those of :mod:`bot.solver.outcomes`."""

    def __init__(self, features: Features, weights: Weights) -> None:
        self.features = features
        self.weights = weights
        sizes = [table.shape[1] for table in features.tables]
        front, middle, back, rest = np.split(weights.first, np.cumsum(sizes))
        self._rows = [table @ part for table, part in zip(features.tables, (front, middle, back), strict=True)]
        self._rest = rest

    def outcomes(self, boards: Boards, deals: Deals, deal: NDArray[np.intp]) -> Floats:
        """What each board comes to, in the deal of that number: (boards, PARTS)."""
        beside = self.features.deals(deals)
        around = self._rest[: len(self._rest) - beside.shape[1] - 1]
        known = beside @ self._rest[len(around) : -1] + self._rest[-1]
        left = self.features.left(deals)
        found = [
            self._chunk(boards.at(slice(low, low + _CHUNK)), left, deal[low : low + _CHUNK], around, known)
            for low in range(0, len(boards), _CHUNK)
        ]
        return np.concatenate(found) if found else np.zeros((0, self.weights.third.shape[1]), np.float32)

    def _chunk(self, boards: Boards, left: Left, deal: NDArray[np.intp], around: Floats, known: Floats) -> Floats:
        codes = self.features.codes(boards)
        hidden = self.features.around(boards, left, deal) @ around
        hidden += known[deal]
        for place, table in enumerate(self._rows):
            hidden += table[codes[:, place]]
        np.maximum(hidden, 0, out=hidden)
        hidden = hidden @ self.weights.second[:-1] + self.weights.second[-1]
        np.maximum(hidden, 0, out=hidden)
        found: Floats = hidden @ self.weights.third[:-1] + self.weights.third[-1]
        return found


def weights_from(arrays: Mapping[str, NDArray[Any]], name: str) -> Weights:
    """The weights that stand under a name."""
    first, second, third = (arrays[f"{name}.{layer}"].astype(np.float32) for layer in range(3))
    return Weights(first, second, third)
