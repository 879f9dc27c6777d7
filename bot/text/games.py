"""Names of games."""

from __future__ import annotations

from bot.pure.ofc.variants import Variant
from bot.text.words import Words, escape_name


def preset_name(variant: Variant, words: Words) -> str:
    """``Pineapple OFC``, whatever a house has changed."""
    return words(f"variant.{variant.key}.name")


def variant_name(variant: Variant, words: Words) -> str:
    """``Pineapple OFC``, or the name that a house gave its game, as message text prints it.

    A game without a name that a house has changed says what was changed, where there is a short word for it.
    """
    if variant.house_name:
        return escape_name(variant.house_name)
    preset = preset_name(variant, words)
    if not variant.house:
        return preset
    shorts = [f"house.short.{key}_{value}" for key, value in variant.house.items()]
    if all(map(words.has, shorts)):
        return words("house.changed", game=preset, rules=words.list([words(short) for short in shorts]))
    return words("rules.house.name", game=preset)


def full_name(variant: Variant, words: Words) -> str:
    """``Our evening (Pineapple OFC)`` for a game that a house named, so that everybody knows what is played."""
    name = variant_name(variant, words)
    return words("house.named", name=name, game=preset_name(variant, words)) if variant.house_name else name
