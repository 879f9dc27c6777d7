"""Drafts: what a player has placed and not confirmed, and what becomes of it when their time is over.

Letters alone, never a card. A draft is kept for one turn; whatever stands there for another one counts for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.ids import Player
from bot.model.tables import Table
from bot.play.session.session import Session
from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, EMPTY, RowCards
from bot.pure.ofc.clock_placement import clock_placement
from bot.pure.ofc.hand import Hand, HandSeat, seat_of
from bot.pure.ofc.outlook import outlook
from bot.pure.ofc.placement import OPEN, place
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import unseen, view_for
from bot.pure.solver.arrange import completed


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the running hand."""

    player: Player
    street: int
    """0 in Fantasyland, which no street of the others makes another turn."""


Thought = tuple[Turn, str]
"""A turn, and the draft around which its whole board is to be set."""


def automatic_rows(hand: Hand, player: Player, draft: str = "") -> str:
    """The placement of the clock for a player: their draft where it is whole and does not foul, else their placed cards
    with the rest around them; without either what fouls least, or the best board where all is set at once.

    One letter for each card held, as in :class:`bot.pure.ofc.hand.PlaceCards`.
    """
    if (confirmed := confirmed_by_clock(hand, player, draft)) is not None:
        return confirmed
    seat = hand.seats[seat_of(hand, player)]
    if sets_whole_board(hand, player):
        return completed(hand.variant, seat.held, draft)
    return completed_street(hand, player, draft) or clock_placement(
        hand.variant, seat.rows, seat.held, to_place=hand.rule.to_place
    )


def drafted(s: Session, table: Table, hand: Hand, player: Player) -> str:
    """The letters that a player has chosen and not confirmed in this turn; empty for none, and during a penalty."""
    seat = s.seat(table, player)
    if not seat.draft or seat.draft_for != turn_name(table.hand_no, turn_of(hand, player).street):
        return ""
    try:
        s.check_penalty(table, player)
    except Refused:
        return ""
    return seat.draft if is_sound(hand, player, seat.draft) else ""


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


def is_kept(draft: str, letters: str) -> bool:
    """True for a placement that holds a draft: what its player has placed stands where they put it."""
    return bool(draft) and all(one in (OPEN, two) for one, two in zip(draft, letters, strict=True))


def _task(hand: Hand, player: str) -> tuple[HandSeat, RowCards, int]:
    """A seat, the board on which its player places, and how many cards."""
    seat = hand.seats[seat_of(hand, player)]
    return (seat, EMPTY, BOARD_CARDS) if seat.fantasyland else (seat, seat.rows, hand.rule.to_place)


def _is_lost(hand: Hand, player: str, rows: RowCards) -> bool:
    return outlook(hand.variant, rows, unseen(view_for(hand, player))).lost


def turn_of(hand: Hand, player: Player) -> Turn:
    """The turn of a player that the hand waits for."""
    return Turn(player, 0 if hand.seats[seat_of(hand, player)].fantasyland else hand.street)


def turn_name(hand_no: int, street: int) -> str:
    """The turn that a draft is for; street 0 in Fantasyland."""
    return f"{hand_no}.{street}"


def sets_whole_board(hand: Hand, player: Player) -> bool:
    """True where all cards of a player are set at once."""
    return hand.variant.at_once or bool(hand.seats[seat_of(hand, player)].fantasyland)
