"""The fingerprint of a commitment, which people compare with a record."""

from __future__ import annotations

from base64 import b32encode

FINGERPRINT = 26
"""Characters of a fingerprint: 130 bits."""


def fingerprint(digest: bytes) -> str:
    """The fingerprint of a commitment: its first 130 bits as 26 lower-case letters and digits (base32 of RFC 4648)."""
    return b32encode(digest).decode().lower()[:FINGERPRINT]
