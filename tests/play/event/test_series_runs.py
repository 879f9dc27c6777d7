"""The runs of a series: the report after each date, the planned end, and the champion."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from bot.model.bank import SeasonTerms
from bot.model.choices import MemberSettings
from bot.model.events import Notice, Official, RepeatInterval
from bot.model.ids import Player
from bot.model.limits import MAX_SERIES_DATES
from bot.model.reasons import EventReason, OrganiserReason, PlanReason
from bot.play.event.formats import counting, series_runs
from bot.play.event.organisers import changing, organiser, series_acts
from bot.play.session.session import Session
from bot.pure.event.scoring import Scoring, series_points
from bot.pure.event.structure import Structure
from tests.play.event.event_world import ALL, ANY, BOSS, GUILD, HOUR, STRANGER, A, B, C, Scene, structure

NOBODY = Player("")
SERIES = "Fridays"


def night(**changes: Any) -> Structure:
    """A small tournament."""
    return structure(most=3, **changes)


def hold(scene: Scene, *order: Player) -> dict[str, Any]:
    """Play a date in which the first of ``order`` wins, and return its report."""
    scene.register(*order)
    scene.start()
    scene.go_on()
    (table,) = scene.field().spots
    winner, *losers = order
    while losers:
        loser = losers.pop()
        scene.hand(table, {(winner, loser): ALL})
        if losers:
            scene.go_on()
    return told(scene)


def told(scene: Scene) -> dict[str, Any]:
    """Return the report in the results of the scene's event."""
    (ended,) = [
        posting
        for posting in scene.committed.outbox.event_postings(scene.key, limit=100)
        if posting.notice is Notice.ENDED
    ]
    return dict(ended.details.get("series", {}))


def following(scene: Scene) -> None:
    """Go on with the series' next event, whose organiser may still let it repeat."""
    (event,) = series_runs.coming_dates(scene.committed, scene.event)
    scene.key = event.key
    for posting in scene.committed.outbox.event_postings(event.key, limit=100):
        scene.write(partial(posted, number=posting.number))


def posted(s: Session, *, number: int) -> None:
    s.tx.outbox.event_posted(number)


def weekly(scene: Scene, *, dates: int = 0, **changes: Any) -> None:
    """A series that is held every week, with a planned end unless ``dates`` is 0."""
    scene.announce(night(**changes), series=SERIES)
    scene.organise(organiser.repeat, every=RepeatInterval.WEEK, zone="UTC", authority=ANY)
    if dates:
        scene.organise(series_acts.plan_end, dates=dates)


def line(report: dict[str, Any], player: Player) -> dict[str, Any]:
    (found,) = [row for row in report["rows"] if row["player"] == player]
    return dict(found)


def left(scene: Scene) -> int | None:
    """Return the dates to come in the series."""
    return series_runs.dates_left(scene.committed, GUILD, SERIES)


def test_each_date_reports_places_gains_and_the_next_date(scene: Scene) -> None:
    weekly(scene)
    first = hold(scene, A, B, C)
    points = [series_points(place, 3) for place in (1, 2, 3)]
    assert [(row["player"], row["place"], row["before"], row["points"], row["gained"]) for row in first["rows"]] == [
        (A, 1, 0, points[0], points[0]),
        (B, 2, 0, points[1], points[1]),
        (C, 3, 0, points[2], points[2]),
    ]
    assert (first["dates"], first["planned"], first["most"]) == (1, False, points[0])
    following(scene)
    assert first["next"] == scene.key.number
    second = hold(scene, C, B)
    two = [series_points(place, 2) for place in (1, 2)]
    assert line(second, C) | {"tied": False} == {
        "player": C,
        "place": 2,
        "tied": False,
        "before": 3,
        "points": points[2] + two[0],
        "gained": two[0],
    }
    assert line(second, A)["gained"] is None, "they weren't there"


def test_a_planned_series_says_who_can_still_win_it(scene: Scene) -> None:
    weekly(scene, dates=3, scoring=Scoring.PERCENTILE)
    assert left(scene) == 3
    first = hold(scene, A, B, C)
    assert (first["dates"], first["most"], first["planned"], first["open"]) == (2, 100, True, True)
    following(scene)
    assert left(scene) == 2
    second = hold(scene, A, B, C)
    # 200, 100 and 0 points. C and newcomers can still reach 100, and B draws level on points, with fewer wins.
    assert (second["dates"], second["first"], second["open"]) == (1, [A], False)
    assert second["podium"] == [B, C]
    following(scene)
    third = hold(scene, B, A)
    assert left(scene) is None, "a new run has no planned end"
    assert third["crowned"] == third["champions"] == [A]
    assert "next" not in third
    assert series_runs.coming_dates(scene.committed, scene.event) == [], "nothing follows the last date"


def test_only_the_best_dates_that_count_can_be_won(scene: Scene) -> None:
    weekly(scene, dates=3, scoring=Scoring.PERCENTILE, counted=1)
    first = hold(scene, A, B, C)
    assert first["first"] == [A, B, C]
    following(scene)
    second = hold(scene, A, B, C)
    # One date counts, so everyone can reach 100 points, but not two wins.
    assert (second["first"], second["podium"], second["open"]) == ([A], [B, C], False)


def test_the_next_event_of_the_name_begins_a_new_run(scene: Scene) -> None:
    weekly(scene, dates=1)
    last = hold(scene, A, B)
    assert last["champions"] == [A]
    table = counting.series_table(scene.session(), GUILD, SERIES, NOBODY)
    assert ([one.player for one in table.lines], table.champions) == ([A, B], [A])
    scene.now += HOUR
    scene.announce(night(), series=SERIES)
    report = hold(scene, B, A)
    assert line(report, B)["points"] == series_points(1, 2)
    table = counting.series_table(scene.session(), GUILD, SERIES, NOBODY)
    assert ([one.player for one in table.lines], table.champions) == ([B, A], ())
    assert counting.series_points_so_far(scene.session().tx, GUILD, SERIES)[A] == series_points(2, 2)


def give(s: Session, terms: SeasonTerms) -> None:
    s.tx.seasons.save_terms(GUILD, terms)


def test_champions_get_a_seasons_title_and_role_and_those_before_lose_it(scene: Scene) -> None:
    terms = SeasonTerms(title="King", role=7, role_by=BOSS.player)
    scene.write(partial(give, terms=terms))
    weekly(scene, dates=1)
    first = hold(scene, A, B)
    assert (first["title"], first["role"], first["role_by"]) == ("King", 7, BOSS.player)
    assert (first["former"], first["former_role"]) == ([], None)
    scene.now += HOUR
    weekly(scene, dates=1)
    second = hold(scene, B, A)
    assert (second["champions"], second["former"], second["former_role"]) == ([B], [A], 7)
    scene.now += HOUR
    weekly(scene, dates=1)
    third = hold(scene, B, A)
    assert (third["champions"], third["former"]) == ([B], []), "they keep it"


def test_hidden_players_keep_their_place_and_role_without_being_named(scene: Scene) -> None:
    hide = MemberSettings(profile_visible=False)
    scene.write(lambda s: s.tx.choices.save_member_settings(GUILD, A, hide))
    weekly(scene, dates=2)
    first = hold(scene, A, B, C)
    assert [(row["player"], row["place"]) for row in first["rows"]] == [(B, 2), (C, 3)]
    assert A not in [*first["first"], *first["podium"]]
    following(scene)
    last = hold(scene, A, B)
    assert (last["champions"], last["crowned"]) == ([A], [])


def test_a_date_that_is_called_off_does_not_count(scene: Scene) -> None:
    weekly(scene, dates=2)
    scene.organise(organiser.cancel, why="Rain")
    assert left(scene) == 2
    following(scene)
    assert hold(scene, A, B)["dates"] == 1


def test_a_plan_can_be_changed_and_dropped(scene: Scene) -> None:
    weekly(scene, dates=1)
    scene.organise(series_acts.plan_end, dates=4)
    assert left(scene) == 4
    scene.organise(series_acts.plan_end, dates=0)
    assert left(scene) is None
    assert "crowned" not in hold(scene, A, B)
    following(scene)
    scene.organise(series_acts.plan_end, dates=1)
    assert hold(scene, A, B)["crowned"] == [A]


@pytest.mark.parametrize(
    ("reason", "dates", "by"),
    [
        (OrganiserReason.NOT_ORGANISER, 1, STRANGER),
        (OrganiserReason.BAD_DATES, MAX_SERIES_DATES + 1, BOSS),
        (OrganiserReason.BAD_DATES, -1, BOSS),
    ],
)
def test_a_wrong_plan_changes_nothing(scene: Scene, reason: OrganiserReason, dates: int, by: Official) -> None:
    weekly(scene, dates=2)
    scene.refused(reason, lambda: scene.organise(series_acts.plan_end, dates=dates, by=by))
    assert left(scene) == 2


def test_nothing_is_planned_without_a_series_by_a_player_or_after_the_event(scene: Scene) -> None:
    scene.announce(night())
    scene.refused(OrganiserReason.NOT_IN_SERIES, lambda: scene.organise(series_acts.plan_end, dates=1))
    weekly(scene)
    scene.register(BOSS.player, A)
    scene.organise(series_acts.plan_end, dates=5)  # before the start, no one leads yet
    scene.start()
    scene.go_on()
    scene.refused(OrganiserReason.PLAYS_HERE, lambda: scene.organise(series_acts.plan_end, dates=1))
    (table,) = scene.field().spots
    scene.hand(table, {(A, BOSS.player): ALL})
    scene.refused(EventReason.EVENT_OVER, lambda: scene.organise(series_acts.plan_end, dates=1))
    assert left(scene) == 4


@pytest.mark.parametrize("typed", ["fridays", " FRIDAYS ", "Ｆｒｉｄａｙｓ", "Fri\u200bdays"])
def test_a_series_is_found_in_any_case_and_width(scene: Scene, typed: str) -> None:
    weekly(scene, dates=2)
    hold(scene, A, B)
    scene.announce(night(), series=typed)
    assert scene.event.series == SERIES
    hold(scene, B, A)
    assert scene.committed.events.series(GUILD).keys() == {SERIES}
    assert series_runs.series_meant(scene.committed, GUILD, typed) == SERIES


@pytest.mark.parametrize(
    ("typed", "known"), [("ｳｨﾝﾀｰ", "ウィンター"), ("冬 リーグ", "冬　リーグ"), ("ＯＦＣ杯", "OFC杯")]
)
def test_japanese_names_of_series_are_found_in_any_width(scene: Scene, typed: str, known: str) -> None:
    scene.announce(night(), series=known)
    first = scene.event.series
    scene.announce(night(), series=typed)
    assert scene.event.series == first


def test_other_names_are_other_series(scene: Scene) -> None:
    scene.announce(night(), series="Fridays")
    for other in ("Friday", "Frídays", "フライデー", "Fri days"):
        scene.announce(night(), series=other)
        assert scene.event.series == other


def test_the_spelling_of_a_series_is_corrected_by_the_organiser_of_its_only_event(scene: Scene) -> None:
    def change(to: str) -> None:
        scene.organise(changing.change, {"series": (scene.event.series, to)}, authority=ANY)

    scene.announce(night(), series="fridays")
    scene.organise(series_acts.plan_end, dates=3)
    change(SERIES)
    assert scene.event.series == SERIES
    assert left(scene) == 3, "the plan stays"
    scene.announce(night(), series="Mondays")
    change("FRIDAYS")
    assert scene.event.series == SERIES, "it has another event now"
    scene.refused(PlanReason.NOTHING_CHANGED, lambda: change("fridays"))
