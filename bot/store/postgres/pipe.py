"""Pipelined transactions on libpq. Statements are queued and sent together when an answer is needed.

psycopg's cursors do a lot of work per statement and column, which used to be most of the cost of a press. The queries
use only four types of values and access columns by name, so that's all this module supports. The rest (the connection,
parsing values, errors) uses psycopg.
"""

from __future__ import annotations

import re
import select
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache

import psycopg
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, PipelineStatus, TransactionStatus
from psycopg.pq.abc import PGresult

from bot.store.postgres.rows import Connection, PostgresRow
from bot.store.sql import Value

STATEMENTS = 512
"""Size of the LRU cache of statements."""
OFTEN = 3
"""Number of uses after which a statement is prepared."""
_BIGINT, _BYTEA, _BOOLEAN, _GUESSED = 20, 17, 16, 0
_NOTHING: Mapping[str, Value] = {}
_PARAMETER = re.compile(r"%\((\w+)\)s|%%")
_WELL = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)
_Types = tuple[int, ...]


@lru_cache(1024)
def _number_parameters(statement: str) -> tuple[bytes, tuple[str, ...]]:
    """Return the statement with numbered parameters, and their names in that order."""
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        return f"${numbers.setdefault(found[1], len(numbers) + 1)}" if found[1] else "%"

    return _PARAMETER.sub(number, statement).encode(), tuple(numbers)


class _Known:
    """A statement with the types of its values. It has a ``name`` if it's prepared or about to be."""

    __slots__ = ("columns", "name", "times")

    def __init__(self) -> None:
        self.times = 0
        self.name: bytes | None = None
        self.columns: dict[str, int] = {}


class PendingResult:
    """A pending result. Fetching waits for it, and returns each row once."""

    __slots__ = ("_known", "_pipe", "_rows", "result")

    def __init__(self, pipe: Pipe, known: _Known) -> None:
        self._pipe = pipe
        self._known = known
        self.result: PGresult | None = None
        self._rows: list[PostgresRow] | None = None

    def fetchall(self) -> list[PostgresRow]:
        """Return all remaining rows. Like the other methods, raises psycopg.Error."""
        rows, self._rows = self._heard(), []
        return rows

    def fetchone(self) -> PostgresRow | None:
        """Return the next row; None after the last."""
        rows = self._heard()
        return rows.pop(0) if rows else None

    def __iter__(self) -> Iterator[PostgresRow]:
        return iter(self.fetchall())

    def _heard(self) -> list[PostgresRow]:
        if self._rows is None:
            if self.result is None:
                self._pipe.hear(self)
            assert self.result is not None
            self._rows = self._pipe.rows(self.result, self._known)
        return self._rows


class Pipe:
    """Pipelined transactions on a connection: ``begin``, statements, then ``commit`` or ``end``. One thread at a time.

    An error is raised at the next wait for an answer, whichever statement caused it. Statements after the failed one
    aren't executed.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._pgconn = connection.pgconn
        self._values = Transformer(connection)
        self._poll = select.poll()
        self._poll.register(self._pgconn.socket, select.POLLIN)
        self._known: OrderedDict[tuple[bytes, _Types], _Known] = OrderedDict()
        self._named = 0
        self._waiting: deque[PendingResult | _Known | None] = deque()
        """Expected results, in order: answers, prepared statements, and None for a synchronisation point."""
        self._unsent = False

    def begin(self, statement: bytes) -> None:
        """Begin a transaction with this statement, which is sent together with those that follow."""
        self._pgconn.enter_pipeline_mode()
        self._send(statement)

    def execute(self, statement: str, values: Mapping[str, Value] = _NOTHING, /) -> PendingResult:
        """Queue a statement in psycopg's syntax. Raises psycopg.DataError."""
        text, names = _number_parameters(statement)
        given: list[bytes | None] = []
        types: list[int] = []
        formats: list[int] = []
        for name in names:
            data, kind, binary = _sent(values[name])
            given.append(data)
            types.append(kind)
            formats.append(binary)
        known = self._remembered(text, tuple(types))
        if known.name is None and known.times >= OFTEN:
            self._named += 1
            known.name = b"s%d" % self._named
            self._pgconn.send_prepare(known.name, text, types)
            self._waiting.append(known)
        if known.name is None:
            self._pgconn.send_query_params(text, given, types, formats)
        else:
            self._pgconn.send_query_prepared(known.name, given, formats)
        answer = PendingResult(self, known)
        self._waiting.append(answer)
        return answer

    def hear(self, answer: PendingResult) -> None:
        """Wait for an answer and all earlier ones. Raises psycopg.Error."""
        self._pgconn.send_flush_request()
        self._unsent = bool(self._pgconn.flush())
        while answer.result is None:
            if not self._waiting:
                raise psycopg.InterfaceError("the transaction of this answer is over")
            self._take()

    def rows(self, result: PGresult, known: _Known) -> list[PostgresRow]:
        """Return the rows of a statement's result."""
        if not result.ntuples:
            return []
        if len(known.columns) != result.nfields:
            names = (result.fname(place) or b"" for place in range(result.nfields))
            known.columns = {name.decode(): place for place, name in enumerate(names)}
        columns = known.columns
        self._values.set_pgresult(result)
        return self._values.load_rows(0, result.ntuples, lambda values: PostgresRow(columns, values))

    def commit(self) -> None:
        """Commit the transaction. Raises psycopg.Error; if the connection is lost, the commit may have succeeded."""
        self._send(b"COMMIT")
        self._begin_anew()
        while self._waiting:
            self._take()
        self._pgconn.exit_pipeline_mode()

    def end(self) -> None:
        """Roll back the transaction if it's open, even after an error. Raises psycopg.Error."""
        if self._pgconn.pipeline_status != PipelineStatus.OFF:
            self._send(b"ROLLBACK")
            self._begin_anew()
            while self._waiting:
                # Errors of rolled-back statements don't matter. If the connection is lost, they must propagate.
                with suppress(*(() if self._pgconn.status == ConnStatus.BAD else (psycopg.Error,))):
                    self._take()
            self._pgconn.exit_pipeline_mode()
        if self._pgconn.transaction_status != TransactionStatus.IDLE:
            # After an error, the server skips the rest of the pipeline, including ROLLBACK.
            self._connection.rollback()

    def _send(self, statement: bytes) -> None:
        self._pgconn.send_query_params(statement, None)
        self._waiting.append(PendingResult(self, _Known()))

    def _begin_anew(self) -> None:
        """Send a synchronisation point, so that the server continues after an error."""
        self._pgconn.pipeline_sync()
        self._waiting.append(None)
        self._unsent = bool(self._pgconn.flush())

    def _remembered(self, text: bytes, types: _Types) -> _Known:
        known = self._known.get((text, types))
        if known is None:
            known = self._known[text, types] = _Known()
            if len(self._known) > STATEMENTS:
                _, oldest = self._known.popitem(last=False)
                if oldest.name is not None:
                    self._send(b"DEALLOCATE " + oldest.name)
        else:
            self._known.move_to_end((text, types))
        known.times += 1
        return known

    def _take(self) -> None:
        """Receive the next result. Raises psycopg.Error."""
        asked = self._waiting.popleft()
        result = self._next()
        if result is None:
            raise psycopg.OperationalError("the server stopped answering")
        if asked is None:
            return
        if result.status not in _WELL:
            if isinstance(asked, _Known):
                asked.name = None
            with suppress(psycopg.OperationalError):
                # The server has said why it closes the connection, so no further results follow.
                self._next()
            raise self._error(result)
        # The end marker of the result
        self._next()
        if isinstance(asked, PendingResult):
            asked.result = result

    def _next(self) -> PGresult | None:
        pgconn = self._pgconn
        while pgconn.is_busy():
            self._poll.modify(pgconn.socket, select.POLLIN | select.POLLOUT if self._unsent else select.POLLIN)
            ready = self._poll.poll()
            if any(events & ~select.POLLOUT for _, events in ready):
                pgconn.consume_input()
            if self._unsent:
                self._unsent = bool(pgconn.flush())
        return pgconn.get_result()

    def _error(self, result: PGresult) -> psycopg.Error:
        if self._pgconn.status == ConnStatus.BAD and result.error_field(DiagnosticField.SQLSTATE) is None:
            return psycopg.OperationalError(result.get_error_message())
        return error_from_result(result)


def _sent(value: Value) -> tuple[bytes | None, int, int]:
    """Return a value as it's sent: its bytes, its type, and 1 if the bytes are in binary format.

    All integers have the same type, because the server would plan a statement for each type separately.
    """
    if value is None:
        return None, _GUESSED, 0
    if isinstance(value, bool):
        return b"t" if value else b"f", _BOOLEAN, 0
    if isinstance(value, int):
        return b"%d" % value, _BIGINT, 0
    if isinstance(value, str):
        if "\0" in value:
            raise psycopg.DataError("a text contains a NUL character")
        return value.encode(), _GUESSED, 0
    return value, _BYTEA, 1
