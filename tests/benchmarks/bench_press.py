"""What a press costs beside one of a trivial bot: a button that edits the private message in which it stands.

    make bench ARGS="--parts press"

Both bots run in one process, in turn, on stand-ins with all of Discord's limits. Presses come at a rate, as from
people, so that what a press leaves behind (a table drawn, a player called) is paid for as well. What each bot costs
while nobody presses is measured too and taken off. The stand-in is counted in with both.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import discord
from discord import ui
from discord.ext import commands

from bot.app import settle_in
from tests.benchmarks.bench_load import AT_ONCE_HOUSE, PRESSES_A_HAND, Game, hall, make_discord, place, say
from tests.standin.sent import Sent
from tests.standin.things import EPHEMERAL, Message, User

TABLES, RATE = 100, 30.0
"""Tables, and presses a second: about eight turns a second."""
TIMES = 3
"""How often each of the two is measured."""
IDLE_SECONDS = 5.0
DEALT_AFTER = 2.0
"""Seconds until the bot's clock has dealt the next hand."""

Press = Callable[[], Coroutine[Any, Any, None]]
"""Makes the next press and waits until its handler has ended."""


class Again(ui.View):
    """One button, which writes something else each time."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="Again", custom_id="again")
    async def again(self, interaction: discord.Interaction, _: ui.Button[Again]) -> None:
        """Answer a press."""
        await interaction.response.edit_message(content=os.urandom(4).hex())


class TrivialBot(commands.AutoShardedBot):
    """As little as a bot can be that answers a press."""

    def __init__(self) -> None:
        super().__init__("", help_command=None, intents=discord.Intents(guilds=True), shard_count=1, max_messages=None)

    async def setup_hook(self) -> None:
        """Listen to the button."""
        self.add_view(Again())


@asynccontextmanager
async def trivial(tables: int) -> AsyncIterator[Press]:
    """The trivial bot, with two private messages in as many channels as there are tables."""
    world = make_discord()
    shown: list[tuple[User, Message]] = []
    for number in range(tables):
        spot = place(world, number)
        for user in spot.users:
            message = Message(len(shown) + 1, spot.channel, '{"content":""}', user.id, EPHEMERAL)
            spot.channel.messages[message.id] = message
            shown.append((user, message))
    await world.start(TrivialBot())
    settle_in()
    chance = random.Random(tables)

    async def press() -> None:
        user, message = chance.choice(shown)
        await world.press(user, message, "again").finished()

    yield press
    await world.stop()


@asynccontextmanager
async def ours(tables: int) -> AsyncIterator[Press]:
    """This bot, with people who play Pineapple at its tables."""
    async with hall(tables, AT_ONCE_HOUSE) as made:
        chance = random.Random(tables)
        await asyncio.gather(*(game.begin_somewhere(chance.randrange(PRESSES_A_HAND)) for game in made.games))
        await made.begin()
        ready = deque(chance.sample(made.games, tables))

        async def next_press() -> tuple[Game, Sent]:
            while True:
                game = ready.popleft()
                sent = game.press(made.discord)
                if sent is not None:
                    return game, sent
                await asyncio.sleep(DEALT_AFTER)
                assert await game.ready()
                ready.append(game)

        async def press() -> None:
            game, sent = await next_press()
            game.done(await sent.finished())
            ready.append(game)

        yield press
        assert not sum(game.wrong for game in made.games)


async def press_cost(press: Press, *, seconds: float, rate: float) -> float:
    """Seconds of processor time that a press costs, at so many presses a second."""
    idle = time.process_time()
    await asyncio.sleep(IDLE_SECONDS)
    idle = (time.process_time() - idle) / IDLE_SECONDS
    loop, under_way = asyncio.get_running_loop(), set()
    cpu, begun, presses = time.process_time(), loop.time(), int(rate * seconds)
    for number in range(presses):
        await asyncio.sleep(max(0.0, begun + number / rate - loop.time()))
        task = asyncio.ensure_future(press())
        under_way.add(task)
        task.add_done_callback(under_way.discard)
    await asyncio.gather(*under_way)
    took = loop.time() - begun
    return (time.process_time() - cpu - idle * took) / presses


async def press_beside_trivial(seconds: float) -> None:
    """The two, side by side."""
    costs: dict[str, list[float]] = {"a trivial bot's": [], "ours": []}
    for _ in range(TIMES):
        for (name, times), bot in zip(costs.items(), (trivial, ours), strict=True):
            async with bot(TABLES) as press:
                times.append(await press_cost(press, seconds=seconds, rate=RATE))
                say(f"press   {TABLES:>6} tables, {RATE:g} presses/s, {name}: {1000 * times[-1]:.2f} ms of CPU a press")
    small, large = (statistics.median(times) for times in costs.values())
    ratio = f"{large / small:.2f} times a trivial bot's"
    say(f"press   {TABLES:>6} tables: {ratio} ({1000 * large:.2f} and {1000 * small:.2f} ms)")
