"""Owner of a database: the id of a Discord application, or the playground.

The bot doesn't start with another application's database. It wouldn't be in any of that application's servers. So it
would close all tables and cancel all events, as it does for servers that it was removed from.
"""

from __future__ import annotations

from bot.base.installation import COMMAND
from bot.store import StoreError
from bot.store.sql import Sql

PLAYGROUND = "playground"
"""Owner of a playground's database, and the name of its file."""
MOVED = "moved out: "
"""Prefix of the owner after the data was moved to another installation. The previous owner follows."""
MOVE = "move from "
"""Prefix of the owner while another database is being moved into this one."""


def owner_of(sql: Sql) -> str | None:
    """Return the owner of the database; None if it has none."""
    row = sql.one("SELECT name FROM owner")
    return None if row is None else str(row["name"])


def without_move(owner: str | None) -> str | None:
    """Return the owner from before a move out."""
    return owner.removeprefix(MOVED) or None if owner is not None else None


def described(owner: str) -> str:
    """Return the owner as named in messages."""
    if owner.startswith(MOVED):
        return "another installation, where `move-out` sent its data"
    if owner.startswith(MOVE):
        return f"a {owner} that was interrupted"
    return "the playground" if owner == PLAYGROUND else f"the application {owner}"


def claim(sql: Sql, *, owner: str, place: str) -> None:
    """Make ``owner`` the owner of a database without one; raises StoreError if it has another one."""
    former = owner_of(sql)
    if former is None:
        sql.run("INSERT INTO owner (one, name) VALUES (1, :name)", name=owner)
    elif former != owner:
        refuse_another(former, owner=owner, place=place)


def refuse_another(former: str, *, owner: str, place: str) -> None:
    """Raise StoreError because ``owner`` can't use the database of ``former``."""
    way = f"check DISCORD_TOKEN and CHAIPO_DATABASE, or run `{COMMAND} disown` to hand the database over"
    if former.startswith(MOVED):
        raise StoreError(
            f"{place} was moved to another installation with `move-out`. Start the bot there, or run "
            f"`{COMMAND} disown` to continue here, which leaves out the hands played there and cancels hands in "
            "progress"
        )
    if owner == PLAYGROUND:
        way = "move that file away, and the playground creates a new one"
    mine = described(owner)
    raise StoreError(f"{place} is the database of {described(former)}, but this is {mine}: {way}")


def is_unused(sql: Sql) -> bool:
    """True if the database has no owner and no tables, because it was just created."""
    return owner_of(sql) is None and sql.one("SELECT 1 AS found FROM game_table LIMIT 1") is None


def is_used(sql: Sql) -> bool:
    """True if the database has any tables, events or accounts."""
    return any(sql.one(f"SELECT 1 AS found FROM {table} LIMIT 1") for table in ("game_table", "event", "account"))


def clear_owner(sql: Sql) -> str | None:
    """Remove the owner of the database, and return it.

    After a move out, hands may have been played elsewhere. So the database counts as restored from a backup, and decks
    that may be known by now aren't dealt.
    """
    former = owner_of(sql)
    forget_owner(sql)
    if former is not None and former.startswith(MOVED):
        sql.become_copy()
    return former


def forget_owner(sql: Sql) -> None:
    """Remove the owner of the database."""
    sql.run("DELETE FROM owner")


def set_owner(sql: Sql, owner: str | None) -> None:
    """Replace the owner; None removes it."""
    forget_owner(sql)
    if owner is not None:
        sql.run("INSERT INTO owner (one, name) VALUES (1, :name)", name=owner)
