"""What a draft says: the event as everybody will read it, and what only its organiser reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.chat.event.screens.draft.plan import changes_of, preview, told
from bot.chat.event.screens.draft.sheet import LONGEST, Sheet, unread_fields, written_fields
from bot.chat.event.screens.screen import UNNOTICED_SECONDS, lasts_text, plan_lines, start_seconds, when_lines
from bot.chat.kit.bot_permissions import NEEDED_FOR_TABLES, Permission, labels_of
from bot.chat.kit.fragments import names
from bot.chat.kit.given_roles import RoleProblem
from bot.model.events import Event
from bot.model.ids import GuildId, Player
from bot.model.reasons import PlanReason
from bot.model.tables import HouseGame
from bot.play.event.office.registration import Problem
from bot.play.event.trials.forecast import Forecast, usual_people
from bot.pure.event.scoring import SeriesRule
from bot.pure.event.structure import Format, StructureError, range_of
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant, VariantError
from bot.text.durations import duration
from bot.text.event_structure import (
    change_lines,
    kind_name,
    meeting_lines,
    prize_lines,
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
NAMED_AFTER = {"basics": "when", "late": "late_levels", "place": "check_in_minutes"}
"""The field of a section that its name speaks of first and that not every format has."""
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
    """The section whose menus are open."""
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
    registered: int = 0
    """How many have registered for it, while it has not begun."""
    terms: str = ""
    """Those under which it is announced, or changed."""
    said: str = ""
    """What is to be read before all else."""

    @property
    def possible(self) -> bool:
        """True when it can be announced."""
        return not self.problems and isinstance(self.game, Variant)


def section_name(section: str, sheet: Sheet, words: Words) -> str:
    """What a section is called where the format has all its fields, or only some of them."""
    needed = NAMED_AFTER.get(section, "")
    whole = not needed or needed in written_fields(section, sheet)
    return words(f"event_form.{'sections' if whole else 'sections_rest'}.{section}")


# What everybody will read


def summary(page: FormPage, words: Words) -> list[list[str]]:
    """The event as it will be announced."""
    sheet = page.sheet
    about = map(escape_name, sheet.description.splitlines())
    lines = [f"## {escape_name(sheet.name)}", f"-# {kind_name(sheet.structure, words)}", *about, *_hour(page, words)]
    if isinstance(page.game, VariantError):
        return [lines, prize_lines(sheet.structure, words)]
    if page.lasts is not None:
        lines.append(lasts_text(page.lasts, words))
        lines += meeting_lines(sheet.structure, page.lasts.people, words)
    event = preview(page.sheet, page.game, organiser=page.organiser, zone=page.zone, now=page.now)
    behind = [words("event.organiser", people=names([page.organiser], words))]
    if sheet.series:
        rule = SeriesRule(sheet.structure.scoring, sheet.structure.counted)
        numbers = series_numbers(rule.scoring, sheet.structure, usual_people(sheet.structure), words)
        behind[:0] = [words("event.series", series=escape_name(sheet.series)), series_rule(rule, words), numbers]
    return [lines, plan_lines(event, words), prize_lines(sheet.structure, words), behind]


def _hour(page: FormPage, words: Words) -> list[str]:
    """The hour as everybody will see it, and as it was read."""
    sheet = page.sheet
    if sheet.form is Format.SIT_AND_GO:
        return [words("event.when_full")]
    if sheet.starts_at is None:
        return []
    assert isinstance(sheet.starts_at, int)
    shown = when_lines(
        preview(page.sheet, next(iter(GAMES.values())), organiser=page.organiser, zone=page.zone, now=page.now), words
    )
    if page.event is not None and page.event.starts_at == sheet.starts_at:
        return shown  # its author has entered none
    return [*shown, *how_read(sheet.when, sheet.doubt, page.zone, words)]


# What only the organiser reads


def wrong(page: FormPage, words: Words) -> list[str]:
    """What stands in the way: below the menus and the form's button, where somebody looks who has just sent a form."""
    lines = []
    if page.late:
        late = Refused(PlanReason.TOO_LATE_TO_CHANGE, fields=",".join(page.late))
        lines.append(words.adorned("⚠️", refusal(late, words)))
    if unread := unread_fields(page.sheet)[:MOST_UNREAD]:
        lines += [words.adorned("⚠️", unread_text(name, page.sheet, page.game, words)) for name in unread]
        lines.append(words("event_form.unread.kept"))
    if isinstance(page.game, VariantError):
        lines.append(words.adorned("⛔", problem_text(page.game, words)))
    return [*lines, *(words.adorned("⛔", problem) for problem in _problems(page, words))]


def _problems(page: FormPage, words: Words) -> list[str]:
    # That nothing is different yet is said by itself.
    told_of = [one for one in page.problems if getattr(one, "reason", None) is not PlanReason.NOTHING_CHANGED]
    said = [problem_sentence(problem, page.sheet, words, zone=page.zone, now=page.now) for problem in told_of]
    return list(dict.fromkeys(said))


def locked(page: FormPage, words: Words) -> list[str]:
    """The number of problems that keep the button below grey. The problems themselves are below the menus."""
    count = len(_problems(page, words)) + isinstance(page.game, VariantError)
    if not count:
        return []
    name = words("event_form.publish" if page.event is None else "event_form.save_change")
    return [words("event_form.locked", button=name, count=count)]


def notes(page: FormPage, words: Words) -> list[str]:
    """What was changed by itself, and what the bot can't do here."""
    lines = []
    if page.sheet.form is Format.DUPLICATE:
        lines.append(words("event_form.no_fantasyland"))
    if page.no_threads:
        lines.append(words("event_form.no_threads", permissions=labels_of(page.no_threads, words)))
    if page.threadless:
        lines.append(words("event_form.threadless"))
    lines += _about_channels(page, words)
    if page.section == "roles" and page.refused_role in (RoleProblem.OPENS, RoleProblem.OFFICE):
        lines.append(words(f"event_form.role_{page.refused_role.value}"))
    elif page.section == "roles" and (page.refused_role or not page.may_give_roles):
        lines.append(words("event_form.no_role_power"))
    # At the end: a list takes in the plain line that follows it.
    return [*lines, *([] if page.event is None else _changed(page, words))]


def _changed(page: FormPage, words: Words) -> list[str]:
    """What those who have registered will be told, and that another fee asks them anew."""
    changes = changes_of(page.sheet)
    changed = change_lines(told(page.sheet), words)
    asked = []
    if "fee" in changes and page.registered:
        key = "event_form.changed.asked" if changes["fee"][0] else "event_form.changed.asked_free"
        asked = [words(key, count=page.registered)]
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
    if page.section == "place" and structure.channels:
        lines.append(words("event_form.channels_seen", channels=_channels(structure.channels, words)))
    seconds = start_seconds(structure, structure.most) if structure.table_seats > 0 else 0
    if seconds > UNNOTICED_SECONDS:
        told = {"tables": structure.tables_for(structure.most), "most": structure.most}
        where = section_name("place", sheet, words)
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
        # The page of an event that was announced has no button on top.
        form = words("event_form.sections.basics" if sheet.of else "event_form.start")
        return words("event_form.problem.hour", form=form)
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
