"""The end of a season: who has won it, what they get, and what is told of it once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.model.ids import GuildId, Player
from bot.model.standings import Asked, Order, Season, Span, Standing
from bot.play.session.session import Session

TOP = 10
"""Lines that are told at the end, and the most who can share the first place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonEnd:
    """A season that is over, as its end is told."""

    season: Season
    top: Sequence[Standing]
    """The best, the first of them first."""
    champions: Sequence[Player]
    """Those who have won the most chips; several where they have won the same."""
    former_role: int | None = None
    """The role that the champions before them have."""
    former: Sequence[Player] = ()
    """Those who lose it."""


def top_of(s: Session, guild: GuildId, season: int) -> list[Standing]:
    """The best of a season, by chips won."""
    return s.tx.standings(guild, Asked(Order.CHIPS, Span.SEASON, season=season), at=s.now, limit=TOP)


def champions_among(top: Sequence[Standing]) -> list[Player]:
    """Those who have won as many chips as the first; nobody where nobody has won any."""
    return [line.player for line in top if line.chips == top[0].chips > 0]


def ended(s: Session, guild: GuildId, season: Season) -> Season:
    """The season as it ends now: with what its champions get, which no later change of the terms touches."""
    season = replace(season, ended_at=s.now)
    if not champions_among(top_of(s, guild, season.number)):
        return season
    terms = s.tx.season_terms(guild)
    nothing = terms.role is None and terms.channel is None
    season = replace(season, role=terms.role, role_by=terms.role_by)
    return replace(season, title=terms.title, channel=terms.channel, told=nothing)


def end_of(s: Session, guild: GuildId, number: int) -> SeasonEnd | None:
    """The end of a season as it is told, and who gets and loses a role; None where that was done."""
    season = s.tx.season(guild, number)
    if season is None or season.told:
        return None
    top = top_of(s, guild, number)
    champions = champions_among(top)
    former = None if season.role is None else s.tx.season_with_role(guild, before=number)
    losing: list[Player] = []
    if former is not None:
        again = champions if former.role == season.role else []
        losing = [player for player in champions_among(top_of(s, guild, former.number)) if player not in again]
    return SeasonEnd(
        season=season, top=top, champions=champions, former_role=former.role if former else None, former=losing
    )


def told(s: Session, guild: GuildId, number: int, *, role_missed: bool, post_missed: bool) -> None:
    """Note that a season's end was told, and what of it could not be done."""
    season = s.tx.season(guild, number)
    if season is not None and not season.told:
        season = replace(season, told=True, role_missed=role_missed, post_missed=post_missed)
        s.tx.save_season(guild, season)
