"""Speed of play in a server."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from bot.model.clock import HOUR, MINUTE, SECOND, Clock, Pace
from bot.model.ids import GuildId
from bot.play.event.trials.simulator import PlaySpeed
from bot.play.session.session import Session

DEFAULT_TURN_MS = {
    Pace.LIVE: 10_000,
    Pace.PER_TURN: 12_000,
    Pace.RELAXED: 60_000,
    Pace.CORRESPONDENCE: 4 * HOUR,
    Pace.NONE: 15_000,
}
"""Default time per turn (ms), an estimate for servers without enough hands."""
MIN_HANDS, MAX_HANDS, MAX_TABLES = 8, 60, 12
"""Limits on the newest hands used to compute a server's own speed."""


@dataclass(frozen=True, slots=True)
class SampledPeriod:
    """Period (ms) whose hands count for the speed of play.

    It's limited only if the clock hasn't always run at the same rate.
    """

    since: int = 0
    until: int | None = None
    """End of the period, exclusive; None if it's open."""


def tempo(s: Session, guild: GuildId, clock: Clock, span: SampledPeriod) -> PlaySpeed:
    """Return the server's speed of play at tables with this clock, from its own hands if there are enough."""
    turn, limit = float(DEFAULT_TURN_MS[clock.pace]), None
    if clock.pace in (Pace.PER_TURN, Pace.RELAXED, Pace.CORRESPONDENCE):
        limit = float(clock.seconds * SECOND)
    quick = clock.pace in (Pace.LIVE, Pace.PER_TURN, Pace.NONE)
    until = s.now if span.until is None else span.until
    hands = s.tx.hands.pace_of(guild, since=span.since, until=until, tables=MAX_TABLES, hands=MAX_HANDS)
    found = [one for one in (took / turns for took, turns in hands) if one < 5 * MINUTE]
    if quick and len(found) >= MIN_HANDS:
        # Rounded to seconds, so that the same forecast stays the same for a while.
        turn = float(round(median(found) / SECOND) * SECOND or SECOND)
    return PlaySpeed(turn=turn, between=s.policy.next_hand_ms, seating=s.policy.seating_ms, limit=limit)
