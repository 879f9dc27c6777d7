"""The page's own menu, with guests who fill an event and a faster clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.chat.services import Services
from bot.model.ids import GuildId, Player
from bot.play.event.trials.play_speed import SampledPeriod
from bot.run.playground.guests import GUESTS, GuestResult, Guests
from bot.run.playground.scaled_clock import TIMES, ScaledClock
from bot.text.words import Words

SIZES: Final = (9, 12, 16, 20, 30, 40)
"""Numbers of guests to choose from."""


class MenuActions:
    """Actions of the menu. A bot without services, as in tests, has no guests."""

    def __init__(self, services: Services | None, wall: ScaledClock, *, guild: int, now_ms: Callable[[], int]) -> None:
        people = [Player(str(guest.id)) for guest in GUESTS]
        self._guests: Guests | None = None
        self._services = services
        self._paced = SampledPeriod(since=now_ms())
        if services is not None:
            # The bot usually learns names from interactions, but guests don't have any.
            for guest in GUESTS:
                services.faces.names.saw(GuildId(guild), str(guest.id), guest.shown, username=guest.name)
            needs = services.play, services.events, services.workers
            self._guests = Guests(*needs, people, guild=GuildId(guild), now_ms=now_ms)
        self._wall = wall
        self._learn()

    def _learn(self) -> None:
        """Measure the speed of play only from hands dealt at normal speed.

        When the clock is faster, guests still take as long to compute, so their turns seem longer. After a restart, the
        speed of earlier hands isn't known.
        """
        if self._services is not None:
            self._services.events.learn_pace(self._paced)

    @property
    def lively(self) -> bool:
        """True if guests are expected or playing or the clock is faster. The bot is then almost never idle."""
        return self._wall.hastened or (self._guests is not None and self._guests.around)

    async def step(self) -> None:
        """Let guests perform their due actions."""
        if self._guests is not None:
            await self._guests.step()

    def menu(self, words: Words) -> dict[str, Any]:
        """Return the menu's texts and choices, and the state of the clock."""
        names = ("menu", "fill", "many", "time", "late", "late_busy", "late_fast")
        own: dict[str, Any] = {name: words(f"playground.evening.{name}") for name in names}
        return own | {
            "sizes": {str(many): words("playground.evening.size", count=many) for many in SIZES},
            "times": {str(times): words("playground.evening.times", count=times) for times in TIMES},
            "clock": self._wall.told(),
        }

    async def ask(self, request: Mapping[str, Any], words: Words) -> dict[str, Any]:
        """Carry out a choice of guests or clock speed, and return the reply. Other requests change nothing."""
        times, many, said = request.get("times"), request.get("guests"), ""
        if type(times) is int and times in TIMES:
            was, now = self._wall.hastened, self._wall.now_ms()
            self._wall.hasten(times)
            if self._wall.hastened and not was:
                self._paced = replace(self._paced, until=now)
            elif was and not self._wall.hastened:
                self._paced = SampledPeriod(since=now)
            self._learn()
            said = words("playground.evening.hastened", count=times)
        elif type(many) is int and self._guests is not None:
            said = filled_text(await self._guests.fill(many), words)
        return {"said": said, **self._wall.told()}


def filled_text(filled: GuestResult, words: Words) -> str:
    """Return how many guests are coming and how many will wait, or why none are."""
    if not filled.name:
        return words("playground.evening.no_event")
    told = {"come": filled.coming, "wait": filled.waiting}
    said = [words(f"playground.evening.{key}", name=filled.name, count=count) for key, count in told.items() if count]
    if filled.full:
        said.insert(0, words("playground.evening.full"))
    return words.side_by_side(said) or words("playground.evening.there", name=filled.name, count=filled.inside)
