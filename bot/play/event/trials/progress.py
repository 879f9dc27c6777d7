"""Conversion of an event's state to a forecast's input."""

from __future__ import annotations

from bot.model.ids import TableId
from bot.play.event.office.views import EventView
from bot.play.event.trials.forecast import EventProgress
from bot.pure.event.structure import Family


def measure_progress(view: EventView, *, now: int) -> EventProgress:
    """Return the progress of a running event, for a forecast."""
    event, family = view.event, view.event.format.family
    dealt = min((table.info.played for table in view.tables), default=0)
    passed = max(0, now - (event.started_at or now))
    if family is Family.ROUNDS:
        since = max(0, now - (event.round_began_at or now))
        # Between two rounds, there are no tables, and no hands of the finished round are left.
        played = dealt if view.tables else event.structure.round_hands
        return EventProgress(passed=passed, hands=played, round=max(1, event.round), round_passed=since)
    if family is not Family.FREEZEOUT:
        return EventProgress(passed=passed)
    stacks: dict[TableId | None, list[int]] = {}
    for line in view.lines:
        if line.entrant.playing and line.chips:
            stacks.setdefault(line.table, []).append(line.chips)
    if sum(map(len, stacks.values())) < 2:
        return EventProgress(passed=passed)
    return EventProgress(passed=passed, tables=tuple(map(tuple, stacks.values())), hands=dealt, breaks=event.breaks)
