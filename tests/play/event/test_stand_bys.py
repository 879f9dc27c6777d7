"""Players who check in from the waiting list, and get the places that are free at the start."""

from __future__ import annotations

from functools import partial

import pytest

from bot.model.events import EntrantState, Notice, Phase
from bot.model.ids import Player
from bot.model.reasons import EventReason
from bot.model.refusals import OtherTerms
from bot.play import terms as terms_of
from bot.play.bank import chips as bank
from bot.play.event.office import registration, roll_call
from bot.play.event.organisers import changing, organiser
from bot.pure.event.structure import NoShow
from tests.play.event.event_world import BOSS, HOUR, MINUTE, A, B, C, D, E, F, Scene, structure
from tests.play.event.storage import close_what_is_open
from tests.play.event.test_leaving import AskingScene

FEE = 500


def check_in(scene: Scene, *players: Player, terms: str | None = None) -> None:
    for player in players:
        scene.write(partial(registration.check_in, key=scene.key, player=player, terms=terms, cause=scene.cause()))


def agree(scene: Scene, *players: Player) -> None:
    """Check in from the waiting list, under the terms shown."""
    check_in(scene, *players, terms=terms_of.of_event(scene.event))


def open_check_in(scene: Scene, *, fee: int = FEE, no_show: NoShow = NoShow.DROP, most: int = 3) -> None:
    """A full event in an hour, whose check-in has just opened. A, B and C have its places, and D, E and F wait."""
    scene.announce(structure(fee=fee, most=most, check_in_minutes=30, no_show=no_show, late_levels=0), minutes=60)
    scene.register(A, B, C, D, E, F)
    scene.wait(31 * MINUTE)
    assert scene.event.phase is Phase.CHECK_IN


def to_start(scene: Scene) -> None:
    scene.wait((scene.event.starts_at or 0) - scene.now + 1)


def playing(scene: Scene) -> set[Player]:
    return {entrant.player for entrant in scene.field().entrants.values() if entrant.playing}


def test_the_places_of_no_shows_go_to_those_on_the_list_who_have_checked_in(scene: Scene) -> None:
    open_check_in(scene)
    check_in(scene, A)
    agree(scene, E, F)
    assert scene.view().stand_by == {E, F}
    assert scene.wallet(E) == 5_000, "nothing is paid yet"
    to_start(scene)
    scene.go_on()
    assert playing(scene) == {A, E, F}
    (told,) = scene.notices(Notice.STARTED)
    assert (told["missed"], told["stood_by"], told["waited"]) == ([B, C], [E, F], [D])
    assert scene.pool() == 3 * FEE
    assert scene.wallet(E) == 5_000 - FEE
    scene.check_books()


def test_they_go_in_the_lists_order_and_no_further_than_the_places(scene: Scene) -> None:
    open_check_in(scene)
    check_in(scene, A, B)
    agree(scene, F, E)
    to_start(scene)
    scene.go_on()
    assert playing(scene) == {A, B, E}
    (told,) = scene.notices(Notice.STARTED)
    assert (told["stood_by"], told["waited"]) == ([E], [D, F])
    assert scene.wallet(F) == 5_000, "nothing was charged"


def test_where_no_shows_keep_their_place_no_one_moves_up(scene: Scene) -> None:
    open_check_in(scene, no_show=NoShow.BLIND)
    check_in(scene, A)
    agree(scene, D)
    to_start(scene)
    scene.go_on()
    assert playing(scene) == {A, B, C}


def test_a_fee_is_agreed_to_and_nothing_else_is_asked(scene: Scene) -> None:
    open_check_in(scene)
    before = scene.dump()
    for terms in (terms_of.UNSEEN, terms_of.of_start(scene.event)):
        with pytest.raises(OtherTerms):
            check_in(scene, D, terms=terms)
    assert scene.dump() == before
    agree(scene, D)
    scene.refused(EventReason.ALREADY_CHECKED_IN, partial(agree, scene, D))


def test_without_a_fee_the_usual_button_will_do(scene: Scene) -> None:
    open_check_in(scene, fee=0)
    check_in(scene, D, terms=terms_of.of_start(scene.event))
    assert scene.view().stand_by == {D}


def test_while_check_in_is_closed_no_one_stands_by(scene: Scene) -> None:
    scene.announce(structure(most=2), minutes=60)
    scene.register(A, B, C)
    scene.refused(EventReason.NO_CHECK_IN, partial(check_in, scene, C))


def test_who_leaves_the_list_and_joins_again_checks_in_again(scene: Scene) -> None:
    open_check_in(scene)
    agree(scene, D)
    scene.withdraw(D)
    scene.register(D)
    assert scene.view().stand_by == set()
    agree(scene, D)
    assert scene.view().stand_by == {D}


def test_a_start_that_moves_a_little_keeps_the_check_ins_and_a_later_one_does_not(scene: Scene) -> None:
    open_check_in(scene)
    agree(scene, D)
    scene.organise(changing.postpone, until=(scene.event.starts_at or 0) + 15 * MINUTE)
    assert scene.view().stand_by == {D}
    scene.organise(changing.postpone, until=(scene.event.starts_at or 0) + 5 * HOUR)
    assert scene.view().stand_by == set()
    scene.wait(5 * HOUR + 15 * MINUTE)
    assert scene.event.phase is Phase.CHECK_IN
    assert scene.view().stand_by == set()


def test_other_terms_are_agreed_to_anew(scene: Scene) -> None:
    open_check_in(scene)
    agree(scene, D)
    seen = scene.event.clock.seconds
    scene.organise(changing.change, {"seconds": (seen, seen + 30)})
    assert scene.view().stand_by == set()


def test_a_place_on_offer_is_taken_and_not_waited_for(scene: Scene) -> None:
    open_check_in(scene)
    scene.withdraw(A)
    assert list(scene.offers()) == [D]
    with pytest.raises(OtherTerms):
        agree(scene, D)


def test_a_place_on_offer_that_no_one_takes_goes_to_the_next_who_is_here(scene: Scene) -> None:
    open_check_in(scene)
    check_in(scene, B, C)
    agree(scene, E)
    scene.wait(25 * MINUTE)
    scene.withdraw(B)
    assert list(scene.offers()) == [D]
    to_start(scene)
    scene.go_on()
    assert playing(scene) == {C, E}


def test_who_cannot_pay_any_more_is_passed_over(scene: Scene) -> None:
    open_check_in(scene)
    check_in(scene, A, B)
    agree(scene, D, E)
    scene.write(lambda s: bank.freeze(s, scene.key.guild, BOSS.player, D, "Who is it?", cause=scene.cause()))
    to_start(scene)
    scene.go_on()
    assert playing(scene) == {A, B, E}
    (told,) = scene.notices(Notice.STARTED)
    assert told["waited"] == [D, F]


def test_an_event_that_would_have_too_few_is_played_with_them(scene: Scene) -> None:
    open_check_in(scene)
    check_in(scene, A)
    agree(scene, D)
    scene.wait(28 * MINUTE)
    (asked,) = scene.notices(Notice.MISSING)
    assert (asked["called_off"], asked["stand_by"]) == (False, 1)
    to_start(scene)
    scene.go_on()
    assert playing(scene) == {A, D}


def test_if_it_is_called_off_all_the_same_they_get_the_fee_back(scene: Scene) -> None:
    open_check_in(scene)
    agree(scene, D)
    to_start(scene)
    assert scene.event.phase is Phase.CANCELLED
    assert scene.wallet(D) == 5_000
    assert scene.entrant(D).state is EntrantState.CHECKED_IN
    scene.check_books()


def test_members_who_left_the_server_make_room_and_get_none() -> None:
    scene = AskingScene()
    open_check_in(scene)
    check_in(scene, A, B, C)
    agree(scene, D, E)
    to_start(scene)
    assert scene.answer([C, D]) == [A, B, C, D, E]
    scene.go_on()
    assert playing(scene) == {A, B, E}
    (told,) = scene.notices(Notice.STARTED)
    assert (told["stood_by"], told["waited"]) == ([E], [F])
    close_what_is_open()


def test_an_organiser_who_has_ruled_does_not_come_in_from_the_list(scene: Scene) -> None:
    open_check_in(scene)
    scene.register(BOSS.player)
    agree(scene, BOSS.player)
    scene.organise(organiser.unregister, A)
    agree(scene, E)
    scene.organise(organiser.unregister, B)
    to_start(scene)
    assert BOSS.player not in playing(scene)


def test_only_players_who_stand_by_are_asked_about(scene: Scene) -> None:
    open_check_in(scene)
    assert roll_call.look(scene.session(), scene.key) is None
