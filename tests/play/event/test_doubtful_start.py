"""Tests of the question before a doubtful start, and of what follows if the event is called off."""

from functools import partial
from itertools import product

import pytest

from bot.model.events import EntrantState, Notice, Phase
from bot.model.reasons import EventReason, OrganiserReason
from bot.play import terms as terms_of
from bot.play.event.office.registration import check_in, register
from bot.play.event.organisers import calls, changing
from bot.pure.event.structure import Format, NoShow
from tests.play.event.event_world import BOSS, MINUTE, STRANGER, A, B, C, D, Scene, structure

CHECK_IN_FROM = 45
"""Minutes until check-in opens."""


def checks_in(scene: Scene, no_show: NoShow = NoShow.DROP, *, least: int = 3) -> None:
    """Announce an event with check-in in an hour; A, B, C and D register, and check-in has opened."""
    scene.announce(structure(check_in_minutes=15, no_show=no_show, least=least))
    scene.register(A, B, C, D)
    scene.wait(CHECK_IN_FROM * MINUTE)
    assert scene.event.phase is Phase.CHECK_IN


def wait_until(scene: Scene, minutes: float) -> None:
    """Let time pass until ``minutes`` before the start."""
    assert scene.event.starts_at is not None
    scene.wait(int(scene.event.starts_at - minutes * MINUTE) - scene.now)


@pytest.mark.parametrize("here", range(5))
def test_the_organiser_is_asked_once_who_is_missing_two_minutes_before_the_start(scene: Scene, here: int) -> None:
    checks_in(scene)
    scene.check_in(*(A, B, C, D)[:here])
    wait_until(scene, 2.5)
    assert scene.notices(Notice.MISSING) == []
    wait_until(scene, 0.1)
    asked = scene.notices(Notice.MISSING)
    if here == 4:
        assert asked == [], "all are here"
        return
    (told,) = asked
    assert (told["here"], told["registered"], told["players"]) == (here, 4, list((A, B, C, D)[here:]))
    assert told["called_off"] == (here < 3)


@pytest.mark.parametrize(("no_show", "least", "here"), [*product(NoShow, (2, 3, 4), range(5))])
def test_the_question_says_what_the_start_then_does(scene: Scene, no_show: NoShow, least: int, here: int) -> None:
    checks_in(scene, no_show, least=least)
    scene.check_in(*(A, B, C, D)[:here])
    wait_until(scene, 1)
    told = [one["called_off"] for one in scene.notices(Notice.MISSING)]
    wait_until(scene, 0)
    scene.go_on()
    assert scene.event.phase is (Phase.CANCELLED if told == [True] else Phase.RUNNING)


def test_without_check_in_only_too_few_players_are_a_question(scene: Scene) -> None:
    scene.announce(structure(least=3))
    scene.register(A, B)
    wait_until(scene, 1)
    (told,) = scene.notices(Notice.MISSING)
    assert (told["here"], told["need"], told["players"], told["called_off"]) == (2, 3, [], True)


def test_enough_players_without_check_in_are_no_question(scene: Scene) -> None:
    scene.announce(structure(least=3))
    scene.register(A, B, C)
    wait_until(scene, 1)
    assert scene.notices(Notice.MISSING) == []


def test_an_event_announced_at_the_last_minute_asks_nothing(scene: Scene) -> None:
    scene.announce(structure(), minutes=1)
    wait_until(scene, 0.5)
    assert scene.notices(Notice.MISSING) == []


def test_a_sit_and_go_has_no_start_to_doubt(scene: Scene) -> None:
    scene.announce(structure(Format.SIT_AND_GO, most=3, least=3))
    scene.register(A)
    scene.wait(120 * MINUTE)
    assert scene.notices(Notice.MISSING) == []


def test_a_player_who_leaves_in_the_last_minute_raises_the_question(scene: Scene) -> None:
    scene.announce(structure(least=2, fee=100))
    scene.register(A, B)
    wait_until(scene, 1)
    scene.withdraw(A)
    assert len(scene.notices(Notice.MISSING)) == 1


def test_a_postponed_start_is_asked_about_again(scene: Scene) -> None:
    checks_in(scene)
    wait_until(scene, 1)
    first = scene.event.starts_at
    scene.organise(changing.postpone_a_little, terms=terms_of.of_start(scene.event))
    assert first is not None
    assert scene.event.starts_at == first + 15 * MINUTE
    wait_until(scene, 1)
    assert [told["starts_at"] for told in scene.notices(Notice.MISSING)] == [first, first + 15 * MINUTE]


def test_postponing_keeps_who_is_here(scene: Scene) -> None:
    checks_in(scene)
    scene.check_in(A)
    wait_until(scene, 1)
    scene.organise(changing.postpone_a_little, terms=terms_of.of_start(scene.event))
    assert scene.entrant(A).state is EntrantState.CHECKED_IN
    scene.check_in(B, C)
    wait_until(scene, 0)
    scene.go_on()
    assert scene.event.phase is Phase.RUNNING


def test_two_organisers_who_press_at_once_postpone_once(scene: Scene) -> None:
    checks_in(scene)
    wait_until(scene, 1)
    before, seen = scene.event.starts_at, terms_of.of_start(scene.event)
    press = partial(scene.organise, changing.postpone_a_little, terms=seen)
    press()
    scene.refused(OrganiserReason.START_MOVED, press)
    assert before is not None
    assert scene.event.starts_at == before + 15 * MINUTE


def test_only_organisers_postpone_and_only_before_the_start(scene: Scene) -> None:
    scene.announce(structure(least=2))
    scene.register(A, B)
    seen = terms_of.of_start(scene.event)
    scene.refused(
        OrganiserReason.NOT_ORGANISER,
        lambda: scene.organise(changing.postpone_a_little, by=STRANGER, terms=seen),
    )
    wait_until(scene, 0)
    scene.refused(EventReason.EVENT_RUNS, lambda: scene.organise(changing.postpone_a_little, terms=seen))


def test_the_missing_are_called_once_though_two_press(scene: Scene) -> None:
    checks_in(scene)
    scene.check_in(A)
    wait_until(scene, 1)
    scene.organise(calls.call_missing)
    scene.refused(OrganiserReason.CALLED_JUST_NOW, lambda: scene.organise(calls.call_missing))
    (told,) = scene.notices(Notice.CALLED)
    assert told["players"] == [B, C, D]


def test_who_missed_check_in_is_told_that_the_event_is_called_off(scene: Scene) -> None:
    checks_in(scene)
    scene.check_in(A)
    wait_until(scene, 0)
    scene.ends(Phase.CANCELLED)
    (told,) = scene.notices(Notice.CANCELLED)
    assert told == {"reason": "too_few", "missed": [B, C, D], "again": True}


def test_an_event_without_players_is_no_question(scene: Scene) -> None:
    scene.announce(structure(least=2))
    wait_until(scene, 0)
    scene.ends(Phase.CANCELLED)
    assert scene.notices(Notice.MISSING) == []
    assert scene.notices(Notice.CANCELLED) == []


def test_the_boss_asks_no_more_once_the_event_is_called_off(scene: Scene) -> None:
    checks_in(scene)
    wait_until(scene, 0)
    scene.ends(Phase.CANCELLED)
    scene.refused(EventReason.EVENT_OVER, lambda: scene.organise(changing.postpone_a_little, terms="", by=BOSS))
    for late in (register, check_in):
        scene.refused(
            EventReason.EVENT_OVER,
            lambda late=late: scene.write(lambda s: late(s, scene.key, A, cause=scene.cause())),  # type: ignore[misc]
        )
