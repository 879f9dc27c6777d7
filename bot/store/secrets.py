"""The vault: the seeds of decks, sealed with a key that lives outside the database and its backups.

A sealed seed is ``key id (8) || nonce (12) || AES-256-GCM of the seed, with its tag (32 + 16)``. The hand's id is
authenticated with it: the seed of one hand does not open as that of another. The key file holds one key a line, 64 hex
digits; the first seals, all open. To change the key, write a new first line; to destroy what an old key sealed, take
its line out.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from bot.ofc.deck import SEED_BYTES
from bot.play.ports import SeedLostError
from bot.store import StoreError
from bot.store.files import sync_folder

KEY_BYTES = 32
KEY_ID_BYTES = 8
NONCE_BYTES = 12

_HEADER = "# The key to the decks of hands in play. Keep it secret, and apart from the database's backups.\n"

_log = logging.getLogger(__name__)


class SeedLost(SeedLostError):  # what becomes of the hand is play's to say
    """A sealed seed that cannot be opened: its key is gone, or it was changed."""


class SeedVault:
    """Seals seeds and opens them again. Shows neither keys nor seeds."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """``keys`` of 32 bytes each, the current one first."""
        self._ciphers = {_key_id(key): AESGCM(key) for key in keys}
        self._current = _key_id(keys[0])

    @classmethod
    def open(cls, key_file: Path) -> SeedVault:
        """The vault of a key file, which is made when there is none. Raises StoreError, a sentence for the operator."""
        try:
            if not key_file.exists():
                _make(key_file)
            lines = key_file.read_text(encoding="utf-8").splitlines()
            _warn_of_strangers(key_file)
        except OSError as error:
            raise StoreError(
                f"{key_file} cannot be read or made ({error.strerror}): give the bot's user the right to, or name "
                "another path for the key"
            ) from error
        except UnicodeDecodeError:
            raise _malformed(str(key_file)) from None
        return cls(list(_keys(lines, key_file)))

    def new_seed(self) -> bytes:
        """32 secret bytes from the system's source of chance."""
        return secrets.token_bytes(SEED_BYTES)

    def seal(self, seed: bytes, *, hand_id: str) -> bytes:
        """The seed in the form in which it may be stored."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        nonce = secrets.token_bytes(NONCE_BYTES)
        return self._current + nonce + self._ciphers[self._current].encrypt(nonce, seed, hand_id.encode())

    def unseal(self, sealed: bytes, *, hand_id: str) -> bytes:
        """The seed again; raises SeedLost."""
        key_id, nonce = sealed[:KEY_ID_BYTES], sealed[KEY_ID_BYTES : KEY_ID_BYTES + NONCE_BYTES]
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise SeedLost(f"the key that sealed the seed of {hand_id} is not in the key file")
        try:
            return cipher.decrypt(nonce, sealed[KEY_ID_BYTES + NONCE_BYTES :], hand_id.encode())
        except (InvalidTag, ValueError):
            raise SeedLost(f"the sealed seed of {hand_id} is damaged") from None

    def __repr__(self) -> str:
        return f"<SeedVault with {len(self._ciphers)} keys>"


def _key_id(key: bytes) -> bytes:
    return hashlib.sha256(b"chaipo/key\0" + key).digest()[:KEY_ID_BYTES]


def _keys(lines: Sequence[str], key_file: Path) -> Iterator[bytes]:
    found = False
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = True
        yield _key(line.strip(), f"{key_file}, line {number}")
    if not found:
        raise _malformed(str(key_file))


def _key(line: str, place: str) -> bytes:
    with suppress(ValueError):
        key = bytes.fromhex(line)
        if len(key) == KEY_BYTES:
            return key
    raise _malformed(place)


def _malformed(place: str) -> StoreError:
    # The line is not shown: it may be most of a key.
    return StoreError(
        f"{place} does not hold a key of {2 * KEY_BYTES} hex digits: restore the file, or move it away for a new key, "
        "which voids the hands in play"
    )


def _make(key_file: Path) -> None:
    """Make the key file, whole or not at all; one that another process has just made is left as it is."""
    folder = key_file.parent
    folder.mkdir(parents=True, exist_ok=True)
    # Only its owner may read what mkstemp makes.
    number, name = tempfile.mkstemp(prefix=f"{key_file.name}.", dir=folder)
    new = Path(name)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(f"{_HEADER}{secrets.token_hex(KEY_BYTES)}\n")
            file.flush()
            os.fsync(file.fileno())
        # Unlike a rename, a link never replaces a file.
        with suppress(FileExistsError):
            os.link(new, key_file)
            _log.warning("made a new key in %s: back it up, apart from the database", key_file)
    finally:
        new.unlink()
    sync_folder(folder)


def _warn_of_strangers(key_file: Path) -> None:
    if os.name == "posix" and key_file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        _log.warning("%s can be read by others on this machine: run chmod 600 on it", key_file)
