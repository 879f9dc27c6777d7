"""Whole games: hands follow hands, the button moves or stays, Fantasyland is dealt, people come and go between."""

from collections.abc import Awaitable, Callable

import pytest

from bot.model.clock import Clock, Pace
from bot.model.hands import HandState
from bot.model.ids import Player, TableKey
from bot.model.reasons import HandReason, TableReason
from bot.model.standings import CALENDAR, EVERY_GAME, LeaderboardQuery, Standing
from bot.model.tables import PostKind, TableState, Timer
from bot.play.api.play import Play
from bot.play.queries.views import TableView
from bot.play.session.policy import Policy
from bot.pure.ofc.cards import EMPTY
from bot.pure.ofc.clock_placement import clock_placement
from bot.pure.ofc.hand import Hand, HandStatus
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.refusals import Reason
from bot.pure.ofc.settlement import Stakes, settle
from bot.pure.ofc.variants import Variant
from bot.pure.solver.possible_futures import choose_placement
from tests.play.world import ANN, BOB, CLEO, CLUB, DAN, EVE, GUILD, FixedVault, World, best, entering


async def seated(world: World, key: TableKey) -> dict[Player, bool]:
    """The players who sit at a table, and whether they are dealt in."""
    return {place.seat.player: place.seat.dealt_in for place in (await world.play.look(key)).places}


async def in_fantasyland(world: World, key: TableKey) -> dict[str, int]:
    hand = (await world.play.look(key)).hand
    assert hand is not None
    return {seat.player: seat.fantasyland for seat in hand.seats if seat.fantasyland}


async def button(world: World, key: TableKey) -> Player:
    """Return the player with the button in the running hand."""
    hand = (await world.play.look(key)).hand
    assert hand is not None
    return Player(hand.seats[hand.button].player)


def broke(hand: Hand) -> set[str]:
    """Return the players who lose everything at 10 chips per point, after buying in for 200."""
    stacks = dict.fromkeys(range(len(hand.seats)), 200)
    score, stakes = hand.score, Stakes(point_value=10)
    for payment in settle(score, stacks=list(stacks.values()), button=hand.button, stakes=stakes):
        stacks[payment.payer] -= payment.chips
        stacks[payment.payee] += payment.chips
    return {hand.seats[number].player for number, chips in stacks.items() if not chips}


# whole games


@pytest.mark.parametrize(
    ("variant", "players"),
    [
        (PINEAPPLE, (ANN, BOB)),
        (PINEAPPLE, (ANN, BOB, CLEO)),
        (CLASSIC, (ANN, BOB)),
        (CLASSIC, (ANN, BOB, CLEO)),
        (CLASSIC, (ANN, BOB, CLEO, DAN)),
    ],
    ids=lambda value: value.key if isinstance(value, Variant) else str(len(value)),
)
async def test_a_game_of_five_hands_keeps_score(world: World, variant: Variant, players: tuple[Player, ...]) -> None:
    key = await world.table(*players, variant=variant, point_value=10, buy_in=2000)
    won = dict.fromkeys(players, 0)
    for number in range(1, 6):
        plans = await world.rig(key, lambda _: True, strategies=dict.fromkeys(players[:2], best))
        await (world.start(key) if number == 1 else world.next_hand(key))
        await world.play_hand(key, plans)
        result = await world.play.result(key, number)
        hand = await world.replayed(key, number)
        assert hand.status is HandStatus.ENDED
        assert result.record.state is HandState.SETTLED
        assert result.hand is not None
        assert result.hand.score == hand.score
        points = dict(zip((seat.player for seat in hand.seats), hand.score.points, strict=True))
        assert {row.player: row.points for row in result.results} == points
        assert sum(row.chips for row in result.results) == 0
        for row in result.results:
            won[row.player] += row.chips
        view = await world.play.look(key)
        assert {place.seat.player: place.stack - 2000 for place in view.places} == won
        assert (view.table.state, view.table.hand_no) == (TableState.BETWEEN, number)
        assert {place.seat.player for place in view.places if place.seat.fantasyland} == entering(hand)
        world.check_books()
    assert any(won.values())
    for span in CALENDAR:
        for game in (EVERY_GAME, variant.key):
            board = await world.play.leaderboard(GUILD, LeaderboardQuery(span=span, game=game), ANN, page=0, lines=10)
            rows = [row for row in board.lines if isinstance(row, Standing)]
            assert [row.hands for row in rows] == [5] * len(players)
            assert {row.player: row.chips for row in rows} == won
            assert list(board.lines) == sorted(rows, key=lambda row: (-row.chips, row.player))
            placed = dict(zip((line.player for line in board.lines), board.places, strict=True))
            assert (board.own, board.own_place) == (rows[[row.player for row in rows].index(ANN)], placed[ANN])


async def test_players_who_play_well_play_whole_hands(world: World) -> None:
    key = await world.started(ANN, BOB)
    while (view := await world.play.look(key)).waiting:
        hand = (await world.play.look(key, view.waiting[0])).hand
        assert hand is not None
        await world.place_cards(key, view.waiting[0], choose_placement(hand))
    hand = (await world.play.result(key, 1)).hand
    assert hand is not None
    assert hand.score is not None
    assert sum(hand.score.points) == 0


async def test_a_stack_pays_only_what_it_holds(world: World) -> None:
    key = await world.table(ANN, BOB, point_value=10, buy_in=200)
    plans = await world.rig(key, lambda hand: hand.score.points[0] > 20, strategies={ANN: best})
    await world.start(key)
    await world.play_hand(key, plans)
    view = await world.play.look(key)
    assert [place.stack for place in view.places] == [400, 0]
    assert [(row.chips, row.points > 20) for row in (await world.play.result(key, 1)).results] == [
        (200, True),
        (-200, False),
    ]


# turns


async def test_the_player_left_of_the_button_acts_first_and_the_button_last(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    assert await button(world, key) == ANN
    turns = []
    for _ in range(6):
        turns.append(await world.turn(key))
        await world.place_cards(key, turns[-1])
    assert turns == [BOB, CLEO, ANN] * 2


async def test_the_button_moves_one_seat_after_an_ordinary_hand(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    held = []
    for _ in range(4):
        held.append(await button(world, key))
        await world.play_hand(key)
        await world.rig(key)
        await world.next_hand(key)
    assert held == [ANN, BOB, CLEO, ANN]


async def test_the_button_stays_while_somebody_is_in_fantasyland_and_moves_afterwards(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await world.into_fantasyland(key, CLEO)
    assert await button(world, key) == ANN
    plans = await world.rig(key, lambda hand: entering(hand) == {CLEO})
    await world.next_hand(key)
    assert await button(world, key) == ANN
    await world.play_hand(key, plans)
    plans = await world.rig(key)
    await world.next_hand(key)
    assert await button(world, key) == ANN
    await world.play_hand(key, plans)
    await world.next_hand(key)
    assert await button(world, key) == BOB


async def test_the_button_passes_an_empty_seat(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await world.leave(key, BOB)
    await world.play_hand(key)
    await world.next_hand(key)
    assert await button(world, key) == CLEO


async def test_the_next_hand_is_dealt_by_itself_after_the_pause(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    view = await world.play.look(key)
    assert view.next_hand_at == world.now + world.policy.next_hand_ms
    assert view.hand is not None
    assert view.hand.over
    await world.later(world.policy.next_hand_ms - 1)
    assert (await world.play.look(key)).table.hand_no == 1
    await world.later(1)
    view = await world.play.look(key)
    assert (view.table.state, view.table.hand_no, view.next_hand_at) == (TableState.PLAYING, 2, None)


async def test_a_street_is_placed_as_the_rules_say(world: World) -> None:
    key = await world.started(ANN, BOB)
    for rows, reason, details in (
        ("BBBB", Reason.BAD_PLACEMENT, {}),
        ("BBBBX", Reason.BAD_PLACEMENT, {}),
        ("FFFFB", Reason.ROW_FULL, {"row": "front", "size": 3}),
        ("BBBBD", Reason.WRONG_COUNT, {"to_place": 5, "discard": 0}),
        ("B" * 2000, Reason.BAD_PLACEMENT, {}),
        (" ", Reason.BAD_PLACEMENT, {}),
    ):
        with world.refuses(reason, **details):
            await world.place_cards(key, BOB, rows)
    await world.place_cards(key, BOB, "FFFMB")
    hand = (await world.play.look(key)).hand
    assert hand is not None
    assert [len(row) for row in hand.seats[1].rows] == [3, 1, 1]


# Fantasyland


@pytest.mark.parametrize(("variant", "cards"), [(PINEAPPLE, 14), (CLASSIC, 13)], ids=["pineapple", "classic"])
async def test_fantasyland_is_dealt_at_once_in_the_next_hand(world: World, variant: Variant, cards: int) -> None:
    key = await world.table(ANN, BOB, variant=variant)
    await world.into_fantasyland(key, BOB)
    plans = await world.rig(key)
    await world.next_hand(key)
    assert await in_fantasyland(world, key) == {BOB: cards}
    mine = (await world.play.look(key, BOB)).hand
    assert mine is not None
    assert mine.mine is not None
    assert len(mine.mine.held) == cards
    await world.play_hand(key, plans)
    await world.next_hand(key)
    assert await in_fantasyland(world, key) == {}


async def test_a_player_in_fantasyland_may_set_early_and_again_until_the_others_are_done(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    assert await world.turn(key) == ANN
    await world.place_cards(key, BOB, "FFFMMMMMBBBBBD")
    assert await world.turn(key) == ANN
    await world.play_street(key)
    await world.place_cards(key, BOB, "DFFFMMMMMBBBBB")
    await world.play_hand(key)
    hand = await world.replayed(key, 2)
    assert hand.seats[1].setting == "DFFFMMMMMBBBBB"
    assert hand.status is HandStatus.ENDED


async def test_at_last_the_hand_waits_for_fantasyland_for_twice_a_turn(world: World) -> None:
    key = await world.table(ANN, BOB, clock=Clock(pace=Pace.PER_TURN, seconds=30))
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    for _ in range(5):
        assert (await world.play.look(key)).turn_until == world.now + 30_000
        await world.place_cards(key, ANN)
    view = await world.play.look(key)
    assert view.waiting == (BOB,)
    assert view.turn_until == world.now + 60_000


async def test_everybody_can_be_in_fantasyland_together(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, ANN, BOB)
    view = await world.next_hand(key)
    assert set(view.waiting) == {ANN, BOB}
    assert view.turn_until == world.now + 120_000
    await world.place_cards(key, ANN)
    assert (await world.play.look(key)).waiting == (BOB,)
    await world.place_cards(key, BOB)
    assert (await world.play.look(key)).table.state is TableState.BETWEEN


async def test_a_fantasyland_that_is_not_set_in_time_gets_the_best_arrangement(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    expected = await world.letters(key, BOB)
    await world.play_hand_of(key, ANN)
    await world.time_out(key)
    hand = await world.replayed(key, 2)
    assert hand.seats[1].setting == expected
    assert not hand.score.boards[1].foul
    assert (await world.play.look(key)).table.state is TableState.BETWEEN


async def test_a_fantasyland_that_was_set_is_not_touched_by_the_clock(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    await world.place_cards(key, BOB, "DFFFMMMMMBBBBB")
    while (await world.play.look(key)).waiting:
        await world.time_out(key)
    assert (await world.replayed(key, 2)).seats[1].setting == "DFFFMMMMMBBBBB"


async def test_both_who_let_fantasyland_run_out_get_their_best_boards(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, ANN, BOB)
    await world.next_hand(key)
    view = await world.time_out(key)
    assert view.table.state is TableState.BETWEEN
    assert [place.seat.timeouts for place in view.places] == [1, 1]


# coming and going


async def test_leaving_takes_effect_after_the_hand(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    await world.leave(key, CLEO)
    view = await world.play.look(key)
    assert [place.seat.leaving for place in view.places] == [False, False, True]
    await world.play_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: True}
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True}
    chips = next(row.chips for row in (await world.play.result(key, 1)).results if row.player == CLEO)
    assert await world.play.wallet(GUILD, CLEO) == world.policy.start_chips + chips


async def test_who_wishes_to_leave_may_think_better_of_it(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.leave(key, BOB)
    await world.stay(key, BOB)
    await world.play_hand(key)
    await world.leave(key, BOB)
    await world.stay(key, BOB)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True}


async def test_nobody_leaves_while_somebody_is_in_fantasyland(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await world.into_fantasyland(key, ANN)
    await world.leave(key, BOB)
    plans = await world.rig(key, lambda hand: entering(hand) == {ANN})
    view = await world.next_hand(key)
    assert view.table.hand_no == 2
    assert BOB in await seated(world, key)
    await world.play_hand(key, plans)
    plans = await world.rig(key)
    await world.next_hand(key)
    assert BOB in await seated(world, key)
    await world.play_hand(key, plans)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, CLEO: True}


async def test_who_is_in_fantasyland_himself_leaves_after_it(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await world.into_fantasyland(key, ANN)
    await world.leave(key, ANN)
    plans = await world.rig(key)
    await world.next_hand(key)
    assert await in_fantasyland(world, key) == {ANN: 14}
    await world.play_hand(key, plans)
    await world.next_hand(key)
    assert await seated(world, key) == {BOB: True, CLEO: True}
    assert (await world.play.look(key)).table.host == BOB


async def test_a_newcomer_waits_for_the_next_hand(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.join(key, CLEO)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: False}
    with world.refuses(Reason.NOT_SEATED):
        await world.play.place_cards(key, CLEO, hand_no=1, street=1, rows="BBBBB", cause="c")
    await world.play_hand(key)
    view = await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: True}
    assert view.hand is not None
    assert [seat.player for seat in view.hand.seats] == [ANN, BOB, CLEO]


async def test_who_joins_in_the_pause_is_dealt_in(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    await world.join(key, CLEO)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: True}


async def test_newcomers_wait_for_fantasyland_to_end(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, ANN)
    await world.join(key, CLEO)
    plans = await world.rig(key)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: False}
    await world.play_hand(key, plans)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: True}


async def test_a_newcomer_leaves_at_once(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.join(key, CLEO)
    await world.leave(key, CLEO)
    assert CLEO not in await seated(world, key)
    assert await world.play.wallet(GUILD, CLEO) == world.policy.start_chips


async def test_who_has_lost_all_his_chips_sits_out(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO, point_value=10, buy_in=200)
    plans = await world.rig(
        key, lambda hand: not entering(hand) and broke(hand) == {BOB}, strategies={ANN: best, CLEO: best}
    )
    await world.start(key)
    await world.play_hand(key, plans)
    assert [place.stack == 0 for place in (await world.play.look(key)).places] == [False, True, False]
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: False, CLEO: True}


async def test_who_has_lost_all_sits_out_even_before_fantasyland(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO, point_value=10, buy_in=200)
    plans = await world.rig(
        key, lambda hand: entering(hand) == {ANN} and broke(hand) == {BOB}, strategies={ANN: best, CLEO: best}
    )
    await world.start(key)
    await world.play_hand(key, plans)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: False, CLEO: True}
    assert await in_fantasyland(world, key) == {ANN: 14}


async def test_when_nobody_is_left_to_play_with_fantasyland_ends_and_the_lobby_opens(world: World) -> None:
    key = await world.table(ANN, BOB, point_value=10, buy_in=200)
    plans = await world.rig(key, lambda hand: entering(hand) == {ANN} and broke(hand) == {BOB}, strategies={ANN: best})
    await world.start(key)
    await world.play_hand(key, plans)
    view = await world.next_hand(key)
    assert view.table.state is TableState.LOBBY
    assert [(place.seat.player, place.seat.fantasyland) for place in view.places] == [(ANN, 0), (BOB, 0)]
    assert view.lobby_until == world.now + world.policy.lobby_ms
    await world.join(key, CLEO)
    await world.next_hand(key)
    assert await in_fantasyland(world, key) == {}


async def test_with_too_few_players_the_table_goes_back_to_its_lobby_and_starts_again(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.leave(key, ANN)
    await world.play_hand(key)
    view = await world.next_hand(key)
    assert (view.table.state, view.table.host, view.hand) == (TableState.LOBBY, BOB, None)
    assert set(world.timers(key)) == {Timer.LOBBY.value}
    with world.refuses(TableReason.TOO_FEW_PLAYERS, need=2, have=1):
        await world.start(key)
    await world.join(key, EVE)
    await world.next_hand(key)
    assert (await world.play.look(key)).table.hand_no == 2
    await world.play_hand(key)


async def test_a_waiting_newcomer_plays_on_when_the_others_leave(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.join(key, CLEO)
    await world.leave(key, ANN)
    await world.play_hand(key)
    view = await world.next_hand(key)
    assert view.table.state is TableState.PLAYING
    assert await seated(world, key) == {BOB: True, CLEO: True}
    assert view.table.host == BOB


async def test_when_all_leave_the_table_closes_after_the_hand(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.leave(key, ANN)
    await world.leave(key, BOB)
    await world.play_hand(key)
    view = await world.next_hand(key)
    assert (view.table.state, view.table.closed_reason) == (TableState.CLOSED, "empty")
    assert [posting.kind for posting in await world.play.postings()] == [PostKind.RESULT, PostKind.CLOSED]


# time-outs


async def test_the_clock_places_for_who_does_not(world: World) -> None:
    key = await world.started(ANN, BOB, clock=Clock(pace=Pace.PER_TURN, seconds=30))
    mine = (await world.play.look(key, BOB)).hand
    assert mine is not None
    assert mine.mine is not None
    held = tuple(card for card in mine.mine.held if card is not None)
    expected = clock_placement(PINEAPPLE, EMPTY, held, to_place=5)
    await world.later(29_999)
    assert await world.turn(key) == BOB
    await world.later(1)
    assert await world.turn(key) == ANN
    rows = world.ask("SELECT payload, actor, cause FROM table_log WHERE kind = 'cards_laid'")
    assert rows == [(f'{{"v":1,"seat":1,"street":1,"rows":"{expected}","by":"clock"}}', None, None)]
    view = await world.play.look(key)
    assert [(place.seat.timeouts, place.seat.away) for place in view.places] == [(0, False), (1, False)]
    assert view.turn_until == world.now + 30_000


async def test_two_time_outs_in_a_row_mark_a_player_away_and_his_later_turns_take_no_time(world: World) -> None:
    key = await world.started(ANN, BOB)
    for away in (False, True):
        view = await world.time_out(key)
        place = view.place_of(BOB)
        assert place is not None
        assert place.seat.away is away
        await world.place_cards(key, ANN)
    view = await world.play.look(key)
    assert view.turn_until == world.now
    await world.later(0)
    assert await world.turn(key) == ANN


async def test_placing_in_time_between_two_time_outs_is_enough_to_stay(world: World) -> None:
    key = await world.started(ANN, BOB)
    for _ in range(2):
        await world.time_out(key)
        await world.place_cards(key, ANN)
        await world.place_cards(key, BOB)
        await world.place_cards(key, ANN)
    assert not any(place.seat.away for place in (await world.play.look(key)).places)


async def away(world: World, key: TableKey) -> None:
    """Bob lets two turns pass; then it is his turn again."""
    for _ in range(2):
        await world.time_out(key)
        await world.place_cards(key, ANN)
    assert await world.turn(key) == BOB


async def by_staying(world: World, key: TableKey) -> None:
    await world.stay(key, BOB)
    assert (await world.play.look(key)).turn_until == world.now + 60_000
    await world.place_cards(key, BOB)


async def by_placing(world: World, key: TableKey) -> None:
    await world.place_cards(key, BOB)


@pytest.mark.parametrize("come_back", [by_staying, by_placing])
async def test_who_was_away_comes_back(world: World, come_back: Callable[[World, TableKey], Awaitable[None]]) -> None:
    key = await world.started(ANN, BOB)
    await away(world, key)
    await come_back(world, key)
    await world.place_cards(key, ANN)
    view = await world.play.look(key)
    place = view.place_of(BOB)
    assert place is not None
    assert (place.seat.away, place.seat.timeouts) == (False, 0)
    assert view.turn_until == world.now + 60_000
    await world.time_out(key)
    await world.play_hand(key)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True}


async def test_who_comes_back_in_anothers_turn_leaves_that_turn_its_time(world: World) -> None:
    key = await world.started(ANN, BOB)
    await away(world, key)
    await world.later(0)
    until = (await world.play.look(key)).turn_until
    world.now += 20_000
    await world.stay(key, BOB)
    view = await world.play.look(key)
    assert (view.waiting, view.turn_until) == ((ANN,), until)


async def test_who_is_away_sits_out_after_the_hand(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    while CLEO not in (await world.play.look(key)).waiting:
        await world.place_cards(key, await world.turn(key))
    while (view := await world.play.look(key)).waiting:
        if view.waiting == (CLEO,):
            await world.time_out(key)
        else:
            await world.place_cards(key, view.waiting[0])
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: False}
    await world.stay(key, CLEO)
    await world.play_hand(key)
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True, CLEO: True}


async def test_who_is_away_keeps_his_seat_while_fantasyland_is_pending(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, ANN)
    plans = await world.rig(key, lambda hand: entering(hand) == {ANN})
    await world.next_hand(key)
    await world.place_cards(key, ANN, plans[ANN][0])
    while (await world.play.look(key)).waiting:
        await world.time_out(key)
    assert [place.seat.away for place in (await world.play.look(key)).places] == [False, True]
    await world.next_hand(key)
    assert await seated(world, key) == {ANN: True, BOB: True}


async def test_a_hand_without_anybody_plays_itself_and_the_table_closes(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    for _ in range(100):
        if not (await world.play.look(key)).table.open:
            break
        await world.later(60_000)
    view = await world.play.look(key)
    assert (view.table.state, view.table.closed_reason, view.table.hand_no) == (
        TableState.CLOSED,
        "all_away",
        1,
    )


# computers


async def test_computers_play_by_themselves_at_a_practice_table(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=2)
    placed = []
    while (view := await world.play.look(key)).table.hand_no == 1 and view.waiting:
        if view.waiting[0] == ANN:
            await world.place_cards(key, ANN)
        else:
            placed.append(view.waiting[0])
            assert view.turn_until is None
            await world.later(world.policy.computer_ms)
    assert placed == list(CLUB[:2]) * 5
    assert "clock" not in str(world.ask("SELECT payload FROM table_log WHERE kind = 'cards_laid'"))
    assert not world.ask("SELECT * FROM transfer")
    assert [row.ranked for row in (await world.play.result(key, 1)).results] == [False] * 3
    view = await world.next_hand(key)
    assert view.table.hand_no == 2


@pytest.mark.parametrize("between", [False, True], ids=["in a hand", "between hands"])
async def test_who_plays_against_computers_alone_leaves_at_once(world: World, between: bool) -> None:
    key = await world.started(ANN, point_value=0, computers=1)
    while between and (view := await world.play.look(key)).waiting:
        await (world.place_cards(key, ANN) if view.waiting[0] == ANN else world.later(world.policy.computer_ms))
    await world.leave(key, ANN)
    view = await world.play.look(key)
    assert (view.table.state, view.table.closed_reason, view.places) == (TableState.CLOSED, "empty", ())
    assert (await world.record(key, 1)).state is (HandState.SETTLED if between else HandState.VOID)
    assert not world.timers(key)


async def test_who_has_a_companion_against_the_computers_leaves_after_the_hand(world: World) -> None:
    key = await world.table(ANN, BOB, point_value=0, computers=1)
    await world.start(key)
    await world.leave(key, ANN)
    assert ANN in await seated(world, key)


async def test_a_computer_sets_its_fantasyland_while_the_others_play(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=1)
    while (view := await world.play.look(key)).waiting:
        if view.waiting[0] == ANN:
            await world.place_cards(key, ANN)
        else:
            await world.later(world.policy.computer_ms)
    world.do("UPDATE seat SET fantasyland = 14 WHERE player = ?", CLUB[0])
    await world.next_hand(key)
    assert await in_fantasyland(world, key) == {CLUB[0]: 14}
    await world.later(world.policy.computer_ms)
    hand = await world.replayed(key, 2)
    assert hand.seats[1].setting is not None
    assert hand.waiting == [0]
    await world.play_hand(key)
    assert (await world.play.look(key)).table.state is TableState.BETWEEN


async def test_an_away_person_does_not_hold_up_the_computers(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=1)
    for _ in range(40):
        if not (await world.play.look(key)).table.open:
            break
        await world.later(60_000)
    assert (await world.play.look(key)).table.closed_reason == "empty"


# contents of a view


async def test_a_view_knows_the_places_of_those_who_look(world: World) -> None:
    key = await world.started(ANN, BOB)
    mine = await world.play.look(key, BOB)
    assert mine.mine is not None
    assert mine.mine.seat.player == BOB
    public: TableView = await world.play.look(key)
    assert public.mine is None
    assert (await world.play.look(key, EVE)).mine is None
    assert public.place_of(EVE) is None


async def test_practice_moves_no_chips_and_does_not_count(world: World) -> None:
    key = await world.table(ANN, BOB, point_value=0)
    plans = await world.rig(key, lambda hand: any(hand.score.points), strategies={ANN: best})
    await world.start(key)
    await world.play_hand(key, plans)
    assert not world.ask("SELECT * FROM transfer")
    assert not world.ask("SELECT * FROM account")
    board = await world.play.leaderboard(GUILD, LeaderboardQuery(), ANN, page=0, lines=10)
    assert (board.lines, board.ranked, board.own, board.own_place) == ([], 0, None, None)
    results = (await world.play.result(key, 1)).results
    assert [row.chips for row in results] == [0, 0]
    assert any(row.points for row in results)
    await world.next_hand(key)
    assert (await world.play.look(key)).table.state is TableState.PLAYING


async def test_a_result_is_shown_only_of_a_finished_hand(world: World) -> None:
    key = await world.started(ANN, BOB)
    with world.refuses(HandReason.NOT_REVEALED_YET, hand=1):
        await world.play.result(key, 1)
    with world.refuses(HandReason.NO_SUCH_HAND, last=1):
        await world.play.result(key, 2)


async def test_the_house_says_how_long_things_take(world: World) -> None:
    policy = Policy(start_chips=500, lobby_ms=1000, next_hand_ms=2000, timeouts_until_away=1, tables_per_player=1)
    other = World(world.folder / "other", policy=policy, fixed=FixedVault([b"o" * 32]))
    await other.open()
    assert isinstance(other.play, Play)
    assert await other.play.wallet(GUILD, ANN) == 500
    key = await other.started(ANN, BOB, point_value=5)
    with other.refuses(TableReason.TOO_MANY_TABLES, most=1, slow=25):
        await other.table(ANN, point_value=0)
    view = await other.time_out(key)
    assert [place.seat.away for place in view.places] == [False, True]
    while (await other.play.look(key)).waiting:
        await other.place_cards(key, await other.turn(key))
    assert (await other.play.look(key)).next_hand_at == other.now + 2000
    await other.close()
