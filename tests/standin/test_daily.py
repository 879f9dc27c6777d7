"""The daily hand where the bot is no member: one private message, few requests, and a result to be copied."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.chat.club.screens.daily_screen import grid_text
from bot.model.ids import Player
from bot.pure.ofc.view import HandView
from bot.text.words import words_for
from tests.play.world import quickly
from tests.standin.rest import Request
from tests.standin.sent import Sent
from tests.standin.standin import Standin, Where, custom_ids
from tests.standin.things import Channel, Guild, Message, User
from tests.standin.wired_bot import WiredBot, make_bot

ELSEWHERE = [Where.FOREIGN_SERVER, Where.DIRECT_MESSAGE, Where.GROUP]
EPHEMERAL = 64


def place(discord: Standin, where: Where) -> Channel:
    """A channel of which the bot knows nothing; people act there from now on."""
    discord.where = where
    return Channel(7, Guild(77))


async def press(wired: WiredBot, user: User, message: Message, verb: str) -> Sent:
    """Press the first button of this kind."""
    sent = await wired.discord.press(user, message, next(iter(custom_ids(message, verb)))).finished()
    assert sent.acknowledged
    return sent


async def played(wired: WiredBot, user: User, channel: Channel, sent: list[Sent]) -> Message:
    """Play today's hand by presses, which are added to ``sent``. All of them update one message."""
    first = (await wired.discord.slash(user, channel, "daily").finished()).answer
    assert first is not None
    panel, verb = first, "day_begin"
    for _ in range(60):
        sent.append(await press(wired, user, panel, verb))
        answer = sent[-1].answer
        assert answer is not None
        assert answer.id == first.id
        panel = answer
        if list(custom_ids(panel, "day_share")):
            return panel
        verb = "day_confirm" if list(custom_ids(panel, "day_confirm")) else "day_row"
    raise AssertionError("the hand does not end")


@pytest.mark.parametrize("where", ELSEWHERE, ids=lambda where: where.value)
async def test_a_hand_is_played_elsewhere_without_any_request_of_the_bots_own(wired: WiredBot, where: Where) -> None:
    user, channel = wired.user(1), place(wired.discord, where)
    wired.discord.requests.clear()
    panel = await played(wired, user, channel, [])
    assert all(request.path.split("/")[1] in ("interactions", "webhooks") for request in wired.discord.requests)
    copied = (await press(wired, user, panel, "day_share")).answer
    assert copied is not None
    assert copied.id != panel.id
    assert copied.flags & EPHEMERAL
    view = await wired.bot.services.daily.today(Player(str(user.id)))
    assert view.standing is not None
    assert grid_text(view.standing, words_for("en")) in copied.text


async def slowly(view: HandView) -> str:
    """A master who takes a while."""
    await asyncio.sleep(1)
    return await quickly(view)


@pytest.mark.parametrize("where", ELSEWHERE, ids=lambda where: where.value)
async def test_while_a_master_thinks_a_result_is_promised_and_comes_in_the_same_message(
    wired: WiredBot, tmp_path: Path, where: Where
) -> None:
    await wired.discord.stop()
    wired.bot = await make_bot(wired.discord, tmp_path, think=slowly)
    await wired.discord.start(wired.bot)
    user, channel = wired.user(1), place(wired.discord, where)
    sent: list[Sent] = []
    result = await played(wired, user, channel, sent)
    assert [1 < one.seconds < 3 for one in sent] == [False] * (len(sent) - 1) + [True], "nobody waits but for the end"
    assert sent[-1].answer is result
    assert all(one.followups == [] for one in sent)


async def test_in_a_server_a_result_is_posted_by_the_answer_to_the_press(wired: WiredBot) -> None:
    user = wired.user(1)
    panel = await played(wired, user, wired.channel, [])
    before = len(wired.channel.public())
    sent = await wired.discord.press(user, panel, next(iter(custom_ids(panel, "day_share")))).finished()
    assert sent.acknowledged
    assert len(wired.channel.public()) == before + 1
    posts: list[Request] = [r for r in wired.discord.requests if r.method == "POST" and r.path.startswith("/channels")]
    assert posts == []
