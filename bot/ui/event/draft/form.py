"""The page on which an event is prepared: menus, forms, and below them what everybody will read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.event.pairings import Pairings
from bot.event.scoring import Scoring
from bot.event.seeding import Seeding
from bot.event.structure import PRESETS, Family, NoShow
from bot.model.clock import Pace
from bot.model.ids import TableId
from bot.ofc.house_rules import says_something
from bot.ofc.presets import PRESETS as GAMES
from bot.ofc.settlement import WinCap
from bot.ofc.variants import Variant
from bot.text.event_structure import counted_text, place_name, scoring_example
from bot.text.names import preset_name
from bot.text.words import Words, escape_name
from bot.ui.custom_ids import OWN, Press, game_tag
from bot.ui.event.draft.plan import usual_people
from bot.ui.event.draft.sheet import (
    CHOSEN,
    COUNTED,
    MOST_ROLES,
    NO,
    REPEATS,
    YES,
    Sheet,
    chosen_fields,
    chosen_value,
    longest,
    sections,
    written_fields,
    written_value,
)
from bot.ui.event.draft.summary import FormPage, notes, section_name, summary, wrong
from bot.ui.fragments import TABLE_COLOUR
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
OF_CHOICE: Mapping[str, type[Enum]] = {"no_show": NoShow, "seeding": Seeding, "pairings": Pairings}
"""What the options of these menus are values of."""
MOST_CHANNELS = 9
"""Ten with the event's own: fifty threads each are enough for every event."""
REQUIRED = (
    *("name", "when", "table_seats", "most", "least", "groups", "through"),
    *("stack", "levels", "rounds", "round_hands", "time"),
)
"""Fields that mean nothing when they are empty."""


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
        *(["\n".join(stands)] if (stands := wrong(page, words)) else []),
        separator(line=True, room=LARGE),
        *apart(["\n".join(lines) for lines in summary(page, words)]),
        separator(line=True),
    ]
    if noted := notes(page, words):
        parts.append("\n".join(noted))
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
            description=" · ".join(_labels([*_written(name, sheet), *chosen_fields(name, sheet)], words))[:100],
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
    if name == "bounty_grows" and not page.sheet.structure.bounty:
        return []
    now = chosen_value(page.sheet, name)
    options = [
        discord.SelectOption(
            label=label[:100], value=value, description=_example(page.sheet, name, value, words), default=value == now
        )
        for value, label in _options(name, words).items()
    ]
    return [_row(FORM.but("ev_form_set", name), options, words(f"event_form.field.{name}"))]


def _example(sheet: Sheet, name: str, value: str, words: Words) -> str | None:
    """What a way to score comes to; nothing for other menus."""
    if name != "scoring":
        return None
    return scoring_example(Scoring(value), sheet.structure, usual_people(sheet), words)[:100]


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
    if name == "scoring":
        return {one.value: words(f"structure.series.by.{one.value}") for one in Scoring}
    if name == "counted":
        return {value: counted_text(count, words) for value, count in COUNTED.items()}
    values = [one.value for one in OF_CHOICE[name]] if name in OF_CHOICE else [YES, NO]
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
