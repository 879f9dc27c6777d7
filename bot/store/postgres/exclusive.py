"""Access to a PostgreSQL database from outside the bot: reads at any time, and writes while the bot is stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import IsolationLevel

from bot.store import StoreError
from bot.store.postgres.driver import PostgresSql
from bot.store.postgres.errors import translate_refusal
from bot.store.postgres.migrate import schema_version
from bot.store.postgres.rows import Connection
from bot.store.postgres.server import ConnectionFactory

_NUMBERED = """
SELECT table_name, column_name FROM information_schema.columns
WHERE is_identity = 'YES' AND table_schema = current_schema()
"""


@contextmanager
def open_snapshot(address: str) -> Iterator[Connection]:
    """Open a connection with one snapshot of an existing database. Changes are rolled back.

    Raises StoreError.
    """
    server = ConnectionFactory(address)
    try:
        with server.beside() as connection:
            connection.isolation_level = IsolationLevel.REPEATABLE_READ
            if not schema_version(connection, server.place):
                raise StoreError(f"{server.place} is still empty. Start the bot once, or name another database")
            # Aggregates scan whole tables, which may take longer than the timeout.
            connection.execute("SET LOCAL statement_timeout = 0")
            yield connection
            connection.rollback()
    except psycopg.Error as error:
        raise translate_refusal(error, server.place) from error


@contextmanager
def run_exclusive(address: str) -> Iterator[PostgresSql]:
    """Open one transaction on a database whose bot is stopped and can't start. Raises StoreError."""
    server = ConnectionFactory(address)
    try:
        with server.held() as connection, connection.transaction():
            if not schema_version(connection, server.place):
                raise StoreError(f"{server.place} is still empty. Start the bot once, or name another database")
            yield PostgresSql(connection)
    except psycopg.Error as error:
        raise translate_refusal(error, server.place) from error


class ExclusiveServer:
    """A database whose bot is stopped. It allows any number of transactions."""

    def __init__(self, connection: Connection, place: str) -> None:
        self._connection = connection
        self._place = place

    @contextmanager
    def transaction(self) -> Iterator[PostgresSql]:
        """Open a transaction that commits at the end of the block, or rolls back on error. Raises StoreError."""
        try:
            with self._connection.transaction(), self._connection.pipeline():
                yield PostgresSql(self._connection)
        except psycopg.Error as error:
            raise translate_refusal(error, self._place) from error

    def renumber(self) -> None:
        """Set identity sequences to continue after the copied rows."""
        with self.transaction() as sql:
            for row in sql.all(_NUMBERED):
                name, column = row["table_name"], row["column_name"]
                last = f'(SELECT MAX({column}) FROM "{name}")'
                sql.all(f"SELECT setval(pg_get_serial_sequence('{name}', '{column}'), COALESCE({last}, 1), {last} > 0)")


@contextmanager
def alone_with_server(address: str) -> Iterator[ExclusiveServer]:
    """Open the database while its bot is stopped and can't start. Raises StoreError."""
    server = ConnectionFactory(address)
    try:
        with server.held() as connection:
            if not schema_version(connection, server.place):
                raise StoreError(f"{server.place} is still empty. Start the bot once, or name another database")
            connection.execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0")
            yield ExclusiveServer(connection, server.place)
    except psycopg.Error as error:
        raise translate_refusal(error, server.place) from error
