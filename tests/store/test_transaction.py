"""Records: what play writes, it reads back from a real file."""

import sqlite3
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.model.beats import Restore
from bot.model.errors import StorageUnavailableError
from bot.model.hands import HandState, Result, SharedDeal
from bot.model.ids import EVERYTHING, GuildId, Player, Shard, TableId, TableKey
from bot.model.standings import LeaderboardQuery, PlayedHand, Standing
from bot.model.tables import PostKind, Seat, Table, TableState, Timer
from bot.pure.ofc.log import (
    CardsPlaced,
    Fact,
    FantasylandDealt,
    FantasylandSet,
    HandEnded,
    HandStarted,
    HandVoided,
    LogError,
    PlacedBy,
    SeatForfeited,
    SeatSurrendered,
    StreetDealt,
)
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.pure.ofc.variants import Variant
from bot.store.opening import Place, open_database
from bot.store.queries import Queries
from bot.store.sqlite.database import SqliteDatabase
from bot.store.storage import Database, SqlStorage
from bot.store.transaction import Part, Tx
from tests.databases import POINTS_TO_NOTHING, REFUSED, TWICE, ask, do, mark_as_copy, place_in
from tests.store import samples
from tests.store.samples import ANN, AT, BOB, CLEO, GUILD, OTHER_GUILD, SEAT, TABLE_KEY

pytestmark = pytest.mark.on_both

T = TypeVar("T")

KEY = TABLE_KEY
SECOND = TableKey(guild=GUILD, table=TableId(2))
THIRD = TableKey(guild=GUILD, table=TableId(3))
FOREIGN = TableKey(guild=OTHER_GUILD, table=TableId(1))
COMPUTER = Player("computer-1")
TABLE = replace(samples.TABLE, event_no=None)
HAND = replace(samples.HAND, shared=None, deal=None)


class Store:
    """A storage, and a word for doing one thing in it."""

    def __init__(self, place: Place, database: Database[Any]) -> None:
        self.place = place
        self.database = database
        self.storage = SqlStorage(database)

    async def write(self, job: Callable[[Tx], T]) -> T:
        """Do it and commit."""
        return await self.storage.write(job)

    async def read(self, job: Callable[[Tx], T]) -> T:
        """Run a job on the committed data."""
        return await self.storage.read(job)

    async def table(self, key: TableKey = KEY, **changes: object) -> Table:
        """Store a table."""
        table = replace(TABLE, key=key, **changes)  # type: ignore[arg-type]  # the tests name real fields
        await self.write(lambda tx: tx.tables.save(table))
        return table


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open storage."""
    place = place_in(tmp_path)
    database = await open_database(place)
    yield Store(place, database)
    await database.close()


# tables


async def test_a_table_is_read_as_it_was_written(store: Store) -> None:
    assert await store.table() == await store.read(lambda tx: tx.tables.get(KEY))


async def test_a_table_without_its_optional_parts_is_read_as_it_was_written(store: Store) -> None:
    table = await store.table(turn_since=None, message=None, retired=None, call=None, closed_reason=None)
    assert await store.read(lambda tx: tx.tables.get(KEY)) == table


@pytest.mark.parametrize("state", list(TableState))
@pytest.mark.parametrize("variant", [PINEAPPLE, CLASSIC], ids=lambda variant: variant.key)
async def test_every_state_and_game_of_a_table_is_read_again(store: Store, state: TableState, variant: Variant) -> None:
    table = await store.table(state=state, terms=replace(TABLE.terms, variant=variant))
    assert await store.read(lambda tx: tx.tables.get(KEY)) == table


async def test_a_table_that_is_not_there_is_none(store: Store) -> None:
    await store.table()
    assert await store.read(lambda tx: tx.tables.get(SECOND)) is None
    assert await store.read(lambda tx: tx.tables.get(FOREIGN)) is None


async def test_tables_are_numbered_from_one_in_each_guild(store: Store) -> None:
    assert await store.read(lambda tx: tx.tables.next_number(GUILD)) == 1
    await store.table(SECOND, state=TableState.CLOSED)
    assert await store.read(lambda tx: tx.tables.next_number(GUILD)) == 3
    assert await store.read(lambda tx: tx.tables.next_number(OTHER_GUILD)) == 1


async def test_open_tables_are_found_by_guild_and_by_channel(store: Store) -> None:
    first = await store.table(closed_reason=None)
    second = await store.table(SECOND, channel=5)
    await store.table(TableKey(guild=GUILD, table=TableId(3)), state=TableState.CLOSED)
    foreign = await store.table(FOREIGN)
    assert await store.read(lambda tx: tx.tables.open(GUILD)) == [first, second]
    assert await store.read(lambda tx: tx.tables.open(GUILD, channel=5)) == [second]
    assert await store.read(lambda tx: tx.tables.open(GUILD, channel=6)) == []
    assert await store.read(lambda tx: tx.tables.open(OTHER_GUILD)) == [foreign]
    assert set(await store.read(lambda tx: tx.tables.all_open())) == {KEY, SECOND, FOREIGN}


async def test_a_players_tables_are_the_open_ones_at_which_he_sits(store: Store) -> None:
    third = TableKey(guild=GUILD, table=TableId(3))
    for key in (KEY, SECOND, FOREIGN):
        await store.table(key)
    await store.table(third, state=TableState.CLOSED)
    for key in (SECOND, KEY, FOREIGN, third):
        await store.write(lambda tx, key=key: tx.tables.save_seat(key, Seat(number=0, player=ANN, dealt_in=True)))  # type: ignore[misc]
    assert [table.key for table in await store.read(lambda tx: tx.tables.tables_of(GUILD, ANN))] == [KEY, SECOND]
    assert await store.read(lambda tx: tx.tables.tables_of(GUILD, BOB)) == []


async def test_a_table_is_undrawn_until_its_newest_version_is_drawn(store: Store) -> None:
    await store.table(version=3, drawn_version=1, message=None, private=False)
    await store.table(SECOND, version=3, drawn_version=3)
    await store.table(THIRD, version=3, drawn_version=1, private=True)
    assert await store.read(lambda tx: tx.tables.undrawn()) == [KEY]
    await store.write(
        lambda tx: tx.tables.note_drawn(KEY, version=2, hand_no=TABLE.hand_no, message=77, call=None, called="")
    )
    assert await store.read(lambda tx: tx.tables.undrawn()) == [KEY]
    await store.write(
        lambda tx: tx.tables.note_drawn(KEY, version=3, hand_no=TABLE.hand_no, message=78, call=79, called="3:1:5:")
    )
    assert await store.read(lambda tx: tx.tables.undrawn()) == []
    table = await store.read(lambda tx: tx.tables.get(KEY))
    assert table == replace(
        TABLE, version=3, drawn_version=3, message=78, call=79, called="3:1:5:", retired=None, private=False
    )


# seats


async def test_a_seat_is_read_as_it_was_written(store: Store) -> None:
    await store.table()
    for seat in (SEAT, Seat(number=SEAT.number, player=ANN, dealt_in=False)):
        await store.write(lambda tx, seat=seat: tx.tables.save_seat(KEY, seat))  # type: ignore[misc]
        assert await store.read(lambda tx: tx.tables.seats(KEY)) == [seat]


async def test_seats_come_in_their_order_and_go_one_by_one(store: Store) -> None:
    await store.table()
    await store.table(SECOND)
    seats = [Seat(number=number, player=player, dealt_in=True) for number, player in enumerate((ANN, BOB, COMPUTER))]

    def sit(tx: Tx) -> None:
        for seat in reversed(seats):
            tx.tables.save_seat(KEY, seat)
            tx.tables.save_seat(SECOND, seat)

    await store.write(sit)
    assert await store.read(lambda tx: tx.tables.seats(KEY)) == seats
    assert [seat.computer for seat in seats] == [False, False, True]
    await store.write(lambda tx: tx.tables.remove_seat(KEY, 1))
    assert await store.read(lambda tx: tx.tables.seats(KEY)) == [seats[0], seats[2]]
    assert await store.read(lambda tx: tx.tables.seats(SECOND)) == seats


async def test_nobody_sits_twice_at_a_table_whatever_play_says(store: Store) -> None:
    await store.table()
    await store.write(lambda tx: tx.tables.save_seat(KEY, Seat(number=0, player=ANN, dealt_in=True)))
    with pytest.raises(REFUSED, match=TWICE):
        await store.write(lambda tx: tx.tables.save_seat(KEY, Seat(number=1, player=ANN, dealt_in=True)))
    assert len(await store.read(lambda tx: tx.tables.seats(KEY))) == 1


async def test_a_seat_stands_at_a_table(store: Store) -> None:
    with pytest.raises(REFUSED, match=POINTS_TO_NOTHING):
        await store.write(lambda tx: tx.tables.save_seat(KEY, Seat(number=0, player=ANN, dealt_in=True)))


# the log

EVENTS: list[Fact] = [
    HandStarted(players=(ANN, BOB, COMPUTER), fantasyland=(0, 14, 0), button=2),
    FantasylandDealt(),
    StreetDealt(street=1),
    CardsPlaced(seat=0, street=1, rows="FFMMB", by=PlacedBy.PLAYER),
    CardsPlaced(seat=2, street=1, rows="BBBBB", by=PlacedBy.COMPUTER),
    FantasylandSet(seat=1, rows="FFFMMMMMBBBBBD", by=PlacedBy.CLOCK),
    SeatForfeited(seat=0),
    SeatSurrendered(seat=1),
    HandVoided(reason="seed_lost"),
    HandEnded(),
]
EVENT_KINDS = {type(event) for event in EVENTS}


def append(
    events: list[Fact], *, key: TableKey = KEY, hand_no: int = 1, cause: str | None = None
) -> Callable[[Tx], None]:
    """A job that writes events."""
    return lambda tx: tx.hands.append(key, events, hand_no=hand_no, actor=ANN, cause=cause, at=AT)


def test_every_kind_of_event_is_tried_here() -> None:
    assert set(Fact.__args__) == EVENT_KINDS


async def test_events_are_read_as_they_were_written_and_in_order(store: Store) -> None:
    await store.write(append(EVENTS))
    assert await store.read(lambda tx: tx.hands.facts(KEY, 1)) == EVENTS


async def test_each_hand_of_each_table_has_its_own_events(store: Store) -> None:
    await store.write(append(EVENTS[:1]))
    await store.write(append(EVENTS[1:2], hand_no=2))
    await store.write(append(EVENTS[2:3], key=SECOND))
    await store.write(append(EVENTS[3:4], key=FOREIGN))
    await store.write(append(EVENTS[4:5]))
    assert await store.read(lambda tx: tx.hands.facts(KEY, 1)) == [EVENTS[0], EVENTS[4]]
    assert await store.read(lambda tx: tx.hands.facts(KEY, 2)) == [EVENTS[1]]
    assert await store.read(lambda tx: tx.hands.facts(SECOND, 1)) == [EVENTS[2]]
    assert await store.read(lambda tx: tx.hands.facts(FOREIGN, 1)) == [EVENTS[3]]
    assert await store.read(lambda tx: tx.hands.facts(KEY, 3)) == []


async def test_notes_stand_in_the_log_and_are_no_events_of_the_hand(store: Store) -> None:
    await store.write(append(EVENTS[:2]))
    await store.write(lambda tx: tx.hands.note(KEY, "joined", hand_no=1, actor=CLEO, cause="n", at=AT))
    await store.write(append(EVENTS[2:3]))
    assert await store.read(lambda tx: tx.hands.facts(KEY, 1)) == EVENTS[:3]
    rows = ask(store.place, "SELECT seq, kind, actor, cause, at FROM table_log ORDER BY seq")
    assert rows == [
        (1, "hand_started", ANN, None, AT),
        (2, "fantasyland_dealt", None, None, AT),
        (3, "table.joined", CLEO, "n", AT),
        (4, "street_dealt", ANN, None, AT),
    ]


async def test_a_cause_is_seen_from_then_on_and_used_once_in_the_whole_log(store: Store) -> None:
    assert not await store.read(lambda tx: tx.seen("p"))
    await store.write(append(EVENTS[:3], cause="p"))
    assert await store.read(lambda tx: tx.seen("p"))
    assert not await store.read(lambda tx: tx.seen("q"))
    for key in (KEY, SECOND, FOREIGN):
        with pytest.raises(REFUSED, match="cause"):
            await store.write(append(EVENTS[3:5], key=key, cause="p"))
    assert await store.read(lambda tx: tx.hands.facts(KEY, 1)) == EVENTS[:3]


async def test_an_event_that_this_version_does_not_know_is_not_guessed(store: Store) -> None:
    insert = "INSERT INTO table_log (guild_id, table_id, seq, hand_no, kind, payload, at) VALUES (?, 1, 1, 1, ?, ?, 0)"
    do(store.place, insert, (GUILD, "joker_named", '{"v":1}'))
    with pytest.raises(LogError):
        await store.read(lambda tx: tx.hands.facts(KEY, 1))


async def test_a_log_of_the_first_release_is_read_for_ever(store: Store) -> None:
    old = [
        ("hand_started", '{"v":1,"players":["1","2"],"fantasyland":[0,14],"button":0}'),
        ("fantasyland_dealt", '{"v":1}'),
        ("street_dealt", '{"v":1,"street":1}'),
        ("cards_laid", '{"v":1,"seat":0,"street":1,"rows":"FFMMB","by":"player"}'),
        ("fantasyland_set", '{"v":1,"seat":1,"rows":"FFFMMMMMBBBBBD","by":"clock"}'),
        ("seat_forfeited", '{"v":1,"seat":0}'),
        ("hand_voided", '{"v":1,"reason":"channel_gone"}'),
        ("hand_ended", '{"v":1}'),
    ]
    insert = "INSERT INTO table_log (guild_id, table_id, seq, hand_no, kind, payload, at) VALUES (?, 1, ?, 1, ?, ?, 0)"
    for seq, (kind, payload) in enumerate(old, 1):
        do(store.place, insert, (GUILD, seq, kind, payload))
    assert await store.read(lambda tx: tx.hands.facts(KEY, 1)) == [
        HandStarted(players=("1", "2"), fantasyland=(0, 14), button=0),
        FantasylandDealt(),
        StreetDealt(street=1),
        CardsPlaced(seat=0, street=1, rows="FFMMB", by=PlacedBy.PLAYER),
        FantasylandSet(seat=1, rows="FFFMMMMMBBBBBD", by=PlacedBy.CLOCK),
        SeatForfeited(seat=0),
        HandVoided(reason="channel_gone"),
        HandEnded(),
    ]


# hands and results


async def test_a_hand_is_read_as_it_was_written(store: Store) -> None:
    await store.write(lambda tx: tx.hands.save(KEY, HAND))
    assert await store.read(lambda tx: tx.hands.get(KEY, 4)) == HAND
    assert await store.read(lambda tx: tx.hands.get(KEY, 5)) is None
    assert await store.read(lambda tx: tx.hands.get(SECOND, 4)) is None


async def test_a_hand_that_was_dealt_a_shared_deck_keeps_its_name_and_entropy(store: Store) -> None:
    hand = replace(HAND, shared=SharedDeal(name="7/event/3/1", entropy=((ANN, '運 \0 "'), (BOB, ""))))
    await store.write(lambda tx: tx.hands.save(KEY, hand))
    assert await store.read(lambda tx: tx.hands.get(KEY, 4)) == hand
    await store.write(lambda tx: tx.hands.save(KEY, replace(hand, shared=None)))
    assert await store.read(lambda tx: tx.hands.get(KEY, 4)) == HAND


@pytest.mark.parametrize("state", list(HandState))
async def test_a_hand_changes_its_state(store: Store, state: HandState) -> None:
    running = replace(HAND, state=HandState.PLAYING, ended_at=None, reason=None, entropy=())
    await store.write(lambda tx: tx.hands.save(KEY, running))
    assert await store.read(lambda tx: tx.hands.get(KEY, 4)) == running
    await store.write(lambda tx: tx.hands.save(KEY, replace(HAND, state=state)))
    assert await store.read(lambda tx: tx.hands.get(KEY, 4)) == replace(HAND, state=state)


def result(player: Player, points: int, *, fantasyland: int = 0, foul: bool = False, ranked: bool = True) -> Result:
    """Return a player's result of a hand at ten chips per point."""
    return Result(player=player, points=points, chips=10 * points, fantasyland=fantasyland, foul=foul, ranked=ranked)


async def test_results_are_read_as_they_were_written_in_the_order_of_players(store: Store) -> None:
    rows = [result(CLEO, -3, foul=True), result(BOB, 3, fantasyland=14)]
    await store.write(lambda tx: tx.results.add(KEY, 1, rows, at=AT))
    kept = [replace(rows[1], wins_in_row=1), rows[0]]
    assert await store.read(lambda tx: tx.results.of(KEY, 1)) == kept
    assert await store.read(lambda tx: tx.results.of(KEY, 2)) == []


async def test_a_hand_has_one_result_for_each_player(store: Store) -> None:
    await store.write(lambda tx: tx.results.add(KEY, 1, [result(BOB, 3)], at=AT))
    with pytest.raises(REFUSED, match=TWICE):
        await store.write(lambda tx: tx.results.add(KEY, 1, [result(CLEO, 1), result(BOB, 3)], at=AT))
    assert await store.read(lambda tx: tx.results.of(KEY, 1)) == [replace(result(BOB, 3), wins_in_row=1)]


async def test_hands_that_were_settled_are_told_newest_first_and_so_many_of_them(store: Store) -> None:
    both = [result(BOB, 3), result(CLEO, -3)]

    def settle(tx: Tx) -> None:
        for number in (1, 2, 10):
            tx.results.add(KEY, number, both, at=AT + number)

    await store.write(settle)
    await store.write(lambda tx: tx.results.add(SECOND, 3, [result(BOB, 3)], at=AT))
    played = await store.read(lambda tx: tx.results.played_hands(KEY, limit=2))
    assert played == [PlayedHand(hand_no=10, at=AT + 10, players=2), PlayedHand(hand_no=2, at=AT + 2, players=2)]
    assert await store.read(lambda tx: tx.results.played_hands(FOREIGN, limit=2)) == []


async def test_the_newest_tables_of_a_guild_are_told_open_or_closed(store: Store) -> None:
    shown = replace(TABLE, private=False)
    closed = replace(shown, key=SECOND, state=TableState.CLOSED)

    def open_all(tx: Tx) -> None:
        for table in (shown, closed, replace(TABLE, key=THIRD, private=True), replace(shown, key=FOREIGN)):
            tx.tables.save(table)

    await store.write(open_all)
    newest = await store.read(lambda tx: tx.tables.newest(GUILD, limit=5))
    assert [table.key for table in newest] == sorted([KEY, SECOND], key=lambda key: -key.table)
    assert len(await store.read(lambda tx: tx.tables.newest(GUILD, limit=1))) == 1


async def test_standings_add_up_ranked_hands_of_one_guild(store: Store) -> None:
    await store.write(lambda tx: tx.results.add(KEY, 1, [result(BOB, 3, fantasyland=14), result(CLEO, -3)], at=AT))
    await store.write(lambda tx: tx.results.add(SECOND, 1, [result(BOB, -5), result(ANN, 5)], at=AT))
    await store.write(lambda tx: tx.results.add(SECOND, 2, [result(BOB, 99, ranked=False)], at=AT))
    await store.write(lambda tx: tx.results.add(FOREIGN, 1, [result(BOB, 50)], at=AT))
    standings = await store.read(lambda tx: tx.leaderboards.standings(GUILD, LeaderboardQuery(), at=AT, limit=10))
    assert standings == [
        Standing(player=ANN, hands=1, points=5, chips=50, best=5),
        Standing(player=BOB, hands=2, points=-2, chips=-20, visits=1, best=3),
        Standing(player=CLEO, hands=1, points=-3, chips=-30, best=-3),
    ]
    assert (
        await store.read(lambda tx: tx.leaderboards.standings(GuildId(99), LeaderboardQuery(), at=AT, limit=10)) == []
    )


# clocks and messages


async def test_a_table_has_one_deadline_of_each_kind(store: Store) -> None:
    def job(tx: Tx) -> None:
        for number, timer in enumerate(Timer):
            tx.timers.set_timer(KEY, timer, AT + number)
        tx.timers.set_timer(KEY, Timer.TURN, AT + 50)
        tx.timers.set_timer(KEY, Timer.LOBBY, None)
        tx.timers.set_timer(SECOND, Timer.COMPUTER, None)

    await store.write(job)
    deadlines = [await store.read(lambda tx, timer=timer: tx.timers.of(KEY).get(timer)) for timer in Timer]  # type: ignore[misc]
    assert deadlines == [None, AT + 50, *(AT + number for number in range(2, len(Timer)))]


async def test_what_is_due_comes_oldest_first_and_not_too_much_at_once(store: Store) -> None:
    def job(tx: Tx) -> None:
        tx.timers.set_timer(KEY, Timer.TURN, 30)
        tx.timers.set_timer(SECOND, Timer.TURN, 10)
        tx.timers.set_timer(FOREIGN, Timer.LOBBY, 20)
        tx.timers.set_timer(KEY, Timer.COMPUTER, 31)

    assert await store.read(lambda tx: tx.timers.next_due()) is None
    await store.write(job)
    everything = [(SECOND, Timer.TURN, 10), (FOREIGN, Timer.LOBBY, 20), (KEY, Timer.TURN, 30)]
    assert await store.read(lambda tx: tx.timers.due(30, shard=EVERYTHING, limit=9)) == everything
    assert await store.read(lambda tx: tx.timers.due(30, shard=EVERYTHING, limit=2)) == everything[:2]
    assert await store.read(lambda tx: tx.timers.due(9, shard=EVERYTHING, limit=9)) == []
    mine = Shard(number=(FOREIGN.guild >> 22) % 3, count=3)
    assert await store.read(lambda tx: tx.timers.due(30, shard=mine, limit=1)) == [(FOREIGN, Timer.LOBBY, 20)]
    assert await store.read(lambda tx: tx.timers.next_due()) == 10


async def test_all_deadlines_move_together(store: Store) -> None:
    await store.write(lambda tx: tx.timers.set_timer(KEY, Timer.TURN, 30))
    await store.write(lambda tx: tx.timers.set_timer(SECOND, Timer.LOBBY, 10))
    await store.write(lambda tx: tx.timers.shift(1000, shard=EVERYTHING, tell=True))
    assert await store.read(lambda tx: tx.timers.due(2000, shard=EVERYTHING, limit=9)) == [
        (SECOND, Timer.LOBBY, 1010),
        (KEY, Timer.TURN, 1030),
    ]


async def test_the_mark_of_a_copy_goes_with_the_transaction_that_forgets_it(store: Store) -> None:
    def fail(tx: Tx) -> None:
        tx.timers.begin_epoch("e1", copied_at=AT, at=AT)
        assert not tx.timers.restored()
        raise RuntimeError

    mark_as_copy(store.place)
    with pytest.raises(RuntimeError):
        await store.write(fail)
    assert await store.read(lambda tx: tx.timers.restored())
    await store.write(lambda tx: tx.timers.begin_epoch("e1", copied_at=AT, at=AT + 1))
    assert not await store.read(lambda tx: tx.timers.restored())
    assert await store.read(lambda tx: (tx.timers.epoch(), tx.timers.last_restore())) == (
        "e1",
        Restore(known_until=AT, at=AT + 1),
    )


async def test_there_is_one_heartbeat(store: Store) -> None:
    assert await store.read(lambda tx: tx.timers.alive_at()) is None
    for now in (AT, AT + 5, AT - 5):
        await store.write(lambda tx, now=now: tx.timers.beat(now))  # type: ignore[misc]
        assert await store.read(lambda tx: tx.timers.alive_at()) == now


async def test_each_table_finds_its_own_messages_however_many_others_wait(store: Store) -> None:
    other = TableKey(guild=KEY.guild, table=TableId(KEY.table + 1))

    def job(tx: Tx) -> None:
        for key in (KEY, KEY, other):
            tx.outbox.post(key, PostKind.RESULT, hand_no=1, at=AT)

    await store.write(job)
    assert await store.read(lambda tx: tx.outbox.unposted_tables()) == [KEY, other]
    assert [row.key for row in await store.read(lambda tx: tx.outbox.postings(other, limit=1))] == [other]
    assert len(await store.read(lambda tx: tx.outbox.postings(KEY, limit=9))) == 2


async def test_messages_wait_in_order_until_they_are_posted(store: Store) -> None:
    def job(tx: Tx) -> None:
        for number, post in enumerate(PostKind):
            tx.outbox.post(KEY, post, hand_no=number, at=AT)

    await store.write(job)
    waiting = await store.read(lambda tx: tx.outbox.postings(limit=9))
    assert [(row.key, row.kind, row.hand_no) for row in waiting] == [
        (KEY, post, number) for number, post in enumerate(PostKind)
    ]
    assert await store.read(lambda tx: tx.outbox.postings(limit=1)) == waiting[:1]
    await store.write(lambda tx: tx.outbox.posted(waiting[0].number))
    await store.write(lambda tx: tx.outbox.posted(waiting[0].number))
    assert await store.read(lambda tx: tx.outbox.postings(limit=9)) == waiting[1:]


# all or nothing


async def test_a_job_that_fails_has_done_nothing(store: Store) -> None:
    def job(tx: Tx) -> None:
        tx.tables.save(TABLE)
        tx.timers.beat(AT)
        raise LookupError

    with pytest.raises(LookupError):
        await store.write(job)
    assert await store.read(lambda tx: tx.tables.get(KEY)) is None
    assert await store.read(lambda tx: tx.timers.alive_at()) is None


async def test_a_transaction_reads_what_it_wrote(store: Store) -> None:
    def job(tx: Tx) -> Table | None:
        tx.tables.save(TABLE)
        return tx.tables.get(KEY)

    assert await store.write(job) == TABLE


async def test_looking_changes_nothing(store: Store) -> None:
    with pytest.raises(StorageUnavailableError):
        await store.read(lambda tx: tx.timers.beat(AT))
    assert await store.read(lambda tx: tx.timers.alive_at()) is None


async def test_trouble_of_the_storage_is_said_in_plays_words(tmp_path: Path) -> None:
    database = await open_database(place_in(tmp_path))
    storage = SqlStorage(database)
    await database.close()
    with pytest.raises(StorageUnavailableError, match="closed"):
        await storage.write(lambda tx: tx.timers.beat(AT))
    with pytest.raises(StorageUnavailableError, match="closed"):
        await storage.read(lambda tx: tx.timers.alive_at())


@pytest.mark.of_sqlite
async def test_a_file_that_another_program_holds_is_trouble_that_passes(tmp_path: Path) -> None:
    database = await SqliteDatabase.open(tmp_path / "chaipo.db", busy_seconds=0)
    storage = SqlStorage(database)
    other = sqlite3.connect(tmp_path / "chaipo.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailableError, match="locked"):
        await storage.write(lambda tx: tx.timers.beat(AT))
    assert await storage.read(lambda tx: tx.timers.alive_at()) is None
    other.execute("ROLLBACK")
    other.close()
    await storage.write(lambda tx: tx.timers.beat(AT))
    assert await storage.read(lambda tx: tx.timers.alive_at()) == AT
    await database.close()


async def test_records_outlive_the_process(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        database = await open_database(place_in(tmp_path))
        storage = SqlStorage(database)
        assert await storage.read(lambda tx: len(tx.hands.facts(KEY, 1))) == number - 1
        await storage.write(append([EVENTS[number]]))
        await database.close()


# notifications


class Told:
    """Records notifications about transactions."""

    def __init__(self) -> None:
        self.changed: set[object] = set()

    def before_commit(self, tx: Tx, changed: Collection[object]) -> None:
        """Wait for the commit."""

    def after_commit(self, changed: Collection[object], *, well: bool) -> None:
        """Record a commit."""
        self.changed.update(changed)


async def test_a_table_whose_hands_are_about_to_lose_a_name_has_changed(store: Store) -> None:
    told = Told()
    await store.table()
    await store.table(SECOND)
    await store.write(lambda tx: tx.hands.note(KEY, "seated", hand_no=0, actor=ANN, cause="1", at=AT))
    store.storage.watch(told)
    await store.write(lambda tx: tx.leaving.begin_to_rewrite(GUILD, ANN, Player("gone-1")))
    assert told.changed == {KEY}


def test_a_transaction_has_a_part_for_each_kind_of_queries() -> None:
    """Kinds that tests derive from them are none of the program's."""
    kinds = {kind for kind in Queries.__subclasses__() if kind.__module__.startswith("bot.store.")}
    parts = [part.kind for part in vars(Tx).values() if isinstance(part, Part)]
    assert set(parts) == kinds
    assert len(parts) == len(kinds)
