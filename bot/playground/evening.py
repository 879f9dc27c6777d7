"""The page's own menu: guests who fill an event, and time that goes faster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import discord

from bot.live.services import Services
from bot.model.ids import GuildId, Player
from bot.play.event.pace import Span
from bot.playground.guests import Guests, latest_moment
from bot.playground.simulated_server import GUILD_ID, BuildBot, Person, SimulatedClock
from bot.text.words import Words

SIZES: Final = (9, 12, 16, 20, 30, 40)
"""So many guests can be asked for."""
TIMES: Final = (1, 3, 10)
"""So many times as fast as the wall's clock time can go."""
_NAMES: Final = (
    "Amber",
    "Basil",
    "Cleo",
    "Dario",
    "Edda",
    "Felix",
    "Greta",
    "Hugo",
    "Iris",
    "Jonas",
    "Kira",
    "Leon",
    "Mona",
    "Nils",
    "Olga",
    "Pablo",
    "Quinn",
    "Rosa",
    "Sven",
    "Tilda",
    "ユウキ",
    "サクラ",
    "ハルト",
    "ミナト",
    "アオイ",
    "ソウタ",
    "ヒナタ",
    "リクト",
    "カエデ",
    "ツバサ",
    "コハル",
    "ダイチ",
    "ナナミ",
    "ケント",
    "マイ",
    "タクミ",
    "シオリ",
    "レン",
    "チヒロ",
    "アキラ",
)
GUESTS: Final = tuple(
    Person(id=1_096_000_000_000_000_101 + number, name=f"guest{number + 1}", shown=shown, locale="en-US")
    for number, shown in enumerate(_NAMES)
)
"""Through their eyes nobody looks: they play by themselves."""


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


class Evening:
    """What the menu does. A bot without services, as tests have, has no guests."""

    def __init__(self, services: Services | None, wall: HastyWall, *, guild: int, now_ms: Callable[[], int]) -> None:
        people = [Player(str(guest.id)) for guest in GUESTS]
        self._guests: Guests | None = None
        self._services = services
        self._paced = Span(since=now_ms())
        if services is not None:
            # Guests never press anything, which is how the bot learns what people are called.
            for guest in GUESTS:
                services.faces.names.saw(GuildId(guild), str(guest.id), guest.shown, username=guest.name)
            doors = services.play, services.events, services.thinkers
            self._guests = Guests(*doors, people, guild=GuildId(guild), now_ms=now_ms)
        self._wall = wall
        self._learn()

    def _learn(self) -> None:
        """Let the pace of play be learnt from hands that were dealt while time went as the wall's.

        Hastened, guests think for as long, and wait longer until it is their turn to act. After a restart nobody knows
        which hands were.
        """
        if self._services is not None:
            self._services.events.learn_pace(self._paced)

    @property
    def lively(self) -> bool:
        """True while guests are expected or play, or time is hastened: the bot hardly ever comes to rest."""
        return self._wall.hastened or (self._guests is not None and self._guests.around)

    async def step(self) -> None:
        """Let guests do what they are due to do."""
        if self._guests is not None:
            await self._guests.step()

    def menu(self, words: Words) -> dict[str, Any]:
        """Its words and what can be chosen, and how time goes now."""
        own: dict[str, Any] = {name: words(f"playground.evening.{name}") for name in ("menu", "fill", "many", "time")}
        return own | {
            "sizes": {str(many): words("playground.evening.size", count=many) for many in SIZES},
            "times": {str(times): words("playground.evening.times", count=times) for times in TIMES},
            "clock": self._wall.told(),
        }

    async def ask(self, wish: Mapping[str, Any], words: Words) -> dict[str, Any]:
        """Let guests come, or time go faster; returns what is said of it. Whatever else was sent changes nothing."""
        times, many, said = wish.get("times"), wish.get("guests"), ""
        if type(times) is int and times in TIMES:
            was, now = self._wall.hastened, self._wall.now_ms()
            self._wall.hasten(times)
            if self._wall.hastened and not was:
                self._paced = replace(self._paced, until=now)
            elif was and not self._wall.hastened:
                self._paced = Span(since=now)
            self._learn()
            said = words("playground.evening.hastened", count=times)
        elif type(many) is int and self._guests is not None:
            filled = await self._guests.fill(many)
            if filled.guests:
                said = words("playground.evening.come", name=filled.name, count=filled.guests)
            else:
                said = words(f"playground.evening.{'full' if filled.name else 'no_event'}")
        return {"said": said, **self._wall.told()}
