"""What can be said of a database by asking it: what it holds, whether its books, numbers and states are in order, what
is sealed. What is the database's own (its file, its schema) is looked at in its room.

What can be asked in SQL is asked in SQL, of all rows at once: only the hands in play are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from bot.event.draw import commitment
from bot.ofc.hand import HandStatus
from bot.play import decks
from bot.play.daily import hands
from bot.play.daily.model import ChallengeId
from bot.play.event import draws
from bot.play.event.desk import Desk
from bot.play.event.ports import tx_of
from bot.play.model import EventKey, Player, TableKey
from bot.play.policy import Policy
from bot.play.ports import Vault
from bot.play.rating import ledger
from bot.play.session import Session
from bot.store.books import Question, ask
from bot.store.owner import owner_of
from bot.store.sql import Sql
from bot.store.transaction import SqlTx
from bot.store.values import table_key_of

SEALED = "the hands in play, the next decks, the seeds of events and the hands of a day"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, and where."""

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
    """What a check found. ``not_checked`` says, in sentences, what could not be looked at."""

    version: int
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...] = ()

    @property
    def countable(self) -> bool:
        """True when all tables are as the bot made them, in a sound file; another one should be asked nothing more."""
        return not any(finding.kind in ("schema", "file") for finding in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a database holds. ``alive_at`` is when its bot was last seen alive (ms), None if never."""

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
    """What a database of so many bytes holds."""

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
    """What a question finds, one thing for each row."""
    for row in ask(sql, question):
        text = question.text.format(**row)
        yield Finding(kind=question.kind, text=text, guild=row["guild"], table=row["table_no"], hand=row["hand_no"])


def ratings(sql: Sql) -> Iterator[Finding]:
    """Ratings that do not follow from the results."""
    tx = SqlTx(sql)
    for guild in tx.rated_guilds():
        for problem in ledger.problems(tx, guild):
            yield Finding(kind="ratings", text=problem, guild=guild)


# What only the key can show


def secrets(sql: Sql, vault: Vault) -> Iterator[Finding]:
    """What is wrong with what only the key opens."""
    session = Session(tx=SqlTx(sql), desk=Desk(), policy=Policy(), vault=vault, now=0)
    for row in sql.all("SELECT guild_id, table_id, hand_no FROM hand WHERE state = 'playing'"):
        key, hand_no = table_key_of(row), row["hand_no"]
        if problem := _replay_problem(session, key, hand_no):
            yield Finding(kind="hand", text=problem, guild=key.guild, table=key.table, hand=hand_no)
    for key in session.tx.all_open():
        table = session.table(key)
        if problem := _seed_problem(partial(decks.fixed_by, vault, table), committed=table.commitment):
            text = f"the next deck: {problem}"
            yield Finding(kind="hand", text=text, guild=key.guild, table=key.table, hand=table.hand_no + 1)
    for event in tx_of(session).running_events():
        for problem in _event_problems(session, event):
            yield Finding(kind="event", text=f"event {event.number}: {problem}", guild=event.guild)
    for problem in _daily_problems(sql, session):
        yield Finding(kind="daily", text=problem)


def _event_problems(session: Session, key: EventKey) -> Iterator[str]:
    """What is wrong with the seeds of an event that is not over."""
    try:
        event = tx_of(session).event(key)
        assert event is not None
        if event.seed is not None and commitment(event=draws.event_id(event), seed=event.seed) != event.commitment:
            yield "the seed of its draw is not the committed one"
        for secret in draws.secrets_of(event):
            seed = session.vault.unseal(secret.sealed, hand_id=secret.name)
            if commitment(event=secret.name, seed=seed) != secret.commitment:
                yield f"the seed of {secret.name} is not the committed one"
    except Exception as error:  # whatever is written there: a check says so and goes on
        yield str(error) or type(error).__name__


def _daily_problems(sql: Sql, session: Session) -> Iterator[str]:
    """What is wrong with the seeds of the hands of a day, and with the tries at those that are not over."""
    for row in sql.all("SELECT challenge_id, commitment FROM challenge WHERE lost = 0"):
        number = ChallengeId(row["challenge_id"])
        if problem := _seed_problem(partial(hands.fixed_by, session, number), committed=row["commitment"]):
            yield f"hand {number} of the day: {problem}"
    rows = sql.all(
        "SELECT challenge_id, player FROM attempt JOIN challenge USING (challenge_id) WHERE seed IS NULL AND lost = 0"
    )
    for row in rows:
        number, player = ChallengeId(row["challenge_id"]), Player(row["player"])
        try:
            hands.hand_of(session, hands.known(session, number), player)
        except Exception as error:  # whatever is written there: a check says so and goes on
            yield f"hand {number} of the day: the try of {player} cannot be replayed: {error or type(error).__name__}"


def _replay_problem(session: Session, key: TableKey, hand_no: int) -> str | None:
    try:
        hand, record = session.hand(key, hand_no), session.tx.hand(key, hand_no)
        assert record is not None
    except Exception as error:  # whatever is written there: a check says so and goes on
        return f"it cannot be replayed: {error or type(error).__name__}"
    if hand.status is not HandStatus.PLAYING:
        return "it is still being played, and its log has ended it"
    return _seed_problem(partial(decks.committed_with, session.vault, key, record), committed=record.commitment)


def _seed_problem(fixed: Callable[[], bytes], *, committed: bytes) -> str | None:
    try:
        return None if fixed() == committed else "the seed is not the committed one"
    except Exception as error:  # whatever is written there: a check says so and goes on
        return str(error)
