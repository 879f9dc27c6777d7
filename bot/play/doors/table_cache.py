"""Tables as they were looked at last, kept for as long as nothing of them is written: a tapped row asks no database."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from threading import Lock

from bot.model.ids import EventKey, Shard, TableKey
from bot.play.look.views import TableSeen

MOST_TABLES = 4096
"""Those looked at last; a table takes a few kilobytes."""
MOST_CHANGES = 65_536
"""Of so many tables and events it is known when they changed; then all is looked up again."""
MOST_AT_ONCE = 64
"""A commit that changes more than this is not looked at before it: its callers wait."""

Changed = TableKey | EventKey


@dataclass(frozen=True, slots=True, kw_only=True)
class _Remembered:
    seen: TableSeen = field(repr=False)
    at: int


class TableCache:
    """A cache of tables, used until the storage tells that something in it has changed.

    The storage tells so after each commit and before anybody is told of it: so what is found here is never older than
    the last answer that somebody had. A look that began before a change is not used after it, whichever ends first. So
    nothing need be known of who writes what or of what was rolled back, and all of it may be dropped at any instant.
    """

    def __init__(self, most: int = MOST_TABLES, most_changes: int = MOST_CHANGES) -> None:
        self._most = most
        self._most_changes = most_changes
        self._tables: OrderedDict[TableKey, _Remembered] = OrderedDict()
        self._changed: dict[Changed, int] = {}
        self._all_changed = 0
        self._commits = 0
        self._lock = Lock()

    @property
    def now(self) -> int:
        """The moment, in commits: to be asked before a look begins."""
        return self._commits

    def remembered(self, changed: Collection[Changed]) -> list[TableKey]:
        """The tables among what is being changed that are known so far; none where so much changes at once."""
        if len(changed) > MOST_AT_ONCE:
            return []
        with self._lock:
            return [key for key in changed if isinstance(key, TableKey) and key in self._tables]

    def changed(self, keys: Collection[Changed], now: Iterable[TableSeen] = ()) -> None:
        """Something of these tables and events was committed; ``now`` is how some of the tables stand since then."""
        with self._lock:
            self._commits += 1
            self._changed.update(dict.fromkeys(keys, self._commits))
            if len(self._changed) > self._most_changes:
                self._changed.clear()
                self._all_changed = self._commits
            for seen in now:
                self._tables[seen.table.key] = _Remembered(seen=seen, at=self._commits)

    def forget(self, shard: Shard) -> None:
        """Others write for a shard's servers, or have done so: nothing that was read of them is used any more."""
        with self._lock:
            self._commits += 1
            self._changed.clear()
            self._all_changed = self._commits
            for key in [key for key in self._tables if shard.serves(key.guild)]:
                del self._tables[key]

    def keep(self, seen: TableSeen, *, at: int) -> None:
        """Remember what a look has found that began at this moment."""
        key = seen.table.key
        with self._lock:
            before = self._tables.get(key)
            if before is None or before.at <= at:
                self._tables[key] = _Remembered(seen=seen, at=at)
            self._tables.move_to_end(key)
            while len(self._tables) > self._most:
                self._tables.popitem(last=False)

    def table(self, key: TableKey) -> TableSeen | None:
        """The table as it is committed; None where that must be looked up."""
        with self._lock:
            found = self._tables.get(key)
            if found is None or self._is_old(found):
                return None
            self._tables.move_to_end(key)
            return found.seen

    def _is_old(self, found: _Remembered) -> bool:
        table = found.seen.table
        changed = self._changed.get(table.key, self._all_changed)
        if table.event is not None:
            changed = max(changed, self._changed.get(table.event, self._all_changed))
        return changed > found.at
