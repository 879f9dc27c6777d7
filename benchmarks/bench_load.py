"""Measure how many tables the whole bot can handle, with real cogs, SQLite (synchronous=FULL) and a stand-in Discord.

The bot, the stand-in and the players share one process, so the players' cost counts against the bot. The presses are
those of real players: My hand once per hand, each row, and each Confirm (38 presses per hand of heads-up Pineapple).
In the open loop, latencies are measured from the time at which a press was due, so a stalled bot can't hide them.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import random
import statistics
import tempfile
import time
import tracemalloc
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typing_extensions import override

from bot.base.command_help import HelpFormatter, examples
from bot.model.clock import Clock, Pace
from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.model.tables import TableState, Terms
from bot.play.api.play import Play
from bot.play.queries.views import TableView
from bot.play.session.policy import Policy
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.log import CardsPlaced, PlacedBy
from bot.pure.ofc.presets import PRESETS
from bot.run.app import ChaipoBot, settle_in
from bot.run.wiring import OperatorChoices, Resources, build_bot, build_core
from bot.store import storage
from bot.store.opening import open_database
from bot.store.sqlite.database import DEFAULT_PATIENCE_SECONDS, SqliteDatabase
from bot.store.storage import SqlStorage
from bot.store.vault import SeedVault
from tests.backstage import transactions_of
from tests.databases import DATABASES, POSTGRES, SQLITE, place_in
from tests.discord.club import HASTY
from tests.simulation.disk import Disk
from tests.simulation.loop import SimulatedLoop
from tests.standin.rest import Request
from tests.standin.sent import Sent
from tests.standin.standin import Standin
from tests.standin.things import Channel, Message, User

TABLES_PER_GUILD = 20
STREETS = ("BBBBB", "MM", "MM", "MF", "FF")
"""The rows in which every player places, street by street. They're always legal and nearly always foul."""
FANTASYLAND = "FFFMMMMMBBBBB"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
PRESSES_PER_HAND = 38
PROMISES = (5, 6)
"""Discord's callback types of a deferred response."""
AT_ONCE = 256
SLOW_DISK_MS = 2
NO_LIMIT_MS = 10**9
TURN_SECONDS = 299
MAX_TRACED_TABLES = 1000
"""Maximum number of tables whose memory is traced. A table's cost doesn't depend on how many others there are."""
DRAWING_SECONDS = 5
"""Time for presses after a start."""


def now_ms() -> int:
    """Return the time (ms) of the machine, or of a simulated loop."""
    with suppress(RuntimeError):
        if isinstance(loop := asyncio.get_running_loop(), SimulatedLoop):
            return int(loop.time() * 1000)
    return time.time_ns() // 1_000_000


def say(text: str) -> None:
    """Print a line and flush it."""
    print(text, flush=True)


@dataclass
class Place:
    """A table's channel and number in the stand-in, and its players."""

    channel: Channel
    number: int
    users: tuple[User, User]

    @property
    def key(self) -> TableKey:
        """The table's key."""
        return TableKey(guild=GuildId(self.channel.guild.id), table=TableId(self.number))


def place(discord: Standin, number: int) -> Place:
    """Return the place of the table with this number, counted from 0."""
    guild, table = divmod(number, TABLES_PER_GUILD)
    channel = discord.channel(discord.guild(guild + 1), table + 1)
    return Place(channel, table + 1, (discord.user(2 * number + 1), discord.user(2 * number + 2)))


@dataclass(eq=False)
class Pressing:
    """Two players who take turns pressing the buttons of a hand."""

    place: Place
    panels: dict[int, Message] = field(default_factory=dict)
    steps: Iterator[tuple[User, str]] = field(default_factory=lambda: iter(()))
    promised: int = 0
    """Presses whose response was deferred because it took more than 1.5 seconds."""
    wrong: int = 0
    """Presses with an unexpected response."""

    async def ready(self) -> bool:
        """Prepare the next hand; False if it isn't dealt yet."""
        raise NotImplementedError

    def hand(self, number: int, order: Sequence[str], away: Sequence[str], street: int) -> Iterator[tuple[User, str]]:
        """Yield the presses of a hand, given the players in order and those in Fantasyland (``away``)."""
        users = {str(user.id): user for user in self.place.users}
        where = f"{self.place.number}:{number}"
        for player in order:
            yield users[player], f"c1:hand:{where}:0:::"
        for player in away:
            placed = "".join(DIGITS[card] + row for card, row in enumerate(FANTASYLAND))
            yield users[player], f"c1:confirm:{where}:{max(street, 1)}:{placed}::"
        for street, rows in enumerate(STREETS, 1):
            for user in (users[player] for player in order if player not in away):
                placed = ""
                for card, row in enumerate(rows):
                    yield user, f"c1:row:{where}:{street}:{placed}::{row}"
                    placed += DIGITS[card] + row
                yield user, f"c1:confirm:{where}:{street}:{placed}::"

    def press(self, discord: Standin) -> Sent | None:
        """Return the next press; None when the hand is over."""
        step = next(self.steps, None)
        if step is None:
            return None
        user, custom_id = step
        message = self.panels.get(user.id)
        if ":hand:" in custom_id or message is None:
            message = next(reversed(self.place.channel.public()))
        return discord.press(user, message, custom_id)

    def done(self, sent: Sent) -> None:
        """Record the response to a press."""
        on_panel = sent.pressed is not None and sent.pressed.owner is not None
        self.promised += sent.callback in PROMISES
        if sent.answer is None or sent.callback not in (*PROMISES, 7 if on_panel else 4):
            self.wrong += 1
        else:
            self.panels[sent.user.id] = sent.answer


@dataclass(eq=False, kw_only=True)
class Game(Pressing):
    """Players at a bot in this process. They get the state of the table from its use cases."""

    play: Play

    @override
    async def ready(self) -> bool:
        view = await self.play.look(self.place.key)
        hand = view.hand
        if view.table.state is not TableState.PLAYING or not view.waiting or hand is None:
            return False
        seats = [seat.player for seat in hand.seats]
        first = seats.index(view.waiting[0])
        away = [seat.player for seat in hand.seats if seat.fantasyland]
        self.steps = self.hand(view.table.hand_no, seats[first:] + seats[:first], away, hand.street)
        return True

    async def begin_somewhere(self, presses: int) -> None:
        """Advance the hand as if ``presses`` presses had been made. Streets are placed without pressing."""
        await self.ready()
        for user, custom_id in itertools.islice(self.steps, presses):
            _, verb, _, hand, street, draft, *_ = custom_id.split(":")
            if verb == "confirm":
                rows = draft[1::2] + "D" * (street != "1")
                key, player, cause = self.place.key, Player(str(user.id)), f"{self.place.key}{user.id}{custom_id}"
                await self.play.place_cards(key, player, hand_no=int(hand), street=int(street), rows=rows, cause=cause)


def answers(games: Sequence[Pressing]) -> str:
    """Return the counts of deferred and wrong responses."""
    promised, wrong = (sum(getattr(game, kind) for game in games) for kind in ("promised", "wrong"))
    return f"{promised} promised, {wrong} wrong answers"


class Redraws:
    """Counts the redraws saved by coalescing."""

    def __init__(self) -> None:
        self.wanted = 0
        self.made = 0

    def changed(self, _: TableKey) -> None:
        """Count a change of a table."""
        self.wanted += 1

    def hook(self, request: Request) -> None:
        """Count a request if it draws a table."""
        if request.kind in ("edit", "send") and '"c1:leave:' in request.body:
            self.made += 1

    @override
    def __str__(self) -> str:
        saved = 1 - self.made / self.wanted if self.wanted else 0
        return f"redraws wanted {self.wanted}, made {self.made} (saved {saved:.0%})"


@dataclass
class Hall:
    """The bot with its tables."""

    discord: Standin
    bot: ChaipoBot
    games: list[Game]
    redraws: Redraws

    async def begin(self) -> None:
        """Wait until every table is drawn, then reset the counters and enforce Discord's limits."""
        await self.bot.services.publisher.drawn()
        gc.collect()
        self.redraws.wanted = self.redraws.made = 0
        self.discord.limits.enforced = True


POLICY = Policy(start_chips=10**9)
AT_ONCE_HOUSE = Policy(start_chips=10**9, next_hand_ms=0)


def make_discord() -> Standin:
    """Return a stand-in that waits for late responses and keeps only a few requests."""
    return Standin(now_ms=now_ms, answer_within_ms=NO_LIMIT_MS, kept_requests=1)


async def _opened(folder: Path) -> storage.Database[Any]:
    """Open the database in ``folder``, without threads on a simulated loop."""
    if isinstance(asyncio.get_running_loop(), SimulatedLoop):
        return await Disk(folder / "chaipo.db", random.Random(1)).open(say)
    return await open_database(place_in(folder), patience_seconds=DEFAULT_PATIENCE_SECONDS)


async def prepare(folder: Path, spots: Sequence[Place]) -> None:
    """Open tables and deal their first hand with use cases, without the bot."""
    database = await _opened(folder)
    vault = SeedVault.open(folder / "chaipo.key")
    play = build_core(SqlStorage(database), vault, policy=POLICY, now_ms=now_ms).play
    causes = itertools.count(1)

    async def open_one(spot: Place) -> None:
        host, guest = (Player(str(user.id)) for user in spot.users)
        offer = TableOffer(
            guild=spot.key.guild,
            channel=spot.channel.id,
            host=host,
            language="en",
            terms=Terms(
                variant=PRESETS["pineapple"],
                point_value=1,
                buy_in=10**6,
                max_seats=3,
                clock=Clock(pace=Pace.PER_TURN, seconds=TURN_SECONDS),
            ),
        )
        table = await play.open_table(offer, cause=str(next(causes)))
        await play.join(table.key, guest, cause=str(next(causes)))
        await play.start(table.key, host, cause=str(next(causes)))

    # A server numbers its tables in the order in which they were opened.
    for first in range(TABLES_PER_GUILD):
        column = spots[first::TABLES_PER_GUILD]
        for begin in range(0, len(column), AT_ONCE):
            await asyncio.gather(*map(open_one, column[begin : begin + AT_ONCE]))
    await database.close()


async def start_bot(folder: Path, discord: Standin, policy: Policy) -> ChaipoBot:
    """Start the bot on the database in ``folder``."""
    vault = SeedVault.open(folder / "chaipo.key")
    database = await _opened(folder)
    discord.closing.push_async_callback(database.close)
    operation = OperatorChoices(policy=policy, rates=HASTY, shard_count=1)
    bot = build_bot(Resources(database=database, vault=vault), operation, now_ms=now_ms)
    await discord.start(bot)
    # ``python -m bot`` also does this when it's ready.
    settle_in()
    return bot


@asynccontextmanager
async def hall(tables: int, policy: Policy) -> AsyncIterator[Hall]:
    """Start the bot with ``tables`` drawn tables in their first hand. Limits aren't enforced until ``begin``."""
    with tempfile.TemporaryDirectory() as name:
        discord = make_discord()
        # The first drawing of ten thousand tables takes minutes within the limits, and isn't measured.
        discord.limits.enforced = False
        spots = [place(discord, number) for number in range(tables)]
        await prepare(Path(name), spots)
        bot = await start_bot(Path(name), discord, policy)
        redraws = Redraws()
        discord.hook = redraws.hook
        transactions_of(bot.services.play).bus.table_changed.subscribe(redraws.changed)
        games = [Game(spot, play=bot.services.play) for spot in spots]
        made = Hall(discord, bot, games, redraws)
        try:
            await bot.services.publisher.draw_open_tables()
            await made.bot.services.publisher.drawn()
            yield made
        finally:
            await discord.stop()


def spread(seconds: Sequence[float]) -> str:
    """Return the median, 99th percentile and maximum in milliseconds."""
    return "p50 {:.1f} ms, p99 {:.1f} ms, max {:.1f} ms".format(*(1000 * pick for pick in picks(seconds)))


def picks(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, 99th percentile and maximum; zeros if there are no values."""
    ordered = sorted(values) or [0.0]
    return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1]


# parts


async def store(seconds: float, disk_ms: float, tasks: int) -> None:
    """Measure only the writer. Facts are appended one at a time and acknowledged once they're on disk."""

    def trace(where: str) -> None:
        if where == "before_commit" and disk_ms:
            time.sleep(disk_ms / 1000)

    event = CardsPlaced(seat=0, street=1, rows="BBBBB", by=PlacedBy.PLAYER)
    counts = [0] * tasks
    with tempfile.TemporaryDirectory() as name:
        database = await SqliteDatabase.open(Path(name) / "chaipo.db", trace=trace)
        storage = SqlStorage(database)
        until = time.monotonic() + seconds

        async def append(task: int) -> None:
            key = TableKey(guild=GuildId(1), table=TableId(task + 1))
            while time.monotonic() < until:
                await storage.write(
                    lambda tx: tx.hands.append(
                        key, [event], hand_no=1, actor=Player("1"), cause=f"{task}-{counts[task]}", at=now_ms()
                    )
                )
                counts[task] += 1

        await asyncio.gather(*map(append, range(tasks)))
        await database.close()
    disk = f"{disk_ms:g} ms slept before each commit" if disk_ms else "the disk as it is"
    say(f"store   {tasks:>3} tasks, {disk}: {sum(counts) / seconds:,.0f} events/s")


async def closed(tables: int, seconds: float, workers: int) -> None:
    """Measure the closed loop, where each worker presses again as soon as its last press was answered."""
    async with hall(tables, AT_ONCE_HOUSE) as made:
        await made.begin()
        waiting = deque(made.games)
        took: list[float] = []
        until = time.monotonic() + seconds

        async def work() -> None:
            while time.monotonic() < until and waiting:
                game = waiting.popleft()
                sent = game.press(made.discord)
                if sent is None:
                    await made.bot.clockwork.timekeeper.tick()
                    await game.ready()
                else:
                    game.done(await sent)
                    took.append(sent.seconds)
                waiting.append(game)

        begun, cpu = time.monotonic(), time.process_time()
        await asyncio.gather(*(work() for _ in range(min(workers, tables))))
        rate, cost = len(took) / (time.monotonic() - begun), (time.process_time() - cpu) / len(took)
        say(
            f"closed  {tables:>6} tables, {min(workers, tables)} at a time: {rate:,.0f} presses/s, "
            f"{1000 * cost:.2f} ms of CPU a press, {spread(took)}; {made.redraws}; {answers(made.games)}"
        )


async def offered(tables: int, seconds: float, rate: float) -> None:
    """Measure the open loop, where presses come at a fixed rate regardless of the bot's speed."""
    async with hall(tables, POLICY) as made:
        chance = random.Random(tables)
        # No player is in Fantasyland in the first hand, so all tables place five streets.
        await asyncio.gather(*(game.begin_somewhere(chance.randrange(PRESSES_PER_HAND)) for game in made.games))
        await made.begin()
        games = chance.sample(made.games, tables)
        cpu, begun = time.process_time(), time.monotonic()
        took, skipped = await press_at(made.discord, games, rate=rate, seconds=seconds)
        busy = (time.process_time() - cpu) / (time.monotonic() - begun)
        say(
            f"open    {tables:>6} tables, {rate:g} presses/s: {spread(took)}; {busy:.0%} of a core; {made.redraws}; "
            f"{skipped} presses without a table that could be pressed, {answers(made.games)}"
        )


async def press_at(
    discord: Standin, games: Sequence[Pressing], *, rate: float, seconds: float
) -> tuple[list[float], int]:
    """Press ``rate`` times per second at the tables in turn, regardless of the bot's speed.

    Return the latency of each press, from the time at which it was due, and the number of presses for which no table
    was ready.
    """
    took: list[float] = []
    loop = asyncio.get_running_loop()
    ready = deque(games)
    asked: set[asyncio.Task[None]] = set()
    over = False

    async def prepare_hand(game: Pressing) -> None:
        while not over and not await game.ready():  # noqa: ASYNC110 - the clock deals it, and tells nobody
            await asyncio.sleep(1)
        ready.append(game)

    async def one(game: Pressing, sent: Sent, due: float) -> None:
        game.done(await sent)
        took.append((sent.answered_at or loop.time()) - due)
        ready.append(game)

    def begin(coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(coroutine)
        asked.add(task)
        task.add_done_callback(asked.discard)

    begun, skipped = loop.time(), 0
    for number in range(int(rate * seconds)):
        due = begun + number / rate
        await asyncio.sleep(max(0.0, due - loop.time()))
        while ready:
            game = ready.popleft()
            sent = game.press(discord)
            if sent is not None:
                begin(one(game, sent, due))
                break
            begin(prepare_hand(game))
        else:
            skipped += 1
    over = True
    await asyncio.gather(*asked)
    return took, skipped


async def start(tables: int) -> None:
    """Measure the time from start to the first correct response, before and after the tables were drawn."""
    with tempfile.TemporaryDirectory() as name:
        discord = make_discord()
        began = time.monotonic()
        await prepare(Path(name), [place(discord, number) for number in range(tables)])
        say(f"start   {tables:>6} tables: opened and dealt in {time.monotonic() - began:.1f} s by use cases")
        for state in ("none of them drawn", "all of them drawn"):
            began = time.monotonic()
            bot = await start_bot(Path(name), discord, POLICY)
            ready = time.monotonic() - began
            sent = await look_at(discord, tables // 2)
            first = time.monotonic() - began
            later: list[float] = []
            while time.monotonic() - began < DRAWING_SECONDS:
                await asyncio.sleep(0.1)
                later.append((await look_at(discord, len(later) % tables)).seconds)
            while await bot.services.play.undrawn():  # noqa: ASYNC110 - the database tells it, and no event
                await asyncio.sleep(0.1)
            await bot.services.publisher.drawn()
            drawn = time.monotonic() - began
            await discord.stop()
            right = sent.answer is not None and ":1:1:" in sent.answer.body
            say(
                f"start   {tables:>6} tables, {state}: ready after {ready:.2f} s, first press answered after "
                f"{first:.2f} s ({'right' if right else 'WRONG'}), presses while it draws: {spread(later)}; "
                f"nothing left to draw after {drawn:.1f} s"
            )


def look_at(discord: Standin, number: int) -> Sent:
    """Press My hand as the first player of a table."""
    spot = place(discord, number)
    shown = next(reversed(spot.channel.public()), None) or Message(1, spot.channel, "{}", None, 0)
    return discord.press(spot.users[0], shown, f"c1:hand:{spot.number}:1:0:::")


async def memory(tables: int) -> None:
    """Measure the memory of a drawn table, and of one whose two players have a panel open."""
    tracemalloc.start()
    with tempfile.TemporaryDirectory() as name:
        discord = make_discord()
        spots = [place(discord, number) for number in range(tables)]
        await prepare(Path(name), spots)
        # Modules that load on first use don't count towards a table's memory.
        bot = await start_bot(Path(name), discord, POLICY)
        before = _held(discord)
        await bot.services.publisher.draw_open_tables()
        await bot.services.publisher.drawn()
        drawn = _held(discord)
        for spot in spots:
            shown = Message(1, spot.channel, "{}", None, 0)
            for user in spot.users:
                await discord.press(user, shown, f"c1:hand:{spot.number}:1:0:::").finished()
        panels = _held(discord)
        await discord.stop()
    tracemalloc.stop()
    say(
        f"memory  {tables:>6} tables: {(drawn - before) / tables / 1000:.1f} KB a table that is drawn, "
        f"{(panels - before) / tables / 1000:.1f} KB with two open panels"
    )


def _held(discord: Standin) -> int:
    """Return the bytes in use, excluding the stand-in's records."""
    for channel in discord.channels.values():
        channel.messages.clear()
    discord.forget()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


async def growth(tables: int, hands: int) -> None:
    """Measure a press with many other tables and after many hands. Presses are made one at a time."""
    async with hall(tables, AT_ONCE_HOUSE) as made:
        await made.begin()
        game = made.games[tables // 2]
        await game.ready()
        say(f"growth  {tables:>6} tables, hand 1: {await _cost(made, game)}")
        if hands > 1:
            await _play_on(made, game, hands)
            await game.ready()
            say(f"growth  {tables:>6} tables, hand {hands}: {await _cost(made, game)}")


async def _cost(made: Hall, game: Game) -> str:
    took: dict[str, list[float]] = {"hand": [], "row": [], "confirm": []}
    for _ in range(5):
        while True:
            cpu = time.process_time()
            verb = "row"
            sent = game.press(made.discord)
            if sent is None:
                break
            game.done(await sent.finished())
            verb = next(kind for kind in took if f":{kind}:" in sent.custom_id)
            took[verb].append(time.process_time() - cpu)
        await made.bot.clockwork.timekeeper.tick()
        await game.ready()
    return "CPU a press, median: " + ", ".join(
        f"{verb} {1000 * statistics.median(times):.2f} ms" for verb, times in took.items() if times
    )


async def _play_on(made: Hall, game: Game, hands: int) -> None:
    """Play hands without presses until hand number ``hands`` is dealt."""
    play, causes = made.bot.services.play, itertools.count(1)
    while (view := await play.look(game.place.key)).table.hand_no < hands:
        if not view.waiting or view.hand is None:
            await made.bot.clockwork.timekeeper.tick()
            continue
        await place_next(play, game.place.key, view, cause=f"x{next(causes)}")


async def place_next(play: Play, key: TableKey, view: TableView, *, cause: str) -> None:
    """Place the street of the first player to act."""
    hand, player = view.hand, view.waiting[0]
    assert hand is not None
    seat = next(seat for seat in hand.seats if seat.player == player)
    if seat.fantasyland:
        letters = FANTASYLAND + "D" * (seat.fantasyland - len(FANTASYLAND))
    else:
        letters = STREETS[hand.street - 1] + "D" * (hand.street > 1)
    await play.place_cards(key, player, hand_no=view.table.hand_no, street=hand.street, rows=letters, cause=cause)


PARTS = (
    "store",
    "closed",
    "open",
    "start",
    "memory",
    "growth",
    "press",
    "pages",
    "puzzles",
    "wire",
    "event",
    "event-start",
    "club",
)


async def measure(args: argparse.Namespace) -> None:
    """Run the selected parts."""
    for part in args.parts:
        if part == "store":
            for disk_ms, tasks in itertools.product((0, SLOW_DISK_MS), (1, 8, 64)):
                await store(args.seconds / 2, disk_ms, tasks)
        elif part in ("press", "pages", "puzzles", "wire", "event", "event-start", "club"):
            await _measure_elsewhere(part, args)
        else:
            for tables in args.tables:
                await _measure_tables(part, tables, args)


async def _measure_elsewhere(part: str, args: argparse.Namespace) -> None:
    # These modules import this one.
    from benchmarks import bench_club, bench_event, bench_pages, bench_press, bench_puzzles, bench_wire

    match part:
        case "press":
            await bench_press.press_beside_trivial(args.seconds)
        case "pages":
            await bench_pages.pages_beside_presses(args.seconds, rate=min(args.rates[0], bench_pages.RATE))
        case "puzzles":
            await bench_puzzles.puzzles_beside_presses(args.seconds, rate=min(args.rates[0], bench_puzzles.RATE))
        case "wire":
            for tables in args.busy:
                if args.simulated:
                    await asyncio.to_thread(bench_wire.wire_in_simulated_time, tables, bench_wire.SECONDS, args.every)
                else:
                    await bench_wire.wire(tables, bench_wire.SECONDS, args.every)
            if not args.simulated:
                await bench_wire.run_max_turns()
        case "event":
            for rate in args.rates:
                await bench_event.event_night(args.players, args.seconds, rate)
        case "event-start":
            await bench_wire.event_start(args.players, channels=args.channels)
        case "club":
            with tempfile.TemporaryDirectory() as name:
                await bench_club.club(args.folder or Path(name), args.club, say)


async def _measure_tables(part: str, tables: int, args: argparse.Namespace) -> None:
    match part:
        case "closed":
            await closed(tables, args.seconds, args.workers)
        case "open":
            for rate in args.rates:
                await offered(tables, args.seconds, rate)
        case "start":
            await start(tables)
        case "memory" if tables > MAX_TRACED_TABLES:
            say(f"memory  {tables:>6} tables: not measured, tracing so many takes more than ten minutes")
        case "memory":
            await memory(tables)
        case "growth":
            await growth(tables, args.hands)


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_load",
        description=__doc__,
        epilog=examples("--parts open --tables 1000 --rates 100 200 400", "--parts club --club 1000000 --folder club"),
        formatter_class=HelpFormatter,
    )
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=PARTS,
        default=PARTS,
        metavar="PART",
        help=f"parts to measure: {', '.join(PARTS)} (default: all)",
    )
    parser.add_argument(
        "--tables", nargs="+", type=int, default=(10, 100, 1000), help="open tables; 10,000 take minutes to draw"
    )
    parser.add_argument("--every", type=float, default=6.0, help="wire: seconds between two turns of a table")
    parser.add_argument("--busy", nargs="+", type=int, default=(100, 300, 1000), help="wire: number of tables")
    parser.add_argument(
        "--simulated", action="store_true", help="wire: use simulated time, in which computing takes no time"
    )
    parser.add_argument(
        "--rates", nargs="+", type=float, default=(100.0,), help="open, pages and event: presses per second"
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="duration of each measurement in seconds")
    parser.add_argument("--players", type=int, default=200, help="event and event-start: number of players")
    parser.add_argument("--channels", type=int, default=1, help="event-start: channels for the tables")
    parser.add_argument("--workers", type=int, default=64, help="closed: concurrent presses")
    parser.add_argument("--hands", type=int, default=200, help="growth: hand after which a press is measured again")
    parser.add_argument("--club", type=int, default=20_000, help="club: hands in the club's history")
    parser.add_argument(
        "--folder", type=Path, help="club: folder for the history, which later runs extend (default: a temporary one)"
    )
    parser.add_argument(
        "--databases", nargs="+", choices=(SQLITE, POSTGRES), default=(SQLITE,), help="databases to use, in turn"
    )
    return parser


def main() -> None:
    """Run the command line."""
    args = parser().parse_args()
    # The measured database waits for its disk.
    DATABASES.settings = ()
    for DATABASES.kind in args.databases:
        say(f"on {DATABASES.kind}")
        asyncio.run(measure(args))


if __name__ == "__main__":
    main()
