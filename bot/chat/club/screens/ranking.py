"""What there is to look up of a server: the orders of its leaderboard, its records, recaps, series and seasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from discord import SelectOption

from bot.chat.club.screens.leaderboard import order_name, pressed, span_value
from bot.chat.club.screens.seasons import unescaped_name
from bot.chat.kit.typed_choice import Named
from bot.chat.kit.widgets import Part, select
from bot.model.standings import CALENDAR, Asked, Order, Season, Span
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for


class Listing(Enum):
    """What stands beside the orders of the leaderboard."""

    RECORDS = "records"
    RECAP = "recap"
    SERIES = "series"
    SEASON = "season"


Ranking = Order | Listing


def rank_by(now: Ranking, words: Words, *, asked: Asked | None = None) -> Part:
    """The menu that leads from each of them to every other; an order keeps what is ``asked`` beside it."""
    every: tuple[Ranking, ...] = (*Order, *Listing)
    options = [SelectOption(label=ranking_name(one, words), value=one.value, default=one is now) for one in every]
    press = pressed(asked or Asked(), page=0, verb="lb_by")
    return select(press, options, placeholder=words("leaderboard.choose_by"))


def ranking_name(ranking: Ranking, words: Words) -> str:
    """What the menu calls it."""
    return order_name(ranking, words) if isinstance(ranking, Order) else words(f"leaderboard.listing.{ranking.value}")


def chosen_ranking(values: Sequence[str]) -> Ranking | None:
    """What was chosen in the menu; None for nothing that it has."""
    every: tuple[Ranking, ...] = (*Order, *Listing)
    return next((one for one in every if one.value in values), None)


def named_rankings(series: Iterable[str], words: Words) -> list[Named[Ranking | str]]:
    """Return all of them by their names in all languages, and each of these ``series`` by its own."""
    every: tuple[Ranking, ...] = (*Order, *Listing)
    known: list[Named[Ranking | str]] = [
        Named(
            name=ranking_name(one, words),
            value=one,
            others=(one.value, *(ranking_name(one, words_for(language)) for language in LANGUAGES)),
        )
        for one in every
    ]
    named: list[Named[Ranking | str]] = [Named(name=name, value=name) for name in series]
    return [*known, *named]


def named_times(seasons: Sequence[Season], words: Words) -> list[Named[str]]:
    """Return the spans of time and the ``seasons``, by their names in all languages, with their values in the menu."""
    spans = [
        Named(
            name=words(f"leaderboard.span.{span.value}"),
            value=span.value,
            others=(span.value, *(words_for(language)(f"leaderboard.span.{span.value}") for language in LANGUAGES)),
        )
        for span in (*CALENDAR, *([Span.SEASON] if seasons else []))
    ]
    named = [Named(name=unescaped_name(season, words), value=span_value(season)) for season in seasons]
    return [*spans, *named]
