"""Moving to another installation: what `move-out` writes and `move-in` reads, and how both refuse."""

from __future__ import annotations

import io
import shutil
import sqlite3
import stat
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.store import StoreError
from bot.store.disk import BeatMark
from bot.store.owner import claim, owner_of, set_owner
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import locked
from tests.store.played_databases import played, put_key
from tests.test_upkeep import Capture, damage, refusal, said

APPLICATION, ANOTHER = "1001", "1002"
MARKED = "# marks\n0123456789abcdef 7\n"
INCOMPLETE = (
    "what was read is not complete, and nothing was changed: run `move-out` in the old place, and look at what it says"
)

Settle = Callable[[Path], None]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The folder in which a club was tried, with an evening in it."""
    folder = tmp_path / "old"
    folder.mkdir()
    played("tables", folder / "chaipo.db")
    put_key("tables", folder / "chaipo.key")
    (folder / "chaipo.key.mark").write_text(MARKED)
    own(folder / "chaipo.db", APPLICATION)
    return folder


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """The folder of the service, where nothing has run yet."""
    return tmp_path / "new" / "var"


@pytest.fixture
def settle(monkeypatch: pytest.MonkeyPatch) -> Settle:
    """Run commands for the bot of a folder from now on."""

    def chosen(folder: Path) -> None:
        monkeypatch.setenv("CHAIPO_DATABASE", str(folder / "chaipo.db"))
        monkeypatch.setenv("CHAIPO_KEY_FILE", str(folder / "chaipo.key"))

    return chosen


def own(path: Path, owner: str | None) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        set_owner(SqliteSql(connection), owner)


def owner(path: Path) -> str | None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        return owner_of(SqliteSql(connection))


def rows(path: Path) -> list[str]:
    """All that a database holds, but for whose it is."""
    with closing(sqlite3.connect(path)) as connection:
        return sorted(line for line in connection.iterdump() if '"owner"' not in line)


def moved_out(capsys: Capture, file: Path) -> str:
    """Move out into a file; returns what is said of it."""
    assert main(["move-out", str(file)]) == 0
    answer = capsys.readouterr()
    assert answer.out == ""
    return answer.err


def test_the_evening_goes_on_in_the_new_place(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    before = rows(old / "chaipo.db")
    settle(old)
    text = moved_out(capsys, tmp_path / "moved")
    assert text.startswith(f"{old / 'chaipo.db'} was moved out: 2 open tables, 3 hands (1 in play), 50,000 chips")
    assert stat.S_IMODE((tmp_path / "moved").stat().st_mode) == 0o600
    settle(new)
    text = said(capsys, "move-in", tmp_path / "moved")
    assert text.startswith(
        f"{new / 'chaipo.db'} is now the database that was moved: 2 open tables, 3 hands (1 in play)"
    )
    assert "kept as" not in text
    assert rows(new / "chaipo.db") == before
    assert owner(new / "chaipo.db") == APPLICATION
    assert (new / "chaipo.key").read_text() == (old / "chaipo.key").read_text()
    assert BeatMark(new / "chaipo.key").all() == {"0123456789abcdef": 7}
    assert {stat.S_IMODE((new / name).stat().st_mode) for name in ("chaipo.db", "chaipo.key")} == {0o600}
    assert said(capsys, "check").endswith(", as of 2027-01-15 08:00:12 UTC).\n")
    assert sorted(file.name for file in new.iterdir()) == [
        "chaipo.db",
        "chaipo.db.lock",
        "chaipo.key",
        "chaipo.key.mark",
    ]


def test_it_goes_through_a_pipe(monkeypatch: pytest.MonkeyPatch, old: Path, new: Path, settle: Settle) -> None:
    settle(old)
    written = io.TextIOWrapper(stream := io.BytesIO())
    monkeypatch.setattr(sys, "stdout", written)
    assert main(["move-out"]) == 0
    settle(new)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stream.getvalue())))
    assert main(["move-in"]) == 0
    assert owner(new / "chaipo.db") == APPLICATION


def test_no_bot_starts_on_what_was_moved_out(capsys: Capture, old: Path, settle: Settle, tmp_path: Path) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    path = old / "chaipo.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        with pytest.raises(StoreError, match=r"was moved to another installation .* `python -m bot disown` to go on"):
            claim(SqliteSql(connection), owner=APPLICATION, place=str(path))
    assert said(capsys, "disown").startswith(f"{path} is used here again")
    assert owner(path) is None


def test_it_can_be_moved_out_again_where_it_did_not_arrive(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "lost")
    moved_out(capsys, tmp_path / "moved")
    settle(new)
    said(capsys, "move-in", tmp_path / "moved")
    assert owner(new / "chaipo.db") == APPLICATION


def test_an_empty_database_of_a_first_start_makes_room(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    new.mkdir(parents=True)
    played("events", new / "chaipo.db")
    put_key("events", new / "chaipo.key")
    own(new / "chaipo.db", APPLICATION)
    (new / "chaipo.key.mark").write_text("0123456789abcdef 9\nfedcba9876543210 3\n")
    former, key = rows(new / "chaipo.db"), (new / "chaipo.key").read_text()
    settle(new)
    text = said(capsys, "move-in", tmp_path / "moved")
    (aside,) = new.glob("chaipo.db.before-*Z")
    assert f"The database that was here is kept as {aside}.\n" in text
    assert rows(aside) == former
    keys = (new / "chaipo.key").read_text()
    assert keys.startswith((old / "chaipo.key").read_text())
    assert all(line in keys.splitlines() for line in key.splitlines())
    assert BeatMark(new / "chaipo.key").all() == {"0123456789abcdef": 9, "fedcba9876543210": 3}


def test_an_older_database_is_moved_too(capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path) -> None:
    damage(old / "chaipo.db", "PRAGMA user_version = 1")
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    settle(new)
    assert "(schema 1," in said(capsys, "move-in", tmp_path / "moved")


# Refusals


def untouched(new: Path) -> bool:
    """True if nothing but a lock is there."""
    return not new.exists() or [file.name for file in new.iterdir()] == ["chaipo.db.lock"]


def test_a_running_bot_is_not_moved(capsys: Capture, old: Path, settle: Settle, tmp_path: Path) -> None:
    settle(old)
    with locked(old / "chaipo.db"):
        text = refusal(capsys, "move-out", tmp_path / "moved")
    assert text == f"{old / 'chaipo.db'} is open in another running bot: stop that one first"
    assert not (tmp_path / "moved").exists()
    assert owner(old / "chaipo.db") == APPLICATION


def test_a_running_bot_gets_no_other_database(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    settle(new)
    new.mkdir(parents=True)
    with locked(new / "chaipo.db"):
        text = refusal(capsys, "move-in", tmp_path / "moved")
    assert text == f"{new / 'chaipo.db'} is open in another running bot: stop that one first"
    assert untouched(new)


def test_nothing_is_moved_without_its_key(capsys: Capture, old: Path, settle: Settle, tmp_path: Path) -> None:
    settle(old)
    put_key("events", old / "chaipo.key")
    assert re_said(refusal(capsys, "move-out", tmp_path / "moved")).startswith("chaipo.key lacks a key that chaipo.db")
    (old / "chaipo.key").unlink()
    assert re_said(refusal(capsys, "move-out", tmp_path / "moved")).startswith("chaipo.key is not there")
    assert not (tmp_path / "moved").exists()
    assert owner(old / "chaipo.db") == APPLICATION


def re_said(text: str) -> str:
    """The sentence with the files' names alone."""
    return " ".join(word.rsplit("/", 1)[-1] for word in text.split(" "))


def test_where_nothing_was_played_nothing_is_moved(capsys: Capture, new: Path, settle: Settle, tmp_path: Path) -> None:
    settle(new)
    assert refusal(capsys, "move-out", tmp_path / "moved") == (
        f"{new / 'chaipo.db'} is not there: name the file of a database"
    )


def test_another_applications_database_stays(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    new.mkdir(parents=True)
    played("events", new / "chaipo.db")
    put_key("events", new / "chaipo.key")
    own(new / "chaipo.db", ANOTHER)
    before = rows(new / "chaipo.db"), (new / "chaipo.key").read_text()
    settle(new)
    text = refusal(capsys, "move-in", tmp_path / "moved")
    assert text.startswith(f"what was read is a copy of the database of the application {APPLICATION}, and ")
    assert (rows(new / "chaipo.db"), (new / "chaipo.key").read_text()) == before
    assert owner(new / "chaipo.db") == ANOTHER


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.9])
def test_half_of_it_is_refused(
    kept: float, capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    """A pipe whose writer failed ends early."""
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    whole = (tmp_path / "moved").read_bytes()
    (tmp_path / "half").write_bytes(whole[: int(kept * len(whole))])
    settle(new)
    assert refusal(capsys, "move-in", tmp_path / "half") == INCOMPLETE
    assert untouched(new)


def test_a_damaged_database_is_refused(capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    content = bytearray((tmp_path / "moved").read_bytes())
    at = content.index(b"SQLite format 3")
    content[at + 4096 : at + 3 * 4096] = bytes(2 * 4096)
    (tmp_path / "moved").write_bytes(content)
    settle(new)
    assert "is damaged" in refusal(capsys, "move-in", tmp_path / "moved")
    assert untouched(new)


@pytest.mark.parametrize("names", [("database",), ("key",), ("../chaipo.db",), ("key", "database", "secrets")])
def test_another_archive_is_refused(
    names: tuple[str, ...], capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    with tarfile.open(tmp_path / "moved", "w") as archive:
        for name in names:
            archive.add(old / ("chaipo.key" if name == "key" else "chaipo.db"), name)
    settle(new)
    refused = ("what was read is not complete", "what was read was not made by `move-out`")
    assert refusal(capsys, "move-in", tmp_path / "moved").startswith(refused)
    assert untouched(new)
    assert not (new.parent / "chaipo.db").exists()


def test_no_room_is_refused(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    settle(new)
    usage = shutil.disk_usage(tmp_path)._replace(free=100)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert "there is no room left" in refusal(capsys, "move-in", tmp_path / "moved")
    assert untouched(new)


def test_files_that_are_there_are_not_overwritten(capsys: Capture, old: Path, settle: Settle, tmp_path: Path) -> None:
    settle(old)
    (tmp_path / "moved").write_text("mine")
    assert refusal(capsys, "move-out", tmp_path / "moved") == (
        f"{tmp_path / 'moved'} is there already: name a file that does not exist yet"
    )
    assert (tmp_path / "moved").read_text() == "mine"
    assert refusal(capsys, "move-in", tmp_path / "none").endswith("name the file that `move-out` wrote")


def test_a_server_is_moved_otherwise(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAIPO_DATABASE", "postgresql://chaipo:secret@db.example.org/chaipo")
    for command in ("move-out", "move-in"):
        text = refusal(capsys, command)
        assert "copy the database with `python -m bot move`" in text
        assert "secret" not in text
