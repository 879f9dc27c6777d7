"""Seating: as few tables as possible, as balanced as possible, and no moves during Fantasyland."""

from functools import partial

import pytest

from bot.model.events import Notice
from bot.model.ids import TableId
from bot.model.reasons import EventReason, OrganiserReason
from bot.model.tables import WaitReason
from bot.play.event.organisers import organiser
from bot.pure.event.structure import Format
from tests.play.event.event_world import A, B, C, D, E, F, G, H, Scene, somebody, structure


@pytest.mark.parametrize(
    ("people", "seats", "sizes"),
    [(2, 3, [2]), (3, 3, [3]), (4, 3, [2, 2]), (7, 3, [3, 2, 2]), (9, 4, [3, 3, 3]), (10, 4, [4, 3, 3])],
)
def test_there_are_as_few_tables_as_hold_everybody_and_they_are_even(
    scene: Scene, people: int, seats: int, sizes: list[int]
) -> None:
    scene.begin(structure(table_seats=seats), *map(somebody, range(people)))
    assert scene.sizes() == sizes


def _nobody_moved_at(scene: Scene, table: int, players: list[str]) -> None:
    assert scene.tables()[table] == players


def test_the_one_who_would_act_first_goes_to_where_he_acts_earliest(scene: Scene) -> None:
    # Eight at two tables of four; one table loses two.
    scene.begin(structure(table_seats=4), A, B, C, D, E, F, G, H)
    short, other = scene.tables()[1], scene.tables()[2]
    scene.knock_out(short[0], short[1], short[2])
    assert scene.sizes() == [4, 2]
    scene.hand(2)
    # The button of the next hand is on seat 1, so seat 2 would act first.
    assert scene.tables()[2] == [other[0], other[1], other[3]]
    # At the other table seats 0 and 3 are taken and the button is on seat 3: the first free one after it is seat 1.
    seats = {seat.player: seat.number for seat in scene.spot(1).seats}
    assert scene.spot(1).table.button == 1
    assert seats == {short[0]: 0, short[3]: 3, other[2]: 1}
    assert scene.notices(Notice.MOVED) == [{"moves": [[other[2], 2, 1]]}]


@pytest.mark.parametrize("paused", [True, False])
@pytest.mark.parametrize("again", [False, True])
def test_a_player_whom_an_organiser_moves_stays_there_and_somebody_else_makes_the_tables_even(
    scene: Scene, paused: bool, again: bool
) -> None:
    scene.begin(structure(), *map(somebody, range(13)))
    assert scene.sizes() == [3, 3, 3, 2, 2]
    if paused:
        scene.organise(organiser.pause)
    for table in scene.playing():
        scene.hand(table)  # the next one isn't dealt before go_on
    short = [table for table, players in scene.tables().items() if len(players) == 2]
    moved = scene.tables()[short[0]][0]
    scene.organise(organiser.move, moved, table=TableId(short[1]), why="He sat beside his brother")
    scene.go_on()
    assert scene.table_of(moved) == short[1]
    assert scene.sizes() == [3, 3, 3, 2, 2]
    if again:
        # A table that gets too small later takes in another player.
        loser, winner = next(
            players for table, players in scene.tables().items() if table != short[1] and len(players) == 2
        )
        if paused:
            scene.organise(organiser.resume)
            scene.go_on()
        scene.knock_out(winner, loser)
        scene.hands(1)
        assert scene.table_of(moved) == short[1]
        assert scene.sizes() == [3, 3, 3, 3]


def test_nobody_is_moved_in_the_middle_of_a_hand(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D, E, F, G, H)
    short, other = scene.tables()[1], scene.tables()[2]
    scene.knock_out(short[0], short[1], short[2])
    scene.go_on()
    _nobody_moved_at(scene, 2, list(other))


def test_nobody_leaves_a_table_where_fantasyland_is_pending_or_runs(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D, E, F, G, H)
    short, other = scene.tables()[1], scene.tables()[2]
    scene.knock_out(short[0], short[1], short[2])
    scene.hand(2, fantasyland=[other[0]])
    _nobody_moved_at(scene, 2, list(other))
    scene.go_on()
    assert scene.spot(2).info.extra
    _nobody_moved_at(scene, 2, list(other))
    scene.hand(2)
    assert scene.sizes() == [3, 3]


def test_nobody_comes_to_a_table_where_fantasyland_is_pending_or_runs(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D, E, F, G, H)
    short = scene.tables()[1]
    scene.hand(1, {(short[0], short[1]): 10**6, (short[0], short[2]): 10**6}, fantasyland=[short[3]])
    scene.hand(2)
    _nobody_moved_at(scene, 1, [short[0], short[3]])
    scene.go_on()
    _nobody_moved_at(scene, 1, [short[0], short[3]])
    scene.hand(1)
    scene.hand(2)
    assert scene.sizes() == [3, 3]


def test_a_table_that_is_not_needed_is_broken_and_its_players_keep_their_chips(scene: Scene) -> None:
    scene.begin(structure(), A, B, C, D)
    first, second = scene.tables()[1], scene.tables()[2]
    scene.hand(2, {(second[0], second[1]): 7})
    scene.knock_out(first[0], first[1])
    assert scene.sizes() == [3]
    assert {one: scene.chips(one) for one in (first[0], *second)} == {first[0]: 2000, second[0]: 1070, second[1]: 930}
    assert len(scene.log("broken")) == 1


def test_a_table_is_not_broken_before_its_fantasyland_is_played(scene: Scene) -> None:
    scene.begin(structure(), A, B, C, D)
    first, second = scene.tables()[1], scene.tables()[2]
    scene.hand(2, fantasyland=[second[0]])
    scene.knock_out(first[0], first[1])
    assert scene.sizes() == [2, 1]
    scene.go_on()
    assert scene.playing() == [2]
    scene.hand(2)
    assert scene.sizes() == [3]


def test_one_who_is_alone_waits_and_is_helped(scene: Scene) -> None:
    scene.begin(structure(), A, B, C, D, E, F)
    first = scene.tables()[1]
    scene.knock_out(first[0], first[1], first[2])
    scene.go_on()
    assert scene.spot(1).info.waits is WaitReason.PLAYERS
    scene.hand(2)
    scene.go_on()
    assert scene.sizes() == [2, 2]
    assert scene.playing() == [1, 2]


def test_a_table_that_waited_for_players_goes_on_where_the_others_are(scene: Scene) -> None:
    scene.begin(structure(table_seats=2, level_hands=2, late_levels=9), A, B, C, D)
    first, second = scene.tables().values()
    scene.knock_out(first[0], first[1])
    for _ in range(4):
        scene.hand(scene.table_of(second[0]))
        scene.go_on()
    assert scene.spot(scene.table_of(first[0])).info.waits is WaitReason.PLAYERS
    scene.register(E)
    scene.go_on()
    spots = [scene.spot(scene.table_of(one)) for one in (E, second[0])]
    assert [spot.info.played for spot in spots] == [6, 5]
    assert {spot.table.terms.point_value for spot in spots} == {40}


def test_who_comes_late_is_seated_and_dealt_in_from_the_next_ordinary_hand(scene: Scene) -> None:
    scene.begin(structure(late_levels=2, table_seats=3), A, B, C, D, E)
    scene.register(F)
    table = scene.table_of(F)
    assert scene.sizes() == [3, 3]
    assert not next(seat for seat in scene.spot(table).seats if seat.player == F).dealt_in
    scene.hand(table)
    scene.go_on()
    assert next(seat for seat in scene.spot(table).seats if seat.player == F).dealt_in


def test_who_comes_late_waits_while_every_table_with_room_plays_fantasyland(scene: Scene) -> None:
    scene.begin(structure(late_levels=2, table_seats=3), A, B)
    scene.hand(1, fantasyland=[A])
    scene.go_on()
    scene.register(C)
    assert scene.tables() == {1: scene.tables()[1]}
    assert C not in scene.tables()[1]
    scene.hand(1)
    scene.go_on()
    assert C in scene.tables()[1]
    assert scene.chips(C) == 1000


def test_who_came_while_fantasyland_became_pending_sits_it_out(scene: Scene) -> None:
    scene.begin(structure(late_levels=2, table_seats=3), A, B)
    scene.register(C)
    scene.hand(1, fantasyland=[A])
    scene.go_on()
    dealt = {seat.player: seat.dealt_in for seat in scene.spot(1).seats}
    assert dealt == {A: True, B: True, C: False}
    scene.hand(1)
    scene.go_on()
    assert all(seat.dealt_in for seat in scene.spot(1).seats)


def test_a_new_table_is_opened_for_those_who_find_no_seat(scene: Scene) -> None:
    scene.begin(structure(late_levels=2), A, B, C)
    scene.hands(2)
    scene.register(D)
    scene.hand(1)
    scene.go_on()
    assert scene.sizes() == [2, 2]
    played = {spot.info.played for spot in scene.field().spots.values()}
    assert max(played) - min(played) <= 1


# the organiser's move


def test_the_organisers_move_waits_for_the_hand_and_for_fantasyland(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D, E, F)
    first = scene.tables()[1]
    one = first[0]
    scene.organise(organiser.move, one, table=TableId(2), why="balance")
    assert scene.table_of(one) == 1
    scene.hand(1, fantasyland=[first[1]])
    assert scene.table_of(one) == 1
    scene.go_on()
    scene.hand(1)
    assert scene.table_of(one) == 2
    assert scene.entrant(one).move_to is None
    assert scene.log("to_be_moved")[0].details == {"player": one, "table": 2, "why": "balance"}


def test_a_move_is_refused_to_a_full_table_to_ones_own_and_to_none(scene: Scene) -> None:
    scene.begin(structure(), A, B, C, D, E, F)
    one = scene.tables()[1][0]
    for table, reason in (
        (2, OrganiserReason.NO_SEAT_THERE),
        (1, OrganiserReason.NO_SUCH_TABLE_THERE),
        (7, OrganiserReason.NO_SUCH_TABLE_THERE),
    ):
        scene.refused(reason, partial(scene.organise, organiser.move, one, table=TableId(table), why="balance"))


def test_nobody_is_moved_in_a_bracket(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    one = scene.tables()[1][0]
    scene.refused(
        OrganiserReason.NO_MOVES_HERE, lambda: scene.organise(organiser.move, one, table=TableId(2), why="balance")
    )


# the final table


def test_the_final_table_is_announced_once(scene: Scene) -> None:
    scene.begin(structure(), A, B, C, D)
    first, second = scene.tables()[1], scene.tables()[2]
    scene.hand(2)
    scene.knock_out(first[0], first[1])
    scene.hands(3)
    told = scene.notices(Notice.FINAL_TABLE)
    assert len(told) == 1
    assert sorted(told[0]["players"]) == sorted([first[0], *second])
    assert [move[0] for move in told[0]["moves"]] == [first[0]]
    assert scene.notices(Notice.MOVED) == []


def test_an_event_of_one_table_has_no_final_table(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.hands(2)
    assert scene.notices(Notice.FINAL_TABLE) == []


def test_the_final_table_ends_late_registration(scene: Scene) -> None:
    scene.begin(structure(late_levels=5, reentries=1), A, B, C, D)
    first = scene.tables()[1]
    scene.hand(2)
    scene.knock_out(first[0], first[1])
    scene.refused(EventReason.REGISTRATION_CLOSED, lambda: scene.register(first[1]))
