"""Changes for one date of a repeating event, which the next date doesn't take over.

Opening another table and postponing the start are for one date. Other changes are for one date if their author says so.
What a series shares, such as its points, always holds for later dates too. The event's log says which changes were for
one date, so the values for the next one follow from it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from bot.model.events import Event
from bot.play.event.office.event_fields import with_values
from bot.pure.event.structure import structure_problems
from bot.store.transaction import Tx

CHANGED, PROMISED = "changed", "promised"
"""Kinds of log lines for changes. Those to prizes are promised by their author."""
THIS_DATE: Final = "this_date"
"""The detail of such a line that marks changes for one date."""
SHARED: Final = ("series", "scoring", "counted")
"""Fields that always hold for later dates too."""


def for_one_date(event: Event, names: Collection[str]) -> bool:
    """True if a change to these fields can hold for one date only."""
    return event.repeat is not None and not set(names).intersection(SHARED)


def own_values(tx: Tx, event: Event) -> dict[str, Any]:
    """Return the values that the next date of an event takes over, by field, where those of this date differ."""
    kept: dict[str, Any] = {}
    for fact in tx.events.facts(event.key, CHANGED, PROMISED):
        for name, before, _ in fact.details["changes"]:
            if fact.details.get(THIS_DATE):
                kept.setdefault(name, before)
            else:
                kept.pop(name, None)
    return kept


def taken_back(tx: Tx, event: Event) -> Event:
    """Return the event as the next date takes it over, without the changes for this date only.

    If later changes rule out the earlier values, these changes hold for the next date too.
    """
    own = own_values(tx, event)
    found = with_values(event, own) if own else event
    return event if structure_problems(found.structure, found.variant) else found


def start_by_rule(tx: Tx, event: Event) -> int | None:
    """Return when a repeating event would start if only this date hadn't been moved (ms); None if it wasn't moved."""
    start: int | None = own_values(tx, event).get("starts_at") if event.repeat is not None else None
    return None if start == event.starts_at else start
