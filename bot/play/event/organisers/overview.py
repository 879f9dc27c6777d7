"""The events of a server as one person may act on them: read at once, for commands that suggest acts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.model.choices import Server
from bot.model.events import Entrant, EntrantState, Event, Official, Phase
from bot.model.ids import EventKey, GuildId
from bot.play.event.floor import field as fields
from bot.play.event.organisers import evening
from bot.play.event.organisers.evening import DeskView
from bot.play.session.session import Session

OPEN = tuple(phase for phase in Phase if not phase.over)
OVER = tuple(phase for phase in Phase if phase.over)
MOST_OVER = 20
"""Events that are over and are suggested. Older ones have to be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGlance:
    """An event as one person may act on it."""

    event: Event
    own: Entrant | None = None
    """That person as an entrant; None if they never entered."""
    desk: DeskView | None = None
    """None unless they organise an event that isn't over."""
    plays_here: bool = False
    """True if one of its tables is in the channel that was asked about."""

    @property
    def takes_part(self) -> bool:
        """True for somebody who takes part or took part."""
        return self.own is not None and self.own.state is not EntrantState.WITHDRAWN


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOverview:
    """A server's events as one person may act on them."""

    server: Server
    events: tuple[EventGlance, ...]
    """Those that are open, then the newest that are over; each the newest first."""
    series: Mapping[str, int]
    """Its series, the one used last first, each with the channel of its newest event."""
    drafts: bool = False
    """True for somebody who is preparing an event."""


def overview(
    s: Session, guild: GuildId, by: Official, *, channel: int, named: Callable[[Event], bool] = lambda event: False
) -> EventOverview:
    """Return the events that are open, and of those that are over the newest and those that are ``named``.

    ``channel`` is where somebody asks.
    """
    here = {table.event for table in s.tx.tables.open(guild, channel=channel) if table.event is not None}
    going = s.tx.events.in_phases(guild, OPEN)
    ended = s.tx.events.in_phases(guild, OVER)
    over = [*ended[:MOST_OVER], *filter(named, ended[MOST_OVER:])]
    return EventOverview(
        server=s.tx.choices.server(guild),
        events=tuple(_glance(s, event, by, here) for event in (*going, *over)),
        series=s.tx.events.series(guild),
        drafts=s.tx.events.draft(guild, by.player) is not None,
    )


def glance(s: Session, key: EventKey, by: Official) -> EventGlance:
    """Return one event as somebody may act on it; raises Refused if there's no such event."""
    return _glance(s, fields.event_of(s, key), by, set())


def _glance(s: Session, event: Event, by: Official, here: set[EventKey]) -> EventGlance:
    organises = by.organises(event) and not event.phase.over
    return EventGlance(
        event=event,
        own=s.tx.entrants.get(event.key, by.player),
        desk=evening.desk(s, event.key, by) if organises else None,
        plays_here=event.key in here,
    )
