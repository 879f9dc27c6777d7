"""Groups before a bracket on screen: who is in which, their tables, and who goes on."""

from __future__ import annotations

from collections.abc import Sequence

from bot.play.event.groups import GroupRow, GroupTable
from bot.text.event_structure import DOT, group_name
from bot.text.words import Words
from bot.ui.fragments import names, player_name

THROUGH = "✅ "


def group_lines(tables: Sequence[GroupTable], words: Words, *, most: int) -> list[str]:
    """The tables of so many groups, a line each; whoever goes on is marked once that is settled."""
    lines = [words("event_groups.title_over" if tables[0].drawn else "event_groups.title")]
    for table in tables[:most]:
        rows = DOT.join(_row(row, words) for row in table.rows)
        lines.append(words("event_groups.table", group=group_name(table.number, words), rows=rows))
    left = len(tables) - most
    return [*lines, *([words("event_groups.more", count=left)] if left > 0 else [])]


def _row(row: GroupRow, words: Words) -> str:
    told = words("event_groups.row", player=player_name(row.player, words), won=row.won, lost=row.lost)
    return f"{THROUGH}{told}" if row.through else told


def told_groups(groups: Sequence[Sequence[list[str]]], words: Words, *, by_seed: bool) -> list[str]:
    """The groups as a notice has them: their players, and at their end who goes on and what decided that."""
    lines = []
    for number, (through, behind, alike) in enumerate(groups, start=1):
        group = group_name(number, words)
        if not through:
            lines.append(words("event_groups.members", group=group, players=names(behind, words)))
            continue
        lines.append(
            words("event_groups.result", group=group, through=names(through, words), behind=names(behind, words))
        )
        if alike:
            key = "event_groups.by_seed" if by_seed else "event_groups.by_draw"
            lines.append(words(key, players=names(alike, words)))
    return lines
