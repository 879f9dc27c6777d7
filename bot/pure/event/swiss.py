"""Swiss pairings: tables of players who are close in the standings and haven't met.

Players are indices from 0, leader first. The result is deterministic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from bot.pure.event.rounds import RoundPlan
from bot.pure.event.seating import table_sizes

_MAX_TRIES = 60_000
"""Limit of the exact search, in players tried at a table. In small fields, the search finishes within it."""
_AGAIN = 1_000
"""Weight of a repeat meeting in the swap search, in places in the standings."""


def swiss(seats: int, *, met: Sequence[Sequence[int]], short: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the tables of the next round. A player at none of them has the bye, which exists only with tables of two.

    ``met`` counts the meetings of each pair. ``short`` counts each player's rounds at a smaller table or with a bye.
    Players with the fewest of these are next for one, lowest in the standings first. The number of repeat meetings is
    minimal or, in a large field, the lowest that a bounded search finds. Within that, players get the nearest opponents
    in the standings, from the leader down.
    """
    field = _RoundSearch(seats, met, short)
    return tuple(table for table in _fewest_again(field) if len(table) > 1)


def _fewest_again(field: _RoundSearch) -> list[tuple[int, ...]]:
    near: list[tuple[int, ...]] | None = None
    allowed = 0
    try:
        while near is None or allowed < field.again(near):
            if (found := field.seated(allowed)) is not None:
                return found
            near, allowed = near or field.swap_neighbours(), allowed + 1
    except _SearchLimitError:  # the field is too large for the exact search
        near = near or field.swap_neighbours()
    return near


class _SearchLimitError(Exception):
    """The exact search reached its limit."""


class _RoundSearch:
    """The search state for one round."""

    def __init__(self, seats: int, met: Sequence[Sequence[int]], short: Sequence[int]) -> None:
        players = len(short)
        self._short = short
        sizes = table_sizes(players, seats)
        self._small = [size for size in sizes if size < sizes[0]]
        """Sizes of the smaller tables. A bye counts as a table of one."""
        self._sizes = [*self._small, *sizes[: len(sizes) - len(self._small)]]
        # Only differences in the number of meetings matter.
        least = min((met[one][other] for one in range(players) for other in range(one)), default=0)
        self._met = [[count - least for count in row] for row in met]
        self._all = (1 << players) - 1
        places = sum(self._small)
        most = sorted(short)[places - 1] if places else -1
        self._must = sum(1 << player for player in range(players) if short[player] < most)
        """Players who must sit at a smaller table, as a mask. Some of those in the next mask must as well."""
        self._may = sum(1 << player for player in range(players) if short[player] == most)
        self._some = places - self._must.bit_count()
        self._failed: set[tuple[int, int, int, int]] = set()
        self._looks = 0

    def seated(self, allowed: int) -> list[tuple[int, ...]] | None:
        """Return tables with at most ``allowed`` repeat meetings; None if there are none. Raises _SearchLimitError."""
        return self._rest(0, self._all, self._some, allowed)

    def again(self, tables: Sequence[Sequence[int]]) -> int:
        """Return the number of repeat meetings at these tables."""
        return sum(self._met[one][other] for table in tables for one, other in combinations(table, 2))

    def swap_neighbours(self) -> list[tuple[int, ...]]:
        """Seat neighbours in the standings together, then swap players until no swap improves the tables."""
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
        # Doubled, so that no player goes to a smaller table before another who has been at one less often.
        made = RoundPlan(tables, weights, [2 * count for count in self._short]).improve_plan()
        return [tuple(sorted(table)) for table in made.tables]

    def _rest(self, at: int, left: int, some: int, allowed: int) -> list[tuple[int, ...]] | None:
        """Return the tables from index ``at`` on for the players in ``left``; None if there are none.

        ``some`` is the number of optional players who still have to go to a smaller table.
        """
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
        """Yield possible tables at index ``at``, nearest players first, each with its number of repeat meetings."""
        size = self._sizes[at]
        if at >= len(self._small):
            first, *others = _of(left)
            yield from self._fill_table((first,), others, size, allowed, some=size)
            return
        due = _of(left & (self._must | self._may))[::-1]
        forced = next((player for player in due if self._must >> player & 1), None)
        if forced is None:
            yield from self._fill_table((), due, size, allowed, some=some)
            return
        due.remove(forced)
        yield from self._fill_table((forced,), due, size, allowed, some=some)

    def _fill_table(
        self, table: tuple[int, ...], others: Sequence[int], size: int, allowed: int, *, some: int, again: int = 0
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the table filled up with ``others``, each with its number of repeat meetings."""
        if len(table) == size:
            yield table, again
            return
        rows = [self._met[one] for one in table]
        full, may = len(table) + 1 == size, self._may
        for place, player in enumerate(others):
            self._looks += 1
            if self._looks > _MAX_TRIES:
                raise _SearchLimitError
            more = again
            for row in rows:  # the hot loop
                more += row[player]
            left = some - (may >> player & 1)
            if more > allowed or left < 0:
                continue
            if full:
                yield (*table, player), more
            else:
                yield from self._fill_table((*table, player), others[place + 1 :], size, allowed, some=left, again=more)


def _of(left: int) -> list[int]:
    return [player for player in range(left.bit_length()) if left >> player & 1]
