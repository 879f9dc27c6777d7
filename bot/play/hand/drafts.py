"""Drafts: a player's unconfirmed placement, which is used when they time out.

A draft has letters only, no cards. It's valid for one turn and ignored in others.
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
from bot.pure.solver.arrange import complete_placement


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the running hand."""

    player: Player
    street: int
    """0 in Fantasyland, because other players' streets don't start a new turn there."""


Thought = tuple[Turn, str]
"""A turn, and the draft that its whole board must keep."""


def automatic_rows(hand: Hand, player: Player, draft: str = "") -> str:
    """Return the placement when a player times out.

    A complete draft that doesn't foul is used unchanged, and an incomplete one keeps its cards. Without a usable draft,
    it's the placement that fouls least, or the best board in games set in one go. It has one letter for each card held,
    as in :class:`bot.pure.ofc.hand.PlaceCards`.
    """
    if (confirmed := usable_draft(hand, player, draft)) is not None:
        return confirmed
    seat = hand.seats[seat_of(hand, player)]
    if sets_whole_board(hand, player):
        return complete_placement(hand.variant, seat.held, draft)
    return completed_street(hand, player, draft) or clock_placement(
        hand.variant, seat.rows, seat.held, to_place=hand.rule.to_place
    )


def drafted(s: Session, table: Table, hand: Hand, player: Player) -> str:
    """Return a player's draft for this turn; empty if there is none, or during a penalty."""
    seat = s.seat(table, player)
    if not seat.draft or seat.draft_for != turn_name(table.hand_no, turn_of(hand, player).street):
        return ""
    try:
        s.check_penalty(table, player)
    except Refused:
        return ""
    return seat.draft if is_sound(hand, player, seat.draft) else ""


def is_sound(hand: Hand, player: str, letters: str) -> bool:
    """True if the draft is possible with the player's cards."""
    seat, rows, to_place = _task(hand, player)
    if len(letters) != len(seat.held) or set(letters) - {*"FMB", DISCARD, OPEN}:
        return False
    try:
        place(rows, seat.held, letters)
    except Refused:
        return False
    placed = sum(letter in "FMB" for letter in letters)
    return 0 < placed <= to_place and letters.count(DISCARD) <= len(letters) - to_place


def usable_draft(hand: Hand, player: str, letters: str) -> str | None:
    """Return a draft if it's complete and a foul isn't certain; None otherwise."""
    seat, rows, to_place = _task(hand, player)
    if not letters or sum(letter in "FMB" for letter in letters) != to_place:
        return None
    whole = letters.replace(OPEN, DISCARD)
    return None if _is_lost(hand, player, place(rows, seat.held, whole)[0]) else whole


def completed_street(hand: Hand, player: str, letters: str) -> str | None:
    """Return a street's draft with the remaining cards placed; None without a draft or if a foul is certain."""
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


def keeps_draft(draft: str, letters: str) -> bool:
    """True if the placement keeps all cards of the draft where the player put them."""
    return bool(draft) and all(one in (OPEN, two) for one, two in zip(draft, letters, strict=True))


def _task(hand: Hand, player: str) -> tuple[HandSeat, RowCards, int]:
    """Return the player's seat, the board to place on, and the number of cards to place."""
    seat = hand.seats[seat_of(hand, player)]
    return (seat, EMPTY, BOARD_CARDS) if seat.fantasyland else (seat, seat.rows, hand.rule.to_place)


def _is_lost(hand: Hand, player: str, rows: RowCards) -> bool:
    return outlook(hand.variant, rows, unseen(view_for(hand, player))).lost


def turn_of(hand: Hand, player: Player) -> Turn:
    """Return the current turn of a player."""
    return Turn(player, 0 if hand.seats[seat_of(hand, player)].fantasyland else hand.street)


def turn_name(hand_no: int, street: int) -> str:
    """Return the key of a turn for drafts; ``street`` is 0 in Fantasyland."""
    return f"{hand_no}.{street}"


def sets_whole_board(hand: Hand, player: Player) -> bool:
    """True if the player sets all cards in one go."""
    return hand.variant.at_once or bool(hand.seats[seat_of(hand, player)].fantasyland)
