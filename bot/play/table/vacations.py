"""Vacations, which stop a player's correspondence clocks in one server between two dates.

Nothing is scheduled for a vacation's start or end. Clocks are postponed in the transaction that stores the vacation,
and those of later turns are postponed as they begin. So no player loses time, even if the bot stops in between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.model.choices import Vacation
from bot.model.clock import DAY
from bot.model.ids import GuildId, Player, Shard, TableKey
from bot.model.limits import VACATION_PER_YEAR_MS
from bot.model.privacy import UsedRight, UsedRightKind
from bot.model.reasons import VacationReason
from bot.model.tables import Table, TableState
from bot.play.hand import off_days, step_effects, turns
from bot.play.session import memory
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused


def left_ms(s: Session, guild: GuildId, player: Player, *, at: int) -> int:
    """Return the rest of a year's allowance (ms), before the current vacation is deducted.

    It includes vacations used before a deletion.
    """
    member_settings, year = s.tx.choices.member_settings(guild, player), _year(at)
    before = memory.used(s, guild, player, UsedRightKind.VACATION, year)
    return VACATION_PER_YEAR_MS - max(
        before, member_settings.vacation_used if member_settings.vacation_year == year else 0
    )


def memories(s: Session, guild: GuildId, player: Player) -> list[UsedRight]:
    """Return the used allowance that a deletion doesn't give back. A current vacation ends with the deletion."""
    member_settings = s.tx.choices.member_settings(guild, player)
    taken = (
        max(0, min(s.now, member_settings.vacation_until) - member_settings.vacation_from)
        if member_settings.vacation_until
        else 0
    )
    used, year = member_settings.vacation_used + taken, member_settings.vacation_year
    if not used:
        return []
    until = round(datetime(year + 1, 1, 1, tzinfo=UTC).timestamp() * 1000)
    return [UsedRight(kind=UsedRightKind.VACATION, number=year, used=used, until=until)]


def take(s: Session, guild: GuildId, player: Player, *, begins: int, ends: int) -> list[Table]:
    """Start or plan a vacation, replacing an earlier one; return the tables whose clocks stop.

    It counts towards the year in which it starts. Raises Refused.
    """
    begins = max(begins, s.now)
    if ends <= begins:
        raise Refused(VacationReason.VACATION_PAST)
    end(s, guild, player)
    member_settings = s.tx.choices.member_settings(guild, player)
    left = left_ms(s, guild, player, at=begins)
    if ends - begins > left:
        raise Refused(VacationReason.VACATION_TOO_LONG, left=left // DAY, most=VACATION_PER_YEAR_MS // DAY)
    used = VACATION_PER_YEAR_MS - left
    member_settings = replace(
        member_settings, vacation_from=begins, vacation_until=ends, vacation_year=_year(begins), vacation_used=used
    )
    s.tx.choices.save_member_settings(guild, player, member_settings)
    return _move(s, guild, player, Vacation(begins=begins, ends=ends), ended=False)


def end(s: Session, guild: GuildId, player: Player) -> list[Table]:
    """End or cancel a vacation; return the tables whose clocks run again. Unused time isn't deducted."""
    member_settings = s.tx.choices.member_settings(guild, player)
    if not member_settings.vacation_until:
        return []
    vacation = member_settings.vacation(s.now)
    taken = max(0, min(s.now, member_settings.vacation_until) - member_settings.vacation_from)
    used = member_settings.vacation_used + taken
    s.tx.choices.save_member_settings(
        guild, player, replace(member_settings, vacation_from=0, vacation_until=0, vacation_used=used)
    )
    return [] if vacation is None else _move(s, guild, player, vacation, ended=True)


# An outage during a vacation


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingSeat:
    """A seat with its clock postponed by a vacation, before an outage shifts it."""

    table: TableKey
    player: Player
    vacation: Vacation
    deadline: int
    remind_at: int | None


def seats_during(s: Session, shard: Shard, *, begins: int, ends: int) -> list[RestingSeat]:
    """Return a shard's seats with clocks postponed by a vacation that overlaps the given time (ms)."""
    return [
        RestingSeat(table=table.key, player=player, vacation=vacation, deadline=seat.deadline, remind_at=seat.remind_at)
        for guild, player, vacation in s.tx.choices.vacations_during(begins, ends)
        if shard.serves(guild)
        for table in s.tx.tables.tables_of(guild, player)
        if table.pauses_for_vacations and not (seat := s.seat(table, player)).away
        if seat.deadline is not None and seat.deadline > vacation.begins
    ]


def after_outage(s: Session, resting: RestingSeat, *, begins: int, ends: int) -> None:
    """Give a clock back the part of an outage outside the vacation, which has already postponed it over the rest."""
    table, vacation = s.table(resting.table), resting.vacation
    week = off_days.week_of(s, table)

    def counted(since: int, until: int) -> int:
        return max(0, until - since) if week is None else week.counted(since, until)

    def moved(at: int) -> int:
        if at <= vacation.begins:
            return at + ends - begins  # the deadline is before the vacation
        left = counted(begins, at) - counted(max(begins, vacation.begins), vacation.ends)
        resumes = max(ends, vacation.ends)
        return resumes + left if week is None else week.deadline(resumes, left)

    remind_at = None if resting.remind_at is None else moved(resting.remind_at)
    seat = s.seat(table, resting.player)
    s.tx.tables.save_seat(table.key, replace(seat, deadline=moved(resting.deadline), remind_at=remind_at))
    if table.state is TableState.PLAYING:
        turns.set_alarms(s, table)


def _move(s: Session, guild: GuildId, player: Player, vacation: Vacation, *, ended: bool) -> list[Table]:
    """Postpone a player's clocks, or resume them early if ``ended``, and redraw their tables."""
    tables = [table for table in s.tx.tables.tables_of(guild, player) if table.pauses_for_vacations]
    for table in tables:
        seat = s.seat(table, player)
        if seat.away and not ended:
            # A player on vacation isn't away. Their missed turns are still shown.
            s.tx.tables.save_seat(table.key, replace(seat, away=False, deadline=None))
            if table.state is TableState.PLAYING:
                table = step_effects.restart_clock(s, table)
        else:
            move = off_days.resume_early if ended else off_days.postpone
            s.tx.tables.save_seat(table.key, move(seat, vacation, off_days.week_of(s, table), now=s.now))
            if table.state is TableState.PLAYING:
                turns.set_alarms(s, table)
        s.save(table)
    return tables


def _year(at: int) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).year
