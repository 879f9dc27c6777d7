"""The menu of everything to look up about a server: leaderboards, records, recaps, series and seasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from discord import SelectOption

from bot.chat.club.screens.leaderboard import build_press, order_name, span_value
from bot.chat.club.screens.seasons import unescaped_name
from bot.chat.kit.typed_choice import NamedChoice
from bot.chat.kit.widgets import Part, select
from bot.model.standings import CALENDAR, LeaderboardOrder, LeaderboardQuery, LeaderboardSpan, Season
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for


class Listing(Enum):
    """Entries of the menu besides the leaderboard's orders."""

    RECORDS = "records"
    RECAP = "recap"
    SERIES = "series"
    SEASON = "season"


Ranking = LeaderboardOrder | Listing


def rank_by(now: Ranking, words: Words, *, asked: LeaderboardQuery | None = None) -> Part:
    """Return the menu that leads from each entry to all others. A leaderboard keeps the other options of ``asked``."""
    every: tuple[Ranking, ...] = (*LeaderboardOrder, *Listing)
    options = [SelectOption(label=ranking_name(one, words), value=one.value, default=one is now) for one in every]
    press = build_press(asked or LeaderboardQuery(), page=0, verb="lb_by")
    return select(press, options, placeholder=words("leaderboard.choose_by"))


def ranking_name(ranking: Ranking, words: Words) -> str:
    """Return an entry's name in the menu."""
    return (
        order_name(ranking, words)
        if isinstance(ranking, LeaderboardOrder)
        else words(f"leaderboard.listing.{ranking.value}")
    )


def chosen_ranking(values: Sequence[str]) -> Ranking | None:
    """Return the chosen entry; None if the menu doesn't have it."""
    every: tuple[Ranking, ...] = (*LeaderboardOrder, *Listing)
    return next((one for one in every if one.value in values), None)


def named_rankings(series: Iterable[str], words: Words) -> list[NamedChoice[Ranking | str]]:
    """Return all entries with their names in all languages, and each of the ``series`` under its own name."""
    every: tuple[Ranking, ...] = (*LeaderboardOrder, *Listing)
    known: list[NamedChoice[Ranking | str]] = [
        NamedChoice(
            name=ranking_name(one, words),
            value=one,
            others=(one.value, *(ranking_name(one, words_for(language)) for language in LANGUAGES)),
        )
        for one in every
    ]
    named: list[NamedChoice[Ranking | str]] = [NamedChoice(name=name, value=name) for name in series]
    return [*known, *named]


def named_times(seasons: Sequence[Season], words: Words) -> list[NamedChoice[str]]:
    """Return the time spans with their names in all languages, and the ``seasons``, each with its menu value."""
    spans = [
        NamedChoice(
            name=words(f"leaderboard.span.{span.value}"),
            value=span.value,
            others=(span.value, *(words_for(language)(f"leaderboard.span.{span.value}") for language in LANGUAGES)),
        )
        for span in (*CALENDAR, *([LeaderboardSpan.SEASON] if seasons else []))
    ]
    named = [NamedChoice(name=unescaped_name(season, words), value=span_value(season)) for season in seasons]
    return [*spans, *named]
