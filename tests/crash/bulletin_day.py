"""A Monday with a server's morning post and recap, on a Discord that outlives the bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from bot.chat.club.posts.bulletins import BulletinPosts
from bot.chat.kit.faces import Faces
from bot.chat.kit.scheduled_poster import PosterContext
from bot.model.bulletins import Bulletin, BulletinKind
from bot.model.clock import DAY, HOUR
from bot.model.hands import Result
from bot.model.ids import GuildId
from bot.play.session.session import Session
from bot.store.sqlite.driver import Connect
from tests.crash.outliving import Posted, outliving, posts_told, woken
from tests.play.world import ANN, BOB, START, World
from tests.standin.standin import custom_ids
from tests.standin.things import CHANNEL_IDS, CHANNELS_PER_GUILD, GUILD_IDS

HERE, THERE = GuildId(GUILD_IDS + 1), CHANNEL_IDS + CHANNELS_PER_GUILD + 1
MONDAY_AT_NINE = START + 3 * DAY + HOUR
"""The clock begins on a Friday at eight, in UTC."""
MARKS = {BulletinKind.MORNING: "daily", BulletinKind.RECAP: "recaps"}
"""The verb of the button that marks each."""


async def house(folder: Path) -> None:
    """Two have played on four days, and both posts are turned on."""
    world = World(folder, now=START)
    await world.open()
    key = await world.table(ANN, BOB, guild=HERE, channel=THERE)
    for day in range(4):
        results = [
            Result(player=one, points=won, chips=10 * won, fantasyland=0, foul=False, ranked=True, game="pineapple")
            for one, won in ((ANN, 3), (BOB, -3))
        ]

        def add(s: Session, day: int = day, results: Sequence[Result] = results) -> None:
            s.tx.results.add(key, day + 1, results, at=START + day * DAY)

        await world.sessions.write(add)

    def chosen(before: Bulletin) -> Bulletin:
        return replace(before, channel=THERE, hour=9, weekday=0, zone="UTC", in_words=True)

    for kind in BulletinKind:
        await world.bulletins.change(HERE, kind, chosen)
    await world.close()


async def pass_monday(
    folder: Path,
    *,
    at: int,
    before: Sequence[Posted],
    connect: Connect,
    begin: Callable[[], None],
    point: Callable[[str], None],
    tell: Callable[[str], None],
) -> int:
    """Start at a given time and post everything due; returns the number of morning posts plus ten times that of recaps.

    ``begin`` is called after the bot has started, ``point`` where it can be killed, and ``tell`` with each post that
    Discord accepts, before the bot gets the response.
    """
    now = [START]
    discord, channel = outliving(before, now)
    client, world = await woken(discord, folder, at=at, connect=connect)
    now[0] = at

    discord.hook = partial(posts_told, now=now, point=point, tell=tell)
    posts = BulletinPosts(PosterContext(client=client, use_cases=world.core, faces=Faces(), now_ms=lambda: now[0]))
    begin()
    await posts.sweep()
    await posts.done()
    stand = {kind: sum(bool(list(custom_ids(one, verb))) for one in channel.public()) for kind, verb in MARKS.items()}
    return stand[BulletinKind.MORNING] + 10 * stand[BulletinKind.RECAP]
