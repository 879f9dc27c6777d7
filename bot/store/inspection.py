"""A look at a database by questions: what it holds, whether its books, numbers and states are in order, what is sealed.
What is the database's own (its file, its schema) is looked at in its room.

What can be asked in SQL is asked in SQL, of all rows at once: only the hands in play are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.store import rating_checks
from bot.store.books import Question, ask
from bot.store.owner import owner_of
from bot.store.sql import Sql
from bot.store.transaction import Tx

Secrets = Callable[[Sql], Iterator["Finding"]]
"""Yields what is wrong with sealed things: ``bot/run/cli/sealed.py``, since it plays hands and draws again."""
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
        """The finding as one printable line."""
        places = (("server", self.guild), ("table", self.table), ("hand", self.hand))
        place = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        text = f"{place}: {self.text}" if place else self.text
        return "".join(letter if letter.isprintable() else "?" for letter in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The findings of a check. ``not_checked`` says, in sentences, what could not be looked at."""

    version: int
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...] = ()

    @property
    def countable(self) -> bool:
        """True when all tables are as the bot made them, in a sound file; another one should be asked nothing more."""
        return not any(finding.kind in ("schema", "file") for finding in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content of a database. ``alive_at`` is when its bot was last seen alive (ms), None if never."""

    version: int
    open_tables: int
    hands: int
    running: int
    chips: int
    """In the hands of players: in wallets and stacks of all servers."""
    guilds: int
    alive_at: int | None
    owner: str | None
    """Whose database it is, None for nobody's."""
    size: int
    """Bytes."""


def content_of(sql: Sql, *, size: int) -> Content:
    """The content of a database of so many bytes."""

    def number(statement: str) -> int | None:
        row = sql.one(statement)
        found = None if row is None else row["found"]
        return None if found is None else int(found)

    return Content(
        version=sql.schema(),
        open_tables=number("SELECT COUNT(*) AS found FROM game_table WHERE state <> 'closed'") or 0,
        hands=number("SELECT COUNT(*) AS found FROM hand WHERE state IN ('playing', 'settled', 'void')") or 0,
        running=number("SELECT COUNT(*) AS found FROM hand WHERE state = 'playing'") or 0,
        # The mint of an event takes away what it gave out: its chips are not the server's.
        chips=number("SELECT SUM(balance) AS found FROM account WHERE kind <> 'mint' OR owner <> ''") or 0,
        guilds=number("SELECT COUNT(DISTINCT guild_id) AS found FROM account") or 0,
        alive_at=number("SELECT MAX(alive_at) AS found FROM heartbeat"),
        owner=owner_of(sql),
        size=size,
    )


def answers(sql: Sql, question: Question) -> Iterator[Finding]:
    """The findings of a question, one for each row."""
    for row in ask(sql, question):
        text = question.text.format(**row)
        yield Finding(kind=question.kind, text=text, guild=row["guild"], table=row["table_no"], hand=row["hand_no"])


def ratings(sql: Sql) -> Iterator[Finding]:
    """Ratings that do not follow from the results."""
    tx = Tx(sql)
    for guild in tx.ratings.rated_guilds():
        for problem in rating_checks.problems(tx, guild):
            yield Finding(kind="ratings", text=problem, guild=guild)
