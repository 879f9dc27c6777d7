"""Levels by hands and by minutes, breaks, and the pause."""

from bot.model.events import Notice, Phase
from bot.model.ids import EVERYTHING
from bot.model.reasons import EventReason
from bot.model.tables import WaitReason
from bot.play.event.organisers import organiser
from tests.play.event.event_world import DESK, MINUTE, POLICY, A, B, C, D, E, F, Scene, structure


def _values(scene: Scene) -> set[int]:
    return {spot.table.terms.point_value for spot in scene.field().spots.values()}


# by hands


def test_the_point_value_rises_after_so_many_hands_at_every_table(scene: Scene) -> None:
    scene.begin(structure(level_hands=2), A, B, C, D, E, F)
    seen = []
    for _ in range(6):
        seen.append(_values(scene))
        scene.hands()
    assert seen == [{10}, {10}, {20}, {20}, {40}, {40}]
    assert scene.event.level == 3
    assert scene.notices(Notice.LEVEL) == []  # the event's message and the tables say it


def test_after_the_last_level_the_point_value_doubles(scene: Scene) -> None:
    scene.begin(structure(levels=(10, 15), level_hands=1), A, B)
    seen = []
    for _ in range(5):
        seen.append(scene.spot(1).table.terms.point_value)
        scene.hands()
    assert seen == [10, 15, 30, 60, 120]


def test_no_table_is_more_than_one_hand_ahead(scene: Scene) -> None:
    scene.begin(structure(), A, B, C, D, E, F)
    scene.hand(1)
    scene.go_on()
    scene.hand(1)
    scene.go_on()
    assert scene.playing() == [2]
    assert scene.spot(1).info.waits is WaitReason.OTHERS
    scene.hand(2)
    scene.go_on()
    assert scene.playing() == [1, 2]


def test_a_hand_in_fantasyland_counts_for_no_level_and_keeps_the_point_value(scene: Scene) -> None:
    scene.begin(structure(level_hands=1), A, B, C)
    scene.hand(1, fantasyland=[A])
    scene.go_on()
    assert (scene.spot(1).table.terms.point_value, scene.spot(1).info.played) == (10, 1)
    scene.hand(1, fantasyland=[A])
    scene.go_on()
    assert (scene.spot(1).table.terms.point_value, scene.spot(1).info.played) == (10, 1)
    scene.hand(1)
    scene.go_on()
    assert (scene.spot(1).table.terms.point_value, scene.spot(1).info.played) == (20, 2)


def test_a_void_hand_counts_for_the_level_so_that_nobody_waits_for_its_table(scene: Scene) -> None:
    scene.begin(structure(level_hands=2), A, B, C, D, E, F)
    scene.void(1)
    scene.hand(2)
    scene.go_on()
    assert {spot.info.played for spot in scene.field().spots.values()} == {2}
    scene.hands()
    assert _values(scene) == {20}


# by minutes


def test_levels_by_minutes_follow_the_clock_and_take_effect_with_the_next_hand(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10), A, B, C, D, E, F)
    scene.wait(10 * MINUTE)
    assert scene.event.level == 1
    assert _values(scene) == {10}
    scene.hand(1)
    scene.go_on()
    assert scene.spot(1).table.terms.point_value == 20
    assert scene.spot(2).table.terms.point_value == 10


def test_tables_wait_for_nobody_where_levels_are_counted_in_minutes(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10), A, B, C, D, E, F)
    for _ in range(4):
        scene.hand(1)
        scene.go_on()
    assert scene.playing() == [1, 2]


def test_the_clock_keeps_the_point_value_of_a_hand_in_fantasyland(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10), A, B, C)
    scene.hand(1, fantasyland=[B])
    scene.now += 10 * MINUTE
    scene.wait(0)
    assert scene.event.level == 1
    assert scene.spot(1).table.terms.point_value == 10
    scene.hand(1)
    scene.go_on()
    assert scene.spot(1).table.terms.point_value == 20


def test_several_levels_may_have_gone_by_when_the_alarm_rings(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10), A, B, C)
    ends = scene.event.level_ends_at
    assert ends is not None
    scene.now = ends + 25 * MINUTE
    scene.wait(0)
    assert scene.event.level == 3
    assert scene.event.level_ends_at == ends + 30 * MINUTE
    assert scene.notices(Notice.LEVEL) == []


def test_a_level_is_as_much_longer_as_nothing_ran(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10), A, B, C)
    ends = scene.event.level_ends_at
    assert ends is not None
    scene.write(lambda s: s.tx.timers.shift(7 * MINUTE, shard=EVERYTHING, tell=True))
    assert scene.event.level_ends_at == ends + 7 * MINUTE


# the pause


def test_while_paused_no_hand_is_dealt_and_those_that_run_are_played_out(scene: Scene) -> None:
    scene.begin(structure(), A, B, C, D, E, F)
    scene.organise(organiser.pause)
    scene.hand(1, {(scene.tables()[1][0], scene.tables()[1][1]): 3})
    scene.wait(5 * MINUTE)
    assert scene.playing() == [2]
    assert scene.spot(1).info.waits is WaitReason.PAUSE
    scene.organise(organiser.resume)
    assert scene.playing() == [1, 2]
    assert (len(scene.notices(Notice.PAUSED)), len(scene.notices(Notice.RESUMED))) == (1, 1)


def test_not_even_a_fantasyland_is_dealt_while_paused(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.organise(organiser.pause)
    scene.hand(1, fantasyland=[A])
    scene.wait(5 * MINUTE)
    assert scene.playing() == []
    scene.organise(organiser.resume)
    assert scene.spot(1).info.extra


def test_the_level_gets_back_what_a_pause_took(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10), A, B, C)
    ends = scene.event.level_ends_at
    assert ends is not None
    scene.organise(organiser.pause)
    scene.wait(30 * MINUTE)
    assert scene.event.level == 0
    scene.organise(organiser.resume)
    assert scene.event.level_ends_at == ends + 30 * MINUTE


def test_what_the_level_got_for_an_outage_it_does_not_get_for_the_pause_as_well(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10), A, B, C)
    ends = scene.event.level_ends_at
    assert ends is not None
    scene.organise(organiser.pause)
    scene.now += 20 * MINUTE
    scene.write(lambda s: s.tx.timers.shift(20 * MINUTE, shard=EVERYTHING, tell=True))
    scene.organise(organiser.resume)
    assert scene.event.level_ends_at == ends + 20 * MINUTE


def test_a_break_goes_on_while_all_is_paused_and_only_the_level_gets_time_back(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10, break_levels=1, break_minutes=5), A, B, C)
    scene.wait(10 * MINUTE)
    until, ends = scene.event.break_until, scene.event.level_ends_at
    assert until is not None
    assert ends is not None
    scene.organise(organiser.pause)
    scene.wait(until - scene.now + 2 * MINUTE)
    scene.organise(organiser.resume)
    assert scene.event.level_ends_at == ends + 2 * MINUTE


def test_the_director_does_not_look_all_the_time_while_a_level_runs_out_in_a_pause(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10), A, B, C)
    scene.organise(organiser.pause)
    scene.wait(11 * MINUTE)
    alarm = scene.event.alarm_at
    assert alarm is not None
    assert alarm - scene.now > MINUTE


# breaks


def _to_the_break(scene: Scene) -> None:
    scene.begin(structure(level_hands=1, break_levels=1, break_minutes=5), A, B, C, D, E, F)


def test_all_tables_wait_for_a_break_and_have_it_together(scene: Scene) -> None:
    _to_the_break(scene)
    scene.hand(1)
    scene.go_on()
    assert scene.spot(1).info.waits is WaitReason.OTHERS
    assert scene.event.break_until is None
    scene.hand(2)
    assert scene.event.break_until is None or scene.event.break_until >= scene.now + 5 * MINUTE
    scene.go_on()
    assert scene.playing() == []
    assert {spot.info.waits for spot in scene.field().spots.values()} == {WaitReason.BREAK}
    assert len(scene.notices(Notice.BREAK)) == 1


def test_a_break_ends_by_itself(scene: Scene) -> None:
    _to_the_break(scene)
    scene.hands()
    until = scene.event.break_until
    assert until is not None
    scene.wait(until - scene.now - 1)
    assert scene.playing() == []
    scene.wait(1)
    assert scene.playing() == [1, 2]
    assert _values(scene) == {20}
    assert scene.event.break_until is None
    assert scene.notices(Notice.RESUMED) == []  # the message of the break has said when


def test_a_fantasyland_is_played_before_the_break(scene: Scene) -> None:
    _to_the_break(scene)
    scene.hand(1, fantasyland=[scene.tables()[1][0]])
    scene.hand(2)
    scene.go_on()
    assert scene.playing() == [1]
    assert scene.spot(1).info.extra
    assert scene.event.break_until is None
    scene.hand(1)
    scene.go_on()
    assert scene.event.break_until is not None


def test_a_fantasyland_is_played_in_a_break_that_the_clock_began(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10, break_levels=1, break_minutes=5), A, B, C)
    scene.wait(10 * MINUTE)
    assert scene.event.break_until is not None
    scene.hand(1, fantasyland=[A])
    scene.go_on()
    assert scene.playing() == [1]
    scene.hand(1)
    scene.go_on()
    assert scene.playing() == []


def test_the_clock_does_not_count_a_break_as_a_part_of_the_level(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10, break_levels=1, break_minutes=5), A, B, C)
    ends = scene.event.level_ends_at
    assert ends is not None
    scene.wait(ends - scene.now)
    assert (scene.event.break_until, scene.event.level_ends_at) == (ends + 5 * MINUTE, ends + 15 * MINUTE)
    assert [told["level"] for told in scene.notices(Notice.BREAK)] == [1], "the level that has ended, not the next"


def test_breaks_come_after_so_many_levels_each(scene: Scene) -> None:
    scene.begin(structure(level_hands=1, break_levels=2, break_minutes=5), A, B, C)
    breaks = []
    for hand in range(1, 7):
        scene.hand(1)
        scene.go_on()
        if scene.event.break_until is not None:
            breaks.append(hand)
            scene.wait(6 * MINUTE)
    assert breaks == [2, 4, 6]
    assert [told["level"] for told in scene.notices(Notice.BREAK)] == breaks


def test_breaks_that_were_passed_over_on_the_bubble_do_not_all_come_afterwards(scene: Scene) -> None:
    plan = structure(level_hands=1, break_levels=1, break_minutes=5, payouts=(50, 25, 25), fee=100, table_seats=2)
    scene.begin(plan, A, B, C, D)
    assert scene.event.hand_for_hand
    scene.hands(3)
    assert scene.event.break_until is None
    first, second = scene.tables().values()
    scene.knock_out(first[0], first[1])
    scene.hand(scene.table_of(second[0]))
    scene.go_on()
    scene.wait(6 * MINUTE)
    assert scene.playing() != []
    assert len(scene.notices(Notice.BREAK)) <= 1


def test_late_registration_is_open_during_the_break_before_its_last_level_is_over(scene: Scene) -> None:
    scene.begin(structure(level_hands=1, break_levels=1, break_minutes=5, late_levels=1), A, B)
    scene.hands()
    assert scene.event.break_until is not None
    scene.register(C)
    assert scene.chips(C) == 1000
    scene.wait(6 * MINUTE)
    scene.refused(EventReason.REGISTRATION_CLOSED, lambda: scene.register(D))


def test_the_first_hands_wait_until_the_players_have_found_their_tables(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(A, B, C)
    scene.start()
    assert scene.event.phase is Phase.RUNNING
    scene.wait(POLICY.seating_ms - 1)
    assert scene.playing() == []
    scene.wait(1)
    assert scene.playing() == [1]


# the level at a table


def _levels(scene: Scene) -> dict[int, tuple[int, int]]:
    """Return the level and the point value that each table shows."""
    shown = {}
    for number, spot in scene.field().spots.items():
        note = DESK.note(scene.session(), spot.table)
        assert note is not None
        shown[int(number)] = (note.level, spot.table.terms.point_value)
    return shown


def test_a_table_shows_the_level_that_its_point_value_belongs_to(scene: Scene) -> None:
    scene.begin(structure(level_hands=1), A, B, C, D, E, F)
    assert _levels(scene) == {1: (1, 10), 2: (1, 10)}
    scene.hand(1)
    scene.go_on()
    assert scene.event.level == 1
    assert _levels(scene) == {1: (2, 20), 2: (1, 10)}, "the second table still plays the first level"
    scene.hand(2)
    scene.go_on()
    assert _levels(scene) == {1: (2, 20), 2: (2, 20)}


def test_a_hand_in_progress_stays_at_its_level_when_the_clock_raises_it(scene: Scene) -> None:
    scene.begin(structure(levels=(10, 10, 40), level_hands=0, level_minutes=10), A, B, C)
    scene.wait(20 * MINUTE)
    assert scene.event.level == 2
    assert _levels(scene) == {1: (2, 10)}
    scene.hand(1)
    scene.go_on()
    assert _levels(scene) == {1: (3, 40)}
