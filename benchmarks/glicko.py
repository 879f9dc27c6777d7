"""Glicko-2 as described in Mark Glickman's paper of 2022, step by step, for :mod:`benchmarks.bench_rating`.

The package ``glicko2`` can't be used, because it also installs a package ``tests``, which would hide this project's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE = 173.7178
MIDDLE = 1500.0
TAU = 0.5
"""Constraint on the change in volatility."""
EXACT = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A rating with its deviation and volatility."""

    rating: float = MIDDLE
    deviation: float = 350.0
    volatility: float = 0.06


def after(player: Player, met: Sequence[tuple[Player, float]]) -> Player:
    """Return the player after a rating period, given opponents with scores (1 win, 1/2 draw, 0 loss)."""
    mu, phi = (player.rating - MIDDLE) / SCALE, player.deviation / SCALE
    weights = [_g(other.deviation / SCALE) for other, _ in met]
    expected = [
        1 / (1 + exp(-g * (mu - (other.rating - MIDDLE) / SCALE))) for g, (other, _) in zip(weights, met, strict=True)
    ]
    variance = 1 / sum(g * g * e * (1 - e) for g, e in zip(weights, expected, strict=True))
    surprise = sum(g * (score - e) for g, e, (_, score) in zip(weights, expected, met, strict=True))
    volatility = _volatility(player.volatility, phi=phi, variance=variance, delta=variance * surprise)
    phi = 1 / sqrt(1 / (phi**2 + volatility**2) + 1 / variance)
    return Player(rating=MIDDLE + SCALE * (mu + phi**2 * surprise), deviation=SCALE * phi, volatility=volatility)


def _g(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _volatility(before: float, *, phi: float, variance: float, delta: float) -> float:
    """Return the new volatility as in step 5 of the paper: the root of f, found by the Illinois algorithm."""
    start = log(before**2)

    def f(x: float) -> float:
        square = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - square) / (2 * square**2) - (x - start) / TAU**2

    return exp(_root(f, start, _other_side(f, start, delta**2 - phi**2 - variance)) / 2)


def _other_side(f: Callable[[float], float], start: float, rest: float) -> float:
    if rest > 0:
        return log(rest)
    steps = 1
    while f(start - steps * TAU) < 0:
        steps += 1
    return start - steps * TAU


def _root(f: Callable[[float], float], a: float, b: float) -> float:
    at_a, at_b = f(a), f(b)
    while abs(b - a) > EXACT:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return a
