"""Columns: every field of every value has one, and saved values are read back unchanged."""

import importlib
import pkgutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

import bot.store
from bot.model.hands import DealRecord, SharedDeal
from bot.model.tables import Limits, Terms
from bot.pure.event.structure import Structure
from bot.store.badges import BADGES, FEATS
from bot.store.bank import AUDIT, TERMS
from bot.store.bulletins import BULLETINS, RECAPS
from bot.store.careers import CAREERS, MEETINGS
from bot.store.choices import HOUSE_GAMES, MEMBERS, SERVERS, TEMPLATES
from bot.store.columns import Column, Columns, choice, columns_of, flag, plain
from bot.store.daily import ATTEMPTS, CHALLENGES, STREAKS
from bot.store.day_puzzles import DAY_ANSWERS, DAY_PUZZLES
from bot.store.entrants import ENTRANTS, EVENT_TABLES
from bot.store.events import DRAFTS, EVENTS, FACTS, START_POLLS
from bot.store.found_puzzles import FOUND_PUZZLES
from bot.store.hands import HANDS
from bot.store.leaderboards import STANDINGS
from bot.store.mistakes import DECISIONS as JUDGED_DECISIONS
from bot.store.mistakes import LEARNERS, MISTAKES
from bot.store.privacy import MEMORIES, REMEMBERED
from bot.store.puzzles import ATTEMPTS as PUZZLE_ATTEMPTS
from bot.store.puzzles import PUZZLES, REPETITIONS, SOLVERS
from bot.store.queries import Queries
from bot.store.ratings import BOOKS, LUCK, RATINGS
from bot.store.results import RESULTS
from bot.store.seasons import CLUB_PAGES, SEASON_TERMS, SEASONS
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.migrate import migrate
from bot.store.tables import EVENT_POSTINGS, POSTINGS, SEATS, TABLES
from bot.store.waiting import WAITING
from tests.store import samples

pytestmark = pytest.mark.of_sqlite

SAMPLES: list[tuple[Columns[Any], Any]] = [
    (TABLES, samples.TABLE),
    (SEATS, samples.SEAT),
    (HANDS, samples.HAND),
    (RESULTS, samples.RESULT),
    (STANDINGS, samples.STANDING),
    (CAREERS, samples.CAREER),
    (MEETINGS, samples.VERSUS),
    (BADGES, samples.EARNED),
    (FEATS, samples.FEAT),
    (RATINGS, samples.RATING),
    (LUCK, samples.LUCK),
    (BOOKS, samples.BOOK),
    (SEASONS, samples.SEASON),
    (SEASON_TERMS, samples.SEASON_TERMS),
    (CLUB_PAGES, samples.CLUB_PAGE),
    (START_POLLS, samples.START_POLL),
    (BULLETINS, samples.BULLETIN),
    (RECAPS, samples.RECAP),
    (POSTINGS, samples.POSTING),
    (HOUSE_GAMES, samples.HOUSE_GAME),
    (SERVERS, samples.SERVER),
    (TEMPLATES, samples.TEMPLATE),
    (MEMBERS, samples.WISHES),
    (EVENTS, samples.EVENT),
    (ENTRANTS, samples.ENTRANT),
    (WAITING, samples.WAITING),
    (EVENT_TABLES, samples.SITTING),
    (FACTS, samples.FACT),
    (EVENT_POSTINGS, samples.EVENT_POSTING),
    (DRAFTS, samples.DRAFT),
    (TERMS, samples.TERMS),
    (AUDIT, samples.AUDIT_ENTRY),
    (CHALLENGES, samples.CHALLENGE),
    (ATTEMPTS, samples.ATTEMPT),
    (STREAKS, samples.STREAK),
    (PUZZLES, samples.PUZZLE),
    (SOLVERS, samples.SOLVER),
    (PUZZLE_ATTEMPTS, samples.PUZZLE_ATTEMPT),
    (REPETITIONS, samples.REPETITION),
    (FOUND_PUZZLES, samples.FOUND_PUZZLE),
    (DAY_PUZZLES, samples.DAY_PUZZLE),
    (DAY_ANSWERS, samples.DAY_ANSWER),
    (LEARNERS, samples.LEARNER),
    (JUDGED_DECISIONS, samples.JUDGED_DECISION),
    (MISTAKES, samples.MISTAKE),
    (MEMORIES, samples.MEMORY),
    (REMEMBERED, samples.REMEMBERED),
]
BESIDE: dict[str, Any] = {
    "number": 5,
    "person": b"p" * 32,
    "guild_id": samples.GUILD,
    "table_id": 1,
    "event_id": 1,
    "hand_no": 4,
    "cause": "press",
    "folded": "x",
    "saved_by": samples.ANN,
    "saved_at": 1,
    "player": samples.ANN,
    "changed_by": samples.BOB,
    "changed_at": samples.AT,
    "at": samples.AT,
    "span": "week",
    "since": samples.AT,
    "until": samples.AT + 1,
    "game": "pineapple",
    "lesson": 12,
    "season": 3,
    "game_group": "pineapple",
}
each_sample = pytest.mark.parametrize(("columns", "sample"), SAMPLES, ids=[columns.table for columns, _ in SAMPLES])


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """Yield an empty database with the bot's schema, without foreign key checks."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        migrate(connection, MIGRATIONS, path=Path(":memory:"))
        connection.execute("PRAGMA foreign_keys = OFF")
        yield connection


def usual(value: Any) -> list[str]:
    """The fields of a value that are what they are by default, also those of values that are stored in one column."""
    found = []
    for field in fields(value):
        inner = getattr(value, field.name)
        if isinstance(inner, Terms | Limits | Structure | SharedDeal | DealRecord):
            found += [f"{field.name}.{name}" for name in usual(inner)]
        if field.default is not MISSING and inner == field.default:
            found.append(field.name)
    return found


@each_sample
def test_a_sample_differs_from_the_default_in_every_field(columns: Columns[Any], sample: Any) -> None:
    assert is_dataclass(sample)
    assert usual(sample) == []


@each_sample
def test_every_field_is_stored_and_read_again(
    columns: Columns[Any], sample: Any, connection: sqlite3.Connection
) -> None:
    sql = SqliteSql(connection)
    sql.many(columns.insert, [columns.values(sample) | {name: BESIDE[name] for name in columns.beside}])
    row = sql.one(f"SELECT {columns.names} FROM {columns.table}")
    assert row is not None
    assert columns.read(row) == sample


@each_sample
def test_every_column_of_the_schema_is_in_the_list(
    columns: Columns[Any], sample: Any, connection: sqlite3.Connection
) -> None:
    known = [*columns.beside, *(column.name for column in columns.columns)]
    assert sorted(known) == sorted(row["name"] for row in connection.execute(f"PRAGMA table_info({columns.table})"))


def test_every_list_of_columns_is_tried_here() -> None:
    modules = [
        importlib.import_module(f"bot.store.{module.name}") for module in pkgutil.iter_modules(bot.store.__path__)
    ]
    lists = {id(value) for module in modules for value in vars(module).values() if isinstance(value, Columns)}
    assert lists == {id(columns) for columns, _ in SAMPLES}


# consequences of a list


class Mood(Enum):
    """A sample enum."""

    WELL = "well"
    ILL = "ill"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A part of a value."""

    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pet:
    """A value with all kinds of columns."""

    name: str
    mood: Mood | None = None
    place: Place
    tame: bool = False
    tricks: tuple[str, ...] | None = None
    number: int = 0

    @property
    def loud(self) -> bool:
        """Follows from the name."""
        return self.name.isupper()


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """A part of a value with fields of several kinds."""

    walks: int
    sleeps: bool = False
    mood: Mood = Mood.WELL
    tricks: tuple[str, ...] = ()


def split(text: str) -> tuple[str, ...]:
    """Words in a text."""
    return tuple(text.split())


PETS = Columns(
    Pet,
    "pet",
    [
        plain("pet_name", "name"),
        choice("mood", Mood),
        plain("x", "place.x"),
        plain("y", "place.y"),
        flag("tame"),
        Column(name="tricks", attribute="tricks", to_sql=" ".join, from_sql=split),
        Column(name="loud", attribute="loud", to_sql=int, read=False),
        Column(name="pet_id", attribute="number", written=False),
    ],
    key=("owner", "pet_name"),
    beside=("owner",),
    parts={"place": Place},
)
REX = Pet(name="REX", mood=Mood.ILL, place=Place(x=1, y=2), tame=True, tricks=("sit", "roll"), number=1)


class PetQueries(Queries):
    """Pets and their owners."""

    def save(self, pet: Pet, owner: str) -> None:
        """Keep a pet."""
        self._save(PETS, pet, owner=owner)

    def all(self) -> list[Pet]:
        """All of them, by number, from a table of another name and with more behind it."""
        rows = self._sql.all(f"SELECT {PETS.of('p')}, p.owner FROM pet p ORDER BY p.pet_id")
        return [PETS.read(row) for row in rows]


@pytest.fixture
def pets(connection: sqlite3.Connection) -> PetQueries:
    """No pets."""
    connection.execute(
        "CREATE TABLE pet (y INTEGER, x INTEGER, pet_id INTEGER PRIMARY KEY, pet_name TEXT, owner TEXT, mood TEXT, "
        "tame INTEGER, tricks TEXT, loud INTEGER, UNIQUE (owner, pet_name)) STRICT"
    )
    return PetQueries(SqliteSql(connection))


def test_a_value_is_saved_in_the_columns_that_the_list_names(pets: PetQueries, connection: sqlite3.Connection) -> None:
    pets.save(REX, "ann")
    (row,) = connection.execute("SELECT * FROM pet")
    assert dict(row) == {
        "y": 2,
        "x": 1,
        "pet_id": 1,
        "pet_name": "REX",
        "owner": "ann",
        "mood": "ill",
        "tame": 1,
        "tricks": "sit roll",
        "loud": 1,
    }


def test_a_row_is_read_whatever_the_order_of_its_columns_in_the_table(pets: PetQueries) -> None:
    pets.save(REX, "ann")
    assert pets.all() == [REX]


def test_what_is_none_is_stored_as_nothing_and_converted_by_nobody(pets: PetQueries) -> None:
    plain_pet = Pet(name="tom", place=Place(x=0, y=0), number=1)
    pets.save(plain_pet, "ann")
    assert pets.all() == [plain_pet]


def test_saving_again_changes_everything_but_the_key(pets: PetQueries) -> None:
    pets.save(REX, "ann")
    pets.save(REX, "bob")
    changed = Pet(name="REX", mood=Mood.WELL, place=Place(x=3, y=4), tame=False, tricks=None, number=1)
    pets.save(changed, "ann")
    first, second = pets.all()
    assert first == changed
    assert (second.name, second.mood, second.place) == (REX.name, REX.mood, REX.place)


def test_the_fields_of_a_part_say_by_their_type_how_they_are_stored() -> None:
    columns = columns_of(Habits, path="habits", but=("tricks",))
    assert [(column.name, column.attribute, column.from_sql) for column in columns] == [
        ("walks", "habits.walks", None),
        ("sleeps", "habits.sleeps", bool),
        ("mood", "habits.mood", Mood),
    ]
    assert [
        column.to_sql and column.to_sql(value) for column, value in zip(columns, (3, True, Mood.ILL), strict=True)
    ] == [
        None,
        1,
        "ill",
    ]


def test_a_field_that_no_column_holds_as_it_is_needs_one_by_hand() -> None:
    with pytest.raises(TypeError, match="tricks"):
        columns_of(Habits)
    tricks = Column(name="tricks", attribute="tricks", to_sql=" ".join, from_sql=split)
    assert [column.name for column in columns_of(Habits, tricks)] == ["walks", "sleeps", "mood", "tricks"]
    assert columns_of(Habits, tricks)[-1] is tricks
