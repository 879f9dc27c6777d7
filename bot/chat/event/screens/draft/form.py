"""The page on which an event is prepared: menus, forms, and below them what everybody will read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.chat.event.screens.draft.sheet import (
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
from bot.chat.event.screens.draft.summary import FormPage, locked, notes, section_name, summary, wrong
from bot.chat.kit.custom_ids import OWN, Press, game_tag
from bot.chat.kit.fragments import MOST_OPTIONS, MOST_TEXT, TABLE_COLOUR, text_length
from bot.chat.kit.modals import MOST_FIELDS, AnyField, FormChoice, FormField, FormPick, Named, modal
from bot.chat.kit.widgets import (
    HOLD_THREADS,
    LARGE,
    Part,
    Screen,
    apart,
    button,
    channel_select,
    role_select,
    rows_of,
    screen,
    select,
    separator,
)
from bot.model.clock import Pace
from bot.model.ids import TableId
from bot.play.event.trials.forecast import usual_people
from bot.pure.event.pairings import Pairings
from bot.pure.event.scoring import Scoring
from bot.pure.event.seeding import Seeding
from bot.pure.event.structure import PRESETS, Family, NoShow
from bot.pure.ofc.house_rules import says_something
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.settlement import WinCap
from bot.pure.ofc.variants import Variant
from bot.text.event_structure import counted_text, place_name, scoring_example
from bot.text.games import preset_name
from bot.text.words import Words, escape_name

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
MOST_MENUS = 100
MOST_CHOICES, MOST_DRAWINGS = 30, 500_000
"""Numbers of components have 31 bits."""
OF_CHOICE: Mapping[str, type[Enum]] = {"no_show": NoShow, "seeding": Seeding, "pairings": Pairings}
"""What the options of these menus are values of."""
MOST_CHANNELS = 9
"""Ten with the event's own: fifty threads each are enough for every event."""
REQUIRED = (
    *("name", "when", "table_seats", "most", "least", "groups", "through"),
    *("stack", "levels", "rounds", "round_hands", "time"),
)
"""Fields that mean nothing when they are empty."""


START = "start"
"""The form of a new event that asks for what most of them are told by, in place of four sections."""
AT_START = ("preset", "name", "when", "game", "pace")


def form_fields(section: str, sheet: Sheet) -> list[str]:
    """The fields of a section's form in their order: those of its menus too, where one form holds them all."""
    if section == START:
        return [] if sheet.of else list(AT_START)
    written, every = written_fields(section, sheet), all_fields(section, sheet)
    return every if len(every) <= MOST_FIELDS else written


def all_fields(section: str, sheet: Sheet) -> list[str]:
    """All fields of a section, those that are written first."""
    return [*written_fields(section, sheet), *chosen_fields(section, sheet)]


def is_chosen(name: str) -> bool:
    """True for a field that is chosen and not written."""
    return name == "preset" or any(name in names for names in CHOSEN.values())


def form_screen(page: FormPage, words: Words) -> Screen:
    """The page. If a message can't hold it all, the last problems wait until those before them are solved."""
    for count in range(max(1, len(page.problems)), 0, -1):
        whole = _screen(replace(page, problems=page.problems[:count]), words)
        if text_length(whole) <= MOST_TEXT:
            break
    return whole


def _screen(page: FormPage, words: Words) -> Screen:
    if page.event is None:
        title, private = words("event_form.title"), words("event_form.private")
    else:
        title = words("event_form.title_change", name=escape_name(page.event.name))
        private = words("event_form.private_change")
    parts: list[str | Part] = [
        "\n".join(filter(None, [f"### {title}", private, page.said])),
        *_menus(page, words),
        *(["\n".join(stands)] if (stands := wrong(page, words)) else []),
        separator(line=True, room=LARGE),
        *apart(["\n".join(lines) for lines in summary(page, words)]),
        separator(line=True),
    ]
    if noted := notes(page, words):
        parts.append("\n".join(noted))
    ways = rows_of(_buttons(page, words))
    # Apart from what is noted: a list would take the line in. The fullest page has it below the menus alone.
    why = locked(page, words)
    whole = screen(*parts, *why, *ways, colour=TABLE_COLOUR)
    return whole if not why or text_length(whole) <= MOST_TEXT else screen(*parts, *ways, colour=TABLE_COLOUR)


def _row(page: FormPage, press: Press, options: list[discord.SelectOption], placeholder: str) -> Part:
    # What a form has changed is shown by a menu of another number alone, also where that choice was shown before.
    chosen = next((place for place, option in enumerate(options, start=1) if option.default), 0)
    drawing = page.now // 1000 % MOST_DRAWINGS * MOST_CHOICES + chosen
    number = _number(press.argument or press.verb) + MOST_MENUS * drawing
    return select(press, options, placeholder=placeholder, number=number)


def _number(name: str) -> int:
    """A number of its own for each menu: clients show a choice again where they know the menu by its place alone."""
    return MENUS.index(name) + FIRST_MENU


def _menus(page: FormPage, words: Words) -> list[Part]:
    """What kind of event it is, which section is open, and the section's own menus and form."""
    sheet = page.sheet
    kinds = _kinds(sheet, words)
    open_sections = [
        discord.SelectOption(
            label=section_name(name, sheet, words),
            description=words.facts(_labels(all_fields(name, sheet), words))[:100],
            value=name,
            default=name == page.section,
        )
        for name in sections(sheet)
    ]
    return [
        *(_beginning(page, kinds, words) if page.event is None else []),
        _row(page, FORM.but("ev_form_open"), open_sections, words("event_form.section")),
        *_section(page, words),
    ]


def _beginning(page: FormPage, kinds: list[discord.SelectOption], words: Words) -> list[Part]:
    """One form for all that most events are told by, and the menu of kinds."""
    ask = button(FORM.but("ev_form_ask", START), words("event_form.start"), style=ButtonStyle.primary)
    return [*rows_of([ask]), _row(page, FORM.but("ev_form_preset"), kinds, words("event_form.preset"))]


def _kinds(sheet: Sheet, words: Words) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=words(f"structure.preset.{key}"),
            description=words(f"structure.preset_line.{key}")[:100],
            value=key,
            default=key == sheet.preset,
        )
        for key in PRESETS
    ]


def _labels(fields: Sequence[str], words: Words) -> list[str]:
    return [words(f"event_form.field.{name}") for name in fields]


def _section(page: FormPage, words: Words) -> list[Part]:
    """The menus of the open section, and the button that opens its form."""
    items: list[Part] = []
    for name in chosen_fields(page.section, page.sheet):
        items += _menu(page, name, words)
    if written_fields(page.section, page.sheet):
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
    options = _choices(page.sheet, name, words)
    return [_row(page, FORM.but("ev_form_set", name), options, words(f"event_form.field.{name}"))]


def _choices(sheet: Sheet, name: str, words: Words) -> list[discord.SelectOption]:
    now = chosen_value(sheet, name)
    return [
        discord.SelectOption(
            label=label[:100], value=value, description=_example(sheet, name, value, words), default=value == now
        )
        for value, label in _options(name, words).items()
    ]


def _example(sheet: Sheet, name: str, value: str, words: Words) -> str | None:
    """What a way to score comes to; nothing for other menus."""
    if name != "scoring":
        return None
    return scoring_example(Scoring(value), sheet.structure, usual_people(sheet.structure), words)[:100]


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
    menus: list[Part] = [_row(page, FORM.but("ev_form_game"), _presets(now, words), words("event_form.field.game"))]
    if page.games:
        menus.append(_row(page, FORM.but("ev_form_game", "own"), _own(page, now), words("event_form.own_game")))
    return menus


def _presets(now: str, words: Words) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=preset_name(game, words)[:100], value=key, default=key == now)
        for key, game in GAMES.items()
    ]


def _own(page: FormPage, now: str) -> list[discord.SelectOption]:
    own = [(game.name, OWN + game_tag(game.name)) for game in page.games]
    return [discord.SelectOption(label=name[:100], value=key, default=key == now) for name, key in own]


def _any_game(page: FormPage, words: Words) -> list[discord.SelectOption]:
    """The presets and as many of the server's own games as one menu holds; the present one is among them."""
    presets, now = _presets(page.sheet.game, words), page.sheet.game
    own = sorted(_own(page, now), key=lambda option: not option.default)
    return presets + own[: MOST_OPTIONS - len(presets)]


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
    publishes = FORM.but("ev_form_publish", terms=page.terms)
    if page.event is not None:
        leave = Press(verb="ev_form_drop", table=TableId(0), hand=1)
        return [
            button(
                publishes,
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
            publishes,
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


def section_form(page: FormPage, section: str, words: Words) -> ui.Modal:
    """The form of a section, filled in with what there is."""
    names = form_fields(section, page.sheet)
    fields = [_choice(page, name, words) if is_chosen(name) else _field(page, section, name, words) for name in names]
    title = words("event_form.start") if section == START else section_name(section, page.sheet, words)
    return modal(replace(FORM.but("ev_form_text", section), hand=len(names)), title, fields)


def opens_at_once(page: FormPage, section: str) -> bool:
    """True for a section of which one form holds all."""
    roles = any(name.startswith("role_") for name in chosen_fields(section, page.sheet))
    names = form_fields(section, page.sheet)
    return bool(names) and names == all_fields(section, page.sheet) and (page.may_give_roles or not roles)


def _choice(page: FormPage, name: str, words: Words) -> AnyField:
    """A field in which something is chosen."""
    sheet = page.sheet
    if name.startswith("role_"):
        place = int(name[-1])
        roles = [*sheet.structure.roles, *[0] * MOST_ROLES]
        chosen = [role] if (role := roles[place - 1]) else []
        return FormPick(label=place_name(place, words), kind=Named.ROLE, chosen=chosen, optional=True)
    label = words(f"event_form.field.{name}" if name != "preset" else "event_form.preset")
    if name == "channels":
        return FormPick(
            label=label,
            kind=Named.CHANNEL,
            chosen=sheet.structure.channels,
            most=MOST_CHANNELS,
            kinds=HOLD_THREADS,
            optional=True,
        )
    if name == "preset":
        return FormChoice(label=label, options=_kinds(sheet, words))
    return FormChoice(label=label, options=_any_game(page, words) if name == "game" else _choices(sheet, name, words))


def _field(page: FormPage, section: str, name: str, words: Words) -> FormField:
    sheet = page.sheet
    knockout = name == "level_hands" and sheet.form.family is Family.KNOCKOUT
    running = name == "level_minutes" and "level_hands" not in written_fields(section, sheet)
    hint = f"event_form.hint.{name}{'_matches' if knockout else '_running' if running else ''}"
    most = longest(name)
    return FormField(
        label=words(f"event_form.field.{name}"),
        value=written_value(sheet, name, words)[:most],
        most=most,
        long=name in ("titles", "description"),
        hint=words(hint) if words.has(hint) else "",
        # A Sit & Go has no hour, and which kind it is is chosen beside it.
        optional=name not in REQUIRED or section == START,
    )
