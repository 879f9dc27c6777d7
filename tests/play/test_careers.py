"""Careers: sums of hands for chips, opponents met, and badges; all of it is what the results come to."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from bot.model.careers import Badge, Career, Versus, after, earned_by, numbers_of
from bot.model.hands import Result
from bot.model.ids import Player, TableId, TableKey
from bot.model.standings import NOTHING_PAID, Paid
from bot.play.badges import note_hand
from bot.play.session.session import Session
from bot.store.invariants import QUESTIONS
from tests.databases import ask, do
from tests.play.world import ANN, BOB, CLEO, DAN, GUILD, World

pytestmark = pytest.mark.on_both
KEY = TableKey(guild=GUILD, table=TableId(1))
STAY = {"in_fantasyland": True, "fantasyland": 14}
OFF = {question.sql: question.text for question in QUESTIONS if question.kind == "careers"}


def result(player: Player, points: int = 0, **more: Any) -> Result:
    """A result for chips of one opponent."""
    plain = Result(
        player=player, points=points, chips=0, fantasyland=0, foul=False, ranked=True, game="pineapple", met=1
    )
    return replace(plain, **more)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """An open bot."""
    world = World(tmp_path)
    await world.open()
    yield world
    await world.close()


async def settle(world: World, number: int, *results: Result, paid: Paid = NOTHING_PAID) -> None:
    """Store the results of a hand, and record the badges that it earned."""

    def job(s: Session) -> None:
        kept = s.tx.results.add(KEY, number, results, at=s.now, paid=paid)
        note_hand(s, KEY, number, kept)

    await world.sessions.write(job)


async def look(world: World, what: str, *about: Any, **more: Any) -> Any:
    """Return the result of a query on careers."""
    return await world.sessions.read(lambda s: attrgetter(what)(s.tx)(*about, **more))


def wrong(world: World) -> list[str]:
    """Return errors in careers, as found by the check."""
    return [text for sql, text in OFF.items() for _ in ask(world.place, sql)]


async def badges(world: World, player: Player) -> list[Badge]:
    return [earned.badge for earned in await look(world, "badges.of", GUILD, player)]


async def test_hands_that_are_played_add_up_to_careers(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    for _ in range(2):
        await world.play_hand(key)
        await world.next_hand(key)
    results = [one for number in (1, 2) for one in (await world.play.result(key, number)).results]
    for player in (ANN, BOB, CLEO):
        mine = [one for one in results if one.player == player]
        career = await look(world, "careers.get", GUILD, player)
        met = await look(world, "careers.most_met", GUILD, player, limit=9)
        assert (career.met, career.scoops) == (4, sum(one.scoops for one in mine))
        assert sum(versus.chips for versus in met) == sum(one.chips for one in mine)
        assert [versus.hands for versus in met] == [2, 2]
        assert await look(world, "careers.form", GUILD, player, limit=9) == [one.points for one in mine]
    assert wrong(world) == []


async def test_practice_is_no_part_of_a_career(world: World) -> None:
    await settle(world, 1, result(ANN, 9, ranked=False, royal=True), result(BOB, -9, ranked=False))
    assert await look(world, "careers.get", GUILD, ANN) == Career()
    assert await look(world, "careers.form", GUILD, ANN, limit=9) == []
    assert wrong(world) == []


async def test_two_players_meet_from_either_side(world: World) -> None:
    await settle(world, 1, result(ANN, 5), result(BOB, -5), paid={(BOB, ANN): 50})
    await settle(world, 2, result(ANN, 1), result(BOB, 1), result(CLEO, -2), paid={(ANN, BOB): 20})
    mine = await look(world, "careers.versus", GUILD, ANN, BOB)
    theirs = await look(world, "careers.versus", GUILD, BOB, ANN)
    assert mine == Versus(other=BOB, hands=2, ahead=1, behind=0, chips=30)
    assert theirs == Versus(other=ANN, hands=2, ahead=0, behind=1, chips=-30)


async def test_who_keeps_to_themselves_is_not_among_those_met(world: World) -> None:
    await settle(world, 1, result(ANN), result(BOB), result(CLEO))
    await world.play.change_member_settings(
        GUILD, BOB, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    met = await look(world, "careers.most_met", GUILD, ANN, limit=9)
    assert [versus.other for versus in met] == [CLEO]


async def test_the_best_board_is_the_first_with_the_most_royalties(world: World) -> None:
    for number, royalties in enumerate((4, 22, 22, 9), start=1):
        await settle(world, number, result(ANN, royalties=royalties, scoops=1), result(BOB))
    career = await look(world, "careers.get", GUILD, ANN)
    assert career == Career(met=4, scoops=4, best_royalties=22, best_table=1, best_hand=2)


@pytest.mark.parametrize(
    ("more", "stays", "wanted"),
    [
        ({"royal": True}, 0, [Badge.ROYAL_FLUSH]),
        ({"royalties": 30}, 0, [Badge.GREAT_BOARD]),
        ({"royalties": 29}, 0, []),
        ({"points": 50}, 0, [Badge.BIG_HAND]),
        ({"points": 49}, 0, []),
        ({"met": 2, "scoops": 2}, 0, [Badge.WHOLE_TABLE]),
        ({"met": 2, "scoops": 1}, 0, []),
        ({"met": 1, "scoops": 1}, 0, []),
        ({"met": 3}, 0, [Badge.FOUR_SEATED]),
        ({"fantasyland": 14}, 0, [Badge.FIRST_FANTASYLAND]),
        (STAY, 1, [Badge.FIRST_FANTASYLAND, Badge.THREE_FANTASYLANDS]),
        (STAY, 0, [Badge.FIRST_FANTASYLAND]),
        ({"in_fantasyland": True}, 3, []),
        (STAY, 3, [Badge.FIRST_FANTASYLAND, Badge.THREE_FANTASYLANDS, Badge.FIVE_FANTASYLANDS]),
    ],
)
def test_a_hand_earns_what_it_shows(more: dict[str, Any], stays: int, wanted: Sequence[Badge]) -> None:
    before = None
    for _ in range(stays):
        before = after(result(ANN, **STAY), before)
    assert earned_by(numbers_of(after(result(ANN, **more), before))) == wanted


async def test_three_fantasylands_are_two_stays_one_after_the_other(world: World) -> None:
    await settle(world, 1, result(ANN, fantasyland=14), result(BOB, **STAY))
    await settle(world, 2, result(ANN, **STAY), result(BOB, in_fantasyland=True))
    assert await badges(world, ANN) == await badges(world, BOB) == [Badge.FIRST_FANTASYLAND]
    await settle(world, 3, result(ANN, **STAY), result(BOB, **STAY))
    assert (await badges(world, ANN), await badges(world, BOB)) == (
        [Badge.FIRST_FANTASYLAND, Badge.THREE_FANTASYLANDS],
        [Badge.FIRST_FANTASYLAND],
    )
    assert wrong(world) == []


@pytest.mark.parametrize(
    ("more", "badge"),
    [
        ({"royal": True}, Badge.ROYAL_FLUSH),
        ({"royalties": 30}, Badge.GREAT_BOARD),
        ({"met": 2, "scoops": 2}, Badge.WHOLE_TABLE),
        ({"in_fantasyland": True, "fantasyland": 14}, Badge.THREE_FANTASYLANDS),
    ],
)
async def test_a_board_that_the_clock_placed_whole_earns_no_badge(
    world: World, more: dict[str, Any], badge: Badge
) -> None:
    await settle(world, 1, result(ANN, **STAY), result(BOB, **STAY), result(CLEO))
    await settle(world, 2, result(ANN, played=False, **more), result(BOB, **more), result(CLEO))
    assert (badge in await badges(world, ANN), badge in await badges(world, BOB)) == (False, True)
    assert wrong(world) == []


async def test_a_result_says_for_whom_the_clock_placed_the_whole_board(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    placed = set()
    while (view := await world.play.look(key)).waiting:
        if CLEO in view.waiting or (BOB in view.waiting and BOB in placed):
            await world.time_out(key)
        else:
            placed.add(view.waiting[0])
            await world.place_cards(key, view.waiting[0])
    results = (await world.play.result(key, 1)).results
    assert {one.player: one.played for one in results} == {ANN: True, BOB: True, CLEO: False}


@pytest.mark.parametrize(
    ("drafted", "played"), [("BMMBB", True), ("B....", True), (".....", False), ("FFFFB", False), ("", False)]
)
async def test_a_board_that_the_clock_placed_from_drafts_is_its_players(
    world: World, drafted: str, played: bool
) -> None:
    key = await world.started(ANN, BOB)
    while (view := await world.play.look(key)).waiting:
        turn = view.waiting[0]
        assert view.hand is not None
        if turn == ANN:
            await world.place_cards(key, turn)
            continue
        if view.hand.street == 1 and drafted:
            await world.play.save_draft(key, BOB, hand_no=1, street=1, rows=drafted)
        await world.time_out(key)
    results = (await world.play.result(key, 1)).results
    assert {one.player: one.played for one in results} == {ANN: True, BOB: played}
    hand = await world.replayed(key, 1)
    assert hand.seats[1].by_clock == (1, 2, 3, 4, 5), "no street was confirmed"


async def test_a_fantasyland_that_the_clock_set_from_a_draft_is_its_players(world: World) -> None:
    for begun in (True, False):
        key = await world.table(ANN, BOB)
        await world.into_fantasyland(key, BOB)
        await world.next_hand(key)
        if begun:
            await world.play.save_draft(key, BOB, hand_no=2, street=0, rows="B" + "." * 13)
        await world.play_hand_of(key, ANN)
        await world.time_out(key)
        results = (await world.play.result(key, 2)).results
        assert {one.player: one.played for one in results} == {ANN: True, BOB: begun}


async def test_a_badge_is_earned_once_and_told_with_its_hand(world: World) -> None:
    await settle(world, 1, result(ANN, royal=True, royalties=31), result(BOB))
    await settle(world, 2, result(ANN, royal=True), result(BOB))
    told = [await look(world, "badges.of_hand", KEY, n, [ANN, BOB]) for n in (1, 2)]
    assert [[(player, one.badge) for player, one in some] for some in told] == [
        [(ANN, Badge.ROYAL_FLUSH), (ANN, Badge.GREAT_BOARD)],
        [],
    ]
    await world.play.change_member_settings(
        GUILD, ANN, lambda member_settings: replace(member_settings, profile_visible=False)
    )
    assert await look(world, "badges.of_hand", KEY, 1, [ANN, BOB]) == []


async def test_a_week_of_daily_hands_is_noted_with_the_next_hand_at_a_table(world: World) -> None:
    do(world.place, f"INSERT INTO streak (player, last_day, days, best, frozen) VALUES ('{ANN}', 9, 1, 7, 0)")
    await settle(world, 1, result(ANN), result(DAN))
    ((player, told),) = await look(world, "badges.of_hand", KEY, 1, [ANN, DAN])
    assert (player, told.badge) == (ANN, Badge.DAILY_WEEK)


async def test_the_books_find_what_careers_should_not_be(world: World) -> None:
    chance = random.Random(19)
    for number in range(1, 40):
        more = [{"royalties": chance.randrange(40), "scoops": chance.randrange(2)} for _ in range(2)]
        await settle(world, number, result(ANN, 3, **more[0]), result(BOB, -3, **more[1]))
    assert wrong(world) == []
    for change, found in {
        "UPDATE career SET scoops = scoops + 1": 2,
        f"UPDATE career SET best_royalties = 99 WHERE player = '{ANN}'": 1,
        f"UPDATE versus SET lessons = lessons + 1 WHERE player = '{ANN}'": 1,
        f"DELETE FROM versus WHERE player = '{BOB}'": 1,
        f"DELETE FROM badge WHERE player = '{ANN}' AND badge = 'great_board'": 1,
        f"INSERT INTO badge VALUES ({GUILD}, '{BOB}', 'royal_flush', 1, 1, 1, 0)": 1,
    }.items():
        before = len(wrong(world))
        do(world.place, change)
        assert len(wrong(world)) == before + found, change
