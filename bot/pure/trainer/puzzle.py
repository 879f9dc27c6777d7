"""Puzzles: positions in which one placement clearly beats every other, and players get it wrong.

A puzzle is looked for in three steps, each more expensive than the one before: a master's search, the values of a
review, and a search one street further ahead. More deals wouldn't replace the last step, because the doubt about the
opponents on the first streets doesn't come from the number of deals.

How hard it is follows from computer players of known skill, who try it with every renaming of the suits. A renaming
changes nothing but the cards that they happen to think of.

Source: docs/solver.md, "Puzzles".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bot.pure.ofc.cards import BOARD_CARDS, Card
from bot.pure.ofc.placement import place
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView
from bot.pure.rating.model import Rating
from bot.pure.solver.comparison import ExpectedResults
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.levels import Computers, Level
from bot.pure.solver.search import PlacementValue
from bot.pure.trainer.analysis import opponents_of, reviewed, searched_deeper
from bot.pure.trainer.difficulty import estimated
from bot.pure.trainer.position import Position, position_in, view_of
from bot.pure.trainer.shared_draws import SharedDraws
from bot.pure.trainer.suits import RENAMINGS, renamed_position
from bot.pure.trainer.themes import Theme, theme_of

GAP = 0.7
"""Minimum lead of the best placement over every other, in points."""
ERRORS = 3
"""Minimum lead in standard errors of the lead."""
SHOWN = 3
"""Number of placements that an answer compares."""
JUDGED = 6
"""Number of placements that are judged as in a review. The others are further behind."""
SKILLS: Mapping[Level, float] = MappingProxyType({Level.CASUAL: -1.0, Level.CLUB: 0.5})
"""Skill of the computer players who try a puzzle, on the scale of solvers, where 0 is a newcomer."""
TRIES: Mapping[Level, int] = MappingProxyType({Level.CASUAL: 12, Level.CLUB: 6})
UNTRIED = Rating(deviation=1.0)
"""Difficulty of a puzzle before anyone has tried it."""
LEAST_WRONG = 3
"""Minimum number of tries that are wrong."""
PEOPLE = 0.6
"""Minimum standard deviation of a new puzzle's difficulty, because people err differently from computer players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzlePlacement:
    """A placement of a puzzle's cards, in points against all opponents together."""

    letters: str
    value: float
    facts: ExpectedResults


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A position with one best placement."""

    variant: Variant
    position: Position
    placements: tuple[PuzzlePlacement, ...]
    """The best placement and the ones closest to it, best first."""
    costs: Mapping[str, float]
    """Each placement's loss against the best one, in points. Placements that lead to the same board count once."""
    gap: float
    """Lead of the best placement over the next, in points."""
    error: float
    """Standard error of the gap."""
    theme: Theme
    difficulty: Rating

    @property
    def game(self) -> str:
        """The key of the game."""
        return self.variant.key

    @property
    def best(self) -> str:
        """The best placement, one letter per card in the order dealt."""
        return self.placements[0].letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A position whose best placement is clear by the values of a review. Whether it's a puzzle isn't known yet."""

    view: HandView
    values: Sequence[PlacementValue]
    letters: tuple[str, ...]
    """The best placement first, then the others that were judged."""
    facts: Mapping[str, ExpectedResults]
    draws: SharedDraws
    number: Mapping[str, int]
    """Index of each placement in ``draws``."""

    @property
    def best(self) -> str:
        """The best placement, one letter per card in the order dealt."""
        return self.letters[0]


def puzzle_at(computers: Computers, view: HandView) -> Puzzle | None:
    """Return the puzzle that a player's view makes; None if it makes none.

    Raises ValueError if the view has no cards to place.
    """
    candidate = candidate_at(computers, view)
    if candidate is None:
        return None
    attempts = tried(computers, candidate.view, candidate.best)
    evaluator = computers.evaluator(view.variant)
    assert evaluator is not None
    if not is_hard(attempts) or not confirmed(evaluator, candidate.view, candidate.letters[:SHOWN]):
        return None
    return puzzle_of(computers, candidate, attempts)


def candidate_at(computers: Computers, view: HandView) -> Candidate | None:
    """Return the position of a player's view if one placement is clearly the best; None otherwise.

    Raises ValueError if the view has no cards to place.
    """
    evaluator = computers.evaluator(view.variant)
    if evaluator is None or view.to_place == BOARD_CARDS:
        return None
    return _clear(computers, evaluator, view_of(position_in(view), view.variant))


def is_hard(attempts: Sequence[tuple[Rating, bool]]) -> bool:
    """True if enough tries were wrong."""
    return sum(not solved for _, solved in attempts) >= LEAST_WRONG


def puzzle_of(computers: Computers, candidate: Candidate, attempts: Sequence[tuple[Rating, bool]]) -> Puzzle:
    """Return a candidate as a puzzle, with its difficulty from the tries of computer players."""
    view, draws, number = candidate.view, candidate.draws, candidate.number
    position, best, second = position_in(view), candidate.best, candidate.letters[1]
    alone = computers.evaluate(view_of(replace(position, opponents=()), view.variant))[0].letters
    rating = estimated(attempts, UNTRIED)
    return Puzzle(
        variant=view.variant,
        position=position,
        placements=tuple(
            PuzzlePlacement(letters=letters, value=draws.value(number[letters]), facts=candidate.facts[letters])
            for letters in candidate.letters[:SHOWN]
        ),
        costs=_costs(candidate, opponents_of(view)),
        gap=draws.loss(number[second], number[best]),
        error=draws.error(number[second], number[best]),
        theme=theme_of(
            position,
            view.variant,
            (best, candidate.facts[best]),
            (second, candidate.facts[second]),
            alone=best if same_board(position, alone, best) else alone,
        ),
        difficulty=replace(rating, deviation=max(rating.deviation, PEOPLE)),
    )


def _clear(computers: Computers, evaluator: Evaluator, view: HandView) -> Candidate | None:
    values, opponents = computers.evaluate(view), opponents_of(view)
    if len(values) < 2 or (values[0].value - values[1].value) * opponents < GAP:
        return None
    letters = [value.letters for value in values[:JUDGED]]
    facts, draws = reviewed(evaluator, view, letters)
    for other in range(1, len(letters)):
        loss = draws.loss(other, 0)
        if loss < GAP or loss < ERRORS * draws.error(other, 0):
            return None
    order = sorted(range(len(letters)), key=lambda number: draws.loss(number, 0))
    return Candidate(
        view=view,
        values=values,
        letters=tuple(letters[number] for number in order),
        facts=dict(zip(letters, facts, strict=True)),
        draws=draws,
        number={one: number for number, one in enumerate(letters)},
    )


def confirmed(evaluator: Evaluator, view: HandView, letters: Sequence[str]) -> bool:
    """True if a search one street further ahead finds the first of these placements best too."""
    return searched_deeper(evaluator, view, letters).best == 0


def _costs(candidate: Candidate, opponents: int) -> dict[str, float]:
    """Return each placement's cost. Those that were only searched cost at least as much as those judged."""
    first = candidate.number[candidate.best]
    costs = {letters: max(0.0, candidate.draws.loss(number, first)) for letters, number in candidate.number.items()}
    most = max(costs.values())
    for value in candidate.values:
        rough = (candidate.values[0].value - value.value) * opponents
        costs.setdefault(value.letters, max(most, rough))
    return costs


def tried(computers: Computers, view: HandView, best: str) -> list[tuple[Rating, bool]]:
    """Let computer players try a puzzle. Return the skill of each, and whether they found the best placement."""
    return [attempt for level in SKILLS for attempt in tried_by(computers, view, best, level)]


def tried_by(computers: Computers, view: HandView, best: str, level: Level) -> list[tuple[Rating, bool]]:
    """Let computer players of one level try a puzzle, as in :func:`tried`."""
    position, attempts = position_in(view), []
    for renamed in _renamed(position, TRIES[level]):
        letters = computers.choose(view_of(renamed, view.variant), level)
        attempts.append((Rating(mean=SKILLS[level], deviation=0.0), same_board(position, letters, best)))
    return attempts


def same_board(position: Position, one: str, other: str) -> bool:
    """True if two placements lead to the same board."""
    return _board(position, one) == _board(position, other)


def _board(position: Position, letters: str) -> list[list[Card]]:
    rows, _ = place(position.rows, position.held, letters)
    return [sorted(row) for row in rows]


def _renamed(position: Position, count: int) -> Iterator[Position]:
    """Yield the position with its suits renamed in ``count`` ways."""
    step = len(RENAMINGS) // count
    for suits in RENAMINGS[:: max(1, step)][:count]:
        yield renamed_position(position, suits)
