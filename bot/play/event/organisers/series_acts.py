"""The organisers' plan for the end of a series."""

from __future__ import annotations

from bot.model.events import Event, Official
from bot.model.ids import EventKey
from bot.model.limits import MAX_SERIES_DATES
from bot.model.reasons import OrganiserReason
from bot.play.event.formats import series_runs
from bot.play.event.organisers.organiser import check_neutral, done, load_for_organiser
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused


def plan_end(s: Session, key: EventKey, by: Official, *, dates: int, cause: str) -> Event:
    """Plan the end of the event's series after ``dates`` more dates, this one included; 0 for no end. Raises Refused.

    Once the event has started, organisers who play in it can't do this, because they could end the series while they
    lead it.
    """
    field = load_for_organiser(s, key, by, cause=cause)
    event = field.event
    if not event.series:
        raise Refused(OrganiserReason.NOT_IN_SERIES)
    if not 0 <= dates <= MAX_SERIES_DATES:
        raise Refused(OrganiserReason.BAD_DATES, most=MAX_SERIES_DATES)
    if not event.phase.before:
        check_neutral(field, by)
    run = series_runs.run_of(s.tx, key.guild, event.series)
    field.note(
        series_runs.PLANNED, actor=by.player, cause=cause, series=event.series, dates=dates, played=len(run.ended)
    )
    return done(field)
