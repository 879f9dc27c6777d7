"""Many tables at the same moment: none waits for ever behind the others."""

import asyncio

from bot.ofc.variants import PRESETS
from bot.play.clock import Clock, Pace
from bot.play.lobby import Offer
from bot.play.model import GuildId, Player
from bot.play.service import DUE_AT_ONCE
from bot.text.words import words_for
from tests.standin.room import Room

TABLES = DUE_AT_ONCE + 20


async def open_tables(room: Room) -> None:
    """More tables than are looked at in one go, each with a host of its own."""
    for number in range(TABLES):
        offer = Offer(
            guild=GuildId(room.channel.guild.id),
            channel=room.channel.id,
            host=Player(str(room.user(number).id)),
            language="en",
            variant=PRESETS["pineapple"],
            point_value=1,
            buy_in=100,
            max_seats=2,
            clock=Clock(pace=Pace.PER_TURN, seconds=60),
        )
        await room.bot.desk.play.open_table(offer, cause=str(number))


async def test_what_many_tables_have_to_say_at_once_is_all_said(room: Room) -> None:
    await open_tables(room)
    await room.drawn()
    tables = await room.bot.desk.play.open_tables(GuildId(room.channel.guild.id))
    await asyncio.gather(*(room.bot.desk.play.close(table.key, reason="cancelled") for table in tables))
    await room.drawn()
    said = [message.text for message in room.channel.public() if words_for("en")("closed.cancelled") in message.text]
    # In the message of the table, and in one of its own that stays where the talk is.
    assert len(said) == 2 * TABLES


async def test_after_a_start_a_press_does_not_wait_until_all_tables_are_drawn(room: Room) -> None:
    await open_tables(room)
    await room.drawn()
    shown = room.table()
    room.discord.requests.clear()
    await room.bot.desk.publisher.draw_open_tables()
    await room.discord.press(room.user(999), shown, f"c1:join:{TABLES}:0:0:::").finished()
    kinds = [request.kind for request in room.discord.requests]
    assert kinds.index("callback") < TABLES / 2
    await room.drawn()
    assert sum(request.kind == "edit" for request in room.discord.requests) >= TABLES
