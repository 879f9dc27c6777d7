"""Time zones: the names that people type, and the zones installed on the machine.

The list of installed zones is cached, because reading it takes 30 ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from zoneinfo import available_timezones

from bot.model.choices import ServerSettings
from bot.text.languages import Language
from bot.text.words import Words


@cache
def zones() -> Mapping[str, str]:
    """Return all names by lookup key. Towns come before abbreviations and aliases."""
    names = sorted(available_timezones(), key=lambda name: ("/" not in name or name.startswith("Etc/"), name))
    return {name.casefold(): name for name in names}


def zone_named(text: str) -> str | None:
    """Return the time zone with this name, ignoring case; None if there's none."""
    return zones().get(text.strip().casefold())


def zone_name(zone: str, words: Words) -> str:
    """Return the name of a zone in the reader's language, such as ``日本時間``, or ``zone`` if it has none."""
    key = f"zone.{zone.replace('/', '_').casefold()}"
    return words(key) if words.has(key) else zone


def zones_with(text: str, *, most: int) -> list[str]:
    """Return the first ``most`` zones whose name contains ``text``. A space also matches an underscore."""
    wanted = text.strip().casefold().replace(" ", "_")
    return [name for folded, name in zones().items() if wanted in folded][:most]


def zone_of(server: ServerSettings, language: Language) -> str:
    """Return the server's time zone, or the default of ``language`` if it has none."""
    return zone_named(server.zone) or language.zone


def zone_written(text: str) -> str | None:
    """Return the time zone with this full name or town, such as ``New York``; None if there's none."""
    town = text.strip().casefold().replace(" ", "_")
    return zone_named(text) or next((name for folded, name in zones().items() if folded.endswith(f"/{town}")), None)
