"""What a table has committed to: told once, in a message that is never edited."""

from __future__ import annotations

from bot.play.views import RootView
from bot.text.words import Words
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.table.title import table_title
from bot.ui.widgets import Screen, screen


def root_screen(view: RootView, words: Words) -> Screen:
    """The root whole, and after a restore what was forgotten."""
    table = view.table
    parts = [f"**{table_title(table, words)}**"]
    if view.forgotten_since is not None:
        parts.append(words("root.restored", when=f"<t:{view.forgotten_since // 1000}:f>", first=table.tree_from))
    parts.append(words("root.fixed", first=table.tree_from, last=view.last, root=table.commitment.hex()))
    return screen("\n".join(parts), colour=QUIET_COLOUR)
