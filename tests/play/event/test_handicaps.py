"""Handicaps of friendly events, compared with values worked out by hand."""

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.model.careers import Badge, BadgeStat
from bot.model.event_standings import compute_standings
from bot.model.events import Notice, Phase
from bot.model.ids import Player
from bot.model.reasons import PlanReason
from bot.play.event.office.event_fields import plain
from bot.play.event.organisers import changing, organiser
from bot.play.event.trials.forecast import forecast
from bot.play.event.trials.simulator import PlaySpeed, swing_of
from bot.play.session.chips import mint_of
from bot.pure.event.handicap import default_stacks
from bot.pure.event.pairings import Pairings
from bot.pure.event.scoring import BY_PLACE
from bot.pure.event.structure import PRESETS, Format, Structure, StructureError, check
from bot.pure.ofc.presets import CLASSIC, PINEAPPLE
from tests.play.event.event_world import ANY, GUILD, A, B, C, D, E, Scene, structure
from tests.play.event.test_seeding import rate

TEMPO = PlaySpeed(turn=12_000, between=10_000, seating=30_000)


def given(scene: Scene) -> dict[Player, int]:
    """Return each player's handicap from the event's log."""
    (fact,) = scene.log("handicapped")
    return {Player(player): amount for player, _, amount in fact.details["handicaps"]}


def by_hand(ratings: dict[Player, str], stack: int) -> dict[Player, int]:
    """The rule as a reader of the page reckons it, with the ratings that /profile shows."""
    best = max(float(shown) for shown in ratings.values())
    more = {}
    for player, shown in ratings.items():
        tenths = min(25, round((best - float(shown)) * 10))
        more[player] = stack * 2 * tenths // 100
    return {player: chips for player, chips in more.items() if chips}


def test_whoever_is_rated_lower_starts_with_more_and_all_chips_are_accounted_for(scene: Scene) -> None:
    rate(scene, A=1.04, B=0.26, C=-2.5)
    rate(scene, hands=24, D=-9.0)  # too few hands for a rating
    scene.begin(structure(table_seats=4, handicap=True), A, B, C, D)
    expected = by_hand({A: "1.0", B: "0.3", C: "-2.5"}, 1000)
    assert expected == {B: 140, C: 500}
    assert given(scene) == expected
    assert {one: scene.chips(one) for one in (A, B, C, D)} == {A: 1000, B: 1140, C: 1500, D: 1000}
    assert scene.all_chips() == 0
    assert scene.balance(mint_of(scene.key), "mint") == -4640
    (told,) = scene.notices(Notice.STARTED)
    assert told["handicaps"] == [[C, 500], [B, 140]]
    scene.knock_out(D, A, B, C)
    assert scene.event.phase is Phase.ENDED
    assert scene.places() == [D, C, B, A], "of those put out together whoever had more stands higher"
    assert scene.all_chips() == 0
    assert scene.balance(mint_of(scene.key), "mint") == 0


@pytest.mark.parametrize("chance", range(8))
def test_the_rule_is_what_one_reckons_by_hand(chance: int) -> None:
    scene, random = Scene(chance), Random(chance)
    a, b, c, d = (round(random.uniform(-3, 3), 3) for _ in range(4))
    rate(scene, A=a, B=b, C=c, D=d)
    stack = random.choice([1000, 1017, 10_000])
    scene.begin(structure(table_seats=4, stack=stack, handicap=True), A, B, C, D)
    shown = {one: f"{mean:.1f}" for one, mean in ((A, a), (B, b), (C, c), (D, d))}
    assert given(scene) == by_hand(shown, stack)


def test_handicaps_are_fixed_at_the_start_for_late_players_and_entries_too(scene: Scene) -> None:
    rate(scene, A=2.0, B=1.0, C=0.0)
    scene.begin(structure(table_seats=2, handicap=True, late_levels=2, reentries=1), A, B, D, E)
    rate(scene, A=-5.0, B=5.0, C=-5.0)
    scene.register(C)
    assert scene.chips(C) == 1000, "who comes late has none"
    scene.knock_out(next(one for one in scene.tables()[scene.table_of(B)] if one != B), B)
    scene.register(B)
    assert scene.chips(B) == 1200, "who enters again has what they had"
    assert given(scene) == {B: 200}
    assert scene.all_chips() == 0


def test_each_match_of_a_bracket_begins_with_the_handicaps(scene: Scene) -> None:
    rate(scene, A=1.0, B=0.5, C=0.0, D=-0.5)
    scene.begin(structure(Format.SINGLE, handicap=True), A, B, C, D)
    for winner, loser in ((A, B), (A, C), (A, D)):
        if scene.table_of(winner) == scene.table_of(loser):
            scene.knock_out(winner, loser)
            break
    other = next(players for players in scene.tables().values() if A not in players)
    scene.knock_out(other[0], other[1])
    scene.go_on()
    (final,) = scene.tables().values()
    rated = {A: 0, B: 100, C: 200, D: 300}
    assert {one: scene.chips(one) for one in final} == {one: 1000 + rated[one] for one in final}
    assert len(final) == 2
    assert scene.all_chips() == 0


@pytest.mark.parametrize("pairings", [Pairings.DRAW, Pairings.SWISS, Pairings.ALL])
def test_a_league_begins_with_points(scene: Scene, pairings: Pairings) -> None:
    rate(scene, A=1.0, B=0.2, C=-4.0)
    plan = structure(Format.LEAGUE, table_seats=2, rounds=3, round_hands=10, pairings=pairings, handicap=True)
    scene.begin(plan, A, B, C, D)
    assert given(scene) == {B: 24, C: 75}, "0.8 × 30 hands; at most 2.5 × 30"
    assert [scene.entrant(one).score for one in (A, B, C, D)] == [0, 24, 75, 0]
    drawn = sorted((scene.entrant(one).number, one) for one in (A, B, C, D))
    if pairings is Pairings.SWISS:
        tables = [set(players) for players in scene.tables().values()]
        assert {drawn[0][1], drawn[1][1]} in tables, "the first round is the draw's: points come after it"
    assert [line.entrant.player for line in scene.view().lines][:2] == [C, B]


def test_before_the_start_the_page_has_them_as_ratings_stand(scene: Scene) -> None:
    rate(scene, A=1.0, B=0.5)
    scene.announce(structure(handicap=True))
    scene.register(B)
    assert scene.view().handicaps == (), "there is nobody to be below"
    scene.register(A, C)
    (one,) = scene.view().handicaps
    assert (one.player, one.below, one.amount) == (B, 5, 100)
    rate(scene, B=0.0)
    assert [one.amount for one in scene.view().handicaps] == [200]
    scene.withdraw(A)
    assert scene.view().handicaps == ()


def test_a_rating_that_is_kept_from_others_brings_nothing_and_takes_nothing(scene: Scene) -> None:
    rate(scene, A=2.0, B=1.0, C=0.0)
    member_settings = scene.committed.choices.member_settings(GUILD, A)
    hidden = type(member_settings)(
        **{**{n: getattr(member_settings, n) for n in member_settings.__slots__}, "profile_visible": False}
    )
    scene.write(lambda s: s.tx.choices.save_member_settings(GUILD, A, hidden))
    scene.begin(structure(handicap=True), A, B, C)
    assert given(scene) == {C: 200}


STAKES: dict[str, Any] = {"fee": 10, "added": 10, "titles": ("Champion",), "roles": (5,)}


@pytest.mark.parametrize("stake", STAKES)
def test_it_is_refused_where_something_is_at_stake(stake: str) -> None:
    with pytest.raises(StructureError) as refused:
        check(structure(handicap=True, **{stake: STAKES[stake]}), CLASSIC)
    assert refused.value.problem == "handicap_at_stake"


def test_it_is_refused_in_a_series_and_in_duplicate_events(scene: Scene) -> None:
    with pytest.raises(StructureError) as refused:
        scene.announce(structure(handicap=True), series="Spring")
    assert refused.value.problem == "handicap_series"
    with pytest.raises(StructureError) as refused:
        check(structure(Format.DUPLICATE, handicap=True), replace(CLASSIC, fantasyland=None))
    assert refused.value.problem == "handicap_duplicate"
    scene.announce(structure(handicap=True))
    for name, value in (("series", "Spring"), ("titles", ["Champion"])):
        seen = plain(scene.event)[name]
        with pytest.raises(StructureError) as refused:
            scene.organise(changing.change, {name: (seen, value)}, authority=ANY)
        assert refused.value.problem.startswith("handicap_")


def test_it_stays_once_somebody_has_registered(scene: Scene) -> None:
    scene.announce(structure())
    scene.organise(changing.change, {"handicap": (False, True)}, authority=ANY)
    scene.register(A)
    off = partial(scene.organise, changing.change, {"handicap": (True, False)}, authority=ANY)
    scene.refused(PlanReason.AGREED_ALREADY, off)
    assert scene.event.structure.handicap


def test_such_an_event_counts_on_no_leaderboard_and_towards_no_badge(scene: Scene) -> None:
    rate(scene, A=1.0, B=0.0)
    for handicap, badges in ((True, []), (False, [Badge.EVENT_WON])):
        scene.begin(structure(handicap=handicap), A, B)
        scene.knock_out(B, A)
        scene.ends(Phase.ENDED)
        assert [earned.badge for earned in scene.committed.badges.of(GUILD, B)] == badges
        assert scene.notices(Notice.ENDED)[-1]["badges"] == [[B, badge.value] for badge in badges]
        counted = {BadgeStat.EVENTS: len(badges), BadgeStat.EVENTS_WON: len(badges)}
        assert counted.items() <= scene.committed.badges.so_far(GUILD, B).items()
    ended = scene.committed.events.ended(GUILD)
    assert sorted((event.structure.handicap, event.counts) for event in ended) == [(False, True), (True, False)]
    (line, _) = compute_standings(ended, BY_PLACE)
    assert (line.player, line.events) == (B, 1)


def test_an_organiser_who_adjusts_and_a_pause_leave_them_as_they_are(scene: Scene) -> None:
    rate(scene, A=1.0, B=0.0, C=0.0)
    scene.begin(structure(Format.LEAGUE, table_seats=3, rounds=1, round_hands=2, handicap=True), A, B, C)
    before = given(scene)
    scene.organise(organiser.adjust, B, amount=-5, why="a slip")
    assert scene.entrant(B).score == before[B] - 5
    scene.restore()
    assert given(scene) == before


def test_how_long_it_lasts_knows_them() -> None:
    plain = PRESETS["chaipo"]
    with_them = replace(plain, handicap=True)
    assert default_stacks(plain, 3) == [10_000] * 3
    assert default_stacks(with_them, 3) == [10_000, 11_000, 12_000]

    def middle(plan: Structure) -> int:
        return forecast(plan, PINEAPPLE, TEMPO, swing_of(PINEAPPLE), people=12).middle

    assert middle(with_them) > middle(plain)
