"""Drafts: what somebody has placed and not confirmed, and what becomes of it when their time is over.

Letters alone, never a card. A draft is kept for one turn; whatever stands there for another one counts for nothing.
"""

from __future__ import annotations

from bot.ofc.cards import BOARD_CARDS, DISCARD, EMPTY, RowCards
from bot.ofc.clock_placement import clock_placement
from bot.ofc.hand import Hand, HandSeat, seat_of
from bot.ofc.outlook import outlook
from bot.ofc.placement import OPEN, place
from bot.ofc.refusals import Refused
from bot.ofc.view import unseen, view_for


def turn_name(hand_no: int, street: int) -> str:
    """The turn that a draft is for; street 0 in Fantasyland."""
    return f"{hand_no}.{street}"


def is_sound(hand: Hand, player: str, letters: str) -> bool:
    """True for a draft that a player could have made of the cards that they hold."""
    seat, rows, to_place = _task(hand, player)
    if len(letters) != len(seat.held) or set(letters) - {*"FMB", DISCARD, OPEN}:
        return False
    try:
        place(rows, seat.held, letters)
    except Refused:
        return False
    placed = sum(letter in "FMB" for letter in letters)
    return 0 < placed <= to_place and letters.count(DISCARD) <= len(letters) - to_place


def confirmed_by_clock(hand: Hand, player: str, letters: str) -> str | None:
    """A sound draft that is whole and doesn't foul for certain; None for any other."""
    seat, rows, to_place = _task(hand, player)
    if not letters or sum(letter in "FMB" for letter in letters) != to_place:
        return None
    whole = letters.replace(OPEN, DISCARD)
    return None if _is_lost(hand, player, place(rows, seat.held, whole)[0]) else whole


def is_kept(draft: str, letters: str) -> bool:
    """True for a placement that holds a draft: what its player has placed stands where they put it."""
    return bool(draft) and all(one in (OPEN, two) for one, two in zip(draft, letters, strict=True))


def completed_street(hand: Hand, player: str, letters: str) -> str | None:
    """A street's draft with the rest placed by the clock around it; None where that can only foul, or for no draft."""
    seat, rows, to_place = _task(hand, player)
    if not letters:
        return None
    placed = sum(letter in "FMB" for letter in letters)
    left = [number for number, letter in enumerate(letters) if letter == OPEN]
    drafted, _ = place(rows, seat.held, letters)
    rest = iter(
        clock_placement(hand.variant, drafted, [seat.held[number] for number in left], to_place=to_place - placed)
    )
    whole = "".join(next(rest) if letter == OPEN else letter for letter in letters)
    return None if _is_lost(hand, player, place(rows, seat.held, whole)[0]) else whole


def _task(hand: Hand, player: str) -> tuple[HandSeat, RowCards, int]:
    """A seat, the board on which its player places, and how many cards."""
    seat = hand.seats[seat_of(hand, player)]
    return (seat, EMPTY, BOARD_CARDS) if seat.fantasyland else (seat, seat.rows, hand.rule.to_place)


def _is_lost(hand: Hand, player: str, rows: RowCards) -> bool:
    return outlook(hand.variant, rows, unseen(view_for(hand, player))).lost
