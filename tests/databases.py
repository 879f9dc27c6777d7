"""The database of a test: an SQLite file in its folder, or one on a PostgreSQL server of this test run.

Tests don't depend on the choice. ``place_in`` returns a file or an address, according to the test's options in
``tests/conftest.py``. A server starts when the first test needs one, and its databases are emptied and reused. A file
starts as a copy of one whose schema was created once.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typing_extensions import override

from bot.store.opening import Place
from bot.store.postgres import migrate as postgres_schema
from bot.store.postgres.rows import named
from bot.store.sqlite import migrate as sqlite_schema
from bot.store.sqlite.copy_mark import APPLICATION_ID, COPY_ID
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import STATEMENTS

SQLITE, POSTGRES = "sqlite", "postgres"
_PGSERVER = find_spec("pgserver")
PROGRAMS = Path(str(_PGSERVER.origin if _PGSERVER else "")).parent / "pginstall" / "bin"
"""PostgreSQL's own programs. pgserver has no wheels for Python 3.13 and later, where these tests are skipped."""
REFUSED = (sqlite3.IntegrityError, psycopg.IntegrityError)
"""Errors of a database that refuses a row. Their text names the constraint, or one of these."""
TWICE, POINTS_TO_NOTHING = "UNIQUE|unique", "FOREIGN KEY|foreign key"
# Nothing here outlives the run, so nothing waits for the disk.
HASTY = ("fsync = off", "full_page_writes = off", "autovacuum = off", "max_wal_size = '4GB'")


class Hurried(sqlite3.Connection):
    """A connection that does not wait for the disk."""

    @override
    def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
        return super().execute("PRAGMA synchronous = OFF" if sql == "PRAGMA synchronous = FULL" else sql, values)


def hurried(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Open a file without durability against power failures. A missing file is created with the schema."""
    with suppress(FileExistsError), open(path, "xb", opener=_for_its_owner) as file:
        file.write(empty_file())
    connection = sqlite3.connect(
        path, timeout=busy_seconds, isolation_level=None, cached_statements=STATEMENTS, factory=Hurried
    )
    connection.row_factory = sqlite3.Row
    return connection


def _for_its_owner(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


@cache
def empty_file() -> bytes:
    """A database of the newest schema with nothing in it. To make one takes longer than most tests."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "empty.db")
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            sqlite_schema.migrate(connection, MIGRATIONS, path=path)
        return path.read_bytes()


_WRITTEN = """
SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
AND pg_relation_size(oid) > 0 AND relname NOT IN ('meta', 'migration')
"""
_NUMBERS_BEGIN_AGAIN = """
SELECT setval(quote_ident(sequencename)::regclass, start_value, false)
FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL
"""
_ALONE = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_MADE_OF = """
SELECT relname::text, relkind::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT tgname::text, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT schema::text, '' FROM meta ORDER BY 1, 2
"""


class Server:
    """A PostgreSQL server in a separate folder. Databases are copies of a template, and are reused."""

    def __init__(self, settings: Sequence[str]) -> None:
        if _PGSERVER is None:
            pytest.skip("pgserver has no wheel for this Python")
        with warnings.catch_warnings():
            # It asks for a folder of the session, which a container has not.
            warnings.simplefilter("ignore")
            from pgserver.postgres_server import get_server
        self.folder = Path(tempfile.mkdtemp(prefix="chaipo-pg-"))
        self._server = get_server(str(self.folder), cleanup_mode="stop")
        atexit.register(self.stop)
        self._free: list[str] = []
        self._made = 0
        for setting in settings:
            self.do("postgres", f"ALTER SYSTEM SET {setting}")
        self.do("postgres", "SELECT pg_reload_conf()")
        self.do("postgres", "CREATE DATABASE pattern")
        with psycopg.connect(self.address("pattern"), row_factory=named) as connection:
            postgres_schema.migrate(connection, MIGRATIONS, place="pattern")
        self._pattern = self._schema("pattern")

    def address(self, name: str) -> str:
        """Return the address of a database on this server."""
        return str(self._server.get_uri(name))

    def do(self, name: str, statement: str) -> None:
        """Execute a statement in a database, independently of the bot."""
        with psycopg.connect(self.address(name), autocommit=True) as connection:
            connection.execute(statement.encode())

    def take(self) -> str:
        """The name of an empty database of the newest schema."""
        if self._free:
            name = self._free.pop()
            self._empty(name)
            return name
        self._made += 1
        name = f"chaipo_{self._made}"
        self.do("postgres", f"CREATE DATABASE {name} TEMPLATE pattern STRATEGY FILE_COPY")
        return name

    def give_back(self, name: str) -> None:
        """Let the next test have a database, unless its schema was changed."""
        if self._schema(name) == self._pattern:
            self._free.append(name)

    def _empty(self, name: str) -> None:
        """Delete a test's data. Truncating all tables would take longer, because each gets new files."""
        with psycopg.connect(self.address(name), autocommit=True) as connection:
            tables = [f'"{table}"' for (table,) in connection.execute(_WRITTEN)]
            connection.execute("SET session_replication_role = replica")
            if tables:
                connection.execute("; ".join(f"DELETE FROM {table}" for table in tables).encode())
                # Empty the files, so that new rows are stored in the order of insertion.
                connection.execute(f"VACUUM (TRUNCATE) {', '.join(tables)}".encode())
            connection.execute(_NUMBERS_BEGIN_AGAIN)
            connection.execute("UPDATE meta SET is_copy = 0, opening = 0, home = ''")

    def _schema(self, name: str) -> list[Any]:
        """Return the database's schema. Other connections are closed first, because a failed test may have left its bot
        open."""
        with psycopg.connect(self.address(name), autocommit=True) as connection:
            connection.execute(_ALONE)
            return connection.execute(_MADE_OF).fetchall()

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Kill the server, by default without a chance to write anything. Its processes end with the first one.

        SIGQUIT is like `pg_ctl stop -m immediate`, and SIGINT like `-m fast`, which writes its data.
        """
        first = self._server.get_pid()
        assert first is not None
        os.kill(first, how)
        with suppress(ProcessLookupError):
            while True:
                os.kill(first, 0)
                time.sleep(0.05)

    def start(self) -> None:
        """Start it again where it has ended, once the last of its processes has noticed."""
        for _ in range(50):
            # On a busy machine its recovery takes longer than is waited for at once; it goes on meanwhile. Until
            # then, an assertion fails there.
            with suppress(subprocess.CalledProcessError, subprocess.TimeoutExpired, AssertionError):
                self._server.ensure_postgres_running()
                return
            time.sleep(0.2)
        raise AssertionError("the server does not start again")

    def stop(self) -> None:
        """End the server and take its folder away."""
        self._server.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)


class Databases:
    """The databases of one test."""

    def __init__(self) -> None:
        self.kind = SQLITE
        self.settings: Sequence[str] = HASTY
        self._server: Server | None = None
        self._names: dict[Path, str] = {}
        self._others: dict[Path, str] = {}

    @property
    def server(self) -> Server:
        """The PostgreSQL server of this run."""
        if self._server is None:
            self._server = Server(self.settings)
        return self._server

    def place_in(self, folder: Path) -> Place:
        """The database of a folder, the same whenever it is asked for; empty at first."""
        if self.kind == SQLITE:
            return folder / "chaipo.db"
        folder = folder.resolve()
        if folder in self._others:
            return self._others[folder]
        if folder not in self._names:
            self._names[folder] = self.server.take()
        return self.server.address(self._names[folder])

    def put(self, folder: Path, address: str) -> None:
        """Let the database of a folder be one that the test has made itself."""
        self._others[folder.resolve()] = address

    @contextmanager
    def playing_on(self, kind: str) -> Iterator[None]:
        """Play on a database of this kind for a while."""
        former, self.kind = self.kind, kind
        try:
            yield
        finally:
            self.kind = former

    def forget(self) -> None:
        """The test is over."""
        for name in self._names.values():
            self.server.give_back(name)
        self._names.clear()
        self._others.clear()


DATABASES = Databases()


def place_in(folder: Path) -> Place:
    """The database of a folder."""
    return DATABASES.place_in(folder)


Dump = dict[str, list[tuple[Any, ...]]]
_COLUMNS_OF_FILE = """
SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid
"""
_COLUMNS_OF_SERVER = """
SELECT relname::text, attname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'meta' AND attnum > 0 AND NOT attisdropped
ORDER BY relname, attnum
"""


class Eyes:
    """An observer of the bot's database. Values are ``?`` in statements."""

    def __init__(self, place: Place) -> None:
        self._file: sqlite3.Connection | None = None
        self._server: psycopg.Connection[Any] | None = None
        self._columns: dict[str, list[str]] = {}
        if isinstance(place, Path):
            self._file = sqlite3.connect(f"file:{place}?mode=ro", uri=True, isolation_level=None)
        else:
            self._server = psycopg.connect(place, autocommit=True)

    def __call__(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Query the database."""
        if self._file is not None:
            return self._file.execute(sql, values).fetchall()
        assert self._server is not None
        rows = self._server.execute(_asked(sql), values).fetchall()
        return [tuple(map(_plain, row)) for row in rows]

    def everything(self, *, but: Collection[str] = ()) -> Dump:
        """The rows of all tables, those that only one database has left out, and these columns."""
        if not self._columns:
            for table, column in self(_COLUMNS_OF_FILE if self._file is not None else _COLUMNS_OF_SERVER):
                self._columns.setdefault(table, []).append(column)
        asked = {
            table: f'SELECT {", ".join(column for column in columns if column not in but)} FROM "{table}"'
            for table, columns in self._columns.items()
        }
        return {table: sorted(rows, key=repr) for table, rows in zip(asked, self._all(asked.values()), strict=True)}

    def _all(self, asked: Iterable[str]) -> list[list[tuple[Any, ...]]]:
        if self._server is None:
            return [self(sql) for sql in asked]
        with self._server.pipeline():
            cursors = [self._server.execute(sql.encode()) for sql in asked]
            return [cursor.fetchall() for cursor in cursors]

    def close(self) -> None:
        """Look no more."""
        for connection in (self._file, self._server):
            if connection is not None:
                connection.close()


def eyes_on(place: Place) -> Eyes:
    """Return an observer that keeps its connection."""
    return Eyes(place)


def ask(place: Place, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Query a database independently of the bot. Values are ``?`` in the statement."""
    with closing(Eyes(place)) as eyes:
        return eyes(sql, values)


def do(place: Place, sql: str, values: Sequence[Any] = ()) -> None:
    """Do something to a database behind the bot's back."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place, isolation_level=None)) as connection:
            connection.execute(sql, values)
        return
    with psycopg.connect(place, autocommit=True) as other:
        other.execute(_asked(sql), values)


def run_program(program: str, *args: str | Path, user: str | None = None) -> None:
    """Run one of PostgreSQL's own programs, as some user of the system."""
    # Into a file: a server that is started keeps what it was given open.
    with tempfile.TemporaryFile("w+") as said:
        done = subprocess.run([PROGRAMS / program, *args], stdout=said, stderr=said, check=False, user=user)
        said.seek(0)
        assert done.returncode == 0, said.read()


def drop_trigger(place: Place, name: str, *, of: str) -> None:
    """Take away what guards a table."""
    do(place, f"DROP TRIGGER {name}" if isinstance(place, Path) else f"DROP TRIGGER {name} ON {of}")


def mark_as_copy(place: Place) -> None:
    """Let a database look as one that was put back from a copy."""
    do(place, f"PRAGMA application_id = {COPY_ID}" if isinstance(place, Path) else "UPDATE meta SET is_copy = 1")


def everything(place: Place, *, but: Collection[str] = ()) -> Dump:
    """The rows of all tables, without these columns."""
    with closing(Eyes(place)) as eyes:
        return eyes.everything(but=but)


def _asked(sql: str) -> bytes:
    return re.sub(r"\?", "%s", sql.replace("%", "%%")).encode()


def _plain(value: Any) -> Any:
    # Sums of whole numbers are decimals there.
    return int(value) if type(value).__name__ == "Decimal" else value
