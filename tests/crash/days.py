"""Days by correspondence, on a Discord that outlives the bot: one goes on vacation, another chooses hours and waits.

A second life does what the first was kept from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bot.chat.club.posts.digests import Digests
from bot.chat.kit.faces import Faces
from bot.chat.kit.scheduled_poster import PosterContext
from bot.chat.table.posts.call_hours import rescheduled
from bot.model.choices import MemberSettings
from bot.model.clock import DAY, HOUR, Clock, Pace
from bot.model.ids import GuildId, Player, TableKey
from bot.store.sqlite.driver import Connect
from tests.crash.outliving import Posted, outliving, posts_told, woken
from tests.play.world import ANN, BOB, START, World
from tests.standin.standin import custom_ids
from tests.standin.things import CHANNEL_IDS, CHANNELS_PER_GUILD, GUILD_IDS, READ_MESSAGE_HISTORY

HERE, THERE = GuildId(GUILD_IDS + 1), CHANNEL_IDS + CHANNELS_PER_GUILD + 1
SLOW = Clock(pace=Pace.CORRESPONDENCE, seconds=3 * DAY // 1000)
VACATION_ENDS = START + 10 * DAY


async def house(folder: Path) -> dict[TableKey, Player]:
    """Open two tables that wait for different players; returns the player that each waits for."""
    world = World(folder, now=START)
    await world.open()
    turns = {}
    for host, other in ((ANN, BOB), (BOB, ANN)):
        key = await world.table(host, other, guild=HERE, channel=THERE, clock=SLOW)
        await world.start(key)
        turns[key] = await world.turn(key)
    await world.close()
    assert set(turns.values()) == {ANN, BOB}
    return turns


def chosen(before: MemberSettings) -> MemberSettings:
    """A digest in the hour that follows, which falls into quiet hours: two hours later they end."""
    hour = datetime.fromtimestamp(START / 1000, UTC).hour
    until, digest = (hour + 3) % 24, (hour + 1) % 24
    after = replace(before, zone="UTC", quiet_from=hour, quiet_until=until, digest_at=digest)
    return rescheduled(after, now=START)


async def pass_days(
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
    """Start, change settings that haven't been changed, and send everything due; returns the number of digests.

    ``begin`` is called after the bot has started, ``point`` where it can be killed, and ``tell`` with each post that
    Discord accepts, before the bot gets the response.
    """
    now = [START]
    discord, channel = outliving(before, now)
    channel.guild.bot_permissions = READ_MESSAGE_HISTORY if reads_history else 0
    begun = max([START, *(posted.at for posted in before)])
    client, world = await woken(discord, folder, at=begun, connect=connect)

    discord.hook = partial(posts_told, now=now, point=point, tell=tell)
    begin()
    await world.play.take_vacation(HERE, ANN, begins=START, ends=VACATION_ENDS)
    if (await world.play.member_settings(HERE, BOB)).digest_at is None:
        await world.play.change_member_settings(HERE, BOB, chosen)
    digests = Digests(PosterContext(client=client, use_cases=world.core, faces=Faces(), now_ms=lambda: now[0]))
    for moment in (START + 2 * HOUR, at):
        # In the quiet hours, and after them.
        now[0] = world.now = max(moment, world.now)
        await digests.sweep()
        await digests.done()
    return sum(bool(list(custom_ids(message, "games"))) for message in channel.public())
