"""Which placement is worth most: every one is looked at, the promising ones ever more closely.

A placement is first judged by what the network expects of its board. Those that are not far behind are looked ahead
one street: all meet the same deals, and what each deal allows is judged at its best. Before the last street nothing is
left to guess: every deal is looked at. What the network knows already is taken off the chance of the draw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.pure.ofc.cards import Card
from bot.pure.ofc.variants import Street
from bot.pure.solver.boards import Boards, children, fitting, patterns
from bot.pure.solver.brain import Brain
from bot.pure.solver.field import Field
from bot.pure.solver.lookahead import best_ways, drawn, likely_ways, without
from bot.pure.solver.network import Deals
from bot.pure.solver.outcomes import ENTERS, FOUL, ROYALTIES, Ends, Rivals, board_codes
from bot.pure.solver.row_tables import Floats, Ints

LIKELY = 2
"""So many placements of a deal are judged exactly, those that the network likes best."""
EXACT_SHARE = 6
"""For so many deals that a network judges one is judged exactly."""
MANY_WAYS = 80
"""A street with more ways to place its cards is looked at over fewer deals, so that no more boards are judged."""
TOGETHER = 4096
"""So many deals are looked at at once: more would need more memory than a small machine has."""
SAME_DECIMALS = 4
"""Values that differ less are the same: they are kept in single precision."""
FIRST_LOOK = 2
"""Where fewer deals are looked at, the first look meets so many times as many: among very few there is too often none
that rewards a bold placement."""
CLEARLY = 3
"""A placement that is so many standard errors behind the best one is not looked at again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How closely to look: how many placements are looked ahead in each round, over how many deals."""

    rounds: tuple[tuple[int, int], ...]
    """Pairs of (placements, deals); the deals of earlier rounds count as well."""
    boards: int = 1200
    """In a game for which nothing was fitted: how many boards are completed for a street, about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A placement and what it is worth, in points against each opponent."""

    letters: str
    value: float
    error: float
    """The standard error of the value, of one's own deals that were drawn alone; 0 where none were."""
    foul: float
    """The chance of a foul, 0-1."""
    fantasyland: float
    """The chance to enter Fantasyland, 0-1."""
    royalties: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A decision: a board, the cards to place on it, and what is known beside them."""

    board: Boards
    held: tuple[Card, ...]
    street: int
    unseen: Ints
    """How often each card is unseen: (54,)."""
    rivals: Rivals
    """One, that all opponents together come to; or several that were drawn apart, whom deals meet in turn."""
    field: Field | None = None
    """The opponents one by one, where each row is compared with theirs: on the last street, and before it where every
    deal is looked at."""


def judged(brain: Brain, spot: Spot, effort: Effort, chance: np.random.Generator) -> list[Judged]:
    """Every placement that differs from the others, the best first."""
    rule = brain.variant.streets[spot.street - 1]
    cards = np.array([spot.held], dtype=np.int32)
    found = children(spot.board, cards, to_place=rule.to_place)
    boards, ways = _distinct(found.boards, found.pattern)
    deals = Deals(spot.unseen[None], spot.rivals)
    error = np.zeros(len(boards))
    if brain.compares(spot.street):
        parts = compared_outcomes(brain, spot, boards)
        order = _by_value(parts @ brain.weights, brain.scorer.standing(boards))
    else:
        parts = brain.expected(boards, deals, np.zeros(len(boards), dtype=np.intp), street=spot.street)
        order = _closer(brain, spot, boards, parts, error, effort, chance)
    letters = patterns(rule.deal, rule.to_place)
    values = parts @ brain.weights
    return [
        Judged(
            letters=letters.letters(int(ways[place])),
            value=float(values[place]),
            error=float(error[place]),
            foul=_share(parts[place, FOUL]),
            # Two guesses may promise more than there is.
            fantasyland=min(_share(parts[place, ENTERS:].sum()), 1 - _share(parts[place, FOUL])),
            royalties=float(parts[place, ROYALTIES]),
        )
        for place in order
    ]


def compared_outcomes(brain: Brain, spot: Spot, boards: Boards) -> Floats:
    """What boards come to where nothing is left to guess, each opponent by themselves: (boards, PARTS)."""
    one = np.zeros(len(boards), dtype=np.intp)
    if spot.street < brain.last:
        return brain.before_last.outcomes(boards, Deals(spot.unseen[None], spot.rivals), one, spot.field)
    won = spot.field.points if spot.field else brain.scorer.against(spot.rivals, one)
    return brain.scorer.ends(board_codes(boards), won).outcomes()


def outcomes_of_each(brain: Brain, spot: Spot, boards: Boards) -> Floats:
    """The same for each of the opponents' boards that were drawn: (boards, drawn, PARTS)."""
    if spot.field is None:
        return compared_outcomes(brain, spot, boards)[:, None]
    if spot.street < brain.last:
        one = np.zeros(len(boards), dtype=np.intp)
        return brain.before_last.each(boards, Deals(spot.unseen[None], spot.rivals), one, spot.field)
    finals = brain.scorer.finals(board_codes(boards))
    drawn_points = np.moveaxis(spot.field.each(finals), -1, 0)
    return np.stack([Ends(finals, points).outcomes() for points in drawn_points], axis=1)


def _by_value(values: Floats, standing: Floats) -> NDArray[np.intp]:
    """The best first; of those that are worth the same, the one whose rows stand strongest."""
    return np.lexsort((-standing, -values.round(SAME_DECIMALS)))


def _share(number: float) -> float:
    return min(1.0, max(0.0, float(number)))


def _ranked(parts: Floats, brain: Brain) -> NDArray[np.intp]:
    return np.argsort(-(parts @ brain.weights), kind="stable")


def _distinct(boards: Boards, ways: NDArray[np.intp]) -> tuple[Boards, NDArray[np.intp]]:
    """The boards without those that are the same as an earlier one."""
    _, first = np.unique(np.hstack([boards.kinds, boards.suits]), axis=0, return_index=True)
    first.sort()
    return boards.at(first), ways[first]


def _closer(
    brain: Brain,
    spot: Spot,
    boards: Boards,
    parts: Floats,
    error: NDArray[np.float64],
    effort: Effort,
    chance: np.random.Generator,
) -> NDArray[np.intp]:
    """All boards in order: those first that were looked at most closely, and of these the best.

    ``parts`` and ``error`` say from now on what looking ahead has found.
    """
    deals = np.zeros(len(boards), dtype=np.intp)
    left, met = _ranked(parts, brain), None
    for most, draws in effort.rounds:
        left = left[:most]
        if len(left) < 2:
            break
        times = FIRST_LOOK if met is None else 1
        more = looked_ahead(brain, spot, boards.at(left), chance, draws=draws, times=times)
        met = more if met is None else np.concatenate([met[:most], more], axis=1)
        parts[left], deals[left] = met.mean(axis=1), met.shape[1]
        values = met @ brain.weights
        error[left] = values.std(axis=1) / np.sqrt(values.shape[1])
        best = np.argsort(-values.mean(axis=1), kind="stable")
        kept = best[not_clearly_behind(values)[best]]
        left, met = left[kept], met[kept]
    return np.lexsort((-(parts @ brain.weights), -deals))


def not_clearly_behind(values: Floats) -> NDArray[np.bool_]:
    """Which may be the best of those that met the same deals: (boards, deals)."""
    behind = values[values.mean(axis=1).argmax()] - values
    error = behind.std(axis=1) / np.sqrt(values.shape[1])
    found: NDArray[np.bool_] = behind.mean(axis=1) <= CLEARLY * error
    return found


def looked_ahead(
    brain: Brain, spot: Spot, boards: Boards, chance: np.random.Generator, *, draws: int, times: int = 1
) -> Floats:
    """What each board comes to with each of the same deals: (boards, draws, PARTS).

    Two streets before the last, the network only says which placements are likely: those are judged exactly. Its best
    guess of many is a guess too high. That takes longer, so that fewer deals are drawn: ``times`` as many as usual.
    """
    exactly = spot.street == brain.last - 2 and brain.before_last.exact
    fewer = draws // EXACT_SHARE if exactly else _fewer(boards, brain.variant.streets[spot.street], draws)
    draws = min(draws, max(1, fewer * times))
    parts = [
        _looked_ahead(brain, spot, boards, chance, draws=min(TOGETHER, draws - low), exactly=exactly)
        for low in range(0, draws, TOGETHER)
    ]
    return np.concatenate(parts, axis=1)


def _fewer(boards: Boards, street: Street, draws: int) -> int:
    """How many deals of a street to look at, where few ways to place each would be looked at over so many."""
    ways = int(fitting(boards, patterns(street.deal, street.to_place)).sum()) // len(boards)
    return draws if ways <= MANY_WAYS else draws * MANY_WAYS // ways


def _looked_ahead(
    brain: Brain, spot: Spot, boards: Boards, chance: np.random.Generator, *, draws: int, exactly: bool
) -> Floats:
    rule = brain.variant.streets[spot.street]
    cards = drawn(spot.unseen[None], rule.deal, draws, chance)
    found = children(boards, cards[0], to_place=rule.to_place)
    after = without(spot.unseen[None], cards)
    deals = Deals(after, spot.rivals.at(np.arange(draws) % len(spot.rivals.fouls)))
    parts = brain.expected(found.boards, deals, found.deal, street=spot.street + 1)
    values = parts @ brain.weights
    if not exactly:
        return parts[best_ways(found, values, deals=draws)]
    some = likely_ways(found, values, deals=draws, keep=LIKELY)
    return brain.before_last.best(found.boards, some, deals, found.deal)
