"""The table of a series: who leads it, how its events count, and the ways to its seasons and to all events."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from discord import SelectOption

from bot.model.event_standings import SeriesTable
from bot.model.events import Event
from bot.model.ids import TableId
from bot.model.standings import Asked, EventStanding, Order, Place, Span
from bot.text.event_structure import DOT, series_numbers, series_rule
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import Press, game_tag
from bot.ui.event.lists import calendar_button
from bot.ui.fragments import MOST_TEXT, RESULT_COLOUR, and_more, player_name
from bot.ui.server.leaderboard import place_text, pressed, season_span
from bot.ui.server.seasons import unescaped_name
from bot.ui.widgets import Part, Screen, button, rows_of, screen, select

HERE = Press(verb="ev_series", table=TableId(0))
MOST_SHOWN = 20
ROOM = 60
"""Characters that are kept free for how many more there are."""


def series_screen(table: SeriesTable, words: Words, you: str, *, dated: Event | None = None) -> Screen:
    """The leaderboard of a series, its rule with the numbers for the field of its newest event, and ways on.

    ``dated`` is an event of it that is still to come: a button gives the dates of all that are.
    """
    named = escape_name(table.name)
    head = [f"### {words('event.series_table.title', series=named)}"]
    if table.season is not None:
        head.append(f"-# {season_span(table.season, words)}")
    if table.champions:
        crowned = words.list([player_name(player, words) for player in table.champions])
        head.append(words("event.series_table.champions", count=len(table.champions), players=crowned))
    newest, people = table.newest.structure, table.newest.people
    entries = sum(one.entries for one in people)
    how = [
        series_rule(table.rule, words),
        series_numbers(table.rule.scoring, newest, len(people), words, entries=entries),
        f"-# {words('event.series_table.ties')}",
    ]
    told = [_line(place, line, words) for place, line in zip(table.places, table.lines, strict=True)]
    own = next((line for line, one in zip(told, table.lines, strict=True) if one.player == you), "")
    lines = _fitting(told, MOST_TEXT - len("\n".join([*head, *how, own])) - ROOM)
    missing = len(told) - len(lines)
    lines = [*lines, *and_more(missing, words), *([own] if own in told[len(lines) :] else [])]
    board = Asked(Order.EVENT_POINTS)
    if table.season is not None:
        board = Asked(Order.EVENT_POINTS, Span.SEASON, season=table.season.number)
    ways = [button(pressed(board, page=0, verb="ranks"), words("event.series_table.every"))]
    if dated is not None:
        ways.append(calendar_button(dated, "series", words, label="calendar"))
    return screen(
        "\n".join([*head, *(lines or [words("event.series_table.nobody")])]),
        "\n".join(how),
        *_seasons(table, words),
        *rows_of(ways),
        colour=RESULT_COLOUR,
    )


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """The first lines, as many as there is room for, and no more than are read."""
    ends = accumulate(len(line) + 1 for line in lines)
    return [line for line, end in zip(lines[:MOST_SHOWN], ends, strict=False) if end <= room]


def _seasons(table: SeriesTable, words: Words) -> list[Part]:
    """All time, or one of the server's seasons; nothing where there are none."""
    if not table.seasons:
        return []
    every = SelectOption(label=words("leaderboard.span.all"), value="0", default=table.season is None)
    options = [
        SelectOption(label=unescaped_name(one, words), value=str(one.number), default=one == table.season)
        for one in table.seasons
    ]
    press = HERE.but("ev_season", game_tag(table.name))
    return [select(press, [every, *options], placeholder=words("leaderboard.choose_span"))]


def _line(place: Place, line: EventStanding, words: Words) -> str:
    text = words(
        "event.series_table.line",
        place=place_text(place, words),
        player=player_name(line.player, words),
        points=words.number(line.points),
    )
    counts = {"events": line.events, "wins": line.wins, "finals": line.finals, "titles": line.titles}
    told = [words(f"event.series_table.{name}", count=count) for name, count in counts.items() if count]
    told.append(words("event.series_table.average", place=words.decimal(line.average_place, decimals=1)))
    won = [words("event.series_table.won", chips=words.number(line.chips))] if line.chips else []
    return DOT.join([text, *told, *won])
