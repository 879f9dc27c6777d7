"""Leagues and duplicate events: rounds of so many hands, played for points."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from bot.model.events import EntrantState, Notice
from bot.model.ids import Player, is_computer
from bot.model.reasons import HandReason, OrganiserReason
from bot.model.tables import WaitReason
from bot.play.event.floor import sheets
from bot.play.event.office.table_hooks import TableHooks
from bot.play.event.organisers import organiser
from bot.play.event.trials.progress import measure_progress
from bot.play.hand import hand_log
from bot.play.queries import results
from bot.pure.event.pairings import Pairings
from bot.pure.event.structure import Family, Format, Structure, StructureError, check, range_of
from bot.pure.ofc.house_rules import house_variant
from bot.pure.ofc.presets import THIRTEEN
from bot.store.rating_checks import replayed
from tests.play.event.event_world import DESK, HOUR, MINUTE, POLICY, A, B, C, D, E, F, Scene, somebody, structure

FEE = 500
NO_FANTASYLAND = house_variant("classic", {"fantasyland": "off"})


# leagues


def test_points_of_all_rounds_add_up_and_come_to_nothing(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE), A, B, C, D, E, F)
    for _ in range(2 * 2):
        for table in scene.playing():
            first, second, *_ = scene.tables()[table]
            scene.hand(table, {(first, second): 4})
        scene.go_on()
    scene.ends()
    scores = [scene.entrant(one).score for one in (A, B, C, D, E, F)]
    assert sum(scores) == 0
    assert sum(map(abs, scores)) > 0
    ranked = [scene.entrant(one).score for one in scene.places()]
    assert ranked == sorted(scores, reverse=True)


def test_players_with_equal_points_share_a_place_until_the_end(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=1, round_hands=1), A, B, C, D, E, F)
    assert not scene.view().begun
    first = scene.playing()[0]
    winner, loser, third = scene.tables()[first]
    scene.hand(first, {(winner, loser): 4})
    view = scene.view()
    assert view.begun
    places = {line.entrant.player: (line.place, line.tied) for line in view.lines}
    assert (places[winner], places[loser], places[third]) == ((1, False), (6, False), (2, True))
    assert sorted(places.values()) == [(1, False), *[(2, True)] * 4, (6, False)]


def test_a_round_has_its_hands_and_one_more_for_each_in_fantasyland(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=1), A, B, C)
    scene.hand(1, fantasyland=[A])
    scene.go_on()
    assert scene.spot(1).info.played == 1
    scene.hand(1)
    scene.go_on()
    assert scene.spot(1).info.played == 2
    scene.hand(1)
    scene.go_on()
    scene.ends()
    assert scene.entrant(A).hands == 3


def test_a_fantasyland_reached_in_the_last_hand_is_played_before_the_round_is_over(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=1, round_hands=1), A, B, C)
    scene.hand(1, fantasyland=[A])
    scene.go_on()
    assert scene.spot(1).info.extra
    scene.hand(1, fantasyland=[A])
    scene.go_on()
    scene.hand(1)
    scene.ends()


def test_a_table_tells_a_hand_in_fantasyland_from_the_hands_of_the_round(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=1), A, B, C)
    told = []
    for fantasyland in ([], [A], [A]):
        scene.hand(1, fantasyland=fantasyland)
        scene.go_on()
        note = TableHooks().note(scene.session(), scene.spot(1).table)
        assert note is not None
        told.append((scene.spot(1).table.hand_no, note.hand, note.hands, note.extra))
    assert told == [(2, 2, 2, False), (3, 2, 2, True), (4, 2, 2, True)]
    scene.hand(1)
    scene.ends()


def test_a_void_hand_of_a_league_is_dealt_again(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=1, round_hands=1), A, B, C)
    scene.void(1)
    scene.go_on()
    assert scene.playing() == [1]
    scene.hands()
    scene.ends()


def test_the_next_round_begins_when_all_tables_have_ended_the_last_one(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, round_hands=1), A, B, C, D, E, F)
    scene.hand(1)
    scene.go_on()
    assert scene.event.round == 1
    assert list(scene.tables()) == [2]
    scene.hand(2)
    assert scene.event.round == 2
    told = scene.notices(Notice.ROUND)
    assert [(n["round"], n["rounds"], n["byes"]) for n in told] == [(2, 2, [])]
    assert [fact.details for fact in scene.log("round_began")] == [{"round": 2}], "its log says when"
    assert sorted(one for _, players in told[0]["tables"] for one in players) == [A, B, C, D, E, F]


def test_rounds_may_begin_some_hours_apart(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, round_hands=1, round_hours=24), A, B, C)
    began = scene.event.round_began_at
    assert began is not None
    scene.hands()
    assert (scene.event.round, scene.tables()) == (1, {})
    told = measure_progress(scene.view(), now=scene.now)
    assert (told.round, told.hands, told.round_passed) == (1, 1, scene.now - began), "it waits, and for how long"
    scene.wait(began + 24 * HOUR - scene.now - 1)
    assert scene.event.round == 1
    scene.wait(1)
    assert scene.event.round == 2
    scene.go_on()
    scene.hands()
    scene.ends()


def test_no_round_begins_while_the_league_is_paused(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, round_hands=1, round_hours=24), A, B, C)
    scene.hands()
    scene.organise(organiser.pause)
    scene.wait(48 * HOUR)
    assert scene.event.round == 1
    scene.organise(organiser.resume)
    assert scene.event.round == 2


def test_tables_know_whose_clock_runs(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE), A, B, C)
    (table,) = scene.view().tables
    acting = {seat.player for seat in scene.spot(1).seats if seat.deadline is not None}
    assert set(table.acting) == acting
    assert acting


def _rows(told: Mapping[str, Any]) -> dict[Player, Mapping[str, Any]]:
    return {row["player"]: row for row in told["rows"]}


def test_after_each_round_one_post_tells_how_all_stand_and_who_meets_next(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=3, round_hands=1), A, B, C)
    first, second, third = scene.tables()[1]
    scene.hand(1, {(first, second): 10, (first, third): 4})
    (told,) = scene.notices(Notice.ROUND)
    assert (told["round"], told["report"]["round"], len(told["tables"])) == (2, 1, 1)
    assert "starts_at" not in told
    rows = _rows(told["report"])
    assert [row["player"] for row in told["report"]["rows"]] == [first, third, second]
    assert {one: rows[one]["rounds"] for one in rows} == {first: [14], second: [-10], third: [-4]}
    assert {row["before"] for row in rows.values()} == {0}, "nobody has moved after the first round"
    scene.go_on()
    scene.organise(organiser.adjust, third, amount=-2, why="late")
    scene.hand(scene.playing()[0], {(second, first): 12})
    rows = _rows(scene.notices(Notice.ROUND)[-1]["report"])
    assert {one: rows[one]["rounds"] for one in rows} == {first: [14, -12], second: [-10, 12], third: [-4, 0]}
    assert (rows[third]["score"], rows[third]["place"]) == (-6, 3), "what was taken belongs to no round"
    assert [(rows[one]["before"], rows[one]["place"], rows[one]["tied"]) for one in (first, second)] == [
        (1, 1, True),
        (3, 1, True),
    ]
    scene.go_on()
    scene.hands()
    scene.ends()
    assert len(scene.notices(Notice.ROUND)) == 2
    (end,) = scene.notices(Notice.ENDED)
    assert [len(row["rounds"]) for row in end["final"]["rows"]] == [3, 3, 3]


def test_rounds_of_other_days_are_told_once_with_their_pairings_and_their_time(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, table_seats=2, rounds=3, round_hands=1, round_hours=24), A, B, C)
    began = scene.event.round_began_at
    assert began is not None
    scene.hands()
    (told,) = scene.notices(Notice.ROUND)
    assert (told["round"], told["starts_at"]) == (2, began + 24 * HOUR)
    pairings, byes = [players for _, players in told["tables"]], told["byes"]
    scene.wait(began + 24 * HOUR - scene.now)
    assert list(scene.tables().values()) == pairings
    assert {A, B, C} - {one for players in pairings for one in players} == set(byes)
    _, begins = scene.notices(Notice.ROUND)
    assert (begins["round"], begins["byes"], "starts_at" in begins) == (2, byes, False), "a post says that it begins"
    assert begins["told"], "unless the same pairings were told"


def test_the_players_of_each_round_are_reminded_once_before_it_begins(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, table_seats=2, rounds=3, round_hands=1, round_hours=24), A, B, C)
    for number in (2, 3):
        began = scene.event.round_began_at
        assert began is not None
        scene.hands()
        playing = [one for _, players in scene.notices(Notice.ROUND)[-1]["tables"] for one in players]
        assert playing
        scene.wait(began + 24 * HOUR - 10 * MINUTE - scene.now - 1)
        assert len(scene.notices(Notice.SOON)) == number - 2
        scene.wait(1)
        told = scene.notices(Notice.SOON)[-1]
        assert (told["round"], told["rounds"], told["starts_at"]) == (number, 3, began + 24 * HOUR)
        assert sorted(told["players"]) == sorted(playing)
        scene.wait(10 * MINUTE)
        assert scene.event.round == number
        assert len(scene.notices(Notice.SOON)) == number - 1
        scene.go_on()


def test_heads_up_one_of_an_odd_number_has_a_bye_each_round_and_everybody_meets_everybody(scene: Scene) -> None:
    people = (A, B, C, D, E)
    scene.begin(structure(Format.LEAGUE, table_seats=2, rounds=5, round_hands=1), *people)
    byes = list(scene.notices(Notice.STARTED)[0]["byes"])
    met = set()
    while not scene.event.phase.over:
        met |= {frozenset(players) for players in scene.tables().values()}
        scene.hands()
    byes += [one for n in scene.notices(Notice.ROUND) for one in n["byes"]]
    assert sorted(byes) == sorted(people)
    assert len(met) == 10


def _play_out(scene: Scene) -> list[frozenset[Player]]:
    """All tables to the end; returns who sat together."""
    met = []
    while not scene.event.phase.over:
        met += [frozenset(players) for players in scene.tables().values()]
        number = scene.event.round
        while scene.event.round == number and not scene.event.phase.over:
            scene.hands()
    return met


@pytest.mark.parametrize(("people", "seats", "rounds"), [(4, 2, 3), (5, 2, 5), (7, 3, 6), (9, 3, 4), (6, 4, 4)])
def test_in_a_round_robin_the_start_says_how_many_rounds_it_takes_until_all_have_met(
    scene: Scene, people: int, seats: int, rounds: int
) -> None:
    plan = structure(Format.LEAGUE, table_seats=seats, rounds=1, round_hands=1, pairings=Pairings.ALL)
    everybody = [somebody(number) for number in range(people)]
    scene.begin(plan, *everybody)
    assert scene.event.structure.rounds == rounds
    met = _play_out(scene)
    scene.ends()
    assert scene.event.round == rounds
    assert {pair for table in met for pair in combinations(sorted(table), 2)} == set(combinations(sorted(everybody), 2))


def test_a_round_robin_goes_on_after_a_disqualification_and_ends_when_nobody_is_left_to_meet(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, table_seats=2, round_hands=1, pairings=Pairings.ALL), A, B, C, D)
    scene.organise(organiser.disqualify, D, why="left")
    met = _play_out(scene)
    scene.ends()
    assert {frozenset(pair) for pair in combinations((A, B, C), 2)} <= set(met)
    assert scene.event.round == 3
    assert scene.places()[-1] == D


def test_a_round_robin_is_for_so_many_and_other_formats_have_none() -> None:
    plan = structure(Format.LEAGUE, table_seats=2, most=41, pairings=Pairings.ALL)
    with pytest.raises(StructureError) as error:
        check(plan, NO_FANTASYLAND)
    assert (error.value.problem, error.value.details) == ("pairings_most", {"most": 40})
    check(replace(plan, most=40), NO_FANTASYLAND)
    with pytest.raises(StructureError, match="pairings_league"):
        check(structure(Format.DUPLICATE, pairings=Pairings.ALL), NO_FANTASYLAND)


def _swiss(**changes: int) -> Structure:
    usual = {"table_seats": 2, "rounds": 3, "round_hands": 1} | changes
    return structure(Format.LEAGUE, pairings=Pairings.SWISS, **usual)


def test_a_swiss_league_pairs_each_round_by_the_standings_and_nobody_twice(scene: Scene) -> None:
    scene.begin(_swiss(), A, B, C, D, E)
    met: set[frozenset[Player]] = set()
    byes: list[Player] = []
    for _ in range(3):
        tables = scene.tables()
        lowest = [line.entrant.player for line in scene.view().lines][::-1]
        if met:
            assert set(lowest[:2]) - set(byes) or lowest[0] in byes
        pairs = {frozenset(players) for players in tables.values()}
        assert not pairs & met
        met |= pairs
        seated = frozenset().union(*pairs)
        byes += {A, B, C, D, E} - seated
        for number, (winner, loser) in list(tables.items()):
            scene.hand(number, {(winner, loser): 5 + number})
        scene.go_on()
    scene.ends()
    assert len(set(byes)) == 3, "nobody has two byes before all have one"
    assert [fact.details["round"] for fact in scene.log("paired")] == [1, 2, 3]


def test_the_winners_of_a_swiss_round_meet_in_the_next_one(scene: Scene) -> None:
    scene.begin(_swiss(), A, B, C, D)
    first, second = (players for players in scene.tables().values())
    scene.hand(1, {(first[0], first[1]): 8})
    scene.hand(2, {(second[0], second[1]): 3})
    assert {frozenset(players) for players in scene.tables().values()} == {
        frozenset((first[0], second[0])),
        frozenset((first[1], second[1])),
    }


def test_equal_scores_of_a_swiss_league_are_ranked_by_what_the_opponents_have(scene: Scene) -> None:
    scene.begin(_swiss(rounds=2), A, B, C, D)
    first, second = (players for players in scene.tables().values())
    scene.hand(1, {(first[0], first[1]): 8})
    scene.hand(2, {(second[0], second[1]): 3})
    scene.go_on()
    for number, players in scene.tables().items():
        # The winner of 8 wins nothing more; the loser of 8 makes up 2 of the loser of 3.
        if first[1] in players:
            scene.hand(number, {(first[1], second[1]): 0})
        else:
            scene.hand(number, {(second[0], first[0]): 5})
    scene.ends()
    scores = {one: scene.entrant(one).score for one in (A, B, C, D)}
    assert (scores[first[0]], scores[second[0]], scores[first[1]], scores[second[1]]) == (3, 8, -8, -3)
    (end,) = scene.notices(Notice.ENDED)
    rows = _rows(end["final"])
    assert rows[first[0]]["met"] == scores[first[1]] + scores[second[0]] == 0
    assert rows[second[1]]["met"] == scores[second[0]] + scores[first[1]] == 0


def test_a_tie_of_a_swiss_league_goes_to_who_met_the_stronger(scene: Scene) -> None:
    scene.begin(_swiss(rounds=1), A, B, C, D)
    first, second = (players for players in scene.tables().values())
    scene.hand(1, {(first[0], first[1]): 8})
    scene.organise(organiser.adjust, second[0], amount=8, why="misdealt")
    places = {line.entrant.player: (line.place, line.tied) for line in scene.view().lines}
    assert places[first[0]] == (2, False), "their opponent lost 8"
    assert places[second[0]] == (1, False)


def test_told_pairings_of_a_swiss_round_stand_unless_somebody_leaves(scene: Scene) -> None:
    scene.begin(_swiss(round_hours=24), A, B, C, D, E)
    began = scene.event.round_began_at
    assert began is not None
    scene.hands()
    (told,) = scene.notices(Notice.ROUND)
    scene.organise(organiser.adjust, told["tables"][0][1][0], amount=-50, why="late")
    assert len(scene.log("paired")) == 2
    gone = told["tables"][0][1][0]
    byes = {line.entrant.player for line in scene.view().lines if line.bye}
    assert byes == set(scene.notices(Notice.STARTED)[0]["byes"]), "between two rounds it is the bye of the one before"
    scene.organise(organiser.disqualify, gone, why="cheated")
    scene.wait(began + 24 * HOUR - scene.now)
    assert {one for players in scene.tables().values() for one in players} == {A, B, C, D, E} - {gone}
    assert len(scene.log("paired")) == 3
    _, begins = scene.notices(Notice.ROUND)
    assert not begins["told"], "the other pairings are told"


@pytest.mark.parametrize(("people", "seats"), [(7, 3), (9, 4), (3, 3), (40, 4)])
def test_a_swiss_league_at_larger_tables_seats_everybody_in_each_round(scene: Scene, people: int, seats: int) -> None:
    everybody = {somebody(number) for number in range(people)}
    scene.begin(_swiss(table_seats=seats, most=40), *everybody)
    for _ in range(3):
        assert {one for players in scene.tables().values() for one in players} == everybody
        scene.hands()
        scene.go_on()
    scene.ends()


def test_a_league_has_no_chips(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE), A, B, C)
    assert scene.spot(1).table.terms.practice
    assert scene.chips(A) == 0
    scene.hand(1, {(scene.tables()[1][0], scene.tables()[1][1]): 9})
    assert scene.sizes() == [3]


def test_points_are_given_and_taken_and_written_down(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE), A, B, C)
    scene.organise(organiser.adjust, A, amount=-7, why="late")
    assert scene.entrant(A).score == -7
    assert scene.log("adjusted")[0].details == {"player": A, "amount": -7, "why": "late"}


def test_who_is_disqualified_plays_no_further_hand_and_is_out_at_once(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE), A, B, C)
    scene.organise(organiser.adjust, A, amount=1000, why="misdealt")
    scene.organise(organiser.disqualify, A, why="cheated")
    scene.hand(1)
    assert A not in scene.tables()[1]
    assert scene.entrant(A).state is EntrantState.OUT
    scene.go_on()
    while not scene.event.phase.over:
        scene.hands()
    scene.ends()
    assert scene.places()[-1] == A


def test_whose_opponent_was_put_out_after_a_hand_has_finished_the_round_and_had_no_bye(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, table_seats=2, round_hands=3), A, B, C, D)
    one, other = scene.tables()[1]
    scene.hand(1)
    scene.go_on()
    scene.organise(organiser.disqualify, other, why="cheated")
    scene.hand(1)
    scene.go_on()
    assert list(scene.tables()) == [2], "the round goes on elsewhere"
    (line,) = [line for line in scene.view().lines if line.entrant.player == one]
    assert (line.table, line.bye) == (None, False)


def test_a_league_with_one_player_left_is_over(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, round_hours=24, fee=FEE), A, B)
    scene.organise(organiser.disqualify, A, why="cheated")
    scene.hand(1)
    scene.ends()
    assert scene.places() == [B, A]
    assert scene.wallet(B) == POLICY.start_chips + FEE


@pytest.mark.parametrize(("people", "computers"), [(2, 2), (3, 1), (4, 0), (5, 3)])
def test_computers_sit_where_the_game_needs_four(scene: Scene, people: int, computers: int) -> None:
    plan = structure(Format.LEAGUE, table_seats=4, rounds=1, round_hands=1)
    scene.begin(plan, *map(somebody, range(people)), variant=THIRTEEN)
    seated = [one for players in scene.tables().values() for one in players]
    assert all(size == 4 for size in scene.sizes())
    assert sum(map(is_computer, seated)) == computers


@pytest.mark.parametrize("form", [form for form in Format if form.family is not Family.ROUNDS])
def test_where_chips_decide_no_game_is_played_that_needs_four(form: Format) -> None:
    plan = structure(form)
    for seats in (2,) if form.heads_up else (3, 4):
        with pytest.raises(StructureError) as refused:
            check(replace(plan, table_seats=seats), THIRTEEN)
        assert refused.value.problem == "game_needs_more", "no number of seats is asked for that wouldn't help"


# duplicate


def _duplicate(scene: Scene, *people: Player, **changes: int) -> None:
    scene.begin(structure(Format.DUPLICATE, **{"round_hands": 3, **changes}), *people, variant=NO_FANTASYLAND)


def _decks(scene: Scene) -> list[tuple[object, ...]]:
    session = scene.session()
    return [hand_log.hand_of(session, spot.key, spot.table.hand_no).deck for spot in scene.field().spots.values()]


def test_all_tables_are_dealt_the_same_deck_at_the_same_time(scene: Scene) -> None:
    _duplicate(scene, A, B, C, D, E, F)
    first, second = _decks(scene)
    assert first == second
    scene.hand(1)
    scene.go_on()
    assert scene.playing() == [2]
    assert scene.spot(1).info.waits is WaitReason.OTHERS
    scene.hand(2)
    scene.go_on()
    assert scene.playing() == [1, 2]
    again, other = _decks(scene)
    assert again == other != first


def test_everybody_has_the_button_equally_often(scene: Scene) -> None:
    _duplicate(scene, A, B, C, D, E, F)
    buttons = []
    for _ in range(3):
        buttons.append({spot.table.button for spot in scene.field().spots.values()})
        scene.hands()
    assert buttons == [{0}, {1}, {2}]


def test_a_player_is_compared_with_those_who_held_his_cards(scene: Scene) -> None:
    _duplicate(scene, A, B, C, D, E, F)
    first, second = scene.tables()[1], scene.tables()[2]
    scene.hand(1, {(first[0], first[1]): 10, (first[0], first[2]): 4})
    assert [scene.entrant(one).score for one in first] == [0, 0, 0]
    scene.hand(2, {(second[0], second[1]): 3, (second[2], second[0]): 6})
    # 14 and -3, -10 and -3, -4 and 6.
    assert [scene.entrant(one).score for one in first] == [17, -7, -10]
    assert [scene.entrant(one).score for one in second] == [-17, 7, 10]
    assert scene.log("compared")[0].details == {"board": 1, "tables": 2}


def test_a_comparison_is_a_lesson_of_its_players_ratings(scene: Scene) -> None:
    _duplicate(scene, A, B, C, D, E, F)
    first, second = scene.tables()[1], scene.tables()[2]
    scene.hand(1, {(first[0], first[1]): 10})
    scene.hand(2)
    tx = scene.session().tx
    ratings = tx.ratings.ratings(scene.field().key.guild, "classic", [*first, *second])
    assert ratings[first[0]].mean == ratings[second[1]].mean > 0
    assert ratings[first[1]].mean == ratings[second[0]].mean < 0
    assert ratings[first[2]].mean == 0
    made = replayed(tx, scene.field().key.guild)
    assert {player: rating for (_, player), rating in made.ratings.items()} == ratings
    assert list(made.luck) == ["classic/boards"]


def test_computers_fill_the_tables_and_are_compared_with_but_have_no_score(scene: Scene) -> None:
    _duplicate(scene, A, B, C, D)
    seated = [one for players in scene.tables().values() for one in players]
    assert sorted(map(is_computer, seated)) == [False] * 4 + [True] * 2
    first, second = scene.tables()[1], scene.tables()[2]
    scene.hand(1, {(first[0], first[2]): 5})
    scene.hand(2)
    people = [one for one in (*first, *second) if not is_computer(one)]
    assert set(scene.field().entrants) == set(people) == {A, B, C, D}
    assert scene.entrant(first[0]).score == 5
    assert scene.entrant(second[0]).score == -5


def test_nobody_else_sees_the_cards_before_all_have_played_the_deck(scene: Scene) -> None:
    _duplicate(scene, A, B, C, D, E, F)
    spots = scene.field().spots
    tables = [spot.table for spot in spots.values()]
    assert all(DESK.conceals(scene.session(), table) for table in tables)
    scene.hand(1)
    session = scene.session()
    assert DESK.conceals(session, session.table(tables[0].key))
    scene.refused(HandReason.NOT_REVEALED_YET, lambda: results.result_of(scene.session(), tables[0].key, 1))
    assert results.listed_hands(session, tables[0].key, limit=9) == [], "nor is it suggested"
    scene.hand(2)
    session = scene.session()
    assert [hand.hand_no for hand in results.listed_hands(session, tables[0].key, limit=9)] == [1]
    assert not any(DESK.conceals(session, session.table(table.key)) for table in tables)


def test_where_a_hand_is_void_its_table_is_left_out_and_no_deck_is_dealt_twice(scene: Scene) -> None:
    people = [somebody(number) for number in range(9)]
    _duplicate(scene, *people)
    first, second, third = scene.tables().values()
    deck = _decks(scene)[0]
    scene.hand(1, {(first[0], first[1]): 10})
    scene.void(2)
    scene.hand(3)
    assert [scene.entrant(one).score for one in first] == [10, -10, 0]
    assert [scene.entrant(one).score for one in second] == [0, 0, 0]
    assert [scene.entrant(one).score for one in third] == [-10, 10, 0]
    scene.go_on()
    assert {spot.info.played for spot in scene.field().spots.values()} == {2}
    assert deck not in _decks(scene)


def test_tables_that_have_played_a_deck_are_compared_although_a_restore_makes_the_other_hands_void(
    scene: Scene,
) -> None:
    _duplicate(scene, *(somebody(number) for number in range(9)))
    first, second, third = scene.tables().values()
    scene.hand(1, {(first[0], first[1]): 10})
    scene.hand(2, {(second[0], second[1]): 4})
    scene.restore()
    made = sheets.scores(scene.session().tx, scene.event)
    assert [scene.entrant(one).score for one in first] == [made.total(one).points for one in first] == [6, -6, 0]
    assert [scene.entrant(one).score for one in second] == [made.total(one).points for one in second] == [-6, 6, 0]
    assert [made.total(one).hands for one in third] == [0, 0, 0]
    assert scene.log("compared")[0].details == {"board": 1, "tables": 2}


def test_all_that_the_decks_follow_from_was_committed_to_before_anybody_registered(scene: Scene) -> None:
    scene.announce(structure(Format.DUPLICATE), variant=NO_FANTASYLAND)
    committed = scene.event.board_commitment
    assert len(committed) == 32
    scene.register(A, B, C, D)
    scene.start()
    scene.go_on()
    assert scene.event.board_commitment == committed


def test_a_duplicate_event_ends_after_its_last_deck(scene: Scene) -> None:
    _duplicate(scene, A, B, C, D, E, F, rounds=2)
    while not scene.event.phase.over:
        scene.hands()
    scene.ends()
    assert scene.event.compared == scene.event.board == 6
    assert {scene.entrant(one).hands for one in (A, B, C, D, E, F)} == {6}


def test_who_is_disqualified_in_a_duplicate_event_stays_to_be_compared_with_until_the_round_is_over(
    scene: Scene,
) -> None:
    _duplicate(scene, A, B, C, D, E, F, rounds=2)
    scene.organise(organiser.disqualify, A, why="cheated")
    scene.hands(2)
    assert A in [one for players in scene.tables().values() for one in players]
    scene.hands(2)
    assert scene.event.round == 2
    assert A not in [one for players in scene.tables().values() for one in players]
    assert scene.sizes() == [3, 3]


def test_match_points_stand_beside_the_comparisons_and_decide_between_equal_ones(scene: Scene) -> None:
    _duplicate(scene, *(somebody(number) for number in range(9)), rounds=2)
    first, second, third = scene.tables().values()
    # Of the first seats 10, 4 and 4; of the second ones -10, 0 and -4; of the third ones 0, -4 and 0.
    scene.hand(1, {(first[0], first[1]): 10})
    scene.hand(2, {(second[0], second[2]): 4})
    scene.hand(3, {(third[0], third[1]): 4})
    made = sheets.scores(scene.session().tx, scene.event)
    shares = {one: made.total(one).share for one in (*first, *second, *third)}
    assert [shares[one] for one in first] == [1, 0, Fraction(3, 4)]
    assert [shares[one] for one in second] == [Fraction(1, 4), 1, 0]
    assert [shares[one] for one in third] == [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)]
    assert scene.entrant(second[0]).score == scene.entrant(third[0]).score == -6
    # 14 behind 14 by score: 0 - -14 by points for the second of table 2.
    places = {line.entrant.player: (line.place, line.tied) for line in scene.view().lines}
    assert places[first[2]] == places[third[2]]
    assert places[first[2]][1], "as many points and as many match points"


def test_no_deck_is_on_the_sheet_before_every_table_has_played_it(scene: Scene) -> None:
    _duplicate(scene, A, B, C, D, E, F)
    scene.hand(1)
    assert sheets.decks(scene.session().tx, scene.event) == []
    assert sheets.scores(scene.session().tx, scene.event).rounds == {}
    scene.hand(2)
    (deck,) = sheets.decks(scene.session().tx, scene.event)
    assert (deck.number, deck.round, deck.hands) == (1, 1, {1: 1, 2: 1})


# duplicate events that compare nothing


@pytest.mark.parametrize(("seats", "need"), [(2, 4), (3, 4), (4, 5)])
def test_a_duplicate_event_needs_people_for_two_tables_whatever_the_seats(seats: int, need: int) -> None:
    plan = structure(Format.DUPLICATE, table_seats=seats, round_hands=seats, least=need - 1)
    with pytest.raises(StructureError) as error:
        check(plan, NO_FANTASYLAND)
    assert (error.value.problem, error.value.details) == ("duplicate_tables", {"need": need})
    check(replace(plan, least=need), NO_FANTASYLAND)
    assert range_of("least", plan, max_seats=4)[0] == need


def test_a_duplicate_event_that_was_announced_for_three_is_refused_and_called_off(scene: Scene) -> None:
    plan = structure(Format.DUPLICATE, table_seats=2, round_hands=2, least=4, fee=FEE)
    scene.announce(plan, variant=NO_FANTASYLAND)
    # No form allows an event like this.
    event = scene.event
    scene.write(lambda s: s.tx.events.save(replace(event, structure=replace(plan, least=3), version=event.version + 1)))
    scene.register(A, B, C)
    scene.refused(OrganiserReason.TOO_FEW_ENTRANTS, scene.start)
    scene.wait(2 * HOUR)
    assert scene.event.reason == "too_few"
    assert scene.wallet(A) == POLICY.start_chips


def test_a_round_of_a_duplicate_event_with_one_table_left_is_passed_over(scene: Scene) -> None:
    plan = structure(Format.DUPLICATE, table_seats=2, rounds=3, round_hands=2)
    scene.begin(plan, A, B, C, D, variant=NO_FANTASYLAND)
    scene.organise(organiser.disqualify, A, why="cheated")
    for _ in range(2):
        scene.hands()
    scene.ends()
    assert [fact.details["round"] for fact in scene.log("round_without_comparison")] == [2, 3]


def test_who_stands_equal_at_the_end_is_told_that_the_draw_decided(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, rounds=1, round_hands=1), A, B, C)
    scene.hand(1, {(A, B): 2, (A, C): 2})
    scene.go_on()
    scene.ends()
    assert {line.entrant.player for line in scene.view().lines if line.by_draw} == {B, C}
