"""The vault seals the seeds of decks with a key that is stored outside the database and its backups.

A sealed seed is ``key id (8) || nonce (12) || AES-256-GCM of the seed, with its tag (32 + 16)``. The hand's id is
authenticated with it, so the seed of one hand can't be opened as that of another. The key file holds one key of 64 hex
digits per line. The first key seals, and all keys open. A line ``# lost: ID`` marks a key as permanently lost.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import re
import secrets
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from typing_extensions import override

from bot.base.file_rights import owned_by_another
from bot.base.installation import COMMAND
from bot.model.errors import SeedLostError
from bot.pure.ofc.deck import SEED_BYTES
from bot.store import StoreError
from bot.store.disk import require_regular_file, sync_folder, waiting, whole, write_whole
from bot.store.former_names import todays_names
from bot.store.sql import Sql

KEY_BYTES = 32
KEY_ID_BYTES = 8
NONCE_BYTES = 12
SEALED_BYTES = KEY_ID_BYTES + NONCE_BYTES + SEED_BYTES + 16

_HEADER = "# The key to the decks of hands in play. Keep it secret, and apart from the database's backups."
_LOST = "# lost: "
_MARKING = b"chaipo: people who were deleted"

_log = logging.getLogger(__name__)


class SeedDecryptionError(SeedLostError):  # play decides what happens to the hand
    """A sealed seed can't be opened, because its key is missing or the seed was changed."""


class SeedVault:
    """Seals and opens seeds. Its repr shows neither keys nor seeds."""

    def __init__(self, keys: Sequence[bytes], *, lost: Collection[bytes] = ()) -> None:
        """Take ``keys`` of 32 bytes each, the current one first. ``lost`` contains the ids of permanently lost keys."""
        self._ciphers = {_key_id(key): AESGCM(key) for key in keys}
        self._current = _key_id(keys[0])
        # Each use derives its own key, so that one reveals nothing about the other.
        self._marking = [hmac.digest(key, _MARKING, "sha256") for key in keys]
        self._lost = frozenset(lost)

    @classmethod
    def open(cls, key_file: Path, *, database: Path | None = None) -> SeedVault:
        """Return the vault of a key file. Raises StoreError with a message for the operator.

        Creates the file if it's missing, unless ``database`` exists, because its seeds were sealed with the missing
        key.
        """
        require_regular_file(key_file)
        try:
            if not key_file.exists():
                _refuse_new_key(key_file, database)
                _make(key_file)
            lines = _lines(key_file)
            _warn_of_strangers(key_file)
        except OSError as error:
            raise _inaccessible(key_file, error) from error
        return cls(list(_keys(lines, key_file)), lost=list(_lost_ids(lines)))

    def lacks(self, seeds: Iterable[bytes]) -> list[bytes]:
        """Return the key ids of ``seeds`` whose key is neither in the file nor marked as lost."""
        ids = (sealed[:KEY_ID_BYTES] for sealed in seeds if len(sealed) == SEALED_BYTES)
        return [number for number in ids if number not in self._ciphers and number not in self._lost]

    def new_seed(self) -> bytes:
        """Return 32 random bytes from the system's cryptographic source."""
        return secrets.token_bytes(SEED_BYTES)

    def seal(self, seed: bytes, *, hand_id: str) -> bytes:
        """Return the seed sealed for storage."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        nonce = secrets.token_bytes(NONCE_BYTES)
        return self._current + nonce + self._ciphers[self._current].encrypt(nonce, seed, hand_id.encode())

    def marks(self, text: str) -> list[bytes]:
        """Return keyed hashes of a text, one per key. The current key's hash comes first."""
        return [hmac.digest(key, text.encode(), "sha256") for key in self._marking]

    def unseal(self, sealed: bytes, *, hand_id: str) -> bytes:
        """Return the opened seed; raises SeedDecryptionError (a SeedLostError)."""
        key_id, nonce = sealed[:KEY_ID_BYTES], sealed[KEY_ID_BYTES : KEY_ID_BYTES + NONCE_BYTES]
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise SeedDecryptionError(f"the key that sealed the seed of {hand_id} is not in the key file")
        try:
            return cipher.decrypt(nonce, sealed[KEY_ID_BYTES + NONCE_BYTES :], hand_id.encode())
        except (InvalidTag, ValueError):
            raise SeedDecryptionError(f"the sealed seed of {hand_id} is damaged") from None

    @override
    def __repr__(self) -> str:
        return f"<SeedVault with {len(self._ciphers)} keys>"


def add_key(key_file: Path) -> None:
    """Create a new key, which seals from the next start on. Existing keys can still open. Raises StoreError."""
    require_regular_file(key_file)
    try:
        lines = [_HEADER]
        if key_file.exists():
            lines = _lines(key_file)
            # Don't add a key to a file that is here by mistake and contains no key.
            list(_keys(lines, key_file))
        first = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
        write_whole(key_file, [*lines[:first], secrets.token_hex(KEY_BYTES), *lines[first:]])
    except OSError as error:
        raise _inaccessible(key_file, error) from error


def merge_keys(key_file: Path, text: str) -> None:
    """Insert the lines of another key file at the top, so that its first key seals. Existing keys can still open.

    Raises StoreError without having changed anything.
    """
    require_regular_file(key_file)
    moved = text.splitlines()
    list(_keys(moved, Path("the key that was read")))
    try:
        there = _lines(key_file) if key_file.exists() else []
        write_whole(key_file, [*moved, *(line for line in there if line not in moved)])
    except OSError as error:
        raise _inaccessible(key_file, error) from error


def give_up_keys(key_file: Path, ids: Collection[bytes]) -> None:
    """Mark keys as permanently lost. Creates a key file if there is none. Raises StoreError."""
    if not key_file.exists():
        add_key(key_file)
    try:
        write_whole(key_file, [*_lines(key_file), *(f"{_LOST}{number.hex()}" for number in sorted(ids))])
    except OSError as error:
        raise _inaccessible(key_file, error) from error


def _lines(key_file: Path) -> list[str]:
    try:
        return key_file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise _malformed(str(key_file)) from None


def _lost_ids(lines: Sequence[str]) -> Iterator[bytes]:
    for line in lines:
        if found := re.fullmatch(rf"{_LOST}([0-9a-f]{{{2 * KEY_ID_BYTES}}})\s*", line):
            yield bytes.fromhex(found[1])


def _refuse_new_key(key_file: Path, database: Path | None) -> None:
    if database is None or not (waiting(database) or (database.exists() and database.stat().st_size)):
        return
    raise StoreError(
        f"{key_file} does not exist, but {database} was sealed with it. Restore the key file, or run `{COMMAND} "
        "lost-key` if it is lost for good"
    )


def _inaccessible(key_file: Path, error: OSError) -> StoreError:
    remedy = (
        owned_by_another(key_file)
        or "give the bot's user permission to read and write it, or name another path for the key"
    )
    return StoreError(f"{key_file} cannot be read or created ({error.strerror}): {remedy}")


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
    # The line isn't shown, because it may contain most of a key.
    return StoreError(
        f"{place} does not contain a key of {2 * KEY_BYTES} hex digits. Restore the right file, or, if it is "
        f"lost for good, move it away and run `{COMMAND} lost-key`"
    )


def _make(key_file: Path) -> None:
    """Create the key file atomically. If another process has just created one, keep that one."""
    key_file.parent.mkdir(parents=True, exist_ok=True)
    new = whole(key_file, [_HEADER, secrets.token_hex(KEY_BYTES)])
    try:
        # Unlike a rename, a link never replaces a file.
        with suppress(FileExistsError):
            os.link(new, key_file)
            _log.info("created the key in %s. Back it up, separately from the database", key_file)
    finally:
        new.unlink()
    sync_folder(key_file.parent)


def _warn_of_strangers(key_file: Path) -> None:
    if os.name == "posix" and key_file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        _log.warning("%s is readable by other users on this machine. Run chmod 600 on it", key_file)


# Sealed seeds that a database still needs. Without their keys, the hands and events they belong to can't continue.

NEEDED: Mapping[str, str] = {
    "hands in play": """
SELECT h.sealed_seed FROM game_table t
JOIN hand h ON h.guild_id = t.guild_id AND h.table_id = t.table_id AND h.hand_no = t.hand_no
WHERE t.state <> 'closed' AND h.state = 'playing'
""",
    "next decks": "SELECT sealed_seed FROM game_table WHERE state <> 'closed'",
    # The seed of the draw is public after the draw. All decks of a duplicate event derive from one seed.
    "seeds of events": """
SELECT sealed_seed FROM event WHERE phase IN ('registering', 'check_in')
UNION ALL SELECT board_sealed FROM event
    WHERE phase IN ('registering', 'check_in', 'running') AND LENGTH(board_sealed) > 0
""",
    "hands of a day": "SELECT sealed_seed FROM challenge WHERE seed IS NULL AND lost = 0",
}
"""Queries for needed seeds, keyed by their use."""


def find_missing_keys(sql: Sql, vault: SeedVault) -> dict[str, list[bytes]]:
    """Return the ids of missing keys, one per seed, keyed by the seeds' use."""
    with todays_names(sql):
        found = {
            what: vault.lacks(row["sealed_seed"] for row in sql.all(statement)) for what, statement in NEEDED.items()
        }
    return {what: ids for what, ids in found.items() if ids}


def in_words(lacks: Mapping[str, list[bytes]]) -> str:
    """Return the number of seeds per use as text."""
    return ", ".join(f"{what}: {len(ids):,}" for what, ids in lacks.items())
