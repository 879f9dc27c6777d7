"""Time zones: the names that people write, and those that the machine knows.

The files of the machine's zones are read once: all of them is 30 ms of looking around.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from zoneinfo import available_timezones

from bot.model.choices import Server
from bot.text.languages import Language
from bot.text.words import Words


@cache
def zones() -> Mapping[str, str]:
    """All names by how they are looked up; towns come before the abbreviations and aliases that begin the alphabet."""
    names = sorted(available_timezones(), key=lambda name: ("/" not in name or name.startswith("Etc/"), name))
    return {name.casefold(): name for name in names}


def zone_named(text: str) -> str | None:
    """The time zone that was written, in any case of letters; None for what is none."""
    return zones().get(text.strip().casefold())


def zone_name(zone: str, words: Words) -> str:
    """``日本時間`` for the zone of Tokyo; a zone that a language has no name for keeps its own."""
    key = f"zone.{zone.replace('/', '_').casefold()}"
    return words(key) if words.has(key) else zone


def zones_with(text: str, *, most: int) -> list[str]:
    """The first whose name holds what was typed; a space stands for any sign."""
    wanted = text.strip().casefold().replace(" ", "_")
    return [name for folded, name in zones().items() if wanted in folded][:most]


def zone_of(server: Server, language: Language) -> str:
    """The server's time zone, or that of the reader's language."""
    return zone_named(server.zone) or language.zone


def zone_written(text: str) -> str | None:
    """The time zone of a name in full, or of a town alone such as ``New York``; None for what is none."""
    town = text.strip().casefold().replace(" ", "_")
    return zone_named(text) or next((name for folded, name in zones().items() if folded.endswith(f"/{town}")), None)
