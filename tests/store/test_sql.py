"""The SQL interface: its arguments, and queries that both databases understand."""

import ast
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import bot.store
from bot.store.sql import in_brackets, names_for
from bot.store.sqlite.driver import SqliteSql

pytestmark = pytest.mark.of_sqlite

QUERIES = sorted(Path(bot.store.__file__).parent.glob("*.py"))
OF_ONE_DATABASE = {
    "PRAGMA": "a method of the driver",
    r"INSTR\(|GLOB|REPLACE INTO|json_\w+\(|rowid|strftime|IFNULL\(": "what both have",
    r"\bAS (all|any|both|end|order|some|user|when)\b|(?:FROM|INTO|UPDATE|JOIN) freeze\b": "a name that none keeps",
    r":\w+ IS (NOT )?NULL": "a statement for each case: the type of the parameter does not show",
    r"SUM\([^()]*[=<>]": "COUNT of a CASE: a condition is no number",
    r"[-+] \((?:\w+\.)?\w+ [=<>]": "a CASE: a condition is no number",
    r"(WHEN|AND|OR|WHERE) (?:\w+\.)?(paused|over|away|computer|ranked)\b(?! =)": "a comparison: a number is none",
    r"ORDER BY [^\"]*\b(name|player|owner|series)\b(?!_)": "sorting in Python: databases sort by their language",
    r"(?:SELECT|,) (COUNT|SUM|MAX|MIN)\([^()]*\) FROM": "a name for it",
}


@pytest.fixture
def sql() -> Iterator[SqliteSql]:
    """A table with a name and a number."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("CREATE TABLE pet (name TEXT, number INTEGER) STRICT")
        yield SqliteSql(connection)


def test_statements_have_names_and_so_have_rows(sql: SqliteSql) -> None:
    sql.run("INSERT INTO pet (name, number) VALUES (:name, :number)", name="Rex", number=3)
    sql.many("INSERT INTO pet (name, number) VALUES (:n, :m)", [{"n": "Tom", "m": 4}, {"n": "Fox", "m": None}])
    rows = sql.all("SELECT name, number FROM pet WHERE number >= :least ORDER BY number", least=3)
    assert [dict(row) for row in rows] == [{"name": "Rex", "number": 3}, {"name": "Tom", "number": 4}]
    one = sql.one("SELECT number, name FROM pet WHERE name = :name", name="Tom")
    assert one is not None
    assert (one["name"], list(one)) == ("Tom", [4, "Tom"])
    assert sql.one("SELECT name FROM pet WHERE name = :name", name="Ann") is None


def test_a_text_with_a_nul_is_refused_and_bytes_may_have_one(sql: SqliteSql) -> None:
    insert = "INSERT INTO pet (name, number) VALUES (:name, 1)"
    for attempt in (
        lambda: sql.run(insert, name="a\0b"),
        lambda: sql.many(insert, [{"name": "a"}, {"name": "a\0b"}]),
        lambda: sql.one("SELECT 1 AS found WHERE :name = 'a'", name="a\0b"),
        lambda: sql.all("SELECT 1 AS found WHERE :name = 'a'", name="a\0b"),
    ):
        with pytest.raises(ValueError, match="NUL"):
            attempt()
    assert sql.one("SELECT :bytes AS same", bytes=b"a\0b") is not None


def test_several_values_stand_in_brackets(sql: SqliteSql) -> None:
    for name in ("Ann", "Bob", "Cleo"):
        sql.run("INSERT INTO pet (name, number) VALUES (:name, 1)", name=name)
    wanted = ["Bob", "Cleo", "Don"]
    rows = sql.all(f"SELECT name FROM pet WHERE name IN ({in_brackets(wanted)}) ORDER BY number", **names_for(wanted))
    assert sorted(row["name"] for row in rows) == ["Bob", "Cleo"]


@pytest.mark.parametrize("pattern", OF_ONE_DATABASE)
def test_queries_say_what_sqlite_and_postgresql_share(pattern: str) -> None:
    sources = {file.name: file.read_text(encoding="utf-8") for file in QUERIES}
    assert sources
    found = {name: hit[0] for name, source in sources.items() if (hit := re.search(pattern, source))}
    assert found == {}, f"write {OF_ONE_DATABASE[pattern]}"


NAMES_SERVER = re.compile(
    r"\bguild_id (?:=|<>|IN) \(?(:\w+)|\((?:\w+ )?guild_id\b[^()]*\) VALUES \((:\w+)|(:(?:guild|server)\w*)"
)
"""A parameter where a statement says of which server its rows are."""


FOR_ALL = {"timers.py": {":server"}}
"""One process freezes the servers whose books are wrong, also those that others serve."""


def servers_named(source: str) -> list[str]:
    """Return the parameters by which a source's statements name a server, on any line."""
    whole = re.sub(r'"\s*f?"', "", source)
    return ["".join(found) for found in NAMES_SERVER.findall(whole)]


def test_a_statement_names_a_server_by_the_parameter_that_holds_it() -> None:
    named = {file.name: servers_named(file.read_text(encoding="utf-8")) for file in QUERIES}
    assert sum(map(len, named.values())) > 50
    assert {file: others for file, names in named.items() if (others := set(names) - {":guild_id"})} == FOR_ALL


@pytest.mark.parametrize(
    "source",
    [
        '"SELECT 1 AS one FROM seat WHERE guild_id = :of"',
        '"DELETE FROM seat "\n    f"WHERE guild_id IN (:here)"',
        '"INSERT INTO bank (guild_id, hands) "\n "VALUES (:key, :hands)"',
        '"SELECT :guild AS guild"',
    ],
)
def test_another_name_for_a_server_is_found(source: str) -> None:
    assert set(servers_named(source)) - {":guild_id"}


WRITES_WHAT_IS_KNOWN = re.compile(r"(UPDATE|DELETE FROM|INSERT INTO) (game_table|seat|timer|hand|table_log|\{.*)\b")
KNOWS = {"note_drawn", "keep_draft", "remove_seat", "set_timer", "_log"}
"""Functions that keep a transaction's cached data in step with their writes."""
FORGOTTEN_BEFORE = {"_put", "_rename", "_write", "_redraw", "_rewrite_words"}
"""Those that are asked by others who have it forgotten."""


def test_who_writes_past_what_a_transaction_knows_has_it_forgotten() -> None:
    past = {
        function.name
        for path in QUERIES
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        and WRITES_WHAT_IS_KNOWN.search(source := ast.unparse(function))
        and "self._sql" in source
        and "self._known.forget()" not in source
    }
    assert past == KNOWS | FORGOTTEN_BEFORE
