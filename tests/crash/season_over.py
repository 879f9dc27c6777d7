"""A day on which a season's end is announced, on a Discord that outlives the bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from bot.chat.club.posts.season_ends import SeasonEnds
from bot.chat.kit.faces import Faces
from bot.chat.kit.scheduled_poster import PosterContext
from bot.model.hands import Result
from bot.model.ids import GuildId
from bot.play.session.session import Session
from bot.store.sqlite.driver import Connect
from tests.crash.outliving import Posted, outliving, posts_told, woken
from tests.play.world import ANN, BOB, START, World
from tests.standin.standin import custom_ids
from tests.standin.things import CHANNEL_IDS, CHANNELS_PER_GUILD, GUILD_IDS, READ_MESSAGE_HISTORY

HERE, THERE = GuildId(GUILD_IDS + 1), CHANNEL_IDS + CHANNELS_PER_GUILD + 1


async def house(folder: Path) -> None:
    """Let a player win a season that ends at the clock's start."""
    world = World(folder, now=START)
    await world.open()
    key = await world.table(ANN, BOB, guild=HERE, channel=THERE)
    await world.bank.change_seasons(HERE, ANN, lambda terms: replace(terms, channel=THERE), cause=world.cause())
    await world.bank.start_season(HERE, ANN, "", cause=world.cause())
    results = [
        Result(player=one, points=won, chips=won, fantasyland=0, foul=False, ranked=True)
        for one, won in ((ANN, 3), (BOB, -3))
    ]

    def add(s: Session) -> None:
        s.tx.results.add(key, 1, results, at=START, season=1)

    await world.sessions.write(add)
    await world.bank.end_season(HERE, ANN, cause=world.cause())
    await world.close()


async def pass_end(
    folder: Path,
    *,
    at: int,
    before: Sequence[Posted],
    connect: Connect,
    begin: Callable[[], None],
    point: Callable[[str], None],
    tell: Callable[[str], None],
    reads_history: bool,
) -> int:
    """Start at a given time and announce the end; returns the number of announcements.

    ``begin`` is called after the bot has started, ``point`` where it can be killed, and ``tell`` with each post that
    Discord accepts, before the bot gets the response.
    """
    now = [START]
    discord, channel = outliving(before, now)
    channel.guild.bot_permissions = READ_MESSAGE_HISTORY if reads_history else 0
    client, world = await woken(discord, folder, at=at, connect=connect)
    now[0] = at

    discord.hook = partial(posts_told, now=now, point=point, tell=tell)
    ends = SeasonEnds(PosterContext(client=client, use_cases=world.core, faces=Faces(), now_ms=lambda: now[0]))
    begin()
    await ends.sweep()
    await ends.done()
    return sum(bool(list(custom_ids(message, "ranks"))) for message in channel.public())
