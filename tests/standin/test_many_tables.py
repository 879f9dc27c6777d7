"""Many tables at the same moment, none of which waits forever behind the others."""

import asyncio

from bot.model.clock import Clock, Pace
from bot.model.ids import GuildId, Player
from bot.model.tables import Terms
from bot.play.api.timekeeper import DUE_AT_ONCE
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.presets import PRESETS
from bot.text.words import words_for
from tests.standin.rest import MISSING_PERMISSIONS, Fault, Request
from tests.standin.standin import custom_ids
from tests.standin.wired_bot import WiredBot

SLOW = 0.15
"""Seconds that Discord takes for a request."""
TABLES = DUE_AT_ONCE + 20
AT_ONCE = 30
"""Tables in one channel whose pings exceed several windows of Discord's limit for deletions."""


async def open_tables(wired: WiredBot, count: int = TABLES) -> None:
    """Open tables with different hosts, by default more than are checked in one batch."""
    for number in range(count):
        offer = TableOffer(
            guild=GuildId(wired.channel.guild.id),
            channel=wired.channel.id,
            host=Player(str(wired.user(number).id)),
            language="en",
            terms=Terms(
                variant=PRESETS["pineapple"],
                point_value=1,
                buy_in=100,
                max_seats=2,
                clock=Clock(pace=Pace.PER_TURN, seconds=60),
            ),
        )
        await wired.bot.services.play.open_table(offer, cause=str(number))


async def test_what_many_tables_have_to_say_at_once_is_all_said(wired: WiredBot) -> None:
    await open_tables(wired)
    await wired.drawn()
    tables = await wired.bot.services.play.open_tables(GuildId(wired.channel.guild.id))
    await asyncio.gather(*(wired.bot.services.play.close(table.key, reason="cancelled") for table in tables))
    await wired.drawn()
    said = [message.text for message in wired.channel.public() if words_for("en")("closed.cancelled") in message.text]
    # Where no hand was dealt, the message of the table says it, and no other.
    assert len(said) == TABLES


async def test_after_a_start_a_press_does_not_wait_until_all_tables_are_drawn(wired: WiredBot) -> None:
    await open_tables(wired)
    await wired.drawn()
    shown = wired.table()
    # The channel's contents are unknown, so every table is drawn.
    wired.discord.hook = lambda request: Fault(status=403, code=MISSING_PERMISSIONS) if request.kind == "get" else None
    wired.discord.requests.clear()
    await wired.bot.services.publisher.draw_open_tables()
    await wired.discord.press(wired.user(999), shown, f"c1:join:{TABLES}:0:0:::").finished()
    kinds = [request.kind for request in wired.discord.requests]
    assert kinds.index("callback") < TABLES / 2
    await wired.drawn()
    assert sum(request.kind == "edit" for request in wired.discord.requests) >= TABLES


async def test_tables_of_one_channel_are_drawn_one_at_a_time_and_as_they_stand_then(wired: WiredBot) -> None:
    in_progress, most, edits = 0, 0, 0

    def hook(request: Request) -> Fault | None:
        nonlocal in_progress, most, edits
        if request.kind != "edit":
            return None
        edits += 1
        in_progress += 1
        most = max(most, in_progress)
        asyncio.get_running_loop().call_later(SLOW * 0.9, done)
        return Fault(delay=SLOW)

    def done() -> None:
        nonlocal in_progress
        in_progress -= 1

    hosts, guests = [wired.user(number) for number in range(4)], [wired.user(number) for number in range(4, 6)]
    for host in hosts:
        await wired.discord.slash(host, wired.channel, "ofc play", stakes=0).finished()
    await wired.drawn()
    wired.discord.hook = hook
    tables = [message for message in wired.channel.public() if list(custom_ids(message, "join"))]
    tables.sort(key=lambda message: next(iter(custom_ids(message, "join"))))  # by number, as their hosts
    for guest in guests:
        for message in tables:
            (join,) = custom_ids(message, "join")
            await wired.discord.press(guest, message, join).finished()
    await wired.drawn()
    assert most == 1
    assert len(tables) <= edits <= 2 * len(tables)
    for host, message in zip(hosts, tables, strict=True):
        assert [f"**{one.payload['username']}**" in message.text for one in (host, *guests)] == [True] * 3


async def test_tables_that_close_at_once_delete_their_calls_without_a_429(wired: WiredBot) -> None:
    hosts = [wired.user(number) for number in range(AT_ONCE)]
    await wired.call_at_once(*hosts, *(wired.user(1000 + number) for number in range(AT_ONCE)))
    await open_tables(wired, AT_ONCE)
    tables = await wired.bot.services.play.open_tables(GuildId(wired.channel.guild.id))
    for number, table in enumerate(tables):
        await wired.bot.services.play.join(table.key, Player(str(1000 + number)), cause=f"join {number}")
        await wired.bot.services.play.start(table.key, table.host, cause=f"start {number}")
    await wired.drawn()
    await asyncio.gather(*(wired.bot.services.play.close(table.key, reason="closed_by_admin") for table in tables))
    await wired.drawn()
    deleted = [request for request in wired.discord.requests if request.kind == "delete"]
    assert len(deleted) >= AT_ONCE
    assert not wired.discord.limits.refused
