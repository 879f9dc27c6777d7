"""Leaving a league or duplicate event after a round, and coming back."""

from collections.abc import Collection
from functools import partial
from typing import Any

import pytest
from typing_extensions import override

from bot.model.events import EntrantState, Notice, Phase
from bot.model.ids import Player
from bot.model.reasons import EventReason
from bot.model.refusals import OtherTerms
from bot.model.tables import Role
from bot.play import terms as terms_of
from bot.play.event.floor import sheets
from bot.play.event.floor.event_state import read_field
from bot.play.event.office import director, leaving, registration, roll_call, views
from bot.play.event.organisers import organiser
from bot.play.session.session import Session
from bot.pure.event.pairings import Pairings
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.house_rules import house_variant
from bot.store.sql import Sql
from tests.play.event.event_world import ALL, HOUR, MINUTE, A, B, C, D, E, F, Scene, structure

FEE = 500
NO_FANTASYLAND = house_variant("classic", {"fantasyland": "off"})


def _league(rounds: int = 4, **more: Any) -> Structure:
    pairings: Pairings = more.pop("pairings", Pairings.DRAW)
    return structure(Format.LEAGUE, rounds=rounds, round_hands=1, table_seats=2, pairings=pairings, **more)


def leave(scene: Scene, one: Player, terms: str | None = None) -> None:
    scene.write(lambda s: leaving.leave(s, scene.key, one, terms=terms, cause=scene.cause()))


def come_back(scene: Scene, one: Player) -> None:
    scene.write(lambda s: leaving.come_back(s, scene.key, one, cause=scene.cause()))


def offer(scene: Scene, one: Player) -> leaving.Offer:
    return leaving.offer(scene.session(), scene.key, one)


def seated(scene: Scene) -> set[Player]:
    return {one for players in scene.tables().values() for one in players}


def play_round(scene: Scene) -> None:
    for table in scene.playing():
        scene.hand(table)
    scene.go_on()


def test_who_leaves_finishes_the_round_and_is_not_paired_in_the_next(scene: Scene) -> None:
    scene.begin(_league(), A, B, C, D)
    leave(scene, A)
    assert A in seated(scene), "the round is played to its end"
    assert not scene.entrant(A).disqualified
    rival = next(one for players in scene.tables().values() if A in players for one in players if one != A)
    scene.hand(scene.table_of(A), {(A, rival): 6})
    for table in scene.playing():
        scene.hand(table)
    assert scene.event.round == 2
    assert A not in seated(scene)
    assert len(seated(scene)) == 2
    line = scene.view().line_of(A)
    assert line is not None
    assert (line.left_after, line.place, line.entrant.score) == (1, 1, 6), "points and place stay"
    assert line.may_return
    scene.go_on()
    while scene.event.phase is Phase.RUNNING:
        play_round(scene)
    scene.ends()
    assert scene.places()[0] == A, "ranked by points like everybody"


def test_prizes_go_by_points_to_who_left_too(scene: Scene) -> None:
    scene.begin(_league(rounds=2, fee=FEE, payouts=(100,)), A, B, C, D)
    rival = next(one for players in scene.tables().values() if A in players for one in players if one != A)
    scene.hand(scene.table_of(A), {(A, rival): 6})
    leave(scene, A)
    assert scene.wallet(A) == 5_000 - FEE, "the fee stays in the pool"
    for table in scene.playing():
        scene.hand(table)
    scene.go_on()
    play_round(scene)
    scene.ends()
    assert scene.entrant(A).prize == 4 * FEE


def test_the_question_says_what_it_costs_and_holds_for_this_round_only(scene: Scene) -> None:
    scene.begin(_league(), A, B, C, D)
    asked = offer(scene, A)
    assert isinstance(asked, leaving.LeaveOffer)
    assert (asked.event.round, asked.missed, asked.seated, asked.returns_before) == (1, 3, True, 2)
    shown = terms_of.of_leaving(scene.event)
    play_round(scene)
    before = scene.dump()
    with pytest.raises(OtherTerms):
        leave(scene, A, shown)
    assert scene.dump() == before
    leave(scene, A, terms_of.of_leaving(scene.event))
    assert scene.entrant(A).state is EntrantState.OUT


def test_leaving_and_returning_are_refused_with_a_reason_and_change_nothing(scene: Scene) -> None:
    scene.announce(_league(rounds=3))
    scene.register(A, B, C, D)
    scene.refused(EventReason.EVENT_NOT_RUNNING, partial(leave, scene, A))
    scene.start()
    scene.go_on()
    scene.refused(EventReason.NOT_REGISTERED, partial(leave, scene, F))
    scene.refused(EventReason.NOT_REGISTERED, partial(come_back, scene, F))
    scene.refused(EventReason.ALREADY_PLAYING, partial(come_back, scene, A))
    scene.refused(
        EventReason.EVENT_RUNS, lambda: scene.write(lambda s: registration.withdraw(s, scene.key, A, cause="0"))
    )
    leave(scene, A)
    scene.refused(EventReason.HAS_LEFT, partial(leave, scene, A))
    scene.refused(
        EventReason.HAS_LEFT, lambda: scene.write(lambda s: registration.withdraw(s, scene.key, A, cause="0"))
    )
    scene.organise(organiser.disqualify, B, why="cheated")
    scene.refused(EventReason.DISQUALIFIED, partial(leave, scene, B))
    play_round(scene)
    assert scene.event.round == 2
    play_round(scene)
    assert scene.event.round == 3
    scene.refused(EventReason.TOO_LATE_TO_RETURN, partial(come_back, scene, A))
    scene.refused(EventReason.HAS_LEFT_FOR_GOOD, partial(leave, scene, A))
    scene.refused(EventReason.LAST_ROUND, partial(leave, scene, C))
    play_round(scene)
    scene.ends()
    scene.refused(EventReason.EVENT_OVER, partial(leave, scene, C))
    scene.refused(EventReason.EVENT_OVER, partial(come_back, scene, A))


def test_who_has_left_and_is_disqualified_stays_out_for_good(scene: Scene) -> None:
    scene.begin(_league(), A, B, C, D)
    leave(scene, A)
    scene.organise(organiser.disqualify, A, why="cheated")
    scene.refused(EventReason.DISQUALIFIED, partial(come_back, scene, A))
    play_round(scene)
    line = scene.view().lines[-1]
    assert (line.entrant.player, line.left_after, line.may_return) == (A, None, False)


def test_who_comes_back_is_paired_again_and_what_was_missed_scores_nothing(scene: Scene) -> None:
    scene.begin(_league(rounds=6), A, B, C, D)
    leave(scene, A)
    play_round(scene)
    come_back(scene, A)
    assert A not in seated(scene), "the round that runs goes on without"
    play_round(scene)
    assert A in seated(scene)
    line = scene.view().line_of(A)
    assert line is not None
    assert (line.left_after, line.entrant.hands, line.entrant.score) == (None, 1, 0)


def test_within_the_round_that_one_leaves_in_one_may_think_again_however_late(scene: Scene) -> None:
    scene.begin(_league(rounds=4), A, B, C, D)
    play_round(scene)
    play_round(scene)
    leave(scene, A)
    asked = offer(scene, B)
    assert isinstance(asked, leaving.LeaveOffer)
    assert asked.returns_before == 0
    come_back(scene, A)
    leave(scene, B)
    play_round(scene)
    assert len(seated(scene)) == 2
    assert seated(scene) < {A, C, D}
    scene.refused(EventReason.TOO_LATE_TO_RETURN, partial(come_back, scene, B))


def test_a_player_with_a_bye_may_think_again_while_others_play(scene: Scene) -> None:
    scene.begin(_league(rounds=4), A, B, C)
    play_round(scene)
    (bye,) = {A, B, C} - seated(scene)
    asked = offer(scene, bye)
    assert isinstance(asked, leaving.LeaveOffer)
    assert (asked.seated, asked.in_round, asked.returns_before, asked.ends) == (False, True, 0, False)
    leave(scene, bye)
    come_back(scene, bye)
    assert scene.entrant(bye).playing


def test_nobody_has_a_place_before_the_first_hand_has_ended(scene: Scene) -> None:
    scene.begin(_league(), A, B, C, D)
    leave(scene, B)
    first = offer(scene, A)
    scene.hand(scene.playing()[0])
    then = offer(scene, A)
    assert isinstance(first, leaving.LeaveOffer)
    assert isinstance(then, leaving.LeaveOffer)
    assert first.place == 0
    assert then.place > 0


def test_leaving_says_that_it_ends_the_league_and_the_end_says_why(scene: Scene) -> None:
    scene.begin(_league(), A, B, C)
    before = offer(scene, A)
    assert isinstance(before, leaving.LeaveOffer)
    assert (before.others, before.ends) == (2, False)
    leave(scene, B)
    with pytest.raises(OtherTerms):
        leave(scene, A, before.terms)  # it would end the event now
    asked = offer(scene, A)
    assert isinstance(asked, leaving.LeaveOffer)
    assert (asked.others, asked.ends, asked.in_round) == (1, True, True)
    leave(scene, A, asked.terms)
    play_round(scene)
    scene.ends()
    assert [told["cut"] for told in scene.notices(Notice.ENDED)] == [[1, 4]]


@pytest.mark.parametrize("people", [(A, B, C, D), (A, B, C, D, E)])
def test_leaving_says_that_a_duplicate_event_ends_with_one_table(scene: Scene, people: tuple[Player, ...]) -> None:
    plan = structure(Format.DUPLICATE, table_seats=2, rounds=3, round_hands=2)
    scene.begin(plan, *people, variant=NO_FANTASYLAND)
    asked = offer(scene, A)
    assert isinstance(asked, leaving.LeaveOffer)
    assert (asked.others, asked.ends) == (len(people) - 1, len(people) == 4)
    leave(scene, A)
    while scene.event.phase is Phase.RUNNING:
        scene.hands()
    cuts = [told.get("cut") for told in scene.notices(Notice.ENDED)]
    assert cuts == [[1, 3] if asked.ends else None]


def test_a_pairing_of_another_day_is_made_anew_for_whoever_is_there(scene: Scene) -> None:
    scene.begin(_league(round_hours=24, pairings=Pairings.SWISS), A, B, C, D)
    began = scene.event.round_began_at
    assert began is not None
    play_round(scene)
    leave(scene, A)
    assert [set(fact.details["people"]) for fact in scene.log("paired")] == [{A, B, C, D}, {A, B, C, D}, {B, C, D}]
    come_back(scene, A)
    scene.wait(began + 24 * HOUR - scene.now)
    assert seated(scene) == {A, B, C, D}


def test_nobody_has_a_second_bye_before_everybody_had_one(scene: Scene) -> None:
    scene.begin(_league(rounds=7, pairings=Pairings.ALL), A, B, C, D, E, F)
    leave(scene, F)
    byes: list[Player] = []
    play_round(scene)
    while scene.event.phase is Phase.RUNNING:
        byes += {A, B, C, D, E} - seated(scene)
        play_round(scene)
    assert len(byes) == len(set(byes)) == scene.event.structure.rounds - 1
    met = sheets.sat_together(scene.committed, scene.event)
    pairs = [frozenset(table) for tables in met.values() for table in tables]
    assert len(pairs) == len(set(pairs)), "nobody is met twice"


def test_two_who_leave_cost_nobody_a_round(scene: Scene) -> None:
    scene.begin(_league(rounds=5), A, B, C, D, E, F)
    leave(scene, E)
    leave(scene, F)
    play_round(scene)
    while scene.event.phase is Phase.RUNNING:
        assert seated(scene) == {A, B, C, D}
        play_round(scene)
    scene.ends()


def test_an_event_that_all_but_one_have_left_ends_after_the_round(scene: Scene) -> None:
    scene.begin(_league(), A, B)
    leave(scene, A)
    assert scene.event.phase is Phase.RUNNING
    play_round(scene)
    scene.ends()


def test_a_duplicate_event_compares_whoever_is_there(scene: Scene) -> None:
    plan = structure(Format.DUPLICATE, table_seats=2, rounds=3, round_hands=2)
    scene.begin(plan, A, B, C, D, E, F, variant=NO_FANTASYLAND)
    leave(scene, A)
    scene.hands(2)
    assert scene.event.round == 2
    assert A not in seated(scene)
    assert len(seated(scene)) == 4
    while scene.event.phase is Phase.RUNNING:
        scene.hands()
    scene.ends()


def test_a_player_who_is_leaving_is_told_so_at_the_tables(scene: Scene) -> None:
    scene.begin(_league(), A, B, C, D)
    leave(scene, A)
    other = next(number for number, players in scene.tables().items() if A not in players)

    def part() -> Role:
        session = scene.session()
        return views.standing(session, session.table(scene.spot(other).key), A).part

    assert part() is Role.SEATED
    scene.hand(scene.table_of(A))
    assert part() is Role.LEFT


# giving up in a bracket


def _seeds(scene: Scene) -> dict[int, Player]:
    return {entrant.number: entrant.player for entrant in scene.field().entrants.values()}


def test_who_gives_up_in_a_hand_is_placed_to_its_end_and_then_the_opponent_goes_on(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _seeds(scene)
    asked = offer(scene, seeds[1])
    assert isinstance(asked, leaving.GiveUpOffer)
    assert (asked.opponent, asked.in_hand, asked.lives) == (seeds[4], True, False)
    leave(scene, seeds[1], asked.terms)
    table = scene.table_of(seeds[1])
    assert next(seat for seat in scene.spot(table).seats if seat.player == seeds[1]).away
    scene.refused(EventReason.OPPONENT_GONE, partial(leave, scene, seeds[4]))
    scene.hand(table)
    (told,) = scene.notices(Notice.MATCH)
    assert (told["winner"], told["loser"], told["gave_up"], told["out"]) == (seeds[4], seeds[1], True, True)
    scene.refused(EventReason.OUT_FOR_GOOD, partial(leave, scene, seeds[1]))
    scene.refused(EventReason.OUT_FOR_GOOD, partial(come_back, scene, seeds[1]))
    scene.knock_out(seeds[2], seeds[3])
    scene.go_on()
    assert [set(players) for players in scene.tables().values()] == [{seeds[2], seeds[4]}]
    scene.knock_out(seeds[2], seeds[4])
    scene.ends()
    assert scene.entrant(seeds[1]).place == scene.entrant(seeds[3]).place == 3, "as if the match was lost at the table"
    assert not scene.entrant(seeds[1]).disqualified


def test_who_gives_up_between_matches_gives_the_next_one_away(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, fee=FEE), A, B, C, D)
    seeds = _seeds(scene)
    scene.knock_out(seeds[1], seeds[4])
    asked = offer(scene, seeds[1])
    assert isinstance(asked, leaving.GiveUpOffer)
    assert (asked.opponent, asked.in_hand) == (None, False)
    leave(scene, seeds[1], asked.terms)
    scene.knock_out(seeds[2], seeds[3])
    scene.ends()
    assert scene.places()[:2] == [seeds[2], seeds[1]]
    assert scene.entrant(seeds[1]).prize > 0


def test_giving_up_between_two_hands_ends_the_match_at_once(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _seeds(scene)
    scene.hand(scene.table_of(seeds[1]))
    leave(scene, seeds[1])
    assert seeds[4] not in seated(scene)
    (told,) = scene.notices(Notice.MATCH)
    assert told["winner"] == seeds[4]


@pytest.mark.parametrize("gone", ["gives up", "disqualified", "leaves the server"])
@pytest.mark.parametrize("form", [Format.SINGLE, Format.DOUBLE, Format.GROUPS])
def test_whoever_is_gone_loses_the_match_even_with_all_chips(scene: Scene, form: Format, gone: str) -> None:
    scene.begin(structure(form, least=4, most=8), A, B, C, D)
    table, (one, other) = next(iter(scene.tables().items()))
    if gone == "disqualified":
        scene.organise(organiser.disqualify, one, why="rude")
    elif gone == "gives up":
        leave(scene, one)
    else:
        scene.write(lambda s: leaving.leave_departed(read_field(s, scene.key), one))
    scene.hand(table, {(one, other): ALL})
    assert [fact.details["player"] for fact in scene.log("won")] == [other]
    for _ in range(20):
        if scene.event.phase is not Phase.RUNNING:
            break
        for number in scene.playing():
            winner, loser = sorted(scene.tables()[number], key=lambda player: player != other)
            scene.hand(number, {(winner, loser): ALL})
        scene.go_on()
    scene.ends()
    assert scene.places()[0] == other


def test_of_two_who_are_gone_the_one_with_the_chips_wins(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    table, (one, other) = next(iter(scene.tables().items()))
    leave(scene, one)
    scene.organise(organiser.disqualify, other, why="rude")
    scene.hand(table, {(one, other): ALL})
    assert [fact.details["player"] for fact in scene.log("won")] == [one]


def test_a_question_about_an_earlier_match_holds_no_more(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B, C, D)
    seeds = _seeds(scene)
    asked = offer(scene, seeds[1])
    assert isinstance(asked, leaving.GiveUpOffer)
    assert asked.lives
    scene.knock_out(seeds[1], seeds[4])
    with pytest.raises(OtherTerms):
        leave(scene, seeds[1], asked.terms)


def test_who_gives_up_in_a_group_gives_the_rest_of_its_matches_away_and_is_not_through(scene: Scene) -> None:
    plan = structure(Format.GROUPS, least=4, most=8)
    scene.begin(plan, A, B, C, D)
    leave(scene, A)
    for _ in range(20):
        if scene.event.phase is not Phase.RUNNING:
            break
        for players in list(scene.tables().values()):
            if A in players:
                scene.hand(scene.table_of(A))
            else:
                scene.knock_out(*players)
        scene.go_on()
    scene.ends()
    (row,) = [row for group in scene.view().groups for row in group.rows if row.player == A]
    assert (row.won, row.through) == (0, False)
    assert A not in scene.places()[:2]


# giving up that ends the event


def giving_up(scene: Scene, one: Player) -> leaving.GiveUpOffer:
    asked = offer(scene, one)
    assert isinstance(asked, leaving.GiveUpOffer)
    return asked


def outcome(asked: leaving.GiveUpOffer) -> tuple[Player | None, bool, bool]:
    return asked.champion, asked.decides, asked.ends


def test_giving_up_in_the_final_says_that_the_opponent_wins_the_event(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _seeds(scene)
    assert outcome(giving_up(scene, seeds[1])) == (None, False, False), "a semi-final"
    scene.knock_out(seeds[1], seeds[4])
    scene.knock_out(seeds[2], seeds[3])
    scene.go_on()
    asked = giving_up(scene, seeds[1])
    assert outcome(asked) == (seeds[2], False, True)
    with pytest.raises(OtherTerms):
        leave(scene, seeds[1], terms_of.of_giving_up(scene.event, asked.match))
    leave(scene, seeds[1], asked.terms)
    scene.hand(scene.table_of(seeds[1]))
    scene.ends()
    assert scene.places()[:2] == [seeds[2], seeds[1]]


def test_who_gives_up_before_the_final_lets_the_other_semi_final_decide_the_event(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _seeds(scene)
    scene.knock_out(seeds[1], seeds[4])
    asked = giving_up(scene, seeds[1])
    assert outcome(asked) == (None, True, False)
    leave(scene, seeds[1], asked.terms)
    assert outcome(giving_up(scene, seeds[2])) == (seeds[3], False, True), "their semi-final decides the event"


def test_with_a_match_for_third_place_the_event_goes_on_until_it_is_over(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, third_place=True), A, B, C, D)
    seeds = _seeds(scene)
    scene.knock_out(seeds[1], seeds[4])
    scene.knock_out(seeds[2], seeds[3])
    scene.go_on()
    assert outcome(giving_up(scene, seeds[3])) == (None, False, False), "the final goes on"
    asked = giving_up(scene, seeds[1])
    assert outcome(asked) == (seeds[2], False, False)
    leave(scene, seeds[1], asked.terms)
    scene.hand(scene.table_of(seeds[1]))
    assert scene.event.phase is Phase.RUNNING
    asked = giving_up(scene, seeds[3])
    assert outcome(asked) == (None, False, True), "the winner is known already"
    leave(scene, seeds[3], asked.terms)
    scene.hand(scene.table_of(seeds[3]))
    scene.ends()
    assert scene.places() == [seeds[2], seeds[1], seeds[4], seeds[3]]


@pytest.mark.parametrize("unbeaten", [True, False])
def test_giving_up_in_the_grand_final_gives_the_second_match_away_too(scene: Scene, unbeaten: bool) -> None:
    scene.begin(structure(Format.DOUBLE), A, B, C, D)
    seeds = _seeds(scene)
    scene.knock_out(seeds[1], seeds[4])
    scene.knock_out(seeds[2], seeds[3])
    scene.go_on()
    assert outcome(giving_up(scene, seeds[1])) == (None, False, False), "the final of the winners' side"
    scene.knock_out(seeds[1], seeds[2])
    scene.knock_out(seeds[3], seeds[4])
    scene.go_on()
    assert outcome(giving_up(scene, seeds[1])) == (None, True, False), "who comes next wins both matches of the final"
    scene.knock_out(seeds[2], seeds[3])
    scene.go_on()
    gone, rival = (seeds[1], seeds[2]) if unbeaten else (seeds[2], seeds[1])
    asked = giving_up(scene, gone)
    assert outcome(asked) == (rival, False, True)
    assert asked.lives == unbeaten
    leave(scene, gone, asked.terms)
    scene.hand(scene.table_of(gone))
    scene.ends()
    assert scene.places()[:2] == [rival, gone]


def test_the_last_one_of_all_groups_wins_the_event(scene: Scene) -> None:
    scene.begin(structure(Format.GROUPS, least=4, most=8), A, B, C, D)
    (pair, other) = (set(players) for players in scene.tables().values())
    first, second = sorted(pair)
    assert outcome(giving_up(scene, first)) == (None, False, False)
    for gone in (first, min(other)):
        leave(scene, gone)
        scene.hand(scene.table_of(gone))
    scene.go_on()
    asked = giving_up(scene, second)
    assert outcome(asked) == (max(other), False, True)
    leave(scene, second, asked.terms)
    for table in scene.playing():
        scene.hand(table)
    scene.go_on()
    scene.ends()
    assert scene.places()[0] == max(other)


# members who have left the server


class AskingScene(Scene):
    """An event whose bot can ask Discord who is still a member."""

    @override
    def session(self, sql: Sql | None = None) -> Session:
        session = super().session(sql)
        session.asks_members = True
        return session

    def answer(self, departed: Collection[Player] = ()) -> list[Player]:
        """Answer the roll call, and return the players asked about."""
        found = roll_call.look(self.session(), self.key)
        assert found is not None
        called, asked = found
        self.write(lambda s: director.roll_called(s, self.key, called, departed=departed))
        return asked


def test_members_who_left_the_server_leave_before_the_next_round() -> None:
    asking = AskingScene(0)
    asking.announce(_league())
    asking.register(A, B, C, D)
    asking.start()
    asking.answer()
    asking.go_on()
    play_round(asking)
    assert asking.event.round == 1, "it waits for the answer"
    assert set(asking.answer([B])) == {A, B, C, D}
    assert asking.event.round == 2
    assert B not in seated(asking)
    assert not asking.entrant(B).disqualified
    assert [told["players"] for told in asking.notices(Notice.LEFT)] == [[B]]
    line = asking.view().line_of(B)
    assert line is not None
    assert line.left_after == 1
    asking.go_on()
    play_round(asking)
    assert set(asking.answer()) == {A, C, D}, "who has left isn't asked about again"


def test_a_round_waits_a_minute_for_the_answer_at_most() -> None:
    asking = AskingScene(0)
    asking.announce(_league())
    asking.register(A, B, C, D)
    asking.start()
    asking.answer()
    asking.go_on()
    play_round(asking)
    asking.wait(MINUTE)
    assert asking.event.round == 2
    assert len(seated(asking)) == 4
