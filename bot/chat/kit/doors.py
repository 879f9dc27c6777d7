"""The use cases available to everything on Discord's side."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from bot.play.doors.daily import DailyHands
from bot.play.doors.events import Events
from bot.play.doors.play import Play
from bot.play.doors.privacy import PersonalData
from bot.play.doors.server import Bank, Bulletins, Matchmaking, Seating


@dataclass(frozen=True, slots=True, kw_only=True)
class AllUseCases:
    """One object per group of use cases."""

    play: Play
    events: Events
    seating: Seating
    bank: Bank
    daily: DailyHands
    privacy: PersonalData
    together: Matchmaking
    bulletins: Bulletins

    def each(self) -> dict[str, Any]:
        """Return the use cases by field name."""
        return {door.name: getattr(self, door.name) for door in fields(AllUseCases)}
