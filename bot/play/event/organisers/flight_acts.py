"""The organisers' action that opens another flight for the waiting list of a full event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.base.clean_text import one_line
from bot.model.events import Event, Official
from bot.model.ids import EventKey
from bot.model.limits import MAX_SERIES_DATES
from bot.model.reasons import EventReason, OrganiserReason, PlanReason
from bot.play import terms as terms_of
from bot.play.event.floor.event_state import EventState, read_field
from bot.play.event.formats import series_runs
from bot.play.event.office import flights, opening, registration, roll_call, waiting_list
from bot.play.event.office.flights import FlightOffer
from bot.play.event.office.permissions import MemberPermissions, check_prizes
from bot.play.event.organisers.organiser import check_organiser, done, load_for_organiser
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused


def check_flight(s: Session, key: EventKey, by: Official, authority: MemberPermissions) -> FlightOffer:
    """Return the flight that an organiser can open now for the event's waiting list. Raises Refused."""
    field = read_field(s, key)
    check_organiser(s, field.event, by)
    if field.event.phase.over:
        raise Refused(EventReason.EVENT_OVER)
    return _check(field, by, authority, shown=None)


def open_flight(
    s: Session,
    key: EventKey,
    by: Official,
    authority: MemberPermissions,
    *,
    named: Callable[[str, int], str],
    starts_at: int = 0,
    shown: str | None = None,
    cause: str,
) -> Event:
    """Publish an event with the same settings for the players on the waiting list, and offer them its places in order.

    They stay on this event's list until they take one. ``named`` returns the flight's name for the first event's name
    and the flight's number. The start is ``starts_at`` (ms), or this event's if it's 0. ``shown`` are the terms that
    the organiser was shown. Raises Refused, OtherTerms, or ``bot.pure.event.structure.StructureError``.
    """
    field = load_for_organiser(s, key, by, cause=cause)
    offer = _check(field, by, authority, shown=shown)
    copy = opening.copied(
        s, field.event, name=one_line(named(offer.of, offer.number)), starts_at=starts_at or field.event.starts_at or 0
    )
    usable = tuple(channel for channel in copy.structure.channels if channel not in authority.closed)
    copy = replace(copy, structure=replace(copy.structure, channels=usable))
    for problem in registration.problems(copy, now=s.now):
        raise problem
    flight = opening.announced(s, copy, by=by.player, cause=None, flight_of=offer.first.number)
    told = {"number": flight.key.number, "flight": offer.number, "people": len(offer.players)}
    field.note(flights.OPENED, actor=by.player, cause=cause, **told)
    if offer.first.number != key.number:
        s.tx.events.note(offer.first, flights.OPENED, told, actor=by.player, cause=None, at=s.now)
    _plan_one_more(field, by)
    waiting_list.call_for_flight(read_field(s, flight.key), offer.players, of=field.event.name)
    s.events_to_direct.add(flight.key)
    done(field)
    return flight


def _check(field: EventState, by: Official, authority: MemberPermissions, *, shown: str | None) -> FlightOffer:
    """Return the flight that can be opened now. Raises Refused, or OtherTerms if others were ``shown``."""
    event = field.event
    if not event.phase.before or roll_call.waiting(field) is not None:
        raise Refused(EventReason.EVENT_RUNS)
    offer = flights.offer(field)
    # Checked first, because if another organiser was faster, the list should be shown.
    terms_of.require_unchanged(shown, offer.terms)
    if not offer.enough or not waiting_list.has_list(event):
        raise Refused(OrganiserReason.TOO_FEW_WAIT, need=offer.need, have=len(offer.players))
    if not (authority.announces or authority.manager):
        raise Refused(PlanReason.NO_FLIGHT_POWER)
    check_prizes(event.structure, authority)
    registration.check_limits(field.s, event.key.guild, event.organiser, by=by.player)
    return offer


def _plan_one_more(field: EventState, by: Official) -> None:
    """If the series has a planned end, move it by one date, because the flight counts as one."""
    series = field.event.series
    run = series_runs.run_of(field.tx, field.key.guild, series) if series else None
    if run is None or run.left is None:
        return
    dates = min(run.left + 1, MAX_SERIES_DATES)
    field.note(series_runs.PLANNED, actor=by.player, series=series, dates=dates, played=len(run.ended))
