"""Drafts: confirmed ahead of the turn or used by the clock. Placed cards are never discarded."""

from __future__ import annotations

import asyncio

import pytest

from bot.model.ids import Player, TableKey
from bot.model.tables import TableState
from bot.pure.ofc.cards import EMPTY
from bot.pure.ofc.log import CardsPlaced, PlacedBy
from bot.pure.ofc.placement import place
from bot.pure.ofc.refusals import Reason
from bot.pure.solver.arrange import complete_placement
from tests.play.world import ANN, BOB, CLEO, World

ROWS = "FMMBB"
"""A placement that neither the clock nor the tests' players would choose."""


async def waits(world: World, key: TableKey) -> tuple[Player, Player]:
    """Return the player to act and the next one."""
    turn = await world.turn(key)
    hand = (await world.play.look(key)).hand
    assert hand is not None
    order = [Player(seat.player) for seat in hand.seats]
    return turn, order[(order.index(turn) + 1) % len(order)]


async def ahead(world: World, key: TableKey, player: Player, rows: str = ROWS, *, cause: str | None = None) -> None:
    await world.play.confirm_ahead(key, player, hand_no=1, street=1, rows=rows, cause=cause or world.cause())


async def placed(world: World, key: TableKey) -> list[tuple[str, str, PlacedBy]]:
    """The placements that the log names, with their player and who made them."""
    hand = await world.replayed(key, 1)
    facts = await world.sessions.read(lambda s: s.tx.hands.facts(key, 1))
    return [(hand.seats[f.seat].player, f.rows, f.by) for f in facts if isinstance(f, CardsPlaced)]


async def test_what_was_confirmed_ahead_is_placed_as_soon_as_the_turn_begins(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    first, second = await waits(world, key)
    await ahead(world, key, second)
    assert await placed(world, key) == []
    await world.place_cards(key, first)
    found = await placed(world, key)
    assert [(who, by) for who, _, by in found] == [(first, PlacedBy.PLAYER), (second, PlacedBy.PLAYER)]
    assert found[1][1] == ROWS
    assert await world.turn(key) not in (first, second)
    view = await world.play.look(key, second)
    assert view.mine is not None
    assert (view.mine.seat.draft, view.mine.seat.ahead, view.mine.seat.timeouts) == ("", None, 0)


async def test_two_in_a_row_are_placed_in_one_step(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    first, second = await waits(world, key)
    third = next(player for player in (ANN, BOB, CLEO) if player not in (first, second))
    await ahead(world, key, third)
    await ahead(world, key, second)
    await world.place_cards(key, first)
    assert [who for who, _, _ in await placed(world, key)] == [first, second, third]
    hand = (await world.play.look(key)).hand
    assert hand is not None
    assert hand.street == 2


async def test_the_clock_of_somebody_else_begins_the_turn_too(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    first, second = await waits(world, key)
    await ahead(world, key, second)
    await world.time_out(key)
    assert [(who, by) for who, _, by in await placed(world, key)] == [
        (first, PlacedBy.CLOCK),
        (second, PlacedBy.PLAYER),
    ]


async def test_it_is_placed_once_after_a_restart_and_the_press_counts_once(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    first, second = await waits(world, key)
    press = world.cause()
    await ahead(world, key, second, cause=press)
    await ahead(world, key, second, cause=press)
    await world.restart()
    await world.place_cards(key, first)
    await world.restart()
    assert [who for who, _, _ in await placed(world, key)] == [first, second]
    with world.stale():
        await ahead(world, key, second, cause=press)
    with world.stale():
        await ahead(world, key, second)


async def test_until_the_turn_it_can_be_taken_back_and_is_a_draft_again(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    first, second = await waits(world, key)
    await ahead(world, key, second)
    await world.play.save_draft(key, second, hand_no=1, street=1, rows="F....")
    await world.play.take_back(key, second, hand_no=1, street=1)
    with world.stale():
        await world.play.take_back(key, second, hand_no=1, street=1)
    await world.place_cards(key, first)
    assert await world.turn(key) == second
    view = await world.time_out(key)
    assert (await placed(world, key))[1] == (second, ROWS, PlacedBy.CLOCK), (
        "and a whole draft is what the clock confirms"
    )
    assert view.waiting != (second,)


async def test_a_turn_that_has_begun_meanwhile_is_placed_at_once(world: World) -> None:
    key = await world.started(ANN, BOB)
    first, _ = await waits(world, key)
    await ahead(world, key, first)
    assert await placed(world, key) == [(first, ROWS, PlacedBy.PLAYER)]


async def test_nothing_that_cannot_be_is_confirmed_ahead(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    first, second = await waits(world, key)
    with world.refuses(Reason.ROW_FULL, row="front", size=3):
        await ahead(world, key, second, "FFFFB")
    with world.refuses(Reason.BAD_PLACEMENT):
        await ahead(world, key, second, "FM.BB")
    with world.stale():
        await world.play.confirm_ahead(key, second, hand_no=1, street=2, rows=ROWS, cause=world.cause())
    await world.place_cards(key, first)
    assert await world.turn(key) == second


async def test_nobody_else_sees_a_draft_or_that_it_is_confirmed(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    first, second = await waits(world, key)
    await ahead(world, key, second)
    mine = (await world.play.look(key, second)).mine
    assert mine is not None
    assert (mine.seat.draft, bool(mine.seat.ahead)) == (ROWS, True), "it is there to be seen"
    before = None
    for eyes in (None, first, Player("999")):
        view = await world.play.look(key, eyes)
        seat = next(place.seat for place in view.places if place.seat.player == second)
        assert (seat.draft, seat.draft_for, seat.ahead) == ("", "", None)
        before = view.table.version
    await world.play.take_back(key, second, hand_no=1, street=1)
    assert (await world.play.look(key)).table.version == before, "no message is drawn for it"


async def test_a_draft_that_is_not_whole_is_completed_around_what_was_placed(world: World) -> None:
    key = await world.started(ANN, BOB)
    first, _ = await waits(world, key)
    await world.play.save_draft(key, first, hand_no=1, street=1, rows=".FM..")
    await world.time_out(key)
    ((_, rows, by),) = await placed(world, key)
    assert by is PlacedBy.CLOCK
    assert rows[1:3] == "FM"
    assert "." not in rows


@pytest.mark.parametrize("rows", ["FFFFF", "F", "xxxxx", "FMMBBD", "....."])
async def test_a_draft_that_nobody_could_have_made_counts_for_nothing(world: World, rows: str) -> None:
    key = await world.started(ANN, BOB)
    first, _ = await waits(world, key)
    await world.play.save_draft(key, first, hand_no=1, street=1, rows=rows)
    await world.play.save_draft(key, Player("999"), hand_no=1, street=1, rows=ROWS)
    await world.time_out(key)
    ((_, found, by),) = await placed(world, key)
    assert by is PlacedBy.CLOCK
    assert found != rows


async def test_a_draft_of_an_earlier_street_counts_for_nothing(world: World) -> None:
    key = await world.started(ANN, BOB)
    first, second = await waits(world, key)
    await world.play.save_draft(key, first, hand_no=1, street=2, rows="FMD")
    await world.place_cards(key, first)
    await world.place_cards(key, second)
    await world.play.save_draft(key, first, hand_no=1, street=1, rows=ROWS)
    await world.time_out(key)
    assert (await placed(world, key))[2][2] is PlacedBy.CLOCK


@pytest.mark.parametrize("part", [False, True])
async def test_a_draft_in_fantasyland_is_set_by_the_clock_and_completed(world: World, part: bool) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    held = (await world.replayed(key, 2)).seats[1].held
    begun = "B" + "." * 13
    variant = (await world.play.look(key)).table.terms.variant
    whole = complete_placement(variant, held, begun)
    await world.play.save_draft(key, BOB, hand_no=2, street=0, rows=begun if part else whole)
    await world.play_hand_of(key, ANN)
    await world.time_out(key)
    hand = await world.replayed(key, 2)
    assert hand.seats[1].setting == whole
    assert whole[0] == "B"
    assert not hand.score.boards[1].foul
    assert (await world.play.look(key)).table.state is TableState.BETWEEN
    rows, _ = place(EMPTY, held, whole)
    assert tuple(map(len, rows)) == (3, 5, 5)


@pytest.mark.of_sqlite
async def test_a_tap_is_written_with_the_next_press_that_is_waited_for_and_before_it(world: World) -> None:
    points: list[str] = []
    world.trace, world.patience_seconds = points.append, 600.0
    await world.restart()
    key = await world.started(ANN, BOB)
    first, second = await waits(world, key)
    points.clear()
    tapped = [
        asyncio.create_task(world.play.save_draft(key, second, hand_no=1, street=1, rows=rows, patient=True))
        for rows in ("F....", "FM...", ROWS)
    ]
    await asyncio.sleep(0)
    assert points == []
    await world.place_cards(key, first)
    await asyncio.gather(*tapped)
    assert points == ["begin", *["job"] * 4, "before_commit", "after_commit", "resolved"]
    mine = (await world.play.look(key, second)).mine
    assert mine is not None
    assert mine.seat.draft == ROWS


@pytest.mark.of_sqlite
async def test_the_clock_finds_what_was_tapped_just_before_it(world: World) -> None:
    world.patience_seconds = 600.0
    await world.restart()
    key = await world.started(ANN, BOB)
    first, _ = await waits(world, key)
    tapped = asyncio.create_task(world.play.save_draft(key, first, hand_no=1, street=1, rows=ROWS, patient=True))
    await asyncio.sleep(0)
    await world.time_out(key)
    await tapped
    assert [(who, rows, by) for who, rows, by in await placed(world, key)] == [(first, ROWS, PlacedBy.CLOCK)]
