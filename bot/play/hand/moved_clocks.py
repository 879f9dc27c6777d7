"""Clocks of tables with weekends off, moved by an outage or by a change of the server's time zone.

Players keep the time they had left, counted without weekends.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.model.ids import GuildId
from bot.model.tables import Table, TableState, Timer
from bot.model.weekends import LocalWeek
from bot.play.hand import off_days, turns
from bot.play.session.session import Session


def after_outage(s: Session, table: Table, *, begins: int, ends: int) -> None:
    """Correct clocks that were shifted by an outage, because it may have included weekend time."""
    week = off_days.week_of(s, table)
    if week is not None:
        # This also works if the machine's clock was set back, so that the end is before the beginning.
        _move(s, table, lambda at: week.deadline(ends, week.counted(begins, at - (ends - begins))))


def zone_changed(s: Session, guild: GuildId, before: LocalWeek) -> None:
    """Move the clocks after the server's time zone has changed, because its weekends move."""
    for key in s.tx.tables.open_with_weekends_off():
        table = s.table(key)
        week = off_days.week_of(s, table)
        if key.guild != guild or week is None:
            continue

        _move(s, table, lambda at, week=week: week.deadline(s.now, before.counted(s.now, at)))  # type: ignore[misc]
        s.save(table)


def _move(s: Session, table: Table, to: Callable[[int], int]) -> None:
    for seat in s.tx.tables.seats(table.key):
        if seat.away:
            continue  # they are auto-placed immediately
        s.tx.tables.save_seat(table.key, off_days.move_deadline(seat, to))
    if table.state is TableState.PLAYING:
        turns.set_alarms(s, table)
    due_at = s.tx.timers.of(table.key).get(Timer.NEXT_HAND)
    if due_at is not None:
        s.tx.timers.set_timer(table.key, Timer.NEXT_HAND, to(due_at))
