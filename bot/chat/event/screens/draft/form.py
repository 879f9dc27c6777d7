"""The page for preparing an event: a preview for members, a form per topic, and the button to publish it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.chat.event.screens.draft.event_choices import (
    CHOSEN,
    COUNTED,
    HONOURS,
    KINDS,
    MAX_ROLES,
    NO,
    REPEATS,
    ROLES,
    START,
    YES,
    EventChoices,
    chosen_value,
    form_fields,
    forms,
    longest,
    topic_fields,
    topics,
    written_value,
)
from bot.chat.event.screens.draft.plan import changes_of
from bot.chat.event.screens.draft.summary import FormPage, every_rule, notes, section_name, status, summary
from bot.chat.kit.custom_ids import OWN, Press, game_tag
from bot.chat.kit.fragments import MAX_OPTIONS, MAX_TEXT_LENGTH, QUIET_COLOUR, TABLE_COLOUR, text_length
from bot.chat.kit.modals import AnyField, FormChoice, FormField, FormPick, PickKind, modal
from bot.chat.kit.widgets import (
    HOLD_THREADS,
    Part,
    Screen,
    apart,
    button,
    button_rows,
    number_in,
    screen,
    select,
    separator,
)
from bot.model.clock import Pace
from bot.model.ids import TableId
from bot.play.event.office.date_changes import for_one_date
from bot.play.event.trials.forecast import default_players
from bot.pure.event.pairings import Pairings
from bot.pure.event.scoring import Scoring
from bot.pure.event.seeding import Seeding
from bot.pure.event.structure import PRESETS, Family, Leaving, NoShow
from bot.pure.event.ties import Ties
from bot.pure.ofc.presets import PRESETS as GAMES
from bot.pure.ofc.settlement import WinCap
from bot.text.event_structure import counted_text, place_name, scoring_example
from bot.text.games import preset_name
from bot.text.words import Words, escape_name

FORM = Press(verb="ev_form", table=TableId(0))
ALL_RULES = "all"
"""Value of the page of all rules in the topics menu."""
OF_CHOICE: Mapping[str, type[Enum]] = {
    "no_show": NoShow,
    "leaving": Leaving,
    "seeding": Seeding,
    "pairings": Pairings,
    "ties": Ties,
}
"""Enums whose members are the options of these menus."""
MAX_CHANNELS = 9
"""Maximum number of extra channels. With the event's own, fifty threads in each are enough for any event."""
REQUIRED = (
    *("name", "when", "table_seats", "most", "least", "groups", "through"),
    *("stack", "levels", "level_length", "rounds", "round_hands", "time"),
)
"""Fields that can't be empty."""


def is_chosen(name: str) -> bool:
    """True for a field that is chosen rather than typed."""
    return name in CHOSEN


def form_screen(page: FormPage, words: Words) -> Screen:
    """Draw the page. If it's too long for one message, the last problems appear only once the others are solved."""
    for count in range(max(1, len(page.problems)), 0, -1):
        whole = _screen(replace(page, problems=page.problems[:count]), words)
        if text_length(whole) <= MAX_TEXT_LENGTH:
            break
    return whole


def _screen(page: FormPage, words: Words) -> Screen:
    if page.event is None:
        title = words("event_form.title")
    else:
        title = words("event_form.title_change", name=escape_name(page.event.name))
    return screen(
        "\n".join(filter(None, [f"### {title}", page.said])),
        separator(line=True),
        "\n".join(summary(page, words)),
        separator(line=True),
        "\n".join([*notes(page, words), *status(page, words), *_parts_told(page, words)]),
        *button_rows(_forms(page, words)),
        _topics(page, words),
        *button_rows(_buttons(page, words)),
        colour=TABLE_COLOUR,
    )


def rules_screen(page: FormPage, words: Words) -> Screen:
    """Draw everything that members will see under **Details**, with a button back to the page."""
    back = button(FORM.but("ev_form_open"), words("event_form.back"), style=ButtonStyle.primary)
    blocks = ["\n".join(lines) for lines in every_rule(page, words) if lines]
    return screen(*apart(blocks), *button_rows([back]), colour=QUIET_COLOUR)


def _forms(page: FormPage, words: Words) -> list[Part]:
    """Return the buttons for the main form and for each part of a topic that doesn't fit into one form."""
    made = []
    if form_fields(START, page.choices, roles=page.may_give_roles):
        press = FORM.but("ev_form_ask", START)
        made.append(button(press, section_name(START, page.choices, words), style=ButtonStyle.primary))
    parts = forms(page.section, page.choices, roles=page.may_give_roles)
    if len(parts) > 1:
        made += [button(FORM.but("ev_form_ask", part), _part_name(page, part, words)) for part in parts]
    return made


def _parts_told(page: FormPage, words: Words) -> list[str]:
    """Return a line per button of a topic that has several forms, with the fields of its form."""
    parts = forms(page.section, page.choices, roles=page.may_give_roles)
    if len(parts) < 2:
        return []
    return [
        words(
            "event_form.part.holds",
            part=_part_name(page, part, words),
            fields=words.facts(_labels(form_fields(part, page.choices, roles=page.may_give_roles), words)),
        )
        for part in parts
    ]


def _part_name(page: FormPage, part: str, words: Words) -> str:
    """Return the name of one of a topic's forms, which depends on the fields it has."""
    fields = form_fields(part, page.choices, roles=page.may_give_roles)
    has = {"ties": "ties" in fields, "roles": any(name in ROLES for name in fields)}
    if part != HONOURS or all(has.values()):
        return words(f"event_form.part.{part}")
    lacks = [name for name, there in has.items() if not there]
    return words("event_form.field.titles" if len(lacks) > 1 else f"event_form.part.{part}_without_{lacks[0]}")


def _topics(page: FormPage, words: Words) -> Part:
    """Return the menu of the other topics.

    A client keeps the choice in a menu that it knows, and sends nothing if the same option is chosen again. That's why
    each drawing has a new menu.
    """
    choices = page.choices
    offered = [topic for topic in topics(choices) if topic != START]
    named = [section_name(topic, choices, words) for topic in offered]
    options = [
        discord.SelectOption(
            label=name,
            description=words.facts(_labels(_offered(topic, page), words))[:100],
            value=topic,
        )
        for topic, name in zip(offered, named, strict=True)
    ]
    rules = discord.SelectOption(
        label=words("event_form.all_rules"), description=words("event_form.all_rules_what")[:100], value=ALL_RULES
    )
    placeholder = words("event_form.section", topics=words.facts(named))
    press, number = FORM.but("ev_form_open"), number_in(page.now // 1000, 1)
    return select(press, [*options, rules], placeholder=placeholder, number=number)


def _kinds(choices: EventChoices, words: Words) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=_kind(key, words),
            description=words(f"structure.preset_line.{key}")[:100],
            value=key,
            default=key == choices.preset,
        )
        for key in PRESETS
        if key in KINDS or key == choices.preset
    ]


def _kind(key: str, words: Words) -> str:
    return words("event_form.kind_league") if key == "league" else words(f"structure.preset.{key}")


def _offered(topic: str, page: FormPage) -> list[str]:
    """Return the fields of a topic, without roles if the organiser can't promise any."""
    return [name for name in topic_fields(topic, page.choices) if page.may_give_roles or name not in ROLES]


def _labels(fields: Sequence[str], words: Words) -> list[str]:
    """Return the names of fields. Roles share a name with all their places."""
    places = [place_name(int(name[-1]), words) for name in fields if name in ROLES]
    roles = words("event_form.part.roles_for", count=len(places), places=words.list(places)) if places else ""
    told = [roles if name in ROLES else words(f"event_form.field.{name}") for name in fields]
    return list(dict.fromkeys(told))


def _choices(choices: EventChoices, name: str, words: Words) -> list[discord.SelectOption]:
    now = chosen_value(choices, name)
    return [
        discord.SelectOption(
            label=label[:100], value=value, description=_example(choices, name, value, words), default=value == now
        )
        for value, label in _options(name, words).items()
    ]


def _example(choices: EventChoices, name: str, value: str, words: Words) -> str | None:
    """Return an example of a scoring method; None for other menus."""
    if name != "scoring":
        return None
    return scoring_example(Scoring(value), choices.structure, default_players(choices.structure), words)[:100]


def _options(name: str, words: Words) -> dict[str, str]:
    """Return a menu's values and labels."""
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


def _presets(now: str, words: Words) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=preset_name(game, words)[:100], value=key, default=key == now)
        for key, game in GAMES.items()
    ]


def _own(page: FormPage, now: str) -> list[discord.SelectOption]:
    own = [(game.name, OWN + game_tag(game.name)) for game in page.games]
    return [discord.SelectOption(label=name[:100], value=key, default=key == now) for name, key in own]


def _any_game(page: FormPage, words: Words) -> list[discord.SelectOption]:
    """Return the presets and as many of the server's own games as fit into a menu, with the current one among them."""
    presets, now = _presets(page.choices.game, words), page.choices.game
    own = sorted(_own(page, now), key=lambda option: not option.default)
    return presets + own[: MAX_OPTIONS - len(presets)]


THIS_DATE, LASTING = "once", "all"
"""Arguments of the buttons that save a change to a repeating event for this date only, and for later dates too."""


def _buttons(page: FormPage, words: Words) -> list[Any]:
    publishes = FORM.but("ev_form_publish", terms=page.terms)
    if page.event is not None:
        leave = Press(verb="ev_form_drop", table=TableId(0), hand=1)
        saves = [(publishes, "save_change")]
        if page.event.repeat is not None:
            saves = [(replace(publishes, argument=LASTING), "save_lasting")]
            if for_one_date(page.event, changes_of(page.choices)):
                saves.insert(0, (replace(publishes, argument=THIS_DATE), "save_once"))
        made = [
            button(press, words(f"event_form.{label}"), style=ButtonStyle.success, disabled=not page.possible)
            for press, label in saves
        ]
        return [*made, button(leave, words("event_form.leave_unchanged"))]
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


def section_form(page: FormPage, form: str, words: Words) -> ui.Modal:
    """Return a form with the current values filled in."""
    names = form_fields(form, page.choices, roles=page.may_give_roles)
    fields = [_choice(page, name, words) if is_chosen(name) else _field(page, form, name, words) for name in names]
    whole = [form] == forms(form, page.choices, roles=page.may_give_roles)
    title = section_name(form, page.choices, words) if whole else _part_name(page, form, words)
    return modal(replace(FORM.but("ev_form_text", form), hand=len(names)), title, fields)


def opens_at_once(page: FormPage, topic: str) -> bool:
    """True for a topic that fits into one form."""
    return topic in topics(page.choices) and [topic] == forms(topic, page.choices, roles=page.may_give_roles)


def _choice(page: FormPage, name: str, words: Words) -> AnyField:
    """Return the field for a choice."""
    choices = page.choices
    if name.startswith("role_"):
        place = int(name[-1])
        roles = [*choices.structure.roles, *[0] * MAX_ROLES]
        chosen = [role] if (role := roles[place - 1]) else []
        label = words("event_form.part.roles_for", count=1, places=place_name(place, words))
        return FormPick(label=label, kind=PickKind.ROLE, chosen=chosen, optional=True)
    label = words(f"event_form.field.{name}" if name != "preset" else "event_form.preset")
    if name == "channels":
        return FormPick(
            label=label,
            kind=PickKind.CHANNEL,
            chosen=choices.structure.channels,
            most=MAX_CHANNELS,
            kinds=HOLD_THREADS,
            optional=True,
        )
    if name == "preset":
        return FormChoice(label=label, options=_kinds(choices, words))
    return FormChoice(label=label, options=_any_game(page, words) if name == "game" else _choices(choices, name, words))


def _field(page: FormPage, form: str, name: str, words: Words) -> FormField:
    choices = page.choices
    knockout = name == "level_length" and choices.form.family is Family.KNOCKOUT
    running = name == "level_length" and bool(choices.of) and "level_hands" not in choices.open
    hint = f"event_form.hint.{name}{'_matches' if knockout else '_running' if running else ''}"
    most = longest(name)
    return FormField(
        label=words(f"event_form.field.{name}"),
        value=written_value(choices, name, words)[:most],
        most=most,
        long=name in ("titles", "description"),
        hint=words(hint) if words.has(hint) else "",
        # A Sit & Go has no start time, and the kind of event is chosen in the same form.
        optional=name not in REQUIRED or (form == START and not choices.of),
    )
