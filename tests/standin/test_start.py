"""Requests at a start: only outdated messages are drawn, and deleted ones are posted again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.model.clock import Clock, Pace
from bot.model.ids import GuildId, Player, TableKey
from bot.model.tables import Terms
from bot.play.table.lobby import TableOffer
from bot.pure.ofc.presets import PRESETS
from tests.standin.rest import MISSING_PERMISSIONS, Fault
from tests.standin.standin import custom_ids
from tests.standin.test_events import Evening
from tests.standin.things import Channel, Message
from tests.standin.wired_bot import WiredBot, make_bot

CHANNELS = 3
TABLES = 12
TIMED = Clock(pace=Pace.PER_TURN, seconds=299)
UNTIMED = Clock(pace=Pace.NONE, seconds=0)
SHOWING = ("send", "edit", "calendar")


def channel_of(wired: WiredBot, number: int) -> Channel:
    return wired.discord.channel(wired.channel.guild, 2 + number % CHANNELS)


async def open_table(wired: WiredBot, number: int, clock: Clock) -> TableKey:
    """Every other one is in its first hand, the others wait for players."""
    play = wired.bot.services.play
    host, guest = (Player(str(wired.user(place + 2 * number).id)) for place in (0, 1))
    offer = TableOffer(
        guild=GuildId(wired.channel.guild.id),
        channel=channel_of(wired, number).id,
        host=host,
        language="en",
        terms=Terms(variant=PRESETS["pineapple"], point_value=0, buy_in=0, max_seats=2, clock=clock),
    )
    key = (await play.open_table(offer, cause=f"open {number}")).key
    if number % 2:
        await play.join(key, guest, cause=f"join {number}")
        await play.start(key, host, cause=f"start {number}")
    return key


async def open_tables(wired: WiredBot, clock: Clock = TIMED) -> list[TableKey]:
    keys = [await open_table(wired, number, clock) for number in range(TABLES)]
    await wired.drawn()
    return keys


async def stop(wired: WiredBot) -> None:
    await asyncio.sleep(60)
    await wired.drawn()
    await wired.discord.stop()
    wired.discord.counts.clear()


async def start(wired: WiredBot, folder: Path) -> None:
    """Let the clockwork check all open tables, as after every start."""
    wired.bot = await make_bot(wired.discord, folder)
    await wired.discord.start(wired.bot)
    while wired.bot.clockwork.counted_to is None:  # noqa: ASYNC110  # no event tells it
        await asyncio.sleep(0.01)
    for _ in range(2):
        await wired.bot.services.event_publisher.drawn()
        await wired.drawn()


def asked(wired: WiredBot) -> dict[str, int]:
    """Return how often each message was drawn since the stop."""
    return {kind: count for kind, count in wired.discord.counts.items() if kind in SHOWING}


def tables_in(channel: Channel) -> list[Message]:
    return [message for message in channel.public() if list(custom_ids(message, "seats"))]


async def test_a_start_draws_no_table_whose_message_is_true(wired: WiredBot, tmp_path: Path) -> None:
    await open_tables(wired)
    await stop(wired)
    wired.discord.hook = lambda _: Fault(delay=0.1)
    await start(wired, tmp_path)
    assert asked(wired) == {}
    assert (wired.discord.counts["get"], wired.discord.counts["delete"]) == (CHANNELS, 0)


@pytest.mark.parametrize("changed", [1, 5])
async def test_a_start_draws_the_tables_that_have_changed(wired: WiredBot, tmp_path: Path, changed: int) -> None:
    keys = await open_tables(wired)
    await asyncio.sleep(60)
    await wired.bot.services.publisher.close()
    for key in keys[: 2 * changed : 2]:
        await wired.bot.services.play.join(key, Player(str(wired.user(99).id)), cause=f"late {key.table}")
    await wired.discord.stop()
    wired.discord.counts.clear()
    await start(wired, tmp_path)
    assert asked(wired) == {"edit": changed}
    assert await wired.bot.services.play.undrawn() == []


async def test_what_was_deleted_meanwhile_is_posted_anew(wired: WiredBot, tmp_path: Path) -> None:
    keys = await open_tables(wired)
    await stop(wired)
    for message in tables_in(channel_of(wired, 1))[:2]:
        del message.channel.messages[message.id]
    await start(wired, tmp_path)
    assert asked(wired) == {"edit": 2, "send": 2}
    standing = [len(tables_in(channel_of(wired, number))) for number in range(CHANNELS)]
    assert standing == [TABLES // CHANNELS] * CHANNELS
    for key in keys:
        table = (await wired.bot.services.play.look(key)).table
        assert table.message in wired.discord.channels[table.channel].messages


async def test_where_the_past_may_not_be_read_every_table_is_drawn(wired: WiredBot, tmp_path: Path) -> None:
    await open_tables(wired)
    await stop(wired)
    wired.discord.hook = lambda request: Fault(status=403, code=MISSING_PERMISSIONS) if request.kind == "get" else None
    await start(wired, tmp_path)
    assert asked(wired) == {"edit": TABLES}


@pytest.mark.parametrize(("clock", "drawn"), [(TIMED, TABLES), (UNTIMED, TABLES // 2)])
async def test_an_outage_draws_the_tables_that_show_a_time(
    wired: WiredBot, tmp_path: Path, clock: Clock, drawn: int
) -> None:
    """All those that wait for players do."""
    await open_tables(wired, clock)
    await stop(wired)
    await asyncio.sleep(120)
    await start(wired, tmp_path)
    assert asked(wired) == {"edit": drawn}


async def test_a_player_whom_the_end_of_the_process_kept_from_being_called_is_called(
    wired: WiredBot, tmp_path: Path
) -> None:
    await wired.call_at_once(wired.user(1))
    await wired.open(wired.user(1), wired.user(2))
    # A player who has just pressed a button is pinged only after a silence.
    await wired.place_cards(wired.user(2))
    await wired.tap(wired.user(1), wired.table(), "hand")
    await wired.drawn()
    await wired.discord.stop()
    wired.discord.counts.clear()
    wired.discord.requests.clear()
    await start(wired, tmp_path)
    (call,) = (request for request in wired.discord.requests if request.kind == "send" and "your turn" in request.body)
    assert call.notified == [str(wired.user(1).id)]
    assert "edit" not in asked(wired)


# events


async def test_a_start_draws_no_event_whose_message_is_true(wired: WiredBot, tmp_path: Path) -> None:
    evening = Evening(wired)
    await evening.announce()
    await stop(wired)
    await start(wired, tmp_path)
    assert asked(wired) == {}


async def test_an_event_whose_message_was_deleted_meanwhile_is_posted_anew(wired: WiredBot, tmp_path: Path) -> None:
    evening = Evening(wired)
    key = await evening.announce()
    await stop(wired)
    message = next(message for message in wired.channel.public() if list(custom_ids(message, "ev_register"))).id
    del wired.channel.messages[message]
    await start(wired, tmp_path)
    now = (await evening.event(key)).message
    assert now != message
    assert now in wired.channel.messages
