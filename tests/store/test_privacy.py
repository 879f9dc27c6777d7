"""The list of columns that hold a player, which must cover the whole schema."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.model.ids import GuildId, Player
from bot.store.entrants import ENTRANTS
from bot.store.events import people_in
from bot.store.export_queries import TOLD
from bot.store.hands import HandQueries
from bot.store.personal import (
    FINAL,
    FREE_TEXT,
    NAMED,
    OF_SERVERS,
    naming,
    renamed,
    unspoken,
    without_entropy,
    without_words,
)
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.migrate import migrate, numbered

NOBODY = {
    "account.kind",
    "attempt_fact.kind",
    "audit.action",
    "audit.cause",
    "badge.badge",
    "feat.kind",
    "feat.game",
    "challenge.epoch",
    "challenge.game",
    "challenge.master",
    "challenge.name",
    "challenge.series",
    "entrant.state",
    "epoch.name",
    "table_log.kind",
    "game_table.closed_reason",
    "game_table.epoch",
    "game_table.language",
    "game_table.limits",
    "game_table.pace",
    "game_table.state",
    "game_table.variant",
    "hand.deal",
    "hand.reason",
    "hand.shared",
    "hand.state",
    "hand.variant",
    "heartbeat.database_id",
    "leaving.player",
    "leaving.pseudonym",
    "luck.game_group",
    "member.calls",
    "member.deck",
    "member.language",
    "member.shown",
    "member.size",
    "member.zone",
    "memory.kind",
    "mentioned.source",
    "migration.digest",
    "outbox.kind",
    "owner.name",
    "page_token.locale",
    "process.connections",
    "process.page_url",
    "rating.game_group",
    "day_answer.cause",
    "day_answer.letters",
    "day_puzzle.puzzle",
    "found_puzzle.game",
    "found_puzzle.line",
    "found_puzzle.puzzle",
    "found_puzzle.theme",
    "found_puzzle.verified_by",
    "judged_decision.theme",
    "learner.shown",
    "mistake.cause",
    "mistake.correction",
    "mistake.letters",
    "mistake.mistake",
    "puzzle.puzzle",
    "puzzle_attempt.cause",
    "puzzle_attempt.letters",
    "puzzle_attempt.puzzle",
    "puzzle_choice.letters",
    "puzzle_choice.puzzle",
    "repetition.puzzle",
    "result.game",
    "solver.games",
    "solver.shown",
    "solver.theme",
    "stream_link.locale",
    "stream_link.name",
    "bulletin.kind",
    "bulletin.zone",
    "club_page.ranked_by",
    "club_page.span",
    "club_page.game",
    "club_page.shown",
    "server.channels",
    "server.game",
    "server.language",
    "server.pace",
    "server.zone",
    "standing.game",
    "standing.span",
    "start_poll.language",
    "start_poll.times",
    "start_poll.zone",
    "timer.kind",
    "event.decks_epoch",
    "event.epoch",
    "event.calls",
    "event.former_decks",
    "event.language",
    "event.pace",
    "event.page",
    "event.phase",
    "event.reason",
    "event.repeat_rule",
    "event.repeats_as",
    "event.scheduled_as",
    "event.variant",
    "event_log.kind",
    "event_outbox.notice",
    "event_table.waits",
    "transfer.kind",
}
"""Texts without names, such as the bot's own words and games.

Players being deleted are in ``leaving`` until their hands are rewritten, and see nothing of it.
"""


CHECKED = {"member.new_table", "house_game.name", "house_game.spec", "table_template.folded", "table_template.name"}
"""Texts of people that are refused with a mention. Each has a case in ``WRITERS`` (``tests/play/test_mentions.py``)."""


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """An empty database with the bot's schema."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        migrate(connection, MIGRATIONS, path=Path(":memory:"))
        yield connection


def columns(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Every column of the schema: table, name, type."""
    return [
        (table, name, kind)
        for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")
    ]


def test_every_text_of_the_schema_either_names_players_or_is_known_to_name_nobody(
    connection: sqlite3.Connection,
) -> None:
    texts = {f"{table}.{name}" for table, name, kind in columns(connection) if kind == "TEXT"}
    declared = {f"{named.table}.{name}" for named in NAMED for name in (*named.players, *named.within, *named.cleared)}
    free = {f"{free.table}.{name}" for free in FREE_TEXT for name in free.columns}
    forgotten = texts - declared - free - CHECKED - NOBODY
    assert not forgotten, (
        "Can people write their own words there? Then it's free text (bot/store/personal.py). Otherwise say there, or "
        f"in NOBODY here, what becomes of {sorted(forgotten)}"
    )
    for known in (declared, free, CHECKED, NOBODY):
        assert known <= texts
    assert not NOBODY & (declared | free | CHECKED)
    assert not CHECKED & (declared | free)
    # A reason is cleared in rows about someone who is deleted, and keeps no mention of them in others.
    cleared = {f"{named.table}.{name}" for named in NAMED for name in named.cleared}
    assert free & declared <= cleared


def test_what_names_players_belongs_to_a_server_unless_it_says_otherwise(connection: sqlite3.Connection) -> None:
    of_servers = {table for table, name, _ in columns(connection) if name == "guild_id"}
    assert {named.table for named in NAMED if not named.everywhere} <= of_servers
    assert not {named.table for named in NAMED if named.everywhere} & of_servers
    assert sorted(OF_SERVERS) == sorted(of_servers), "bot/store/personal.py lists the tables of a server"


def test_every_column_that_names_a_player_is_found_by_an_index(connection: sqlite3.Connection) -> None:
    """The index begins with the column, so that a player's rows are found without scanning the table."""
    indexes = connection.execute(
        "SELECT t.name, i.name FROM sqlite_schema AS t, pragma_index_list(t.name) AS i WHERE t.type = 'table'"
    ).fetchall()
    found = {
        (table, connection.execute(f"SELECT name FROM pragma_index_info('{name}') WHERE seqno = 0").fetchone()[0])
        for table, name in indexes
    }
    assert not {(named.table, column) for named in NAMED for column in named.players} - found


def test_what_is_kept_about_somebody_is_read_by_indexes_alone(connection: sqlite3.Connection) -> None:
    for told in TOLD:
        values = {"player": "1", "quoted": "1", "value": "1", "wide": "1"}
        plan = [row["detail"] for row in connection.execute(f"EXPLAIN QUERY PLAN {told.sql}", values)]
        scanned = {step for step in plan if step.startswith("SCAN ")}
        # Events with co-organisers are few, and so are tables with invitations or former players.
        few = {"SCAN event USING INDEX event_helped", "SCAN x USING INDEX game_table_invited"}
        assert scanned <= few | {"SCAN CONSTANT ROW", "SCAN sat"}, told.name


def test_exports_keep_the_name_that_events_had_in_their_fields(connection: sqlite3.Connection) -> None:
    values = {"player": "1", "quoted": "1", "value": "1", "wide": "1"}
    fields = {told.name: [name for name, *_ in connection.execute(told.sql, values).description] for told in TOLD}
    assert not [name for name, columns in fields.items() if "event_id" in columns]
    assert {name for name, columns in fields.items() if "tournament_id" in columns} == {
        "events_organised",
        "events_helped",
        "events_entered",
        "events_waited_for",
        "matches_won",
        "event_actions",
        "rulings",
        "event_lines",
    }


def test_seats_that_somebody_has_lost_are_found_among_thousands_of_acts(connection: sqlite3.Connection) -> None:
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    HandQueries(SqliteSql(connection)).lost_seats(GuildId(1), Player("1"), since=5)
    connection.set_trace_callback(None)
    (statement,) = asked
    plan = [row["detail"] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert "SEARCH l USING INDEX table_log_lost_seat (actor=? AND guild_id=? AND at>?)" in plan


def test_who_is_to_be_deleted_is_looked_for_by_indexes_alone(connection: sqlite3.Connection) -> None:
    """Anyone may ask, as often as they like, even about people without stored data."""
    people = [named for named in NAMED if not named.everywhere]
    asked = [f"SELECT DISTINCT x.guild_id FROM {rows}" for named in people for rows in naming(named)]
    assert len(asked) > len(people)
    values = {"player": "1", "value": "%1%"}
    plans = {sql: [row["detail"] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)] for sql in asked}
    # These are few: events with co-organisers, tables with invitations, and posts due within seconds.
    few = {"SCAN x USING INDEX event_helped", "SCAN x USING INDEX game_table_invited", "SCAN CONSTANT ROW"}
    scanned = {sql: {step for step in plan if step.startswith("SCAN ")} - few for sql, plan in plans.items()}
    assert {sql.split()[4] for sql, steps in scanned.items() if steps} == {"event_outbox"}


@pytest.mark.parametrize(
    ("details", "people"),
    [
        ({"player": "1001", "hands": 3, "why": "late"}, {"1001"}),
        ({"players": ["1001", "1002"], "until": 312345678901234567}, {"1001", "1002"}),
        ({"moves": [["1001", 4]], "tables": {"3": ["1003"]}}, {"1001", "3", "1003"}),
        ({"text": "<@312345678901234567> brings 20 cakes at 19:30"}, {"312345678901234567"}),
        ({"text": "No. 1234567890123456789012345678"}, set()),
    ],
)
def test_people_are_found_in_a_line(details: dict[str, object], people: set[str]) -> None:
    assert people_in(details) == people


def test_every_table_that_names_players_is_told_to_them() -> None:
    asked = " ".join(told.sql.replace('"', "") for told in TOLD)
    silent = {named.table for named in NAMED if f" {named.table} " not in f"{asked} "}
    # Pending posts are in the log as well.
    assert silent == {"event_outbox"}
    assert {free.table for free in FREE_TEXT if f" {free.table} AS x" not in asked} == set()


def test_all_that_somebody_has_chosen_is_told_to_them(connection: sqlite3.Connection) -> None:
    (settings,) = (told for told in TOLD if told.name == "settings")
    columns = {row["name"] for row in connection.execute("SELECT name FROM pragma_table_info('member')")}
    told = {column[0] for column in connection.execute(settings.sql, {"player": "1"}).description}
    assert {"calls", "digest_at"} < columns
    assert columns - told == {"player"}


def test_guarded_tables_are_those_with_final_rows_and_are_guarded_again_afterwards(
    connection: sqlite3.Connection,
) -> None:
    triggers = "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name"
    before = [tuple(row) for row in connection.execute(triggers)]
    assert {table for name, table, _ in before if "_is_final_" in name} == {*FINAL}
    with SqliteSql(connection).unguarded(FINAL):
        connection.execute("UPDATE table_log SET actor = 'x'")
        assert not [name for name, *_ in connection.execute(triggers) if "_is_final_" in name]
    assert [tuple(row) for row in connection.execute(triggers)] == before


def test_a_name_is_replaced_whole_and_never_in_a_number() -> None:
    assert renamed("event:3:42:1", "42", "gone-a") == "event:3:gone-a:1"
    assert renamed("142:420", "42", "gone-a") == "142:420"
    assert renamed('{"player":"42","hand":42,"42":["x 42 y"]}', "42", "gone-a") == (
        '{"player":"gone-a","hand":42,"gone-a":["x […] y"]}'
    )


def test_entropy_and_free_text_are_taken_away() -> None:
    assert without_entropy('[["42","運"],["7","mine"]]', "42", "gone-a") == '[["gone-a",""],["7","mine"]]'
    said = '{"what":"penalty","player":"42","by":"7","why":"rude"}'
    assert unspoken(said, "42", "gone-a") == '{"what":"penalty","player":"gone-a","by":"7","why":""}'
    assert unspoken(said, "8", "gone-a") == said
    assert without_words('{"why":"they were rude","player":"42"}') == '{"why":"","player":"42"}'


def test_whoever_asks_is_told_all_that_they_have_won_in_an_event() -> None:
    (entered,) = [told.sql for told in TOLD if told.name == "events_entered"]
    names = {column.name for column in ENTRANTS.columns}
    won = [name for name in ("place", "prize", "head", "bounties", "seeded") if name in names]
    assert len(won) == 5
    assert [name for name in won if f" {name}," not in entered] == []


def test_an_upgrade_finds_whom_older_texts_mention() -> None:
    ann, bob = "312345678901234567", "41234567890123456"
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        first, second = (path.read_text(encoding="utf-8") for path in numbered(MIGRATIONS)[:2])
        connection.executescript(first)
        audit = "INSERT INTO audit (guild_id, number, manager, action, chips, reason, cause, at) "
        for number, reason in enumerate((f"<@{ann}>, {bob}!", f"1{ann}23", "14 hands of 3", f"again {ann}")):
            connection.execute(f"{audit} VALUES (7, {number}, '5', 'terms', 0, ?, '{number}', 1)", (reason,))
        connection.execute(
            "INSERT INTO freeze (guild_id, player, reason, at) VALUES (8, '5', ?, 1)", (f"like <@!{bob}>",)
        )
        connection.execute(
            "INSERT INTO season_terms (guild_id, monthly, reset_chips, title) VALUES (7, 0, 0, ?)", (ann,)
        )
        connection.executescript(second)
        found = set(connection.execute("SELECT player, guild_id, source FROM mentioned"))
    assert found - {(f"1{ann}23", 7, "audit")} == {
        (ann, 7, "audit"),
        (bob, 7, "audit"),
        (bob, 8, "freeze"),
        (ann, 7, "season_terms"),
    }
