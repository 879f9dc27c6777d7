"""A transaction of play, with its queries grouped by topic."""

from __future__ import annotations

from typing import Generic, TypeVar

from bot.store.badges import BadgeQueries
from bot.store.bank import BankQueries
from bot.store.bulletins import BulletinQueries
from bot.store.careers import CareerQueries
from bot.store.choices import ChoiceQueries
from bot.store.daily import DailyQueries
from bot.store.day_puzzles import DayPuzzleQueries
from bot.store.entrants import EntrantQueries
from bot.store.events import EventQueries
from bot.store.found_puzzles import FoundPuzzleQueries
from bot.store.hands import HandQueries
from bot.store.leaderboards import LeaderboardQueries
from bot.store.ledger import LedgerQueries
from bot.store.members import MemberQueries
from bot.store.mistakes import MistakeQueries
from bot.store.personal import LeavingQueries
from bot.store.privacy import PrivacyQueries, RetainedRecordQueries
from bot.store.puzzles import PuzzleQueries
from bot.store.queries import Queries, RowCache
from bot.store.ratings import RatingQueries
from bot.store.results import ResultQueries
from bot.store.seasons import SeasonQueries
from bot.store.sql import Sql
from bot.store.tables import OutboxQueries, TableQueries
from bot.store.timers import TimerQueries
from bot.store.waiting import WaitingQueries

Q = TypeVar("Q", bound=Queries)
Q_co = TypeVar("Q_co", bound=Queries, covariant=True)


class Part(Generic[Q_co]):
    """Queries of one kind in a transaction. They're created on first use, because most transactions use only a few."""

    def __init__(self, kind: type[Q_co]) -> None:
        self.kind = kind
        self._name = ""

    def __set_name__(self, owner: type[Tx], name: str) -> None:
        self._name = name

    def __get__(self, tx: Tx, owner: type[Tx]) -> Q_co:
        # Instance attributes take precedence, so this runs only once per transaction.
        made = tx.__dict__[self._name] = self.kind(tx.sql, tx.known)
        return made


class Tx:
    """A transaction of play. Its parts share the connection and a cache."""

    tables = Part(TableQueries)
    hands = Part(HandQueries)
    ledger = Part(LedgerQueries)
    bank = Part(BankQueries)
    results = Part(ResultQueries)
    leaderboards = Part(LeaderboardQueries)
    ratings = Part(RatingQueries)
    careers = Part(CareerQueries)
    badges = Part(BadgeQueries)
    seasons = Part(SeasonQueries)
    bulletins = Part(BulletinQueries)
    choices = Part(ChoiceQueries)
    members = Part(MemberQueries)
    timers = Part(TimerQueries)
    outbox = Part(OutboxQueries)
    events = Part(EventQueries)
    entrants = Part(EntrantQueries)
    waiting = Part(WaitingQueries)
    daily = Part(DailyQueries)
    puzzles = Part(PuzzleQueries)
    day_puzzles = Part(DayPuzzleQueries)
    found_puzzles = Part(FoundPuzzleQueries)
    mistakes = Part(MistakeQueries)
    privacy = Part(PrivacyQueries)
    leaving = Part(LeavingQueries)
    remembered = Part(RetainedRecordQueries)

    def __init__(self, sql: Sql) -> None:
        self.sql = sql
        self.known = RowCache()

    def part(self, kind: type[Q]) -> Q:
        """Return the part with the queries of ``kind``."""
        part: Q = getattr(self, _NAMES[kind])
        return part

    def seen(self, cause: str) -> bool:
        """True if any log contains the press, which means that it has already taken effect."""
        # If a press arrives twice concurrently, the second waits here until the first is logged.
        self.sql.hold(cause)
        row = self.sql.one(
            "SELECT 1 AS seen FROM table_log WHERE cause = :cause "
            "UNION ALL SELECT 1 AS seen FROM event_log WHERE cause = :cause "
            "UNION ALL SELECT 1 AS seen FROM attempt_fact WHERE cause = :cause "
            "UNION ALL SELECT 1 AS seen FROM puzzle_attempt WHERE cause = :cause "
            "UNION ALL SELECT 1 AS seen FROM day_answer WHERE cause = :cause "
            "UNION ALL SELECT 1 AS seen FROM mistake WHERE cause = :cause",
            cause=cause,
        )
        return row is not None


_NAMES = {part.kind: name for name, part in vars(Tx).items() if isinstance(part, Part)}
