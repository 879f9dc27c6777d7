"""Fairness: the root of a table's decks, the proof of a hand with an explanation, and the hands to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from bot.chat.kit.fragments import FOUL_COLOUR, QUIET_COLOUR, TABLE_COLOUR, how_checked, player_name
from bot.chat.kit.widgets import Part, Screen, apart, button_rows, file_part, screen
from bot.chat.table.screens.lobby import table_title
from bot.model.events import Event
from bot.model.standings import PlayedHand
from bot.model.tables import Table
from bot.play.queries.views import RootView, TableView
from bot.pure.ofc.deck_tree import HANDS
from bot.pure.ofc.proof import Problem
from bot.text.fingerprint import fingerprint
from bot.text.games import preset_name
from bot.text.words import Words


def verdict_screen(table: int, hand: int, filename: str, words: Words, *, problem: Problem | None) -> Screen:
    """Draw the verdict on a hand's proof, with its record and a link to the explanation."""
    kind, colour = {None: ("right", TABLE_COLOUR), Problem.WITHHELD: ("withheld", QUIET_COLOUR)}.get(
        problem, ("wrong", FOUL_COLOUR)
    )
    text = words(f"verify.{kind}", table=table, hand=hand)
    return screen(text, file_part(filename), *button_rows([how_checked(words)]), colour=colour)


def fairness_screen(words: Words, *fixed: str, back: Sequence[Part] = ()) -> Screen:
    """Explain how a deck is fixed before the deal and how to verify it, followed by the fingerprints ``fixed``."""
    parts = [words(f"fairness.{part}") for part in ("fixed", "stirred", "revealed", "check")]
    return screen(f"### {words('fairness.title')}", *apart([*parts, *fixed]), *button_rows(back), colour=QUIET_COLOUR)


def fixed_here(view: TableView, words: Words) -> list[str]:
    """Return the complete fingerprint of a table's decks."""
    table = view.table
    if view.event is not None and view.event.deck_commitment:
        return [words("root.decks", commitment=view.event.deck_commitment.hex())]
    if not table.tree_from:
        return []
    last, root = table.tree_from + HANDS - 1, table.commitment.hex()
    return [words("root.whole", table=table.number, first=table.tree_from, last=last, root=root)]


def event_commitments(event: Event, words: Words) -> str:
    """Return the complete fingerprints of an event's draw and decks."""
    draw = words("root.draw", commitment=event.commitment.hex())
    return f"{draw}\n{words('root.decks', commitment=event.board_commitment.hex())}"


def table_choice(table: Table, words: Words) -> str:
    """Return ``Table 7 · Pineapple OFC · 12 hands``."""
    name = table.terms.variant.house_name or preset_name(table.terms.variant, words)
    return words("fairness.table", table=table.number, game=name, count=table.hand_no)


def hand_choice(hand: PlayedHand, words: Words, zone: tzinfo) -> str:
    """Return ``Hand 3 · 2026-11-22 21:04 · 3 players``."""
    at = datetime.fromtimestamp(hand.at / 1000, zone)
    return words("fairness.hand", hand=hand.hand_no, at=f"{at:%Y-%m-%d %H:%M}", count=hand.players)


def root_screen(view: RootView, words: Words) -> Screen:
    """Draw a table's first message, which is never edited: its host, and the fingerprint of its decks.

    Later roots get such a message too: after a restore, and when the previous root's hands are used up.
    """
    table = view.table
    fixed = words("root.fixed", root=fingerprint(table.commitment))
    if view.forgotten_since is not None:
        restored = words("root.restored", when=f"<t:{view.forgotten_since // 1000}:f>", first=table.tree_from)
        said = f"**{table_title(table, words)}**\n{restored}"
    elif table.tree_from > 1 or table.event_no is not None:
        said = words("root.next", table=table.number, first=table.tree_from)
    else:
        said = words("root.opened", player=player_name(table.host, words), title=table_title(table, words))
    return screen(f"{said}\n{fixed}", colour=QUIET_COLOUR)
