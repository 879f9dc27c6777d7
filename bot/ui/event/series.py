"""The table of a series: who leads it, how its events count, and the ways to its seasons and to all events."""

from __future__ import annotations

from discord import SelectOption

from bot.model.event_standings import SeriesTable
from bot.model.ids import TableId
from bot.model.standings import Asked, EventStanding, Order, Place, Span
from bot.text.event_structure import DOT, series_numbers, series_rule
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import Press, game_tag
from bot.ui.event.standings import and_more
from bot.ui.fragments import RESULT_COLOUR, player_name
from bot.ui.server.leaderboard import place_text, pressed, season_span
from bot.ui.server.seasons import unescaped_name
from bot.ui.widgets import Part, Screen, button, rows_of, screen, select

HERE = Press(verb="ev_series", table=TableId(0))
MOST_SHOWN = 20


def series_screen(table: SeriesTable, words: Words, you: str) -> Screen:
    """The leaderboard of a series, its rule with the numbers for the field of its newest event, and ways on."""
    named = escape_name(table.name)
    head = [f"### {words('event.series_table.title', series=named)}"]
    if table.season is not None:
        head.append(f"-# {season_span(table.season, words)}")
    if table.champions:
        crowned = words.list([player_name(player, words) for player in table.champions])
        head.append(words("event.series_table.champions", count=len(table.champions), players=crowned))
    placed = list(zip(table.places, table.lines, strict=True))
    lines = [_line(place, line, words) for place, line in placed[:MOST_SHOWN]]
    lines += and_more(len(table.lines) - MOST_SHOWN, words)
    lines += [_line(place, line, words) for place, line in placed[MOST_SHOWN:] if line.player == you]
    newest = table.newest
    how = [
        series_rule(table.rule, words),
        series_numbers(table.rule.scoring, newest.structure, len(newest.people), words),
        f"-# {words('event.series_table.ties')}",
    ]
    board = Asked(Order.EVENT_POINTS)
    if table.season is not None:
        board = Asked(Order.EVENT_POINTS, Span.SEASON, season=table.season.number)
    ways = [button(pressed(board, page=0, verb="ranks"), words("event.series_table.every"))]
    return screen(
        "\n".join([*head, *(lines or [words("event.series_table.nobody")])]),
        "\n".join(how),
        *_seasons(table, words),
        *rows_of(ways),
        colour=RESULT_COLOUR,
    )


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
