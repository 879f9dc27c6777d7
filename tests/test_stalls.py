"""The stall detector, on a clock that moves only when a callback moves it."""

import asyncio
import time

import pytest

from tests.stalls import watch_stalls


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_step_of_a_task_that_takes_too_long_is_named() -> None:
    clock = Clock()

    async def slow_work() -> None:
        await asyncio.sleep(0)
        clock.now += 0.06
        await asyncio.sleep(0)

    async def quick_work() -> None:
        for _ in range(10):
            clock.now += 0.04
            await asyncio.sleep(0)

    with watch_stalls(clock=clock, check=False) as stalls:
        await asyncio.gather(slow_work(), quick_work())
    assert len(stalls.found) == 1
    assert stalls.longest() == pytest.approx(0.06)
    assert "slow_work" in stalls.found[0].what
    assert "test_stalls.py" in stalls.found[0].what
    assert stalls.callbacks >= 13


async def test_a_plain_callback_is_named_too() -> None:
    clock = Clock()
    called = asyncio.Event()

    def slow_callback() -> None:
        clock.now += 1
        called.set()

    with watch_stalls(clock=clock, check=False) as stalls:
        asyncio.get_running_loop().call_soon(slow_callback)
        await called.wait()
    assert [stall.what.rpartition(".")[2] for stall in stalls.found] == ["slow_callback"]


async def test_it_fails_at_the_end_with_the_worst_first() -> None:
    clock = Clock()

    async def work(seconds: float) -> None:
        clock.now += seconds

    told = r"stood still 2 times:\n900 ms: .*work\n100 ms: .*work"
    with pytest.raises(AssertionError, match=told), watch_stalls(clock=clock):
        await asyncio.gather(work(0.1), work(0.9))


async def test_what_raises_is_measured_and_goes_on_and_the_loop_is_left_as_it_was() -> None:
    clock = Clock()
    run = asyncio.events.Handle._run  # noqa: SLF001

    async def fall() -> None:
        clock.now += 1
        raise KeyError

    with pytest.raises(KeyError), watch_stalls(clock=clock):
        await asyncio.create_task(fall())
    assert asyncio.events.Handle._run is run  # noqa: SLF001


async def test_by_default_a_wait_for_the_processor_does_not_count() -> None:
    async def sleep() -> None:
        # This blocks the loop without doing work, so the thread's clock stands still.
        time.sleep(0.06)  # noqa: ASYNC251

    with watch_stalls() as stalls:
        await asyncio.create_task(sleep())
    assert stalls.callbacks
