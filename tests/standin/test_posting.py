"""What is posted stands once: whatever is lost on the way, and wherever the process ends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.live.live_message import FOUND_MS, keep
from bot.live.posting import nonce_of
from bot.text.words import words_for
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.widgets import screen
from tests.standin.rest import MISSING_PERMISSIONS, UNKNOWN_MESSAGE, Fault
from tests.standin.room import Room, make_bot
from tests.standin.standin import custom_ids
from tests.standin.things import Message

WORDS = words_for("en")


def tables(room: Room) -> list[Message]:
    """The messages of tables, and the calls."""
    return [message for message in room.channel.public() if list(custom_ids(message))]


async def restarted(room: Room, folder: Path) -> None:
    await room.discord.stop()
    room.bot = await make_bot(folder)
    await room.discord.start(room.bot)
    await room.bot.services.publisher.draw_open_tables()
    await room.drawn()


def orphan(room: Room, message: Message, *, table: int = 1) -> Message:
    """The same once more, as a process leaves it that ends before it has noted what it posted."""
    body = re.sub(r":1(\.\w+)?:", rf":{table}\1:", message.body.replace('"nonce":"', '"nonce":"x'))
    left = room.discord._post(message.channel, body)  # noqa: SLF001
    assert left is not message
    return left


# nonces


def test_a_nonce_is_as_long_as_discord_takes_it_and_tells_everything_apart() -> None:
    nonces = {
        nonce_of(channel, kind, *page) for channel in (1, 12) for kind in ("1", "2:1") for page in ((), (1,), (2, 1))
    }
    assert len(nonces) == 12
    assert {len(nonce) for nonce in nonces} == {24}
    assert nonce_of(5, "table", None) == nonce_of(5, "table", None)


async def test_two_servers_with_the_same_table_and_hand_see_a_result_each(room: Room) -> None:
    other = Room(room.discord, room.discord.channel(room.discord.guild(2), 1), room.bot)
    for one in (room, other):
        await one.open(room.user(1), room.user(2))
        await one.play_hand()
        assert any(WORDS("result.title", hand=1) in message.text for message in one.channel.public())
    sends = [request.json for request in room.discord.requests if request.kind == "send"]
    nonces = [sent["nonce"] for sent in sends]
    assert len(nonces) == len(set(nonces))
    assert all(sent["enforce_nonce"] and len(sent["nonce"]) <= 25 for sent in sends)


async def test_a_table_whose_posting_was_not_noted_stands_once(room: Room) -> None:
    lost = iter([Fault(error=TimeoutError(), done=True)])
    room.discord.hook = lambda request: next(lost, None) if request.kind == "send" else None
    await room.discord.slash(room.user(1), room.channel, "ofc play").finished()
    await room.drawn()
    await room.bot.services.publisher.sweep()
    await room.drawn()
    (message,) = tables(room)
    assert (await room.look()).table.message == message.id


async def test_a_call_whose_posting_was_not_noted_stands_once(room: Room) -> None:
    await room.open(room.user(1), room.user(2))
    before = len(tables(room))
    lost = iter([Fault(error=TimeoutError(), done=True)])
    room.discord.hook = lambda request: next(lost, None) if request.kind == "send" else None
    await room.lay(room.user(2))
    await room.drawn()
    await room.bot.services.publisher.sweep()
    await room.drawn()
    assert len(tables(room)) == before
    assert (await room.look()).table.call in {message.id for message in tables(room)}


async def test_a_message_that_was_posted_before_shows_what_is_true_now(room: Room) -> None:
    channel = room.bot.get_partial_messageable(room.channel.id, guild_id=room.channel.guild.id)
    now = room.discord.now_ms()
    posted = [
        await keep(channel, None, screen(text, colour=QUIET_COLOUR), "table", 1, now=now + later, over=False)
        for text, later in (("before", 0), ("now", 2 * FOUND_MS))
    ]
    assert len(set(posted)) == 1
    assert [message.text for message in room.channel.public()] == ["now"]


async def test_what_was_posted_and_deleted_meanwhile_is_posted_anew(room: Room) -> None:
    await room.open(room.user(1), room.user(2))
    gone = iter([Fault(status=404, code=UNKNOWN_MESSAGE)])
    title = WORDS("result.title", hand=1)
    room.discord.hook = lambda request: (
        next(gone, None) if request.kind == "send" and title in str(request.json) else None
    )
    await room.play_hand()
    assert [title in message.text for message in room.channel.public()].count(True) == 1
    assert next(gone, None) is None


# orphans


async def test_a_start_removes_what_shows_or_calls_to_a_table_and_is_not_noted(room: Room, tmp_path: Path) -> None:
    await room.open(room.user(1), room.user(2))
    before = {message.id for message in room.channel.public()}
    for message in tables(room):
        orphan(room, message)
    assert len(room.channel.public()) > len(before)
    await restarted(room, tmp_path)
    assert {message.id for message in room.channel.public()} == before


async def test_a_start_removes_no_result(room: Room, tmp_path: Path) -> None:
    await room.open(room.user(1), room.user(2))
    await room.play_hand()
    await restarted(room, tmp_path)
    assert [m for m in room.channel.public() if WORDS("result.title", hand=1) in m.text]


async def test_a_start_does_not_touch_the_messages_of_other_tables(room: Room, tmp_path: Path) -> None:
    await room.open(room.user(1), room.user(2))
    (other,) = (message for message in tables(room) if list(custom_ids(message, "leave")))
    elsewhere = orphan(room, other, table=77)
    await restarted(room, tmp_path)
    assert elsewhere in room.channel.public()


async def test_where_the_past_may_not_be_read_nothing_is_removed_and_the_table_is_drawn(
    room: Room, tmp_path: Path
) -> None:
    await room.open(room.user(1), room.user(2))
    left = orphan(room, room.table())
    room.discord.hook = lambda request: Fault(status=403, code=MISSING_PERMISSIONS) if request.kind == "get" else None
    await restarted(room, tmp_path)
    assert left in room.channel.public()
    table = (await room.look()).table
    assert table.drawn_version == table.version


async def test_the_past_is_read_after_a_start_only_and_once_a_channel(room: Room, tmp_path: Path) -> None:
    for number in (1, 3):
        await room.discord.slash(room.user(number), room.channel, "ofc play").finished()
    await room.drawn()
    # The first start may end while the tables are opened.
    read = room.discord.counts["get"]
    await restarted(room, tmp_path)
    assert room.discord.counts["get"] == read + 1
    await room.tap(room.user(2), room.table(), "join")
    await room.drawn()
    assert room.discord.counts["get"] == read + 1


# places that go


@pytest.mark.parametrize("event", ["on_guild_channel_delete", "on_raw_thread_delete", "on_guild_remove"])
async def test_a_place_that_goes_is_noticed_once(room: Room, event: str) -> None:
    assert len(room.bot.extra_events[event]) == 1
