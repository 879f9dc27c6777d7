"""What the rounds of leagues and duplicate events came to: the table after each round, and the cross-table at the end.

The numbers stand in code before each name, aligned on a phone too; names are mentions, which code can't hold.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.event.pairings import Pairings
from bot.event.structure import Format
from bot.model.ids import Player
from bot.play.event.views import EventView
from bot.text.words import Words
from bot.ui.event.standings import points_text, rank_text
from bot.ui.fragments import and_more, moment, player_name

MOST_ROWS = 40
"""Players of whom a report tells."""
MOST_COLUMNS = 4
"""Rounds that have a column of their own, the last ones: more don't fit beside a name on a phone."""
MOST_CROSSED = 6
"""Players of whom each has a column in the cross-table."""
NOTHING = "·"


def round_report(report: Mapping[str, Any], view: EventView, words: Words) -> list[str]:
    """How all stand after a round, in lines: place, movement, total, and a column for each of the last rounds."""
    rows, last = list(report["rows"]), int(report["round"])
    shown = rows[:MOST_ROWS]
    swiss = view.event.structure.pairings is Pairings.SWISS
    first = max(1, last - MOST_COLUMNS + 1 + swiss)
    numbers = range(first, last + 1)
    percents = view.event.format is Format.DUPLICATE
    moves = any(row["before"] for row in shown)
    head = ["", *([""] if moves else []), words("event_round.total")]
    head += [*([words("event_round.met")] if swiss else []), *(f"R{number}" for number in numbers)]
    table = [head]
    for row in shown:
        cells = [rank_text(row["place"], words, tied=row["tied"])]
        cells += [_movement(row)] if moves else []
        cells.append(_percent(row["share"], words) if percents else words.signed(row["score"]))
        cells += [words.signed(row["met"])] if swiss else []
        each = row["shares"] if percents else row["rounds"]
        told = _percent if percents else _signed
        table.append([*cells, *(NOTHING if one is None else told(one, words) for one in each[first - 1 : last])])
    lines = _aligned(table)
    said = [f"`{lines[0]}`"]
    for row, line in zip(shown, lines[1:], strict=True):
        more = f" · {_compared(row, view, words)}" if percents else ""
        said.append(f"`{line}` {player_name(row['player'], words)}{more}")
    said += and_more(len(rows) - len(shown), words)
    if percents:
        said.append(words("event_round.percents"))
    if swiss:
        said.append(words("event_round.met_what"))
    return said


def reported(details: Mapping[str, Any], view: EventView, words: Words) -> list[str]:
    """How the round before went, with everybody's line; nothing where a notice of old doesn't know."""
    report = details.get("report")
    return [_over(report, view, words), *round_report(report, view, words), ""] if report else []


def final_table(
    details: Mapping[str, Any], view: EventView, against: Mapping[Player, Mapping[Player, int]], words: Words
) -> list[str]:
    """What all rounds came to, below the winners: who won what from whom where few have played, else round by round."""
    report = details.get("final")
    if not report:
        return []
    crossed = cross_table(view, against, words) if against else []
    return ["", *(crossed or round_report(report, view, words))]


def _over(report: Mapping[str, Any], view: EventView, words: Words) -> str:
    """``Round 1 of 2 is over. 3 hands each.``"""
    hands = [row["hands"] for row in report["rows"]]
    rounds = view.event.structure.rounds
    least, most = min(hands, default=0), max(hands, default=0)
    over = words("event_round.over", round=report["round"], rounds=rounds)
    if least == most:
        return words.side_by_side([over, words("event_round.hands", count=most)])
    return words.side_by_side([over, words("event_round.hands_between", least=least, most=most)])


def next_text(number: int, starts_at: int, view: EventView, words: Words) -> str:
    """When the next round starts, above who meets in it."""
    rounds = view.event.structure.rounds
    return words("event_round.next", round=number, rounds=rounds, when=moment(starts_at))


def cross_table(view: EventView, against: Mapping[Player, Mapping[Player, int]], words: Words) -> list[str]:
    """What each has won from each other; nothing where more have played than a phone has columns for."""
    people = [line.entrant.player for line in view.fair]
    if not 2 < len(people) <= MOST_CROSSED:
        return []
    table = [["", *(str(number) for number in range(1, len(people) + 1)), words("event_round.total")]]
    for place, line in enumerate(view.fair, start=1):
        own = against.get(line.entrant.player, {})
        cells = [NOTHING if other not in own else words.signed(own[other]) for other in people]
        cells[place - 1] = "■"
        table.append([str(place), *cells, words.signed(line.entrant.score)])
    lines = _aligned(table)
    named = [f"`{line}` {player_name(player, words)}" for player, line in zip(people, lines[1:], strict=True)]
    return [words("event_round.cross"), f"`{lines[0]}`", *named]


def _compared(row: Mapping[str, Any], view: EventView, words: Words) -> str:
    """The points per comparison that go with a share of match points."""
    line = view.line_of(row["player"])
    if line is None:
        return words.signed(row["score"])
    return points_text(view, replace(line.entrant, score=row["score"], hands=row["hands"]), words)


def _movement(row: Mapping[str, Any]) -> str:
    """``▲2`` for two places up, ``▼1`` for one down, ``=`` for none."""
    up = row["before"] - row["place"]
    return f"▲{up}" if up > 0 else f"▼{-up}" if up < 0 else "="


def _signed(points: int, words: Words) -> str:
    return words.signed(points)


def _percent(thousandths: int, words: Words) -> str:
    return words.decimal(thousandths / 10, decimals=1) + words.language.percent


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """The cells in columns, to the right of each."""
    widths = [max(_width(row[column]) for row in table) for column in range(len(table[0]))]
    return ["  ".join(" " * (w - _width(cell)) + cell for cell, w in zip(row, widths, strict=True)) for row in table]


def _width(text: str) -> int:
    """How many letters of code wide a text is: those of East Asia are two."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)
