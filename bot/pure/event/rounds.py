"""The opponents of each round where everybody plays every round: a league's schedule, made before the first hand.
It is for so many rounds, or for as many as it takes until everybody has met everybody.

Players are indices from 0. Two at a table meet by the circle method; more are spread so that as few as can be found
meet again while others have not met. The same numbers give the same schedule.

Duplicate: every table got the same deck, so each player is compared with those who held the same cards elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from operator import add

from bot.pure.event.limits import MAX_ROUND_ROBIN_PLAYERS
from bot.pure.event.pairings import Pairings
from bot.pure.event.seating import table_sizes
from bot.pure.event.structure import Structure

Lineup = tuple[int, ...]
"""Players in the order of their seats."""
Round = tuple[Lineup, ...]

_SWEEPS = 20
"""Times that a round is gone through for better places, at most."""
_STARTS_WORK = 10_000
"""Squares of the field that are worth of first arrangements: many for a small field, one for a large one."""
_TRIED_AGAIN = (0, 1, 4, 8)
"""What the first meeting again weighs beside its square, one after the other, where all are to meet soon."""
_TRIED_WORK = 600
_FEW = 24
"""Larger fields are tried with fewer weights."""


def schedule(players: int, seats: int, rounds: int) -> tuple[Round, ...]:
    """The tables of each round; who is at none of them has a bye.

    With two seats everybody meets everybody once in ``players - 1`` rounds (``players`` with a bye where they are
    odd), then again on the other seat. With more seats nobody has a bye; the rounds at a smaller table differ by two at
    most, and meetings and seats are shared out as evenly as a bounded search finds.
    """
    if players < 2:
        return ((),) * rounds
    if seats == 2:
        return tuple(_pairs(players, number) for number in range(rounds))
    field = _Field(players, table_sizes(players, seats))
    return tuple(field.next_round() for _ in range(rounds))


@lru_cache(maxsize=64)
def everybody(players: int, seats: int) -> tuple[Round, ...]:
    """The tables of as many rounds as it takes until everybody has met everybody.

    With two seats that is once. With more it is the best of some searches: few rounds in which nobody meets the same
    player often.
    """
    if players < 2:
        return ()
    if seats == 2:
        return schedule(players, seats, players - 1 + players % 2)
    tried = _TRIED_AGAIN if players <= _FEW else _TRIED_AGAIN[::2]
    found = [_until_met(_Field(players, table_sizes(players, seats), again=again)) for again in tried]
    return min(found, key=lambda rounds: (len(rounds) + meetings(rounds, players)[1], len(rounds)))


def _until_met(field: _Field) -> tuple[Round, ...]:
    rounds = []
    while not field.all_met:
        rounds.append(field.next_round())
    return tuple(rounds)


def meetings(rounds: Iterable[Round], players: int) -> tuple[int, int]:
    """How often those two meet who meet least often in these rounds, and those who meet most often."""
    met = dict.fromkeys(combinations(range(players), 2), 0)
    for table in chain.from_iterable(rounds):
        for pair in combinations(sorted(table), 2):
            met[pair] += 1
    return min(met.values(), default=0), max(met.values(), default=0)


def settled(structure: Structure, players: int) -> Structure:
    """The structure with as many rounds as so many players have; as it is for more than can all meet."""
    if structure.pairings is not Pairings.ALL or players > MAX_ROUND_ROBIN_PLAYERS:
        return structure
    return replace(structure, rounds=len(everybody(players, structure.table_seats)))


def _pairs(players: int, number: int) -> Round:
    """The circle method: on a circle of odd size those meet whose places sum to the round's number.

    The one who would meet themselves meets the last player, who stands in the middle, or has the bye. Each player's
    distance to their opponent grows by one a round, so that odd distances give them each seat by turns.
    """
    circle = players - 1 + players % 2
    turn, now = divmod(number, circle)
    pairs: list[Lineup] = []
    for one in range(circle):
        other = (now - one) % circle
        if other == one and players % 2 == 0:
            pairs.append((one, circle) if now % 2 == 0 else (circle, one))
        elif (other - one) % circle % 2:
            pairs.append((one, other))
    return tuple(pair[::-1] for pair in pairs) if turn % 2 else tuple(pairs)


class _Field:
    """The players between two rounds: their former opponents and seats."""

    def __init__(self, players: int, sizes: Sequence[int], *, again: int | None = None) -> None:
        """With ``again`` all are to meet soon: so much more does it weigh that two meet again."""
        self._players = players
        self._again = again or 0
        self._work = _STARTS_WORK if again is None else _TRIED_WORK
        self._sizes = sizes
        self._met = [[0] * players for _ in range(players)]
        self._small = [0] * players
        """Rounds at one of the smaller tables."""
        self._sat = [[0] * sizes[0] for _ in range(players)]
        """Rounds on each seat."""

    def next_round(self) -> Round:
        """The next tables, which are remembered."""
        # Squares: who has met twice is kept apart before two who have met once are.
        weights = [[count * count + self._again * (count > 0) for count in row] for row in self._met]
        starts = max(1, self._work // self._players**2)
        begun = (self._start(start, weights) for start in range(starts))
        plans = (Plan(tables, weights, self._small, at=at) for tables, at in begun)
        tables = tuple(seated(table, self._sat) for table in _cheapest(plan.improved() for plan in plans).tables)
        for table in tables:
            self._remember(table)
        return tables

    @property
    def all_met(self) -> bool:
        """True once everybody has met everybody."""
        return all(self._met[one][other] for one, other in combinations(range(self._players), 2))

    def _remember(self, table: Lineup) -> None:
        for one, other in combinations(table, 2):
            self._met[one][other] += 1
            self._met[other][one] += 1
        for seat, player in enumerate(table):
            self._small[player] += len(table) < self._sizes[0]
            self._sat[player][seat] += 1

    def _start(self, start: int, weights: Sequence[Sequence[int]]) -> tuple[list[list[int]], list[list[int]]]:
        """A first arrangement, and what its tables weigh for each: one after the other sits where they met the fewest.

        Who was at smaller tables least often goes to one. ``start`` scatters the order.
        """
        order = sorted(range(self._players), key=lambda player: (player * start * 7919 % 10_007, player))
        places = sum(size for size in self._sizes if size < self._sizes[0])
        small = set(sorted(order, key=lambda player: self._small[player])[:places])
        tables: list[list[int]] = [[] for _ in self._sizes]
        at = [[0] * self._players for _ in self._sizes]
        large = [number for number, size in enumerate(self._sizes) if size == self._sizes[0]]
        smaller = [number for number, size in enumerate(self._sizes) if size < self._sizes[0]]
        for player in order:
            free = smaller if player in small else large
            number = min(free, key=[weighs[player] for weighs in at].__getitem__)
            tables[number].append(player)
            at[number] = [*map(add, at[number], weights[player])]
            if len(tables[number]) == self._sizes[number]:
                free.remove(number)
        return tables, at


class Plan:
    """A round while players change places.

    What each player weighs at each table is kept, and not added up for every change that is looked at.
    """

    def __init__(
        self,
        tables: list[list[int]],
        weights: Sequence[Sequence[int]],
        small: Sequence[int],
        *,
        at: list[list[int]] | None = None,
    ) -> None:
        self.tables = tables
        self._weights = weights
        self._small = small
        self._least = min(small)
        self._at = at or [[_weight(row, table) for row in weights] for table in tables]
        """By table, what it weighs for each player."""
        self._own = [0] * len(weights)
        """What the own table of each weighs."""
        for table, weighs in zip(tables, self._at, strict=True):
            for player in table:
                self._own[player] = weighs[player]

    @property
    def cost(self) -> int:
        """Twice the weight of all meetings."""
        return sum(self._own)

    def improved(self) -> Plan:
        """The same plan, once no change of two places is found that makes it better."""
        for _ in range(_SWEEPS):
            moved = 0
            for number, table in enumerate(self.tables):
                moved += sum(self._moved(number, place) for place in range(len(table)))
            if not moved:
                break
        return self

    def _moved(self, home: int, place: int) -> bool:
        """Whether the player there has gone to the place that is best for all."""
        here = self.tables[home]
        one = here[place]
        own = self._own[one]
        if not own:
            return False
        # What the plan gains in cost when the two change places, halved, but for what the one weighs where they go.
        gains = [at - its - 2 * met for at, its, met in zip(self._at[home], self._own, self._weights[one], strict=True)]
        best, found = 0, (-1, -1)
        for number, there in enumerate(self.tables):
            comes = self._at[number][one] - own
            if number == home or comes + min(map(gains.__getitem__, there)) >= best:
                continue
            for seat, other in enumerate(there):
                if comes + gains[other] < best and self._may_change(one, here, other, there):
                    best, found = comes + gains[other], (number, seat)
        if best:
            self._exchange(home, place, *found)
        return best < 0

    def _may_change(self, one: int, here: list[int], other: int, there: list[int]) -> bool:
        """False where the one who goes to a smaller table was at one too often already."""
        if len(here) == len(there):
            return True
        goes, comes = (one, other) if len(there) < len(here) else (other, one)
        return self._small[goes] <= max(self._least + 1, self._small[comes])

    def _exchange(self, home: int, place: int, number: int, seat: int) -> None:
        here, there = self.tables[home], self.tables[number]
        one, other = here[place], there[seat]
        here[place], there[seat] = other, one
        ones, others = self._weights[one], self._weights[other]
        for table, less, more in ((home, ones, others), (number, others, ones)):
            at = self._at[table] = [
                was - gone + come for was, gone, come in zip(self._at[table], less, more, strict=True)
            ]
            for player in self.tables[table]:
                self._own[player] = at[player]


def _weight(row: Sequence[int], table: Iterable[int]) -> int:
    return sum(map(row.__getitem__, table))


def _cheapest(plans: Iterable[Plan]) -> Plan:
    """The first plan that costs nothing, or the cheapest."""
    best: Plan | None = None
    for plan in plans:
        if best is None or plan.cost < best.cost:
            best = plan
        if not best.cost:
            break
    assert best is not None
    return best


def seated(table: Iterable[int], sat: Sequence[Sequence[int]]) -> Lineup:
    """The players in the order that brings them most to seats which they had least; exact, seat by seat."""
    players = sorted(table)
    best: dict[frozenset[int], tuple[int, Lineup]] = {frozenset(): (0, ())}
    for seat in range(len(players)):
        longer: dict[frozenset[int], tuple[int, Lineup]] = {}
        for placed, (cost, order) in best.items():
            for player in players:
                if player not in placed:
                    found = (cost + sat[player][seat] ** 2, (*order, player))
                    key = placed | {player}
                    longer[key] = min(found, longer.get(key, found))
        best = longer
    return best[frozenset(players)][1]


def cross_points(points: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """Each table's scores by position, from its points by position (one for each seat, counted from the button).

    A score is the sum over the other tables of (own points - theirs), a whole number; the scores of a position sum to
    0 over the tables. Raises ValueError where the tables have different numbers of positions.
    """
    if len({len(own) for own in points.values()}) > 1:
        raise ValueError("tables with different numbers of positions cannot be compared")
    totals = [sum(position) for position in zip(*points.values(), strict=True)]
    tables = len(points)
    return {
        table: tuple(tables * mine - total for mine, total in zip(own, totals, strict=True))
        for table, own in points.items()
    }


def match_points(points: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """The same as bridge scores it: for each position 2 for every other table that was beaten, and 1 for a tie.

    The most that a position can have is twice the number of other tables.
    """
    return {
        table: tuple(
            sum(
                2 * (mine > theirs[seat]) + (mine == theirs[seat]) for other, theirs in points.items() if other != table
            )
            for seat, mine in enumerate(own)
        )
        for table, own in points.items()
    }


def per_comparison(score: int, comparisons: int) -> Fraction:
    """The score for each other table that a player was compared with, exactly; 0 for one who was compared with none."""
    return Fraction(score, comparisons) if comparisons else Fraction(0)
