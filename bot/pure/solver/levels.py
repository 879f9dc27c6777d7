"""Computer players of three levels, and the values of placements.

*Casual* samples a few futures and sets whole boards from the back up. *Club* samples many futures. Both have human
biases, *casual* stronger ones. *Master* uses fitted values and searches one street ahead. Every player sees only what
the view shows, and is deterministic: the same view always gets the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from itertools import combinations
from typing import Generic, TypeVar, assert_never

from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, Card, Row
from bot.pure.ofc.scoring import possible_strengths
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.ofc.view import HandView
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.biases import Biases
from bot.pure.solver.evaluator import Evaluator, Files, evaluator_for
from bot.pure.solver.fantasyland import set_board
from bot.pure.solver.possible_futures import choose_placement
from bot.pure.solver.search import Effort, PlacementValue, judged
from bot.pure.solver.setting import Opponents, Setter
from bot.pure.solver.visible_cards import boards_met, build_spot, cards_to_place, seeded_generator

T = TypeVar("T")


class Level(Enum):
    """Strength of a computer player."""

    CASUAL = "casual"
    CLUB = "club"
    MASTER = "master"


CASUAL_FIRST, CASUAL_LATER = (48, 12), (12, 6)
"""Approximate number of boards that a casual player completes, and the maximum number of placements considered.

Each is a pair, for the first street and for later ones. Only the placements that look best are considered.
"""
CASUAL_LEANS = Biases(flushes=1.0, fantasyland=1.5, two_pair=1.5, front=0.75, dead_cards=0.4, order=0.15)
CLUB_LEANS = Biases(flushes=0.3, fantasyland=0.4, two_pair=0.4, front=0.2, dead_cards=0.1, order=0.04)
"""Biases of the weaker levels: a beginner's mistakes, and a small part of each."""
MASTER = Effort(rounds=((10, 96), (7, 288), (3, 1152)))
"""Evaluates ten placements, then up to seven of the best more closely, then up to three of those more closely still."""
MAX_EVALUATORS = 8
"""Default number of games whose evaluators are cached."""


class _EvaluatorCache(Generic[T]):
    """Cache of evaluators by game, which drops the oldest entry beyond ``most``."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._games: dict[str, T] = {}

    def known(self, variant: Variant, made: Callable[[], T]) -> T:
        """Return the cached entry of a game, or create it with ``made``."""
        name = repr(variant)
        if name not in self._games:
            if len(self._games) >= self._most:
                del self._games[next(iter(self._games))]
            self._games[name] = made()
        return self._games[name]


class Computers:
    """Players of all levels, with a cache of evaluators for recently played games.

    ``effort`` sets how deep a master searches, ``evaluators`` the number of cached games.
    """

    def __init__(self, files: Files, effort: Effort = MASTER, *, evaluators: int = MAX_EVALUATORS) -> None:
        self._files = files
        self._effort = effort
        self._evaluators = _EvaluatorCache[Evaluator | None](evaluators)
        self._setters = _EvaluatorCache[Setter | None](evaluators)

    def choose(self, view: HandView, level: Level, *, entering: Mapping[int, float] | None = None) -> str:
        """Return the placement of the viewer's held cards, one letter per card in the order held.

        ``entering`` overrides the value of entering Fantasyland for a master, in points by number of cards. Raises
        ValueError if the view has no seat or no cards to place.
        """
        held = cards_to_place(view)
        match level:
            case Level.MASTER:
                return self._best(view, entering)
            case Level.CLUB:
                return choose_placement(view, biases=CLUB_LEANS)
            case Level.CASUAL:
                if view.to_place == BOARD_CARDS:
                    return from_the_back(view.variant, held)
                boards, seen = CASUAL_FIRST if view.street == 1 else CASUAL_LATER
                return choose_placement(view, boards=boards, seen=seen, biases=CASUAL_LEANS)
            case _:  # pragma: no cover
                assert_never(level)

    def _best(self, view: HandView, entering: Mapping[int, float] | None) -> str:
        if view.to_place == BOARD_CARDS:
            return self.arranged(view)
        found = self.evaluate(view, entering=entering)
        return found[0].letters if found else choose_placement(view, boards=self._effort.boards)

    def arranged(self, view: HandView) -> str:
        """Return the whole board that a master sets from the viewer's cards."""
        cards = cards_to_place(view)
        setter = self.setter(view.variant)
        if setter:
            return setter.best(cards).letters
        evaluator = self.evaluator(view.variant)
        met = boards_met(view, evaluator) if evaluator else ()
        if not evaluator or not met:
            return best_arrangement(view.variant, cards)
        return set_board(evaluator.scorer, cards, met, staying=evaluator.staying(len(cards)))

    def evaluate(
        self, view: HandView, effort: Effort | None = None, *, entering: Mapping[int, float] | None = None
    ) -> list[PlacementValue]:
        """Return all placements of a street with their values, best first; empty for a game without fitted values.

        Raises ValueError if the view has no seat, or if the whole board is set in one step.
        """
        if view.to_place == BOARD_CARDS:
            raise ValueError("a board that is set at once is arranged, not placed")
        cards_to_place(view)
        evaluator = self.evaluator(view.variant)
        if evaluator and entering is not None:
            evaluator = evaluator.counting(entering)
        return (
            judged(evaluator, build_spot(view, evaluator), effort or self._effort, seeded_generator(view))
            if evaluator
            else []
        )

    def setter(self, variant: Variant) -> Setter | None:
        """Return the setter of a game whose boards are set in one step; None if opponents' boards aren't known."""
        return self._setters.known(variant, lambda: _setter(variant, self._files))

    def evaluator(self, variant: Variant) -> Evaluator | None:
        """Return a game's evaluator; None if it has no fitted values."""
        return self._evaluators.known(variant, lambda: evaluator_for(variant, self._files))


def _setter(variant: Variant, files: Files) -> Setter | None:
    arrays = files(variant.key) if variant.at_once and not variant.jokers else None
    return Setter(variant, Opponents(strengths=arrays["boards"], cards=arrays["cards"])) if arrays else None


def from_the_back(variant: Variant, cards: Sequence[Card]) -> str:
    """Place at least 13 cards greedily: the strongest back, then the strongest middle, then the front.

    If the middle must be a low, return the best arrangement, because the greedy way would hardly ever make one.
    """
    if variant.middle is MiddleRank.DEUCE_TO_SEVEN:
        return best_arrangement(variant, cards)
    letters = [DISCARD] * len(cards)
    left = list(range(len(cards)))
    limit: int | None = None
    for row in (Row.BACK, Row.MIDDLE, Row.FRONT):
        best, chosen = -1, tuple(left[: row.size])
        for some in combinations(left, row.size):
            strength = possible_strengths(variant, row, tuple(cards[place] for place in some))[0]
            if best < strength and (limit is None or strength <= limit - variant.strict_rows):
                best, chosen = strength, some
        limit = best
        for place in chosen:
            letters[place] = row.value
        left = [place for place in left if place not in chosen]
    assert sum(letter != DISCARD for letter in letters) == BOARD_CARDS
    return "".join(letters)
