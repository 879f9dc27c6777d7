"""The tables of an event's start, spread over several channels, within what Discord takes of each of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from bot.chat.event.screens.details import start_seconds
from bot.model.events import Phase
from bot.model.ids import EventKey, Player, TableKey
from bot.model.tables import TableState
from bot.pure.event.structure import PRESETS, Structure
from bot.text.words import words_for
from tests.standin.rest import MISSING_PERMISSIONS, Fault, Request
from tests.standin.test_events import BOSS, Evening, evening
from tests.standin.things import Channel
from tests.standin.wired_bot import WiredBot

__all__ = ["evening"]
WORDS = words_for("en")
TOURNAMENT = replace(PRESETS["chaipo"], check_in_minutes=0)
MANY = 300
LATENCY_SECONDS = 0.1
"""Discord takes so long for each request."""
OBSERVED_SECONDS = 75


def another(evening: Evening, number: int = 2) -> Channel:
    """One more channel of the server."""
    return evening.wired.discord.channel(evening.wired.channel.guild, number)


def spread(*channels: Channel, threads: bool = True) -> Structure:
    """A tournament whose tables may be in these channels too."""
    return replace(TOURNAMENT, threads=threads, channels=tuple(channel.id for channel in channels))


async def started(evening: Evening, structure: Structure) -> EventKey:
    """An event of two tables that has begun."""
    key = await evening.announce(structure)
    await evening.press_register(*range(1, 7))
    await evening.start(key)
    return key


async def places(evening: Evening, key: EventKey) -> list[int]:
    """The channels of its tables."""
    return [line.table.channel for line in (await evening.events.look(key)).tables]


async def all_stand(evening: Evening, key: EventKey) -> bool:
    """True when each table has its message where it is played."""
    tables = [line.table for line in (await evening.events.look(key)).tables]
    return all(table.message in evening.wired.discord.channels[table.channel].messages for table in tables)


async def test_tables_take_turns_between_the_channels_that_the_organiser_gave(evening: Evening) -> None:
    hall = another(evening)
    key = await started(evening, spread(hall))
    threads = {thread.id: thread.parent for thread in evening.threads}
    assert {threads[channel] for channel in await places(evening, key)} == {evening.wired.channel, hall}
    assert evening.notified() == Counter(evening.players(range(1, 7)))
    assert all(thread.public() for thread in evening.threads)


async def test_without_threads_a_table_in_another_channel_is_named_with_it(evening: Evening) -> None:
    hall = another(evening)
    key = await started(evening, spread(hall, threads=False))
    assert sorted(await places(evening, key)) == sorted([evening.wired.channel.id, hall.id])
    (there,) = (line.info.table for line in (await evening.events.look(key)).tables if line.table.channel == hall.id)
    assert evening.said(WORDS("event.table_in", table=there, channel=f"<#{hall.id}>"))
    assert evening.said(WORDS("event.table_in", table=there, channel=f"<#{hall.id}>"))


@pytest.mark.parametrize("threads", [True, False])
async def test_tables_of_a_channel_that_was_deleted_are_played_in_the_events_own(
    evening: Evening, *, threads: bool
) -> None:
    hall = another(evening)
    key = await evening.announce(spread(hall, threads=threads))
    await evening.press_register(*range(1, 7))
    await asyncio.wait(evening.wired.discord.remove_channel(hall))
    await evening.start(key)
    assert (await evening.event(key)).phase is Phase.RUNNING
    found = await places(evening, key)
    own = [thread.id for thread in evening.threads if thread.parent is evening.wired.channel]
    assert sorted(found) == sorted([evening.wired.channel.id, *own] if threads else [evening.wired.channel.id] * 2)
    assert await all_stand(evening, key)


@pytest.mark.parametrize("threads", [True, False])
async def test_tables_of_a_channel_that_takes_nothing_are_played_in_the_events_own(
    evening: Evening, *, threads: bool
) -> None:
    hall = another(evening)

    def hook(request: Request) -> Fault | None:
        there = request.path.startswith(f"/channels/{hall.id}/") and request.method == "POST"
        return Fault(status=403, code=MISSING_PERMISSIONS) if there else None

    evening.wired.discord.hook = hook
    key = await started(evening, spread(hall, threads=threads))
    assert evening.wired.channel.id in await places(evening, key)
    assert hall.id not in await places(evening, key)
    assert await all_stand(evening, key)


@dataclass
class Start:
    """Observations of a start, in seconds after it."""

    begun: float
    notified: dict[str, float] = field(default_factory=dict)
    shown: dict[TableKey, float] = field(default_factory=dict)
    unshown: set[TableKey] = field(default_factory=set)
    """Tables that had a hand and no message."""
    ran_out: dict[Player, float] = field(default_factory=dict)

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time() - self.begun

    def hook(self, request: Request) -> Fault:
        """An id counts where it is in the text and allowed."""
        for player in request.notified:
            self.notified.setdefault(player, self.now)
        return Fault(delay=LATENCY_SECONDS)

    async def look(self, wired: WiredBot, tables: Sequence[TableKey]) -> None:
        for key in tables:
            view = await wired.bot.services.play.look(key)
            if view.table.posted:
                self.shown.setdefault(key, self.now)
            elif view.table.state is TableState.PLAYING:
                self.unshown.add(key)
            for place in view.places:
                if place.seat.timeouts:
                    self.ran_out.setdefault(place.seat.player, self.now)


@pytest.mark.slow
@pytest.mark.parametrize("channels", [pytest.param(1, marks=pytest.mark.deep), 2])
async def test_three_hundred_are_notified_within_a_minute_and_no_clock_runs_at_a_table_that_is_not_shown(
    evening: Evening, channels: int
) -> None:
    structure = replace(spread(*(another(evening, 2 + n) for n in range(channels - 1))), most=MANY)
    key = await evening.announce(structure)
    for number in range(1, MANY + 1):
        player = Player(str(evening.wired.user(number).id))
        await evening.events.register(key, player, cause=evening.cause())
        evening.wired.bot.services.faces.names.saw(key.guild, player, f"Player {number}")
    await evening.shown()
    await asyncio.sleep(60)
    start = Start(asyncio.get_running_loop().time())
    evening.wired.discord.hook = start.hook
    await evening.events.start(key, BOSS, cause=evening.cause())
    while start.now < OBSERVED_SECONDS:
        await asyncio.sleep(2)
        await start.look(evening.wired, await evening.tables(key))
    assert set(start.notified) == set(evening.players(range(1, MANY + 1)))
    assert max(start.notified.values()) <= 60
    assert len(start.shown) == 100
    assert max(start.shown.values()) <= start_seconds(structure, MANY) + 2
    assert not start.unshown
    assert not start.ran_out
