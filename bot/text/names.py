"""Names of the things of the game: cards, rows, hands, games."""

from __future__ import annotations

from collections.abc import Iterable

from bot.ofc.cards import JOKERS, RANKS, Card, rank_of, suit_of
from bot.ofc.ranks import Category
from bot.ofc.rows import Row
from bot.ofc.variants import Variant
from bot.text.words import Words

SUITS = ("♣\ufe0e", "♦\ufe0e", "♥\ufe0e", "♠\ufe0e")
"""With the variation selector that keeps clients from drawing them as emojis."""
JOKER = "🃏"


def variant_name(variant: Variant, words: Words) -> str:
    """``Pineapple OFC``."""
    return words(f"variant.{variant.key}.name")


def row_name(row: Row, words: Words) -> str:
    """``front``."""
    return words(f"row.{row.key}")


def category_name(category: Category, words: Words) -> str:
    """``full house``."""
    return words(f"category.{category.name.lower()}")


def rank_name(rank: int) -> str:
    """``10`` for the rank 10, ``A`` for the ace (14)."""
    return RANKS[rank - 2].replace("T", "10")


def card_text(card: Card) -> str:
    """``10♠``; a joker is its picture."""
    if card in JOKERS:
        return JOKER
    return rank_name(rank_of(card)) + SUITS[suit_of(card)]


def row_text(cards: Iterable[Card]) -> str:
    """``A♠ 10♥``."""
    return " ".join(map(card_text, cards))


def range_text(least: int, most: int, words: Words) -> str:
    """``2–3``, or ``2`` when that is all."""
    if least == most:
        return words.number(least)
    return words("rules.range", least=words.number(least), most=words.number(most))


def capital(text: str) -> str:
    """``text`` with a capital letter in front, where its script has capitals."""
    return text[:1].upper() + text[1:]
