"""Users at tables of a stand-in's service, who press visible buttons and remember the answers."""

from __future__ import annotations

import asyncio
import itertools
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bot.text.words import words_for
from tests.standin.sent import Sent
from tests.standin.service import Service
from tests.standin.standin import custom_ids
from tests.standin.things import LOADING, Channel, Guild, Message, User

WORDS = words_for("en")
STREETS = ("BBBBB", "MM", "MM", "MF", "FF")
"""Everyone's rows by street: always legal, and nearly always a foul."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
REFUSALS = [
    re.escape(WORDS("gate.storage_trouble")),
    re.escape(WORDS("gate.incident", code="|")).replace(re.escape("|"), r"\w+"),
]
REFUSED = re.compile("|".join(REFUSALS))
"""Texts that say that nothing was done."""
PANEL_SHOWN, PROMISED = 7, 6
"""Discord's types of an answer that changes the message that was pressed, and of one that only promises it."""
THINK_SECONDS = 1.5
PROBE_SECONDS = 0.8
PULSE_SECONDS = 0.03
LOADING_SECONDS = 6.0
"""Timeout for a deferred answer."""
LATE_SECONDS = 3.0
"""Timeout for a late answer."""
GUESTS, CROWD = 6, 120
"""Users who take turns in joining and leaving, because a single one would exceed the rate limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A street whose placement was confirmed to the user."""

    guild: int
    table: int
    hand: int
    street: int
    user: int


@dataclass
class Crowd:
    """The results of all presses."""

    discord: Service
    placed: list[Placed] = field(default_factory=list)
    undone: dict[int, Placed] = field(default_factory=dict)
    """Placements whose users were told that nothing has changed, by press."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Number of presses by outcome: answered, refused, answered too late or not at all."""
    refusals: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    """The longest time (s) until an answer."""
    over: bool = False
    """True if no more presses are made."""

    async def press(self, user: User, message: Message, custom_id: str) -> Sent | None:
        """Press something; None where the answer says that nothing was done, or does not come."""
        return await self.judge(self.discord.press(user, message, custom_id))

    async def judge(self, sent: Sent) -> Sent | None:
        """Wait for the answer, and count it."""
        await sent.finished()
        if sent.acknowledged and sent.answer is not None:
            with suppress(TimeoutError):
                await self.discord.until(lambda: not _loading(sent), seconds=LOADING_SECONDS)
        if not sent.acknowledged or sent.answer is None or _loading(sent):
            with suppress(TimeoutError):
                await self.discord.until(lambda: sent.id in self.discord.late, seconds=LATE_SECONDS)
            self.outcomes["late" if sent.id in self.discord.late else "unanswered"] += 1
            return None
        self.slowest = max(self.slowest, sent.seconds)
        refused = REFUSED.search(sent.answer.text)
        self.outcomes["refused" if refused else "answered"] += 1
        if refused:
            self.refusals[refused[0]] += 1
        return None if refused else sent


def _loading(sent: Sent) -> bool:
    return sent.answer is not None and bool(sent.answer.flags & LOADING)


def newest(guild: Guild, verb: str) -> Iterator[tuple[Message, str]]:
    """The public messages that offer something, newest first, with its custom id."""
    standing = [message for channel in list(guild.channels.values()) for message in channel.public()]
    for message in sorted(standing, key=lambda message: -message.id):
        for custom_id in custom_ids(message, verb):
            yield message, custom_id


class Gamblers:
    """People who play at one table, or in one event, for as long as it goes on."""

    def __init__(self, crowd: Crowd, guild: Guild, users: Sequence[User]) -> None:
        self.crowd = crowd
        self.guild = guild
        self.users = users

    async def play(self) -> None:
        """All play until it is over."""
        await asyncio.gather(*(self._play(user) for user in self.users))

    async def _play(self, user: User) -> None:
        while not self.crowd.over:
            for message, custom_id in newest(self.guild, "hand"):
                panel = await self.crowd.press(user, message, custom_id)
                if panel is not None and panel.answer is not None and await self._place(user, panel.answer):
                    break
            await asyncio.sleep(THINK_SECONDS)

    async def _place(self, user: User, panel: Message) -> bool:
        """Place the street that a panel asks for; False where it asks for none."""
        asked = next(iter([*custom_ids(panel, "card"), *custom_ids(panel, "row")]), None)
        if asked is None:
            return False
        _, _, table, hand, street, *_ = asked.split(":")
        draft = "".join(DIGITS[card] + row for card, row in enumerate(STREETS[int(street) - 1]))
        pressed = self.crowd.discord.press(user, panel, f"c1:confirm:{table}:{hand}:{street}:{draft}::")
        sent = await self.crowd.judge(pressed)
        number = int(table.partition(".")[0])
        placed = Placed(guild=self.guild.id, table=number, hand=int(hand), street=int(street), user=user.id)
        # The panel shows the placement. A separate message explains a refusal.
        if sent is not None and sent.callback == PANEL_SHOWN and not sent.followups:
            self.crowd.placed.append(placed)
        said = [message.text for message in (pressed.answer, *pressed.followups) if message is not None]
        if any(WORDS("gate.storage_trouble") in text for text in said):
            self.crowd.undone[pressed.id] = placed
        return True


class Probe:
    """People who join and leave one lobby, one after the other: whether its server is served, second by second."""

    def __init__(
        self, crowd: Crowd, channel: Channel, join: str, users: Sequence[User], *, every: float = PROBE_SECONDS
    ) -> None:
        """``join`` is the custom id of the lobby's button, which is pressed every ``every`` seconds."""
        self.crowd = crowd
        self.channel = channel
        self.users = users
        self.done = 0
        self._every = every
        self._join = join
        self._done_at = time.monotonic()
        self._longest = 0.0

    async def ask(self) -> None:
        """Ask until it is over, and wait for no answer: one that does not come takes seconds."""
        async with asyncio.TaskGroup() as asked:
            while not self.crowd.over:
                for user in self.users:
                    for verb in ("join", "leave"):
                        asked.create_task(self._one(user, verb))
                        await asyncio.sleep(self._every)

    async def _one(self, user: User, verb: str) -> None:
        if await self.press(user, verb) is not None:
            self._longest = self.longest
            self.done, self._done_at = self.done + 1, time.monotonic()

    async def press(self, user: User, verb: str) -> Sent | None:
        """Join or leave the lobby."""
        message = next(reversed(self.channel.public()))
        return await self.crowd.press(user, message, self._join.replace(":join:", f":{verb}:"))

    @property
    def longest(self) -> float:
        """The longest time (s) without an effect."""
        return max(self._longest, time.monotonic() - self._done_at)

    def afresh(self) -> None:
        """Count from now on."""
        self._done_at, self._longest = time.monotonic(), 0.0


class Pulse:
    """Pairs of users who join and leave a lobby within hundredths of a second, so that each press writes."""

    def __init__(self, discord: Service, channel: Channel, join: str, users: Sequence[User]) -> None:
        """``join`` is the custom id that joins it."""
        self.sent: list[Sent] = []
        self.over = False
        self._discord = discord
        self._channel = channel
        self._join = join
        self._users = users

    async def beat(self) -> None:
        """Press until it is over."""
        half = len(self._users) // 2
        await asyncio.gather(self._come_and_go(self._users[:half]), self._come_and_go(self._users[half:]))

    async def _come_and_go(self, users: Sequence[User]) -> None:
        for press in itertools.count():
            user, verb = users[press // 2 % len(users)], ("join", "leave")[press % 2]
            if self.over:
                return
            message = next(reversed(self._channel.public()))
            custom_id = self._join.replace(":join:", f":{verb}:")
            self.sent.append(self._discord.press(user, message, custom_id))
            await self.sent[-1].finished()
            await asyncio.sleep(PULSE_SECONDS)


def results(guild: Guild) -> Counter[str]:
    """Return how often each result appears in a server's channels, by table or thread and by title."""
    title = re.compile(re.escape(WORDS("result.heading", hand=7, table=7)).replace("7", r"\d+") + r"\b[^\n]*")
    found: Counter[str] = Counter()
    for channel in guild.channels.values():
        for message in channel.public():
            if named := title.search(message.text):
                found[f"{channel.id} {named[0]} {_table_of(message)}"] += 1
    return found


def _table_of(message: Message) -> str:
    ids: Iterable[str] = custom_ids(message)
    return next((custom_id.split(":")[2].partition("~")[0] for custom_id in ids), "")
