"""Seating of a freezeout: seating players, breaking tables and balancing them, as in card rooms.

``next_step`` returns one step at a time. Carry it out, read the tables again (hands start and end in between) and
repeat until there are none left. A table with a running or pending Fantasyland is never changed. Seats are numbered
clockwise from 0.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingTable:
    """Current state of a table."""

    number: int
    players: int
    idle: bool
    """True between hands, when players may be moved away."""
    locked: bool
    """True while a Fantasyland is running or pending, when players may neither leave nor join."""

    @property
    def gives(self) -> bool:
        """True if players may be moved away."""
        return self.idle and not self.locked


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStep:
    """Seat a waiting player at ``table``."""

    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStep:
    """Open a new table for ``players`` waiting players."""

    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakStep:
    """Break ``table``. Its players wait until later steps seat them."""

    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveStep:
    """Move one player from ``source`` to ``target``: the one who would act first in the next hand."""

    source: int
    target: int


Step = SeatStep | OpenStep | BreakStep | MoveStep


def tables_needed(players: int, seats: int) -> int:
    """Return the minimum number of tables for ``players``."""
    return -(-players // seats)


def table_sizes(players: int, seats: int) -> tuple[int, ...]:
    """Return the players per table for the minimum number of tables, largest first. Sizes differ by at most one."""
    tables = tables_needed(players, seats)
    return tuple(players // tables + (number < players % tables) for number in range(tables))


def deal_out(players: Sequence[str], seats: int) -> tuple[tuple[str, ...], ...]:
    """Deal the players, in drawn order, round the tables one by one."""
    tables = tables_needed(len(players), seats)
    return tuple(tuple(players[number::tables]) for number in range(tables))


def next_step(tables: Sequence[SeatingTable], *, waiting: int, seats: int) -> Step | None:
    """Return the director's next step; None if there is nothing to do, or nothing can be done now.

    The steps terminate. Each Open and Break brings the number of tables closer to the minimum, each SeatStep reduces
    the number of waiting players, each Move balances the tables, and no step undoes an earlier one.
    """
    need = tables_needed(sum(table.players for table in tables) + waiting, seats)
    if len(tables) < need and waiting:
        return _open(tables, waiting=waiting, seats=seats)
    if len(tables) > need and (broken := _broken(tables, waiting=waiting, seats=seats)) is not None:
        return BreakStep(table=broken.number)
    free = [table for table in tables if not table.locked and table.players < seats]
    if not free:
        return None
    target = min(free, key=lambda table: (table.players, table.number))
    return SeatStep(table=target.number) if waiting else _move(tables, target)


def _open(tables: Sequence[SeatingTable], *, waiting: int, seats: int) -> OpenStep:
    """Open the smallest table in the target sizes. Any other waiting players are seated where there is room."""
    everybody = sum(table.players for table in tables) + waiting
    return OpenStep(players=min(waiting, table_sizes(everybody, seats)[-1]))


def _broken(tables: Sequence[SeatingTable], *, waiting: int, seats: int) -> SeatingTable | None:
    """Return the table to break; None if there aren't enough free seats for its players and those already waiting."""
    givers = [table for table in tables if table.gives]
    if not givers:
        return None
    least = min(givers, key=lambda table: (table.players, -table.number))
    others = (table for table in tables if table is not least and not table.locked)
    room = sum(max(seats - table.players, 0) for table in others)
    return least if least.players + waiting <= room else None


def _move(tables: Sequence[SeatingTable], target: SeatingTable) -> MoveStep | None:
    givers = [table for table in tables if table.gives]
    if not givers:
        return None
    source = max(givers, key=lambda table: (table.players, table.number))
    return MoveStep(source=source.number, target=target.number) if source.players - target.players >= 2 else None


def next_button(taken: Collection[int], button: int) -> int:
    """Return the seat with the button in the next hand: the first taken one at or after ``button``."""
    return min(taken, key=lambda seat: (seat < button, seat))


def first_to_act(seats: Collection[int], button: int) -> int:
    """Return the taken seat that acts first in the next hand. Players are moved from this seat."""
    deals = next_button(seats, button)
    return min(seats, key=lambda seat: (seat <= deals, seat))


def worst_seat(taken: Collection[int], button: int, seats: int) -> int:
    """Return the free seat that acts earliest: the first one clockwise after the next button.

    ``seats`` is the number of seats. Raises ValueError if none is free.
    """
    deals = next_button(taken, button) if taken else button
    free = [seat for seat in range(seats) if seat not in taken]
    return min(free, key=lambda seat: (seat <= deals, seat))
