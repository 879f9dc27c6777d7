"""Inspection of a database with queries: its content, and checks on its ledger, numbering, states and sealed data.

Checks on the file and the schema are in each database's own package. Where possible, checks use SQL over all rows. Only
hands in play are checked one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.store import rating_checks
from bot.store.invariants import Invariant, ask
from bot.store.owner import owner_of
from bot.store.sql import Sql
from bot.store.transaction import Tx

Secrets = Callable[[Sql], Iterator["Finding"]]
"""Yield findings about sealed data. ``bot/run/cli/sealed.py`` implements it, because it replays hands and draws."""
SEALED = "the hands in play, the next decks, the seeds of events and the hands of a day"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """An error in the database, and its location."""

    kind: str
    text: str
    guild: int | None = None
    table: int | None = None
    hand: int | None = None

    @property
    def line(self) -> str:
        """Return the finding as one printable line."""
        places = (("server", self.guild), ("table", self.table), ("hand", self.hand))
        place = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        text = f"{place}: {self.text}" if place else self.text
        return "".join(letter if letter.isprintable() else "?" for letter in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Findings of a check. ``not_checked`` lists the checks that weren't possible, as sentences."""

    version: int
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...] = ()

    @property
    def countable(self) -> bool:
        """True if the file is sound and all tables are unmodified. Otherwise no further queries should run."""
        return not any(finding.kind in ("schema", "file") for finding in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Content of a database. ``alive_at`` is its bot's last heartbeat (ms); None if there was none."""

    version: int
    open_tables: int
    hands: int
    running: int
    chips: int
    """Players' chips, in the wallets and stacks of all servers."""
    guilds: int
    alive_at: int | None
    owner: str | None
    """Owner of the database; None if it has none."""
    size: int
    """Size in bytes."""


def content_of(sql: Sql, *, size: int) -> Content:
    """Return the content of a database. ``size`` is its size in bytes."""

    def number(statement: str) -> int | None:
        row = sql.one(statement)
        found = None if row is None else row["found"]
        return None if found is None else int(found)

    return Content(
        version=sql.schema(),
        open_tables=number("SELECT COUNT(*) AS found FROM game_table WHERE state <> 'closed'") or 0,
        hands=number("SELECT COUNT(*) AS found FROM hand WHERE state IN ('playing', 'settled', 'void')") or 0,
        running=number("SELECT COUNT(*) AS found FROM hand WHERE state = 'playing'") or 0,
        # An event's own mint is included, so that the event's chips cancel out.
        chips=number("SELECT SUM(balance) AS found FROM account WHERE kind <> 'mint' OR owner <> ''") or 0,
        guilds=number("SELECT COUNT(DISTINCT guild_id) AS found FROM account") or 0,
        alive_at=number("SELECT MAX(alive_at) AS found FROM heartbeat"),
        owner=owner_of(sql),
        size=size,
    )


def answers(sql: Sql, question: Invariant) -> Iterator[Finding]:
    """Yield a finding per row of a check."""
    for row in ask(sql, question):
        text = question.text.format(**row)
        yield Finding(kind=question.kind, text=text, guild=row["guild"], table=row["table_no"], hand=row["hand_no"])


def ratings(sql: Sql) -> Iterator[Finding]:
    """Yield the ratings that differ from those computed from the results."""
    tx = Tx(sql)
    for guild in tx.ratings.rated_guilds():
        for problem in rating_checks.problems(tx, guild):
            yield Finding(kind="ratings", text=problem, guild=guild)
