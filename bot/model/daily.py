"""Hands of a day as they are kept: the deck and a master's play of it, and what each person has made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from bot.model.daily_rules import Series
from bot.model.ids import Player
from bot.ofc.variants import Variant

ChallengeId = NewType("ChallengeId", int)

Played = tuple[tuple[str, ...], ...]
"""For each seat its placements, street by street, in letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """The hand of one day. The deck follows from the seed alone; letters tell no card."""

    number: ChallengeId
    series: Series
    day: int
    game: Variant
    name: str
    """What the seed is sealed and committed for: no two have the same."""
    commitment: bytes
    sealed_seed: bytes
    epoch: str
    """The time between two restores in which it was made: one that is older may be known by now."""
    seed: bytes | None = None
    """Revealed once the day is over."""
    lost: bool = False
    """True where the key to the seed is gone."""
    master: Played = ()
    """What a master has placed, then those whom the game seats beside them; empty until it was worked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One person's try at a hand. Times are milliseconds."""

    challenge: ChallengeId
    player: Player
    begun_at: int
    points: int | None = None
    """None until the board is full."""
    ended_at: int | None = None
    shared_in: int | None = None
    """The channel in which they have shared it last."""
