"""The open tables of a server."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.tables import Table
from bot.text.words import Words
from bot.ui.table.title import table_title

MOST_LISTED = 20


def tables_text(tables: Sequence[Table], words: Words) -> str:
    """A line for each table, with its channel; or that there is none."""
    lines = [f"<#{table.channel}> {table_title(table, words)}" for table in tables[:MOST_LISTED]]
    return "\n".join(lines) or words("lobby.no_tables")
