"""Times at which a table's clocks stand: weekends off, and the vacations of players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.model.choices import Vacation
from bot.model.tables import Seat, Table
from bot.model.weekends import Week
from bot.play.session.session import Session


def week_of(s: Session, table: Table) -> Week | None:
    """The week in which a table has its weekends off, by the server's time zone; None where clocks run every day."""
    return Week(s.tx.choices.server(table.key.guild).zone) if table.rests and table.terms.weekends_off else None


def later(s: Session, table: Table, ms: int) -> int:
    """When so much time of a table's clock is over from now on."""
    return after(week_of(s, table), s.now, ms)


def after(week: Week | None, at: int, ms: int) -> int:
    """Return the time that is ``ms`` of playing time later than ``at``."""
    return at + ms if week is None else week.deadline(at, ms)


def moved(seat: Seat, to: Callable[[int], int]) -> Seat:
    """A seat whose turn runs out, and is reminded of, at other times."""
    deadline = None if seat.deadline is None else to(seat.deadline)
    return replace(seat, deadline=deadline, remind_at=None if seat.remind_at is None else to(seat.remind_at))


def put_off(seat: Seat, vacation: Vacation, week: Week | None, *, now: int) -> Seat:
    """A seat whose clock stands for a vacation."""
    return moved(seat, lambda at: vacation.put_off(at, now=now, week=week))


def brought_forward(seat: Seat, vacation: Vacation, week: Week | None, *, now: int) -> Seat:
    """The same seat once the vacation ends now, or is called off."""
    return moved(seat, lambda at: vacation.brought_forward(at, now=now, week=week))


def rest(s: Session, table: Table) -> None:
    """Put off what ran out in a vacation after all, because an outage had moved it there."""
    week = week_of(s, table)
    for seat in s.tx.tables.seats(table.key) if table.rests else ():
        vacation = s.tx.choices.wishes(table.key.guild, seat.player).vacation(s.now)
        if vacation and seat.deadline is not None and vacation.begins <= seat.deadline <= s.now:
            s.tx.tables.save_seat(table.key, moved(seat, partial(_after_vacation, vacation, week)))


def _after_vacation(vacation: Vacation, week: Week | None, at: int) -> int:
    if week is None:
        return at + vacation.ends - vacation.begins
    return week.deadline(vacation.ends, week.counted(vacation.begins, at))
