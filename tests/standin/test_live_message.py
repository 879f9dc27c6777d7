"""A message that is kept true: edited while it is young, posted anew when it is gone or old."""

from __future__ import annotations

import discord
import pytest

from bot.live.live_message import EDITABLE_MS, keep
from bot.ui.fragments import QUIET_COLOUR
from bot.ui.widgets import screen
from tests.standin.rest import MISSING_PERMISSIONS, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, Fault
from tests.standin.room import Room

THREAD_ARCHIVED = 50083


async def shown(room: Room, message: int | None, *, later: int = 0, over: bool = False) -> int | None:
    channel = room.bot.get_partial_messageable(room.channel.id, guild_id=room.channel.guild.id)
    now = room.discord.now_ms() + later
    return await keep(channel, message, screen("now" if message else "before", colour=QUIET_COLOUR), now=now, over=over)


def texts(room: Room) -> list[str]:
    return [message.text for message in room.channel.public()]


async def test_a_young_message_is_edited(room: Room) -> None:
    first = await shown(room, None)
    assert texts(room) == ["before"]
    assert await shown(room, first, later=EDITABLE_MS - 1000) == first
    assert texts(room) == ["now"]


async def test_an_old_message_makes_room_for_a_new_one(room: Room) -> None:
    first = await shown(room, None)
    assert await shown(room, first, later=EDITABLE_MS) not in (first, None)
    assert texts(room) == ["now"]


async def test_an_old_message_that_cannot_be_deleted_stays(room: Room) -> None:
    first = await shown(room, None)
    room.discord.hook = lambda request: (
        Fault(status=403, code=MISSING_PERMISSIONS) if request.kind == "delete" else None
    )
    assert await shown(room, first, later=EDITABLE_MS) not in (first, None)
    assert texts(room) == ["before", "now"]


async def test_what_is_over_stays_where_it_stands_however_old_it_is(room: Room) -> None:
    first = await shown(room, None)
    assert await shown(room, first, later=2 * EDITABLE_MS, over=True) == first
    assert texts(room) == ["now"]


@pytest.mark.parametrize(("status", "code"), [(404, UNKNOWN_MESSAGE), (400, THREAD_ARCHIVED)])
async def test_what_takes_no_edit_is_posted_anew_unless_it_is_over(room: Room, status: int, code: int) -> None:
    first = await shown(room, None)
    room.discord.hook = lambda request: Fault(status=status, code=code) if request.kind == "edit" else None
    assert await shown(room, first, over=True) is None
    assert texts(room) == ["before"]
    assert await shown(room, first) not in (first, None)
    assert texts(room) == ["before", "now"]


@pytest.mark.parametrize(("status", "code"), [(404, UNKNOWN_CHANNEL), (403, MISSING_PERMISSIONS)])
async def test_what_else_is_refused_is_for_the_caller(room: Room, status: int, code: int) -> None:
    first = await shown(room, None)
    room.discord.hook = lambda request: Fault(status=status, code=code) if request.kind == "edit" else None
    with pytest.raises(discord.HTTPException) as refused:
        await shown(room, first)
    assert refused.value.code == code
    assert texts(room) == ["before"]
