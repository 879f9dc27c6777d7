"""What play needs from the world: a transaction, a vault for seeds, a source of secret seeds, somebody who thinks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Protocol, TypeVar

from bot.ofc.log import Fact
from bot.play.choices import Server, Template, Wishes
from bot.play.counts import Backlog, OpenCounts
from bot.play.model import (
    EventKey,
    GuildId,
    HandRecord,
    HouseGame,
    Movement,
    Player,
    Post,
    Posting,
    Result,
    Seat,
    Table,
    TableId,
    TableKey,
    TableState,
    Timer,
)
from bot.play.past_hands import Exported, Wanted
from bot.play.shards import Shard
from bot.play.standings import NOTHING_PAID, Asked, Paid, Place, PlayedHand, Standing, Total
from bot.solver.levels import Computers

T = TypeVar("T")


class Tables(Protocol):
    """Tables and the seats at them."""

    def next_table(self, guild: GuildId) -> TableId: ...
    def add_table(self, table: Table) -> None: ...
    def table(self, key: TableKey) -> Table | None: ...
    def save_table(self, table: Table) -> None: ...
    def seats(self, key: TableKey) -> list[Seat]: ...
    def save_seat(self, key: TableKey, seat: Seat) -> None: ...
    def remove_seat(self, key: TableKey, number: int) -> None: ...


class OpenTables(Protocol):
    """Which tables are open, and where."""

    def open_tables(self, guild: GuildId, *, channel: int | None = None) -> list[Table]: ...
    def open_counts(self, guild: GuildId, *, channel: int, host: Player) -> OpenCounts: ...
    def computers(self, guild: GuildId | None = None, *, host: Player | None = None) -> int: ...
    def tables_of(self, guild: GuildId, player: Player) -> list[Table]: ...
    def newest_tables(self, guild: GuildId, *, limit: int) -> list[Table]: ...
    def guilds_with_tables(self) -> list[GuildId]: ...
    def all_open(self) -> list[TableKey]: ...
    def open_states(self) -> dict[TableState, int]: ...


class HandLogs(Protocol):
    """What happened at a table: the records of its hands, and a log to which lines are only added."""

    def seen(self, cause: str) -> bool: ...
    def append(
        self,
        key: TableKey,
        events: Sequence[Fact],
        *,
        hand_no: int,
        actor: Player | None,
        cause: str | None,
        at: int,
    ) -> None: ...
    def note(
        self, key: TableKey, kind: str, *, hand_no: int, actor: Player | None, cause: str | None, at: int
    ) -> None: ...
    def facts(self, key: TableKey, hand_no: int) -> list[Fact]:
        """The facts of a hand, in order; raises ``bot.ofc.log.LogError`` for one that cannot be read."""
        ...

    def add_hand(self, key: TableKey, hand: HandRecord) -> None: ...
    def save_hand(self, key: TableKey, hand: HandRecord) -> None: ...
    def hand(self, key: TableKey, hand_no: int) -> HandRecord | None: ...
    def settled_hands(self, exported: Exported) -> list[tuple[TableKey, int]]:
        """The hands that are to be written into files, by server, table and number."""
        ...


class Chips(Protocol):
    """Wallets, and the stacks in front of seats."""

    def has_wallet(self, guild: GuildId, player: Player) -> bool: ...
    def wallet(self, guild: GuildId, player: Player) -> int: ...
    def frozen_because(self, guild: GuildId, player: Player) -> str | None:
        """Why a manager keeps the player from moving chips; None for everybody else."""
        ...

    def stack(self, key: TableKey, player: Player) -> int: ...
    def stacks(self, key: TableKey) -> dict[Player, int]: ...
    def stacks_before(self, key: TableKey, hand_no: int, *, at: int) -> dict[Player, int]:
        """The stacks at the table when a hand was dealt, at this time (ms)."""
        ...

    def grant(self, guild: GuildId, player: Player, chips: int, *, cause: str, at: int) -> None: ...
    def buy_in(
        self,
        key: TableKey,
        player: Player,
        chips: int,
        *,
        cause: str,
        at: int,
        purse: str | None = None,
        kind: str = "buy_in",
    ) -> None:
        """Move chips from the player's wallet, or from the purse of that owner, to their stack."""
        ...

    def cash_out(
        self, key: TableKey, player: Player, chips: int, *, cause: str, at: int, purse: str | None = None
    ) -> None: ...
    def pay(
        self, key: TableKey, *, payer: Player, payee: Player, chips: int, hand_no: int, at: int, kind: str = "hand"
    ) -> None: ...
    def history(self, guild: GuildId, player: Player, *, limit: int, skip: int) -> list[Movement]: ...


class Results(Protocol):
    """What hands came to."""

    def add_results(
        self,
        key: TableKey,
        hand_no: int,
        results: Sequence[Result],
        *,
        at: int,
        lesson: int = 0,
        season: int = 0,
        paid: Paid = NOTHING_PAID,
    ) -> None:
        """Write them down, with the numbers of the lesson that they were and of the season; 0 for none.

        ``paid`` are the chips that the hand has moved.
        """
        ...

    def results(self, key: TableKey, hand_no: int) -> list[Result]: ...
    def played_hands(self, key: TableKey, *, limit: int) -> list[PlayedHand]: ...
    def hands_of(
        self, guild: GuildId, player: Player, wanted: Wanted, *, now: int, limit: int, skip: int
    ) -> list[tuple[TableKey, int]]:
        """The hands that a player has played and looks for, newest first."""
        ...

    def totals(self, key: TableKey) -> list[Total]: ...
    def standings(self, guild: GuildId, asked: Asked, *, at: int, limit: int, skip: int = 0) -> list[Standing]:
        """Those who are ranked in the span around ``at``, best first."""
        ...

    def ranked(self, guild: GuildId, asked: Asked, *, at: int) -> int:
        """How many are ranked."""
        ...

    def standing(self, guild: GuildId, asked: Asked, player: Player, *, at: int) -> tuple[Standing, Place] | None:
        """A player's line and place, from 1 on; None for somebody who is not ranked."""
        ...

    def games_played(self, guild: GuildId) -> list[str]:
        """The games in which somebody is ranked, by their keys."""
        ...


class HouseGames(Protocol):
    """A server's own games."""

    def house_games(self, guild: GuildId) -> list[HouseGame]: ...
    def save_house_game(self, guild: GuildId, game: HouseGame, *, by: Player, at: int) -> None: ...
    def remove_house_game(self, guild: GuildId, name: str) -> None: ...


class Templates(Protocol):
    """A server's names for tables. ``folded`` is what tells one name from another."""

    def templates(self, guild: GuildId) -> list[Template]: ...
    def save_template(self, guild: GuildId, template: Template, *, folded: str, by: Player, at: int) -> None: ...
    def remove_template(self, guild: GuildId, folded: str) -> None: ...


class Choices(Protocol):
    """What servers and players have chosen."""

    def server(self, guild: GuildId) -> Server: ...
    def save_server(self, guild: GuildId, server: Server) -> None: ...
    def wishes(self, guild: GuildId, player: Player) -> Wishes: ...
    def save_wishes(self, guild: GuildId, player: Player, wishes: Wishes) -> None: ...


class SeatRefusals(Protocol):
    """Players who will not be seated with others."""

    def refuse_seat(self, guild: GuildId, player: Player, other: Player, *, at: int) -> None: ...
    def allow_seat(self, guild: GuildId, player: Player, other: Player) -> None: ...
    def refused_by(self, guild: GuildId, player: Player) -> list[Player]:
        """Those with whom a player will not be seated, in the order in which they were named."""
        ...

    def refusing(self, guild: GuildId, player: Player) -> list[Player]:
        """Those who will not be seated with a player, who is never told."""
        ...


class Timers(Protocol):
    """The alarms of a table, at most one of each kind."""

    def set_timer(self, key: TableKey, timer: Timer, due_at: int) -> None: ...
    def clear_timer(self, key: TableKey, timer: Timer) -> None: ...
    def timer(self, key: TableKey, timer: Timer) -> int | None: ...
    def timers(self, key: TableKey) -> dict[Timer, int]: ...


class Timekeeping(Protocol):
    """What a timekeeper needs: the alarms of all tables, outages, and when the process was last alive."""

    def due(self, now: int, *, shard: Shard, limit: int) -> list[tuple[TableKey, Timer, int]]:
        """The alarms that are due, each with its time (ms), oldest first; none of a shard that is cut off."""
        ...

    def next_due(self) -> int | None: ...
    def shift_timers(self, by: int, *, shard: Shard, tell: bool) -> None: ...
    def frozen_servers(self) -> frozenset[GuildId]: ...
    def freeze_servers(self, guilds: Collection[GuildId]) -> None: ...
    def outages(self) -> dict[Shard, int]: ...
    def begin_outage(self, shard: Shard, since: int) -> None: ...
    def end_outage(self, shard: Shard) -> None: ...
    def bury_processes(self) -> None:
        """As the only one that runs: the others are no more, and what they had is cut off since their last words."""
        ...

    def alive_at(self) -> int | None: ...
    def beat(self, now: int) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """A database that was put back from a copy. Times are milliseconds."""

    known_until: int
    """When the copy was made: what happened later is not known."""
    at: int


class Epochs(Protocol):
    """Restores: the time since the last one has a name of its own."""

    def restored(self) -> bool: ...
    def begin_epoch(self, name: str, *, copied_at: int | None, at: int) -> None:
        """Name the time from here on, and forget that the database was put back from a copy."""
        ...

    def epoch(self) -> str:
        """The name of the time since the last restore; empty before the first."""
        ...

    def last_restore(self) -> Restore | None:
        """The last time that the database was put back; None where it never was."""
        ...


class Outbox(Protocol):
    """What Discord shows of tables, and what waits to be posted."""

    def note_drawn(
        self, key: TableKey, *, version: int, hand_no: int, message: int | None, call: int | None, called: str
    ) -> None: ...
    def undrawn_tables(self) -> list[TableKey]: ...
    def post(self, key: TableKey, kind: Post, *, hand_no: int, at: int) -> None: ...
    def unposted_tables(self) -> list[TableKey]: ...
    def postings(self, key: TableKey | None = None, *, limit: int) -> list[Posting]: ...
    def posted(self, number: int) -> None: ...
    def backlog(self, guild: GuildId | None) -> Backlog: ...


class Tx(
    Tables,
    OpenTables,
    HandLogs,
    Chips,
    Results,
    HouseGames,
    Templates,
    Choices,
    SeatRefusals,
    Timers,
    Timekeeping,
    Epochs,
    Outbox,
    Protocol,
):
    """One transaction. Everything it does happens together or not at all; reading sees what it wrote."""


class Watcher(Protocol):
    """Is told by a storage of each transaction that writes, and which tables and events it changes; on any thread."""

    def before_commit(self, tx: Tx, changed: Collection[TableKey | EventKey]) -> None:
        """What is read now is what will be committed; nothing may be written any more."""
        ...

    def after_commit(self, changed: Collection[TableKey | EventKey], *, well: bool) -> None:
        """It was committed, and nobody was told of it yet; with ``well`` False it was not, or may not have been."""
        ...


class Storage(Protocol):
    """Runs transactions. ``write`` returns when what the job did is safe on disk; a job that raises changes nothing.

    One that is ``patient`` may wait a moment for the commit of another.
    """

    async def write(self, job: Callable[[Tx], T], *, patient: bool = False) -> T: ...
    async def read(self, job: Callable[[Tx], T]) -> T: ...
    async def unbalanced(self) -> list[GuildId]: ...
    def watch(self, watcher: Watcher) -> None: ...


class Vault(Protocol):
    """Seals seeds for storage. ``unseal`` raises SeedLostError when the key is gone or the bytes are damaged."""

    def new_seed(self) -> bytes: ...
    def seal(self, seed: bytes, *, hand_id: str) -> bytes: ...
    def unseal(self, sealed: bytes, *, hand_id: str) -> bytes: ...


class Urgency(Enum):
    """Who waits for a thought."""

    TABLE = "table"
    """A table, or somebody who looks at it."""
    LATER = "later"
    """What may take longer: it is thought about in between."""


Job = Callable[[Computers], T]
"""A thought: what is asked of the computer players. It goes to another process, so it is a function of a module or a
``partial`` of one, and holds nothing that its answer may not depend on: views and cards in sight, never a hand."""
LONGEST_THOUGHT_SECONDS = 10.0


class Thinkers(Protocol):
    """Who thinks, never on the event loop: so many at a time, and each server in its turn."""

    async def think(
        self,
        job: Job[T],
        *,
        guild: GuildId,
        quickly: Job[T] | None = None,
        urgency: Urgency = Urgency.TABLE,
        seconds: float = LONGEST_THOUGHT_SECONDS,
    ) -> T:
        """What the job comes to; what it raises is raised here. Never inside of a transaction.

        A thinker that dies, or thinks longer than ``seconds``, is replaced by ``quickly``; raises NoThoughtError where
        there is none. Without thinkers of its own the bot goes the quick way at once, or does the job in a thread.
        A job should take a second at most: many jobs let others think in between.
        """
        ...


class NoThoughtError(Exception):
    """Nobody could think it out: it may go well another time."""


class HandLostError(Exception):
    """A hand that cannot be told any more: it cannot go on and is voided, and never guessed."""

    reason: ClassVar[str]
    """Why, as a key of ``data/text`` under ``closed``."""


class SeedLostError(HandLostError):
    """A sealed seed that cannot be opened."""

    reason = "seed_lost"


class BadLogError(HandLostError):
    """A log that makes no hand: it was damaged, or written by something else."""

    reason = "bad_log"


class StorageTroubleError(Exception):
    """The storage cannot write now (locked, full, failing). Nothing was changed and nothing is lost."""


class StorageDoubtError(StorageTroubleError):
    """The storage was lost while it wrote: what was asked for is there whole, or not at all, and nobody knows which."""
