"""State transitions, and the check whether one is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

State = TypeVar("State", bound=Enum)


class ForbiddenMoveError(Exception):
    """A bug: a table, event or entrant was about to make a transition that isn't allowed."""


def check_move(moves: Mapping[State, frozenset[State]], before: State, after: State) -> None:
    """Raise ForbiddenMoveError unless ``moves`` allows going from ``before`` to ``after`` or they are equal."""
    if after is not before and after not in moves[before]:
        raise ForbiddenMoveError(f"{type(before).__name__} cannot change from {before.value} to {after.value}")
