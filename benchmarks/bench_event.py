"""Run an event of 200 players on the whole bot.

Players register and play by pressing buttons at a given rate.

    make bench ARGS="--parts event --players 200 --rates 60 100"
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from typing_extensions import override

from benchmarks.bench_load import DIGITS, FANTASYLAND, STREETS, make_discord, now_ms, say, spread, start_bot
from bot.chat.services import Services
from bot.model.clock import Clock, Pace
from bot.model.events import Official, Phase
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.model.tables import TableState
from bot.play.event.office.registration import PlannedEvent
from bot.play.queries.views import TableView
from bot.play.session.policy import Policy
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PRESETS as GAMES
from tests.backstage import transactions_of
from tests.standin.rest import Request
from tests.standin.sent import Sent
from tests.standin.standin import Standin
from tests.standin.things import USER_IDS, Channel, Message, User

GUILD, CHANNEL, ORGANISER = 1, 1, 100_000
POLICY = Policy(start_chips=10**6, next_hand_ms=3_000, seating_ms=2_000)
REGISTER = "c1:ev_register:1:0:0:::"


class Messages:
    """Counts edits of the event's own message and the time between them."""

    def __init__(self, discord: Standin, channel: Channel) -> None:
        self._path = f"/channels/{channel.id}/messages/"
        self.wanted = 0
        self.at: list[float] = []
        self.limited = 0
        discord.hook = self.hook

    def hook(self, request: Request) -> None:
        """Record a request if it edits the event's message."""
        if request.kind == "edit" and request.path.startswith(self._path) and '"c1:ev_standings:' in request.body:
            self.at.append(request.at)

    def changed(self, _: object) -> None:
        """Count a change of the event."""
        self.wanted += 1

    @override
    def __str__(self) -> str:
        gaps = [later - earlier for earlier, later in zip(self.at, self.at[1:], strict=False)]
        least = f", {min(gaps):.1f} s apart at least" if gaps else ""
        return f"its message wanted {self.wanted} drawings and got {len(self.at)}{least}"


class Seat:
    """The players of one table, who press the required buttons."""

    def __init__(self, discord: Standin, key: TableKey) -> None:
        self.key = key
        self._discord = discord
        self._steps: Iterator[tuple[User, str]] = iter(())
        self._panels: dict[int, Message] = {}
        self._channel: Channel | None = None
        self.wrong = 0

    def begin(self, view: TableView) -> bool:
        """Prepare the presses of the current hand; False if there is none."""
        self._channel = self._discord.channels.get(view.table.channel)
        if view.table.state is not TableState.PLAYING or not view.waiting or self._channel is None:
            return False
        self._panels.clear()
        self._steps = self._hand(view)
        return True

    def _hand(self, view: TableView) -> Iterator[tuple[User, str]]:
        hand = view.hand
        assert hand is not None
        seats = [seat.player for seat in hand.seats]
        first = seats.index(view.waiting[0]) if view.waiting[0] in seats else 0
        order = [self._discord.user(int(player) - USER_IDS) for player in seats[first:] + seats[:first]]
        set_at_once = {str(order_seat.player) for order_seat in hand.seats if order_seat.fantasyland}
        where = f"{self.key.table}:{view.table.hand_no}"
        for user in order:
            yield user, f"c1:hand:{where}:0:::"
        for user in order:
            if str(user.id) in set_at_once:
                placed = "".join(DIGITS[card] + row for card, row in enumerate(FANTASYLAND))
                yield user, f"c1:confirm:{where}:{max(hand.street, 1)}:{placed}::"
        for street, rows in enumerate(STREETS, 1):
            for user in order:
                if str(user.id) in set_at_once:
                    continue
                placed = ""
                for card, row in enumerate(rows):
                    yield user, f"c1:row:{where}:{street}:{placed}::{row}"
                    placed += DIGITS[card] + row
                yield user, f"c1:confirm:{where}:{street}:{placed}::"

    def press(self) -> Sent | None:
        """Return the next press; None when the hand is over."""
        step = next(self._steps, None)
        if step is None or self._channel is None:
            return None
        user, custom_id = step
        message = self._panels.get(user.id)
        if message is None:
            message = next(reversed(self._channel.public()), None) or Message(1, self._channel, "{}", None, 0)
        return self._discord.press(user, message, custom_id)

    def done(self, sent: Sent) -> None:
        """Record the response to a press."""
        if sent.answer is None:
            self.wrong += 1
        else:
            self._panels[sent.user.id] = sent.answer


async def event_night(players: int, seconds: float, rate: float) -> None:
    """Register, start, and press for ``seconds`` at ``rate``."""
    with tempfile.TemporaryDirectory() as name:
        discord = make_discord()
        channel = discord.channel(discord.guild(GUILD), CHANNEL)
        users = [discord.user(number + 1) for number in range(players)]
        bot = await start_bot(Path(name), discord, POLICY)
        messages = Messages(discord, channel)
        transactions_of(bot.services.play).bus.event_changed.subscribe(messages.changed)
        plan = PlannedEvent(
            guild=GuildId(channel.guild.id),
            channel=channel.id,
            organiser=Player(str(ORGANISER)),
            language="en",
            name="Night",
            variant=GAMES["pineapple"],
            structure=replace(PRESETS["chaipo"], most=players, check_in_minutes=0, fee=100),
            clock=Clock(pace=Pace.PER_TURN, seconds=299),
            starts_at=now_ms() + 3_600_000,
        )
        event = await bot.services.events.create(plan, cause="create")
        await bot.services.event_publisher.drawn()
        took = [(await discord.press(user, channel.public()[-1], REGISTER).finished()).seconds for user in users]
        say(f"event   {players:>6} players registered one after the other: {spread(took)}")
        began = time.monotonic()
        await bot.services.events.start(event.key, Official(player=Player(str(ORGANISER))), cause="start")
        say(f"event   {players:>6} players drawn and seated after {time.monotonic() - began:.2f} s")
        await _play(discord, bot.services, event.key, seconds=seconds, rate=rate, messages=messages)
        await discord.stop()


async def _play(
    discord: Standin, services: Services, key: EventKey, *, seconds: float, rate: float, messages: Messages
) -> None:
    loop = asyncio.get_running_loop()
    chance = random.Random(1)
    seats = [Seat(discord, line.table.key) for line in (await services.events.look(key)).tables]
    ready: deque[Seat] = deque()
    took: list[float] = []
    asked: set[asyncio.Task[None]] = set()
    over = False

    async def prepare(seat: Seat) -> None:
        while not over:
            view = await services.play.look(seat.key)
            if not view.table.open:
                return
            if seat.begin(view):
                ready.append(seat)
                return
            await asyncio.sleep(0.5)

    async def one(seat: Seat, sent: Sent, due: float) -> None:
        seat.done(await sent)
        took.append((sent.answered_at or loop.time()) - due)
        ready.append(seat)

    def begin(coroutine: object) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(coroutine)  # type: ignore[call-overload]
        asked.add(task)
        task.add_done_callback(asked.discard)

    for seat in seats:
        begin(prepare(seat))
    await asyncio.sleep(POLICY.seating_ms / 1000 + 3)
    messages.wanted, skipped, cpu, begun = 0, 0, time.process_time(), loop.time()
    messages.at.clear()
    for number in range(int(rate * seconds)):
        due = begun + number / rate
        await asyncio.sleep(max(0.0, due - loop.time()))
        chance.shuffle(ready)
        while ready:
            seat = ready.popleft()
            sent = seat.press()
            if sent is not None:
                begin(one(seat, sent, due))
                break
            begin(prepare(seat))
        else:
            skipped += 1
    busy = (time.process_time() - cpu) / (loop.time() - begun)
    over = True
    await asyncio.gather(*asked)
    view = await services.events.look(key)
    state = f"{view.playing} of {len(view.lines)} left, level {view.event.level + 1}"
    assert view.event.phase is Phase.RUNNING
    say(
        f"event   {len(view.lines):>6} players at {len(seats)} tables, {rate:g} presses/s: {spread(took)}; "
        f"{busy:.0%} of a core; {messages}; {skipped} presses without a table that could be pressed, "
        f"{sum(seat.wrong for seat in seats)} wrong answers; {state}"
    )
