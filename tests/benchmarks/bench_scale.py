"""How much one, two and three processes carry on one database: bots as they are, on the stand-in as a service.

    make bench-scale
    make bench-scale ARGS="--tables 240 --rates 60 120 --processes 1 3"

The bots are processes of their own (``python -m bot``), log in over sockets, and share the shards of one PostgreSQL
server that waits for its disk; one process on SQLite is measured beside them. People press at tables of two in servers
of all shards: first at given rates, then as fast as they are answered. Latencies run from the moment at which a press
was due.

Processor time is counted for the bots, for the database's server, and for this process, which is Discord and all the
people. All of them share the machine: what is told of throughput is what fits on it, and what a press costs each of
them is what says how many fit on a larger one.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from bot.store.opening import Place as Address
from tests.benchmarks.bench_load import (
    NO_LIMIT_MS,
    TABLES_A_GUILD,
    Place,
    Pressing,
    answers,
    picks,
    prepare,
    press_at,
    say,
)
from tests.databases import DATABASES, POSTGRES, SQLITE, Eyes, place_in
from tests.standin.bot_process import BotProcess
from tests.standin.service import Service

SHARDS = 6
FASTER_THAN_ANY = 500.0
"""Presses a second that this machine does not answer: each table is pressed again as soon as it was answered."""
REST_SECONDS = 3.0
"""Between two measurements."""
DEALT = (
    "SELECT game_table.hand_no, seat.player, seat.fantasyland, seat.deadline FROM game_table "
    "JOIN seat ON seat.guild_id = game_table.guild_id AND seat.table_id = game_table.table_id "
    "WHERE game_table.guild_id = ? AND game_table.table_id = ? AND game_table.state = 'playing' ORDER BY seat.seat_no"
)


@dataclass(eq=False, kw_only=True)
class Told(Pressing):
    """Those who play with bots of other processes, and see in the database whose turn it is."""

    eyes: Eyes

    async def ready(self) -> bool:
        rows = self.eyes(DEALT, (self.place.key.guild, self.place.key.table))
        # A turn has a deadline once a message has told it.
        first = next((n for n, (_, _, away, deadline) in enumerate(rows) if deadline and not away), None)
        away = [player for _, player, fantasyland, _ in rows if fantasyland]
        if not rows or (first is None and len(away) < len(rows)):
            return False
        players = [player for _, player, _, _ in rows]
        order = players[first or 0 :] + players[: first or 0]
        self.steps = self.hand(rows[0][0], order, away, street=1)
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """All that run while something is measured."""

    bots: Sequence[psutil.Process]
    database: Sequence[psutil.Process]

    def spent(self) -> tuple[float, float, float]:
        """Seconds of processor time so far: of the bots, of the database's server, and of this process."""
        return _seconds(self.bots), _seconds(self.database), time.process_time()


def _seconds(processes: Sequence[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def _server() -> list[psutil.Process]:
    """The processes of PostgreSQL: the first one and all that it has started for somebody."""
    if DATABASES.kind == SQLITE:
        return []
    first = psutil.Process(int((DATABASES.server.folder / "postmaster.pid").read_text().split()[0]))
    return [first, *first.children(recursive=True)]


def spots_of(discord: Service, tables: int) -> list[Place]:
    """Places in servers of all shards, in turn."""
    found = []
    for number in range(tables):
        server, table = divmod(number, TABLES_A_GUILD)
        guild = discord.guild_on(server % discord.shards, server // discord.shards)
        users = (discord.user(2 * number + 1), discord.user(2 * number + 2))
        found.append(Place(discord.channel(guild, table + 1), table + 1, users))
    return found


@asynccontextmanager
async def bots(discord: Service, address: Address, folder: Path, *, processes: int) -> AsyncIterator[list[BotProcess]]:
    """Processes of the bot that share all shards; one has them without a lease."""
    settings = {
        "CHAIPO_DATABASE": str(address),
        "CHAIPO_KEY_FILE": str(folder / "chaipo.key"),
        "CHAIPO_NEXT_HAND_SECONDS": "0",
        "CHAIPO_WORKERS": "0",
    }
    if processes > 1:
        settings["CHAIPO_SHARDS"] = str(discord.shards)
    running: list[BotProcess] = []
    try:
        for number in range(processes):
            running.append(BotProcess(discord.url, settings, log=folder / f"{number}.log"))
        await discord.until(lambda: discord.held == set(range(discord.shards)), seconds=120)
        yield running
    finally:
        for bot in running:
            bot.end()


async def measure(tables: int, processes: int, rates: Sequence[float], seconds: float) -> None:
    """So many processes on one database."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        discord = Service(shards=SHARDS, logins_at_once=SHARDS, answer_within_ms=NO_LIMIT_MS, kept_requests=1)
        spots = spots_of(discord, tables)
        await prepare(folder, spots)
        address = place_in(folder)
        eyes = Eyes(address)
        games = [Told(spot, eyes=eyes) for spot in random.Random(tables).sample(spots, tables)]
        async with discord.serving(), bots(discord, address, folder, processes=processes) as running:
            await discord.until(lambda: all(channel.public() for channel in discord.channels.values()), seconds=300)
            await _share(discord, eyes, processes)
            machine = Machine(bots=[psutil.Process(bot.number) for bot in running], database=_server())
            what = f"{DATABASES.kind}, {processes} process{'es' * (processes > 1)}, {tables} tables"
            for rate in (*rates, FASTER_THAN_ANY):
                await asyncio.sleep(REST_SECONDS)
                await _press(discord, games, machine, rate=rate, seconds=seconds, what=what)
        eyes.close()
    DATABASES.forget()


async def _share(discord: Service, eyes: Eyes, processes: int) -> None:
    """Wait until each process has its share of the shards, and all of them are connected."""
    counted = "SELECT COUNT(*) FROM shard_lease GROUP BY process_id"
    if processes > 1:
        shares = [SHARDS // processes] * processes
        await discord.until(lambda: [count for (count,) in eyes(counted)] == shares, seconds=120)
    await discord.until(lambda: discord.held == set(range(discord.shards)), seconds=120)


async def _press(
    discord: Service, games: Sequence[Pressing], machine: Machine, *, rate: float, seconds: float, what: str
) -> None:
    spent, begun = machine.spent(), time.monotonic()
    took, _ = await press_at(discord, games, rate=rate, seconds=seconds)
    passed = time.monotonic() - begun
    spent_by = [after - before for before, after in zip(spent, machine.spent(), strict=True)]
    bots_, database, people = (1000 * seconds / len(took) for seconds in spent_by)
    p50, p99, _ = (1000 * pick for pick in picks(took))
    wanted = "as fast as it goes" if rate == FASTER_THAN_ANY else f"{rate:g} presses/s wanted"
    say(
        f"scale   {what}, {wanted}: {len(took) / passed:.0f} presses/s, p50 {p50:.1f} ms, p99 {p99:.1f} ms; "
        f"CPU a press: bots {bots_:.2f} ms, database {database:.2f} ms, Discord and people {people:.2f} ms, together "
        f"{sum(spent_by) / passed:.2f} of {psutil.cpu_count()} cores; {answers(games)}"
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="make bench-scale", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=120, help="open tables of two")
    parser.add_argument("--rates", nargs="*", type=float, default=(40.0,), help="presses a second")
    parser.add_argument("--processes", nargs="+", type=int, default=(1, 2, 3), help="processes on PostgreSQL")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long a measurement runs")
    parser.add_argument(
        "--databases", nargs="+", choices=(SQLITE, POSTGRES), default=(SQLITE, POSTGRES), help="what it plays on"
    )
    args = parser.parse_args()
    # What is measured waits for its disk.
    DATABASES.settings = ()
    for DATABASES.kind in args.databases:
        for processes in (1,) if DATABASES.kind == SQLITE else args.processes:
            asyncio.run(measure(args.tables, processes, args.rates, args.seconds))


if __name__ == "__main__":
    main()
