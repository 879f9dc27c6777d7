"""The runs of a series: where the present one began, how many dates it has left, and the report after each date.

A series runs until the last of the dates that an organiser has planned for it. After that date, its champion is named,
and the next event of the same name begins a new run from zero. Without such a plan, a series has no end. Both are lines
of its events' logs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.base.clean_text import name_key, one_line
from bot.model.careers import PODIUM
from bot.model.event_standings import EndedEvent, compute_standings, race_scores
from bot.model.events import Event, EventFact, Phase
from bot.model.ids import GuildId, Player
from bot.model.standings import EventStanding, places
from bot.pure.event.race import NEWCOMER, best_places, most_points
from bot.pure.event.scoring import BY_PLACE, SeriesRule
from bot.store.transaction import Tx

PLANNED, OVER = "series_plan", "series_over"
"""Kinds of log lines: an organiser planned the last date of a series, and the series ended."""
TOP = 10
"""Number of lines in a report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPlan:
    """The present run of a series and its planned end."""

    since: int = 0
    """The first moment (ms) whose events count."""
    former: int | None = None
    """The first moment (ms) of the run before; None if this is the first."""
    former_role: int | None = None
    """The role that the champions of the run before got; None for none."""
    dates: int | None = None
    """Number of dates planned for it in total; None if it has no planned end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesRun:
    """The present run of a series with its results."""

    plan: SeriesPlan
    ended: Sequence[EndedEvent] = ()
    """Its events that have ended, oldest first."""

    @property
    def left(self) -> int | None:
        """Number of dates to come, including those that are running; None without a planned end."""
        return None if self.plan.dates is None else max(0, self.plan.dates - len(self.ended))


def series_meant(tx: Tx, guild: GuildId, typed: str, *, except_of: int = 0) -> str:
    """Return the series that a typed name means: an existing one in its own spelling, or a new one as typed.

    Case, width and spaces don't matter, unless two series of the server differ in nothing else. The event with the
    number ``except_of`` is left out, so that its organiser can correct the spelling of a series that has no other.
    """
    name = one_line(typed)
    known = tx.events.series(guild, except_of=except_of) if name else {}
    if name in known:
        return name
    return next((one for one in known if name_key(one) == name_key(name)), name)


def _facts(tx: Tx, guild: GuildId, series: str, kinds: tuple[str, ...]) -> list[EventFact]:
    """Return the log lines about a series, without those of events that were moved to it later."""
    facts = tx.events.series_facts(guild, series, kinds)
    return [fact for fact in facts if name_key(fact.details["series"]) == name_key(series)]


def plan_of(tx: Tx, guild: GuildId, series: str) -> SeriesPlan:
    """Return the present run of a series."""
    plan = SeriesPlan()
    for fact in _facts(tx, guild, series, (PLANNED, OVER)):
        details = fact.details
        if fact.kind == OVER:
            plan = SeriesPlan(since=fact.at + 1, former=plan.since, former_role=details["role"])
        else:
            plan = replace(plan, dates=details["played"] + details["dates"] if details["dates"] else None)
    return plan


def run_of(tx: Tx, guild: GuildId, series: str) -> SeriesRun:
    """Return the present run of a series with its results."""
    plan = plan_of(tx, guild, series)
    return SeriesRun(plan=plan, ended=tx.events.ended(guild, series=series, since=plan.since))


def dates_left(tx: Tx, guild: GuildId, series: str) -> int | None:
    """Return the number of dates to come in a series; None without a planned end."""
    plan = plan_of(tx, guild, series) if series else SeriesPlan()
    if plan.dates is None:
        return None
    return max(0, plan.dates - tx.events.dates_held(guild, series, since=plan.since))


def run_before(tx: Tx, guild: GuildId, series: str, plan: SeriesPlan) -> Sequence[EndedEvent]:
    """Return the events of the run before the present one; none if there was none."""
    if plan.former is None:
        return []
    return tx.events.ended(guild, series=series, since=plan.former, until=plan.since)


def last_results(tx: Tx, guild: GuildId, series: str) -> tuple[Sequence[EndedEvent], bool]:
    """Return the events of the present run, or those of the run before until a date of this one has ended.

    The second value is True for the run before.
    """
    run = run_of(tx, guild, series)
    if any(one.counts for one in run.ended) or run.plan.former is None:
        return run.ended, False
    return run_before(tx, guild, series, run.plan), True


def champions_of(lines: Sequence[EventStanding]) -> list[Player]:
    """Return the players who share first place; none if no one has any points."""
    return [line.player for line in lines if line.points and line.key == lines[0].key]


def champions_among(tx: Tx, guild: GuildId, series: str, ended: Sequence[EndedEvent]) -> list[Player]:
    """Return the champions of a series with these dates, by its present rule."""
    return champions_of(compute_standings(ended, tx.events.series_rule(guild, series) or BY_PLACE))


def dates_at(tx: Tx, guild: GuildId, series: str, moment: int | None) -> tuple[Sequence[EndedEvent], bool]:
    """Return the dates held so far in the run of a series at a ``moment`` (ms), and True if that run is over.

    None means the present run.
    """
    since = 0
    for fact in _facts(tx, guild, series, (OVER,)):
        if moment is not None and moment <= fact.at:
            return tx.events.ended(guild, series=series, since=since, until=fact.at + 1), True
        since = fact.at + 1
    return tx.events.ended(guild, series=series, since=since), False


def champions_at(tx: Tx, guild: GuildId, series: str, moment: int) -> list[Player]:
    """Return the champions of the run of a series at a ``moment`` (ms), by present places; none if the run isn't over.

    Hidden players are included.
    """
    ended, over = dates_at(tx, guild, series, moment)
    return champions_among(tx, guild, series, ended) if over else []


def coming_dates(tx: Tx, event: Event) -> list[Event]:
    """Return the other events of a series that aren't over, by their start."""
    phases = [phase for phase in Phase if not phase.over]
    coming = [
        one
        for one in tx.events.in_phases(event.key.guild, phases)
        if one.series == event.series and one.key != event.key
    ]
    return sorted(coming, key=lambda one: (one.starts_at or 0, one.key.number))


def most_to_come(run: SeriesRun, coming: Sequence[Event], rule: SeriesRule, like: Event) -> list[int]:
    """Return the most points of each date to come.

    Dates that are planned but not published yet are taken to be ``like`` that event. Without a planned end, only
    published dates count.
    """
    published = [most_points(rule.scoring, one.structure.most) for one in coming]
    if run.left is None:
        return published
    alike = most_points(rule.scoring, like.structure.most)
    return [*published, *[alike] * run.left][: run.left]


def report_after(tx: Tx, event: Event, run: SeriesRun, *, like: Event) -> dict[str, object]:
    """Return the table of a series after its event ``event``, as plain values for a notice; empty if it doesn't count.

    Dates that aren't published yet are taken to be ``like`` that event.
    Players who hide their profile keep their place but aren't listed.
    """
    guild, series = event.key.guild, event.series
    this = next((one for one in run.ended if one.number == event.key.number), None)
    if this is None or not (this.counts or run.left == 0):
        return {}
    rule = tx.events.series_rule(guild, series) or BY_PLACE
    lines = compute_standings(run.ended, rule)
    former = compute_standings([one for one in run.ended if one is not this], rule)
    before = dict(zip([line.player for line in former], places([line.key for line in former]), strict=True))
    had = {line.player: line.points for line in former}
    played = {one.player for one in this.people}
    hidden = tx.choices.hidden_players(guild)
    rows = [
        {
            "player": line.player,
            "place": place.rank,
            "tied": place.shared,
            "before": before[line.player].rank if line.player in before else 0,
            "points": line.points,
            "gained": line.points - had.get(line.player, 0) if line.player in played else None,
        }
        for place, line in zip(places([line.key for line in lines]), lines, strict=True)
        if line.player not in hidden
    ]
    told: dict[str, object] = {"series": series, "rows": rows[:TOP], "more": len(rows) - len(rows[:TOP])}
    if run.left == 0:
        return told | {"crowned": [player for player in champions_of(lines) if player not in hidden]}
    coming = coming_dates(tx, event)
    if most := most_to_come(run, coming, rule, like):
        told |= _race(run.ended, rule, lines, most, hidden)
        told |= {"dates": len(most), "most": max(most), "planned": run.left is not None}
    return told


def _race(
    events: Sequence[EndedEvent],
    rule: SeriesRule,
    lines: Sequence[EventStanding],
    most: Sequence[int],
    hidden: set[Player],
) -> dict[str, object]:
    """Return who can still finish first, and who else can still reach the podium.

    ``open`` is True if even a player who hasn't played yet can still finish first.
    """
    scores = race_scores(events, rule)
    among = [scores[line.player] for line in lines]
    *best, newcomer = best_places([*among, NEWCOMER], among, most, rule.counted)
    reach = [(place, line.player) for place, line in zip(best, lines, strict=True) if line.player not in hidden]
    return {
        "open": newcomer == 1,
        "first": [player for place, player in reach if place == 1],
        "podium": [player for place, player in reach if 1 < place <= PODIUM],
    }
