"""Pairing methods for leagues."""

from __future__ import annotations

from enum import Enum


class Pairings(Enum):
    """Method that pairs players in the rounds of a league."""

    DRAW = "draw"
    """A schedule by draw numbers for a fixed number of rounds, with as few repeat meetings as possible."""
    ALL = "all"
    """A schedule by draw numbers with enough rounds for everyone to meet everyone."""
    SWISS = "swiss"
    """Pairings by the standings before each round, without repeat meetings if possible."""
