"""The series in the results of one of its dates: table, race, next date, and the champions after the last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.chat.event.screens.round_report import align_columns, movement
from bot.chat.event.screens.standings import rank_text
from bot.chat.kit.fragments import and_more, date_mark, moment, names, player_name
from bot.play.event.office.views import EventView
from bot.text.event_structure import place_name
from bot.text.words import Words, escape_name

MAX_NAMED = 15
"""Maximum number of players named in a line about the race. With more, they are counted."""
ABSENT = "·"


def series_lines(report: Mapping[str, Any], following: EventView | None, words: Words) -> list[str]:
    """Return the lines about a series; empty if the results have no report. ``following`` is its next date."""
    if not report.get("rows"):
        return []
    named = escape_name(report["series"])
    over = "crowned" in report
    title = words("event_series.over" if over else "event_series.title", series=named)
    return [
        "",
        f"### {title}",
        *(_champions(report, words) if over else []),
        *(_told(report, words) if words.heard else _table(report, words)),
        *and_more(report["more"], words),
        *_race(report, words),
        *_next(following, words),
    ]


def _champions(report: Mapping[str, Any], words: Words) -> list[str]:
    """Return the champions with their title and role; empty if no one may be named."""
    crowned = list(report["crowned"])
    if not crowned:
        return []
    players = names(crowned, words)
    if title := report.get("title"):
        told = words("season.titled", title=escape_name(title), players=players)
    else:
        told = words("season.champions", count=len(crowned), players=players)
    return [words.facts([told, *([f"<@&{report['role']}>"] if report.get("role") else [])])]


def _table(report: Mapping[str, Any], words: Words) -> list[str]:
    """Return the table with a heading above each column of numbers."""
    rows = list(report["rows"])
    columns = [["", *(rank_text(row["place"], words, tied=row["tied"]) for row in rows)]]
    if any(row["before"] for row in rows):
        columns.append(["", *(movement(row) if row["before"] else "" for row in rows)])
    columns.append([words("event_series.points"), *(words.number(row["points"]) for row in rows)])
    gained = [ABSENT if row["gained"] is None else words.signed(row["gained"]) for row in rows]
    columns.append([words("event_series.gained"), *gained])
    head, *lines = align_columns(columns)
    return [
        f"`{head}`",
        *(f"`{line}` {player_name(row['player'], words)}" for row, line in zip(rows, lines, strict=True)),
    ]


def _told(report: Mapping[str, Any], words: Words) -> list[str]:
    """Return a sentence per player with place, points, today's points and movement."""
    lines = []
    for row in report["rows"]:
        key = "event_series.heard_tied" if row["tied"] else "event_series.heard"
        place, player = place_name(row["place"], words), player_name(row["player"], words)
        told = [words(key, player=player, place=place, count=row["points"])]
        if row["gained"] is not None:
            told.append(words("event_series.heard_gained", points=words.number(row["gained"])))
        if up := row["before"] - row["place"] if row["before"] else 0:
            told.append(words("event_round.heard_up" if up > 0 else "event_round.heard_down", count=abs(up)))
        lines.append(words.facts(told))
    return lines


def _race(report: Mapping[str, Any], words: Words) -> list[str]:
    """Return the points still to be won, and who can still finish first or reach the podium."""
    if not report.get("dates"):
        return []
    count, most = report["dates"], words.number(report["most"])
    first, podium = list(report["first"]), list(report["podium"])
    if count == 1:
        lines = [words("event_series.left_last" if report["planned"] else "event_series.published_next", most=most)]
    else:
        key = "event_series.left" if report["planned"] else "event_series.published"
        lines = [words(key, count=count, most=most)]
    if report["open"]:
        lines.append(words("event_series.open" if report["planned"] else "event_series.lead_open"))
    elif len(first) == 1 and report["planned"]:
        lines.append(words("event_series.won", player=player_name(first[0], words)))
    elif first:
        lines.append(_named("event_series.first" if report["planned"] else "event_series.lead", first, words))
    if podium and not report["open"] and report["planned"]:
        lines.append(_named("event_series.podium", podium, words))
    return lines


def _named(key: str, players: Sequence[str], words: Words) -> str:
    told = [player_name(player, words) for player in players[:MAX_NAMED]]
    return words(key, players=words.list([*told, *and_more(len(players) - len(told), words)]))


def _next(following: EventView | None, words: Words) -> list[str]:
    """Return when the next date starts; empty if there's none or it starts when it's full."""
    if following is None or following.event.starts_at is None:
        return []
    at = following.event.starts_at
    return [words("event_series.next", at=date_mark(at), when=moment(at))]
