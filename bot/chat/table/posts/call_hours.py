"""The hours of a player's calls by correspondence: quiet ones, in which they are held, and that of a digest.

Hours are those that the clocks of the player's own zone show, whatever these do in spring and autumn: an hour that is
skipped is the one that follows, and of one that comes twice the first is meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from bot.model.choices import Wishes
from bot.model.weekends import Week
from bot.text.zones import zone_named


def quiet_end(wishes: Wishes, at: int) -> int | None:
    """When the quiet hours end that a moment falls in (ms); None for a moment in none."""
    if wishes.quiet_from is None:
        return None
    zone, over_night = _zone(wishes), wishes.quiet_until <= wishes.quiet_from
    for day in _days(at, zone, first=-1):
        ends = _shown(day + timedelta(days=over_night), wishes.quiet_until, zone)
        if _shown(day, wishes.quiet_from, zone) <= at < ends:
            return ends
    return None


def call_time(wishes: Wishes, at: int, *, week: Week | None) -> int:
    """When somebody is called who would be now: after their quiet hours, and after a weekend that the table has off.

    Quiet hours may begin before the one ends, and end after it.
    """
    while later := (week and week.ends(at)) or quiet_end(wishes, at):
        at = later
    return at


def next_digest(wishes: Wishes, after: int) -> int:
    """When a player's next digest is due (ms); 0 for who wishes none.

    One more comes when a vacation ends, because the clocks run from then on.
    """
    if wishes.digest_at is None:
        return 0
    zone = _zone(wishes)
    due = next(at for day in _days(after, zone, first=0) if (at := _shown(day, wishes.digest_at, zone)) > after)
    return min(due, wishes.vacation_until) if wishes.vacation_until > after else due


def rescheduled(wishes: Wishes, *, now: int) -> Wishes:
    """The same choices with the digest that follows from them; who wishes none any more has the last one taken away.

    One that is due is sent first.
    """
    if wishes.digest_at is not None and 0 < wishes.digest_due <= now:
        return wishes
    return replace(wishes, digest_due=next_digest(wishes, now) or (now if wishes.digest_due else 0))


def _zone(wishes: Wishes) -> tzinfo:
    """The player's zone; that of the world where the machine does not know it any more."""
    known = zone_named(wishes.zone)
    return UTC if known is None else ZoneInfo(known)


def _days(at: int, zone: tzinfo, *, first: int) -> Iterator[date]:
    """Days around a moment, as the zone counts them."""
    today = datetime.fromtimestamp(at / 1000, zone).date()
    return (today + timedelta(days=ahead) for ahead in range(first, 3))


def _shown(day: date, hour: int, zone: tzinfo) -> int:
    """When the clocks of a zone show this hour first."""
    return round(datetime.combine(day, time(hour), zone).timestamp() * 1000)
