"""Simulator of hands with random durations and results. All times are in milliseconds.

A forecast uses it with a simplified structure, and a rehearsal with the event's real director.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import log, sqrt
from random import Random

from bot.pure.ofc.variants import TurnOrder, Variant

TURN_SPREAD = 0.9
"""Standard deviation of a turn's time, relative to its mean."""
WHOLE_BOARD_TURNS = 3.0
"""Time to set a whole board, in ordinary turns."""
ENTERS_AGAIN = 0.5
"""Share of busted players who re-enter if they may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySpeed:
    """Speed of play, in milliseconds."""

    turn: float
    """Mean time per turn."""
    between: float
    """Time between the end of a hand and the next deal."""
    seating: float
    """Time between a table's opening and its first hand."""
    limit: float | None = None
    """The clock's time limit per turn; None if unlimited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSpread:
    """Spread of a game's results per hand."""

    pair: float
    """Standard deviation of the points between two players."""
    fantasyland: float = 0.0
    """Probability per player of Fantasyland after an ordinary hand."""


SWINGS: Mapping[str, HandSpread] = {
    "pineapple": HandSpread(pair=10.5, fantasyland=0.07),
    "classic": HandSpread(pair=7.0, fantasyland=0.01),
    "progressive": HandSpread(pair=10.2, fantasyland=0.09),
    "progressive_16": HandSpread(pair=10.2, fantasyland=0.09),
    "ultimate": HandSpread(pair=10.2, fantasyland=0.09),
    "turbo": HandSpread(pair=8.1, fantasyland=0.04),
    "turbo_pineapple": HandSpread(pair=12.6, fantasyland=0.20),
    "two_seven": HandSpread(pair=10.5, fantasyland=0.29),
    "joker_pineapple": HandSpread(pair=13.3, fantasyland=0.12),
    "joker_ultimate": HandSpread(pair=12.4, fantasyland=0.14),
    "double_classic": HandSpread(pair=7.5, fantasyland=0.02),
    "double_pineapple": HandSpread(pair=10.7, fantasyland=0.10),
    "chinese": HandSpread(pair=8.4),
    "thirteen": HandSpread(pair=2.5),
    "open_thirteen": HandSpread(pair=2.5),
}
"""Spread per game, measured over 60 hands of casual computers with ``python -m benchmarks.bench_swings``."""
OTHER_SWING = HandSpread(pair=9.0)


def swing_of(game: Variant) -> HandSpread:
    """Return the spread of a game. A server's custom game uses that of the game it's based on."""
    found = SWINGS.get(game.key, OTHER_SWING)
    return found if game.fantasyland else replace(found, fantasyland=0.0)


class Simulator:
    """Random hands of one evening, in a single game."""

    def __init__(
        self, game: Variant, tempo: PlaySpeed, swing: HandSpread, random: Random, *, slowness: float = 1.0
    ) -> None:
        """Prepare an evening whose turns take ``slowness`` times as long as usual."""
        self._game = game
        self._random = random
        self._luck = swing.pair / sqrt(2)
        self._fantasyland = swing.fantasyland
        turn = tempo.turn * slowness
        self._turn = turn if tempo.limit is None else min(turn, tempo.limit)
        """Mean time of a turn, which is also the minimum time of a hand."""
        self._times: dict[int, tuple[float, float]] = {}

    def hand_lasts(self, players: int) -> float:
        """Return the time from a hand's deal to its end."""
        mean, spread = self._times.get(players) or self._turn_time(players)
        return max(self._turn, self._random.gauss(mean, spread))

    def _turn_time(self, players: int) -> tuple[float, float]:
        found = self._times[players] = hand_time(self._game, self._turn, players)
        return found

    def luck(self, players: int) -> list[float]:
        """Return each player's luck in a hand. The points between two players are the difference."""
        gauss = self._random.gauss
        return [gauss(0.0, self._luck) for _ in range(players)]

    def enters_fantasyland(self) -> bool:
        """True if a player who wasn't in Fantasyland gets it next."""
        return self._random.random() < self._fantasyland

    def somebody_enters_fantasyland(self, players: int) -> bool:
        """True if at least one of ``players`` gets Fantasyland next."""
        return self._random.random() < 1 - (1 - self._fantasyland) ** players

    def enters_again(self) -> bool:
        """True if a busted player who may re-enter does."""
        return self._random.random() < ENTERS_AGAIN


def hand_time(game: Variant, turn: float, players: int) -> tuple[float, float]:
    """Return the mean and standard deviation of a hand's time, for ``players`` with ``turn`` per turn."""
    streets, at_once = float(len(game.streets)), 1 + 0.5 * log(players)
    turns = players * streets
    if game.order is TurnOrder.ALL_TOGETHER:
        turns = at_once * (streets if streets > 1 else WHOLE_BOARD_TURNS)
    elif game.order is TurnOrder.FIRST_TOGETHER:
        turns = players * (streets - 1) + at_once
    return turn * turns, turn * TURN_SPREAD * sqrt(turns)
