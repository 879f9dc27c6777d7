"""A poll about when to play on the wire: posted once, counted when Discord has counted, told once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.chat.event.screens.start_poll import PREPARE, parse_time
from bot.chat.kit.custom_ids import BUTTON_TEMPLATE, decode
from bot.model.ids import GuildId
from bot.model.start_polls import StartPoll
from bot.text.words import words_for
from tests.standin.polls import count_votes, taken
from tests.standin.rest import MISSING_PERMISSIONS, Fault, RefusedError, Request
from tests.standin.standin import custom_ids
from tests.standin.test_events import HOUR, Evening, refuse
from tests.standin.things import Message
from tests.standin.wired_bot import EPOCH_MS, WiredBot

TIMES = [EPOCH_MS + days * 24 * HOUR for days in (1, 2, 3)]
WORDS = words_for("en")


@pytest.fixture
def evening(wired: WiredBot) -> Evening:
    return Evening(wired)


async def ask(evening: Evening) -> StartPoll:
    """A poll that is open for two hours."""
    poll = await evening.events.ask_start(
        GuildId(evening.wired.channel.guild.id),
        channel=evening.wired.channel.id,
        language="en",
        zone="UTC",
        times=TIMES,
        hours=2,
        cause=evening.cause(),
    )
    await evening.wired.bot.services.start_polls.ask(poll)
    return poll


def posted(evening: Evening) -> list[Message]:
    return [message for message in evening.wired.channel.public() if '"poll":' in message.body]


def told(evening: Evening) -> list[Message]:
    return evening.said(WORDS("start_poll.title"))


async def look(evening: Evening, *, seconds: float = 0) -> None:
    """Let time pass, and the bot look at its polls."""
    await asyncio.sleep(seconds)
    await evening.wired.bot.services.start_polls.sweep()
    await evening.wired.bot.services.start_polls.done()


def winner(message: Message) -> int:
    """The time (ms) that the button below a result opens the form with."""
    (found,) = custom_ids(message, PREPARE)
    match = BUTTON_TEMPLATE.fullmatch(found)
    assert match is not None
    return parse_time(decode(match))


async def test_the_votes_are_told_once_they_are_counted_for_sure(evening: Evening) -> None:
    await ask(evening)
    (message,) = posted(evening)
    count_votes(message, {1: 3, 2: 1}, finalized=False)
    await look(evening, seconds=2 * 3600 + 5)
    assert told(evening) == [], "the first count may be wrong"
    count_votes(message, {1: 3, 2: 4}, finalized=True)
    await look(evening)
    (result,) = told(evening)
    assert winner(result) == TIMES[1]
    await look(evening, seconds=60)
    assert len(told(evening)) == 1
    assert await evening.events.all_start_polls() == []


async def test_votes_that_nobody_counts_again_are_told_after_an_hour(evening: Evening) -> None:
    await ask(evening)
    (message,) = posted(evening)
    count_votes(message, {3: 1}, finalized=False)
    await look(evening, seconds=3 * 3600 + 5)
    (result,) = told(evening)
    assert winner(result) == TIMES[2]


async def test_before_its_end_nothing_is_asked_about_it(evening: Evening) -> None:
    await ask(evening)
    evening.wired.discord.requests.clear()
    for _ in range(5):
        await look(evening, seconds=600)
    assert [request for request in evening.wired.discord.requests if "/messages" in request.path] == []


async def test_a_poll_whose_posting_was_not_answered_is_posted_once(evening: Evening) -> None:
    lost = iter([Fault(error=TimeoutError(), done=True)])
    evening.wired.discord.hook = lambda request: next(lost, None) if '"poll"' in request.body else None
    await ask(evening)
    await look(evening, seconds=30)
    assert len(posted(evening)) == 1
    (poll,) = await evening.events.all_start_polls()
    assert poll.message == posted(evening)[0].id


async def test_a_bot_that_died_after_posting_finds_its_poll_again(evening: Evening, tmp_path: Path) -> None:
    lost = iter([Fault(error=TimeoutError(), done=True)])

    def hook(request: Request) -> Fault | None:
        if '"poll"' in request.body:
            return next(lost, Fault(status=503))
        return None

    evening.wired.discord.hook = hook
    asking = asyncio.create_task(ask(evening))
    await asyncio.sleep(20)
    asking.cancel()
    assert len(posted(evening)) == 1
    evening.wired.discord.hook = None
    await evening.restart(tmp_path)
    await look(evening, seconds=1200)
    assert len(posted(evening)) == 1
    (poll,) = await evening.events.all_start_polls()
    assert poll.message == posted(evening)[0].id


async def test_a_result_whose_posting_was_not_answered_is_told_once(evening: Evening) -> None:
    await ask(evening)
    count_votes(posted(evening)[0], {1: 1}, finalized=True)
    lost = iter([Fault(error=TimeoutError(), done=True)])
    evening.wired.discord.hook = lambda request: next(lost, None) if request.kind == "send" else None
    await look(evening, seconds=2 * 3600 + 5)
    await look(evening, seconds=30)
    assert len(told(evening)) == 1
    assert await evening.events.all_start_polls() == []


@pytest.mark.parametrize("votes", [{1: 1}, {}], ids=["a winner", "no votes"])
async def test_a_bot_that_died_after_telling_a_result_finds_it_again(
    evening: Evening, tmp_path: Path, votes: dict[int, int]
) -> None:
    await ask(evening)
    count_votes(posted(evening)[0], votes, finalized=True)
    lost = iter([Fault(error=TimeoutError(), done=True)])

    def hook(request: Request) -> Fault | None:
        return next(lost, Fault(status=503)) if request.kind == "send" else None

    evening.wired.discord.hook = hook
    await asyncio.sleep(2 * 3600 + 5)
    await evening.wired.bot.services.start_polls.sweep()
    await asyncio.sleep(20)
    assert len(told(evening)) == 1
    assert len(await evening.events.all_start_polls()) == 1, "that it was told is not noted"
    await asyncio.sleep(1200)  # by then Discord takes the same one for another
    evening.wired.discord.hook = None
    await evening.restart(tmp_path)
    await look(evening, seconds=60)
    assert len(told(evening)) == 1
    assert await evening.events.all_start_polls() == []


async def test_a_poll_that_may_not_be_posted_is_given_up(evening: Evening) -> None:
    evening.wired.discord.hook = refuse("send", Fault(status=403, code=MISSING_PERMISSIONS))
    await ask(evening)
    assert posted(evening) == []
    assert await evening.events.all_start_polls() == []


def test_the_stand_in_takes_no_poll_that_discord_would_refuse() -> None:
    well = {
        "poll": {
            "question": {"text": "When?"},
            "answers": [{"poll_media": {"text": "Now"}}],
            "duration": 1,
            "allow_multiselect": True,
        }
    }
    assert taken(well, EPOCH_MS)["poll"]["results"]["is_finalized"] is False
    for wrong in (
        {"question": {"text": "?" * 301}},
        {"answers": [{"poll_media": {"text": "x" * 56}}]},
        {"answers": [{"poll_media": {"text": "x"}}] * 11},
        {"duration": 0},
        {"duration": 769},
    ):
        with pytest.raises(RefusedError):
            taken({"poll": {**well["poll"], **wrong}}, EPOCH_MS)
