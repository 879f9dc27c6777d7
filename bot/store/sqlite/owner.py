"""Whose database it is: an application of Discord by its id, or the playground.

Another application is in none of its servers. It would close all tables and call all events off, because that is what a
bot does for servers that it was taken out of; so its start is refused.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.installation import COMMAND
from bot.store import StoreError
from bot.store.sqlite.copy_mark import PLAYGROUND
from bot.store.sqlite.files import finish, locked, make_folder, reading
from bot.store.sqlite.migrate import schema_version

_SINCE = 5
"""The first schema that names an owner."""


def owner_of(connection: sqlite3.Connection) -> str | None:
    """Whose database it is; None while it is nobody's."""
    if schema_version(connection) < _SINCE:
        return None
    row = connection.execute("SELECT name FROM owner").fetchone()
    return None if row is None else str(row[0])


def described(owner: str) -> str:
    """An owner as a sentence names it."""
    return "the playground" if owner == PLAYGROUND else f"the application {owner}"


def claim(connection: sqlite3.Connection, *, owner: str, path: Path) -> None:
    """Let the database be ``owner``'s if it is nobody's yet; raises StoreError when it is somebody else's."""
    former = owner_of(connection)
    if former is None:
        connection.execute("INSERT INTO owner (one, name) VALUES (1, ?)", (owner,))
    elif former != owner:
        way = f"check DISCORD_TOKEN and CHAIPO_DATABASE, or run `{COMMAND} disown` to hand the database over"
        if owner == PLAYGROUND:
            way = "move that file away, and the playground makes a new one"
        mine = described(owner)
        raise StoreError(f"{path} is the database of {described(former)}, and this is a start of {mine}: {way}")


def disown(path: Path) -> str | None:
    """Let the database at ``path``, whose bot does not run, be nobody's; returns whose it was. Raises StoreError."""
    path = make_folder(path)
    with locked(path):
        finish(path)
        with reading(path) as connection:
            former = owner_of(connection)
        if former is not None:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.execute("DELETE FROM owner")
    return former
