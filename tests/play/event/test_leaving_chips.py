"""Leaving a tournament, Sit & Go or shoot-out: seats that stay, stacks that leave play, and coming back."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from bot.model.events import EntrantState, Notice, Phase
from bot.model.ids import Player
from bot.model.reasons import EventReason, OrganiserReason
from bot.model.refusals import OtherTerms
from bot.play import terms as terms_of
from bot.play.event.office import leaving, registration
from bot.play.event.office.views import StandingsLine
from bot.play.event.organisers import calls, desk_acts, organiser
from bot.play.session import chips
from bot.pure.event.structure import Format, Leaving, Structure
from bot.pure.event.ties import Ties
from tests.play.event.event_world import ALL, HOUR, MINUTE, A, B, C, D, E, F, Scene, structure
from tests.play.event.test_leaving import AskingScene, come_back, leave

FEE = 500
STACK = 1000
LATE = 3


def removing(form: Format = Format.TOURNAMENT, **more: Any) -> Structure:
    """Return an event whose leavers give up."""
    return structure(form, leaving=Leaving.REMOVE, **more)


def offer(scene: Scene, one: Player) -> leaving.ChipsOffer:
    made = leaving.offer(scene.session(), scene.key, one)
    assert isinstance(made, leaving.ChipsOffer)
    return made


def line_of(scene: Scene, one: Player) -> StandingsLine:
    line = scene.view().line_of(one)
    assert line is not None
    return line


def is_away(scene: Scene, one: Player) -> bool:
    return next(seat.away for seat in scene.spot(scene.table_of(one)).seats if seat.player == one)


def in_play(scene: Scene) -> int:
    """Return the chips that the event has issued and not taken back."""
    return -scene.balance(chips.mint_of(scene.key), "mint")


# keeping the seat, which is the default


def test_who_leaves_keeps_the_seat_and_is_auto_played_until_they_come_back(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    leave(scene, A)
    line = line_of(scene, A)
    assert (line.left_seat, line.may_return, line.entrant.playing) == (True, True, True)
    assert is_away(scene, A)
    scene.hands(1)
    assert is_away(scene, A)
    assert in_play(scene) == 3 * STACK
    come_back(scene, A)
    line = line_of(scene, A)
    assert (line.left_seat, line.may_return, line.away) == (False, False, False)
    assert [fact.kind for fact in scene.log("left_seat") + scene.log("back_in_seat")] == ["left_seat", "back_in_seat"]


def test_who_acts_at_the_table_is_back_without_saying_so(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    leave(scene, A)
    scene.organise(desk_acts.attend, A, away=False)
    assert not line_of(scene, A).left_seat
    scene.hands(1)
    assert len(scene.log("back_in_seat")) == 1
    scene.organise(desk_acts.attend, A, away=True)
    scene.hands(1)
    assert not line_of(scene, A).left_seat, "away, and not gone"
    assert len(scene.log("back_in_seat")) == 1


def test_who_left_keeps_being_auto_played_at_the_next_table_and_after_a_penalty(scene: Scene) -> None:
    scene.begin(structure(table_seats=2), A, B, C, D)
    leave(scene, A)
    scene.organise(organiser.penalty, A, hands=1, why="late")
    rival = next(one for one in scene.tables()[scene.table_of(A)] if one != A)
    scene.hand(scene.table_of(A))
    assert not scene.entrant(A).penalty
    assert is_away(scene, A)
    other = next(table for table in scene.tables() if A not in scene.tables()[table])
    winner, loser = scene.tables()[other]
    scene.knock_out(winner, loser)
    scene.go_on()
    scene.hands(1)
    assert is_away(scene, A)
    assert line_of(scene, A).left_seat
    assert {A, rival} <= {entrant.player for entrant in scene.field().playing}


def test_organisers_cannot_call_who_has_left(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.organise(desk_acts.attend, B, away=True)
    scene.organise(desk_acts.attend, B, away=False)
    leave(scene, A)
    scene.refused(OrganiserReason.NOBODY_MISSES, partial(scene.organise, calls.call_missing))


def test_an_empty_seat_wins_and_loses_like_any_other(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, payouts=(100,)), A, B, C)
    leave(scene, A)
    leave(scene, B)
    scene.knock_out(A, C)
    scene.go_on()
    scene.knock_out(A, B)
    scene.ends()
    assert scene.places() == [A, B, C]
    assert scene.entrant(A).prize == 3 * FEE
    assert [line_of(scene, one).left_seat for one in (A, B, C)] == [True, True, False]


def test_the_question_shows_the_place_the_prize_and_the_bounty(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, bounty=100, payouts=(60, 40)), A, B, C)
    scene.hand(1, {(A, B): 5})
    asked = offer(scene, A)
    assert (asked.place, asked.prize, asked.head) == (1, 720, 100)
    assert (asked.out_place, asked.out_prize, asked.in_hand, asked.chips) == (3, 0, False, STACK + 50)
    assert offer(scene, C).prize == 480
    assert offer(scene, B).prize == 0
    leave(scene, A, asked.terms)
    assert line_of(scene, A).left_seat


def test_who_left_and_is_out_re_enters_as_anyone(scene: Scene) -> None:
    scene.begin(structure(late_levels=LATE, reentries=1), A, B, C)
    leave(scene, A)
    scene.knock_out(B, A)
    scene.register(A)
    line = line_of(scene, A)
    assert (line.left_seat, line.entrant.playing, line.entrant.entries) == (False, True, 2)


# giving up


def test_who_gives_up_is_out_after_the_hand_and_the_chips_leave_play(scene: Scene) -> None:
    scene.begin(removing(), A, B, C)
    asked = offer(scene, A)
    assert (asked.in_hand, asked.out_place) == (True, 3)
    leave(scene, A, asked.terms)
    assert A in scene.tables()[1], "the hand is played to its end"
    assert (line_of(scene, A).gave_up, line_of(scene, A).entrant.playing) == (True, True)
    scene.refused(EventReason.OUT_FOR_GOOD, partial(leave, scene, A))
    scene.refused(EventReason.OUT_FOR_GOOD, partial(come_back, scene, A))
    scene.hand(1, {(A, B): 5})
    entrant = scene.entrant(A)
    assert (entrant.state, entrant.out_stack, entrant.disqualified) == (EntrantState.OUT, STACK + 50, False)
    assert A not in scene.tables()[1]
    assert in_play(scene) == 2 * STACK - 50
    assert scene.notices(Notice.OUT) == [{"players": [[A, 3]], "left": 2, "gave_up": True}]
    scene.refused(EventReason.OUT_FOR_GOOD, partial(leave, scene, A))
    scene.go_on()
    scene.knock_out(B, C)
    scene.ends()
    assert scene.places() == [B, C, A]
    assert line_of(scene, A).gave_up


def test_giving_up_between_two_hands_takes_effect_at_once(scene: Scene) -> None:
    scene.begin(removing(), A, B, C)
    scene.hand(1)
    leave(scene, A)
    assert scene.entrant(A).state is EntrantState.OUT
    assert set(scene.tables()[1]) == {B, C}


def test_who_busts_in_the_same_hand_is_placed_lower(scene: Scene) -> None:
    scene.begin(removing(table_seats=4), A, B, C, D)
    leave(scene, A)
    scene.hand(1, {(B, C): ALL, (B, A): 1})
    assert [scene.view().lines[at].entrant.player for at in (2, 3)] == [A, C]


def test_of_two_who_give_up_in_one_hand_the_one_with_more_chips_is_placed_higher(scene: Scene) -> None:
    scene.begin(removing(table_seats=4), A, B, C, D)
    leave(scene, A)
    leave(scene, B)
    scene.hand(1, {(B, A): 1})
    assert [told["players"] for told in scene.notices(Notice.OUT)] == [[[B, 3], [A, 4]]]


def test_equals_who_give_up_in_one_hand_share_the_place(scene: Scene) -> None:
    scene.begin(removing(table_seats=4, ties=Ties.SHARE), A, B, C, D)
    leave(scene, A)
    leave(scene, B)
    scene.hand(1)
    (told,) = scene.notices(Notice.OUT)
    assert sorted(told["players"]) == [[A, 3], [B, 3]]
    scene.go_on()
    scene.knock_out(C, D)
    assert (scene.entrant(A).place, scene.entrant(B).place) == (3, 3)


def test_the_last_one_left_wins_even_if_all_have_given_up(scene: Scene) -> None:
    scene.begin(removing(fee=FEE, payouts=(100,)), A, B, C)
    leave(scene, A)
    leave(scene, B)
    scene.refused(EventReason.OTHERS_GONE, partial(leave, scene, C))
    scene.hand(1)
    scene.ends()
    assert scene.places()[0] == C
    assert scene.entrant(C).prize == 3 * FEE


@pytest.mark.parametrize("form", [Format.TOURNAMENT, Format.SHOOTOUT])
def test_the_last_but_one_is_told_that_giving_up_ends_the_event(scene: Scene, form: Format) -> None:
    late = {"late_levels": LATE, "reentries": 1} if form is Format.TOURNAMENT else {}
    scene.begin(removing(form, **late), A, B, C)
    asked = offer(scene, A)
    assert (asked.ends, asked.last) == (False, None)
    scene.knock_out(A, C)
    scene.go_on()
    asked = offer(scene, A)
    assert (asked.ends, asked.last, asked.enters_again) == (True, B, False)
    costs = (asked.out_place, asked.out_prize, asked.head, asked.enters_again)
    with pytest.raises(OtherTerms):
        leave(scene, A, terms_of.of_leaving_chips(scene.event, costs))
    leave(scene, A, asked.terms)
    scene.hand(scene.table_of(A))
    scene.ends()
    assert scene.places()[:2] == [B, A]


def test_leaving_a_seat_does_not_end_the_event(scene: Scene) -> None:
    scene.begin(structure(), A, B)
    asked = offer(scene, A)
    assert (asked.ends, asked.last) == (False, None)


def test_whoever_leaves_only_computers_is_told_that_it_ends_the_event(scene: Scene) -> None:
    scene.announce(removing(Format.SIT_AND_GO, most=3, least=3))
    scene.register(A)
    scene.organise(organiser.fill)
    scene.go_on()
    asked = offer(scene, A)
    assert (asked.ends, asked.last) == (True, None)
    leave(scene, A, asked.terms)
    scene.hand(scene.table_of(A))
    assert scene.event.phase.over


def test_a_disqualified_rival_does_not_win_instead(scene: Scene) -> None:
    scene.begin(removing(), A, B, C)
    leave(scene, A)
    leave(scene, B)
    scene.organise(organiser.disqualify, C, why="cheated")
    scene.hand(1, {(A, B): 1})
    scene.ends()
    assert scene.places() == [A, B, C]


def test_the_bounty_of_who_gives_up_goes_to_the_prizes(scene: Scene) -> None:
    scene.begin(removing(fee=FEE, bounty=200), A, B, C, D)
    before = scene.view().pool
    scene.hand(scene.table_of(A))
    leave(scene, A)
    assert scene.view().pool == before + 200
    assert [fact.details["amount"] for fact in scene.log("bounty_back")] == [200]
    scene.organise(organiser.cancel, why="no power")
    scene.ends(Phase.CANCELLED)
    assert scene.wallet(A) == 5_000, "the whole fee is refunded"


def test_who_gives_up_may_enter_again_and_the_bounty_is_on_their_head_again(scene: Scene) -> None:
    scene.begin(removing(fee=FEE, bounty=200, late_levels=LATE, reentries=2), A, B, C)
    assert offer(scene, A).enters_again
    scene.hand(1)
    for entries in (2, 3):
        leave(scene, A)
        scene.register(A)
        assert (scene.entrant(A).entries, scene.entrant(A).head) == (entries, 200 * entries)
        assert not line_of(scene, A).gave_up
        assert scene.chips(A) == STACK
    assert not offer(scene, A).enters_again
    assert in_play(scene) == 3 * STACK
    scene.go_on()
    scene.knock_out(B, A)
    assert scene.entrant(B).bounties == 600
    scene.organise(organiser.cancel, why="no power")
    scene.ends(Phase.CANCELLED)


def test_a_question_asks_again_once_the_place_has_changed(scene: Scene) -> None:
    scene.begin(removing(), A, B, C)
    asked = offer(scene, A)
    scene.hand(1)
    assert offer(scene, A).terms == asked.terms
    scene.go_on()
    scene.knock_out(B, C)
    with pytest.raises(OtherTerms):
        leave(scene, A, asked.terms)
    assert scene.entrant(A).playing


def test_giving_up_bursts_the_bubble_after_all_tables_have_finished(scene: Scene) -> None:
    scene.begin(removing(table_seats=2, fee=FEE, payouts=(50, 30, 20)), A, B, C, D)
    assert scene.event.hand_for_hand
    leave(scene, A)
    table = scene.table_of(A)
    scene.hand(table)
    assert scene.entrant(A).playing, "the other table still plays the same hand"
    (other,) = scene.playing()
    winner, loser = scene.tables()[other]
    scene.knock_out(winner, loser)
    lines = [line.entrant.player for line in scene.view().lines]
    assert lines[2:] == [A, loser], "who busts in the hand before is placed lower"
    assert not scene.event.hand_for_hand
    scene.go_on()
    assert scene.sizes() == [2]
    scene.hands(1)


def test_tables_are_balanced_and_broken_around_who_gives_up(scene: Scene) -> None:
    scene.begin(removing(), A, B, C, D, E, F)
    scene.hands(1)
    for table, players in list(scene.tables().items()):
        scene.hand(table)
        leave(scene, players[0])
    scene.go_on()
    scene.hands(1)
    leave(scene, scene.tables()[next(iter(scene.tables()))][0])
    scene.hands(1)
    assert scene.sizes() == [3]
    assert scene.event.final_table
    assert in_play(scene) == 3 * STACK


def test_a_fantasyland_is_played_before_who_gave_up_leaves(scene: Scene) -> None:
    scene.begin(removing(), A, B, C)
    leave(scene, A)
    scene.hand(1, {(B, A): 1}, fantasyland=[B])
    assert scene.entrant(A).playing
    scene.go_on()
    assert scene.spot(1).info.extra
    scene.hand(1)
    assert scene.entrant(A).state is EntrantState.OUT


def test_a_sit_and_go_is_left_like_a_tournament(scene: Scene) -> None:
    scene.announce(removing(Format.SIT_AND_GO, most=3, least=3))
    scene.refused(EventReason.NOT_REGISTERED, partial(leave, scene, A))
    scene.register(A)
    scene.refused(EventReason.EVENT_NOT_RUNNING, partial(leave, scene, A))
    scene.register(B, C)
    scene.go_on()
    leave(scene, A)
    scene.hands(1)
    assert scene.tables()[1] == [one for one in scene.tables()[1] if one != A]
    leave(scene, B)
    scene.hands(1)
    scene.ends()
    assert scene.places() == [C, B, A]
    scene.refused(EventReason.EVENT_OVER, partial(leave, scene, C))


def test_a_withdrawal_during_play_asks_instead(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    withdraw = partial(registration.withdraw, key=scene.key, player=A, cause="0")
    scene.refused(EventReason.EVENT_RUNS, lambda: scene.write(withdraw))
    leave(scene, A)
    scene.refused(EventReason.HAS_LEFT, partial(leave, scene, A))
    scene.refused(EventReason.ALREADY_PLAYING, partial(come_back, scene, B))


# shoot-outs


def test_who_gives_up_in_a_shoot_out_leaves_the_table_to_the_others(scene: Scene) -> None:
    scene.begin(structure(Format.SHOOTOUT), A, B, C, D, E, F)
    table = scene.table_of(A)
    rivals = [one for one in scene.tables()[table] if one != A]
    leave(scene, A)
    scene.hand(table, {(A, rivals[0]): 5})
    assert scene.tables()[table] == rivals
    assert scene.notices(Notice.OUT) == [{"players": [[A, 0]], "left": 5, "gave_up": True}]
    scene.go_on()
    scene.knock_out(rivals[0], rivals[1])
    others = scene.tables()[next(iter(scene.tables()))]
    scene.knock_out(others[0], others[1], others[2])
    scene.go_on()
    leave(scene, rivals[0])
    scene.hands(1)
    scene.ends()
    assert scene.places()[:2] == [others[0], rivals[0]]
    assert not scene.entrant(A).disqualified


def test_a_shoot_out_winner_may_give_up_before_the_next_round(scene: Scene) -> None:
    scene.begin(structure(Format.SHOOTOUT, table_seats=2), A, B, C, D)
    first, second = scene.tables().values()
    scene.knock_out(*first)
    leave(scene, first[0])
    assert scene.entrant(first[0]).state is EntrantState.OUT
    scene.knock_out(*second)
    scene.ends()
    assert scene.places()[:2] == [second[0], first[0]]


# members who have left the server


def absent(form: Format, **more: Any) -> AskingScene:
    """Return an event in which A has stopped acting, and the bot has asked Discord about them."""
    asking = AskingScene(0)
    asking.announce(structure(form, **more))
    asking.register(A, B, C, D)
    asking.start()
    asking.answer()
    asking.go_on()
    asking.organise(desk_acts.attend, A, away=True)
    return asking


def test_a_member_who_left_the_server_leaves_the_seat_and_others_play_on_meanwhile() -> None:
    asking = absent(Format.TOURNAMENT)
    asking.hands(1)
    assert asking.playing(), "play goes on without the answer"
    assert A in asking.answer([A, B])
    assert [line_of(asking, one).left_seat for one in (A, B)] == [True, False], "only absent players are gone"
    hands = len(asking.log("absent_checked"))
    asking.hands(1)
    assert len(asking.log("absent_checked")) == hands == 1
    come_back(asking, A)
    assert not line_of(asking, A).left_seat


def test_a_member_who_left_the_server_gives_up_where_leavers_do() -> None:
    asking = absent(Format.TOURNAMENT, leaving=Leaving.REMOVE)
    asking.hands(1)
    asking.answer([A])
    asking.hands(1)
    assert asking.entrant(A).state is EntrantState.OUT
    assert not asking.entrant(A).disqualified


def test_the_opponent_of_a_member_who_left_the_server_advances() -> None:
    asking = absent(Format.SINGLE)
    rival = next(one for one in asking.tables()[asking.table_of(A)] if one != A)
    asking.answer([A])
    asking.hand(asking.table_of(A))
    (told,) = asking.notices(Notice.MATCH)
    assert (told["winner"], told["loser"], told["gave_up"]) == (rival, A, True)


def test_an_absent_member_is_asked_about_again_after_an_hour_at_the_earliest() -> None:
    asking = absent(Format.TOURNAMENT)
    asking.answer()
    asking.hands(1)
    assert len(asking.log("absent_checked")) == 1
    asking.now += HOUR
    asking.hands(1)
    asking.answer()
    assert len(asking.log("absent_checked")) == 2


def test_without_an_answer_an_absent_member_stays() -> None:
    asking = absent(Format.TOURNAMENT)
    asking.wait(MINUTE)
    asking.hands(1)
    assert not line_of(asking, A).left_seat
    assert len(asking.log("absent_checked")) == 1
