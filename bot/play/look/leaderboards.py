"""Leaderboards: a page of one, and where the asker stands."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.ids import GuildId, Player
from bot.model.standings import Asked, Leaderboard, Order, Span, places
from bot.play.bank import seasons
from bot.play.bank.seasons import champions_among, top_of
from bot.play.session.session import Session
from bot.rating.model import GROUPS, group_of

SEASONS = 20
"""So many of the last seasons can be looked at."""


def leaderboard(s: Session, guild: GuildId, asked: Asked, player: Player, *, page: int, lines: int) -> Leaderboard:
    """A page of ``lines`` players, and where the asker stands."""
    if asked.span is Span.SEASON and not asked.season:
        season = seasons.running(s, guild)
        asked = asked._replace(season=season.number if season else 0)
    if asked.order is Order.RATING:
        return _rated(s, guild, asked, player, page=page, lines=lines)
    own = s.tx.standing(guild, asked, player, at=s.now)
    shown = s.tx.standings(guild, asked, at=s.now, limit=lines + 1, skip=page * lines)
    # Those on the pages before may have as much as the first of this one.
    first = s.tx.standing(guild, asked, shown[0].player, at=s.now) if page and shown else None
    values = [line.value(asked.order) for line in shown]
    return Leaderboard(
        asked=asked,
        page=page,
        lines=shown,
        places=places(values, skip=page * lines, first=first and first[1]),
        ranked=s.tx.ranked(guild, asked, at=s.now),
        own=own[0] if own else None,
        own_place=own[1] if own else None,
        games=s.tx.games_played(guild),
        seasons=s.tx.seasons(guild, limit=SEASONS),
        champions=_champions(s, guild, asked.season) if asked.span is Span.SEASON else (),
    )


def _champions(s: Session, guild: GuildId, number: int) -> Sequence[Player]:
    """Those who have won a season that is over."""
    season = s.tx.season(guild, number)
    return champions_among(top_of(s, guild, number)) if season and season.ended_at is not None else ()


def _rated(s: Session, guild: GuildId, asked: Asked, player: Player, *, page: int, lines: int) -> Leaderboard:
    """By rating: of the group of the game that is asked for, or of the one with the most hands here."""
    tx, least = s.tx, asked.order.least_hands
    groups = tx.rated_groups(guild)
    chosen = group_of(asked.game)
    key = chosen.key if chosen else next(iter(groups), next(iter(GROUPS)))
    own = tx.rated_place(guild, key, player, now=s.now, least=least)
    shown = tx.best_rated(guild, key, now=s.now, least=least, limit=lines + 1, skip=page * lines)
    first = tx.rated_place(guild, key, shown[0].player, now=s.now, least=least) if page and shown else None
    least_skills = [line.rating.least for line in shown]
    return Leaderboard(
        asked=asked,
        page=page,
        lines=shown,
        places=places(least_skills, skip=page * lines, first=first and first[1]),
        ranked=tx.rated(guild, key, least=least),
        own=own[0] if own else None,
        own_place=own[1] if own else None,
        games=[GROUPS[group].games[0] for group in groups if group in GROUPS],
        group=key,
    )
