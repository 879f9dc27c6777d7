"""What events need of a transaction beside what tables need of it (:mod:`bot.play.ports`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from bot.play.event.model import Entrant, Event, EventDraft, EventFact, EventPosting, EventTable, Notice, Phase
from bot.play.model import EventKey, GuildId, Player, Seat, Table, TableKey
from bot.play.ports import Tx
from bot.play.session import Session
from bot.play.shards import Shard


class EventRows(Protocol):
    """Events and their series."""

    def next_event(self, guild: GuildId) -> int: ...
    def save_event(self, event: Event) -> None: ...
    def event(self, key: EventKey) -> Event | None: ...
    def events(self, guild: GuildId, phases: Sequence[Phase]) -> list[Event]:
        """The events of a guild in one of these phases, newest first."""
        ...

    def running_events(self) -> list[EventKey]:
        """The events of all guilds that are not over."""
        ...

    def event_alarms(self, now: int, *, shard: Shard, limit: int) -> list[EventKey]:
        """The events whose alarm is due, oldest first, without those of a shard that is cut off."""
        ...

    def series(self, guild: GuildId) -> list[str]:
        """The names of its series, the one used last first."""
        ...

    def series_events(self, guild: GuildId, series: str) -> list[EventKey]:
        """The events of a series that have ended, oldest first."""
        ...


class Entrants(Protocol):
    """The people of an event."""

    def entrants(self, key: EventKey) -> list[Entrant]:
        """In the order in which they registered, also those who withdrew."""
        ...

    def entrant(self, key: EventKey, player: Player) -> Entrant | None: ...
    def save_entrant(self, key: EventKey, entrant: Entrant) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorTable:
    """An open table of an event with all that the director looks at."""

    info: EventTable
    table: Table
    seats: list[Seat]
    """By number."""
    stacks: dict[Player, int]
    """Chips of those who have any."""
    pausing: bool
    """True while the pause after a hand lasts."""


class EventTables(Protocol):
    """What an event knows of its tables."""

    def event_tables(self, key: EventKey, *, over: bool) -> list[EventTable]:
        """Its tables by number: all of them, or with ``over`` False those that still play."""
        ...

    def floor(self, key: EventKey) -> list[FloorTable]:
        """Its open tables by number, read together."""
        ...

    def event_table(self, key: TableKey) -> EventTable | None: ...
    def save_event_table(self, key: EventKey, table: EventTable) -> None: ...


class Matches(Protocol):
    """The matches of a bracket."""

    def matches(self, key: EventKey) -> dict[int, Player]:
        """The winners of a bracket's matches, by match number."""
        ...

    def save_match(self, key: EventKey, match: int, winner: Player) -> None: ...


class EventLog(Protocol):
    """What happened in an event: a log to which lines are only added."""

    def note_event(
        self,
        key: EventKey,
        kind: str,
        details: Mapping[str, Any],
        *,
        actor: Player | None,
        cause: str | None,
        at: int,
    ) -> None: ...
    def event_log(self, key: EventKey) -> list[EventFact]: ...
    def facts_of(self, key: EventKey, actor: Player) -> list[EventFact]: ...
    def last_fact(self, key: EventKey, kinds: Sequence[str]) -> EventFact | None:
        """The last line of an event's log of one of these kinds."""
        ...


class Purses(Protocol):
    """Chips that belong to no seat: prize pools, entrants' chips between tables, and the mints of events."""

    def purse(self, guild: GuildId, owner: str) -> int:
        """The chips of a wallet: a player's, an event's prize pool, or an entrant's chips between tables."""
        ...

    def hand_over(self, guild: GuildId, *, payer: str, payee: str, chips: int, kind: str, cause: str, at: int) -> None:
        """Move chips between two purses."""
        ...

    def issue(self, guild: GuildId, *, mint: str, payee: str, chips: int, kind: str, cause: str, at: int) -> None:
        """Make chips: ``mint`` is the owner of the mint, empty for the server's own, else an event's for its chips."""
        ...

    def take_back(self, guild: GuildId, *, mint: str, payer: str, chips: int, kind: str, cause: str, at: int) -> None:
        """The reverse of :meth:`issue`."""
        ...


class Drafts(Protocol):
    """Events that are still being prepared."""

    def draft(self, guild: GuildId, organiser: Player) -> EventDraft | None: ...
    def save_draft(self, draft: EventDraft) -> None: ...
    def forget_draft(self, guild: GuildId, organiser: Player) -> None: ...


class EventOutbox(Protocol):
    """What Discord shows of events, and what waits to be posted."""

    def note_event_drawn(self, key: EventKey, *, version: int, message: int | None) -> None: ...
    def note_scheduled(self, key: EventKey, *, scheduled: int | None, told: str) -> None: ...
    def undrawn_events(self) -> list[EventKey]:
        """The events whose message does not show their present state, and those with messages that wait."""
        ...

    def post_event(self, key: EventKey, notice: Notice, details: Mapping[str, Any], *, at: int) -> None: ...
    def event_postings(self, key: EventKey, *, limit: int) -> list[EventPosting]: ...
    def event_posted(self, number: int) -> None: ...


class EventTx(
    Tx,
    EventRows,
    Entrants,
    EventTables,
    Matches,
    EventLog,
    Purses,
    Drafts,
    EventOutbox,
    Protocol,
):
    """A transaction with all that it keeps of tables and of events."""


def tx_of(s: Session) -> EventTx:
    """The session's transaction with what it keeps of events.

    Tables know nothing of it, so their session names less than every storage gives: a storage's jobs take an
    :class:`EventTx`.
    """
    return cast(EventTx, s.tx)
