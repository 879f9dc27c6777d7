"""The end of a date in a series: the next date and the report, or the champions after the last date."""

from __future__ import annotations

from dataclasses import replace

from bot.model.ids import GuildId, Player
from bot.play.bank.seasons import ranking_of
from bot.play.event.floor.event_state import EventState
from bot.play.event.formats import series_runs
from bot.play.event.formats.series_runs import SeriesPlan, SeriesRun
from bot.play.event.office import date_changes, flights
from bot.play.event.office.opening import announce_next
from bot.play.session.session import Session


def after_event(field: EventState) -> dict[str, object]:
    """Announce the next event, or end the series if this was its last date.

    Return the report on the series for the event's results; empty without a series or if the event doesn't count.
    """
    event = field.event
    if not event.series:
        announce_next(field)
        return {}
    run = series_runs.run_of(field.tx, event.key.guild, event.series)
    ends = run.left == 0
    if not ends:
        announce_next(field)
    report = series_runs.report_after(field.tx, event, run, like=date_changes.taken_back(field.tx, event))
    if ends:
        return report | _end(field, run)
    following = flights.next_date(field.tx, event) if report else None
    return report if following is None else report | {"next": following.key.number}


def _end(field: EventState, run: SeriesRun) -> dict[str, object]:
    """End the series with this event, and return the champions' rewards, which are those of a season.

    The repetition ends too. Champions of the run before lose the role unless they have another claim to it.
    """
    s, event = field.s, field.event
    terms = s.tx.seasons.terms(event.key.guild)
    champions = series_runs.champions_among(s.tx, event.key.guild, event.series, run.ended)
    former = _losing(s, event.key.guild, event.series, run.plan)
    field.note(series_runs.OVER, series=event.series, dates=len(run.ended), role=terms.role)
    if event.repeat is not None:
        field.save(replace(field.event, repeat=None, repeats_as=""))
    return {
        "champions": champions,
        "title": terms.title,
        "role": terms.role,
        "role_by": terms.role_by,
        "former_role": run.plan.former_role,
        "former": [player for player in former if player not in champions or run.plan.former_role != terms.role],
    }


def _losing(s: Session, guild: GuildId, series: str, plan: SeriesPlan) -> list[Player]:
    """Return the champions of the run before who aren't the champions of the server's last season."""
    if plan.former_role is None:
        return []
    ended = series_runs.run_before(s.tx, guild, series, plan)
    season = next((one for one in s.tx.seasons.of(guild, limit=2) if one.ended_at is not None), None)
    keeps = set[Player]()
    if season is not None and season.role == plan.former_role:
        keeps.update(ranking_of(s, guild, season).champions)
    before = series_runs.champions_among(s.tx, guild, series, ended)
    return [player for player in before if player not in keeps]
