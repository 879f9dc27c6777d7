"""What is kept of a player's hands for chips, beside results, standings and ratings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.model.ids import Player


class Badge(Enum):
    """What a player is proud of, in the order in which it is shown."""

    ROYAL_FLUSH = "royal_flush"
    GREAT_BOARD = "great_board"
    """A board with at least ``GREAT_ROYALTIES``."""
    THREE_FANTASYLANDS = "three_fantasylands"
    """Earned Fantasyland, and stayed twice."""
    WHOLE_TABLE = "whole_table"
    """Scooped everybody at a table of three or more."""
    EVENT_WON = "event_won"
    DAILY_WEEK = "daily_week"
    """A streak of ``DAILY_DAYS`` at the daily hand."""


GREAT_ROYALTIES = 30
DAILY_DAYS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Earned:
    """A badge that somebody has earned."""

    badge: Badge
    at: int
    table: int = 0
    """The table of the hand that earned it; 0 where it was no hand."""
    hand_no: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """Sums of a player's hands for chips, beside those of the standings."""

    met: int = 0
    """Opponents with whom a board was compared, each counted at each hand since scoops are counted."""
    scoops: int = 0
    """How many of them were scooped."""
    best_royalties: int = 0
    best_table: int = 0
    """Where the best board was made, the first of those with the most royalties; 0 while none had any."""
    best_hand: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus:
    """What the hands for chips of two players came to, for one of them."""

    other: Player
    hands: int
    ahead: int
    """Hands in which they made more points than the other."""
    behind: int
    chips: int
    """What went from the other to them, negative where they have lost."""
