"""The address of a PostgreSQL database, as ``CHAIPO_DATABASE`` gives it."""

from __future__ import annotations

POSTGRES = ("postgresql://", "postgres://")
"""How such an address begins."""


def without_password(address: str) -> str:
    """The address as a sentence may name it: who, where, which, and nothing that is secret.

    A password may be written so that it is not read as one, with a ``/`` for example: so nothing between the first
    colon and the last ``@`` is shown, and nothing of what stands behind a question mark.
    """
    scheme, _, rest = address.partition("://")
    before, at, place = rest.rpartition("@")
    user = before.partition(":")[0]
    shown = place.partition("?")[0].partition("#")[0]
    return f"{scheme}://{user}{at if user else ''}{shown}"
