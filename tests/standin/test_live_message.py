"""A message that is kept up to date: edited while it's recent, posted again if it's deleted or old."""

from __future__ import annotations

import asyncio

import discord
import pytest

from bot.chat.discord_patches.governor import OLD_MS
from bot.chat.kit.fragments import QUIET_COLOUR
from bot.chat.kit.kept_messages import keep
from bot.chat.kit.widgets import screen
from tests.standin.rest import MISSING_PERMISSIONS, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, Fault
from tests.standin.wired_bot import WiredBot

THREAD_ARCHIVED = 50083


async def shown(wired: WiredBot, message: int | None, *, later: int = 0, over: bool = False) -> int | None:
    channel = wired.bot.get_partial_messageable(wired.channel.id, guild_id=wired.channel.guild.id)
    now = wired.discord.now_ms() + later
    return await keep(channel, message, screen("now" if message else "before", colour=QUIET_COLOUR), now=now, over=over)


def texts(wired: WiredBot) -> list[str]:
    return [message.text for message in wired.channel.public()]


async def test_a_young_message_is_edited(wired: WiredBot) -> None:
    first = await shown(wired, None)
    assert texts(wired) == ["before"]
    assert await shown(wired, first, later=OLD_MS - 1000) == first
    assert texts(wired) == ["now"]


async def test_an_old_message_makes_room_for_a_new_one(wired: WiredBot) -> None:
    first = await shown(wired, None)
    assert await shown(wired, first, later=OLD_MS) not in (first, None)
    assert texts(wired) == ["now"]


async def test_an_old_message_that_cannot_be_deleted_stays(wired: WiredBot) -> None:
    first = await shown(wired, None)
    wired.discord.hook = lambda request: (
        Fault(status=403, code=MISSING_PERMISSIONS) if request.kind == "delete" else None
    )
    assert await shown(wired, first, later=OLD_MS) not in (first, None)
    assert texts(wired) == ["before", "now"]


async def test_what_is_over_stays_where_it_stands_however_old_it_is(wired: WiredBot) -> None:
    first = await shown(wired, None)
    assert await shown(wired, first, later=2 * OLD_MS, over=True) == first
    assert texts(wired) == ["now"]


async def test_many_old_messages_that_are_over_at_once_provoke_no_refusal(wired: WiredBot) -> None:
    channel = wired.bot.get_partial_messageable(wired.channel.id, guild_id=wired.channel.guild.id)
    messages = [(await channel.send("before")).id for _ in range(6)]
    await asyncio.sleep(2 * OLD_MS / 1000)
    assert await asyncio.gather(*(shown(wired, message, over=True) for message in messages)) == messages
    assert texts(wired) == ["now"] * 6
    assert wired.discord.limits.refused == {}


@pytest.mark.parametrize(
    ("status", "code", "left"),
    [(404, UNKNOWN_MESSAGE, ["before"]), (400, THREAD_ARCHIVED, [])],
    ids=["gone", "archived"],
)
async def test_what_takes_no_edit_is_posted_anew_unless_it_is_over(
    wired: WiredBot, status: int, code: int, left: list[str]
) -> None:
    """The new message opens an archived thread, and the old one goes; one that is gone only says so here."""
    first = await shown(wired, None)
    wired.discord.hook = lambda request: Fault(status=status, code=code) if request.kind == "edit" else None
    assert await shown(wired, first, over=True) is None
    assert texts(wired) == ["before"]
    assert await shown(wired, first) not in (first, None)
    assert texts(wired) == [*left, "now"]


@pytest.mark.parametrize(("status", "code"), [(404, UNKNOWN_CHANNEL), (403, MISSING_PERMISSIONS)])
async def test_what_else_is_refused_is_for_the_caller(wired: WiredBot, status: int, code: int) -> None:
    first = await shown(wired, None)
    wired.discord.hook = lambda request: Fault(status=status, code=code) if request.kind == "edit" else None
    with pytest.raises(discord.HTTPException) as refused:
        await shown(wired, first)
    assert refused.value.code == code
    assert texts(wired) == ["before"]
