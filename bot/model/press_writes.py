"""What the press under way has written, so that its answer is true where a later step of it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_under_way: ContextVar[PressWrites | None] = ContextVar("press_writes", default=None)


class PressWrites:
    """What became of the transactions that a press has begun."""

    def __init__(self) -> None:
        self.task = asyncio.current_task()
        self.done = False
        """True once something that the press asked for is on the disk."""
        self.failed = False
        """True once something could not be written."""

    @property
    def stand(self) -> bool:
        """True where all that was asked for is on the disk, so that only looking has failed."""
        return self.done and not self.failed


@contextmanager
def noting_writes() -> Iterator[PressWrites]:
    """Note what is written inside by this very task: what follows from it in the background is not the press's."""
    writes = PressWrites()
    token = _under_way.set(writes)
    try:
        yield writes
    finally:
        _under_way.reset(token)


def writes_under_way() -> PressWrites | None:
    """Those of the press that this task answers; None where it answers none."""
    writes = _under_way.get()
    return writes if writes is not None and writes.task is asyncio.current_task() else None
