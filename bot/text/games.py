"""Names of games."""

from __future__ import annotations

from bot.pure.ofc.variants import Variant
from bot.text.words import Words, escape_name


def preset_name(variant: Variant, words: Words) -> str:
    """Return the name of a game's preset, such as ``Pineapple OFC``, without house rules."""
    return words(f"variant.{variant.key}.name")


def variant_name(variant: Variant, words: Words) -> str:
    """Return the name of a game for message text, such as ``Pineapple OFC`` or the name that a house gave it.

    For a custom game without a name, it lists the changes if there's a short word for each.
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
    """Return the name of a game, with its preset if it's a named custom game: ``Our evening (Pineapple OFC)``."""
    name = variant_name(variant, words)
    return words("house.named", name=name, game=preset_name(variant, words)) if variant.house_name else name
