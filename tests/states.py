"""The states that tables, events and entrants go through, held to what the code declares of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from bot.model.events import ENTRANT_MOVES, PHASE_MOVES, EntrantState, Phase
from bot.model.tables import TABLE_MOVES, TableState

Move = tuple[str, str]
BEGIN = "[*]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A column of the database whose values follow on each other."""

    table: str
    column: str
    first: Enum
    moves: Mapping[Any, frozenset[Any]]

    @property
    def declared(self) -> set[Move]:
        """Each step as two values; what begins comes from ``[*]``."""
        steps = {(before.value, after.value) for before, then in self.moves.items() for after in then}
        return {(BEGIN, self.first.value), *steps}


MACHINES = (
    Machine(table="game_table", column="state", first=TableState.LOBBY, moves=TABLE_MOVES),
    Machine(table="event", column="phase", first=Phase.REGISTERING, moves=PHASE_MOVES),
    Machine(table="entrant", column="state", first=EntrantState.REGISTERED, moves=ENTRANT_MOVES),
)


def watch_states(connection: sqlite3.Connection) -> dict[str, set[Move]]:
    """See each step that this connection writes, by table; one that is not declared is refused."""
    seen: dict[str, set[Move]] = {machine.table: set() for machine in MACHINES}
    for machine in MACHINES:
        _watch(connection, machine, seen[machine.table])
    return seen


def _watch(connection: sqlite3.Connection, machine: Machine, seen: set[Move]) -> None:
    def step(before: str, after: str) -> None:
        assert (before, after) in machine.declared, f"{machine.table} goes from {before} to {after}: declare it"
        seen.add((before, after))

    name, table, column = f"step_{machine.table}", machine.table, machine.column
    connection.create_function(name, 2, step)
    for when, before in (("INSERT", f"'{BEGIN}'"), (f"UPDATE OF {column}", f"old.{column}")):
        connection.execute(
            f"CREATE TEMP TRIGGER {name}_{when.split()[0]} AFTER {when} ON main.{table} WHEN {before} <> new.{column} "
            f"BEGIN SELECT {name}({before}, new.{column}); END"
        )
