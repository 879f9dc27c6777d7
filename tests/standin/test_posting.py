"""Posts appear exactly once, whatever is lost on the way and wherever the process ends."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from bot.chat.kit.fragments import QUIET_COLOUR
from bot.chat.kit.kept_messages import FOUND_MS, keep
from bot.chat.kit.posting import nonce_for
from bot.chat.kit.widgets import screen
from bot.chat.table.posts.calls import SILENT_MS
from bot.text.words import words_for
from tests.standin.rest import MISSING_PERMISSIONS, UNKNOWN_MESSAGE, Fault
from tests.standin.standin import custom_ids
from tests.standin.things import Message
from tests.standin.wired_bot import WiredBot, make_bot, now_ms

WORDS = words_for("en")


def tables(wired: WiredBot) -> list[Message]:
    """The messages of tables, and the calls; not the first one, which only fixes the decks."""
    return [
        message for message in wired.channel.public() if any(":fairness:" not in one for one in custom_ids(message))
    ]


async def restarted(wired: WiredBot, folder: Path) -> None:
    await wired.discord.stop()
    wired.bot = await make_bot(wired.discord, folder)
    await wired.discord.start(wired.bot)
    await wired.bot.services.publisher.draw_open_tables()
    await wired.drawn()


def orphan(wired: WiredBot, message: Message, *, table: int = 1) -> Message:
    """Post a copy of a message, like a process that ended before recording its post."""
    body = re.sub(r":1(\.[\w~]+)?:", rf":{table}\1:", message.body.replace('"nonce":"', '"nonce":"x'))
    left = wired.discord._post(message.channel, body)  # noqa: SLF001
    assert left is not message
    return left


# nonces


def test_a_nonce_is_as_long_as_discord_takes_it_and_tells_everything_apart() -> None:
    nonces = {
        nonce_for(channel, kind, *page) for channel in (1, 12) for kind in ("1", "2:1") for page in ((), (1,), (2, 1))
    }
    assert len(nonces) == 12
    assert {len(nonce) for nonce in nonces} == {24}
    assert nonce_for(5, "table", None) == nonce_for(5, "table", None)


async def test_two_servers_with_the_same_table_and_hand_see_a_result_each(wired: WiredBot) -> None:
    other = WiredBot(wired.discord, wired.discord.channel(wired.discord.guild(2), 1), wired.bot)
    for one in (wired, other):
        await one.open(wired.user(1), wired.user(2))
        await one.play_hand()
        assert any(WORDS("result.heading", hand=1, table=1) in message.text for message in one.channel.public())
    sends = [request.json for request in wired.discord.requests if request.kind == "send"]
    nonces = [sent["nonce"] for sent in sends]
    assert len(nonces) == len(set(nonces))
    assert all(sent["enforce_nonce"] and len(sent["nonce"]) <= 25 for sent in sends)


async def test_the_first_table_of_a_new_database_gets_messages_of_its_own(wired: WiredBot, tmp_path: Path) -> None:
    """The table's number is reused in the same server, within the minutes for which Discord remembers a nonce."""
    await wired.discord.slash(wired.user(1), wired.channel, "ofc play").finished()
    await wired.drawn()
    before = tables(wired)
    await wired.discord.stop()
    (tmp_path / "new").mkdir()
    wired.bot = await make_bot(wired.discord, tmp_path / "new", now_ms=lambda: now_ms() + 1000)
    await wired.discord.start(wired.bot)
    await wired.discord.slash(wired.user(1), wired.channel, "ofc play").finished()
    await wired.drawn()
    assert (await wired.look()).table.message not in {message.id for message in before}


async def test_a_table_whose_posting_was_not_noted_stands_once(wired: WiredBot) -> None:
    lost = iter([Fault(error=TimeoutError(), done=True)])
    wired.discord.hook = lambda request: next(lost, None) if request.kind == "send" else None
    await wired.discord.slash(wired.user(1), wired.channel, "ofc play").finished()
    await wired.drawn()
    await wired.bot.services.publisher.sweep()
    await wired.drawn()
    (message,) = tables(wired)
    assert (await wired.look()).table.message == message.id


async def test_a_call_whose_posting_was_not_noted_stands_once(wired: WiredBot) -> None:
    await wired.call_at_once(wired.user(1), wired.user(2))
    await wired.open(wired.user(1), wired.user(2))
    await asyncio.sleep(SILENT_MS / 1000 + 1)  # no recent press
    await wired.drawn()
    before = len(tables(wired))
    lost = iter([Fault(error=TimeoutError(), done=True)])
    wired.discord.hook = lambda request: next(lost, None) if request.kind == "send" else None
    await wired.place_cards(wired.user(2))
    await wired.drawn()
    await wired.bot.services.publisher.sweep()
    await wired.drawn()
    assert len(tables(wired)) == before
    assert (await wired.look()).table.call in {message.id for message in tables(wired)}


async def test_a_message_that_was_posted_before_shows_what_is_true_now(wired: WiredBot) -> None:
    channel = wired.bot.get_partial_messageable(wired.channel.id, guild_id=wired.channel.guild.id)
    now = wired.discord.now_ms()
    posted = [
        await keep(channel, None, screen(text, colour=QUIET_COLOUR), "table", 1, now=now + later, over=False)
        for text, later in (("before", 0), ("now", 2 * FOUND_MS))
    ]
    assert len(set(posted)) == 1
    assert [message.text for message in wired.channel.public()] == ["now"]


async def test_what_was_posted_and_deleted_meanwhile_is_posted_anew(wired: WiredBot) -> None:
    await wired.open(wired.user(1), wired.user(2))
    gone = iter([Fault(status=404, code=UNKNOWN_MESSAGE)])
    title = WORDS("result.heading", hand=1, table=1)
    wired.discord.hook = lambda request: (
        next(gone, None) if request.kind == "send" and title in str(request.json) else None
    )
    await wired.play_hand()
    assert [title in message.text for message in wired.channel.public()].count(True) == 1
    assert next(gone, None) is None


# orphans


async def test_a_start_removes_what_shows_or_calls_to_a_table_and_is_not_noted(wired: WiredBot, tmp_path: Path) -> None:
    await wired.open(wired.user(1), wired.user(2))
    before = {message.id for message in wired.channel.public()}
    for message in tables(wired):
        orphan(wired, message)
    assert len(wired.channel.public()) > len(before)
    await restarted(wired, tmp_path)
    assert {message.id for message in wired.channel.public()} == before


async def test_a_start_removes_no_result(wired: WiredBot, tmp_path: Path) -> None:
    await wired.open(wired.user(1), wired.user(2))
    await wired.play_hand()
    await restarted(wired, tmp_path)
    assert [m for m in wired.channel.public() if WORDS("result.heading", hand=1, table=1) in m.text]


async def test_a_start_does_not_touch_the_messages_of_other_tables(wired: WiredBot, tmp_path: Path) -> None:
    await wired.open(wired.user(1), wired.user(2))
    (other,) = (message for message in tables(wired) if list(custom_ids(message, "seats")))
    elsewhere = orphan(wired, other, table=77)
    await restarted(wired, tmp_path)
    assert elsewhere in wired.channel.public()


async def test_where_the_past_may_not_be_read_nothing_is_removed_and_the_table_is_drawn(
    wired: WiredBot, tmp_path: Path
) -> None:
    await wired.open(wired.user(1), wired.user(2))
    left = orphan(wired, wired.table())
    wired.discord.hook = lambda request: Fault(status=403, code=MISSING_PERMISSIONS) if request.kind == "get" else None
    await restarted(wired, tmp_path)
    assert left in wired.channel.public()
    table = (await wired.look()).table
    assert table.drawn_version == table.version


async def test_the_past_is_read_after_a_start_only_and_once_a_channel(wired: WiredBot, tmp_path: Path) -> None:
    for number in (1, 3):
        await wired.discord.slash(wired.user(number), wired.channel, "ofc play").finished()
    await wired.drawn()
    # The first start may end while the tables are opened.
    read = wired.discord.counts["get"]
    await restarted(wired, tmp_path)
    assert wired.discord.counts["get"] == read + 1
    await wired.tap(wired.user(2), wired.table(), "join")
    await wired.drawn()
    assert wired.discord.counts["get"] == read + 1


# places that go


@pytest.mark.parametrize("event", ["on_guild_channel_delete", "on_raw_thread_delete", "on_guild_remove"])
async def test_a_place_that_goes_is_noticed_once(wired: WiredBot, event: str) -> None:
    assert len(wired.bot.extra_events[event]) == 1
