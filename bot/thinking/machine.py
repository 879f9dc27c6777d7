"""How many worker processes suit a machine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MOST = 4
BOT_BYTES = 400 * 2**20
"""What the bot itself needs, and the system around it."""
WORKER_BYTES = 460 * 2**20
"""A worker that knows two games."""
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Where Linux tells how much memory a container or a service may have."""


def usual_workers() -> int:
    """One processor is left to the bot where there are several, and its memory everywhere."""
    return workers_for(cores=_cores(), memory_bytes=_memory_bytes())


def workers_for(*, cores: int, memory_bytes: int) -> int:
    """How many workers suit so many processors and so much memory."""
    return max(0, min(MOST, max(1, cores - 1), (memory_bytes - BOT_BYTES) // WORKER_BYTES))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory_bytes() -> int:
    """What the machine has, or less where this process may have less; room for one worker when it cannot be told."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")] if hasattr(os, "sysconf") else []
    for file in _LIMITS:
        with suppress(OSError, ValueError):  # There is none, or it says "max".
            found.append(int(file.read_text(encoding="ascii")))
    return min(found, default=BOT_BYTES + WORKER_BYTES)
