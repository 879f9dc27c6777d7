"""How fast a server's people play."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from bot.model.clock import HOUR, MINUTE, SECOND, Clock, Pace
from bot.model.ids import GuildId
from bot.play.event.trials.simulator import Tempo
from bot.play.session.session import Session

USUAL_TURN_MS = {
    Pace.LIVE: 10_000,
    Pace.PER_TURN: 12_000,
    Pace.RELAXED: 60_000,
    Pace.CORRESPONDENCE: 4 * HOUR,
    Pace.NONE: 15_000,
}
"""How long a turn takes in a server of which nothing is known yet: judged, not measured."""
LEAST_HANDS, MOST_HANDS, MOST_TABLES = 8, 60, 12
"""A server's own pace is read from so many of its newest hands."""


@dataclass(frozen=True, slots=True)
class Span:
    """The time (ms) whose hands tell how fast people play: all of it, but where a clock did not always go as fast."""

    since: int = 0
    until: int | None = None
    """The first moment that does not belong to it; None for none."""


def tempo(s: Session, guild: GuildId, clock: Clock, span: Span) -> Tempo:
    """How fast a server's people play at tables with this clock: by their own hands where there are enough."""
    turn, limit = float(USUAL_TURN_MS[clock.pace]), None
    if clock.pace in (Pace.PER_TURN, Pace.RELAXED, Pace.CORRESPONDENCE):
        limit = float(clock.seconds * SECOND)
    quick = clock.pace in (Pace.LIVE, Pace.PER_TURN, Pace.NONE)
    until = s.now if span.until is None else span.until
    hands = s.tx.hands.pace_of(guild, since=span.since, until=until, tables=MOST_TABLES, hands=MOST_HANDS)
    found = [one for one in (took / turns for took, turns in hands) if one < 5 * MINUTE]
    if quick and len(found) >= LEAST_HANDS:
        # In whole seconds: the same question has the same answer for a while.
        turn = float(round(median(found) / SECOND) * SECOND or SECOND)
    return Tempo(turn=turn, between=s.policy.next_hand_ms, seating=s.policy.seating_ms, limit=limit)
