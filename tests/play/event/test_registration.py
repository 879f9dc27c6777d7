"""Registration, withdrawal, check-in, late entries, re-entries and refunds."""

from functools import partial

import pytest

from bot.model.events import EntrantState, Notice, Official, Phase
from bot.model.ids import Player
from bot.model.limits import MAX_EVENT_NAME_LENGTH, MAX_OPEN_EVENTS, MAX_OPEN_EVENTS_PER_ORGANISER
from bot.model.reasons import EventReason, OrganiserReason, PlanReason
from bot.model.refusals import Stale
from bot.play.event.office import registration
from bot.play.event.organisers import organiser
from bot.play.session import chips
from bot.pure.event.structure import Format, NoShow
from tests.play.event.event_world import BOSS, MINUTE, POLICY, STRANGER, A, B, C, D, E, Scene, structure

FEE = 500


def test_the_fee_goes_into_the_pool_once(scene: Scene) -> None:
    scene.announce(structure(fee=FEE))
    scene.register(A, B)
    assert scene.pool() == 2 * FEE
    assert scene.wallet(A) == POLICY.start_chips - FEE


def test_nobody_registers_twice(scene: Scene) -> None:
    scene.announce(structure(fee=FEE))
    scene.register(A)
    scene.refused(EventReason.ALREADY_REGISTERED, lambda: scene.register(A))
    assert scene.pool() == FEE


def test_who_plays_already_is_told_that_and_not_how_to_withdraw(scene: Scene) -> None:
    scene.begin(structure(fee=FEE), A, B)
    scene.refused(EventReason.ALREADY_PLAYING, lambda: scene.register(A))


def test_one_press_registers_once(scene: Scene) -> None:
    scene.announce(structure(fee=FEE))
    press = partial(registration.register, key=scene.key, player=A, cause="77")
    scene.write(press)
    with pytest.raises(Stale):
        scene.write(press)
    assert scene.pool() == FEE


def test_who_has_too_few_chips_is_refused_and_nothing_changes(scene: Scene) -> None:
    scene.announce(structure(fee=POLICY.start_chips + 1))
    scene.refused(EventReason.FEE_TOO_HIGH, lambda: scene.register(A))
    assert scene.field().entrants == {}


def test_a_full_event_takes_nobody_late_until_somebody_is_out(scene: Scene) -> None:
    scene.begin(structure(most=3, table_seats=3, late_levels=3), A, B, C)
    scene.refused(EventReason.EVENT_FULL, lambda: scene.register(D))
    scene.knock_out(A, B)
    scene.register(D)
    assert D in [line.entrant.player for line in scene.view().lines]


def test_withdrawing_brings_the_fee_back_exactly_once(scene: Scene) -> None:
    scene.announce(structure(fee=FEE))
    scene.register(A, B)
    scene.withdraw(A)
    assert (scene.wallet(A), scene.pool()) == (POLICY.start_chips, FEE)
    scene.refused(EventReason.NOT_REGISTERED, lambda: scene.withdraw(A))
    assert (scene.wallet(A), scene.pool()) == (POLICY.start_chips, FEE)


def test_who_withdraws_and_registers_again_pays_again_and_gets_it_back_again(scene: Scene) -> None:
    scene.announce(structure(fee=FEE))
    for _ in range(3):
        scene.register(A)
        assert scene.pool() == FEE
        scene.withdraw(A)
        assert (scene.pool(), scene.wallet(A)) == (0, POLICY.start_chips)


def test_nobody_withdraws_after_the_start(scene: Scene) -> None:
    scene.begin(structure(fee=FEE), A, B, C)
    scene.refused(EventReason.EVENT_RUNS, lambda: scene.withdraw(A))
    scene.knock_out(A, B)
    scene.refused(EventReason.NOT_REGISTERED, lambda: scene.withdraw(B))
    assert scene.pool() == 3 * FEE


def test_registration_closes_at_the_start_where_nothing_else_was_said(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.refused(EventReason.REGISTRATION_CLOSED, lambda: scene.register(D))


def test_nobody_registers_for_an_event_that_is_over(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    scene.knock_out(A, B)
    scene.ends()
    scene.refused(EventReason.EVENT_OVER, lambda: scene.register(C))
    scene.refused(EventReason.EVENT_OVER, lambda: scene.withdraw(A))


def test_a_sit_and_go_starts_with_the_last_seat_in_the_same_transaction(scene: Scene) -> None:
    scene.announce(structure(Format.SIT_AND_GO, most=3, least=3))
    scene.register(A, B)
    assert scene.event.phase.before
    scene.register(C)
    assert scene.event.phase is Phase.RUNNING
    assert scene.sizes() == [3]
    scene.refused(EventReason.REGISTRATION_CLOSED, lambda: scene.register(D))


def test_a_sit_and_go_that_is_not_full_waits_and_never_starts_by_the_clock(scene: Scene) -> None:
    scene.announce(structure(Format.SIT_AND_GO, most=3, least=3))
    scene.register(A, B)
    scene.wait(7 * 24 * 60 * MINUTE)
    assert scene.event.phase is Phase.REGISTERING


# late


def test_late_registration_is_open_until_the_end_of_its_levels_and_then_closed(scene: Scene) -> None:
    scene.begin(structure(late_levels=2, level_hands=2, table_seats=4), A, B, C)
    scene.hands(3)
    scene.register(D)
    assert scene.chips(D) == 1000
    assert scene.view().registration_open
    scene.hands()
    assert scene.event.level == 2
    assert not scene.view().registration_open
    scene.refused(EventReason.REGISTRATION_CLOSED, lambda: scene.register(E))


def test_who_comes_late_has_a_number_behind_all_who_were_drawn(scene: Scene) -> None:
    scene.begin(structure(late_levels=1), A, B, C)
    scene.register(D)
    assert scene.entrant(D).number == 4


def test_somebody_who_took_his_registration_back_may_come_late(scene: Scene) -> None:
    scene.announce(structure(late_levels=1, fee=FEE))
    scene.register(A, B, C, D)
    scene.withdraw(D)
    scene.start()
    scene.go_on()
    scene.register(D)
    assert (scene.entrant(D).number, scene.pool()) == (4, 4 * FEE)


def test_a_withdrawal_makes_no_final_table_of_the_only_one(scene: Scene) -> None:
    scene.announce(structure(late_levels=1))
    scene.register(A, B, C, D)
    scene.withdraw(D)
    scene.start()
    scene.go_on()
    assert not scene.event.final_table
    assert scene.view().registration_open


def test_one_who_is_out_enters_again_as_often_as_was_said(scene: Scene) -> None:
    scene.begin(structure(late_levels=3, reentries=1, fee=FEE, table_seats=2), A, B, C, D)
    first, second = scene.tables().values()
    scene.knock_out(first[0], first[1])
    scene.register(first[1])
    again = scene.entrant(first[1])
    assert (again.state, again.entries, scene.chips(first[1])) == (EntrantState.PLAYING, 2, 1000)
    assert scene.pool() == 5 * FEE
    scene.hand(scene.table_of(second[0]))
    scene.go_on()
    opponent = next(one for one in scene.tables()[scene.table_of(first[1])] if one != first[1])
    scene.knock_out(opponent, first[1])
    scene.refused(EventReason.NO_MORE_ENTRIES, lambda: scene.register(first[1]))


def test_nobody_enters_again_where_that_was_not_said(scene: Scene) -> None:
    scene.begin(structure(late_levels=3, table_seats=4), A, B, C)
    scene.knock_out(A, B)
    scene.refused(EventReason.NO_MORE_ENTRIES, lambda: scene.register(B))


def test_entering_again_wipes_the_earlier_elimination(scene: Scene) -> None:
    scene.begin(structure(late_levels=3, reentries=1, table_seats=4), A, B, C)
    scene.knock_out(A, B)
    assert scene.entrant(B).out_moment > 0
    scene.register(B)
    again = scene.entrant(B)
    assert (again.out_moment, again.out_stack, again.out_order) == (0, 0, 0)
    scene.go_on()
    scene.knock_out(A, C)
    scene.go_on()
    scene.knock_out(A, B)
    assert scene.places() == [A, B, C]


def test_who_was_disqualified_cannot_come_back(scene: Scene) -> None:
    scene.announce(structure(late_levels=3, reentries=3, fee=FEE))
    scene.register(A, B, C, D)
    scene.organise(organiser.disqualify, D, why="cheated")
    assert (scene.wallet(D), scene.pool()) == (POLICY.start_chips, 3 * FEE)
    scene.refused(EventReason.DISQUALIFIED, lambda: scene.register(D))
    scene.start()
    scene.organise(organiser.disqualify, C, why="cheated")
    scene.refused(EventReason.DISQUALIFIED, lambda: scene.register(C))


def test_who_is_unregistered_has_their_fee_back_and_may_register_again(scene: Scene) -> None:
    scene.announce(structure(fee=FEE))
    scene.register(A, B)
    scene.organise(organiser.unregister, B)
    assert (scene.wallet(B), scene.pool()) == (POLICY.start_chips, FEE)
    scene.refused(OrganiserReason.NOT_IN_EVENT, lambda: scene.organise(organiser.unregister, B))
    assert [told["what"] for told in scene.notices(Notice.RULING)] == ["unregistered"]
    scene.register(B)
    assert scene.entrant(B).registered
    scene.start()
    scene.refused(EventReason.EVENT_RUNS, lambda: scene.organise(organiser.unregister, B))


def _away(scene: Scene, player: Player) -> bool:
    return next(seat.away for seat in scene.spot(scene.table_of(player)).seats if seat.player == player)


def test_a_disqualification_is_taken_back_until_it_matters(scene: Scene) -> None:
    scene.announce(structure(fee=FEE))
    scene.register(A, B, C)
    scene.refused(OrganiserReason.NOT_DISQUALIFIED, lambda: scene.organise(organiser.reinstate, C))
    scene.organise(organiser.disqualify, C, why="mixed up")
    assert scene.view().reinstatable == {C}
    scene.organise(organiser.reinstate, C)
    assert scene.view().reinstatable == set()
    scene.register(C)
    assert (scene.wallet(C), scene.pool()) == (POLICY.start_chips - FEE, 3 * FEE)
    scene.start()
    scene.go_on()
    scene.organise(organiser.disqualify, C, why="mixed up")
    assert _away(scene, C)
    scene.organise(organiser.reinstate, C)
    assert not _away(scene, C)
    scene.hand(scene.table_of(C))
    assert scene.entrant(C).playing, "nobody has left"
    scene.organise(organiser.disqualify, C, why="cheated")
    scene.go_on()
    scene.refused(OrganiserReason.DISQUALIFIED_FOR_GOOD, lambda: scene.organise(organiser.reinstate, C))


# check-in


def _checks_in(scene: Scene, no_show: NoShow, *, minutes: int = 15) -> None:
    scene.announce(structure(check_in_minutes=minutes, no_show=no_show, fee=FEE))
    scene.register(A, B, C)


def test_nobody_checks_in_before_check_in_opens_and_nobody_twice(scene: Scene) -> None:
    _checks_in(scene, NoShow.DROP)
    scene.refused(EventReason.NO_CHECK_IN, lambda: scene.check_in(A))
    scene.wait(45 * MINUTE)
    assert scene.event.phase is Phase.CHECK_IN
    scene.check_in(A)
    scene.refused(EventReason.ALREADY_CHECKED_IN, lambda: scene.check_in(A))
    scene.refused(EventReason.NOT_REGISTERED, lambda: scene.check_in(D))


def test_who_does_not_check_in_is_dropped_and_gets_his_fee_back(scene: Scene) -> None:
    _checks_in(scene, NoShow.DROP)
    scene.wait(45 * MINUTE)
    scene.check_in(A, B)
    scene.wait(15 * MINUTE)
    assert scene.event.phase is Phase.RUNNING
    assert scene.entrant(C).state is EntrantState.WITHDRAWN
    assert (scene.wallet(C), scene.pool()) == (POLICY.start_chips, 2 * FEE)
    assert scene.sizes() == [2]


def test_or_he_has_a_seat_and_the_clock_places_for_him_until_he_comes(scene: Scene) -> None:
    _checks_in(scene, NoShow.BLIND)
    scene.wait(45 * MINUTE)
    scene.check_in(A, B)
    scene.wait(16 * MINUTE)
    seats = {seat.player: seat for seat in scene.spot(1).seats}
    assert {one: seats[one].away for one in (A, B, C)} == {A: False, B: False, C: True}
    assert scene.pool() == 3 * FEE


@pytest.mark.parametrize("no_show", list(NoShow))
def test_the_start_names_who_did_not_come(scene: Scene, no_show: NoShow) -> None:
    _checks_in(scene, no_show)
    scene.wait(50 * MINUTE)
    scene.check_in(A, B)
    scene.wait(10 * MINUTE)
    assert scene.notices(Notice.STARTED)[0]["missed"] == [C]


def test_who_registers_while_check_in_is_open_has_come(scene: Scene) -> None:
    _checks_in(scene, NoShow.DROP)
    scene.wait(50 * MINUTE)
    scene.register(D)
    scene.check_in(A, B)
    scene.wait(10 * MINUTE)
    assert {e.player for e in scene.field().playing} == {A, B, D}


def test_the_organiser_who_starts_early_asks_nobody_to_check_in(scene: Scene) -> None:
    _checks_in(scene, NoShow.DROP)
    scene.wait(50 * MINUTE)
    scene.check_in(A)
    scene.start()
    assert len(scene.field().playing) == 3


def test_nobody_is_dropped_for_a_check_in_during_which_the_bot_did_not_run(scene: Scene) -> None:
    _checks_in(scene, NoShow.DROP)
    scene.now += 2 * 60 * MINUTE
    scene.wait(0)
    assert scene.event.phase is Phase.RUNNING
    assert len(scene.field().playing) == 3
    assert scene.notices(Notice.CHECK_IN) == []


def test_check_in_and_the_start_are_called_out_once_each(scene: Scene) -> None:
    _checks_in(scene, NoShow.BLIND, minutes=20)
    scene.wait(61 * MINUTE)
    at = scene.event.starts_at
    assert scene.notices(Notice.CHECK_IN) == [{"starts_at": at}]
    assert scene.notices(Notice.SOON) == [{"starts_at": at, "players": [A, B, C], "count": 3}]
    assert len(scene.notices(Notice.STARTED)) == 1


def test_the_call_before_the_start_names_only_those_who_have_not_checked_in(scene: Scene) -> None:
    _checks_in(scene, NoShow.BLIND, minutes=20)
    scene.wait(46 * MINUTE)
    scene.check_in(A, C)
    scene.register(D)
    scene.wait(15 * MINUTE)
    (soon,) = scene.notices(Notice.SOON)
    assert (soon["players"], soon["count"]) == ([B], 4)


def test_where_nobody_has_registered_yet_nobody_is_asked_to_check_in(scene: Scene) -> None:
    scene.announce(structure(check_in_minutes=15))
    scene.wait(46 * MINUTE)
    assert scene.event.phase is Phase.CHECK_IN
    scene.register(A, B, C)
    assert scene.notices(Notice.CHECK_IN) == []


@pytest.mark.parametrize("minutes", [5, 10, 15])
def test_check_in_that_opens_shortly_before_the_start_is_told_with_it(scene: Scene, minutes: int) -> None:
    scene.announce(structure(check_in_minutes=minutes))
    scene.register(A, B)
    scene.wait((61 - min(minutes, 10)) * MINUTE)
    assert scene.event.phase is Phase.CHECK_IN
    assert scene.notices(Notice.CHECK_IN) == []
    assert [soon["players"] for soon in scene.notices(Notice.SOON)] == [[A, B]]


# called off


def test_with_too_few_it_is_called_off_and_every_fee_comes_back(scene: Scene) -> None:
    scene.announce(structure(least=4, fee=FEE, added=100))
    scene.register(A, B, C)
    scene.wait(61 * MINUTE)
    scene.ends(Phase.CANCELLED)
    assert scene.event.reason == "too_few"
    assert [scene.wallet(one) for one in (A, B, C)] == [POLICY.start_chips] * 3
    assert scene.notices(Notice.CANCELLED) == [{"reason": "too_few", "again": True}]


def test_it_is_called_off_when_too_few_have_checked_in(scene: Scene) -> None:
    _checks_in(scene, NoShow.DROP)
    scene.wait(45 * MINUTE)
    scene.check_in(A)
    scene.wait(15 * MINUTE)
    scene.ends(Phase.CANCELLED)
    assert [scene.wallet(one) for one in (A, B, C)] == [POLICY.start_chips] * 3


def test_called_off_while_it_runs_hands_are_void_and_the_fees_of_all_entries_come_back(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, added=100, late_levels=3, reentries=1, table_seats=4), A, B, C)
    mint = scene.balance("", "mint")
    scene.knock_out(A, B)
    scene.register(B)
    scene.go_on()
    assert scene.pool() == 4 * FEE + 100
    assert scene.playing() == [1]
    scene.organise(organiser.cancel, why="no power")
    scene.ends(Phase.CANCELLED)
    assert [scene.wallet(one) for one in (A, B, C)] == [POLICY.start_chips] * 3
    assert scene.balance("", "mint") == mint + 100
    assert scene.hand_states() == ["settled", "void", "undealt"]


def test_an_event_that_is_over_is_not_called_off(scene: Scene) -> None:
    scene.begin(structure(fee=FEE), A, B)
    scene.knock_out(A, B)
    scene.refused(EventReason.EVENT_OVER, lambda: scene.organise(organiser.cancel, why="no power"))
    assert scene.wallet(A) == POLICY.start_chips + FEE


def test_when_everybody_left_is_disqualified_nobody_wins_and_every_fee_comes_back(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, added=100), A, B)
    scene.organise(organiser.disqualify, A, why="cheated")
    scene.organise(organiser.disqualify, B, why="cheated")
    scene.hand(1)
    scene.ends(Phase.CANCELLED)
    assert scene.notices(Notice.CANCELLED) == [{"reason": "all_disqualified", "again": True}]
    assert [scene.wallet(one) for one in (A, B)] == [POLICY.start_chips] * 2
    assert scene.balance(chips.pool_of(scene.key)) == 0
    assert BOSS.player not in scene.field().entrants


def test_one_organiser_and_one_server_have_so_many_open_events(scene: Scene) -> None:
    for _ in range(MAX_OPEN_EVENTS_PER_ORGANISER):
        scene.announce(structure())
    scene.refused(PlanReason.TOO_MANY_OWN_EVENTS, partial(scene.announce, structure()))
    for number in range(MAX_OPEN_EVENTS - MAX_OPEN_EVENTS_PER_ORGANISER):
        scene.announce(structure(), organiser=Player(f"7{number}"))
    scene.refused(PlanReason.TOO_MANY_EVENTS, partial(scene.announce, structure(), organiser=STRANGER.player))
    scene.organise(organiser.cancel, why="no power", by=Official(player=Player("3"), manager=True))
    scene.announce(structure(), organiser=STRANGER.player)


def test_an_event_needs_a_name_that_can_be_seen(scene: Scene) -> None:
    for name in ("", "\u202e", "\u2066\u2069", "x" * (MAX_EVENT_NAME_LENGTH + 1)):
        announce = partial(scene.announce, structure(), name=name)
        scene.refused(PlanReason.BAD_EVENT_NAME, announce)
    scene.announce(structure(), name=" Friday\u202e\n night", series="\u200b")
    assert (scene.event.name, scene.event.series) == ("Friday night", "")
