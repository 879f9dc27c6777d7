"""The address of a PostgreSQL database, as ``CHAIPO_DATABASE`` gives it."""

from __future__ import annotations

from urllib.parse import urlsplit

POSTGRES = ("postgresql://", "postgres://")
"""How such an address begins."""


def without_password(address: str) -> str:
    """The address as a sentence may name it: who, where, which, and nothing that is secret."""
    parts = urlsplit(address)
    user = f"{parts.username}@" if parts.username else ""
    place = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{user}{place}{parts.path}"
