"""Who meets whom in a league: the ways of saying it."""

from __future__ import annotations

from enum import Enum


class Pairings(Enum):
    """Who meets whom in the rounds of a league."""

    DRAW = "draw"
    """A schedule for so many rounds, by the numbers of the draw, in which as few meet again as can be."""
    ALL = "all"
    """The same for as many rounds as it takes until everybody has met everybody."""
    SWISS = "swiss"
    """Each round by the standings before it: nobody meets the same player twice while that can be."""
