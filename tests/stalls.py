"""A detector for callbacks that block the event loop, and for how long.

asyncio's own debug mode only logs such callbacks, slows everything down, and uses its own clock. This detector measures
each step of each task with any clock, in any asyncio loop, and fails if one took too long:

    with watch_stalls() as stalls:
        ...                            # an AssertionError at the end names the slow steps
    assert stalls.longest() < 0.02     # or check yourself

By default, it counts the thread's own processor time (``time.thread_time``), which a busy machine doesn't prolong. That
misses callbacks that block without working, such as ``time.sleep`` or waiting for the disk. To find those, use
``clock=time.perf_counter`` on an idle machine.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import events
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import override

LIMIT_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Stall:
    """A callback that took too long."""

    seconds: float
    what: str

    @override
    def __str__(self) -> str:
        return f"{self.seconds * 1000:.0f} ms: {self.what}"


@dataclass(slots=True)
class Stalls:
    """Observed callbacks above the limit, in order, and the number of all callbacks."""

    limit: float
    found: list[Stall] = field(default_factory=list)
    callbacks: int = 0

    def longest(self) -> float:
        """The longest of those above the limit, in seconds; 0 when there was none."""
        return max((stall.seconds for stall in self.found), default=0.0)

    def check(self) -> None:
        """Fail when anything took too long, the worst first."""
        worst = sorted(self.found, key=lambda stall: -stall.seconds)
        assert not worst, f"the event loop stood still {len(worst)} times:\n" + "\n".join(map(str, worst[:20]))


@contextmanager
def watch_stalls(
    limit: float = LIMIT_SECONDS, *, clock: Callable[[], float] = time.thread_time, check: bool = True
) -> Iterator[Stalls]:
    """Measure every callback of every loop of this process meanwhile; fails at the end unless ``check`` is off."""
    stalls = Stalls(limit)
    run = events.Handle._run  # noqa: SLF001  # the one place through which every callback of a loop goes

    def measured(handle: asyncio.Handle) -> Any:
        begun = clock()
        # A handle forgets its callback after running.
        callback = handle._callback  # type: ignore[attr-defined]  # noqa: SLF001
        try:
            return run(handle)
        finally:
            seconds = clock() - begun
            stalls.callbacks += 1
            if seconds > stalls.limit:
                stalls.found.append(Stall(seconds, _name(callback)))

    events.Handle._run = measured  # type: ignore[method-assign,assignment]  # noqa: SLF001
    try:
        yield stalls
    finally:
        events.Handle._run = run  # type: ignore[method-assign]  # noqa: SLF001
    if check:
        stalls.check()


def _name(callback: Any) -> str:
    """Return the callback's task and its current position, or the name of any other callback."""
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        stack = task.get_stack()
        where = f" at {stack[-1].f_code.co_filename}:{stack[-1].f_lineno}" if stack else ""
        coroutine = task.get_coro()
        return f"{getattr(coroutine, '__qualname__', coroutine)}{where}"
    return str(getattr(callback, "__qualname__", callback))
