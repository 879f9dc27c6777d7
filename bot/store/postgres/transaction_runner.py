"""Runs transactions on one connection, retries after conflicts, and resolves commits whose answer was lost."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import psycopg

from bot.store import StoreDoubtError, StoreUnavailableError
from bot.store.postgres.driver import (
    CROWDED_MS,
    MAX_LOCK_TIMEOUT_MS,
    NOTHING,
    Changed,
    LockScope,
    LockTimeoutError,
    LockUpgradeError,
    PostgresSql,
    WritingSql,
)
from bot.store.postgres.errors import NEVER_WAS, ONCE_MORE, RUN_AGAIN, connection_lost, is_read_only
from bot.store.postgres.pipe import Pipe
from bot.store.postgres.rows import Connection
from bot.store.postgres.server import ConnectionFactory, run_id

T = TypeVar("T")
Job = Callable[[PostgresSql], T]
"""A function of one transaction. It runs on another thread, and again from its start on a retry."""
Before = Callable[[PostgresSql, Changed], None]
"""Callback with a transaction's changes. It may read within the transaction."""

TRIES = 10
"""Maximum attempts per transaction."""
PAUSE_SECONDS = 0.002
"""Maximum pause before the first retry. It doubles on each retry."""
CROWDED_SECONDS = 20.0
"""Time limit for taking exclusive locks. By then, a frozen process has lost its lease."""
CROWDED_PAUSE_SECONDS = 1.0
"""Maximum pause between two attempts, during which others can write. The minimum is half of it."""
DOUBT_SECONDS = 15.0
"""Time limit for finding out whether a commit succeeded after its answer was lost."""
ASK_SECONDS = 0.5
_LOOKS = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITES = b"BEGIN ISOLATION LEVEL READ COMMITTED"
"""Start of a writing transaction. The server's defaults apply otherwise, so that a read-only database is detected."""


class InDoubtError(StoreDoubtError):
    """The outcome of the commit is unknown, and the server can't tell. ``changed`` holds what it would have changed."""

    def __init__(self, text: str, changed: Changed) -> None:
        super().__init__(text)
        self.changed = changed


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitResult(Generic[T]):
    """Result of a committed transaction. ``seconds`` is the duration of the commit."""

    result: T
    changed: Changed
    seconds: float


class TransactionRunner:
    """A connection that is opened when needed, and reopened after it has ended. Used by one thread at a time."""

    def __init__(self, server: ConnectionFactory) -> None:
        self._server = server
        self._connection: Connection | None = None
        self._pipe: Pipe | None = None
        self._run = ""
        """Identifier of the server's run when the connection was opened."""

    def read(self, job: Job[T]) -> T:
        """Run ``job`` on a snapshot. Raises psycopg.Error and StoreUnavailableError."""
        return self._again(lambda: self._look(job))

    def write(self, job: Job[T], *, apart: bool = False, before: Before | None = None) -> CommitResult[T]:
        """Run ``job`` in a transaction and commit it. Raises psycopg.Error and StoreUnavailableError.

        ``before`` is called before each commit attempt.

        If this raises, nothing was committed, unless the commit's answer was lost and the server can't be asked.
        """
        alone, until, crowded_ms = NOTHING, time.monotonic() + CROWDED_SECONDS, CROWDED_MS
        while True:
            attempt = partial(self._transact, job, alone=alone, crowded_ms=crowded_ms, apart=apart, before=before)
            try:
                return self._again(attempt)
            except LockUpgradeError as error:
                alone |= error.wanted
            except LockTimeoutError:
                if time.monotonic() > until:
                    raise
                if not alone.everything:
                    crowded_ms = min(2 * crowded_ms, MAX_LOCK_TIMEOUT_MS)
                time.sleep(CROWDED_PAUSE_SECONDS * random.uniform(0.5, 1))

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection, self._pipe = self._connection, None, None
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()

    def _again(self, attempt: Callable[[], T]) -> T:
        clashed = lost = False
        for number in range(1, TRIES):
            try:
                return attempt()
            except psycopg.Error as error:
                if error.sqlstate in RUN_AGAIN:
                    time.sleep(random.uniform(0, PAUSE_SECONDS * 2**number))
                elif error.sqlstate == ONCE_MORE and not clashed:
                    clashed = True
                elif connection_lost(error) and not lost:
                    # The server may have restarted since this connection was last used.
                    lost = True
                else:
                    raise
        return attempt()

    def _look(self, job: Job[T]) -> T:
        pipe = self._opened()
        try:
            pipe.begin(_LOOKS)
            return job(PostgresSql(pipe))
        finally:
            self._end(pipe)

    def _transact(
        self, job: Job[T], *, alone: LockScope, crowded_ms: int, apart: bool, before: Before | None
    ) -> CommitResult[T]:
        pipe = self._opened()
        permission = None if self._server.permission is None else self._server.permission(pipe)
        sql = WritingSql(
            pipe, opening=self._server.opening, permission=permission, alone=alone, crowded_ms=crowded_ms, apart=apart
        )
        commits = False
        try:
            pipe.begin(_WRITES)
            sql.enter()
            result = job(sql)
            changed = sql.finish()
            if before is not None:
                before(sql, changed)
            begun, commits = time.perf_counter(), True
            pipe.commit()
            return CommitResult(result=result, changed=changed, seconds=time.perf_counter() - begun)
        except BaseException as error:
            self._end(pipe)
            if is_read_only(error):
                # The server has become a standby, so the next connection may reach the new primary.
                self.close()
            if commits and connection_lost(error) and self._was_committed(sql.number, changed):
                return CommitResult(result=result, changed=changed, seconds=time.perf_counter() - begun)
            raise

    def _opened(self) -> Pipe:
        if self._pipe is None:
            self._connection = self._server.connect()
            self._run = run_id(self._connection)
            self._pipe = Pipe(self._connection)
        return self._pipe

    def _end(self, pipe: Pipe) -> None:
        """Roll back an open transaction, or close the connection if that fails."""
        try:
            pipe.end()
        except psycopg.Error:
            self.close()
        if self._connection is not None and self._connection.closed:
            self.close()

    def _was_committed(self, number: int | None, changed: Changed) -> bool:
        """Ask the server for the outcome of a commit whose answer was lost. Raises InDoubtError."""
        run, until = self._run, time.monotonic() + DOUBT_SECONDS
        while time.monotonic() < until:
            with suppress(psycopg.Error, StoreUnavailableError):
                status = self._status_of(number)
                if status == "committed" and self._run != run:
                    # After a crash, the server may reuse transaction ids that never reached its disk.
                    break
                if status != "in progress":
                    return status == "committed"
            self.close()
            time.sleep(ASK_SECONDS)
        raise InDoubtError(
            f"{self._server.place} was lost during a write, and it is unknown whether the write succeeded. "
            "Start its server, or fix the connection to it",
            changed,
        )

    def _status_of(self, number: int | None) -> str | None:
        """Return a transaction's status: "committed", "aborted" or "in progress". Raises psycopg.Error."""
        pipe = self._opened()
        try:
            pipe.begin(_LOOKS)
            row = pipe.execute(
                "SELECT pg_xact_status(%(number)s::text::xid8) AS status", {"number": str(number)}
            ).fetchone()
        except psycopg.Error as error:
            if error.sqlstate != NEVER_WAS:
                raise
            return "aborted"
        finally:
            self._end(pipe)
        return None if row is None else row["status"]
