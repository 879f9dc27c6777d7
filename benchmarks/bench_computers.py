"""Measure how many servers' computer tables delay another server's clocks.

Run it with ``python -m benchmarks.bench_computers``. The hosts of the computer tables place their cards as soon as they
can. In another server, two players play one hand after another, and the delays of their presses and clocks are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.base.command_help import HelpFormatter, examples
from bot.chat.clockwork import BEAT_SECONDS, SLACK_MS
from bot.model.clock import Clock, Pace
from bot.model.ids import COMPUTERS, GuildId, Player, TableKey
from bot.model.refusals import Stale
from bot.model.tables import Terms
from bot.play.api.play import Play
from bot.play.api.timekeeper import Timekeeper
from bot.play.session.policy import Policy
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.refusals import Refused
from bot.pure.solver.arrange import best_arrangement
from bot.pure.solver.levels import Level
from bot.run.app import settle_in
from bot.run.wiring import build_core
from bot.store.sqlite.database import SqliteDatabase
from bot.store.storage import SqlStorage
from bot.store.vault import SeedVault
from bot.workers.worker_pool import WorkerPool, default_workers

POLICY = Policy(start_chips=10**9, next_hand_ms=1_000)
VICTIMS = GuildId(1)
LAG_SECONDS = 0.005
"""Interval of the event loop's lag measurements."""
CAUSES = itertools.count(1)


@dataclass(slots=True)
class Waits:
    """Measured times in seconds, by kind."""

    tick: list[float] = field(default_factory=list)
    lag: list[float] = field(default_factory=list)
    look: list[float] = field(default_factory=list)
    write: list[float] = field(default_factory=list)
    late_ms: int = 0
    """The largest delay of a clock tick."""
    given_back_ms: int = 0
    computers_turns: int = 0


def now_ms() -> int:
    """Return the machine's time (ms)."""
    return time.time_ns() // 1_000_000


def _cause() -> str:
    return f"press {next(CAUSES)}"


async def _open(
    play: Play, guild: int, host: Player, *guests: Player, game: str, computers: Sequence[Player] = ()
) -> TableKey:
    offer = TableOffer(
        guild=GuildId(guild),
        channel=guild,
        host=host,
        language="en",
        terms=Terms(
            variant=PRESETS[game],
            point_value=0,
            buy_in=0,
            max_seats=PRESETS[game].max_seats,
            clock=Clock(pace=Pace.PER_TURN, seconds=60),
        ),
        computers=tuple(computers),
    )
    key = (await play.open_table(offer, cause=_cause())).key
    for guest in guests:
        await play.join(key, guest, cause=_cause())
    await play.start(key, host, cause=_cause())
    return key


async def _place_cards(play: Play, key: TableKey, player: Player, waits: Waits) -> bool:
    """Place the player's cards if it's their turn, and record the times of viewing and placing."""
    began = time.perf_counter()
    view = await play.look(key, player)
    waits.look.append(time.perf_counter() - began)
    hand = view.hand
    if hand is None or hand.mine is None or player not in view.waiting:
        return False
    held = [card for card in hand.mine.held if card is not None]
    if hand.mine.fantasyland or hand.variant.at_once:
        # A human decides in their head, which costs the bot nothing.
        rows = await asyncio.to_thread(best_arrangement, hand.variant, held)
    else:
        front, middle, back = (tuple(card for card in row if card is not None) for row in hand.mine.rows)
        rows = automatic_placement((front, middle, back), held, to_place=hand.to_place)
    began = time.perf_counter()
    try:
        await play.place_cards(key, player, hand_no=view.table.hand_no, street=hand.street, rows=rows, cause=_cause())
    except (Refused, Stale):
        return False
    waits.write.append(time.perf_counter() - began)
    return True


async def _clock(clock: Timekeeper, waits: Waits) -> None:
    """Run the clock as the bot does."""
    counted_to = now_ms()
    while True:
        now = now_ms()
        late = now - counted_to - BEAT_SECONDS * 1000
        waits.late_ms = max(waits.late_ms, late)
        if late > SLACK_MS:
            waits.given_back_ms += late
            await clock.stood_still(late)
        counted_to = now
        began = time.perf_counter()
        await clock.tick()
        waits.tick.append(time.perf_counter() - began)
        await asyncio.sleep(max(0.0, BEAT_SECONDS - (time.perf_counter() - began)))


async def _lag(waits: Waits) -> None:
    while True:
        began = time.perf_counter()
        await asyncio.sleep(LAG_SECONDS)
        waits.lag.append(time.perf_counter() - began - LAG_SECONDS)


async def _host(play: Play, key: TableKey, player: Player) -> None:
    """Play as a host who never pauses to think."""
    unseen = Waits()
    while True:
        if not await _place_cards(play, key, player, unseen):
            await asyncio.sleep(0.5)


async def _victims(play: Play, key: TableKey, players: tuple[Player, ...], waits: Waits) -> None:
    while True:
        for player in players:
            await _place_cards(play, key, player, waits)
            await asyncio.sleep(0.05)


@asynccontextmanager
async def _all(*work: Awaitable[None]) -> AsyncIterator[None]:
    tasks = [asyncio.ensure_future(one) for one in work]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _turns_of_computers(folder: Path) -> int:
    import sqlite3

    with sqlite3.connect(folder / "chaipo.db") as sql:
        return int(sql.execute("SELECT COUNT(*) FROM table_log WHERE actor LIKE 'computer-%'").fetchone()[0])


async def measure(folder: Path, args: argparse.Namespace, *, tables: int) -> Waits:
    """Play for ``args.seconds`` with ``tables`` computer tables."""
    database = await SqliteDatabase.open(folder / "chaipo.db")
    everything = 10**6
    policy = replace(POLICY, **_limits(everything))
    workers = WorkerPool(args.workers)
    vault = SeedVault.open(folder / "chaipo.key")
    core = build_core(SqlStorage(database), vault, policy=policy, now_ms=now_ms, workers=workers)
    play = core.play
    await core.timekeeper.resume()
    settle_in()
    two = (Player("1"), Player("2"))
    mine = await _open(play, VICTIMS, *two, game="pineapple")
    hosts = [(100 + number % args.servers, Player(str(1000 + number))) for number in range(tables)]
    computers = COMPUTERS[Level(args.level)][: args.computers]
    theirs = [await _open(play, guild, host, game=args.game, computers=computers) for guild, host in hosts]
    waits = Waits()
    attack = [_host(play, key, host) for key, (_, host) in zip(theirs, hosts, strict=True)]
    async with _all(_clock(core.timekeeper, waits), _lag(waits), _victims(play, mine, two, waits), *attack):
        await asyncio.sleep(args.seconds)
    waits.computers_turns = await _turns_of_computers(folder)
    await core.timekeeper.stop()
    workers.close()
    await database.close()
    return waits


def _limits(most: int) -> dict[str, int]:
    """Return all policy limits that would stop the attack, raised to ``most``."""
    return {name: most for name in Policy.__dataclass_fields__ if name.startswith(("computers", "tables", "lobbies"))}


def _report(name: str, waits: Waits) -> str:
    def worst(seconds: list[float]) -> str:
        return f"{1000 * max(seconds):.0f} ms"

    def usual(seconds: list[float], part: Callable[[list[float]], float] = statistics.median) -> str:
        return f"{1000 * part(seconds):.1f}"

    p99 = usual(waits.lag, lambda some: statistics.quantiles(some, n=100)[98])
    return (
        f"{name:<24} tick max {worst(waits.tick):>8}  loop lag p99 {p99:>6} max {worst(waits.lag):>8}  "
        f"look p50 {usual(waits.look):>6} max {worst(waits.look):>8}  write p50 {usual(waits.write):>6} "
        f"max {worst(waits.write):>8}  beat late {waits.late_ms:>5} ms  given back {waits.given_back_ms:>5} ms  "
        f"computers' turns {waits.computers_turns}"
    )


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_computers",
        description=__doc__,
        epilog=examples("", "--tables 10 --servers 2 --level master --seconds 60"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--tables", type=int, default=50, help="computer tables")
    parser.add_argument("--servers", type=int, default=10, help="servers for the computer tables")
    parser.add_argument(
        "--game",
        default="joker_ultimate",
        choices=PRESETS,
        metavar="GAME",
        help="the game (`python -m bot games` lists them)",
    )
    parser.add_argument("--computers", type=int, default=2, help="computers per table")
    parser.add_argument("--level", default="club", choices=[level.value for level in Level], help="computers' level")
    parser.add_argument(
        "--workers", type=int, default=default_workers(), help="worker processes (default: chosen to match the machine)"
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="duration of each measurement in seconds")
    return parser


def main() -> None:
    """Measure without and with the computer tables."""
    args = parser().parse_args()
    for tables in (0, args.tables):
        with tempfile.TemporaryDirectory() as folder:
            waits = asyncio.run(measure(Path(folder), args, tables=tables))
        print(_report(f"{tables} tables of computers", waits), flush=True)


if __name__ == "__main__":
    main()
