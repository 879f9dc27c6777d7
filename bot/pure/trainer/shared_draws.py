"""Values of several placements in the same draws, so that their differences are known better than themselves."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from bot.pure.solver.comparison import error_by_sets
from bot.pure.solver.row_tables import Floats


@dataclass(frozen=True, slots=True)
class SharedDraws:
    """Values in points against all opponents together."""

    values: Floats
    """The values have the shape (placements, draws). A draw is a deal, or a sampled board of the opponents."""
    sets: int
    """Number of independent samples of the opponents' boards, which the draws use in turn."""
    beyond: float
    """Standard error of a difference apart from the draws, such as that of the networks."""

    def value(self, placement: int) -> float:
        """Return a placement's mean value."""
        return float(self.values[placement].mean())

    def loss(self, placement: int, best: int) -> float:
        """Return a placement's loss against ``best`` in points; negative if it's better."""
        return float((self.values[best] - self.values[placement]).mean())

    def error(self, placement: int, best: int) -> float:
        """Return the standard error of the loss; 0 if both placements have the same value in every draw."""
        between = self.values[best] - self.values[placement]
        return hypot(error_by_sets(between, self.sets), self.beyond) if between.any() else 0.0

    @property
    def best(self) -> int:
        """The placement with the highest mean."""
        return int(self.values.mean(axis=1).argmax())
