"""The consequences of a step in a running hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.model.errors import HandLostError
from bot.model.ids import Player, is_computer
from bot.model.tables import Table
from bot.play.hand import drafts, hand_log, settling, turns
from bot.play.session.session import Session
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide
from bot.pure.ofc.log import Fact
from bot.pure.ofc.refusals import Refused


def restart_clock(s: Session, table: Table) -> Table:
    """Start the clocks of waiting players who have none, such as a player who has just returned."""
    try:
        hand = hand_log.hand_of(s, table.key, table.hand_no)
    except HandLostError as error:
        return settling.void_lost_hand(s, table, error)
    turns.start(s, table, hand, known=True)
    return table


def follow(
    s: Session, table: Table, hand: Hand, facts: Sequence[Fact], *, actor: Player | None, cause: str | None
) -> Table:
    """Write the facts, and the placements confirmed ahead for turns that now begin.

    Then settle the hand or start the clocks of the next turns.
    """
    before, hand = hand, hand_log.write(s, table, hand, facts, actor=actor, cause=cause)
    while hand.status is not HandStatus.ENDED and (placed := _placed_ahead(s, table, hand)) is not None:
        before, hand = hand, placed
    if hand.status is HandStatus.ENDED:
        return settling.settle_hand(s, table, hand)
    turns.start(s, table, hand)
    if hand.street == before.street and set(hand.waiting) <= set(before.waiting):
        return s.save(table)
    return s.save(replace(table, turn_since=s.now, stood_still=0))


def _placed_ahead(s: Session, table: Table, hand: Hand) -> Hand | None:
    """Place for one player whose turn has begun and who confirmed ahead; None if there is none."""
    for number in hand.waiting:
        player = Player(hand.seats[number].player)
        if is_computer(player) or (seat := s.seat(table, player)).ahead is None:
            continue
        draft = drafts.drafted(s, table, hand, player)
        if not draft or drafts.sets_whole_board(hand, player):
            continue
        try:
            facts = decide(hand, PlaceCards(seat=number, rows=draft))
        except Refused:
            continue  # the turn continues as if they hadn't confirmed
        turns.record_action(s, table, player, cause=seat.ahead, ahead=True)
        return hand_log.write(s, table, hand, facts, actor=player, cause=seat.ahead)
    return None
