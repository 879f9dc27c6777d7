"""What a player has chosen for what they alone read, with what changes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from zoneinfo import ZoneInfo

from discord import SelectOption
from discord.ui import Modal

from bot.model.choices import SILENT_SECONDS, BoardSize, Calls, DeckColours, Wishes
from bot.model.clock import DAY
from bot.model.ids import TableId
from bot.model.tables import Table
from bot.ofc.cards import parse_cards
from bot.text.languages import LANGUAGES
from bot.text.words import Words, words_for
from bot.text.zones import zone_name
from bot.ui.custom_ids import Press
from bot.ui.faces import Faces
from bot.ui.fragments import QUIET_COLOUR, day_of
from bot.ui.modals import FormField, modal
from bot.ui.widgets import Part, Screen, button, rows_of, screen, section, select

TOLD = "told"
"""The value of the language that Discord tells."""
SAMPLE = parse_cards("AsKhQdJc")


def reader_screen(wishes: Wishes, words: Words) -> Screen:
    """What is different for those who hear the screen, and the switch."""
    return screen(
        f"### {words('aloud.reader.title')}",
        words("aloud.reader.text"),
        words("aloud.reader.type"),
        _switch("wish_text", "text", words, on=wishes.text_only),
        colour=QUIET_COLOUR,
    )


class Cards(Enum):
    """How a reader sees cards: two wishes in one menu."""

    FOUR = "four_colours"
    TWO = "two_colours"
    WORDS = "words"
    TEXT = "text_only"


def cards_of(wishes: Wishes) -> Cards:
    """What holds in the menu."""
    if wishes.text_only:
        return Cards.WORDS if wishes.deck is DeckColours.WORDS else Cards.TEXT
    return Cards.TWO if wishes.deck is DeckColours.TWO else Cards.FOUR


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What a player has chosen about others and the server, told beside their wishes."""

    refused: int = 0
    """The others that they will not be seated with."""
    hears_of_tables: bool | None = None
    """Whether they have the role that hears of new tables; None where they cannot take it here."""
    shares_hands: bool = False
    """True if hands can be shared by links: the bot has pages, which needn't be reached by links of one's own."""
    pages: str = ""
    """What is said of their pages, by its key; empty where the bot leads to none."""


def settings_screen(wishes: Wishes, words: Words, faces: Faces, *, beside: Beside) -> Screen:
    """Each choice with what holds now, and how cards look by it."""
    sample = faces.large(faces.row(SAMPLE))
    return screen(
        f"### {words('settings.title')}\n{words('settings.hint')}",
        _switch("wish_text", "text", words, on=wishes.text_only),
        words("settings.language.text"),
        _menu("wish_language", _languages(wishes, words), words("settings.language.choose")),
        _calls_text(wishes, words),
        _menu("calls", _calls(wishes, words), words("settings.calls.menu")),
        section(_hours_text(wishes, words), button(_press("hours"), words("settings.hours.change"))),
        words("settings.cards.text", cards=words(f"settings.cards.{cards_of(wishes).value}")),
        sample,
        _menu("wish_cards", _cards(wishes, words), words("settings.cards.choose")),
        _size(wishes, words),
        _switch("wish_confirm", "confirm", words, on=wishes.confirm_at_once),
        _switch("reminders", "reminders", words, on=wishes.reminders),
        _switch("wish_profile", "profile", words, on=wishes.profile_visible),
        *([] if beside.hears_of_tables is None else [_switch("news", "news", words, on=beside.hears_of_tables)]),
        _apart(beside, words),
        *([_switch("wish_shared", "shared", words, on=wishes.hands_shared)] if beside.shares_hands else []),
        *([_pages(beside, words)] if beside.pages else []),
        colour=QUIET_COLOUR,
    )


def _press(verb: str, *, to: int = 0, argument: str = "") -> Press:
    return Press(verb=verb, table=TableId(0), hand=to, argument=argument)


def _menu(verb: str, options: Sequence[SelectOption], placeholder: str, *, again: bool = False) -> Part:
    """A menu that shows what holds; one with another id, because clients keep what was last chosen in a menu.

    ``again`` is True where what was chosen last does not hold.
    """
    chosen = next((option.value for option in options if option.default), "")
    return select(_press(verb, argument=f"{chosen}{'-' * again}"), options, placeholder=placeholder)


def _languages(wishes: Wishes, words: Words) -> list[SelectOption]:
    told = SelectOption(label=words("settings.language.told"), value=TOLD, default=wishes.language is None)
    spoken = [
        SelectOption(label=words_for(code)("setup.own_language"), value=code, default=code == wishes.language)
        for code in LANGUAGES
    ]
    return [told, *spoken]


def _calls_text(wishes: Wishes, words: Words) -> str:
    """When they are pinged, and the exceptions to it."""
    told = words("settings.calls.text", choice=_calls_choice(wishes.calls, words))
    if wishes.calls is Calls.NEVER and not wishes.reminders:
        return told
    key = f"settings.calls.why.{wishes.calls.value}"
    seconds = {"seconds": 2 * SILENT_SECONDS, "silence": SILENT_SECONDS}
    return f"{told}\n{words(key, **{name: value for name, value in seconds.items() if words.takes(key, name)})}"


def _calls_choice(calls: Calls, words: Words) -> str:
    if calls is Calls.AFTER_SILENCE:
        return words("settings.calls.after_silence", seconds=SILENT_SECONDS)
    return words(f"settings.calls.{calls.value}")


def _calls(wishes: Wishes, words: Words) -> list[SelectOption]:
    return [
        SelectOption(
            label=_calls_choice(calls, words),
            value=calls.value,
            description=words("settings.calls.default") if calls is Wishes().calls else None,
            default=calls is wishes.calls,
        )
        for calls in Calls
    ]


def _hours_text(wishes: Wishes, words: Words) -> str:
    begins, at = wishes.quiet_from, wishes.digest_at
    until = hour_text(wishes.quiet_until, words)
    quiet = words("settings.hours.quiet_off")
    if begins is not None:
        quiet = words("settings.hours.quiet_on", ends=until, **{"from": hour_text(begins, words)})
    digest = words("settings.hours.digest_off")
    if at is not None:
        digest = words("settings.hours.digest_on", time=hour_text(at, words))
    return words("settings.hours.text", quiet=quiet, digest=digest)


def _cards(wishes: Wishes, words: Words) -> list[SelectOption]:
    return [
        SelectOption(
            label=words(f"settings.cards.{cards.value}"),
            value=cards.value,
            description=words(f"settings.cards.why.{cards.value}"),
            default=cards is cards_of(wishes),
        )
        for cards in Cards
    ]


def _size(wishes: Wishes, words: Words) -> Part:
    other = BoardSize.LARGE if wishes.size is BoardSize.COMPACT else BoardSize.COMPACT
    turn = button(_press("wish_size", argument=other.value), words(f"settings.size.to_{other.value}"))
    return section(words(f"settings.size.{wishes.size.value}"), turn)


def _switch(verb: str, what: str, words: Words, *, on: bool) -> Part:
    """What holds, and the button that turns it on or off, by its name."""
    turn = button(_press(verb, to=int(not on)), words(f"settings.{what}.turn_{'off' if on else 'on'}"))
    return section(words(f"settings.{what}.{'on' if on else 'off'}"), turn)


def _apart(beside: Beside, words: Words) -> Part:
    show = button(_press("apart_list"), words("settings.apart.show"))
    return section(words("settings.apart.text", count=beside.refused), show)


def _pages(beside: Beside, words: Words) -> Part:
    close = button(_press("pages_close"), words("settings.pages.close"))
    return section(words(f"settings.pages.{beside.pages}"), close)


# Vacation: from when until when the clocks stand, and how much of the year's allowance is left.


def vacation_screen(
    wishes: Wishes, words: Words, *, left: int, now: int, tables: Sequence[Table], said: str = ""
) -> Screen:
    """The vacation that runs or is to come and the way out of it, or how one is taken; ``tables`` stand meanwhile.

    ``left`` is what is left of the year's allowance (ms).
    """
    vacation = wishes.vacation(now)
    lines = [f"### {words('vacation.title')}", *([said] if said else [])]
    if vacation is None:
        lines.append(words("vacation.none", count=left // DAY))
        return screen("\n".join(lines), words("vacation.how"), words("vacation.events"), colour=QUIET_COLOUR)
    running = vacation.begins <= now
    ends = day_of(vacation.ends)
    if running:
        lines.append(words("vacation.running", ends=ends))
    else:
        lines.append(words("vacation.planned", begins=day_of(vacation.begins), ends=ends))
    names = words.list([words("vacation.table", table=table.key.table) for table in tables])
    lines.append(words("vacation.tables", tables=names) if tables else words("vacation.no_tables"))
    over = button(_press("vacation_over"), words(f"vacation.button.{'over' if running else 'call_off'}"))
    return screen("\n".join(lines), words("vacation.events"), *rows_of([over]), colour=QUIET_COLOUR)


# The hours of calls by correspondence: quiet ones, and that of the digest.

HOURS = range(24)
OFF = "off"
"""The value in a menu of hours that chooses none."""


def hour_text(hour: int, words: Words) -> str:
    """``22:00``; an hour of the day by the reader's own clocks."""
    return words("hours.clock", hour=hour)


def hours_screen(wishes: Wishes, words: Words, *, zone: str, now: int, refused: str = "") -> Screen:
    """What holds and what changes it; ``zone`` is that of the hours, also where none was chosen yet.

    ``refused`` is why what was chosen last does not hold.
    """
    begins, until, at = wishes.quiet_from, wishes.quiet_until, wishes.digest_at
    clock = f"{datetime.fromtimestamp(now / 1000, ZoneInfo(zone)):%H:%M}"
    change = button(_press("hours_zone"), words("hours.zone.change"))
    quiet, digest = words("hours.quiet.off"), words("hours.digest.off")
    ends: list[Part] = []
    if begins is not None:
        times = {"from": hour_text(begins, words), "ends": hour_text(until, words)}
        quiet = words("hours.quiet.on", **times)
        options = _hours("hours.quiet.option_until", words, chosen=until, off=None)
        ends = [_menu("quiet_until", options, words("hours.quiet.choose_until"), again=bool(refused))]
    if at is not None:
        digest = words("hours.digest.on", time=hour_text(at, words))
    quiet_off, digest_off = words("hours.quiet.option_off"), words("hours.digest.option_off")
    return screen(
        f"### {words('hours.title')}\n{words('hours.hint')}",
        *([refused] if refused else []),
        section(words("hours.zone.text", zone=zone_name(zone, words), time=clock), change),
        quiet,
        _menu(
            "quiet_from",
            _hours("hours.quiet.option_from", words, chosen=begins, off=quiet_off),
            words("hours.quiet.choose_from"),
            again=bool(refused),
        ),
        *ends,
        digest,
        _menu(
            "digest_at",
            _hours("hours.digest.option_at", words, chosen=at, off=digest_off),
            words("hours.digest.choose"),
        ),
        *rows_of([button(_press("settings_back"), words("hours.back"))]),
        colour=QUIET_COLOUR,
    )


def _hours(key: str, words: Words, *, chosen: int | None, off: str | None) -> list[SelectOption]:
    none = [] if off is None else [SelectOption(label=off, value=OFF, default=chosen is None)]
    return none + [
        SelectOption(label=words(key, time=hour_text(hour, words)), value=str(hour), default=hour == chosen)
        for hour in HOURS
    ]


def zone_form(words: Words, *, zone: str) -> Modal:
    """The form in which a time zone is written."""
    field = FormField(label=words("hours.zone.form_field"), value=zone, hint=words("hours.zone.form_hint"), most=60)
    return modal(_press("hours_written"), words("hours.zone.form_title"), [field])
