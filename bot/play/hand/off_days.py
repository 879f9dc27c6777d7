"""Times at which a table's clocks are stopped: weekends off and players' vacations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.model.choices import Vacation
from bot.model.tables import Seat, Table
from bot.model.weekends import LocalWeek
from bot.play.session.session import Session


def week_of(s: Session, table: Table) -> LocalWeek | None:
    """Return the week with the table's weekends off, in the server's zone; None if clocks run every day."""
    return (
        LocalWeek(s.tx.choices.server(table.key.guild).zone)
        if table.pauses_for_vacations and table.terms.weekends_off
        else None
    )


def later(s: Session, table: Table, ms: int) -> int:
    """Return when ``ms`` of the table's playing time will have passed from now."""
    return later_by(week_of(s, table), s.now, ms)


def later_by(week: LocalWeek | None, at: int, ms: int) -> int:
    """Return the time that is ``ms`` of playing time later than ``at``."""
    return at + ms if week is None else week.deadline(at, ms)


def move_deadline(seat: Seat, to: Callable[[int], int]) -> Seat:
    """Return the seat with its deadline and reminder moved by ``to``."""
    deadline = None if seat.deadline is None else to(seat.deadline)
    return replace(seat, deadline=deadline, remind_at=None if seat.remind_at is None else to(seat.remind_at))


def postpone(seat: Seat, vacation: Vacation, week: LocalWeek | None, *, now: int) -> Seat:
    """Return the seat with its clock postponed by a vacation."""
    return move_deadline(seat, lambda at: vacation.postpone(at, now=now, week=week))


def resume_early(seat: Seat, vacation: Vacation, week: LocalWeek | None, *, now: int) -> Seat:
    """Return the seat with that postponement undone, because the vacation ends now or is cancelled."""
    return move_deadline(seat, lambda at: vacation.resume_early(at, now=now, week=week))


def apply_vacations(s: Session, table: Table) -> None:
    """Postpone deadlines that an outage moved into a vacation."""
    week = week_of(s, table)
    for seat in s.tx.tables.seats(table.key) if table.pauses_for_vacations else ():
        vacation = s.tx.choices.member_settings(table.key.guild, seat.player).vacation(s.now)
        if vacation and seat.deadline is not None and vacation.begins <= seat.deadline <= s.now:
            s.tx.tables.save_seat(table.key, move_deadline(seat, partial(_after_vacation, vacation, week)))


def _after_vacation(vacation: Vacation, week: LocalWeek | None, at: int) -> int:
    if week is None:
        return at + vacation.ends - vacation.begins
    return week.deadline(vacation.ends, week.counted(vacation.begins, at))
