"""Which database an address means, and how it is opened: a file is SQLite's, an address PostgreSQL's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.base.installation import POSTGRES_NEEDS
from bot.base.meter import SILENT, Meter
from bot.store import StoreError, StoreTroubleError
from bot.store.address import without_password
from bot.store.sqlite.database import Database as SqliteDatabase
from bot.store.storage import Database

Place = Path | str
"""A file, or the address of a PostgreSQL database with all that is secret in it."""


def named(place: Place) -> str:
    """The place as a sentence may name it."""
    return without_password(place) if isinstance(place, str) else str(place)


def demand_postgres() -> None:
    """Refuse where the driver is not installed. Raises StoreError."""
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise StoreError(f"CHAIPO_DATABASE names a PostgreSQL database: install {POSTGRES_NEEDS} first") from error


async def open_database(
    place: Place,
    *,
    on_fatal: Callable[[StoreTroubleError], None] | None = None,
    meter: Meter = SILENT,
    patience_seconds: float = 0.0,
    shared: bool = False,
) -> Database[Any]:
    """Open the database, made or brought up to date as needed. Raises StoreError, one sentence for the operator.

    ``on_fatal`` is called once, on the loop, when nothing can be written any more: the process should end.
    ``shared`` is what several processes have at a time, which only PostgreSQL can be (``bot/run/many``).
    ``patience_seconds`` is for how long a patient write waits for the commit of another, where they share one.
    """
    if isinstance(place, Path):
        return await SqliteDatabase.open(place, on_fatal=on_fatal, meter=meter, patience_seconds=patience_seconds)
    demand_postgres()
    from bot.store.postgres.database import PostgresDatabase

    return await PostgresDatabase.open(place, on_fatal=on_fatal, meter=meter, shared=shared)
