"""Schedules of leagues, where everyone plays every round, and scoring of duplicate events.

A schedule is made before the first hand. It has a fixed number of rounds, or enough for everyone to meet everyone.
Players are indices from 0. Tables of two use the circle method. Larger tables use a search that avoids repeat meetings.
The result is deterministic.

In a duplicate event, every table gets the same decks, so players are compared with those who held the same cards at
other tables.
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
"""Players in seat order."""
Round = tuple[Lineup, ...]

_SWEEPS = 20
"""Maximum number of improvement passes over a round."""
_STARTS_WORK = 10_000
"""Limit on the work per round, as starting arrangements times the square of the field. Large fields get only one."""
_TRIED_AGAIN = (0, 1, 4, 8)
"""Extra weights of a repeat meeting, to be tried if everyone must meet everyone."""
_TRIED_WORK = 600
_FEW = 24
"""Maximum field for which all of these weights are tried."""


def schedule(players: int, seats: int, rounds: int) -> tuple[Round, ...]:
    """Return the tables of each round. A player who is at none of them has a bye.

    With two seats, everyone meets everyone once in ``players - 1`` rounds (``players`` if it's odd, with byes), then
    again in the opposite seats. With more seats, there are no byes. Players' numbers of rounds at smaller tables differ
    by at most two, and a bounded search spreads meetings and seats as evenly as it can.
    """
    if players < 2:
        return ((),) * rounds
    if seats == 2:
        return tuple(_pairs(players, number) for number in range(rounds))
    field = _PlayerHistory(players, table_sizes(players, seats))
    return tuple(field.next_round() for _ in range(rounds))


@lru_cache(maxsize=64)
def everybody(players: int, seats: int) -> tuple[Round, ...]:
    """Return the tables of as many rounds as everyone needs to meet everyone.

    With two seats, everyone meets exactly once. With more, the result is the best of several searches, with few rounds
    and few repeat meetings.
    """
    if players < 2:
        return ()
    if seats == 2:
        return schedule(players, seats, players - 1 + players % 2)
    tried = _TRIED_AGAIN if players <= _FEW else _TRIED_AGAIN[::2]
    found = [_until_met(_PlayerHistory(players, table_sizes(players, seats), again=again)) for again in tried]
    return min(found, key=lambda rounds: (len(rounds) + meetings(rounds, players)[1], len(rounds)))


def _until_met(field: _PlayerHistory) -> tuple[Round, ...]:
    rounds = []
    while not field.all_met:
        rounds.append(field.next_round())
    return tuple(rounds)


def meetings(rounds: Iterable[Round], players: int) -> tuple[int, int]:
    """Return the lowest and the highest number of meetings of any two players in these rounds."""
    met = dict.fromkeys(combinations(range(players), 2), 0)
    for table in chain.from_iterable(rounds):
        for pair in combinations(sorted(table), 2):
            met[pair] += 1
    return min(met.values(), default=0), max(met.values(), default=0)


def settle_rounds(structure: Structure, players: int) -> Structure:
    """Return the structure with the number of rounds in which ``players`` players can all meet.

    It's unchanged if the event isn't such a league, or if there are too many players.
    """
    if structure.pairings is not Pairings.ALL or players > MAX_ROUND_ROBIN_PLAYERS:
        return structure
    return replace(structure, rounds=len(everybody(players, structure.table_seats)))


def _pairs(players: int, number: int) -> Round:
    """Return the pairs of a round by the circle method: on a circle of odd size, places that sum to the round number.

    The player who would meet themselves plays the last player (who is outside the circle) or has the bye. The distance
    between opponents grows by one per round, so its parity alternates a player's seats.
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


class _PlayerHistory:
    """The players' earlier opponents and seats, used to make the next round."""

    def __init__(self, players: int, sizes: Sequence[int], *, again: int | None = None) -> None:
        """Set up an empty history. ``again`` is the extra weight of a repeat meeting, or None for a fixed schedule."""
        self._players = players
        self._again = again or 0
        self._work = _STARTS_WORK if again is None else _TRIED_WORK
        self._sizes = sizes
        self._met = [[0] * players for _ in range(players)]
        self._small = [0] * players
        """Rounds at a smaller table, per player."""
        self._sat = [[0] * sizes[0] for _ in range(players)]
        """Rounds in each seat, per player."""

    def next_round(self) -> Round:
        """Return the tables of the next round, and record them."""
        # Squares make it more urgent to separate pairs who met twice than pairs who met once.
        weights = [[count * count + self._again * (count > 0) for count in row] for row in self._met]
        starts = max(1, self._work // self._players**2)
        begun = (self._start(start, weights) for start in range(starts))
        plans = (RoundPlan(tables, weights, self._small, at=at) for tables, at in begun)
        tables = tuple(seated(table, self._sat) for table in _cheapest(plan.improve_plan() for plan in plans).tables)
        for table in tables:
            self._remember(table)
        return tables

    @property
    def all_met(self) -> bool:
        """True if everyone has met everyone."""
        return all(self._met[one][other] for one, other in combinations(range(self._players), 2))

    def _remember(self, table: Lineup) -> None:
        for one, other in combinations(table, 2):
            self._met[one][other] += 1
            self._met[other][one] += 1
        for seat, player in enumerate(table):
            self._small[player] += len(table) < self._sizes[0]
            self._sat[player][seat] += 1

    def _start(self, start: int, weights: Sequence[Sequence[int]]) -> tuple[list[list[int]], list[list[int]]]:
        """Return a greedy first arrangement, and each table's weights per player.

        Players take turns to sit where they have met the fewest players. Those with the fewest rounds at smaller tables
        are sent to one. ``start`` varies the order.
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


class RoundPlan:
    """A round, improved by swapping players.

    Each player's weight at each table is cached instead of being summed for every swap.
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
        """Each table's weights per player."""
        self._own = [0] * len(weights)
        """The weight of each player at their own table."""
        for table, weighs in zip(tables, self._at, strict=True):
            for player in table:
                self._own[player] = weighs[player]

    @property
    def cost(self) -> int:
        """Twice the weight of all meetings."""
        return sum(self._own)

    def improve_plan(self) -> RoundPlan:
        """Swap players until no swap improves the plan, and return the plan."""
        for _ in range(_SWEEPS):
            moved = 0
            for number, table in enumerate(self.tables):
                moved += sum(self._swap_best(number, place) for place in range(len(table)))
            if not moved:
                break
        return self

    def _swap_best(self, home: int, place: int) -> bool:
        """Make the best swap for the player at ``place``; return True if there was one."""
        here = self.tables[home]
        one = here[place]
        own = self._own[one]
        if not own:
            return False
        # Half the change in cost of each swap, without the weight of the moving player at the new table.
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
        """False if the swap sends a player to a smaller table who has already been at one more often than others."""
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


def _cheapest(plans: Iterable[RoundPlan]) -> RoundPlan:
    """Return the first plan with a cost of 0; if there isn't one, the cheapest."""
    best: RoundPlan | None = None
    for plan in plans:
        if best is None or plan.cost < best.cost:
            best = plan
        if not best.cost:
            break
    assert best is not None
    return best


def seated(table: Iterable[int], sat: Sequence[Sequence[int]]) -> Lineup:
    """Return the seat order that gives players the seats they had least often. The result is optimal."""
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
    """Return each table's scores by position, given its points by position. Positions count seats from the button.

    A score is the sum of (own points - theirs) over the other tables, so the scores of a position sum to 0. Raises
    ValueError if the tables have different numbers of positions.
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
    """Return each table's match points by position, as in bridge: 2 per other table beaten and 1 per tie.

    The maximum is twice the number of other tables.
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
    """Return the exact score per comparison; 0 without comparisons."""
    return Fraction(score, comparisons) if comparisons else Fraction(0)
