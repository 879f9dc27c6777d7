"""Fingerprints of commitments, for players to compare with a record."""

from __future__ import annotations

from base64 import b32encode

FINGERPRINT = 26
"""Number of characters in a fingerprint (130 bits)."""


def fingerprint(digest: bytes) -> str:
    """Return the first 130 bits of a commitment as 26 lower-case letters and digits (base32 of RFC 4648)."""
    return b32encode(digest).decode().lower()[:FINGERPRINT]
