"""The draft of an event: the choices so far, as values that can be stored and loaded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any

from bot.base.clean_text import few_lines, one_line
from bot.chat.kit.modals import MAX_FIELDS
from bot.model.clock import DEFAULT_SECONDS, LIMITS, Clock, Pace, pace_for
from bot.model.events import RepeatInterval
from bot.pure.event.limits import MAX_COUNTED_EVENTS
from bot.pure.event.pairings import Pairings
from bot.pure.event.scoring import SeriesRule
from bot.pure.event.structure import PRESETS, Family, Format, Structure, structure_from
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant
from bot.text.durations import parse_duration, short_duration
from bot.text.event_amounts import LevelUnit, level_length, parse_level_length, split_bounty
from bot.text.event_structure import IN_FORM
from bot.text.hours import ParsedTime, TimeDoubt
from bot.text.languages import LANGUAGES
from bot.text.words import Words

START = "start"
"""The main topic, which most events need and which has its own button."""
HONOURS = "honours"
"""The form for titles, the roles after the winner's, and ties."""
TOPICS: Mapping[str, tuple[str, ...]] = {
    START: (START,),
    "people": ("people",),
    "levels": ("levels",),
    "limits": ("limits",),
    "prizes": ("prizes", HONOURS),
    "tables": ("tables",),
    "season": ("season", "about"),
}
"""The forms of a topic. The first has the topic's name, and holds all its fields if they fit."""
FORMS: Mapping[str, tuple[str, ...]] = {
    START: ("preset", "name", "when", "game", "pace"),
    "people": ("table_seats", "most", "least", "groups", "through", "third_place", "seeding", "handicap"),
    "levels": (
        *("stack", "levels", "level_length", "late_levels", "reentries"),
        *("rounds", "round_hands", "round_hours", "pairings"),
    ),
    "limits": ("break_levels", "break_minutes", "win_cap", "fantasyland", "leaving", "handicap"),
    "prizes": ("fee", "bounty", "added", "payouts", "role_1"),
    HONOURS: ("titles", "role_2", "role_3", "ties"),
    "tables": ("time", "check_in_minutes", "no_show", "threads", "channels"),
    "season": ("series", "scoring", "counted", "repeat"),
    "about": ("description", "page"),
}
"""The fields of a form, in order."""
CHOSEN = frozenset(
    (
        *("preset", "game", "pace", "fantasyland", "win_cap", "no_show", "threads", "channels"),
        *("scoring", "counted", "repeat", "third_place", "seeding", "handicap", "pairings", "leaving"),
        *("role_1", "role_2", "role_3", "ties", "page"),
    )
)
"""Fields with a menu. All others are typed."""
ROLES = ("role_1", "role_2", "role_3")
# Ten titles of forty characters need 409.
MAX_LENGTHS = {
    "name": 60,
    "when": 60,
    "series": 40,
    "description": 400,
    "levels": 300,
    "payouts": 300,
    "titles": 409,
    "time": 20,
    "level_length": 20,
    "bounty": 30,
}
"""Maximum length of typed fields. Numbers have ``MAX_NUMBER_LENGTH``."""
AS_KEPT: Mapping[str, tuple[str, ...]] = {
    **{asked: (kept,) for kept, names in IN_FORM.items() for asked in names},
    "level_length": ("level_hands", "level_minutes"),
    "bounty": ("bounty", "bounty_grows"),
}
"""The event's fields that a field here stands for, if their names differ."""
PAIRED_AS: Mapping[Pairings, str] = {Pairings.DRAW: "league", Pairings.ALL: "round_robin", Pairings.SWISS: "swiss"}
"""The preset of a league by its pairings."""
KINDS = tuple(key for key in PRESETS if key not in ("bicycle", "round_robin", "swiss"))
"""The kinds of event to choose from.

A deep-stack tournament is a tournament with other numbers. Round robin and Swiss are pairings of a league. Drafts of
earlier versions may have their presets.
"""
MAX_NUMBER_LENGTH = 12
MAX_TITLE_LENGTH = 40
MAX_TITLES = 10
MAX_ROLES = 3
MANY_PLAYERS = 60
"""Smallest maximum of players for more channels."""
YES, NO = "yes", "no"
FIRST = "sit_and_go"
"""The kind of a new draft. It can be published unchanged."""
VERSION = 1
ONCE = "once"
REPEATS = (ONCE, *(every.value for every in RepeatInterval))
COUNTED: Mapping[str, int] = {str(count): count for count in range(MAX_COUNTED_EVENTS + 1)}
"""Options for the number of events that count in a series; 0 means all."""
NEWER: Mapping[str, Any] = {"page": False, "pages": False}
"""Values of fields that drafts of earlier versions don't have."""
_LISTS = ("levels", "payouts")
_TEXTS = ("name", "series", "description")
_MULTIPLES = {name: times for language in LANGUAGES.values() for name, times in language.typed.multiples.items()}
_NUMBER = re.compile(rf"([0-9]{{1,9}})({'|'.join(map(re.escape, _MULTIPLES))})?")
_SIGNS = re.compile(r"[\s,、/→>;]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class EventChoices:
    """All choices for an event, valid or not."""

    preset: str = FIRST
    structure: Structure = PRESETS[FIRST]
    game: str = next(iter(GAMES))
    """A preset's key, or the tag of a server's own game."""
    fantasyland: bool = True
    name: str = ""
    when: str = ""
    """The start as typed."""
    starts_at: int | None = None
    doubt: TimeDoubt = TimeDoubt.NONE
    series: str = ""
    description: str = ""
    page: bool = False
    """True if the event has a public web page."""
    pages: bool = False
    """True if the bot serves such pages."""
    repeat: str = ONCE
    """The repeat interval."""
    pace: Pace = Pace.PER_TURN
    seconds: int = DEFAULT_SECONDS[Pace.PER_TURN]
    typed: Mapping[str, str] = field(default_factory=dict)
    """Typed texts that couldn't be parsed, by field. The fields keep their values, and the forms show these texts."""

    of: int = 0
    """The number of the event being changed; 0 for a new event."""
    seen: Mapping[str, Any] = field(default_factory=dict)
    """The event's plain values when its author started changing it."""
    open: Sequence[str] = field(default_factory=list)
    """The event's fields that can be changed."""
    aside: Mapping[str, Any] = field(default_factory=dict)
    """The author's previous draft as plain values; empty if there was none."""

    @property
    def form(self) -> Format:
        """The format."""
        return self.structure.format

    @property
    def clock(self) -> Clock:
        """The clock of its tables."""
        return Clock(pace=self.pace, seconds=self.seconds)

    @property
    def every(self) -> RepeatInterval | None:
        """The repeat interval; None if the event is held once."""
        return None if self.repeat == ONCE else RepeatInterval(self.repeat)

    @property
    def start(self) -> int | None:
        """The start (ms); None for a Sit & Go, or while it's unknown."""
        return None if self.form is Format.SIT_AND_GO else self.starts_at

    def to_json(self) -> dict[str, Any]:
        """Return the draft as plain values, which :func:`choices_from_json` loads."""
        plain = {one.name: _plain(getattr(self, one.name)) for one in fields(self) if one.name != "structure"}
        return {**plain, "structure": self.structure.to_json(), "version": VERSION}


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def choices_from_json(values: Mapping[str, Any]) -> EventChoices | None:
    """Return the draft from plain values; None if they're damaged or were written by another version."""
    try:
        values = {**NEWER, **values}
        known = {one.name: values[one.name] for one in fields(EventChoices)}
        structure = structure_from(known["structure"])
        choices = EventChoices(
            **{
                **known,
                "structure": structure,
                "doubt": TimeDoubt(known["doubt"]),
                "pace": Pace(known["pace"]),
            }
        )
        sound = values["version"] == VERSION and choices.preset in PRESETS and _sound(structure) and _whole(choices)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return choices if sound else None


def _sound(structure: Structure) -> bool:
    """True if every field has the right type."""
    for one in fields(structure):
        value, usual = getattr(structure, one.name), getattr(next(iter(PRESETS.values())), one.name)
        if type(value) is not type(usual):
            return False
        if isinstance(value, tuple) and not all(type(part) is (str if one.name == "titles" else int) for part in value):
            return False
    return True


def _whole(choices: EventChoices) -> bool:
    """True if the draft's own fields have the right types."""
    texts = (choices.game, choices.name, choices.when, choices.series, choices.description)
    hour = choices.starts_at is None or type(choices.starts_at) is int
    return (
        all(type(text) is str for text in texts)
        and choices.repeat in REPEATS
        and hour
        and type(choices.seconds) is int
        and all(type(one) is bool for one in (choices.fantasyland, choices.page, choices.pages))
        and all(type(text) is str for text in choices.typed.values())
        and type(choices.of) is int
        and isinstance(choices.seen, Mapping)
        and isinstance(choices.aside, Mapping)
    )


# Fields of a format


def means_something(name: str, form: Format) -> bool:
    """True if the format has the field."""
    match name:
        case "when" | "check_in_minutes" | "no_show" | "least" | "repeat":
            return form is not Format.SIT_AND_GO
        case "table_seats":
            return not form.heads_up
        case "stack" | "levels" | "level_length" | "win_cap":
            return form.family is not Family.ROUNDS
        case "break_levels" | "break_minutes" | "bounty" | "leaving":
            return form.family is Family.FREEZEOUT
        case "late_levels" | "reentries":
            return form is Format.TOURNAMENT
        case "rounds" | "round_hands" | "round_hours":
            return form.family is Family.ROUNDS
        case "fantasyland":
            return form is not Format.DUPLICATE
        case "third_place":
            return form is Format.SINGLE
        case "seeding":
            return form.family is Family.KNOCKOUT or form is Format.TOURNAMENT
        case "handicap":
            return form.family is not Family.FREEZEOUT and form is not Format.DUPLICATE
        case "groups" | "through":
            return form is Format.GROUPS
        case "pairings":
            return form is Format.LEAGUE
        case "ties":
            return not form.heads_up  # the losers of a bracket's round always share their place
        case _:
            return True


def _is_offered(name: str, choices: EventChoices) -> bool:
    """True if the format has the field and, for an announced event, it can still be changed."""
    if name in ("scoring", "counted") and not choices.series:
        return False
    if name == "rounds" and choices.structure.pairings is Pairings.ALL:
        return False  # follows from the number of players
    if name == "channels" and choices.structure.most < MANY_PLAYERS and not choices.structure.channels:
        return False  # one channel opens that many tables at once
    if name == "page" and not (choices.pages or choices.page):
        return False
    kept = AS_KEPT.get(name, (name,))
    has = means_something(name, choices.form) or (name == "handicap" and choices.structure.handicap)
    return has and (not choices.of or any(one in choices.open for one in kept))


def _fields(form: str, choices: EventChoices) -> list[str]:
    if form == START and not choices.of:
        return list(FORMS[START])  # a start turns a Sit & Go into another kind
    # With groups, the players' form is full, so the handicap is in another form.
    elsewhere = "people" if choices.form is Format.GROUPS else "limits"
    return [
        name for name in FORMS[form] if _is_offered(name, choices) and not (name == "handicap" and form == elsewhere)
    ]


def topic_fields(topic: str, choices: EventChoices) -> list[str]:
    """Return all fields of a topic."""
    return [name for form in TOPICS.get(topic, ()) for name in _fields(form, choices)]


def topics(choices: EventChoices) -> list[str]:
    """Return the topics that have a field."""
    return [topic for topic in TOPICS if topic_fields(topic, choices)]


def forms(topic: str, choices: EventChoices, *, roles: bool) -> list[str]:
    """Return the forms of a topic, or a single one if all fields fit. ``roles`` is True if roles can be promised."""
    parts = [form for form in TOPICS.get(topic, ()) if _promised(_fields(form, choices), roles=roles)]
    return [topic] if parts and len(_promised(topic_fields(topic, choices), roles=roles)) <= MAX_FIELDS else parts


def form_fields(form: str, choices: EventChoices, *, roles: bool) -> list[str]:
    """Return the fields of a form; empty if the draft doesn't have it."""
    topic = next((topic for topic, parts in TOPICS.items() if form in parts), "")
    offered = forms(topic, choices, roles=roles)
    if form not in offered:
        return []
    fields = topic_fields(topic, choices) if len(offered) == 1 and form == topic else _fields(form, choices)
    return _promised(fields, roles=roles)


def _promised(fields: Sequence[str], *, roles: bool) -> list[str]:
    return [name for name in fields if roles or name not in ROLES]


def topic_of(name: str) -> str:
    """Return the topic of a field."""
    return next((topic for topic, parts in TOPICS.items() if any(name in FORMS[form] for form in parts)), "")


# Changing


def with_preset(choices: EventChoices, key: str) -> EventChoices:
    """Return the draft with another kind of event. The chosen prizes and channels are kept."""
    kept = choices.structure
    structure = replace(
        PRESETS[key],
        fee=kept.fee,
        bounty=kept.bounty if PRESETS[key].format.family is Family.FREEZEOUT else 0,
        bounty_grows=kept.bounty_grows,
        added=kept.added,
        payouts=kept.payouts,
        ties=PRESETS[key].ties if PRESETS[key].format.heads_up else kept.ties,
        titles=kept.titles,
        roles=kept.roles,
        threads=kept.threads,
        channels=kept.channels,
        scoring=kept.scoring,
        counted=kept.counted,
    )
    return replace(choices, preset=key, structure=structure)


def with_game(choices: EventChoices, game: str, variant: Variant) -> EventChoices:
    """Return the draft with another game. The seats per table are adjusted to it."""
    return clamp_seats(replace(choices, game=game), variant)


def clamp_seats(choices: EventChoices, variant: Variant) -> EventChoices:
    """Return the draft with the seats per table limited to the game's range, unless the format fixes them."""
    if choices.form.heads_up:
        return choices
    seats = min(max(choices.structure.table_seats, variant.min_seats), variant.max_seats)
    return replace(choices, structure=replace(choices.structure, table_seats=seats))


def with_hour(choices: EventChoices, text: str, hour: ParsedTime | None) -> EventChoices:
    """Return the draft with another start, both as typed and as parsed."""
    at, doubt = (None, TimeDoubt.NONE) if hour is None else (hour.at_ms, hour.doubt)
    return replace(choices, when=" ".join(text.split()), starts_at=at, doubt=doubt)


def with_choice(choices: EventChoices, name: str, value: str) -> EventChoices:
    """Return the draft with a value chosen from a menu. Raises ValueError if the menu doesn't offer it."""
    structure = choices.structure
    match name:
        case "fantasyland":
            return replace(choices, fantasyland=value == YES)
        case "page":
            return replace(choices, page=value == YES)
        case "repeat":
            return replace(choices, repeat=value if value in REPEATS else ONCE)
        case "pace":
            return replace(choices, pace=Pace(value), seconds=DEFAULT_SECONDS[Pace(value)])
        case "no_show" | "leaving" | "seeding" | "scoring" | "ties":
            changes: dict[str, Any] = {name: type(getattr(structure, name))(value)}
            return replace(choices, structure=replace(structure, **changes))
        case "win_cap":
            cap = WinCap(value)
            # Only an unlimited win lets busted players win chips back in the same hand.
            return replace(choices, structure=replace(structure, win_cap=cap, bust_is_final=cap is not WinCap.NONE))
        case "pairings":
            return replace(choices, structure=_with_pairings(structure, Pairings(value)))
        case "counted":
            return replace(choices, structure=replace(structure, counted=COUNTED[value]))
        case "threads" | "third_place" | "handicap":
            changes = {name: value == YES}
            return replace(choices, structure=replace(structure, **changes))
        case _:
            raise ValueError(name)


def _with_pairings(structure: Structure, pairings: Pairings) -> Structure:
    """Return a league with other pairings, with their default seats and maximum unless others were chosen."""
    before, after = PRESETS[PAIRED_AS[structure.pairings]], PRESETS[PAIRED_AS[pairings]]
    seats = after.table_seats if structure.table_seats == before.table_seats else structure.table_seats
    most = after.most if structure.most == before.most else structure.most
    return replace(structure, pairings=pairings, table_seats=seats, most=most)


def with_rule(choices: EventChoices, rule: SeriesRule) -> EventChoices:
    """Return the draft with the rule that its series already has."""
    return replace(choices, structure=replace(choices.structure, scoring=rule.scoring, counted=rule.counted))


def with_role(choices: EventChoices, place: int, role: int) -> EventChoices:
    """Return the draft with the role for a place, counted from 0; 0 for no role."""
    roles = [*choices.structure.roles, *[0] * MAX_ROLES][:MAX_ROLES]
    roles[place] = role
    while roles and not roles[-1]:
        roles.pop()
    return replace(choices, structure=replace(choices.structure, roles=tuple(roles)))


def with_channels(choices: EventChoices, channels: Sequence[int]) -> EventChoices:
    """Return the draft with additional channels for tables, besides the event's own."""
    return replace(choices, structure=replace(choices.structure, channels=tuple(channels)))


def with_written(choices: EventChoices, names: Sequence[str], values: Sequence[str]) -> EventChoices:
    """Return the draft with a form's texts. Fields that can't be parsed keep their values."""
    typed = dict(choices.typed)
    for name, text in zip(names, values, strict=False):
        typed.pop(name, None)
        try:
            if too_long(name, text):
                raise ValueError(text)
            choices = _with_text(choices, name, text.strip())
        except ValueError:
            typed[name] = text[: longest(name)]
    return replace(choices, typed=typed)


def longest(name: str) -> int:
    """Return the maximum length of a typed field."""
    return MAX_LENGTHS.get(name, MAX_NUMBER_LENGTH)


def too_long(name: str, text: str) -> bool:
    """True if the text exceeds its form's limit, which a forged interaction can do."""
    return len(text) > longest(name)


def unread_fields(choices: EventChoices) -> list[str]:
    """Return the format's fields whose texts couldn't be parsed, in page order."""
    written = [name for topic in TOPICS for name in topic_fields(topic, choices)]
    return list(dict.fromkeys(name for name in written if name in choices.typed))


def _with_text(choices: EventChoices, name: str, text: str) -> EventChoices:
    """Return the draft with a typed field. Raises ValueError if it can't be parsed."""
    if name in _TEXTS:
        changes: dict[str, Any] = {name: few_lines(text) if name == "description" else one_line(text)}
        return replace(choices, **changes)
    if name == "time":
        return _with_time(choices, text)
    if name == "level_length":
        return replace(choices, structure=_with_level_length(choices.structure, text))
    if name == "bounty":
        amount, grows = split_bounty(text)
        bounty = _number(amount)
        return replace(choices, structure=replace(choices.structure, bounty=bounty, bounty_grows=grows and bounty > 0))
    value: Any = _titles(text) if name == "titles" else _numbers(text) if name in _LISTS else _number(text)
    structure = replace(choices.structure, **{name: value})
    if name == "most" and structure.format is Format.SIT_AND_GO:
        structure = replace(structure, least=structure.most)
    return replace(choices, structure=structure)


def _with_level_length(structure: Structure, text: str) -> Structure:
    number, unit = parse_level_length(text, _level_unit(structure))
    hands, minutes = (number, 0) if unit is LevelUnit.HANDS else (0, number)
    return replace(structure, level_hands=hands, level_minutes=minutes)


def _level_unit(structure: Structure) -> LevelUnit:
    return LevelUnit.MINUTES if structure.level_minutes and not structure.level_hands else LevelUnit.HANDS


def _with_time(choices: EventChoices, text: str) -> EventChoices:
    """Return the draft with another time per turn. If the pace doesn't allow that time, the pace changes too."""
    seconds = parse_duration(text)
    if seconds is None:
        raise ValueError(text)
    shortest, longest = LIMITS[choices.pace]
    pace = choices.pace if shortest <= seconds <= longest or choices.pace is Pace.LIVE else pace_for(seconds)
    return replace(choices, pace=pace, seconds=seconds)


def _number(text: str) -> int:
    plain = unicodedata.normalize("NFKC", text).replace(",", "").replace("_", "").replace(" ", "")
    if not plain:
        return 0
    written = _NUMBER.fullmatch(plain.casefold())
    if written is None:
        raise ValueError(text)
    return int(written[1]) * (_MULTIPLES[written[2]] if written[2] else 1)


def _numbers(text: str) -> tuple[int, ...]:
    """Parse numbers such as ``50,100,200``, with any separators."""
    return tuple(_number(part.removesuffix("%")) for part in _SIGNS.split(unicodedata.normalize("NFKC", text)) if part)


def _titles(text: str) -> tuple[str, ...]:
    """Parse titles, one per line, the winner's first."""
    lines = [one_line(line)[:MAX_TITLE_LENGTH] for line in re.split(r"[\n;、,，]", text)][:MAX_TITLES]
    while lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


def written_value(choices: EventChoices, name: str, words: Words) -> str:
    """Return the text in a field's form. If the last typed text couldn't be parsed, it's that text."""
    if name in choices.typed:
        return choices.typed[name]
    if name in ("name", "series", "description", "when"):
        return str(getattr(choices, name))
    if name == "time":
        return short_duration(choices.seconds, words) if choices.seconds else ""
    if name == "level_length":
        unit = _level_unit(choices.structure)
        return level_length(getattr(choices.structure, f"level_{unit.value}"), unit, words)
    value = getattr(choices.structure, name)
    if name == "bounty" and value and choices.structure.bounty_grows:
        return words("event_form.written.progressive", chips=value)
    if isinstance(value, tuple):
        return ("\n" if name == "titles" else ",").join(str(part) for part in value)
    return str(value or "")


def chosen_value(choices: EventChoices, name: str) -> str:
    """Return the value of a menu's current option."""
    if name in ("preset", "game", "pace", "repeat"):
        return str(_plain(getattr(choices, name)))
    own = name in ("fantasyland", "page")
    value = getattr(choices if own else choices.structure, name)
    return (YES if value else NO) if isinstance(value, bool) else str(_plain(value))
