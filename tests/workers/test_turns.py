"""The order of computations: servers take turns, waiting jobs use the gaps, and none waits forever."""

from __future__ import annotations

import asyncio

from bot.play.session.workers import Priority
from bot.workers.worker_pool import JobSlots


class Order:
    """The order of turns. Each caller keeps its turn until told to release it."""

    def __init__(self, most: int) -> None:
        self.turns = JobSlots(most)
        self.called: list[str] = []
        self.given_back = asyncio.Event()
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def ask(self, name: str, *, guild: int = 1, urgency: Priority = Priority.TABLE) -> None:
        self.tasks[name] = asyncio.create_task(self._take(name, guild, urgency))

    async def _take(self, name: str, guild: int, urgency: Priority) -> None:
        async with self.turns.turn(guild, urgency):
            self.called.append(name)
            await self.given_back.wait()

    async def until_all_have_had_it(self) -> str:
        await pause()
        self.given_back.set()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        return " ".join(self.called)


async def pause() -> None:
    """Let all tasks run as far as they can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_each_server_has_its_turn() -> None:
    order = Order(1)
    for name in ("1a", "1b", "1c", "1d", "2a", "2b", "3a"):
        order.ask(name, guild=int(name[0]))
    assert await order.until_all_have_had_it() == "1a 1b 2a 3a 1c 2b 1d"


async def test_so_many_have_a_turn_at_a_time() -> None:
    order = Order(2)
    for name in "abcd":
        order.ask(name)
    await pause()
    assert order.called == ["a", "b"]
    assert await order.until_all_have_had_it() == "a b c d"


async def test_what_can_wait_comes_after_three_that_are_urgent() -> None:
    order = Order(1)
    for number in range(5):
        order.ask(f"now{number}")
    for number in range(2):
        order.ask(f"later{number}", urgency=Priority.LATER)
    assert await order.until_all_have_had_it() == "now0 now1 now2 later0 now3 now4 later1"


async def test_what_can_wait_leaves_one_place_of_several_free() -> None:
    order = Order(2)
    for number in range(3):
        order.ask(f"later{number}", urgency=Priority.LATER)
    await pause()
    order.ask("now")
    await pause()
    assert order.called == ["later0", "now"]
    assert await order.until_all_have_had_it() == "later0 now later1 later2"


async def test_the_only_place_is_also_for_what_can_wait() -> None:
    order = Order(1)
    order.ask("later", urgency=Priority.LATER)
    assert await order.until_all_have_had_it() == "later"


async def test_those_who_give_up_waiting_keep_nobody_from_a_turn() -> None:
    order = Order(1)
    for name in "abc":
        order.ask(name)
    await pause()
    order.tasks["b"].cancel()
    assert await order.until_all_have_had_it() == "a c"


async def test_a_turn_is_given_to_nobody_who_gave_up_at_the_same_time() -> None:
    order = Order(1)
    for name in "abc":
        order.ask(name)
    await pause()
    order.tasks["a"].cancel()
    order.tasks["b"].cancel()
    assert await order.until_all_have_had_it() == "a c"


async def test_a_turn_that_came_with_the_end_of_the_wait_is_given_on() -> None:
    order = Order(1)
    for name in "abc":
        order.ask(name)
    await pause()
    order.tasks["a"].cancel()
    await asyncio.sleep(0)
    order.tasks["b"].cancel()
    assert await order.until_all_have_had_it() == "a c"


async def test_what_no_one_waits_for_starts_only_while_everything_is_idle() -> None:
    order = Order(2)
    order.ask("idle", urgency=Priority.IDLE)
    order.ask("more", urgency=Priority.IDLE)
    await pause()
    assert order.called == ["idle"], "one at a time"
    order.ask("now")
    await pause()
    assert order.called == ["idle", "now"]
    order.ask("later", urgency=Priority.LATER)
    assert await order.until_all_have_had_it() == "idle now later more"
