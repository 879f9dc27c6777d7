"""Discord's limits on the stand-in: each bites the real client of discord.py, which sees headers and refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import discord
import pytest
from discord.ext import commands
from discord.http import HTTPClient, Route

from tests.standin.limits import BAN_MS, MAX_INVALID_REQUESTS, OLD_MESSAGE_EDITS, Limits
from tests.standin.rest import MISSING_PERMISSIONS, Fault
from tests.standin.standin import Standin, custom_ids
from tests.standin.things import Channel
from tests.standin.wired_bot import WiredBot, now_ms

HOUR = 3600
MINUTES_20 = 1200


class Time:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


@dataclass
class Wire:
    """A channel of Discord, and discord.py's client as it is, without what this bot keeps in front of it."""

    discord: Standin
    channel: Channel
    http: HTTPClient


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    world = Standin(now_ms=now_ms)
    channel = world.channel(world.guild(1), 1)
    bot = commands.AutoShardedBot("", help_command=None, intents=discord.Intents(guilds=True), max_messages=None)
    await world.start(bot)
    await asyncio.sleep(1)  # the requests of its start are not among the fifty any more
    yield Wire(world, channel, bot.http)
    await world.stop()


async def ask(wire: Wire, method: str, path: str, *, json: Any = None, **ids: Any) -> Any:
    """A request by discord.py's own client."""
    body = {} if json is None else {"json": json}
    return await wire.http.request(Route(method, path, **ids), **body)


async def post(wire: Wire, channel: Channel, **more: Any) -> int:
    sent = await ask(
        wire, "POST", "/channels/{channel_id}/messages", channel_id=channel.id, json={"content": "x", **more}
    )
    return int(sent["id"])


async def edit(wire: Wire, message: int) -> Any:
    path = "/channels/{channel_id}/messages/{message_id}"
    return await ask(wire, "PATCH", path, channel_id=wire.channel.id, message_id=message, json={"content": "y"})


async def delete(wire: Wire, message: int) -> Any:
    path = "/channels/{channel_id}/messages/{message_id}"
    return await ask(wire, "DELETE", path, channel_id=wire.channel.id, message_id=message)


async def seconds(*requests: Any) -> float:
    """Return the time that these requests take in order, without earlier ones."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    for request in requests:
        await request
    return loop.time() - began


async def quiet() -> None:
    """Let what the start of the bot has asked be forgotten."""
    await asyncio.sleep(MINUTES_20)


def refusals(wire: Wire) -> list[Any]:
    return [request for request in wire.discord.requests if request.status == 429]


# all requests together


async def test_the_fifty_first_request_of_any_second_is_refused_and_waited_for(wire: Wire) -> None:
    wire.discord.hook = lambda request: Fault(delay=0.1)  # all are under way before the first is answered
    channels = [wire.discord.channel(wire.channel.guild, number) for number in range(2, 62)]
    loop = asyncio.get_running_loop()
    began = loop.time()
    await asyncio.gather(*(post(wire, channel) for channel in channels))
    assert wire.discord.limits.refused == {"all": 10}
    assert [len(channel.messages) for channel in channels] == [1] * 60
    assert 1 <= loop.time() - began < 2


def test_the_refusal_of_all_says_so_and_when_to_come_again() -> None:
    clock = Time()
    limits = Limits(clock)
    for number in range(50):
        clock.ms = 10 * number
        assert not limits.take("GET", f"/channels/{number}").refusal
    verdict = limits.take("GET", "/channels/99")
    assert json.loads(verdict.refusal)["global"] is True
    assert json.loads(verdict.refusal)["retry_after"] == 0.51
    assert verdict.headers == {"Retry-After": "1", "X-RateLimit-Scope": "global", "X-RateLimit-Global": "true"}
    clock.ms = 1000
    assert not limits.take("GET", "/channels/99").refusal
    assert limits.take("GET", "/channels/99").refusal


async def test_answers_to_interactions_and_their_webhooks_are_not_among_the_fifty(wired: WiredBot) -> None:
    await wired.discord.slash(wired.user(1), wired.channel, "ofc play").finished()
    await wired.drawn()
    await quiet()
    (join,) = custom_ids(wired.table(), "join")
    presses = [wired.discord.press(wired.user(number), wired.table(), join) for number in range(2, 82)]
    for press in presses:
        assert (await press).seconds < 1
    await asyncio.gather(*(press.finished() for press in presses))
    assert not wired.discord.limits.refused


# a route and a channel


def test_the_headers_name_the_bucket_and_what_is_left_of_it() -> None:
    clock = Time()
    limits = Limits(clock)
    path = "/channels/1/messages"
    limits.take("POST", path)
    clock.ms = 1500
    first, other = limits.take("POST", path).headers, limits.take("POST", "/channels/2/messages").headers
    assert first.pop("X-RateLimit-Bucket") == other.pop("X-RateLimit-Bucket")
    assert first == {
        "X-RateLimit-Limit": "5",
        "X-RateLimit-Remaining": "3",
        "X-RateLimit-Reset": "5.000",
        "X-RateLimit-Reset-After": "3.500",
    }
    assert other["X-RateLimit-Remaining"] == "4"


@pytest.mark.parametrize(
    ("route", "most", "window"),
    [
        ("POST /channels/1/messages", 5, 5),
        ("PATCH /channels/1/messages/2", 5, 5),
        ("DELETE /channels/1/messages/2", 5, 1),
        ("PATCH /channels/1", 5, 5),
        ("POST /channels/1/threads", 50, 300),
        ("POST /channels/1/messages/2/threads", 50, 300),
        ("POST /webhooks/1/token", 5, 2),
        ("PATCH /webhooks/1/token/messages/@original", 5, 2),
        ("PUT /applications/1/commands", 5, 20),
        ("POST /applications/1/emojis", 50, 30),
        ("GET /guilds/1/members/2", 5, 1),
        ("POST /guilds/1/scheduled-events", 10, 30),
        ("PATCH /guilds/1/scheduled-events/2", 10, 30),
        ("PUT /guilds/1/members/2/roles/3", 10, 1),
    ],
)
def test_a_route_takes_so_many_requests_in_its_window(route: str, most: int, window: int) -> None:
    clock = Time()
    limits = Limits(clock)
    method, path = route.split()
    if "messages/2" in path:
        path = path.replace("2", str(discord.utils.time_snowflake(discord.utils.utcnow())))
    for number in range(most):
        assert not limits.take(method, path).refusal
        clock.ms = number * window * 15  # not fifty within a second
    refused = limits.take(method, path)
    assert json.loads(refused.refusal)["global"] is False
    assert refused.headers["X-RateLimit-Scope"] == "user"
    assert json.loads(refused.refusal)["retry_after"] == pytest.approx(window - clock.ms / 1000)
    clock.ms = window * 1000
    assert not limits.take(method, path).refusal


async def test_posts_edits_and_deletions_of_a_channel_wait_each_for_their_own_window(wire: Wire) -> None:
    posted = [await post(wire, wire.channel) for _ in range(4)]
    assert await seconds(*(edit(wire, message) for message in posted)) == 0
    assert await seconds(*(delete(wire, message) for message in posted)) == 0
    # The fifth says that none is left, and discord.py sleeps within it.
    assert await seconds(post(wire, wire.channel)) == 5
    assert refusals(wire) == []


async def test_the_thread_that_takes_the_last_of_the_window_is_there_long_before_discord_py_returns(wire: Wire) -> None:

    async def make(number: int) -> None:
        body = {"name": str(number), "type": 11}
        await ask(wire, "POST", "/channels/{channel_id}/threads", channel_id=wire.channel.id, json=body)

    async def threads() -> int:
        await asyncio.sleep(1)
        return len(wire.channel.guild.threads())

    assert await seconds(*(make(number) for number in range(49))) == 0
    last = asyncio.ensure_future(seconds(make(49)))
    assert await threads() == 50
    assert await last == 300


async def test_refused_without_a_warning_it_counts_as_a_refusal(wire: Wire) -> None:
    """Two clients of one bot know nothing of each other's requests."""
    wire.discord.limits.take("POST", f"/channels/{wire.channel.id}/messages")
    for _ in range(4):
        wire.discord.limits.take("POST", f"/channels/{wire.channel.id}/messages")
    assert await seconds(post(wire, wire.channel)) >= 5
    assert [request.status for request in refusals(wire)] == [429]
    assert wire.discord.limits.refused == {"message.create": 1}


# limits that no header tells


async def test_a_message_older_than_an_hour_takes_three_edits_in_six_seconds(wire: Wire) -> None:
    message = await post(wire, wire.channel)
    await asyncio.sleep(HOUR - 1)
    await edit(wire, message)
    await asyncio.sleep(5)
    assert await seconds(*(edit(wire, message) for _ in range(3))) == 0
    assert refusals(wire) == []
    assert await seconds(edit(wire, message)) == 6
    assert wire.discord.limits.refused == {"message.edit.old": 1}


def test_the_refusal_of_an_old_message_has_its_own_code_and_headers_that_promise_more() -> None:
    clock = Time()
    clock.ms = 1_800_000_000_000
    limits = Limits(clock)
    old = discord.utils.time_snowflake(discord.utils.snowflake_time(0))
    verdicts = [limits.take("PATCH", f"/channels/1/messages/{old}") for _ in range(4)]
    assert [bool(verdict.refusal) for verdict in verdicts] == [False, False, False, True]
    assert json.loads(verdicts[3].refusal)["code"] == OLD_MESSAGE_EDITS
    assert verdicts[3].headers["X-RateLimit-Remaining"] == "1"


def test_a_channel_is_renamed_twice_in_ten_minutes_and_archived_more_often() -> None:
    limits = Limits(Time())
    assert not any(limits.take("PATCH", "/channels/1", '{"name":"a"}').refusal for _ in range(2))
    assert json.loads(limits.take("PATCH", "/channels/1", '{"name":"a"}').refusal)["retry_after"] == 600
    assert not limits.take("PATCH", "/channels/1", '{"archived":true}').refusal


# invalid requests


async def test_what_is_refused_for_want_of_rights_is_counted_for_ten_minutes(wire: Wire) -> None:
    wire.discord.hook = lambda request: Fault(status=403, code=MISSING_PERMISSIONS)
    with pytest.raises(discord.Forbidden):
        await post(wire, wire.channel)
    wire.discord.hook = lambda request: Fault(status=404, code=10008)
    with pytest.raises(discord.NotFound):
        await post(wire, wire.channel)
    assert wire.discord.limits.invalid == 1
    await asyncio.sleep(600)
    assert wire.discord.limits.invalid == 0


async def test_ten_thousand_of_them_are_a_ban_that_takes_the_interactions_with_it(wired: WiredBot) -> None:
    await wired.discord.slash(wired.user(1), wired.channel, "ofc play").finished()
    await wired.drawn()
    for _ in range(MAX_INVALID_REQUESTS - 1):
        wired.discord.limits.answered(403)
    assert not wired.discord.limits.banned
    wired.discord.limits.answered(401)
    assert wired.discord.limits.banned
    assert wired.discord.limits.take("POST", f"/channels/{wired.channel.id}/messages").refusal
    (join,) = custom_ids(wired.table(), "join")
    assert not (await wired.discord.press(wired.user(2), wired.table(), join).finished()).acknowledged
    await asyncio.sleep(BAN_MS / 1000)
    assert (await wired.discord.press(wired.user(2), wired.table(), join).finished()).acknowledged


async def test_a_ban_gives_discord_py_nothing_to_wait_for(wire: Wire) -> None:
    for _ in range(MAX_INVALID_REQUESTS):
        wire.discord.limits.answered(429)
    with pytest.raises(discord.HTTPException, match="429"):
        await post(wire, wire.channel)
    assert len(refusals(wire)) == 1


# nonces


async def test_a_nonce_is_its_authors_in_whatever_channel(wire: Wire) -> None:
    elsewhere = wire.discord.channel(wire.discord.guild(2), 1)
    first = await post(wire, wire.channel, nonce="7", enforce_nonce=True)
    assert await post(wire, elsewhere, nonce="7", enforce_nonce=True) == first
    assert elsewhere.public() == []
    await asyncio.sleep(301)
    assert await post(wire, elsewhere, nonce="7", enforce_nonce=True) != first


async def test_a_nonce_that_is_not_enforced_says_nothing(wire: Wire) -> None:
    assert await post(wire, wire.channel, nonce="7") != await post(wire, wire.channel, nonce="7")


async def test_the_nonce_of_a_message_that_is_gone_is_refused(wire: Wire) -> None:
    first = await post(wire, wire.channel, nonce="7", enforce_nonce=True)
    del wire.channel.messages[first]
    with pytest.raises(discord.NotFound) as refused:
        await post(wire, wire.channel, nonce="7", enforce_nonce=True)
    assert refused.value.code == 10008
