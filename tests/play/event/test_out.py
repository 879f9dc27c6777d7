"""Elimination: places, hand-for-hand play on the bubble, and payouts."""

from random import Random

import pytest

from bot.model.events import EntrantState, Notice
from bot.model.ids import Player
from bot.model.reasons import EventReason
from bot.model.tables import Role, WaitReason
from bot.play.event.office.views import standing
from bot.play.event.organisers import organiser
from bot.play.session import chips
from bot.pure.ofc.house_rules import house_variant
from tests.play.event.event_world import ALL, POLICY, A, B, C, D, E, F, G, Scene, somebody, structure

FEE = 500


# at one table


def test_who_is_out_reads_their_place_and_where_to_watch(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    winner, later, first = scene.tables()[1]
    scene.knock_out(winner, first)
    stands = scene.write(lambda s: standing(s, scene.spot(1).table, first))
    assert (stands.part, stands.place, stands.over, stands.table) == (Role.OUT, 3, False, 1)
    stranger = scene.write(lambda s: standing(s, scene.spot(1).table, somebody(77)))
    assert stranger.part is Role.NONE
    table = scene.spot(1).table
    scene.go_on()
    scene.knock_out(winner, later)
    places = (winner, later, first)
    ended = scene.write(lambda s: [standing(s, s.table(table.key), one) for one in places])
    assert [(one.part, one.place, one.over, one.table) for one in ended] == [
        (Role.OUT, place, True, 0) for place in (1, 2, 3)
    ]


def test_who_may_enter_again_reads_until_when(scene: Scene) -> None:
    scene.begin(structure(reentries=1, late_levels=3), A, B, C)
    winner, _, first = scene.tables()[1]
    scene.knock_out(winner, first)
    assert scene.write(lambda s: standing(s, scene.spot(1).table, first)).enter_again == 3


def test_who_plays_at_another_table_reads_which(scene: Scene) -> None:
    scene.begin(structure(table_seats=2), A, B, C, D)
    elsewhere = scene.tables()[2][0]
    stands = scene.write(lambda s: standing(s, scene.spot(1).table, elsewhere))
    assert (stands.part, stands.table) == (Role.SEATED, 2)


def test_of_two_put_out_by_one_hand_the_one_with_more_chips_is_placed_higher(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    winner, rich, poor = scene.tables()[1]
    scene.hand(1, {(rich, poor): 5})
    scene.go_on()
    scene.knock_out(winner, rich, poor)
    assert scene.places() == [winner, rich, poor]
    assert scene.notices(Notice.OUT) == []  # told with the winner
    assert len(scene.notices(Notice.ENDED)) == 1


def test_with_equal_chips_the_first_clockwise_from_the_button_is_placed_higher(scene: Scene) -> None:
    scene.begin(structure(table_seats=4), A, B, C, D)
    seats = scene.tables()[1]
    scene.hands(2)
    # The button is on seat 2: clockwise from its left come seats 3, 0 and 1.
    assert scene.spot(1).table.button == 2
    scene.knock_out(seats[2], seats[0], seats[1], seats[3])
    assert scene.places() == [seats[2], seats[3], seats[0], seats[1]]


def test_who_goes_out_later_is_placed_higher_however_few_chips_he_had(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    winner, later, first = scene.tables()[1]
    scene.hand(1, {(winner, later): 99})
    scene.go_on()
    scene.knock_out(winner, first)
    scene.go_on()
    scene.knock_out(winner, later)
    assert scene.places() == [winner, later, first]


def test_who_is_out_leaves_his_seat_at_once_and_has_no_chips(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    winner, loser, _ = scene.tables()[1]
    scene.knock_out(winner, loser)
    assert loser not in scene.tables()[1]
    assert scene.entrant(loser).state is EntrantState.OUT
    assert scene.chips(loser) == 0


def test_fantasyland_of_the_last_one_at_a_table_ends(scene: Scene) -> None:
    scene.begin(structure(table_seats=2), A, B, C, D)
    first, second = scene.tables()[1], scene.tables()[2]
    scene.hand(1, {(first[0], first[1]): ALL}, fantasyland=[first[0]])
    assert not any(seat.fantasyland for seat in scene.spot(1).seats)
    assert scene.log("fantasyland_ended")[0].details == {"player": first[0]}
    scene.knock_out(second[0], second[1])
    scene.go_on()
    assert scene.sizes() == [2]
    assert not next(iter(scene.field().spots.values())).info.extra


def test_who_goes_out_with_a_fantasyland_before_him_has_lost_it(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    winner, loser, other = scene.tables()[1]
    scene.hand(1, {(winner, loser): ALL}, fantasyland=[loser])
    scene.go_on()
    assert not scene.spot(1).info.extra
    assert set(scene.tables()[1]) == {winner, other}


# the bubble


def _on_the_bubble(scene: Scene) -> tuple[list[Player], list[Player]]:
    """Four at two tables, three of them in the prizes."""
    scene.begin(structure(fee=FEE, table_seats=2, payouts=(50, 30, 20)), A, B, C, D)
    first, second = scene.tables().values()
    return first, second


def test_hand_for_hand_begins_when_the_next_one_out_is_the_last_without_a_prize(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, payouts=(50, 30, 20)), A, B, C, D, E)
    assert not scene.event.hand_for_hand
    full = max(scene.tables().values(), key=len)
    scene.knock_out(full[0], full[1])
    assert scene.event.hand_for_hand
    assert scene.notices(Notice.HAND_FOR_HAND) == [{"paid": 3, "left": 4}]


def test_hand_for_hand_all_tables_wait_for_the_last_one(scene: Scene) -> None:
    _on_the_bubble(scene)
    scene.hand(1)
    scene.go_on()
    assert scene.spot(1).info.waits is WaitReason.HAND_FOR_HAND
    assert scene.playing() == [2]
    scene.hand(2)
    scene.go_on()
    assert scene.playing() == [1, 2]


def test_hand_for_hand_holds_also_where_levels_are_counted_in_minutes(scene: Scene) -> None:
    plan = structure(fee=FEE, table_seats=2, payouts=(50, 30, 20), level_hands=0, level_minutes=10)
    scene.begin(plan, A, B, C, D)
    scene.hand(1)
    scene.go_on()
    assert scene.playing() == [2]


def test_hand_for_hand_all_tables_wait_for_the_last_hand_in_fantasyland(scene: Scene) -> None:
    first, _ = _on_the_bubble(scene)
    scene.hand(1, fantasyland=[scene.tables()[1][0]])
    scene.hand(2)
    scene.go_on()
    assert scene.playing() == [1]
    scene.hand(1, fantasyland=[scene.tables()[1][1]])
    scene.go_on()
    assert scene.playing() == [1]
    assert scene.spot(2).info.waits is WaitReason.HAND_FOR_HAND
    scene.hand(1)
    scene.go_on()
    assert scene.playing() == [1, 2]
    assert first == scene.tables()[1]


def test_those_put_out_at_several_tables_hand_for_hand_went_out_together(scene: Scene) -> None:
    first, second = _on_the_bubble(scene)
    scene.hand(1, {(first[0], first[1]): 5})
    scene.hand(2, {(second[0], second[1]): 3})
    scene.go_on()
    # The one with more chips is placed higher, although his hand was over first.
    rich, poor = second[1], first[1]
    scene.knock_out(second[0], rich)
    scene.knock_out(first[0], poor)
    assert scene.entrant(rich).out_moment == scene.entrant(poor).out_moment
    scene.go_on()
    winner, loser = scene.tables()[scene.table_of(first[0])]
    scene.knock_out(winner, loser)
    assert scene.places() == [winner, loser, rich, poor]
    assert (scene.entrant(rich).prize, scene.entrant(poor).prize) == (400, 0)


def test_the_best_and_the_worst_place_are_told_while_another_hand_may_put_somebody_out_together(scene: Scene) -> None:
    first, _ = _on_the_bubble(scene)
    scene.knock_out(first[0], first[1])
    assert scene.notices(Notice.OUT) == [{"players": [[first[1], 3, 4]], "left": 3}]


def test_the_place_is_told_where_everybody_who_may_go_out_as_well_began_with_more(scene: Scene) -> None:
    plain = house_variant("classic", {"fantasyland": "off"})
    scene.begin(structure(fee=FEE, table_seats=2, payouts=(50, 30, 20)), A, B, C, D, variant=plain)
    first, second = scene.tables().values()
    scene.hand(1, {(first[0], first[1]): 5})
    scene.hand(2, {(second[0], second[1]): 3})
    scene.go_on()
    scene.knock_out(first[0], first[1])
    scene.knock_out(second[0], second[1])
    assert [told["players"] for told in scene.notices(Notice.OUT)] == [[[first[1], 4]], [[second[1], 3]]]


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(5, 12))])
def test_everybody_ends_in_a_place_that_they_were_told(seed: int) -> None:
    scene, chance = Scene(seed), Random(seed)
    people = [A, B, C, D, E, F, G]
    scene.begin(structure(fee=FEE, stack=300, payouts=(40, 30, 20, 10)), *people)
    while not scene.event.phase.over:
        for table in chance.sample(scene.playing(), k=len(scene.playing())):
            dealt = [seat.player for seat in scene.spot(table).seats if seat.dealt_in]
            wins = {(a, b): chance.randint(-12, 12) for at, a in enumerate(dealt) for b in dealt[:at]}
            lucky = [one for one in dealt if chance.random() < 0.1]
            scene.hand(table, wins, fantasyland=lucky)
        scene.go_on()
    told = {player: places for out in scene.notices(Notice.OUT) for player, *places in out["players"]}
    assert len(told) >= len(people) - 3
    for player, places in told.items():
        assert places[0] <= scene.entrant(player).place <= places[-1]


def test_who_was_disqualified_takes_no_place_from_one_who_went_out_at_the_same_time(scene: Scene) -> None:
    first, second = _on_the_bubble(scene)
    scene.hand(1)
    scene.hand(2, {(second[0], second[1]): 5})
    scene.go_on()
    scene.organise(organiser.disqualify, first[1], why="cheated")
    scene.hand(1)
    scene.knock_out(second[0], second[1])
    assert scene.notices(Notice.OUT) == [{"players": [[second[1], 3]], "left": 2}]


def test_hand_for_hand_ends_when_the_bubble_has_burst_and_all_hands_of_it_are_over(scene: Scene) -> None:
    first, _ = _on_the_bubble(scene)
    scene.knock_out(first[0], first[1])
    assert scene.event.hand_for_hand
    scene.hand(2)
    assert not scene.event.hand_for_hand
    scene.go_on()
    assert scene.playing() == [2]


def test_there_is_no_hand_for_hand_at_one_table_nor_without_prizes(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, payouts=(60, 40)), A, B, C)
    assert not scene.event.hand_for_hand
    other = Scene()
    other.begin(structure(payouts=(50, 30, 20), table_seats=2), A, B, C, D)
    assert not other.event.hand_for_hand


# disqualified


def test_who_is_disqualified_between_hands_leaves_at_once(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    scene.hand(1)
    one = scene.tables()[1][0]
    scene.organise(organiser.disqualify, one, why="cheated")
    assert one not in scene.tables()[1]
    assert (scene.chips(one), scene.entrant(one).state) == (0, EntrantState.OUT)


def test_who_is_disqualified_in_a_hand_leaves_after_it(scene: Scene) -> None:
    scene.begin(structure(), A, B, C)
    one = scene.tables()[1][0]
    scene.organise(organiser.disqualify, one, why="cheated")
    assert one in scene.tables()[1]
    scene.hand(1)
    assert one not in scene.tables()[1]
    assert scene.balance(chips.mint_of(scene.key), "mint") == -2000


def test_who_is_disqualified_is_last_and_gets_no_prize(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, payouts=(50, 30, 20)), A, B, C)
    cheat, winner, loser = scene.tables()[1]
    scene.knock_out(winner, loser)
    scene.organise(organiser.disqualify, cheat, why="cheated")
    scene.ends()
    assert scene.places() == [winner, loser, cheat]
    assert {one: scene.entrant(one).prize for one in (winner, loser, cheat)} == {winner: 938, loser: 562, cheat: 0}


def test_who_is_disqualified_after_he_was_out_is_last_too(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, payouts=(50, 30, 20)), A, B, C, D)
    first, second = scene.tables().values()
    scene.knock_out(first[0], first[1])
    scene.hand(scene.table_of(second[0]))
    scene.go_on()
    scene.knock_out(second[0], second[1])
    scene.go_on()
    scene.organise(organiser.disqualify, second[1], why="cheated")
    scene.refused(EventReason.DISQUALIFIED, lambda: scene.organise(organiser.disqualify, second[1], why="cheated"))
    scene.knock_out(second[0], first[0])
    assert scene.places() == [second[0], first[0], first[1], second[1]]
    assert [scene.entrant(one).prize for one in scene.places()] == [1000, 600, 400, 0]


def test_a_heads_up_opponent_of_one_who_is_disqualified_has_won(scene: Scene) -> None:
    scene.begin(structure(fee=FEE), A, B)
    scene.organise(organiser.disqualify, A, why="cheated")
    scene.hand(1, {(A, B): ALL})
    scene.ends()
    assert scene.places() == [B, A]
    assert scene.wallet(B) == POLICY.start_chips + FEE


# the end


def _knock_out_somebody(scene: Scene) -> None:
    """At the first table that plays the first of those dealt in takes all of the next one's chips."""
    spot = scene.spot(scene.playing()[0])
    dealt = [seat.player for seat in spot.seats if seat.dealt_in]
    scene.knock_out(dealt[0], dealt[1])
    scene.go_on()


def test_prizes_come_to_the_pool_and_places_are_all_different(scene: Scene) -> None:
    people = [somebody(number) for number in range(9)]
    scene.begin(structure(fee=333, added=100), *people)
    while not scene.event.phase.over:
        _knock_out_somebody(scene)
    scene.ends()
    order = scene.places()
    prizes = [scene.entrant(one).prize for one in order]
    assert sorted(order) == sorted(people)
    assert sum(prizes) == 9 * 333 + 100
    assert prizes == sorted(prizes, reverse=True)
    assert sum(scene.wallet(one) for one in people) == 9 * POLICY.start_chips + 100


def test_entries_of_those_who_entered_again_count_for_the_pool_and_its_shares(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, late_levels=5, reentries=3, table_seats=4), A, B, C)
    scene.knock_out(A, B)
    scene.register(B)
    assert len(scene.view().prizes) == 2
    scene.go_on()
    scene.knock_out(A, B, C)
    scene.ends()
    assert [scene.entrant(one).prize for one in scene.places()] == [1300, 700, 0]


def test_shares_of_places_that_nobody_took_go_to_the_others(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, payouts=(50, 30, 20)), A, B)
    scene.knock_out(A, B)
    assert [scene.entrant(one).prize for one in (A, B)] == [625, 375]


def test_at_the_end_the_events_own_chips_are_gone(scene: Scene) -> None:
    scene.begin(structure(late_levels=3), A, B, C)
    scene.hand(1)
    scene.organise(organiser.adjust, A, amount=300, why="a chip race")
    scene.register(D)
    assert scene.balance(chips.mint_of(scene.key), "mint") == -4300
    scene.go_on()
    while not scene.event.phase.over:
        _knock_out_somebody(scene)
    scene.ends()


def test_the_end_is_told_once_and_nothing_follows(scene: Scene) -> None:
    scene.begin(structure(fee=FEE), A, B)
    scene.knock_out(A, B)
    before = scene.dump()
    scene.wait(60 * 60_000)
    assert scene.dump() == before
    assert len(scene.notices(Notice.ENDED)) == 1
    assert scene.event.alarm_at is None
