"""A month of a server with forty players in three time zones. Each post appears once, on time, and matches the
database.

The server's clocks go back during the month, and those of another zone a week later. The bot sleeps twice, a channel is
deleted, a permission is lost twice, and a post is deleted manually. The expectations follow from the database only.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from discord import Intents, Permissions
from discord.ext import commands

from bot.chat.club.posts.bulletins import BulletinPosts
from bot.chat.discord_patches.governor import posted_at
from bot.chat.kit.faces import Faces
from bot.chat.kit.scheduled_poster import PosterContext
from bot.model.bulletins import BulletinKind
from bot.model.clock import HOUR, MINUTE
from bot.model.daily import date_of, day_at
from bot.model.hands import Result
from bot.model.ids import GuildId, Player, TableKey
from bot.model.standings import Paid
from bot.play.session.session import Session
from bot.text.words import words_for
from tests.play.daily.test_daily_hands import played
from tests.play.world import World
from tests.standin.standin import Standin
from tests.standin.things import Channel, Message

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo")
HOME = ZoneInfo(ZONES[0])
"""The server's own zone."""
FIRST, DAYS = date(2026, 10, 5), 31
"""A Monday. The clocks of Berlin are put back on 25 October, those of New York on 1 November."""
CROWD = tuple(Player(str(5001 + number)) for number in range(40))
HIDES = CROWD[7]
QUIET = {FIRST + timedelta(days=ahead) for ahead in range(16, 20)}
"""Days without play."""
STEP = 10 * MINUTE
WORDS = words_for("en")


def moment(day: date, hour: int, zone: ZoneInfo = HOME) -> int:
    """An hour by the clocks of a zone, in milliseconds."""
    return round(datetime.combine(day, datetime.min.time(), zone).replace(hour=hour).timestamp() * 1000)


@dataclass
class Month:
    """The server, its bot and its Discord."""

    folder: Path
    chance: Random = field(default_factory=lambda: Random(33))
    now: int = moment(FIRST, 0)
    hands: int = 0
    causes: Iterator[str] = field(default_factory=lambda: map(str, count(10**6)))

    def __post_init__(self) -> None:
        self.discord = Standin(now_ms=lambda: self.now)
        self.guild = self.discord.guild(1)
        self.guild.bot_permissions = Permissions(view_channel=True, send_messages=True, read_message_history=True).value
        self.room = self.discord.channel(self.guild, 1)
        self.news = self.discord.channel(self.guild, 2)
        self.here = GuildId(self.guild.id)

    async def wake(self) -> None:
        """Start the bot on the folder's data."""
        client = commands.AutoShardedBot(command_prefix=(), intents=Intents(guilds=True))
        await self.discord.start(client)
        self.world = World(self.folder, now=self.now, causes=self.causes)
        await self.world.open()
        world = self.world
        self.posts = BulletinPosts(
            PosterContext(client=client, use_cases=world.core, faces=Faces(), now_ms=lambda: self.now)
        )

    async def sleep(self) -> None:
        await self.posts.close()
        await self.world.close()
        await self.discord.stop()

    async def choose(self, kind: BulletinKind, channel: Channel) -> None:
        """A manager turns it on: at nine, a recap on Mondays and in words."""
        await self.world.bulletins.change(
            self.here,
            kind,
            lambda before: replace(
                before, channel=channel.id, hour=9, weekday=0, zone=ZONES[0], in_words=kind is BulletinKind.RECAP
            ),
        )

    async def pass_until(self, at: int, *, asleep: bool = False) -> None:
        """Let time pass; a bot that is awake looks every ten minutes."""
        while self.now < at:
            self.now = min(at, self.now - self.now % STEP + STEP)
            if not asleep:
                self.world.now = self.now
                await self.posts.sweep()
                await self.posts.done()

    # playing

    async def tables(self) -> list[TableKey]:
        """One for each zone."""
        return [
            await self.world.table(*CROWD[number::3][:2], guild=self.here, channel=self.room.id, seats=3)
            for number in range(3)
        ]

    async def evening(self, day: date, tables: Sequence[TableKey]) -> None:
        """The people of each zone play at eight in the evening by their own clocks; some days not at all."""
        for number, zone in enumerate(ZONES):
            for hand in range(self.chance.randint(0, 4)):
                await self._hand(tables[number], CROWD[number::3], moment(day, 20, ZoneInfo(zone)) + hand * MINUTE)

    async def _hand(self, key: TableKey, people: Sequence[Player], at: int) -> None:
        players = self.chance.sample(people, 3)
        points = [self.chance.randint(-12, 12) for _ in range(2)]
        points.append(-sum(points))
        results = [
            Result(
                player=player,
                points=won,
                chips=10 * won,
                fantasyland=0,
                foul=False,
                ranked=True,
                game="pineapple",
                seat=seat,
                royalties=self.chance.randint(0, 20),
                met=2,
            )
            for seat, (player, won) in enumerate(zip(players, points, strict=True))
        ]
        self.hands += 1

        def add(s: Session, number: int = self.hands, paid: Paid | None = None) -> None:
            s.tx.results.add(key, number, results, at=at, paid=paid or {})

        await self.world.sessions.write(add)

    async def daily(self, day: date) -> None:
        """Two of them play the daily hand at noon of UTC."""
        for player in self.chance.sample(CROWD, 2):
            await self.world.play.show_hand(self.here, player, "d1")
            await played(self.world, player, foul=self.chance.random() < 0.3)

    def standing(self, kind: BulletinKind) -> list[Message]:
        """Return the existing posts in both channels."""
        mark = '"c1:daily:' if kind is BulletinKind.MORNING else '"c1:recaps:'
        messages = [*self.room.public(), *self.news.public()]
        return sorted((one for one in messages if mark in one.body), key=lambda one: one.id)


async def test_a_month_in_which_each_is_posted_once_at_its_hour_and_true_to_the_database(tmp_path: Path) -> None:
    month = Month(tmp_path)
    await month.wake()
    tables = await month.tables()
    await month.world.play.change_member_settings(
        month.here, HIDES, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    await month.choose(BulletinKind.MORNING, month.room)
    await month.choose(BulletinKind.RECAP, month.news)
    by_hand: list[int] = []
    for ahead in range(DAYS):
        day = FIRST + timedelta(days=ahead)
        nine = moment(day, 9)
        if ahead == 4:  # it sleeps through the hour, and for too long
            await month.sleep()
            await month.pass_until(nine + 5 * HOUR, asleep=True)
            await month.wake()
        if ahead == 14:  # it sleeps over the hour of both, and is back in time
            await month.pass_until(nine - 20 * MINUTE)
            await month.sleep()
            await month.pass_until(nine + 30 * MINUTE, asleep=True)
            await month.wake()
        if ahead in (9, 10):  # the channel is closed to it at the hour: for four hours, and for one
            month.discord.hide_channel(month.room)
            await month.pass_until(nine + (4 if ahead == 9 else 1) * HOUR)
            month.discord.hide_channel(month.room, hidden=False)
        if ahead == 21:  # the recap's channel is deleted, which is found out at its hour
            month.discord.remove_channel(month.news)
            await month.pass_until(nine + HOUR)
            assert (await month.world.bulletins.of(month.here, BulletinKind.RECAP)).channel is None
            await month.choose(BulletinKind.RECAP, month.room)
        await month.pass_until(max(month.now, moment(day, 14)))
        if ahead == 6:  # The morning post is deleted manually.
            (*_, last) = month.standing(BulletinKind.MORNING)
            by_hand.append(posted_at(last.id))
            del month.room.messages[last.id]
        if day not in QUIET:
            await month.daily(day)
            await month.evening(day, tables)
    await month.pass_until(moment(FIRST + timedelta(days=DAYS), 0))
    await month.sleep()
    check(month, by_hand)


def check(month: Month, by_hand: Sequence[int]) -> None:
    """Compare all posts with the database."""
    connection = sqlite3.connect(month.folder / "chaipo.db")
    with closing(connection):
        mornings = list(expected_mornings(connection))
        weeks = list(expected_weeks(connection))
    found = {posted_at(one.id): one for one in month.standing(BulletinKind.MORNING)}
    # Posts appear at nine o'clock to the minute, except on days when the bot was kept from posting.
    assert sorted([*found, *by_hand]) == [at for at, _ in mornings]
    assert len(by_hand) == 1
    assert len(found) > 20
    streaks = 0
    for at, (streak, ranking, number) in mornings:
        if at in by_hand:
            continue
        text = found[at].text
        told = WORDS("morning.streak", count=streak)
        assert (told in text) == (streak > 1), (at, streak)
        streaks += streak > 1
        for player, points in ranking[:5]:
            assert f"<@{player}> **{WORDS.signed(points)}**" in text
        assert (f"· {date_of(number).isoformat()}" in text) == bool(ranking)
        assert f"<@{HIDES}>" not in text
    assert streaks > 10
    recaps = month.standing(BulletinKind.RECAP)
    # The channel of the first three is gone by now; on the fourth Monday it was found out that it is.
    stand = {posted_at(one.id): one for one in recaps}
    assert sorted(stand) == [at for at, *_ in weeks]
    assert [f"{datetime.fromtimestamp(at / 1000, HOME):%m-%d %H:%M}" for at in sorted(stand)] == [
        "10-12 09:00",
        "10-19 09:40",
        "11-02 09:00",
    ]
    for at, hands, players, top in weeks:
        text = stand[at].text
        assert WORDS("recap.played", count=hands, players=str(players)) in text
        for player, chips in top:
            assert f"<@{player}> **{WORDS.signed(chips)}**" in text
        assert f"<@{HIDES}>" not in text
    # No one was pinged, and the only requests were the posts and the one refused in the deleted channel.
    kinds = Counter(request.kind for request in month.discord.requests if request.kind not in STARTING)
    assert kinds == {"send": len(mornings) + len(weeks) + 1}
    assert not [request for request in month.discord.requests if request.notified]


STARTING = frozenset(("users", "applications", "gateway", "oauth2"))
"""Kinds of requests at each start."""


def expected_mornings(connection: sqlite3.Connection) -> Iterator[tuple[int, tuple[int, list[tuple[str, int]], int]]]:
    """Yield the expected time of each morning post, with its streak, ranking and day of the daily hand."""
    played_at = [at for (at,) in connection.execute("SELECT DISTINCT at FROM result")]
    late = {9: None, 4: None, 10: 70, 14: 40}
    for ahead in range(DAYS):
        day = FIRST + timedelta(days=ahead)
        nine = moment(day, 9)
        over = day_at(nine) - 1
        ranking = [
            (player, points)
            for player, points in connection.execute(
                "SELECT a.player, a.points FROM attempt a JOIN challenge c ON c.challenge_id = a.challenge_id "
                "WHERE c.series = 'daily' AND c.day = ? AND a.points IS NOT NULL AND a.player <> ? "
                "ORDER BY a.points DESC, a.ended_at",
                (over, HIDES),
            )
        ]
        streak = streak_by_hand({datetime.fromtimestamp(at / 1000, HOME).date() for at in played_at if at < nine}, day)
        minutes = late.get(ahead, 0)
        if minutes is not None and (ranking or streak > 1):
            yield nine + minutes * MINUTE, (streak, ranking, over)


def streak_by_hand(days: set[date], today: date) -> int:
    """Return the length of the streak, counted day by day, where freezes recharge after some days of play."""
    length, since, missed = 0, 7, False
    for ahead in range((today - FIRST).days):
        if FIRST + timedelta(days=ahead) in days:
            length, since, missed = length + 1, since + 1, False
        elif missed or since < 7:
            length, since, missed = 0, 7, False
        elif length:
            since, missed = -1, True  # the freeze is used
    return length + (today in days)


def expected_weeks(connection: sqlite3.Connection) -> Iterator[tuple[int, int, int, list[tuple[str, int]]]]:
    """Yield the expected time of each recap, with its hands, players and top five."""
    for week, minutes in ((1, 0), (2, 40), (4, 0)):
        monday = FIRST + timedelta(days=7 * week)
        bounds = (moment(monday - timedelta(days=7), 0), moment(monday, 0))
        where = "FROM result WHERE ranked = 1 AND at >= ? AND at < ?"
        ((hands, players),) = connection.execute(
            f"SELECT COUNT(DISTINCT table_id || '/' || hand_no), COUNT(DISTINCT player) {where}", bounds
        )
        sums = connection.execute(
            f"SELECT player, SUM(chips) {where} AND player <> ? GROUP BY player "
            "ORDER BY SUM(chips) DESC, COUNT(*) DESC, player LIMIT 5",
            (*bounds, HIDES),
        )
        yield moment(monday, 9) + minutes * MINUTE, hands, players, sums.fetchall()
