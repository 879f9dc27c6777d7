"""The whole family at the table: every game is dealt, placed, timed out, settled and dealt again."""

import asyncio

import pytest

from bot.model.clock import Clock, Pace
from bot.model.hands import HandState
from bot.model.ids import Player, TableKey
from bot.model.limits import MAX_HOUSE_GAME_NAME_LENGTH, MAX_HOUSE_GAMES
from bot.model.reasons import ServerReason, TableReason
from bot.model.refusals import Stale
from bot.model.tables import HouseGame, Limits, TableState, Timer
from bot.pure.ofc.hand import Hand, HandStatus
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.naturals import natural_of
from bot.pure.ofc.presets import CHINESE, CLASSIC, FIRST_EDITION, OPEN_THIRTEEN, PINEAPPLE, PRESETS, THIRTEEN
from bot.pure.ofc.refusals import Reason
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import DealMode, Variant
from tests.play.world import ANN, BOB, CLEO, CLUB, DAN, EVE, GUILD, OTHER_GUILD, World, best, entering

CROWD = (ANN, BOB, CLEO, DAN, EVE, Player("1006"), Player("1007"), Player("1008"))
every_game = pytest.mark.parametrize("variant", PRESETS.values(), ids=lambda variant: variant.key)
FEW = ("pineapple", "two_seven", "joker_pineapple", "open_thirteen", "chinese")
"""Games of each kind: the others take their time, and are played by people and by the clock above."""
most_games = pytest.mark.parametrize(
    "variant",
    [pytest.param(v, marks=() if v.key in FEW else pytest.mark.deep, id=v.key) for v in PRESETS.values()],
)
every_fantasyland = pytest.mark.parametrize(
    "variant", [v for v in PRESETS.values() if v.fantasyland], ids=lambda variant: variant.key
)


async def full_table(world: World, variant: Variant) -> TableKey:
    """Return a full table before its first hand."""
    return await world.table(*CROWD[: variant.max_seats], variant=variant)


async def view_of(world: World, key: TableKey, player: Player) -> tuple[int, int]:
    """The number of their own cards, and of others' lying face up, that a player sees."""
    hand = (await world.play.look(key, player)).hand
    assert hand is not None
    seen = {seat.player: sum(card is not None for row in seat.rows for card in row) for seat in hand.seats}
    return seen.pop(player), sum(seen.values())


@every_game
async def test_every_game_is_played_at_a_full_table_and_settled(world: World, variant: Variant) -> None:
    key = await full_table(world, variant)
    await world.start(key)
    for number in (1, 2):
        await world.play_hand(key)
        result = await world.play.result(key, number)
        assert result.record.state is HandState.SETTLED
        assert len(result.results) == variant.max_seats
        assert sum(row.points for row in result.results) == sum(row.chips for row in result.results) == 0
        world.check_books()
        view = await world.next_hand(key)
        assert (view.table.state, view.table.hand_no) == (TableState.PLAYING, number + 1)


@every_game
async def test_the_clock_alone_plays_every_game_to_its_end(world: World, variant: Variant) -> None:
    key = await full_table(world, variant)
    await world.start(key)
    for _ in range(400):
        if (await world.play.look(key)).table.state is not TableState.PLAYING:
            break
        await world.time_out(key)
    assert (await world.record(key, 1)).state is HandState.SETTLED
    assert set(world.timers(key)) == {Timer.NEXT_HAND.value}
    events = world.ask("SELECT payload FROM table_log WHERE kind IN ('cards_laid', 'fantasyland_set')")
    assert events
    assert all('"by":"clock"' in payload for (payload,) in events)


async def test_a_table_of_the_first_edition_is_dealt_as_it_was_for_ever(world: World) -> None:
    old, new = FIRST_EDITION["open_thirteen"], PRESETS["open_thirteen"]
    keys = {variant.deal_mode: await world.table(*CROWD[:4], variant=variant) for variant in (old, new)}
    stored = [text for (text,) in world.ask("SELECT variant FROM game_table ORDER BY table_id")]
    assert stored == ["open_thirteen", '{"preset": "open_thirteen", "edition": 2}']
    for mode, key in keys.items():
        await world.start(key)
        for _ in range(2):
            assert (await world.play.look(key)).table.terms.variant.deal_mode is mode
            for player in CROWD[:4]:
                await world.place_cards(key, player)
            hand = (await world.play.look(key)).hand
            assert hand is not None
            assert [len(seat.held) for seat in hand.seats].count(1) == (4 if mode is DealMode.STREET else 1)
            await world.play_hand(key)
            await world.next_hand(key)


@most_games
async def test_computers_play_every_game(world: World, variant: Variant) -> None:
    computers = min(len(CLUB), variant.max_seats - 1)
    key = await world.table(ANN, variant=variant, point_value=0, computers=computers)
    await world.start(key)
    while (view := await world.play.look(key)).waiting and view.table.hand_no == 1:
        await (world.place_cards(key, ANN) if view.waiting[0] == ANN else world.later(world.policy.computer_ms))
    assert (await world.record(key, 1)).state is HandState.SETTLED


@most_games
async def test_every_game_goes_on_after_a_restart_at_any_action(world: World, variant: Variant) -> None:
    players = CROWD[: variant.min_seats]
    key = await world.table(*players, variant=variant)
    await world.start(key)
    while (view := await world.play.look(key)).waiting:
        seen = [await world.play.look(key, player) for player in (*players, None)]
        await world.restart()
        assert [await world.play.look(key, player) for player in (*players, None)] == seen
        await world.place_cards(key, view.waiting[0])
    assert (await world.record(key, 1)).state is HandState.SETTLED


@every_fantasyland
async def test_fantasyland_is_dealt_in_every_game_that_knows_it(world: World, variant: Variant) -> None:
    key = await world.table(ANN, BOB, variant=variant)
    await world.into_fantasyland(key, BOB)
    cards = {row.player: row.fantasyland for row in (await world.play.result(key, 1)).results}
    view = await world.next_hand(key)
    assert view.hand is not None
    assert {seat.player: seat.fantasyland for seat in view.hand.seats} == cards
    assert cards[BOB] >= 13
    await world.play_hand_of(key, ANN)
    await world.time_out(key)
    assert (await world.record(key, 2)).state is HandState.SETTLED
    assert not (await world.replayed(key, 2)).score.boards[1].foul


# placed together


async def test_streets_placed_together_lie_face_down_until_all_have_placed(world: World) -> None:
    key = await full_table(world, OPEN_THIRTEEN)
    await world.start(key)
    assert set((await world.play.look(key)).waiting) == {ANN, BOB, CLEO, DAN}
    for player in (CLEO, ANN, DAN):
        assert (await view_of(world, key, BOB))[1] == 0
        await world.place_cards(key, player)
        assert await view_of(world, key, player) == (5, 0)
    with world.stale():
        await world.play.place_cards(key, ANN, hand_no=1, street=1, rows="BBBBB", cause="again")
    await world.place_cards(key, BOB)
    assert await view_of(world, key, BOB) == (5, 15)
    assert (await world.play.look(key)).waiting == (BOB,)


async def test_all_who_press_together_in_a_game_set_at_once_are_heard(world: World) -> None:
    key = await full_table(world, CHINESE)
    await world.start(key)
    letters = {player: await world.letters(key, player) for player in CROWD[:4]}
    presses = [
        world.play.place_cards(key, player, hand_no=1, street=1, rows=rows, cause=f"{player}-{number}")
        for player, rows in letters.items()
        for number in range(3)
    ]
    answers = await asyncio.gather(*presses, return_exceptions=True)
    assert sum(isinstance(answer, Stale) for answer in answers) == 8
    assert (await world.record(key, 1)).state is HandState.SETTLED
    assert len(world.ask("SELECT 1 FROM table_log WHERE kind = 'cards_laid'")) == 4
    world.check_books()


async def test_a_game_set_at_once_has_twice_a_turn_and_one_clock_for_all(world: World) -> None:
    key = await world.table(ANN, BOB, variant=CHINESE, clock=Clock(pace=Pace.PER_TURN, seconds=30))
    await world.start(key)
    view = await world.play.look(key)
    assert view.turn_until == world.now + 60_000
    world.now += 10_000
    await world.place_cards(key, ANN)
    assert (await world.play.look(key)).turn_until == view.turn_until


async def test_nobody_waits_for_those_who_are_away(world: World) -> None:
    key = await world.table(ANN, BOB, variant=PINEAPPLE)
    await world.into_fantasyland(key, ANN, BOB)
    world.do("UPDATE seat SET away = 1, timeouts = 2 WHERE player = ?", BOB)
    view = await world.next_hand(key)
    assert (view.waiting, view.until(ANN)) == ((ANN,), world.now + 120_000)
    await world.place_cards(key, ANN)
    assert (await world.record(key, 2)).state is HandState.SETTLED


async def test_who_comes_back_before_the_clock_has_placed_for_him_has_his_whole_time(world: World) -> None:
    key = await world.started(ANN, BOB)
    world.now += 30_000
    world.do("UPDATE seat SET away = 1, timeouts = 2 WHERE player = ?", BOB)
    await world.stay(key, BOB)
    assert (await world.play.look(key)).until(BOB) == world.now + 60_000


# naturals and surrender


def as_dealt(*_: object) -> list[str]:
    """Thirteen cards in the order dealt."""
    return ["BBBBBMMMMMFFF"]


def natural_of_bob(hand: Hand) -> bool:
    """True when Bob has been dealt a natural."""
    cards = [card for row in hand.seats[1].rows for card in row]
    return natural_of(cards, hand.variant.naturals) is not None


async def test_a_natural_counts_when_it_is_declared(world: World) -> None:
    key = await full_table(world, THIRTEEN)
    await world.rig(key, natural_of_bob, strategies=dict.fromkeys(CROWD, as_dealt))
    await world.start(key)
    rows = await world.letters(key, BOB)
    await world.play.place_cards(key, BOB, hand_no=1, street=1, rows=rows, cause="n", declare=True)
    hidden = (await world.play.look(key, ANN)).hand
    assert hidden is not None
    assert [seat.natural for seat in hidden.seats] == [None] * 4
    await world.play_hand(key)
    hand = await world.replayed(key, 1)
    assert hand.seats[1].natural is not None
    assert hand.score.points[1] >= 3 * 3 - 13


async def test_a_computer_declares_its_natural(world: World) -> None:
    key = await world.table(ANN, BOB, variant=THIRTEEN, point_value=0, computers=2)

    def natural_of_a_computer(hand: Hand) -> bool:
        cards = [card for row in hand.seats[2].rows for card in row]
        return natural_of(cards, hand.variant.naturals) is not None

    players = (ANN, BOB, *CLUB[:2])
    await world.rig(key, natural_of_a_computer, strategies=dict.fromkeys(players, as_dealt))
    await world.start(key)
    await world.later(world.policy.computer_ms)
    await world.place_cards(key, ANN)
    await world.place_cards(key, BOB)
    hand = await world.replayed(key, 1)
    assert hand.status is HandStatus.ENDED
    assert hand.seats[2].natural is not None


async def test_a_natural_that_is_not_there_cannot_be_declared(world: World) -> None:
    key = await full_table(world, THIRTEEN)
    await world.rig(key, lambda hand: not natural_of_bob(hand), strategies=dict.fromkeys(CROWD, as_dealt))
    await world.start(key)
    rows = await world.letters(key, BOB)
    with world.refuses(Reason.NO_NATURAL):
        await world.play.place_cards(key, BOB, hand_no=1, street=1, rows=rows, cause="n", declare=True)


SURRENDER = house_variant("chinese", {"surrender": "2"}, name="Easy")


async def test_who_surrenders_pays_the_price_and_shows_nothing(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO, variant=SURRENDER, point_value=10)
    await world.start(key)
    await world.play.surrender(key, BOB, hand_no=1, cause="s")
    view = await world.play.look(key, ANN)
    assert set(view.waiting) == {ANN, CLEO}
    assert await view_of(world, key, ANN) == (0, 0)
    with world.stale():
        await world.play.surrender(key, BOB, hand_no=1, cause="s")
    with world.refuses(Reason.GAVE_UP):
        await world.play.surrender(key, BOB, hand_no=1, cause="t")
    with world.refuses(Reason.GAVE_UP):
        await world.play.place_cards(key, BOB, hand_no=1, street=1, rows=await world.letters(key, ANN), cause="u")
    await world.play_hand(key)
    points = {row.player: row.points for row in (await world.play.result(key, 1)).results}
    assert points[BOB] == -4
    assert sum(points.values()) == 0
    assert (await world.play.look(key)).table.state is TableState.BETWEEN


async def test_when_all_but_one_surrender_the_last_one_need_not_hurry(world: World) -> None:
    key = await world.table(ANN, BOB, variant=SURRENDER)
    await world.start(key)
    await world.play.surrender(key, BOB, hand_no=1, cause="s")
    assert (await world.play.look(key)).waiting == (ANN,)
    await world.time_out(key)
    assert [row.points for row in (await world.play.result(key, 1)).results][1] == -2


async def test_surrender_is_refused_where_the_game_does_not_know_it(world: World) -> None:
    key = await world.started(ANN, BOB)
    with world.refuses(Reason.NO_SURRENDER):
        await world.play.surrender(key, BOB, hand_no=1, cause="s")
    with world.refuses(Reason.NOT_SEATED):
        await world.play.surrender(key, EVE, hand_no=1, cause="s")
    for hand_no in (0, 2):
        with world.stale():
            await world.play.surrender(key, BOB, hand_no=hand_no, cause="s")


async def test_who_has_set_his_cards_surrenders_no_more(world: World) -> None:
    key = await world.table(ANN, BOB, variant=SURRENDER)
    await world.start(key)
    await world.place_cards(key, BOB)
    with world.refuses(Reason.ALREADY_PLACED):
        await world.play.surrender(key, BOB, hand_no=1, cause="s")


async def test_a_surrender_without_the_key_voids_the_hand(real_world: World) -> None:
    world = real_world
    key = await world.table(ANN, BOB, variant=SURRENDER)
    await world.start(key)
    await world.close()
    world.key_file.unlink()
    await world.open()
    with pytest.raises(Stale):
        await world.play.surrender(key, BOB, hand_no=1, cause="s")
    assert (await world.record(key, 1)).reason == "seed_lost"


# a server's own games


async def test_a_table_goes_on_with_the_rules_it_was_opened_with(world: World) -> None:
    variant = house_variant("classic", {"royalty.back.royal_flush": "50"}, name="Fifty")
    await world.play.save_game(GUILD, HouseGame(name="Fifty", variant=variant), by=ANN)
    key = await world.table(ANN, BOB, variant=variant)
    await world.play.remove_game(GUILD, "Fifty")
    await world.restart()
    assert (await world.play.look(key)).table.terms.variant == variant
    await world.start(key)
    await world.play_hand(key)
    assert (await world.record(key, 1)).variant == variant
    assert (await world.play.proof(key, 1))["variant"] == "classic"


async def test_a_server_keeps_its_games_by_name(world: World) -> None:
    first = HouseGame(name="B", variant=house_variant("pineapple", {"jokers": "2"}, name="B"))
    other = HouseGame(name="A", variant=SURRENDER)
    for game in (first, other):
        await world.play.save_game(GUILD, game, by=ANN)
    assert await world.play.games(GUILD) == [other, first]
    assert await world.play.games(OTHER_GUILD) == []
    await world.play.save_game(GUILD, HouseGame(name="B", variant=CLASSIC), by=BOB)
    assert await world.play.games(GUILD) == [other, HouseGame(name="B", variant=CLASSIC)]
    await world.play.remove_game(GUILD, "B")
    assert await world.play.games(GUILD) == [other]


@pytest.mark.parametrize("name", ["", "  ", "\u202e", "\u2066\u2069", "\u3164", "x" * (MAX_HOUSE_GAME_NAME_LENGTH + 1)])
async def test_a_game_needs_a_name_of_some_length_that_can_be_seen(world: World, name: str) -> None:
    with world.refuses(ServerReason.BAD_GAME_NAME, most=MAX_HOUSE_GAME_NAME_LENGTH):
        await world.play.save_game(GUILD, HouseGame(name=name, variant=CLASSIC), by=ANN)


async def test_a_server_has_only_so_many_games(world: World) -> None:
    for number in range(MAX_HOUSE_GAMES):
        await world.play.save_game(GUILD, HouseGame(name=f"{number}", variant=CLASSIC), by=ANN)
    with world.refuses(ServerReason.TOO_MANY_GAMES, most=MAX_HOUSE_GAMES):
        await world.play.save_game(GUILD, HouseGame(name="more", variant=CLASSIC), by=ANN)
    await world.play.save_game(GUILD, HouseGame(name="3", variant=PINEAPPLE), by=ANN)
    await world.play.save_game(OTHER_GUILD, HouseGame(name="more", variant=CLASSIC), by=ANN)


# limits and levels


async def test_the_point_value_rises_by_hands_and_the_last_level_stays(world: World) -> None:
    limits = Limits(levels=(10, 20, 50), level_hands=2)
    key = await world.table(ANN, BOB, point_value=10, buy_in=5000, limits=limits)
    values = []
    for number in range(1, 8):
        await world.rig(key)
        await (world.start(key) if number == 1 else world.next_hand(key))
        values.append((await world.play.look(key)).table.terms.point_value)
        assert (await world.record(key, number)).point_value == values[-1]
        await world.play_hand(key)
    assert values == [10, 10, 20, 20, 50, 50, 50]


async def test_the_point_value_does_not_rise_during_fantasyland(world: World) -> None:
    key = await world.table(ANN, BOB, point_value=10, buy_in=5000, limits=Limits(levels=(10, 20), level_hands=1))
    await world.into_fantasyland(key, BOB)
    plans = await world.rig(key)
    view = await world.next_hand(key)
    assert view.table.terms.point_value == 10
    await world.play_hand(key, plans)
    assert (await world.next_hand(key)).table.terms.point_value == 20


@pytest.mark.parametrize(
    ("point_value", "limits"),
    [
        (10, Limits(levels=(10, 20), level_hands=0)),
        (10, Limits(levels=(10, 0), level_hands=2)),
        (10, Limits(levels=(10, -20), level_hands=2)),
        (0, Limits(levels=(10, 20), level_hands=2)),
    ],
)
async def test_levels_that_cannot_be_played_are_refused(world: World, point_value: int, limits: Limits) -> None:
    with world.refuses(TableReason.BAD_LEVELS):
        await world.table(ANN, point_value=point_value, limits=limits)


async def test_without_a_win_cap_a_small_stack_wins_more_than_it_holds(world: World) -> None:
    won = {}
    for cap in (WinCap.OWN_STACK, WinCap.NONE):
        key = await world.table(ANN, BOB, CLEO, point_value=10, buy_in=200, limits=Limits(win_cap=cap))
        plans = await world.rig(
            key, lambda hand: not entering(hand) and hand.score.points[0] > 25, strategies={ANN: best}
        )
        await world.start(key)
        await world.play_hand(key, plans)
        won[cap] = next(row.chips for row in (await world.play.result(key, 1)).results if row.player == ANN)
        world.check_books()
    assert won[WinCap.OWN_STACK] == 200 < won[WinCap.NONE]
