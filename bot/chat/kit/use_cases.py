"""The use cases that all code on Discord's side can use."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from bot.play.api.daily import DailyHands
from bot.play.api.events import Events
from bot.play.api.play import Play
from bot.play.api.privacy import PersonalData
from bot.play.api.server import Bank, Bulletins, Matchmaking, Seating
from bot.play.trainer.mistake_use_cases import Mistakes
from bot.play.trainer.use_cases import Trainer


@dataclass(frozen=True, slots=True, kw_only=True)
class AllUseCases:
    """One object per group of use cases."""

    play: Play
    events: Events
    seating: Seating
    bank: Bank
    daily: DailyHands
    privacy: PersonalData
    matchmaking: Matchmaking
    bulletins: Bulletins
    trainer: Trainer
    mistakes: Mistakes

    def each(self) -> dict[str, Any]:
        """Return the use cases by field name."""
        return {group.name: getattr(self, group.name) for group in fields(AllUseCases)}
