"""Rulings on finished events, which are lines of the events' logs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.model.events import EventFact
from bot.model.ids import Player

STRUCK: Final = "struck"
"""A player was struck from the results."""
CORRECTED: Final = "corrected"
"""A player's points were corrected."""
NEW_SERIES: Final = "series_changed"
"""The event was moved to another series, or out of its series."""
RULINGS: Final = (STRUCK, CORRECTED, NEW_SERIES)
"""Kinds of log entries for rulings."""
UNDONE: Final = "ruling_undone"
"""Kind of the log entry for a ruling that was undone."""


def in_force(facts: Iterable[EventFact]) -> list[EventFact]:
    """Return the rulings in an event's log that weren't undone, in order."""
    lines = [*facts]
    undone = {fact.details["ruling"] for fact in lines if fact.kind == UNDONE}
    return [fact for fact in lines if fact.kind in RULINGS and fact.number not in undone]


def struck_players(facts: Iterable[EventFact]) -> set[Player]:
    """Return the players struck by the rulings that are in force, given an event's log."""
    return {Player(str(fact.details["player"])) for fact in in_force(facts) if fact.kind == STRUCK}
