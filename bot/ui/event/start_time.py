"""The start of an event as its organiser typed it: how it was read, or why it was not."""

from __future__ import annotations

from bot.text.hours import Doubt, is_counted_from_now, lacks_clock
from bot.text.words import Words, escape_name
from bot.text.zones import zone_name


def how_read(when: str, doubt: Doubt, zone: str, words: Words) -> list[str]:
    """The time as it was entered and the zone in which it was read, where that matters; then what puts it in doubt."""
    known = {"when": escape_name(when)}
    if is_counted_from_now(when):
        return [words("event_form.hour_from_now", **known)]
    read = [words("event_form.hour", **known, zone=zone_name(zone, words))]
    if doubt is Doubt.WEEKDAY:
        read.append(words("event_form.hour_weekday"))
    elif doubt is not Doubt.NONE:
        read.append(words(f"event_form.hour_{doubt.value}", zone=zone_name(zone, words)))
    return read


def why_unread(when: str, zone: str, now_ms: int, words: Words) -> str:
    """Whether no time was entered, a day alone, or something that is none."""
    if not when:
        return words("event_form.problem.hour")
    if lacks_clock(when, zone=zone, now_ms=now_ms):
        return words("event_form.problem.no_clock", when=escape_name(when))
    return words("event_form.problem.unread_hour", when=escape_name(when), zone=zone_name(zone, words))
