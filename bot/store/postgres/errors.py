"""PostgreSQL's errors as messages for the operator, and the errors that deserve a retry."""

from __future__ import annotations

import psycopg

from bot.store import StoreBusyError, StoreError, StoreFatalError, StoreFullError, StoreUnavailableError

RUN_AGAIN = frozenset(("40001", "40P01"))
"""Conflicts between transactions in which the server aborted this one."""
ONCE_MORE = "23505"
"""The row already exists. If it was inserted a moment ago, a retry finds it."""
NEVER_WAS = "22023"
"""The transaction id hasn't been assigned yet, because the server lost it in a crash."""
_REFUSED = frozenset(("28000", "28P01", "3D000", "08004"))
_FULL = frozenset(("53100",))
_READ_ONLY = frozenset(("25006",))
_RIGHTS = frozenset(("42501",))
_BUSY = frozenset(("40001", "40P01", "53000", "53200", "53300", "53400", "55P03", "57014", "25P03"))
_BROKEN = frozenset(("58030", "XX001", "XX002"))
_GONE_CLASSES = ("08", "57P")


def connection_lost(error: BaseException) -> bool:
    """True if the connection has ended or couldn't be opened. A new one may work."""
    if not isinstance(error, psycopg.Error):
        return False
    state = error.sqlstate
    if state is None:
        # The driver itself noticed that the server isn't responding.
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return state.startswith(_GONE_CLASSES) or state == "25P03"


def is_read_only(error: BaseException) -> bool:
    """True if the server doesn't accept writes."""
    return isinstance(error, psycopg.Error) and error.sqlstate in _READ_ONLY


def translate_error(error: BaseException, place: str) -> StoreUnavailableError | None:
    """Return the store error for a database error; None if the error is a bug in the bot."""
    if not isinstance(error, psycopg.Error):
        return None
    trouble = _trouble(error, place)
    if trouble is not None:
        trouble.__cause__ = error
    return trouble


def _trouble(error: psycopg.Error, place: str) -> StoreUnavailableError | None:
    state, told = error.sqlstate, first_line(error)
    if state in _FULL:
        return StoreFullError(f"there is no space left for {place}. Free some space on its server's disk")
    if state in _READ_ONLY:
        return StoreUnavailableError(
            f"{place} is read-only, because it is a standby or was set so. Name the primary in CHAIPO_DATABASE "
            "(with several hosts add target_session_attrs=read-write), or make it writable"
        )
    if state in _RIGHTS:
        return StoreUnavailableError(f"{place} cannot be written ({told}): give the bot's user permission to write")
    if state in _BROKEN:
        return StoreFatalError(f"the server of {place} fails ({told}). Check its disk, then start the bot again")
    if state in _BUSY or _has_no_connection_left(error):
        return StoreBusyError(f"{place} is too busy ({told}). Check what else its server is doing")
    if connection_lost(error):
        return StoreUnavailableError(
            f"{place} cannot be reached ({told}). Start its server, or fix the connection to it"
        )
    return None


def translate_refusal(error: psycopg.Error, place: str) -> StoreError:
    """Return the reason why a database can't be opened. Errors that a retry can't fix aren't temporary."""
    if error.sqlstate in _REFUSED or _names_a_refusal(error):
        return StoreError(f"{place} cannot be opened ({first_line(error)}). Check CHAIPO_DATABASE")
    return translate_error(error, place) or StoreError(f"{place} cannot be opened ({first_line(error)}). Report this")


def _names_a_refusal(error: psycopg.Error) -> bool:
    return _says(error, "authentication failed", "does not exist", "no password supplied", "no pg_hba.conf")


def _has_no_connection_left(error: psycopg.Error) -> bool:
    return _says(error, "too many clients", "too many connections", "remaining connection slots")


def _says(error: psycopg.Error, *signs: str) -> bool:
    # libpq has no error codes for failures before a connection exists.
    return error.sqlstate is None and any(sign in str(error) for sign in signs)


def first_line(error: Exception) -> str:
    """Return the first line of an error, without the position in the statement."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
