"""The tables of a Swiss round: players near each other in the standings who have not met.

Players are indices from 0, the leader first. The same numbers give the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from bot.pure.event.rounds import Plan
from bot.pure.event.seating import table_sizes

_MOST_LOOKS = 60_000
"""Players who are tried at a table in search of those with few meetings again: enough to be sure in small fields."""
_AGAIN = 1_000
"""So many places in the standings weigh as much as one meeting again, where tables are made better by exchanges."""


def swiss(seats: int, *, met: Sequence[Sequence[int]], short: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The tables of the next round; who is at none of them has the bye, which only tables of two have.

    ``met`` is how often each two have met, ``short`` how often each was at a smaller table than others or had a bye:
    those who were least often come there next, the lowest of them first. As few as can be meet again (in a large field:
    as a bounded search finds), and from the leader down each gets the nearest in the standings that this leaves.
    """
    field = _Field(seats, met, short)
    return tuple(table for table in _fewest_again(field) if len(table) > 1)


def _fewest_again(field: _Field) -> list[tuple[int, ...]]:
    near: list[tuple[int, ...]] | None = None
    allowed = 0
    try:
        while near is None or allowed < field.again(near):
            if (found := field.seated(allowed)) is not None:
                return found
            near, allowed = near or field.exchanged(), allowed + 1
    except _SpentError:  # too many ways to be sure: the field is large
        near = near or field.exchanged()
    return near


class _SpentError(Exception):
    """So many tables were tried that the search ends."""


class _Field:
    """The players before a round, and what is known of it while tables are tried."""

    def __init__(self, seats: int, met: Sequence[Sequence[int]], short: Sequence[int]) -> None:
        players = len(short)
        self._short = short
        sizes = table_sizes(players, seats)
        self._small = [size for size in sizes if size < sizes[0]]
        """Sizes of the smaller tables; a bye is one of a single player."""
        self._sizes = [*self._small, *sizes[: len(sizes) - len(self._small)]]
        # What all have in common tells nothing.
        least = min((met[one][other] for one in range(players) for other in range(one)), default=0)
        self._met = [[count - least for count in row] for row in met]
        self._all = (1 << players) - 1
        places = sum(self._small)
        most = sorted(short)[places - 1] if places else -1
        self._must = sum(1 << player for player in range(players) if short[player] < most)
        """Those who are due a place at a smaller table, and those of whom some are."""
        self._may = sum(1 << player for player in range(players) if short[player] == most)
        self._some = places - self._must.bit_count()
        self._failed: set[tuple[int, int, int, int]] = set()
        self._looks = 0

    def seated(self, allowed: int) -> list[tuple[int, ...]] | None:
        """All tables, with so many meetings again at most; None where there are none. Raises _SpentError."""
        return self._rest(0, self._all, self._some, allowed)

    def again(self, tables: Sequence[Sequence[int]]) -> int:
        """How many meetings again these tables make."""
        return sum(self._met[one][other] for table in tables for one, other in combinations(table, 2))

    def exchanged(self) -> list[tuple[int, ...]]:
        """Neighbours in the standings, who change places until no change of two makes it better."""
        due = [*_of(self._must), *_of(self._may)[::-1][: self._some]]
        small = sorted(due, reverse=True)
        large = [player for player in _of(self._all) if player not in due]
        tables: list[list[int]] = []
        for at, size in enumerate(self._sizes):
            line = small if at < len(self._small) else large
            tables.append(line[:size])
            del line[:size]
        players = range(len(self._met))
        weights = [[_AGAIN * self._met[one][other] + abs(one - other) for other in players] for one in players]
        # Twice, so that nobody goes to a smaller table before one who was there less often.
        made = Plan(tables, weights, [2 * count for count in self._short]).improved()
        return [tuple(sorted(table)) for table in made.tables]

    def _rest(self, at: int, left: int, some: int, allowed: int) -> list[tuple[int, ...]] | None:
        """The tables from the one at ``at`` on for those who are ``left``; ``some`` of those who may go to smaller."""
        if at == len(self._sizes):
            return []
        if (at, left, some, allowed) in self._failed:
            return None
        for table, again in self._tables(at, left, some, allowed):
            taken = sum(1 << player for player in table)
            used = (taken & self._may).bit_count() if at < len(self._small) else 0
            rest = self._rest(at + 1, left & ~taken, some - used, allowed - again)
            if rest is not None:
                return [table, *rest]
        self._failed.add((at, left, some, allowed))
        return None

    def _tables(self, at: int, left: int, some: int, allowed: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """The players that can have that table, the nearest first, and how many meetings again that makes."""
        size = self._sizes[at]
        if at >= len(self._small):
            first, *others = _of(left)
            yield from self._joined((first,), others, size, allowed, some=size)
            return
        due = _of(left & (self._must | self._may))[::-1]
        forced = next((player for player in due if self._must >> player & 1), None)
        if forced is None:
            yield from self._joined((), due, size, allowed, some=some)
            return
        due.remove(forced)
        yield from self._joined((forced,), due, size, allowed, some=some)

    def _joined(
        self, table: tuple[int, ...], others: Sequence[int], size: int, allowed: int, *, some: int, again: int = 0
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """The table with more of the others until it is full."""
        if len(table) == size:
            yield table, again
            return
        rows = [self._met[one] for one in table]
        full, may = len(table) + 1 == size, self._may
        for place, player in enumerate(others):
            self._looks += 1
            if self._looks > _MOST_LOOKS:
                raise _SpentError
            more = again
            for row in rows:  # nearly all of the time goes into these lines
                more += row[player]
            left = some - (may >> player & 1)
            if more > allowed or left < 0:
                continue
            if full:
                yield (*table, player), more
            else:
                yield from self._joined((*table, player), others[place + 1 :], size, allowed, some=left, again=more)


def _of(left: int) -> list[int]:
    return [player for player in range(left.bit_length()) if left >> player & 1]
