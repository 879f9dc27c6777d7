"""The series on the public page of an event: its name and rule, the dates left, flights, the next date and the end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from bot.model.events import Event, Phase, RepeatInterval
from bot.model.ids import EventKey
from bot.play.event.formats.series_runs import coming_dates
from bot.play.event.organisers import flight_acts, late_rulings, organiser, series_acts
from bot.pure.event.scoring import BY_PLACE
from bot.pure.event.structure import Format
from bot.text.event_structure import series_rule_text
from bot.text.languages import LANGUAGES
from bot.text.words import words_for
from bot.web.events.document import Series
from tests.play.event.event_world import ANY, BOSS, Scene, structure
from tests.play.event.storage import close_what_is_open
from tests.web.test_event_pages import NAMES, PEOPLE, SWISS, Reader, document, page, play, published

DAY = 24 * 60
"""Minutes of a day."""


@pytest.fixture(autouse=True)
def _storages() -> Iterator[None]:
    yield
    close_what_is_open()


def series(scene: Scene) -> Series:
    found = document(scene).series
    assert found is not None
    return found


def at(scene: Scene, key: EventKey) -> Scene:
    """Let the scene go on with another event."""
    scene.key = key
    return scene


def told(scene: Scene, language: str = "en") -> list[str]:
    return Reader(page(document(scene, language))).text


def hold(scene: Scene) -> None:
    """Play the scene's event to its end."""
    scene.register(*PEOPLE[:4])
    scene.start()
    scene.go_on()
    play(scene, Random(1), 40)
    scene.ends()


def weekly(scene: Scene, dates: int) -> None:
    """Announce the first of some weekly dates, with a page."""
    scene.announce(SWISS, series="Fridays")
    published(scene)
    scene.organise(organiser.repeat, every=RepeatInterval.WEEK, zone="UTC", authority=ANY)
    scene.organise(series_acts.plan_end, dates=dates)


def following(scene: Scene) -> None:
    (event,) = coming_dates(scene.committed, scene.event)
    at(scene, event.key)


def open_flight(scene: Scene) -> Event:
    return scene.write(
        lambda s: flight_acts.open_flight(s, scene.key, BOSS, ANY, named="{} (Flight {})".format, cause=scene.cause())
    )


def test_the_series_is_named_with_its_rule_from_the_announcement_to_the_end() -> None:
    scene = Scene(1)
    scene.announce(SWISS, series="Fridays")
    published(scene)
    scene.register(*PEOPLE[:4])
    for step in (None, scene.start, scene.go_on, partial(play, scene, Random(1), 40)):
        if step is not None:
            step()
        for code in LANGUAGES:
            words = words_for(code)
            assert words("event_page.series", series="Fridays") in told(scene, code)
            assert series_rule_text(BY_PLACE, words) in told(scene, code)
        assert (series(scene).following, series(scene).dates_left) == (None, None)
    assert scene.event.phase is Phase.ENDED


def test_a_cancelled_event_still_names_its_series() -> None:
    scene = Scene(1)
    scene.announce(SWISS, series="Fridays")
    published(scene)
    scene.organise(organiser.cancel, why="no power")
    assert series(scene).name == "Fridays"


def test_a_flight_is_not_the_next_date_and_all_flights_count_the_same_dates_left() -> None:
    scene = Scene(1)
    plan = structure(Format.TOURNAMENT, most=2)
    scene.announce(plan, series="Fridays", minutes=DAY)
    published(scene)
    first = scene.key
    scene.register(*PEOPLE[:4])
    scene.organise(series_acts.plan_end, dates=2)
    flight = open_flight(scene)
    for key in (first, flight.key):
        assert (series(at(scene, key)).following, series(scene).dates_left) == (None, 3)
        assert words_for("en")("event_page.dates_with_this", count=3) in told(scene)
    scene.announce(plan, name="Next week", series="Fridays", minutes=8 * DAY)
    after = scene.key
    for key in (first, flight.key):
        found = series(at(scene, key)).following
        assert found is not None
        assert found.title == "Next week"
    published(at(scene, after))
    assert series(scene).following is None, "the others start earlier"
    scene.announce(plan, name="An hour earlier", series="Fridays", minutes=DAY - 60)
    found = series(at(scene, first)).following
    assert found is not None
    assert found.title == "Next week"
    scene.start()
    scene.go_on()
    scene.knock_out(PEOPLE[0], PEOPLE[1])
    scene.ends()
    assert series(scene).dates_left == 2
    assert words_for("en")("event_page.dates_left", count=2) in told(scene)
    assert series(at(scene, flight.key)).dates_left == 2
    assert words_for("en")("event_page.dates_with_this", count=2) in told(scene)


def test_the_dates_left_end_with_the_champion_and_the_next_run_begins_from_zero() -> None:
    scene, words = Scene(1), words_for("en")
    weekly(scene, 2)
    first = scene.key
    assert words("event_page.dates_with_this", count=2) in told(scene)
    hold(scene)
    assert words("event_page.dates_left", count=1) in told(scene)
    assert (series(scene).over, series(scene).champions) == (False, ())
    following(scene)
    last = scene.key
    assert words("event_page.last_date") in told(scene)
    hold(scene)
    champion = NAMES[PEOPLE.index(scene.places()[0])]
    for key in (first, last):
        found = series(at(scene, key))
        assert (found.dates_left, found.over, found.following) == (0, True, None)
        assert [person.name for person in found.champions] == [champion]
        assert {line.events for line in found.lines} == {2}
        for code in LANGUAGES:
            assert words_for(code)("event_page.series_over_champions", players=champion) in told(scene, code)
    scene.announce(SWISS, series="Fridays")
    published(scene)
    new = series(scene)
    assert (new.lines, new.dates_left, new.over, new.champions) == ((), None, False, ())
    hold(scene)
    assert {line.events for line in series(scene).lines} == {1}
    assert {line.events for line in series(at(scene, first)).lines} == {2}, "its own run"


def test_the_champion_follows_a_ruling_and_is_not_named_from_hidden_channels() -> None:
    scene = Scene(1)
    weekly(scene, 1)
    hold(scene)
    first, second = scene.places()[:2]
    scene.organise(late_rulings.strike, first, why="two accounts")
    (champion,) = series(scene).champions
    assert champion.name == NAMES[PEOPLE.index(second)]
    hidden = document(scene, seen=lambda channel: False).series
    assert hidden is not None
    assert hidden.champions, "the event's own channel hides nothing"
