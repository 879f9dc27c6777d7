"""Event channels: lost channels, restarts, and the leaderboard of a series."""

from functools import partial

import pytest

from bot.model.events import Notice, Phase
from bot.model.hands import HandState
from bot.model.reasons import EventReason
from bot.play.event.formats import counting
from bot.play.event.office import director, draw_proofs, table_hooks
from bot.play.event.organisers import organiser
from bot.play.hand import hand_log
from bot.play.session import chips
from bot.pure.event.draw import check_draw
from bot.pure.event.structure import Format
from bot.pure.ofc.house_rules import house_variant
from tests.play.event.event_world import CHANNEL, POLICY, A, B, C, D, E, F, Scene, somebody, structure
from tests.play.event.storage import InMemory

FEE = 500
THREAD = 1234


def _place_gone(scene: Scene, table: int, reason: str) -> None:
    key = scene.spot(table).key
    scene.write(lambda s: table_hooks.without_place(s, s.table(key), reason=reason))


def _house(scene: Scene, table: int, channel: int | None) -> None:
    key = scene.spot(table).key
    scene.write(lambda s: table_hooks.set_thread(s, key, channel=channel))


# places


def test_a_table_of_an_event_is_not_closed_by_hand(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.refused(EventReason.EVENT_TABLE, lambda: _place_gone(scene, 1, "closed_by_admin"))


def test_a_table_whose_thread_is_gone_gets_a_new_place_and_nobody_loses_a_chip(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    _house(scene, 1, THREAD)
    assert (scene.spot(1).table.channel, scene.spot(1).info.threaded) == (CHANNEL, False)
    scene.hand(1, {(scene.tables()[1][0], scene.tables()[1][1]): 7})
    _house(scene, 1, THREAD)
    assert (scene.spot(1).table.channel, scene.spot(1).info.threaded) == (THREAD, True)
    scene.go_on()
    before, seats = scene.spot(1).stacks, scene.tables()
    _place_gone(scene, 1, "channel_gone")
    spot = scene.spot(1)
    assert (spot.table.channel, spot.info.threaded) == (CHANNEL, False)
    assert (spot.stacks, scene.tables()) == (before, seats)
    assert not spot.idle


def test_a_table_that_can_have_no_thread_is_played_in_the_channel_of_the_event(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    _house(scene, 1, None)
    assert (scene.spot(1).table.channel, scene.spot(1).info.threaded) == (CHANNEL, True)


def test_without_threads_all_tables_are_played_in_the_channel_of_the_event(scene: Scene) -> None:
    scene.begin(structure(threads=False), A, B, C)
    assert (scene.spot(1).table.channel, scene.spot(1).info.threaded) == (CHANNEL, True)


@pytest.mark.parametrize("reason", ["channel_gone", "guild_gone"])
def test_when_the_channel_or_the_server_is_gone_the_event_is_called_off(scene: Scene, reason: str) -> None:
    scene.begin(structure(fee=FEE), A, B, C)
    if reason == "guild_gone":
        scene.hand(1)
        _house(scene, 1, THREAD)
    _place_gone(scene, 1, reason)
    scene.ends(Phase.CANCELLED)
    assert scene.event.reason == reason
    assert [scene.wallet(one) for one in (A, B, C)] == [POLICY.start_chips] * 3


def test_an_event_whose_channel_is_gone_before_its_start_is_called_off_once(scene: Scene) -> None:
    scene.announce(structure(fee=FEE))
    scene.register(A, B)
    gone = partial(director.place_gone, key=scene.key, reason="channel_gone")
    scene.write(gone)
    scene.write(gone)
    scene.ends(Phase.CANCELLED)
    assert scene.wallet(A) == POLICY.start_chips
    assert len(scene.notices(Notice.CANCELLED)) == 1


# restarts


def test_the_director_who_looks_again_changes_nothing(scene: Scene) -> None:
    scene.begin(structure(fee=FEE), A, B, C, D)
    scene.hand(1)
    before = scene.dump()
    scene.write(lambda s: s.events_to_direct.add(scene.key))
    assert scene.dump() == before


def test_a_restored_event_goes_on_and_nothing_is_paid_twice(scene: Scene) -> None:
    scene.begin(structure(fee=FEE), A, B, C, D)
    first, second = scene.tables()[1], scene.tables()[2]
    scene.hand(1, {(first[0], first[1]): 10})
    held = {one: scene.chips(one) for one in (A, B, C, D)}
    scene.restore()
    assert {one: scene.chips(one) for one in (A, B, C, D)} == held
    assert scene.pool() == 4 * FEE
    scene.check_books()
    scene.go_on()
    assert scene.playing() == [1, 2]
    scene.knock_out(second[0], second[1])
    scene.hand(1)
    scene.go_on()
    while not scene.event.phase.over:
        dealt = [seat.player for seat in scene.spot(scene.playing()[0]).seats if seat.dealt_in]
        scene.knock_out(dealt[0], dealt[1])
        scene.go_on()
    scene.ends()
    assert sum(scene.wallet(one) for one in (A, B, C, D)) == 4 * POLICY.start_chips


def test_a_hand_that_a_restore_made_void_is_dealt_again(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=1, round_hands=2), A, B, C)
    scene.restore()
    scene.go_on()
    scene.hands(2)
    scene.ends()
    assert scene.entrant(A).hands == 2
    states = scene.hand_states()
    assert states == [state.value for state in (HandState.VOID, HandState.UNDEALT)] + ["settled"] * 2 + ["undealt"]


def test_a_restored_event_that_was_not_drawn_yet_has_a_new_seed(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(A, B, C)
    before = scene.event
    scene.restore()
    assert scene.event.commitment != before.commitment
    scene.start()
    assert check_draw(draw_proofs.draw_proof(scene.session(), scene.key)).ok
    assert len(scene.log("restored")) == 1


def test_decks_that_may_have_been_seen_are_not_dealt_in_a_restored_duplicate_event(scene: Scene) -> None:
    no_fantasyland = house_variant("classic", {"fantasyland": "off"})
    other = Scene()
    for each in (scene, other):
        each.begin(structure(Format.DUPLICATE), A, B, C, D, E, F, variant=no_fantasyland)
        each.hands(1)
        each.hand(1)
    scene.restore()
    scene.go_on()
    other.hand(2)
    other.go_on()
    spots = [(each.session(), each.spot(1)) for each in (scene, other)]
    decks = [hand_log.hand_of(s, spot.key, spot.table.hand_no).deck for s, spot in spots]
    assert scene.event.board == other.event.board == 3
    assert decks[0] != decks[1]


def test_a_restored_event_keeps_the_seed_that_was_shown(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    before = scene.event
    scene.restore()
    assert (scene.event.seed, scene.event.commitment) == (before.seed, before.commitment)


# series


def _quick(scene: Scene, order: list[str], **changes: int) -> None:
    """A sit & go of the series with this result."""
    people = {str(one): one for one in (A, B, C, D)}
    players = [people[name] for name in order]
    scene.announce(structure(Format.SIT_AND_GO, most=len(order), table_seats=4, **changes), series="Spring")
    scene.register(*players)
    scene.go_on()
    for loser in reversed(players[1:]):
        scene.knock_out(players[0], loser)
        scene.go_on()
    assert scene.places() == players


def test_a_series_adds_up_its_events(scene: Scene) -> None:
    _quick(scene, [A, B, C], fee=100)
    _quick(scene, [B, C])
    _quick(scene, [B, A, C])
    lines = counting.series_table(scene.session(), scene.key.guild, "Spring", A).lines
    assert [(line.player, line.events, line.wins) for line in lines] == [(B, 3, 2), (A, 2, 1), (C, 3, 0)]
    assert {line.player: line.chips for line in lines} == {A: 300, B: 0, C: 0}
    assert lines[0].points > lines[1].points > lines[2].points


def test_who_was_disqualified_gets_no_points_of_the_series(scene: Scene) -> None:
    scene.begin(structure(), A, B, C, series="Spring")
    scene.organise(organiser.disqualify, C, why="cheated")
    scene.knock_out(A, B)
    scene.ends()
    lines = {line.player: line for line in counting.series_table(scene.session(), scene.key.guild, "Spring", A).lines}
    assert (lines[C].points, lines[C].events) == (0, 1)
    assert lines[A].points > lines[B].points > 0


def test_a_series_without_an_event_that_has_ended_has_no_leaderboard(scene: Scene) -> None:
    scene.announce(structure(), series="Spring")
    scene.refused(EventReason.NO_SERIES, lambda: counting.series_table(scene.session(), scene.key.guild, "Spring", A))
    scene.organise(organiser.cancel, why="no power")
    scene.refused(EventReason.NO_SERIES, lambda: counting.series_table(scene.session(), scene.key.guild, "Spring", A))
    assert scene.balance(chips.pool_of(scene.key)) == 0


# looking


# Only SQLite reports its statements to a connection.
@pytest.mark.of_sqlite
@pytest.mark.parametrize("form", [Format.TOURNAMENT, Format.SHOOTOUT, Format.SINGLE])
def test_a_look_at_an_event_asks_the_same_however_many_play(form: Format) -> None:
    asked = []
    for people in (3, 12):
        scene = Scene()
        scene.begin(structure(form), *map(somebody, range(people)))
        for table in scene.playing():
            scene.hand(table)
        assert isinstance(scene.storage, InMemory)
        statements: list[str] = []
        scene.storage.connection.set_trace_callback(statements.append)
        assert len(scene.view().lines) == people
        scene.storage.connection.set_trace_callback(None)
        asked.append(len(statements))
        chips = [statement for statement in statements if "SELECT e.player, a.balance" in statement]
        assert len(chips) == 1, "everybody's chips are read once"
    assert asked[0] == asked[1] > 5
