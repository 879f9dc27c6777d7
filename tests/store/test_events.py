"""Events: what play writes, it reads back. Their chips are counted separately, and a check finds damage."""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.model.bank import Movement
from bot.model.careers import Badge, EarnedBadge, RecordEntry, RecordKind
from bot.model.choices import ServerSettings
from bot.model.clock import Clock, Pace
from bot.model.events import Entrant, EntrantState, Event, EventDraft, EventFact, EventTable, Notice, Phase
from bot.model.hands import Result
from bot.model.ids import EVERYTHING, EventKey, GuildId, Player, Shard, TableId, TableKey
from bot.model.tables import Table, TableState, Terms, Timer, WaitReason
from bot.pure.event.structure import PRESETS, Format, Structure
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from bot.store.inspection import content_of
from bot.store.invariants import unbalanced
from bot.store.opening import Place, open_database
from bot.store.sqlite.check import check
from bot.store.sqlite.database import MIGRATIONS
from bot.store.sqlite.driver import SqliteSql
from bot.store.sqlite.files import reading
from bot.store.storage import Database, SqlStorage
from bot.store.transaction import Tx
from tests.databases import POINTS_TO_NOTHING, REFUSED, TWICE, ask, place_in
from tests.databases import do as change
from tests.store.samples import (
    ANN,
    AT,
    BOB,
    CLEO,
    ENTRANT,
    EVENT,
    EVENT_KEY,
    GUILD,
    OTHER_GUILD,
    RESULT,
    SITTING,
    STRUCTURE,
    TABLE_KEY,
)

pytestmark = pytest.mark.on_both

T = TypeVar("T")

KEY = EVENT_KEY
SECOND = EventKey(guild=GUILD, number=2)
THIRD = EventKey(guild=GUILD, number=3)
FOREIGN = EventKey(guild=OTHER_GUILD, number=1)
TABLE = TABLE_KEY

PLAIN = Event(
    key=KEY,
    name="",
    organiser=BOB,
    channel=1,
    language="en",
    variant=CLASSIC,
    structure=PRESETS["chaipo"],
    clock=Clock(pace=Pace.CORRESPONDENCE, seconds=86_400),
    starts_at=None,
    created_at=0,
    commitment=b"",
    sealed_seed=b"",
)


class Store:
    """A storage, and words for doing one thing in it."""

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

    async def event(self, key: EventKey = KEY, **changes: Any) -> Event:
        """Store an event. Only that with the key ``KEY`` has the sample's page, because addresses are unique."""
        page = EVENT.page if key == KEY else ""
        event = replace(EVENT, key=key, **{"page": page, **changes})
        await self.write(lambda tx: tx.events.save(event))
        return event

    async def table(self, key: TableKey = TABLE, **changes: Any) -> Table:
        """Store a table."""
        table = replace(plain_table(key), **changes)
        await self.write(lambda tx: tx.tables.save(table))
        return table

    async def entrants(self, *entrants: Entrant, key: EventKey = KEY) -> None:
        """Store who takes part."""
        for entrant in entrants:
            await self.write(lambda tx, entrant=entrant: tx.entrants.save(key, entrant))  # type: ignore[misc]


def plain_table(key: TableKey) -> Table:
    """A table that waits for its next hand."""
    return Table(
        key=key,
        channel=5,
        host=ANN,
        language="en",
        terms=Terms(
            variant=PINEAPPLE, point_value=50, buy_in=1000, max_seats=3, clock=Clock(pace=Pace.PER_TURN, seconds=60)
        ),
        state=TableState.BETWEEN,
        hand_no=0,
        button=0,
        turn_since=None,
        commitment=b"c",
        sealed_seed=b"s",
        version=1,
        drawn_version=1,
        message=None,
        retired=None,
        call=None,
        created_at=AT,
    )


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open storage."""
    place = place_in(tmp_path)
    database = await open_database(place)
    yield Store(place, database)
    await database.close()


def same(one: object, other: object, *but: str) -> list[str]:
    """Return the fields in which two values are equal."""
    names = [field.name for field in fields(one)]  # type: ignore[arg-type]  # both are values with fields
    return [name for name in names if name not in but and getattr(one, name) == getattr(other, name)]


# events


async def test_an_event_is_read_as_it_was_written(store: Store) -> None:
    await store.event()
    assert await store.read(lambda tx: tx.events.get(KEY)) == EVENT


async def test_every_part_of_an_event_can_change(store: Store) -> None:
    assert same(EVENT, PLAIN, "key") == []
    assert same(STRUCTURE, Structure(format=Format.LEAGUE, table_seats=2, most=9)) == []
    await store.event()
    await store.write(lambda tx: tx.events.save(PLAIN))
    assert await store.read(lambda tx: tx.events.get(KEY)) == PLAIN


@pytest.mark.parametrize(
    ("phase", "preset"), [*((phase, "chaipo") for phase in Phase), *((Phase.RUNNING, preset) for preset in PRESETS)]
)
async def test_every_phase_and_preset_is_read_again(store: Store, phase: Phase, preset: str) -> None:
    event = await store.event(phase=phase, structure=PRESETS[preset])
    assert await store.read(lambda tx: tx.events.get(KEY)) == event


async def test_a_game_of_the_house_can_be_played_in_an_event(store: Store) -> None:
    event = await store.event(variant=house_variant("pineapple", {"fantasyland.entry": "KK"}))
    read = await store.read(lambda tx: tx.events.get(KEY))
    assert read == event
    assert event.variant != PINEAPPLE


async def test_an_event_that_is_not_there_is_none(store: Store) -> None:
    await store.event()
    assert await store.read(lambda tx: tx.events.get(SECOND)) is None
    assert await store.read(lambda tx: tx.events.get(FOREIGN)) is None


async def test_events_are_numbered_from_one_in_each_guild(store: Store) -> None:
    assert await store.read(lambda tx: tx.events.next_number(GUILD)) == 1
    await store.event(SECOND, phase=Phase.CANCELLED)
    assert await store.read(lambda tx: tx.events.next_number(GUILD)) == 3
    assert await store.read(lambda tx: tx.events.next_number(OTHER_GUILD)) == 1


async def test_events_are_found_by_phase_the_newest_first(store: Store) -> None:
    first = await store.event(phase=Phase.RUNNING, created_at=AT + 9)
    second = await store.event(SECOND, phase=Phase.CHECK_IN)
    third = await store.event(THIRD, phase=Phase.RUNNING)
    await store.event(FOREIGN, phase=Phase.RUNNING)
    found = store.read
    assert await found(lambda tx: tx.events.in_phases(GUILD, [Phase.RUNNING])) == [third, first]
    assert await found(lambda tx: tx.events.in_phases(GUILD, [Phase.CHECK_IN, Phase.RUNNING])) == [third, second, first]
    assert await found(lambda tx: tx.events.in_phases(GUILD, list(Phase))) == [third, second, first]
    assert await found(lambda tx: tx.events.in_phases(GUILD, [Phase.ENDED])) == []
    assert await found(lambda tx: tx.events.in_phases(GUILD, [])) == []


async def test_the_events_that_are_not_over_are_those_of_all_guilds(store: Store) -> None:
    for number, phase in enumerate(Phase, 1):
        await store.event(EventKey(guild=GUILD, number=number), phase=phase)
    await store.event(FOREIGN)
    assert await store.read(lambda tx: tx.events.running()) == [FOREIGN, KEY, SECOND, THIRD]


async def test_a_table_knows_its_event(store: Store) -> None:
    table = await store.table(event_no=1)
    read = await store.read(lambda tx: tx.tables.get(TABLE))
    assert read == table
    assert table.event == KEY
    assert [one.event for one in await store.read(lambda tx: tx.tables.open(GUILD))] == [KEY]
    own = await store.table(event_no=None)
    assert await store.read(lambda tx: tx.tables.get(TABLE)) == own


# entrants


async def test_an_entrant_is_read_as_he_was_written(store: Store) -> None:
    await store.event()
    await store.entrants(ENTRANT)
    assert await store.read(lambda tx: tx.entrants.get(KEY, ANN)) == ENTRANT
    plain = Entrant(player=ANN, registered_at=AT + 1, cause="c")
    assert same(ENTRANT, plain, "player") == []
    await store.entrants(plain)
    assert await store.read(lambda tx: tx.entrants.get(KEY, ANN)) == plain
    assert await store.read(lambda tx: tx.entrants.of(KEY)) == [plain]


@pytest.mark.parametrize("state", list(EntrantState))
async def test_every_state_of_an_entrant_is_read_again(store: Store, state: EntrantState) -> None:
    await store.event()
    await store.entrants(replace(ENTRANT, state=state))
    assert await store.read(lambda tx: tx.entrants.get(KEY, ANN)) == replace(ENTRANT, state=state)


async def test_entrants_come_in_the_order_in_which_they_registered(store: Store) -> None:
    for key in (KEY, SECOND, FOREIGN):
        await store.event(key)
    late = replace(ENTRANT, player=ANN, registered_at=AT + 5, number=1)
    gone = replace(ENTRANT, player=BOB, registered_at=AT, state=EntrantState.WITHDRAWN, number=2)
    first = replace(ENTRANT, player=CLEO, registered_at=AT - 5, number=3)
    await store.entrants(late, gone, first)
    await store.entrants(late, key=SECOND)
    assert await store.read(lambda tx: tx.entrants.of(KEY)) == [first, gone, late]
    assert await store.read(lambda tx: tx.entrants.of(SECOND)) == [late]
    assert await store.read(lambda tx: tx.entrants.of(FOREIGN)) == []
    assert await store.read(lambda tx: tx.entrants.get(SECOND, BOB)) is None
    assert await store.read(lambda tx: tx.entrants.get(FOREIGN, ANN)) is None


async def test_an_entrant_takes_part_in_an_event(store: Store) -> None:
    with pytest.raises(REFUSED, match=POINTS_TO_NOTHING):
        await store.entrants(ENTRANT)


# its tables and matches


async def test_what_an_event_knows_of_a_table_is_read_as_it_was_written(store: Store) -> None:
    await store.table()
    await store.write(lambda tx: tx.entrants.save_event_table(KEY, SITTING))
    assert await store.read(lambda tx: tx.entrants.event_table(TABLE)) == SITTING
    plain = EventTable(table=TABLE.table)
    assert same(SITTING, plain, "table") == []
    await store.write(lambda tx: tx.entrants.save_event_table(KEY, plain))
    assert await store.read(lambda tx: tx.entrants.event_table(TABLE)) == plain
    assert await store.read(lambda tx: tx.entrants.event_table(TableKey(guild=OTHER_GUILD, table=TABLE.table))) is None


@pytest.mark.parametrize("waits", list(WaitReason))
async def test_everything_that_a_table_waits_for_is_read_again(store: Store, waits: WaitReason) -> None:
    await store.table()
    await store.write(lambda tx: tx.entrants.save_event_table(KEY, replace(SITTING, waits=waits)))
    assert await store.read(lambda tx: tx.entrants.event_table(TABLE)) == replace(SITTING, waits=waits)


async def test_an_events_tables_come_by_number_with_those_that_are_over_or_without(store: Store) -> None:
    rows = [EventTable(table=TableId(number), over=number == 2) for number in (1, 2, 3)]
    for row in reversed(rows):
        await store.table(TableKey(guild=GUILD, table=row.table))
        await store.write(lambda tx, row=row: tx.entrants.save_event_table(KEY, row))  # type: ignore[misc]
    other = EventTable(table=TableId(4))
    await store.table(TableKey(guild=GUILD, table=TableId(4)))
    await store.write(lambda tx: tx.entrants.save_event_table(SECOND, other))
    assert await store.read(lambda tx: tx.entrants.event_tables(KEY, over=True)) == rows
    assert await store.read(lambda tx: tx.entrants.event_tables(KEY, over=False)) == [rows[0], rows[2]]
    assert await store.read(lambda tx: tx.entrants.event_tables(SECOND, over=False)) == [other]
    assert await store.read(lambda tx: tx.entrants.event_tables(FOREIGN, over=True)) == []


async def test_the_winners_of_matches_are_kept_by_match(store: Store) -> None:
    for match, winner in ((7, ANN), (2, BOB), (7, CLEO)):
        await store.write(lambda tx, match=match, winner=winner: tx.entrants.save_match(KEY, match, winner))  # type: ignore[misc]
    await store.write(lambda tx: tx.entrants.save_match(SECOND, 1, ANN))
    assert list((await store.read(lambda tx: tx.entrants.matches(KEY))).items()) == [(2, BOB), (7, CLEO)]
    assert await store.read(lambda tx: tx.entrants.matches(SECOND)) == {1: ANN}
    assert await store.read(lambda tx: tx.entrants.matches(FOREIGN)) == {}


# its log


def note(
    kind: str, *, key: EventKey = KEY, cause: str | None = None, actor: Player | None = ANN, **details: Any
) -> Callable[[Tx], None]:
    """A job that writes a line."""
    return lambda tx: tx.events.note(key, kind, details, actor=actor, cause=cause, at=AT)


async def test_the_log_tells_what_happened_in_order(store: Store) -> None:
    await store.write(note("registered", cause="p", player=BOB, seats=[1, 2], why="運"))
    await store.write(note("elsewhere", key=SECOND))
    await store.write(note("elsewhere", key=FOREIGN))
    await store.write(note("started", actor=None))
    assert await store.read(lambda tx: tx.events.log(KEY)) == [
        EventFact(number=1, kind="registered", details={"player": BOB, "seats": [1, 2], "why": "運"}, actor=ANN, at=AT),
        EventFact(number=2, kind="started", details={}, actor=None, at=AT),
    ]
    assert [fact.number for fact in await store.read(lambda tx: tx.events.log(SECOND))] == [1]
    assert await store.read(lambda tx: tx.events.log(THIRD)) == []


async def test_a_cause_is_seen_from_then_on_in_whichever_log_it_stands(store: Store) -> None:
    for cause in ("event", "table"):
        assert not await store.read(lambda tx, cause=cause: tx.seen(cause))  # type: ignore[misc]
    await store.write(note("registered", cause="event"))
    await store.write(lambda tx: tx.hands.note(TABLE, "opened", hand_no=0, actor=ANN, cause="table", at=AT))
    for cause in ("event", "table"):
        assert await store.read(lambda tx, cause=cause: tx.seen(cause))  # type: ignore[misc]
    assert not await store.read(lambda tx: tx.seen("other"))


async def test_a_cause_is_used_once_in_the_logs_of_all_events(store: Store) -> None:
    await store.write(note("registered", cause="p"))
    for key in (KEY, SECOND, FOREIGN):
        with pytest.raises(REFUSED, match="cause"):
            await store.write(note("withdrew", key=key, cause="p"))
    assert [fact.kind for fact in await store.read(lambda tx: tx.events.log(KEY))] == ["registered"]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM event_log",
        "UPDATE event_log SET details = '{}'",
    ],
)
async def test_the_log_of_an_event_is_final(store: Store, sql: str) -> None:
    await store.write(note("registered", player=BOB))
    before = await store.read(lambda tx: tx.events.log(KEY))
    with pytest.raises(REFUSED, match="events are final"):
        change(store.place, sql)
    assert await store.read(lambda tx: tx.events.log(KEY)) == before


@pytest.mark.of_sqlite
async def test_the_log_of_an_event_cannot_be_replaced_either(store: Store) -> None:
    await store.write(note("registered", player=BOB))
    with pytest.raises(REFUSED, match="events are final"):
        await store.database.write(lambda sql: sql.execute("REPLACE INTO event_log SELECT * FROM event_log"))


# clocks and messages


async def test_alarms_that_are_due_come_oldest_first_and_not_too_many_at_once(store: Store) -> None:
    await store.event(alarm_at=30)
    await store.event(SECOND, alarm_at=10)
    await store.event(THIRD, alarm_at=None)
    await store.event(FOREIGN, alarm_at=20)
    assert await store.read(lambda tx: tx.timers.event_alarms(30, shard=EVERYTHING, limit=9)) == [SECOND, FOREIGN, KEY]
    assert await store.read(lambda tx: tx.timers.event_alarms(30, shard=EVERYTHING, limit=2)) == [SECOND, FOREIGN]
    assert await store.read(lambda tx: tx.timers.event_alarms(9, shard=EVERYTHING, limit=9)) == []
    mine = Shard(number=(OTHER_GUILD >> 22) % 3, count=3)
    assert await store.read(lambda tx: tx.timers.event_alarms(30, shard=mine, limit=1)) == [FOREIGN]


async def test_what_is_due_next_is_a_deadline_of_a_table_or_an_alarm_of_an_event(store: Store) -> None:
    await store.event(alarm_at=None)
    assert await store.read(lambda tx: tx.timers.next_due()) is None
    await store.event(alarm_at=50)
    assert await store.read(lambda tx: tx.timers.next_due()) == 50
    await store.write(lambda tx: tx.timers.set_timer(TABLE, Timer.TURN, 30))
    assert await store.read(lambda tx: tx.timers.next_due()) == 30
    await store.event(SECOND, alarm_at=20)
    assert await store.read(lambda tx: tx.timers.next_due()) == 20


async def test_an_event_that_is_cut_off_has_no_alarm_until_the_outage_ends(store: Store) -> None:
    away = Shard(number=(OTHER_GUILD >> 22) % 3, count=3)
    assert not away.serves(GUILD)
    await store.event(alarm_at=30)
    await store.event(FOREIGN, alarm_at=20)
    await store.write(lambda tx: tx.timers.begin_outage(away, AT))
    assert await store.read(lambda tx: tx.timers.event_alarms(30, shard=EVERYTHING, limit=1)) == [KEY]
    await store.write(lambda tx: tx.timers.end_outage(away))
    assert await store.read(lambda tx: tx.timers.event_alarms(30, shard=EVERYTHING, limit=9)) == [FOREIGN, KEY]


@pytest.mark.parametrize("phase", list(Phase))
async def test_an_outage_moves_the_times_of_running_events_and_no_hour_on_the_wall(store: Store, phase: Phase) -> None:
    event = await store.event(phase=phase, paused=False)
    await store.write(lambda tx: tx.timers.shift(1000, shard=EVERYTHING, tell=False))
    moved = replace(event, level_ends_at=AT + 1003, break_until=AT + 1004)
    assert await store.read(lambda tx: tx.events.get(KEY)) == (moved if phase is Phase.RUNNING else event)


async def test_an_outage_does_not_move_the_end_of_a_level_that_a_pause_moves(store: Store) -> None:
    event = await store.event(phase=Phase.RUNNING, paused=True)
    await store.write(lambda tx: tx.timers.shift(1000, shard=EVERYTHING, tell=False))
    moved = replace(event, break_until=AT + 1004)
    assert await store.read(lambda tx: tx.events.get(KEY)) == moved


async def test_the_director_looks_no_later_after_an_outage_and_earlier_when_the_clock_was_set_back(
    store: Store,
) -> None:
    event = await store.event(phase=Phase.RUNNING)
    for by, alarm_at in ((1000, event.alarm_at), (-1000, (event.alarm_at or 0) - 1000)):
        await store.write(lambda tx, by=by: tx.timers.shift(by, shard=EVERYTHING, tell=False))  # type: ignore[misc]
        moved = await store.read(lambda tx: tx.events.get(KEY))
        assert moved is not None
        assert moved.alarm_at == alarm_at


async def test_an_outage_moves_nothing_that_is_not_set(store: Store) -> None:
    event = await store.event(alarm_at=None, level_ends_at=None, break_until=None)
    await store.write(lambda tx: tx.timers.shift(1000, shard=EVERYTHING, tell=True))
    assert await store.read(lambda tx: tx.events.get(KEY)) == event


async def test_an_outage_of_a_shard_moves_the_events_that_it_serves(store: Store) -> None:
    shard = Shard(number=(GUILD >> 22) % 3, count=3)
    assert not shard.serves(OTHER_GUILD)
    await store.event()
    foreign = await store.event(FOREIGN)
    await store.write(lambda tx: tx.timers.shift(1000, shard=shard, tell=True))
    assert await store.read(lambda tx: tx.events.get(FOREIGN)) == foreign
    moved = await store.read(lambda tx: tx.events.get(KEY))
    assert moved is not None
    assert moved.break_until == AT + 1004


@pytest.mark.parametrize(
    ("level", "pause", "drawn"),
    [(AT, None, 0), (None, AT, 0), (None, None, 9)],
)
async def test_an_event_whose_message_shows_a_time_is_drawn_again_after_a_long_outage(
    store: Store, level: int | None, pause: int | None, drawn: int
) -> None:
    await store.event(drawn_version=9, level_ends_at=level, break_until=pause)
    await store.write(lambda tx: tx.timers.shift(1000, shard=EVERYTHING, tell=False))
    assert await store.read(lambda tx: tx.outbox.undrawn_events()) == []
    await store.write(lambda tx: tx.timers.shift(1000, shard=EVERYTHING, tell=True))
    moved = await store.read(lambda tx: tx.events.get(KEY))
    assert moved is not None
    assert moved.drawn_version == drawn


@pytest.mark.parametrize(
    ("state", "pace", "timer", "pause", "drawn"),
    [
        (TableState.LOBBY, Pace.NONE, Timer.LOBBY, None, 0),
        (TableState.BETWEEN, Pace.NONE, Timer.NEXT_HAND, None, 0),
        (TableState.PLAYING, Pace.PER_TURN, Timer.TURN, None, 0),
        (TableState.PLAYING, Pace.NONE, Timer.TURN, None, 9),
        (TableState.PLAYING, Pace.NONE, Timer.COMPUTER, None, 9),
        (TableState.BETWEEN, Pace.PER_TURN, None, None, 9),
        (TableState.BETWEEN, Pace.PER_TURN, None, AT, 0),
        (TableState.CLOSED, Pace.PER_TURN, None, AT, 9),
    ],
)
async def test_a_table_whose_message_shows_a_time_is_drawn_again_after_a_long_outage(
    store: Store, state: TableState, pace: Pace, timer: Timer | None, pause: int | None, drawn: int
) -> None:
    await store.event(break_until=pause)
    terms = replace(plain_table(TABLE).terms, clock=Clock(pace=pace, seconds=60))
    table = await store.table(state=state, terms=terms, event_no=KEY.number, version=9, drawn_version=9)
    if timer is not None:
        await store.write(lambda tx: tx.timers.set_timer(TABLE, timer, AT))
    await store.write(lambda tx: tx.timers.shift(1000, shard=EVERYTHING, tell=False))
    assert await store.read(lambda tx: tx.tables.get(TABLE)) == table
    await store.write(lambda tx: tx.timers.shift(1000, shard=EVERYTHING, tell=True))
    moved = await store.read(lambda tx: tx.tables.get(TABLE))
    assert moved is not None
    assert moved.drawn_version == drawn


async def test_an_event_is_undrawn_until_its_newest_version_is_drawn(store: Store) -> None:
    event = await store.event(version=3, drawn_version=1, message=None)
    await store.event(SECOND, version=3, drawn_version=3)
    assert await store.read(lambda tx: tx.outbox.undrawn_events()) == [KEY]
    await store.write(lambda tx: tx.events.note_drawn(KEY, version=2, message=77))
    assert await store.read(lambda tx: tx.outbox.undrawn_events()) == [KEY]
    await store.write(lambda tx: tx.events.note_drawn(KEY, version=3, message=78))
    assert await store.read(lambda tx: tx.outbox.undrawn_events()) == []
    assert await store.read(lambda tx: tx.events.get(KEY)) == replace(event, drawn_version=3, message=78)


async def test_an_event_with_a_message_that_waits_is_undrawn_too_and_named_once(store: Store) -> None:
    await store.event(version=3, drawn_version=3)
    await store.event(SECOND, version=3, drawn_version=1)
    for key in (KEY, KEY, SECOND):
        await store.write(lambda tx, key=key: tx.outbox.post_event(key, Notice.SAID, {}, at=AT))  # type: ignore[misc]
    assert await store.read(lambda tx: tx.outbox.undrawn_events()) == [KEY, SECOND]


async def test_what_discord_was_told_of_an_event_is_noted_and_nothing_else(store: Store) -> None:
    event = await store.event()
    await store.event(SECOND)
    await store.write(lambda tx: tx.events.note_scheduled(KEY, scheduled=None, told=""))
    assert await store.read(lambda tx: tx.events.get(KEY)) == replace(event, scheduled=None, scheduled_as="")
    await store.write(lambda tx: tx.events.note_scheduled(KEY, scheduled=5, told="x"))
    assert await store.read(lambda tx: tx.events.get(KEY)) == replace(event, scheduled=5, scheduled_as="x")
    assert await store.read(lambda tx: tx.events.get(SECOND)) == replace(EVENT, key=SECOND, page="")


async def test_messages_of_an_event_wait_in_order_until_they_are_posted(store: Store) -> None:
    def job(tx: Tx) -> None:
        for number, notice in enumerate(Notice):
            tx.outbox.post_event(KEY, notice, {"n": number, "text": "運"}, at=AT)
            tx.outbox.post_event(SECOND, Notice.SAID, {}, at=AT)

    await store.write(job)
    waiting = await store.read(lambda tx: tx.outbox.event_postings(KEY, limit=99))
    assert [(row.key, row.notice, row.details) for row in waiting] == [
        (KEY, notice, {"n": number, "text": "運"}) for number, notice in enumerate(Notice)
    ]
    assert await store.read(lambda tx: tx.outbox.event_postings(KEY, limit=2)) == waiting[:2]
    await store.write(lambda tx: tx.outbox.event_posted(waiting[0].number))
    await store.write(lambda tx: tx.outbox.event_posted(waiting[0].number))
    assert await store.read(lambda tx: tx.outbox.event_postings(KEY, limit=99)) == waiting[1:]
    assert await store.read(lambda tx: tx.outbox.event_postings(FOREIGN, limit=9)) == []


# series, drafts, servers


async def test_series_are_named_once_the_one_used_last_first(store: Store) -> None:
    plan = [("Friday", 10), ("Sunday", 40), ("", 90), ("Friday", 50), ("Monday", 50)]
    for number, (series, created_at) in enumerate(plan, 1):
        key = EventKey(guild=GUILD, number=number)
        await store.event(key, series=series, created_at=created_at, channel=100 + number)
    await store.event(FOREIGN, series="Tuesday", channel=7)
    listed = await store.read(lambda tx: list(tx.events.series(GUILD).items()))
    assert listed == [("Monday", 105), ("Friday", 104), ("Sunday", 102)]
    assert await store.read(lambda tx: tx.events.series(OTHER_GUILD)) == {"Tuesday": 7}
    assert await store.read(lambda tx: tx.events.series(GuildId(9))) == {}


async def counted(store: Store, guild: GuildId, series: str) -> list[int]:
    """The numbers of the events of a series that count."""
    return [event.number for event in await store.read(lambda tx: tx.events.ended(guild, series=series))]


async def test_the_events_of_a_series_are_those_that_have_ended_oldest_first(store: Store) -> None:
    for number, phase in enumerate([Phase.ENDED, Phase.RUNNING, Phase.ENDED, Phase.CANCELLED], 1):
        await store.event(EventKey(guild=GUILD, number=number), phase=phase)
    await store.event(EventKey(guild=GUILD, number=5), phase=Phase.ENDED, series="Sunday")
    await store.event(FOREIGN, phase=Phase.ENDED)
    assert await counted(store, GUILD, "Friday") == [KEY.number, THIRD.number]
    assert await counted(store, GUILD, "Monday") == []
    assert [event.number for event in await store.read(lambda tx: tx.events.ended(GUILD))] == [1, 3, 5]
    assert await store.read(lambda tx: tx.events.ended(GUILD, until=AT)) == []
    assert await store.read(lambda tx: tx.events.ended(GUILD, player=BOB)) == []


async def test_a_draft_is_kept_for_each_organiser_until_it_is_forgotten(store: Store) -> None:
    draft = EventDraft(guild=GUILD, organiser=ANN, values={"name": "運", "levels": [1, 2], "fee": None}, at=AT)
    await store.write(lambda tx: tx.events.save_draft(replace(draft, values={}, at=1)))
    await store.write(lambda tx: tx.events.save_draft(draft))
    await store.write(lambda tx: tx.events.save_draft(replace(draft, organiser=BOB)))
    assert await store.read(lambda tx: tx.events.draft(GUILD, ANN)) == draft
    assert await store.read(lambda tx: tx.events.draft(OTHER_GUILD, ANN)) is None
    await store.write(lambda tx: tx.events.forget_draft(GUILD, ANN))
    await store.write(lambda tx: tx.events.forget_draft(OTHER_GUILD, BOB))
    assert await store.read(lambda tx: tx.events.draft(GUILD, ANN)) is None
    assert await store.read(lambda tx: tx.events.draft(GUILD, BOB)) == replace(draft, organiser=BOB)


async def test_a_server_has_chosen_nothing_until_it_chooses(store: Store) -> None:
    assert await store.read(lambda tx: tx.choices.server(GUILD)) == ServerSettings()
    for chosen in (
        ServerSettings(organiser_role=2**60, zone="Asia/Tokyo"),
        ServerSettings(zone="UTC"),
        ServerSettings(),
    ):
        await store.write(lambda tx, chosen=chosen: tx.choices.save_server(GUILD, chosen))  # type: ignore[misc]
        assert await store.read(lambda tx: tx.choices.server(GUILD)) == chosen
    assert await store.read(lambda tx: tx.choices.server(OTHER_GUILD)) == ServerSettings()


# chips

POOL, HIS, HERS, MINT = "pool:1", f"event:1:{BOB}", f"event:1:{ANN}", "event:1"


def hand_over(payer: str, payee: str, chips: int, *, kind: str = "entry_fee", cause: str = "h") -> Callable[[Tx], None]:
    """From purse to purse."""
    return lambda tx: tx.ledger.hand_over(GUILD, payer=payer, payee=payee, chips=chips, kind=kind, cause=cause, at=2)


def made_or_added(mint: str) -> str:
    """Return the kind of a mint's transfers: an event's mint makes stacks, the server's adds to pools."""
    return "event_stack" if mint else "added"


def issue(payee: str, chips: int, *, mint: str = MINT, cause: str = "i") -> Callable[[Tx], None]:
    """A mint pays."""
    return lambda tx: tx.ledger.issue(
        GUILD, mint=mint, payee=payee, chips=chips, kind=made_or_added(mint), cause=cause, at=3
    )


def take_back(payer: str, chips: int, *, mint: str = MINT, cause: str = "t") -> Callable[[Tx], None]:
    """A mint is paid."""
    return lambda tx: tx.ledger.take_back(
        GUILD, mint=mint, payer=payer, chips=chips, kind=made_or_added(mint), cause=cause, at=4
    )


async def do(store: Store, *jobs: Callable[[Tx], None]) -> None:
    """Do things in one transaction."""

    def job(tx: Tx) -> None:
        for one in jobs:
            one(tx)

    await store.write(job)


async def purses(store: Store, *owners: str) -> list[int]:
    """Return the contents of purses."""
    return [await store.read(lambda tx, owner=owner: tx.ledger.purse(GUILD, owner)) for owner in owners]  # type: ignore[misc]


@pytest.fixture
async def funded(store: Store) -> Store:
    """Ann and Bob with 1000 chips each, of which each has paid 300 into the pool; 500 of the event's for each."""
    for player in (ANN, BOB):
        await store.write(lambda tx, player=player: tx.ledger.grant(GUILD, player, 1000, cause=f"g{player}", at=1))  # type: ignore[misc]
        await do(store, hand_over(player, POOL, 300))
    await do(store, issue(HERS, 500), issue(HIS, 500))
    await store.event(phase=Phase.RUNNING)
    return store


async def test_a_purse_is_a_wallet_and_a_players_wallet_is_his_purse(funded: Store) -> None:
    assert await purses(funded, ANN, BOB, POOL, HERS, HIS, CLEO) == [700, 700, 600, 500, 500, 0]
    assert await funded.read(lambda tx: tx.ledger.wallet(GUILD, ANN)) == 700
    assert await funded.read(lambda tx: tx.ledger.purse(OTHER_GUILD, POOL)) == 0
    assert not await funded.read(lambda tx: tx.ledger.has_wallet(GUILD, CLEO))


async def test_the_chips_of_an_event_come_from_its_mint_and_go_back_there(funded: Store) -> None:
    def hand(tx: Tx) -> None:
        for player, purse in ((ANN, HERS), (BOB, HIS)):
            tx.ledger.buy_in(TABLE, player, 500, cause="seated", at=3, purse=purse)
        tx.ledger.pay(TABLE, payer=ANN, payee=BOB, chips=200, hand_no=1, at=4, kind="event_hand")
        tx.ledger.cash_out(TABLE, ANN, 300, cause="broken", at=5, purse=HERS)
        tx.ledger.cash_out(TABLE, BOB, 700, cause="broken", at=5, purse=HIS)

    await do(funded, hand)
    assert await purses(funded, ANN, BOB, HERS, HIS) == [700, 700, 300, 700]
    await do(funded, take_back(HERS, 300), take_back(HIS, 700))
    mints = dict(ask(funded.place, "SELECT owner, balance FROM account WHERE kind = 'mint'"))
    assert mints == {"": -2000, MINT: 0}
    assert await funded.storage.unbalanced() == []


async def test_the_house_adds_to_the_pool_from_the_servers_own_mint(funded: Store) -> None:
    await do(funded, issue(POOL, 1000, mint="", cause="added"))
    assert await purses(funded, POOL) == [1600]
    await do(funded, take_back(POOL, 1000, mint="", cause="not played"))
    assert await purses(funded, POOL) == [600]


async def test_a_wallets_history_tells_of_fees_and_prizes_and_never_of_an_events_chips(funded: Store) -> None:
    def hand(tx: Tx) -> None:
        for player, purse in ((ANN, HERS), (BOB, HIS)):
            tx.ledger.buy_in(TABLE, player, 500, cause="seated", at=3, purse=purse)
        tx.ledger.pay(TABLE, payer=BOB, payee=ANN, chips=200, hand_no=1, at=4, kind="event_hand")
        tx.ledger.cash_out(TABLE, ANN, 700, cause="broken", at=5, purse=HERS)

    await do(funded, hand, hand_over(POOL, ANN, 600, kind="prize"), hand_over(ANN, POOL, 5, cause="again"))
    await do(funded, hand_over(POOL, ANN, 5, kind="refund", cause="again"))
    moves = await funded.read(lambda tx: tx.ledger.history(GUILD, ANN, limit=99, skip=0))
    event = await funded.read(lambda tx: tx.events.get(KEY))
    assert event is not None
    name = event.name
    assert moves == [
        Movement(chips=5, kind="refund", at=2, table=None, event=name),
        Movement(chips=-5, kind="entry_fee", at=2, table=None, event=name),
        Movement(chips=600, kind="prize", at=2, table=None, event=name),
        Movement(chips=-300, kind="entry_fee", at=2, table=None, event=name),
        Movement(chips=1000, kind="grant", at=1, table=None),
    ]
    assert sum(move.chips for move in moves) == (await purses(funded, ANN))[0]


@pytest.mark.parametrize(
    ("job", "why"),
    [
        (hand_over(ANN, POOL, 701, cause="x"), "account_never_negative"),
        (hand_over(POOL, ANN, 601, kind="prize"), "account_never_negative"),
        (hand_over(ANN, ANN, 1), "transfer_not_to_oneself"),
        (hand_over(ANN, POOL, 0, cause="x"), "transfer_positive"),
        (hand_over(ANN, POOL, 300), TWICE),
        (issue(HERS, 500), TWICE),
        (issue(HERS, -1, cause="x"), "transfer_positive"),
        (take_back(HERS, 501), "account_never_negative"),
        (lambda tx: tx.ledger.buy_in(TABLE, ANN, 501, cause="x", at=1, purse=HERS), "account_never_negative"),
        (lambda tx: tx.ledger.cash_out(TABLE, ANN, 1, cause="x", at=1, purse=HERS), "account_never_negative"),
    ],
)
async def test_the_database_refuses_what_must_not_be(funded: Store, job: Callable[[Tx], None], why: str) -> None:
    before = await purses(funded, ANN, BOB, POOL, HERS, HIS)
    with pytest.raises(REFUSED, match=why):
        await do(funded, job)
    assert await purses(funded, ANN, BOB, POOL, HERS, HIS) == before


async def test_a_backups_summary_counts_the_servers_chips_and_not_an_events(funded: Store) -> None:
    sql = funded.database.sql
    assert (await funded.database.read(lambda transaction: content_of(sql(transaction), size=0))).chips == 2000


# invariants


def won(tx: Tx) -> None:
    """Store an event winner's entry for the profile."""
    assert isinstance(tx, Tx)
    tx.badges.award(GUILD, [(ANN, EarnedBadge(badge=Badge.EVENT_WON, at=1))])
    tx.badges.note_feat(
        GUILD, RecordEntry(kind=RecordKind.EVENT, game="", player=Player(""), value=3, at=1, table=1, hand_no=0)
    )


def by_hand(player: Player) -> Result:
    """Return a player's result of an event's hand in which they placed cards themselves."""
    return replace(RESULT, player=player, ranked=False, played=True)


@pytest.fixture
async def ended(funded: Store) -> Store:
    """Return an event that was played to its end with nothing left over, next to a running one."""
    await do(funded, take_back(HERS, 500), take_back(HIS, 500), hand_over(POOL, ANN, 600, kind="prize"))
    # One in which all began alike: it counts.
    await funded.event(phase=Phase.ENDED, structure=replace(STRUCTURE, handicap=False))
    await funded.event(SECOND, phase=Phase.RUNNING)
    await funded.event(EventKey(guild=GUILD, number=3), phase=Phase.CANCELLED)
    for place, player in enumerate((ANN, BOB, CLEO), 1):
        played = player != CLEO
        await funded.entrants(
            replace(ENTRANT, player=player, head=0, state=EntrantState.OUT, place=place, played=played)
        )
    withdrawn = replace(ENTRANT, player=Player("4"), head=0, state=EntrantState.WITHDRAWN, place=0)
    await funded.entrants(withdrawn)
    await funded.entrants(replace(ENTRANT, head=0, place=0), withdrawn, key=SECOND)
    await funded.table(event_no=1, state=TableState.CLOSED)
    # Of the first two of them a hand at the event's table has a card that they placed.
    await funded.write(lambda tx: tx.results.add(TABLE, 1, [by_hand(ANN), by_hand(BOB)], at=1))
    await funded.table(TableKey(guild=GUILD, table=TableId(2)), event_no=2)
    await funded.table(TableKey(guild=GUILD, table=TableId(3)))
    for key in (KEY, KEY, KEY, SECOND):
        await funded.write(note("something", key=key))
    await funded.write(won)
    await do(funded, issue(f"event:2:{ANN}", 500, mint="event:2"), hand_over(BOB, "pool:2", 10, cause="two"))
    # A closed table has the hand that it was committed to, and did not deal.
    change(
        funded.place,
        "INSERT INTO hand (guild_id, table_id, hand_no, variant, state, commitment, sealed_seed, entropy, "
        "point_value, started_at) VALUES (?, 1, 1, 'pineapple', 'undealt', ?, ?, '[]', 50, 1)",
        (GUILD, b"", b""),
    )
    return funded


def report(path: Place) -> list[str]:
    """Return the findings of a check, one per line."""
    assert isinstance(path, Path)
    with reading(path) as connection:
        return [finding.line for finding in check(connection, MIGRATIONS, secrets=None).findings]


@pytest.mark.of_sqlite
async def test_nothing_is_found_where_all_is_in_order(ended: Store) -> None:
    await ended.database.close()
    assert report(ended.place) == []


@pytest.mark.of_sqlite
@pytest.mark.parametrize(("places", "wanted"), [((1, 2, 2), 0), ((1, 1, 3), 0), ((1, 1, 2), 1), ((1, 3, 3), 1)])
@pytest.mark.parametrize("form", [form for form in Format if form.heads_up])
async def test_places_are_shared_in_brackets_only_if_they_add_up(
    ended: Store, form: Format, places: tuple[int, ...], wanted: int
) -> None:
    await ended.event(
        EventKey(guild=GUILD, number=4), phase=Phase.ENDED, structure=replace(STRUCTURE, format=form, table_seats=2)
    )
    for place, player in zip(places, (ANN, BOB, CLEO), strict=True):
        out = replace(ENTRANT, player=player, head=0, state=EntrantState.OUT, place=place, played=False)
        await ended.entrants(out, key=EventKey(guild=GUILD, number=4))
    await ended.database.close()
    found = [line for line in report(ended.place) if "have 2 places from" in line]
    assert [line.split(": ")[1].split(",")[0] for line in found] == ["event 4 is over"] * wanted


SERVER = f"server {GUILD}"
OVER_AND_NOT_EMPTY = [
    f"{SERVER}: the mint account of 'event:2' holds -500 chips, but its event is over",
    f"{SERVER}: the wallet account of 'event:2:{ANN}' holds 500 chips, but its event is over",
    f"{SERVER}: the wallet account of 'pool:2' holds 10 chips, but its event is over",
    f"{SERVER}, table 2: it is open, but its event 2 is over",
]
PLANTED = [
    (
        """UPDATE event SET structure = REPLACE(structure, '"handicap":false', '"handicap":true')""",
        [
            f"{SERVER}: the badge 'event_won' of '{ANN}' was not earned",
            f"{SERVER}: the largest event had None players, but 3 are recorded",
        ],
    ),
    (
        f"INSERT INTO waiting_player (guild_id, event_id, player, turn, since) VALUES ({GUILD}, 1, '4', 1, 1)",
        [f"{SERVER}: '4' waits for a place in event 1, but its waiting list has ended"],
    ),
    (
        "UPDATE entrant SET head = 11 WHERE event_id = 2 AND place = 0 AND state = 'withdrawn'",
        [f"{SERVER}: bounties of 11 chips are on heads in event 2, but its pool holds 10"],
    ),
    (
        "UPDATE event SET phase = 'ended' WHERE event_id = 2",
        [
            *OVER_AND_NOT_EMPTY,
            f"{SERVER}: event 2 is over, but its 1 entrants have 1 places from 0 to 0",
        ],
    ),
    ("UPDATE event SET phase = 'cancelled' WHERE event_id = 2", OVER_AND_NOT_EMPTY),
    (
        "UPDATE account SET owner = 'pool:12' WHERE owner = 'pool:2'",
        [f"{SERVER}: the wallet account of 'pool:12' holds 10 chips, but it belongs to no event"],
    ),
    (
        "UPDATE account SET owner = 'event:22' WHERE owner = 'event:2'",
        [f"{SERVER}: the mint account of 'event:22' holds -500 chips, but it belongs to no event"],
    ),
    (
        f"UPDATE account SET owner = 'event:2:{CLEO}' WHERE owner = 'event:2:{ANN}'",
        [f"{SERVER}: the wallet account of 'event:2:{CLEO}' holds 500 chips, but it belongs to no event"],
    ),
    (
        "UPDATE game_table SET event_id = 9 WHERE table_id = 2",
        [f"{SERVER}, table 2: it is open, but its event 9 does not exist"],
    ),
    (
        "UPDATE event SET event_id = 4 WHERE event_id = 3",
        [f"{SERVER}: there are 3 events, but the last one is 4"],
    ),
    (
        "UPDATE entrant SET place = 3 WHERE event_id = 1 AND place = 2",
        [f"{SERVER}: event 1 is over, but its 3 entrants have 2 places from 1 to 3"],
    ),
    (
        "UPDATE entrant SET place = 4 WHERE event_id = 1 AND place = 3",
        [f"{SERVER}: event 1 is over, but its 3 entrants have 3 places from 1 to 4"],
    ),
    (
        "UPDATE entrant SET place = place - 1 WHERE event_id = 1 AND state = 'out'",
        [
            f"{SERVER}: event 1 is over, but its 3 entrants have 3 places from 0 to 2",
            f"{SERVER}: the badge 'event_won' of '{ANN}' was not earned",
            f"{SERVER}: the badge 'event_won' of '{BOB}' was earned, but is missing",
            f"{SERVER}: the largest event had 2 players, but 3 are recorded",
        ],
    ),
    (
        f"UPDATE result SET played = 0 WHERE player = '{ANN}'",
        [f"{SERVER}: whether '{ANN}' placed a card in event 1 is recorded wrongly"],
    ),
    (
        "DELETE FROM event_log WHERE event_id = 1 AND seq = 2",
        [f"{SERVER}: the log of event 1 has 2 entries, but the last one is 3"],
    ),
    (
        "DELETE FROM event_log WHERE event_id = 1 AND seq = 1",
        [f"{SERVER}: the log of event 1 has 2 entries, but the last one is 3"],
    ),
]


@pytest.mark.of_sqlite
@pytest.mark.parametrize(("statement", "wanted"), PLANTED, ids=[statement for statement, _ in PLANTED])
async def test_planted_damage_is_found_and_nothing_else(ended: Store, statement: str, wanted: list[str]) -> None:
    await ended.database.close()
    assert isinstance(ended.place, Path)
    with closing(sqlite3.connect(ended.place, isolation_level=None)) as connection:
        final = "SELECT sql FROM sqlite_schema WHERE name = 'event_log_is_final_delete'"
        (trigger,) = connection.execute(final).fetchone()
        connection.execute("DROP TRIGGER event_log_is_final_delete")
        assert connection.execute(statement).rowcount > 0
        connection.execute(trigger)
        connection.row_factory = sqlite3.Row
        assert unbalanced(SqliteSql(connection)) == []
    assert sorted(report(ended.place)) == sorted(wanted)


@pytest.mark.of_sqlite
async def test_a_log_that_can_be_changed_is_a_finding(ended: Store) -> None:
    await ended.database.write(lambda sql: sql.execute("DROP TRIGGER event_log_is_final_update"))
    await ended.database.close()
    assert report(ended.place) == ["the trigger event_log_is_final_update is missing"]


@pytest.mark.of_sqlite
async def test_a_large_event_is_read_in_one_question_each(store: Store) -> None:
    await store.event()
    for number in range(1, 9):
        table = EventTable(table=TableId(number))
        await store.table(TableKey(guild=GUILD, table=table.table), event_no=1)
        await store.write(lambda tx, table=table: tx.entrants.save_event_table(KEY, table))  # type: ignore[misc]
        await store.entrants(replace(ENTRANT, player=Player(str(number)), registered_at=number))
    asked: list[str] = []

    def job(sql: sqlite3.Connection) -> tuple[list[Entrant], list[EventTable], list[Table]]:
        sql.set_trace_callback(asked.append)
        tx = Tx(SqliteSql(sql))
        found = tx.entrants.of(KEY), tx.entrants.event_tables(KEY, over=False), tx.tables.open(GUILD)
        sql.set_trace_callback(None)
        return found

    entrants, tables, seen = await store.database.read(job)
    assert [len(entrants), len(tables), len(seen), len(asked)] == [8, 8, 8, 3]
    # Games are values that never change: one stands for all.
    assert len({id(table.terms.variant) for table in seen}) == 1
