"""A game's page, put together from the properties of its declaration."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ofc.variants import Variant
from bot.text.house_rules import house_items
from bot.text.rulebook.deal import player_items, street_items
from bot.text.rulebook.fantasyland import fantasyland_items
from bot.text.rulebook.page import Item, Section
from bot.text.rulebook.points import natural_items, point_items, row_items
from bot.text.rulebook.royalties import royalty_items
from bot.text.words import Words


def sections(variant: Variant, words: Words) -> tuple[Section, ...]:
    """The page of a game: what the house changed, players, the deal, rows, points, royalties, Fantasyland."""
    return tuple(parts(variant, words).values())


def parts(variant: Variant, words: Words) -> dict[str, Section]:
    """The sections by what they are about, those of them that say something."""
    about: dict[str, Sequence[Item]] = {
        "house": house_items(variant, words),
        "players": player_items(variant, words),
        "setting" if variant.at_once else "streets": street_items(variant, words),
        "rows": row_items(variant, words),
        "points": point_items(variant, words),
        "naturals": natural_items(variant, words),
        "royalties": royalty_items(variant, words),
        "fantasyland": fantasyland_items(variant, words),
    }
    return {
        part: Section(title=words(f"rules.heading.{part}"), items=tuple(items))
        for part, items in about.items()
        if items
    }
