"""Turns of a hand: their start, announcement and end. Placing is done elsewhere."""

from __future__ import annotations

from dataclasses import replace

from bot.model.clock import ANNOUNCE_TIMEOUT_MS, LATE_MS, REMINDED_FROM_MS, Pace, time_after_turn
from bot.model.errors import HandLostError
from bot.model.ids import Player, is_computer
from bot.model.tables import AnnouncedTurn, Seat, Table, TableState, Timer
from bot.play.hand import drafts, hand_log, off_days, shuffle_inputs
from bot.play.session.session import Session
from bot.pure.ofc.hand import Hand

WRONG_MS = 5_000
"""Smallest error of a shown countdown (ms) that causes a redraw."""


def start(s: Session, table: Table, hand: Hand, *, known: bool = False) -> None:
    """Start the clocks of all turns that begin. Players who are away get no time.

    Clocks wait until a message has announced the turn, unless it's ``known``.
    """
    begins, people = False, people_on_turn(s, table, hand)
    for seat in people:
        if seat.away:
            s.tx.tables.save_seat(table.key, replace(seat, deadline=min(s.now, seat.deadline or s.now), remind_at=None))
        elif seat.deadline is None:
            _begin_turn(s, table, seat, hand)
            begins = True
    if all(seat.away for seat in people):
        s.tx.timers.set_timer(table.key, Timer.UNANNOUNCED, None)
    elif begins and s.published and not known and not table.private:
        s.tx.timers.set_timer(table.key, Timer.UNANNOUNCED, s.now + ANNOUNCE_TIMEOUT_MS)
    set_alarms(s, table)
    computers = any(is_computer(hand.seats[n].player) for n in {*hand.waiting, *hand.setting})
    thought = s.now + (0 if table.private else s.policy.computer_ms)
    s.tx.timers.set_timer(table.key, Timer.COMPUTER, thought if computers else None)
    if table.private:
        wait_for_player(s, table)


def _begin_turn(s: Session, table: Table, seat: Seat, hand: Hand) -> None:
    """Start a player's turn with its full time."""
    whole_board = drafts.sets_whole_board(hand, seat.player)
    clock, member_settings = table.terms.clock, s.tx.choices.member_settings(table.key.guild, seat.player)
    turn = clock.turn_ms(whole_board=whole_board, left_ms=seat.left_ms, bank_ms=seat.bank_ms)
    # The reminder is sent when a quarter of the time is left.
    reminds = member_settings.reminders and clock.pace is not Pace.NONE and turn >= REMINDED_FROM_MS
    remind_at = s.now + turn * 3 // 4 if reminds else None
    begun = replace(seat, deadline=s.now + turn, remind_at=remind_at, reminded=False)
    if (week := off_days.week_of(s, table)) is not None:
        begun = off_days.move_deadline(begun, lambda at: week.deadline(s.now, at - s.now))
    vacation = member_settings.vacation(s.now) if table.pauses_for_vacations else None
    s.tx.tables.save_seat(table.key, begun if vacation is None else off_days.postpone(begun, vacation, week, now=s.now))


def wait_for_player(s: Session, table: Table) -> None:
    """Schedule a private table to close if its player does nothing for a long time."""
    s.tx.timers.set_timer(table.key, Timer.LOBBY, s.now + s.policy.practice_ms)


def record_action(s: Session, table: Table, player: Player, *, cause: str | None, ahead: bool = False) -> None:
    """Record a player's action, which stops their clock and ends their absence.

    A player who acted ``ahead`` of their turn did so earlier, so if they have been marked as away since, they stay
    away.
    """
    seat = s.seat(table, player)
    left, bank = seat.left_ms, seat.bank_ms
    if seat.deadline is not None and not is_untold(s, table):
        left, bank = time_after_turn(left, bank, remaining_ms=seat.deadline - s.now)
    rested = replace(
        seat,
        away=seat.away and ahead,
        timeouts=0,
        draft="",
        draft_for="",
        ahead=None,
        entropy=shuffle_inputs.entropy_after(s, seat, cause),
        left_ms=left,
        bank_ms=bank,
        deadline=None,
        remind_at=None,
    )
    s.tx.tables.save_seat(table.key, rested)


def record_timeout(s: Session, table: Table, player: Player) -> None:
    """Record a player's timeout. They have no time left, and after several in a row they are away."""
    seat = s.seat(table, player)
    timeouts = seat.timeouts + 1
    away = seat.away or timeouts >= s.policy.timeouts_until_away
    seat = replace(seat, timeouts=timeouts, away=away, left_ms=0, bank_ms=0, draft="", draft_for="", ahead=None)
    s.tx.tables.save_seat(table.key, replace(seat, deadline=None, remind_at=None))


def end(s: Session, table: Table) -> None:
    """End all turns because the hand is over."""
    for seat in s.tx.tables.seats(table.key):
        if seat.deadline is not None:
            s.tx.tables.save_seat(table.key, replace(seat, deadline=None, remind_at=None))
    for timer in (Timer.TURN, Timer.REMIND, Timer.UNANNOUNCED, Timer.COMPUTER):
        s.tx.timers.set_timer(table.key, timer, None)


def told(s: Session, table: Table, turn: AnnouncedTurn) -> None:
    """Record that a message has announced a turn, so its clock runs.

    If the message was late, the full time of all waiting players starts now. Has no effect if the turn was
    announced before or is over.
    """
    announce_by = s.tx.timers.of(table.key).get(Timer.UNANNOUNCED)
    if announce_by is None or table.hand_no != turn.hand_no:
        return
    try:
        hand = hand_log.hand_of(s, table.key, table.hand_no)
    except HandLostError:
        return  # the hand will be voided
    waiting = [seat for seat in people_on_turn(s, table, hand) if not seat.away]
    if hand.street != turn.street or not {seat.player for seat in waiting} <= turn.players:
        return
    s.tx.timers.set_timer(table.key, Timer.UNANNOUNCED, None)
    if late := announcement_delay(announce_by, now=s.now):
        for seat in waiting:
            _postpone(s, table, seat, ms=late)
    set_alarms(s, table)
    until = min((s.seat(table, seat.player).deadline or 0 for seat in waiting), default=0)
    if turn.until is not None and until - turn.until >= WRONG_MS:
        s.save(table)


def _postpone(s: Session, table: Table, seat: Seat, *, ms: int) -> None:
    """Postpone a seat's deadline and reminder by ``ms`` of playing time."""
    week = off_days.week_of(s, table)
    s.tx.tables.save_seat(table.key, off_days.move_deadline(seat, lambda at: off_days.later_by(week, at, ms)))


def announcement_delay(announce_by: int, *, now: int) -> int:
    """Return how late a turn's announcement is (ms); 0 while it's within the usual time."""
    late = now - (announce_by - ANNOUNCE_TIMEOUT_MS)
    return late if late > LATE_MS else 0


def begin_unannounced(s: Session, table: Table) -> None:
    """Start the clocks of a turn that couldn't be announced in time."""
    if table.state is TableState.PLAYING:
        set_alarms(s, table)


def remind(s: Session, table: Table) -> Table:
    """Ping players who want reminders and whose time is nearly over."""
    for seat in s.tx.tables.seats(table.key):
        if seat.remind_at is not None and seat.remind_at <= s.now:
            s.tx.tables.save_seat(table.key, replace(seat, remind_at=None, reminded=True))
    set_alarms(s, table)
    return s.save(table)


def set_alarms(s: Session, table: Table) -> None:
    """Set the table's timers to the first deadline and the first reminder of its seats."""
    untold = is_untold(s, table)
    seats = [seat for seat in s.tx.tables.seats(table.key) if seat.away or not untold]
    deadlines = [seat.deadline for seat in seats if seat.deadline is not None]
    reminders = [seat.remind_at for seat in seats if seat.remind_at is not None]
    s.tx.timers.set_timer(table.key, Timer.TURN, min(deadlines, default=None))
    s.tx.timers.set_timer(table.key, Timer.REMIND, min(reminders, default=None))


def is_untold(s: Session, table: Table) -> bool:
    """True while the current turn hasn't been announced, so its clock is stopped."""
    return s.published and s.tx.timers.of(table.key).get(Timer.UNANNOUNCED) is not None


def people_on_turn(s: Session, table: Table, hand: Hand) -> list[Seat]:
    """Return the seats whose turn it is, excluding computers."""
    players = [Player(hand.seats[number].player) for number in hand.waiting]
    return [s.seat(table, player) for player in players if not is_computer(player)]
