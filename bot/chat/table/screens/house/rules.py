"""Screens for house rules: a server's custom games, one game with its overrides, and one override with its values."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import discord
from discord import ButtonStyle, ui

from bot.chat.kit.custom_ids import OWN, Press, game_tag
from bot.chat.kit.form_terms import form_terms
from bot.chat.kit.fragments import NOWHERE, TABLE_COLOUR, as_typed_before
from bot.chat.kit.modals import AnyField, FormChoice, FormField, modal
from bot.chat.kit.widgets import Part, Screen, button, button_rows, screen, select
from bot.model.ids import TableId
from bot.model.limits import MAX_HOUSE_GAMES
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import house_variant, says_something, value_of
from bot.pure.ofc.overrides import OVERRIDES, POINTS_OF_HANDS
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import Variant, VariantError
from bot.text.games import preset_name
from bot.text.house_rules import (
    current_value,
    house_items,
    override_name,
    value_name,
)
from bot.text.numbers import whole_number
from bot.text.words import Words, escape_name

KEYS = tuple(key for key in OVERRIDES if not key.startswith(POINTS_OF_HANDS))
"""The overrides in the menu. Royalties for individual hands have a form instead."""
ALL_KEYS = tuple(OVERRIDES)
DEFAULT = "usual"
"""The value that removes an override."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The range of numbers that an override accepts."""

    least: int
    most: int


def home() -> Press:
    """Return the press that goes back to the list."""
    return Press(verb="house", table=TableId(0))


def with_override(game: HouseGame, key: str, value: str) -> HouseGame:
    """Return the game with one override changed or removed; raises VariantError.

    A value that would apply anyway isn't stored as an override, so the list counts only rules that change something.
    """
    if value == DEFAULT:
        return HouseGame(name=game.name, variant=_without(game, key))
    overrides = {**game.variant.house, key: value}
    return HouseGame(
        name=game.name,
        variant=_without(game, key)
        if value == holds_without(game, key)
        else house_variant(game.variant.key, overrides, name=game.name),
    )


def _without(game: HouseGame, key: str) -> Variant:
    overrides = {other: value for other, value in game.variant.house.items() if other != key}
    return house_variant(game.variant.key, overrides, name=game.name)


def holds_without(game: HouseGame, key: str) -> str:
    """Return a rule's value without its override; empty if other overrides depend on it."""
    try:
        return value_of(_without(game, key), key)
    except VariantError:
        return ""


def accepts(variant: Variant, key: str) -> Sequence[str] | Range | None:
    """Return the values that an override accepts: choices, a range of numbers, or None for free text.

    They're taken from the error that an invalid value raises.
    """
    try:
        house_variant(variant.key, {**variant.house, key: "?"})
    except VariantError as error:
        if error.problem == "not_a_choice":
            return str(error.details["choices"]).split(", ")
        if error.problem == "not_a_number":
            return Range(least=int(error.details["least"]), most=int(error.details["most"]))
    return None


def typed_value(game: HouseGame, key: str, written: str) -> str:
    """Return the value of an override for the text ``written`` in its field."""
    number = whole_number(written) if isinstance(accepts(game.variant, key), Range) else None
    return unicodedata.normalize("NFKC", written.strip()) if number is None else str(number)


def list_screen(games: Sequence[HouseGame], words: Words) -> Screen:
    """Draw the list of the server's games, and the presets that new ones can be based on."""
    lines = [_line(game, words) for game in games]
    told = [*lines, words("house_rules.play")] if lines else [words("house_rules.none")]
    text = "\n".join([f"### {words('house_rules.title')}", *told])
    rows: list[Part] = []
    if games:
        options = [
            discord.SelectOption(label=game.name[:100], value=game_tag(game.name)) for game in games[:MAX_HOUSE_GAMES]
        ]
        rows.append(select(home().but("house_open"), options, placeholder=words("house_rules.open")))
    presets = [
        discord.SelectOption(label=preset_name(variant, words)[:100], value=key) for key, variant in PRESETS.items()
    ]
    rows.append(select(home().but("house_new"), presets, placeholder=words("house_rules.new")))
    rows += button_rows([button(NOWHERE.but("set_up"), words("setup.back"))])
    return screen(text, *rows, colour=TABLE_COLOUR)


def _line(game: HouseGame, words: Words) -> str:
    named = {"name": escape_name(game.name), "game": preset_name(game.variant, words)}
    if not game.variant.house:
        return words("house_rules.line_usual", **named)
    return words("house_rules.line", count=len(game.variant.house), **named)


def game_screen(game: HouseGame, words: Words, *, deleting: bool = False) -> Screen:
    """Draw one game: its overrides, and a menu of all rules that can be changed."""
    changed = house_items(game.variant, words)
    text = "\n".join(
        [
            f"### {escape_name(game.name)}",
            words("house_rules.based_on", game=preset_name(game.variant, words)),
            *(f"- {line}" for line in changed),
        ]
    )
    press = replace(home(), argument=game_tag(game.name))
    options = [
        discord.SelectOption(
            label=override_name(key, words)[:100],
            value=str(ALL_KEYS.index(key)),
            description=current_value(game.variant, key, words)[:100] or None,
        )
        for key in KEYS
        if says_something(game.variant, key) or key in game.variant.house
    ]
    return screen(
        text,
        select(
            replace(press, verb="house_pick"), options, placeholder=words("house_rules.change"), most=MAX_RULES_PER_FORM
        ),
        *button_rows(
            [
                button(NOWHERE.but("open", OWN + press.argument), words("hub.button.play"), style=ButtonStyle.success),
                button(replace(press, verb="house_royalties"), words("house_rules.royalties")),
                button(home(), words("house_rules.back")),
                button(
                    replace(press, verb="house_delete", hand=int(deleting)),
                    words("house_rules.delete_sure" if deleting else "house_rules.delete"),
                    style=ButtonStyle.danger,
                ),
            ]
        ),
        colour=TABLE_COLOUR,
    )


def value_screen(game: HouseGame, key: str, choices: Sequence[str], words: Words) -> Screen:
    """Draw one override with its choices."""
    press = replace(home(), verb="house_value", hand=ALL_KEYS.index(key), argument=game_tag(game.name))
    preset = PRESETS[game.variant.key]
    told = words(
        "house_rules.now",
        value=current_value(game.variant, key, words),
        game=preset_name(game.variant, words),
        usual=current_value(preset, key, words),
    )
    return screen(
        f"### {escape_name(game.name)}\n{override_name(key, words)}\n{told}",
        select(press, _value_options(game, key, choices, words), placeholder=words("house_rules.choose")),
        *button_rows([button(replace(press, verb="house_show"), words("house_rules.back"))]),
        colour=TABLE_COLOUR,
    )


def _value_options(game: HouseGame, key: str, choices: Sequence[str], words: Words) -> list[discord.SelectOption]:
    """Return the choices for an override, starting with the value that applies without it."""
    preset, without = PRESETS[game.variant.key], holds_without(game, key)
    ruled = bool(without) and without != value_of(preset, key)
    now = value_of(game.variant, key) if key in game.variant.house else DEFAULT
    options = [
        discord.SelectOption(
            label=words("house_rules.ruled" if ruled else "house_rules.usual"),
            value=DEFAULT,
            description=value_name(key, without or value_of(preset, key), words)[:100],
            default=now == DEFAULT,
        )
    ]
    return options + [
        discord.SelectOption(label=value_name(key, value, words)[:100], value=value, default=now == value)
        for value in choices[:24]
    ]


MAX_RULES_PER_FORM = 4
"""Maximum number of rules per form, limited by the space in a press's custom id."""


def several_rules(press: Press, keys: Sequence[str]) -> Press:
    """Return a press that carries rules of the menu, each as a two-digit position counted from 1."""
    return replace(press, hand=int("".join(f"{KEYS.index(key) + 1:02}" for key in keys)))


def parse_rules(press: Press) -> list[str]:
    """Return the rules that a press carries; empty if its value isn't valid."""
    digits = str(press.hand)
    digits = digits.zfill(len(digits) + len(digits) % 2)
    places = [int(digits[at : at + 2]) - 1 for at in range(0, len(digits), 2)]
    return [KEYS[place] for place in places] if all(0 <= place < len(KEYS) for place in places) else []


def rules_fields(game: HouseGame, keys: Sequence[str], words: Words) -> list[AnyField]:
    """Return a field per rule: a choice if the rule has few values, otherwise a number or text."""
    fields: list[AnyField] = []
    for key in keys:
        taken = accepts(game.variant, key)
        if taken is None or isinstance(taken, Range):
            fields.append(_number_field(game, key, taken, words))
        else:
            options = _value_options(game, key, taken, words)
            fields.append(FormChoice(label=override_name(key, words), options=options))
    return fields


def with_rules(game: HouseGame, chosen: Mapping[str, str]) -> HouseGame:
    """Return the game with several overrides changed or removed at once; raises VariantError.

    Only the final combination has to be valid, because overrides may require each other.
    """
    kept = {key: value for key, value in game.variant.house.items() if key not in chosen}
    changed = kept | {key: value for key, value in chosen.items() if value != DEFAULT}
    game = HouseGame(name=game.name, variant=house_variant(game.variant.key, changed, name=game.name))
    for key, value in chosen.items():
        if value != DEFAULT:
            game = with_override(game, key, value)
    return game


def number_form(
    game: HouseGame, key: str, numbers: Range | None, words: Words, *, typed: Sequence[str] = ()
) -> ui.Modal:
    """Return the form for a number or text. Empty input removes the override. ``typed`` is the refused input."""
    press = replace(home(), verb="house_number", hand=ALL_KEYS.index(key), argument=game_tag(game.name))
    fields = [_number_field(game, key, numbers, words)]
    return modal(replace(press, terms=form_terms(fields)), game.name, as_typed_before(fields, typed))


def number_field(game: HouseGame, key: str, words: Words) -> FormField:
    """Return the only field of that form."""
    taken = accepts(game.variant, key)
    return _number_field(game, key, taken if isinstance(taken, Range) else None, words)


def _number_field(game: HouseGame, key: str, numbers: Range | None, words: Words) -> FormField:
    hint = f" ({numbers.least}–{numbers.most})" if numbers else ""
    preset, without = PRESETS[game.variant.key], holds_without(game, key)
    usual = words("house_rules.usual_hint", game=preset_name(preset, words), usual=current_value(preset, key, words))
    if without and without != value_of(preset, key):
        usual = words("house_rules.ruled_hint", usual=value_name(key, without, words))
    return FormField(
        label=override_name(key, words)[: 45 - len(hint)] + hint,
        value=value_of(game.variant, key),
        hint=usual,
        optional=True,
    )


def name_form(preset: str, words: Words, *, typed: Sequence[str] = ()) -> ui.Modal:
    """Return the form for a new game's name. ``typed`` is the refused input."""
    press = replace(home(), verb="house_name", argument=preset)
    return modal(press, words("house_rules.name_title"), as_typed_before(name_fields(words), typed))


def name_fields(words: Words) -> list[AnyField]:
    """Return the only field of that form."""
    return [FormField(label=words("house_rules.name"), most=40)]
