"""Royalties for individual hands in a custom game: current values, menus of rows and hands, and a form for several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import discord
from discord import ui

from bot.chat.kit.custom_ids import Press, game_tag
from bot.chat.kit.form_terms import FormOutdatedError, form_terms
from bot.chat.kit.fragments import FOUL_COLOUR, MAX_OPTIONS, TABLE_COLOUR
from bot.chat.kit.modals import FormField, modal
from bot.chat.kit.widgets import BLOCK, Part, Screen, button, button_rows, screen, select
from bot.chat.table.screens.house.rules import ALL_KEYS, home
from bot.model.tables import HouseGame
from bot.pure.ofc.house_rules import house_variant, says_something
from bot.pure.ofc.overrides import LOWS, NATURALS, OVERRIDES, POINTS_OF_HANDS, ROW_VALUES, WHEEL
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.variants import Variant, VariantError
from bot.text.games import preset_name
from bot.text.house_rules import RoyaltyLine, current_value, problem_text, royalty_line, royalty_lines
from bot.text.words import Words, escape_name

TABLES: Mapping[str, tuple[str, ...]] = {
    "front_pairs": tuple(key for key in OVERRIDES if key.startswith("royalty.front.") and len(key.split(".")[2]) == 2),
    "front_trips": tuple(key for key in OVERRIDES if key.startswith("royalty.front.") and len(key.split(".")[2]) == 3),
    "middle": tuple(key for key in OVERRIDES if key.startswith("royalty.middle.")),
    "lows": (*LOWS, f"royalty.low.{WHEEL}"),
    "back": tuple(key for key in OVERRIDES if key.startswith("royalty.back.")),
    "rows": tuple(ROW_VALUES),
    "naturals": tuple(NATURALS),
}
"""Every hand whose points can be changed, by the table that lists it. Custom ids depend on this order."""
MAX_LINES_LENGTH = 1500
"""Maximum number of characters that the form accepts."""


def royalty_table(key: str) -> str:
    """Return the table that lists a hand; empty for other kinds of override."""
    return next((name for name, keys in TABLES.items() if key in keys), "")


def table_at(place: int) -> str:
    """Return the table at ``place``, counted from 1, or the first one if there is none."""
    return list(TABLES)[place - 1] if 0 < place <= len(TABLES) else next(iter(TABLES))


def royalty_screen(game: HouseGame, words: Words, *, table: str = "") -> Screen:
    """Draw the current points for the hands of one table, a menu to change one, and a menu of the other tables."""
    offered = {name: hands for name in TABLES if (hands := _hands(game.variant, name))}
    table = table if table in offered else next(iter(offered), "")
    press = replace(home(), argument=game_tag(game.name))
    lines = [_royalty_line(game.variant, key, words) for key in offered.get(table, ())]
    title = words(f"royalty_editor.table.{table}") if table else words("royalty_editor.none")
    told = words("royalty_editor.told", game=preset_name(PRESETS[game.variant.key], words))
    menus = (
        [_tables(press, offered, table, words), _menu(press, game.variant, table, offered[table], words)]
        if table
        else []
    )
    return screen(
        f"### {escape_name(game.name)}\n**{title}**",
        *(["\n".join(lines)] if lines else []),
        told,
        *menus,
        *button_rows(
            [
                button(replace(press, verb="house_lines"), words("royalty_editor.write")),
                button(replace(press, verb="house_show"), words("house_rules.back")),
            ]
        ),
        colour=TABLE_COLOUR,
    )


def _hands(variant: Variant, table: str) -> list[str]:
    """Return the hands of a table that this game can pay for."""
    return [key for key in TABLES[table] if says_something(variant, key) or key in variant.house][:MAX_OPTIONS]


def _royalty_line(variant: Variant, key: str, words: Words) -> str:
    """Return ``back royal flush: 25 points``, in bold if the server has changed it."""
    text = words("royalty_editor.line", hand=_short(key, words), points=current_value(variant, key, words))
    return f"- **{text}**" if key in variant.house else f"- {text}"


def _short(key: str, words: Words) -> str:
    return royalty_line(key, "", words).strip()


def _tables(press: Press, offered: Mapping[str, Sequence[str]], chosen: str, words: Words) -> Part:
    options = [
        discord.SelectOption(label=words(f"royalty_editor.table.{name}")[:100], value=name, default=name == chosen)
        for name in offered
    ]
    return select(replace(press, verb="house_royalties"), options, placeholder=words("royalty_editor.pick_table"))


def _menu(press: Press, variant: Variant, table: str, keys: Sequence[str], words: Words) -> Part:
    options = [
        discord.SelectOption(
            label=_short(key, words)[:100],
            value=str(ALL_KEYS.index(key)),
            description=current_value(variant, key, words)[:100] or None,
        )
        for key in keys
    ]
    # The table's number distinguishes this menu from the next one in its place.
    number = list(TABLES).index(table) + 1
    press = replace(press, verb="house_hand", street=number)
    return select(press, options, placeholder=words("royalty_editor.pick_hand"), number=100 + number)


def royalty_form(game: HouseGame, words: Words, *, written: str = "") -> ui.Modal:
    """Return the form with the ``written`` text, by default a line per hand whose points differ from the preset."""
    now = royalty_field(game, words)
    press = replace(home(), verb="house_table", argument=game_tag(game.name), terms=form_terms([now]))
    return modal(press, game.name, [replace(now, value=written[:MAX_LINES_LENGTH] or now.value)])


def royalty_field(game: HouseGame, words: Words) -> FormField:
    """Return the form's only field, with a line per hand whose points differ from the preset."""
    lines = [
        royalty_line(key, value, words) for key, value in game.variant.house.items() if key.startswith(POINTS_OF_HANDS)
    ]
    return FormField(
        label=words("royalty_editor.royalty_lines"),
        value="\n".join(lines)[:MAX_LINES_LENGTH],
        most=MAX_LINES_LENGTH,
        long=True,
        hint=words("royalty_editor.royalty_hint"),
    )


class RoyaltyLinesError(ValueError):
    """Some lines are invalid. Each comes with the reason, or None if it couldn't be parsed."""

    def __init__(self, lines: Sequence[tuple[str, VariantError | None]]) -> None:
        super().__init__([line for line, _ in lines])
        self.lines = lines


def with_royalties(game: HouseGame, text: str) -> HouseGame:
    """Return the game with the points in ``text`` replacing all its changed royalties.

    Raises RoyaltyLinesError with every line that is invalid on its own, or VariantError if the combination is.
    """
    kept = {key: value for key, value in game.variant.house.items() if not key.startswith(POINTS_OF_HANDS)}
    lines = royalty_lines(text)
    wrong = [(line.written, why) for line in lines if (why := _wrong(game, kept, line)) or not line.key]
    if wrong:
        raise RoyaltyLinesError(wrong)
    overrides = kept | {line.key: line.points for line in lines}
    return HouseGame(name=game.name, variant=house_variant(game.variant.key, overrides, name=game.name))


def _wrong(game: HouseGame, kept: Mapping[str, str], line: RoyaltyLine) -> VariantError | None:
    """Return the reason that a line is invalid on its own; None if it's valid or can't be parsed."""
    try:
        house_variant(game.variant.key, {**kept, line.key: line.points} if line.key else kept)
    except VariantError as error:
        # Other errors may be resolved by the remaining lines.
        return error if error.override == line.key else None
    return None


def royalties_refused(
    game: HouseGame, error: FormOutdatedError | VariantError | RoyaltyLinesError, text: str, words: Words
) -> Screen:
    """Draw the reason for refusing royalties, the lines as typed, and a button that reopens the form with them."""
    # Backticks would end the code block around the lines.
    lines = text.replace("`", "'").strip()[:MAX_LINES_LENGTH]
    press = replace(home(), verb="house_lines", argument=game_tag(game.name))
    match error:
        case VariantError():
            why = problem_text(error, words)
        case RoyaltyLinesError():
            why = _wrong_lines(error, words)
        case _:
            why = error.said
    return screen(
        why,
        f"{BLOCK}\n{lines}\n{BLOCK}",
        words("house_rules.kept"),
        *button_rows([button(press, words("royalty_editor.write"))]),
        colour=FOUL_COLOUR,
    )


_MAX_ERRORS_LENGTH = 2000
"""Maximum length of the list of wrong lines. A message holds 4,000 characters."""


def _wrong_lines(error: RoyaltyLinesError, words: Words) -> str:
    """Return the reason for each invalid line, one per line."""
    told: list[str] = []
    for line, why in error.lines:
        named = {"line": escape_name(line[:40])}
        if why is None:
            told.append(words("house_rules.unread", **named))
        else:
            told.append(words("house_rules.wrong_line", why=problem_text(why, words), **named))
    shown = told
    while sum(map(len, shown)) > _MAX_ERRORS_LENGTH:
        shown = shown[:-1]
    more = [words("house_rules.more_wrong", count=len(told) - len(shown))] if len(shown) < len(told) else []
    return "\n".join([words("house_rules.wrong", count=len(told)), *shown, *more, words("house_rules.line_example")])


def written_in(texts: Iterable[str]) -> str:
    """Return the lines shown by a message of :func:`royalties_refused`; empty if there are none."""
    return next((text[len(BLOCK) : -len(BLOCK)].strip("\n") for text in texts if text.startswith(BLOCK)), "")
