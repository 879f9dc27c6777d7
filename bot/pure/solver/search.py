"""Search for the best placement of a street, with more effort for promising ones.

The network first estimates each placement's board. Placements that aren't far behind are searched one street ahead. All
are tried on the same sampled deals, each placed in the best way. Before the last street, every deal is enumerated
instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import Card
from bot.pure.ofc.variants import Street
from bot.pure.solver.boards import Boards, children, fitting, patterns
from bot.pure.solver.evaluator import Evaluator
from bot.pure.solver.field import Field
from bot.pure.solver.lookahead import best_ways, drawn, likely_ways, without
from bot.pure.solver.network import Deals
from bot.pure.solver.outcomes import ENTERS, FOUL, ROYALTIES, BoardResults, OpponentBoards, board_codes
from bot.pure.solver.row_tables import Floats, Ints

LIKELY = 2
"""Number of placements per deal that are evaluated exactly, namely those that the network rates highest."""
EXACT_SHARE = 6
"""Number of deals that the network evaluates in the time of one exact evaluation."""
MANY_WAYS = 80
"""Maximum ways to place a street's cards before fewer deals are sampled, which limits the number of boards."""
TOGETHER = 4096
"""Deals per batch, few enough for the memory of a small machine."""
SAME_DECIMALS = 4
"""Decimals to which values are compared, because they have single precision."""
FIRST_LOOK = 2
"""Multiplier for the first round's deals when fewer are sampled. With very few, those that reward a bold placement
would often be missed."""
CLEARLY = 3
"""A placement is dropped once it's this many standard errors behind the best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Search effort: the number of placements and deals in each round."""

    rounds: tuple[tuple[int, int], ...]
    """Pairs of (placements, deals). The deals of earlier rounds count too."""
    boards: int = 1200
    """Approximate number of boards completed for a street in a game without fitted values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementValue:
    """A placement and its value, in points per opponent."""

    letters: str
    value: float
    error: float
    """Standard error of the value from the player's own sampled deals; 0 if none were sampled."""
    foul: float
    """Probability of a foul, 0 to 1."""
    fantasyland: float
    """Probability of entering Fantasyland, 0 to 1."""
    royalties: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A decision: a board, the cards to place on it, and what is known about the opponents."""

    board: Boards
    held: tuple[Card, ...]
    street: int
    unseen: Ints
    """Number of unseen copies of each card, of shape (54,)."""
    rivals: OpponentBoards
    """One rival that averages all opponents, or several independent samples that the deals use in turn."""
    field: Field | None = None
    """The individual opponents, for row-by-row comparison; None on streets where only their average counts."""


def judged(evaluator: Evaluator, spot: Spot, effort: Effort, chance: np.random.Generator) -> list[PlacementValue]:
    """Return all placements that lead to different boards, best first."""
    rule = evaluator.variant.streets[spot.street - 1]
    cards = np.array([spot.held], dtype=np.int32)
    found = children(spot.board, cards, to_place=rule.to_place)
    boards, ways = _distinct(found.boards, found.pattern)
    deals = Deals(spot.unseen[None], spot.rivals)
    error = np.zeros(len(boards))
    if evaluator.compares(spot.street):
        parts = compared_outcomes(evaluator, spot, boards)
        order = _by_value(parts @ evaluator.weights, evaluator.scorer.standing(boards))
    else:
        parts = evaluator.expected(boards, deals, np.zeros(len(boards), dtype=np.intp), street=spot.street)
        order = _closer(evaluator, spot, boards, parts, error, effort, chance)
    letters = patterns(rule.deal, rule.to_place)
    values = parts @ evaluator.weights
    return [
        PlacementValue(
            letters=letters.letters(int(ways[place])),
            value=float(values[place]),
            error=float(error[place]),
            foul=_share(parts[place, FOUL]),
            # Both are estimates, so their sum can exceed 1.
            fantasyland=min(_share(parts[place, ENTERS:].sum()), 1 - _share(parts[place, FOUL])),
            royalties=float(parts[place, ROYALTIES]),
        )
        for place in order
    ]


def compared_outcomes(evaluator: Evaluator, spot: Spot, boards: Boards) -> Floats:
    """Return boards' exact outcomes against the individual opponents, of shape (boards, PARTS)."""
    one = np.zeros(len(boards), dtype=np.intp)
    if spot.street < evaluator.last:
        return evaluator.before_last.outcomes(boards, Deals(spot.unseen[None], spot.rivals), one, spot.field)
    won = spot.field.points if spot.field else evaluator.scorer.against(spot.rivals, one)
    return evaluator.scorer.ends(board_codes(boards), won).outcomes()


def outcomes_of_each(evaluator: Evaluator, spot: Spot, boards: Boards) -> Floats:
    """Like :func:`compared_outcomes`, but for each sampled board of the opponents, of shape (boards, drawn, PARTS)."""
    if spot.field is None:
        return compared_outcomes(evaluator, spot, boards)[:, None]
    if spot.street < evaluator.last:
        one = np.zeros(len(boards), dtype=np.intp)
        return evaluator.before_last.each(boards, Deals(spot.unseen[None], spot.rivals), one, spot.field)
    finals = evaluator.scorer.finals(board_codes(boards))
    drawn_points = np.moveaxis(spot.field.each(finals), -1, 0)
    return np.stack([BoardResults(finals, points).outcomes() for points in drawn_points], axis=1)


def _by_value(values: Floats, standing: Floats) -> NDArray[np.intp]:
    """Return the order by value, best first. Ties go to the boards with stronger rows."""
    return np.lexsort((-standing, -values.round(SAME_DECIMALS)))


def _share(number: float) -> float:
    return min(1.0, max(0.0, float(number)))


def _ranked(parts: Floats, evaluator: Evaluator) -> NDArray[np.intp]:
    return np.argsort(-(parts @ evaluator.weights), kind="stable")


def _distinct(boards: Boards, ways: NDArray[np.intp]) -> tuple[Boards, NDArray[np.intp]]:
    """Return the boards without duplicates, and the pattern of each."""
    _, first = np.unique(np.hstack([boards.kinds, boards.suits]), axis=0, return_index=True)
    first.sort()
    return boards.at(first), ways[first]


def _closer(
    evaluator: Evaluator,
    spot: Spot,
    boards: Boards,
    parts: Floats,
    error: NDArray[np.float64],
    effort: Effort,
    chance: np.random.Generator,
) -> NDArray[np.intp]:
    """Search the promising boards one street ahead, and return the order of all boards.

    Boards tried on the most deals come first, best first. ``parts`` and ``error`` are updated in place.
    """
    deals = np.zeros(len(boards), dtype=np.intp)
    left, met = _ranked(parts, evaluator), None
    for most, draws in effort.rounds:
        left = left[:most]
        if len(left) < 2:
            break
        times = FIRST_LOOK if met is None else 1
        more = search_ahead(evaluator, spot, boards.at(left), chance, draws=draws, times=times)
        met = more if met is None else np.concatenate([met[:most], more], axis=1)
        parts[left], deals[left] = met.mean(axis=1), met.shape[1]
        values = met @ evaluator.weights
        error[left] = values.std(axis=1) / np.sqrt(values.shape[1])
        best = np.argsort(-values.mean(axis=1), kind="stable")
        kept = best[not_clearly_behind(values)[best]]
        left, met = left[kept], met[kept]
    return np.lexsort((-(parts @ evaluator.weights), -deals))


def not_clearly_behind(values: Floats) -> NDArray[np.bool_]:
    """Return which boards could still be the best; ``values`` has the shape (boards, deals), with shared deals."""
    behind = values[values.mean(axis=1).argmax()] - values
    error = behind.std(axis=1) / np.sqrt(values.shape[1])
    found: NDArray[np.bool_] = behind.mean(axis=1) <= CLEARLY * error
    return found


def search_ahead(
    evaluator: Evaluator, spot: Spot, boards: Boards, chance: np.random.Generator, *, draws: int, times: int = 1
) -> Floats:
    """Return each board's outcomes over shared deals, of shape (boards, draws, PARTS).

    Two streets before the last, the network only preselects placements, which are then evaluated exactly. The maximum
    of many estimates would be too high. Exact evaluation is slower, so it uses fewer deals; ``times`` multiplies their
    number.
    """
    exactly = spot.street == evaluator.last - 2 and evaluator.before_last.exact
    fewer = draws // EXACT_SHARE if exactly else _fewer(boards, evaluator.variant.streets[spot.street], draws)
    draws = min(draws, max(1, fewer * times))
    parts = [
        _looked_ahead(evaluator, spot, boards, chance, draws=min(TOGETHER, draws - low), exactly=exactly)
        for low in range(0, draws, TOGETHER)
    ]
    return np.concatenate(parts, axis=1)


def _fewer(boards: Boards, street: Street, draws: int) -> int:
    """Return the number of deals to sample: ``draws``, or fewer if each deal can be placed in many ways."""
    ways = int(fitting(boards, patterns(street.deal, street.to_place)).sum()) // len(boards)
    return draws if ways <= MANY_WAYS else draws * MANY_WAYS // ways


def _looked_ahead(
    evaluator: Evaluator, spot: Spot, boards: Boards, chance: np.random.Generator, *, draws: int, exactly: bool
) -> Floats:
    rule = evaluator.variant.streets[spot.street]
    cards = drawn(spot.unseen[None], rule.deal, draws, chance)
    found = children(boards, cards[0], to_place=rule.to_place)
    after = without(spot.unseen[None], cards)
    deals = Deals(after, spot.rivals.at(np.arange(draws) % len(spot.rivals.fouls)))
    parts = evaluator.expected(found.boards, deals, found.deal, street=spot.street + 1)
    values = parts @ evaluator.weights
    if not exactly:
        return parts[best_ways(found, values, deals=draws)]
    some = likely_ways(found, values, deals=draws, keep=LIKELY)
    return evaluator.before_last.best(found.boards, some, deals, found.deal)
