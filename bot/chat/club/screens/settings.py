"""A player's settings for their private messages, and the controls for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from zoneinfo import ZoneInfo

from discord import ButtonStyle

from bot.chat.club.screens.streams import StreamUse
from bot.chat.kit.choice_page import (
    Alternative,
    ButtonRow,
    Change,
    ChoiceError,
    ChoicePage,
    ChoiceRow,
    Menu,
    PageState,
    Switch,
    TypedRow,
    build_press,
)
from bot.chat.kit.faces import Faces
from bot.chat.kit.fragments import QUIET_COLOUR, date_mark
from bot.chat.kit.modals import AnyField, FormField
from bot.chat.kit.typed_choice import NamedChoice, zone_meant
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen
from bot.model.choices import BoardSize, Calls, DeckColours, MemberSettings
from bot.model.clock import DAY
from bot.model.limits import CALL_AFTER_SILENCE_SECONDS
from bot.model.tables import Table
from bot.pure.ofc.cards import parse_cards
from bot.text.languages import LANGUAGES
from bot.text.words import Words, escape_name, words_for
from bot.text.zones import zone_name

TOLD = "told"
"""Value that means Discord's language."""
SAMPLE = parse_cards("AsKhQdJc")
MAX_QUOTED_LENGTH = 100
"""Maximum length of a typed time zone that a refusal repeats."""


class CardDisplay(Enum):
    """Options for the display of cards. The menu combines two settings."""

    FOUR = "four_colours"
    TWO = "two_colours"
    WORDS = "words"
    TEXT = "text_only"


def cards_of(member_settings: MemberSettings) -> str:
    """Return the menu's current value."""
    cards = CardDisplay.TWO if member_settings.deck is DeckColours.TWO else CardDisplay.FOUR
    if member_settings.text_only:
        cards = CardDisplay.WORDS if member_settings.deck is DeckColours.WORDS else CardDisplay.TEXT
    return str(cards.value)


def _with_cards(before: MemberSettings, chosen: str) -> MemberSettings:
    """Choose how cards look. Choosing text only remembers the deck for later."""
    if chosen == CardDisplay.WORDS.value:
        return replace(before, text_only=True, deck=DeckColours.WORDS)
    if chosen == CardDisplay.TEXT.value:
        return replace(before, text_only=True, deck=_picture_deck(before))
    return replace(before, text_only=False, deck=DeckColours(chosen))


def _with_text(before: MemberSettings, on: bool) -> MemberSettings:
    """Switch to text only, with card names in words, or back to pictures."""
    if on:
        return _with_cards(before, CardDisplay.WORDS.value)
    return replace(before, text_only=False, deck=_picture_deck(before))


def _picture_deck(member_settings: MemberSettings) -> DeckColours:
    """Return the deck to use for pictures."""
    return DeckColours.FOUR if member_settings.deck is DeckColours.WORDS else member_settings.deck


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsExtras:
    """State that the settings pages show in addition to the player's settings."""

    faces: Faces
    refused: int = 0
    """Number of players they have blocked."""
    hears_of_tables: bool | None = None
    """True if they have the role that is pinged for new tables; None if they can't take that role here."""
    shares_hands: bool = False
    """True if players can share hands by link, because the bot has web pages. This doesn't require personal links."""
    pages: str = ""
    """Key of the text about the player's pages; empty if the bot doesn't link to any."""
    stream: StreamUse | None = None
    """The player's stream link, if they have one."""
    now: int = 0


def _calls_choice(calls: str, words: Words) -> str:
    if calls == Calls.AFTER_SILENCE.value:
        return words("settings.calls.after_silence", seconds=CALL_AFTER_SILENCE_SECONDS)
    return words(f"settings.calls.{calls}")


def _calls_text(state: PageState[MemberSettings, SettingsExtras]) -> str:
    """Return when the player is pinged, and the exceptions."""
    member_settings, words = state.record, state.words
    told = words("settings.calls.text", choice=_calls_choice(member_settings.calls.value, words))
    if member_settings.calls is Calls.NEVER and not member_settings.reminders:
        return told
    key = f"settings.calls.why.{member_settings.calls.value}"
    seconds = {"seconds": 2 * CALL_AFTER_SILENCE_SECONDS, "silence": CALL_AFTER_SILENCE_SECONDS}
    return f"{told}\n{words(key, **{name: value for name, value in seconds.items() if words.takes(key, name)})}"


def _hours_text(state: PageState[MemberSettings, SettingsExtras]) -> str:
    member_settings, words = state.record, state.words
    quiet, digest = words("settings.hours.quiet_off"), words("settings.hours.digest_off")
    if member_settings.quiet_from is not None:
        quiet = words("settings.hours.quiet_on", **_quiet(member_settings, words))
    if member_settings.digest_at is not None:
        digest = words("settings.hours.digest_on", time=hour_text(member_settings.digest_at, words))
    return words("settings.hours.text", quiet=quiet, digest=digest)


def _stream_text(state: PageState[MemberSettings, SettingsExtras]) -> str:
    stream, words = state.context.stream, state.words
    assert stream is not None
    return words("settings.stream.text", facts=stream.facts(words, now=state.context.now))


def _cards_text(state: PageState[MemberSettings, SettingsExtras]) -> str:
    return state.words("settings.cards.text", cards=state.words(f"settings.cards.{cards_of(state.record)}"))


def _sample(state: PageState[MemberSettings, SettingsExtras]) -> str:
    """Return sample cards in the current style."""
    faces = state.context.faces
    return faces.large(faces.row(SAMPLE))


TEXT_ONLY: Switch[MemberSettings, SettingsExtras] = Switch(
    verb="wish_text",
    key="settings.text",
    fields=("text_only", "deck"),
    is_on=lambda state: state.record.text_only,
    write=_with_text,
)


def _back_buttons(state: PageState[MemberSettings, SettingsExtras]) -> list[Part]:
    return [button(build_press("settings_back"), state.words("settings.back"))]


READING: ChoicePage[MemberSettings, SettingsExtras] = ChoicePage(
    of=MemberSettings,
    key="settings.reading",
    buttons=_back_buttons,
    rows=[
        Menu(
            verb="wish_language",
            fields=("language",),
            text="settings.language.text",
            placeholder="settings.language.choose",
            values=[TOLD, *LANGUAGES],
            label=lambda code, words: (
                words("settings.language.told") if code == TOLD else words_for(code)("setup.own_language")
            ),
            holds=lambda member_settings: member_settings.language or TOLD,
            write=lambda before, code: replace(before, language=None if code == TOLD else code),
        ),
        ChoiceRow(text=_cards_text),
        Menu(
            verb="wish_cards",
            fields=("text_only", "deck"),
            text=_sample,
            placeholder="settings.cards.choose",
            values=[cards.value for cards in CardDisplay],
            label=lambda cards, words: words(f"settings.cards.{cards}"),
            description=lambda cards, words: words(f"settings.cards.why.{cards}"),
            holds=cards_of,
            write=_with_cards,
        ),
        Alternative(verb="wish_size", key="settings.size", fields=("size",), among=BoardSize),
    ],
)
PINGS: ChoicePage[MemberSettings, SettingsExtras] = ChoicePage(
    of=MemberSettings,
    key="settings.pings",
    buttons=_back_buttons,
    rows=[
        Menu(
            verb="calls",
            fields=("calls",),
            text=_calls_text,
            placeholder="settings.calls.menu",
            values=[calls.value for calls in Calls],
            label=_calls_choice,
            description=lambda calls, words: (
                words("settings.calls.default") if calls == MemberSettings().calls.value else None
            ),
            holds=lambda member_settings: member_settings.calls.value,
            write=lambda before, calls: replace(before, calls=Calls(calls)),
        ),
        Switch(verb="reminders", key="settings.reminders", fields=("reminders",)),
        Switch(
            verb="news",
            key="settings.news",
            is_shown=lambda state: state.context.hears_of_tables is not None,
            is_on=lambda state: bool(state.context.hears_of_tables),
        ),
        Switch(verb="wish_series", key="settings.series", fields=("series_calls",)),
        ButtonRow(verb="hours", text=_hours_text, label="settings.hours.change"),
        ButtonRow(verb="vacation", text="settings.vacation.text", label="settings.vacation.show"),
    ],
)
PLAYING: ChoicePage[MemberSettings, SettingsExtras] = ChoicePage(
    of=MemberSettings,
    key="settings.playing",
    buttons=_back_buttons,
    rows=[
        Switch(verb="wish_confirm", key="settings.confirm", fields=("confirm_at_once",)),
        Switch(verb="wish_mistakes", key="settings.mistakes", fields=("mistake_line",)),
        ButtonRow(
            verb="apart_list",
            text=lambda state: state.words("settings.apart.text", count=state.context.refused),
            label="settings.apart.show",
        ),
        ButtonRow(
            verb="pages_close",
            text=lambda state: state.words(f"settings.pages.{state.context.pages}"),
            label="settings.pages.close",
            is_shown=lambda state: bool(state.context.pages),
        ),
        ButtonRow(
            verb="stream_off",
            text=_stream_text,
            label="settings.stream.off",
            is_shown=lambda state: state.context.stream is not None,
        ),
    ],
)
DATA_BUTTONS: Mapping[str, str] = {
    "own": "settings.data.kept",
    "own_export": "privacy.button.export",
    "own_ask": "privacy.button.ask",
}
"""Buttons for a member's own data, by verb."""
DATA: ChoicePage[MemberSettings, SettingsExtras] = ChoicePage(
    of=MemberSettings,
    key="settings.data",
    buttons=lambda state: [
        *(button(build_press(verb), state.words(label)) for verb, label in DATA_BUTTONS.items()),
        *_back_buttons(state),
    ],
    rows=[
        Switch(verb="wish_profile", key="settings.profile", fields=("profile_visible",)),
        Switch(
            verb="wish_shared",
            key="settings.shared",
            fields=("hands_shared",),
            is_shown=lambda state: state.context.shares_hands,
        ),
        Switch(verb="wish_puzzles", key="settings.puzzles", fields=("gives_puzzles",)),
    ],
)


def _reading_line(state: PageState[MemberSettings, SettingsExtras]) -> list[str]:
    member_settings, words = state.record, state.words
    code = member_settings.language
    language = words("settings.language.is_told") if code is None else words_for(code)("setup.own_language")
    size = words(f"settings.size.is_{member_settings.size.value}")
    return [language, words(f"settings.cards.is.{cards_of(member_settings)}"), size]


def _pings_line(state: PageState[MemberSettings, SettingsExtras]) -> list[str]:
    member_settings, words = state.record, state.words
    calls = _calls_choice(member_settings.calls.value, words)
    quiet = (
        []
        if member_settings.quiet_from is None
        else [words("settings.hours.quiet_on", **_quiet(member_settings, words))]
    )
    away = [] if member_settings.vacation(state.context.now) is None else [words("settings.vacation.on")]
    return [calls, words(f"settings.reminders.is_{_on(member_settings.reminders)}"), *quiet, *away]


def _playing_line(state: PageState[MemberSettings, SettingsExtras]) -> list[str]:
    return [state.words(f"settings.confirm.is_{_on(state.record.confirm_at_once)}")]


def _data_line(state: PageState[MemberSettings, SettingsExtras]) -> list[str]:
    return [state.words(f"settings.profile.is_{_on(state.record.profile_visible)}")]


def _on(value: bool) -> str:
    return "on" if value else "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsTopic:
    """A line and a button of the settings."""

    verb: str
    page: ChoicePage[MemberSettings, SettingsExtras]
    line: Callable[[PageState[MemberSettings, SettingsExtras]], list[str]]

    @property
    def title(self) -> str:
        """The key of the topic's title."""
        return f"{self.page.key}.title"


TOPICS = (
    SettingsTopic(verb="wish_reading", page=READING, line=_reading_line),
    SettingsTopic(verb="wish_pings", page=PINGS, line=_pings_line),
    SettingsTopic(verb="wish_playing", page=PLAYING, line=_playing_line),
    SettingsTopic(verb="wish_data", page=DATA, line=_data_line),
)


def _topic_lines(state: PageState[MemberSettings, SettingsExtras]) -> str:
    words = state.words
    facts = {topic.title: words.facts(topic.line(state)) for topic in TOPICS}
    return "\n".join(words("setup.line", topic=words(title), facts=told) for title, told in facts.items())


SETTINGS: ChoicePage[MemberSettings, SettingsExtras] = ChoicePage(
    of=MemberSettings,
    key="settings",
    buttons=lambda state: [button(build_press(topic.verb), state.words(topic.title)) for topic in TOPICS],
    rows=[TEXT_ONLY, ChoiceRow(text=_topic_lines)],
)
PAGES = (SETTINGS, *(topic.page for topic in TOPICS))


def topics_named(words: Words) -> list[NamedChoice[str]]:
    """Return the topics that can be typed, with their names in all languages and their verbs."""
    titles = {topic.title: topic.verb for topic in TOPICS} | {"settings.vacation.show": "vacation"}
    return [
        NamedChoice(name=words(title), value=verb, others=tuple(words_for(code)(title) for code in LANGUAGES))
        for title, verb in titles.items()
    ]


def reader_screen(state: PageState[MemberSettings, SettingsExtras]) -> Screen:
    """Draw the hints for screen readers, with a switch."""
    words = state.words
    return screen(
        f"### {words('aloud.reader.title')}",
        words("aloud.reader.text"),
        words("aloud.reader.type"),
        *TEXT_ONLY.parts(state),
        colour=QUIET_COLOUR,
    )


# Vacation: when the clocks are stopped, and how much of the year's allowance is left


def vacation_screen(
    member_settings: MemberSettings, words: Words, *, left: int, now: int, tables: Sequence[Table], notice: str = ""
) -> Screen:
    """Draw the current or planned vacation with a button to end it, or explain how to take one.

    Clocks at ``tables`` are stopped during it. ``left`` is what remains of the year's allowance (ms).
    """
    vacation = member_settings.vacation(now)
    lines = [f"### {words('vacation.title')}", *([notice] if notice else [])]
    back = button(build_press("wish_pings"), words("settings.back"))
    if vacation is None:
        lines.append(words("vacation.none", count=left // DAY))
        take = button(build_press("vacation_ask"), words("vacation.button.take"), style=ButtonStyle.primary)
        return screen(
            "\n".join(lines),
            words("vacation.how"),
            words("vacation.events"),
            *button_rows([take, back]),
            colour=QUIET_COLOUR,
        )
    running = vacation.begins <= now
    ends = date_mark(vacation.ends)
    if running:
        lines.append(words("vacation.running", ends=ends))
    else:
        lines.append(words("vacation.planned", begins=date_mark(vacation.begins), ends=ends))
    names = words.list([words("vacation.table", table=table.number) for table in tables])
    lines.append(words("vacation.tables", tables=names) if tables else words("vacation.no_tables"))
    over = button(build_press("vacation_over"), words(f"vacation.button.{'over' if running else 'call_off'}"))
    return screen("\n".join(lines), words("vacation.events"), *button_rows([over, back]), colour=QUIET_COLOUR)


MAX_DATE_LENGTH = 60


def vacation_fields(words: Words) -> list[AnyField]:
    """Return the fields for a vacation's last day or length, and its first day."""
    return [
        FormField(label=words("vacation.until"), most=MAX_DATE_LENGTH, hint=words("vacation.until_hint")),
        FormField(
            label=words("vacation.begins"), most=MAX_DATE_LENGTH, hint=words("vacation.begins_hint"), optional=True
        ),
    ]


# The hours for pings at correspondence tables: quiet hours, and the hour of the digest.

HOURS = range(24)
OFF = "off"
"""The value for none in a menu of hours."""


def hour_text(hour: int, words: Words) -> str:
    """Return an hour such as ``22:00``, in the player's local time."""
    return words("hours.clock", hour=hour)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalTime:
    """The player's time zone, even if it's only the default, and the current time (ms)."""

    zone: str
    now: int


def _quiet(member_settings: MemberSettings, words: Words) -> dict[str, str]:
    """Return the start and end of the quiet hours."""
    return {
        "from": hour_text(member_settings.quiet_from or 0, words),
        "ends": hour_text(member_settings.quiet_until, words),
    }


def _zone_text(state: PageState[MemberSettings, LocalTime]) -> str:
    zone, now = state.context.zone, state.context.now
    clock = f"{datetime.fromtimestamp(now / 1000, ZoneInfo(zone)):%H:%M}"
    return state.words("hours.zone.text", zone=zone_name(zone, state.words), time=clock)


def _quiet_text(state: PageState[MemberSettings, LocalTime]) -> str:
    if state.record.quiet_from is None:
        return state.words("hours.quiet.off")
    return state.words("hours.quiet.on", **_quiet(state.record, state.words))


def _digest_text(state: PageState[MemberSettings, LocalTime]) -> str:
    at, words = state.record.digest_at, state.words
    return words("hours.digest.off") if at is None else words("hours.digest.on", time=hour_text(at, words))


def _zone_meant(typed: str, words: Words) -> Change[MemberSettings]:
    """Return the change to a time zone, or to none if the line is empty."""
    zone = zone_meant(typed, words) if typed else ""
    if zone is None:
        raise ChoiceError("hours.zone.unknown", typed=escape_name(typed[:MAX_QUOTED_LENGTH]))
    return lambda before: replace(before, zone=zone)


def _quiet_between(before: MemberSettings, begins: int | None, until: int) -> MemberSettings:
    """Choose quiet hours.

    If start and end would be equal, new quiet hours last eight hours, while changing existing ones raises ChoiceError.
    """
    if begins == until and before.quiet_from is not None:
        raise ChoiceError("hours.quiet.same")
    return replace(before, quiet_from=begins, quiet_until=(until + 8) % len(HOURS) if begins == until else until)


def _hour(value: str) -> int | None:
    return None if value == OFF else int(value)


def _hour_label(key: str, off: str = "") -> Callable[[str, Words], str]:
    """Return a function that labels the options of a menu of hours; ``key`` labels an hour, and ``off`` labels none."""
    return lambda value, words: words(off) if value == OFF else words(key, time=hour_text(int(value), words))


def _hour_value(hour: int | None) -> str:
    return OFF if hour is None else str(hour)


EACH_HOUR = [str(hour) for hour in HOURS]
CALL_HOURS: ChoicePage[MemberSettings, LocalTime] = ChoicePage(
    of=MemberSettings,
    key="hours",
    buttons=lambda state: [button(build_press("wish_pings"), state.words("hours.back"))],
    rows=[
        TypedRow(
            verb="hours_zone",
            answer="hours_written",
            fields=("zone",),
            text=_zone_text,
            key="hours.zone",
            label="hours.zone.change",
            value=lambda state: state.context.zone,
            most=60,
            meant=_zone_meant,
            optional=True,
        ),
        Menu(
            verb="quiet_from",
            fields=("quiet_from", "quiet_until"),
            text=_quiet_text,
            placeholder="hours.quiet.choose_from",
            values=[OFF, *EACH_HOUR],
            label=_hour_label("hours.quiet.option_from", off="hours.quiet.option_off"),
            holds=lambda member_settings: _hour_value(member_settings.quiet_from),
            write=lambda before, value: _quiet_between(before, _hour(value), before.quiet_until),
        ),
        Menu(
            verb="quiet_until",
            fields=("quiet_until",),
            placeholder="hours.quiet.choose_until",
            values=EACH_HOUR,
            label=_hour_label("hours.quiet.option_until"),
            holds=lambda member_settings: str(member_settings.quiet_until),
            write=lambda before, value: _quiet_between(before, before.quiet_from, int(value)),
            is_shown=lambda state: state.record.quiet_from is not None,
        ),
        Menu(
            verb="digest_at",
            fields=("digest_at",),
            text=_digest_text,
            placeholder="hours.digest.choose",
            values=[OFF, *EACH_HOUR],
            label=_hour_label("hours.digest.option_at", off="hours.digest.option_off"),
            holds=lambda member_settings: _hour_value(member_settings.digest_at),
            write=lambda before, value: replace(before, digest_at=_hour(value)),
        ),
    ],
)
