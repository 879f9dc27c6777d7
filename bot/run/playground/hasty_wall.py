"""The playground's time: that of the clock on the wall, or so many times as fast. It never goes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import discord

from bot.chat.services import Services
from bot.model.events import Phase
from bot.model.ids import GuildId
from bot.play.doors.events import Events
from bot.play.doors.play import Play
from bot.play.event.floor.field import LOOK_MS
from bot.run.playground.simulated_server import GUILD_ID, BuildBot, SimulatedClock


async def latest_moment(play: Play, events: Events, guild: GuildId) -> int:
    """When something was last done at an event that is still played, about; 0 where none is.

    Time may have gone faster than the wall's, and must not go back: what is due would be waited for twice.
    """
    found = [0]
    for event in await events.events(guild, (Phase.RUNNING,)):
        found += [event.started_at or 0, (event.alarm_at or 0) - LOOK_MS]
    found += [table.turn_since or 0 for table in await play.open_tables(guild) if table.event is not None]
    return max(found)


TIMES: Final = (1, 3, 10)
"""So many times as fast as the wall's clock time can go."""


def going_on(build_bot: BuildBot, clock: SimulatedClock) -> BuildBot:
    """What builds the bot, and has the clock begin no earlier than it was when an event was played last."""

    async def built(now_ms: Callable[[], int]) -> discord.Client:
        made = build_bot(now_ms)
        bot = made if isinstance(made, discord.Client) else await made
        services: Services | None = getattr(bot, "services", None)
        if services is not None:
            clock.begin_at(await latest_moment(services.play, services.events, GuildId(GUILD_ID)))
        return bot

    return built


class HastyWall:
    """The clock on the wall, or one that goes so many times as fast from now on. It never goes back."""

    def __init__(self, wall_ms: Callable[[], int], *, at: int = 0) -> None:
        """It begins at ``at``, if that is later than the wall's time."""
        self._wall_ms = wall_ms
        self._since = wall_ms()
        self._at = max(at, self._since)
        self._times = 1

    @property
    def hastened(self) -> bool:
        """True while it goes faster."""
        return self._times > 1

    def now_ms(self) -> int:
        """The time that it shows."""
        return self._at + (self._wall_ms() - self._since) * self._times

    def hasten(self, times: int) -> None:
        """Go so many times as fast as the wall's."""
        self._at, self._since, self._times = self.now_ms(), self._wall_ms(), times

    def told(self) -> dict[str, int]:
        """By how much it is ahead of the wall's, and how fast it goes: for the countdowns of the page."""
        return {"ahead": self.now_ms() - self._wall_ms(), "times": self._times}
