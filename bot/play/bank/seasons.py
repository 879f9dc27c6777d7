"""Seasons of a server: one ends as the next begins, by hand or with the month, and chips may begin afresh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.clean_text import one_line
from bot.ofc.refusals import Refused
from bot.play.bank import champions
from bot.play.bank.claims import MINT
from bot.play.bank.managers import demand_new, written
from bot.play.bank.model import Action, SeasonsPage, SeasonTerms
from bot.play.bank.ports import tx_of
from bot.play.model import GuildId, Player
from bot.play.refusals import PlayReason
from bot.play.session import Session
from bot.play.shards import Serves
from bot.play.standings import Season, Span

LONGEST_NAME = 40


def running(s: Session, guild: GuildId) -> Season | None:
    """The season that runs; None where there is none."""
    return tx_of(s).running_season(guild)


def page(s: Session, guild: GuildId) -> SeasonsPage:
    """What managers see."""
    terms = tx_of(s).season_terms(guild)
    last = next((season for season in tx_of(s).seasons(guild, limit=2) if season.ended_at is not None), None)
    return SeasonsPage(terms=terms, running=running(s, guild), start_chips=s.policy.start_chips, last=last)


def start(s: Session, guild: GuildId, manager: Player, name: str, *, cause: str) -> SeasonsPage:
    """A manager begins a season, and ends the one that runs; raises Refused or Stale."""
    demand_new(s, guild, cause)
    name = one_line(name)
    if len(name) > LONGEST_NAME:
        raise Refused(PlayReason.SEASON_NAME_TOO_LONG, most=LONGEST_NAME)
    if guild in s.frozen:
        raise Refused(PlayReason.BOOKS_WRONG)
    season = _begin(s, guild, name)
    reason = f"season {season.number} {name}".strip()
    written(s, guild, manager, None, Action.TERMS, chips=0, reason=reason, cause=cause)
    return page(s, guild)


def end(s: Session, guild: GuildId, manager: Player, *, cause: str) -> SeasonsPage:
    """A manager ends the season that runs, and none begins; raises Refused or Stale."""
    demand_new(s, guild, cause)
    season = running(s, guild)
    if season is None:
        raise Refused(PlayReason.NO_SEASON)
    _finish(s, guild, season)
    written(s, guild, manager, None, Action.TERMS, chips=0, reason=f"season {season.number}: end", cause=cause)
    return page(s, guild)


def change_terms(
    s: Session, guild: GuildId, manager: Player, change: Callable[[SeasonTerms], SeasonTerms], *, cause: str
) -> SeasonsPage:
    """Change how seasons begin, and what their champions get; raises Refused or Stale.

    The one that runs ends with its month from then on, or no longer does.
    """
    demand_new(s, guild, cause)
    tx = tx_of(s)
    terms = change(tx.season_terms(guild))
    terms = replace(terms, title=one_line(terms.title))
    if len(terms.title) > LONGEST_NAME:
        raise Refused(PlayReason.SEASON_NAME_TOO_LONG, most=LONGEST_NAME)
    tx.save_season_terms(guild, terms)
    season = running(s, guild)
    if season is not None:
        tx.save_season(guild, replace(season, until=_until(s, terms)))
    said = f"seasons: monthly {terms.monthly}, reset chips {terms.reset_chips}".lower()
    given = [f"role <@&{terms.role}>"] * bool(terms.role) + [f"title {terms.title}"] * bool(terms.title)
    said = ", ".join([said, *given, *([f"channel <#{terms.channel}>"] if terms.channel else [])])
    written(s, guild, manager, None, Action.TERMS, chips=0, reason=said, cause=cause)
    return page(s, guild)


def roll_over(s: Session, serves: Serves) -> None:
    """Begin the seasons of these servers whose time has come. Where the books do not balance it waits until they do."""
    for guild, _ in tx_of(s).seasons_over(s.now):
        if serves(guild) and guild not in s.frozen:
            _begin(s, guild, "")


def _begin(s: Session, guild: GuildId, name: str) -> Season:
    tx, terms, before = tx_of(s), tx_of(s).season_terms(guild), running(s, guild)
    if before is not None:
        _finish(s, guild, before)
    last = next(iter(tx.seasons(guild, limit=1)), None)
    number = last.number + 1 if last else 1
    season = Season(number=number, name=name, began_at=s.now, until=_until(s, terms))
    tx.save_season(guild, season)
    if terms.reset_chips:
        _reset_chips(s, guild, season)
    return season


def _finish(s: Session, guild: GuildId, season: Season) -> None:
    tx_of(s).save_season(guild, champions.ended(s, guild, season))


def _until(s: Session, terms: SeasonTerms) -> int | None:
    return Span.MONTH.bounds(s.now)[1] if terms.monthly else None


def _reset_chips(s: Session, guild: GuildId, season: Season) -> None:
    """Give everybody the starting amount, what lies at tables included. Who has more than that there keeps it."""
    tx, cause = tx_of(s), f"season:{season.number}"
    for player, have in tx.wallets(guild).items():
        change = max(0, s.policy.start_chips - tx.chips_at_tables(guild, player)) - have
        if change > 0:
            tx.issue(guild, mint=MINT, payee=player, chips=change, kind="season", cause=f"{cause}:{player}", at=s.now)
        elif change < 0:
            tx.take_back(
                guild, mint=MINT, payer=player, chips=-change, kind="season", cause=f"{cause}:{player}", at=s.now
            )
