"""Migrations: in order, once, atomically, on a copy, and with the old file kept."""

import logging
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot
from bot.store import StoreBusyError, StoreError
from bot.store.disk import waiting
from bot.store.sql import Sql
from bot.store.sqlite.copy_mark import APPLICATION_ID, copies_beside
from bot.store.sqlite.migrate import Audit, migrate, schema_version, statements, upgrade

TABLE = "CREATE TABLE entry (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL) STRICT;"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The database's file."""
    return tmp_path / "chaipo.db"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for migrations."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    return folder


@pytest.fixture
def connection(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection as the store opens it."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=0.05)
    connection.execute("PRAGMA foreign_keys = ON")
    yield connection
    connection.close()


def write(folder: Path, *scripts: str) -> None:
    """Number the scripts and write them as migrations."""
    for number, script in enumerate(scripts, 1):
        (folder / f"{number:04}_step.sql").write_text(script, encoding="utf-8")


def schema(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Everything that the database says of its schema."""
    return connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()


def refusal(connection: sqlite3.Connection, folder: Path, path: Path) -> str:
    """The one line that the operator reads; the connection is left usable."""
    with pytest.raises(StoreError) as refused:
        migrate(connection, folder, path=path)
    text = str(refused.value)
    assert "\n" not in text
    assert not connection.in_transaction
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    return text


def test_migrations_are_applied_in_order_and_once(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE, "INSERT INTO entry (amount) VALUES (1);", "UPDATE entry SET amount = amount * 10 + 2;")
    assert migrate(connection, folder, path=path) == 3
    assert migrate(connection, folder, path=path) == 3
    assert connection.execute("SELECT amount FROM entry").fetchall() == [(12,)]
    assert schema_version(connection) == 3


def test_a_new_migration_continues_an_old_database(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE)
    migrate(connection, folder, path=path)
    write(folder, TABLE, "ALTER TABLE entry ADD COLUMN note TEXT;")
    assert migrate(connection, folder, path=path) == 2
    assert connection.execute("SELECT note FROM entry").fetchall() == []


def test_triggers_strings_and_comments_may_hold_semicolons(
    connection: sqlite3.Connection, folder: Path, path: Path
) -> None:
    write(
        folder,
        f"""-- First; a comment.
        {TABLE} CREATE TABLE log (line TEXT NOT NULL) STRICT;
        /* Another; one. */
        CREATE TRIGGER entry_is_logged AFTER INSERT ON entry BEGIN
            INSERT INTO log VALUES ('one; two'); -- inside; too
            INSERT INTO log SELECT CASE NEW.amount WHEN 1 THEN 'a;' ELSE 'b;' END;
        END;
        INSERT INTO entry (amount) VALUES (1), (2);
        -- The end; without a statement.
        """,
    )
    migrate(connection, folder, path=path)
    assert connection.execute("SELECT line FROM log").fetchall() == [("one; two",), ("a;",), ("one; two",), ("b;",)]


def test_the_last_semicolon_may_be_missing(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, f"{TABLE} INSERT INTO entry (amount) VALUES (1)")
    migrate(connection, folder, path=path)
    assert connection.execute("SELECT count(*) FROM entry").fetchone() == (1,)


@given(
    st.lists(
        st.sampled_from(
            [
                "SELECT 1;",
                "\nSELECT ';', '--', '/*';",
                "-- a; b\nSELECT 2;",
                '/* a; */ SELECT "x;y" FROM [t;u];',
                "CREATE TRIGGER t AFTER INSERT ON x BEGIN SELECT 1; SELECT CASE 1 WHEN 1 THEN 2 END; END;",
                "CREATE TEMP TRIGGER t AFTER INSERT ON x BEGIN SELECT ';END;'; END;",
            ]
        )
    )
)
def test_a_script_is_split_where_its_statements_end(parts: list[str]) -> None:
    assert list(statements("".join(parts))) == parts


@pytest.mark.parametrize(
    "broken",
    [
        "ALTER TABLE entry ADD COLUMN note TEXT; UPDATE entry SET note = 'x'; INSERT INTO nowhere VALUES (1);",
        "CREATE TABLE more (id INTEGER) STRICT; INSERT INTO entry (amount) VALUES (NULL);",
        "DROP TABLE entry; CREATE TRIGGER half AFTER INSERT ON entry BEGIN SELECT 1;",
        "INSERT INTO entry (amount) VALUES (2); this is not SQL;",
        "INSERT INTO entry (amount) VALUES (2); COMMIT; INSERT INTO entry (amount) VALUES (3);",
        "INSERT INTO entry (amount) VALUES (2); ROLLBACK; INSERT INTO entry (amount) VALUES (3);",
        "INSERT INTO entry (amount) VALUES (2); VACUUM;",
    ],
)
def test_a_failing_migration_leaves_the_database_as_before(
    connection: sqlite3.Connection, folder: Path, path: Path, broken: str
) -> None:
    steps = [TABLE, "INSERT INTO entry (amount) VALUES (1);"]
    write(folder, *steps)
    migrate(connection, folder, path=path)
    before = schema(connection)
    write(folder, *steps, broken)
    text = refusal(connection, folder, path)
    assert "0003_step.sql" in text
    assert "Start the previous version of the bot" in text
    assert schema(connection) == before
    assert connection.execute("SELECT amount FROM entry").fetchall() == [(1,)]
    assert schema_version(connection) == 2


def test_the_migrations_before_a_failing_one_are_not_made_either(
    connection: sqlite3.Connection, folder: Path, path: Path
) -> None:
    write(folder, TABLE, "not SQL;")
    refusal(connection, folder, path)
    assert schema_version(connection) == 0
    assert schema(connection) == []
    write(folder, TABLE, "INSERT INTO entry (amount) VALUES (1);")
    assert migrate(connection, folder, path=path) == 2


def test_a_migration_that_is_not_text_is_refused(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    (folder / "0001_step.sql").write_bytes(b"\xff")
    assert "0001_step.sql" in refusal(connection, folder, path)


PARENT_AND_CHILD = """
CREATE TABLE parent (id INTEGER PRIMARY KEY, amount INTEGER) STRICT;
CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE) STRICT;
INSERT INTO parent VALUES (1, 10), (2, 20);
INSERT INTO child VALUES (1, 1), (2, 2);
"""


def test_a_table_can_be_rebuilt_without_losing_those_that_point_to_it(
    connection: sqlite3.Connection, folder: Path, path: Path
) -> None:
    write(
        folder,
        PARENT_AND_CHILD,
        """
        CREATE TABLE new (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL) STRICT;
        INSERT INTO new SELECT * FROM parent;
        DROP TABLE parent;
        ALTER TABLE new RENAME TO parent;
        """,
    )
    migrate(connection, folder, path=path)
    assert connection.execute("SELECT count(*) FROM child").fetchone() == (2,)
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_migration_that_leaves_rows_pointing_to_nothing_is_refused(
    connection: sqlite3.Connection, folder: Path, path: Path
) -> None:
    write(folder, PARENT_AND_CHILD, "DELETE FROM parent WHERE id = 1;")
    assert "1 rows of child refer to nothing" in refusal(connection, folder, path)
    assert schema(connection) == []


def test_a_database_of_a_newer_bot_is_refused(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE, "SELECT 1;", "SELECT 2;")
    migrate(connection, folder, path=path)
    before = schema(connection)
    for number in (2, 3):
        (folder / f"{number:04}_step.sql").unlink()
    text = refusal(connection, folder, path)
    assert "was written by a newer version of the bot (schema 3, this one knows 1). Start that version" in text
    assert schema(connection) == before


def test_a_database_that_other_migrations_have_made_is_refused(
    connection: sqlite3.Connection, folder: Path, path: Path
) -> None:
    write(folder, TABLE, "SELECT 1;")
    migrate(connection, folder, path=path)
    write(folder, f"-- Other words,\n{TABLE.replace(' ', '  ')}\n  -- and blanks.\n", "SELECT  1;")
    assert migrate(connection, folder, path=path) == 2
    for other in (TABLE.replace("amount", "sum"), TABLE.replace("NOT NULL", "")):
        write(folder, other, "SELECT 1;")
        assert "was made by a version before 1.0.0" in refusal(connection, folder, path)
        # One that is newer too.
        (folder / "0002_step.sql").unlink()
        assert "was made by a version before 1.0.0" in refusal(connection, folder, path)
    write(folder, TABLE, "SELECT 1;")
    (folder / "0002_step.postgres.sql").write_text("SELECT 2;", encoding="utf-8")
    assert "was made by a version before 1.0.0" in refusal(connection, folder, path)


def test_a_locked_database_is_refused_as_such(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusyError, match=r"locked by another program\. Close that program"):
        migrate(connection, folder, path=path)
    other.close()
    assert migrate(connection, folder, path=path) == 1


# upgrades


def nothing_wrong(_: Sql) -> Sequence[int]:
    """The books of a schema without books."""
    return []


@pytest.fixture
def old(folder: Path, path: Path) -> Path:
    """Return a database of version 1, with one row in the write-ahead log of a killed process."""
    write(folder, TABLE)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(connection, folder, path=path)
    killed = f"""if True:
        import os, signal, sqlite3
        connection = sqlite3.connect({str(path)!r}, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO entry (amount) VALUES (1)")
        os.kill(os.getpid(), signal.SIGKILL)
    """
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == -signal.SIGKILL
    return path


def bring(path: Path, folder: Path, audit: Audit = nothing_wrong) -> None:
    """Upgrade as the bot does at its start."""
    upgrade(path, folder, audit=audit, busy_seconds=0.05)


def refused(path: Path, folder: Path, audit: Audit = nothing_wrong) -> str:
    """The one line of an upgrade that fails, which has changed nothing and left nothing."""
    names = {file.name for file in path.parent.iterdir()}
    before = content(path)
    with pytest.raises(StoreError) as error:
        bring(path, folder, audit)
    assert {file.name for file in path.parent.iterdir()} <= names
    assert content(path) == before
    return str(error.value)


def content(path: Path) -> tuple[int, list[tuple[str, str]], list[tuple[Any, ...]]]:
    """Version, schema and rows of a database."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = connection.execute("SELECT * FROM entry ORDER BY id").fetchall()
        return schema_version(connection), schema(connection), rows


def kept(path: Path, version: int) -> Path:
    """Return the path of the old file."""
    return path.with_name(f"{path.name}.v{version}.bak")


def test_an_upgrade_keeps_the_old_file(old: Path, folder: Path) -> None:
    write(folder, TABLE, "ALTER TABLE entry ADD COLUMN note TEXT;", "UPDATE entry SET note = 'x';")
    before = content(old)
    old.chmod(0o640)
    bring(old, folder)
    assert content(kept(old, 1)) == before
    assert content(old)[::2] == (3, [(1, 1, "x")])
    assert old.stat().st_mode & 0o777 == (0o640 if os.name == "posix" else 0o666)
    bring(old, folder)
    assert {file.name for file in old.parent.iterdir()} == {"chaipo.db", "chaipo.db.v1.bak", "migrations"}


def test_the_mark_of_a_program_is_kept(old: Path, folder: Path) -> None:
    write(folder, TABLE, "SELECT 1;")
    bring(old, folder)
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_a_new_or_current_database_is_left_alone(folder: Path, path: Path, connection: sqlite3.Connection) -> None:
    write(folder, TABLE, "DROP TABLE entry;")
    bring(path, folder)
    assert schema(connection) == []
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrate(connection, folder, path=path)
    before = path.read_bytes()
    bring(path, folder)
    assert path.read_bytes() == before
    assert list(path.parent.glob("*.bak*")) == []


@pytest.mark.parametrize(
    "broken", ["not SQL;", "UPDATE entry SET amount = 2; INSERT INTO entry (amount) VALUES (NULL);"]
)
def test_an_upgrade_that_fails_changes_nothing_and_can_be_mended(old: Path, folder: Path, broken: str) -> None:
    write(folder, TABLE, "DROP TABLE entry; CREATE TABLE entry (amount INTEGER NOT NULL) STRICT;", broken)
    text = refused(old, folder)
    assert "0003_step.sql" in text
    assert "Start the previous version of the bot, and report this" in text
    write(folder, TABLE, "ALTER TABLE entry ADD COLUMN note TEXT;", "")
    bring(old, folder)
    assert content(old)[::2] == (3, [(1, 1, None)])


def test_an_upgrade_that_would_upset_the_books_is_refused(old: Path, folder: Path) -> None:
    def audit(sql: Sql) -> list[int]:
        return [row["id"] for row in sql.all("SELECT id FROM entry WHERE amount <> 1")]

    write(folder, TABLE, "UPDATE entry SET amount = 2;")
    assert "the books of server 1 would not balance afterwards" in refused(old, folder, audit)


def test_books_that_did_not_balance_before_do_not_hinder_an_upgrade(old: Path, folder: Path) -> None:
    write(folder, TABLE, "UPDATE entry SET amount = 2;")
    bring(old, folder, lambda _: [7])
    assert content(old)[::2] == (2, [(1, 2)])


def test_a_newer_database_is_not_touched(old: Path, folder: Path) -> None:
    write(folder, TABLE, "SELECT 1;", "SELECT 2;")
    bring(old, folder)
    write(folder, TABLE)
    for number in (2, 3):
        (folder / f"{number:04}_step.sql").unlink()
    assert "schema 3, this one knows 1" in refused(old, folder)


def test_without_room_for_the_copy_nothing_is_upgraded(old: Path, folder: Path) -> None:
    write(folder, TABLE, "DROP TABLE entry;")
    old.with_name("chaipo.db.v2.part").mkdir()
    text = refused(old, folder)
    assert "chaipo.db.v2.part, the copy for the upgrade, cannot be written (" in text
    assert text.endswith(f"). Let the bot's user write in {old.parent}, then start again")


def test_what_was_cut_short_or_kept_before_does_not_hinder(old: Path, folder: Path) -> None:
    write(folder, TABLE, "SELECT 1;")
    for name in ("chaipo.db.v2.part", "chaipo.db.v2.part-journal", "chaipo.db.v1.bak", "chaipo.db.v1.bak-wal"):
        old.with_name(name).write_bytes(b"of another time")
    before = content(old)
    bring(old, folder)
    assert content(old.with_name("chaipo.db.v1-2.bak")) == before
    assert {file.name for file in old.parent.iterdir()} == {
        "chaipo.db",
        "chaipo.db.v1.bak",
        "chaipo.db.v1.bak-wal",
        "chaipo.db.v1-2.bak",
        "migrations",
    }


def test_a_second_upgrade_keeps_both_old_files(
    old: Path, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    write(folder, TABLE, "SELECT 1;")
    bring(old, folder)
    kept_first = kept(old, 1).read_bytes()
    old.write_bytes(kept_first)
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute("INSERT INTO entry (id, amount) VALUES (7, 7)")
    before = content(old)
    bring(old, folder)
    second = old.with_name("chaipo.db.v1-2.bak")
    assert kept(old, 1).read_bytes() == kept_first
    assert content(second) == before
    told = [record.getMessage() for record in caplog.records if "is kept in" in record.getMessage()]
    assert told == [f"the previous database is kept in {file}" for file in (kept(old, 1), second)]
    assert set(copies_beside(old)) == {kept(old, 1), second}
    older = tmp_path / "older"
    older.mkdir()
    write(older, TABLE)
    assert f"restore {second}`" in refused(old, older)


def test_an_upgrade_waits_for_nobody_who_writes(old: Path, folder: Path) -> None:
    write(folder, TABLE, "SELECT 1;")
    with closing(sqlite3.connect(old, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            bring(old, folder)
        other.execute("ROLLBACK")
    bring(old, folder)


READ = """
import sqlite3, sys
connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(connection.execute("SELECT count(*) FROM entry").fetchone()[0], flush=True)
sys.stdin.read()
"""


def test_a_database_that_another_program_has_open_is_not_moved_away(old: Path, folder: Path) -> None:
    # When that program closes it, it could take the new database's log of writes away.
    write(folder, TABLE, "UPDATE entry SET amount = 2;")
    command = [sys.executable, "-c", READ, str(old)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"1\n"
        with pytest.raises(StoreBusyError, match=r"is locked by another program\. Close that program"):
            bring(old, folder)
        assert other.stdin is not None
        other.stdin.close()
    assert not [file.name for file in old.parent.iterdir() if file.name.endswith((".part", ".bak"))]
    assert content(old)[::2] == (1, [(1, 1)])
    bring(old, folder)
    assert content(old)[::2] == (2, [(1, 2)])
    assert content(kept(old, 1))[::2] == (1, [(1, 1)])


UPGRADE = """
import os, signal, sys
from pathlib import Path
from typing import Any
from bot.store.sqlite.files import finish
from bot.store.sqlite.migrate import upgrade

path, folder, kill_at, seen = Path(sys.argv[1]), Path(sys.argv[2]), -1, 0

def hook(event, arguments):
    global seen
    if event in ("os.rename", "os.remove", "os.truncate", "open", "sqlite3.connect"):
        seen += 1
        if seen == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

# Each upgrade is a process of its own; what it imports is loaded once, by the one that they come from.
for line in sys.stdin:
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    kill_at = int(line)
    sys.addaudithook(hook)
    finish(path)
    upgrade(path, folder, audit=lambda connection: [], busy_seconds=5)
    os._exit(0)
"""


@contextmanager
def upgrades(path: Path, folder: Path) -> Iterator[Callable[[int], int]]:
    """Return a function that upgrades in a process killed at a given step (-1: none) and returns its exit code."""
    command = [sys.executable, "-c", UPGRADE, str(path), str(folder)]
    place, pipe = Path(bot.__file__).parents[1], subprocess.PIPE
    with subprocess.Popen(command, cwd=place, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, told = process.stdin, process.stdout

        def run(kill_at: int) -> int:
            print(kill_at, file=asked, flush=True)
            return int(told.readline())

        yield run


@pytest.mark.skipif(os.name != "posix", reason="there is no kill to be survived")
def test_an_upgrade_killed_at_any_step_leaves_the_old_or_the_new_database(old: Path, folder: Path) -> None:
    write(folder, TABLE, "ALTER TABLE entry ADD COLUMN note TEXT;", "UPDATE entry SET note = 'x';")
    fresh = {file.name: file.read_bytes() for file in old.parent.iterdir() if file.is_file()}
    before, after = (1, [(1, 1)]), (3, [(1, 1, "x")])
    found = []
    with upgrades(old, folder) as run:
        for kill_at in range(1, 1000):
            for file in old.parent.iterdir():
                if file.is_file():
                    file.unlink()
            for name, data in fresh.items():
                old.with_name(name).write_bytes(data)
            code = run(kill_at)
            if code == 0:
                break
            assert code == -signal.SIGKILL
            if not waiting(old):
                found.append(content(old)[::2])
                assert found[-1] in (before, after)
            # The next start ends it, whatever was cut short.
            assert run(-1) == 0
            assert content(old)[::2] == after
            assert content(kept(old, 1))[::2] == before
            assert {file.name for file in old.parent.iterdir()} == {"chaipo.db", "chaipo.db.v1.bak", "migrations"}
    assert kill_at > 8
    assert before in found
    assert after in found


# the files


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        (["0002_b.sql"], "0002_b.sql is not the migration number 0001"),
        (["0001_a.sql", "0003_c.sql"], "0003_c.sql is not the migration number 0002"),
        (["0001_a.sql", "0001_b.sql"], "0001_b.sql is not the migration number 0002"),
        (["0000_a.sql"], "0000_a.sql is not the migration number 0001"),
        (["1_a.sql"], "1_a.sql is not the migration number 0001"),
        (["0001_a.sql", "first.sql"], "first.sql is not the migration number 0002"),
        ([], "contains no migrations"),
    ],
)
def test_misnumbered_migrations_are_refused(
    connection: sqlite3.Connection, folder: Path, path: Path, names: list[str], wrong: str
) -> None:
    for name in names:
        (folder / name).touch()
    text = refusal(connection, folder, path)
    assert wrong in text
    assert "Install the bot again" in text
    assert schema_version(connection) == 0


def test_other_files_beside_the_migrations_do_not_count(
    connection: sqlite3.Connection, folder: Path, path: Path
) -> None:
    write(folder, TABLE)
    (folder / "README.md").touch()
    assert migrate(connection, folder, path=path) == 1
