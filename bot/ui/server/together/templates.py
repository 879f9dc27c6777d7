"""The templates of a server."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.choices import Template
from bot.model.tables import Table
from bot.text.words import Words, escape_name
from bot.ui.table.title import table_title


def templates_text(known: Sequence[tuple[Template, Table]], words: Words) -> str:
    """A line for each template with the table that it names; or that there is none."""
    lines = [
        words("template.line", name=escape_name(template.name), table=table_title(table, words))
        for template, table in known
    ]
    return "\n".join(lines) or words("template.none")
