"""Welcomes appear exactly once, whatever is lost on the way and wherever the process ends."""

from __future__ import annotations

import asyncio

import pytest

from bot.chat.club.posts.welcomes import RETRY_SECONDS, Welcomes, WelcomeTime
from bot.chat.kit.found_messages import UNSURE_MS
from bot.model.choices import ServerSettings
from bot.model.ids import GuildId
from tests.standin.rest import MISSING_PERMISSIONS, Fault
from tests.standin.standin import custom_ids
from tests.standin.things import Message
from tests.standin.wired_bot import WiredBot


def greeter(wired: WiredBot, *, later_ms: int = 0) -> Welcomes:
    """Return the part of a newly started process that welcomes servers."""
    bot = wired.bot
    return Welcomes(
        bot, bot.services.play, now_ms=lambda: wired.discord.now_ms() + later_ms, welcoming=WelcomeTime.ONCE
    )


def guild_of(wired: WiredBot) -> GuildId:
    """The server."""
    return GuildId(wired.channel.guild.id)


def standing(wired: WiredBot) -> list[Message]:
    """The welcomes in the channel."""
    return [message for message in wired.channel.public() if list(custom_ids(message, "set_up"))]


async def greeted(wired: WiredBot, welcomes: Welcomes) -> ServerSettings:
    """Let it greet, up to the pause before it would try again; returns what is noted of the server."""
    welcomes.greet(guild_of(wired))
    await asyncio.sleep(RETRY_SECONDS / 2)
    await welcomes.close()
    return await wired.bot.services.play.server(guild_of(wired))


@pytest.mark.parametrize(("later_ms", "known"), [(0, True), (UNSURE_MS + 1, False)])
async def test_a_welcome_whose_answer_was_lost_stands_once(wired: WiredBot, later_ms: int, *, known: bool) -> None:
    lost = iter([Fault(error=TimeoutError(), done=True)])
    wired.discord.hook = lambda request: next(lost, None) if request.kind == "send" else None
    noted = await greeted(wired, greeter(wired))
    assert noted.welcome_message is None
    (message,) = standing(wired)
    noted = await greeted(wired, greeter(wired, later_ms=later_ms))
    assert standing(wired) == [message]
    assert noted.welcome_message == (message.id if known else None)


async def test_a_welcome_that_is_refused_is_tried_again_by_the_next_process(wired: WiredBot) -> None:
    refused = iter([Fault(status=403, code=MISSING_PERMISSIONS)])
    wired.discord.hook = lambda request: next(refused, None) if request.kind == "send" else None
    assert await greeted(wired, greeter(wired)) == ServerSettings()
    noted = await greeted(wired, greeter(wired))
    assert [message.id for message in standing(wired)] == [noted.welcome_message]


async def test_a_greeted_server_costs_no_request(wired: WiredBot) -> None:
    await greeted(wired, greeter(wired))
    before = len(wired.discord.requests)
    await greeted(wired, greeter(wired))
    assert len(wired.discord.requests) == before
    assert len(standing(wired)) == 1


async def test_a_welcome_that_discord_could_not_take_is_posted_in_half_a_minute(wired: WiredBot) -> None:
    away = iter([Fault(status=503)] * 2)
    wired.discord.hook = lambda request: next(away, None) if request.kind == "send" else None
    welcomes = greeter(wired)
    welcomes.greet(guild_of(wired))
    await asyncio.sleep(UNSURE_MS / 1000)
    await welcomes.close()
    assert list(away) == []
    assert len(standing(wired)) == 1
