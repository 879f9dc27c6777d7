"""Players of the next hand, determined from the seats during the pause before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.model.ids import Player
from bot.model.limits import MAX_MISSED_HANDS
from bot.model.tables import Seat, Table


def busted_seats(table: Table, seats: Iterable[Seat], stacks: Mapping[Player, int]) -> list[Seat]:
    """Return the seats that lost their last chip in the last hand; none at practice tables.

    They aren't dealt into the next hand, even if they have earned Fantasyland. In an event, the player is out unless a
    bracket gives them another life. :attr:`bot.model.tables.Limits.bust_is_final` decides what they still collect in
    the hand.
    """
    if table.terms.practice:
        return []
    return [seat for seat in seats if seat.dealt_in and not stacks.get(seat.player)]


def next_seats(table: Table, seats: Sequence[Seat], stacks: Mapping[Player, int]) -> list[Seat]:
    """Return the seats that the next hand is dealt to, as of now."""
    broke = {seat.number for seat in busted_seats(table, seats, stacks)}
    remain = [seat for seat in seats if seat.number not in broke]
    if pends_fantasyland(table, [seat for seat in remain if seat.dealt_in]):
        return [seat for seat in remain if seat.dealt_in]
    return [seat for seat in remain if not (should_leave(table, seat) or seat.away or seat.sits_out)]


def pends_fantasyland(table: Table, dealt_in: Sequence[Seat]) -> bool:
    """True if a player will be in Fantasyland and enough players remain for that hand."""
    return len(dealt_in) >= table.terms.variant.min_seats and any(seat.fantasyland for seat in dealt_in)


def should_leave(table: Table, seat: Seat) -> bool:
    """True if the player wants to leave, has missed too many hands, or is away at a practice table."""
    missed = 0 if seat.out_since is None else table.hand_no - seat.out_since
    return seat.leaving or missed >= MAX_MISSED_HANDS or (seat.away and table.terms.practice)
