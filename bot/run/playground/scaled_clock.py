"""The playground's clock: the wall clock, or a faster one. It never goes backwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import discord

from bot.chat.services import Services
from bot.model.events import Phase
from bot.model.ids import GuildId
from bot.play.api.events import Events
from bot.play.api.play import Play
from bot.play.event.floor.event_state import LOOK_MS
from bot.run.playground.simulated_server import GUILD_ID, BuildBot, SimulatedClock


async def latest_moment(play: Play, events: Events, guild: GuildId) -> int:
    """Return the approximate time of the last action at an event still being played; 0 if there is none.

    The playground's clock may have been faster than the wall clock. If it went backwards, deadlines would have to be
    waited for a second time.
    """
    found = [0]
    for event in await events.events(guild, (Phase.RUNNING,)):
        found += [event.started_at or 0, (event.alarm_at or 0) - LOOK_MS]
    found += [table.turn_since or 0 for table in await play.open_tables(guild) if table.event is not None]
    return max(found)


TIMES: Final = (1, 3, 10)
"""Selectable speeds, as multiples of the wall clock's."""


def going_on(build_bot: BuildBot, clock: SimulatedClock) -> BuildBot:
    """Return a function that builds the bot and starts the clock no earlier than an event's last action."""

    async def built(now_ms: Callable[[], int]) -> discord.Client:
        made = build_bot(now_ms)
        bot = made if isinstance(made, discord.Client) else await made
        services: Services | None = getattr(bot, "services", None)
        if services is not None:
            clock.begin_at(await latest_moment(services.play, services.events, GuildId(GUILD_ID)))
        return bot

    return built


class ScaledClock:
    """The wall clock, or a clock that runs faster from some point on. It never goes backwards."""

    def __init__(self, wall_ms: Callable[[], int], *, at: int = 0) -> None:
        """Start the clock at ``at`` if that's later than the wall clock."""
        self._wall_ms = wall_ms
        self._since = wall_ms()
        self._at = max(at, self._since)
        self._times = 1

    @property
    def hastened(self) -> bool:
        """True if the clock is faster than the wall clock."""
        return self._times > 1

    def now_ms(self) -> int:
        """Return the current time (ms)."""
        return self._at + (self._wall_ms() - self._since) * self._times

    def hasten(self, times: int) -> None:
        """Set the speed to ``times`` that of the wall clock."""
        self._at, self._since, self._times = self.now_ms(), self._wall_ms(), times

    def told(self) -> dict[str, int]:
        """Return the clock's lead over the wall clock (ms) and its speed, for the page's countdowns."""
        return {"ahead": self.now_ms() - self._wall_ms(), "times": self._times}
