"""Connections to a database server, and the lock that allows only one bot per database.

A bot holds a lock on a separate connection, which ends with that connection. That isn't enough, because the connection
may be cut while the bot is running or suspended. So each opening has a number, and every writing transaction checks
that its own is still the newest.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, LiteralString

import psycopg
from psycopg.conninfo import conninfo_to_dict

from bot.store import StoreBusyError, StoreError, StoreUnavailableError
from bot.store.address import without_password
from bot.store.postgres.driver import EVERYTHING, LOCK_MS, PostgresSql, Transaction, WritePermission
from bot.store.postgres.errors import translate_error, translate_refusal
from bot.store.postgres.migrate import migrate
from bot.store.postgres.rows import Connection, adapt, named
from bot.store.sqlite.migrate import numbered, require_known_schema

OLDEST_SERVER = 130000
"""Oldest server version whose transaction ids can be queried later."""
HELD = -2
"""Lock of the bot that has the database. It isn't a valid id of a Discord server."""
HELD_SECONDS = 5.0
"""Time that a start waits for the connections of a bot that has just ended."""
SHARED_SECONDS = 60.0
"""Time that a process waits for the first process of a shared database to migrate it."""
LOOKS = 5
"""Number of checks for two connections sharing a session, because another client may be using it at the time."""
REST_SECONDS = 1.0
"""Time after a failed connection during which further attempts fail immediately, so that callers don't all wait."""
_DEFAULTS: dict[str, Any] = {
    "connect_timeout": 5,
    # Lost network connections are noticed after about 20 seconds.
    "keepalives_idle": 10,
    "keepalives_interval": 4,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
# A client that is cut off between two statements can't block others for longer than this. Within a pipeline, the server
# doesn't check, so the other processes do (bot/run/cluster/leases.py). Commits wait for the disk and for the standbys
# that the server names, because weaker settings could lose acknowledged hands.
_SESSION = """
SET statement_timeout = '15s'; SET lock_timeout = {lock_ms}; SET idle_in_transaction_session_timeout = '5s';
SELECT set_config('synchronous_commit', 'on', false) FROM pg_settings
WHERE name = 'synchronous_commit' AND setting IN ('off', 'local', 'remote_write')
"""

_NUMBERED = """
UPDATE meta SET opening = opening + 1, is_copy = CASE WHEN home IN ('', here.name) THEN is_copy ELSE 1 END,
    home = here.name
FROM (
    SELECT system_identifier || '/' || d.oid || '/' || 'meta'::regclass::oid AS name
    FROM pg_control_system(), pg_database d WHERE d.datname = current_database()
) AS here
RETURNING opening
"""

_log = logging.getLogger(__name__)
# psycopg warns of every connection that is lost in a transaction. The resulting error is already logged once.
logging.getLogger("psycopg").setLevel(logging.ERROR)


def _read(address: str) -> dict[str, Any]:
    """Parse an address. The StoreError doesn't contain the address, because an unreadable part may be its password."""
    try:
        return conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        raise StoreError("the address of the database cannot be read. Write % in a password as %25") from None


class ConnectionFactory:
    """Factory of connections. ``opening`` is the number of this opening. Thread-safe.

    With ``shared``, several processes use the database. The first has it exclusively until :meth:`share`.
    """

    def __init__(self, address: str, *, shared: bool = False) -> None:
        self.place = without_password(address)
        self.opening = 0
        self.permission: Callable[[Transaction], WritePermission] | None = None
        """Creates a transaction's write permission; None if the process has the database exclusively."""
        self.alone = True
        """True while no other process can use the database."""
        self._shared = shared
        self.connections = f"chaipo {secrets.token_hex(4)}"
        """Application name of this opening's connections, as the server shows it."""
        self._address = {**_DEFAULTS, **_read(address), "application_name": self.connections}
        self._holder: Connection | None = None
        self._lock = Lock()
        self._refused_at = float("-inf")
        self._refusal = ""

    def open(self, migrations: Path) -> None:
        """Lock the database, and create or migrate it if needed. Raises StoreError."""
        try:
            self._hold(time.monotonic() + (SHARED_SECONDS if self._shared else HELD_SECONDS))
            assert self._holder is not None
            _require_server_version(self._holder, self.place)
            if self.alone:
                migrate(self._holder, migrations, place=self.place)
                self.opening = _begin(self._holder)
            else:
                _require_schema(self._holder, numbered(migrations), self.place)
                self.opening = _opening(self._holder)
        except psycopg.Error as error:
            self.close()
            raise translate_refusal(error, self.place) from error
        except StoreError:
            self.close()
            raise

    def share(self) -> None:
        """Allow other processes to use the database. Raises psycopg.Error."""
        with self._lock:
            if self._holder is not None and self.alone:
                self._holder.execute("SELECT pg_advisory_lock_shared(%(held)s)", {"held": HELD})
                self._holder.execute("SELECT pg_advisory_unlock(%(held)s)", {"held": HELD})
            self.alone = False

    @contextmanager
    def beside(self) -> Iterator[Connection]:
        """Open a connection for a client other than the bot. Raises StoreError and psycopg.Error."""
        with closing(self._connect()) as connection:
            self._require_sessions(connection)
            yield connection

    @contextmanager
    def held(self) -> Iterator[Connection]:
        """Open a connection that keeps the bot from using the database. Raises StoreError and psycopg.Error."""
        self._hold(time.monotonic() + HELD_SECONDS)
        assert self._holder is not None
        with closing(self._holder):
            yield self._holder

    def connect(self) -> Connection:
        """Return a new connection if the bot still has the database. Raises psycopg.Error and StoreUnavailableError."""
        with self._lock:
            if time.monotonic() - self._refused_at < REST_SECONDS:
                raise StoreUnavailableError(self._refusal)
            try:
                self._hold_on()
                return self._connect()
            except (psycopg.Error, StoreUnavailableError) as error:
                self._refused_at, self._refusal = time.monotonic(), str(translate_error(error, self.place) or error)
                raise

    def close(self) -> None:
        """Release the database for another bot."""
        if self._holder is not None:
            with suppress(psycopg.Error):
                self._holder.close()

    def _require_sessions(self, one: Connection) -> None:
        """Reject a transaction pooler, because other clients could get this connection's locks. Raises StoreError."""
        if _session_of(one) == one.info.backend_pid:
            return
        with closing(self._connect()) as other:
            if not any(_session_of(one) == _session_of(other) for _ in range(LOOKS)):
                return
        raise StoreError(
            f"{self.place} is a pooler that pools transactions, which breaks the bot's locks. Let it pool "
            "sessions (pool_mode = session), or name the server itself"
        )

    def _connect(self) -> Connection:
        connection: Connection = psycopg.connect(**self._address, row_factory=named)
        try:
            adapt(connection)
            connection.execute(_SESSION.format(lock_ms=LOCK_MS).encode())
            connection.commit()
        except BaseException:
            connection.close()
            raise
        return connection

    def _hold_on(self) -> None:
        """Renew the database lock if its connection has ended."""
        if self._holder is not None:
            with suppress(psycopg.Error):
                self._holder.execute("SELECT 1")
                return
            self.close()
        self._hold(time.monotonic())

    def _hold(self, until: float) -> None:
        self._holder = self._connect()
        try:
            self._require_sessions(self._holder)
            self._holder.autocommit = True
        except (StoreError, psycopg.Error):
            self.close()
            raise
        while not self._try_hold(self._holder):
            if time.monotonic() >= until:
                self.close()
                raise StoreBusyError(f"{self.place} is open in another running bot. Stop that one first")
            time.sleep(0.1)

    def _try_hold(self, connection: Connection) -> bool:
        """Try to take the database lock, in shared mode if other processes may use the database."""
        if self.alone and _try_lock(connection, "pg_try_advisory_lock"):
            return True
        if self._shared and _try_lock(connection, "pg_try_advisory_lock_shared"):
            self.alone = False
            return True
        return False


def run_id(connection: Connection) -> str:
    """Return an identifier of the server's run. It changes after a crash or a failover."""
    # Only a crash resets the statistics. They survive a regular restart.
    row = connection.execute("SELECT stats_reset::text AS since FROM pg_stat_bgwriter").fetchone()
    connection.rollback()
    assert row is not None
    return str(row["since"])


def _try_lock(connection: Connection, function: LiteralString) -> bool:
    row = connection.execute(f"SELECT {function}(%(held)s) AS held", {"held": HELD}).fetchone()
    return row is not None and bool(row["held"])


def _session_of(connection: Connection) -> int:
    """Return the session used by a transaction of the connection. A pooler may use another one next time."""
    row = connection.execute("SELECT pg_backend_pid() AS number").fetchone()
    connection.rollback()
    assert row is not None
    return int(row["number"])


def _require_schema(connection: Connection, files: Sequence[Path], place: str) -> None:
    """Reject a database that other processes have migrated to another schema. Raises StoreError."""
    sql, newest = PostgresSql(connection), len(files)
    version = sql.schema()
    if version == newest:
        require_known_schema(sql, files, place=place)
    else:
        raise StoreError(
            f"other processes have {place} open with schema {version}, but this version needs {newest}. Stop them all, "
            "then start them all with the same version"
        )


def _opening(connection: Connection) -> int:
    row = connection.execute("SELECT opening FROM meta").fetchone()
    assert row is not None
    return int(row["opening"])


def _require_server_version(connection: Connection, place: str) -> None:
    """Reject a server whose version or encoding isn't supported."""
    if connection.info.server_version < OLDEST_SERVER:
        found, needed = connection.info.server_version // 10_000, OLDEST_SERVER // 10_000
        raise StoreError(f"the server of {place} is PostgreSQL {found}, but the bot needs {needed}. Upgrade it")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(f"{place} stores text as {encoding}. Create a database with ENCODING 'UTF8'")
    row = connection.execute("SHOW fsync").fetchone()
    if row is not None and row["fsync"] != "on":
        _log.warning(
            "the server of %s does not wait for its disk (fsync = off), so a power failure can lose hands", place
        )


def _begin(connection: Connection) -> int:
    """Assign this opening's number after all older writers have finished, and detect a restored database."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%(all)s)", {"all": EVERYTHING})
        # Restoring a dump recreates the table, so its id, the database or the server differs.
        row = connection.execute(_NUMBERED).fetchone()
    assert row is not None
    return int(row["opening"])
