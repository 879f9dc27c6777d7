"""The positions of a hand read from a file, each as its player saw it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.pure.notation.history import UNKNOWN, HandHistory, number_of
from bot.pure.ofc.cards import BOARD_CARDS
from bot.pure.solver.review import moments
from bot.pure.trainer.position import Position, PositionError, check_position, position_in


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDecision:
    """A position of a player who had to place cards."""

    player: str
    """The player as the file names them."""
    number: int
    """The player's number in the file, from 1."""
    street: int
    """0 for a whole board set in one step."""
    position: Position


def decisions(history: HandHistory) -> list[HandDecision]:
    """Return the decisions of all players, by player and street.

    Those whose cards are face down in the file are left out, because their players saw more than the file shows.
    """
    return [one for seat in history.hand.clockwise for one in _of_seat(history, seat)]


def _of_seat(history: HandHistory, seat: int) -> Iterator[HandDecision]:
    for moment in moments(history.variant, history.deck, history.facts, seat):
        position = _without_unknown(position_in(moment.view))
        if UNKNOWN in position.held:
            continue
        try:
            check_position(position, history.variant)
        except PositionError:
            continue  # a hand may contain what no position has, such as a surrendered board
        yield HandDecision(
            player=history.hand.seats[seat].player,
            number=number_of(history.hand, seat),
            street=0 if moment.view.to_place == BOARD_CARDS else moment.view.street,
            position=position,
        )


def _without_unknown(position: Position) -> Position:
    """Return a position without discards, on any board whose discards are face down in the file."""
    return replace(
        position,
        discards=() if UNKNOWN in position.discards else position.discards,
        opponents=tuple(replace(one, discards=()) if UNKNOWN in one.discards else one for one in position.opponents),
    )
