"""Fingerprints, as they are posted."""

import base64
import hashlib

from bot.text.fingerprint import fingerprint


def test_a_fingerprint_is_130_bits_in_26_letters_and_digits() -> None:
    digest = hashlib.sha256(b"root").digest()
    assert fingerprint(digest) == base64.b32encode(digest).decode()[:26].lower()
    assert len({fingerprint(bytes([n]) * 32) for n in range(256)}) == 256
    assert fingerprint(bytes(32)) == "a" * 26
