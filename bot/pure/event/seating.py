"""How a freezeout seats its players, breaks its tables and keeps them even, as real rooms do.

``next_step`` says one step at a time. Carry it out, look at the tables again and ask again, until there is none: hands
begin and end in between. A table with a Fantasyland running or pending is never touched. Seat numbers count from 0,
clockwise.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNow:
    """A table of the tournament as it stands now."""

    number: int
    players: int
    idle: bool
    """True while no hand runs and the table waits: players may be taken from it."""
    locked: bool
    """True while a Fantasyland runs or is pending: nobody leaves and nobody comes."""

    @property
    def gives(self) -> bool:
        """True where players may be taken away."""
        return self.idle and not self.locked


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStep:
    """A waiting player sits down at ``table``."""

    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A new table is opened for ``players`` of those who wait."""

    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """``table`` is closed; its players wait, and the next steps seat them."""

    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One player goes from ``source`` to ``target``: the one whose turn is first in the next hand."""

    source: int
    target: int


Step = SeatStep | Open | Break | Move


def tables_needed(players: int, seats: int) -> int:
    """The fewest tables of ``seats`` that hold the players."""
    return -(-players // seats)


def table_sizes(players: int, seats: int) -> tuple[int, ...]:
    """How many sit at each table: the fewest tables, within one of each other, the largest first."""
    tables = tables_needed(players, seats)
    return tuple(players // tables + (number < players % tables) for number in range(tables))


def deal_out(players: Sequence[str], seats: int) -> tuple[tuple[str, ...], ...]:
    """The players, in the order in which they were drawn, dealt round the tables one by one."""
    tables = tables_needed(len(players), seats)
    return tuple(tuple(players[number::tables]) for number in range(tables))


def next_step(tables: Sequence[TableNow], *, waiting: int, seats: int) -> Step | None:
    """The next step of the director; None when nothing can be done, or need be.

    Each Open and each Break brings the number of tables nearer to the one that is needed, each Seat leaves fewer who
    wait, each Move leaves the tables more even, and none undoes what a step before it was for: so the steps end.
    """
    need = tables_needed(sum(table.players for table in tables) + waiting, seats)
    if len(tables) < need and waiting:
        return _open(tables, waiting=waiting, seats=seats)
    if len(tables) > need and (broken := _broken(tables, waiting=waiting, seats=seats)) is not None:
        return Break(table=broken.number)
    free = [table for table in tables if not table.locked and table.players < seats]
    if not free:
        return None
    target = min(free, key=lambda table: (table.players, table.number))
    return SeatStep(table=target.number) if waiting else _move(tables, target)


def _open(tables: Sequence[TableNow], *, waiting: int, seats: int) -> Open:
    """As small as a table will be: those who are left over sit down where there is room."""
    everybody = sum(table.players for table in tables) + waiting
    return Open(players=min(waiting, table_sizes(everybody, seats)[-1]))


def _broken(tables: Sequence[TableNow], *, waiting: int, seats: int) -> TableNow | None:
    """The table to break; None where its players, beside those who wait already, would find no seats."""
    givers = [table for table in tables if table.gives]
    if not givers:
        return None
    least = min(givers, key=lambda table: (table.players, -table.number))
    others = (table for table in tables if table is not least and not table.locked)
    room = sum(max(seats - table.players, 0) for table in others)
    return least if least.players + waiting <= room else None


def _move(tables: Sequence[TableNow], target: TableNow) -> Move | None:
    givers = [table for table in tables if table.gives]
    if not givers:
        return None
    source = max(givers, key=lambda table: (table.players, table.number))
    return Move(source=source.number, target=target.number) if source.players - target.players >= 2 else None


def next_button(taken: Collection[int], button: int) -> int:
    """The seat that has the button in the next hand: the first taken one at or after ``button``."""
    return min(taken, key=lambda seat: (seat < button, seat))


def first_to_act(seats: Collection[int], button: int) -> int:
    """Of the taken seats the one that acts first in the next hand: who must leave a table leaves from there."""
    deals = next_button(seats, button)
    return min(seats, key=lambda seat: (seat <= deals, seat))


def worst_seat(taken: Collection[int], button: int, seats: int) -> int:
    """The free seat that acts earliest: the first one clockwise after the next button. ``seats`` is how many there are.

    Raises ValueError when no seat is free.
    """
    deals = next_button(taken, button) if taken else button
    free = [seat for seat in range(seats) if seat not in taken]
    return min(free, key=lambda seat: (seat <= deals, seat))
