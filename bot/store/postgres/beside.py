"""A PostgreSQL database as others than its bot come to it: to look, also while the bot runs, or in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import IsolationLevel

from bot.store import StoreError
from bot.store.postgres.driver import Connection, PostgresSql
from bot.store.postgres.migrate import schema_version
from bot.store.postgres.server import Server
from bot.store.postgres.trouble import refusal_of


@contextmanager
def looking(address: str) -> Iterator[Connection]:
    """A connection with one snapshot of a database that is there and ours; nothing that it does is kept.

    Raises StoreError.
    """
    server = Server(address)
    try:
        with server.beside() as connection:
            connection.isolation_level = IsolationLevel.REPEATABLE_READ
            if not schema_version(connection, server.place):
                raise StoreError(f"{server.place} holds nothing yet: start the bot once, or name another database")
            # Sums go through whole tables.
            connection.execute("SET LOCAL statement_timeout = 0")
            yield connection
            connection.rollback()
    except psycopg.Error as error:
        raise refusal_of(error, server.place) from error


@contextmanager
def in_place_of_the_bot(address: str) -> Iterator[PostgresSql]:
    """One transaction on a database whose bot does not run, and does not start meanwhile. Raises StoreError."""
    server = Server(address)
    try:
        with server.held() as connection, connection.transaction():
            if not schema_version(connection, server.place):
                raise StoreError(f"{server.place} holds nothing yet: start the bot once, or name another database")
            yield PostgresSql(connection)
    except psycopg.Error as error:
        raise refusal_of(error, server.place) from error
