"""Correction of a mistake: the best placements of its position, and what every other one costs.

The values are those of the review that found the mistake, on the same deals, so both name the same loss.

Source: docs/solver.md, "Mistakes".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.pure.ofc.cards import BOARD_CARDS
from bot.pure.ofc.log import PlacedBy
from bot.pure.solver.comparison import ExpectedResults
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.levels import Computers
from bot.pure.solver.review import CERTAIN, FLOOR, SALT, Decision, DecisionPoint, decision
from bot.pure.trainer.analysis import opponents_of, reviewed
from bot.pure.trainer.position import position_in, view_of
from bot.pure.trainer.puzzle import GAP, JUDGED, SHOWN, PuzzlePlacement, same_board
from bot.pure.trainer.themes import Theme, theme_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Better placements than a mistake."""

    placements: tuple[PuzzlePlacement, ...]
    """The best placements, best first. For a whole board, only the best one."""
    placed: PuzzlePlacement
    """The player's."""
    costs: Mapping[str, float]
    """Each placement's loss against the best one, in points. Placements that lead to the same board count once.

    Empty for a whole board.
    """
    right: tuple[str, ...]
    """The placements of ``costs`` that are no mistakes."""
    theme: Theme | None
    """None for a whole board."""

    @property
    def is_clear(self) -> bool:
        """True if the best placement is as far ahead of every other as in a puzzle."""
        return len(self.costs) > 1 and sorted(self.costs.values())[1] >= GAP


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A decision as the trainer counts it."""

    street: int
    """0 for a whole board set in one step."""
    lost: float
    """Points lost; 0 if the decision was no clear mistake."""
    correction: Correction | None
    """None if it was no clear mistake."""


def judged(computers: Computers, moment: DecisionPoint) -> Judgement | None:
    """Return how a decision counts; None if it doesn't.

    It counts if the player decided, there was something to decide, and the game has fitted values.
    """
    whole = moment.view.to_place == BOARD_CARDS
    evaluator = None if whole else computers.evaluator(moment.view.variant)
    if moment.by is not PlacedBy.PLAYER or (evaluator is None and not whole):
        return None
    found = decision(computers, moment)
    if not found.real or found.arranged:
        return None
    if not found.mistake:
        return Judgement(street=found.street, lost=0.0, correction=None)
    corrected = _whole_board(found) if evaluator is None else _street(computers, evaluator, moment)
    return Judgement(street=found.street, lost=found.loss, correction=corrected)


def _whole_board(found: Decision) -> Correction:
    best, placed = found.best, found.placed
    assert best.facts is not None
    assert placed.facts is not None
    return Correction(
        placements=(PuzzlePlacement(letters=best.letters, value=0.0, facts=best.facts),),
        placed=PuzzlePlacement(letters=placed.letters, value=-found.loss, facts=placed.facts),
        costs={},
        right=(),
        theme=None,
    )


def _street(computers: Computers, evaluator: Evaluator, moment: DecisionPoint) -> Correction:
    view, position = moment.view, position_in(moment.view)
    values, opponents = computers.evaluate(view), opponents_of(view)
    first = values[0].letters
    letters = [value.letters for value in values[:JUDGED]]
    # A search leaves out placements with the same board, so the player's may be another one's twin.
    placed = next((one for one in letters if same_board(position, one, moment.letters)), moment.letters)
    letters += [placed] if placed not in letters else []
    facts, draws = reviewed(evaluator, view, letters, salt=SALT)
    number = {one: at for at, one in enumerate(letters)}
    order = sorted(letters, key=lambda one: draws.loss(number[one], number[first]))
    best = order[0]
    costs = {one: max(0.0, draws.loss(number[one], number[best])) for one in letters}
    right = [one for one in letters if costs[one] <= max(FLOOR, CERTAIN * draws.error(number[one], number[best]))]
    most = max(costs[value.letters] for value in values[:JUDGED])
    for value in values:
        costs.setdefault(value.letters, max(most, (values[0].value - value.value) * opponents))
    right += [one for one, cost in costs.items() if one not in number and cost <= FLOOR]
    alone = computers.evaluate(view_of(replace(position, opponents=()), view.variant))[0].letters
    shown = {
        one: PuzzlePlacement(letters=one, value=draws.value(number[one]), facts=facts[number[one]]) for one in letters
    }
    return Correction(
        placements=tuple(shown[one] for one in order[:SHOWN]),
        placed=shown[placed],
        costs=costs,
        right=tuple(one for one in right if one != placed),
        theme=theme_of(
            position,
            view.variant,
            (best, shown[best].facts),
            (placed, shown[placed].facts),
            alone=best if same_board(position, alone, best) else alone,
        ),
    )


# Corrections as JSON, as they're stored


def correction_text(correction: Correction) -> str:
    """Return a correction as JSON. It has letters and numbers, but no cards."""
    record = {
        "placements": [_written(placement) for placement in correction.placements],
        "placed": _written(correction.placed),
        "costs": {letters: round(cost, 2) for letters, cost in correction.costs.items()},
        "right": correction.right,
        "theme": None if correction.theme is None else correction.theme.value,
    }
    return json.dumps(record, separators=(",", ":"))


def parse_correction(text: str) -> Correction:
    """Return the correction in a JSON text."""
    record = json.loads(text)
    return Correction(
        placements=tuple(map(_placement, record["placements"])),
        placed=_placement(record["placed"]),
        costs=record["costs"],
        right=tuple(record["right"]),
        theme=None if record["theme"] is None else Theme(record["theme"]),
    )


def _written(placement: PuzzlePlacement) -> list[str | float]:
    facts = placement.facts
    return [
        placement.letters,
        round(placement.value, 2),
        round(facts.foul, 3),
        round(facts.fantasyland, 3),
        round(facts.royalties, 2),
    ]


def _placement(record: list[Any]) -> PuzzlePlacement:
    letters, value, foul, fantasyland, royalties = record
    facts = ExpectedResults(foul=foul, fantasyland=fantasyland, royalties=royalties)
    return PuzzlePlacement(letters=letters, value=value, facts=facts)
