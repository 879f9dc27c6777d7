"""Pictures that people ask for: drawn one after the other in a thread of their own, and the last ones kept.

Results, covers and the start of a worker have the process's common threads: they don't stand in line behind pages that
somebody turns. A picture is known by all that is drawn on it, so one that is kept can't be out of date.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor

MOST_KEPT = 20
"""Pictures that are kept; each has up to a quarter of a megabyte."""


class AskedPictures:
    """Draws what is asked for, once for all who ask for the same."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._kept: OrderedDict[Hashable, asyncio.Future[bytes]] = OrderedDict()

    async def draw(self, what: Hashable, drawing: Callable[[], bytes]) -> bytes:
        """The picture of ``what``, which is all that ``drawing`` draws; raises what that raises."""
        if what not in self._kept:
            self._kept[what] = asyncio.get_running_loop().run_in_executor(self._thread, drawing)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(what)
        picture = self._kept[what]
        try:
            # Others may wait for the same: whoever gives up must not end it.
            return await asyncio.shield(picture)
        except Exception:
            if self._kept.get(what) is picture:
                del self._kept[what]
            raise

    def close(self) -> None:
        """Draw nothing any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
