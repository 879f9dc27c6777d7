"""Whose database it is: an application of Discord by its id, or the playground.

Another application is in none of its servers. It would close all tables and call all events off, because that is what a
bot does for servers that it was taken out of; so its start is refused.
"""

from __future__ import annotations

from bot.base.installation import COMMAND
from bot.store import StoreError
from bot.store.sql import Sql

PLAYGROUND = "playground"
"""Whose database it is when it is no application's; its file is named so too."""
MOVED = "moved out: "
"""Begins the owner of a database whose data were moved to another installation; the previous owner follows."""
MOVE = "move from "
"""Begins the owner of a database that another one is being moved into, as long as not all of it is there."""


def owner_of(sql: Sql) -> str | None:
    """Whose database it is; None while it is nobody's."""
    row = sql.one("SELECT name FROM owner")
    return None if row is None else str(row["name"])


def without_move(owner: str | None) -> str | None:
    """Return the owner from before a move out."""
    return owner.removeprefix(MOVED) or None if owner is not None else None


def described(owner: str) -> str:
    """An owner as a sentence names it."""
    if owner.startswith(MOVED):
        return "another installation, where `move-out` sent its data"
    if owner.startswith(MOVE):
        return f"a {owner} that was cut short"
    return "the playground" if owner == PLAYGROUND else f"the application {owner}"


def claim(sql: Sql, *, owner: str, place: str) -> None:
    """Let the database be ``owner``'s if it is nobody's yet; raises StoreError when it is somebody else's."""
    former = owner_of(sql)
    if former is None:
        sql.run("INSERT INTO owner (one, name) VALUES (1, :name)", name=owner)
    elif former != owner:
        refuse_another(former, owner=owner, place=place)


def refuse_another(former: str, *, owner: str, place: str) -> None:
    """Raise StoreError for a start of ``owner`` on a database that is ``former``'s."""
    way = f"check DISCORD_TOKEN and CHAIPO_DATABASE, or run `{COMMAND} disown` to hand the database over"
    if former.startswith(MOVED):
        raise StoreError(
            f"{place} was moved to another installation with `move-out`: start the bot there, or run `{COMMAND} "
            "disown` to go on here, where hands that were played there are unknown and running hands are cancelled"
        )
    if owner == PLAYGROUND:
        way = "move that file away, and the playground makes a new one"
    mine = described(owner)
    raise StoreError(f"{place} is the database of {described(former)}, and this is a start of {mine}: {way}")


def is_unused(sql: Sql) -> bool:
    """True for a database that has no owner and no tables: one that was just made."""
    return owner_of(sql) is None and sql.one("SELECT 1 AS found FROM game_table LIMIT 1") is None


def is_used(sql: Sql) -> bool:
    """True for a database in which somebody has played, or an organiser has made something."""
    return any(sql.one(f"SELECT 1 AS found FROM {table} LIMIT 1") for table in ("game_table", "event", "account"))


def disown(sql: Sql) -> str | None:
    """Let the database be nobody's; returns whose it was.

    After a move out, hands may have been played elsewhere that it knows nothing of. So it counts as put back from a
    copy: no deck is dealt that may be known by now.
    """
    former = owner_of(sql)
    forget_owner(sql)
    if former is not None and former.startswith(MOVED):
        sql.become_copy()
    return former


def forget_owner(sql: Sql) -> None:
    """Let the database be nobody's."""
    sql.run("DELETE FROM owner")


def set_owner(sql: Sql, owner: str | None) -> None:
    """Replace the owner; None for nobody."""
    forget_owner(sql)
    if owner is not None:
        sql.run("INSERT INTO owner (one, name) VALUES (1, :name)", name=owner)
