"""A server's events for one member, loaded together to suggest actions in commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.model.choices import ServerSettings
from bot.model.events import Entrant, EntrantState, Event, Official, Phase, WaitingPlayer
from bot.model.ids import EventKey, GuildId
from bot.play.event.floor import event_state as fields
from bot.play.event.organisers import late_rulings, organiser_desk
from bot.play.event.organisers.organiser_desk import DeskView
from bot.play.session.session import Session

OPEN = tuple(phase for phase in Phase if not phase.over)
OVER = tuple(phase for phase in Phase if phase.over)
MAX_FINISHED_EVENTS = 20
"""Maximum number of finished events suggested. Older ones must be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGlance:
    """An event for one member."""

    event: Event
    own: Entrant | None = None
    """The member as an entrant; None if they never entered."""
    desk: DeskView | None = None
    """The desk; None unless they organise the event and, if it's over, may rule on it."""
    waits: WaitingPlayer | None = None
    """The member's place on the waiting list; None if they aren't on it."""
    plays_here: bool = False
    """True if one of its tables is in the channel that was asked about."""

    @property
    def takes_part(self) -> bool:
        """True if the member is or was in the event and hasn't withdrawn, or is on its waiting list."""
        entered = self.own is not None and self.own.state is not EntrantState.WITHDRAWN
        return entered or self.waits is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOverview:
    """A server's events for one member."""

    server: ServerSettings
    events: tuple[EventGlance, ...]
    """The open events, then the newest finished ones. Both are sorted newest first."""
    series: Mapping[str, int]
    """Series names with the channel of their newest event, most recently used first."""
    drafts: bool = False
    """True if the member has an event draft."""


def overview(
    s: Session, guild: GuildId, by: Official, *, channel: int, named: Callable[[Event], bool] = lambda event: False
) -> EventOverview:
    """Return the open events, the newest finished ones, and the older ones that are ``named``.

    ``channel`` is the channel of the command.
    """
    here = {table.event for table in s.tx.tables.open(guild, channel=channel) if table.event is not None}
    going = s.tx.events.in_phases(guild, OPEN)
    ended = s.tx.events.in_phases(guild, OVER)
    over = [*ended[:MAX_FINISHED_EVENTS], *filter(named, ended[MAX_FINISHED_EVENTS:])]
    # Finished events are ruled on soon or not at all, so the desks of older ones are loaded only if they're named.
    desks = {event.key for event in over if named(event) or s.now - (event.ended_at or 0) < late_rulings.RULE_MS}
    return EventOverview(
        server=s.tx.choices.server(guild),
        events=tuple(_glance(s, event, by, here, ruled=event.key in desks) for event in (*going, *over)),
        series=s.tx.events.series(guild),
        drafts=s.tx.events.draft(guild, by.player) is not None,
    )


def glance(s: Session, key: EventKey, by: Official) -> EventGlance:
    """Return one event for a member. Raises Refused if it doesn't exist."""
    return _glance(s, fields.event_of(s, key), by, set(), ruled=True)


def _glance(s: Session, event: Event, by: Official, here: set[EventKey], *, ruled: bool) -> EventGlance:
    """Return an event for a member. ``ruled`` is True to load the desk of a finished event too."""
    organises = by.organises(event) and (ruled or not event.phase.over)
    waits = s.tx.waiting.get(event.key, by.player) if event.phase.before else None
    own = s.tx.entrants.get(event.key, by.player)
    if event.phase.over:
        plays = own is not None and own.state is not EntrantState.WITHDRAWN
        organises = organises and late_rulings.may_rule(event, by, plays=plays, now=s.now)
    return EventGlance(
        event=event,
        own=own,
        desk=organiser_desk.desk(s, event.key, by) if organises else None,
        plays_here=event.key in here,
        waits=waits,
    )
