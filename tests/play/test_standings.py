"""Standings: spans of the calendar, and sums that are what the results come to."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bot.chat.club.screens.leaderboard import leaderboard_for_all, without_own
from bot.model.hands import Result
from bot.model.ids import Player, TableId, TableKey
from bot.model.standings import (
    CALENDAR,
    EVERY_GAME,
    FOR_EVER,
    LeaderboardOrder,
    LeaderboardQuery,
    LeaderboardSpan,
    RankingPlace,
    Standing,
)
from bot.play.session.session import Session
from bot.store.invariants import QUESTIONS
from bot.store.leaderboard_checks import MONTH_OF_DAYS
from bot.store.sqlite.driver import SqliteSql
from bot.text.words import words_for
from tests.databases import DATABASES, POSTGRES
from tests.play.world import ANN, BOB, GUILD, OTHER_GUILD, START, World

DAY_MS = 86_400_000
PLAYERS = [Player(str(10**17 + number * 7)) for number in range(12)]


RESULT = Result(player=PLAYERS[0], points=0, chips=0, fantasyland=0, foul=False, ranked=True)


def moment(text: str) -> int:
    """A time of the calendar (UTC) in milliseconds."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("span", "at", "since", "until"),
    [
        (LeaderboardSpan.DAY, "2026-11-22T23:59:59.999", "2026-11-22", "2026-11-23"),
        (LeaderboardSpan.WEEK, "2026-11-22T23:59:59.999", "2026-11-16", "2026-11-23"),
        (LeaderboardSpan.WEEK, "2026-11-23T00:00:00", "2026-11-23", "2026-11-30"),
        (LeaderboardSpan.MONTH, "2028-02-29T12:00:00", "2028-02-01", "2028-03-01"),
        (LeaderboardSpan.MONTH, "2026-12-31T23:59:59.999", "2026-12-01", "2027-01-01"),
    ],
)
def test_a_span_is_that_of_the_calendar(span: LeaderboardSpan, at: str, since: str, until: str) -> None:
    assert span.bounds(moment(at)) == (moment(since), moment(until))


def test_all_time_has_one_span() -> None:
    assert LeaderboardSpan.ALL.bounds(0) == LeaderboardSpan.ALL.bounds(START) == (0, FOR_EVER)


@pytest.fixture
def chance() -> random.Random:
    """A source of chance that is the same each time."""
    return random.Random(16)


def hands(chance: random.Random, *, count: int) -> Iterator[tuple[TableKey, int, list[Result], int]]:
    """Hands of two games in two servers over a hundred days, some of them in practice."""
    start = datetime.fromtimestamp(START / 1000, UTC)
    for number in range(1, count + 1):
        first, second = chance.sample(PLAYERS, 2)
        points, ranked = chance.randint(-20, 20), chance.random() < 0.9
        guild = GUILD if chance.random() < 0.8 else OTHER_GUILD
        at = int((start + timedelta(minutes=chance.randrange(100 * 24 * 60))).timestamp()) * 1000
        game = chance.choice(("pineapple", "classic"))
        results = [
            Result(
                player=player,
                points=sign * points,
                chips=sign * points * 10,
                fantasyland=chance.choice((0, 0, 14)),
                foul=chance.random() < 0.2,
                ranked=ranked,
                game=game,
                royalties=chance.randrange(12),
                in_fantasyland=chance.random() < 0.3,
            )
            for player, sign in ((first, 1), (second, -1))
        ]
        yield TableKey(guild=guild, table=TableId(1)), number, results, at


def add(key: TableKey, number: int, results: list[Result], at: int, s: Session) -> None:
    """A hand is settled."""
    s.tx.results.add(key, number, results, at=at)


def counted(played: list[tuple[Result, int]], asked: LeaderboardQuery, *, at: int) -> list[Standing]:
    """The leaderboard by the definition: every result is looked at."""
    since, until = asked.span.bounds(at)
    lines = []
    for player in PLAYERS:
        mine = [
            result
            for result, when in played
            if result.player == player and since <= when < until and asked.game in (EVERY_GAME, result.game)
        ]
        if len(mine) >= asked.order.min_hands:
            lines.append(
                Standing(
                    player=player,
                    hands=len(mine),
                    points=sum(result.points for result in mine),
                    chips=sum(result.chips for result in mine),
                    visits=sum(result.fantasyland > 0 for result in mine),
                    stays=sum(result.fantasyland > 0 and result.in_fantasyland for result in mine),
                    royalties=sum(result.royalties for result in mine),
                    fouls=sum(result.foul for result in mine),
                    best=max(result.points for result in mine),
                )
            )
    if asked.order in (LeaderboardOrder.FANTASYLAND, LeaderboardOrder.STAYS):
        lines = [line for line in lines if line.value(asked.order)]
    sign = 1 if asked.order is LeaderboardOrder.FOULS else -1
    return sorted(lines, key=lambda line: (sign * line.value(asked.order), -line.hands, int(line.player)))


def placed(lines: Sequence[Standing], order: LeaderboardOrder) -> list[tuple[RankingPlace, Standing]]:
    """Lines with their places: one more than how many have more, shared where others have as much."""
    values = [line.value(order) for line in lines]
    first = [values.index(value) + 1 for value in values]
    return [
        (RankingPlace(rank=rank, shared=values.count(value) > 1), line)
        for rank, value, line in zip(first, values, lines, strict=True)
    ]


async def test_a_leaderboard_is_what_the_results_come_to(tmp_path: Path, chance: random.Random) -> None:
    world = World(tmp_path)
    await world.open()
    played: list[tuple[Result, int]] = []
    for key, number, results, at in hands(chance, count=400):
        await world.sessions.write(partial(add, key, number, results, at))
        if key.guild == GUILD:
            played += [(result, at) for result in results if result.ranked]
    for day in (0, 40, 99):
        world.now = START + day * DAY_MS
        for order in {order for order in LeaderboardOrder if not order.of_events} - {LeaderboardOrder.RATING}:
            for span in CALENDAR:
                for game in (EVERY_GAME, "classic"):
                    asked = LeaderboardQuery(order, span, game)
                    wanted = counted(played, asked, at=world.now)
                    board = await world.play.leaderboard(GUILD, asked, PLAYERS[0], page=0, lines=50)
                    assert board.lines == wanted, asked
                    own = next((place for place, line in placed(wanted, order) if line.player == PLAYERS[0]), None)
                    assert (board.own_place, board.ranked) == (own, len(wanted)), asked
                    assert list(zip(board.places, board.lines, strict=True)) == placed(wanted, order), asked
    assert board.games == ["classic", "pineapple"]
    await world.close()


async def test_a_page_holds_one_line_more_where_there_are_more(tmp_path: Path, chance: random.Random) -> None:
    world = World(tmp_path)
    await world.open()
    for key, number, results, at in hands(chance, count=100):
        await world.sessions.write(partial(add, key, number, results, at))
    whole = await world.play.leaderboard(GUILD, LeaderboardQuery(), PLAYERS[0], page=0, lines=50)
    first = await world.play.leaderboard(GUILD, LeaderboardQuery(), PLAYERS[0], page=0, lines=5)
    second = await world.play.leaderboard(GUILD, LeaderboardQuery(), PLAYERS[0], page=1, lines=5)
    assert first.lines == whole.lines[:6]
    assert second.lines == whole.lines[5:11]
    await world.close()


async def test_a_place_that_is_shared_by_several_is_the_same_on_every_page(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.open()
    won = [9, 5, 5, 5, 5, 1, 0, 0, -30]
    results = [replace(RESULT, player=Player(str(n)), points=chips, chips=chips) for n, chips in enumerate(won, 1)]
    await world.sessions.write(partial(add, TableKey(guild=GUILD, table=TableId(1)), 1, results, START))
    for order in (LeaderboardOrder.CHIPS, LeaderboardOrder.BEST):
        shown: list[RankingPlace] = []
        for page in range(5):
            board = await world.play.leaderboard(GUILD, LeaderboardQuery(order), Player("4"), page=page, lines=2)
            assert board.own_place == RankingPlace(rank=2, shared=True)
            shown += board.places[:2]
        assert [place.rank for place in shown] == [1, 2, 2, 2, 2, 6, 7, 7, 9]
        assert [place.shared for place in shown] == [rank in (2, 7) for rank in (1, 2, 2, 2, 2, 6, 7, 7, 9)]
    await world.close()


def standings_wrong(world: World) -> list[str]:
    """Return errors in sums, as found by the check."""
    return [one.text for one in QUESTIONS if one.kind == "standings" and world.ask(one.sql)]


@pytest.mark.on_both
@pytest.mark.parametrize(
    "statement",
    [
        *(f"DELETE FROM standing WHERE span = '{span}'" for span in ("day", "week", "month", "all", "season")),
        *(
            f"UPDATE standing SET best = best + 100 WHERE span = '{span}'"
            for span in ("day", "week", "month", "all", "season")
        ),
        "UPDATE standing SET since = since + 604800000 WHERE span = 'week'",
    ],
)
async def test_a_check_finds_a_span_that_is_gone_and_a_best_hand_that_was_not_played(
    tmp_path: Path, statement: str
) -> None:
    world = World(tmp_path)
    await world.open()
    await world.bank.start_season(GUILD, ANN, "", cause=world.cause())
    for _ in range(2):
        key = await world.started(ANN, BOB)
        await world.play_hand(key)
        await world.play.close(key, reason="closed_by_admin")
        await world.later(40 * DAY_MS)
    assert standings_wrong(world) == []
    world.do(statement)
    assert standings_wrong(world)
    await world.close()


def test_sums_of_a_month_are_looked_for_in_the_month_of_the_calendar() -> None:
    days = range(0, 366 * 200, 1)
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE standing (since INTEGER, span TEXT)")
        connection.executemany("INSERT INTO standing VALUES (?, 'day')", [(day * DAY_MS,) for day in days])
        found = dict(connection.execute(MONTH_OF_DAYS).fetchall())
    connection.close()
    assert len(found) == len(days)
    assert all(first * DAY_MS == LeaderboardSpan.MONTH.bounds(since)[0] for since, first in found.items())


async def test_a_club_s_board_of_events_is_counted_again_only_when_something_has_changed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    driver: Any = SqliteSql
    if DATABASES.kind == POSTGRES:
        driver = import_module("bot.store.postgres.driver").PostgresSql
    of_all = driver.all

    def counted(sql: Any, statement: str, **values: Any) -> list[Any]:
        asked.append(statement)
        return of_all(sql, statement, **values)  # type: ignore[no-any-return]

    monkeypatch.setattr(driver, "all", counted)
    order = LeaderboardQuery(order=LeaderboardOrder.EVENT_POINTS)

    async def look() -> int:
        """Return the number of lists that the page queries."""
        asked.clear()
        board = await world.play.club_board(GUILD, order, lines=10)
        count = len(asked)
        assert board == await world.play.leaderboard(GUILD, order, Player(""), page=0, lines=10)
        return count

    assert await look() > 3
    assert await look() == 2, "who hides and who has left are all that is asked for as lists"
    asked.clear()
    await world.play.change_member_settings(
        GUILD, ANN, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    await world.play.club_board(GUILD, order, lines=10)
    assert [one for one in asked if "CROSS JOIN entrant" in one], "somebody has hidden"
    asked.clear()
    world.play.forget(ANN)
    await world.play.club_board(GUILD, order, lines=10)
    assert [one for one in asked if "CROSS JOIN entrant" in one], "somebody was deleted"


async def test_members_who_left_are_listed_last_without_a_place_until_they_are_back(
    tmp_path: Path, chance: random.Random
) -> None:
    world = World(tmp_path)
    await world.open()
    for hand in hands(chance, count=300):
        await world.sessions.write(partial(add, *hand))
    asked = LeaderboardQuery(LeaderboardOrder.CHIPS, LeaderboardSpan.ALL)
    full = await world.play.leaderboard(GUILD, asked, PLAYERS[0], page=0, lines=20)
    people = [line.player for line in full.lines]
    assert len(people) == 12
    left = [people[0], people[5]]
    await world.play.note_departed(GUILD, left)
    board = await world.play.leaderboard(GUILD, asked, PLAYERS[0], page=0, lines=20)
    ranked = [one for one in people if one not in left]
    assert [line.player for line in board.lines] == [*ranked, *left]
    assert [place.rank for place in board.places] == [*range(1, 11), 0, 0]
    assert board.ranked == 10
    pages = [await world.play.leaderboard(GUILD, asked, ranked[0], page=page, lines=5) for page in range(3)]
    assert [line.player for page in pages for line in page.lines[:5]] == [*ranked, *left]
    assert [place.rank for page in pages for place in page.places[:5]] == [*range(1, 11), 0, 0]
    assert all(page.own_place == RankingPlace(rank=1) for page in pages)
    rest = await world.play.leaderboard(GUILD, asked, PLAYERS[0], page=1, lines=10)
    text = "\n".join(str(part) for part in leaderboard_for_all(without_own(rest), words_for("en")).walk())
    assert f"-# – · <@{left[0]}>" in text
    assert text.count("left the server") == 2 * text.count("### Leaderboard")
    for player in left:
        await world.play.note_returned(GUILD, player)
    again = await world.play.leaderboard(GUILD, asked, PLAYERS[0], page=0, lines=20)
    assert (again.lines, again.places) == (full.lines, full.places)
    await world.close()
