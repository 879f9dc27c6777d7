"""Paces: live budgets and banks, turns of minutes or days, no clock; reminders; and time that does not count."""

from dataclasses import replace

import pytest

from bot.model.choices import MemberSettings
from bot.model.clock import (
    BANK_REFILL_MS,
    DAY,
    DEFAULT_SECONDS,
    FORGOTTEN_MS,
    HOUR,
    LIMITS,
    MIN_TURN_MS,
    Clock,
    Pace,
    pace_for,
    time_after_turn,
)
from bot.model.ids import GuildId, Player, Shard, TableKey
from bot.model.limits import CORRESPONDENCE_LOBBY_MS
from bot.model.reasons import TableReason
from bot.model.refusals import Stale
from bot.model.tables import Seat, TableState, Timer
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.refusals import Refused
from tests.play.world import ANN, BOB, CLEO, GUILD, OTHER_GUILD, World

LIVE = Clock(pace=Pace.LIVE, seconds=60)
SLOW = Clock(pace=Pace.CORRESPONDENCE, seconds=86_400)
UNTIMED = Clock(pace=Pace.NONE, seconds=0)


async def seat_of(world: World, key: TableKey, player: Player) -> Seat:
    """A player's seat as it is stored."""
    place = (await world.play.look(key)).place_of(player)
    assert place is not None
    return place.seat


# live


async def test_a_live_budget_is_for_all_turns_of_a_hand(world: World) -> None:
    key = await world.started(ANN, BOB, clock=LIVE)
    view = await world.play.look(key)
    assert view.until(BOB) == world.now + LIVE.budget_ms + LIVE.bank_ms
    world.now += 25_000
    await world.place_cards(key, BOB)
    bob = await seat_of(world, key, BOB)
    assert (bob.left_ms, bob.bank_ms, bob.deadline) == (35_000, LIVE.bank_ms, None)
    await world.place_cards(key, ANN)
    assert (await world.play.look(key)).until(BOB) == world.now + 35_000 + LIVE.bank_ms


async def test_the_bank_begins_when_the_budget_is_spent_and_comes_back_a_little_with_each_hand(world: World) -> None:
    key = await world.started(ANN, BOB, clock=LIVE)
    world.now += LIVE.budget_ms + 20_000
    await world.place_cards(key, BOB)
    bob = await seat_of(world, key, BOB)
    assert (bob.left_ms, bob.bank_ms) == (0, LIVE.bank_ms - 20_000)
    await world.play_hand(key)
    await world.next_hand(key)
    bob = await seat_of(world, key, BOB)
    assert (bob.left_ms, bob.bank_ms) == (LIVE.budget_ms, LIVE.bank_ms - 20_000 + BANK_REFILL_MS)


async def test_a_full_bank_grows_no_further(world: World) -> None:
    key = await world.started(ANN, BOB, clock=LIVE)
    await world.play_hand(key)
    await world.next_hand(key)
    assert (await seat_of(world, key, ANN)).bank_ms == LIVE.bank_ms


async def test_who_has_nothing_left_has_a_few_seconds_a_turn(world: World) -> None:
    key = await world.started(ANN, BOB, clock=LIVE)
    await world.time_out(key)
    bob = await seat_of(world, key, BOB)
    assert (bob.left_ms, bob.bank_ms, bob.timeouts) == (0, 0, 1)
    await world.place_cards(key, ANN)
    assert (await world.play.look(key)).until(BOB) == world.now + MIN_TURN_MS


@pytest.mark.parametrize(
    ("left", "bank", "remaining", "after"),
    [
        (60, 30, 90, (60, 30)),
        (60, 30, 50, (20, 30)),
        (60, 30, 30, (0, 30)),
        (60, 30, 10, (0, 10)),
        (60, 30, -5, (0, 0)),
        (2, 0, 5, (2, 0)),
        (0, 0, 5, (0, 0)),
    ],
)
def test_the_budget_goes_before_the_bank(left: int, bank: int, remaining: int, after: tuple[int, int]) -> None:
    assert time_after_turn(left, bank, remaining_ms=remaining) == after


# by the turn, relaxed, correspondence, none


async def test_a_correspondence_turn_takes_its_day(world: World) -> None:
    key = await world.started(ANN, BOB, clock=SLOW)
    assert (await world.play.look(key)).turn_until == world.now + DAY
    await world.later(DAY - 1)
    assert await world.turn(key) == BOB
    await world.later(1)
    assert await world.turn(key) == ANN


async def test_without_a_clock_nothing_counts_down_and_nothing_is_stuck_for_ever(world: World) -> None:
    key = await world.started(ANN, BOB, clock=UNTIMED)
    assert (await world.play.look(key)).turn_until is None
    assert set(world.timers(key)) == {Timer.TURN.value}
    await world.later(FORGOTTEN_MS - 1)
    assert await world.turn(key) == BOB
    await world.later(1)
    assert await world.turn(key) == ANN


async def test_a_correspondence_lobby_waits_for_days(world: World) -> None:
    slow, quick = await world.table(ANN, clock=SLOW), await world.table(BOB)
    await world.later(CORRESPONDENCE_LOBBY_MS - 1)
    assert (await world.play.look(slow)).table.open
    assert not (await world.play.look(quick)).table.open
    await world.later(1)
    assert not (await world.play.look(slow)).table.open


@pytest.mark.parametrize("pace", [pace for pace in Pace if pace is not Pace.NONE])
async def test_a_time_outside_of_its_pace_is_refused(world: World, pace: Pace) -> None:
    shortest, longest = LIMITS[pace]
    for seconds in (shortest - 1, longest + 1):
        with pytest.raises(Refused) as refused:
            await world.table(ANN, clock=Clock(pace=pace, seconds=seconds))
        assert refused.value.reason is TableReason.BAD_TIME
        assert refused.value.details == {"shortest": shortest, "longest": longest}
    for seconds in (shortest, DEFAULT_SECONDS[pace], longest):
        await world.table(ANN, point_value=0, clock=Clock(pace=pace, seconds=seconds))


def test_a_time_by_itself_chooses_its_pace() -> None:
    chosen = {10: Pace.PER_TURN, 299: Pace.PER_TURN, 300: Pace.RELAXED, 3599: Pace.RELAXED, 3600: Pace.CORRESPONDENCE}
    for seconds, pace in chosen.items():
        assert pace_for(seconds) is pace


async def test_one_holds_five_quick_tables_and_many_slow_ones(world: World) -> None:
    for _ in range(5):
        await world.started(ANN, BOB, point_value=0)
    for _ in range(25):
        await world.started(ANN, BOB, point_value=0, clock=SLOW)
    with world.refuses(TableReason.TOO_MANY_TABLES, most=5, slow=25):
        await world.table(ANN, point_value=0, clock=LIVE)
    with world.refuses(TableReason.TOO_MANY_SLOW_TABLES, most=25):
        await world.table(ANN, point_value=0, clock=SLOW)


# the pause between two hands


async def slow_pause(world: World, *, seconds: int) -> TableKey:
    """A correspondence table of Ann and Bob, whose first hand has just ended."""
    key = await world.started(ANN, BOB, clock=Clock(pace=Pace.CORRESPONDENCE, seconds=seconds))
    await world.play_hand(key)
    return key


@pytest.mark.parametrize(("seconds", "pause"), [(3_600, 3_600), (3 * 86_400, 86_400)])
async def test_by_correspondence_the_next_hand_waits_for_a_turns_time(world: World, seconds: int, pause: int) -> None:
    key = await slow_pause(world, seconds=seconds)
    view = await world.play.look(key)
    assert (view.table.state, view.next_hand_at) == (TableState.BETWEEN, world.now + pause * 1000)
    await world.later(pause * 1000 - 1)
    assert (await world.play.look(key)).table.hand_no == 1
    await world.later(1)
    assert (await world.play.look(key)).table.hand_no == 2


async def test_once_all_want_it_the_next_hand_begins_at_once(world: World) -> None:
    key = await slow_pause(world, seconds=86_400)
    assert (await world.play.look(key)).unready == (ANN, BOB)
    await world.play.start_now(key, ANN, hand_no=2, cause="ann")
    view = await world.play.look(key)
    assert (view.table.state, view.unready) == (TableState.BETWEEN, (BOB,))
    with pytest.raises(Stale):
        await world.play.start_now(key, BOB, hand_no=1, cause="too late")
    await world.play.start_now(key, BOB, hand_no=2, cause="bob")
    view = await world.play.look(key)
    assert (view.table.state, view.table.hand_no, view.unready) == (TableState.PLAYING, 2, None)
    with pytest.raises(Stale):
        await world.play.start_now(key, ANN, hand_no=3, cause="while it is played")
    await world.play_hand(key)
    assert (await world.play.look(key)).unready == (ANN, BOB), "each hand is wished for anew"


async def test_who_sits_out_is_not_waited_for_and_quick_tables_deal_as_ever(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO, clock=SLOW)
    await world.play_hand(key)
    await world.seating.sit_out(key, CLEO, cause="rests")
    await world.play.start_now(key, ANN, hand_no=2, cause="ann")
    await world.play.start_now(key, BOB, hand_no=2, cause="bob")
    assert (await world.play.look(key)).table.hand_no == 2
    quick = await world.started(ANN, BOB)
    await world.play_hand(quick)
    view = await world.play.look(quick)
    assert (view.next_hand_at, view.unready) == (world.now + world.policy.next_hand_ms, None)
    with pytest.raises(Stale):
        await world.play.start_now(quick, ANN, hand_no=2, cause="no such wish")


# reminders


async def test_a_reminder_comes_once_when_a_quarter_is_left(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(44_999)
    assert not (await seat_of(world, key, BOB)).reminded
    version = (await world.play.look(key)).table.version
    await world.later(1)
    assert (await seat_of(world, key, BOB)).reminded
    assert (await world.play.look(key)).table.version == version + 1
    with world.changes_nothing():
        await world.later(14_999)
    await world.later(1)
    assert await world.turn(key) == ANN
    assert not (await seat_of(world, key, ANN)).reminded


async def test_who_switches_reminders_off_has_none_in_that_server(world: World) -> None:
    await world.play.change_member_settings(
        GUILD, BOB, lambda member_settings: replace(member_settings, reminders=False)
    )
    assert await world.play.member_settings(GUILD, BOB) == MemberSettings(reminders=False)
    assert await world.play.member_settings(OTHER_GUILD, BOB) == MemberSettings()
    key = await world.started(ANN, BOB)
    assert set(world.timers(key)) == {Timer.TURN.value}
    await world.place_cards(key, BOB)
    assert set(world.timers(key)) == {Timer.TURN.value, Timer.REMIND.value}
    await world.play.change_member_settings(
        GUILD, BOB, lambda member_settings: replace(member_settings, reminders=True)
    )
    await world.place_cards(key, ANN)
    assert set(world.timers(key)) == {Timer.TURN.value, Timer.REMIND.value}


async def test_a_quick_turn_has_no_reminder(world: World) -> None:
    quick = await world.started(ANN, BOB, clock=Clock(pace=Pace.PER_TURN, seconds=19))
    assert world.timers(quick) == {Timer.TURN.value: world.now + 19_000}
    key = await world.started(ANN, BOB, clock=Clock(pace=Pace.PER_TURN, seconds=20))
    assert world.timers(key) == {Timer.TURN.value: world.now + 20_000, Timer.REMIND.value: world.now + 15_000}


# several on turn


async def test_everybody_who_places_together_has_a_clock_of_his_own(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO, variant=PINEAPPLE, clock=LIVE)
    await world.into_fantasyland(key, ANN, BOB, CLEO)
    world.do("UPDATE seat SET bank_ms = 0 WHERE player = ?", BOB)
    view = await world.next_hand(key)
    assert [view.until(player) for player in (ANN, BOB)] == [world.now + 90_000, world.now + 70_000]
    assert view.turn_until == world.now + 70_000
    await world.later(70_000)
    view = await world.play.look(key)
    assert (set(view.waiting), view.turn_until) == ({ANN, CLEO}, world.now + 20_000)


# time that does not count


async def test_a_sleep_of_the_machine_is_given_back_and_said(world: World) -> None:
    key, lobby = await world.started(ANN, BOB), await world.table(CLEO)
    turn, wait = world.timers(key), world.timers(lobby)
    world.now += HOUR
    await world.clock.stood_still(HOUR)
    await world.clock.tick()
    assert world.timers(key) == {kind: due + HOUR for kind, due in turn.items()}
    assert world.timers(lobby) == {kind: due + HOUR for kind, due in wait.items()}
    view = await world.play.look(key)
    assert (view.turn_until, view.table.stood_still) == (world.now + 60_000, HOUR)
    assert key in await world.play.undrawn()
    await world.place_cards(key, BOB)
    assert (await world.play.look(key)).table.stood_still == 0


@pytest.mark.parametrize("jump", [-DAY, -HOUR, HOUR, DAY])
async def test_a_jump_of_the_machines_clock_changes_nobodys_time(world: World, jump: int) -> None:
    key = await world.started(ANN, BOB)
    world.now += 10_000
    world.now += jump
    await world.clock.stood_still(jump)
    await world.clock.tick()
    assert (await world.play.look(key)).turn_until == world.now + 50_000
    await world.later(50_000)
    assert await world.turn(key) == ANN


async def test_a_live_budget_is_not_charged_for_an_outage(world: World) -> None:
    key = await world.started(ANN, BOB, clock=LIVE)
    world.now += 10_000 + DAY
    await world.clock.stood_still(DAY)
    await world.place_cards(key, BOB)
    assert (await seat_of(world, key, BOB)).left_ms == 50_000


async def test_while_discord_is_away_its_servers_clocks_stand_still(world: World) -> None:
    here, there = GuildId(1 << 22), GuildId(2 << 22)
    shard = Shard(number=1, count=2)
    assert (shard.serves(here), shard.serves(there)) == (True, False)
    cut, fine = await world.started(ANN, BOB, guild=here), await world.started(ANN, BOB, guild=there)
    await world.later(10_000)
    await world.clock.cut_off(shard)
    await world.later(HOUR)
    assert [await world.turn(key) for key in (cut, fine)] == [BOB, ANN]
    await world.clock.connected(shard)
    view = await world.play.look(cut)
    assert (view.turn_until, view.table.stood_still) == (world.now + 50_000, HOUR)
    await world.later(50_000)
    assert await world.turn(cut) == ANN


async def test_an_outage_that_is_noted_twice_counts_once(world: World) -> None:
    key = await world.started(ANN, BOB)
    shard = Shard(number=0, count=1)
    await world.clock.cut_off(shard)
    world.now += 10_000
    await world.clock.cut_off(shard)
    world.now += 10_000
    for _ in range(2):
        await world.clock.connected(shard)
    assert (await world.play.look(key)).turn_until == world.now + 60_000


async def test_the_bot_ends_while_discord_is_away(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.clock.cut_off(Shard(number=0, count=1))
    world.now += 20_000
    await world.clock.tick()
    await world.restart(after_ms=HOUR)
    assert (await world.play.look(key)).turn_until == world.now + 60_000
    assert not world.ask("SELECT * FROM outage")


async def test_the_machine_sleeps_while_discord_is_away(world: World) -> None:
    key = await world.started(ANN, BOB)
    shard = Shard(number=0, count=1)
    await world.clock.cut_off(shard)
    world.now += 10_000 + DAY
    await world.clock.stood_still(DAY)
    world.now += 10_000
    await world.clock.connected(shard)
    assert (await world.play.look(key)).turn_until == world.now + 60_000


async def test_a_hand_that_ends_stops_all_clocks(world: World) -> None:
    key = await world.started(ANN, BOB, variant=CLASSIC, clock=LIVE)
    await world.play_hand(key)
    view = await world.play.look(key)
    assert view.table.state is TableState.BETWEEN
    assert [place.seat.deadline for place in view.places] == [None, None]
