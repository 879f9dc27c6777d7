"""Computer players at the last table of events without stakes. They play like everyone else and win nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.model.events import EntrantState, Notice, Official, Phase
from bot.model.ids import COMPUTERS, Player
from bot.model.reasons import EventReason, OrganiserReason, TableReason
from bot.play.event.floor import floor
from bot.play.event.floor.event_state import read_field
from bot.play.event.office import draw_proofs
from bot.play.event.organisers import organiser
from bot.pure.event.draw import check_draw
from bot.pure.event.structure import Format, Structure
from bot.pure.ofc.house_rules import house_variant
from bot.pure.solver.levels import Level
from tests.play.event.event_world import BOSS, POLICY, STRANGER, A, B, Scene, somebody, structure

ROBIN, SAM, _ = COMPUTERS[Level.CASUAL]
THREE = structure(Format.SIT_AND_GO, most=3, least=3)


def filled(scene: Scene, *people: Player, **changes: Any) -> None:
    """A Sit & Go that computers have filled, with its first hand dealt."""
    scene.announce(replace(THREE, **changes))
    scene.register(*people)
    scene.organise(organiser.fill)
    scene.go_on()


def test_computers_take_the_seats_that_are_left_and_it_starts(scene: Scene) -> None:
    filled(scene, A)
    assert scene.event.phase is Phase.RUNNING
    assert {player: scene.chips(player) for player in (A, ROBIN, SAM)} == dict.fromkeys((A, ROBIN, SAM), 1000)
    assert sorted(*scene.tables().values()) == sorted((A, ROBIN, SAM))
    assert scene.playing() == [1]
    (told,) = scene.notices(Notice.RULING)
    assert (told["what"], told["by"], told["computers"]) == ("filled", BOSS.player, 2)


def test_somebody_alone_with_computers_is_dealt_at_once_and_people_are_waited_for(scene: Scene) -> None:
    scene.announce(THREE)
    scene.register(A)
    scene.organise(organiser.fill)
    scene.wait(POLICY.next_hand_ms)
    assert scene.playing() == [1]
    scene.announce(THREE)
    scene.register(A, B)
    scene.organise(organiser.fill)
    scene.wait(POLICY.next_hand_ms)
    assert scene.playing() == []
    scene.wait(POLICY.seating_ms - POLICY.next_hand_ms)
    assert scene.playing() == [2]


def test_who_wins_from_computers_is_first_and_earns_no_badge(scene: Scene) -> None:
    filled(scene, A)
    scene.knock_out(A, ROBIN)
    scene.go_on()
    assert scene.entrant(ROBIN).state is EntrantState.OUT
    assert [told["players"] for told in scene.notices(Notice.OUT)] == [[[ROBIN, 3]]]
    scene.knock_out(A, SAM)
    scene.ends()
    assert scene.places() == [A, SAM, ROBIN]
    assert not scene.committed.badges.of(scene.key.guild, A)
    (ended,) = scene.notices(Notice.ENDED)
    assert not ended["badges"]


def test_once_the_last_person_is_out_computers_do_not_play_on(scene: Scene) -> None:
    filled(scene, A)
    scene.hand(1, {(ROBIN, SAM): 10, (ROBIN, A): 1000})
    scene.ends()
    assert scene.places() == [ROBIN, SAM, A], "they are ranked by their chips"
    assert [line.by_draw for line in scene.view().lines] == [False, False, False], "and so no draw decided"
    assert not scene.notices(Notice.OUT), "the end tells it"
    assert not scene.committed.badges.of(scene.key.guild, ROBIN)


def test_of_two_people_the_one_who_is_left_goes_on_with_the_computer(scene: Scene) -> None:
    filled(scene, A, B)
    scene.knock_out(ROBIN, A)
    scene.go_on()
    assert scene.event.phase is Phase.RUNNING
    scene.knock_out(ROBIN, B)
    scene.ends()
    assert scene.places() == [ROBIN, B, A]


def test_where_the_people_are_away_it_is_called_off_though_computers_play(scene: Scene) -> None:
    filled(scene, A)
    scene.write(lambda s: floor.attend(read_field(s, scene.key), A, away=True))
    scene.hand(1)
    scene.ends(Phase.CANCELLED)
    assert scene.event.reason == "nobody_played"


def test_the_draw_with_computers_is_made_again_from_its_record(scene: Scene) -> None:
    filled(scene, A)
    scene.knock_out(A, ROBIN, SAM)
    proof = draw_proofs.draw_proof(scene.session(), scene.key)
    assert set(check_draw(dict(proof)).order) == {A, ROBIN, SAM}


@pytest.mark.parametrize(
    ("changes", "people"),
    [
        ({}, 0),
        ({"most": 5, "least": 5}, 1),
        ({"fee": 100}, 1),
        ({"added": 100}, 1),
        ({"titles": ("Champion",)}, 1),
        ({"roles": (7,)}, 1),
        ({"format": Format.SINGLE, "table_seats": 2}, 1),
        ({"format": Format.SINGLE, "table_seats": 2}, 2),
    ],
)
def test_computers_come_only_where_nothing_is_at_stake_and_few_are_missing(
    scene: Scene, changes: dict[str, Any], people: int
) -> None:
    scene.announce(replace(THREE, **changes))
    scene.register(*map(somebody, range(people)))
    scene.refused(OrganiserReason.NOT_FILLABLE, lambda: scene.organise(organiser.fill))


@pytest.mark.parametrize(
    ("plan", "people", "tables"),
    [
        (structure(), 2, [3]),
        (structure(), 4, [3, 3]),
        (structure(Format.SHOOTOUT), 5, [3, 3]),
        (structure(Format.DUPLICATE, table_seats=2, round_hands=2), 3, [2, 2]),
        (structure(Format.DUPLICATE, table_seats=2, round_hands=2), 5, [2, 2, 2]),
        (structure(Format.DUPLICATE), 3, [3, 3]),
    ],
)
def test_computers_fill_the_last_table_and_it_starts_at_once(
    scene: Scene, plan: Structure, people: int, tables: list[int]
) -> None:
    scene.announce(plan, variant=house_variant("classic", {"fantasyland": "off"}))
    scene.register(*map(somebody, range(people)))
    scene.organise(organiser.fill)
    assert scene.event.phase is Phase.RUNNING
    assert [len(players) for players in scene.tables().values()] == tables
    (told,) = scene.notices(Notice.RULING)
    assert told["what"] == "filled"


def test_a_computer_that_entered_a_duplicate_event_has_a_score_as_everybody_has(scene: Scene) -> None:
    plan = structure(Format.DUPLICATE, table_seats=2, round_hands=2)
    scene.announce(plan, variant=house_variant("classic", {"fantasyland": "off"}))
    scene.register(A, B, somebody(7))
    scene.organise(organiser.fill)
    scene.go_on()
    first, second = scene.tables().values()
    scene.hand(1, {(first[0], first[1]): 6})
    scene.hand(2)
    assert [scene.entrant(one).score for one in (*first, *second)] == [6, -6, -6, 6]


def test_computers_do_not_play_a_shootout_on_without_people(scene: Scene) -> None:
    scene.announce(structure(Format.SHOOTOUT))
    scene.register(A)
    scene.organise(organiser.fill)
    scene.go_on()
    scene.knock_out(ROBIN, A)
    assert scene.event.phase is Phase.ENDED
    assert scene.places()[-1] == A


@pytest.mark.parametrize(
    ("plan", "people"),
    [(structure(), 3), (structure(Format.SHOOTOUT), 6), (structure(Format.DUPLICATE, table_seats=2, round_hands=2), 4)],
)
def test_where_a_person_has_taken_the_last_seat_it_starts_without_computers(
    scene: Scene, plan: Structure, people: int
) -> None:
    scene.announce(plan, variant=house_variant("classic", {"fantasyland": "off"}))
    scene.register(*map(somebody, range(people - 1)))
    assert organiser.fillable(scene.event, people - 1) == 1
    scene.register(somebody(people - 1))
    scene.organise(organiser.fill)
    assert scene.event.phase is Phase.RUNNING
    assert sorted(scene.field().entrants) == sorted(map(somebody, range(people)))
    (told,) = scene.notices(Notice.RULING)
    assert (told["what"], told["by"]) == ("started_early", BOSS.player)


def test_a_series_has_no_computers(scene: Scene) -> None:
    scene.announce(THREE, series="Thursdays")
    scene.register(A)
    scene.refused(OrganiserReason.NOT_FILLABLE, lambda: scene.organise(organiser.fill))


@pytest.mark.parametrize("by", [STRANGER, Official(player=A)])
def test_only_organisers_fill_it(scene: Scene, by: Official) -> None:
    scene.announce(THREE)
    scene.register(A)
    scene.refused(OrganiserReason.NOT_ORGANISER, lambda: scene.organise(organiser.fill, by=by))


def test_one_that_runs_is_not_filled_again(scene: Scene) -> None:
    filled(scene, A)
    scene.refused(EventReason.EVENT_RUNS, lambda: scene.organise(organiser.fill))


def test_computers_of_events_count_among_those_that_a_host_may_have(scene: Scene) -> None:
    most = POLICY.computers_per_host // 2
    for number in range(most):
        filled(scene, somebody(number))
    scene.announce(THREE)
    scene.register(somebody(most))
    scene.refused(TableReason.OWN_COMPUTERS_BUSY, lambda: scene.organise(organiser.fill))
