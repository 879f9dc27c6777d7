"""Tests of flights: further events for the waiting list of a full one."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.model.events import Event, Notice, Official, Phase
from bot.model.ids import EventKey, Player
from bot.model.limits import MAX_OPEN_EVENTS_PER_ORGANISER
from bot.model.reasons import EventReason, OrganiserReason, PlanReason
from bot.model.refusals import OtherTerms, Stale
from bot.play.event.formats import series_runs
from bot.play.event.office import flights
from bot.play.event.office.permissions import NO_AUTHORITY, MemberPermissions
from bot.play.event.organisers import changing, desk_acts, flight_acts, organiser, series_acts, waiting_acts
from bot.play.session.session import Session
from bot.pure.event.structure import Format
from bot.pure.ofc.refusals import Refused
from tests.play.event.event_world import (
    ANY,
    BOSS,
    GUILD,
    MINUTE,
    POLICY,
    STRANGER,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    Scene,
    structure,
)

FEE = 500
DAY = 24 * 60
"""Minutes of a day."""
OTHER = Player("7")
ANNOUNCES = MemberPermissions(announces=True)


class Flights(Scene):
    """A scene with several flights."""

    def open(self, *, by: Official = BOSS, authority: MemberPermissions = ANY, **more: Any) -> Event:
        """Open another flight for the scene's event."""
        return self.write(
            lambda s: flight_acts.open_flight(
                s, self.key, by, authority, named="{} (Flight {})".format, cause=self.cause(), **more
            )
        )

    def terms(self) -> str:
        """The terms that an organiser is shown now."""
        return flights.offer(self.field()).terms

    def at(self, key: EventKey, look: Callable[[], Any]) -> Any:
        """Return what's seen at another event."""
        here, self.key = self.key, key
        try:
            return look()
        finally:
            self.key = here

    def does(self, key: EventKey, act: Callable[..., Any], *players: Player) -> None:
        """Let players do something at another event."""
        for player in players:
            self.at(key, partial(act, player))


@pytest.fixture
def full() -> Flights:
    """An event with a fee that starts in a day; A and B have its places, and C, D, E and F wait."""
    scene = Flights()
    scene.announce(structure(fee=FEE, most=2, least=2, titles=("King",), late_levels=3), minutes=DAY)
    scene.register(A, B, C, D, E, F)
    return scene


def test_a_flight_has_the_same_settings_and_offers_its_places_in_order(full: Flights) -> None:
    flight = full.open()
    first = full.event
    same = replace(
        flight,
        key=first.key,
        name=first.name,
        **{
            name: getattr(first, name)
            for name in ("created_at", "commitment", "sealed_seed", "board_commitment", "board_sealed", "alarm_at")
        },
    )
    assert same == replace(first, version=1)
    assert flight.name == "Thursday (Flight 2)"
    assert flight.commitment != first.commitment
    assert full.at(flight.key, full.waiting) == [C, D, E, F]
    assert full.at(flight.key, full.offers) == {C: DAY // 4 - 1, D: DAY // 4 - 1}
    (told,) = full.at(flight.key, lambda: full.notices(Notice.OFFERED))
    assert (told["players"], told["flight_of"]) == ([C, D], "Thursday")
    (opened,) = full.at(flight.key, lambda: full.notices(Notice.COMMITTED))
    assert opened["quiet"], "only those who wait are called"
    assert full.notices(Notice.OFFERED) == []
    full.check_books()


def test_nobody_pays_or_loses_their_place_in_the_list_until_they_take_one(full: Flights) -> None:
    flight = full.open().key
    assert full.waiting() == [C, D, E, F]
    assert [full.wallet(player) for player in (C, D, E, F)] == [0, 0, 0, 0]
    full.does(flight, full.take_place, C)
    assert full.wallet(C) == POLICY.start_chips - FEE
    assert full.waiting() == [D, E, F]
    full.does(flight, full.decline_place, D)
    assert full.waiting() == [D, E, F], "who says no stays where they were"
    assert full.at(flight, full.waiting) == [E, F]
    assert list(full.at(flight, full.offers)) == [E]
    full.check_books()


def test_an_offer_of_the_flight_that_runs_out_costs_no_place_in_the_list(full: Flights) -> None:
    flight = full.open().key
    full.at(flight, lambda: full.wait(DAY // 4 * MINUTE))
    assert list(full.at(flight, full.offers)) == [E, F]
    assert full.waiting() == [C, D, E, F]


def test_who_gets_a_place_in_the_first_event_leaves_the_flights_list(full: Flights) -> None:
    flight = full.open().key
    full.withdraw(A)
    assert list(full.offers()) == [C]
    full.take_place(C)
    assert full.at(flight, full.waiting) == [D, E, F]
    assert list(full.at(flight, full.offers)) == [D, E]
    assert full.waiting() == [D, E, F]


def test_a_free_place_in_a_flight_is_taken_from_the_list_too(full: Flights) -> None:
    flight = full.open().key
    full.at(flight, lambda: full.organise(changing.change, {"most": (2, 9)}))
    full.does(flight, full.decline_place, F)
    full.does(flight, full.register, F)
    assert full.waiting() == [C, D, E]


def test_those_with_an_offer_are_not_called_for_a_flight(full: Flights) -> None:
    full.withdraw(A)
    flight = full.open().key
    assert full.at(flight, full.waiting) == [D, E, F]
    assert list(full.offers()) == [C]


def test_two_organisers_at_once_open_one_flight(full: Flights) -> None:
    shown = full.terms()
    full.open(shown=shown)
    before = full.dump()
    with pytest.raises(OtherTerms):
        full.open(shown=shown)
    assert full.dump() == before


def test_one_press_opens_one_flight(full: Flights) -> None:
    press = partial(flight_acts.open_flight, key=full.key, by=BOSS, authority=ANY, named="{} {}".format, cause="77")
    full.write(press)
    before = full.dump()
    with pytest.raises(Stale):
        full.write(press)
    assert full.dump() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda scene: scene.register(G),
        lambda scene: scene.withdraw(E),
        lambda scene: scene.organise(waiting_acts.move_to_top, E),
        lambda scene: scene.organise(changing.change, {"fee": (FEE, FEE + 1)}),
        lambda scene: scene.organise(changing.postpone, until=scene.now + 60 * MINUTE),
        lambda scene: scene.organise(changing.change, {"name": ("Thursday", "Friday")}),
    ],
)
def test_a_flight_is_opened_under_the_terms_that_were_shown(full: Flights, change: Callable[[Scene], None]) -> None:
    shown = full.terms()
    change(full)
    before = full.dump()
    for outdated in (shown, ""):
        with pytest.raises(OtherTerms):
            full.open(shown=outdated)
    assert full.dump() == before
    full.open(shown=full.terms())


def test_a_flight_starts_later_if_the_organiser_says_so(full: Flights) -> None:
    later = full.now + 2 * DAY * MINUTE
    flight = full.open(starts_at=later)
    assert flight.starts_at == later
    assert full.at(flight.key, full.offers) == {C: 720, D: 720}
    full.refused(PlanReason.START_PASSED, lambda: full.open(starts_at=full.now - MINUTE))
    full.refused(PlanReason.START_TOO_LATE, lambda: full.open(starts_at=full.now + 400 * DAY * MINUTE))


def test_a_flight_of_a_flight_is_the_third(full: Flights) -> None:
    full.register(G, H)
    second = full.open().key
    assert flights.offer(full.field()).players == (E, F, G, H)
    third = full.at(second, full.open)
    assert third.name == "Thursday (Flight 3)"
    assert full.at(third.key, full.waiting) == [E, F, G, H]
    assert list(full.at(third.key, full.offers)) == [E, F]
    assert len(full.log(flights.OPENED)) == 2
    assert [fact.details["flight"] for fact in full.at(second, lambda: full.log(flights.OPENED))] == [3]
    full.does(third.key, full.take_place, E)
    assert full.waiting() == [C, D, F, G, H]
    assert full.at(second, full.waiting) == [C, D, F, G, H]


def test_too_few_who_wait_open_no_flight(full: Flights) -> None:
    full.organise(changing.change, {"most": (2, 3)})
    full.withdraw(D)
    full.withdraw(E)
    assert not flights.offer(full.field()).enough
    full.refused(OrganiserReason.TOO_FEW_WAIT, full.open)
    full.register(G)
    assert flights.offer(full.field()).enough
    full.open()


def test_a_sit_and_go_has_no_flights() -> None:
    scene = Flights()
    scene.announce(structure(Format.SIT_AND_GO, most=2, least=2))
    scene.refused(OrganiserReason.TOO_FEW_WAIT, scene.open)


def test_only_organisers_who_may_publish_open_a_flight(full: Flights) -> None:
    full.refused(OrganiserReason.NOT_ORGANISER, lambda: full.open(by=STRANGER))
    full.refused(PlanReason.NO_FLIGHT_POWER, lambda: full.open(authority=NO_AUTHORITY))
    full.open(authority=ANNOUNCES)


def test_only_those_who_may_promise_its_prizes_open_a_flight() -> None:
    scene = Flights()
    scene.announce(structure(most=2, added=1_000), minutes=DAY)
    scene.register(A, B, C, D)
    scene.refused(PlanReason.NO_ADDED_POWER, lambda: scene.open(authority=ANNOUNCES))
    flight = scene.open()
    assert flight.structure.added == 1_000
    created = scene.at(flight.key, lambda: scene.log("created"))
    assert [fact.actor for fact in created] == [BOSS.player], "they vouch for it"


def test_a_flight_leaves_out_channels_that_its_organiser_cannot_use() -> None:
    scene = Flights()
    scene.announce(structure(most=2, channels=(91, 92)), minutes=DAY)
    scene.register(A, B, C, D)
    flight = scene.open(authority=MemberPermissions(announces=True, closed=frozenset((91,))))
    assert flight.structure.channels == (92,)


def test_a_flight_counts_towards_the_limit_of_open_events(full: Flights) -> None:
    plan = full.at(full.key, lambda: full.event)
    for _ in range(MAX_OPEN_EVENTS_PER_ORGANISER - 1):
        full.at(full.key, lambda: full.announce(plan.structure, minutes=DAY))
    full.refused(PlanReason.TOO_MANY_OWN_EVENTS, full.open)
    manager = Official(player=OTHER, manager=True)
    full.refused(PlanReason.TOO_MANY_THEIR_EVENTS, lambda: full.open(by=manager))


def test_once_an_event_starts_or_is_over_there_are_no_more_flights(full: Flights) -> None:
    full.start()
    full.refused(EventReason.EVENT_RUNS, full.open)
    full.organise(organiser.cancel, why="no power")
    full.refused(EventReason.EVENT_OVER, full.open)


def test_too_close_to_the_start_a_flight_must_start_later(full: Flights) -> None:
    full.now = (full.event.starts_at or 0) - MINUTE // 2
    full.refused(PlanReason.START_TOO_EARLY, full.open)
    full.open(starts_at=full.now + 30 * MINUTE)


def test_a_flight_of_a_series_is_one_more_date(full: Flights) -> None:
    scene = Flights()
    scene.announce(structure(most=2), minutes=DAY, series="Fridays")
    scene.register(A, B, C, D)
    scene.organise(series_acts.plan_end, dates=1)
    flight = scene.open()
    assert flight.series == "Fridays"
    assert series_runs.dates_left(scene.committed, GUILD, "Fridays") == 2
    assert scene.at(flight.key, lambda: scene.notices(Notice.COMMITTED))[0].get("players") is None


def test_the_results_of_a_date_do_not_call_its_flight_the_next_date() -> None:
    scene = Flights()
    scene.announce(structure(most=2), minutes=DAY, series="Fridays")
    first = scene.key
    scene.register(A, B, C, D)
    flight = scene.open()
    later = scene.announce(structure(most=2), minutes=8 * DAY, series="Fridays")
    scene.key = first
    scene.start()
    scene.go_on()
    scene.knock_out(A, B)
    scene.ends()
    assert scene.notices(Notice.ENDED)[0]["series"]["next"] == later.number
    scene.key = later
    scene.organise(organiser.cancel, why="no power")
    scene.key = flight.key
    scene.take_place(C)
    scene.take_place(D)
    scene.start()
    scene.go_on()
    scene.knock_out(C, D)
    scene.ends()
    assert "next" not in scene.notices(Notice.ENDED)[0]["series"]


def test_a_flight_of_a_series_without_a_planned_end_plans_none() -> None:
    scene = Flights()
    scene.announce(structure(most=2), minutes=DAY, series="Fridays")
    scene.register(A, B, C, D)
    scene.open()
    assert series_runs.dates_left(scene.committed, GUILD, "Fridays") is None


def test_a_flight_is_played_and_paid_by_itself(full: Flights) -> None:
    flight = full.open().key
    full.does(flight, full.take_place, C, D)
    full.start()
    full.at(flight, full.start)
    assert full.notices(Notice.STARTED)[0]["waited"] == [E, F]
    assert full.at(flight, lambda: full.notices(Notice.STARTED))[0]["waited"] == [E, F]
    full.go_on()
    full.knock_out(A, B)
    full.at(flight, full.go_on)
    full.at(flight, lambda: full.knock_out(C, D))
    full.go_on()
    full.at(flight, full.go_on)
    assert full.places() == [A, B]
    assert full.at(flight, full.places) == [C, D]
    assert (full.wallet(A), full.wallet(C)) == (POLICY.start_chips + FEE, POLICY.start_chips + FEE)
    full.ends(Phase.ENDED)


def test_a_process_that_dies_opens_a_whole_flight_or_none(full: Flights) -> None:
    before = full.dump()

    def dies() -> None:
        raise KeyboardInterrupt

    def press(s: Session) -> Event:
        return flight_acts.open_flight(s, full.key, BOSS, ANY, named="{} {}".format, cause="78")

    full.before_commit = dies  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        full.write(press)
    assert full.dump() == before
    del full.before_commit
    flight = full.write(press)
    assert full.at(flight.key, full.waiting) == full.waiting() == [C, D, E, F]


def test_players_of_a_cancelled_flight_return_to_their_turn(full: Flights) -> None:
    flight = full.open().key
    full.does(flight, full.take_place, D, C)
    full.register(G)
    assert full.waiting() == [E, F, G]
    full.at(flight, lambda: full.organise(organiser.cancel, why="no power"))
    assert full.waiting() == [C, D, E, F, G]
    assert (full.wallet(C), full.wallet(D)) == (POLICY.start_chips, POLICY.start_chips)
    (told,) = full.at(flight, lambda: full.notices(Notice.CANCELLED))
    assert {*told["back"]} == {C, D}
    full.withdraw(A)
    assert list(full.offers()) == [C]
    full.check_books()


def test_an_organisers_order_counts_more_than_a_returning_players_turn(full: Flights) -> None:
    flight = full.open().key
    full.does(flight, full.take_place, C, D)
    full.organise(waiting_acts.move_to_top, F)
    full.at(flight, lambda: full.organise(organiser.cancel, why="no power"))
    assert full.waiting() == [F, C, D, E]


def test_nobody_returns_who_withdrew(full: Flights) -> None:
    flight = full.open().key
    full.does(flight, full.take_place, C, D)
    full.does(flight, full.withdraw, C, D)
    full.withdraw(A)
    full.withdraw(B)
    full.take_place(E)
    full.does(full.key, full.take_place, F)
    full.register(D)
    assert full.waiting() == [D]
    full.at(flight, lambda: full.organise(organiser.cancel, why="no power"))
    assert full.waiting() == [D]
    assert "back" not in full.at(flight, lambda: full.notices(Notice.CANCELLED))[0]


def refused(act: Callable[[], Any]) -> Refused:
    """Return the refusal of an act."""
    with pytest.raises(Refused) as raised:
        act()
    return raised.value


def test_a_player_enters_one_flight_and_can_switch(full: Flights) -> None:
    flight = full.open().key
    no = refused(lambda: full.does(flight, full.register, A))
    assert (no.reason, no.details["event"]) == (EventReason.IN_OTHER_FLIGHT, "Thursday")
    full.does(flight, full.take_place, C)
    assert refused(lambda: full.register(C)).details["event"] == "Thursday (Flight 2)", "nor do they wait for another"
    assert full.wallet(A) == full.wallet(C) == POLICY.start_chips - FEE
    full.withdraw(A)
    full.does(flight, full.register, A)
    assert full.at(flight, full.waiting) == [D, E, F, A]
    full.check_books()


def test_who_has_played_one_flight_enters_no_other(full: Flights) -> None:
    later = full.open(starts_at=full.now + 2 * DAY * MINUTE).key
    full.start()
    full.go_on()
    full.knock_out(A, B)
    full.go_on()
    assert full.event.phase is Phase.ENDED
    for player in (A, B):
        no = refused(partial(full.does, later, full.register, player))
        assert (no.reason, no.details["event"]) == (EventReason.PLAYED_OTHER_FLIGHT, "Thursday")


def test_a_re_entry_can_be_used_in_another_flight() -> None:
    scene = Flights()
    scene.announce(structure(most=3, least=2, late_levels=3, reentries=1), minutes=DAY)
    scene.register(A, B, C, D, E)
    later = scene.open(starts_at=scene.now + 2 * DAY * MINUTE).key
    scene.start()
    scene.go_on()
    scene.knock_out(A, B)
    scene.go_on()
    assert refused(partial(scene.does, later, scene.register, A)).reason == EventReason.IN_OTHER_FLIGHT
    scene.does(later, scene.register, B)
    assert refused(partial(scene.register, B)).reason == EventReason.IN_OTHER_FLIGHT
    scene.does(later, scene.withdraw, B)
    scene.register(B)
    scene.hands(1)
    scene.go_on()
    scene.knock_out(A, B)
    scene.go_on()
    assert refused(partial(scene.does, later, scene.register, B)).reason == EventReason.NO_MORE_ENTRIES


def test_an_organiser_registers_nobody_for_a_second_flight() -> None:
    scene = Flights()
    scene.announce(structure(most=2, least=2), minutes=DAY)
    scene.register(A, B, C, D)
    flight = scene.open().key
    no = refused(lambda: scene.at(flight, lambda: scene.organise(desk_acts.register_for, A)))
    assert (no.reason, no.details["event"]) == (OrganiserReason.THEY_HAVE_FLIGHT, "Thursday")


def test_players_of_two_cancelled_flights_return_twice(full: Flights) -> None:
    for number in (2, 3):
        flight = full.open()
        assert flight.name == f"Thursday (Flight {number})"
        full.does(flight.key, full.take_place, C)
        assert full.waiting() == [D, E, F]
        full.at(flight.key, partial(full.organise, organiser.cancel, why="no power"))
        assert full.waiting() == [C, D, E, F]


def test_after_the_start_nobody_returns_to_a_list(full: Flights) -> None:
    flight = full.open(starts_at=full.now + 2 * DAY * MINUTE).key
    full.does(flight, full.take_place, C)
    full.start()
    full.at(flight, lambda: full.organise(organiser.cancel, why="no power"))
    assert full.committed.waiting.of(full.key) == []
    full.check_books()


def test_a_cancelled_flight_leaves_the_first_list_alone(full: Flights) -> None:
    flight = full.open().key
    full.at(flight, lambda: full.organise(organiser.cancel, why="no power"))
    assert full.waiting() == [C, D, E, F]
    assert flights.offer(full.field()).players == (C, D, E, F)
    assert full.open().name == "Thursday (Flight 3)"


def test_players_register_for_an_event_whose_flights_are_over(full: Flights) -> None:
    flight = full.open().key
    full.at(flight, lambda: full.organise(organiser.cancel, why="no power"))
    full.withdraw(A)
    full.take_place(C)
    assert full.waiting() == [D, E, F]
    full.check_books()
