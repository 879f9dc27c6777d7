"""discord.py asks the machine for the time; on a simulated clock it must ask that one."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

import discord
from discord.ext import tasks
from discord.ui import view


@contextmanager
def discord_clock(now_ms: Callable[[], int]) -> Iterator[None]:
    """Within it, discord.py's loops, ages of messages and timeouts of views follow ``now_ms`` and the event loop."""

    def now(tz: datetime.tzinfo | None = None) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(now_ms() / 1000, tz)

    def utcnow() -> datetime.datetime:
        return now(datetime.UTC)

    def until(moment: datetime.datetime) -> float:
        return max((moment - utcnow()).total_seconds(), 0)

    # ext.tasks calls ``datetime.datetime.now`` and views call ``time.monotonic``, so their module names are replaced.
    times = {"timedelta": datetime.timedelta, "time": datetime.time, "timezone": datetime.timezone}
    moments = SimpleNamespace(now=now, combine=datetime.datetime.combine)
    with (
        patch.object(discord.utils, "utcnow", utcnow),
        patch.object(discord.utils, "compute_timedelta", until),
        patch.object(tasks, "datetime", SimpleNamespace(datetime=moments, **times)),
        patch.object(view, "time", SimpleNamespace(monotonic=lambda: asyncio.get_running_loop().time())),
    ):
        yield
