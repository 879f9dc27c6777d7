"""Flights: further events with the settings of a full one, for the players on its waiting list.

Each flight is an event with its own places, prizes and points. Players on the first event's list are offered places in
the flight, and stay on that list until they take one. A player who gets a place in one flight leaves the lists of the
others, and returns to them if that flight is called off.

A player enters one flight only. Re-entries, if the event has them, can be used in another flight once they're out.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.events import EntrantState, Event, Phase
from bot.model.ids import EventKey, Player
from bot.model.reasons import EventReason, OrganiserReason
from bot.play import terms as terms_of
from bot.play.event.floor.event_state import EventState, event_of, read_field
from bot.play.event.formats.series_runs import coming_dates
from bot.play.event.office import roll_call, waiting_list
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx

OPENED = "flight_opened"
"""Kind of the log line in the first event for each further flight, and in the event for whose list it was opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightOffer:
    """A flight that can be opened for an event's waiting list."""

    first: EventKey
    """The event whose first flight it is."""
    of: str
    """That event's name."""
    number: int
    """The flight's number. The first event counts as flight 1."""
    players: tuple[Player, ...]
    """The players on the list without an offer here or in another flight, in order."""
    need: int
    """Minimum number of players to start."""
    terms: str

    @property
    def enough(self) -> bool:
        """True if enough players wait to fill another event."""
        return len(self.players) >= self.need


def offer(field: EventState) -> FlightOffer:
    """Return the flight that's possible now."""
    first = first_of(field.tx, field.key)
    named = field.event if first.number == field.key.number else event_of(field.s, first)
    number = 2 + len(field.tx.events.facts(first, OPENED))
    elsewhere = {
        one.player
        for key in _others(field.tx, field.key)
        for one in field.tx.waiting.of(key)
        if one.offered_until is not None and one.offered_until > field.s.now
    }
    players = [one.player for one in field.queue if one.offered_until is None and one.player not in elsewhere]
    return FlightOffer(
        first=first,
        of=named.name,
        number=number,
        players=tuple(players),
        need=field.event.structure.fewest,
        terms=terms_of.of_flight(field.event, number, players),
    )


def leave_other_lists(field: EventState, player: Player) -> None:
    """Remove a player who gets a place from the waiting lists of the event's other flights."""
    lists = field.tx.waiting.events_of(field.key.guild, player) - {field.key.number}
    if not lists:
        return  # the usual case, which costs only one query
    for key in _others(field.tx, field.key):
        if key.number in lists:
            waiting_list.leave_for_flight(read_field(field.s, key), player, number=field.key.number)


def return_to_lists(field: EventState) -> list[Player]:
    """After a flight is called off, put its players back on the lists that they left for it, in their old turn.

    Return these players. Players with a place in another flight keep that instead.
    """
    others = [read_field(field.s, key) for key in _others(field.tx, field.key)]
    taken = {player for other in others if not other.event.phase.over for player in _inside(other)}
    players = [player for player in _inside(field) if player not in taken]
    back: dict[Player, None] = {}
    for other in others:
        if waiting_list.has_list(other.event) and roll_call.waiting(other) is None:
            back |= dict.fromkeys(waiting_list.return_from_flight(other, players, number=field.key.number))
    return list(back)


def check_entry(field: EventState, player: Player, *, by: Player | None = None) -> None:
    """Raise Refused if a player can't enter this flight, because they're or were in another one.

    ``by`` is an organiser who registers them; None if they register themselves.
    """
    key, tx = field.key, field.tx
    told = tx.events.last_fact(key, ("created", OPENED))
    if told is None or (told.kind != OPENED and told.details.get("flight_of") is None):
        return  # the usual case, which costs only one query
    used, own, own_wish = 0, field.entrants.get(player), by in (None, player)
    for other in _others(tx, key):
        event, entrant = event_of(field.s, other), tx.entrants.get(other, player)
        if event.phase is Phase.CANCELLED or entrant is None or entrant.state is EntrantState.WITHDRAWN:
            continue
        inside, name = not event.phase.over and (entrant.registered or entrant.playing), event.name
        if inside:
            raise Refused(EventReason.IN_OTHER_FLIGHT if own_wish else OrganiserReason.THEY_HAVE_FLIGHT, event=name)
        if entrant.disqualified or not field.event.structure.reentries:
            raise Refused(
                EventReason.PLAYED_OTHER_FLIGHT if own_wish else OrganiserReason.THEY_PLAYED_FLIGHT, event=name
            )
        used += entrant.entries
    if own is not None and own.state is EntrantState.OUT:
        used += own.entries
    if used > field.event.structure.reentries:
        if not own_wish:
            raise Refused(OrganiserReason.THEY_ARE_OUT)
        raise Refused(EventReason.NO_MORE_ENTRIES, most=field.event.structure.reentries + 1)


def _inside(field: EventState) -> list[Player]:
    return [entrant.player for entrant in field.entrants.values() if entrant.registered or entrant.playing]


def first_of(tx: Tx, key: EventKey) -> EventKey:
    """Return the event whose first flight this event is; the event itself if it's no further flight."""
    created = tx.events.last_fact(key, ("created",))
    number = None if created is None else created.details.get("flight_of")
    return key if number is None else EventKey(guild=key.guild, number=number)


def all_of(tx: Tx, key: EventKey) -> list[EventKey]:
    """Return all flights of an event, itself included; only the event if it has no others."""
    first = first_of(tx, key)
    numbers = [first.number, *(fact.details["number"] for fact in tx.events.facts(first, OPENED))]
    return [EventKey(guild=key.guild, number=number) for number in dict.fromkeys([*numbers, key.number])]


def next_date(tx: Tx, event: Event) -> Event | None:
    """Return the next published date of an event's series; None without one.

    It isn't another flight of the event, and starts later, unless the event is over.
    """
    own, after = all_of(tx, event.key), 0 if event.phase.over else event.starts_at or 0
    return next(
        (
            one
            for one in coming_dates(tx, event)
            if one.phase.before and one.key not in own and (one.starts_at is None or one.starts_at > after)
        ),
        None,
    )


def date_after(s: Session, key: EventKey) -> Event | None:
    """Return the next published date of an event's series, like :func:`next_date`. Raises Refused."""
    event = event_of(s, key)
    return next_date(s.tx, event) if event.series else None


def _others(tx: Tx, key: EventKey) -> list[EventKey]:
    """Return the other flights of an event; empty if it's the only one."""
    return [one for one in all_of(tx, key) if one != key]
