"""Pictures drawn on request, each only once for all callers who request it.

They're drawn one at a time in their own thread, and the most recent ones are cached. Results and covers use the
process's shared threads, so that they don't queue behind players leafing through pages. A cached picture is never out
of date, because its key holds everything drawn on it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor

MAX_PICTURES = 20
"""Maximum number of cached pictures, each up to a quarter of a megabyte."""


class AskedPictures:
    """Draws pictures on request, and caches them."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._kept: OrderedDict[Hashable, asyncio.Future[bytes]] = OrderedDict()

    async def draw(self, what: Hashable, drawing: Callable[[], bytes]) -> bytes:
        """Return the picture that ``drawing`` draws. ``what`` is its key, and holds everything drawn on it."""
        if what not in self._kept:
            self._kept[what] = asyncio.get_running_loop().run_in_executor(self._thread, drawing)
            if len(self._kept) > MAX_PICTURES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(what)
        picture = self._kept[what]
        try:
            # Others may be waiting for the same picture, so a cancelled caller must not cancel it.
            return await asyncio.shield(picture)
        except Exception:
            if self._kept.get(what) is picture:
                del self._kept[what]
            raise

    def close(self) -> None:
        """Stop drawing."""
        self._thread.shutdown(wait=False, cancel_futures=True)
