"""Addresses of PostgreSQL databases, as in ``CHAIPO_DATABASE``."""

from __future__ import annotations

POSTGRES = ("postgresql://", "postgres://")
"""Prefixes of an address."""


def without_password(address: str) -> str:
    """Return the address for messages: user, host and database, without secrets.

    A password may contain characters that break parsing, such as ``/``. So everything between the first colon and the
    last ``@`` is removed, as is everything after a question mark.
    """
    scheme, _, rest = address.partition("://")
    before, at, place = rest.rpartition("@")
    user = before.partition(":")[0]
    shown = place.partition("?")[0].partition("#")[0]
    return f"{scheme}://{user}{at if user else ''}{shown}"
