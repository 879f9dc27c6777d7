"""Equal players share a place at the end of an event, or the draw decides."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.model.careers import Badge
from bot.model.events import Entrant, Notice, Official, Phase
from bot.model.ids import Player
from bot.model.reasons import PlanReason
from bot.play.event.floor.event_state import EventState, final_places
from bot.play.event.formats import counting
from bot.play.event.office import director
from bot.play.event.office.views import standing_in
from bot.play.event.organisers import changing, late_rulings, organiser
from bot.play.queries import leaderboards, recaps
from bot.play.terms import of_event
from bot.pure.event.scoring import Scoring, series_points
from bot.pure.event.structure import Format, structure_from
from bot.pure.event.ties import Ties, split
from bot.store.invariants import QUESTIONS, ask
from tests.play.event.evening import BrokenPromiseError
from tests.play.event.event_world import BOSS, CHANNEL, POLICY, A, B, C, D, E, F, Scene, somebody, structure
from tests.play.event.level_evening import LevelEvening

FEE = 100
MANAGER = Official(player=Player("1"), manager=True)
SHARE: dict[str, Any] = {"ties": Ties.SHARE}
ONE_HAND: dict[str, Any] = {"rounds": 1, "round_hands": 1}


def results(scene: Scene) -> list[tuple[int, int]]:
    """Each player's final place and prize, best first."""
    return [(line.place, line.entrant.prize) for line in scene.view().fair]


def play_level(scene: Scene, people: int, **changes: Any) -> list[Player]:
    """Play a league of one hand that nobody wins, and return its players."""
    players = [somebody(number) for number in range(people)]
    scene.begin(structure(Format.LEAGUE, **(ONE_HAND | changes)), *players)
    scene.hands()
    scene.ends()
    return players


# prizes


def test_equal_players_share_a_place_and_split_its_prizes(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, **ONE_HAND, **SHARE, fee=FEE, payouts=(50, 30, 20)), A, B, C)
    winner, loser, third = scene.tables()[1]
    scene.hand(1, {(winner, loser): 4, (winner, third): 4})
    scene.go_on()
    scene.ends()
    assert results(scene) == [(1, 150), (2, 75), (2, 75)]
    assert [line.tied for line in scene.view().lines] == [False, True, True]
    assert not any(line.by_draw or line.odd_chip for line in scene.view().lines)


def test_the_draw_decides_where_the_organiser_wants_it_to(scene: Scene) -> None:
    play_level(scene, 3, ties=Ties.DRAW, fee=FEE, payouts=(50, 30, 20))
    assert results(scene) == [(1, 150), (2, 90), (3, 60)]
    assert all(line.by_draw and not line.tied for line in scene.view().lines)


def test_ten_players_share_first_place_and_odd_chips_go_by_the_draw(scene: Scene) -> None:
    players = play_level(scene, 10, **SHARE, added=1003, table_seats=2)
    assert results(scene) == [*[(1, 101)] * 3, *[(1, 100)] * 7]
    lucky = [line.entrant.number for line in scene.view().lines if line.odd_chip]
    assert lucky == [1, 2, 3]
    assert sum(scene.wallet(one) for one in players) == 10 * POLICY.start_chips + 1003


def test_a_tie_across_the_last_paid_place_splits_what_is_left(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, **ONE_HAND, **SHARE, fee=FEE, payouts=(60, 40), table_seats=4), A, B, C, D)
    winner, *others = scene.tables()[1]
    scene.hand(1, {(winner, one): 4 for one in others})
    scene.go_on()
    scene.ends()
    assert results(scene) == [(1, 240), (2, 54), (2, 53), (2, 53)]


def test_a_disqualified_player_shares_nothing(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, **ONE_HAND, **SHARE, fee=FEE, payouts=(60, 40)), A, B, C)
    scene.organise(organiser.disqualify, C, why="cheated")
    scene.hands()
    scene.ends()
    assert results(scene) == [(1, 150), (1, 150)]
    assert (scene.entrant(C).place, scene.entrant(C).prize) == (3, 0)


def test_the_director_who_looks_again_changes_nothing(scene: Scene) -> None:
    play_level(scene, 4, **SHARE, added=7)
    before = scene.dump()
    scene.write(lambda s: s.events_to_direct.add(scene.key))
    scene.write(lambda s: director.direct(s, scene.key))
    assert scene.dump() == before


def test_striking_one_who_shares_a_place_splits_the_prizes_among_the_others(scene: Scene) -> None:
    players = play_level(scene, 4, **SHARE, added=1000, table_seats=2)
    assert results(scene) == [(1, 250)] * 4
    struck = scene.view().lines[0].entrant.player
    scene.organise(late_rulings.strike, struck, why="cheated", by=MANAGER)
    assert results(scene) == [(1, 334), (1, 333), (1, 333)]
    assert [line.odd_chip for line in scene.view().fair] == [True, False, False]
    assert sum(scene.wallet(one) for one in players) == 4 * POLICY.start_chips + 1000


def test_corrected_points_that_make_players_equal_let_them_share(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, **ONE_HAND, **SHARE, added=100, payouts=(70, 30)), A, B)
    winner, loser = scene.tables()[1]
    scene.hand(1, {(winner, loser): 4})
    scene.go_on()
    scene.ends()
    assert results(scene) == [(1, 70), (2, 30)]
    scene.organise(late_rulings.correct, loser, amount=8, why="miscounted", by=MANAGER)
    assert results(scene) == [(1, 50), (1, 50)]


# going out together


@pytest.mark.parametrize("ties", Ties)
def test_equal_stacks_that_bust_in_the_same_hand_share_the_place(scene: Scene, ties: Ties) -> None:
    scene.announce(structure(Format.SIT_AND_GO, most=3, table_seats=3, ties=ties, fee=FEE, payouts=(50, 30, 20)))
    scene.register(A, B, C)
    scene.go_on()
    winner, *losers = scene.tables()[1]
    scene.knock_out(winner, *losers)
    scene.go_on()
    scene.ends()
    shared = ties is Ties.SHARE
    assert results(scene) == ([(1, 150), (2, 75), (2, 75)] if shared else [(1, 150), (2, 90), (3, 60)])


@pytest.mark.parametrize("ties", Ties)
def test_they_are_told_the_place_when_they_go_out(scene: Scene, ties: Ties) -> None:
    scene.begin(structure(table_seats=3, ties=ties), A, B, C, D, E, F)
    winner, *losers = scene.tables()[1]
    table = scene.spot(1).table
    scene.knock_out(winner, *losers)
    (told,) = scene.notices(Notice.OUT)
    shared = ties is Ties.SHARE
    assert [one[0] for one in told["players"]] == losers
    assert [one[1] for one in told["players"]] == ([5, 5] if shared else [5, 6])
    seen = [standing_in(scene.view(), table, one) for one in losers]
    assert sorted((one.place, one.tied) for one in seen) == ([(5, True)] * 2 if shared else [(5, False), (6, False)])


# brackets and series


def test_both_losers_of_the_semifinals_share_third_place_and_its_points(scene: Scene) -> None:
    plan = structure(Format.SINGLE, **SHARE, fee=FEE, payouts=(40, 30, 20, 10), titles=("Champion", "", "Semi"))
    scene.begin(plan, A, B, C, D, series="Spring")
    while scene.event.phase is Phase.RUNNING:
        for table in scene.playing():
            first, second = scene.tables()[table]
            scene.knock_out(first, second)
        scene.go_on()
    scene.ends()
    assert results(scene) == [(1, 160), (2, 120), (3, 60), (3, 60)]
    worth = [series_points(place, 4) for place in (1, 2, 3, 4)]
    shared = (worth[2] + worth[3]) // 2
    assert season_points(scene) == [worth[0], worth[1], shared, shared]
    lines = counting.series_table(scene.session(), scene.key.guild, "Spring", A).lines
    assert sorted(line.titles for line in lines) == [0, 1, 1, 1]


def season_points(scene: Scene) -> list[int]:
    """The points of the series, best first."""
    lines = counting.series_table(scene.session(), scene.key.guild, "Spring", A).lines
    return sorted((line.points for line in lines), reverse=True)


def forget_rule(scene: Scene) -> None:
    """Store the event with the rule that events have which were stored without one."""
    stored = scene.event.structure.to_json()
    del stored["ties"]
    scene.write(lambda s: s.tx.events.save(replace(scene.event, structure=structure_from(stored))))


def test_a_bracket_from_before_the_rule_keeps_its_points(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, **SHARE), A, B, C, D, series="Spring")
    forget_rule(scene)
    while scene.event.phase is Phase.RUNNING:
        for table in scene.playing():
            scene.knock_out(*scene.tables()[table])
        scene.go_on()
    scene.ends()
    assert [place for place, _ in results(scene)] == [1, 2, 3, 3]
    worth = [series_points(place, 4) for place in (1, 2, 3)]
    assert season_points(scene) == [*worth, worth[2]]


def test_an_event_that_began_before_the_rule_ends_by_the_draw(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, **ONE_HAND, **SHARE), A, B, C)
    forget_rule(scene)
    scene.hands()
    scene.ends()
    assert [place for place, _ in results(scene)] == [1, 2, 3]
    assert all(line.by_draw for line in scene.view().lines)


@pytest.mark.parametrize("scoring", Scoring)
def test_season_points_of_shared_places_are_their_average(scene: Scene, scoring: Scoring) -> None:
    players = [somebody(number) for number in range(4)]
    plan = structure(Format.LEAGUE, **ONE_HAND, **SHARE, scoring=scoring, table_seats=2, payouts=(50, 30, 20))
    scene.begin(plan, *players, series="Spring")
    scene.hands()
    scene.ends()
    totals = {
        Scoring.PLACE: sum(series_points(place, 4) for place in (1, 2, 3, 4)),
        Scoring.ROOT: 200 + 141 + 115 + 100,
        Scoring.PRIZE: 1000,
        Scoring.PERCENTILE: 100 + 66 + 33 + 0,
    }
    assert season_points(scene) == [totals[scoring] // 4] * 4


def test_two_winners_of_an_event_both_won_it(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, **ONE_HAND, **SHARE, titles=("Champion",)), A, B, series="Spring")
    scene.hands()
    scene.ends()
    lines = counting.series_table(scene.session(), scene.key.guild, "Spring", A).lines
    assert [(line.wins, line.titles, line.average_place) for line in lines] == [(1, 1, 1)] * 2


def test_everyone_who_shares_first_place_has_won_it_in_badges_records_and_recaps(scene: Scene) -> None:
    scene.begin(structure(Format.LEAGUE, **ONE_HAND, **SHARE, table_seats=2), A, B, C, D)
    for winner, loser in list(scene.tables().values()):
        scene.hand(scene.table_of(winner), {(winner, loser): 4})
    scene.go_on()
    scene.ends()
    first = [line.entrant.player for line in scene.view().lines if line.place == 1]
    assert len(first) == 2
    (ended,) = scene.notices(Notice.ENDED)
    assert {player for player, badge in ended["badges"] if badge == Badge.EVENT_WON.value} == {*first}
    session, guild = scene.session(), scene.key.guild
    (record,) = [one for one in leaderboards.records(session, guild, "", [CHANNEL]).lines if one.event]
    assert sorted(record.winners) == sorted(first)
    week = recaps.load_week(
        session, guild, since=0, until=scene.now + 1, channel=CHANNEL, open_channels=[CHANNEL]
    ).recap
    assert [one.player for one in week.victories] == sorted(first)
    assert [(one.place, one.shared) for one in week.podium] == [(1, True), (1, True), (3, True), (3, True)]


# the option


def _change(scene: Scene, *changes: tuple[str, Any, Any]) -> None:
    made = {name: (before, after) for name, before, after in changes}
    scene.organise(changing.change, made, by=BOSS)


def test_the_rule_can_be_changed_until_the_start_and_entrants_are_told(scene: Scene) -> None:
    scene.announce(structure(Format.LEAGUE, **ONE_HAND, **SHARE))
    scene.register(A, B)
    before = of_event(scene.event)
    _change(scene, ("ties", "share", "draw"))
    assert scene.event.structure.ties is Ties.DRAW
    assert of_event(scene.event) != before
    (told,) = scene.notices(Notice.CHANGED)
    assert told["changes"] == [["ties", "share", "draw"]]
    scene.start()
    scene.refused(PlanReason.TOO_LATE_TO_CHANGE, lambda: _change(scene, ("ties", "draw", "share")))


def test_buttons_from_before_the_rule_stay_valid(scene: Scene) -> None:
    scene.announce(structure(Format.LEAGUE, ties=Ties.DRAW))
    stored = scene.event.structure.to_json()
    assert "ties" in stored
    shown = of_event(scene.event)
    forget_rule(scene)
    assert of_event(scene.event) == shown


def test_places_of_entrants_are_checked_by_the_rule(scene: Scene) -> None:
    """A shared place in an event where the draw decides is reported."""
    play_level(scene, 3, **SHARE)
    scene.check_books()
    shared = scene.event
    forget_rule(scene)
    found = [question.text for question in QUESTIONS if ask(scene.storage.look, question)]
    assert len(found) == 1
    assert "places" in found[0]
    scene.write(lambda s: s.tx.events.save(shared))


# the model


def level_evenings(ties: Ties, seeds: Iterable[int]) -> Counter[str]:
    """Play events of every format but brackets whose players are often equal, and return the counts."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        evening = LevelEvening(seed, ties)
        evening.run()
        seen += evening.counts
    return seen


def test_shared_places_prizes_and_odd_chips_are_those_of_an_independent_model() -> None:
    seen = level_evenings(Ties.SHARE, range(30, 50))
    assert seen["shared"] > 5
    assert seen["out as equals"] > 0
    assert seen["odd chips"] > 0


def test_no_place_is_shared_where_the_draw_decides() -> None:
    seen = level_evenings(Ties.DRAW, range(30, 40))
    assert seen["shared"] == seen["odd chips"] == 0


@pytest.mark.parametrize("wrong", ["chips", "odd", "places"])
def test_the_model_sees_wrong_shares(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    def shared_wrongly(amounts: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
        parts = list(split(amounts, places))
        if wrong == "odd":
            return tuple(part for place in sorted({*places}) for part in _of(parts, places, place)[::-1])
        return tuple(parts[:1] + parts[1:][::-1]) if wrong == "chips" else tuple(parts)

    def places_of(field: EventState, order: Sequence[Entrant], keys: Any) -> dict[Player, int]:
        places = final_places(field, order, keys)
        return {player: min(2, place) for player, place in places.items()} if wrong == "places" else places

    monkeypatch.setattr(director, "split", shared_wrongly)
    monkeypatch.setattr(director, "final_places", places_of)
    with pytest.raises(BrokenPromiseError):
        level_evenings(Ties.SHARE, range(30, 50))


def _of(parts: Sequence[int], places: Sequence[int], place: int) -> list[int]:
    return [part for part, of in zip(parts, places, strict=True) if of == place]
