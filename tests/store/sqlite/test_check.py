"""A check finds each kind of damage, names its place, and finds nothing in a database that is in order."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.run.cli.sealed import opened_by
from bot.store import StoreError, StoreFatalError
from bot.store.inspection import Report
from bot.store.invariants import unbalanced
from bot.store.sqlite.check import check
from bot.store.sqlite.database import MIGRATIONS, SqliteDatabase
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import reading
from bot.store.sqlite.migrate import numbered
from bot.store.storage import SqlStorage
from bot.store.vault import SeedVault
from tests.play.world import GUILD, OTHER_GUILD
from tests.store.older import followed
from tests.store.played_databases import key_of, played

SEALED = "NOT CHECKED: the hands in play, the next decks, the seeds of events and the hands of a day"
POSIX = pytest.mark.skipif(os.name != "posix", reason="this is how POSIX does it")
FINAL = ("transfer_moves_chips", "transfer_is_final_update", "transfer_is_final_delete")
EVENTS_FINAL = ("table_log_is_final_update", "table_log_is_final_delete")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in order: a closed table, a running hand, and a lobby in another server."""
    return played("tables", tmp_path_factory.mktemp("whole") / "chaipo.db")


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may damage."""
    return Path(shutil.copy(whole, tmp_path / "chaipo.db"))


@pytest.fixture
def vault() -> SeedVault:
    """The key to its hands."""
    return key_of("tables")


def damage(path: Path, *statements: str, without: tuple[str, ...] = ()) -> None:
    """Change the file in a forbidden way, with triggers removed and restored."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = [
            connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).fetchone()[0]
            for name in without
        ]
        for name in without:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement
        for trigger in triggers:
            connection.execute(trigger)


def report_of(path: Path, vault: SeedVault | None) -> Report:
    """Return the findings of a check."""
    with reading(path) as connection:
        return check(connection, MIGRATIONS, secrets=opened_by(vault))


def off(path: Path) -> list[int]:
    """The servers whose books do not balance."""
    with reading(path) as connection:
        return [int(guild) for guild in unbalanced(SqliteSql(connection))]


def test_nothing_is_found_where_all_is_in_order(path: Path, vault: SeedVault) -> None:
    before = path.read_bytes()
    assert report_of(path, vault) == Report(version=report_of(path, vault).version, findings=())
    assert off(path) == []
    assert path.read_bytes() == before


PLANTED = [
    (
        ["UPDATE account SET balance = balance + 5 WHERE kind = 'wallet' AND owner = '1001'"],
        (),
        ["server 700: the wallet account of '1001' holds 9005 chips, but its transfers add up to 9000"],
    ),
    (
        ["UPDATE transfer SET amount = amount - 1 WHERE kind = 'grant' AND guild_id = 701 AND cause LIKE '%1004'"],
        FINAL,
        [
            "server 701: the mint account of '' holds -20000 chips",
            "server 701: the wallet account of '1004' holds 9500",
        ],
    ),
    (
        ["DELETE FROM transfer WHERE kind = 'grant' AND guild_id = 701 AND cause LIKE '%1004'"],
        FINAL,
        ["but its transfers add up to -10000", "but its transfers add up to -500"],
    ),
    (
        ["UPDATE account SET balance = balance + 7 WHERE kind = 'mint' AND guild_id = 701"],
        (),
        ["server 701: all accounts together hold 7 chips, but must hold 0"],
    ),
    (
        [
            "INSERT INTO transfer (guild_id, payer, payee, amount, kind, table_id, cause, at) SELECT w.guild_id, "
            "w.account_id, s.account_id, 40, 'buy_in', 1, 'planted', 1 FROM account w, account s "
            "WHERE w.guild_id = 700 AND w.kind = 'wallet' AND w.owner = '1001' "
            "AND s.guild_id = 700 AND s.kind = 'seat' AND s.table_id = 1 AND s.owner = '1001'"
        ],
        (),
        ["server 700, table 1: 40 chips of '1001' are at this table, which is closed"],
    ),
    (
        ["UPDATE transfer SET kind = 'gift' WHERE kind = 'grant' AND guild_id = 701 AND cause LIKE '%1004'"],
        FINAL,
        ["server 701: 1 transfers of the kind 'gift' went from a mint to a wallet, which is impossible"],
    ),
    (
        ["DELETE FROM seat WHERE guild_id = 701 AND player = '1005'"],
        (),
        ["server 701, table 1: 500 chips of '1005' are at this table, where they have no seat"],
    ),
    (
        ["DELETE FROM result WHERE table_id = 1"],
        (),
        ["server 700, table 1, hand 1: the results of 0 players add up to 0 points and 0 chips"],
    ),
    (
        ["UPDATE result SET points = points + 1 WHERE table_id = 2 AND player = '1001'"],
        (),
        ["server 700, table 2, hand 1: the results of 3 players add up to 1 points and 0 chips, but must add up to 0"],
    ),
    (
        ["UPDATE result SET chips = chips - 10 WHERE table_id = 2 AND player = '1001'"],
        (),
        ["table 2, hand 1: the results of 3 players add up to 0 points and -10 chips"],
    ),
    (
        ["DELETE FROM hand WHERE table_id = 2 AND hand_no = 1", "DELETE FROM result WHERE table_id = 2"],
        (),
        ["server 700, table 2: it has 1 hands up to 2, but must have 2"],
    ),
    (
        ["DELETE FROM hand WHERE guild_id = 700 AND table_id = 1 AND hand_no = 2"],
        (),
        ["server 700, table 1: it has 1 hands up to 1, but must have 2"],
    ),
    (
        ["UPDATE game_table SET table_id = 4 WHERE guild_id = 700 AND table_id = 1"],
        (),
        [
            "server 700: there are 2 tables, but the last one is 4",
            "server 700, table 1: there are hands of this table, but it does not exist",
            "server 700, table 1: there are events of this table, but it does not exist",
            "server 700, table 1: there are results of this table, but it does not exist",
            "server 700, table 4: it has 0 hands up to 0, but must have 2",
        ],
    ),
    (
        ["DELETE FROM table_log WHERE guild_id = 700 AND table_id = 2 AND seq = 3"],
        EVENTS_FINAL,
        ["server 700, table 2: its log has"],
    ),
    (
        ["UPDATE game_table SET state = 'between' WHERE guild_id = 700 AND table_id = 2"],
        (),
        ["server 700, table 2, hand 2: the table is 'between', but its hand is 'playing'"],
    ),
    (
        ["UPDATE hand SET state = 'playing' WHERE guild_id = 700 AND table_id = 2 AND hand_no = 1"],
        (),
        [
            "server 700, table 2, hand 1: it is still in play, but the table has moved on",
            "server 700, table 2, hand 1: it is still in play, but its log has ended it",
        ],
    ),
    (
        ["UPDATE game_table SET private = 1 WHERE guild_id = 701"],
        (),
        ["server 701, table 1: it is private, but 2 players sit at it with a point value of 5"],
    ),
    (
        ["UPDATE server SET welcome_message = 9 WHERE guild_id = 700"],
        (),
        ["server 700: the welcome is message 9, but it was not sent"],
    ),
    (
        ["UPDATE hand SET sealed_seed = zeroblob(68) WHERE table_id = 2 AND hand_no = 2"],
        (),
        ["server 700, table 2, hand 2: it cannot be replayed: the key that sealed the seed of 700/2/2 is not in the"],
    ),
    (
        ["UPDATE hand SET commitment = zeroblob(32) WHERE table_id = 2 AND hand_no = 2"],
        (),
        ["server 700, table 2, hand 2: the seed is not the committed one"],
    ),
    (
        ["UPDATE game_table SET commitment = zeroblob(32) WHERE guild_id = 701"],
        (),
        ["server 701, table 1, hand 1: the next deck: the seed is not the committed one"],
    ),
    (
        ["UPDATE game_table SET sealed_seed = x'00' WHERE guild_id = 701"],
        (),
        ["server 701, table 1, hand 1: the next deck: the key that sealed the seed of 701/1/1 is not in the key file"],
    ),
    (
        ["UPDATE table_log SET payload = 'no JSON' WHERE table_id = 2 AND hand_no = 2 AND kind = 'cards_laid'"],
        EVENTS_FINAL,
        ["server 700, table 2, hand 2: it cannot be replayed:"],
    ),
    (
        ["UPDATE table_log SET kind = 'cards_flung' WHERE table_id = 2 AND hand_no = 2 AND kind = 'cards_laid'"],
        EVENTS_FINAL,
        ["server 700, table 2, hand 2: it cannot be replayed:"],
    ),
    (
        ["PRAGMA foreign_keys = OFF", "UPDATE seat SET table_id = 9 WHERE guild_id = 701"],
        (),
        ["of seat refers to nothing in game_table", "500 chips of '1004' are at this table, where they have no seat"],
    ),
    (
        [
            "PRAGMA ignore_check_constraints = ON",
            "UPDATE account SET balance = -1 WHERE owner = '1004' AND kind = 'seat'",
        ],
        (),
        ["the seat account of '1004' holds -1 chips, which is less than 0", "all accounts together hold -501 chips"],
    ),
    (
        [
            "INSERT INTO puzzle (puzzle, mean, deviation, tries, solved) VALUES ('aa', 0, 600000, 2, 1)",
            "INSERT INTO puzzle_choice (puzzle, letters, people) VALUES ('aa', 'FMD', 1)",
        ],
        (),
        ["puzzle aa counts 2 tries, but 1 choices and 0 first attempts"],
    ),
    (
        [
            "INSERT INTO solver (player, mean, deviation, tries, rated_at, games, harder, shown) "
            "VALUES ('1001', 0, 1500000, 3, 1, '[]', 0, '')"
        ],
        (),
        ["'1001' has tried 3 puzzles, but has 0 first attempts"],
    ),
    (
        [
            "INSERT INTO day_puzzle (guild_id, number, puzzle, asked_at, ends_at, people, solved) "
            "VALUES (700, 3, 'aa', 1, 2, 0, 0)",
            "INSERT INTO day_answer (guild_id, number, player, letters, at, cause) "
            "VALUES (700, 3, '1001', 'FMD', 1, 'day')",
        ],
        (),
        ["puzzle of the day 3 counts 0 answers, but has 1, 0 of them rated"],
    ),
    (
        [
            "INSERT INTO judged_hand (player, guild_id, table_id, hand_no, at) "
            "SELECT '1001', guild_id, table_id, hand_no, 1 FROM hand LIMIT 1",
            "INSERT INTO judged_decision (player, guild_id, table_id, hand_no, number, street, at, lost) "
            "SELECT player, guild_id, table_id, hand_no, 2, 3, 1, 140 FROM judged_hand LIMIT 1",
        ],
        (),
        ["decision 2 of '1001' lost 140 hundredths of a point, but has 0 mistakes"],
    ),
    (["DROP TRIGGER table_log_is_final_delete"], (), ["the trigger table_log_is_final_delete is missing"]),
    (["DROP INDEX table_log_by_hand"], (), ["the index table_log_by_hand is missing"]),
    (["DROP TABLE outbox"], (), ["the table outbox is missing"]),
    (
        ["DROP TABLE result"],
        (),
        ["the table result is missing", "the index result_form is missing", "this cannot be checked: no such"],
    ),
]


@pytest.mark.parametrize(("statements", "without", "wanted"), PLANTED, ids=[planted[2][0] for planted in PLANTED])
def test_planted_damage_is_found(
    path: Path, vault: SeedVault, statements: list[str], without: tuple[str, ...], wanted: list[str]
) -> None:
    damage(path, *statements, without=without)
    lines = [finding.line for finding in report_of(path, vault).findings]
    assert [part for part in wanted if not any(part in line for line in lines)] == [], lines
    assert all(line.isprintable() for line in lines)


def test_a_finding_says_where_it_is(path: Path, vault: SeedVault) -> None:
    damage(path, "UPDATE result SET chips = chips + 1 WHERE table_id = 2 AND player = '1001'")
    finding, *sums = report_of(path, vault).findings
    assert {other.kind for other in sums} == {"standings", "careers"}
    assert (finding.kind, finding.guild, finding.table, finding.hand) == ("results", 700, 2, 1)


def test_books_of_one_server_do_not_touch_those_of_another(path: Path) -> None:
    damage(path, "UPDATE account SET balance = balance + 1 WHERE kind = 'wallet' AND owner = '1004'")
    assert off(path) == [OTHER_GUILD]
    damage(path, "UPDATE account SET balance = balance + 1 WHERE kind = 'wallet' AND owner = '1001'")
    assert off(path) == [GUILD, OTHER_GUILD]


async def test_the_running_bot_can_ask_for_the_books(path: Path) -> None:
    database = await SqliteDatabase.open(path)
    storage = SqlStorage(database)
    assert await storage.unbalanced() == []
    await database.write(lambda sql: sql.execute("UPDATE account SET balance = balance + 1 WHERE owner = '1001'"))
    assert await storage.unbalanced() == [GUILD]
    await database.close()


def test_without_the_key_the_rest_is_checked(path: Path) -> None:
    damage(path, "UPDATE hand SET sealed_seed = zeroblob(68) WHERE table_id = 2 AND hand_no = 2")
    report = report_of(path, None)
    assert report.findings == ()
    assert report.not_checked == (f"{SEALED}, because the key file is missing.",)
    damage(path, "UPDATE result SET chips = chips + 1 WHERE table_id = 2 AND player = '1001'")
    assert {finding.kind for finding in report_of(path, None).findings} == {"results", "standings", "careers"}


# Prepared templates

ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n"
STRANGE = [
    (
        ["CREATE TRIGGER gift AFTER INSERT ON transfer BEGIN UPDATE account SET balance = balance + 1000000; END"],
        ["the trigger gift is not one of the bot's"],
    ),
    (
        [
            "DROP TRIGGER table_log_is_final_delete",
            "CREATE TRIGGER table_log_is_final_delete BEFORE DELETE ON table_log BEGIN SELECT 1; END",
        ],
        ["the trigger table_log_is_final_delete is not as the bot created it"],
    ),
    (
        [
            "CREATE TRIGGER endless AFTER UPDATE ON heartbeat BEGIN INSERT INTO outbox "
            "(guild_id, table_id, kind, hand_no, at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT 1, 1, 'x', 1, i FROM n; END"
        ],
        ["the trigger endless is not one of the bot's"],
    ),
    (
        ["PRAGMA foreign_keys = OFF", "DROP TABLE account", f"CREATE VIEW account AS {ENDLESS}"],
        ["the index sqlite_autoindex_account_1 is missing", "the table account is missing", "the view account is not"],
    ),
    (
        [
            "PRAGMA writable_schema = ON",
            "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('trigger', 'sqlite_stat1', "
            "'transfer', 0, 'CREATE TRIGGER sqlite_stat1 AFTER INSERT ON transfer BEGIN SELECT 1; END')",
        ],
        ["the trigger sqlite_stat1 is not one of the bot's"],
    ),
    (["CREATE VIEW sqliteX AS SELECT 1"], ["the view sqliteX is not one of the bot's"]),
    (["CREATE INDEX own ON transfer (at)"], ["the index own is not one of the bot's"]),
    (["ALTER TABLE seat ADD COLUMN more INTEGER"], ["the table seat is not as the bot created it"]),
    (
        # A line that is drawn up into the comment before it is no column any more.
        [
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_schema SET sql = replace(sql, 'bot started on it.' || char(10), 'bot started on it.') "
            "WHERE name = 'epoch'",
        ],
        ["the table epoch is not as the bot created it"],
    ),
    (["CREATE TABLE notes (text TEXT)"], ["the table notes is not one of the bot's"]),
]


@pytest.mark.parametrize(("statements", "wanted"), STRANGE, ids=[wanted[-1] for _, wanted in STRANGE])
def test_what_is_strange_in_the_schema_is_found_and_nothing_of_it_is_run(
    path: Path, vault: SeedVault, statements: list[str], wanted: list[str]
) -> None:
    damage(path, *statements)
    report = report_of(path, vault)
    lines = [finding.line for finding in report.findings]
    assert [part for part in wanted if not any(part in line for line in lines)] == [], lines
    assert report.not_checked == (
        "NOT CHECKED: everything else, because unknown parts may do anything when they are read.",
    )
    assert not report.countable


def test_statistics_of_sqlite_are_not_strange(path: Path, vault: SeedVault) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ANALYZE")
    assert report_of(path, vault).findings == ()


@pytest.mark.parametrize("steps_per_byte", [50, pytest.param(None, marks=pytest.mark.deep)])
def test_a_query_without_an_end_is_stopped(
    path: Path, monkeypatch: pytest.MonkeyPatch, steps_per_byte: int | None
) -> None:
    """This limit is far lower than the real one. The test below shows that reading a big file to its end is allowed."""
    if steps_per_byte:
        monkeypatch.setattr("bot.store.sqlite.files._STEPS_PER_BYTE", steps_per_byte)
    with pytest.raises(StoreFatalError, match="reading it never ends"), reading(path) as connection:
        connection.execute(ENDLESS).fetchall()


def test_a_query_of_all_rows_of_a_big_file_comes_to_its_end(many: sqlite3.Connection, path: Path) -> None:
    with reading(path) as connection:
        assert check(connection, MIGRATIONS, secrets=None).countable


def _pages_that_point_to_each_other(content: bytes) -> bytes:
    """A table whose pages name one page again and again, which names another one again and again, and so on."""
    pages = [bytearray(content[start : start + 4096]) for start in range(0, len(content), 4096)]
    first = len(pages)
    for depth in range(18):
        page = bytearray(4096)
        cells = 300
        page[0] = 5
        page[3:5] = cells.to_bytes(2, "big")
        page[5:7] = (4096 - 5 * cells).to_bytes(2, "big")
        child = first + depth + 2 if depth < 17 else 2
        page[8:12] = child.to_bytes(4, "big")
        for cell in range(cells):
            at = 4096 - 5 * (cell + 1)
            page[12 + 2 * cell : 14 + 2 * cell] = at.to_bytes(2, "big")
            page[at : at + 4] = child.to_bytes(4, "big")
        pages.append(page)
    return b"".join(pages)


def test_pages_that_point_to_each_other_keep_nobody(path: Path, vault: SeedVault) -> None:
    content = _pages_that_point_to_each_other(path.read_bytes())
    path.write_bytes(content)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        root = len(content) // 4096 - 17
        connection.execute("UPDATE sqlite_schema SET rootpage = ? WHERE name = 'heartbeat'", (root,))
    header = bytearray(path.read_bytes())
    header[28:32] = (len(content) // 4096).to_bytes(4, "big")
    path.write_bytes(bytes(header))
    (finding,) = report_of(path, vault).findings
    assert finding.line.startswith("the file is damaged: On tree page ")


@POSIX
@pytest.mark.parametrize("side", ["", "-wal", "-journal"])
def test_a_pipe_is_refused_and_nobody_waits_for_it(path: Path, side: str) -> None:
    place = path.with_name(path.name + side)
    place.unlink(missing_ok=True)
    if side:
        assert path.exists()
    os.mkfifo(place)
    with pytest.raises(StoreError, match=r"is a pipe or a device\. Name a regular file"):
        report_of(path, None)


def test_names_that_are_no_text_are_damage(path: Path, vault: SeedVault) -> None:
    content = path.read_bytes()
    at = content.index(b"CREATE TABLE result")
    path.write_bytes(content[:at] + b"CREATE \xff\xfe\xfd" + content[at + 10 :])
    with pytest.raises(StoreFatalError, match="is damaged or not a database"):
        report_of(path, vault)


# Seeds of events


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """A database with an announced tournament and an announced duplicate event."""
    return played("events", tmp_path / "events.db")


def lines_of_events(path: Path, vault: SeedVault) -> list[str]:
    """Return the findings of a check about events."""
    return [finding.line for finding in report_of(path, vault).findings if finding.kind == "event"]


def test_seeds_of_events_are_opened(events: Path) -> None:
    assert lines_of_events(events, key_of("events")) == []
    assert lines_of_events(events, SeedVault([b"k" * 32])) == [
        "server 700: event 1: the key that sealed the seed of 700/event/1 is not in the key file",
        "server 700: event 2: the key that sealed the seed of 700/event/2 is not in the key file",
    ]


def test_prizes_that_a_ruling_has_made_or_lost_are_found(events: Path) -> None:
    prize = "UPDATE entrant SET place = 1, end_place = 1, prize = 9 WHERE event_id = 1"
    damage(events, prize, "UPDATE event SET phase = 'ended' WHERE event_id = 1")
    lines = [finding.line for finding in report_of(events, key_of("events")).findings]
    assert "server 700: the prizes of event 1 add up to 18 chips, but added up to 0 at its end" in lines


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("commitment = zeroblob(32)", "event 2: the seed of 700/event/2 is not the committed one"),
        ("board_commitment = zeroblob(32)", "event 2: the seed of 700/event/2/boards is not the committed one"),
        ("board_sealed = x'00'", "event 2: the key that sealed the seed of 700/event/2/boards is not in the key file"),
        ("phase = 'running', seed = zeroblob(32)", "event 2: the seed of its draw is not the committed one"),
        ("structure = 'x'", "event 2: Expecting value"),
    ],
)
def test_a_seed_of_an_event_that_is_not_the_committed_one_is_found(events: Path, change: str, problem: str) -> None:
    damage(events, f"UPDATE event SET {change} WHERE event_id = 2")
    (line,) = lines_of_events(events, key_of("events"))
    assert line.startswith(f"server 700: {problem}")


def test_an_old_database_is_checked_but_for_its_hands(path: Path, vault: SeedVault, tmp_path: Path) -> None:
    newer = followed(tmp_path / "migrations", "ALTER TABLE hand ADD COLUMN made_up TEXT")
    with reading(path) as connection:
        report = check(connection, newer, secrets=opened_by(vault))
    newest = len(numbered(MIGRATIONS))
    assert (report.version, report.findings) == (newest, ())
    assert report.not_checked == (
        f"{SEALED}, because the file has schema {newest}, and the next start upgrades it to {newest + 1}.",
    )


def test_another_key_opens_no_hand(path: Path) -> None:
    lines = [finding.line for finding in report_of(path, SeedVault([b"k" * 32])).findings]
    assert len(lines) == 3
    assert all("is not in the key file" in line for line in lines)


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.deep)])
def test_a_damaged_page_is_a_finding_or_a_refusal(path: Path, vault: SeedVault, every: int) -> None:
    # A page that is free holds nothing that could be damaged.
    damage(path, "VACUUM")
    content = path.read_bytes()
    for page in range(1, len(content) // 4096, every):
        start = page * 4096
        path.write_bytes(content[:start] + b"\xff" * 4096 + content[start + 4096 :])
        try:
            assert any(finding.kind == "file" for finding in report_of(path, vault).findings)
        except StoreFatalError:
            continue


def _with(path: Path, setting: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(setting)


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("PRAGMA user_version = 99", "it was written by a newer version of the bot"),
        ("PRAGMA user_version = 0", "it is still empty"),
        ("PRAGMA application_id = 7", "is not a database of this bot. Name another file"),
    ],
)
def test_what_cannot_be_judged_is_refused(path: Path, setting: str, why: str) -> None:
    _with(path, setting)
    with pytest.raises(StoreError, match=why):
        report_of(path, None)


@pytest.fixture
def many(path: Path) -> Iterator[sqlite3.Connection]:
    """A database with two hundred thousand transfers."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) "
            "INSERT INTO transfer (guild_id, payer, payee, amount, kind, cause, at) "
            "SELECT 701, m.account_id, w.account_id, 1, 'grant', 'n' || i, 1 FROM n, account m, account w "
            "WHERE m.guild_id = 701 AND m.kind = 'mint' AND w.guild_id = 701 AND w.kind = 'wallet' AND w.owner = '1004'"
        )
        connection.execute("COMMIT")
        yield connection


def test_no_question_is_asked_row_by_row(many: sqlite3.Connection) -> None:
    asked: list[str] = []
    many.set_trace_callback(asked.append)
    assert unbalanced(SqliteSql(many)) == []
    assert sum("SELECT" in one for one in asked) == 4
