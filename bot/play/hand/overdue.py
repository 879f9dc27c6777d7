"""Timed-out turns, which are auto-placed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.model.errors import HandLostError
from bot.model.ids import Player, TableKey
from bot.model.tables import Table, TableState
from bot.play.hand import drafts, hand_log, off_days, settling, step_effects, turns
from bot.play.session.session import Session
from bot.pure.ofc.hand import Hand, PlaceCards, decide, seat_of
from bot.pure.ofc.log import PlacedBy
from bot.pure.ofc.view import HandView, view_for


@dataclass(frozen=True, slots=True, kw_only=True)
class OverdueHand:
    """A running hand and its timed-out players."""

    hand: Hand
    players: Sequence[Player]
    drafts: Mapping[Player, str]
    """Their drafts; empty for players without one."""


def timed_out_players(s: Session, key: TableKey) -> OverdueHand | None:
    """Return the timed-out players of a table; None if there are none. Raises Refused or HandLostError."""
    table = s.table(key)
    if table.state is not TableState.PLAYING:
        return None
    hand = hand_log.hand_of(s, key, table.hand_no)
    players = _due(s, table, hand)
    chosen = {player: drafts.drafted(s, table, hand, player) for player in players}
    return OverdueHand(hand=hand, players=players, drafts=chosen) if players else None


def boards_to_compute(late: OverdueHand) -> dict[drafts.Turn, tuple[HandView, str]]:
    """Return the view and the draft of each turn whose whole board has to be auto-placed.

    These boards take too long to compute within a transaction. A complete draft needs no computation.
    """
    hand = late.hand
    return {
        drafts.turn_of(hand, player): (view_for(hand, player), draft)
        for player, draft in late.drafts.items()
        if drafts.sets_whole_board(hand, player) and drafts.usable_draft(hand, player, draft) is None
    }


def time_out(s: Session, table: Table, rows: Mapping[drafts.Thought, str] | None = None) -> Table:
    """Auto-place for all timed-out players. After several timeouts in a row, the player is away.

    ``rows`` holds the whole boards, computed beforehand (:func:`boards_to_compute`).
    """
    try:
        hand = hand_log.hand_of(s, table.key, table.hand_no)
    except HandLostError as error:
        return settling.void_lost_hand(s, table, error)
    off_days.apply_vacations(s, table)
    late = _due(s, table, hand)
    if not late:
        # The player of this alarm has placed in the meantime.
        turns.start(s, table, hand)
    for player in late:
        draft = drafts.drafted(s, table, hand, player)
        turns.record_timeout(s, table, player)
        turn, thought = drafts.turn_of(hand, player), None
        if drafts.usable_draft(hand, player, draft) is None:
            thought = (rows or {}).get((turn, draft))
        letters = thought or drafts.automatic_rows(hand, player, draft)
        facts = decide(hand, PlaceCards(seat=seat_of(hand, player), rows=letters, by=PlacedBy.CLOCK))
        actor = player if drafts.keeps_draft(draft, letters) else None
        table = step_effects.follow(s, table, hand, facts, actor=actor, cause=None)
        if table.state is not TableState.PLAYING:
            break
        hand = hand_log.hand_of(s, table.key, table.hand_no)  # players may have confirmed ahead
    return table


def _due(s: Session, table: Table, hand: Hand) -> list[Player]:
    """Return the timed-out players, without computers."""
    untold = turns.is_untold(s, table)
    running = [seat for seat in turns.people_on_turn(s, table, hand) if seat.away or not untold]
    return [seat.player for seat in running if seat.deadline is None or seat.deadline <= s.now]
