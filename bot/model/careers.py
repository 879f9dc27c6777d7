"""Careers: what is kept of a player's hands for chips, what a hand adds to it, and which badges it earns.

All of it is counted from results alone, beside standings and ratings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from bot.model.hands import Result
from bot.model.ids import Player
from bot.model.standings import Paid


class Badge(Enum):
    """A badge that a player has earned, in the order in which it is shown."""

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
    """The opponents that a board was compared with, each counted at each hand since scoops are counted."""
    scoops: int = 0
    """How many of them were scooped."""
    best_royalties: int = 0
    best_table: int = 0
    """Where the best board was made, the first of those with the most royalties; 0 while none had any."""
    best_hand: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus:
    """The sums of the hands for chips between two players, from the side of one of them."""

    other: Player
    hands: int
    ahead: int
    """Hands in which they made more points than the other."""
    behind: int
    chips: int
    """The chips that went from the other to them, negative where they have lost."""


def won_by(player: Player, paid: Paid) -> int:
    """The chips that a player has won, negative for a loss."""
    return sum(chips * ((payee == player) - (payer == player)) for (payer, payee), chips in paid.items())


def career_of(result: Result, *, table: int, hand_no: int) -> Career:
    """The sums that a hand adds to a player's career, with the board that may be their best."""
    good = result.royalties > 0
    return Career(
        met=result.met,
        scoops=result.scoops,
        best_royalties=max(0, result.royalties),
        best_table=table if good else 0,
        best_hand=hand_no if good else 0,
    )


def meetings_of(results: Sequence[Result], paid: Paid) -> Iterator[tuple[Player, Versus]]:
    """The sums that a hand adds for each two of its players, from either side."""
    for mine in results:
        for theirs in results:
            if theirs.player != mine.player:
                pair = (mine.player, theirs.player)
                yield (
                    mine.player,
                    Versus(
                        other=theirs.player,
                        hands=1,
                        ahead=int(mine.points > theirs.points),
                        behind=int(mine.points < theirs.points),
                        chips=paid.get(pair[::-1], 0) - paid.get(pair, 0),
                    ),
                )


def badges_of(result: Result, *, stayed_before: bool) -> Iterator[Badge]:
    """The badges that a hand earns; ``stayed_before`` is whether the player's hand before it was a stay."""
    if result.royal:
        yield Badge.ROYAL_FLUSH
    if result.royalties >= GREAT_ROYALTIES:
        yield Badge.GREAT_BOARD
    if stays(result) and stayed_before:
        yield Badge.THREE_FANTASYLANDS
    if result.met > 1 and result.scoops == result.met:
        yield Badge.WHOLE_TABLE


def stays(result: Result) -> bool:
    """True for a Fantasyland after which there is another."""
    return result.in_fantasyland and result.fantasyland > 0
