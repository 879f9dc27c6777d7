"""Seats of a table: rebuys, top-ups, sitting out, other seats, other hosts, and players who have to go."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.model.bank import Action
from bot.model.ids import Player, TableId, TableKey
from bot.model.limits import MAX_MISSED_HANDS
from bot.model.reasons import BankReason, SeatReason, TableReason
from bot.model.tables import Limits, Table, TableState, Timer
from bot.play.queries.views import SeatStack
from bot.pure.ofc.hand import Hand
from bot.pure.ofc.presets import CLASSIC
from tests.play.test_hands import broke, in_fantasyland, seated
from tests.play.world import ANN, BOB, CLEO, CLUB, DAN, EVE, GUILD, World, best, entering


async def rebuy(world: World, key: TableKey, player: Player) -> Table:
    return await world.seating.rebuy(key, player, cause=world.cause())


async def top_up(world: World, key: TableKey, player: Player) -> Table:
    return await world.seating.top_up(key, player, cause=world.cause())


async def sit_out(world: World, key: TableKey, player: Player) -> Table:
    return await world.seating.sit_out(key, player, cause=world.cause())


async def change_seat(world: World, key: TableKey, player: Player, number: int) -> Table:
    return await world.seating.change_seat(key, player, number, cause=world.cause())


async def hand_over(world: World, key: TableKey, host: Player, to: Player) -> Table:
    return await world.seating.hand_over(key, host, to, cause=world.cause())


async def remove(world: World, key: TableKey, by: Player, who: Player, *, manager: bool = False) -> Table:
    return await world.seating.remove(key, by, who, manager=manager, cause=world.cause())


async def place(world: World, key: TableKey, player: Player) -> SeatStack:
    found = (await world.play.look(key)).place_of(player)
    assert found is not None
    return found


async def wallet(world: World, player: Player) -> int:
    return await world.play.wallet(GUILD, player)


async def leave_in_wallet(world: World, player: Player, chips: int) -> None:
    """A manager sets a wallet to so many chips."""
    await world.bank.change_chips(GUILD, EVE, player, Action.SET, chips, "a test", cause=world.cause())


def kinds(world: World, player: Player) -> list[tuple[str, int]]:
    """Return the kinds of transfers between a player's wallet and tables, in order."""
    return world.ask(
        "SELECT t.kind, t.amount FROM transfer t JOIN account a ON a.account_id IN (t.payer, t.payee)"
        " WHERE a.owner = ? AND a.kind = 'wallet' AND t.table_id IS NOT NULL ORDER BY transfer_id",
        player,
    )


async def bust(world: World, *others: Player, want: Callable[[Hand], bool] = lambda _: True) -> TableKey:
    """Play a hand in which only Bob loses all of his 200 chips."""
    key = await world.table(ANN, BOB, *others, point_value=10, buy_in=200)
    plans = await world.rig(
        key,
        lambda hand: broke(hand) == {BOB} and want(hand),
        strategies=dict.fromkeys((ANN, *others), best),
    )
    await world.start(key)
    await world.play_hand(key, plans)
    assert (await place(world, key, BOB)).stack == 0
    return key


def nobody_in_fantasyland(hand: Hand) -> bool:
    return not entering(hand)


# rebuy


async def test_who_busts_buys_in_again_in_the_pause_and_misses_no_hand(world: World) -> None:
    key = await bust(world, CLEO, want=nobody_in_fantasyland)
    await rebuy(world, key, BOB)
    assert (await place(world, key, BOB)).stack == 200
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: True}
    assert kinds(world, BOB) == [("buy_in", 200), ("rebuy", 200)]
    assert await wallet(world, BOB) == 10_000 - 400
    world.check_books()


async def test_who_busts_keeps_the_seat_and_buys_in_again_while_the_others_play(world: World) -> None:
    key = await bust(world, CLEO, want=nobody_in_fantasyland)
    await world.next_hand(key)
    with world.refuses(SeatReason.REBUY_FIRST):
        await world.stay(key, BOB)
    await rebuy(world, key, BOB)
    assert await seated(world, key) == {ANN: True, BOB: False, CLEO: True}
    await world.play_hand(key)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: True}


async def test_heads_up_the_table_waits_for_the_rebuy_and_deals_by_itself(world: World) -> None:
    key = await bust(world)
    view = await world.next_hand(key)
    assert (view.table.state, [p.seat.dealt_in for p in view.places]) == (TableState.LOBBY, [True, False])
    await rebuy(world, key, BOB)
    view = await world.play.look(key)
    assert (view.table.state, view.next_hand_at) == (TableState.BETWEEN, world.now + world.policy.next_hand_ms)
    assert set(world.timers(key)) == {Timer.NEXT_HAND.value}
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True}


async def test_who_rebuys_in_time_keeps_the_fantasyland_that_they_have_earned(world: World) -> None:
    # A player who pays two opponents goes broke sooner, so the search for such a hand is shorter.
    key = await world.table(ANN, BOB, CLEO, point_value=10, buy_in=200)
    plans = await world.rig(
        key,
        lambda hand: broke(hand) == {BOB} and BOB in entering(hand),
        strategies=dict.fromkeys((ANN, BOB, CLEO), best),
    )
    await world.start(key)
    await world.play_hand(key, plans)
    await rebuy(world, key, BOB)
    await world.next_hand(key)
    assert BOB in await in_fantasyland(world, key)


async def test_a_rebuy_brings_what_is_in_the_wallet_if_that_is_enough_to_play(world: World) -> None:
    key = await bust(world)
    world.do("UPDATE game_table SET buy_in = 5000")
    await leave_in_wallet(world, BOB, 199)
    with world.refuses(SeatReason.WALLET_SHORT, need=200, have=199):
        await rebuy(world, key, BOB)
    await leave_in_wallet(world, BOB, 350)
    await rebuy(world, key, BOB)
    assert (await place(world, key, BOB)).stack == 350
    assert await wallet(world, BOB) == 0


async def test_no_rebuy_for_somebody_who_has_chips_or_no_seat_or_whose_chips_are_frozen(world: World) -> None:
    key = await bust(world, CLEO)
    with world.refuses(SeatReason.HAS_CHIPS, have=(await place(world, key, ANN)).stack):
        await rebuy(world, key, ANN)
    with world.refuses(TableReason.NOT_AT_THIS_TABLE, table=1):
        await rebuy(world, key, DAN)
    await world.bank.freeze(GUILD, EVE, BOB, "a test", cause=world.cause())
    with world.refuses(BankReason.FROZEN, why="a test"):
        await rebuy(world, key, BOB)


async def test_who_busts_and_wishes_to_leave_stands_up(world: World) -> None:
    key = await bust(world, CLEO)
    await world.leave(key, BOB)
    await world.next_hand(key)
    assert BOB not in await seated(world, key)


@pytest.mark.parametrize("deed", ["rebuy", "top_up", "sit_out"])
async def test_a_press_that_comes_twice_has_one_effect(world: World, deed: str) -> None:
    key = await bust(world, CLEO, want=nobody_in_fantasyland)
    player = BOB if deed == "rebuy" else CLEO
    world.do("UPDATE game_table SET buy_in = 5000")
    act = getattr(world.seating, deed)
    await act(key, player, cause="one press")
    with world.stale():
        await act(key, player, cause="one press")
    world.check_books()


# top-up


async def lost_some(world: World, *, limits: Limits = Limits()) -> TableKey:  # noqa: B008 - a frozen value
    """Play a hand that Ann wins, without a bust or a Fantasyland."""
    key = await world.table(ANN, BOB, CLEO, limits=limits)
    plans = await world.rig(key, lambda hand: not entering(hand) and max(hand.score.points) == hand.score.points[0] > 0)
    await world.start(key)
    await world.play_hand(key, plans)
    return key


async def loser(world: World, key: TableKey) -> SeatStack:
    return min((await world.play.look(key)).places, key=lambda each: each.stack)


async def test_between_hands_a_stack_is_filled_up_to_the_buy_in(world: World) -> None:
    key = await lost_some(world)
    before = await loser(world, key)
    await top_up(world, key, before.seat.player)
    assert (await place(world, key, before.seat.player)).stack == 1000
    assert kinds(world, before.seat.player) == [("buy_in", 1000), ("top_up", 1000 - before.stack)]
    with world.refuses(SeatReason.STACK_FULL, most=1000):
        await top_up(world, key, before.seat.player)
    world.check_books()


async def test_a_top_up_during_a_hand_comes_when_it_is_over(world: World) -> None:
    key = await lost_some(world)
    before = await loser(world, key)
    player = before.seat.player
    await world.next_hand(key)
    await top_up(world, key, player)
    assert (await place(world, key, player)).stack == before.stack
    with world.refuses(SeatReason.TOPS_UP_ALREADY):
        await top_up(world, key, player)
    await world.play_hand(key)
    stack = (await place(world, key, player)).stack
    await world.next_hand(key)
    after = await place(world, key, player)
    assert (after.stack, after.seat.tops_up) == (max(stack, 1000), False)
    world.check_books()


async def test_a_top_up_brings_no_more_than_the_wallet_holds(world: World) -> None:
    key = await lost_some(world)
    before = await loser(world, key)
    player = before.seat.player
    await leave_in_wallet(world, player, 0)
    with world.refuses(SeatReason.WALLET_SHORT, need=1, have=0):
        await top_up(world, key, player)
    await leave_in_wallet(world, player, 3)
    await top_up(world, key, player)
    assert (await place(world, key, player)).stack == before.stack + 3


async def test_where_the_table_has_no_top_ups_there_are_none(world: World) -> None:
    key = await lost_some(world, limits=Limits(top_up=False))
    player = (await loser(world, key)).seat.player
    with world.refuses(SeatReason.NO_TOP_UPS):
        await top_up(world, key, player)


async def test_a_wish_for_a_top_up_of_somebody_who_was_frozen_meanwhile_brings_nothing(world: World) -> None:
    key = await lost_some(world)
    player = (await loser(world, key)).seat.player
    await world.next_hand(key)
    await top_up(world, key, player)
    await world.bank.freeze(GUILD, EVE, player, "a test", cause=world.cause())
    await world.play_hand(key)
    stack = (await place(world, key, player)).stack
    await world.next_hand(key)
    assert (await place(world, key, player)).stack == stack


# sitting out


async def test_who_sits_out_finishes_the_hand_and_misses_the_next_ones_for_nothing(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await sit_out(world, key, CLEO)
    with world.refuses(SeatReason.SITS_OUT_ALREADY):
        await sit_out(world, key, CLEO)
    assert CLEO in {seat.player for seat in (await world.play.look(key)).hand.seats}  # type: ignore[union-attr]
    await world.play_hand(key)
    stack = (await place(world, key, CLEO)).stack
    for _ in range(2):
        await world.rig(key)
        await world.next_hand(key)
        assert await seated(world, key) == {ANN: True, BOB: True, CLEO: False}
        await world.play_hand(key)
    assert (await place(world, key, CLEO)).stack == stack
    await world.stay(key, CLEO)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: True}


async def test_a_table_with_too_few_players_waits_and_goes_on_when_one_is_back(world: World) -> None:
    key = await world.started(ANN, BOB)
    await sit_out(world, key, BOB)
    await world.play_hand(key)
    view = await world.next_hand(key)
    assert view.table.state is TableState.LOBBY
    assert set(world.timers(key)) == {Timer.LOBBY.value}
    with world.refuses(TableReason.TOO_FEW_PLAYERS, need=2, have=1):
        await world.start(key)
    await world.stay(key, BOB)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True}


@pytest.mark.parametrize("out", [(), (BOB,), (CLEO,), (BOB, CLEO), (ANN, BOB, CLEO)], ids=len)
async def test_a_view_knows_in_the_pause_whether_a_hand_can_follow(world: World, out: tuple[Player, ...]) -> None:
    key = await world.started(ANN, BOB, CLEO)
    for player in out:
        await sit_out(world, key, player)
    await world.play_hand(key)
    seen = await world.play.look(key)
    after = await world.next_hand(key)
    assert seen.stalled == (after.table.state is TableState.LOBBY) == (len(out) > 1)


async def test_a_view_knows_who_misses_the_next_hand_without_saying_so(world: World) -> None:
    key = await world.started(ANN, BOB)
    while (await world.play.look(key)).table.state is TableState.PLAYING:
        if await world.turn(key) == ANN:
            await world.place_cards(key, ANN)
        else:
            await world.time_out(key)
    assert (await place(world, key, BOB)).seat.away
    assert (await world.play.look(key)).stalled
    bob_is_broke = await bust(world)
    assert (await world.play.look(bob_is_broke)).stalled
    await rebuy(world, bob_is_broke, BOB)
    assert not (await world.play.look(bob_is_broke)).stalled


async def test_a_newcomer_has_a_waiting_table_deal_by_itself_below_its_last_result(world: World) -> None:
    key = await world.started(ANN, BOB)
    await sit_out(world, key, BOB)
    await world.play_hand(key)
    await world.play.drawn(key, version=0, hand_no=1, message=11, call=None)
    view = await world.next_hand(key)
    assert (view.table.message, view.table.retired) == (None, 11)
    await world.join(key, CLEO)
    assert not (await world.play.look(key)).stalled
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: False, CLEO: True}


async def test_a_table_that_nobody_comes_back_to_closes_and_gives_all_chips_back(world: World) -> None:
    key = await world.started(ANN, BOB)
    await sit_out(world, key, ANN)
    await sit_out(world, key, BOB)
    await world.play_hand(key)
    await world.next_hand(key)
    await world.later(world.policy.lobby_ms)
    assert not (await world.play.look(key)).table.open
    assert await wallet(world, ANN) + await wallet(world, BOB) == 20_000


async def test_before_the_first_hand_a_seat_can_be_kept_without_playing(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await sit_out(world, key, BOB)
    await world.start(key)
    assert await seated(world, key) == {ANN: True, BOB: False, CLEO: True}
    assert (await world.play.look(key)).table.hand_no == 1


async def test_coming_back_before_the_first_hand_starts_nothing(world: World) -> None:
    key = await world.table(ANN, BOB)
    await sit_out(world, key, BOB)
    await world.stay(key, BOB)
    assert (await world.play.look(key)).table.state is TableState.LOBBY
    await world.start(key)
    assert await seated(world, key) == {ANN: True, BOB: True}


async def test_who_misses_too_many_hands_stands_up_with_all_their_chips(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO, buy_in=5_000)
    await sit_out(world, key, CLEO)
    await world.play_hand(key)
    stack = (await place(world, key, CLEO)).stack
    for missed in range(MAX_MISSED_HANDS):
        assert CLEO in await seated(world, key), missed
        await world.rig(key)
        await world.next_hand(key)
        await world.play_hand(key)
    await world.next_hand(key)
    assert CLEO not in await seated(world, key)
    assert await wallet(world, CLEO) == 5_000 + stack
    assert await world.play.lost_seats(GUILD, CLEO) == [key.table]
    assert await world.play.lost_seats(GUILD, BOB) == []
    with world.refuses(TableReason.LOST_SEAT, table=key.table):
        await world.play.stay(key, CLEO, cause=world.cause())
    await world.later(1)
    await world.table(CLEO)
    assert await world.play.lost_seats(GUILD, CLEO) == [], "it is told until they do something again"


async def test_who_wished_to_leave_is_not_told_that_they_had_to(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO, buy_in=5_000)
    await world.leave(key, CLEO)
    await world.later(1)
    await world.play_hand(key)
    await world.next_hand(key)
    assert CLEO not in await seated(world, key)
    assert await world.play.lost_seats(GUILD, CLEO) == []


async def test_fantasyland_is_played_before_sitting_out(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await world.into_fantasyland(key, ANN)
    await sit_out(world, key, ANN)
    await world.next_hand(key)
    assert await in_fantasyland(world, key) == {ANN: 14}


async def test_anybody_at_the_table_starts_while_the_host_sits_out(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    with world.refuses(TableReason.ONLY_HOST_STARTS, player=ANN):
        await world.play.start(key, BOB, cause=world.cause())
    await sit_out(world, key, ANN)
    with world.refuses(TableReason.ONLY_HOST_STARTS, player=ANN):
        await world.play.start(key, DAN, cause=world.cause())
    await world.play.start(key, BOB, cause=world.cause())
    assert (await world.play.look(key)).table.host == ANN


async def test_who_was_auto_placed_while_they_sat_out_comes_back_with_all_their_time(world: World) -> None:
    key = await world.started(ANN, BOB)
    await sit_out(world, key, BOB)
    for _ in range(2):
        await world.time_out(key)
        await world.place_cards(key, ANN)
    assert (await place(world, key, BOB)).seat.away
    await world.stay(key, BOB)
    assert (await world.play.look(key)).turn_until == world.now + 60_000


async def test_nothing_of_it_where_nothing_is_at_stake(world: World) -> None:
    key = await world.table(ANN, BOB, point_value=0)
    for deed in (rebuy, top_up, sit_out):
        with world.refuses(SeatReason.NOTHING_AT_STAKE):
            await deed(world, key, BOB)


# other seats


async def test_a_newcomer_takes_the_seat_that_they_choose(world: World) -> None:
    key = await world.table(ANN, BOB, variant=CLASSIC)
    await world.play.join(key, CLEO, number=3, cause=world.cause())
    assert [(p.seat.number, p.seat.player) for p in (await world.play.look(key)).places] == [
        (0, ANN),
        (1, BOB),
        (3, CLEO),
    ]
    with world.refuses(SeatReason.SEAT_TAKEN):
        await world.play.join(key, DAN, number=3, cause=world.cause())


async def test_between_hands_a_free_seat_is_taken_at_once_with_all_that_lies_there(world: World) -> None:
    key = await world.table(ANN, BOB, variant=CLASSIC)
    await change_seat(world, key, ANN, 2)
    assert [(p.seat.number, p.seat.player, p.stack) for p in (await world.play.look(key)).places] == [
        (1, BOB, 1000),
        (2, ANN, 1000),
    ]
    with world.refuses(SeatReason.SEAT_TAKEN):
        await change_seat(world, key, ANN, 1)
    with world.refuses(SeatReason.NO_SUCH_SEAT, seats=4):
        await change_seat(world, key, ANN, 4)
    with world.refuses(TableReason.NOT_AT_THIS_TABLE, table=1):
        await change_seat(world, key, DAN, 3)


async def test_during_a_hand_the_move_waits_and_the_seat_is_kept_for_it(world: World) -> None:
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await change_seat(world, key, ANN, 2)
    assert (await place(world, key, ANN)).seat.number == 0
    with world.refuses(SeatReason.SEAT_TAKEN):
        await change_seat(world, key, BOB, 2)
    await world.play_hand(key)
    await world.next_hand(key)
    view = await world.play.look(key)
    assert [(p.seat.number, p.seat.player, p.seat.moves_to) for p in view.places] == [(1, BOB, None), (2, ANN, None)]
    assert view.hand is not None
    assert [seat.player for seat in view.hand.seats] == [BOB, ANN]


async def test_who_came_meanwhile_keeps_the_seat(world: World) -> None:
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await change_seat(world, key, ANN, 2)
    await world.join(key, CLEO)
    await world.play_hand(key)
    await world.next_hand(key)
    assert [p.seat.player for p in (await world.play.look(key)).places] == [ANN, BOB, CLEO]


async def test_the_own_seat_takes_the_wish_back(world: World) -> None:
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await change_seat(world, key, ANN, 2)
    await change_seat(world, key, ANN, 0)
    assert (await place(world, key, ANN)).seat.moves_to is None


async def test_the_button_finds_a_player_when_its_own_has_moved(world: World) -> None:
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await world.play_hand(key)
    button = (await world.play.look(key)).table.button
    player = next(p.seat.player for p in (await world.play.look(key)).places if p.seat.number == button)
    await change_seat(world, key, player, 3)
    await world.next_hand(key)
    hand = (await world.play.look(key)).hand
    assert hand is not None
    assert 0 <= hand.button < 2


# the host


async def test_the_host_hands_the_table_over(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    for player, reason in ((ANN, SeatReason.NOT_ONESELF), (DAN, SeatReason.NOT_SEATED_HERE)):
        with world.refuses(reason):
            await hand_over(world, key, ANN, player)
    with world.refuses(TableReason.NOT_HOST, player=ANN):
        await hand_over(world, key, BOB, BOB)
    await hand_over(world, key, ANN, CLEO)
    assert (await world.play.look(key)).table.host == CLEO
    with world.refuses(TableReason.NOT_HOST, player=CLEO):
        await world.play.cancel(key, ANN, cause=world.cause())


async def test_a_computer_is_not_made_host(world: World) -> None:
    key = await world.table(ANN, point_value=0, computers=1)
    with world.refuses(SeatReason.COMPUTER_IS_NO_HOST):
        await hand_over(world, key, ANN, CLUB[0])


# players who have to go


async def test_who_is_removed_has_all_their_chips_back_and_may_not_return(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    with world.refuses(TableReason.NOT_HOST, player=ANN):
        await remove(world, key, BOB, CLEO)
    await remove(world, key, ANN, CLEO)
    assert CLEO not in await seated(world, key)
    assert await wallet(world, CLEO) == 10_000
    assert kinds(world, CLEO) == [("buy_in", 1000), ("cash_out", 1000)]
    with world.refuses(SeatReason.REMOVED):
        await world.join(key, CLEO)
    with world.refuses(SeatReason.NOT_SEATED_HERE):
        await remove(world, key, ANN, CLEO)


async def test_a_hand_is_never_taken_from_somebody_who_is_removed(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await remove(world, key, ANN, CLEO)
    for again in (world.stay, lambda key, player: top_up(world, key, player)):
        with world.refuses(SeatReason.REMOVED):
            await again(key, CLEO)
    with world.refuses(SeatReason.NOT_SEATED_HERE):
        await remove(world, key, ANN, CLEO)
    await world.play_hand(key)
    stack = (await place(world, key, CLEO)).stack
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True}
    assert await wallet(world, CLEO) == 9_000 + stack


async def test_a_manager_removes_the_host_and_the_next_one_is_host(world: World) -> None:
    key = await world.table(ANN, BOB)
    with world.refuses(TableReason.NOT_HOST, player=ANN):
        await remove(world, key, EVE, ANN)
    await remove(world, key, EVE, ANN, manager=True)
    assert (await world.play.look(key)).table.host == BOB


async def test_the_host_takes_a_computer_from_a_practice_table_and_may_seat_it_again(world: World) -> None:
    key = await world.table(ANN, point_value=0, computers=2)
    await remove(world, key, ANN, CLUB[0])
    assert await seated(world, key) == {ANN: True, CLUB[1]: True}
    assert (await world.play.look(key)).table.removed == ()


async def test_who_was_removed_stays_so_after_a_restart(world: World) -> None:
    key = await world.table(ANN, BOB)
    await remove(world, key, ANN, BOB)
    await world.restart()
    with world.refuses(SeatReason.REMOVED):
        await world.join(key, BOB)


async def test_what_is_pressed_at_a_table_that_was_there_before_means_no_other(world: World) -> None:
    key = await world.table(ANN, BOB)
    strange = replace(key, tag="abcdef")
    with world.stale():
        await sit_out(world, strange, BOB)
    with world.refuses(TableReason.NO_TABLE):
        await sit_out(world, TableKey(guild=GUILD, table=TableId(99)), BOB)
