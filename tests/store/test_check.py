"""A check finds each kind of damage, names its place, and finds nothing in a database that is in order."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import StoreBroken, StoreError
from bot.store.books import unbalanced
from bot.store.check import Report, check
from bot.store.database import MIGRATIONS, Database
from bot.store.files import reading
from bot.store.secrets import SeedVault
from tests.play.world import GUILD, OTHER_GUILD

GOLDEN = Path(__file__).parent / "golden"
KEY = GOLDEN / "schema-2.key"
FINAL = ("transfer_moves_chips", "transfer_is_final_update", "transfer_is_final_delete")
EVENTS_FINAL = ("event_is_final_update", "event_is_final_delete")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in order: a closed table, a running hand, and a lobby in another server."""
    path = tmp_path_factory.mktemp("whole") / "chaipo.db"
    shutil.copy(GOLDEN / "schema-2.db", path)

    async def upgrade() -> None:
        await (await Database.open(path)).close()

    asyncio.run(upgrade())
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may damage."""
    return Path(shutil.copy(whole, tmp_path / "chaipo.db"))


@pytest.fixture
def vault() -> SeedVault:
    """The key to its hands."""
    lines = KEY.read_text(encoding="utf-8").splitlines()
    return SeedVault([bytes.fromhex(line) for line in lines if not line.startswith("#")])


def damage(path: Path, *statements: str, without: tuple[str, ...] = ()) -> None:
    """Change the file as nobody may; triggers that forbid it are taken away and put back."""
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
    """What a check says."""
    with reading(path) as connection:
        return check(connection, MIGRATIONS, vault=vault)


def off(path: Path) -> list[int]:
    """The servers whose books do not balance."""
    with reading(path) as connection:
        return [int(guild) for guild in unbalanced(connection)]


def test_nothing_is_found_where_all_is_in_order(path: Path, vault: SeedVault) -> None:
    before = path.read_bytes()
    assert report_of(path, vault) == Report(version=report_of(path, vault).version, findings=())
    assert off(path) == []
    assert path.read_bytes() == before


PLANTED = [
    (
        ["UPDATE account SET balance = balance + 5 WHERE kind = 'wallet' AND owner = '1001'"],
        (),
        ["server 700: the wallet account of '1001' holds 9005 chips, and its transfers make 9000"],
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
        ["and its transfers make -10000", "and its transfers make -500"],
    ),
    (
        ["UPDATE account SET balance = balance + 7 WHERE kind = 'mint' AND guild_id = 701"],
        (),
        ["server 701: all accounts together hold 7 chips, and must hold 0"],
    ),
    (
        [
            "INSERT INTO transfer (guild_id, payer, payee, amount, kind, table_id, cause, at) SELECT w.guild_id, "
            "w.account_id, s.account_id, 40, 'buy_in', 1, 'planted', 1 FROM account w, account s "
            "WHERE w.guild_id = 700 AND w.kind = 'wallet' AND w.owner = '1001' "
            "AND s.guild_id = 700 AND s.kind = 'seat' AND s.table_id = 1 AND s.owner = '1001'"
        ],
        (),
        ["server 700, table 1: 40 chips of '1001' lie at this table, which is closed"],
    ),
    (
        ["DELETE FROM seat WHERE guild_id = 701 AND player = '1005'"],
        (),
        ["server 701, table 1: 500 chips of '1005' lie at this table, where he has no seat"],
    ),
    (
        ["DELETE FROM result WHERE table_id = 1"],
        (),
        ["server 700, table 1, hand 1: the results of 0 players come to 0 points and 0 chips"],
    ),
    (
        ["UPDATE result SET points = points + 1 WHERE table_id = 2 AND player = '1001'"],
        (),
        ["server 700, table 2, hand 1: the results of 3 players come to 1 points and 0 chips, and must come to 0"],
    ),
    (
        ["UPDATE result SET chips = chips - 10 WHERE table_id = 2 AND player = '1001'"],
        (),
        ["table 2, hand 1: the results of 3 players come to 0 points and -10 chips"],
    ),
    (
        ["DELETE FROM hand WHERE table_id = 2 AND hand_no = 1", "DELETE FROM result WHERE table_id = 2"],
        (),
        ["server 700, table 2: it has 1 hands up to 2, and must have 2"],
    ),
    (
        ["DELETE FROM hand WHERE guild_id = 700 AND table_id = 1 AND hand_no = 2"],
        (),
        ["server 700, table 1: it has 1 hands up to 1, and must have 2"],
    ),
    (
        ["UPDATE game_table SET table_id = 4 WHERE guild_id = 700 AND table_id = 1"],
        (),
        [
            "server 700: there are 2 tables, and the last one is 4",
            "server 700, table 1: there are hands of this table, and it is not there",
            "server 700, table 1: there are events of this table, and it is not there",
            "server 700, table 1: there are results of this table, and it is not there",
            "server 700, table 4: it has 0 hands up to 0, and must have 2",
        ],
    ),
    (
        ["DELETE FROM event WHERE guild_id = 700 AND table_id = 2 AND seq = 3"],
        EVENTS_FINAL,
        ["server 700, table 2: its log has"],
    ),
    (
        ["UPDATE game_table SET state = 'between' WHERE guild_id = 700 AND table_id = 2"],
        (),
        ["server 700, table 2, hand 2: the table is 'between', and its hand is 'playing'"],
    ),
    (
        ["UPDATE hand SET state = 'playing' WHERE guild_id = 700 AND table_id = 2 AND hand_no = 1"],
        (),
        [
            "server 700, table 2, hand 1: it is still being played, and the table has gone on",
            "server 700, table 2, hand 1: it is still being played, and its log has ended it",
        ],
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
        ["UPDATE event SET payload = 'no JSON' WHERE table_id = 2 AND hand_no = 2 AND kind = 'cards_laid'"],
        EVENTS_FINAL,
        ["server 700, table 2, hand 2: it cannot be replayed:"],
    ),
    (
        ["UPDATE event SET kind = 'cards_flung' WHERE table_id = 2 AND hand_no = 2 AND kind = 'cards_laid'"],
        EVENTS_FINAL,
        ["server 700, table 2, hand 2: it cannot be replayed:"],
    ),
    (
        ["PRAGMA foreign_keys = OFF", "UPDATE seat SET table_id = 9 WHERE guild_id = 701"],
        (),
        ["of seat points to nothing in game_table", "500 chips of '1004' lie at this table, where he has no seat"],
    ),
    (
        [
            "PRAGMA ignore_check_constraints = ON",
            "UPDATE account SET balance = -1 WHERE owner = '1004' AND kind = 'seat'",
        ],
        (),
        ["the seat account of '1004' holds -1 chips, less than none", "all accounts together hold -501 chips"],
    ),
    (["DROP TRIGGER event_is_final_delete"], (), ["the trigger event_is_final_delete is missing"]),
    (["DROP INDEX event_by_hand"], (), ["the index event_by_hand is missing"]),
    (["DROP TABLE outbox"], (), ["the table outbox is missing"]),
    (
        ["DROP TABLE result"],
        (),
        ["the table result is missing", "the index result_by_player is missing", "this cannot be looked at: no such"],
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
    (finding,) = report_of(path, vault).findings
    assert (finding.kind, finding.guild, finding.table, finding.hand) == ("results", 700, 2, 1)


def test_books_of_one_server_do_not_touch_those_of_another(path: Path) -> None:
    damage(path, "UPDATE account SET balance = balance + 1 WHERE kind = 'wallet' AND owner = '1004'")
    assert off(path) == [OTHER_GUILD]
    damage(path, "UPDATE account SET balance = balance + 1 WHERE kind = 'wallet' AND owner = '1001'")
    assert off(path) == [GUILD, OTHER_GUILD]


async def test_the_running_bot_can_ask_for_the_books(path: Path) -> None:
    database = await Database.open(path)
    assert await database.read(unbalanced) == []
    await database.write(lambda sql: sql.execute("UPDATE account SET balance = balance + 1 WHERE owner = '1001'"))
    assert await database.read(unbalanced) == [GUILD]
    await database.close()


def test_without_the_key_the_rest_is_checked(path: Path) -> None:
    damage(path, "UPDATE hand SET sealed_seed = zeroblob(68) WHERE table_id = 2 AND hand_no = 2")
    report = report_of(path, None)
    assert report.findings == ()
    assert report.not_checked == ("The hands in play were not replayed: the key file is not there.",)
    damage(path, "UPDATE result SET chips = chips + 1 WHERE table_id = 2 AND player = '1001'")
    assert len(report_of(path, None).findings) == 1


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_old_database_is_checked_but_for_its_hands(version: int, vault: SeedVault, tmp_path: Path) -> None:
    report = report_of(Path(shutil.copy(GOLDEN / f"schema-{version}.db", tmp_path / "old.db")), vault)
    assert (report.version, report.findings) == (version, ())


def test_another_key_opens_no_hand(path: Path) -> None:
    lines = [finding.line for finding in report_of(path, SeedVault([b"k" * 32])).findings]
    assert len(lines) == 3
    assert all("is not in the key file" in line for line in lines)


def test_a_damaged_page_is_a_finding_or_a_refusal(path: Path, vault: SeedVault) -> None:
    content = path.read_bytes()
    for page in range(1, len(content) // 4096):
        start = page * 4096
        path.write_bytes(content[:start] + b"\xff" * 4096 + content[start + 4096 :])
        try:
            assert any(finding.kind == "file" for finding in report_of(path, vault).findings)
        except StoreBroken:
            continue


def _with(path: Path, setting: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(setting)


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("PRAGMA user_version = 99", "it was written by a newer version of the bot"),
        ("PRAGMA user_version = 0", "it holds nothing yet"),
        ("PRAGMA application_id = 7", "is not a database of this bot: name another file"),
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
    assert unbalanced(many) == []
    assert len(asked) == 4
