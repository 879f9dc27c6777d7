"""Rulings on finished events: striking players, correcting points, changing the series, and undoing all of that."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from typing_extensions import override

from bot.model.bank import Action
from bot.model.careers import Badge
from bot.model.clock import DAY, HOUR
from bot.model.event_rulings import in_force
from bot.model.events import Entrant, Notice, Official, Phase
from bot.model.ids import Player, pseudonym
from bot.model.reasons import OrganiserReason, PlanReason
from bot.model.refusals import OtherTerms, Stale
from bot.play.bank import chips as bank
from bot.play.event.floor import sheets
from bot.play.event.formats import counting, series_runs
from bot.play.event.office import draw_proofs, views
from bot.play.event.organisers import late_rulings, organiser, organiser_desk, overview, series_acts
from bot.pure.event.draw import check_draw
from bot.pure.event.pairings import Pairings
from bot.pure.event.scoring import Scoring
from bot.pure.event.structure import Format
from bot.pure.ofc.house_rules import house_variant
from tests.play.event.event_world import BOSS, CHANNEL, POLICY, STRANGER, A, B, C, D, F, Scene, structure
from tests.play.event.mortal import KilledError

FEE = 500
WHY = "two accounts"
MANAGER = Official(player=Player("77"), manager=True)
EACH = POLICY.start_chips - FEE
"""The chips of a player without a prize."""


def ended(
    scene: Scene, *order: Player, series: str = "", before: Callable[[], object] | None = None, **more: Any
) -> None:
    """Play a sit & go with this result; ``before`` happens before the players register."""
    plan: dict[str, Any] = {"most": len(order), "table_seats": len(order), "fee": FEE, "payouts": (50, 30, 20)} | more
    scene.announce(structure(Format.SIT_AND_GO, **plan), series=series)
    if before is not None:
        before()
    scene.register(*order)
    scene.go_on()
    for loser in reversed(order[1:]):
        scene.knock_out(order[0], loser)
        scene.go_on()
    assert scene.places() == list(order)


def league(scene: Scene, wins: dict[tuple[Player, Player], int], *players: Player, **more: Any) -> None:
    """Play a league of one round, in which the winners win so many points."""
    plan: dict[str, Any] = {"table_seats": 2, "rounds": 1, "round_hands": 1, "fee": FEE, "payouts": (60, 40)} | more
    scene.begin(structure(Format.LEAGUE, **plan), *players)
    for table in scene.playing():
        here = scene.tables()[table]
        scene.hand(table, {pair: points for pair, points in wins.items() if {*pair} <= {*here}})
    scene.go_on()
    scene.ends()


def strike(scene: Scene, player: Player, *, by: Official = BOSS, **more: Any) -> None:
    scene.organise(late_rulings.strike, player, why=WHY, by=by, **more)


def correct(scene: Scene, player: Player, amount: int, *, by: Official = BOSS, round_no: int = 0) -> None:
    scene.organise(late_rulings.correct, player, amount=amount, round_no=round_no, why=WHY, by=by)


def to_series(scene: Scene, series: str, *, by: Official = BOSS) -> None:
    scene.organise(late_rulings.to_series, series, why=WHY, by=by)


def newest(scene: Scene) -> int:
    """Return the number of the newest ruling in force."""
    return in_force(scene.committed.events.rulings(scene.key))[-1].number


def undo(scene: Scene, number: int | None = None, *, by: Official = BOSS) -> None:
    number = newest(scene) if number is None else number
    scene.organise(late_rulings.undo, number=number, by=by)


def spend(scene: Scene, player: Player, amount: int) -> None:
    """Take chips out of a wallet."""
    scene.write(
        lambda s: bank.change_chips(
            s, scene.key.guild, MANAGER.player, player, Action.TAKE, amount, "spent", cause=scene.cause()
        )
    )


def prizes(scene: Scene) -> dict[Player, int]:
    return {player: entrant.prize for player, entrant in scene.field().entrants.items()}


def shown(scene: Scene) -> list[tuple[Player, int, int]]:
    """Return the results as they're shown: player, place and prize, without disqualified players."""
    return [(line.entrant.player, line.place, line.entrant.prize) for line in scene.view().fair]


def points(scene: Scene, series: str) -> dict[Player, int]:
    lines = counting.series_table(scene.session(), scene.key.guild, series, STRANGER.player).lines
    return {line.player: line.points for line in lines}


def matches(scene: Scene) -> dict[int, list[list[Player]]]:
    """Return the tables of each round."""
    return sheets.sat_together(scene.committed, scene.event)


def own_badges(scene: Scene, player: Player) -> dict[Badge, int]:
    return {one.badge: one.at for one in scene.committed.badges.of(scene.key.guild, player)}


# striking


def test_the_places_and_prizes_below_a_struck_player_move_up(scene: Scene) -> None:
    ended(scene, A, B, C, D)
    assert prizes(scene) == {A: 1000, B: 600, C: 400, D: 0}
    strike(scene, A)
    assert shown(scene) == [(B, 1, 1000), (C, 2, 600), (D, 3, 400)]
    assert scene.view().struck == [A]
    assert [scene.wallet(one) for one in (A, B, C, D)] == [EACH, EACH + 1000, EACH + 600, EACH + 400]
    assert scene.pool() == 0
    assert scene.view().pool == 2000
    told = scene.notices(Notice.RULING)[-1]
    assert (told["what"], told["by"], told["player"], told["why"]) == ("struck", BOSS.player, A, WHY)
    assert (told["taken"], told["missing"]) == (1000, 0)
    assert told["moved"] == [[B, 2, 1], [C, 3, 2], [D, 4, 3], [A, 1, 0]]
    (logged,) = scene.log("struck")
    assert logged.actor == BOSS.player
    (audited, *_) = scene.committed.bank.audit_log(scene.key.guild, limit=5)
    assert (audited.manager, audited.player, audited.action, audited.chips) == (BOSS.player, A, Action.RULING, -1000)


def test_a_second_strike_moves_the_rest_up_again(scene: Scene) -> None:
    ended(scene, A, B, C, D)
    strike(scene, B)
    assert shown(scene) == [(A, 1, 1000), (C, 2, 600), (D, 3, 400)]
    strike(scene, A)
    assert shown(scene) == [(C, 1, 1250), (D, 2, 750)], "with two left, the prizes of two places are paid"
    scene.ends()


def test_chips_that_are_gone_are_reported_and_the_best_places_are_paid_first(scene: Scene) -> None:
    ended(scene, A, B, C, D)
    spend(scene, A, EACH + 1000 - 450)
    strike(scene, A)
    assert prizes(scene) == {A: 550, B: 1000, C: 450, D: 0}
    assert shown(scene) == [(B, 1, 1000), (C, 2, 450), (D, 3, 0)]
    assert scene.wallet(A) == 0
    told = scene.notices(Notice.RULING)[-1]
    assert (told["taken"], told["missing"]) == (450, 550)
    undo(scene)
    assert prizes(scene) == {A: 1000, B: 600, C: 400, D: 0}
    assert scene.wallet(A) == 450


def test_the_rest_is_taken_with_the_next_ruling_if_it_is_there_by_then(scene: Scene) -> None:
    ended(scene, A, B, C, D)
    spend(scene, A, EACH + 1000)
    strike(scene, A)
    assert prizes(scene) == {A: 1000, B: 600, C: 400, D: 0}
    cause = scene.cause()
    scene.write(
        lambda s: bank.change_chips(s, scene.key.guild, MANAGER.player, A, Action.GIVE, 5_000, "back", cause=cause)
    )
    strike(scene, D)
    assert prizes(scene) == {A: 0, B: 1250, C: 750, D: 0}


def test_undoing_restores_places_chips_points_and_badges_exactly(scene: Scene) -> None:
    ended(scene, A, B, C, D, series="Spring")
    before, had = shown(scene), points(scene, "Spring")
    wallets, badges = {one: scene.wallet(one) for one in (A, B, C, D)}, own_badges(scene, A)
    assert Badge.EVENT_WON in badges
    scene.wait(5_000)
    strike(scene, A)
    assert A not in points(scene, "Spring")
    assert Badge.EVENT_WON not in own_badges(scene, A)
    assert Badge.EVENT_WON in own_badges(scene, B)
    scene.check_books()
    scene.wait(5_000)
    undo(scene)
    assert (shown(scene), points(scene, "Spring")) == (before, had)
    assert {one: scene.wallet(one) for one in (A, B, C, D)} == wallets
    assert own_badges(scene, A) == badges, "with the time when it was earned"
    assert Badge.EVENT_WON not in own_badges(scene, B)
    assert [told["what"] for told in scene.notices(Notice.RULING)] == ["struck", "struck_undone"]


def test_rulings_can_be_undone_in_any_order(scene: Scene) -> None:
    ended(scene, A, B, C, D)
    before = shown(scene)
    strike(scene, A)
    first = newest(scene)
    strike(scene, C)
    undo(scene, first)
    assert shown(scene) == [(A, 1, 1000), (B, 2, 600), (D, 3, 400)]
    undo(scene)
    assert shown(scene) == before


def test_players_who_share_a_place_of_a_bracket_move_up_together(scene: Scene) -> None:
    scene.begin(structure(Format.SINGLE, fee=FEE, payouts=(50, 30, 10, 10)), A, B, C, D)
    seeds = {entrant.number: entrant.player for entrant in scene.field().entrants.values()}
    scene.knock_out(seeds[1], seeds[4])
    scene.knock_out(seeds[2], seeds[3])
    scene.go_on()
    scene.knock_out(seeds[1], seeds[2])
    scene.ends()
    assert [(place, prize) for _, place, prize in shown(scene)] == [(1, 1000), (2, 600), (3, 200), (3, 200)]
    strike(scene, seeds[1])
    assert shown(scene) == [(seeds[2], 1, 1112), (seeds[3], 2, 444), (seeds[4], 2, 444)]
    assert scene.bracket().champion == seeds[2]
    undo(scene)
    strike(scene, seeds[3])
    assert [(one, place) for one, place, _ in shown(scene)] == [(seeds[1], 1), (seeds[2], 2), (seeds[4], 3)]
    scene.check_books()


def test_who_was_disqualified_in_play_stays_last_and_keeps_no_prize(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, payouts=(100,)), A, B, C)
    scene.organise(organiser.disqualify, C, why=WHY)
    scene.knock_out(A, B)
    scene.ends()
    scene.refused(OrganiserReason.THEY_HAVE_NO_PLACE, partial(strike, scene, C))
    strike(scene, A)
    assert shown(scene) == [(B, 1, 3 * FEE)]
    scene.refused(OrganiserReason.LAST_ONE_LEFT, partial(strike, scene, B))
    undo(scene)
    assert shown(scene) == [(A, 1, 3 * FEE), (B, 2, 0)]


def test_the_results_tell_struck_players_from_those_disqualified_in_play(scene: Scene) -> None:
    scene.begin(structure(fee=FEE, payouts=(100,)), A, B, C)
    scene.organise(organiser.disqualify, C, why=WHY)
    scene.knock_out(A, B)
    scene.ends()

    def gone() -> tuple[list[Player], list[Player]]:
        view = views.look(scene.session(), scene.key)
        return view.disqualified, view.struck

    assert gone() == ([C], [])
    strike(scene, B)
    assert gone() == ([C], [B])
    undo(scene)
    assert gone() == ([C], [])


def test_bounties_stay_with_those_who_won_them(scene: Scene) -> None:
    ended(scene, A, B, C, bounty=200)
    won = scene.entrant(A).bounties
    assert won == 600
    strike(scene, A)
    assert scene.entrant(A).bounties == won
    assert scene.wallet(A) == POLICY.start_chips - FEE + won


def test_prizes_from_added_chips_are_audited_when_they_move(scene: Scene) -> None:
    ended(scene, A, B, C, added=700)
    strike(scene, A)
    won = [entry for entry in scene.committed.bank.audit_log(scene.key.guild, limit=20) if entry.action is Action.WON]
    assert sum(entry.chips for entry in won) == 3 * FEE + 700
    assert sum(entry.chips for entry in won if entry.player == A) == 0


def test_the_record_of_the_draw_stays_valid(scene: Scene) -> None:
    ended(scene, A, B, C)
    before = draw_proofs.draw_proof(scene.session(), scene.key)
    strike(scene, A)
    assert draw_proofs.draw_proof(scene.session(), scene.key) == before
    assert check_draw(before).ok


# correcting points


def test_corrected_points_decide_places_and_prizes(scene: Scene) -> None:
    league(scene, {(A, B): 6, (C, D): 4}, A, B, C, D, pairings=Pairings.DRAW)
    winner, loser = scene.places()[0], scene.places()[-1]
    first = [scene.entrant(one).score for one in scene.places()]
    assert first == sorted(first, reverse=True)
    correct(scene, loser, 30)
    assert shown(scene)[0] == (loser, 1, 1200)
    assert scene.entrant(loser).score == first[-1] + 30
    assert scene.entrant(winner).place == 2
    assert sum(prizes(scene).values()) == 4 * FEE
    undo(scene)
    assert [scene.entrant(one).score for one in scene.places()] == first
    assert shown(scene)[0] == (winner, 1, 1200)


def test_the_opponent_of_a_match_gets_the_opposite(scene: Scene) -> None:
    league(scene, {}, A, B, C, D)
    one, other = matches(scene)[1][0]
    correct(scene, one, 5, round_no=1)
    assert (scene.entrant(one).score, scene.entrant(other).score) == (5, -5)
    assert (scene.places()[0], scene.places()[-1]) == (one, other)
    told = scene.notices(Notice.RULING)[-1]
    assert (told["player"], told["against"], told["amount"]) == (one, other, 5)
    undo(scene)
    assert (scene.entrant(one).score, scene.entrant(other).score) == (0, 0)


def test_at_a_table_of_three_only_the_player_gets_points(scene: Scene) -> None:
    league(scene, {}, A, B, C, table_seats=3)
    correct(scene, A, 5, round_no=1)
    assert [scene.entrant(one).score for one in (A, B, C)] == [5, 0, 0]


def test_in_a_swiss_league_the_opponents_points_break_ties_as_corrected(scene: Scene) -> None:
    plan = structure(Format.LEAGUE, table_seats=2, rounds=2, round_hands=1, pairings=Pairings.SWISS)
    scene.begin(plan, A, B, C, D)
    while scene.event.phase is Phase.RUNNING:
        for table in scene.playing():
            scene.hand(table)
        scene.go_on()
    met = [{*table} for tables in (1, 2) for table in matches(scene)[tables]]
    one = scene.places()[-1]
    correct(scene, one, -10)
    opponents = {other for table in met if one in table for other in table} - {one}
    assert {*scene.places()[1:3]} == opponents or len(opponents) == 1, "they met the weakest player"
    assert scene.places()[0] not in opponents


def test_a_duplicate_event_is_corrected_without_an_opponent(scene: Scene) -> None:
    no_fantasyland = house_variant("classic", {"fantasyland": "off"})
    scene.begin(structure(Format.DUPLICATE, table_seats=2, round_hands=2), A, B, C, D, variant=no_fantasyland)
    while scene.event.phase is Phase.RUNNING:
        scene.hands()
    correct(scene, D, 7, round_no=1)
    assert [scene.entrant(one).score for one in (A, B, C, D)] == [0, 0, 0, 7]
    assert scene.places()[0] == D


def test_a_strike_and_a_correction_hold_together(scene: Scene) -> None:
    league(scene, {}, A, B, C, D, payouts=(100,))
    correct(scene, A, 9)
    correct(scene, B, 5)
    strike(scene, A)
    assert shown(scene)[0] == (B, 1, 4 * FEE)
    undo(scene)
    assert shown(scene)[0] == (A, 1, 4 * FEE)


def test_points_are_corrected_only_where_points_decide(scene: Scene) -> None:
    ended(scene, A, B, C)
    scene.refused(OrganiserReason.NO_POINTS_HERE, partial(correct, scene, A, 5))


def test_a_correction_needs_an_amount_and_a_match_that_was_played(scene: Scene) -> None:
    league(scene, {}, A, B)
    scene.refused(OrganiserReason.BAD_AMOUNT, partial(correct, scene, A, 0))
    scene.refused(OrganiserReason.NO_MATCH_THEN, partial(correct, scene, A, 5, round_no=2))


# the series


def test_an_event_moved_to_another_series_counts_there_and_by_its_rule(scene: Scene) -> None:
    ended(scene, A, B, C, series="Spring")
    ended(scene, B, A, C, series="Autumn", scoring=Scoring.ROOT, counted=2)
    ended(scene, A, C, B, series="Spring")
    had = points(scene, "Autumn")
    to_series(scene, "Autumn")
    assert scene.event.series == "Autumn"
    assert (scene.event.structure.scoring, scene.event.structure.counted) == (Scoring.ROOT, 2)
    assert points(scene, "Autumn")[A] > had[A]
    assert points(scene, "Spring")[B] > points(scene, "Spring")[C]
    told = scene.notices(Notice.RULING)[-1]
    assert told["changes"][0] == ["series", "Spring", "Autumn"]
    undo(scene)
    entries = scene.committed.bank.audit_log(scene.key.guild, limit=2)
    moved = f"{scene.event.name}: Spring → Autumn: {WHY}"
    assert [entry.reason for entry in entries] == [f"{scene.event.name}: Autumn → Spring: ↩ {WHY}", moved]
    assert scene.event.series == "Spring"
    assert (scene.event.structure.scoring, scene.event.structure.counted) == (Scoring.PLACE, 0)
    assert points(scene, "Autumn") == had
    to_series(scene, "")
    assert scene.event.series == ""
    scene.refused(PlanReason.NOTHING_CHANGED, partial(to_series, scene, ""))
    to_series(scene, "aUTUMN ")
    assert scene.event.series == "Autumn"
    scene.refused(PlanReason.NOTHING_CHANGED, partial(to_series, scene, "ａｕｔｕｍｎ"))


def test_a_move_that_another_followed_is_not_undone(scene: Scene) -> None:
    ended(scene, A, B, series="Spring")
    to_series(scene, "Summer")
    first = newest(scene)
    to_series(scene, "Autumn")
    scene.refused(OrganiserReason.NOTHING_TO_TAKE_BACK, partial(undo, scene, first))
    undo(scene)
    undo(scene)
    assert scene.event.series == "Spring"


def test_a_friendly_event_stays_out_of_series(scene: Scene) -> None:
    scene.announce(structure(Format.SIT_AND_GO, most=3))
    scene.register(A, B)
    scene.organise(organiser.fill)
    scene.go_on()
    while scene.event.phase is Phase.RUNNING:
        dealt = scene.tables()[scene.playing()[0]]
        scene.knock_out(dealt[0], dealt[-1])
        scene.go_on()
    scene.refused(OrganiserReason.FRIENDLY_EVENT, partial(to_series, scene, "Spring"))
    scene.refused(OrganiserReason.SERIES_TOO_LONG, partial(to_series, scene, "x" * 41))


def last_date(scene: Scene, *order: Player, **more: Any) -> None:
    """Play the last date of the series Spring, a sit & go with this result."""
    ended(scene, *order, series="Spring", before=lambda: scene.organise(series_acts.plan_end, dates=1), **more)


def champions_now(scene: Scene) -> list[Player]:
    """Return the champions of the series Spring, in the run of the scene's event."""
    return series_runs.champions_at(scene.committed, scene.key.guild, "Spring", scene.event.ended_at or 0)


def champions(scene: Scene) -> object:
    """Return the champions named in the newest ruling's post; None if it names none."""
    return scene.notices(Notice.RULING)[-1].get("champions")


def test_the_post_names_the_champions_of_the_series_if_a_ruling_changes_them(scene: Scene) -> None:
    ended(scene, A, B, C, series="Spring")
    strike(scene, A)
    assert champions(scene) is None, "the series isn't over"
    undo(scene)
    last_date(scene, A, B, C)
    assert champions_now(scene) == [A]
    strike(scene, C)
    assert champions(scene) is None, "the champion is the same"
    strike(scene, A)
    assert champions(scene) == [["Spring", [B]]]
    undo(scene)
    assert champions(scene) == [["Spring", [A]]]


def test_a_ruling_on_an_earlier_date_or_its_series_changes_the_champions_too(scene: Scene) -> None:
    ended(scene, A, B, C, series="Spring")
    first = scene.key
    last_date(scene, B, C, A)
    ended(scene, C, A, B, series="Spring")
    strike(scene, C)
    assert champions(scene) is None, "it belongs to the next run"
    scene.key = first
    assert champions_now(scene) == [B]
    strike(scene, B)
    assert champions(scene) == [["Spring", [A]]]
    to_series(scene, "Autumn")
    assert champions(scene) == [["Spring", [B]]]
    undo(scene)
    assert champions(scene) == [["Spring", [A]]]


def test_a_hidden_champion_is_not_named(scene: Scene) -> None:
    last_date(scene, A, B, C)
    hidden = replace(scene.session().tx.choices.member_settings(scene.key.guild, B), profile_visible=False)
    scene.write(lambda s: s.tx.choices.save_member_settings(scene.key.guild, B, hidden))
    strike(scene, A)
    assert champions(scene) is None
    assert champions_now(scene) == [B]


# permissions, limits of time, and repetition

RULINGS: list[Callable[[Scene, Official], None]] = [
    lambda scene, by: strike(scene, B, by=by),
    lambda scene, by: correct(scene, B, 5, by=by),
    lambda scene, by: to_series(scene, "Autumn", by=by),
    lambda scene, by: undo(scene, 1, by=by),
]


@pytest.mark.parametrize("ruling", RULINGS)
def test_rulings_are_refused_to_others_and_to_organisers_who_played(
    scene: Scene, ruling: Callable[[Scene, Official], None]
) -> None:
    league(scene, {}, A, B, C, D)
    scene.refused(OrganiserReason.NOT_ORGANISER, partial(ruling, scene, STRANGER))
    scene.announce(structure(Format.SIT_AND_GO, most=2, table_seats=2), organiser=A)
    scene.register(A, B)
    scene.go_on()
    scene.knock_out(A, B)
    scene.refused(OrganiserReason.PLAYED_HERE, partial(ruling, scene, Official(player=A)))


@pytest.mark.parametrize("ruling", RULINGS)
def test_rulings_are_refused_before_the_end_and_on_events_that_were_called_off(
    scene: Scene, ruling: Callable[[Scene, Official], None]
) -> None:
    scene.begin(structure(Format.LEAGUE), A, B, C)
    scene.refused(OrganiserReason.NOT_ENDED, partial(ruling, scene, MANAGER))
    scene.organise(organiser.cancel, why=WHY)
    scene.refused(OrganiserReason.CALLED_OFF, partial(ruling, scene, MANAGER))


@pytest.mark.parametrize("ruling", RULINGS)
def test_organisers_rule_for_a_day_and_managers_at_any_time(
    scene: Scene, ruling: Callable[[Scene, Official], None]
) -> None:
    league(scene, {}, A, B, C, D)
    scene.now += DAY
    scene.refused(OrganiserReason.TOO_LATE_TO_RULE, partial(ruling, scene, BOSS))
    scene.now += 30 * DAY
    if ruling is not RULINGS[-1]:
        ruling(scene, MANAGER)
        undo(scene, by=MANAGER)


def test_a_manager_who_played_may_rule_but_not_on_themselves_and_it_is_told(scene: Scene) -> None:
    ended(scene, A, B, C)
    by = Official(player=A, manager=True)
    scene.refused(OrganiserReason.OWN_RESULT, partial(strike, scene, A, by=by))
    strike(scene, B, by=by)
    told = scene.notices(Notice.RULING)[-1]
    assert (told["plays"], told["manager"]) == (True, True)


def test_nobody_corrects_their_own_match_or_undoes_a_ruling_on_themselves(scene: Scene) -> None:
    league(scene, {}, A, B)
    by = Official(player=A, manager=True)
    scene.refused(OrganiserReason.OWN_RESULT, partial(correct, scene, A, 5, by=by))
    scene.refused(OrganiserReason.OWN_MATCH, partial(correct, scene, B, 5, by=by, round_no=1))
    correct(scene, B, 5, by=MANAGER, round_no=1)
    scene.refused(OrganiserReason.OWN_RESULT, partial(undo, scene, by=by))


def test_a_ruling_is_undone_once_within_an_hour_and_a_managers_only_by_managers(scene: Scene) -> None:
    ended(scene, A, B, C)
    strike(scene, A, by=MANAGER)
    scene.refused(OrganiserReason.RULED_BY_MANAGER, partial(undo, scene))
    number = newest(scene)
    undo(scene, number, by=MANAGER)
    scene.refused(OrganiserReason.RULING_UNDONE, partial(undo, scene, number, by=MANAGER))
    scene.refused(OrganiserReason.NOTHING_TO_TAKE_BACK, partial(undo, scene, number + 9, by=MANAGER))
    strike(scene, A)
    scene.now += HOUR
    scene.refused(OrganiserReason.TOO_LATE_TO_UNDO, partial(undo, scene))


def test_a_player_is_struck_once_and_only_if_they_are_in_the_results(scene: Scene) -> None:
    ended(scene, A, B, C)
    strike(scene, A)
    scene.refused(OrganiserReason.THEY_HAVE_NO_PLACE, partial(strike, scene, A))
    scene.refused(OrganiserReason.NOT_IN_RESULTS, partial(strike, scene, F))
    scene.refused(OrganiserReason.NO_REASON, lambda: scene.organise(late_rulings.strike, B, why=" "))


def test_who_has_deleted_their_data_is_not_struck_but_a_ruling_on_them_can_be_undone(scene: Scene) -> None:
    ended(scene, A, B, C, D)
    strike(scene, A)
    gone = pseudonym()
    scene.write(lambda s: s.tx.privacy.put_pseudonym(scene.key.guild, A, gone))
    assert A not in scene.field().entrants
    scene.refused(OrganiserReason.NOT_IN_RESULTS, partial(strike, scene, A))
    scene.refused(OrganiserReason.NOT_IN_RESULTS, partial(strike, scene, gone))
    undo(scene)
    assert shown(scene) == [(gone, 1, 1000), (B, 2, 600), (C, 3, 400), (D, 4, 0)]
    strike(scene, B)
    assert shown(scene) == [(gone, 1, 1000), (C, 2, 600), (D, 3, 400)]


def test_a_press_that_arrives_twice_rules_once(scene: Scene) -> None:
    ended(scene, A, B, C)
    press = partial(late_rulings.strike, key=scene.key, by=BOSS, player=A, why=WHY, cause="4711")
    scene.write(press)
    before = scene.dump()
    with pytest.raises(Stale):
        scene.write(press)
    assert scene.dump() == before


class DyingScene(Scene):
    """A scene whose process dies once before a transaction is written."""

    dies = False

    @override
    def before_commit(self) -> None:
        if self.dies:
            self.dies = False
            raise KilledError


def test_a_ruling_that_died_before_it_was_written_has_moved_nothing_and_is_paid_once() -> None:
    scene = DyingScene()
    ended(scene, A, B, C, D, series="Spring")
    wallets = [scene.wallet(one) for one in (A, B, C, D)]
    acts = [partial(strike, scene, A), partial(undo, scene), partial(to_series, scene, ""), partial(undo, scene)]
    for act in acts:
        before, posts = scene.dump(), len(scene.notices(Notice.RULING))
        scene.dies = True
        with pytest.raises(KilledError):
            act()
        assert scene.dump() == before
        act()
        assert len(scene.notices(Notice.RULING)) == posts + 1
        assert sum(scene.wallet(one) for one in (A, B, C, D)) == sum(wallets)
        scene.check_books()
    assert [scene.wallet(one) for one in (A, B, C, D)] == wallets


def test_of_two_who_rule_at_once_the_second_is_asked_again(scene: Scene) -> None:
    ended(scene, A, B, C)
    desk = organiser_desk.desk(scene.session(), scene.key, BOSS)
    strike(scene, A, by=MANAGER, shown=desk.rulings)
    before = scene.dump()
    with pytest.raises(OtherTerms):
        strike(scene, B, shown=desk.rulings)
    assert scene.dump() == before
    strike(scene, B, shown=organiser_desk.desk(scene.session(), scene.key, BOSS).rulings)


# the desk


def test_the_desk_of_a_finished_event_offers_what_can_be_undone(scene: Scene) -> None:
    ended(scene, A, B, C)
    strike(scene, A, by=MANAGER)
    strike(scene, B)
    kinds = [fact.details["player"] for fact in organiser_desk.desk(scene.session(), scene.key, MANAGER).undoable]
    assert kinds == [B, A]
    own = organiser_desk.desk(scene.session(), scene.key, BOSS)
    assert [fact.details["player"] for fact in own.undoable] == [B]
    assert own.rules_until == (scene.event.ended_at or 0) + DAY
    scene.now += HOUR
    assert not organiser_desk.desk(scene.session(), scene.key, MANAGER).undoable


def test_organisers_find_a_finished_event_for_a_day_and_managers_if_they_name_it(scene: Scene) -> None:
    ended(scene, A, B, C)

    def desks(by: Official, *, named: bool = False) -> bool:
        found = overview.overview(scene.session(), scene.key.guild, by, channel=CHANNEL, named=lambda event: named)
        return found.events[0].desk is not None

    assert desks(BOSS)
    assert not desks(STRANGER)
    scene.now += DAY
    assert not desks(BOSS, named=True)
    assert not desks(MANAGER)
    assert desks(MANAGER, named=True)
    assert overview.glance(scene.session(), scene.key, MANAGER).desk is not None


@pytest.mark.parametrize("plan", [{"most": 3}, {"most": 4, "payouts": (100,)}])
def test_without_a_ruling_the_end_and_the_present_agree(scene: Scene, plan: dict[str, Any]) -> None:
    ended(scene, *(A, B, C, D)[: plan["most"]], **{name: value for name, value in plan.items() if name != "most"})
    people: list[Entrant] = list(scene.field().entrants.values())
    assert all((one.place, one.prize) == (one.end_place, one.end_prize) for one in people)
