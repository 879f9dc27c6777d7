"""Decisions that keep the organisers who made them from entering the event."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.events import Event, EventFact

RULINGS = (
    "penalty",
    "disqualified",
    "reinstated",
    "unregistered",
    "adjusted",
    "to_be_moved",
    "sat_out",
    "hand_ended",
    "unlisted",
)
"""Log entries for decisions on a player's play."""
HELPERS = ("helper", "helper_removed")


def has_ruled(facts: Sequence[EventFact], event: Event) -> bool:
    """True if a player may not enter the event, because they have made decisions in it as an organiser."""
    return any(is_ruling(fact.kind, event, at=fact.at) and not _is_own_withdrawal(fact) for fact in facts)


def is_ruling(kind: str, event: Event, *, at: int | None = None) -> bool:
    """True if a log entry bars its author from entering the event. ``at`` is the entry's time (ms); None for now."""
    began = event.started_at
    return kind in (*RULINGS, "seed") or (kind in HELPERS and began is not None and (at is None or at >= began))


def _is_own_withdrawal(fact: EventFact) -> bool:
    """True if an organiser unregistered themselves, which is how earlier versions recorded a withdrawal."""
    return fact.kind == "unregistered" and fact.details.get("player") == fact.actor
