"""Play's transaction in SQL: all the roles together."""

from __future__ import annotations

from bot.store.bank import BankQueries
from bot.store.bulletins import BulletinQueries
from bot.store.careers import BadgeQueries, CareerQueries
from bot.store.choices import ChoiceQueries
from bot.store.daily import DailyQueries
from bot.store.entrants import EntrantQueries
from bot.store.events import EventQueries
from bot.store.hands import HandQueries
from bot.store.ledger import LedgerQueries
from bot.store.members import MemberQueries
from bot.store.personal import LeavingQueries
from bot.store.privacy import PrivacyQueries, RememberedQueries
from bot.store.ratings import RatingQueries
from bot.store.results import ResultQueries
from bot.store.seasons import SeasonQueries
from bot.store.tables import OutboxQueries, TableQueries
from bot.store.timers import TimerQueries


class Tx(
    TableQueries,
    HandQueries,
    LedgerQueries,
    BankQueries,
    ResultQueries,
    RatingQueries,
    CareerQueries,
    BadgeQueries,
    SeasonQueries,
    BulletinQueries,
    ChoiceQueries,
    MemberQueries,
    TimerQueries,
    OutboxQueries,
    EventQueries,
    EntrantQueries,
    DailyQueries,
    PrivacyQueries,
    LeavingQueries,
    RememberedQueries,
):
    """The transaction of play, on a database: what each call promises is said at the query."""
