"""A kept desk whose server moves to another process: one message, edited by the current owner."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from tests.databases import Server, ask
from tests.processes.happenings import (
    Happening,
    one_is_frozen_and_wakes_up_late,
    one_is_killed,
    one_leaves,
)
from tests.processes.house import House, house
from tests.processes.people import WORDS, newest
from tests.standin.bot_process import BotProcess
from tests.standin.rest import Request
from tests.standin.standin import custom_ids
from tests.standin.things import Message, User

SHARDS = 6
PATIENCE_SECONDS = 120
MAX_ENTRANTS = 40
_KEPT = "SELECT desk_channel, desk_message FROM event"
_IN = "SELECT COUNT(*) FROM entrant"
_SAID = "SELECT COUNT(*) FROM event_log WHERE kind = 'said'"


class Evening:
    """An event that waits for players, and a room that not everyone sees, on the first shard."""

    def __init__(self, played: House) -> None:
        guild = played.discord.guild_on(0, 1)
        self.channel, self.room = (played.discord.channel(guild, number) for number in (1, 2))
        self.boss = User(played.people(1)[0].id, manager=True)
        self.came = 0
        self._played = played

    async def publish(self) -> None:
        """Publish an event that begins when it is full."""
        discord, crowd = self._played.discord, self._played.crowd
        discord.hide_channel(self.room)
        page = await crowd.judge(discord.slash(self.boss, self.channel, "event", do="create"))
        assert page is not None
        assert page.answer is not None
        asked = None
        while asked is None or asked.form is None:
            asked = await discord.press(self.boss, page.answer, "c1:ev_form_ask:0:0:0:::people").finished()
        assert await crowd.judge(discord.submit(asked, "3", str(MAX_ENTRANTS)))
        (publish,) = custom_ids(page.answer, "ev_form_publish")
        assert await crowd.press(self.boss, page.answer, publish)

    async def register(self, count: int) -> None:
        """Register more players."""
        guild = self.channel.guild
        await self._played.discord.until(lambda: next(newest(guild, "ev_register"), None), seconds=PATIENCE_SECONDS)
        for user in self._played.people(count):
            message, register = next(newest(guild, "ev_register"))
            while await self._played.crowd.press(user, message, register) is None:
                continue
        self.came += count

    async def keep_desk(self) -> None:
        """Keep the desk in the room."""
        discord, crowd, asked = self._played.discord, self._played.crowd, None
        while asked is None or asked.answer is None:
            asked = await crowd.judge(discord.slash(self.boss, self.room, "event", do="desk"))
        (more,) = custom_ids(asked.answer, "ev_d_more")
        assert await crowd.judge(discord.press(self.boss, asked.answer, more, values=["keep"]))

    @property
    def desks(self) -> list[Message]:
        """Return the desks in the channel."""
        return [message for message in self.room.public() if any(custom_ids(message, "ev_d_more"))]

    def is_true(self) -> bool:
        """True when a desk says how many have registered."""
        said = WORDS("event_desk.registered", count=self.came, most=MAX_ENTRANTS)
        return any(said in message.text for message in self.desks)

    async def shown(self) -> None:
        """Wait until the desk says how many have registered."""
        await self._played.discord.until(self.is_true, seconds=PATIENCE_SECONDS)


async def one_is_killed_while_it_posts_the_desk(played: House, evening: Evening) -> None:
    """The desk is deleted manually, and the process that posts it again is killed after Discord has accepted it."""
    (desk,) = evening.desks
    victims: list[BotProcess] = []

    def kill(request: Request) -> None:
        if not victims and request.kind == "send" and str(evening.room.id) in request.path:
            victims.extend(played.owners(0))
            victims[0].signal(signal.SIGKILL)

    played.discord.hook = kill
    del evening.room.messages[desk.id]
    await evening.register(1)
    await played.discord.until(lambda: victims, seconds=PATIENCE_SECONDS)
    await played.discord.until(lambda: victims[0] not in played.owners(0) and played.owners(0))


async def kept(played: House) -> Evening:
    """Three processes, an evening with two players, and its desk in the room."""
    await played.start(3)
    await played.ready()
    evening = Evening(played)
    await evening.publish()
    await evening.register(2)
    await evening.keep_desk()
    await evening.shown()
    return evening


async def assert_goes_on(played: House, evening: Evening) -> Message:
    """Check that another process owns the server, that one desk shows further events, and that presses take effect
    once."""
    await played.discord.until(played.fairly_shared)
    await evening.register(2)
    await evening.shown()
    (desk,) = evening.desks
    assert await asyncio.to_thread(ask, played.address, _KEPT) == [(evening.room.id, desk.id)]
    (say,) = custom_ids(desk, "ev_d_say")
    sent = await played.discord.press(evening.boss, desk, say).finished()
    assert sent.form is not None
    assert await played.crowd.judge(played.discord.submit(sent, "Soon"))
    assert await asyncio.to_thread(ask, played.address, _SAID) == [(1,)]
    assert await asyncio.to_thread(ask, played.address, _IN) == [(evening.came,)]
    assert played.wrong() == []
    assert not played.discord.limits.refused
    return desk


@pytest.mark.deep
@pytest.mark.parametrize(
    "happens", [one_leaves, one_is_killed, one_is_frozen_and_wakes_up_late], ids=lambda happens: happens.__name__
)
async def test_a_kept_desk_is_one_message_that_whoever_has_the_server_edits(
    happens: Happening, server: Server, tmp_path: Path
) -> None:
    async with house(server, tmp_path, shards=SHARDS, logins_at_once=2) as played:
        evening = await kept(played)
        (before,), former = evening.desks, played.owners(0)
        await happens(played)
        assert await assert_goes_on(played, evening) is before, "it is edited"
        assert played.owners(0) != former


@pytest.mark.deep
async def test_a_desk_stands_once_though_its_process_was_killed_when_it_had_posted_it(
    server: Server, tmp_path: Path
) -> None:
    async with house(server, tmp_path, shards=SHARDS, logins_at_once=2) as played:
        evening = await kept(played)
        former = played.owners(0)
        await one_is_killed_while_it_posts_the_desk(played, evening)
        await assert_goes_on(played, evening)
        assert played.owners(0) != former
