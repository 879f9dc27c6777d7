"""Compare the cost of a press with that of a trivial bot, whose button edits its own private message.

    make bench ARGS="--parts press --seconds 20"

Both bots are separate processes that log in over sockets. They're pressed in turn within one run, each on a stand-in
with all of Discord's limits. Presses come at a fixed rate, so that follow-up work (drawing a table, pinging a player)
is counted as well. Each bot's idle cost is also measured, and subtracted. ``python -m benchmarks.bench_press URL`` runs
the trivial bot.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import discord
import psutil
from discord import ui
from discord.ext import commands
from typing_extensions import override

from benchmarks.bench_load import NO_LIMIT_MS, Pressing, answers, press_at, say
from benchmarks.bench_scale import Told, amid_their_hands, bots, spots_of
from bot.run.app import settle_in
from tests.databases import Eyes, place_in
from tests.standin.bot_process import BotProcess, take_for_discord
from tests.standin.sent import Sent
from tests.standin.service import Service
from tests.standin.standin import Standin
from tests.standin.things import EPHEMERAL, Message, User

TABLES, RATE = 24, 12.0
"""Tables, and presses per second. The rate is a little more than three turns per second."""
TIMES = 4
"""Number of measurements of each bot."""
IDLE_SECONDS, REST_SECONDS = 6.0, 3.0


class Again(ui.View):
    """A view with one button that changes the message."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="Again", custom_id="again")
    async def again(self, interaction: discord.Interaction, _: ui.Button[Again]) -> None:
        """Respond to a press."""
        await interaction.response.edit_message(content=os.urandom(4).hex())


class TrivialBot(commands.AutoShardedBot):
    """A minimal bot that responds to a press."""

    def __init__(self) -> None:
        super().__init__("", help_command=None, intents=discord.Intents(guilds=True), shard_count=1, max_messages=None)

    @override
    async def setup_hook(self) -> None:
        """Register the button, and do the same start-up work as our bot."""
        self.add_view(Again())
        settle_in()


@dataclass(eq=False)
class Anybody(Pressing):
    """Two users who press the button of their private messages."""

    chance: random.Random = field(default_factory=lambda: random.Random(1))

    def __post_init__(self) -> None:
        channel = self.place.channel
        for user in self.place.users:
            message = Message(user.id, channel, '{"content":""}', user.id, EPHEMERAL)
            channel.messages[message.id] = self.panels[user.id] = message

    @override
    async def ready(self) -> bool:
        return True

    @override
    def press(self, discord: Standin) -> Sent | None:
        user: User = self.chance.choice(self.place.users)
        return discord.press(user, self.panels[user.id], "again")


@dataclass(frozen=True, slots=True)
class Pressed:
    """A bot's process, with its stand-in and the users who press its buttons."""

    discord: Service
    games: Sequence[Pressing]
    process: psutil.Process

    def spent(self) -> list[float]:
        """Return the processor time so far (s) of all threads together, followed by each thread, busiest first."""
        threads = sorted((sum(thread[1:]) for thread in self.process.threads()), reverse=True)
        return [sum(self.process.cpu_times()[:2]), *threads]

    async def idle(self) -> list[float]:
        """Return the processor time per second without presses, in the order of :meth:`spent`."""
        before = self.spent()
        await asyncio.sleep(IDLE_SECONDS)
        return [(after - was) / IDLE_SECONDS for after, was in zip(self.spent(), before, strict=False)]

    async def cost(self, idle: Sequence[float], seconds: float) -> list[float]:
        """Return the processor time per press (ms), in the order of :meth:`spent`."""
        before, begun = self.spent(), asyncio.get_running_loop().time()
        took, skipped = await press_at(self.discord, self.games, rate=RATE, seconds=seconds)
        await asyncio.sleep(REST_SECONDS)
        passed = asyncio.get_running_loop().time() - begun
        assert took, f"{skipped} presses found no table"
        spent = zip(self.spent(), before, idle, strict=False)
        return [1000 * (after - was - passed * share) / len(took) for after, was, share in spent]


async def press_beside_trivial(seconds: float) -> None:
    """Measure both bots in turn."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        pressed = {"a trivial bot's": await _trivial(stack, folder), "ours": await _ours(stack, folder)}
        for one in pressed.values():  # the first run costs more
            await press_at(one.discord, one.games, rate=RATE, seconds=seconds)
        await asyncio.sleep(REST_SECONDS)
        idle = {name: await one.idle() for name, one in pressed.items()}
        costs: dict[str, list[list[float]]] = {name: [] for name in pressed}
        for _ in range(TIMES):
            for name, one in pressed.items():
                cost = await one.cost(idle[name], seconds)
                costs[name].append(cost)
                threads = ", ".join(f"{spent:.2f}" for spent in cost[1:4])
                say(f"press   {name}: {cost[0]:.2f} ms of CPU a press (threads: {threads}); {answers(one.games)}")
    small, large = (statistics.median(cost[0] for cost in times) for times in costs.values())
    each = ", ".join(f"{b[0] / a[0]:.2f}" for a, b in zip(*costs.values(), strict=True))
    ratio = f"{large / small:.2f} times a trivial bot's ({large:.2f} and {small:.2f} ms; {each})"
    say(f"press   {TABLES} tables, {RATE:g} presses/s: {ratio}")


async def _trivial(stack: AsyncExitStack, folder: Path) -> Pressed:
    discord = Service(shards=1, answer_within_ms=NO_LIMIT_MS, kept_requests=1)
    games = [Anybody(spot) for spot in spots_of(discord, TABLES)]
    await stack.enter_async_context(discord.serving())
    bot = BotProcess(discord.url, {}, log=folder / "trivial.log", module=__name__)
    stack.callback(bot.end)
    await discord.until(lambda: discord.held, seconds=120)
    return Pressed(discord, games, psutil.Process(bot.number))


async def _ours(stack: AsyncExitStack, folder: Path) -> Pressed:
    discord = Service(shards=1, answer_within_ms=NO_LIMIT_MS, kept_requests=1)
    begun = await amid_their_hands(folder, spots_of(discord, TABLES))
    address = place_in(folder)
    eyes = Eyes(address)
    stack.callback(eyes.close)
    games = [Told(game.place, steps=game.steps, eyes=eyes) for game in begun]
    await stack.enter_async_context(discord.serving())
    (bot,) = await stack.enter_async_context(bots(discord, address, folder, processes=1))
    await discord.until(lambda: all(channel.public() for channel in discord.channels.values()), seconds=300)
    return Pressed(discord, games, psutil.Process(bot.number))


if __name__ == "__main__":
    take_for_discord(sys.argv[1])
    TrivialBot().run("the-token", log_handler=None)
