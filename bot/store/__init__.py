"""Queries shared by SQLite and PostgreSQL, and store errors.

Code specific to SQLite (the file, its copies, its migrations) is in ``bot/store/sqlite``. No other package names a
driver.
"""


class StoreError(Exception):
    """The store can't be opened. The message tells the operator what to do."""


class StoreForeignError(StoreError):
    """The database belongs to another program, or has a version that this one can't read."""


class StoreUnavailableError(StoreError):  # an error of the environment, not of the caller; it may be temporary
    """The database is unavailable. The requested write didn't happen, and acknowledged writes are safe.

    If the outcome is unknown, the error is a :class:`StoreDoubtError`.
    """


class StoreDoubtError(StoreUnavailableError):
    """The outcome of the write is unknown, because the server was lost and can no longer report it."""


class StoreBusyError(StoreUnavailableError):
    """Another program has locked the database."""


class StoreFullError(StoreUnavailableError):
    """The disk is full."""


class StoreDeniedError(StoreUnavailableError):
    """This process's user isn't allowed to write to the database. A retry would fail too."""


class StoreFatalError(StoreUnavailableError):
    """The disk failed or the file is damaged. Continuing isn't safe, so the process should end."""


class StoreDamagedError(StoreFatalError):
    """The file is damaged, or isn't a database."""


class LeaseLostError(StoreFatalError):
    """Other processes have taken over this one's leases, because it was frozen or cut off. Restart it."""
