"""Changes for one date of a repeating event, and those that later dates take over."""

from __future__ import annotations

from typing import Any

import pytest

from bot.model.clock import Pace
from bot.model.events import Event, Official, Phase, RepeatInterval
from bot.model.ids import Player
from bot.play.event.office import date_changes, permissions
from bot.play.event.office.event_fields import plain
from bot.play.event.office.permissions import MemberPermissions
from bot.play.event.organisers import changing, organiser, series_acts, waiting_acts
from bot.pure.event.scoring import Scoring
from bot.pure.event.structure import Structure
from tests.play.event.event_world import ANY, BOSS, HOUR, MINUTE, A, B, C, Scene, structure
from tests.play.event.test_series_runs import following, hold, told

DAY = 24 * HOUR
WEEK = 7 * DAY
SERIES = "Fridays"
MANAGER = Official(player=Player("3"), manager=True)


def weekly(scene: Scene, plan: Structure | None = None) -> None:
    scene.announce(plan or structure(most=4, table_seats=2), series=SERIES)
    scene.organise(organiser.repeat, every=RepeatInterval.WEEK, zone="UTC", authority=ANY)


def change(
    scene: Scene, *, this_date: bool, by: Official = BOSS, authority: MemberPermissions = ANY, **wanted: Any
) -> None:
    seen = plain(scene.event)
    changes = {name: (seen[name], after) for name, after in wanted.items()}
    scene.organise(changing.change, changes, by=by, authority=authority, this_date=this_date)


def next_date(scene: Scene) -> Event:
    """Cancel the event, and go on with the next date."""
    scene.organise(organiser.cancel, why="rain")
    following(scene)
    return scene.event


def test_another_table_is_for_one_date(scene: Scene) -> None:
    weekly(scene, structure(most=2, table_seats=2))
    scene.register(A, B, C)
    scene.organise(waiting_acts.open_table)
    assert scene.event.structure.most == 4
    assert next_date(scene).structure.most == 2


def test_another_table_of_an_event_that_is_made_to_repeat_later_stays(scene: Scene) -> None:
    scene.announce(structure(most=2, table_seats=2), series=SERIES)
    scene.register(A, B, C)
    scene.organise(waiting_acts.open_table)
    scene.organise(organiser.repeat, every=RepeatInterval.WEEK, zone="UTC", authority=ANY)
    assert next_date(scene).structure.most == 4


def test_the_author_says_whether_later_dates_take_a_change_over(scene: Scene) -> None:
    weekly(scene)
    before = plain(scene.event)
    once: dict[str, Any] = {
        "name": "Birthday",
        "description": "Cake",
        "most": 8,
        "fee": 100,
        "check_in_minutes": 30,
        "pace": "relaxed",
        "seconds": 600,
    }
    change(scene, this_date=True, **once)
    change(scene, this_date=False, stack=2_000, late_levels=2)
    found = next_date(scene)
    assert (found.structure.stack, found.structure.late_levels) == (2_000, 2)
    assert {name: plain(found)[name] for name in once} == {name: before[name] for name in once}
    assert found.clock.pace is Pace.PER_TURN
    assert plain(next_date(scene)) == plain(found) | {"starts_at": (found.starts_at or 0) + WEEK}


def test_of_several_changes_to_a_field_the_last_lasting_one_counts(scene: Scene) -> None:
    weekly(scene)
    change(scene, this_date=False, most=6)
    change(scene, this_date=True, most=8)
    change(scene, this_date=True, most=10)
    assert next_date(scene).structure.most == 6
    change(scene, this_date=True, most=8)
    change(scene, this_date=False, most=12)
    assert next_date(scene).structure.most == 12


def test_a_value_that_later_changes_rule_out_is_not_taken_back(scene: Scene) -> None:
    weekly(scene, structure(most=4, least=2, table_seats=2))
    change(scene, this_date=True, most=8)
    change(scene, this_date=False, least=6)
    found = next_date(scene).structure
    assert (found.least, found.most) == (6, 8)


@pytest.mark.parametrize("later", [15 * MINUTE, DAY])
def test_a_postponed_date_moves_no_later_one(scene: Scene, later: int) -> None:
    weekly(scene)
    first = scene.event.starts_at
    assert first is not None
    scene.organise(changing.postpone, until=first + later)
    assert scene.view().regular_start == first
    scene.organise(organiser.repeat, every=RepeatInterval.FORTNIGHT, zone="UTC", authority=ANY)
    found = next_date(scene)
    assert found.starts_at == first + 2 * WEEK
    assert scene.view().regular_start is None


def test_a_start_that_is_changed_for_later_dates_too_moves_them(scene: Scene) -> None:
    weekly(scene)
    first = scene.event.starts_at
    assert first is not None
    change(scene, this_date=False, starts_at=first + DAY + 30 * MINUTE)
    assert scene.view().regular_start is None
    assert next_date(scene).starts_at == first + DAY + 30 * MINUTE + WEEK


def test_what_a_series_shares_is_never_for_one_date(scene: Scene) -> None:
    weekly(scene)
    change(scene, this_date=True, scoring=Scoring.ROOT.value, counted=3)
    found = next_date(scene).structure
    assert (found.scoring, found.counted) == (Scoring.ROOT, 3)


def test_prizes_for_one_date_leave_the_next_one_to_who_vouched_before(scene: Scene) -> None:
    weekly(scene)
    change(scene, this_date=True, by=MANAGER, added=1_000)
    assert permissions.voucher(scene.session(), scene.event) == MANAGER.player
    found = next_date(scene)
    assert found.structure.added == 0
    assert permissions.voucher(scene.session(), found) == BOSS.player
    change(scene, this_date=False, by=MANAGER, added=1_000)
    found = next_date(scene)
    assert found.structure.added == 1_000
    assert permissions.voucher(scene.session(), found) == MANAGER.player


def test_dates_to_come_are_worth_what_the_series_own_maximum_gives(scene: Scene) -> None:
    weekly(scene, structure(most=3))
    scene.organise(series_acts.plan_end, dates=6)
    usual = hold(scene, A, B)["most"]
    following(scene)
    change(scene, this_date=True, most=30)
    assert hold(scene, A, B)["most"] == usual
    assert told(scene)["most"] == usual


def test_the_next_date_after_one_that_was_played_starts_like_the_first(scene: Scene) -> None:
    weekly(scene)
    before = plain(scene.event)
    change(scene, this_date=True, most=8, name="Birthday")
    hold(scene, A, B)
    assert scene.event.phase is Phase.ENDED
    following(scene)
    assert plain(scene.event) | {"starts_at": before["starts_at"]} == before


def test_changes_in_older_logs_last(scene: Scene) -> None:
    weekly(scene)
    change(scene, this_date=False, most=8)
    (fact,) = scene.log("changed")
    assert date_changes.THIS_DATE not in fact.details
    assert next_date(scene).structure.most == 8
