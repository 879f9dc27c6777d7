"""Stream format between ``move-out`` and ``move-in``: a tar archive of header, key, mark, database and digest.

The header identifies the source database, so that it isn't moved into itself. The digest reveals changed bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Protocol

from bot.store import StoreError, StoreFullError
from bot.store.sqlite.copy_mark import beside
from bot.store.sqlite.files import remove

KEY, MARK = "key", "mark"
_HEADER, _DATABASE, _DIGEST = "move-out", "database", "digest"
_FORMAT: Final = 2
_MAX_TEXT = 1_000_000
"""Maximum bytes of an entry that isn't the database."""
_BLOCK = 2**20
_INCOMPLETE = (
    "the input is not complete, and nothing was changed. Run `move-out` in the old place, and check its output"
)
_NOT_OURS = "the input was not made by `move-out`, and nothing was changed"


class Hasher(Protocol):
    """A hash from ``hashlib``."""

    def update(self, data: bytes, /) -> None: ...


def origin_of(path: Path) -> str | None:
    """Return an id for the database at ``path`` on this machine, based on its lock file; None if it was never locked.

    Opening the lock file never changes it, and a copy on another machine is a different file.
    """
    try:
        found = beside(path, ".lock").stat()
    except OSError:
        return None
    return hashlib.sha256(f"{found.st_dev} {found.st_ino} {found.st_mtime_ns}".encode()).hexdigest()


def write(stream: IO[bytes], *, origin: str | None, texts: dict[str, bytes], database: Path) -> None:
    """Write the whole stream. Raises OSError."""
    digest = hashlib.sha256()
    header = json.dumps({"format": _FORMAT, "origin": origin}).encode()
    with tarfile.open(fileobj=stream, mode="w|") as archive:
        for name, content in {_HEADER: header, **texts}.items():
            _add(archive, name, content)
            _count(digest, name, len(content), io.BytesIO(content))
        with database.open("rb") as file:
            entry = tarfile.TarInfo(_DATABASE)
            entry.size = database.stat().st_size
            _count(digest, _DATABASE, entry.size, file)
            file.seek(0)
            archive.addfile(entry, file)
        _add(archive, _DIGEST, digest.hexdigest().encode())
    stream.flush()


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def _count(digest: Hasher, name: str, size: int, content: IO[bytes]) -> None:
    digest.update(f"{name} {size}\n".encode())
    while block := content.read(_BLOCK):
        digest.update(block)


class Incoming:
    """A stream whose header has been read."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self._entries = iter(archive)
        self._digest = hashlib.sha256()
        entry = next(self._entries, None)
        if entry is None:
            raise StoreError(_INCOMPLETE)
        if entry.name == KEY:
            raise _another_version()
        if entry.name != _HEADER:
            raise StoreError(_NOT_OURS)
        self.origin = self._origin(self._text(entry))

    def save(self, part: Path) -> dict[str, str]:
        """Write the database into ``part``, and return the other texts by name. Raises StoreError or OSError."""
        texts: dict[str, str] = {}
        remove(part)
        for entry in self._entries:
            # Names in the archive are never used as paths, because it may come from anywhere.
            if entry.name == _DIGEST:
                return self._require_digest(entry, texts, part)
            if entry.name == _DATABASE:
                self._save(entry, part)
            elif entry.name in (KEY, MARK):
                texts[entry.name] = self._text(entry).decode("utf-8", errors="replace")
            else:
                raise StoreError(_NOT_OURS)
        raise StoreError(_INCOMPLETE)

    def _origin(self, header: bytes) -> str | None:
        try:
            found = json.loads(header)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("format") != _FORMAT:
            raise _another_version()
        return found.get("origin")

    def _require_digest(self, entry: tarfile.TarInfo, texts: dict[str, str], part: Path) -> dict[str, str]:
        expected = self._digest.hexdigest()
        if self._text(entry) != expected.encode():
            raise StoreError(
                "the input is damaged, because its digest differs, and nothing was changed. Copy it again, "
                "or run `move-out` again"
            )
        if KEY not in texts or not part.exists():
            raise StoreError(_NOT_OURS)
        return texts

    def _content(self, entry: tarfile.TarInfo) -> IO[bytes]:
        content = self._archive.extractfile(entry)
        if content is None:
            raise StoreError(_NOT_OURS)
        return content

    def _text(self, entry: tarfile.TarInfo) -> bytes:
        if entry.size > _MAX_TEXT:
            raise StoreError(_NOT_OURS)
        text = self._content(entry).read()
        _count(self._digest, entry.name, entry.size, io.BytesIO(text))
        return text

    def _save(self, entry: tarfile.TarInfo, part: Path) -> None:
        content, free = self._content(entry), shutil.disk_usage(part.parent).free
        if free < entry.size:
            raise StoreFullError(
                f"there is no space left for {part}. It needs {entry.size:,} bytes, but {free:,} are free"
            )
        self._digest.update(f"{entry.name} {entry.size}\n".encode())
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            while block := content.read(_BLOCK):
                self._digest.update(block)
                file.write(block)
        if part.stat().st_size != entry.size:
            raise StoreError(_INCOMPLETE)


@contextmanager
def incoming(stream: IO[bytes]) -> Iterator[Incoming]:
    """Read the header of a stream. Raises StoreError, even for read errors inside the block."""
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            yield Incoming(archive)
    except (tarfile.TarError, EOFError) as error:
        raise StoreError(_INCOMPLETE) from error


def _another_version() -> StoreError:
    return StoreError(
        "the input was made by another version of `move-out`, and nothing was changed. Install the same "
        "version of the bot in both places, and run `move-out` again"
    )
