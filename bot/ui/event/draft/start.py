"""The start of an event: how the time that was typed was read, and how long it takes until the last table is shown.

Discord's limits for channels set that pace. What was measured stands in docs/reliability.md: fifty threads in a channel
are made within eight seconds, and no more for five minutes. The other tables share the channel, which takes one message
a second.
"""

from __future__ import annotations

import re

from bot.event.seating import tables_needed
from bot.event.structure import Structure, StructureError, range_of
from bot.model.clock import DAY
from bot.model.events import Event, Phase
from bot.model.refusals import PlayReason
from bot.ofc.presets import PRESETS as GAMES
from bot.ofc.variants import Variant, VariantError
from bot.play.event.forecast import Forecast
from bot.play.event.registration import Problem
from bot.text.durations import duration, refusal
from bot.text.event_structure import structure_problem
from bot.text.hours import Doubt, is_counted_from_now, lacks_clock
from bot.text.words import Words, escape_name
from bot.text.zones import zone_name
from bot.ui.event.draft.sheet import LONGEST, Sheet
from bot.ui.fragments import moment

THREADS_AT_ONCE = 50
FIRST_SECONDS = 8
"""Until the draw was posted and those threads are made."""
UNNOTICED_SECONDS = 30
"""The first hands are dealt so long after the start in any case."""
TEXTS = ("name", "when", "series", "description", "titles")
"""Fields that take any text."""
MOST_QUOTED = 30
"""Characters of what was typed that are shown again; the form has all of it."""
LASTS_STEPS = ((7_200, 300), (86_400, 600), (1 << 62, 3_600))
"""Below so many seconds a length is told in steps of so many."""
_EXACT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
STEP_SECONDS = 10
"""It is told no more exactly than that."""


def tables_at_start(structure: Structure, players: int) -> int:
    """So many tables are opened for so many players."""
    return tables_needed(players, structure.table_seats)


def start_seconds(structure: Structure, players: int) -> int:
    """About so many seconds after the start the last table is shown."""
    in_channel = -(-tables_at_start(structure, players) // (1 + len(structure.channels)))
    seconds = FIRST_SECONDS + max(0, in_channel - (THREADS_AT_ONCE if structure.threads else 0))
    return -(-seconds // STEP_SECONDS) * STEP_SECONDS


def lasts_text(lasts: Forecast, people: int, words: Words) -> str:
    """``About 1 hour 20 minutes with 12 players (1 hour to 1 hour 50 minutes)``."""
    shown = {name: duration(_rounded(getattr(lasts, name) // 1000), words) for name in ("low", "middle", "high")}
    return words("event.lasts", **shown, count=people)


def ends_text(ends_at: int, *, started_at: int) -> str:
    """``22:40`` in the reader's own zone, with the day for what lasts longer than an evening."""
    step = 300 if ends_at - started_at < DAY else 3_600
    at = round(ends_at / 1000 / step) * step
    return f"<t:{at}:{'t' if ends_at - started_at < DAY else 'f'}>"


def _rounded(seconds: int) -> int:
    """As exactly as it can be known: 5 minutes of an hour or two, 10 of an evening, hours of days."""
    step = next(step for until, step in LASTS_STEPS if seconds < until)
    return max(step, round(seconds / step) * step)


# The start of an event as its organiser typed it: how it was read, or why it was not.


def how_read(when: str, doubt: Doubt, zone: str, words: Words) -> list[str]:
    """The time as it was entered and the zone in which it was read, where that matters; then what puts it in doubt."""
    known = {"when": escape_name(when)}
    if is_counted_from_now(when):
        return [words("event_form.hour_from_now", **known)]
    # A date in figures may be that of the event this one was made from.
    key = "event_form.hour_exact" if _EXACT.fullmatch(when) else "event_form.hour"
    read = [words(key, **known, zone=zone_name(zone, words))]
    if doubt is Doubt.WEEKDAY:
        read.append(words("event_form.hour_weekday"))
    elif doubt is not Doubt.NONE:
        read.append(words(f"event_form.hour_{doubt.value}", zone=zone_name(zone, words)))
    return read


def why_unread(sheet: Sheet, zone: str, now_ms: int, words: Words) -> str:
    """Whether no time was entered, a day alone, or something that is none."""
    when = sheet.when
    if not when:
        # The page of an event that was announced has no button on top.
        form = words("event_form.sections.basics" if sheet.of else "event_form.start")
        return words("event_form.problem.hour", form=form)
    if lacks_clock(when, zone=zone, now_ms=now_ms):
        return words("event_form.problem.no_clock", when=escape_name(when))
    return words("event_form.problem.unread_hour", when=escape_name(when), zone=zone_name(zone, words))


def when_lines(event: Event, words: Words) -> list[str]:
    """When it starts, in the reader's own time."""
    if event.starts_at is None:
        return [words("event.when_full")]
    lines = [words("event.when", at=stamp(event.starts_at), from_now=moment(event.starts_at))]
    if event.repeat is not None:
        lines.append(words(f"event.repeat.{event.repeat.every.value}"))
    opens = event.check_in_at
    if event.phase is Phase.REGISTERING and opens is not None and event.starts_at > event.created_at:
        # Where the start is near it opens as soon as the event is announced.
        lines.append(
            words("event.check_in_at_once")
            if opens <= event.created_at
            else words("event.check_in_from", at=stamp(opens), from_now=moment(opens))
        )
    return lines


def stamp(milliseconds: int) -> str:
    """Day and time in the reader's own time zone."""
    return f"<t:{milliseconds // 1000}:F>"


# What stands in the way of an event that is being prepared


def unread_text(name: str, sheet: Sheet, game: Variant | VariantError, words: Words) -> str:
    """What a field takes whose text could not be read."""
    field = words(f"event_form.field.{name}")
    if name in TEXTS:
        return words("event_form.unread.text", field=field, most=LONGEST[name])
    typed = escape_name(sheet.typed[name][:MOST_QUOTED])
    if name in LONGEST:
        return words(f"event_form.unread.{name}", field=field, typed=typed)
    seats = game.max_seats if isinstance(game, Variant) else max(one.max_seats for one in GAMES.values())
    least, most = range_of(name, sheet.structure, most_seats=seats)
    values = {"least": words.number(least), "most": words.number(most)}
    return words("event_form.unread.number", field=field, typed=typed, **values)


def problem_sentence(problem: Problem, sheet: Sheet, words: Words, *, zone: str, now: int) -> str:
    """One thing that stands in the way; of what was not written yet it says what to write."""
    if isinstance(problem, StructureError):
        return structure_problem(problem, words)
    if problem.reason is PlayReason.START_TOO_EARLY and sheet.starts_at is None:
        return why_unread(sheet, zone, now, words)
    return refusal(problem, words)
