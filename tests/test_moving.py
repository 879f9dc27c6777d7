"""Moving to another installation: the output of `move-out`, its input by `move-in`, and refusals."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.base.installation import HOME
from bot.store import StoreError, StoreFatalError
from bot.store.beat_mark import BeatMark
from bot.store.owner import PLAYGROUND, claim, owner_of, set_owner
from bot.store.sqlite.database import SqliteDatabase
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.errors import translate_error
from bot.store.sqlite.files import locked
from bot.store.sqlite.move_stream import KEY, write
from bot.store.vault import SeedVault
from tests.databases import do
from tests.file_owners import of_user
from tests.store.played_databases import played, put_key
from tests.test_upkeep import Capture, damage, refusal, said

APPLICATION, ANOTHER = "1001", "1002"
MARKED = "# marks\n0123456789abcdef 7\n"
THE_NEXT_START = "The next start cancels hands in progress and deals new decks"
EVENING = "3 hands, last at 2027-01-15 08:00:12 UTC"
INCOMPLETE = "the input is not complete, and nothing was changed. Run `move-out` in the old place, and check its output"

Settle = Callable[[Path], None]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return the folder of a trial installation with an evening in it."""
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
    """Return all rows of a database except its owner."""
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
        with pytest.raises(
            StoreError, match=r"was moved to another installation .* `python -m bot disown` to continue"
        ):
            claim(SqliteSql(connection), owner=APPLICATION, place=str(path))
    text = said(capsys, "disown")
    assert text.startswith(f"{path} is used here again")
    assert "cancels the hands in play" in text
    assert owner(path) is None


def test_after_disown_the_next_start_deals_anew(capsys: Capture, old: Path, settle: Settle, tmp_path: Path) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    said(capsys, "disown")
    note = f"{old / 'chaipo.db'} was restored from a copy, or kept with `disown`. {THE_NEXT_START}"
    assert main(["check"]) == 0
    assert capsys.readouterr().err == f"{note}.\n"
    assert main(["doctor"]) == 0
    assert f"ok  copy:        {note}\n" in capsys.readouterr().out


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

    async def first_start() -> None:
        database = await SqliteDatabase.open(new / "chaipo.db")
        await database.claim(APPLICATION)
        await database.close()

    asyncio.run(first_start())
    SeedVault.open(new / "chaipo.key")
    settle(new)
    text = said(capsys, "move-in", tmp_path / "moved")
    (aside,) = new.glob("chaipo.db.before-*Z")
    assert f"The database that was here is kept as {aside}. It holds 0 open tables, 0 hands" in text


def test_another_club_in_the_new_place_is_replaced_only_when_that_is_meant(
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
    text = refusal(capsys, "move-in", tmp_path / "moved")
    assert text == (
        f"{new / 'chaipo.db'} is another club's database: it has {EVENING}, and the input has {EVENING}. Nothing "
        "was changed. To use the input, run the whole line again with `move-in --replace`, which keeps the "
        "database here under another name"
    )
    assert rows(new / "chaipo.db") == former
    text = said(capsys, "move-in", "--replace", tmp_path / "moved")
    (aside,) = new.glob("chaipo.db.before-*Z")
    assert "\nHands in progress continue.\n" in text
    assert f"The database that was here is kept as {aside}. It holds 2 open tables, 3 hands" in text
    assert (
        f"To go back: stop the bot and run `python -m bot restore {aside}`. That cancels hands in progress.\n"
    ) in text
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


# Back, and again


CLUB = "fedcba9876543210"
LAST = 1_800_000_012_000
"""When its bot was last seen alive (ms)."""


@pytest.fixture
def known(old: Path) -> Path:
    """Return the same installation after a bot has started on it, which gave the database its id."""
    go_on(old, 5)
    return old


def go_on(folder: Path, beats: int, *, at: int = LAST) -> None:
    """Let the bot of a folder play on until ``at``, so that its database has come so far."""
    do(folder / "chaipo.db", f"UPDATE heartbeat SET database_id = '{CLUB}', beats = {beats}, alive_at = {at}")
    BeatMark(folder / "chaipo.key").note(CLUB, beats)


def test_a_database_that_was_moved_out_can_be_moved_back(
    capsys: Capture, known: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(known)
    moved_out(capsys, tmp_path / "moved")
    settle(new)
    said(capsys, "move-in", tmp_path / "moved")
    go_on(new, 9)
    played_on = rows(new / "chaipo.db")
    moved_out(capsys, tmp_path / "back")
    settle(known)
    text = said(capsys, "move-in", tmp_path / "back")
    (aside,) = known.glob("chaipo.db.before-*Z")
    assert "\nHands in progress continue.\n" in text
    assert f"The database that was here, which was moved out, is kept as {aside}. It holds 2 open tables" in text
    assert (
        f"run `python -m bot restore {aside}`, then `python -m bot disown`. That cancels hands in progress.\n"
    ) in text
    assert owner(known / "chaipo.db") == APPLICATION
    assert rows(known / "chaipo.db") == played_on
    said(capsys, "restore", aside)
    said(capsys, "disown")


def test_a_moved_out_database_of_another_application_makes_room(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    new.mkdir(parents=True)
    played("events", new / "chaipo.db")
    put_key("events", new / "chaipo.key")
    own(new / "chaipo.db", ANOTHER)
    settle(new)
    moved_out(capsys, tmp_path / "other")
    assert "is another club's database" in refusal(capsys, "move-in", tmp_path / "moved")
    said(capsys, "move-in", "--replace", tmp_path / "moved")
    assert owner(new / "chaipo.db") == APPLICATION


def begin_epoch(folder: Path, *, copied_at: int) -> None:
    """Let the bot of a folder have started on a database that was put back."""
    do(
        folder / "chaipo.db",
        f"INSERT INTO epoch (name, copied_at, at) VALUES ('e{copied_at}', {copied_at}, {copied_at + 1})",
    )


def test_a_club_that_went_on_in_both_places_is_replaced_only_when_that_is_meant(
    capsys: Capture, known: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    """The move worked, `disown` let the old place go on as well, and more was played there."""
    settle(known)
    moved_out(capsys, tmp_path / "first")
    settle(new)
    said(capsys, "move-in", tmp_path / "first")
    go_on(new, 9, at=LAST + 10_000)
    settle(known)
    said(capsys, "disown")
    begin_epoch(known, copied_at=LAST)
    go_on(known, 20, at=LAST + 90_000)
    own(known / "chaipo.db", APPLICATION)
    moved_out(capsys, tmp_path / "again")
    before = rows(new / "chaipo.db"), (new / "chaipo.key").read_text()
    settle(new)
    text = refusal(capsys, "move-in", tmp_path / "again")
    assert text == (
        f"{new / 'chaipo.db'} is the same database, but some hands played here may be missing from the input: "
        "it has 3 hands, last at 2027-01-15 08:00:22 UTC, and the input has 3 hands, last at 2027-01-15 08:01:42 "
        "UTC. Nothing was changed. To use the input, run the whole line again with `move-in --replace`, which "
        "keeps the database here under another name"
    )
    assert (rows(new / "chaipo.db"), (new / "chaipo.key").read_text()) == before
    text = said(capsys, "move-in", "--replace", tmp_path / "again")
    assert "The next start cancels hands in progress and deals new decks" in text


def test_what_was_moved_out_stays_if_what_comes_back_was_restored_to_an_earlier_state(
    capsys: Capture, known: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(known)
    moved_out(capsys, tmp_path / "moved")
    settle(new)
    said(capsys, "move-in", tmp_path / "moved")
    begin_epoch(new, copied_at=LAST - 60_000)
    go_on(new, 9, at=LAST + 10_000)
    moved_out(capsys, tmp_path / "back")
    settle(known)
    assert "some hands played here" in refusal(capsys, "move-in", tmp_path / "back")


def test_a_club_that_has_played_on_is_replaced_only_when_that_is_meant(
    capsys: Capture, known: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(known)
    assert "moved out before" not in moved_out(capsys, tmp_path / "first")
    settle(new)
    said(capsys, "move-in", tmp_path / "first")
    settle(known)
    assert "It was moved out before. If the bot has run in the new place since" in moved_out(capsys, tmp_path / "again")
    settle(new)
    assert "\nHands in progress continue.\n" in said(capsys, "move-in", tmp_path / "again"), (
        "nothing was played between"
    )
    go_on(new, 6)
    before = rows(new / "chaipo.db"), (new / "chaipo.key").read_text()
    text = refusal(capsys, "move-in", tmp_path / "again")
    assert text == (
        f"{new / 'chaipo.db'} is the same database and has run since: it has {EVENING}, and the input has "
        f"{EVENING}. Nothing was changed. Start the bot here to continue. To use the input, run the whole line "
        "again with `move-in --replace`, which keeps the database here under another name. To go back to the old "
        "place, run `move-out` here and `move-in` there"
    )
    assert (rows(new / "chaipo.db"), (new / "chaipo.key").read_text()) == before
    do(new / "chaipo.db", "UPDATE hand SET state = 'void' WHERE state = 'undealt'")
    assert "has played on: it has 4 hands" in refusal(capsys, "move-in", tmp_path / "again")
    text = said(capsys, "move-in", "--replace", tmp_path / "again")
    assert "go on" not in text
    assert "The next start cancels hands in progress and deals new decks" in text
    assert "To go back: stop the bot and run" in text


def test_an_older_state_is_known_by_the_mark_where_the_database_is_gone(
    capsys: Capture, known: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(known)
    moved_out(capsys, tmp_path / "moved")
    settle(new)
    said(capsys, "move-in", tmp_path / "moved")
    go_on(new, 6)
    (new / "chaipo.db").unlink()
    assert refusal(capsys, "move-in", tmp_path / "moved").startswith(
        "the input is older than the bot's last run on that database here, and nothing was changed"
    )
    assert not (new / "chaipo.db").exists()


def test_nothing_is_restored_over_what_was_moved_out(
    capsys: Capture, old: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(old)
    said(capsys, "backup", tmp_path / "copy.db")
    moved_out(capsys, tmp_path / "moved")
    before = rows(old / "chaipo.db")
    assert refusal(capsys, "restore", tmp_path / "copy.db") == (
        f"{old / 'chaipo.db'} was moved to another installation with `move-out`, and nothing was changed. Restore "
        f"{tmp_path / 'copy.db'} there, or run `python -m bot disown` first to continue here"
    )
    assert rows(old / "chaipo.db") == before
    said(capsys, "disown")
    said(capsys, "restore", tmp_path / "copy.db")


# Refusals


def untouched(new: Path) -> bool:
    """True if nothing but a lock is there."""
    return not new.exists() or {file.name for file in new.iterdir()} <= {"chaipo.db.lock"}


def test_a_running_bot_is_not_moved(capsys: Capture, old: Path, settle: Settle, tmp_path: Path) -> None:
    settle(old)
    with locked(old / "chaipo.db"):
        text = refusal(capsys, "move-out", tmp_path / "moved")
    assert text == f"{old / 'chaipo.db'} is open in another running bot. Stop that one first"
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
    assert text == f"{new / 'chaipo.db'} is open in another running bot. Stop that one first"
    assert untouched(new)


def test_nothing_is_moved_without_its_key(capsys: Capture, old: Path, settle: Settle, tmp_path: Path) -> None:
    settle(old)
    put_key("events", old / "chaipo.key")
    assert re_said(refusal(capsys, "move-out", tmp_path / "moved")).startswith("chaipo.key lacks a key that chaipo.db")
    (old / "chaipo.key").unlink()
    assert re_said(refusal(capsys, "move-out", tmp_path / "moved")).startswith("chaipo.key does not exist, but")
    assert not (tmp_path / "moved").exists()
    assert owner(old / "chaipo.db") == APPLICATION


def re_said(text: str) -> str:
    """Return the sentence with paths shortened to file names."""
    return " ".join(word.rsplit("/", 1)[-1] for word in text.split(" "))


def test_where_nothing_was_played_nothing_is_moved(capsys: Capture, new: Path, settle: Settle, tmp_path: Path) -> None:
    settle(new)
    assert refusal(capsys, "move-out", tmp_path / "moved") == (
        f"{new / 'chaipo.db'} does not exist, so there is nothing to move. Run this where the bot was running, or "
        "check CHAIPO_DATABASE"
    )
    assert not new.exists()


def test_where_only_the_playground_was_played_it_says_so(
    capsys: Capture, old: Path, settle: Settle, tmp_path: Path
) -> None:
    (old / "chaipo.db").rename(old / "playground.db")
    settle(old)
    assert refusal(capsys, "move-out", tmp_path / "moved") == (
        f"only the playground was used here ({old / 'playground.db'}), and it cannot be moved"
    )
    assert not (tmp_path / "moved").exists()


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
    assert text == (
        f"the input is the database of the application {APPLICATION}, but {new / 'chaipo.db'} is that of the "
        f"application {ANOTHER}. Check CHAIPO_DATABASE, or move that file away first"
    )
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


@pytest.mark.parametrize("entry", ["key", "mark", "database"])
def test_a_changed_byte_is_refused(
    entry: str, capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    with tarfile.open(tmp_path / "moved") as archive:
        at = archive.getmember(entry).offset_data
    content = bytearray((tmp_path / "moved").read_bytes())
    content[at + 20] ^= 1
    (tmp_path / "moved").write_bytes(content)
    settle(new)
    assert refusal(capsys, "move-in", tmp_path / "moved").startswith(
        "the input is damaged, because its digest differs, and nothing was changed"
    )
    assert untouched(new)


def test_both_places_are_not_the_same_file(capsys: Capture, old: Path, settle: Settle) -> None:
    """The `.env` that was brought along names the file of the old place."""
    settle(old)
    out, into = [sys.executable, "-m", "bot", "move-out"], [sys.executable, "-m", "bot", "move-in"]
    with (
        subprocess.Popen(out, cwd=HOME, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as first,
        subprocess.Popen(into, cwd=HOME, stdin=first.stdout, stderr=subprocess.PIPE, text=True) as second,
    ):
        assert first.stdout is not None
        first.stdout.close()
        read, (_, written) = second.communicate()[1], first.communicate()
    assert (second.returncode, first.returncode) == (2, 2)
    assert read.startswith(f"the old place and the new one use the same file, {old / 'chaipo.db'}, and nothing was")
    assert "and nothing was changed" in written
    assert owner(old / "chaipo.db") == APPLICATION
    moved_out(capsys, old / "moved")
    assert "run `python -m bot disown`" in refusal(capsys, "move-in", old / "moved")


def test_files_left_to_root_are_told_with_the_command_that_mends_them(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without ``sudo -u``, in the folder of the service's user."""
    new.parent.mkdir()
    with of_user(0, below=new.parent, folder=54321, monkeypatch=monkeypatch):
        settle(old)
        moved_out(capsys, tmp_path / "moved")
        settle(new)
        assert main(["move-in", str(tmp_path / "moved")]) == 0
    names = ("", "chaipo.db", "chaipo.db.lock", "chaipo.key", "chaipo.key.mark")
    files = " ".join(str(new / name) for name in names)
    assert capsys.readouterr().err == (
        f"{new / 'chaipo.key.mark'} belongs to root, and the folder {new.parent} belongs to 54321. If the bot runs as "
        f"54321, run `sudo chown 54321 {files}` before it starts.\n"
    )


def test_a_database_of_another_user_is_refused_before_anything_changes(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(old)
    moved_out(capsys, tmp_path / "moved")
    new.mkdir(parents=True)
    played("events", new / "chaipo.db")
    put_key("events", new / "chaipo.key")
    (new / "chaipo.db.before-20270101T000000Z").write_text("kept")
    before = (new / "chaipo.db").read_bytes(), (new / "chaipo.key").read_bytes()
    settle(new)
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda path, mode, **_: Path(path).name != "chaipo.db")
        with of_user(54321, below=new, folder=54321, monkeypatch=monkeypatch):
            text = refusal(capsys, "move-in", tmp_path / "moved")
    path = new / "chaipo.db"
    others = " ".join(str(new / f"chaipo{ending}") for ending in (".db.before-20270101T000000Z", ".db.lock", ".key"))
    assert text == (
        f"{path} may not be written (Permission denied): it belongs to root, but the bot runs as 54321: run "
        f"`sudo chown 54321 {path} {others}`"
    )
    assert ((new / "chaipo.db").read_bytes(), (new / "chaipo.key").read_bytes()) == before


def test_the_playgrounds_database_under_the_clubs_name_is_not_moved(
    capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    own(old / "chaipo.db", PLAYGROUND)
    settle(old)
    text = refusal(capsys, "move-out", tmp_path / "moved")
    assert text.startswith(
        f"{old / 'chaipo.db'} is the database of the playground, which cannot be moved, and nothing was"
    )
    assert not (tmp_path / "moved").exists()
    assert owner(old / "chaipo.db") == PLAYGROUND
    with (tmp_path / "written").open("wb") as stream:
        texts = {KEY: (old / "chaipo.key").read_bytes()}
        write(stream, origin=None, texts=texts, database=old / "chaipo.db")
    settle(new)
    text = refusal(capsys, "move-in", tmp_path / "written")
    assert text.startswith(
        "the input is the database of the playground, which cannot be moved, and nothing was changed"
    )
    assert untouched(new)


def test_a_full_disk_is_told_as_such(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite calls it an I/O error if there's no room for its ``-shm``."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    path = old / "chaipo.db"
    assert (
        str(translate_error(error, path))
        == f"the disk of {path} fails (disk I/O error). Check the disk, then try again"
    )
    usage = shutil.disk_usage(old)._replace(free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    found = translate_error(error, path)
    assert str(found) == f"the disk of {path} has no space left (disk I/O error). Free some space, then try again"
    assert isinstance(found, StoreFatalError)


@pytest.mark.parametrize("names", [("database",), ("key",), ("../chaipo.db",), ("key", "database", "secrets")])
def test_another_archive_is_refused(
    names: tuple[str, ...], capsys: Capture, old: Path, new: Path, settle: Settle, tmp_path: Path
) -> None:
    with tarfile.open(tmp_path / "moved", "w") as archive:
        for name in names:
            archive.add(old / ("chaipo.key" if name == "key" else "chaipo.db"), name)
    settle(new)
    refused = ("the input was made by another version of `move-out`", "the input was not made by `move-out`")
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
    assert "there is no space left" in refusal(capsys, "move-in", tmp_path / "moved")
    assert untouched(new)


def test_files_that_are_there_are_not_overwritten(capsys: Capture, old: Path, settle: Settle, tmp_path: Path) -> None:
    settle(old)
    (tmp_path / "moved").write_text("mine")
    assert refusal(capsys, "move-out", tmp_path / "moved") == (f"{tmp_path / 'moved'} already exists. Name a new file")
    assert (tmp_path / "moved").read_text() == "mine"
    assert refusal(capsys, "move-in", tmp_path / "none").endswith("Name the file that `move-out` wrote")


def test_a_server_is_moved_otherwise(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAIPO_DATABASE", "postgresql://chaipo:secret@db.example.org/chaipo")
    for command in ("move-out", "move-in"):
        text = refusal(capsys, command)
        assert "Copy the database with `python -m bot move`" in text
        assert "secret" not in text
