"""Texts about house rules: names of overrides and their values, rejected changes, and lists of points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from bot.pure.ofc.cards import ACE, KING, ROWS, Row
from bot.pure.ofc.house_rules import value_of
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.overrides import CATEGORIES, NATURALS, OVERRIDES, POINTS_OF_HANDS, WHEEL
from bot.pure.ofc.presets import PRESETS
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.variants import TRIPS, Fantasyland, Variant, VariantError, entry_name
from bot.text.cards import category_name, named_hand, natural_name, row_name, typed_hand
from bot.text.games import preset_name
from bot.text.languages import LANGUAGES
from bot.text.words import Words, escape_name, words_for

_CATEGORIES = {category.name.lower(): category for category in Category}
_POINTS = {"row_point", "scoop_bonus", "majority_bonus", "two_rows_bonus", "total_bonus", "surrender"}
_ENTRY, _CARDS = "fantasyland.entry", "fantasyland.cards"
_TRIPS = "trips"
_FRONTS = ("QQ", "KK", "AA")
"""Fronts for the first three of four numbers of cards. The last is for three of a kind."""


def house_items(variant: Variant, words: Words) -> list[str]:
    """Return the changes made by house rules, one line each; empty for a preset."""
    return [override_text(key, value, words, variant) for key, value in variant.house.items()]


def override_text(key: str, value: str, words: Words, variant: Variant | None = None) -> str:
    """Return the line of an override, such as ``**Points for a row**: 2 points``; see :func:`value_name`."""
    return words("house.line", name=override_name(key, words), value=value_name(key, value, words, variant))


def current_value(variant: Variant, key: str, words: Words) -> str:
    """Return the name of a rule's value in this game, changed or not; empty if the game doesn't have the rule."""
    return value_name(key, value_of(variant, key), words, variant)


def override_name(key: str, words: Words) -> str:
    """Return the name of an override, such as ``Discards`` or ``Royalty: back royal flush``."""
    family, _, place = key.partition(".")
    if key in NATURALS:
        return words("house.natural", natural=natural_name(NATURALS[key], words))
    if family not in ("royalty", "row"):
        return words(f"house.override.{key.replace('.', '_')}")
    row, _, hand = place.partition(".")
    if row == "low":
        low = words("rules.low", ranks=WHEEL) if hand == WHEEL else words("rules.royalties.low", rank=hand)
        return words("house.royalty", row=row_name(Row.MIDDLE, words), hand=low)
    name = category_name(_CATEGORIES[hand], words) if hand in _CATEGORIES else typed_hand(hand)
    return words(f"house.{family}", row=row_name(Row[row.upper()], words), hand=name)


def value_name(key: str, value: str, words: Words, variant: Variant | None = None) -> str:
    """Return the name of an override's value, such as ``on``, ``3 points`` or ``QQ or better``.

    An invalid value is returned unchanged. With ``variant``, numbers of cards are listed with the fronts that enter in
    that game.
    """
    if words.has(f"house.value.{value}"):
        return words(f"house.value.{value}")
    if key == _ENTRY:
        return _three(words) if value == _TRIPS else words("rules.better", hand=named_hand(value, words))
    if value in _CATEGORIES:
        return words("rules.better", hand=category_name(_CATEGORIES[value], words))
    if key == _CARDS:
        rule = variant.fantasyland if variant else None
        return _entry_cards(rule, words) if rule and "," in value else _cards(value, words)
    if not value.isdecimal():
        return value
    points = key in _POINTS or key.startswith(POINTS_OF_HANDS)
    return words("unit.points", count=int(value)) if points else words.number(int(value))


def _cards(value: str, words: Words) -> str:
    """Return the numbers of Fantasyland cards, such as ``14 cards`` or ``QQ 14, KK 15, AA 16 and ...``."""
    numbers = [part.strip() for part in value.split(",")]
    if not all(number.isdecimal() for number in numbers) or len(numbers) not in (1, 4):
        return value
    if len(numbers) == 1:
        return words("unit.cards", count=int(numbers[0]))
    return words.list([f"{hand} {cards}" for hand, cards in zip((*_FRONTS, _three(words)), numbers, strict=True)])


def _entry_cards(rule: Fantasyland, words: Words) -> str:
    """Return the fronts that enter, with their numbers of cards, such as ``KK 15, AA 16 and three of a kind 17``.

    All pairs up to queens share one number.
    """
    pairs = sorted(rank for rank in rule.entry if rank not in (TRIPS, KING, ACE))
    told = []
    if pairs:
        lowest, queens = (typed_hand(entry_name(rank)) for rank in (pairs[0], pairs[-1]))
        told.append(
            (lowest if lowest == queens else words("rules.range", least=lowest, most=queens), rule.entry[pairs[0]])
        )
    told += [(entry_name(rank), rule.entry[rank]) for rank in (KING, ACE) if rank in rule.entry]
    told.append((_three(words), rule.entry[TRIPS]))
    return words.list([f"{front} {cards}" for front, cards in told])


def _three(words: Words) -> str:
    return category_name(Category.THREE_OF_A_KIND, words)


def problem_text(error: VariantError, words: Words) -> str:
    """Return why a game can't be played, as message text (``house.problem.<problem>``)."""
    if error.problem == "no_such_game":
        # Players know games by name, not by keys and tags.
        names = words.list([preset_name(game, words) for game in PRESETS.values()])
        value = str(error.details["value"])
        if value.startswith("own-"):
            return words("typed_choice.game_gone", choices=names)
        return words("house.problem.no_such_game", value=escape_name(value), choices=names)
    return words(f"house.problem.{error.problem}", **_printed(error.details, words))


def _printed(details: Mapping[str, int | str], words: Words) -> dict[str, str]:
    """Return the details as text, with formatted numbers, names of rows and hands, and escaped player input."""
    return {name: _said(name, value, words) for name, value in details.items()}


def _said(name: str, value: int | str, words: Words) -> str:
    if isinstance(value, int):
        return words.number(value)
    if name == "row":
        return row_name(Row[value.upper()], words)
    return category_name(_CATEGORIES[value], words) if value in _CATEGORIES else escape_name(typed_hand(value))


# Points for individual hands as managers type them, one line each and in any language, such as ``back royal flush 50``

_FAMILIES = ("low", "row", "natural")
"""Parts of keys that have a separate word: a low, points for a row, a natural."""
_BRACKETS = re.compile(r"[（(](.+)[）)]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoyaltyLine:
    """A typed line, with its override and points. ``key`` is empty if there's no such override."""

    written: str
    key: str
    points: str


def royalty_line(key: str, points: str, words: Words) -> str:
    """Return the line for an override of POINTS_OF_HANDS, such as ``row back four of a kind 5``, or ``front QQ 9``."""
    return " ".join([*(_written(part, words) for part in key.removeprefix("royalty.").split(".")), points])


def _written(part: str, words: Words) -> str:
    """Return the text of a part of a key: a row, a hand, or the word for a family."""
    if part in _FAMILIES:
        return words(f"house_rules.typed.{part}")
    if part in CATEGORIES:
        return category_name(CATEGORIES[part], words)
    natural = NATURALS.get(f"natural.{part}")
    if natural:
        return _BRACKETS.sub("", natural_name(natural, words))
    row = next((row for row in ROWS if row.key == part), None)
    return row_name(row, words) if row else typed_hand(part)


def royalty_lines(text: str) -> list[RoyaltyLine]:
    """Return a text's parsed lines, without empty ones."""
    return [_read(line) for line in filter(None, map(str.strip, normalize("NFKC", text).splitlines()))]


def _read(line: str) -> RoyaltyLine:
    *where, points = _as_key(line).replace(".", " ").split() or [""]
    key = ".".join(where)
    if not key.startswith(POINTS_OF_HANDS):
        key = f"royalty.{key}"
    return RoyaltyLine(written=line, key=key if key in OVERRIDES else "", points=points)


def _as_key(line: str) -> str:
    """Return the line with words replaced by parts of keys, such as ``back royal_flush 50``."""
    names = _names()
    longest = sorted(names, key=len, reverse=True)
    known = "|".join(rf"(?<![a-z_]){re.escape(name)}(?![a-z_])" for name in longest)
    text = re.sub(known, lambda found: f" {names[found[0].lower()]} ", line.replace("=", " "), flags=re.IGNORECASE)
    text = text.replace("10-10-10", "TTT").replace("10-10", "TT")
    return re.sub(r"(?<!\S)[2-9tjqka]{2,3}(?!\S)", _capitals, text, count=1, flags=re.IGNORECASE)


def _capitals(found: re.Match[str]) -> str:
    """Return the match in upper case, such as ``QQ`` for ``qq``."""
    return found[0].upper()


@cache
def _names() -> dict[str, str]:
    """Return the parts of keys by their lower-case names in every language, including the parts themselves."""
    return {name.lower(): part for code in LANGUAGES for part, name in _called(words_for(code))}


def _called(words: Words) -> Iterator[tuple[str, str]]:
    for row in ROWS:
        yield row.key, row_name(row, words)
        typed = words.language.typed.places
        yield from ((row.key, name) for name, letter in typed.items() if letter == row.value and len(name) > 1)
    for part, category in CATEGORIES.items():
        yield part, part
        yield part, category_name(category, words)
    for natural in Natural:
        name = natural_name(natural, words)
        yield natural.key, natural.key
        yield natural.key, _BRACKETS.sub("", name)
        yield from ((natural.key, also) for also in _BRACKETS.findall(name))
    for part in _FAMILIES:
        yield part, words(f"house_rules.typed.{part}")
