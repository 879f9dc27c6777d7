"""Badges: what a hand that is settled earns, and an event that is won."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.careers import DAILY_DAYS, Badge, Earned, badges_of, stays
from bot.model.hands import Result
from bot.model.ids import EventKey, Player, TableKey, is_computer
from bot.play.session.session import Session


def note_hand(s: Session, key: TableKey, hand_no: int, results: Sequence[Result]) -> None:
    """Note what a hand has earned if it was for chips, and the streaks of its players: its result tells both."""
    tx, players = s.tx, [result.player for result in results if result.ranked]
    if not players:
        return
    earned = [
        (result.player, badge)
        for result in results
        if result.played
        for badge in badges_of(result, stayed_before=stays(result) and tx.stayed_before(key, hand_no, result.player))
    ]
    earned += [(player, Badge.DAILY_WEEK) for player in tx.streaks_to_note(key.guild, players, days=DAILY_DAYS)]
    for player, badge in earned:
        tx.award(key.guild, player, Earned(badge=badge, at=s.now, table=key.table, hand_no=hand_no))


def note_winner(s: Session, event: EventKey, player: Player) -> bool:
    """Note that somebody has won an event by cards of theirs; true where it is their first, and others may be told.

    Whoever wins from computers has won none.
    """
    tx, guild = s.tx, event.guild
    if any(is_computer(entrant.player) for entrant in tx.entrants(event)):
        return False
    has_one = any(earned.badge is Badge.EVENT_WON for earned in tx.badges(guild, player))
    if has_one or not tx.has_played_in(event, player):
        return False
    tx.award(guild, player, Earned(badge=Badge.EVENT_WON, at=s.now))
    return tx.wishes(guild, player).profile_visible
