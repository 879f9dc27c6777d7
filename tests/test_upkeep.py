"""The database's maintenance commands: output and exit codes."""

import asyncio
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.run.cli.upkeep import holds
from bot.store.inspection import Content
from bot.store.movements import WAYS
from bot.store.owner import PLAYGROUND
from bot.store.sqlite.copy_mark import COPY_ID
from bot.store.sqlite.database import SqliteDatabase
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import locked
from tests.file_owners import of_user
from tests.store.played_databases import played, put_key

SEALED = "NOT CHECKED: the hands in play, the next decks, the seeds of events and the hands of a day"
ROOT = Path(__file__).resolve().parent.parent

COMMANDS = ("backup", "restore", "check", "disown", "new-key", "lost-key")

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configured database, with its key: a closed table, a running hand, a lobby in another server."""
    folder = tmp_path / "var"
    folder.mkdir()
    path = folder / "chaipo.db"
    played("tables", path)
    put_key("tables", folder / "chaipo.key")
    monkeypatch.setenv("CHAIPO_DATABASE", str(path))
    monkeypatch.setenv("CHAIPO_KEY_FILE", str(folder / "chaipo.key"))
    return path


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a path for a copy."""
    return tmp_path / "copy.db"


def said(capsys: Capture, *arguments: str | Path) -> str:
    """Return the output of a successful command."""
    assert main([str(argument) for argument in arguments]) == 0
    answer = capsys.readouterr()
    assert answer.err == ""
    return answer.out


def refusal(capsys: Capture, *arguments: str | Path) -> str:
    """The one sentence of a command that cannot do its work."""
    assert main([str(argument) for argument in arguments]) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    return answer.err.removesuffix("\n")


def damage(path: Path, statement: str) -> None:
    """Change a file independently of the bot."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def wrong_books(path: Path) -> None:
    """Give a player a chip without a transfer."""
    damage(path, "UPDATE account SET balance = balance + 1 WHERE kind = 'wallet' AND owner = '1004'")


# backup


def test_backup_says_what_the_copy_holds(capsys: Capture, path: Path, copy: Path) -> None:
    text = said(capsys, "backup", copy)
    assert re.fullmatch(
        rf"{re.escape(str(copy))} holds 2 open tables, 3 hands \(1 in play\), 50,000 chips of players in 2 servers "
        r"\(schema \d+, as of 2027-01-15 08:00:12 UTC\), in [\d,]+ bytes\.\n"
        r"It does not contain the key. Back that up separately\.\nIt took \d+\.\d seconds\.\n",
        text,
    )


def test_backup_works_while_the_bot_runs(path: Path, copy: Path) -> None:
    async def beside_the_bot() -> subprocess.CompletedProcess[str]:
        database = await SqliteDatabase.open(path)
        await database.write(lambda sql: sql.execute("UPDATE heartbeat SET alive_at = 7"))
        command = [sys.executable, "-m", "bot", "backup", str(copy)]
        process = await asyncio.to_thread(
            subprocess.run, command, cwd=ROOT, env={**os.environ}, capture_output=True, text=True, check=False
        )
        await database.close()
        return process

    process = asyncio.run(beside_the_bot())
    assert (process.returncode, process.stderr) == (0, "")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT alive_at FROM heartbeat").fetchone() == (7,)


def test_backup_into_a_folder_names_the_copy_and_keeps_the_newest(capsys: Capture, path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in range(1, 6):
        (folder / f"chaipo-2020010{day}T000000Z.db").touch()
    assert "Removed 3 older copies.\n" in said(capsys, "backup", folder, "--keep", "3")
    names = sorted(file.name for file in folder.iterdir())
    assert names[:2] == ["chaipo-20200104T000000Z.db", "chaipo-20200105T000000Z.db"]
    assert re.fullmatch(r"chaipo-\d{8}T\d{6}Z\.db", names[2])
    assert len(names) == 3
    assert said(capsys, "check", folder / names[2]).endswith(".\n")


@pytest.mark.parametrize("ending", ["", "/"])
def test_a_folder_that_is_not_there_is_no_name_for_a_copy(
    ending: str, capsys: Capture, path: Path, tmp_path: Path
) -> None:
    place = tmp_path / "backups"
    assert refusal(capsys, "backup", f"{place}{ending}") == (
        f"{place} does not exist. Create that folder first, or name a file such as {place}.db"
    )
    assert not place.exists()


def test_backup_into_a_folder_removes_nothing_unless_it_is_told(capsys: Capture, path: Path, tmp_path: Path) -> None:
    (tmp_path / "chaipo-20200101T000000Z.db").touch()
    said(capsys, "backup", tmp_path)
    assert len(list(tmp_path.glob("chaipo-*.db"))) == 2


def test_backup_of_wrong_books_keeps_the_copy_and_removes_no_older_one(
    capsys: Capture, path: Path, tmp_path: Path
) -> None:
    wrong_books(path)
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "chaipo-20200101T000000Z.db").touch()
    assert main(["backup", str(folder), "--keep", "1"]) == 1
    answer = capsys.readouterr()
    assert "server 701: the wallet account of '1004' holds 9501 chips, but its transfers add up to 9500\n" in answer.err
    assert answer.err.endswith("The copy was kept, and no older one was removed.\n")
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("keep", ["0", "-1", "many", "1.5", "9999999"])
def test_backup_refuses_a_strange_number_to_keep(capsys: Capture, path: Path, tmp_path: Path, keep: str) -> None:
    assert refusal(capsys, "backup", tmp_path, f"--keep={keep}").endswith("Use a whole number from 1 to 999999")


def test_backup_refuses_what_cannot_be_done(capsys: Capture, path: Path, copy: Path) -> None:
    assert refusal(capsys, "backup", copy, "--keep", "3").startswith("--keep needs a folder")
    assert "does not exist. Create that folder first" in refusal(capsys, "backup", copy / "copy.db")
    copy.touch()
    assert "already exists. Name a new file" in refusal(capsys, "backup", copy)
    copy.unlink()
    path.write_bytes(path.read_bytes()[:8192])
    assert "is damaged or not a database" in refusal(capsys, "backup", copy)
    path.unlink()
    assert refusal(capsys, "backup", copy) == f"{path} does not exist. Name the file of a database"
    assert not path.exists()


def test_a_wrong_setting_is_refused(capsys: Capture, path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAIPO_PORT", "many")
    for command in ("backup", "restore", "check"):
        assert "CHAIPO_PORT in the environment is 'many'" in refusal(capsys, command, copy)


def test_no_command_makes_a_key(capsys: Capture, path: Path, copy: Path) -> None:
    key = path.with_name("chaipo.key")
    key.unlink()
    assert main(["backup", str(copy)]) == 0
    assert capsys.readouterr().err == f"{SEALED}, because the key file is missing.\n"
    *_, told, verdict = said(capsys, "check").splitlines()
    assert told == f"{SEALED}, because the key file is missing."
    assert verdict.startswith(f"{path} is in order as far as it was checked: 2 open tables")
    assert not key.exists()


def test_a_copy_in_which_something_is_strange_is_not_counted(capsys: Capture, path: Path, copy: Path) -> None:
    damage(path, "CREATE TRIGGER gift AFTER INSERT ON transfer BEGIN UPDATE account SET balance = balance + 9; END")
    assert main(["backup", str(copy)]) == 1
    answer = capsys.readouterr()
    assert re.match(rf"{re.escape(str(copy))} holds data that cannot be counted, in [\d,]+ bytes\.\n", answer.out)
    assert "NOT CHECKED: everything else, because unknown parts may do anything when they are read.\n" in answer.err
    assert "the trigger gift is not one of the bot's\n" in answer.err


def test_the_playgrounds_database_is_copied_checked_and_put_back_when_it_is_meant(
    capsys: Capture, path: Path, copy: Path
) -> None:
    playground = path.with_name("playground.db")
    for command in (("backup", copy), ("check",)):
        assert refusal(capsys, *command, "--playground") == f"{playground} does not exist. Name the file of a database"
    shutil.copy(path, playground)
    shutil.copy(path.with_name("chaipo.key"), path.with_name("playground.key"))
    said(capsys, "backup", copy, "--playground")
    assert said(capsys, "check", "--playground").splitlines()[-1].startswith(f"{playground} is in order")
    before = path.read_bytes()
    text = said(capsys, "restore", copy, "--playground")
    assert text.startswith(f"{playground} is now a copy of {copy}")
    (aside,) = path.parent.glob("playground.db.before-*Z")
    assert f"run `python -m bot restore {aside} --playground`. That cancels hands in progress.\n" in text
    assert path.read_bytes() == before


def test_where_only_the_playground_was_played_it_says_so(capsys: Capture, path: Path, copy: Path) -> None:
    playground = path.rename(path.with_name("playground.db"))
    for command in (("backup", copy), ("check",)):
        assert refusal(capsys, *command) == (
            f"{path} does not exist, because only the playground was used here. Add --playground to use {playground}"
        )


# disown


def test_disown_says_whose_it_was_and_what_to_do_first(capsys: Capture, path: Path, copy: Path) -> None:
    async def claim() -> None:
        database = await SqliteDatabase.open(path)
        await database.claim("999")
        await database.close()

    asyncio.run(claim())
    assert ", of the application 999, as of 2027-" in said(capsys, "check")
    text = said(capsys, "disown")
    assert text.startswith(f"{path} was the database of the application 999 and has no owner now")
    assert "Invite the bot of the new application to every server first." in text
    assert said(capsys, "disown") == f"{path} has no owner. The bot's next start takes it over.\n"
    with locked(path):
        assert refusal(capsys, "disown") == f"{path} is open in another running bot. Stop that one first"


# restore


def test_restore_says_what_it_did_and_how_to_go_back(capsys: Capture, path: Path, copy: Path) -> None:
    said(capsys, "backup", copy)
    text = said(capsys, "restore", copy)
    assert f"{path} is now a copy of {copy}: 2 open tables, 3 hands (1 in play), 50,000 chips" in text
    assert "The bot's next start voids the hands in play (1) and gives every open table (2) a new deck" in text
    (aside,) = path.parent.glob("chaipo.db.before-*Z")
    assert f"The previous database is kept as {aside}.\n" in text
    assert (
        f"To go back: stop the bot and run `python -m bot restore {aside}`. That cancels hands in progress.\n"
    ) in text
    assert int.from_bytes(path.read_bytes()[68:72], "big") == COPY_ID
    assert said(capsys, "restore", aside).startswith(f"{path} is now a copy of {aside}")


def test_a_playgrounds_copy_is_not_restored_as_the_clubs_database(capsys: Capture, path: Path, copy: Path) -> None:
    damage(path, f"INSERT INTO owner (one, name) VALUES (1, '{PLAYGROUND}')")
    said(capsys, "backup", copy)
    path.unlink()
    assert refusal(capsys, "restore", copy) == (
        f"{copy} is a copy of the playground's database, which is not the club's. Run `python -m bot restore {copy} "
        "--playground` to restore it to the playground"
    )
    assert not path.exists()
    said(capsys, "restore", copy, "--playground")


def test_a_clubs_copy_is_not_restored_into_the_playground(capsys: Capture, path: Path, copy: Path) -> None:
    damage(path, "INSERT INTO owner (one, name) VALUES (1, '999')")
    said(capsys, "backup", copy)
    assert refusal(capsys, "restore", copy, "--playground") == (
        f"{copy} is a copy of the database of the application 999, but {path.with_name('playground.db')} is "
        "that of the playground. Name another backup, or leave out --playground"
    )
    assert not path.with_name("playground.db").exists()


def test_advice_for_a_damaged_playground_means_the_playground(capsys: Capture, path: Path) -> None:
    playground = path.with_name("playground.db")
    playground.write_bytes(path.read_bytes()[:8192])
    text = refusal(capsys, "check", "--playground")
    assert "Restore a backup with `python -m bot restore FILE --playground`" in text


@pytest.mark.skipif(os.name != "posix", reason="the rights are those of POSIX")
@pytest.mark.parametrize(
    ("command", "left"),
    [
        (("restore", "copy.db"), ("chaipo.db", "chaipo.db.lock")),
        (("disown",), ("chaipo.db", "chaipo.db.lock")),
        (("new-key",), ("chaipo.key",)),
        (("backup", "another.db"), ("another.db",)),
    ],
)
def test_files_left_to_root_are_told_with_the_command_that_mends_them(
    command: tuple[str, ...],
    left: tuple[str, ...],
    capsys: Capture,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = path.parent
    monkeypatch.chdir(folder)
    said(capsys, "backup", folder / "copy.db")
    with of_user(0, below=folder, folder=54321, monkeypatch=monkeypatch):
        assert main(list(command)) == 0
    told = capsys.readouterr().err
    assert "If the bot runs as 54321, run `sudo chown 54321 " in told
    assert {Path(word.rstrip("`")).name for word in told.split("`")[1].split()[3:]} >= set(left)


def test_restore_where_there_was_nothing(capsys: Capture, path: Path, copy: Path) -> None:
    said(capsys, "backup", copy)
    path.unlink()
    assert "There was no database before.\n" in said(capsys, "restore", copy)


def test_restore_refuses_while_the_bot_runs(capsys: Capture, path: Path, copy: Path) -> None:
    said(capsys, "backup", copy)
    with locked(path):
        assert refusal(capsys, "restore", copy) == f"{path} is open in another running bot. Stop that one first"
    assert not list(path.parent.glob("*before*"))


def test_restore_refuses_a_damaged_copy(capsys: Capture, path: Path, copy: Path) -> None:
    said(capsys, "backup", copy)
    copy.write_bytes(copy.read_bytes()[:8192])
    text = refusal(capsys, "restore", copy)
    assert text == f"{copy} is damaged or not a database, and nothing was changed. Name another backup"


# check


def test_check_finds_nothing_in_a_database_that_is_in_order(capsys: Capture, path: Path, copy: Path) -> None:
    verdict = said(capsys, "check").splitlines()[-1]
    assert verdict.startswith(f"{path} is in order: 2 open tables, 3 hands (1 in play)")
    said(capsys, "backup", copy)
    assert said(capsys, "check", copy).splitlines()[-1].startswith(f"{copy} is in order: ")


def test_check_explains_every_chip_by_the_kind_of_its_movement(capsys: Capture, path: Path) -> None:
    header, *rows, held, _ = said(capsys, "check").splitlines()
    assert header.split() == ["kind", "from", "->", "to", "transfers", "chips"]
    moved = [row.split() for row in rows]
    sums: dict[str, int] = {}
    for kind, source, _, target, _, chips in moved:
        assert (source, target) in WAYS[kind]
        amount = int(chips.replace(",", ""))
        sums[source] = sums.get(source, 0) - amount
        sums[target] = sums.get(target, 0) + amount
    told = ", ".join(f"{sort} {chips:,}" for sort, chips in sorted(sums.items()))
    assert held == f"Held: {told}. Together: 0."
    assert {kind for kind, *_ in moved} == {"grant", "buy_in", "cash_out", "hand"}


def test_check_says_one_line_for_each_finding(capsys: Capture, path: Path) -> None:
    wrong_books(path)
    assert main(["check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "server 701: the wallet account of '1004' holds 9501 chips, but its transfers add up to 9500",
        "server 701: all accounts together hold 1 chips, but must hold 0",
        f"{path} is not in order, findings: 2.",
    ]


@pytest.mark.parametrize(
    ("table", "column", "text"),
    [
        ("game_table", "variant", "server 700, table 2: the table cannot be read: its game 'pinapple' is not known"),
        ("hand", "variant", "server 700, table 2, hand 2: it cannot be replayed: its game 'pinapple' is not known"),
        ("house_game", "spec", "server 700: its own games cannot be read: its game 'pinapple' is not known"),
    ],
)
def test_check_finds_a_game_that_is_not_known(capsys: Capture, path: Path, table: str, column: str, text: str) -> None:
    put_key("tables", path.with_name("chaipo.key"))
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as connection,
        SqliteSql(connection).unguarded([table]),
    ):
        connection.execute(f"UPDATE {table} SET {column} = replace({column}, 'pineapple', 'pinapple')")
    assert main(["check"]) == 1
    assert text in capsys.readouterr().out.splitlines()


def test_one_is_not_said_in_the_plural() -> None:
    one = Content(version=1, open_tables=1, hands=1, running=1, chips=1, guilds=1, alive_at=None, owner=None, size=1)
    assert holds(one) == "1 open table, 1 hand (1 in play), 1 chip of players in 1 server (schema 1)"


def test_check_answers_in_json(capsys: Capture, path: Path) -> None:
    answer: dict[str, Any] = json.loads(said(capsys, "check", "--json"))
    assert answer == {
        "database": str(path),
        "schema": answer["schema"],
        "ok": True,
        "findings": [],
        "not_checked": [],
        "chips": answer["chips"],
    }
    assert sum(answer["chips"]["held"].values()) == 0
    assert {movement["kind"] for movement in answer["chips"]["movements"]} >= {"grant", "buy_in", "hand"}
    damage(path, "UPDATE result SET chips = chips + 1 WHERE table_id = 2 AND player = '1001'")
    assert main(["check", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert not answer["ok"]
    first, *sums = answer["findings"]
    assert first == {
        "kind": "results",
        "server": 700,
        "table": 2,
        "hand": 1,
        "text": "the results of 3 players add up to 0 points and 1 chips, but must add up to 0",
    }
    assert {finding["kind"] for finding in sums} == {"standings", "careers"}, "leaderboards, and the records"


def test_check_works_while_the_bot_runs_and_changes_nothing(capsys: Capture, path: Path) -> None:
    before = path.read_bytes()
    with locked(path):
        said(capsys, "check")
    assert path.read_bytes() == before


def test_check_refuses_what_it_cannot_judge(capsys: Capture, path: Path, copy: Path) -> None:
    assert refusal(capsys, "check", copy) == f"{copy} does not exist. Name the file of a database"
    damage(path, "PRAGMA user_version = 99")
    assert f"{path} cannot be checked: it was written by a newer version of the bot" in refusal(capsys, "check")
    path.write_bytes(b"hello" * 999)
    assert "is damaged or not a database" in refusal(capsys, "check")


def test_the_help_names_the_commands(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert all(re.search(rf"^ +{name} ", text, re.MULTILINE) for name in COMMANDS)


# moving


def test_move_reads_an_address_where_nobody_else_sees_it(
    capsys: Capture, path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{copy}\nand more"))
    assert f"{copy} is a complete copy of {path}: " in said(capsys, "move", path, "-")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert refusal(capsys, "move", "-", copy) == "no address was read. Write a database's address on one line"
    assert "only one address can be read" in refusal(capsys, "move", "-", "-")


def test_a_backup_is_not_moved_before_a_bot_has_started_on_it(capsys: Capture, path: Path, copy: Path) -> None:
    said(capsys, "backup", copy)
    told = f"{copy} is a copy that no bot has started on. Start the bot on it once, then move it"
    assert refusal(capsys, "move", copy, path.with_name("new.db")) == told
