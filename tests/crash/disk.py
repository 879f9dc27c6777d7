"""A disk under SQLite that records every operation, and can lose power or fail.

It's an apsw file system over the machine's own. The data is in real files. In addition, the disk keeps a list of every
operation, from which :func:`after_power_loss` derives the possible contents after a power failure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

import apsw
from typing_extensions import override

SECTOR = 512
"""A disk writes so many bytes whole or not at all."""
_SYNCS_ITS_FOLDER = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL
"""SQLite syncs the folder with the first sync of such a file."""


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes put into a file."""

    file: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    """A file made as long as this."""

    file: str
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    """A sync of a file, and with ``folder`` of the names in its folder."""

    file: str
    folder: bool


@dataclass(frozen=True, slots=True)
class Create:
    """A new file has a name."""

    file: str


@dataclass(frozen=True, slots=True)
class Delete:
    """A name is gone, at once on the disk too with ``folder``."""

    file: str
    folder: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """Not of the disk: something that a test wants to know the place of."""

    what: str


Operation = Write | Truncate | Sync | Create | Delete | Mark
Fault = Callable[[str], int | None]
"""Called before each operation with a text such as ``write chaipo.db-wal``. An error code makes the operation fail."""


class Disk(apsw.VFS):
    """A file system with a name; leave it with ``with``. ``fault`` may be set at any time."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.name = name
        self.done: list[Operation] = []
        self.fault: Fault | None = None

    def __enter__(self) -> Disk:
        """The disk itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Take it out of the library."""
        self.unregister()

    def mark(self, what: str) -> None:
        """Mark the current position in the list of operations."""
        self.done.append(Mark(what))

    def called(self, what: str, file: str) -> None:
        """A call is about to be made: fail if it shall."""
        code = self.fault and self.fault(f"{what} {Path(file).name}")
        if code:
            raise apsw.exception_for(code)

    @override
    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        """Open a file."""
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or "temp"
        self.called("open", path)
        new = not Path(path).exists()
        file = _File(self, path, name, flags)
        if new:
            self.done.append(Create(Path(path).name))
        return file

    @override
    def xDelete(self, filename: str, syncdir: bool) -> None:
        """Delete a file."""
        self.called("delete", filename)
        super().xDelete(filename, syncdir)
        self.done.append(Delete(Path(filename).name, folder=syncdir))


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, path: str, name: Any, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._disk, self._path, self._name = disk, path, Path(path).name
        self._syncs_folder = bool(flags[0] & _SYNCS_ITS_FOLDER)

    @override
    def xRead(self, amount: int, offset: int) -> bytes:
        self._disk.called("read", self._path)
        return super().xRead(amount, offset)

    @override
    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.called("write", self._path)
        super().xWrite(data, offset)
        self._disk.done.append(Write(self._name, offset, bytes(data)))

    @override
    def xTruncate(self, newsize: int) -> None:
        self._disk.called("truncate", self._path)
        super().xTruncate(newsize)
        self._disk.done.append(Truncate(self._name, newsize))

    @override
    def xSync(self, flags: int) -> None:
        self._disk.called("sync", self._path)
        # The real file needn't reach the real disk, because only the list counts.
        self._disk.done.append(Sync(self._name, folder=self._syncs_folder))

    @override
    def xFileSize(self) -> int:
        self._disk.called("size", self._path)
        return super().xFileSize()

    @override
    def xLock(self, level: int) -> None:
        self._disk.called("lock", self._path)
        super().xLock(level)


# possible contents after a power failure


@dataclass(slots=True)
class _Content:
    """A file's content: the synced part, and the operations since."""

    safe: bytearray = field(default_factory=bytearray)
    waiting: list[Write | Truncate] = field(default_factory=list)

    def sync(self) -> None:
        for operation in self.waiting:
            _apply(self.safe, operation)
        self.waiting.clear()

    def after(self, keep: Callable[[Write | Truncate], Iterable[Write | Truncate]]) -> bytes:
        """The content when of each operation that waits only what ``keep`` returns is done."""
        content = bytearray(self.safe)
        for operation in self.waiting:
            for part in keep(operation):
                _apply(content, part)
        return bytes(content)


def _apply(content: bytearray, operation: Write | Truncate) -> None:
    if isinstance(operation, Truncate):
        del content[operation.size :]
        content.extend(bytes(operation.size - len(content)))
        return
    content.extend(bytes(max(0, operation.offset - len(content))))
    content[operation.offset : operation.offset + len(operation.data)] = operation.data


class Platter:
    """A disk that executes operations in order. Its power can be cut between any two of them."""

    def __init__(self) -> None:
        self._names: dict[str, _Content] = {}
        self._safe_names: dict[str, _Content] = {}

    def do(self, operation: Operation) -> None:
        """Do the next operation."""
        match operation:
            case Create():
                self._names[operation.file] = _Content()
            case Delete():
                self._names.pop(operation.file, None)
                if operation.folder:
                    self._safe_names = dict(self._names)
            case Write() | Truncate():
                self._names[operation.file].waiting.append(operation)
            case Sync():
                self._names[operation.file].sync()
                if operation.folder:
                    self._safe_names = dict(self._names)
            case Mark():
                pass

    def as_it_is(self) -> dict[str, bytes]:
        """The files as a program sees them, and as they stay when it is killed."""
        return {name: content.after(_whole) for name, content in self._names.items()}

    def after_power_loss(self, chance: Random) -> dict[str, bytes]:
        """Return the files after a power failure now. Each unsynced operation is done fully, partly or not at all."""
        files = {}
        for name in {**self._safe_names, **self._names}:
            names = chance.choice((self._safe_names, self._names))
            if name in names:
                files[name] = names[name].after(lambda operation: _survives(operation, chance))
        return files


def _whole(operation: Write | Truncate) -> Sequence[Write | Truncate]:
    return [operation]


def _survives(operation: Write | Truncate, chance: Random) -> Sequence[Write | Truncate]:
    fate = chance.randrange(3)
    if fate == 0:
        return []
    if fate == 1 or isinstance(operation, Truncate):
        return [operation]
    return [sector for sector in _sectors(operation) if chance.random() < 0.5]


def _sectors(write: Write) -> Iterable[Write]:
    """Return the parts of a write that reach the disk separately."""
    start, end = write.offset, write.offset + len(write.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield Write(write.file, start, write.data[start - write.offset : stop - write.offset])
        start = stop
