"""Migrations: in order, once, whole or not at all, and with a copy of what was before."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.store import StoreBusy, StoreError
from bot.store.migrate import migrate, schema_version, statements

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
    write(folder, TABLE, "INSERT INTO entry (amount) VALUES (1);")
    migrate(connection, folder, path=path)
    before = schema(connection)
    write(folder, TABLE, "", broken)
    text = refusal(connection, folder, path)
    assert "0003_step.sql" in text
    assert "start the former version of the bot" in text
    assert schema(connection) == before
    assert connection.execute("SELECT amount FROM entry").fetchall() == [(1,)]
    assert schema_version(connection) == 2


def test_the_migrations_before_a_failing_one_stay(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE, "not SQL;")
    refusal(connection, folder, path)
    assert schema_version(connection) == 1
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
    assert "1 rows of child point to nothing" in refusal(connection, folder, path)
    assert connection.execute("SELECT count(*) FROM parent").fetchone() == (2,)


def test_a_database_of_a_newer_bot_is_refused(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE)
    connection.execute("PRAGMA user_version = 7")
    text = refusal(connection, folder, path)
    assert "was written by a newer version of the bot (schema 7, this one knows 1)" in text
    assert schema(connection) == []


def test_a_locked_database_is_refused_as_such(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="locked by another program: close that program"):
        migrate(connection, folder, path=path)
    other.close()
    assert migrate(connection, folder, path=path) == 1


# the copy


def copy_of(path: Path, version: int) -> Path:
    """Where the copy of a version lies."""
    return path.with_name(f"{path.name}.v{version}.bak")


def test_an_old_database_is_copied_before_its_upgrade(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE)
    migrate(connection, folder, path=path)
    connection.execute("INSERT INTO entry (amount) VALUES (1)")
    connection.execute("PRAGMA application_id = 77")
    write(folder, TABLE, "DROP TABLE entry;")
    migrate(connection, folder, path=path)
    copy = sqlite3.connect(copy_of(path, 1))
    assert copy.execute("SELECT amount FROM entry").fetchall() == [(1,)]
    assert copy.execute("PRAGMA application_id").fetchone() == (77,)
    assert schema_version(copy) == 1
    assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    copy.close()


def test_a_new_or_current_database_is_not_copied(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE, "DROP TABLE entry;")
    migrate(connection, folder, path=path)
    migrate(connection, folder, path=path)
    assert list(path.parent.glob("*.bak*")) == []


def test_a_second_try_replaces_the_copy_of_the_first(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE)
    migrate(connection, folder, path=path)
    write(folder, TABLE, "not SQL;")
    copy_of(path, 1).with_name(f"{path.name}.v1.bak.part").write_bytes(b"cut short")
    for amount in (1, 2):
        connection.execute("INSERT INTO entry (amount) VALUES (?)", (amount,))
        assert "0002_step.sql" in refusal(connection, folder, path)
    copy = sqlite3.connect(copy_of(path, 1))
    assert copy.execute("SELECT amount FROM entry").fetchall() == [(1,), (2,)]
    copy.close()
    assert list(path.parent.glob("*.part")) == []


def test_without_a_copy_nothing_is_upgraded(connection: sqlite3.Connection, folder: Path, path: Path) -> None:
    write(folder, TABLE)
    migrate(connection, folder, path=path)
    write(folder, TABLE, "DROP TABLE entry;")
    copy_of(path, 1).mkdir()
    text = refusal(connection, folder, path)
    assert re.search(r"chaipo\.db\.v1\.bak, the copy before the upgrade, cannot be written", text)
    assert schema_version(connection) == 1
    assert list(path.parent.glob("*.part")) == []


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
        ([], "holds no migrations"),
    ],
)
def test_misnumbered_migrations_are_refused(
    connection: sqlite3.Connection, folder: Path, path: Path, names: list[str], wrong: str
) -> None:
    for name in names:
        (folder / name).touch()
    text = refusal(connection, folder, path)
    assert wrong in text
    assert "install the bot again" in text
    assert schema_version(connection) == 0


def test_other_files_beside_the_migrations_do_not_count(
    connection: sqlite3.Connection, folder: Path, path: Path
) -> None:
    write(folder, TABLE)
    (folder / "README.md").touch()
    assert migrate(connection, folder, path=path) == 1
