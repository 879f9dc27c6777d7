"""Measure how many turns the bot can show within Discord's limits, and how long tables show outdated states.

    make bench ARGS="--parts wire"
    make bench ARGS="--parts event-start --players 200 --channels 2"

A turn is one *Confirm*, plus *My hand* at the beginning of each hand. A turn counts as shown once the table's message
in the channel has its cards. Every request takes 0.1 s. The number of tables determines where in its hand each table
starts.
"""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from typing_extensions import override

from benchmarks.bench_load import POLICY, PRESSES_PER_HAND, STREETS, Game, Hall, hall, picks, say
from bot.chat.services import Services
from bot.model.clock import Clock, Pace
from bot.model.events import Official
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.model.tables import TableState
from bot.play.event.office.registration import PlannedEvent
from bot.play.event.office.views import TableLine
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.text.words import words_for
from tests.backstage import transactions_of
from tests.simulation.loop import SimulatedLoop
from tests.standin.rest import Fault, Request
from tests.standin.standin import Standin
from tests.standin.things import Channel, Message, User
from tests.standin.wired_bot import make_bot, now_ms

EVERY = 6.0
"""Seconds between two turns of a table."""
SECONDS = 60.0
LATENCY = 0.1
"""Seconds per request."""
LOOK = 0.1
"""Seconds between two checks on the channels."""
GRACE = 10.0
"""Seconds after which a table counts as late if it hasn't shown a turn."""
RATES = (10, 15, 20, 25, 30, 35, 40, 45, 50)
"""Turns per second to try, in ascending order."""
RATE_SECONDS = 30.0
PRIVATE = frozenset(("callback", "original.edit", "original.delete", "original.get", "followup"))
"""Kinds of requests that don't count towards the fifty per second."""
CARD = re.compile(r"<:(?!card_face_down|empty)\w+:\d+>")
HAND = re.compile(re.escape(words_for("en")("table.hand", hand=7)).replace("7", r"(\d+)"))

Progress = tuple[int, int]
"""A hand's number, and the number of its visible cards."""


@dataclass(eq=False)
class Watched:
    """A table in play, and the state that its message shows."""

    game: Game
    presses: Iterator[tuple[User, str]] = field(default_factory=lambda: iter(()))
    made: Progress = (1, 0)
    due: deque[tuple[Progress, float]] = field(default_factory=deque)
    """Turns that aren't shown yet, with the time of each."""
    message: Message | None = None
    newest: int = 0
    seen: tuple[int, int] = (0, 0)
    shows: Progress = (0, 0)

    async def turn(self, hall: Hall, changes: Counter[TableKey]) -> bool:
        """Make the next turn; False if there is none."""
        while True:
            user, custom_id = next(self.presses, (None, ""))
            if user is None:
                if not await self._next_hand():
                    return False
                continue
            if ":row:" in custom_id:
                continue
            before, since = changes[self.game.place.key], asyncio.get_running_loop().time()
            panel = None if ":hand:" in custom_id else self.game.panels.get(user.id)
            panel = panel or next(reversed(self.game.place.channel.public()))
            sent = await hall.discord.press(user, panel, custom_id)
            self.game.done(sent)
            if ":confirm:" in custom_id and changes[self.game.place.key] > before:
                self._made(custom_id, since)
                return True

    async def _next_hand(self) -> bool:
        if not await self.game.ready():
            return False
        self.presses = self.game.steps
        view = await self.game.play.look(self.game.place.key)
        self.made = view.table.hand_no, 0
        return True

    def _made(self, custom_id: str, since: float) -> None:
        hand, street, rows = custom_id.split(":")[3:6]
        if len(rows) > 2 * len(STREETS[0]):
            return  # Fantasyland isn't shown until the hand ends
        self.made = int(hand), self.made[1] + len(STREETS[int(street) - 1])
        self.due.append((self.made, since))

    def look(self, now: float) -> list[float]:
        """Return the delays (s) of the turns shown since the last check."""
        message = self._shown()
        if message is not None and (message.id, message.edits) != self.seen:
            self.seen = message.id, message.edits
            hand = HAND.search(message.body)
            self.shows = int(hand[1]) if hand else 0, len(CARD.findall(message.body))
        lags = []
        while self.due and self.due[0][0] <= self.shows:
            lags.append(now - self.due.popleft()[1])
        return lags

    def _shown(self) -> Message | None:
        """Return the table's newest message. The previous one may still be in the channel."""
        messages = self.game.place.channel.messages
        newest = next(reversed(messages), 0)
        if newest != self.newest or self.message is None or self.message.id not in messages:
            self.newest = newest
            public = reversed(self.game.place.channel.public())
            self.message = next((message for message in public if '"c1:leave:' in message.body), None)
        return self.message


@dataclass
class Seen:
    """Observations of the tables during play."""

    lags: list[float] = field(default_factory=list)
    """Seconds from each turn until it was shown."""
    oldest: list[float] = field(default_factory=list)
    """The age of the oldest turn that isn't shown yet, for each check."""
    turns: int = 0

    async def look(self, tables: Sequence[Watched]) -> None:
        """Check all tables repeatedly."""
        loop = asyncio.get_running_loop()
        while True:
            now = loop.time()
            for table in tables:
                self.lags += table.look(now)
            self.oldest.append(max((now - table.due[0][1] for table in tables if table.due), default=0))
            await asyncio.sleep(LOOK)

    @override
    def __str__(self) -> str:
        p50, p99, _ = picks(self.lags)
        _, most_often, most = picks(self.oldest)
        return (
            f"{self.turns} turns made, {len(self.lags)} shown after p50 {p50:.1f} s, p99 {p99:.1f} s; "
            f"oldest table not shown p99 {most_often:.1f} s, max {most:.1f} s"
        )


def slow(request: Request) -> Fault:
    """Delay each request as a remote Discord would."""
    return Fault(delay=LATENCY)


async def wire(tables: int, seconds: float, every: float = EVERY) -> tuple[float, float]:
    """Play at ``tables`` tables, with a turn every ``every`` seconds at each.

    Return the turns shown per second, and the maximum age of a turn that wasn't shown yet.
    """
    async with hall(tables, POLICY) as made:
        changes: Counter[TableKey] = Counter()
        transactions_of(made.bot.services.play).bus.table_changed.subscribe(lambda key: changes.update([key]))
        chance = random.Random(tables)
        await asyncio.gather(*(game.begin_somewhere(chance.randrange(PRESSES_PER_HAND)) for game in made.games))
        watched = [Watched(game, game.steps) for game in made.games]
        for table in watched:
            view = await table.game.play.look(table.game.place.key)
            rows = [row for seat in view.hand.seats for row in seat.rows] if view.hand else []
            table.made = view.table.hand_no, sum(card is not None for row in rows for card in row)
        await made.begin()
        made.discord.hook = slow
        seen, loop = Seen(), asyncio.get_running_loop()
        due = [loop.time() + every * number / tables for number in range(tables)]

        async def play(number: int, until: float) -> None:
            while due[number] < until:
                await asyncio.sleep(max(0.0, due[number] - loop.time()))
                turned = await watched[number].turn(made, changes)
                seen.turns += turned
                due[number] = max(due[number] + every, loop.time())

        # A player who hasn't pressed yet counts as silent and would be pinged during the measurement.
        begun = loop.time() + 2 * every
        await asyncio.gather(*(play(number, begun) for number in range(tables)))
        for table in watched:
            table.look(loop.time())
        made.discord.counts.clear()
        seen.turns, begun, cpu = 0, loop.time(), time.process_time()
        looking = asyncio.ensure_future(seen.look(watched))
        await asyncio.gather(*(play(number, begun + seconds) for number in range(tables)))
        took = loop.time() - begun
        busy = (time.process_time() - cpu) / took
        shown = len(seen.lags) / took
        await asyncio.sleep(GRACE)
        looking.cancel()
        behind, wrong = sum(bool(table.due) for table in watched), sum(table.game.wrong for table in watched)
        say(f"wire    {tables:>6} tables, a turn every {every:g} s at each, {took:.0f} s: {seen}, {shown:.1f} a second")
        say(f"{'':15}{asked(made.discord, seen.turns)}; {behind} tables behind {GRACE:g} s later")
        say(f"{'':15}{busy:.0%} of a core, {wrong} wrong answers")
        return shown, max(seen.oldest)


def asked(discord: Standin, turns: int) -> str:
    """Return the number of requests to Discord per turn, and the number that were refused."""
    public = sum(count for kind, count in discord.counts.items() if kind not in PRIVATE)
    refused = sum(discord.limits.refused.values())
    return f"{public / max(1, turns):.2f} channel requests a turn, {refused} x 429, {discord.limits.invalid} invalid"


def wire_in_simulated_time(tables: int, seconds: float, every: float) -> None:
    """Run :func:`wire` without processor time, so that only Discord's limits cause delays."""
    with asyncio.Runner(loop_factory=lambda: SimulatedLoop(time.time())) as runner:
        runner.run(wire(tables, seconds, every))


async def run_max_turns() -> None:
    """Raise the rate until a table shows an outdated state for more than ten seconds."""
    best = 0.0
    for rate in RATES:
        shown, oldest = await wire(int(rate * EVERY), RATE_SECONDS)
        if oldest > GRACE:
            break
        best = max(best, shown)
    say(f"wire    most turns a second of which each was shown within {GRACE:g} s: {best:.1f}")


# an event's start

ORGANISER = Official(player=Player("3000000000000100000"))
TURN_SECONDS = 60
OBSERVED = 420.0
"""Seconds observed after the start. It's longer than the window of the thread limit."""
STEP = 2.0
CALLING = re.compile(r'"c1:hand:(\d+)[.:]')


@dataclass
class Calls:
    """The time of each player's first ping, in seconds after the start."""

    players: dict[str, float] = field(default_factory=dict)
    """Time of the first message that notified each player, in seconds after the start."""
    tables: dict[int, float] = field(default_factory=dict)
    """Time of the first ping at each table, in seconds after the start."""
    begun: float = 0.0

    def hook(self, request: Request) -> Fault:
        """Record a request's pings, and delay its response."""
        now = asyncio.get_running_loop().time() - self.begun
        called = request.notified
        for player in called:
            self.players.setdefault(player, now)
        if called and (found := CALLING.search(request.body)):
            self.tables.setdefault(int(found[1]), now)
        return Fault(delay=LATENCY)

    @override
    def __str__(self) -> str:
        player, table = (max(times.values(), default=0) for times in (self.players, self.tables))
        return f"the last table called after {table:.1f} s, {len(self.players)} players notified after {player:.1f} s"


@dataclass
class Hurried:
    """Players who timed out before their ping, or too soon after it."""

    calls: Calls
    players: set[Player] = field(default_factory=set)
    before: Counter[Player] = field(default_factory=Counter)
    unshown: set[TableKey] = field(default_factory=set)
    """Tables seen with a hand but without a message in a channel."""
    shown: dict[TableKey, float] = field(default_factory=dict)
    """The time when each table was first seen with a message, in seconds after the start."""

    async def look(self, services: Services, tables: Sequence[TableKey], now: float) -> None:
        """Record the players who timed out since the last check."""
        for key in tables:
            view = await services.play.look(key)
            if view.table.posted:
                self.shown.setdefault(key, now)
            elif view.table.state is TableState.PLAYING:
                self.unshown.add(key)
            for place in view.places:
                seat = place.seat
                since = self.calls.players.get(str(seat.player), now)
                if seat.timeouts > self.before[seat.player] and now - since < TURN_SECONDS:
                    self.players.add(seat.player)
                self.before[seat.player] = seat.timeouts


async def event_start(players: int, *, channels: int = 1) -> None:
    """Measure the time until every player can play, in simulated time. Players don't press anything."""
    await asyncio.to_thread(_in_simulated_time, players, channels)


def _in_simulated_time(players: int, channels: int) -> None:
    with tempfile.TemporaryDirectory() as name, asyncio.Runner(loop_factory=lambda: SimulatedLoop(0)) as runner:
        runner.run(_event_start(Path(name), players, channels))


async def _event_start(folder: Path, players: int, channels: int) -> None:
    discord = Standin(now_ms=now_ms)
    guild = discord.guild(1)
    channel, *more = (discord.channel(guild, number) for number in range(1, channels + 1))
    bot = await make_bot(discord, folder)
    await discord.start(bot)
    people = [Player(str(discord.user(n).id)) for n in range(1, players + 1)]
    event = await _registered(bot.services, channel, people, [other.id for other in more])
    calls = Calls(begun=asyncio.get_running_loop().time())
    discord.hook = calls.hook
    discord.limits.refused.clear()
    await bot.services.events.start(event, ORGANISER, cause="start")
    hurried, tables = await _observe(bot.services, event, calls)
    in_threads = sum(line.table.channel not in {channel.id, *(other.id for other in more)} for line in tables)
    missing = [str(line.table.key.table) for line in tables if int(line.table.key.table) not in calls.tables]
    await discord.stop()
    refused = sum(discord.limits.refused.values())
    say(
        f"event-start {players} players at {len(tables)} tables, {in_threads} in threads, {channels} channels: "
        f"{calls}, {len(missing)} never"
    )
    say(f"{'':12}{len(hurried.players)} were timed out before they had had {TURN_SECONDS} s; {refused} x 429")
    shown = max(hurried.shown.values(), default=0)
    say(f"{'':12}the last table shown after {shown:.0f} s, {len(hurried.unshown)} dealt a hand before they were shown")


async def _registered(services: Services, channel: Channel, players: Sequence[Player], more: Sequence[int]) -> EventKey:
    plan = PlannedEvent(
        guild=GuildId(channel.guild.id),
        channel=channel.id,
        organiser=ORGANISER.player,
        language="en",
        name="Night",
        variant=GAMES["pineapple"],
        structure=replace(PRESETS["chaipo"], most=len(players), check_in_minutes=0, channels=tuple(more)),
        clock=Clock(pace=Pace.PER_TURN, seconds=TURN_SECONDS),
        starts_at=now_ms() + 3_600_000,
    )
    event = (await services.events.create(plan, cause="create")).key
    for player in players:
        await services.events.register(event, player, cause=f"register {player}")
        # For players who have pressed, the bot writes names instead of mentions, and names don't notify anyone.
        services.faces.names.saw(event.guild, player, f"Player {player[-3:]}")
    await asyncio.sleep(60)
    return event


async def _observe(services: Services, event: EventKey, calls: Calls) -> tuple[Hurried, Sequence[TableLine]]:
    hurried = Hurried(calls)
    for step in range(int(OBSERVED / STEP)):
        await asyncio.sleep(STEP)
        # Tables are opened in batches, so the first check finds a dozen.
        tables = (await services.events.look(event)).tables
        await hurried.look(services, [line.table.key for line in tables], (step + 1) * STEP)
    return hurried, (await services.events.look(event)).tables
