"""The fields of an event that can be changed, as plain values."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.model.clock import Clock, Pace
from bot.model.events import Event
from bot.pure.event.structure import structure_from

OWN: Final = ("name", "series", "description", "starts_at")
"""Fields of the event itself. One more is its page, two others belong to its clock, the rest to its structure."""
NEVER: Final = ("format", "threads", "channels")
"""Fields that can't be changed: players have registered for the format, and the announcement fixes where tables are."""
PAGE_BYTES = 18
"""Random bytes in the address of a public page."""


def page_address() -> str:
    """Return a new random address for an event's public page. It can't be guessed, and is never used again."""
    return secrets.token_urlsafe(PAGE_BYTES)


def plain(event: Event) -> dict[str, Any]:
    """Return the event's changeable fields as plain values."""
    clock = {"pace": event.clock.pace.value, "seconds": event.clock.seconds}
    structure = {name: value for name, value in event.structure.to_json().items() if name not in NEVER}
    return {**{name: getattr(event, name) for name in OWN}, "page": bool(event.page), **clock, **structure}


def with_values(event: Event, wanted: Mapping[str, Any]) -> Event:
    """Return the event with other values of these fields."""
    own = {name: value for name, value in wanted.items() if name in OWN}
    if "page" in wanted:
        own["page"] = page_address() if wanted["page"] else ""
    clock = Clock(
        pace=Pace(wanted.get("pace", event.clock.pace.value)), seconds=wanted.get("seconds", event.clock.seconds)
    )
    # A structure ignores fields that aren't its own.
    structure = structure_from({**event.structure.to_json(), **wanted})
    return replace(event, clock=clock, structure=structure, **own)
