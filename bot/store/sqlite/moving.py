"""Move a bot's data to another installation: the database, its key and the key's mark, as one stream.

The source is then marked as moved, so that no bot starts on it by mistake. Hands aren't cancelled, because they
continue only in the new place.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from bot.base.installation import COMMAND
from bot.base.plurals import counted
from bot.model.beats import Epoch
from bot.store import StoreError, StoreUnavailableError
from bot.store.beat_mark import BeatMark
from bot.store.disk import require_regular_file
from bot.store.inspection import Content
from bot.store.owner import MOVED, PLAYGROUND, described, is_used, owner_of, set_owner, without_move
from bot.store.sqlite.backup import content_of, free_name
from bot.store.sqlite.copy_mark import PART, beside
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.errors import damaged, translate_error
from bot.store.sqlite.files import copy, finish, locked, make_folder, put_in_place, quick_check, reading, remove
from bot.store.sqlite.files import mark as mark_as_copy
from bot.store.sqlite.migrate import numbered, require_known_schema
from bot.store.sqlite.move_stream import KEY, MARK, Incoming, incoming, origin_of, write
from bot.store.transaction import Tx
from bot.store.vault import SeedVault, find_missing_keys, in_words, merge_keys

_REPLACE = "run the whole line again with `move-in --replace`"
"""A remedy that works for a pipe, a file and `sudo -u`: just `move-in --replace` would have nothing to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveOutResult:
    """Result of a move out. ``again`` is True if the database was moved out before."""

    content: Content
    again: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedDatabase:
    """The database that a move in replaced. ``content`` is None if it can't be read."""

    aside: Path
    content: Content | None
    moved_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveInResult:
    """Result of a move in. ``former`` is None if there was no database."""

    path: Path
    content: Content
    goes_on: bool
    """True if the next start continues running hands; False if it cancels them, as after a restore."""
    former: ReplacedDatabase | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Version:
    """A loaded database and its progress. ``database`` is its id, empty before its bot's first start."""

    content: Content
    database: str
    beats: int
    copied: bool
    """True if the next start treats it as restored from a backup."""
    used: bool
    """False if it was created by a first start and no one has played."""
    epochs: tuple[Epoch, ...]
    """Starts after a restore or a `disown`, oldest first."""

    @property
    def moved_out(self) -> bool:
        return self.content.owner is not None and self.content.owner.startswith(MOVED)

    def is_same(self, other: _Version) -> bool:
        """True if both are states of one database."""
        return bool(self.database) and self.database == other.database

    def is_at(self, other: _Version) -> bool:
        """True if no bot has run between the two."""
        here, there = ((v.beats, v.content.alive_at, v.epochs) for v in (self, other))
        return self.is_same(other) and here == there

    def leads_to(self, other: _Version) -> bool:
        """True if ``other`` continues from this state, according to the data in both.

        If two bots continue from the same state without an epoch, on files copied by hand, the difference isn't
        detected.
        """
        own, later = self.epochs, other.epochs
        if not self.is_same(other) or own != later[: len(own)] or self.beats > other.beats:
            return False
        if own == later:
            return True
        # An epoch that started from an earlier state discards later changes.
        return (self.content.alive_at or 0) <= (later[len(own)].copied_at or 0)


def move_out(path: Path, key_file: Path, stream: IO[bytes], migrations: Path) -> MoveOutResult:
    """Write a stopped bot's data to ``stream``, then keep bots from starting on it here. Raises StoreError or OSError.

    Nothing changes here unless the whole stream was written.
    """
    path = make_folder(path)
    with locked(path):
        finish(path)
        part = beside(path, f".move-out{PART}")
        try:
            with reading(path) as connection:
                _require_intact(connection, path, migrations)
                _require_key(SqliteSql(connection), key_file, path, migrations)
                owner = owner_of(SqliteSql(connection))
                _refuse_playgrounds(path, owner)
                copy(connection, part, marked=False)
            with closing(sqlite3.connect(part, isolation_level=None)) as made:
                # An earlier move out may never have arrived.
                set_owner(SqliteSql(made), without_move(owner))
                content = content_of(_with_rows(made))
            write(stream, origin=origin_of(path), texts=_texts(key_file), database=part)
        finally:
            with suppress(OSError):
                remove(part)
        again = owner is not None and owner.startswith(MOVED)
        if not again:
            _mark_moved(path, owner)
    return MoveOutResult(content=content, again=again)


def _mark_moved(path: Path, owner: str | None) -> None:
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            set_owner(SqliteSql(connection), MOVED + (owner or ""))
    except sqlite3.Error as error:
        raise translate_error(error, path) or error from error


def move_in(
    path: Path, key_file: Path, stream: IO[bytes], migrations: Path, *, now: datetime, replace: bool = False
) -> MoveInResult:
    """Import the data in ``stream`` while this bot is stopped. Raises StoreError.

    After an error, the database is unchanged, or the next start finishes the replacement. Keys may have been added.

    An existing database is kept under another name. Its keys stay in the key file, after the new ones. If its hands
    aren't known to be in the stream, it's replaced only with ``replace``.
    """
    path = make_folder(path)
    with incoming(stream) as arriving:
        # Checked before taking the lock, because `move-out` holds it if both are the same file.
        if arriving.origin is not None and arriving.origin == origin_of(path):
            raise StoreError(
                f"the old place and the new one use the same file, {path}, and nothing was changed. Check "
                f"CHAIPO_DATABASE in the .env of both. To continue here after a `move-out`, run `{COMMAND} "
                "disown`"
            )
        with locked(path):
            finish(path)
            part = beside(path, f".move-in{PART}")
            try:
                return _moved_in(path, part, key_file, arriving, migrations, now=now, replace=replace)
            except OSError as error:
                raise StoreUnavailableError(
                    f"{path} cannot be written ({error.strerror}), and nothing was changed"
                ) from error
            finally:
                with suppress(OSError):
                    remove(part)


def _moved_in(
    path: Path, part: Path, key_file: Path, arriving: Incoming, migrations: Path, *, now: datetime, replace: bool
) -> MoveInResult:
    texts = arriving.save(part)
    with reading(part) as connection:
        _require_intact(connection, part, migrations)
        new = _version(connection)
    there, mark = _version_at(path), BeatMark(key_file)
    _refuse_playgrounds("the input", new.content.owner)
    _require_same_owner(path, new.content.owner, None if there is None else there.content.owner)
    if not replace:
        if there is not None:
            _refuse_played(path, new, there)
        _refuse_older(new, known=mark.known(new.database))
    parted = there is not None and there.is_same(new) and not (there.is_at(new) or there.leads_to(new))
    if parted:
        # Cards dealt in one database may be the next to be dealt in the other.
        mark_as_copy(part)
    merge_keys(key_file, texts[KEY])
    mark.add(texts.get(MARK, ""))
    aside = free_name(path, now)
    kept = path.exists()
    put_in_place(path, part, aside=aside)
    former = None
    if kept:
        content, moved = (None, False) if there is None else (there.content, there.moved_out)
        former = ReplacedDatabase(aside=beside(path, aside), content=content, moved_out=moved)
    goes_on = not (new.copied or parted) and mark.known(new.database) <= new.beats
    return MoveInResult(path=path, content=new.content, goes_on=goes_on, former=former)


def _version(connection: sqlite3.Connection) -> _Version:
    sql = SqliteSql(connection)
    beat = Tx(sql).timers.last_beat()
    return _Version(
        content=content_of(connection),
        database="" if beat is None else beat.database,
        beats=0 if beat is None else beat.count,
        copied=sql.is_copy(),
        used=is_used(sql),
        epochs=Tx(sql).timers.epochs(),
    )


def _version_at(path: Path) -> _Version | None:
    """Return the database in the new place; None if there is none, or it can't be read."""
    try:
        with reading(path) as connection:
            return _version(connection)
    except StoreError:
        return None


def _require_same_owner(path: Path, owner: str | None, present: str | None) -> None:
    """Refuse to replace another owner's database, unless its data was moved out. Raises StoreError."""
    if owner is None or present is None or owner == present or present.startswith(MOVED):
        return
    raise StoreError(
        f"the input is the database of {described(owner)}, but {path} is that of {described(present)}. Check "
        "CHAIPO_DATABASE, or move that file away first"
    )


def _refuse_playgrounds(place: Path | str, owner: str | None) -> None:
    """Refuse to move the playground's database, which a club's bot never starts with. Raises StoreError."""
    if without_move(owner) == PLAYGROUND:
        raise StoreError(
            f"{place} is the database of the playground, which cannot be moved, and nothing was changed. Move "
            "a club's database, or start the bot in the new place without one"
        )


def _refuse_played(path: Path, new: _Version, there: _Version) -> None:
    """Refuse to replace a database unless the stream is known to contain all its data. Raises StoreError."""
    if not there.used or there.is_at(new) or (there.moved_out and there.leads_to(new)):
        return
    both = f"it has {_state(there.content)}, and the input has {_state(new.content)}"
    means_it = f"To use the input, {_REPLACE}, which keeps the database here under another name"
    if not there.is_same(new):
        raise StoreError(f"{path} is another club's database: {both}. Nothing was changed. {means_it}")
    if not new.leads_to(there):
        raise StoreError(
            f"{path} is the same database, but some hands played here may be missing from the input: {both}. "
            f"Nothing was changed. {means_it}"
        )
    since = "has run since" if there.content.hands == new.content.hands else "has played on"
    raise StoreError(
        f"{path} is the same database and {since}: {both}. Nothing was changed. Start the bot here to continue. "
        f"{means_it}. To go back to the old place, run `move-out` here and `move-in` there"
    )


def _refuse_older(new: _Version, *, known: int) -> None:
    """Refuse an older state of a database that the bot has used here since. Raises StoreError."""
    if new.database and known > new.beats:
        raise StoreError(
            "the input is older than the bot's last run on that database here, and nothing was changed. It "
            f"has {_state(new.content)}. To use it anyway, {_REPLACE}"
        )


def _state(content: Content) -> str:
    hands = counted(content.hands, "hand")
    if content.alive_at is None:
        return hands
    return f"{hands}, last at {datetime.fromtimestamp(content.alive_at / 1000, UTC):%Y-%m-%d %H:%M:%S UTC}"


def _with_rows(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.row_factory = sqlite3.Row
    return connection


def _require_intact(connection: sqlite3.Connection, path: Path, migrations: Path) -> None:
    """Refuse a database that is empty, damaged or of a newer version. Raises StoreError."""
    if require_known_schema(SqliteSql(connection), numbered(migrations), place=str(path)) == 0:
        raise StoreError(f"{path} is still empty, so there is nothing to move")
    if damage := quick_check(connection):
        raise damaged(path, damage)


def _require_key(sql: SqliteSql, key_file: Path, path: Path, migrations: Path) -> None:
    """Refuse to move without a key that the database needs. Raises StoreError."""
    if not key_file.exists():
        raise StoreError(f"{key_file} does not exist, but {path} was sealed with it. Restore the key file")
    vault = SeedVault.open(key_file)
    # An older schema may store seeds elsewhere. The bot checks the keys when it starts in the new place.
    if require_known_schema(sql, numbered(migrations), place=str(path)) < len(numbered(migrations)):
        return
    if lacks := find_missing_keys(sql, vault):
        raise StoreError(
            f"{key_file} lacks a key that {path} was sealed with ({in_words(lacks)}). Restore its line, or "
            f"run `{COMMAND} lost-key` if the key is lost for good"
        )


def _texts(key_file: Path) -> dict[str, bytes]:
    texts, mark = {KEY: key_file.read_bytes()}, BeatMark(key_file).file
    if mark is not None and mark.exists():
        require_regular_file(mark)
        texts[MARK] = mark.read_bytes()
    return texts
