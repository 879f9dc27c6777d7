"""The queries of all that is stored, as SQLite and PostgreSQL share them, and the ways in which a store can refuse.

What is SQLite's own (the file, its copies, its migrations) is in ``bot/store/sqlite``, and nobody else names a driver.
"""


class StoreError(Exception):
    """The store cannot be opened; its text is one sentence that tells the operator what to do."""


class StoreForeignError(StoreError):
    """The database is another program's, or of a version that this one can't read."""


class StoreTroubleError(StoreError):  # the world's trouble, which may pass, not an error of the caller
    """The database cannot be used now. What was asked for was not written; what was acknowledged is safe.

    What is not known to be one or the other is a :class:`StoreDoubtError`.
    """


class StoreDoubtError(StoreTroubleError):
    """It is unknown whether the request was written: the server was lost meanwhile, and cannot say it any more."""


class StoreBusyError(StoreTroubleError):
    """Another program holds the database."""


class StoreFullError(StoreTroubleError):
    """There is no room left on the disk."""


class StoreDeniedError(StoreTroubleError):
    """This process's user may not write the database, and another try would be refused in the same way."""


class StoreBrokenError(StoreTroubleError):
    """The disk failed or the file is damaged: to go on would be to guess, so the process should end."""


class StoreDamagedError(StoreBrokenError):
    """The file is damaged, or is no database."""


class StoreOustedError(StoreBrokenError):
    """Other processes have taken over what this one had: it was frozen or cut off, and is to be started again."""
