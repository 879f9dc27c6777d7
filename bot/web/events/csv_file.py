"""The standings of an event's public page as a CSV file."""

from __future__ import annotations

import csv
import io
from typing import Final

from bot.text.words import Words
from bot.web.events.building import person_text
from bot.web.events.document import EventDocument

COLUMNS: Final = (
    *("version", "place", "tied", "number", "name", "state", "left_after", "points", "chips", "hands"),
    *("prize", "bounties", "odd_chip", "by_draw", "table", "title"),
    "struck",
    "adjusted",
)
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet run a cell as a formula. Such a text gets an apostrophe in front."""


def as_csv(document: EventDocument, words: Words) -> bytes:
    """Return the standings, one line per player, in UTF-8 with a mark that spreadsheets recognise."""
    told = io.StringIO()
    writer = csv.writer(told)
    writer.writerow(COLUMNS)
    for line in document.standings:
        writer.writerow(
            (
                document.version,
                _cell(line.place),
                int(line.tied),
                line.player.number,
                _text(person_text(line.player, words)),
                line.state,
                _cell(line.left_after),
                _cell(line.points),
                _cell(line.chips),
                line.hands,
                line.prize,
                line.bounties,
                int(line.odd_chip),
                int(line.by_draw),
                _cell(line.table),
                _text(line.title or ""),
                int(line.struck),
                line.adjusted,
            )
        )
    return told.getvalue().encode("utf-8-sig")


def _cell(value: int | None) -> str:
    return "" if value is None else str(value)


def _text(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
