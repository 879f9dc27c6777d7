"""The number of people who watch each table on a page.

People are counted, not pages, and no one is named. Pages for streams aren't counted, because any number of people may
be behind one. What pages show is updated at most once per interval for all who came and left meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from bot.model.ids import GuildId, Player, TableId, TableKey
from bot.web.page import Page

LEAST_SECONDS = 5.0
"""Minimum time between two updates of the numbers shown."""
SECONDS_PER_PAGE = 0.01
"""Minimum time per open page, so that updates take a small part of the process's time even with many pages."""


class Viewers:
    """The numbers of viewers in this process, as the pages show them."""

    def __init__(self, open_pages: Callable[[GuildId], Iterable[Page]], count: Callable[[], int]) -> None:
        """``open_pages`` returns a server's open pages, and ``count`` the number of all open pages."""
        self._open_pages = open_pages
        self._count = count
        self._shown: dict[TableKey, int] = {}
        self._changed: set[GuildId] = set()
        self._timer: asyncio.TimerHandle | None = None
        self.least_seconds = LEAST_SECONDS

    def of(self, key: TableKey) -> int:
        """Return the number to show for a table."""
        return self._shown.get(key, 0)

    def changed(self, guild: GuildId) -> None:
        """Note that someone began or stopped watching. The numbers shown follow within the interval."""
        self._changed.add(guild)
        if self._timer is None:
            seconds = max(self.least_seconds, SECONDS_PER_PAGE * self._count())
            self._timer = asyncio.get_running_loop().call_later(seconds, self.update)

    def update(self) -> None:
        """Count again, and wake the pages whose number has changed."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for guild in self._changed:
            pages = list(self._open_pages(guild))
            found = _people(pages)
            before = {key.table: number for key, number in self._shown.items() if key.guild == guild}
            moved = {table for table in {*found, *before} if found.get(table, 0) != before.get(table, 0)}
            for table in moved:
                key = TableKey(guild=guild, table=table)
                self._shown.pop(key, None)
                if number := found.get(table, 0):
                    self._shown[key] = number
            for page in pages:
                if page.view is not None and page.view.table in moved:
                    page.woken.set()
        self._changed.clear()


def _people(pages: Iterable[Page]) -> Mapping[TableId, int]:
    """Return the number of people who watch each table."""
    found = defaultdict[TableId, set[Player]](set)
    for page in pages:
        if not page.late and page.view is not None and page.view.watches:
            found[TableId(page.view.table)].add(page.reader.player)
    return {table: len(people) for table, people in found.items()}
