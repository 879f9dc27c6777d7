"""What people are shown of a commitment, to compare it with a record."""

from __future__ import annotations

from base64 import b32encode

FINGERPRINT = 26
"""Characters of a fingerprint: 130 bits."""


def fingerprint(digest: bytes) -> str:
    """What is posted of a commitment: its first 130 bits, as 26 letters and digits (base32 of RFC 4648, lower case)."""
    return b32encode(digest).decode().lower()[:FINGERPRINT]
