"""Fitting of a network to positions and their outcomes, with numpy and Adam on shuffled batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bot.pure.solver.boards import Boards
from bot.pure.solver.network import Deals, Features, Weights
from bot.pure.solver.outcomes import PARTS
from bot.pure.solver.row_tables import Floats

BATCH = 512
"""Examples per step, unless there are only a few."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Boards, the known cards and rivals of each, and their outcomes."""

    boards: Boards
    deals: Deals
    parts: Floats

    def __len__(self) -> int:
        return len(self.boards)


def inputs(features: Features, examples: Examples, places: np.ndarray) -> Floats:
    """Return the network's inputs for the examples at ``places``.

    The shape is (examples, features + 1), with ones in the last column.
    """
    boards = examples.boards.at(places)
    deals = Deals(examples.deals.unseen[places], examples.deals.rivals.at(places))
    codes = features.codes(boards)
    rows = [table[codes[:, place]] for place, table in enumerate(features.tables)]
    own = np.arange(len(places))
    one = np.ones((len(places), 1), np.float32)
    return np.hstack([*rows, features.around(boards, features.left(deals), own), features.deals(deals), one])


def fitted(
    features: Features,
    examples: Examples,
    weights: Floats,
    *,
    hidden: tuple[int, int] = (96, 32),
    passes: int = 12,
    start: Weights | None = None,
    seed: int = 1,
    say: Callable[[str], None] = print,
) -> Weights:
    """Return the network's layers after ``passes`` passes over the examples."""
    chance = np.random.default_rng(seed)
    kept = chance.random(len(examples)) > 0.03
    train, test = np.flatnonzero(kept), np.flatnonzero(~kept)[:20000]
    width = inputs(features, examples, train[:1]).shape[1]
    layers = (
        _begun(chance, width, hidden)
        if start is None
        else [start.first.copy(), start.second.copy(), start.third.copy()]
    )
    if start is None:
        layers[2][-1] = examples.parts[train].mean(axis=0)
    scale = np.array([3, 1, 1, *[10] * (PARTS - 3)], np.float32)
    momentum = [np.zeros_like(layer) for layer in layers]
    square = [np.zeros_like(layer) for layer in layers]
    batch = min(BATCH, max(128, len(train) // 200))
    steps, total = 0, passes * (len(train) // batch)
    if start is not None:
        say(f"  as it was: {_error(layers, features, examples, test, weights)}")
    for number in range(passes):
        order = chance.permutation(train)
        for low in range(0, len(order) - batch + 1, batch):
            places = order[low : low + batch]
            grads = _gradients(layers, inputs(features, examples, places), examples.parts[places], scale, weights)
            steps += 1
            rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * steps / total)) + 1e-6
            for layer, grad, mean, var in zip(layers, grads, momentum, square, strict=True):
                mean += 0.1 * (grad - mean)
                var += 0.002 * (grad * grad - var)
                layer -= rate * (mean / (1 - 0.9**steps)) / (np.sqrt(var / (1 - 0.998**steps)) + 1e-7)
        if number == passes - 1 or number % 4 == 0:
            say(f"  pass {number}: {_error(layers, features, examples, test, weights)}")
    return Weights(*(layer.astype(np.float32) for layer in layers))


def _error(layers: list[Floats], features: Features, examples: Examples, test: np.ndarray, weights: Floats) -> str:
    """Return a summary of the layers' error on held-out examples."""
    wrong = (_forward(layers, inputs(features, examples, test))[-1] - examples.parts[test]) @ weights
    spread, error = (examples.parts[test] @ weights).std(), np.sqrt((wrong**2).mean())
    return f"error {error:.3f} of {spread:.3f}, bias {wrong.mean():+.3f}"


def _begun(chance: np.random.Generator, width: int, hidden: tuple[int, int]) -> list[Floats]:
    sizes = [(width, hidden[0]), (hidden[0] + 1, hidden[1]), (hidden[1] + 1, PARTS)]
    # Most features are zero, so the effective fan-in is about forty.
    fans = [40, hidden[0], hidden[1]]
    return [
        (chance.normal(size=size) * np.sqrt(2 / fan)).astype(np.float32) * (0.3 if size[1] == PARTS else 1)
        for size, fan in zip(sizes, fans, strict=True)
    ]


def _forward(layers: list[Floats], facts: Floats) -> tuple[Floats, Floats, Floats]:
    one = np.maximum(facts @ layers[0], 0)
    two = np.maximum(one @ layers[1][:-1] + layers[1][-1], 0)
    return one, two, two @ layers[2][:-1] + layers[2][-1]


def _gradients(layers: list[Floats], facts: Floats, parts: Floats, scale: Floats, weights: Floats) -> list[Floats]:
    one, two, found = _forward(layers, facts)
    wrong = found - parts
    back = (wrong * scale * scale + 3 * (wrong @ weights)[:, None] * weights) / len(facts)
    third = np.vstack([two.T @ back, back.sum(axis=0)])
    back = (back @ layers[2][:-1].T) * (two > 0)
    second = np.vstack([one.T @ back, back.sum(axis=0)])
    back = (back @ layers[1][:-1].T) * (one > 0)
    return [facts.T @ back, second, third]
