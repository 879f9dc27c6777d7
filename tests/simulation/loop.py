"""An event loop without a real clock: time jumps to what happens next, and the process can die at any time."""
# ruff: noqa: SLF001  # asyncio has no other door.
# mypy: disable-error-code="attr-defined, override, union-attr"

from __future__ import annotations

import asyncio
import contextvars
import heapq
import inspect
import time
from collections.abc import Callable
from typing import Any

from typing_extensions import override

SLOW_MS = 50
"""A callback that keeps the processor longer than this would hold up every press."""


ITS_OWN = "Simulation."
"""Prefix of the simulation's own tasks, such as computing placements."""


class KilledError(BaseException):
    """The process has died, and none of its tasks run any more."""


class StuckError(Exception):
    """Nothing is left that could ever happen."""


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Runs one callback at a time, on a virtual clock that begins at ``start`` seconds.

    Work on other threads (executors, the database) is done immediately by the caller, and its time doesn't count as
    blocking the loop.
    """

    def __init__(self, start: float) -> None:
        super().__init__()
        self._now = start
        self.killed = False
        self.dead = False
        self.elsewhere = 0.0
        """CPU seconds of work that other threads do in a real bot."""
        self.slow: list[str] = []
        """The callbacks that blocked the loop."""

    @override
    def time(self) -> float:
        """Virtual seconds."""
        return self._now

    def kill(self) -> None:
        """Die as soon as the present callback ends."""
        self.killed = True

    def bury(self) -> None:
        """After the death: forget all tasks without running anything of them."""
        self.dead = True
        for task in asyncio.all_tasks(self):
            task._log_destroy_pending = False
            if inspect.iscoroutine(coro := task.get_coro()) and inspect.getcoroutinestate(coro) == inspect.CORO_CREATED:
                # It was about to begin: Python would take it for forgotten.
                coro.close()
        self._ready.clear()
        self._scheduled.clear()
        self.close()

    def _run_once(self) -> None:
        ready, scheduled = self._ready, self._scheduled
        while scheduled and scheduled[0]._cancelled:
            heapq.heappop(scheduled)._scheduled = False
        if not ready:
            if not scheduled:
                raise StuckError("nothing is left that could happen")
            self._now = max(self._now, scheduled[0]._when)
        while scheduled and scheduled[0]._when <= self._now:
            handle = heapq.heappop(scheduled)
            handle._scheduled = False
            ready.append(handle)
        handle = ready.popleft()
        if not handle._cancelled:
            self._run_measured(handle)
        if self.killed:
            raise KilledError

    def _run_measured(self, handle: asyncio.Handle) -> None:
        before, elsewhere = time.thread_time(), self.elsewhere
        handle._run()
        blocked = (time.thread_time() - before - (self.elsewhere - elsewhere)) * 1000
        if blocked > SLOW_MS:
            task = getattr(handle._callback, "__self__", None)
            what = task.get_coro().__qualname__ if isinstance(task, asyncio.Task) else repr(handle)
            if not what.startswith(ITS_OWN):
                self.slow.append(f"{blocked:.0f} ms: {what}")

    @override
    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """Do the work at once."""
        future = self.create_future()
        began = time.thread_time()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        self.elsewhere += time.thread_time() - began
        return future

    # Objects of a dead process are collected later and may still try to call something.

    @override
    def call_soon(self, callback: Any, *args: Any, context: contextvars.Context | None = None) -> asyncio.Handle:
        """Do nothing once dead."""
        if self.dead:
            return asyncio.Handle(callback, args, self, context)
        return super().call_soon(callback, *args, context=context)

    @override
    def call_at(
        self, when: float, callback: Any, *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Do nothing once dead."""
        if self.dead:
            return asyncio.TimerHandle(when, callback, args, self, context)
        return super().call_at(when, callback, *args, context=context)

    @override
    def call_soon_threadsafe(
        self, callback: Any, *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """There is one thread only."""
        return self.call_soon(callback, *args, context=context)
