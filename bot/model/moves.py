"""Which state may follow which: a table of moves, and the error for any other one."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

State = TypeVar("State", bound=Enum)


class ForbiddenMoveError(Exception):
    """A defect: a table, an event or an entrant would go where nothing goes from the state it is in."""


def check_move(moves: Mapping[State, frozenset[State]], before: State, after: State) -> None:
    """Raise ForbiddenMoveError where no move leads from ``before`` to ``after``; staying is no move."""
    if after is not before and after not in moves[before]:
        raise ForbiddenMoveError(f"{type(before).__name__} does not go from {before.value} to {after.value}")
