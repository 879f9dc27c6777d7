"""Time zones are read once and found by part of their name."""

from bot.model.choices import ServerSettings
from bot.text.languages import ENGLISH
from bot.text.zones import zone_named, zone_of, zones, zones_with
from tests.work import calls_of


def test_towns_come_before_abbreviations() -> None:
    found = zones_with("", most=10_000)
    assert found == list(zones().values())
    assert found.index("Pacific/Auckland") < found.index("CET")
    assert found.index("Pacific/Auckland") < found.index("Etc/GMT+1")


def test_a_zone_is_found_in_any_case_of_letters() -> None:
    assert zone_named(" asia/tokyo ") == "Asia/Tokyo"
    assert zone_named("Atlantis") is None
    assert zones_with("new york", most=25) == ["America/New_York"]


def test_a_zone_is_looked_up_without_reading_files() -> None:
    zones()
    assert calls_of(lambda: zones_with("zzz", most=25)) < 100
    assert calls_of(lambda: zone_of(ServerSettings(zone="Asia/Tokyo"), ENGLISH)) < 100
