"""The budget of requests, tested with a server that counts like Discord, on a simulated clock."""
# ruff: noqa: SLF001  # discord.py has no other door for a session.

from __future__ import annotations

import asyncio
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import discord
import pytest
from discord.http import HTTPClient, Route
from multidict import CIMultiDict

from bot.chat.discord_patches.governor import MAX_IN_PROGRESS, Governor, edit_route, important, post_route
from bot.chat.discord_patches.limits import Importance
from tests.simulation.loop import SimulatedLoop

DISCORD_PER_SECOND = 50
NOW_MS = 1_800_000_000_000
YOUNG, OLD = (discord.utils.time_snowflake(datetime.fromtimestamp((NOW_MS - ms) / 1000, UTC)) for ms in (0, 3_600_000))
WIRE_SECONDS = 0.04
LATE_SECONDS = 0.5


class Answer:
    """An answer as discord.py reads it."""

    def __init__(self, status: int, body: object, headers: dict[str, str]) -> None:
        self.status = status
        self.reason = ""
        self.headers = CIMultiDict({"Content-Type": "application/json", "Via": "1.1", **headers})
        self._body = json.dumps(body)

    async def text(self, encoding: str) -> str:
        return self._body


class Server:
    """Stands in for the session and for Discord behind it: fixed windows for buckets, a sliding second for all."""

    def __init__(self, *, limit: int = 5, window: float = 5.0) -> None:
        self.limit, self.window = limit, window
        self.a_second: float = DISCORD_PER_SECOND
        self.sent: list[tuple[float, str]] = []
        """When each request left, and which it was."""
        self.refused = 0
        self.most_at_once: dict[str, int] = defaultdict(int)
        self.faults: list[Answer | OSError] = []
        """Responses that replace the next ones."""
        self.seconds = WIRE_SECONDS
        self.still_until = -1e9
        """Requests sent before this time arrive at it, because the connection was blocked."""
        self.late_until = -1e9
        """Requests sent and written before this time take LATE_SECONDS longer."""
        self.in_progress: dict[str, int] = defaultdict(int)
        self._windows: dict[str, tuple[float, int]] = {}
        self._all: list[float] = []

    @property
    def times(self) -> list[float]:
        return [at for at, _ in self.sent]

    def request(self, method: str, url: str, **_: Any) -> Exchange:
        return Exchange(self, f"{method} {url.partition('/channels/')[2]}")

    async def _request(self, name: str) -> Answer:
        """Send one request, like those that the governor passes on."""
        loop = asyncio.get_running_loop()
        self.sent.append((loop.time(), name))
        line = name.partition("/")[0]
        self.in_progress[line] += 1
        self.most_at_once[line] = max(self.most_at_once[line], self.in_progress[line])
        await asyncio.sleep(max(self.seconds / 2, self.still_until - loop.time()))
        if loop.time() < self.late_until:
            await asyncio.sleep(LATE_SECONDS)
        try:
            answer = self.answer(name, loop.time())
        finally:
            await asyncio.sleep(self.seconds / 2)
            self.in_progress[line] -= 1
        self.refused += answer.status == 429
        return answer

    def answer(self, name: str, now: float) -> Answer:
        """Return Discord's response to an arriving request."""
        if self.faults:
            fault = self.faults.pop(0)
            if isinstance(fault, OSError):
                raise fault
            return fault
        self._all = [at for at in self._all if at > now - 1] + [now]
        if len(self._all) > self.a_second:
            return limited(1.0, everywhere=True)
        bucket = name.split("/")[0] + name.split(" ")[0]
        began, used = self._windows.get(bucket, (-1e9, 0))
        if now - began >= self.window:
            began, used = now, 0
        self._windows[bucket] = began, used + 1
        after = began + self.window - now
        if used >= self.limit:
            return limited(after, everywhere=False)
        headers = {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.limit - used - 1),
            "X-RateLimit-Reset": f"{NOW_MS / 1_000 + now + after:.3f}",
            "X-RateLimit-Reset-After": f"{after:.3f}",
            "X-RateLimit-Bucket": name.split(" ")[0],
        }
        return Answer(200, {}, headers)


class Exchange:
    """A request as discord.py asks for it."""

    def __init__(self, server: Server, name: str) -> None:
        self._server, self._name = server, name

    async def __aenter__(self) -> Answer:
        return await self._server._request(self._name)  # aiohttp does so too.

    async def __aexit__(self, *_: object) -> None:
        pass


def limited(seconds: float, *, everywhere: bool) -> Answer:
    """A 429."""
    headers = {"Retry-After": f"{seconds:.3f}", "X-RateLimit-Scope": "global" if everywhere else "user"}
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    return Answer(429, {"retry_after": seconds, "global": everywhere}, headers)


class Wire:
    """A governor in front of discord.py's own client, and the server at its end."""

    def __init__(self, *, share: float = 40, limit: int = 5, window: float = 5.0, behind_ms: int = 0) -> None:
        """``behind_ms`` is how much the bot's clock is behind Discord's."""
        self.governor = Governor(share=share, now_ms=lambda: NOW_MS - behind_ms)
        self.server = Server(limit=limit, window=window)
        self.http = HTTPClient(asyncio.get_running_loop())
        raw: Any = self.http
        raw._HTTPClient__session = self.server
        raw._global_over = asyncio.Event()
        raw._global_over.set()
        self.governor.govern(self.http)

    async def post(self, channel: int) -> float:
        """Post into a channel; returns when the answer was there."""
        await self.http.request(post_route(channel), json={})
        return asyncio.get_running_loop().time()

    async def edit(self, channel: int, importance: Importance = Importance.REDRAW) -> float:
        """Edit a message of a channel; returns when the answer was there."""
        with important(importance):
            await self.http.request(edit_route(channel, YOUNG), json={})
        return asyncio.get_running_loop().time()

    async def delete(self, channel: int, age: str | None) -> None:
        """Delete a channel's message. discord.py separates deletions by the message's age."""
        route = Route(
            "DELETE",
            "/channels/{channel_id}/messages/{message_id}",
            channel_id=channel,
            message_id=0,
            metadata=age,
        )
        with important(Importance.CLEANUP):
            await self.http.request(route)


@pytest.fixture
def loop() -> Iterator[SimulatedLoop]:
    simulated = SimulatedLoop(1000.0)
    yield simulated
    for task in asyncio.all_tasks(simulated):
        task.cancel()
    simulated.run_until_complete(asyncio.sleep(1))
    simulated.close()


def max_in_one_second(times: Sequence[float]) -> int:
    """The most requests that left within any one second."""
    return max(sum(at <= other < at + 1 - 1e-6 for other in times) for at in times)


def test_no_second_sees_more_than_the_share_and_no_moment_more_than_a_burst(loop: SimulatedLoop) -> None:
    async def evening() -> Server:
        wire = Wire()
        await asyncio.gather(*(wire.post(channel) for channel in range(200)))
        return wire.server

    server = loop.run_until_complete(evening())
    assert len(server.sent) == 200
    assert max_in_one_second(server.times) == 40
    assert max(server.times.count(at) for at in server.times) == 5
    assert server.refused == 0


def test_the_whole_share_is_used(loop: SimulatedLoop) -> None:
    async def evening() -> list[float]:
        wire = Wire()
        await asyncio.gather(*(wire.post(channel) for channel in range(200)))
        return wire.server.times

    times = loop.run_until_complete(evening())
    assert times[-1] - times[0] < 200 / 40


def test_processes_that_come_and_go_change_the_share(loop: SimulatedLoop) -> None:
    async def evening() -> list[float]:
        wire = Wire()
        wire.governor.share(10)
        await asyncio.gather(*(wire.post(channel) for channel in range(40)))
        wire.governor.share(40)
        await asyncio.gather(*(wire.post(channel) for channel in range(40, 120)))
        return wire.server.times

    times = loop.run_until_complete(evening())
    assert (max_in_one_second(times[:40]), max_in_one_second(times[41:])) == (10, 40)


def test_where_a_proxy_counts_only_so_many_are_under_way_and_what_matters_most_leaves_first(
    loop: SimulatedLoop,
) -> None:
    async def evening() -> list[tuple[float, str]]:
        wire = Wire(share=math.inf)
        wire.server.a_second = math.inf
        edits = [asyncio.create_task(wire.edit(channel)) for channel in range(300)]
        await asyncio.sleep(0)
        await asyncio.gather(wire.post(1000), *edits)
        return wire.server.sent

    sent = loop.run_until_complete(evening())
    (called,) = (place for place, (_, name) in enumerate(sent) if name.startswith("POST"))
    assert called == MAX_IN_PROGRESS
    times = [at for at, _ in sent]
    assert times.count(times[0]) == MAX_IN_PROGRESS
    assert times[-1] - times[0] == pytest.approx(301 // MAX_IN_PROGRESS * WIRE_SECONDS)


def test_a_bucket_is_never_asked_for_more_than_it_holds(loop: SimulatedLoop) -> None:
    async def evening() -> Server:
        wire = Wire()
        await asyncio.gather(*(wire.post(channel) for channel in (1, 2) for _ in range(30)))
        return wire.server

    server = loop.run_until_complete(evening())
    assert server.refused == 0
    assert server.times[-1] - server.times[0] < 26, "30 posts of a channel take five windows and a burst"


def test_a_bucket_that_is_not_known_yet_is_asked_once_until_its_headers_are_there(loop: SimulatedLoop) -> None:
    async def evening() -> Server:
        wire = Wire(limit=1, window=3.0)
        await asyncio.gather(*(wire.post(1) for _ in range(4)))
        return wire.server

    server = loop.run_until_complete(evening())
    assert server.refused == 0
    assert set(server.most_at_once.values()) == {1}


@pytest.mark.parametrize("pause", [0.0, WIRE_SECONDS * 6])
def test_deletes_of_new_and_old_messages_are_one_bucket_until_an_answer_says_otherwise(
    loop: SimulatedLoop, pause: float
) -> None:
    async def evening() -> Server:
        wire = Wire(window=3.0)
        ages = ("old", "sub-10-seconds", None)
        deletes = [asyncio.create_task(wire.delete(1, ages[0])) for _ in range(6)]
        await asyncio.sleep(pause)
        deletes += [asyncio.create_task(wire.delete(1, age)) for age in ages for _ in range(6)]
        await asyncio.gather(*deletes)
        return wire.server

    server = loop.run_until_complete(evening())
    assert server.refused == 0
    assert set(server.most_at_once.values()) == {1}


def test_the_last_token_of_a_bucket_does_not_keep_the_answer_back(loop: SimulatedLoop) -> None:
    """discord.py sleeps until the bucket is full again inside the request that took its last token."""

    async def evening() -> list[float]:
        wire = Wire(limit=1, window=300.0)
        began = asyncio.get_running_loop().time()
        return [await wire.post(1) - began]

    (answered,) = loop.run_until_complete(evening())
    assert answered == pytest.approx(WIRE_SECONDS)


def test_one_request_of_a_bucket_is_left_to_another_process_that_knows_nothing_of_it(loop: SimulatedLoop) -> None:
    async def evening() -> tuple[float, Server, Server]:
        old, new = Wire(), Wire()
        new.server._windows = old.server._windows
        await asyncio.gather(*(old.edit(1) for _ in range(5)))
        old.governor.spare(1)
        waited = old.governor.spared_in
        edits = [asyncio.create_task(old.edit(1)) for _ in range(30)]
        await asyncio.sleep(waited + 1)
        assert old.governor.spared_in == 0
        for edit in edits:
            edit.cancel()
        await asyncio.gather(*(new.edit(1) for _ in range(8)))
        return waited, old.server, new.server

    waited, old, new = loop.run_until_complete(evening())
    assert 4 < waited < 5, "it waits until the bucket is full again"
    assert (len(old.sent), old.refused) == (9, 0), "five at first, then all but one"
    assert (len(new.sent), new.refused) == (8, 0)


def test_nothing_is_asked_of_a_channel_while_another_process_may_have_it(loop: SimulatedLoop) -> None:
    async def evening() -> tuple[int, int]:
        wire, doubt = Wire(), [True]
        wire.governor.doubt(lambda: doubt[0])
        edit = asyncio.create_task(wire.edit(1))
        await wire.http.request(Route("GET", "/gateway/bot"))
        before = len(wire.server.sent)
        await asyncio.sleep(3)
        doubt[0] = False
        await edit
        return before, len(wire.server.sent)

    assert loop.run_until_complete(evening()) == (1, 2)


def test_a_bucket_is_no_obstacle_for_another_one_of_the_same_channel(loop: SimulatedLoop) -> None:
    async def evening() -> float:
        wire = Wire()
        redraws = [asyncio.create_task(wire.edit(1)) for _ in range(30)]
        await asyncio.sleep(1)
        began = asyncio.get_running_loop().time()
        with important(Importance.CALL):
            called = await wire.post(1) - began
        await asyncio.gather(*redraws)
        return called

    assert loop.run_until_complete(evening()) < 0.1


def test_edits_of_old_messages_are_apart_and_keep_no_others_waiting(loop: SimulatedLoop) -> None:
    async def evening() -> tuple[list[float], list[float]]:
        wire = Wire(limit=50)

        async def edit(channel: int, message: int) -> float:
            with important(Importance.REDRAW):
                await wire.http.request(edit_route(channel, message), json={})
            return asyncio.get_running_loop().time()

        old = asyncio.gather(*(edit(1, OLD + number) for number in range(4)))
        others = asyncio.gather(*(edit(1, YOUNG + number) for number in range(4)), edit(2, OLD))
        return sorted(await old), await others

    old, others = loop.run_until_complete(evening())
    assert all(later - earlier >= 2 for earlier, later in pairwise(old)), "three pass in six seconds"
    assert max(others) < old[1]


async def edited(wire: Wire, *messages: int) -> list[float]:
    """Edit messages of a channel at once, after the first response; returns when each answer was there."""

    async def edit(message: int) -> float:
        with important(Importance.REDRAW):
            await wire.http.request(edit_route(1, message), json={})
        return asyncio.get_running_loop().time()

    await wire.post(2)
    return sorted(await asyncio.gather(*map(edit, messages)))


def test_edits_of_old_messages_are_apart_although_the_machines_clock_is_half_an_hour_behind(
    loop: SimulatedLoop,
) -> None:
    async def evening() -> list[float]:
        return await edited(Wire(behind_ms=1_800_000), *(OLD + number for number in range(4)))

    times = loop.run_until_complete(evening())
    assert len(times) == 4
    assert all(later - earlier >= 2 for earlier, later in pairwise(times)), "three pass in six seconds"


def test_edits_of_young_messages_are_not_held_although_the_machines_clock_is_ahead(loop: SimulatedLoop) -> None:
    async def evening() -> list[float]:
        return await edited(Wire(behind_ms=-7_200_000), *(YOUNG + number for number in range(4)))

    times = loop.run_until_complete(evening())
    assert len(times) == 4
    assert times[-1] - times[0] < 2


def test_an_edit_of_an_old_message_that_arrives_late_keeps_the_next_ones_apart(loop: SimulatedLoop) -> None:
    """Discord counts an edit when it arrives."""

    async def evening() -> list[float]:
        wire = Wire()
        arrived: list[float] = []
        answer = wire.server.answer

        def arrives(name: str, now: float) -> Answer:
            arrived.append(now)
            return answer(name, now)

        wire.server.answer = arrives  # type: ignore[method-assign]
        wire.server.still_until = asyncio.get_running_loop().time() + 1.5
        with important(Importance.REDRAW):
            await asyncio.gather(
                *(wire.http.request(edit_route(1, OLD + number), json={}) for number in range(4)),
            )
        return arrived

    arrived = loop.run_until_complete(evening())
    assert arrived[0] >= 1.5
    assert len(arrived) == 4
    assert arrived[3] - arrived[0] > 6, "three pass in six seconds"


def test_what_matters_most_leaves_first(loop: SimulatedLoop) -> None:
    async def evening() -> list[str]:
        wire = Wire()
        kinds = (Importance.CLEANUP, Importance.REDRAW, Importance.CALL, Importance.ONCE)
        waiting = [
            asyncio.create_task(wire.edit(100 * place + channel, kind))
            for place, kind in enumerate(kinds)
            for channel in range(20)
        ]
        await asyncio.gather(*waiting)
        return [name.split(" ")[1][0] if len(name.split("/")[0]) > 8 else "0" for _, name in wire.server.sent]

    left = loop.run_until_complete(evening())
    # The burst was let through before anything else had asked.
    assert left == ["0"] * 5 + ["3"] * 20 + ["2"] * 20 + ["1"] * 20 + ["0"] * 15


def test_an_old_redraw_goes_before_what_is_new(loop: SimulatedLoop) -> None:
    async def evening() -> float:
        wire = Wire(share=5)
        stream = asyncio.create_task(_stream_of_results(wire))
        await asyncio.sleep(2)
        began = asyncio.get_running_loop().time()
        drawn = await wire.edit(7) - began
        stream.cancel()
        return drawn

    # Ten requests per second come in and five go out, so it waits only for those of the first fifteen seconds.
    assert loop.run_until_complete(evening()) == pytest.approx(2 + 2 * Importance.REDRAW.value, abs=1)


async def _stream_of_results(wire: Wire) -> None:
    """Request twice the budget, forever."""
    for channel in range(1000, 100_000):
        asyncio.create_task(wire.post(channel))  # noqa: RUF006  # the loop ends with the test
        await asyncio.sleep(0.1)


def test_after_a_limit_for_all_nothing_leaves_before_its_time_and_then_not_all_at_once(loop: SimulatedLoop) -> None:
    async def evening() -> Server:
        wire = Wire()
        wire.server.faults.append(limited(7.0, everywhere=True))
        await asyncio.gather(*(wire.post(channel) for channel in range(100)))
        return wire.server

    server = loop.run_until_complete(evening())
    told = server.times[0] + WIRE_SECONDS
    assert not [at for at in server.times if told + 0.01 < at < told + 7.0]
    assert max_in_one_second([at for at in server.times if at > told]) <= 40
    assert max(server.times.count(at) for at in server.times) <= 5


def test_a_limit_of_one_bucket_keeps_only_its_own_line(loop: SimulatedLoop) -> None:
    async def evening() -> tuple[list[float], list[float]]:
        wire = Wire()
        wire.server.faults.append(limited(9.0, everywhere=False))
        began = asyncio.get_running_loop().time()
        mine = [asyncio.create_task(wire.post(1)) for _ in range(3)]
        await asyncio.sleep(0.1)
        others = await asyncio.gather(*(wire.post(channel) for channel in range(2, 9)))
        return [at - began for at in await asyncio.gather(*mine)], [at - began for at in others]

    mine, others = loop.run_until_complete(evening())
    assert max(others) < 1
    assert min(mine) > 9


@pytest.mark.parametrize("fault", [500, 502, 504, 429])
def test_what_discord_py_repeats_counts_too(loop: SimulatedLoop, fault: int) -> None:
    async def evening() -> Server:
        wire = Wire()
        answers = [limited(3.0, everywhere=False) if fault == 429 else Answer(fault, {}, {}) for _ in range(60)]
        wire.server.faults += answers
        await asyncio.gather(*(wire.post(channel) for channel in range(100)))
        return wire.server

    server = loop.run_until_complete(evening())
    assert len(server.sent) == 160
    assert max_in_one_second(server.times) <= 40


def test_what_was_let_through_and_held_up_on_the_way_does_not_leave_all_at_once(loop: SimulatedLoop) -> None:
    """Between the permission to draw and the request, the table is read, which may wait for the storage."""

    async def evening() -> Server:
        wire = Wire()
        storage = asyncio.Event()

        async def draw(channel: int) -> None:
            async with wire.governor.using(wire.governor.ask(edit_route(channel, YOUNG), Importance.REDRAW)):
                await storage.wait()
                await wire.edit(channel)

        drawings = [asyncio.create_task(draw(channel)) for channel in range(60)]
        await asyncio.sleep(1.5)
        storage.set()
        await asyncio.gather(*drawings)
        return wire.server

    server = loop.run_until_complete(evening())
    assert len(server.sent) == 60
    assert max_in_one_second(server.times) <= 40
    assert server.refused == 0


@pytest.mark.parametrize("seconds", [0.3, 1.0, 2.0])
def test_what_was_late_on_the_way_does_not_arrive_together_with_what_left_after_it(
    loop: SimulatedLoop, seconds: float
) -> None:
    """A late loop, or a blocked connection, lets requests arrive together that were sent one by one."""

    async def evening() -> Server:
        wire = Wire()
        posts = [asyncio.create_task(wire.post(channel)) for channel in range(200)]
        await asyncio.sleep(1.5)
        wire.server.still_until = asyncio.get_running_loop().time() + seconds
        await asyncio.gather(*posts)
        return wire.server

    server = loop.run_until_complete(evening())
    assert len(server.sent) == 200
    assert server.refused == 0


@pytest.mark.parametrize("seconds", [0.5, 1.9, 2.1, 3.5, 9.0])
def test_what_was_due_while_the_loop_stood_still_does_not_arrive_together_with_what_is_new(
    loop: SimulatedLoop, seconds: float
) -> None:
    """Sent data is written to the socket when the loop continues, however late, and is in flight then."""

    async def evening() -> Server:
        wire = Wire()
        wire.server.seconds = 1.8
        posts = [asyncio.create_task(wire.post(channel)) for channel in range(200)]
        await asyncio.sleep(1.5)
        loop._now += seconds
        wire.server.seconds, wire.server.late_until = WIRE_SECONDS, loop.time() + LATE_SECONDS
        await asyncio.gather(*posts)
        return wire.server

    server = loop.run_until_complete(evening())
    assert len(server.sent) == 200
    assert server.refused == 0
    assert max(server.times.count(at) for at in server.times) <= 5


def test_a_request_that_is_lost_on_the_way_does_not_count_for_ever(loop: SimulatedLoop) -> None:
    async def evening() -> float:
        wire = Wire()
        wire.server.still_until = asyncio.get_running_loop().time() + 200
        lost = [asyncio.create_task(wire.post(channel)) for channel in range(40)]
        await asyncio.sleep(5)
        wire.server.still_until = -1e9
        began = asyncio.get_running_loop().time()
        at = max(await asyncio.gather(*(wire.post(channel) for channel in range(100, 120))))
        for task in lost:
            task.cancel()
        return at - began

    assert loop.run_until_complete(evening()) < 1


def test_an_answer_without_headers_keeps_nobody(loop: SimulatedLoop) -> None:
    async def evening() -> float:
        wire = Wire()
        wire.server.faults += [OSError("the connection was reset"), Answer(404, {"code": 10008}, {})]
        with pytest.raises(OSError, match="reset"):
            await wire.post(1)
        with pytest.raises(discord.NotFound):
            await wire.post(1)
        began = asyncio.get_running_loop().time()
        return await wire.post(1) - began

    assert loop.run_until_complete(evening()) < 0.1


def test_who_is_cancelled_while_waiting_leaves_no_hole(loop: SimulatedLoop) -> None:
    async def evening() -> int:
        wire = Wire()
        waiting = [asyncio.create_task(wire.post(1)) for _ in range(20)]
        await asyncio.sleep(1)
        for task in waiting[5:15]:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return len(wire.server.sent)

    assert loop.run_until_complete(evening()) == 10


def test_a_ticket_is_had_first_and_used_for_the_newest_state(loop: SimulatedLoop) -> None:
    async def evening() -> tuple[float, float]:
        wire = Wire(limit=1, window=4.0)
        await wire.edit(1)
        began = asyncio.get_running_loop().time()
        async with wire.governor.using(wire.governor.ask(edit_route(1, YOUNG), Importance.REDRAW)) as granted:
            had = asyncio.get_running_loop().time() - began
            assert granted
            return had, await wire.edit(1) - began

    had, sent = loop.run_until_complete(evening())
    assert had == pytest.approx(4.0, abs=0.1)
    assert sent - had == pytest.approx(WIRE_SECONDS)


def test_a_ticket_that_is_withdrawn_or_not_used_keeps_nobody(loop: SimulatedLoop) -> None:
    async def evening() -> float:
        wire = Wire()
        ask = wire.governor.ask
        async with wire.governor.using(ask(edit_route(1, YOUNG), Importance.REDRAW)) as granted:
            assert granted
            late = ask(edit_route(1, YOUNG), Importance.REDRAW)
            late.withdraw()
            async with wire.governor.using(late) as wanted:
                assert not wanted
        assert not wire.governor.waiting(*Importance)
        began = asyncio.get_running_loop().time()
        return await wire.edit(1) - began

    assert loop.run_until_complete(evening()) < 0.1


def test_who_holds_a_ticket_and_asks_for_something_else_keeps_nobody(loop: SimulatedLoop) -> None:
    async def evening() -> list[float]:
        wire = Wire()

        async def draw(channel: int) -> float:
            async with wire.governor.using(wire.governor.ask(edit_route(channel, YOUNG), Importance.REDRAW)):
                return await wire.post(channel)

        return list(await asyncio.gather(*(draw(channel) for channel in range(2 * MAX_IN_PROGRESS))))

    assert len(loop.run_until_complete(evening())) == 2 * MAX_IN_PROGRESS


def test_a_discord_that_answers_slowly_is_not_asked_ever_more(loop: SimulatedLoop) -> None:
    async def evening() -> int:
        wire = Wire()
        wire.server.seconds = 60.0
        waiting = [asyncio.create_task(wire.post(channel)) for channel in range(300)]
        await asyncio.sleep(30)
        asked = len(wire.server.sent)
        await asyncio.gather(*waiting)
        return asked

    assert loop.run_until_complete(evening()) == MAX_IN_PROGRESS


def test_nothing_is_remembered_of_channels_that_nobody_asks_for(loop: SimulatedLoop) -> None:
    async def evening() -> int:
        wire = Wire()
        await asyncio.gather(*(wire.post(channel) for channel in range(50)))
        return len(wire.governor._lines)

    assert loop.run_until_complete(evening()) == 0


def test_other_routes_know_their_own_bucket(loop: SimulatedLoop) -> None:
    async def evening() -> Server:
        wire = Wire(limit=2, window=2.0)
        member = Route("GET", "/guilds/{guild_id}/members/{user_id}", guild_id=5, user_id=1)
        await asyncio.gather(*(wire.http.request(member) for _ in range(7)), *(wire.post(5) for _ in range(7)))
        return wire.server

    assert loop.run_until_complete(evening()).refused == 0
