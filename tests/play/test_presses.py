"""One press, one effect: doubled, late, foreign and simultaneous presses never hurt."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.model.ids import Player, TableId, TableKey
from bot.model.reasons import TableReason
from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.pure.ofc.refusals import Reason, Refused
from bot.pure.solver.levels import Level
from bot.store.postgres.database import PostgresDatabase
from tests.play.world import ANN, BOB, CLEO, DAN, EVE, GUILD, OTHER_GUILD, World


async def outcomes(*presses: Awaitable[Any]) -> tuple[int, list[object]]:
    """Return how many presses had an effect, and the results of the others."""
    done = await asyncio.gather(*presses, return_exceptions=True)
    for answer in done:
        if isinstance(answer, BaseException) and not isinstance(answer, Stale | Refused):
            raise answer
    refused: list[object] = []
    for answer in done:
        if isinstance(answer, Refused):
            refused.append(answer.reason)
        elif isinstance(answer, Stale):
            refused.append(Stale)
    return len(done) - len(refused), refused


def log_length(world: World) -> int:
    return int(world.ask("SELECT COUNT(*) FROM table_log")[0][0])


# twice


async def joined(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.table(ANN)
    return key, lambda cause: world.play.join(key, BOB, cause=cause)


async def left(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.table(ANN, BOB)
    return key, lambda cause: world.play.leave(key, BOB, cause=cause)


async def wished_to_leave(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.started(ANN, BOB)
    return key, lambda cause: world.play.leave(key, BOB, cause=cause)


async def stayed(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.started(ANN, BOB)
    return key, lambda cause: world.play.stay(key, BOB, cause=cause)


async def started(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.table(ANN, BOB)
    return key, lambda cause: world.play.start(key, ANN, cause=cause)


async def cancelled(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.table(ANN, BOB)
    return key, lambda cause: world.play.cancel(key, ANN, cause=cause)


async def seated_a_computer(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.table(ANN, point_value=0)
    return key, lambda cause: world.play.join_computer(key, ANN, level=Level.CLUB, cause=cause)


async def gave_a_text(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.table(ANN)
    return key, lambda cause: world.play.set_entropy(key, ANN, f"text of {cause}", cause=cause)


async def placed(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.started(ANN, BOB)
    return key, lambda cause: world.play.place_cards(key, BOB, hand_no=1, street=1, rows="FFFMB", cause=cause)


async def placed_the_last_card(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.started(ANN, BOB)
    for _ in range(9):
        await world.place_cards(key, await world.turn(key))
    rows = await world.letters(key, ANN)
    return key, lambda cause: world.play.place_cards(key, ANN, hand_no=1, street=5, rows=rows, cause=cause)


async def set_fantasyland(world: World) -> tuple[TableKey, Callable[[str], Awaitable[Any]]]:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    return key, lambda cause: world.play.place_cards(key, BOB, hand_no=2, street=0, rows="FFFMMMMMBBBBBD", cause=cause)


PRESSES = [
    joined,
    left,
    wished_to_leave,
    stayed,
    started,
    cancelled,
    seated_a_computer,
    gave_a_text,
    placed,
    placed_the_last_card,
    set_fantasyland,
]
every_press = pytest.mark.parametrize("press", PRESSES, ids=lambda press: press.__name__)
Pressed = Callable[[World], Awaitable[tuple[TableKey, Callable[[str], Awaitable[Any]]]]]


@every_press
async def test_the_same_press_twice_has_one_effect(world: World, press: Pressed) -> None:
    _, act = await press(world)
    await act("p")
    with world.stale():
        await act("p")


@every_press
async def test_the_same_press_many_times_at_once_has_one_effect(world: World, press: Pressed) -> None:
    _, act = await press(world)
    before = log_length(world)
    assert await outcomes(*(act("p") for _ in range(8))) == (1, [Stale] * 7)
    assert len(world.ask("SELECT 1 FROM table_log WHERE cause = 'p'")) == 1
    assert log_length(world) > before


@every_press
async def test_a_press_is_remembered_over_a_restart(world: World, press: Pressed) -> None:
    _, act = await press(world)
    await act("p")
    await world.restart()
    with world.stale():
        await act("p")


async def test_a_table_is_opened_once_by_one_press(world: World) -> None:
    world.causes = iter(["p"] * 8)
    assert await outcomes(*(world.table(ANN) for _ in range(8))) == (1, [Stale] * 7)
    assert len(await world.play.open_tables(GUILD)) == 1
    assert world.balances("seat") == {ANN: 1000}


async def test_a_press_has_one_effect_whatever_it_is_said_to_be(world: World) -> None:
    key, other = await world.started(ANN, BOB), await world.table(ANN)
    await world.play.place_cards(key, BOB, hand_no=1, street=1, rows="FFFMB", cause="p")
    with world.stale():
        await world.play.place_cards(key, ANN, hand_no=1, street=1, rows="FFFMB", cause="p")
    with world.stale():
        await world.play.join(other, CLEO, cause="p")
    with world.stale():
        await world.play.leave(key, ANN, cause="p")


# different presses at the same time


async def test_eight_presses_of_confirm_place_one_street(world: World) -> None:
    key = await world.started(ANN, BOB)
    rows = ["FFFMB", "BBBBB", "MMMMM", "FMBBB"] * 2
    presses = [
        world.play.place_cards(key, BOB, hand_no=1, street=1, rows=letters, cause=f"p{number}")
        for number, letters in enumerate(rows)
    ]
    assert await outcomes(*presses) == (1, [Stale] * 7)
    assert (await world.replayed(key, 1)).seats[1].placed_street == 1
    assert await world.turn(key) == ANN


async def test_the_last_card_of_a_hand_pays_once_however_often_it_is_placed(world: World) -> None:
    key, act = await placed_the_last_card(world)
    assert await outcomes(*(act(f"p{number}") for number in range(8))) == (1, [Stale] * 7)
    assert len(world.ask("SELECT 1 FROM transfer WHERE kind = 'hand'")) <= 1
    assert len((await world.play.result(key, 1)).results) == 2
    world.check_books()


async def test_three_who_want_the_last_seat_at_once_give_it_to_one(world: World) -> None:
    key = await world.table(ANN, seats=2)
    presses = [world.play.join(key, player, cause=f"p{player}") for player in (BOB, CLEO, DAN)]
    assert await outcomes(*presses) == (1, [TableReason.TABLE_FULL] * 2)
    assert len((await world.play.look(key)).places) == 2
    world.check_books()


async def test_one_who_joins_twice_at_once_buys_in_once(world: World) -> None:
    key = await world.table(ANN)
    presses = [world.play.join(key, BOB, cause=f"p{number}") for number in range(4)]
    assert await outcomes(*presses) == (1, [TableReason.ALREADY_SEATED] * 3)
    assert world.balances("seat") == {ANN: 1000, BOB: 1000}


async def test_one_who_leaves_twice_at_once_is_paid_once(world: World) -> None:
    key = await world.table(ANN, BOB)
    presses = [world.play.leave(key, BOB, cause=f"p{number}") for number in range(4)]
    assert await outcomes(*presses) == (1, [TableReason.NOT_AT_THIS_TABLE] * 3)
    assert await world.play.wallet(GUILD, BOB) == world.policy.start_chips


async def test_start_and_cancel_at_once_do_one_of_them(world: World) -> None:
    key = await world.table(ANN, BOB)
    started, cancelled = world.play.start(key, ANN, cause="s"), world.play.cancel(key, ANN, cause="c")
    assert await outcomes(started, cancelled) == (1, [TableReason.ALREADY_STARTED])
    assert (await world.play.look(key)).table.state is TableState.PLAYING


async def test_two_starts_at_once_deal_one_hand(world: World) -> None:
    key = await world.table(ANN, BOB)
    presses = [world.play.start(key, ANN, cause=f"p{number}") for number in range(4)]
    assert await outcomes(*presses) == (1, [TableReason.ALREADY_STARTED] * 3)
    assert (await world.play.look(key)).table.hand_no == 1


async def test_a_press_and_the_clock_at_once_place_one_street(world: World) -> None:
    key = await world.started(ANN, BOB)
    until = (await world.play.look(key)).turn_until
    assert until is not None
    world.now = until
    press = world.play.place_cards(key, BOB, hand_no=1, street=1, rows="FFFMB", cause="p")
    await asyncio.gather(press, world.clock.tick(), return_exceptions=True)
    assert len(world.ask("SELECT 1 FROM table_log WHERE kind = 'cards_laid'")) == 1
    assert await world.turn(key) == ANN


async def test_the_first_look_at_a_wallet_brings_one_grant_however_many_look(world: World) -> None:
    assert await asyncio.gather(*(world.play.wallet(GUILD, ANN) for _ in range(8))) == [10_000] * 8
    assert len(world.ask("SELECT 1 FROM transfer")) == 1


async def test_everything_at_once_is_done_in_some_order(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    presses = {
        "Bob": world.play.place_cards(key, BOB, hand_no=1, street=1, rows="FFFMB", cause="a"),
        "Cleo": world.play.place_cards(key, CLEO, hand_no=1, street=1, rows="FFFMB", cause="b"),
        "Ann": world.play.place_cards(key, ANN, hand_no=1, street=1, rows="FFFMB", cause="c"),
        "Bob again": world.play.place_cards(key, BOB, hand_no=1, street=2, rows="BBD", cause="d"),
        "leave": world.play.leave(key, ANN, cause="e"),
        "text": world.play.set_entropy(key, BOB, "text", cause="f"),
        "stay": world.play.stay(key, ANN, cause="g"),
        "join": world.play.join(key, DAN, cause="h"),
        "tick": world.clock.tick(),
    }
    answers = dict(zip(presses, await asyncio.gather(*presses.values(), return_exceptions=True), strict=True))
    failed = {press: answer for press, answer in answers.items() if isinstance(answer, BaseException)}
    full = failed.pop("join")
    assert isinstance(full, Refused)
    assert full.reason is TableReason.TABLE_FULL
    # PostgreSQL may handle the second press first, which makes the first one stale. SQLite keeps their order.
    swapped = {"Bob again"} if isinstance(world.database, PostgresDatabase) else set()
    assert set(failed) <= swapped, failed
    assert all(isinstance(answer, Stale) for answer in failed.values()), failed
    hand = await world.replayed(key, 1)
    assert [seat.placed_street for seat in hand.seats] == [1, 1 if "Bob again" in failed else 2, 1]
    (ann,) = [place.seat for place in (await world.play.look(key)).places if place.seat.player == ANN]
    assert swapped or not ann.leaving


@pytest.mark.parametrize("turns", range(6))
async def test_a_press_whose_answer_nobody_waits_for_is_done_whole_or_not_at_all(world: World, turns: int) -> None:
    key = await world.table(ANN, BOB)
    press = asyncio.ensure_future(world.play.start(key, ANN, cause="s"))
    for _ in range(turns):
        await asyncio.sleep(0)
    press.cancel()
    await asyncio.gather(press, return_exceptions=True)
    await world.settle()
    view = await world.play.look(key)
    assert set(world.timers(key)) == ({"turn", "remind"} if view.table.hand_no else {"lobby"})
    if not view.table.hand_no:
        await world.play.start(key, ANN, cause="s")
    with world.stale():
        await world.play.start(key, ANN, cause="s")
    # The clock finds the deadline without being notified.
    await world.later(60_000)
    assert await world.turn(key) == ANN


# late


async def test_a_press_on_an_earlier_street_comes_too_late(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play_street(key)
    for street in (0, 1, 3, 99, -1):
        with world.stale():
            await world.play.place_cards(key, BOB, hand_no=1, street=street, rows="FMD", cause="late")
    await world.place_cards(key, BOB)
    with world.stale():
        await world.play.place_cards(key, BOB, hand_no=1, street=2, rows="FMD", cause="late")


async def test_a_press_on_another_hand_comes_too_late(world: World) -> None:
    key = await world.started(ANN, BOB)
    for hand_no in (0, 2, -1, 10**30):
        with world.stale():
            await world.play.place_cards(key, BOB, hand_no=hand_no, street=1, rows="FFFMB", cause="late")
    await world.play_hand(key)
    with world.stale():
        await world.play.place_cards(key, BOB, hand_no=1, street=1, rows="FFFMB", cause="late")
    await world.next_hand(key)
    with world.stale():
        await world.play.place_cards(key, BOB, hand_no=1, street=1, rows="FFFMB", cause="late")


async def test_a_fantasyland_of_the_hand_before_comes_too_late(world: World) -> None:
    key, act = await set_fantasyland(world)
    await world.play_hand(key)
    with world.stale():
        await act("late")
    await world.next_hand(key)
    with world.stale():
        await act("late")


async def test_a_press_before_the_first_hand_comes_too_early(world: World) -> None:
    key = await world.table(ANN, BOB)
    with world.stale():
        await world.play.place_cards(key, ANN, hand_no=0, street=0, rows="FFFMB", cause="p")
    with world.stale():
        await world.play.place_cards(key, ANN, hand_no=1, street=1, rows="FFFMB", cause="p")


# foreign


async def test_nobody_places_in_anothers_turn(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    for player in (ANN, CLEO):
        with world.refuses(Reason.NOT_YOUR_TURN):
            await world.play.place_cards(key, player, hand_no=1, street=1, rows="FFFMB", cause="p")


@pytest.mark.parametrize(
    "player", [EVE, Player(""), Player("0"), Player("1001 "), Player("mint"), Player("computer-1")]
)
async def test_strangers_place_nothing(world: World, player: Player) -> None:
    key = await world.started(ANN, BOB)
    with world.refuses(Reason.NOT_SEATED):
        await world.play.place_cards(key, player, hand_no=1, street=1, rows="FFFMB", cause="p")


async def test_a_player_of_one_table_places_nothing_at_another(world: World) -> None:
    key = await world.started(ANN, BOB)
    other = await world.started(CLEO, DAN)
    with world.refuses(Reason.NOT_SEATED):
        await world.play.place_cards(other, BOB, hand_no=1, street=1, rows="FFFMB", cause="p")
    with world.refuses(TableReason.NOT_AT_THIS_TABLE, table=2):
        await world.play.leave(other, BOB, cause="p")
    assert await world.turn(key) == BOB


async def test_a_table_is_not_reached_from_another_server(world: World) -> None:
    key = await world.started(ANN, BOB)
    foreign = TableKey(guild=OTHER_GUILD, table=key.table)
    with world.refuses(TableReason.NO_TABLE):
        await world.play.place_cards(foreign, BOB, hand_no=1, street=1, rows="FFFMB", cause="p")


@pytest.mark.parametrize("number", [-1, 0, 2**63 - 1])
async def test_any_table_number_is_answered(world: World, number: int) -> None:
    await world.started(ANN, BOB)
    with world.refuses(TableReason.NO_TABLE):
        await world.play.join(TableKey(guild=GUILD, table=TableId(number)), CLEO, cause="p")


async def test_a_refused_press_may_be_made_again(world: World) -> None:
    key = await world.started(ANN, BOB)
    with world.refuses(Reason.NOT_YOUR_TURN):
        await world.play.place_cards(key, ANN, hand_no=1, street=1, rows="FFFMB", cause="p")
    await world.place_cards(key, BOB)
    await world.play.place_cards(key, ANN, hand_no=1, street=1, rows="FFFMB", cause="p")
    assert await world.turn(key) == BOB
