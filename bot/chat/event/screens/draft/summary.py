"""What a draft says: the event as everybody will read it, and what only its organiser reads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.chat.event.screens.details import UNNOTICED_SECONDS, all_lines, start_seconds
from bot.chat.event.screens.draft.plan import changes_of, preview, told, unlike_the_kind
from bot.chat.event.screens.draft.sheet import LONGEST, START, Sheet, topic_fields, unread_fields
from bot.chat.event.screens.screen import before_lines, rounded_length
from bot.chat.kit.bot_permissions import NEEDED_FOR_TABLES, Permission, labels_of
from bot.chat.kit.given_roles import RoleProblem
from bot.model.events import Event
from bot.model.ids import GuildId, Player
from bot.model.reasons import PlanReason
from bot.model.tables import HouseGame
from bot.play.event.office.registration import Problem
from bot.play.event.office.views import EventView, Line
from bot.play.event.trials.forecast import Forecast, usual_people
from bot.pure.event.scoring import SeriesRule
from bot.pure.event.structure import Format, StructureError, range_of
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant, VariantError
from bot.text.durations import duration
from bot.text.event_structure import (
    change_lines,
    series_numbers,
    series_rule,
    structure_problem,
)
from bot.text.hours import Doubt, is_counted_from_now, lacks_clock
from bot.text.house_rules import problem_text
from bot.text.refusals import refusal
from bot.text.words import Words, escape_name
from bot.text.zones import zone_name

TEXTS = ("name", "when", "series", "description", "titles")
"""Fields that take any text."""
MOST_QUOTED = 20
"""Characters of what was typed that are shown again; the form has all of it."""
_EXACT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
NAMED_BY: Mapping[str, Mapping[str, str]] = {
    START: {"preset": "start", "": "start_change"},
    "levels": {"late_levels": "levels", "levels": "levels_only", "": "rounds"},
    "limits": {"break_levels": "limits", "win_cap": "limits_only", "": "fantasyland"},
    "tables": {"check_in_minutes": "tables", "": "tables_only"},
    "season": {"repeat": "season", "": "season_only"},
}
"""Names of a topic by the first of these fields that the format has and that can still be changed."""
MOST_UNREAD = 5
"""A form has no more fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPage:
    """Everything that the page shows."""

    sheet: Sheet
    guild: GuildId
    organiser: Player
    games: Sequence[HouseGame]
    game: Variant | VariantError
    """The game as it will be played, or why it cannot be."""
    problems: Sequence[Problem]
    zone: str
    now: int
    """Milliseconds."""
    section: str = ""
    """The topic that was chosen last."""
    no_threads: Sequence[Permission] = ()
    """The permissions that the bot lacks for threads."""
    threadless: bool = False
    """True where there can be none, whatever the bot may do."""
    may_give_roles: bool = False
    refused_role: RoleProblem | None = None
    """Why a role that was chosen cannot be promised."""
    refused_channels: Sequence[int] = ()
    """Those that were chosen for tables and can't be used."""
    leaving: bool = False
    """True once it was asked whether to throw it away."""
    lasts: Forecast | None = None
    """How long it lasts with those who are expected; None where it cannot be said."""
    event: Event | None = None
    """The event that would be changed; None for one that is still to be announced."""
    late: Sequence[str] = ()
    """The fields whose changes were left out, because the event has started."""
    people: Sequence[Line] = ()
    """Those who have registered for it, or play in it."""
    pool: int = 0
    """The chips that are played for now."""
    terms: str = ""
    """Those under which it is announced, or changed."""
    said: str = ""
    """What is to be read before all else."""

    @property
    def possible(self) -> bool:
        """True when it can be announced."""
        return not self.problems and isinstance(self.game, Variant)


def section_name(topic: str, sheet: Sheet, words: Words) -> str:
    """What a topic is called, by the fields that it asks for."""
    offered, names = topic_fields(topic, sheet), NAMED_BY.get(topic, {"": topic})
    name = next(name for field, name in names.items() if not field or field in offered)
    return words(f"event_form.sections.{name}")


# What everybody will read


def summary(page: FormPage, words: Words) -> list[str]:
    """The event as its message will show it."""
    return before_lines(_view(page), words, lasts=None)


def every_rule(page: FormPage, words: Words) -> list[list[str]]:
    """The event as its details will show it, and how its series counts."""
    sheet, blocks = page.sheet, all_lines(_view(page), words, lasts=page.lasts)
    if sheet.series:
        rule = SeriesRule(sheet.structure.scoring, sheet.structure.counted)
        numbers = series_numbers(rule.scoring, sheet.structure, usual_people(sheet.structure), words)
        blocks.append([series_rule(rule, words), numbers])
    return blocks


def _view(page: FormPage) -> EventView:
    """The event as it would be seen: of one that can't be played, with the game that it began from."""
    structure = page.sheet.structure
    game = page.game if isinstance(page.game, Variant) else next(iter(GAMES.values()))
    event = preview(page.sheet, game, organiser=page.organiser, zone=page.zone, now=page.now)
    pool = structure.added
    if page.event is not None:
        kept = page.event
        event = replace(event, key=kept.key, helpers=kept.helpers, phase=kept.phase, commitment=kept.commitment)
        pool += page.pool - page.event.structure.added
    return EventView(
        event=event,
        lines=tuple(page.people),
        tables=(),
        pool=pool,
        prizes=(),
        registration_open=True,
        reentry_open=False,
    )


# What only the organiser reads


def status(page: FormPage, words: Words) -> list[str]:
    """What stands in the way of publishing, or that nothing does and how long the event would last."""
    lines = []
    if page.late:
        late = Refused(PlanReason.TOO_LATE_TO_CHANGE, fields=",".join(page.late))
        lines.append(words.adorned("⚠️", refusal(late, words)))
    if unread := unread_fields(page.sheet)[:MOST_UNREAD]:
        lines += [words.adorned("⚠️", unread_text(name, page.sheet, page.game, words)) for name in unread]
        lines.append(words("event_form.unread.kept"))
    if isinstance(page.game, VariantError):
        lines.append(words.adorned("⛔", problem_text(page.game, words)))
    lines += [words.adorned("⛔", problem) for problem in _problems(page, words)]
    return [*lines, *([words.adorned("✅", _ready(page, words))] if page.possible else [])]


def _ready(page: FormPage, words: Words) -> str:
    """That it can be announced or changed, and how long it lasts with those who are expected."""
    said = [words("event_form.ready" if page.event is None else "event_form.ready_change")]
    if page.lasts is not None:
        middle = duration(rounded_length(page.lasts.middle // 1000), words)
        said.append(words("event_form.ready_lasts", middle=middle, count=page.lasts.people))
    return words.side_by_side(said)


def _problems(page: FormPage, words: Words) -> list[str]:
    # That nothing is different yet is said by itself.
    told_of = [one for one in page.problems if getattr(one, "reason", None) is not PlanReason.NOTHING_CHANGED]
    said = [problem_sentence(problem, page.sheet, words, zone=page.zone, now=page.now) for problem in told_of]
    return list(dict.fromkeys(said))


def notes(page: FormPage, words: Words) -> list[str]:
    """How the start was read, what was changed by itself, and what the bot can't do here."""
    lines = _hour(page, words)
    if page.sheet.form is Format.DUPLICATE:
        lines.append(words("event_form.no_fantasyland"))
    if page.no_threads:
        lines.append(words("event_form.no_threads", permissions=labels_of(page.no_threads, words)))
    if page.threadless:
        lines.append(words("event_form.threadless"))
    lines += _about_channels(page, words)
    if page.section == "prizes" and page.refused_role in (RoleProblem.OPENS, RoleProblem.OFFICE):
        lines.append(words(f"event_form.role_{page.refused_role.value}"))
    elif page.section == "prizes" and (page.refused_role or not page.may_give_roles):
        lines.append(words("event_form.no_role_power"))
    return [*lines, *(_chosen(page, words) if page.event is None else _changed(page, words))]


def _chosen(page: FormPage, words: Words) -> list[str]:
    """What was chosen that the kind of event doesn't have by itself: no message has room for it."""
    ours = {"threads"} if page.threadless or page.no_threads else set()
    chosen = change_lines([one for one in unlike_the_kind(page.sheet) if one[0] not in ours], words, brief=True)
    return [words("event_form.chosen", changes=words.facts(chosen))] if chosen else []


def _hour(page: FormPage, words: Words) -> list[str]:
    """How the start was read; nothing of one that its author hasn't entered."""
    sheet = page.sheet
    entered = page.event is None or page.event.starts_at != sheet.starts_at
    if sheet.start is None or not entered:
        return []
    return how_read(sheet.when, sheet.doubt, page.zone, words)


def _changed(page: FormPage, words: Words) -> list[str]:
    """What those who have registered will be told, and that another fee asks them anew."""
    changes = changes_of(page.sheet)
    changed = change_lines(told(page.sheet), words)
    asked = []
    if "fee" in changes and page.event is not None and page.event.phase.before and page.people:
        key = "event_form.changed.asked" if changes["fee"][0] else "event_form.changed.asked_free"
        asked = [words(key, count=len(page.people))]
    return [*asked, words("event_form.changed.title"), *changed] if changed else [words("event_form.changed.nothing")]


def _about_channels(page: FormPage, words: Words) -> list[str]:
    """How long a large start takes, and what the channels for tables must allow."""
    sheet = page.sheet
    structure, lines = sheet.structure, []
    if page.refused_channels:
        needed = labels_of(NEEDED_FOR_TABLES[structure.threads], words)
        lines.append(
            words("event_form.channels_refused", channels=_channels(page.refused_channels, words), permissions=needed)
        )
    if page.section == "tables" and structure.channels:
        lines.append(words("event_form.channels_seen", channels=_channels(structure.channels, words)))
    seconds = start_seconds(structure, structure.most) if structure.table_seats > 0 else 0
    if seconds > UNNOTICED_SECONDS:
        told = {"tables": structure.tables_for(structure.most), "most": structure.most}
        where = section_name("tables", sheet, words)
        lines.append(words("event_form.slow_start", **told, time=duration(seconds, words), section=where))
    return lines


def _channels(channels: Sequence[int], words: Words) -> str:
    return words.list([f"<#{channel}>" for channel in channels])


# The start of an event as its organiser typed it: how it was read, or why it was not.


def how_read(when: str, doubt: Doubt, zone: str, words: Words) -> list[str]:
    """The time as it was entered and the zone in which it was read, where that matters; then what puts it in doubt."""
    known = {"when": escape_name(when)}
    if is_counted_from_now(when):
        return [words("event_form.hour_from_now", **known)]
    # A date in figures may be that of the event this one was made from.
    key = "event_form.hour_exact" if _EXACT.fullmatch(when) else "event_form.hour"
    read = [words(key, **known, zone=zone_name(zone, words))]
    if doubt in (Doubt.WEEKDAY, Doubt.NEXT_YEAR):
        read.append(words(f"event_form.hour_{doubt.value}"))
    elif doubt is not Doubt.NONE:
        read.append(words(f"event_form.hour_{doubt.value}", zone=zone_name(zone, words)))
    return read


def why_unread(sheet: Sheet, zone: str, now_ms: int, words: Words) -> str:
    """Whether no time was entered, a day alone, or something that is none."""
    when = sheet.when
    if not when:
        return words("event_form.problem.hour", form=section_name(START, sheet, words))
    if lacks_clock(when, zone=zone, now_ms=now_ms):
        return words("event_form.problem.no_clock", when=escape_name(when))
    return words("event_form.problem.unread_hour", when=escape_name(when), zone=zone_name(zone, words))


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
    if problem.reason is PlanReason.START_TOO_EARLY and sheet.starts_at is None:
        return why_unread(sheet, zone, now, words)
    return refusal(problem, words)
