"""The mark of a process: two that use one token with different databases notice each other, and no others do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from bot.chat.process_mark import LOOK_SECONDS, PREFIX, SURE_SECONDS, ProcessMark
from tests.standin.rest import Fault
from tests.standin.wired_bot import WiredBot, now_ms

RIVAL, GONE = "another process uses this bot's token", "the other process with this bot's token has ended"


def mark(wired: WiredBot, place: str = "one.db", *, unused: bool = False, leads: bool = True) -> ProcessMark:
    started_at = datetime.fromtimestamp(now_ms() / 1000, UTC)
    return ProcessMark(wired.bot, place=place, unused=unused, leads=lambda: leads, started_at=started_at)


def marks(wired: WiredBot) -> list[str]:
    return [name for name in wired.discord.emoji_names if name.startswith(PREFIX)]


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the log lines about another process, with their authors."""
    return [record.getMessage() for record in caplog.records if "this bot's token" in record.getMessage()]


async def pass_looks(number: float) -> None:
    await asyncio.sleep(number * (LOOK_SECONDS + SURE_SECONDS))


@pytest.fixture(autouse=True)
def _all_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


@pytest.mark.parametrize("apart", [0.0, 0.5, LOOK_SECONDS / 2, LOOK_SECONDS - 0.5])
async def test_both_processes_say_so_and_say_when_it_is_over(
    apart: float, wired: WiredBot, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = mark(wired, "one.db"), mark(wired, "other.db")
    await one.begin()
    await asyncio.sleep(apart)
    await other.begin()
    await pass_looks(4)
    assert one.has_rival
    assert other.has_rival
    lines = said(caplog)
    assert all(line.startswith(RIVAL) for line in lines)
    assert {place for place in ("one.db", "other.db") for line in lines if place in line} == {"one.db", "other.db"}
    assert len(lines) == 2, "once each, and not at every look"
    other.end()
    await pass_looks(4)
    assert not one.has_rival
    assert said(caplog)[2:] == [GONE]
    assert len(marks(wired)) == 1
    one.end()


async def test_it_is_said_again_while_it_lasts(wired: WiredBot, caplog: pytest.LogCaptureFixture) -> None:
    both = mark(wired, "one.db"), mark(wired, "other.db")
    for each in both:
        await each.begin()
    await pass_looks(26)
    lines = [line for line in said(caplog) if "one.db" in line]
    assert 2 <= len(lines) <= 4
    for each in both:
        each.end()


async def test_a_restart_says_nothing(wired: WiredBot, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        each = mark(wired)
        await each.begin()
        await pass_looks(3)
        each.end()
    assert said(caplog) == []
    assert len(marks(wired)) == 1


async def test_of_several_processes_on_one_database_only_the_leader_writes(
    wired: WiredBot, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = mark(wired), mark(wired, leads=False)
    await one.begin()
    await other.begin()
    await pass_looks(4)
    assert said(caplog) == []
    one.end()
    next_leader = mark(wired)
    await next_leader.begin()
    await pass_looks(4)
    assert said(caplog) == []
    for each in (other, next_leader):
        each.end()


async def test_a_mark_that_was_deleted_by_hand_is_written_again(
    wired: WiredBot, caplog: pytest.LogCaptureFixture
) -> None:
    one = mark(wired)
    await one.begin()
    await pass_looks(1)
    for emoji in await wired.bot.fetch_application_emojis():
        if emoji.name.startswith(PREFIX):
            await emoji.delete()
    await pass_looks(4)
    assert len(marks(wired)) == 1
    assert not one.has_rival
    one.end()


async def test_one_look_a_minute_is_one_request(wired: WiredBot) -> None:
    one = mark(wired)
    await one.begin()
    await asyncio.sleep(LOOK_SECONDS / 2)
    wired.discord.requests.clear()
    await asyncio.sleep(10 * LOOK_SECONDS)
    asked = [request.path for request in wired.discord.requests if "emojis" in request.path]
    assert len(asked) == 10
    one.end()


@pytest.mark.parametrize("fault", [Fault(status=403, code=50001), Fault(error=OSError("gone"))])
async def test_where_discord_does_not_answer_nothing_is_said(
    fault: Fault, wired: WiredBot, caplog: pytest.LogCaptureFixture
) -> None:
    one = mark(wired)
    await one.begin()
    await pass_looks(1)
    wired.discord.hook = lambda request: fault if "emojis" in request.path else None
    await pass_looks(4)
    assert said(caplog) == []
    wired.discord.hook = None
    await pass_looks(2)
    assert not one.has_rival
    assert len(marks(wired)) == 1
    one.end()


# A new database for an application that is in use


@pytest.fixture
async def used(wired: WiredBot) -> None:
    """Some cards from a start in the past, and none from Discord's future."""
    wired.discord.clear_emojis()
    wired.discord.add_emoji("ace_spades")


async def past_said(wired: WiredBot, caplog: pytest.LogCaptureFixture, *, unused: bool) -> Sequence[str]:
    await asyncio.sleep(600)
    one = mark(wired, "new.db", unused=unused)
    await one.look()
    return [record.getMessage() for record in caplog.records if "is new and empty" in record.getMessage()]


@pytest.mark.usefixtures("used")
async def test_a_new_database_for_an_application_in_use_is_told(
    wired: WiredBot, caplog: pytest.LogCaptureFixture
) -> None:
    (line,) = await past_said(wired, caplog, unused=True)
    assert line.startswith("new.db is new and empty, but this application's bot has run since ")
    assert "is in 1 server. " in line
    assert "`move-out`" in line


@pytest.mark.usefixtures("used")
async def test_a_database_in_use_is_not(wired: WiredBot, caplog: pytest.LogCaptureFixture) -> None:
    assert not await past_said(wired, caplog, unused=False)


async def test_nor_is_a_first_start(wired: WiredBot, caplog: pytest.LogCaptureFixture) -> None:
    """The cards that this very start has uploaded say nothing."""
    wired.discord.clear_emojis()
    await asyncio.sleep(600)
    one = mark(wired, "new.db", unused=True)
    await asyncio.sleep(30)
    wired.discord.add_emoji("ace_spades")
    await one.look()
    assert not [record for record in caplog.records if "is new and empty" in record.getMessage()]


@pytest.mark.usefixtures("used")
async def test_nor_one_whose_bot_is_in_no_server(wired: WiredBot, caplog: pytest.LogCaptureFixture) -> None:
    wired.discord.remove_guild(wired.channel.guild)
    await asyncio.sleep(1)
    assert not await past_said(wired, caplog, unused=True)
