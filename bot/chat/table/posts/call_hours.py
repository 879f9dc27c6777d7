"""Times of notifications in correspondence games: quiet hours, which delay them, and the hour of the daily digest.

Hours are in the player's time zone. An hour that is skipped in spring becomes the next one. If an hour is repeated in
autumn, its first occurrence counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from bot.model.choices import MemberSettings
from bot.model.weekends import LocalWeek
from bot.text.zones import zone_named


def quiet_end(member_settings: MemberSettings, at: int) -> int | None:
    """Return when the quiet hours at time ``at`` end (ms); None outside quiet hours."""
    if member_settings.quiet_from is None:
        return None
    zone, over_night = _zone(member_settings), member_settings.quiet_until <= member_settings.quiet_from
    for day in _days(at, zone, first=-1):
        ends = _time_of_hour(day + timedelta(days=over_night), member_settings.quiet_until, zone)
        if _time_of_hour(day, member_settings.quiet_from, zone) <= at < ends:
            return ends
    return None


def call_time(member_settings: MemberSettings, at: int, *, week: LocalWeek | None) -> int:
    """Return when a notification due at ``at`` may be sent (ms), which is after quiet hours and weekends off.

    Quiet hours may start during a weekend and end after it.
    """
    while later := (week and week.ends(at)) or quiet_end(member_settings, at):
        at = later
    return at


def next_digest(member_settings: MemberSettings, after: int) -> int:
    """Return when a player's next digest is due (ms); 0 if they don't want any.

    An extra digest is due when a vacation ends, because that is when the clocks start running again.
    """
    if member_settings.digest_at is None:
        return 0
    zone = _zone(member_settings)
    due = next(
        at for day in _days(after, zone, first=0) if (at := _time_of_hour(day, member_settings.digest_at, zone)) > after
    )
    return min(due, member_settings.vacation_until) if member_settings.vacation_until > after else due


def rescheduled(member_settings: MemberSettings, *, now: int) -> MemberSettings:
    """Return the settings with the next digest rescheduled.

    If digests were turned off, the last one is due now, which removes it. If a digest is already due, it's sent first,
    so the settings are returned unchanged.
    """
    if member_settings.digest_at is not None and 0 < member_settings.digest_due <= now:
        return member_settings
    return replace(
        member_settings, digest_due=next_digest(member_settings, now) or (now if member_settings.digest_due else 0)
    )


def _zone(member_settings: MemberSettings) -> tzinfo:
    """Return the player's time zone, or UTC if this machine no longer knows it."""
    known = zone_named(member_settings.zone)
    return UTC if known is None else ZoneInfo(known)


def _days(at: int, zone: tzinfo, *, first: int) -> Iterator[date]:
    """Yield consecutive days in the zone, starting ``first`` days from the day of ``at``."""
    today = datetime.fromtimestamp(at / 1000, zone).date()
    return (today + timedelta(days=ahead) for ahead in range(first, 3))


def _time_of_hour(day: date, hour: int, zone: tzinfo) -> int:
    """Return the first time on ``day`` when clocks in the zone show ``hour`` (ms)."""
    return round(datetime.combine(day, time(hour), zone).timestamp() * 1000)
