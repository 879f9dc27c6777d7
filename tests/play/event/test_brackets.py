"""Heads-up brackets and shoot-outs: pairings, advancing players, and the effect of a disqualification."""

import pytest

from bot.model.events import EntrantState, Notice
from bot.model.ids import Player, TableId, TableKey
from bot.model.reasons import EventReason
from bot.model.tables import Role
from bot.play.event.office import views
from bot.play.event.organisers import organiser
from bot.play.session import chips
from bot.pure.event.bracket import Stage
from bot.pure.event.structure import Format
from bot.pure.ofc.refusals import Refused
from tests.play.event.event_world import DESK, POLICY, A, B, C, D, E, F, G, Scene, somebody, structure

FEE = 500


def _by_number(scene: Scene) -> dict[int, Player]:
    return {entrant.number: entrant.player for entrant in scene.field().entrants.values()}


def _win(scene: Scene, winner: Player) -> None:
    """Let ``winner`` win the current match, and start the next matches."""
    loser = next(one for one in scene.tables()[scene.table_of(winner)] if one != winner)
    scene.knock_out(winner, loser)
    scene.go_on()


def _meetings(scene: Scene) -> list[set[Player]]:
    return [set(players) for players in scene.tables().values()]


# one loss


def test_the_best_seeds_meet_last_and_have_the_byes(scene: Scene) -> None:
    scene.announce(structure(Format.SINGLE))
    scene.register(A, B, C, D, E)
    scene.start()
    seeds = _by_number(scene)
    assert _meetings(scene) == [{seeds[4], seeds[5]}, {seeds[2], seeds[3]}]
    byes = scene.notices(Notice.STARTED)[0]["byes"]
    assert byes == [seeds[1], seeds[2], seeds[3]]


def test_who_loses_is_out_and_the_winner_meets_the_next_with_a_fresh_stack(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    assert scene.entrant(seeds[4]).state is EntrantState.OUT
    assert scene.chips(seeds[1]) == 0
    _win(scene, seeds[2])
    assert _meetings(scene) == [{seeds[1], seeds[2]}]
    assert [scene.chips(one) for one in (seeds[1], seeds[2])] == [1000, 1000]
    _win(scene, seeds[2])
    scene.ends()
    assert scene.places() == [seeds[2], seeds[1], seeds[3], seeds[4]]


def test_a_match_goes_on_over_many_hands_and_its_point_value_rises_with_its_own(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, level_hands=1), A, B, C, D)
    for _ in range(3):
        scene.hand(1)
        scene.go_on()
    assert scene.spot(1).table.terms.point_value == 80
    assert scene.spot(2).table.terms.point_value == 10


def test_rounds_of_a_bracket_are_told(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    _win(scene, seeds[2])
    told = scene.notices(Notice.ROUND)
    assert [(n["round"], [set(players) for _, players in n["tables"]]) for n in told] == [(2, [{seeds[1], seeds[2]}])]


def _stages(scene: Scene) -> list[list[tuple[str, int]]]:
    """The stages of the matches of each notice."""
    return [[(name, number) for name, number in told["stages"]] for told in scene.notices(Notice.ROUND)]


def test_a_penalty_that_is_lifted_between_two_matches_leaves_nobody_sitting_out(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _by_number(scene)
    scene.organise(organiser.penalty, seeds[1], hands=5, why="late")
    _win(scene, seeds[1])
    assert scene.entrant(seeds[1]).penalty == 4
    scene.organise(organiser.penalty, seeds[1], hands=0, why="was early")
    _win(scene, seeds[2])
    assert {seat.player: seat.away for seat in scene.spot(3).seats} == {seeds[1]: False, seeds[2]: False}


def test_the_final_is_told_as_such(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    _win(scene, seeds[2])
    assert _stages(scene) == [[("final", 0)]]


def test_the_sides_of_a_double_elimination_are_told(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    _win(scene, seeds[2])
    assert _stages(scene) == [[("winners_final", 0), ("losers", 1)]]
    assert {line.entrant.player for line in scene.view().lines if line.beaten} == {seeds[3], seeds[4]}
    assert [table.stage for table in scene.view().tables] == [(Stage.WINNERS_FINAL, 0), (Stage.LOSERS, 1)]
    _win(scene, seeds[1])
    _win(scene, seeds[3])
    _win(scene, seeds[2])
    _win(scene, seeds[2])
    assert _stages(scene)[1:] == [[("losers_final", 0)], [("grand", 0)], [("decider", 0)]]


def test_the_last_table_of_a_shoot_out_is_its_final(scene: Scene) -> None:
    scene.begin(structure(Format.SHOOTOUT, table_seats=2), A, B, C, D)
    for _ in range(2):
        _win(scene, next(iter(scene.tables().values()))[0])
    assert _stages(scene) == [[("final", 0)]]


def test_no_match_begins_while_the_event_is_paused(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    scene.organise(organiser.pause)
    _win(scene, seeds[2])
    assert scene.tables() == {}
    scene.organise(organiser.resume)
    assert _meetings(scene) == [{seeds[1], seeds[2]}]


# two losses


def test_who_loses_once_plays_on_and_may_come_back_to_the_final(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[4])
    _win(scene, seeds[2])
    assert _meetings(scene) == [{seeds[2], seeds[4]}, {seeds[1], seeds[3]}]
    _win(scene, seeds[1])
    assert scene.entrant(seeds[3]).state is EntrantState.OUT
    _win(scene, seeds[2])
    _win(scene, seeds[1])
    assert _meetings(scene) == [{seeds[1], seeds[2]}]
    # The first loss of the undefeated player leads to a second final.
    _win(scene, seeds[1])
    assert scene.event.phase.over is False
    assert _meetings(scene) == [{seeds[1], seeds[2]}]
    _win(scene, seeds[1])
    scene.ends()
    assert scene.places() == [seeds[1], seeds[2], seeds[4], seeds[3]]


def test_there_is_no_second_final_for_one_who_has_never_lost(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    assert not scene.event.phase.over
    _win(scene, seeds[1])
    scene.ends()
    assert scene.places() == [seeds[1], seeds[2]]


# disqualified


def test_who_is_disqualified_in_his_match_loses_it(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _by_number(scene)
    scene.organise(organiser.disqualify, seeds[1], why="cheated")
    _win(scene, seeds[2])
    scene.hand(scene.table_of(seeds[1]))
    scene.go_on()
    assert _meetings(scene) == [{seeds[4], seeds[2]}]
    _win(scene, seeds[2])
    scene.ends()
    assert scene.places()[-1] == seeds[1]


def test_who_is_disqualified_between_matches_lets_his_opponent_go_on_without_one(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, fee=FEE), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    scene.organise(organiser.disqualify, seeds[1], why="cheated")
    _win(scene, seeds[2])
    scene.ends()
    assert scene.log("walk_over")[0].details["player"] == seeds[2]
    assert scene.places() == [seeds[2], seeds[3], seeds[4], seeds[1]]
    assert scene.entrant(seeds[1]).prize == 0


def test_one_who_is_disqualified_loses_his_second_match_without_playing_too(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B, C, D)
    seeds = _by_number(scene)
    scene.organise(organiser.disqualify, seeds[1], why="cheated")
    scene.hand(scene.table_of(seeds[1]))
    scene.go_on()
    _win(scene, seeds[2])
    assert [one for table in _meetings(scene) for one in table if one == seeds[1]] == []
    assert scene.entrant(seeds[1]).state is EntrantState.OUT


def test_when_both_of_a_match_are_disqualified_the_next_opponent_goes_on(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE), A, B, C, D)
    seeds = _by_number(scene)
    scene.organise(organiser.disqualify, seeds[1], why="cheated")
    scene.organise(organiser.disqualify, seeds[4], why="cheated")
    scene.hand(scene.table_of(seeds[1]))
    scene.go_on()
    _win(scene, seeds[3])
    scene.ends()
    assert scene.places()[:2] == [seeds[3], seeds[2]]


# shoot-outs


def test_the_winners_of_the_tables_of_a_shoot_out_meet_with_fresh_stacks(scene: Scene) -> None:
    scene.begin(structure(Format.SHOOTOUT, least=4), A, B, C, D, E, F, G)
    assert scene.sizes() == [3, 2, 2]
    winners = []
    for players in list(scene.tables().values()):
        winners.append(players[0])
        scene.knock_out(players[0], *players[1:])
    scene.go_on()
    assert [set(players) for players in scene.tables().values()] == [set(winners)]
    assert [scene.chips(one) for one in winners] == [1000, 1000, 1000]
    assert scene.balance(chips.mint_of(scene.key), "mint") == -3000
    scene.knock_out(winners[0], winners[1], winners[2])
    scene.ends()
    assert scene.places()[0] == winners[0]
    assert set(scene.places()[:3]) == set(winners)


def test_a_table_of_a_shoot_out_that_is_finished_waits_for_the_others(scene: Scene) -> None:
    scene.begin(structure(Format.SHOOTOUT, least=4), A, B, C, D)
    first, second = scene.tables().values()
    scene.knock_out(first[0], first[1])
    scene.go_on()
    assert list(scene.tables().values()) == [second]


def test_who_sits_alone_in_a_round_of_a_shoot_out_has_won_his_table(scene: Scene) -> None:
    scene.begin(structure(Format.SHOOTOUT, table_seats=2), A, B, C)
    (pair,) = scene.tables().values()
    alone = next(one for one in (A, B, C) if one not in pair)
    assert scene.notices(Notice.STARTED)[0]["byes"] == [alone]
    scene.knock_out(pair[0], pair[1])
    assert _meetings(scene) == [{pair[0], alone}]


def test_who_is_disqualified_in_a_shoot_out_leaves_his_table_to_the_others(scene: Scene) -> None:
    scene.begin(structure(Format.SHOOTOUT, fee=FEE), A, B, C)
    one, other, cheat = scene.tables()[1]
    scene.organise(organiser.disqualify, cheat, why="cheated")
    scene.hand(1)
    assert scene.tables()[1] == [one, other]
    scene.go_on()
    scene.knock_out(other, one)
    scene.ends()
    assert scene.places() == [other, one, cheat]
    assert sum(scene.wallet(who) for who in (one, other, cheat)) == 3 * POLICY.start_chips


def test_a_bracket_of_many_has_each_place_once(scene: Scene) -> None:
    people = [somebody(number) for number in range(11)]
    scene.begin(structure(Format.DOUBLE, fee=100), *people)
    while not scene.event.phase.over:
        table = scene.playing()[0]
        _win(scene, scene.tables()[table][table % 2])
    scene.ends()
    assert sorted(scene.places()) == sorted(people)
    assert sum(scene.entrant(one).prize for one in people) == 1100


# what a bracket shows


def test_who_has_lost_once_stands_below_the_one_who_beat_them_and_chips_order_a_match(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B, C)
    seeds = _by_number(scene)
    _win(scene, seeds[3])
    assert [line.entrant.player for line in scene.view().lines] == [seeds[1], seeds[3], seeds[2]]
    scene.hand(scene.table_of(seeds[1]), {(seeds[3], seeds[1]): 50})
    standings = [(line.entrant.player, line.chips) for line in scene.view().lines]
    assert standings == [(seeds[3], 1500), (seeds[1], 500), (seeds[2], 0)]


def test_each_match_is_told_with_what_the_loss_means_and_who_comes_next(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B, C)
    seeds = _by_number(scene)
    one, two, three = (seeds[number] for number in (1, 2, 3))
    _win(scene, three)
    (told,) = scene.notices(Notice.MATCH)
    assert (told["winner"], told["loser"], told["stage"], told["out"]) == (three, two, ["winners", 1], False)
    assert told["next_of_winner"]["opponent"] == one
    assert (told["next_of_loser"]["of"], told["next_of_loser"]["loses"]) == ([one, three], True)
    _win(scene, one)
    assert scene.notices(Notice.MATCH)[1]["next_of_loser"]["opponent"] == two
    _win(scene, two)
    told = scene.notices(Notice.MATCH)[2]
    assert (told["loser"], told["out"], told["next_of_loser"], told["left"]) == (three, True, {}, 2)
    _win(scene, two)
    assert len(scene.notices(Notice.MATCH)) == 4
    _win(scene, two)
    scene.ends()
    assert len(scene.notices(Notice.MATCH)) == 4, "the end tells the last one"
    assert not scene.notices(Notice.OUT)


def test_who_has_lost_once_reads_privately_that_they_are_still_in_and_whom_they_wait_for(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B, C)
    seeds = _by_number(scene)
    table = scene.spot(scene.table_of(seeds[2])).table
    _win(scene, seeds[3])
    read = views.standing(scene.session(), scene.committed.tables.get(table.key) or table, seeds[2])
    assert (read.part, read.beaten) == (Role.WAITS, True)
    assert read.coming["of"] == [seeds[1], seeds[3]]


def test_a_match_says_its_stage_at_its_table(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B)
    _win(scene, _by_number(scene)[1])
    (spot,) = scene.field().spots.values()
    note = DESK.note(scene.session(), spot.table)
    assert note is not None
    assert note.stage == ("grand", 0)


@pytest.mark.parametrize("form", [Format.SINGLE, Format.DOUBLE])
@pytest.mark.parametrize("count", range(2, 10))
def test_a_post_a_match_names_whom_the_bracket_really_brings_together(scene: Scene, form: Format, count: int) -> None:
    players = [somebody(number) for number in range(count)]
    scene.begin(structure(form, most=30), *players)
    met: list[set[Player]] = []
    known = set[int]()
    while not scene.event.phase.over:
        for number, pair in scene.tables().items():
            if number not in known:
                known.add(number)
                met.append(set(pair))
        first = next(iter(scene.tables().values()))
        _win(scene, scene.chance.choice(first))
    promised = [
        {told[who], told[f"next_of_{who}"]["opponent"]}
        for told in scene.notices(Notice.MATCH)
        for who in ("winner", "loser")
        if "opponent" in told[f"next_of_{who}"]
    ]
    assert all(pair in met for pair in promised)
    assert len(scene.notices(Notice.MATCH)) == len(met) - 1


# the match for third place


def test_the_losers_of_the_semifinals_play_for_third_place_and_the_event_waits_for_them(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, third_place=True), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    told = scene.notices(Notice.MATCH)[0]
    assert (told["out"], told["next_of_loser"]["stage"]) == (False, ["third", 0])
    _win(scene, seeds[2])
    assert sorted(_meetings(scene), key=len) == [{seeds[4], seeds[3]}, {seeds[1], seeds[2]}]
    assert sorted(_stages(scene)[-1]) == [("final", 0), ("third", 0)]
    third = {line.entrant.player for line in scene.view().lines if line.for_third}
    assert third == {seeds[3], seeds[4]}
    _win(scene, seeds[2])
    assert not scene.event.phase.over
    told = scene.notices(Notice.MATCH)[-1]
    assert (told["champion"], told["left"], told["out"]) == (True, 0, True)
    assert [line.entrant.player for line in scene.view().lines][:2] == [seeds[2], seeds[1]]
    _win(scene, seeds[4])
    scene.ends()
    assert scene.places() == [seeds[2], seeds[1], seeds[4], seeds[3]]
    assert not [line for line in scene.view().lines if line.by_draw], "each of the four places was played for"


def test_third_place_is_told_when_it_is_decided_before_the_final(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, third_place=True), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    _win(scene, seeds[2])
    _win(scene, seeds[3])
    told = scene.notices(Notice.MATCH)[-1]
    assert (told["stage"], told["winner"], told["left"], told["out"]) == (["third", 0], seeds[3], 2, True)
    assert {scene.entrant(seeds[number]).state for number in (3, 4)} == {EntrantState.OUT}
    _win(scene, seeds[1])
    scene.ends()
    assert scene.places() == [seeds[1], seeds[2], seeds[3], seeds[4]]


def test_who_is_disqualified_before_it_leaves_third_place_to_the_other(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, third_place=True), A, B, C, D)
    seeds = _by_number(scene)
    _win(scene, seeds[1])
    scene.organise(organiser.disqualify, seeds[4], why="rude")
    _win(scene, seeds[2])
    assert _meetings(scene) == [{seeds[1], seeds[2]}]
    _win(scene, seeds[1])
    scene.ends()
    assert scene.places() == [seeds[1], seeds[2], seeds[3], seeds[4]]


def test_a_bracket_as_it_is_looked_at_tells_each_match_with_hands_chips_and_table(scene: Scene) -> None:
    scene.begin(structure(Format.DOUBLE), A, B, C)
    seeds = _by_number(scene)
    one, two, three = (seeds[number] for number in (1, 2, 3))
    first = scene.table_of(three)
    scene.hand(first, {(three, two): 5})
    scene.go_on()
    (running,) = [line for line in scene.bracket().lines if line.ready]
    assert (set(running.players), running.table, running.hands) == ({two, three}, first, 1)
    assert dict(zip(running.players, running.chips, strict=True))[three] > 1000
    bye = scene.bracket().lines[0]
    assert (bye.bye, bye.winner, bye.loser, bye.players) == (True, one, None, (one, None))
    _win(scene, three)
    done = scene.bracket().line(running.number)
    assert done is not None
    assert (done.winner, done.loser, done.hands, done.table) == (three, two, 2, None)
    assert [line.number for line in scene.bracket().of(one)] == [1, 3]
    feeds = scene.bracket().feeds(3)
    assert feeds is not None
    assert feeds.stage == (Stage.GRAND, 0)
    _win(scene, one)
    _win(scene, two)
    _win(scene, one)
    scene.ends()
    shown = scene.bracket()
    assert shown.champion == one
    assert Stage.DECIDER not in [line.stage[0] for line in shown.lines], "the second final was never needed"


def test_other_formats_have_no_bracket_and_one_that_has_not_begun_has_none_yet(scene: Scene) -> None:
    scene.announce(structure(Format.SINGLE))
    scene.register(A, B)
    with pytest.raises(Refused) as refused:
        scene.bracket()
    assert refused.value.reason is EventReason.NOT_DRAWN_YET
    other = Scene()
    other.begin(structure(Format.SHOOTOUT), A, B)
    with pytest.raises(Refused) as refused:
        other.bracket()
    assert refused.value.reason is EventReason.NO_BRACKET


def test_a_look_at_a_table_reads_no_entrant_but_the_readers(scene: Scene) -> None:
    """A bracket table's name follows from a count, so that viewing the table doesn't read all entrants."""
    scene.begin(structure(Format.DOUBLE), *[somebody(number) for number in range(8)])
    spot = next(iter(scene.field().spots.values()))
    session = scene.session()
    asked: list[object] = []
    session.tx.entrants.of = asked.append  # type: ignore[method-assign, assignment]
    note = DESK.note(session, spot.table)
    assert note is not None
    assert (note.stage, asked) == (("winners", 1), [])


# the ladder of a shoot-out


def test_the_ladder_has_each_round_with_its_tables_their_winners_and_who_had_a_bye(scene: Scene) -> None:
    scene.begin(structure(Format.SHOOTOUT, table_seats=2), A, B, C)
    ((table, players),) = scene.tables().items()
    (rung,) = scene.view().ladder
    (alone,) = {A, B, C} - set(players)
    assert (rung.round, rung.tables, rung.byes) == (1, ((table, tuple(players), None),), (alone,))
    waits = next(line for line in scene.view().lines if line.entrant.player == alone)
    assert waits.waits_for == (table,)
    scene.knock_out(players[0], players[1])
    first, final = scene.view().ladder
    assert first.tables == ((table, tuple(players), players[0]),)
    assert {player for _, two, _ in final.tables for player in two} == {players[0], alone}
    assert (final.round, final.byes) == (2, ())
    scene.go_on()
    scene.knock_out(alone, players[0])
    scene.ends()
    assert scene.view().ladder[-1].tables[0][2] == alone


def test_the_last_table_of_a_shoot_out_is_the_final_from_its_first_hand_until_it_closed(scene: Scene) -> None:
    def stages() -> dict[TableId, list[object]]:
        """By table: what its own messages call it, and the event's."""
        tx, shown = scene.session().tx, {line.info.table: line.stage for line in scene.view().tables}
        keys = [
            TableKey(guild=scene.key.guild, table=info.table) for info in tx.entrants.event_tables(scene.key, over=True)
        ]
        notes = {key.table: DESK.note(scene.session(), scene.session().table(key)) for key in keys}
        return {table: [note.stage, shown.get(table)] for table, note in notes.items() if note is not None}

    scene.begin(structure(Format.SHOOTOUT, table_seats=2), A, B, C)
    ((first, players),) = scene.tables().items()
    assert stages() == {first: [None, None]}, "somebody had a bye"
    alone = next(one for one in (A, B, C) if one not in players)
    scene.knock_out(players[0], players[1])
    last = scene.table_of(alone)
    assert stages() == {first: [None, None], last: [("final", 0), (Stage.FINAL, 0)]}
    scene.go_on()
    scene.knock_out(alone, players[0])
    assert stages() == {first: [None, None], last: [("final", 0), None]}, "closed"


# byes and shared places


def test_all_byes_of_the_first_round_are_named(scene: Scene) -> None:
    scene.announce(structure(Format.SINGLE))
    players = [somebody(number) for number in range(9)]
    scene.register(*players)
    scene.start()
    seeds = _by_number(scene)
    (told,) = scene.notices(Notice.STARTED)
    assert told["byes"] == [seeds[number] for number in range(1, 8)]
    assert next(set(seated) for _, seated in told["tables"]) == {seeds[8], seeds[9]}
    assert [tuple(stage) for stage in told["stages"]] == [("round", 1), ("round", 2), ("round", 2), ("round", 2)]


def test_both_who_lose_a_semi_final_are_third(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, fee=FEE, payouts=(50, 30, 20)), A, B, C, D)
    seeds = _by_number(scene)
    for winner in (seeds[1], seeds[2], seeds[1]):
        _win(scene, winner)
    scene.ends()
    assert {one: scene.entrant(one).place for one in (A, B, C, D)} == {
        seeds[1]: 1,
        seeds[2]: 2,
        seeds[3]: 3,
        seeds[4]: 3,
    }
    third = 4 * FEE * 20 // 100
    assert [scene.entrant(seeds[seed]).prize for seed in (3, 4)] == [third // 2, third // 2]
    lines = {line.entrant.player: line for line in views.look(scene.session(), scene.key).lines}
    assert all(lines[seeds[seed]].tied and not lines[seeds[seed]].by_draw for seed in (3, 4))
    assert not any(lines[seeds[seed]].tied for seed in (1, 2))
