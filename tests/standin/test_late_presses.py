"""Late presses: one that Discord shows as failed did nothing, or the player is told that it took effect."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.text.words import words_for
from tests.discord.club import plain_letters
from tests.standin.rest import UNKNOWN_INTERACTION, Fault, Request
from tests.standin.sent import Sent
from tests.standin.standin import Standin, custom_ids
from tests.standin.things import Message, User
from tests.standin.wired_bot import WiredBot, make_bot, now_ms

HOUR_MS = 3_600_000
CAME_THROUGH = words_for("en")("gate.came_through")


@pytest.fixture(params=[0, HOUR_MS, -HOUR_MS], ids=["same clock", "an hour ahead", "an hour behind"])
async def wired(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[WiredBot]:
    """The bot on a machine whose clock may differ from Discord's."""
    discord = Standin(now_ms=now_ms, machine_ms=lambda: now_ms() + request.param)
    channel = discord.channel(discord.guild(1), 1)
    bot = await make_bot(discord, tmp_path, now_ms=lambda: now_ms() + request.param)
    await discord.start(bot)
    yield WiredBot(discord, channel, bot)
    await discord.stop()


async def ready(wired: WiredBot) -> tuple[User, Message]:
    """The player on turn, with a whole street on their panel."""
    users = wired.user(0), wired.user(1)
    await wired.open(*users)
    view = await wired.look()
    user = next(one for one in users if str(one.id) == view.waiting[0])
    panel = await wired.tap(user, wired.table(), "hand")
    for place, letter in enumerate(plain_letters(await wired.look(user))):
        panel = await wired.tap(user, panel, "card", str(place)) if place else panel
        panel = await wired.tap(user, panel, "row", letter)
    return user, panel


async def confirm(wired: WiredBot, user: User, panel: Message) -> Sent:
    (custom_id,) = custom_ids(panel, "confirm")
    return await wired.discord.press(user, panel, custom_id).finished()


async def waits(wired: WiredBot, user: User) -> bool:
    """True while it is the player's turn."""
    return str(user.id) in (await wired.look()).waiting


async def test_a_press_that_discord_has_given_up_does_nothing(wired: WiredBot) -> None:
    user, panel = await ready(wired)
    wired.discord.gateway_delay_seconds = 3.5
    wired.discord.requests.clear()
    late = await confirm(wired, user, panel)
    assert not late.acknowledged
    assert await waits(wired, user)
    assert not [one for one in wired.discord.requests if one.kind == "callback"], "Discord is not asked either"
    wired.discord.gateway_delay_seconds = 0
    again = await confirm(wired, user, panel)
    assert again.acknowledged
    assert not await waits(wired, user)
    assert not again.followups, "nothing was done before, and nothing is said of it"


async def test_a_press_that_is_nearly_too_late_is_promised_first_and_done(wired: WiredBot) -> None:
    user, panel = await ready(wired)
    wired.discord.gateway_delay_seconds = 2.5
    late = await confirm(wired, user, panel)
    assert (late.acknowledged, late.callback) == (True, 6)
    assert not await waits(wired, user)


async def test_a_press_that_comes_in_time_is_answered_by_one_request(wired: WiredBot) -> None:
    user, panel = await ready(wired)
    wired.discord.gateway_delay_seconds = 0.5
    wired.discord.requests.clear()
    await confirm(wired, user, panel)
    assert [request.kind for request in wired.discord.requests][:1] == ["callback"]
    assert not [request for request in wired.discord.requests if request.kind == "original.edit"][1:]


async def test_who_was_told_that_it_failed_hears_in_the_next_answer_that_it_was_done(wired: WiredBot) -> None:
    user, panel = await ready(wired)
    lose_answers(wired)
    lost = await confirm(wired, user, panel)
    assert not lost.acknowledged
    assert not await waits(wired, user)
    await wired.drawn()
    assert not list(custom_ids(panel, "confirm")), "the panel shows it by the token of an earlier press"
    wired.discord.hook = None
    (hand,) = custom_ids(wired.table(), "hand")
    again, once_more = [await wired.discord.press(user, wired.table(), hand).finished() for _ in range(2)]
    assert [CAME_THROUGH in message.text for message in again.followups] == [True]
    assert not once_more.followups


async def test_a_look_whose_answer_was_lost_is_no_act(wired: WiredBot) -> None:
    user, panel = await ready(wired)
    lose_answers(wired)
    (hand,) = custom_ids(wired.table(), "hand")
    assert not (await wired.discord.press(user, wired.table(), hand).finished()).acknowledged
    wired.discord.hook = None
    assert not (await confirm(wired, user, panel)).followups


async def test_a_press_that_discord_delivers_twice_is_no_trouble(
    wired: WiredBot, caplog: pytest.LogCaptureFixture
) -> None:
    user, panel = await ready(wired)
    assert (await confirm(wired, user, panel)).acknowledged
    version = (await wired.look()).table.version
    with caplog.at_level(logging.INFO, logger="bot"):
        await asyncio.gather(*wired.discord.feed("INTERACTION_CREATE", wired.discord.delivered[-1]))
        await wired.drawn()
    told = [(record.levelname, record.getMessage()) for record in caplog.records if "40060" in record.getMessage()]
    assert [level for level, _ in told] == ["INFO"]
    assert "or another bot is running with this token" in told[0][1]
    assert (await wired.look()).table.version == version
    (hand,) = custom_ids(wired.table(), "hand")
    assert not (await wired.discord.press(user, wired.table(), hand).finished()).followups


def lose_answers(wired: WiredBot) -> None:
    """Discord takes no first answer, as if it came too late."""

    def lost(request: Request) -> Fault | None:
        return Fault(status=404, code=UNKNOWN_INTERACTION) if request.kind == "callback" else None

    wired.discord.hook = lost
