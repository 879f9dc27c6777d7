"""The root of a table's decks, whether a hand was dealt fairly, how that is checked, and the hands to look up."""

from __future__ import annotations

from datetime import datetime, tzinfo

from bot.ofc.proof import Problem
from bot.play.model import Table
from bot.play.standings import PlayedHand
from bot.play.views import RootView
from bot.text.names import preset_name
from bot.text.words import Words
from bot.ui.common_buttons import how_checked
from bot.ui.fragments import FOUL_COLOUR, QUIET_COLOUR, TABLE_COLOUR
from bot.ui.table.title import table_title
from bot.ui.widgets import Screen, apart, attached, rows_of, screen, small_print


def verdict_screen(table: int, hand: int, filename: str, words: Words, *, problem: Problem | None) -> Screen:
    """What the check of a hand came to, its record, and the way to what that means."""
    kind, colour = {None: ("right", TABLE_COLOUR), Problem.WITHHELD: ("withheld", QUIET_COLOUR)}.get(
        problem, ("wrong", FOUL_COLOUR)
    )
    text = words(f"verify.{kind}", table=table, hand=hand)
    return screen(text, attached(filename), *rows_of([how_checked(words)]), colour=colour)


def fairness_screen(words: Words) -> Screen:
    """How a deck is fixed before the deal, and how anybody checks it."""
    parts = [words(f"fairness.{part}") for part in ("fixed", "stirred", "revealed", "check")]
    return screen(f"### {words('fairness.title')}", *apart(parts), colour=QUIET_COLOUR)


def table_choice(table: Table, words: Words) -> str:
    """``Table 7 · Pineapple OFC · 12 hands``."""
    name = table.variant.house_name or preset_name(table.variant, words)
    return words("fairness.table", table=table.key.table, game=name, count=table.hand_no)


def hand_choice(hand: PlayedHand, words: Words, zone: tzinfo) -> str:
    """``Hand 3 · 2026-11-22 21:04 · 3 players``."""
    at = datetime.fromtimestamp(hand.at / 1000, zone)
    return words("fairness.hand", hand=hand.hand_no, at=f"{at:%Y-%m-%d %H:%M}", count=hand.players)


def root_screen(view: RootView, words: Words) -> Screen:
    """What a table has committed to, told once: the root whole, and after a restore what was forgotten.

    All of its digits have to be public before the first card: a bot could find other decks whose root begins alike.
    """
    table, root = view.table, view.table.commitment.hex()
    fixed = words("root.fixed", table=table.key.table, first=table.tree_from, last=view.last, root=root)
    if view.forgotten_since is None:
        return small_print(fixed)
    restored = words("root.restored", when=f"<t:{view.forgotten_since // 1000}:f>", first=table.tree_from)
    return screen(f"**{table_title(table, words)}**\n{restored}\n{fixed}", colour=QUIET_COLOUR)
