"""Clocks: stored deadlines, outages that punish no one, and errors at one table that don't affect others."""

import asyncio
import logging
import sqlite3
from pathlib import Path

import pytest

from bot.model.clock import Clock, Pace
from bot.model.errors import StorageUnavailableError
from bot.model.ids import GuildId, Player, Shard
from bot.model.reasons import TableReason
from bot.model.tables import Timer
from bot.play.api.timekeeper import BEAT_MS, RETRY_MS, Timekeeper
from bot.play.session.policy import Policy
from bot.pure.ofc.presets import CLASSIC
from bot.workers.worker_pool import WorkerPool
from tests.play.world import ANN, BOB, CLEO, DAN, GUILD, FixedVault, World


def alive_at(world: World) -> int:
    return int(world.ask("SELECT alive_at FROM heartbeat")[0][0])


# several processes


async def test_a_timekeeper_looks_after_the_servers_of_its_own_connections(world: World) -> None:
    mine = await world.started(ANN, BOB)
    theirs = await world.started(ANN, BOB, guild=GuildId(1 << 22))
    before = {key: world.timers(key)[Timer.TURN.value] for key in (mine, theirs)}
    half = Timekeeper(world.sessions, world.play, WorkerPool(), shards=[Shard(number=0, count=2)])
    await half.stood_still(7_000)
    assert world.timers(mine)[Timer.TURN.value] == before[mine] + 7_000
    assert world.timers(theirs)[Timer.TURN.value] == before[theirs]
    world.now = before[mine] + 7_000
    await half.tick()
    assert (await world.turn(mine), await world.turn(theirs)) == (ANN, BOB)
    await world.clock.tick()
    assert await world.turn(theirs) == ANN


async def test_a_time_that_did_not_count_here_moves_no_outage_of_another_process(world: World) -> None:
    mine, theirs = (Shard(number=number, count=2) for number in range(2))
    half = Timekeeper(world.sessions, world.play, WorkerPool(), shards=[mine])
    for shard in (mine, theirs):
        await half.cut_off(shard)
    since = world.now
    await half.stood_still(7_000)
    assert world.ask("SELECT shard_id, since FROM outage ORDER BY shard_id") == [(0, since + 7_000), (1, since)]


async def test_an_outage_of_another_number_of_shards_ends_and_gives_back_its_time(world: World) -> None:
    key = await world.started(ANN, BOB)
    until = world.timers(key)[Timer.TURN.value]
    number = next(number for number in range(5) if Shard(number=number, count=5).serves(key.guild))
    former, own = Shard(number=number, count=5), Shard(number=0, count=1)
    await world.clock.cut_off(former)
    world.now += 9_000
    await world.clock.cut_off(own)
    await world.clock.count_anew(1)
    assert world.timers(key)[Timer.TURN.value] == until + 9_000
    assert world.ask("SELECT shard_id, shard_count FROM outage") == [(0, 1)]


# outages


async def test_an_outage_gives_back_its_time(world: World) -> None:
    key = await world.started(ANN, BOB)
    lobby = await world.table(CLEO)
    await world.later(5_000)
    turn, wait = world.timers(key), world.timers(lobby)
    world.now += 7 * 24 * 3_600_000
    lost = world.now - alive_at(world)
    await world.restart()
    assert world.timers(key) == {kind: due + lost for kind, due in turn.items()}
    assert world.timers(lobby) == {Timer.LOBBY.value: wait[Timer.LOBBY.value] + lost}
    await world.clock.tick()
    view = await world.play.look(key)
    assert view.waiting == (BOB,)
    assert [place.seat.timeouts for place in view.places] == [0, 0]
    assert view.turn_until is not None
    assert world.now + 55_000 <= view.turn_until <= world.now + 60_000
    await world.later(60_000)
    assert await world.turn(key) == ANN


async def test_two_outages_give_back_the_time_of_both(world: World) -> None:
    key = await world.started(ANN, BOB)
    until = world.timers(key)[Timer.TURN.value]
    for _ in range(2):
        await world.clock.tick()
        lost = world.now + 3_600_000 - alive_at(world)
        await world.restart(after_ms=3_600_000)
        until += lost
        assert world.timers(key)[Timer.TURN.value] == until


async def test_a_clock_that_was_set_back_makes_nobody_wait(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.restart(after_ms=-3_600_000)
    assert world.timers(key) == {Timer.TURN.value: world.now + 60_000, Timer.REMIND.value: world.now + 45_000}


async def test_a_first_start_moves_nothing(world: World) -> None:
    assert alive_at(world) == world.now
    assert not world.ask("SELECT * FROM timer")


async def test_the_process_notes_now_and_then_that_it_is_alive(world: World) -> None:
    started = world.now
    await world.later(1_000)
    noted = alive_at(world)
    await world.later(BEAT_MS - 1)
    assert alive_at(world) == noted
    await world.later(1)
    assert alive_at(world) == started + 1_000 + BEAT_MS


async def test_a_pause_between_hands_goes_on_after_an_outage(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.play_hand(key)
    await world.restart(after_ms=3_600_000)
    await world.clock.tick()
    assert (await world.play.look(key)).table.hand_no == 1
    await world.next_hand(key)
    assert (await world.play.look(key)).table.hand_no == 2


async def test_computers_go_on_after_an_outage(world: World) -> None:
    key = await world.started(ANN, point_value=0, computers=1)
    await world.restart(after_ms=3_600_000)
    await world.later(world.policy.computer_ms)
    assert await world.turn(key) == ANN


async def test_a_game_goes_on_after_a_restart_at_every_action(world: World) -> None:
    key = await world.started(ANN, BOB, CLEO)
    while (view := await world.play.look(key)).waiting:
        seen = [await world.play.look(key, player) for player in (ANN, BOB, CLEO, None)]
        await world.restart()
        assert [await world.play.look(key, player) for player in (ANN, BOB, CLEO, None)] == seen
        await world.place_cards(key, view.waiting[0])
    assert (await world.play.look(key)).next_hand_at is not None


# deadlines


async def test_the_clock_does_nothing_before_its_time(world: World) -> None:
    await world.started(ANN, BOB)
    await world.table(CLEO)
    with world.changes_nothing():
        for _ in range(44):
            await world.later(1_000)


async def test_a_deadline_acts_once(world: World) -> None:
    await world.started(ANN, BOB)
    world.now += 60_000
    await asyncio.gather(*(world.clock.tick() for _ in range(4)))
    assert len(world.ask("SELECT 1 FROM table_log WHERE kind = 'cards_laid'")) == 1


async def test_ticks_after_a_long_sleep_act_once_for_each_turn(world: World) -> None:
    key = await world.started(ANN, BOB)
    await world.later(24 * 3_600_000)
    assert len(world.ask("SELECT 1 FROM table_log WHERE kind = 'cards_laid'")) == 1
    view = await world.play.look(key)
    assert view.turn_until == world.now + 60_000


async def test_many_deadlines_at_once_are_all_met(tmp_path_factory: pytest.TempPathFactory) -> None:
    policy = Policy(tables_per_player=1000, lobbies_per_player=1000, lobbies_per_channel=1000, tables_per_channel=1000)
    crowd = World(tmp_path_factory.mktemp("crowd"), policy=policy, fixed=FixedVault([b"c" * 32]))
    await crowd.open()
    keys = [await crowd.table(ANN, BOB, point_value=0) for _ in range(120)]
    for key in keys[:60]:
        await crowd.start(key)
    crowd.now += 3_600_000
    await crowd.clock.tick()
    assert crowd.ask("SELECT state, COUNT(*) FROM game_table GROUP BY 1") == [("closed", 60), ("playing", 60)]
    assert crowd.ask("SELECT COUNT(*) FROM table_log WHERE kind = 'cards_laid'") == [(60,)]
    assert crowd.ask("SELECT COUNT(*) FROM timer WHERE due_at > ?", crowd.now) == [(120,)]
    assert crowd.ask("SELECT COUNT(*) FROM timer") == [(120,)]
    await crowd.close()


async def test_a_failing_table_does_not_stop_the_others(world: World, caplog: pytest.LogCaptureFixture) -> None:
    keys = [await world.started(ANN, BOB, point_value=0) for _ in range(3)]
    damaged = keys[0]
    # Not its log, which would make the hand void.
    world.do("UPDATE hand SET entropy = 'none' WHERE guild_id = ? AND table_id = ?", damaged.guild, damaged.table)
    with caplog.at_level(logging.ERROR):
        await world.later(60_000)
    assert [record.message for record in caplog.records] == [f"table {GUILD}/1: the turn clock failed"]
    for key in keys[1:]:
        assert await world.turn(key) == ANN
    assert world.timers(damaged) == {Timer.TURN.value: world.now + RETRY_MS}
    caplog.clear()
    await world.clock.tick()
    assert not caplog.records


@pytest.mark.of_sqlite
async def test_while_the_storage_is_held_play_pauses_and_then_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(tmp_path, fixed=FixedVault([b"h" * 32]), busy_seconds=0)
    await world.open()
    first, second = await world.started(ANN, BOB), await world.started(CLEO, DAN)
    other = sqlite3.connect(world.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with world.changes_nothing():
        with pytest.raises(StorageUnavailableError):
            await world.play.place_cards(first, BOB, hand_no=1, street=1, rows="FFFMB", cause="p")
        assert await world.turn(first) == BOB
        world.now += 60_000
        for _ in range(3):
            with pytest.raises(StorageUnavailableError):
                await world.clock.tick()
    other.execute("ROLLBACK")
    other.close()
    await world.play.place_cards(first, BOB, hand_no=1, street=1, rows="FFFMB", cause="p")
    await world.clock.tick()
    assert [await world.turn(key) for key in (first, second)] == [ANN, CLEO]
    assert not caplog.records
    world.check_books()
    await world.close()


async def test_a_damaged_table_can_be_closed_and_gives_its_chips_back(world: World) -> None:
    key = await world.started(ANN, BOB)
    world.do(
        "INSERT INTO table_log (guild_id, table_id, seq, hand_no, kind, payload, at) "
        "VALUES (?, ?, 999, 1, 'odd', '{}', 0)",
        key.guild,
        key.table,
    )
    await world.play.close(key, reason="closed_by_admin")
    assert world.balances("wallet") == {ANN: 10_000, BOB: 10_000}
    assert not world.timers(key)


async def test_the_clock_of_a_table_that_closes_at_that_moment_does_nothing(world: World) -> None:
    key = await world.table(ANN, BOB)
    world.now += world.policy.lobby_ms
    await asyncio.gather(world.play.cancel(key, ANN, cause="c"), world.clock.tick())
    assert world.ask("SELECT closed_reason FROM game_table") == [("cancelled",)]
    assert world.ask("SELECT count(*) FROM table_log WHERE kind = 'table.closed'") == [(1,)]


async def test_a_player_who_leaves_the_lobby_does_not_move_its_deadline(world: World) -> None:
    key = await world.table(ANN, BOB)
    before = world.timers(key)
    await world.later(1_000)
    await world.join(key, CLEO)
    await world.leave(key, BOB)
    assert world.timers(key) == before


async def test_placing_starts_the_next_players_whole_turn(world: World) -> None:
    key = await world.started(ANN, BOB, clock=Clock(pace=Pace.PER_TURN, seconds=30))
    await world.later(29_000)
    await world.place_cards(key, BOB)
    view = await world.play.look(key)
    assert (view.turn_until, view.table.turn_since) == (world.now + 30_000, world.now)


async def test_setting_fantasyland_does_not_move_anothers_clock(world: World) -> None:
    key = await world.table(ANN, BOB)
    await world.into_fantasyland(key, BOB)
    view = await world.next_hand(key)
    world.now += 10_000
    await world.place_cards(key, BOB)
    after = await world.play.look(key)
    assert (after.turn_until, after.table.turn_since) == (view.turn_until, view.table.turn_since)


async def test_a_finished_hand_leaves_no_clock_but_the_pause(world: World) -> None:
    key = await world.started(ANN, BOB, variant=CLASSIC)
    await world.play_hand(key)
    assert set(world.timers(key)) == {Timer.NEXT_HAND.value}


async def test_a_clock_runs_wherever_something_is_waited_for(world: World) -> None:
    key = await world.table(ANN, BOB, CLEO)
    await world.into_fantasyland(key, BOB)
    await world.next_hand(key)
    waited: list[Player] = []
    while (view := await world.play.look(key)).waiting:
        assert set(world.timers(key)) == {Timer.TURN.value, Timer.REMIND.value}
        waited.append(view.waiting[0])
        await world.time_out(key)
    assert set(world.timers(key)) == {Timer.NEXT_HAND.value}
    assert (waited[:4], waited[-1]) == ([CLEO, ANN] * 2, BOB)


async def test_a_full_house_of_clocks_is_not_disturbed_by_a_refusal(world: World) -> None:
    key = await world.started(ANN, BOB)
    with world.refuses(TableReason.ALREADY_SEATED):
        await world.join(key, ANN)
    await world.join(key, DAN)
    await world.time_out(key)
    assert await world.turn(key) == ANN
