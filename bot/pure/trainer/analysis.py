"""Analysis of a position, with its best placements, their values and their results.

A master's search names the candidates. Their values come from other deals, the same ones as in a review, because the
best of many looks too good on the deals that chose it. A deeper analysis also looks one street further ahead.

Source: docs/solver.md, "Reviews" and "Positions".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.pure.ofc.cards import BOARD_CARDS
from bot.pure.ofc.view import HandView
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.comparison import (
    ExpectedResults,
    boards_after,
    compared_at_once,
    expected_results,
    model_error,
    outcomes_ahead,
    value_at_once,
)
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.levels import Computers
from bot.pure.solver.review import DEALS
from bot.pure.solver.visible_cards import cards_to_place, reviewed_spot, seeded_generator
from bot.pure.trainer.deeper import FIRST, deeper_values
from bot.pure.trainer.shared_draws import SharedDraws

CANDIDATES = 5
"""Default number of placements whose values are worked out."""
DEEPENED, DEEPER_DEALS = 3, 32
"""Number of placements and deals of :func:`deepened`. With them, it takes at most three seconds of a processor.

With two decks, a deal takes twice as long, so half of them are looked at.
"""
_SALT = 16
"""Salt for deals other than a master's."""


class NoValuesError(ValueError):
    """The game has no fitted values, so its positions can't be analysed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedPlacement:
    """A placement and its value, in points against all opponents together."""

    letters: str
    value: float
    error: float
    """Standard error of the difference from the best placement; for that itself, from the next one."""
    facts: ExpectedResults


def analysed(
    computers: Computers, view: HandView, *, most: int = CANDIDATES, deeper: bool = False
) -> list[AnalysedPlacement]:
    """Return the ``most`` best placements, best first. ``deeper`` looks one street further ahead.

    For a whole board, such as in Fantasyland, they're the boards that a master would set: the one that wins most, and
    the one with the highest royalties. Raises NoValuesError, or ValueError if the view has no cards to place.
    """
    cards_to_place(view)
    if view.to_place == BOARD_CARDS:
        return _whole_boards(computers, view)
    evaluator = computers.evaluator(view.variant)
    if evaluator is None:
        raise NoValuesError(view.variant.key)
    letters = [one.letters for one in computers.evaluate(view)[:most]]
    facts, draws = reviewed(evaluator, view, letters)
    if deeper:
        draws = searched_deeper(evaluator, view, letters)
    return ranked(letters, facts, draws)


def deepened(computers: Computers, view: HandView, found: Sequence[AnalysedPlacement]) -> list[AnalysedPlacement]:
    """Return the best of some analysed placements by a search one street further ahead, best first.

    Raises NoValuesError. A whole board isn't searched, so there's nothing further ahead of it.
    """
    evaluator = computers.evaluator(view.variant)
    if evaluator is None:
        raise NoValuesError(view.variant.key)
    kept = found[:DEEPENED]
    letters = [one.letters for one in kept]
    return ranked(
        letters,
        [one.facts for one in kept],
        searched_deeper(evaluator, view, letters, deals=DEEPER_DEALS // view.variant.decks),
    )


def reviewed(
    evaluator: Evaluator, view: HandView, letters: Sequence[str], *, deals: int = DEALS, salt: int = _SALT
) -> tuple[list[ExpectedResults], SharedDraws]:
    """Return what some placements lead to and their values, as a review judges them."""
    spot = reviewed_spot(view, evaluator, salt)
    boards = boards_after(evaluator, spot, letters)
    each = outcomes_ahead(evaluator, spot, boards, seeded_generator(view, salt), deals=deals)
    opponents = opponents_of(view)
    draws = SharedDraws(
        values=each @ evaluator.weights * opponents,
        sets=1 if evaluator.compares(view.street) else len(spot.rivals.fouls),
        beyond=model_error(evaluator, view.street) * opponents,
    )
    return [expected_results(parts) for parts in each], draws


def searched_deeper(evaluator: Evaluator, view: HandView, letters: Sequence[str], *, deals: int = FIRST) -> SharedDraws:
    """Return the placements' values by a search one street further ahead than a review's."""
    values, sets = deeper_values(evaluator, view, letters, deals=deals)
    return SharedDraws(values=values * opponents_of(view), sets=sets, beyond=0.0)


def opponents_of(view: HandView) -> int:
    """Return the number of opponents; 1 if there are none, because points are multiplied by it."""
    return max(1, len(view.seats) - 1)


def ranked(letters: Sequence[str], facts: Sequence[ExpectedResults], draws: SharedDraws) -> list[AnalysedPlacement]:
    """Return the placements, best first."""
    order = [int(number) for number in np.argsort(-draws.values.mean(axis=1), kind="stable")]
    best, second = order[0], order[1] if len(order) > 1 else order[0]
    return [
        AnalysedPlacement(
            letters=letters[number],
            value=draws.value(number),
            error=draws.error(second if number == best else number, best),
            facts=facts[number],
        )
        for number in order
    ]


def _whole_boards(computers: Computers, view: HandView) -> list[AnalysedPlacement]:
    """Return the board that wins most, and the one with the highest royalties if that's another."""
    best = computers.arranged(view)
    other = best_arrangement(view.variant, cards_to_place(view))
    found = compared_at_once(computers, view, other, best)
    opponents = opponents_of(view)
    error = found.error * opponents
    choices = [found.best] if other == best else [found.best, found.placed]
    placements = [
        AnalysedPlacement(
            letters=choice.letters,
            value=value_at_once(computers, view, choice.letters) * opponents,
            error=error,
            facts=choice.facts,
        )
        for choice in choices
        if choice.facts is not None
    ]
    return sorted(placements, key=lambda placement: -placement.value)
