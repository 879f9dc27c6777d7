"""Seasons of a server. A new one ends the previous one, manually or monthly, and may reset chips."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from bot.base.clean_text import one_line
from bot.model.bank import Action, SeasonsPage, SeasonTerms
from bot.model.ids import GuildId, Player, Serves
from bot.model.limits import MAX_SEASON_NAME_LENGTH
from bot.model.reasons import BankReason
from bot.model.standings import (
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonEnd:
    """The content of a season's announcement."""

    season: Season
    top: Sequence[Standing]
    """The best players in order."""
    champions: Sequence[Player]
    """Winners of the most chips; several if they are tied."""
    former_role: int | None = None
    """The role that the previous champions have."""
    former: Sequence[Player] = ()
    """Previous champions who lose the role."""
    hidden: Collection[Player] = ()
    """Hidden players among the best. They keep their place and role, but posts don't name them."""

    @property
    def listed(self) -> list[tuple[RankingPlace, Standing]]:
        """Return the best players who may be named, with their places."""
        placed = zip(places([line.chips for line in self.top]), self.top, strict=True)
        return [(place, line) for place, line in placed if line.player not in self.hidden]

    @property
    def crowned(self) -> list[Player]:
        """Return the champions who may be named."""
        return [player for player in self.champions if player not in self.hidden]


def best_players(s: Session, guild: GuildId, season: int) -> list[Standing]:
    """Return the best players of a season by chips won."""
    return s.tx.leaderboards.standings(
        guild, LeaderboardQuery(LeaderboardOrder.CHIPS, LeaderboardSpan.SEASON, season=season), at=s.now, limit=TOP
    )


def champions_among(top: Sequence[Standing]) -> list[Player]:
    """Return the players tied for first place; none if no one won chips."""
    return [line.player for line in top if line.chips == top[0].chips > 0]


def end_season(s: Session, guild: GuildId, season: Season) -> Season:
    """Return the season ended now, with its champions' rewards, which later changes to the terms don't affect."""
    season = replace(season, ended_at=s.now)
    if not champions_among(best_players(s, guild, season.number)):
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
    top = best_players(s, guild, number)
    champions = champions_among(top)
    former = None if season.role is None else s.tx.seasons.with_role(guild, before=number)
    losing: list[Player] = []
    if former is not None:
        again = champions if former.role == season.role else []
        losing = [player for player in champions_among(best_players(s, guild, former.number)) if player not in again]
    return SeasonEnd(
        season=season,
        top=top,
        champions=champions,
        former_role=former.role if former else None,
        former=losing,
        hidden=frozenset(s.tx.choices.hidden_players(guild)).intersection(line.player for line in top),
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
