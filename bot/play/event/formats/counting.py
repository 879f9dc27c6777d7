"""Series: scoring rules, leaderboards, and the points used for seeding."""

from __future__ import annotations

from bot.model.event_standings import SeriesTable, compute_standings
from bot.model.ids import GuildId, Player
from bot.model.reasons import EventReason
from bot.model.standings import FOR_EVER, places
from bot.play.event.formats import series_runs
from bot.play.event.formats.series_runs import dates_left, last_results, run_of
from bot.play.queries.leaderboards import SEASONS
from bot.play.session.session import Session
from bot.pure.event.scoring import BY_PLACE, SeriesRule
from bot.pure.ofc.refusals import Refused
from bot.store.transaction import Tx


def series_points_so_far(tx: Tx, guild: GuildId, series: str) -> dict[Player, int]:
    """Return all players' points in the present run of a series, for seeding."""
    events = run_of(tx, guild, series).ended
    lines = compute_standings(events, tx.events.series_rule(guild, series) or BY_PLACE)
    return {line.player: line.points for line in lines}


def series_meant(s: Session, guild: GuildId, typed: str, *, except_of: int = 0) -> str:
    """Return the series that a typed name means. See :func:`bot.play.event.formats.series_runs.series_meant`."""
    return series_runs.series_meant(s.tx, guild, typed, except_of=except_of)


def series_rule(s: Session, guild: GuildId, series: str) -> SeriesRule | None:
    """Return a series' scoring rule; None if the series has no event."""
    return s.tx.events.series_rule(guild, series)


def series_table(s: Session, guild: GuildId, series: str, asker: Player, *, season: int = 0) -> SeriesTable:
    """Return a series' leaderboard, for its present run or for a season.

    Until a date of a new run has ended, it's that of the last run. Raises Refused if none of its events has ended.
    """
    tx = s.tx
    every = [event for event in tx.events.ended(guild, series=series) if event.counts]
    rule = tx.events.series_rule(guild, series)
    if not every or rule is None:
        raise Refused(EventReason.NO_SERIES)
    seasons = tx.seasons.of(guild, limit=SEASONS)
    meant = next((one for one in seasons if one.number == season), None)
    since, until = meant.bounds if meant else (0, FOR_EVER)
    present, over = last_results(tx, guild, series)
    events = present if meant is None else tx.events.ended(guild, series=series, since=since, until=until)
    lines = compute_standings(events, rule)
    hidden = tx.choices.hidden_players(guild) - {asker}
    placed = zip(places([line.key for line in lines]), lines, strict=True)
    shown = [(place, line) for place, line in placed if line.player not in hidden]
    return SeriesTable(
        name=series,
        rule=rule,
        lines=[line for _, line in shown],
        places=[place for place, _ in shown],
        takes_part=any(one.player == asker for event in every for one in event.people),
        newest=every[-1],
        seasons=seasons,
        season=meant,
        over=over,
        left=dates_left(tx, guild, series) if meant is None else None,
    )
