"""The page on which an event is prepared: menus, forms, and below them what everybody will read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.event.structure import PRESETS, Family, Format, NoShow
from bot.model.clock import Pace
from bot.model.events import Event
from bot.model.ids import GuildId, Player, TableId
from bot.model.refusals import PlayReason
from bot.model.tables import HouseGame
from bot.ofc.house_rules import says_something
from bot.ofc.presets import PRESETS as GAMES
from bot.ofc.settlement import WinCap
from bot.ofc.variants import Variant, VariantError
from bot.play.event.forecast import Forecast
from bot.play.event.registration import Problem
from bot.text.durations import duration
from bot.text.event_structure import (
    change_lines,
    format_name,
    place_name,
    prize_lines,
    series_numbers,
    series_rule,
)
from bot.text.house_rules import problem_text
from bot.text.names import preset_name
from bot.text.words import Words, escape_name
from bot.ui.bot_permissions import NEEDED_FOR_TABLES, Permission, labels_of
from bot.ui.custom_ids import OWN, Press, game_tag
from bot.ui.event.plan import changes_of, preview, told, usual_people
from bot.ui.event.screen import plan_lines
from bot.ui.event.sheet import (
    CHOSEN,
    MOST_ROLES,
    NO,
    REPEATS,
    YES,
    Sheet,
    chosen_fields,
    chosen_value,
    longest,
    sections,
    unread_fields,
    written_fields,
    written_value,
)
from bot.ui.event.start import (
    UNNOTICED_SECONDS,
    how_read,
    lasts_text,
    problem_sentence,
    start_seconds,
    tables_at_start,
    unread_text,
    when_lines,
)
from bot.ui.fragments import TABLE_COLOUR, names
from bot.ui.given_roles import RoleProblem
from bot.ui.widgets import (
    HOLD_THREADS,
    LARGE,
    FormField,
    Part,
    Screen,
    apart,
    button,
    channel_select,
    modal,
    role_select,
    rows_of,
    screen,
    select,
    separator,
)

FORM = Press(verb="ev_form", table=TableId(0))
MENUS = (
    "ev_form_preset",
    "ev_form_open",
    "ev_form_game",
    "own",
    *(name for names in CHOSEN.values() for name in names),
)
"""Every menu of the page."""
FIRST_MENU = 100
NAMED_AFTER = {"basics": "when", "late": "late_levels", "place": "check_in_minutes"}
"""The field of a section that its name speaks of first and that not every format has."""
MOST_CHANNELS = 9
"""Ten with the event's own: fifty threads each are enough for every event."""
MOST_UNREAD = 5
"""A form has no more fields."""
REQUIRED = ("name", "when", "table_seats", "most", "least", "stack", "levels", "rounds", "round_hands", "time")
"""Fields that mean nothing when they are empty."""


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
    may_give_roles: bool = False
    refused_role: RoleProblem | None = None
    """Why a role that was chosen cannot be promised."""
    refused_channels: Sequence[int] = ()
    """Those that were chosen for tables and can't be used."""
    leaving: bool = False
    """True once it was asked whether to throw it away."""
    lasts: Forecast | None = None
    """How long it lasts with its usual number of people; None where it cannot be said."""
    event: Event | None = None
    """The event that would be changed; None for one that is still to be announced."""
    registered: int = 0
    """How many have registered for it, while it has not begun."""

    @property
    def possible(self) -> bool:
        """True when it can be announced."""
        return not self.problems and isinstance(self.game, Variant)


def form_screen(page: FormPage, words: Words) -> Screen:
    """The page."""
    if page.event is None:
        title, private = words("event_form.title"), words("event_form.private")
    else:
        title = words("event_form.title_change", name=escape_name(page.event.name))
        private = words("event_form.private_change")
    parts: list[str | Part] = [
        f"### {title}\n{private}",
        *_menus(page, words),
        *(["\n".join(wrong)] if (wrong := _wrong(page, words)) else []),
        separator(line=True, room=LARGE),
        *apart(["\n".join(lines) for lines in summary(page, words)]),
        separator(line=True),
    ]
    if told := _told(page, words):
        parts.append("\n".join(told))
    return screen(*parts, *rows_of(_buttons(page, words)), colour=TABLE_COLOUR)


def _row(press: Press, options: list[discord.SelectOption], placeholder: str) -> Part:
    return select(press, options, placeholder=placeholder, number=_number(press.argument or press.verb))


def _number(name: str) -> int:
    """A number of its own for each menu: clients show a choice again where they know the menu by its place alone."""
    return MENUS.index(name) + FIRST_MENU


def _menus(page: FormPage, words: Words) -> list[Part]:
    """What kind of event it is, which section is open, and the section's own menus and form."""
    sheet = page.sheet
    kinds = [
        discord.SelectOption(
            label=words(f"structure.preset.{key}"),
            description=words(f"structure.preset_line.{key}")[:100],
            value=key,
            default=key == sheet.preset,
        )
        for key in PRESETS
    ]
    open_sections = [
        discord.SelectOption(
            label=section_name(name, sheet, words),
            description=" · ".join(_labels([*chosen_fields(name, sheet), *_written(name, sheet)], words))[:100],
            value=name,
            default=name == page.section,
        )
        for name in sections(sheet)
    ]
    return [
        *([_row(FORM.but("ev_form_preset"), kinds, words("event_form.preset"))] if page.event is None else []),
        _row(FORM.but("ev_form_open"), open_sections, words("event_form.section")),
        *_section(page, words),
    ]


def section_name(section: str, sheet: Sheet, words: Words) -> str:
    """What a section is called where the format has all its fields, or only some of them."""
    needed = NAMED_AFTER.get(section, "")
    whole = not needed or needed in written_fields(section, sheet)
    return words(f"event_form.{'sections' if whole else 'sections_rest'}.{section}")


def _written(section: str, sheet: Sheet) -> list[str]:
    return written_fields(section, sheet)


def _labels(fields: Sequence[str], words: Words) -> list[str]:
    return [words(f"event_form.field.{name}") for name in fields]


def _section(page: FormPage, words: Words) -> list[Part]:
    """The menus of the open section, and the button that opens its form."""
    items: list[Part] = []
    for name in chosen_fields(page.section, page.sheet):
        items += _menu(page, name, words)
    if _written(page.section, page.sheet):
        label = words("event_form.write", section=section_name(page.section, page.sheet, words))
        press = FORM.but("ev_form_ask", page.section)
        items += rows_of([button(press, label[:80], style=ButtonStyle.primary)])
    return items


def _menu(page: FormPage, name: str, words: Words) -> list[Part]:
    if name == "game":
        return _game_menus(page, words)
    if name.startswith("role_"):
        return [_role_menu(page, int(name[-1]), words)] if page.may_give_roles else []
    if name == "channels":
        return [_channel_menu(page, words)]
    if name == "fantasyland" and not _has_fantasyland(page):
        return []
    if name == "no_show" and not page.sheet.structure.check_in_minutes:
        return []
    now = chosen_value(page.sheet, name)
    options = [
        discord.SelectOption(label=label[:100], value=value, default=value == now)
        for value, label in _options(name, words).items()
    ]
    return [_row(FORM.but("ev_form_set", name), options, words(f"event_form.field.{name}"))]


def _has_fantasyland(page: FormPage) -> bool:
    """True where Fantasyland can be switched off, or has been."""
    return isinstance(page.game, Variant) and says_something(page.game, "fantasyland")


def _options(name: str, words: Words) -> dict[str, str]:
    """Values and labels of a menu."""
    if name == "pace":
        return {pace.value: words(f"lobby.pace_choice.{pace.value}") for pace in Pace}
    if name == "win_cap":
        return {cap.value: words("lobby.most_won", cap=words(f"lobby.win_cap.{cap.value}")) for cap in WinCap}
    if name == "repeat":
        return {value: words(f"event_form.option.repeat.{value}") for value in REPEATS}
    values = [show.value for show in NoShow] if name == "no_show" else [YES, NO]
    return {value: words(f"event_form.option.{name}.{value}") for value in values}


def _game_menus(page: FormPage, words: Words) -> list[Part]:
    """The presets, and the server's own games where there are some."""
    now = page.sheet.game
    presets = [
        discord.SelectOption(label=preset_name(game, words)[:100], value=key, default=key == now)
        for key, game in GAMES.items()
    ]
    menus: list[Part] = [_row(FORM.but("ev_form_game"), presets, words("event_form.field.game"))]
    own = [(game.name, OWN + game_tag(game.name)) for game in page.games]
    if own:
        options = [discord.SelectOption(label=name[:100], value=key, default=key == now) for name, key in own]
        menus.append(_row(FORM.but("ev_form_game", "own"), options, words("event_form.own_game")))
    return menus


def _role_menu(page: FormPage, place: int, words: Words) -> Part:
    """The menu of the server's roles for one place; its press is read like every other."""
    roles = [*page.sheet.structure.roles, *[0] * MOST_ROLES]
    return role_select(
        FORM.but("ev_form_role", str(place)),
        chosen=roles[place - 1] or None,
        placeholder=words("event_form.no_role", place=place_name(place, words)),
        number=_number(f"role_{place}"),
    )


def _channel_menu(page: FormPage, words: Words) -> Part:
    """The menu of the channels that tables may be in, beside the event's own."""
    return channel_select(
        FORM.but("ev_form_channels", "channels"),
        chosen=page.sheet.structure.channels,
        placeholder=words("event_form.field.channels"),
        most=MOST_CHANNELS,
        kinds=HOLD_THREADS,
        number=_number("channels"),
    )


# What everybody will read


def summary(page: FormPage, words: Words) -> list[list[str]]:
    """The event as it will be announced."""
    sheet = page.sheet
    about = map(escape_name, sheet.description.splitlines())
    lines = [f"## {escape_name(sheet.name)}", f"-# {format_name(sheet.form, words)}", *about, *_hour(page, words)]
    if isinstance(page.game, VariantError):
        return [lines, prize_lines(sheet.structure, words)]
    if page.lasts is not None:
        lines.append(lasts_text(page.lasts, usual_people(sheet), words))
    event = preview(page.sheet, page.game, organiser=page.organiser, zone=page.zone, now=page.now)
    people = [words("event.organiser", people=names([page.organiser], words))]
    if sheet.series:
        numbers = series_numbers(usual_people(sheet), words)
        people[:0] = [words("event.series", series=escape_name(sheet.series)), series_rule(words), numbers]
    return [lines, plan_lines(event, words), prize_lines(sheet.structure, words), people]


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


def _wrong(page: FormPage, words: Words) -> list[str]:
    """What stands in the way: below the menus and the form's button, where somebody looks who has just sent a form."""
    lines = []
    if unread := unread_fields(page.sheet)[:MOST_UNREAD]:
        lines += [f"⚠️ {unread_text(name, page.sheet, page.game, words)}" for name in unread]
        lines.append(words("event_form.unread.kept"))
    if isinstance(page.game, VariantError):
        lines.append(f"⛔ {problem_text(page.game, words)}")
    # That nothing is different yet is said above.
    told_of = [one for one in page.problems if getattr(one, "reason", None) is not PlayReason.NOTHING_CHANGED]
    lines += [f"⛔ {problem_sentence(problem, page.sheet, words, zone=page.zone, now=page.now)}" for problem in told_of]
    return lines


def _told(page: FormPage, words: Words) -> list[str]:
    """What was changed by itself, and what the bot can't do here."""
    lines = []
    if page.sheet.form is Format.DUPLICATE:
        lines.append(words("event_form.no_fantasyland"))
    if page.no_threads:
        lines.append(words("event_form.no_threads", permissions=labels_of(page.no_threads, words)))
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
    changed = change_lines(told(changes), words)
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
        told = {"tables": tables_at_start(structure, structure.most), "most": structure.most}
        where = section_name("place", sheet, words)
        lines.append(words("event_form.slow_start", **told, time=duration(seconds, words), section=where))
    return lines


def _channels(channels: Sequence[int], words: Words) -> str:
    return words.list([f"<#{channel}>" for channel in channels])


def _buttons(page: FormPage, words: Words) -> list[Any]:
    if page.event is not None:
        leave = Press(verb="ev_form_drop", table=TableId(0), hand=1)
        return [
            button(
                FORM.but("ev_form_publish"),
                words("event_form.save_change"),
                style=ButtonStyle.success,
                disabled=not page.possible,
            ),
            button(leave, words("event_form.leave_unchanged")),
        ]
    sure = int(page.leaving)
    throw = Press(verb="ev_form_drop", table=TableId(0), hand=sure)
    return [
        button(
            FORM.but("ev_form_publish"),
            words("event_form.publish"),
            style=ButtonStyle.success,
            disabled=not page.possible,
        ),
        button(FORM.but("ev_rehearse"), words("rehearsal.button"), disabled=not page.possible),
        button(
            throw,
            words("event_form.throw_away_sure" if sure else "event_form.throw_away"),
            style=ButtonStyle.danger if sure else ButtonStyle.secondary,
        ),
    ]


def section_form(sheet: Sheet, section: str, words: Words) -> ui.Modal:
    """The form of a section, filled in with what there is."""
    fields = [_field(sheet, name, words) for name in _written(section, sheet)]
    return modal(FORM.but("ev_form_text", section), section_name(section, sheet, words), fields)


def _field(sheet: Sheet, name: str, words: Words) -> FormField:
    knockout = name == "level_hands" and sheet.form.family is Family.KNOCKOUT
    hint = f"event_form.hint.{name}{'_matches' if knockout else ''}"
    most = longest(name)
    return FormField(
        label=words(f"event_form.field.{name}"),
        value=written_value(sheet, name, words)[:most],
        most=most,
        long=name in ("titles", "description"),
        hint=words(hint) if words.has(hint) else "",
        optional=name not in REQUIRED,
    )
