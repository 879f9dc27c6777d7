"""Measure the capacity of one, two and three bot processes on one database, with the stand-in as a service.

The bots are separate processes (``python -m bot``) that log in over sockets. They share the shards of one PostgreSQL
server that waits for its disk. One process on SQLite is measured for comparison. Players press at heads-up tables in
servers of all shards, first at given rates, then as fast as the bots respond. Latencies are measured from the time at
which a press was due.

Processor time is counted separately for the bots, the database server, and this process, which runs Discord and all
players. All of them share the machine, so the throughput is specific to it. The cost per press of each part shows how
much would fit on a larger one. The memory per server and the disk space per hand are measured as well. docs/capacity.md
uses all of these numbers.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from typing_extensions import override

from benchmarks.bench_load import (
    AT_ONCE_HOUSE,
    NO_LIMIT_MS,
    POLICY,
    PRESSES_PER_HAND,
    PROMISES,
    TABLES_PER_GUILD,
    Game,
    Place,
    Pressing,
    answers,
    now_ms,
    picks,
    place_next,
    prepare,
    press_at,
    say,
)
from bot.base.command_help import HelpFormatter, examples
from bot.model.ids import TableKey
from bot.run.wiring import build_core
from bot.store.opening import Place as Address
from bot.store.opening import open_database
from bot.store.storage import SqlStorage
from bot.store.vault import SeedVault
from tests.databases import DATABASES, POSTGRES, SQLITE, Eyes, do, place_in
from tests.standin.bot_process import BotProcess
from tests.standin.rest import Fault, Request
from tests.standin.sent import Sent
from tests.standin.service import Service
from tests.standin.things import User

SHARDS = 6
FASTER_THAN_ANY = 500.0
"""A rate (presses per second) beyond this machine's capacity, so that each table is pressed again as soon as the bot
has responded."""
AT_ONCE = 24
"""Tables that are pressed as fast as the bots respond."""
FEW_AT_ONCE = 6
"""Tables for comparing costs per press, few enough for quick responses even on a busier machine."""
HANDS = 20
"""Hands per table when measuring disk space per hand."""
CHANNELS, FEW, MANY = 40, 100, 2_100
"""Channels per server, and the two numbers of servers when measuring memory per server."""
PARTS = ("servers", "storage", "turns", "play")
TIMES = 3
"""Number of measurements of each database."""
REST_SECONDS = 3.0
"""Pause between two measurements."""
IDLE_FOR_SECONDS = 6.0
"""Duration of the measurement without presses."""
IDLE_SECONDS = 0.1
"""Processor time in an interval below which a bot counts as idle."""
DEALT = (
    "SELECT game_table.hand_no, seat.player, seat.fantasyland, seat.deadline FROM game_table "
    "JOIN seat ON seat.guild_id = game_table.guild_id AND seat.table_id = game_table.table_id "
    "WHERE game_table.guild_id = ? AND game_table.table_id = ? AND game_table.state = 'playing' "
    "AND game_table.hand_no > ? ORDER BY seat.seat_no"
)


@dataclass(eq=False, kw_only=True)
class Told(Pressing):
    """Players of bots in other processes. They read from the database whose turn it is."""

    eyes: Eyes
    played: int = 1
    """Number of the current hand."""

    @override
    async def ready(self) -> bool:
        rows = self.eyes(DEALT, (self.place.key.guild, self.place.key.table, self.played))
        # A turn gets its deadline once a message has announced it.
        first = next((n for n, (_, _, away, deadline) in enumerate(rows) if deadline and not away), None)
        away = [player for _, player, fantasyland, _ in rows if fantasyland]
        if not rows or (first is None and len(away) < len(rows)):
            return False
        players = [player for _, player, _, _ in rows]
        order = players[first or 0 :] + players[: first or 0]
        self.played = rows[0][0]
        self.steps = self.hand(self.played, order, away, street=1)
        return True

    @override
    def done(self, sent: Sent) -> None:
        # The pressed panel may have been posted again below the table, so a new panel isn't a wrong response.
        self.promised += sent.callback in PROMISES
        if sent.answer is not None:
            self.panels[sent.user.id] = sent.answer
            return
        self.wrong += sent.callback not in PROMISES
        # The next press would come before the response, so this table stops playing the hand.
        self.steps = iter(())


class Turns(Told):
    """Players who open their panel each turn, then confirm. One press reads the whole table, the other writes."""

    @override
    def hand(self, number: int, order: Sequence[str], away: Sequence[str], street: int) -> Iterator[tuple[User, str]]:
        opened = f"c1:hand:{self.place.number}:{number}:0:::"
        for user, custom_id in super().hand(number, order, away, street):
            if ":confirm:" in custom_id:
                yield user, opened
                yield user, custom_id

    @override
    def done(self, sent: Sent) -> None:
        if sent.answer is None:
            # There was no response in time, so press again. If the action has taken effect, the response says that it's
            # too late.
            self.promised += sent.callback in PROMISES
            self.wrong += sent.callback not in PROMISES
            self.steps = itertools.chain([(sent.user, sent.custom_id)], self.steps)
        else:
            super().done(sent)


class Weighed(Service):
    """A stand-in that counts the bytes of JSON sent and received."""

    sent = received = 0

    @override
    def feed(self, event: str, payload: Mapping[str, Any]) -> list[asyncio.Task[Any]]:
        self.sent += len(json.dumps(payload))
        return super().feed(event, payload)

    @override
    def _asked(self, request: Request) -> Fault | None:
        self.received += len(request.body)
        return super()._asked(request)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """All processes involved in a measurement."""

    discord: Weighed
    bots: Sequence[psutil.Process]
    database: Sequence[psutil.Process]
    eyes: Eyes

    def spent(self) -> tuple[float, float, float]:
        """Return the processor time so far (s) of the bots, the database server and this process."""
        return _seconds(self.bots), _seconds(self.database), time.process_time()

    def moved(self) -> tuple[int, int, int, int]:
        """Return the totals so far: bytes of events and requests, PostgreSQL transactions, and bytes of its log."""
        logged = self.eyes(LOGGED)[0] if self.database else (0, 0)
        return (self.discord.sent, self.discord.received, *logged)


def _seconds(processes: Sequence[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)


LOGGED = (
    "SELECT (SELECT CAST(sum(xact_commit) AS BIGINT) FROM pg_stat_database), "
    "(SELECT CAST(wal_bytes AS BIGINT) FROM pg_stat_wal)"
)


def _server() -> list[psutil.Process]:
    """Return the processes of PostgreSQL: the server and its children."""
    if DATABASES.kind == SQLITE:
        return []
    first = psutil.Process(int((DATABASES.server.folder / "postmaster.pid").read_text().split()[0]))
    return [first, *first.children(recursive=True)]


def spots_of(discord: Service, tables: int) -> list[Place]:
    """Return places in servers of all shards in turn."""
    found = []
    for number in range(tables):
        server, table = divmod(number, TABLES_PER_GUILD)
        guild = discord.guild_on(server % discord.shards, server // discord.shards)
        users = (discord.user(2 * number + 1), discord.user(2 * number + 2))
        found.append(Place(discord.channel(guild, table + 1), table + 1, users))
    return found


@asynccontextmanager
async def bots(discord: Service, address: Address, folder: Path, *, processes: int) -> AsyncIterator[list[BotProcess]]:
    """Run processes of the bot that share all shards. A single process needs no lease."""
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
            # A forked process would share its memory with others.
            log = folder / f"{number}.log"
            running.append(BotProcess(discord.url, settings, log=log, module=BotProcess.__module__))
        await discord.until(lambda: discord.held == set(range(discord.shards)), seconds=120)
        yield running
    finally:
        for bot in running:
            bot.end()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """Running bots with their tables."""

    games: Sequence[Pressing]
    machine: Machine
    idle: Sequence[float]
    what: str


@asynccontextmanager
async def hall(tables: int, processes: int, pressed_by: type[Told]) -> AsyncIterator[Hall]:
    """Start ``processes`` bots on one database."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        discord = Weighed(shards=SHARDS, logins_at_once=SHARDS, answer_within_ms=NO_LIMIT_MS, kept_requests=1)
        begun = await amid_their_hands(folder, spots_of(discord, tables))
        address = place_in(folder)
        eyes = Eyes(address)
        games = [pressed_by(game.place, steps=game.steps, eyes=eyes) for game in begun]
        async with discord.serving(), bots(discord, address, folder, processes=processes) as running:
            await discord.until(lambda: all(channel.public() for channel in discord.channels.values()), seconds=300)
            await _share(discord, eyes, processes)
            numbers = [psutil.Process(bot.number) for bot in running]
            machine = Machine(discord=discord, bots=numbers, database=_server(), eyes=eyes)
            what = f"{DATABASES.kind}, {processes} process{'es' * (processes > 1)}, {tables} tables"
            idle = await _idle(machine)
            say(f"scale   {what}, nobody presses: bots {idle[0]:.1%} of a core, database {idle[1]:.1%}")
            yield Hall(games=games, machine=machine, idle=idle, what=what)
        eyes.close()


async def measure(tables: int, processes: int, rates: Sequence[float], seconds: float) -> None:
    """Measure presses row by row at each rate."""
    async with hall(tables, processes, Told) as made:
        for rate in (*rates, FASTER_THAN_ANY):
            await asyncio.sleep(REST_SECONDS)
            await _press(made, rate=rate, seconds=seconds)
    DATABASES.forget()


async def turns(tables: int, seconds: float) -> None:
    """Compare the cost of a press on both databases. Two bots run and are pressed in turn."""
    costs: dict[str, list[float]] = {SQLITE: [], POSTGRES: []}
    async with AsyncExitStack() as stack:
        halls = {}
        for kind in costs:
            with DATABASES.playing_on(kind):
                halls[kind] = await stack.enter_async_context(hall(tables, 1, Turns))
        for time_ in range(1 + TIMES):
            for kind, made in halls.items():
                await asyncio.sleep(REST_SECONDS)
                cost = await _press(made, rate=FASTER_THAN_ANY, seconds=seconds, at_once=FEW_AT_ONCE)
                # The first run costs more.
                costs[kind] += [cost] * bool(time_)
    DATABASES.forget()
    one, other = (statistics.median(costs[kind]) for kind in (SQLITE, POSTGRES))
    say(f"turns   a press costs the bot {one:.2f} ms on SQLite, {other:.2f} ms on PostgreSQL: {other / one:.2f} times")


async def amid_their_hands(folder: Path, spots: Sequence[Place]) -> list[Game]:
    """Return tables at random points of their first hand, in random order."""
    await prepare(folder, spots)
    chance = random.Random(len(spots))
    database = await open_database(place_in(folder))
    core = build_core(SqlStorage(database), SeedVault.open(folder / "chaipo.key"), policy=POLICY, now_ms=now_ms)
    games = [Game(spot, play=core.play) for spot in chance.sample(list(spots), len(spots))]
    await asyncio.gather(*(game.begin_somewhere(chance.randrange(PRESSES_PER_HAND)) for game in games))
    await database.close()
    return games


async def _share(discord: Service, eyes: Eyes, processes: int) -> None:
    """Wait until each process has its share of the shards and all shards are connected."""
    counted = "SELECT COUNT(*) FROM shard_lease GROUP BY process_id"
    if processes > 1:
        shares = [SHARDS // processes] * processes
        await discord.until(lambda: [count for (count,) in eyes(counted)] == shares, seconds=120)
    await discord.until(lambda: discord.held == set(range(discord.shards)), seconds=120)


async def _idle(machine: Machine) -> list[float]:
    """Return the share of a core that each part uses without presses."""
    await asyncio.sleep(REST_SECONDS)
    spent = machine.spent()
    await asyncio.sleep(IDLE_FOR_SECONDS)
    return [(after - before) / IDLE_FOR_SECONDS for before, after in zip(spent, machine.spent(), strict=True)]


async def _press(made: Hall, *, rate: float, seconds: float, at_once: int = AT_ONCE) -> float:
    """Press and print the results; return the bots' processor time per press (ms)."""
    games, machine, idle, what = made.games, made.machine, made.idle, made.what
    spent, moved, begun = machine.spent(), machine.moved(), time.monotonic()
    pressed = games[:at_once] if rate == FASTER_THAN_ANY else games
    took, _ = await press_at(machine.discord, pressed, rate=rate, seconds=seconds)
    passed, presses = time.monotonic() - begun, len(took)
    cpu = [after - before for before, after in zip(spent, machine.spent(), strict=True)]
    events, requests, commits, logged = (
        (after - before) / presses for before, after in zip(moved, machine.moved(), strict=True)
    )
    bots_, database, people = (1000 * (part - passed * share) / presses for part, share in zip(cpu, idle, strict=True))
    p50, p99, _ = (1000 * pick for pick in picks(took))
    wanted = f"as fast as it goes, {at_once} at a time" if rate == FASTER_THAN_ANY else f"{rate:g} presses/s wanted"
    say(
        f"scale   {what}, {wanted}: {presses / passed:.0f} presses/s, p50 {p50:.1f} ms, p99 {p99:.1f} ms; "
        f"CPU a press: bots {bots_:.2f} ms, database {database:.2f} ms, Discord and people {people:.2f} ms, "
        f"together {sum(cpu) / passed:.2f} of {psutil.cpu_count()} cores; a press: {events / 1000:.1f} KB of events, "
        f"{requests / 1000:.1f} KB of requests, {commits:.2f} transactions, {logged / 1000:.1f} KB of log; "
        f"{answers(games)}"
    )
    return bots_


async def storage(tables: int, hands: int) -> None:
    """Measure the disk space per hand, by playing ``hands`` hands at each table without the bot."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spots = spots_of(Service(shards=SHARDS), tables)
        await prepare(folder, spots)
        database = await open_database(place_in(folder))
        vault = SeedVault.open(folder / "chaipo.key")
        core = build_core(SqlStorage(database), vault, policy=AT_ONCE_HOUSE, now_ms=now_ms)
        causes, sizes = itertools.count(1), []

        async def play_hand(key: TableKey) -> None:
            while (view := await core.play.look(key)).waiting:
                await place_next(core.play, key, view, cause=f"x{next(causes)}")

        for hand in range(1, hands + 1):
            await asyncio.gather(*(play_hand(spot.key) for spot in spots))
            await core.timekeeper.tick()
            if hand in (1, hands):
                sizes.append(_size(place_in(folder)))
        await database.close()
    DATABASES.forget()
    grown = (sizes[1] - sizes[0]) / (tables * (hands - 1))
    say(f"storage {DATABASES.kind}, {tables * (hands - 1)} hands of two: {grown / 1000:.1f} KB a hand")


def _size(address: Address) -> int:
    """Return the size of a database in bytes, after removing dead rows."""
    with closing(Eyes(address)) as eyes:
        if isinstance(address, Path):
            ((pages, size),) = eyes("SELECT page_count, page_size FROM pragma_page_count, pragma_page_size")
            return int(pages * size)
        do(address, "VACUUM")
        return int(eyes("SELECT pg_database_size(current_database())")[0][0])


async def servers(few: int, many: int) -> None:
    """Measure a server's cost to a process: memory, and processor time until the bot has loaded it."""
    less, sooner = await _with_servers(few)
    more, later = await _with_servers(many)
    say(
        f"servers {few} and {many} with {CHANNELS} channels each: {less / 1e6:.0f} and {more / 1e6:.0f} MB of memory, "
        f"{(more - less) / (many - few) / 1000:.1f} KB a server; "
        f"{1000 * (later - sooner) / (many - few):.2f} ms of CPU until one is known"
    )


async def _with_servers(count: int) -> tuple[int, float]:
    """Return the memory (bytes) and processor time (s) of a bot that has just logged in to ``count`` servers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        discord = Weighed(shards=1)
        for guild in [discord.guild_on(0, number) for number in range(count)]:
            for channel in range(CHANNELS):
                discord.channel(guild, channel)
        async with discord.serving(), bots(discord, folder / "chaipo.db", folder, processes=1) as (bot,):
            await discord.until(lambda: bool(discord.commands), seconds=120)
            process = psutil.Process(bot.number)
            spent = -IDLE_SECONDS
            # It has loaded all servers once it's idle.
            while (now := _seconds([process])) - spent >= IDLE_SECONDS:
                spent = now
                await asyncio.sleep(REST_SECONDS)
            return process.memory_info().rss, now


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_scale",
        description=__doc__,
        epilog=examples(
            "--parts play --tables 240 --rates 60 120 --processes 1 3", "--parts turns --databases postgres"
        ),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="parts to measure")
    parser.add_argument("--tables", type=int, default=120, help="open heads-up tables")
    parser.add_argument("--rates", nargs="*", type=float, default=(40.0,), help="play: presses per second")
    parser.add_argument(
        "--processes", nargs="+", type=int, default=(1, 2, 3), help="play: bot processes on PostgreSQL, in turn"
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="duration of each measurement in seconds")
    parser.add_argument(
        "--databases",
        nargs="+",
        choices=(SQLITE, POSTGRES),
        default=(SQLITE, POSTGRES),
        help="storage and play: databases to use, in turn",
    )
    return parser


def main() -> None:
    """Run the command line."""
    args = parser().parse_args()
    # The measured database waits for its disk.
    DATABASES.settings = ()
    if "servers" in args.parts:
        asyncio.run(servers(FEW, MANY))
    if "turns" in args.parts:
        asyncio.run(turns(args.tables, args.seconds))
    for DATABASES.kind in args.databases:
        if "storage" in args.parts:
            asyncio.run(storage(args.tables, HANDS))
        for processes in ((1,) if DATABASES.kind == SQLITE else args.processes) if "play" in args.parts else ():
            asyncio.run(measure(args.tables, processes, args.rates, args.seconds))


if __name__ == "__main__":
    main()
