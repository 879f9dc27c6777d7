"""Events that are held again and again: when the next one starts, and that there is always one and never two."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.model.events import Phase, Repeat, RepeatInterval
from bot.model.ids import EventKey
from bot.model.reasons import OrganiserReason, PlanReason
from bot.play.event.office import director
from bot.play.event.office.repeating import build_repeat, next_start
from bot.play.event.organisers import organiser
from bot.pure.event.scoring import Scoring
from bot.pure.event.structure import Format
from tests.play.event.event_world import ANY, BOSS, GUILD, HOUR, STRANGER, A, B, Scene, structure

BERLIN = "Europe/Berlin"


def at(text: str, zone: str = BERLIN) -> int:
    """An hour in milliseconds."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def shown(milliseconds: int, zone: str = BERLIN) -> str:
    """An hour as the clocks there show it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone(ZoneInfo(zone)).strftime("%a %Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("every", "before", "after"),
    [
        (RepeatInterval.WEEK, "2026-10-23 21:00", "Fri 2026-10-30 21:00"),  # the clocks go back in between
        (RepeatInterval.WEEK, "2027-03-26 21:00", "Fri 2027-04-02 21:00"),  # and forward
        (RepeatInterval.DAY, "2026-12-31 21:00", "Fri 2027-01-01 21:00"),
        (RepeatInterval.FORTNIGHT, "2026-11-20 21:00", "Fri 2026-12-04 21:00"),
        (RepeatInterval.WEEK, "2027-03-21 02:30", "Sun 2027-03-28 03:30"),  # skipped: what the clocks show instead
        (RepeatInterval.WEEK, "2026-10-18 02:30", "Sun 2026-10-25 02:30"),  # shown twice
    ],
)
def test_the_clocks_show_the_same_hour_each_time(every: RepeatInterval, before: str, after: str) -> None:
    repeat = build_repeat(every, BERLIN, at(before))
    assert repeat is not None
    assert shown(next_start(repeat, at(before), now=at(before) + HOUR)) == after


def test_an_hour_that_was_skipped_once_comes_back_the_week_after() -> None:
    repeat = Repeat(every=RepeatInterval.WEEK, zone=BERLIN, minute=2 * 60 + 30)
    skipped = next_start(repeat, at("2027-03-21 02:30"), now=at("2027-03-22 02:30"))
    assert shown(next_start(repeat, skipped, now=skipped + HOUR)) == "Sun 2027-04-04 02:30"


def test_of_an_hour_that_is_shown_twice_the_first_is_meant() -> None:
    repeat = Repeat(every=RepeatInterval.WEEK, zone=BERLIN, minute=2 * 60 + 30)
    found = next_start(repeat, at("2026-10-18 02:30"), now=at("2026-10-19 02:30"))
    assert found == int(datetime(2026, 10, 25, 0, 30, tzinfo=UTC).timestamp() * 1000)


def test_those_that_have_passed_meanwhile_are_left_out_and_so_is_one_for_which_nobody_could_register() -> None:
    friday = at("2026-11-20 21:00")
    repeat = Repeat(every=RepeatInterval.WEEK, zone=BERLIN, minute=21 * 60)
    assert shown(next_start(repeat, friday, now=at("2026-12-11 19:59"))) == "Fri 2026-12-11 21:00"
    assert shown(next_start(repeat, friday, now=at("2026-12-11 20:01"))) == "Fri 2026-12-18 21:00"


def others(scene: Scene) -> list[EventKey]:
    """Return the open events other than the scene's."""
    return [key for key in running(scene) if key != scene.key]


def running(scene: Scene) -> list[EventKey]:
    phases = [phase for phase in Phase if not phase.over]
    return [event.key for event in scene.write(lambda s: s.tx.events.in_phases(GUILD, phases))]


def weekly(scene: Scene) -> None:
    """An event that is held every week."""
    scene.announce(structure(), series="League", name="Friday")
    scene.organise(organiser.repeat, every=RepeatInterval.WEEK, zone=BERLIN, authority=ANY)


def test_the_next_one_is_announced_once_when_the_event_is_over_and_is_like_it(scene: Scene) -> None:
    weekly(scene)
    first, starts_at = scene.event, scene.event.starts_at
    assert first.repeat == Repeat(
        every=RepeatInterval.WEEK, zone=BERLIN, minute=first.repeat.minute if first.repeat else -1
    )
    scene.register(A, B)
    scene.start()
    scene.go_on()
    assert others(scene) == [], "not while it is played"
    scene.knock_out(A, B)
    scene.ends()
    over, (following,) = scene.event, others(scene)
    assert over.repeat is None
    scene.write(lambda s: s.events_to_direct.add(over.key))
    assert others(scene) == [following], "looking twice announces nothing twice"
    assert [fact.details for fact in scene.log("repeated")] == [{"number": following.number}]
    scene.key = following
    found = scene.event
    assert (found.name, found.series, found.structure, found.phase) == (
        first.name,
        first.series,
        first.structure,
        Phase.REGISTERING,
    )
    assert found.repeat == first.repeat
    assert starts_at is not None
    assert found.starts_at == starts_at + 7 * 24 * HOUR
    assert found.commitment != first.commitment
    assert found.alarm_at is not None


def test_one_that_is_cancelled_is_followed_too_unless_its_place_is_gone(scene: Scene) -> None:
    weekly(scene)
    scene.organise(organiser.cancel, why="Rain")
    (following,) = others(scene)
    scene.key = following
    scene.write(lambda s: director.place_gone(s, following, reason="channel_gone"))
    assert others(scene) == []


def test_too_few_this_week_is_no_reason_against_the_next(scene: Scene) -> None:
    weekly(scene)
    scene.wait(2 * HOUR)
    assert scene.event.phase is Phase.CANCELLED
    assert len(others(scene)) == 1


def test_organisers_stop_it_and_nobody_else_does(scene: Scene) -> None:
    weekly(scene)
    scene.refused(
        OrganiserReason.NOT_ORGANISER, lambda: scene.organise(organiser.repeat, every=None, zone=BERLIN, by=STRANGER)
    )
    scene.organise(organiser.repeat, every=None, zone=BERLIN, by=BOSS)
    assert scene.event.repeat is None
    scene.organise(organiser.cancel, why="The last one")
    assert others(scene) == []


def test_an_event_without_a_start_time_is_held_at_no_time(scene: Scene) -> None:
    scene.announce(structure(Format.SIT_AND_GO))
    scene.refused(
        PlanReason.NO_START_TIME,
        lambda: scene.organise(organiser.repeat, every=RepeatInterval.DAY, zone=BERLIN, authority=ANY),
    )


def test_the_next_one_counts_as_its_series_does_by_now(scene: Scene) -> None:
    scene.announce(structure(), series="Spring")
    scene.organise(organiser.repeat, every=RepeatInterval.WEEK, zone=BERLIN, authority=ANY)
    first = scene.key
    scene.announce(structure(Format.SIT_AND_GO, most=2, scoring=Scoring.ROOT, counted=4), series="Spring")
    scene.key = first
    scene.organise(organiser.cancel, why="rain")
    scene.go_on()
    following = max(running(scene), key=lambda key: key.number)
    event = scene.session().tx.events.get(following)
    assert event is not None
    assert event.format is Format.TOURNAMENT
    assert (event.structure.scoring, event.structure.counted) == (Scoring.ROOT, 4)
