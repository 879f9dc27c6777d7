"""Changing a published event: changes, refusals, notifications and check-in."""

from functools import partial
from random import Random
from typing import Any

import pytest

from bot.model.clock import HOUR, MINUTE, Pace
from bot.model.events import EntrantState, Notice, Official, Phase
from bot.model.ids import Player
from bot.model.reasons import EventReason, OrganiserReason, PlanReason, TableReason
from bot.model.refusals import Stale
from bot.play.event.office.event_fields import plain
from bot.play.event.office.permissions import voucher
from bot.play.event.organisers import changing, organiser
from bot.pure.event.structure import Format, NoShow, StructureError
from bot.pure.ofc.refusals import Refused
from tests.play.event.event_world import ANY, BOSS, STRANGER, A, B, C, D, Scene, structure

MANAGER = Official(player=Player("3"), manager=True)


def change(scene: Scene, *, by: Official = BOSS, **wanted: Any) -> None:
    """Change fields of the event as an organiser who has just viewed it."""
    seen = plain(scene.event)
    changes = {name: (seen[name], after) for name, after in wanted.items()}
    scene.organise(changing.change, changes, by=by, authority=ANY)


def in_phase(scene: Scene, phase: Phase) -> None:
    """The event is there."""
    assert scene.event.phase is phase


def test_what_is_changed_is_changed_and_told_once_with_before_and_after(scene: Scene) -> None:
    scene.announce(structure(stack=1000))
    scene.register(A, B)
    change(scene, stack=2000, levels=[20, 40], pace="none", seconds=0)
    event = scene.event
    assert (event.structure.stack, event.structure.levels) == (2000, (20, 40))
    assert event.clock.pace.value == "none"
    (told,) = scene.notices(Notice.CHANGED)
    assert (told["by"], told["plays"]) == (BOSS.player, False)
    assert sorted(told["changes"]) == [
        ["levels", [10, 20, 40], [20, 40]],
        ["pace", "per_turn", "none"],
        ["seconds", 60, 0],
        ["stack", 1000, 2000],
    ]
    (fact,) = scene.log("changed")
    assert (fact.actor, sorted(fact.details["changes"])) == (BOSS.player, sorted(told["changes"]))
    scene.start()
    scene.go_on()
    assert scene.spot(1).stacks == {A: 2000, B: 2000}


@pytest.mark.parametrize("wanted", [{"name": "Friday"}, {"series": "Winter"}, {"most": 40}])
def test_what_concerns_nobody_calls_nobody(scene: Scene, wanted: dict[str, Any]) -> None:
    scene.announce(structure())
    scene.register(A)
    change(scene, **wanted)
    assert plain(scene.event).items() >= wanted.items()
    assert (len(scene.log("changed")), scene.notices(Notice.CHANGED)) == (1, [])


def test_two_organisers_change_different_things_and_never_undo_each_other_unseen(scene: Scene) -> None:
    scene.announce(structure(stack=1000, most=30))
    change(scene, stack=3000, by=MANAGER)
    # Seen before the manager's change: another field goes through, the same one is refused.
    scene.organise(changing.change, {"most": (30, 12)})
    stale = {"stack": (1000, 5000)}
    scene.refused(PlanReason.CHANGED_MEANWHILE, partial(scene.organise, changing.change, stale))
    assert (scene.event.structure.stack, scene.event.structure.most) == (3000, 12)
    # Both wanted the same.
    same = {"stack": (1000, 3000)}
    scene.refused(PlanReason.NOTHING_CHANGED, partial(scene.organise, changing.change, same))


def test_one_press_changes_once(scene: Scene) -> None:
    scene.announce(structure())
    press = partial(changing.change, key=scene.key, by=BOSS, changes={"most": (30, 12)}, cause="77")
    scene.write(press)
    with pytest.raises(Stale):
        scene.write(press)


def test_only_organisers_change_and_only_what_is_not_over(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(A, B)
    scene.refused(OrganiserReason.NOT_ORGANISER, lambda: change(scene, most=12, by=STRANGER))
    with pytest.raises(Refused) as refused:
        changing.check_change(scene.session(), scene.key, STRANGER, {"most": (30, 12)})
    assert refused.value.reason is OrganiserReason.NOT_ORGANISER
    scene.start()
    scene.go_on()
    scene.knock_out(A, B)
    scene.refused(EventReason.EVENT_OVER, lambda: change(scene, most=12))


def test_what_people_have_registered_for_stays(scene: Scene) -> None:
    scene.announce(structure(fee=100))
    change(scene, fee=200)
    scene.register(A, B, C)
    assert scene.pool() == 600
    scene.refused(PlanReason.CAP_TOO_LOW, lambda: change(scene, most=2))
    scene.refused(PlanReason.NOTHING_CHANGED, lambda: scene.organise(changing.change, {"format": ("x", "league")}))
    change(scene, most=3)
    assert scene.event.structure.most == 3


def test_another_fee_pays_the_old_one_back_and_asks_everybody_anew(scene: Scene) -> None:
    scene.announce(structure(fee=100, added=50))
    scene.register(A, B, C)
    scene.withdraw(C)
    change(scene, fee=300)
    assert [scene.entrant(one).state for one in (A, B, C)] == [EntrantState.WITHDRAWN] * 3
    assert (scene.pool(), scene.wallet(A), scene.wallet(B)) == (0, 5000, 5000)
    (told,) = scene.notices(Notice.CHANGED)
    assert (told["changes"], told["asked"]) == ([["fee", 100, 300]], [A, B])
    # One press is the new consent; who does not press is not in it, and owes nothing.
    scene.register(B, D)
    assert (scene.pool(), scene.wallet(A), scene.wallet(B)) == (600, 5000, 4700)
    scene.start()
    scene.go_on()
    scene.knock_out(B, D)
    scene.ends()
    assert (scene.wallet(B), scene.wallet(D)) == (5350, 4700)


def test_a_fee_that_nobody_has_paid_is_no_fee_that_somebody_owes(scene: Scene) -> None:
    scene.announce(structure())
    scene.register(A)
    change(scene, fee=300)
    assert (scene.pool(), scene.wallet(A)) == (0, 5000)
    assert scene.notices(Notice.CHANGED)[0]["asked"] == [A]
    scene.refused(EventReason.NOT_REGISTERED, lambda: scene.withdraw(A))
    change(scene, fee=0)
    assert len(scene.notices(Notice.CHANGED)) == 1, "nobody is there to be told"


def test_nobody_is_asked_about_a_fee_in_the_last_minutes(scene: Scene) -> None:
    scene.announce(structure(fee=100), minutes=20)
    scene.wait(11 * MINUTE)
    change(scene, fee=200)
    scene.register(A, B)
    scene.refused(PlanReason.FEE_TOO_LATE, lambda: change(scene, fee=300))
    # Unless there is time again.
    starts = scene.event.starts_at
    assert starts is not None
    change(scene, fee=300, starts_at=starts + HOUR)
    assert (scene.pool(), scene.wallet(A)) == (0, 5000)
    scene.announce(structure(Format.SIT_AND_GO, most=3, least=3, fee=100))
    scene.register(A, B)
    change(scene, fee=200)
    assert scene.pool() == 0


@pytest.mark.parametrize("seed", range(12))
def test_no_chip_is_made_or_lost_whatever_becomes_of_the_fee(seed: int) -> None:
    scene, chance = Scene(seed), Random(seed)
    people = [A, B, C, D]
    scene.announce(structure(fee=100), minutes=600)
    fee, paid, changes = 100, set[Player](), 0
    for _ in range(60):
        one = chance.choice(people)
        if chance.random() < 0.3:
            wanted = chance.choice((0, 1, 100, 250, 5000))
            if wanted != fee:
                change(scene, fee=wanted)
                fee, paid, changes = wanted, set(), changes + 1
        elif one in paid:
            scene.withdraw(one)
            paid.discard(one)
        else:
            scene.register(one)
            paid.add(one)
        assert scene.pool() == fee * len(paid)
        assert {player: scene.wallet(player) for player in paid} == dict.fromkeys(paid, 5000 - fee)
        assert all(scene.wallet(player) in (0, 5000) for player in people if player not in paid)
        scene.check_books()
    assert changes > 5
    scene.organise(organiser.cancel, why="over")
    scene.ends(Phase.CANCELLED)
    assert all(scene.wallet(player) in (0, 5000) for player in people)


def test_what_cannot_be_played_cannot_be_changed_to(scene: Scene) -> None:
    scene.announce(structure())
    before = scene.dump()
    with pytest.raises(StructureError, match="stack_too_small"):
        change(scene, stack=10)
    assert scene.dump() == before
    scene.refused(PlanReason.BAD_EVENT_NAME, lambda: change(scene, name="  "))
    found = changing.check_change(scene.session(), scene.key, BOSS, {"stack": (1000, 10), "name": ("Thursday", "")})
    assert [type(problem).__name__ for problem in found] == ["Refused", "StructureError"]


def test_somebody_who_may_not_promise_promises_nothing_and_who_does_vouches(scene: Scene) -> None:
    scene.announce(structure())
    adds = partial(scene.organise, changing.change, {"added": (0, 500)})
    scene.refused(PlanReason.NO_ADDED_POWER, adds)
    change(scene, added=500, by=MANAGER)
    assert voucher(scene.session(), scene.event) == MANAGER.player
    scene.register(A, B)
    scene.start()
    assert scene.pool() == 500


# the hour


def test_a_postponed_event_starts_at_its_new_hour_and_calls_again_before_it(scene: Scene) -> None:
    scene.announce(structure(), minutes=20)
    scene.register(A, B)
    scene.wait(11 * MINUTE)
    assert len(scene.notices(Notice.SOON)) == 1
    first = scene.event.starts_at
    assert first is not None
    scene.organise(changing.postpone, until=first + HOUR)
    (told,) = scene.notices(Notice.CHANGED)
    assert told["changes"] == [["starts_at", first, first + HOUR]]
    scene.wait(30 * MINUTE)
    in_phase(scene, Phase.REGISTERING)
    scene.wait(30 * MINUTE)
    assert len(scene.notices(Notice.SOON)) == 2
    scene.wait(10 * MINUTE)
    in_phase(scene, Phase.RUNNING)
    scene.check_books()


def test_check_in_opens_again_where_an_event_is_postponed_past_it(scene: Scene) -> None:
    scene.announce(structure(check_in_minutes=15, no_show=NoShow.DROP), minutes=20)
    scene.register(A, B, C)
    scene.wait(6 * MINUTE)
    scene.check_in(A, B)
    starts = scene.event.starts_at
    assert starts is not None
    # A short delay keeps existing check-ins.
    scene.organise(changing.postpone, until=starts + HOUR)
    in_phase(scene, Phase.CHECK_IN)
    assert [scene.entrant(one).state.value for one in (A, B, C)] == ["checked_in", "checked_in", "registered"]
    # A delay to another evening resets them.
    scene.organise(changing.postpone, until=starts + 24 * HOUR)
    in_phase(scene, Phase.REGISTERING)
    assert {scene.entrant(one).state for one in (A, B, C)} == {EntrantState.REGISTERED}
    scene.wait(24 * HOUR - MINUTE)
    in_phase(scene, Phase.CHECK_IN)
    assert (len(scene.notices(Notice.CHECK_IN)), len(scene.notices(Notice.SOON))) == (0, 2)
    scene.check_in(A, C)
    scene.wait(HOUR)
    assert [one for one in (A, B, C) if scene.entrant(one).state is EntrantState.PLAYING] == [A, C]


@pytest.mark.parametrize("opens_at", [15, 60])
def test_a_start_that_moves_into_check_in_is_told_in_the_one_message_that_opens_it(scene: Scene, opens_at: int) -> None:
    scene.announce(structure(check_in_minutes=opens_at, no_show=NoShow.DROP), minutes=180)
    scene.register(A, B)
    scene.organise(changing.postpone, until=scene.now + 12 * MINUTE)
    in_phase(scene, Phase.CHECK_IN)
    (told,) = scene.notices(Notice.CHANGED)
    assert told["check_in"] is True
    assert scene.notices(Notice.CHECK_IN) == scene.notices(Notice.SOON) == []
    assert len(scene.log("check_in")) == 1
    scene.wait(3 * MINUTE)
    # Check-in that opens long before the start has the call shortly before it too.
    assert len(scene.notices(Notice.SOON)) == (opens_at == 60)
    assert scene.notices(Notice.CHECK_IN) == []


def test_check_in_that_opens_by_a_change_of_it_alone_is_one_message_too(scene: Scene) -> None:
    scene.announce(structure(), minutes=12)
    scene.register(A, B)
    change(scene, check_in_minutes=15)
    in_phase(scene, Phase.CHECK_IN)
    scene.wait(5 * MINUTE)
    assert [told["check_in"] for told in scene.notices(Notice.CHANGED)] == [True]
    assert scene.notices(Notice.CHECK_IN) == scene.notices(Notice.SOON) == []


def test_nobody_is_missed_where_check_in_was_taken_away(scene: Scene) -> None:
    scene.announce(structure(check_in_minutes=15), minutes=20)
    scene.register(A, B)
    scene.wait(6 * MINUTE)
    change(scene, check_in_minutes=0)
    scene.wait(15 * MINUTE)
    assert {scene.entrant(one).state for one in (A, B)} == {EntrantState.PLAYING}


def test_hours_that_cannot_be_are_refused(scene: Scene) -> None:
    scene.announce(structure())
    postpone = partial(scene.organise, changing.postpone)
    scene.refused(PlanReason.START_PASSED, lambda: postpone(until=scene.now - 1))
    scene.refused(PlanReason.START_TOO_LATE, lambda: postpone(until=scene.now + 400 * 24 * HOUR))
    scene.register(A, B)
    scene.start()
    scene.refused(PlanReason.TOO_LATE_TO_CHANGE, lambda: postpone(until=scene.now + HOUR))


def test_an_event_that_is_about_to_start_can_be_changed_without_another_hour(scene: Scene) -> None:
    scene.announce(structure(), minutes=2)
    scene.wait(2 * MINUTE - 1000)
    change(scene, name="Friday")
    assert scene.event.name == "Friday"


def test_a_sit_and_go_has_no_hour_and_starts_once_a_lower_cap_is_reached(scene: Scene) -> None:
    scene.announce(structure(Format.SIT_AND_GO, most=3, least=3))
    scene.refused(PlanReason.NO_START_TIME, lambda: scene.organise(changing.postpone, until=scene.now + HOUR))
    scene.refused(
        OrganiserReason.NOT_ORGANISER, lambda: scene.organise(changing.postpone, by=STRANGER, until=scene.now)
    )
    scene.register(A, B)
    change(scene, most=2, least=2)
    in_phase(scene, Phase.RUNNING)


# while it runs


def test_levels_that_nobody_has_reached_can_be_changed(scene: Scene) -> None:
    scene.begin(structure(levels=(10, 20, 40), level_hands=1), A, B)
    scene.hands(1)
    assert scene.event.level == 1
    scene.refused(PlanReason.LEVEL_REACHED, lambda: change(scene, levels=[10, 30, 40]))
    change(scene, levels=[10, 20, 100], titles=["Champion"])
    scene.hands(1)
    assert scene.spot(1).table.terms.point_value == 100
    assert scene.notices(Notice.CHANGED)[-1]["changes"] == [
        ["levels", [10, 20, 40], [10, 20, 100]],
        ["titles", [], ["Champion"]],
    ]


@pytest.mark.parametrize("wanted", [{"stack": 2000}, {"fee": 5}, {"level_hands": 2}, {"least": 3}])
def test_what_has_been_played_stays(scene: Scene, wanted: dict[str, Any]) -> None:
    scene.begin(structure(), A, B)
    scene.refused(PlanReason.TOO_LATE_TO_CHANGE, lambda: change(scene, **wanted))
    assert not any(changing.may_change(name, scene.event) for name in wanted)


def test_another_clock_begins_with_the_next_hand(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    change(scene, pace="live", seconds=120)
    assert scene.spot(1).table.terms.clock.pace is Pace.PER_TURN, "the hand that runs keeps its clock"
    (told,) = scene.notices(Notice.CHANGED)
    assert sorted(told["changes"]) == [["pace", "per_turn", "live"], ["seconds", 60, 120]]
    scene.hands(1)
    spot = scene.spot(1)
    assert (spot.table.terms.clock.pace, spot.table.terms.clock.seconds) == (Pace.LIVE, 120)
    assert [(seat.left_ms, seat.bank_ms) for seat in spot.seats] == [(120_000, 60_000)] * 2
    scene.refused(TableReason.BAD_TIME, lambda: change(scene, seconds=5))


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ({"form": Format.SINGLE}, {"levels": [10, 20, 100]}),
        ({"form": Format.SINGLE}, {"most": 31}),
        ({}, {"level_minutes": 10}),
        ({}, {"break_minutes": 20}),
        ({"form": Format.SIT_AND_GO, "most": 2, "least": 2}, {"most": 3, "least": 3}),
        ({"level_hands": 0, "level_minutes": 10}, {"level_hands": 5}),
    ],
)
def test_a_field_that_means_nothing_while_it_runs_is_named_when_it_is_refused(
    scene: Scene, kind: dict[str, Any], wanted: dict[str, Any]
) -> None:
    scene.announce(structure(**kind))
    scene.register(A, B)
    if scene.event.phase is not Phase.RUNNING:
        scene.start()
        scene.go_on()
    before = scene.dump()
    with pytest.raises(Refused) as refused:
        change(scene, **wanted)
    assert refused.value.reason is PlanReason.TOO_LATE_TO_CHANGE
    assert refused.value.details == {"fields": ",".join(wanted)}
    assert not any(changing.may_change(name, scene.event) for name in wanted)
    assert scene.dump() == before


def test_minutes_that_cannot_be_are_refused_without_a_field_that_is_not_offered(scene: Scene) -> None:
    scene.begin(structure(level_hands=0, level_minutes=10, break_levels=1), A, B)
    with pytest.raises(StructureError) as refused:
        change(scene, level_minutes=0)
    assert (refused.value.problem, refused.value.details["what"]) == ("out_of_range", "level_minutes")
    change(scene, level_minutes=20, break_minutes=3)
    assert (scene.event.structure.level_minutes, scene.event.structure.break_minutes) == (20, 3)


def test_first_levels_that_were_reached_are_one_problem(scene: Scene) -> None:
    scene.begin(structure(stack=1000), A, B)
    seen = plain(scene.event)
    changes = {"levels": (seen["levels"], [900, 1000])}
    (problem,) = changing.check_change(scene.session(), scene.key, BOSS, changes, ANY)
    assert isinstance(problem, Refused)
    assert problem.reason is PlanReason.LEVEL_REACHED


def test_the_minimum_of_a_sit_and_go_follows_without_a_line_of_its_own(scene: Scene) -> None:
    scene.announce(structure(Format.SIT_AND_GO, most=3, least=3))
    change(scene, most=4, least=4)
    assert scene.event.structure.least == 4
    (fact,) = scene.log("changed")
    assert fact.details["changes"] == [["most", 3, 4]]


def test_chips_come_into_a_running_events_pool_and_do_not_leave_it(scene: Scene) -> None:
    scene.begin(structure(added=300), A, B)
    scene.refused(PlanReason.ADDED_STAYS, lambda: change(scene, added=200))
    change(scene, added=1000, by=MANAGER)
    assert scene.pool() == 1000
    assert [(one.manager, one.chips) for one in scene.committed.bank.audit_log(scene.key.guild, limit=9)] == [
        (MANAGER.player, 700),
        (BOSS.player, 300),
    ]
    scene.knock_out(A, B)
    scene.ends()
    assert scene.wallet(A) == 6000


def test_registration_can_be_opened_for_longer(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    scene.refused(EventReason.REGISTRATION_CLOSED, lambda: scene.register(C))
    change(scene, late_levels=2, reentries=1)
    scene.register(C, D)
    assert scene.entrant(D).state is EntrantState.PLAYING


def test_an_organiser_who_plays_changes_nothing_of_a_running_event(scene: Scene) -> None:
    scene.announce(structure(), organiser=A)
    playing = Official(player=A)
    scene.register(A, B)
    change(scene, by=playing, stack=2000)
    scene.organise(organiser.start_now, by=playing)
    scene.go_on()
    scene.refused(OrganiserReason.PLAYS_HERE, lambda: change(scene, by=playing, most=31))
    assert scene.notices(Notice.CHANGED)[0]["plays"] is True
