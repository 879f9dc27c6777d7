"""House rules in words: what a house can change, to which values, and why a change is refused."""

from __future__ import annotations

from collections.abc import Mapping

from bot.ofc.cards import ACE, KING, Row
from bot.ofc.house_rules import value_of
from bot.ofc.overrides import NATURALS, POINTS_OF_HANDS, WHEEL
from bot.ofc.ranks import Category
from bot.ofc.variants import TRIPS, Fantasyland, Variant, VariantError, entry_name
from bot.text.names import category_name, natural_name, row_name, typed_hand
from bot.text.words import Words, escape_name

_CATEGORIES = {category.name.lower(): category for category in Category}
_POINTS = {"row_point", "scoop_bonus", "majority_bonus", "two_rows_bonus", "total_bonus", "surrender"}
_ENTRY, _CARDS = "fantasyland.entry", "fantasyland.cards"
_TRIPS = "trips"
_FRONTS = ("QQ", "KK", "AA")
"""The hands that the first three of four numbers of cards stand for; the last is three of a kind."""


def house_items(variant: Variant, words: Words) -> list[str]:
    """The changes of the house, one line each; nothing for a preset."""
    return [override_text(key, value, words, variant) for key, value in variant.house.items()]


def override_text(key: str, value: str, words: Words, variant: Variant | None = None) -> str:
    """``**Points for a row**: 2 points``, with respect to the rest of ``variant`` where it is given."""
    return words("house.line", name=override_name(key, words), value=value_name(key, value, words, variant))


def current_value(variant: Variant, key: str, words: Words) -> str:
    """The value of a rule in this game, changed or not; empty where it means nothing."""
    return value_name(key, value_of(variant, key), words, variant)


def override_name(key: str, words: Words) -> str:
    """The name of what an override changes: ``Discards``, or ``Royalty: back royal flush``."""
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
    """The name of a value that an override takes: ``on``, ``3 points``, ``QQ or better``. A value that is none stays as
    it is.

    Of ``variant``, numbers of cards name the fronts that enter there.
    """
    if words.has(f"house.value.{value}"):
        return words(f"house.value.{value}")
    if key == _ENTRY:
        return _three(words) if value == _TRIPS else words("rules.better", hand=typed_hand(value))
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
    """``14 cards``, or ``QQ 14, KK 15, AA 16 and three of a kind 17``."""
    numbers = [part.strip() for part in value.split(",")]
    if not all(number.isdecimal() for number in numbers) or len(numbers) not in (1, 4):
        return value
    if len(numbers) == 1:
        return words("unit.cards", count=int(numbers[0]))
    return words.list([f"{hand} {cards}" for hand, cards in zip((*_FRONTS, _three(words)), numbers, strict=True)])


def _entry_cards(rule: Fantasyland, words: Words) -> str:
    """``KK 15, AA 16 and three of a kind 17`` for what enters; pairs up to queens have one number."""
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
    """Why a game cannot be played, as message text: the sentence ``house.problem.<problem>``."""
    return words(f"house.problem.{error.problem}", **_printed(error.details, words))


def _printed(details: Mapping[str, int | str], words: Words) -> dict[str, str]:
    """Numbers written out, rows and hands named, and what somebody has typed made harmless."""
    return {name: _said(name, value, words) for name, value in details.items()}


def _said(name: str, value: int | str, words: Words) -> str:
    if isinstance(value, int):
        return words.number(value)
    if name == "row":
        return row_name(Row[value.upper()], words)
    return category_name(_CATEGORIES[value], words) if value in _CATEGORIES else escape_name(typed_hand(value))
