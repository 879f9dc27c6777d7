"""A call from the desk, and the desk itself in a private channel, on a Discord that outlives the bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from bot.model.clock import HOUR, Clock, Pace
from bot.model.events import Official
from bot.model.ids import EventKey, GuildId, Player
from bot.model.refusals import Stale
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.structure import PRESETS
from bot.pure.ofc.presets import PINEAPPLE
from bot.run.wiring import OperatorChoices, Resources, build_bot
from bot.store.sqlite.database import SqliteDatabase
from bot.store.sqlite.driver import Connect
from bot.text.words import words_for
from tests.crash.outliving import Posted, outliving, posts_told
from tests.discord.club import HASTY
from tests.play.world import START, FixedVault, World, quickly
from tests.standin.standin import custom_ids
from tests.standin.things import CHANNEL_IDS, CHANNELS_PER_GUILD, GUILD_IDS, USER_IDS

HERE, THERE = GuildId(GUILD_IDS + 1), CHANNEL_IDS + CHANNELS_PER_GUILD + 1
KEY = EventKey(guild=HERE, number=1)
BOSS = Official(player=Player(str(USER_IDS)), manager=True)
CALLED = words_for("en")("event_notice.call.here", by=f"<@{BOSS.player}>")


async def house(folder: Path) -> None:
    """An event of four in a channel that not everyone sees, of which nothing is posted yet."""
    world = World(folder, now=START)
    await world.open()
    plan = PlannedEvent(
        guild=HERE,
        channel=THERE,
        organiser=BOSS.player,
        language="en",
        name="Night",
        variant=PINEAPPLE,
        structure=replace(PRESETS["chaipo"], check_in_minutes=0),
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=START + 48 * HOUR,
    )
    await world.events.create(plan, cause="announced")
    for number in range(1, 5):
        await world.events.register(KEY, Player(str(USER_IDS + number)), cause=f"registers {number}")
    await world.close()


async def organise(
    folder: Path,
    *,
    at: int,
    before: Sequence[Posted],
    connect: Connect,
    begin: Callable[[], None],
    point: Callable[[str], None],
    tell: Callable[[str], None],
) -> int:
    """Start, call a player and keep the desk posted; returns the number of calls plus ten times that of desks.

    ``begin`` is called after the bot has started and shown everything else, ``point`` where it can be killed, and
    ``tell`` with each post that Discord accepts, before the bot gets the response.
    """
    now = [START]
    discord, channel = outliving(before, now)
    channel.hidden = True
    now[0] = at
    database = await SqliteDatabase.open(folder / "chaipo.db", connect=connect)
    vault = FixedVault.open(folder / "chaipo.key")
    bot = build_bot(
        Resources(database=database, vault=vault, master=quickly),
        OperatorChoices(rates=HASTY, shard_count=1, redraw_pause=0),
        now_ms=lambda: now[0],
    )
    await discord.start(bot)
    services = bot.services
    discord.hook = partial(posts_told, now=now, point=point, tell=tell)
    begin()
    await services.event_publisher.draw_open_events()
    await services.event_publisher.drawn()
    if before:  # The first life only announces the event.
        with suppress(Stale):
            await services.events.call_person(KEY, BOSS, Player(str(USER_IDS + 1)), cause="calls")
        await services.event_publisher.drawn()
        if (await services.events.look(KEY)).event.desk_channel is None:
            await services.events.keep_desk(KEY, BOSS, channel=THERE, cause="keeps")
        # The desk is drawn after its event.
        for _ in range(3):
            await services.event_publisher.drawn()
            await asyncio.sleep(0)
    calls = sum(CALLED in message.text for message in channel.public())
    desks = sum(bool(list(custom_ids(message, "ev_d_more"))) for message in channel.public())
    return calls + 10 * desks
