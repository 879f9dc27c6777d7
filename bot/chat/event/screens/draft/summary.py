"""The texts about a draft: the preview for members, and the notes for its organiser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.chat.event.screens.details import UNNOTICED_SECONDS, all_lines, start_seconds
from bot.chat.event.screens.draft.event_choices import MAX_LENGTHS, START, EventChoices, topic_fields, unread_fields
from bot.chat.event.screens.draft.plan import changes_of, preview, told, unlike_the_kind
from bot.chat.event.screens.screen import before_lines, rounded_length
from bot.chat.kit.bot_permissions import NEEDED_FOR_TABLES, Permission, permission_list
from bot.chat.kit.given_roles import RoleProblem
from bot.model.events import Event
from bot.model.ids import GuildId, Player
from bot.model.reasons import PlanReason
from bot.model.tables import HouseGame
from bot.play.event.office.registration import Problem
from bot.play.event.office.views import EventView, StandingsLine
from bot.play.event.trials.forecast import Forecast, default_players
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
from bot.text.hours import TimeDoubt, is_counted_from_now, lacks_clock
from bot.text.house_rules import problem_text
from bot.text.refusals import refusal
from bot.text.words import Words, escape_name
from bot.text.zones import zone_name

TEXTS = ("name", "when", "series", "description", "titles")
"""Fields that accept any text."""
MAX_QUOTED_LENGTH = 20
"""Maximum length of a typed text quoted here. The form has all of it."""
_EXACT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
NAMED_BY: Mapping[str, Mapping[str, str]] = {
    START: {"preset": "start", "": "start_change"},
    "levels": {"late_levels": "levels", "levels": "levels_only", "": "rounds"},
    "limits": {"break_levels": "limits", "win_cap": "limits_only", "": "fantasyland"},
    "tables": {"check_in_minutes": "tables", "": "tables_only"},
    "season": {"repeat": "season", "": "season_only"},
}
"""Names of a topic. The first of these fields that the format has and that can still be changed decides."""
MAX_UNREAD_FIELDS = 5
"""Maximum number of unparsed fields, which is the number of fields in a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPage:
    """Content of the page."""

    choices: EventChoices
    guild: GuildId
    organiser: Player
    games: Sequence[HouseGame]
    game: Variant | VariantError
    """The game to be played, or the reason why it can't be played."""
    problems: Sequence[Problem]
    zone: str
    now: int
    """The current time (ms)."""
    section: str = ""
    """The most recently chosen topic."""
    no_threads: Sequence[Permission] = ()
    """The permissions that the bot lacks for threads."""
    threadless: bool = False
    """True if the channel can't have threads, even with all permissions."""
    may_give_roles: bool = False
    refused_role: RoleProblem | None = None
    """The problem with a chosen role; None if there is none."""
    refused_channels: Sequence[int] = ()
    """Channels chosen for tables but not usable."""
    leaving: bool = False
    """True after the user was asked whether to discard the draft."""
    lasts: Forecast | None = None
    """The length with the expected number of players; None if unknown."""
    event: Event | None = None
    """The event being changed; None for a new one."""
    late: Sequence[str] = ()
    """The fields whose changes were left out because the event has started."""
    people: Sequence[StandingsLine] = ()
    """The players who are registered or playing."""
    pool: int = 0
    """The current prize pool."""
    terms: str = ""
    """The terms of the announcement or the change."""
    said: str = ""
    """A line above everything else."""
    now_timed: bool = False
    """True if the start just entered turned a Sit & Go into a tournament."""

    @property
    def possible(self) -> bool:
        """True if the event can be announced."""
        return not self.problems and isinstance(self.game, Variant)


def section_name(topic: str, choices: EventChoices, words: Words) -> str:
    """Return a topic's name, which depends on the fields it has."""
    offered, names = topic_fields(topic, choices), NAMED_BY.get(topic, {"": topic})
    name = next(name for field, name in names.items() if not field or field in offered)
    return words(f"event_form.sections.{name}")


# The preview for members


def summary(page: FormPage, words: Words) -> list[str]:
    """Return the event as its message will show it."""
    return before_lines(_view(page), words, lasts=None)


def every_rule(page: FormPage, words: Words) -> list[list[str]]:
    """Return the event as its details will show it, and the rule of its series."""
    choices, blocks = page.choices, all_lines(_view(page), words, lasts=page.lasts)
    if choices.series:
        rule = SeriesRule(choices.structure.scoring, choices.structure.counted)
        numbers = series_numbers(rule.scoring, choices.structure, default_players(choices.structure), words)
        blocks.append([series_rule(rule, words), numbers])
    return blocks


def _view(page: FormPage) -> EventView:
    """Return the event's view. If the game can't be played, it shows a preset instead."""
    structure = page.choices.structure
    game = page.game if isinstance(page.game, Variant) else next(iter(GAMES.values()))
    event = preview(page.choices, game, organiser=page.organiser, zone=page.zone, now=page.now)
    pool = structure.added
    if page.event is not None:
        kept = page.event
        event = replace(event, key=kept.key, helpers=kept.helpers, phase=kept.phase, commitment=kept.commitment)
        event = replace(event, repeat=kept.repeat)  # a change leaves it as it is
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


# The notes for the organiser


def status(page: FormPage, words: Words) -> list[str]:
    """Return the problems that prevent publishing. If there are none, say so, with the event's expected length."""
    lines = []
    if page.late:
        late = Refused(PlanReason.TOO_LATE_TO_CHANGE, fields=",".join(page.late))
        lines.append(words.adorned("⚠️", refusal(late, words)))
    if unread := unread_fields(page.choices)[:MAX_UNREAD_FIELDS]:
        lines += [words.adorned("⚠️", unread_text(name, page.choices, page.game, words)) for name in unread]
        lines.append(words("event_form.unread.kept"))
    if isinstance(page.game, VariantError):
        lines.append(words.adorned("⛔", problem_text(page.game, words)))
    lines += [words.adorned("⛔", problem) for problem in _problems(page, words)]
    return [*lines, *([words.adorned("✅", _ready(page, words))] if page.possible else [])]


def _ready(page: FormPage, words: Words) -> str:
    """Return a line saying that the event can be announced or changed, with its expected length."""
    said = [words("event_form.ready" if page.event is None else "event_form.ready_change")]
    if page.lasts is not None:
        middle = duration(rounded_length(page.lasts.middle // 1000), words)
        said.append(words("event_form.ready_lasts", middle=middle, count=page.lasts.people))
    return words.side_by_side(said)


def _problems(page: FormPage, words: Words) -> list[str]:
    # The section of changes already says that nothing has changed.
    told_of = [one for one in page.problems if getattr(one, "reason", None) is not PlanReason.NOTHING_CHANGED]
    said = [problem_sentence(problem, page.choices, words, zone=page.zone, now=page.now) for problem in told_of]
    return list(dict.fromkeys(said))


def notes(page: FormPage, words: Words) -> list[str]:
    """Return notes on how the start was parsed, on automatic changes, and on permissions that the bot lacks here."""
    lines = _hour(page, words)
    if page.now_timed:
        lines.append(words("event_form.now_timed"))
    if page.choices.form is Format.DUPLICATE:
        lines.append(words("event_form.no_fantasyland"))
    if page.no_threads:
        lines.append(words("event_form.no_threads", permissions=permission_list(page.no_threads, words)))
    if page.threadless:
        lines.append(words("event_form.threadless"))
    lines += _about_channels(page, words)
    if page.section == "prizes" and page.refused_role in (RoleProblem.OPENS, RoleProblem.OFFICE):
        lines.append(words(f"event_form.role_{page.refused_role.value}"))
    elif page.section == "prizes" and (page.refused_role or not page.may_give_roles):
        lines.append(words("event_form.no_role_power"))
    return [*lines, *(_chosen(page, words) if page.event is None else _change_lines(page, words))]


def _chosen(page: FormPage, words: Words) -> list[str]:
    """Return the settings that differ from the kind's defaults, whether the organiser, a copied event, its series or
    its game made the difference. The preview doesn't show them all.
    """
    ours = {"threads"} if page.threadless or page.no_threads else set()
    chosen = change_lines([one for one in unlike_the_kind(page.choices) if one[0] not in ours], words, brief=True)
    return [words("event_form.chosen", changes=words.facts(chosen))] if chosen else []


def _hour(page: FormPage, words: Words) -> list[str]:
    """Return how the start was parsed; empty if its author hasn't entered one."""
    choices = page.choices
    entered = page.event is None or page.event.starts_at != choices.starts_at
    if choices.start is None or not entered:
        return []
    return how_read(choices.when, choices.doubt, page.zone, words)


def _change_lines(page: FormPage, words: Words) -> list[str]:
    """Return the changes that registered players will see. If the fee changes, they must register again."""
    changes = changes_of(page.choices)
    changed = change_lines(told(page.choices), words)
    asked = []
    if "fee" in changes and page.event is not None and page.event.phase.before and page.people:
        key = "event_form.changed.asked" if changes["fee"][0] else "event_form.changed.asked_free"
        asked = [words(key, count=len(page.people))]
    return [*asked, words("event_form.changed.title"), *changed] if changed else [words("event_form.changed.nothing")]


def _about_channels(page: FormPage, words: Words) -> list[str]:
    """Return the delay of a large start, and the requirements for table channels."""
    choices = page.choices
    structure, lines = choices.structure, []
    if page.refused_channels:
        needed = permission_list(NEEDED_FOR_TABLES[structure.threads], words)
        lines.append(
            words("event_form.channels_refused", channels=_channels(page.refused_channels, words), permissions=needed)
        )
    if page.section == "tables" and structure.channels:
        lines.append(words("event_form.channels_seen", channels=_channels(structure.channels, words)))
    seconds = start_seconds(structure, structure.most) if structure.table_seats > 0 else 0
    if seconds > UNNOTICED_SECONDS:
        told = {"tables": structure.tables_for(structure.most), "most": structure.most}
        where = section_name("tables", choices, words)
        lines.append(words("event_form.slow_start", **told, time=duration(seconds, words), section=where))
    return lines


def _channels(channels: Sequence[int], words: Words) -> str:
    return words.list([f"<#{channel}>" for channel in channels])


# A typed start as it was parsed, and its problems


def how_read(when: str, doubt: TimeDoubt, zone: str, words: Words) -> list[str]:
    """Return the typed time and its zone, if they matter, and anything doubtful about them."""
    known = {"when": escape_name(when)}
    if is_counted_from_now(when):
        return [words("event_form.hour_from_now", **known)]
    # A numeric date may come from a copied event.
    key = "event_form.hour_exact" if _EXACT.fullmatch(when) else "event_form.hour"
    read = [words(key, **known, zone=zone_name(zone, words))]
    if doubt in (TimeDoubt.WEEKDAY, TimeDoubt.NEXT_YEAR):
        read.append(words(f"event_form.hour_{doubt.value}"))
    elif doubt is not TimeDoubt.NONE:
        read.append(words(f"event_form.hour_{doubt.value}", zone=zone_name(zone, words)))
    return read


def why_unread(choices: EventChoices, zone: str, now_ms: int, words: Words) -> str:
    """Return whether the time is missing, has only a date, or can't be parsed."""
    when = choices.when
    if not when:
        return words("event_form.problem.hour", form=section_name(START, choices, words))
    if lacks_clock(when, zone=zone, now_ms=now_ms):
        return words("event_form.problem.no_clock", when=escape_name(when))
    return words("event_form.problem.unread_hour", when=escape_name(when), zone=zone_name(zone, words))


# Problems with a draft


def unread_text(name: str, choices: EventChoices, game: Variant | VariantError, words: Words) -> str:
    """Return the valid values of a field whose text couldn't be parsed."""
    field = words(f"event_form.field.{name}")
    if name in TEXTS:
        return words("event_form.unread.text", field=field, most=MAX_LENGTHS[name])
    typed = escape_name(choices.typed[name][:MAX_QUOTED_LENGTH])
    if name in MAX_LENGTHS:
        return words(f"event_form.unread.{name}", field=field, typed=typed)
    seats = game.max_seats if isinstance(game, Variant) else max(one.max_seats for one in GAMES.values())
    least, most = range_of(name, choices.structure, max_seats=seats)
    values = {"least": words.number(least), "most": words.number(most)}
    return words("event_form.unread.number", field=field, typed=typed, **values)


def problem_sentence(problem: Problem, choices: EventChoices, words: Words, *, zone: str, now: int) -> str:
    """Return a problem in a sentence. For a missing start, it says what to enter."""
    if isinstance(problem, StructureError):
        return structure_problem(problem, words)
    if problem.reason is PlanReason.START_TOO_EARLY and choices.starts_at is None:
        return why_unread(choices, zone, now, words)
    return refusal(problem, words)
