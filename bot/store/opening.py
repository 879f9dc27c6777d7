"""Open the database at a path (SQLite) or an address (PostgreSQL)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.base.installation import POSTGRES_NEEDS
from bot.base.meter import SILENT, Meter
from bot.store import StoreError, StoreUnavailableError
from bot.store.address import without_password
from bot.store.sqlite.database import SqliteDatabase
from bot.store.storage import Database

Place = Path | str
"""Path of a file, or address of a PostgreSQL database, including its password."""


def named(place: Place) -> str:
    """Return the place as shown in messages, without its password."""
    return without_password(place) if isinstance(place, str) else str(place)


def require_postgres() -> None:
    """Raise StoreError if the PostgreSQL driver isn't installed."""
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise StoreError(f"CHAIPO_DATABASE names a PostgreSQL database. Install {POSTGRES_NEEDS} first") from error


async def open_database(
    place: Place,
    *,
    on_fatal: Callable[[StoreUnavailableError], None] | None = None,
    meter: Meter = SILENT,
    patience_seconds: float = 0.0,
    shared: bool = False,
) -> Database[Any]:
    """Open the database, and create or migrate it if needed. Raises StoreError with a message for the operator.

    ``on_fatal`` is called once, on the loop, when writing has become impossible, so that the process can exit.
    ``shared`` allows several processes, which requires PostgreSQL (``bot/run/cluster``). ``patience_seconds`` is the
    maximum time that a patient write waits to share another's commit.
    """
    if isinstance(place, Path):
        return await SqliteDatabase.open(place, on_fatal=on_fatal, meter=meter, patience_seconds=patience_seconds)
    require_postgres()
    from bot.store.postgres.database import PostgresDatabase

    return await PostgresDatabase.open(place, on_fatal=on_fatal, meter=meter, shared=shared)
