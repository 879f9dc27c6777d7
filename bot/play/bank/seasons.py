"""Seasons of a server. A new one ends the previous one, manually or monthly, and may reset chips."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from bot.base.clean_text import one_line
from bot.model.bank import Action, SeasonsPage, SeasonTerms
from bot.model.event_standings import compute_standings
from bot.model.ids import GuildId, Player, Serves
from bot.model.limits import MAX_SEASON_NAME_LENGTH
from bot.model.reasons import BankReason
from bot.model.standings import (
    EventStanding,
    LeaderboardOrder,
    LeaderboardQuery,
    LeaderboardSpan,
    RankingPlace,
    Season,
    Standing,
    places,
)
from bot.play import badges
from bot.play.bank.chips import MINT, require_new, write_audit
from bot.play.session.session import Session
from bot.pure.event.scoring import BY_PLACE
from bot.pure.ofc.refusals import Refused


def running(s: Session, guild: GuildId) -> Season | None:
    """Return the running season; None if there is none."""
    return s.tx.seasons.running(guild)


def page(s: Session, guild: GuildId) -> SeasonsPage:
    """Return the managers' page about seasons."""
    terms = s.tx.seasons.terms(guild)
    last = next((season for season in s.tx.seasons.of(guild, limit=2) if season.ended_at is not None), None)
    return SeasonsPage(terms=terms, running=running(s, guild), start_chips=s.policy.start_chips, last=last)


def start(
    s: Session, guild: GuildId, manager: Player, name: str, *, newest: int | None = None, cause: str
) -> SeasonsPage:
    """Start a season and end the running one; raises Refused or Stale.

    ``newest`` is the newest season that the manager saw, if known. If two managers start one at the same time, only one
    succeeds.
    """
    require_new(s, guild, cause)
    _require_newest_season(s, guild, newest)
    name = one_line(name)
    if len(name) > MAX_SEASON_NAME_LENGTH:
        raise Refused(BankReason.SEASON_NAME_TOO_LONG, most=MAX_SEASON_NAME_LENGTH)
    if guild in s.frozen:
        raise Refused(BankReason.BOOKS_WRONG)
    season = _begin(s, guild, name)
    reason = f"season {season.number} {name}".strip()
    write_audit(s, guild, manager, None, Action.TERMS, chips=0, reason=reason, cause=cause)
    return page(s, guild)


def end(s: Session, guild: GuildId, manager: Player, *, newest: int | None = None, cause: str) -> SeasonsPage:
    """End the running season if it's the one that the manager saw; raises Refused or Stale."""
    require_new(s, guild, cause)
    _require_newest_season(s, guild, newest)
    season = running(s, guild)
    if season is None:
        raise Refused(BankReason.NO_SEASON)
    _finish(s, guild, season)
    write_audit(s, guild, manager, None, Action.TERMS, chips=0, reason=f"season {season.number}: end", cause=cause)
    return page(s, guild)


def change_terms(
    s: Session, guild: GuildId, manager: Player, change: Callable[[SeasonTerms], SeasonTerms], *, cause: str
) -> SeasonsPage:
    """Change the settings of seasons and champions; raises Refused or Stale.

    This may change whether the running season ends with its month.
    """
    require_new(s, guild, cause)
    tx = s.tx
    terms = change(tx.seasons.terms(guild))
    terms = replace(terms, title=one_line(terms.title))
    if len(terms.title) > MAX_SEASON_NAME_LENGTH:
        raise Refused(BankReason.SEASON_NAME_TOO_LONG, most=MAX_SEASON_NAME_LENGTH)
    tx.seasons.save_terms(guild, terms)
    season = running(s, guild)
    if season is not None:
        tx.seasons.save(guild, replace(season, until=_until(s, terms)))
    said = f"seasons: monthly {terms.monthly}, reset chips {terms.reset_chips}".lower()
    given = [f"role <@&{terms.role}>"] * bool(terms.role) + [f"title {terms.title}"] * bool(terms.title)
    said = ", ".join([said, *given, *([f"channel <#{terms.channel}>"] if terms.channel else [])])
    write_audit(s, guild, manager, None, Action.TERMS, chips=0, reason=said, cause=cause)
    return page(s, guild)


def roll_over(s: Session, serves: Serves) -> None:
    """Start the due seasons of these servers. Servers whose books don't balance wait until they do."""
    for guild, _ in s.tx.seasons.over(s.now):
        if serves(guild) and guild not in s.frozen:
            _begin(s, guild, "")


def _require_newest_season(s: Session, guild: GuildId, newest: int | None) -> None:
    number = page(s, guild).newest
    if newest is not None and newest != number:
        raise Refused(BankReason.OTHER_SEASON, number=number)


def _begin(s: Session, guild: GuildId, name: str) -> Season:
    tx, terms, before = s.tx, s.tx.seasons.terms(guild), running(s, guild)
    if before is not None:
        _finish(s, guild, before)
    last = next(iter(tx.seasons.of(guild, limit=1)), None)
    number = last.number + 1 if last else 1
    season = Season(number=number, name=name, began_at=s.now, until=_until(s, terms))
    tx.seasons.save(guild, season)
    if terms.reset_chips:
        _reset_chips(s, guild, season)
    return season


def _finish(s: Session, guild: GuildId, season: Season) -> None:
    s.tx.seasons.save(guild, end_season(s, guild, season))
    badges.note_season(s, guild, season.number)


def _until(s: Session, terms: SeasonTerms) -> int | None:
    return LeaderboardSpan.MONTH.bounds(s.now)[1] if terms.monthly else None


def _reset_chips(s: Session, guild: GuildId, season: Season) -> None:
    """Set everyone's chips to the starting amount, including chips at tables and in events. Any excess there is kept.

    Fees count even for players who are out, because they are refunded if the event is cancelled.
    """
    tx, cause = s.tx, f"season:{season.number}"
    for player, have in tx.seasons.wallets(guild).items():
        in_play = tx.bank.chips_at_tables(guild, player) + tx.bank.fees_paid(guild, player, out_too=True)
        change = max(0, s.policy.start_chips - in_play) - have
        if change > 0:
            tx.ledger.issue(
                guild, mint=MINT, payee=player, chips=change, kind="season", cause=f"{cause}:{player}", at=s.now
            )
        elif change < 0:
            tx.ledger.take_back(
                guild, mint=MINT, payer=player, chips=-change, kind="season", cause=f"{cause}:{player}", at=s.now
            )


# The end of a season: its champions, their rewards, and its announcement.

TOP = 10
"""Number of lines in the announcement, and the maximum number of shared first places."""


def leading_order(s: Session, guild: GuildId, asked: LeaderboardQuery, *, since: int, until: int) -> LeaderboardOrder:
    """Return the order that a server's people look for first in a span: event points, or else chips won.

    Event points come first if more hands of the span were played in events than for chips at tables. Each player's
    hands count. ``since`` and ``until`` are the span's bounds (ms).
    """
    in_events = s.tx.events.hands_held(guild, since=since, until=until)
    return (
        LeaderboardOrder.EVENT_POINTS
        if in_events > s.tx.leaderboards.hands(guild, asked, at=s.now)
        else LeaderboardOrder.CHIPS
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRanking:
    """The best players of a season."""

    order: LeaderboardOrder = LeaderboardOrder.CHIPS
    """Event points in a season that was mostly played in events, otherwise chips won."""
    top: Sequence[Standing | EventStanding] = ()
    """The best players in order."""

    @property
    def values(self) -> list[float]:
        """The numbers that rank them."""
        return [line.value(self.order) for line in self.top]

    @property
    def champions(self) -> list[Player]:
        """The players tied for first place; none if no one won anything."""
        values = self.values
        return [line.player for line, value in zip(self.top, values, strict=True) if value == values[0] > 0]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonEnd:
    """The content of a season's announcement."""

    season: Season
    ranking: SeasonRanking
    former_role: int | None = None
    """The role that the previous champions have."""
    former: Sequence[Player] = ()
    """Previous champions who lose the role."""
    hidden: Collection[Player] = ()
    """Hidden players among the best. They keep their place and role, but posts don't name them."""

    @property
    def champions(self) -> Sequence[Player]:
        """The winners; several if they are tied."""
        return self.ranking.champions

    @property
    def listed(self) -> list[tuple[RankingPlace, Standing | EventStanding]]:
        """Return the best players who may be named, with their places."""
        placed = zip(places(self.ranking.values), self.ranking.top, strict=True)
        return [(place, line) for place, line in placed if line.player not in self.hidden]

    @property
    def crowned(self) -> list[Player]:
        """Return the champions who may be named."""
        return [player for player in self.champions if player not in self.hidden]


def ranking_of(s: Session, guild: GuildId, season: Season) -> SeasonRanking:
    """Return the best players of a season."""
    asked = LeaderboardQuery(LeaderboardOrder.CHIPS, LeaderboardSpan.SEASON, season=season.number)
    since, until = season.bounds
    order = leading_order(s, guild, asked, since=since, until=until)
    if order is LeaderboardOrder.CHIPS:
        return SeasonRanking(order=order, top=s.tx.leaderboards.standings(guild, asked, at=s.now, limit=TOP))
    lines = compute_standings(s.tx.events.ended(guild, since=since, until=until), BY_PLACE)
    best = sorted(
        (line for line in lines if line.points > 0), key=lambda line: (-line.points, -line.events, line.player)
    )
    return SeasonRanking(order=order, top=best[:TOP])


def end_season(s: Session, guild: GuildId, season: Season) -> Season:
    """Return the season ended now, with its champions' rewards, which later changes to the terms don't affect."""
    season = replace(season, ended_at=s.now)
    if not ranking_of(s, guild, season).champions:
        return season
    terms = s.tx.seasons.terms(guild)
    nothing = terms.role is None and terms.channel is None
    season = replace(season, role=terms.role, role_by=terms.role_by)
    return replace(season, title=terms.title, channel=terms.channel, told=nothing)


def season_end(s: Session, guild: GuildId, number: int) -> SeasonEnd | None:
    """Return a season's announcement and role changes; None if it has been announced."""
    season = s.tx.seasons.get(guild, number)
    if season is None or season.told:
        return None
    ranking = ranking_of(s, guild, season)
    former = None if season.role is None else s.tx.seasons.with_role(guild, before=number)
    losing: list[Player] = []
    if former is not None:
        again = ranking.champions if former.role == season.role else []
        losing = [player for player in ranking_of(s, guild, former).champions if player not in again]
    return SeasonEnd(
        season=season,
        ranking=ranking,
        former_role=former.role if former else None,
        former=losing,
        hidden=frozenset(s.tx.choices.hidden_players(guild)).intersection(line.player for line in ranking.top),
    )


def record_sending(s: Session, guild: GuildId, number: int) -> None:
    """Record that a season's announcement is about to be posted, unless that was recorded before."""
    season = s.tx.seasons.get(guild, number)
    if season is not None and not season.told and season.sending_at is None:
        s.tx.seasons.save(guild, replace(season, sending_at=s.now))


def told(s: Session, guild: GuildId, number: int, *, role_missed: bool, post_missed: bool) -> None:
    """Record that a season was announced, and which parts failed."""
    season = s.tx.seasons.get(guild, number)
    if season is not None and not season.told:
        season = replace(season, told=True, role_missed=role_missed, post_missed=post_missed)
        s.tx.seasons.save(guild, season)
