"""What the head of a table's messages says: the table, the event that it belongs to, and the root of its decks."""

from __future__ import annotations

from functools import lru_cache

from bot.model.tables import EventNote, Table, Waits
from bot.ofc.variants import Variant
from bot.play.look.views import TableView
from bot.text.names import full_name
from bot.text.words import Words, escape_name
from bot.ui.fragments import moment, short_fingerprint

MOST_TITLES = 1024
"""Titles that are kept: a table's stands on each of its messages."""


def table_title(table: Table, words: Words) -> str:
    """``Table 3 · Pineapple OFC · 10 chips per point``."""
    terms = table.terms
    return _title(table.key.table, terms.point_value, terms.practice, table.event_no is not None, terms.variant, words)


@lru_cache(MOST_TITLES)
def _title(number: int, point_value: int, practice: bool, of_event: bool, game: Variant, words: Words) -> str:
    if practice:
        stakes = words("event_table.for_points" if of_event else "table.practice")
    else:
        stakes = words("table.stakes", count=point_value)
    return words("table.title", table=number, game=full_name(game, words), stakes=stakes)


def thread_name(view: TableView, words: Words) -> str:
    """What the table's own thread is called: no other thread of the channel has its name."""
    table = view.table
    if view.event is not None:
        return words("event_table.thread", table=table.key.table, name=view.event.name)
    return words("table.thread", table=table.key.table, game=full_name(table.terms.variant, words))


def event_facts(event: EventNote, words: Words) -> list[str]:
    """The event's name, and the level or round that is played."""
    facts = [words("event_table.event", name=escape_name(event.name), number=event.number)]
    if event.round and event.rounds:
        facts.append(words("event_table.round_of", round=event.round, rounds=event.rounds))
    elif event.round:
        facts.append(words("event_table.round", round=event.round))
    if event.level:
        facts.append(words("event_table.level", level=event.level))
    return facts


def waits_text(event: EventNote, words: Words) -> str:
    """Why the table does not deal; empty where nothing keeps it from dealing."""
    if event.waits is Waits.NOTHING:
        return ""
    if event.waits is Waits.BREAK and event.break_until is not None:
        return words("event_table.waits.break_until", when=moment(event.break_until))
    return words(f"event_table.waits.{event.waits.value}")


def root_link(table: Table) -> str:
    """The first digits of the root that fixes a table's decks, linked to the message that has it whole."""
    if table.root_message is None:
        return short_fingerprint(table.commitment)
    address = f"https://discord.com/channels/{table.key.guild}/{table.channel}/{table.root_message}"
    return f"[{short_fingerprint(table.commitment)}]({address})"
