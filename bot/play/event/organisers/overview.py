"""A server's events for one member, loaded together to suggest actions in commands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from bot.model.choices import ServerSettings
from bot.model.events import Entrant, EntrantState, Event, Official, Phase, WaitingPlayer
from bot.model.ids import EventKey, GuildId
from bot.play.event.floor import absences
from bot.play.event.floor import event_state as fields
from bot.play.event.office import permissions
from bot.play.event.organisers import late_rulings, organiser_desk
from bot.play.event.organisers.organiser_desk import DeskView
from bot.play.session.session import Session
from bot.pure.event.structure import Family

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
    organises: bool = False
    """True if they may run the event."""
    desk: DeskView | None = None
    """The desk; None unless they organise the event and, if it's over, may rule on it."""
    waits: WaitingPlayer | None = None
    """The member's place on the waiting list; None if they aren't on it."""
    left_seat: bool = False
    """True if the member has left their seat in a freezeout, and can come back to it."""
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
    server = s.tx.choices.server(guild)
    # Finished events are ruled on soon or not at all, so the desks of older ones are loaded only if they're named.
    desks = {event.key for event in over if named(event) or s.now - (event.ended_at or 0) < late_rulings.RULE_MS}
    return EventOverview(
        server=server,
        events=tuple(_glance(s, event, by, here, server=server, ruled=event.key in desks) for event in (*going, *over)),
        series=s.tx.events.series(guild),
        drafts=s.tx.events.draft(guild, by.player) is not None,
    )


def glance(s: Session, key: EventKey, by: Official) -> EventGlance:
    """Return one event for a member. Raises Refused if it doesn't exist."""
    server = s.tx.choices.server(key.guild)
    return _glance(s, fields.event_of(s, key), by, (), server=server, ruled=True)


def _glance(
    s: Session, event: Event, by: Official, here: Collection[EventKey], *, server: ServerSettings, ruled: bool
) -> EventGlance:
    """Return an event for a member. ``ruled`` is True to load the desk of a finished event too."""
    waits = s.tx.waiting.get(event.key, by.player) if event.phase.before else None
    own = s.tx.entrants.get(event.key, by.player)
    organises = by.organises(event) or permissions.stands_in(server, event, by, own, waits)
    has_desk = organises
    if event.phase.over:
        plays = own is not None and own.state is not EntrantState.WITHDRAWN
        rules = late_rulings.may_rule(event, by, plays=plays, now=s.now)
        has_desk = ruled and (rules or (organises and bool(event.page)))
    return EventGlance(
        event=event,
        own=own,
        organises=organises,
        left_seat=own is not None and _has_left_seat(s, event, own),
        desk=organiser_desk.desk(s, event.key, by) if has_desk else None,
        plays_here=event.key in here,
        waits=waits,
    )


def _has_left_seat(s: Session, event: Event, own: Entrant) -> bool:
    """True if the member can come back to a freezeout. The event is only loaded if they have left it at least once."""
    if not own.playing or event.format.family is not Family.FREEZEOUT:
        return False
    left = any(fact.kind == absences.LEFT_SEAT for fact in s.tx.events.facts_of(event.key, own.player))
    return left and absences.may_return(fields.read_field(s, event.key), own.player)
