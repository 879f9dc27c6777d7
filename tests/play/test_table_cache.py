"""The cache of tables, which saves queries without visible effects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from typing_extensions import override

from bot.model.errors import StorageUnavailableError
from bot.model.ids import EventKey, GuildId, Player, Shard, TableId, TableKey
from bot.model.refusals import Stale
from bot.model.tables import Timer
from bot.play.api.transactions import MAX_PRELOADED_TABLES, TableCache
from bot.play.hand import hand_log
from bot.play.queries.views import TableView, TableViews, UnredactedTable, look
from bot.play.session.session import Session
from bot.pure.ofc.refusals import Refused
from bot.run.wiring import build_core
from bot.store.storage import SqlStorage
from bot.store.transaction import Tx
from tests.play.world import ANN, BOB, CLEO, EVE, GUILD, FixedVault, World

T = TypeVar("T")
VIEWERS = (ANN, BOB, CLEO, EVE, None)


async def committed(world: World, key: TableKey, you: Player | None) -> TableView:
    """A table as the database has it."""
    return await world.sessions.read(lambda s: TableViews().view_of(look(s, key), you, now=world.now))


async def is_true(world: World, key: TableKey) -> bool:
    """True if all viewers see the database's state."""
    return [await world.play.look(key, you) for you in VIEWERS] == [await committed(world, key, you) for you in VIEWERS]


async def seen_at(world: World, key: TableKey) -> UnredactedTable:
    return await world.sessions.read(lambda s: look(s, key))


class CountingStorage(SqlStorage):
    """Counts what is read."""

    reads = 0

    @override
    async def read(self, job: Callable[[Tx], T]) -> T:
        self.reads += 1
        return await super().read(job)


async def test_who_looks_or_places_asks_the_database_nothing_beside_the_transaction(world: World) -> None:
    key = await world.started(ANN, BOB)
    storage = CountingStorage(world.database)
    world.core = build_core(storage, world.vault, policy=world.policy, now_ms=lambda: world.now)
    await world.play.look(key)
    for _ in range(10):
        await world.place_cards(key, await world.turn(key))
        for you in VIEWERS:
            await world.play.look(key, you)
        await world.play.postings(key)
        for player in (ANN, BOB):
            await world.play.member_settings(key.guild, player)
        await world.play.drawn(key, version=1, hand_no=1, message=5, call=None)
    assert (await world.play.postings(key))[0].hand_no == 1
    assert storage.reads == 3  # the table, and once what each player has chosen


async def test_a_hand_is_read_again_only_where_something_was_logged(world: World) -> None:
    key, other = await world.started(ANN, BOB), await world.started(ANN, BOB)
    foreign = (await seen_at(world, other)).hand
    # This differs from the database's state, so it shows the source of the view.
    before = replace(await seen_at(world, key), hand=foreign)
    await world.play.drawn(key, version=1, hand_no=1, message=5, call=None)
    seen = await world.sessions.read(lambda s: look(s, key, before))
    assert seen.hand is foreign
    assert seen.table.message == 5
    await world.place_cards(key, await world.turn(key))
    assert await world.sessions.read(lambda s: look(s, key, before)) == await seen_at(world, key)


async def test_everybody_sees_his_own_cards_alone(world: World) -> None:
    key = await world.started(ANN, BOB)
    for player in (await world.turn(key), *VIEWERS):
        view = await world.play.look(key, player)
        assert view.you == player
        assert view.hand is not None
        for seat in view.hand.seats:
            assert seat.player == player or set(seat.held) <= {None}


async def test_whatever_play_writes_of_a_table_is_seen_at_once(world: World) -> None:
    key = await world.started(ANN, BOB)
    assert await is_true(world, key)
    table = (await world.play.look(key)).table
    await world.play.drawn(key, version=table.version, hand_no=1, message=5, call=6, called="x")
    assert (await world.play.look(key)).table.message == 5
    until = (await world.play.look(key)).turn_until
    assert until is not None
    await world.sessions.write(lambda s: s.tx.timers.shift(7_000, shard=Shard(number=0, count=1), tell=True))
    assert (await world.play.look(key)).turn_until == until + 7_000
    await world.play.set_entropy(key, BOB, "mine", cause=world.cause())
    assert await is_true(world, key)
    stack = (await world.play.look(key)).places[0].stack
    await world.sessions.write(
        lambda s: s.tx.ledger.pay(key, payer=ANN, payee=BOB, chips=3, hand_no=1, at=s.now, kind="hand"),
    )
    assert (await world.play.look(key)).places[0].stack == stack - 3
    await world.sessions.write(
        lambda s: s.tx.ledger.pay(key, payer=BOB, payee=ANN, chips=3, hand_no=1, at=s.now, kind="correction")
    )
    assert await is_true(world, key)


async def test_what_was_rolled_back_is_never_seen(world: World) -> None:
    key = await world.started(ANN, BOB)
    before = await world.play.look(key)
    with pytest.raises(ZeroDivisionError):
        await world.sessions.write(lambda s: (s.save(replace(s.table(key), button=9)), 1 // 0))
    assert await world.play.look(key) == before
    assert await is_true(world, key)


async def test_what_shares_a_commit_with_what_was_taken_back_knows_nothing_of_it(world: World) -> None:
    key = await world.started(ANN, BOB)
    before = await world.play.look(key)

    def spoil(s: Session) -> None:
        s.save(replace(s.table(key), button=9))
        s.tx.tables.save_seat(key, replace(s.seat(before.table, ANN), timeouts=9))
        s.tx.timers.set_timer(key, Timer.LOBBY, 9)
        s.note(before.table, "spoiled")
        s.tx.hands.append(key, s.tx.hands.facts(key, 1), hand_no=1, actor=None, cause=None, at=s.now)
        s.tx.hands.save(key, replace(hand_log.record_of(s, key, 1), point_value=9))
        raise ZeroDivisionError

    # One writes the disk, and the others wait for the next commit.
    first = asyncio.create_task(world.sessions.write(lambda s: s.tx.timers.next_due()))
    await asyncio.sleep(0)
    spoiled, seen = await asyncio.gather(
        world.sessions.write(spoil), world.sessions.write(lambda s: look(s, key)), return_exceptions=True
    )
    await first
    assert isinstance(spoiled, ZeroDivisionError)
    assert isinstance(seen, UnredactedTable)
    assert (seen.table, [place.seat for place in seen.places]) == (
        before.table,
        [place.seat for place in before.places],
    )
    assert seen == await seen_at(world, key)
    assert await is_true(world, key)


# Where a write of PostgreSQL can fail, its own tests try.
@pytest.mark.of_sqlite
@pytest.mark.parametrize("where", ["begin", "job", "before_commit", "after_commit"])
async def test_a_write_that_fails_at_any_point_leaves_the_truth(where: str, tmp_path: Path) -> None:
    fails = False

    def trace(point: str) -> None:
        nonlocal fails
        if fails and point == where:
            fails = False
            raise OSError("a failing disk")

    world = World(tmp_path, fixed=FixedVault([b"k" * 32]), trace=trace)
    await world.open()
    key = await world.started(ANN, BOB)
    turn = await world.turn(key)
    fails = True
    with pytest.raises(StorageUnavailableError):
        await world.place_cards(key, turn)
    assert await is_true(world, key)
    await world.close()


async def test_a_caller_who_is_cancelled_leaves_the_truth(world: World) -> None:
    key = await world.started(ANN, BOB)
    for patience in range(6):
        await world.play.look(key)
        write = asyncio.ensure_future(
            world.sessions.write(lambda s: s.save(replace(s.table(key), turn_since=s.now + 1)))
        )
        for _ in range(patience):
            await asyncio.sleep(0)
        write.cancel()
        await asyncio.wait({write})
        await world.settle()
        assert await is_true(world, key)


@pytest.mark.parametrize("seed", range(4))
async def test_whoever_has_an_answer_sees_what_it_speaks_of_though_others_write_and_look(
    world: World, seed: int
) -> None:
    keys = [await world.started(ANN, BOB), await world.started(BOB, CLEO), await world.started(ANN, CLEO)]
    chance = Random(seed)

    async def press(key: TableKey, player: Player) -> None:
        try:
            match chance.randrange(4):
                case 0 | 1:
                    table = await world.place_cards(key, player)
                case 2:
                    table = await world.leave(key, player)
                case _:
                    table = await world.stay(key, player)
        except (Refused, Stale, AssertionError):
            return
        assert (await world.play.look(key, player)).table.version >= table.version

    async def watch(key: TableKey) -> None:
        last = 0
        for _ in range(40):
            view = await world.play.look(key, chance.choice(VIEWERS))
            assert view.table.version >= last
            last = view.table.version
            await asyncio.sleep(0)

    for _ in range(12):
        presses = [press(chance.choice(keys), chance.choice((ANN, BOB, CLEO))) for _ in range(6)]
        await asyncio.gather(*presses, *map(watch, keys), world.clock.tick())
        world.now += chance.choice((0, 1_000, 12_000, 60_000))
        for key in keys:
            assert await is_true(world, key)


# tests of the cache on its own


async def test_a_look_that_began_before_a_change_is_not_used_after_it(world: World) -> None:
    key = await world.started(ANN, BOB)
    seen, memory = await seen_at(world, key), TableCache()
    begun = memory.now
    memory.changed([key], number=memory.draw()[0])
    memory.keep(seen, at=begun)
    assert memory.table(key) is None
    memory.keep(seen, at=memory.now)
    assert memory.table(key) == seen


async def test_of_a_shard_that_others_serve_nothing_is_remembered(world: World) -> None:
    key = await world.started(ANN, BOB)
    seen, memory = await seen_at(world, key), TableCache()
    theirs, mine = Shard(number=(GUILD >> 22) % 2, count=2), Shard(number=1 - (GUILD >> 22) % 2, count=2)
    memory.keep(seen, at=memory.now)
    memory.forget(mine)
    begun = memory.now
    memory.keep(seen, at=begun)
    assert memory.table(key) == seen
    memory.forget(theirs)
    assert memory.table(key) is None
    memory.keep(seen, at=begun)
    assert memory.table(key) is None


async def test_a_table_is_looked_up_when_its_event_has_changed(world: World) -> None:
    key = await world.started(ANN, BOB)
    seen, memory = await seen_at(world, key), TableCache()
    seen = replace(seen, table=replace(seen.table, event_no=4))
    memory.keep(seen, at=memory.now)
    memory.changed(
        [EventKey(guild=GUILD, number=5), EventKey(guild=GuildId(GUILD + 1), number=4)], number=memory.draw()[0]
    )
    assert memory.table(key) == seen
    memory.changed([EventKey(guild=GUILD, number=4)], number=memory.draw()[0])
    assert memory.table(key) is None


async def test_an_older_look_does_not_take_the_place_of_what_was_committed(world: World) -> None:
    key = await world.started(ANN, BOB)
    seen, memory = await seen_at(world, key), TableCache()
    begun = memory.now
    memory.keep(seen, at=begun)
    newer = replace(seen, table=replace(seen.table, version=99))
    memory.changed([key], now=[newer], number=memory.draw()[0])
    memory.keep(seen, at=begun)
    assert memory.table(key) == newer


async def test_of_two_transactions_that_are_told_in_the_other_order_the_later_one_counts(world: World) -> None:
    key = await world.started(ANN, BOB)
    seen, memory = await seen_at(world, key), TableCache()
    earlier, later = (replace(seen, table=replace(seen.table, version=version)) for version in (98, 99))
    (first, _), (second, _) = memory.draw(), memory.draw()
    memory.changed([key], now=[later], number=second)
    assert memory.table(key) == later
    memory.changed([key], now=[earlier], number=first)
    assert memory.table(key) is None
    third, _ = memory.draw()
    memory.changed([key], now=[later], number=third)
    assert memory.table(key) == later


async def test_a_look_before_a_commit_that_is_told_after_its_events_is_not_used(world: World) -> None:
    key = await world.started(ANN, BOB)
    seen, memory = await seen_at(world, key), TableCache()
    seen = replace(seen, table=replace(seen.table, event_no=4))
    (first, _), (second, _) = memory.draw(), memory.draw()
    memory.changed([EventKey(guild=GUILD, number=4)], number=second)
    memory.changed([key], now=[seen], number=first)
    assert memory.table(key) is None


async def test_what_was_looked_at_before_a_shard_was_given_away_is_not_used_after_it(world: World) -> None:
    key = await world.started(ANN, BOB)
    seen, memory = await seen_at(world, key), TableCache()
    number, _ = memory.draw()
    memory.forget(Shard(number=(GUILD >> 22) % 2, count=2))
    memory.changed([key], now=[seen], number=number)
    assert memory.table(key) is None
    memory.changed([key], now=[seen], number=memory.draw()[0])
    assert memory.table(key) == seen


async def test_it_is_bounded_and_what_it_forgot_is_looked_up(world: World) -> None:
    key = await world.started(ANN, BOB)
    seen, memory = await seen_at(world, key), TableCache(most=2, max_changes=3)
    others = [TableKey(guild=GUILD, table=TableId(number)) for number in range(10, 20)]
    for other in others[:3]:
        memory.keep(replace(seen, table=replace(seen.table, key=other)), at=memory.now)
    assert [memory.table(other) is not None for other in others[:3]] == [False, True, True]
    memory.changed(others[4:], number=memory.draw()[0])
    assert [memory.table(other) for other in others] == [None] * len(others)


async def test_what_changes_too_much_at_once_is_not_looked_at_before_it_is_committed(world: World) -> None:
    key = await world.started(ANN, BOB)
    seen, memory = await seen_at(world, key), TableCache()
    memory.keep(seen, at=memory.now)
    crowd = [TableKey(guild=GUILD, table=TableId(number)) for number in range(10, 9 + MAX_PRELOADED_TABLES)]
    assert memory.draw([key, *crowd])[1] == {key: seen}
    assert memory.draw([key, *crowd, TableKey(guild=GUILD, table=TableId(9))])[1] == {}
