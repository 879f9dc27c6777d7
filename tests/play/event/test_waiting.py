"""Tests of the waiting list: offers, their deadlines, organisers' actions, and the end of the list."""

from collections import Counter
from functools import partial

import pytest

from bot.model.events import EntrantState, Notice, Official, Phase
from bot.model.ids import Player, Shard
from bot.model.reasons import EventReason, OrganiserReason, PlanReason
from bot.model.refusals import OtherTerms, Stale
from bot.play import terms as terms_of
from bot.play.event.office import registration
from bot.play.event.organisers import changing, desk_acts, organiser, waiting_acts
from bot.pure.event.structure import Format, StructureError
from tests.play.event.event_world import BOSS, MINUTE, POLICY, STRANGER, A, B, C, D, E, F, G, Scene, structure
from tests.play.event.storage import close_what_is_open
from tests.play.event.waiting_model import WaitingDay

FEE = 500
DAY = 24 * 60
"""Minutes of a day."""


@pytest.fixture
def full(scene: Scene) -> Scene:
    """An event with a fee that starts in a day; A and B have its places, and C, D and E wait."""
    scene.announce(structure(fee=FEE, most=2, late_levels=3), minutes=DAY)
    scene.register(A, B, C, D, E)
    return scene


def test_who_registers_for_a_full_event_waits_and_pays_nothing(full: Scene) -> None:
    assert full.waiting() == [C, D, E]
    assert [full.view().place_in_list(player) for player in (C, D, E)] == [1, 2, 3]
    assert (full.pool(), full.wallet(C)) == (2 * FEE, 0)
    assert [line.entrant.player for line in full.view().lines] == [A, B]
    full.check_books()


def test_nobody_waits_twice(full: Scene) -> None:
    full.refused(EventReason.ALREADY_WAITING, lambda: full.register(D))


def test_one_press_joins_once(full: Scene) -> None:
    press = partial(registration.register, key=full.key, player=F, cause="77")
    full.write(press)
    with pytest.raises(Stale):
        full.write(press)
    assert full.waiting() == [C, D, E, F]


def test_a_free_place_is_offered_to_the_first_alone_with_one_ping(full: Scene) -> None:
    full.withdraw(A)
    assert full.offers() == {C: DAY // 4 - 1}
    (told,) = full.notices(Notice.OFFERED)
    assert told["players"] == [C]
    assert told["until"] == full.field().queue[0].offered_until


def test_the_fee_is_taken_with_the_place(full: Scene) -> None:
    full.withdraw(A)
    full.take_place(C)
    assert (full.wallet(C), full.pool()) == (POLICY.start_chips - FEE, 2 * FEE)
    assert full.waiting() == [D, E]
    assert full.offers() == {}
    full.check_books()


def test_registering_takes_the_place_on_offer_too(full: Scene) -> None:
    full.withdraw(A)
    full.register(C)
    assert full.entrant(C).state is EntrantState.REGISTERED


def test_a_new_registration_never_passes_those_who_wait(full: Scene) -> None:
    full.withdraw(A)
    full.register(F)
    assert full.waiting() == [C, D, E, F]
    assert list(full.offers()) == [C]


def test_an_offer_that_is_declined_goes_to_the_next(full: Scene) -> None:
    full.withdraw(A)
    full.decline_place(C)
    assert full.waiting() == [D, E]
    assert list(full.offers()) == [D]
    assert full.wallet(C) == 0


def test_an_offer_that_is_not_taken_in_time_goes_to_the_next(full: Scene) -> None:
    full.withdraw(A)
    full.wait(DAY // 4 * MINUTE)
    assert full.waiting() == [D, E]
    assert list(full.offers()) == [D]
    full.refused(EventReason.OFFER_OVER, lambda: full.take_place(C))
    full.refused(EventReason.OFFER_OVER, lambda: full.decline_place(C))
    full.register(C)
    assert full.waiting() == [D, E, C]


def test_an_offer_is_over_at_its_deadline_before_the_clock_has_looked(full: Scene) -> None:
    full.withdraw(A)
    full.now += DAY // 4 * MINUTE
    assert full.waiting() == [C, D, E]
    full.refused(EventReason.OFFER_OVER, lambda: full.take_place(C))
    full.register(F)
    assert full.waiting() == [D, E, F]
    assert list(full.offers()) == [D]


@pytest.mark.parametrize(
    ("before_start", "lasts"), [(DAY * 4, 12 * 60), (DAY, 6 * 60), (60, 15), (40, 10), (20, 10), (7, 7)]
)
def test_an_offer_is_shorter_near_the_start_and_never_reaches_beyond_it(
    scene: Scene, before_start: int, lasts: int
) -> None:
    scene.announce(structure(most=2), minutes=DAY * 5)
    scene.register(A, B, C)
    scene.now = (scene.event.starts_at or 0) - before_start * MINUTE
    scene.withdraw(A)
    assert scene.offers() == {C: lasts}


def test_they_leave_the_list_with_or_without_an_offer(full: Scene) -> None:
    full.withdraw(D)
    assert full.waiting() == [C, E]
    full.withdraw(A)
    full.withdraw(C)
    assert list(full.offers()) == [E]
    full.refused(EventReason.NOT_REGISTERED, lambda: full.withdraw(C))


def test_who_has_no_offer_takes_none(full: Scene) -> None:
    full.withdraw(A)
    full.refused(EventReason.NO_OFFER_YET, lambda: full.take_place(D))
    full.refused(EventReason.OFFERED_TO_OTHERS, lambda: full.take_place(F))
    full.refused(EventReason.OFFERED_TO_OTHERS, lambda: full.decline_place(F))
    full.refused(EventReason.ALREADY_REGISTERED, lambda: full.take_place(B))
    full.refused(EventReason.NO_OFFER_YET, lambda: full.decline_place(D))


def test_a_place_is_taken_under_the_terms_that_were_shown(full: Scene) -> None:
    full.withdraw(A)
    for shown in ("another", terms_of.UNSEEN):
        with pytest.raises(OtherTerms):
            full.write(partial(registration.take_place, key=full.key, player=C, terms=shown, cause=full.cause()))
    assert full.wallet(C) == 0
    shown = terms_of.of_event(full.event)
    full.write(partial(registration.take_place, key=full.key, player=C, terms=shown, cause=full.cause()))
    assert full.entrant(C).registered


def test_who_cannot_pay_keeps_the_offer(scene: Scene) -> None:
    scene.announce(structure(fee=POLICY.start_chips + 1), minutes=DAY)
    scene.organise(changing.change, {"most": (30, 2), "fee": (POLICY.start_chips + 1, 0)})
    scene.register(A, B, C)
    scene.organise(changing.change, {"fee": (0, POLICY.start_chips + 1)})
    assert list(scene.offers()) == [A, B]
    scene.refused(EventReason.FEE_TOO_HIGH, lambda: scene.take_place(A))
    assert list(scene.offers()) == [A, B]


def test_who_takes_a_place_during_check_in_is_present(scene: Scene) -> None:
    scene.announce(structure(most=2, check_in_minutes=30), minutes=60)
    scene.register(A, B, C)
    scene.wait(40 * MINUTE)
    scene.withdraw(A)
    scene.take_place(C)
    assert scene.entrant(C).state is EntrantState.CHECKED_IN


# the organiser


def test_an_organiser_moves_somebody_to_the_top(full: Scene) -> None:
    full.organise(waiting_acts.move_to_top, E)
    assert full.waiting() == [E, C, D]
    full.refused(OrganiserReason.THEY_ARE_FIRST, lambda: full.organise(waiting_acts.move_to_top, E))
    full.refused(OrganiserReason.NOT_WAITING, lambda: full.organise(waiting_acts.move_to_top, F))
    full.refused(OrganiserReason.NOT_ORGANISER, lambda: full.organise(waiting_acts.move_to_top, D, by=STRANGER))
    full.withdraw(A)
    assert list(full.offers()) == [E]
    full.organise(waiting_acts.move_to_top, D)
    assert full.waiting() == [E, D, C]
    full.refused(OrganiserReason.THEY_ARE_FIRST, lambda: full.organise(waiting_acts.move_to_top, E))


def test_an_organiser_removes_somebody_and_their_offer_goes_to_the_next(full: Scene) -> None:
    full.withdraw(A)
    full.organise(waiting_acts.remove, C)
    assert full.waiting() == [D, E]
    assert list(full.offers()) == [D]
    assert full.notices(Notice.RULING)[-1]["what"] == "unlisted"
    full.refused(OrganiserReason.NOT_WAITING, lambda: full.organise(waiting_acts.remove, C))
    full.refused(EventReason.HAS_RULED, lambda: full.register(BOSS.player))


def test_an_organiser_on_the_list_leaves_its_order_alone(scene: Scene) -> None:
    scene.announce(structure(most=2))
    scene.register(A, B, C, BOSS.player)
    scene.refused(OrganiserReason.WAITS_HERE, lambda: scene.organise(waiting_acts.move_to_top, BOSS.player))
    scene.refused(OrganiserReason.WAITS_HERE, lambda: scene.organise(waiting_acts.remove, C))
    manager = Official(player=BOSS.player, manager=True)
    scene.organise(waiting_acts.move_to_top, BOSS.player, by=manager)
    assert scene.waiting() == [BOSS.player, C]


def test_another_table_takes_everyone_who_fits(full: Scene) -> None:
    full.register(F)
    full.organise(waiting_acts.open_table)
    assert full.event.structure.most == 5
    assert list(full.offers()) == [C, D, E]
    assert len(full.notices(Notice.OFFERED)) == 1
    assert full.notices(Notice.CHANGED) == []
    full.organise(waiting_acts.open_table)
    full.refused(OrganiserReason.NOBODY_WAITS, lambda: full.organise(waiting_acts.open_table))
    full.refused(OrganiserReason.NOT_ORGANISER, lambda: full.organise(waiting_acts.open_table, by=STRANGER))


def test_two_organisers_at_once_open_one_table(full: Scene) -> None:
    more = [Player(str(6000 + number)) for number in range(9)]
    full.register(*more)
    shown = full.event.structure.most
    full.organise(waiting_acts.open_table, shown=shown)
    raised = full.event.structure.most
    assert raised > shown
    assert any(player not in full.offers() for player in more)
    before = full.dump()
    full.refused(OrganiserReason.MAX_CHANGED, lambda: full.organise(waiting_acts.open_table, shown=shown))
    assert full.dump() == before
    full.organise(waiting_acts.open_table, shown=raised)
    assert full.event.structure.most > raised


def test_another_table_stays_within_the_limits(scene: Scene) -> None:
    scene.announce(structure(Format.GROUPS, most=63, groups=16), minutes=DAY)
    everybody = [Player(str(6000 + number)) for number in range(65)]
    scene.register(*everybody)
    scene.organise(waiting_acts.open_table)
    assert scene.event.structure.most == 64
    before = scene.dump()
    with pytest.raises(StructureError):
        scene.organise(waiting_acts.open_table)
    assert scene.dump() == before


def test_a_raised_maximum_offers_the_new_places(full: Scene) -> None:
    full.organise(changing.change, {"most": (2, 4)})
    assert list(full.offers()) == [C, D]
    full.refused(PlanReason.CAP_TOO_LOW_OFFERED, lambda: full.organise(changing.change, {"most": (4, 3)}))


def test_a_removed_player_frees_a_place(full: Scene) -> None:
    full.organise(organiser.unregister, A)
    assert list(full.offers()) == [C]
    full.organise(organiser.disqualify, B, why="cheated")
    assert list(full.offers()) == [C, D]


def test_an_organiser_registers_somebody_for_a_place_on_offer_and_for_no_other(scene: Scene) -> None:
    scene.announce(structure(most=2))
    scene.register(A, B, C, D)
    scene.refused(EventReason.EVENT_FULL, lambda: scene.organise(desk_acts.register_for, E))
    scene.refused(OrganiserReason.THEY_WAIT, lambda: scene.organise(desk_acts.register_for, C))
    scene.withdraw(A)
    scene.refused(EventReason.EVENT_FULL, lambda: scene.organise(desk_acts.register_for, E))
    scene.organise(desk_acts.register_for, C)
    assert scene.waiting() == [D]
    assert scene.entrant(C).registered


# changes


def test_a_new_fee_keeps_the_places_of_those_who_had_one(full: Scene) -> None:
    full.organise(changing.change, {"fee": (FEE, 2 * FEE)})
    assert full.waiting() == [A, B, C, D, E]
    assert list(full.offers()) == [A, B]
    assert full.notices(Notice.OFFERED) == []
    full.register(A)
    assert (full.pool(), full.wallet(A)) == (2 * FEE, POLICY.start_chips - 2 * FEE)
    full.wait(DAY // 4 * MINUTE)
    assert list(full.offers()) == [C]
    full.check_books()


def test_an_earlier_start_shortens_the_offers(full: Scene) -> None:
    full.withdraw(A)
    start = full.event.starts_at or 0
    full.organise(changing.postpone, until=full.now + 60 * MINUTE)
    assert full.offers() == {C: 60}
    full.organise(changing.postpone, until=start)
    assert full.offers() == {C: 60}


def test_a_cancelled_event_tells_those_who_waited_and_owes_them_nothing(full: Scene) -> None:
    full.withdraw(A)
    full.organise(organiser.cancel, why="no power")
    assert full.notices(Notice.CANCELLED)[0]["waited"] == [C, D, E]
    assert full.waiting() == []
    full.refused(EventReason.EVENT_OVER, lambda: full.take_place(C))
    full.ends(Phase.CANCELLED)


# the end of the list


def test_at_the_start_those_who_still_wait_are_told_in_the_same_post(full: Scene) -> None:
    full.withdraw(A)
    full.take_place(C)
    full.wait(DAY * MINUTE)
    assert full.event.phase is Phase.RUNNING
    assert full.notices(Notice.STARTED)[0]["waited"] == [D, E]
    assert len(full.notices(Notice.OFFERED)) == 1
    assert full.wallet(D) == 0
    full.refused(EventReason.EVENT_FULL, lambda: full.register(F))
    full.refused(EventReason.NO_OFFER, lambda: full.take_place(D))
    full.check_books()


def test_an_open_offer_ends_with_the_start(full: Scene) -> None:
    full.register(F)
    full.organise(changing.change, {"most": (2, 3)})
    full.start()
    assert full.notices(Notice.STARTED)[0]["waited"] == [C, D, E, F]
    full.refused(EventReason.OFFER_ENDED_BY_START, lambda: full.take_place(C))
    full.register(F)
    assert full.entrant(F).playing


def test_a_sit_and_go_has_no_list(scene: Scene) -> None:
    scene.announce(structure(Format.SIT_AND_GO, most=2, least=2))
    scene.register(A, B)
    scene.refused(EventReason.REGISTRATION_CLOSED, lambda: scene.register(C))


def test_who_has_left_the_server_is_offered_nothing(full: Scene) -> None:
    full.write(lambda s: s.tx.members.note_departed(full.key.guild, [C], at=full.now))
    full.withdraw(A)
    assert full.waiting() == [D, E]
    assert list(full.offers()) == [D]


def test_the_place_of_a_member_who_left_with_an_offer_is_passed_on_with_the_next_one(full: Scene) -> None:
    full.withdraw(A)
    assert list(full.offers()) == [C]
    full.write(lambda s: s.tx.members.note_departed(full.key.guild, [C], at=full.now))
    full.withdraw(B)
    assert full.waiting() == list(full.offers()) == [D, E]
    (_, told) = full.notices(Notice.OFFERED)
    assert told["players"] == [D, E]


def test_an_outage_counts_for_nobody_and_moves_no_start(full: Scene) -> None:
    full.withdraw(A)
    full.write(lambda s: s.tx.timers.shift(60 * MINUTE, shard=Shard(number=0, count=1), tell=False))
    assert full.offers() == {C: DAY // 4 - 1 + 60}
    full.write(lambda s: s.tx.timers.shift(2 * DAY * MINUTE, shard=Shard(number=0, count=1), tell=False))
    assert full.field().queue[0].offered_until == full.event.starts_at


def test_a_restore_keeps_the_list(full: Scene) -> None:
    full.withdraw(A)
    full.restore()
    assert full.waiting() == [C, D, E]
    assert list(full.offers()) == [C]
    full.take_place(C)


def test_those_who_wait_are_in_nobodys_way(full: Scene) -> None:
    """A player who left the list is neither an entrant nor seated."""
    full.withdraw(C)
    full.wait(DAY * MINUTE)
    assert {entrant.player for entrant in full.field().playing} == {A, B}
    assert G not in full.field().entrants


def test_each_step_of_a_random_day_agrees_with_an_independent_model() -> None:
    seen = Counter[str]()
    for seed in range(40):
        day = WaitingDay(seed)
        day.day()
        seen += day.counts
        close_what_is_open()
    assert all(
        seen[what]
        for what in ("started", "offers", "take", "pass", "top", "out", "table", "flight", "call off", "back", "kills")
    )
