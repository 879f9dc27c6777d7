"""Tables of events: seats are the event's, who leaves sits out, and boards of a shared deck stay secret."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model.clock import Clock, Pace
from bot.model.events import Official
from bot.model.hands import HandState
from bot.model.ids import EventKey, GuildId, Player, TableKey
from bot.model.reasons import EventReason, HandReason
from bot.model.tables import EventNote, PostKind, TableState, Timer, WaitReason
from bot.play.api.events import Events
from bot.play.event.office.registration import PlannedEvent
from bot.pure.event.structure import PRESETS, Format, Structure
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.log import CardsPlaced, PlacedBy
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.view import HandView, face_down
from bot.pure.solver.levels import Level
from tests.play.world import CHANNEL, GUILD, World

BOSS = Official(player=Player("1"))
PEOPLE = [Player(str(number)) for number in range(2001, 2007)]
STRANGER = Player("3001")
DUPLICATE = replace(PRESETS["duplicate"], threads=False)
WEEKLY = replace(PRESETS["chaipo"], check_in_minutes=0, threads=False)


async def announced(world: World, structure: Structure, *, people: int = 6) -> EventKey:
    """Publish an event with tables of three, and register ``people`` players."""
    plain = structure.format is Format.DUPLICATE
    events = world.events
    plan = PlannedEvent(
        guild=GuildId(GUILD),
        channel=CHANNEL,
        organiser=BOSS.player,
        language="en",
        name="Friday",
        variant=house_variant("pineapple", {"fantasyland": "off"} if plain else {}),
        structure=structure,
        clock=Clock(pace=Pace.PER_TURN, seconds=60),
        starts_at=world.now + 3_600_000,
    )
    key = (await events.create(plan, cause=world.cause())).key
    for player in PEOPLE[:people]:
        await events.register(key, player, cause=world.cause())
    return key


async def started(world: World, structure: Structure, *, people: int = 6) -> tuple[Events, EventKey]:
    """Publish an event, register players and start it."""
    key = await announced(world, structure, people=people)
    await world.events.start(key, BOSS, cause=world.cause())
    return world.events, key


async def tables_of(events: Events, key: EventKey) -> list[TableKey]:
    return [line.table.key for line in (await events.look(key)).tables]


async def note_of(world: World, table: TableKey) -> EventNote:
    event = (await world.play.look(table)).event
    assert event is not None
    return event


async def dealt(world: World) -> None:
    """Wait for the seats to be taken and the first hand to be dealt."""
    await world.later(world.policy.seating_ms)


def faces(hand: HandView | None) -> list[object]:
    """All cards of a hand that are seen."""
    assert hand is not None
    piles = [pile for seat in hand.seats for pile in (*seat.rows, seat.held, seat.discards)]
    return [card for pile in piles for card in pile if card is not None]


@pytest.fixture
async def duplicate(world: World) -> tuple[TableKey, TableKey]:
    """Two tables that play the same deck."""
    events, key = await started(world, DUPLICATE)
    await dealt(world)
    one, other = await tables_of(events, key)
    return one, other


async def test_while_a_deck_is_played_only_those_at_the_table_see_its_cards(
    world: World, duplicate: tuple[TableKey, TableKey]
) -> None:
    one, other = duplicate
    await world.play_street(one)
    here = [place.seat.player for place in (await world.play.look(one)).places]
    there = [place.seat.player for place in (await world.play.look(other)).places]
    for eyes in (None, STRANGER, *there):
        view = await world.play.look(one, eyes)
        assert view.event is not None
        assert view.event.conceals
        assert faces(view.hand) == []
    for eyes in here:
        assert faces((await world.play.look(one, eyes)).hand)


async def test_nor_do_others_see_in_which_rows_the_cards_were_placed(
    world: World, duplicate: tuple[TableKey, TableKey]
) -> None:
    one, _ = duplicate
    first = await world.turn(one)
    await world.place_cards(one, first, "FFMMM")
    hand = (await world.play.look(one)).hand
    assert hand is not None
    seat = next(seat for seat in hand.seats if seat.player == first)
    assert [len(row) for row in seat.rows] == [0, 0, 5]


async def test_a_result_waits_until_every_table_has_played_the_deck(
    world: World, duplicate: tuple[TableKey, TableKey]
) -> None:
    one, other = duplicate
    await world.play_hand(one)
    view = await world.play.look(one)
    assert faces(view.hand) == []
    assert view.hand is not None
    assert view.hand.score is None
    for ask in (world.play.result, world.play.proof):
        with pytest.raises(Refused) as refused:
            await ask(one, 1)
        assert refused.value.reason is HandReason.NOT_REVEALED_YET
    await world.play_hand(other)
    assert (await world.play.result(one, 1)).record.state is HandState.SETTLED
    assert len(faces((await world.play.look(one)).hand)) == 3 * 13
    assert [posting.kind for posting in await world.play.postings(one)] == [PostKind.RESULT]


async def test_a_table_that_closes_before_the_others_have_played_tells_nothing(
    world: World, duplicate: tuple[TableKey, TableKey]
) -> None:
    one, _ = duplicate
    await world.play_street(one)
    await world.sessions.write(lambda s: _void(s, one))
    assert faces((await world.play.look(one)).hand) == []
    with pytest.raises(Refused):
        await world.play.result(one, 1)


def _void(s: object, table: TableKey) -> None:
    from bot.play.hand import settling
    from bot.play.session.session import Session

    assert isinstance(s, Session)
    settling.void(s, s.table(table), reason="bad_log")


async def test_the_players_own_view_is_whole_after_their_hand(
    world: World, duplicate: tuple[TableKey, TableKey]
) -> None:
    one, _ = duplicate
    await world.play_hand(one)
    player = (await world.play.look(one)).places[0].seat.player
    view = await world.play.look(one, player)
    assert len(faces(view.hand)) >= 3 * 13
    assert view.event is not None
    assert view.event.waits is WaitReason.OTHERS or view.next_hand_at is not None


async def test_a_hand_face_down_says_only_how_far_it_is(world: World, duplicate: tuple[TableKey, TableKey]) -> None:
    one, _ = duplicate
    player = (await world.play.look(one)).places[0].seat.player
    await world.play_hand(one)
    open_hand = (await world.play.look(one, player)).hand
    assert open_hand is not None
    hidden = face_down(open_hand)
    assert faces(hidden) == []
    assert hidden.score is None
    assert [[len(row) for row in seat.rows] for seat in hidden.seats] == [[3, 5, 5]] * 3


async def test_other_events_hide_nothing(world: World) -> None:
    events, key = await started(world, WEEKLY)
    await dealt(world)
    table, *_ = await tables_of(events, key)
    await world.play_street(table)
    assert not (await note_of(world, table)).conceals
    assert faces((await world.play.look(table)).hand)


async def test_a_table_names_its_event_and_level(world: World) -> None:
    events, key = await started(world, WEEKLY)
    await dealt(world)
    table, *_ = await tables_of(events, key)
    note = await note_of(world, table)
    assert (note.number, note.name, note.level, note.channel) == (1, "Friday", 1, CHANNEL)
    assert note.is_placed
    assert (await world.play.look(await world.table(STRANGER))).event is None


async def test_a_duplicate_event_has_rounds_and_no_level(world: World, duplicate: tuple[TableKey, TableKey]) -> None:
    note = await note_of(world, duplicate[0])
    assert (note.level, note.round, note.rounds) == (0, 1, DUPLICATE.rounds)


async def test_who_leaves_an_events_table_sits_out_and_the_clock_places_at_once(world: World) -> None:
    events, key = await started(world, WEEKLY)
    await dealt(world)
    table, *_ = await tables_of(events, key)
    player = await world.turn(table)
    chips = (await world.play.look(table, player)).mine
    await world.leave(table, player)
    await world.later(0)
    view = await world.play.look(table, player)
    assert view.mine is not None
    assert chips is not None
    assert view.mine.seat.away
    assert not view.mine.seat.leaving
    assert view.mine.stack == chips.stack
    assert player not in view.waiting


async def test_who_sits_out_stays_seated_for_the_next_hand_and_comes_back(world: World) -> None:
    events, key = await started(world, WEEKLY, people=3)
    await dealt(world)
    (table,) = await tables_of(events, key)
    player = await world.turn(table)
    await world.leave(table, player)
    await world.sessions.write(lambda s: _void(s, table))
    await world.next_hand(table)
    view = await world.play.look(table, player)
    assert view.mine is not None
    assert view.table.state is TableState.PLAYING
    await world.stay(table, player)
    after = (await world.play.look(table, player)).mine
    assert after is not None
    assert not after.seat.away


async def test_who_serves_a_penalty_comes_back_when_it_is_over(world: World) -> None:
    events, key = await started(world, WEEKLY, people=3)
    await dealt(world)
    (table,) = await tables_of(events, key)
    player = await world.turn(table)
    await events.penalty(key, BOSS, player, hands=2, why="late", cause=world.cause())
    with pytest.raises(Refused) as refused:
        await world.stay(table, player)
    assert (refused.value.reason, refused.value.details["count"]) == (EventReason.SERVES_PENALTY, 2)
    await events.penalty(key, BOSS, player, hands=0, why="late", cause=world.cause())
    await world.stay(table, player)


@pytest.mark.parametrize("begun", [False, True])
async def test_the_clock_places_nothing_that_somebody_who_serves_a_penalty_has_chosen(
    world: World, begun: bool
) -> None:
    events, key = await started(world, WEEKLY)
    await dealt(world)
    table = (await tables_of(events, key))[0]
    one = await world.turn(table)
    drafted = "FMMBB"

    async def draft() -> None:
        await world.play.save_draft(table, one, hand_no=1, street=1, rows=drafted)

    if begun:
        await draft()
    await events.penalty(key, BOSS, one, hands=2, why="late", cause=world.cause())
    if not begun:
        await draft()
    await world.later(1)
    facts = await world.sessions.read(lambda s: s.tx.hands.facts(table, 1))
    hand = await world.replayed(table, 1)
    mine = [f for f in facts if isinstance(f, CardsPlaced) and hand.seats[f.seat].player == one]
    assert [(fact.street, fact.by) for fact in mine] == [(1, PlacedBy.CLOCK)]
    assert mine[0].rows != drafted


async def test_nobody_joins_starts_or_closes_an_events_table(world: World) -> None:
    events, key = await started(world, WEEKLY, people=3)
    (table,) = await tables_of(events, key)
    play = world.play
    for refuse in (
        play.join(table, STRANGER, cause=world.cause()),
        play.start(table, BOSS.player, cause=world.cause()),
        play.cancel(table, BOSS.player, cause=world.cause()),
        play.join_computer(table, BOSS.player, level=Level.CLUB, cause=world.cause()),
        play.close(table, reason="closed_by_admin"),
    ):
        with pytest.raises(Refused) as refused:
            await refuse
        assert refused.value.reason is EventReason.EVENT_TABLE
    assert Timer.NEXT_HAND.value in world.timers(table)
