"""Cards, ranks, rows and hands in words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from bot.pure.ofc.cards import JOKERS, RANKS, Card, Row, rank_of, suit_of
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.ranks import Category, Strength, category_of, low_ranks, second_rank, top_rank
from bot.text.words import Words, capital

MAX_NAMES = 4096
"""Maximum size of each cache of names. A panel uses a dozen names, mostly the same as the previous panel."""
SUITS = ("♣\ufe0e", "♦\ufe0e", "♥\ufe0e", "♠\ufe0e")
"""Suit symbols, with the variation selector that keeps clients from drawing them as emojis."""
JOKER = "🃏"
_BY_HIGHEST = frozenset({Category.HIGH_CARD, Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH})
"""Hands named by their highest rank."""
_BY_TWO = frozenset({Category.TWO_PAIR, Category.FULL_HOUSE})
"""Hands named by two ranks. All others are named by the rank that occurs more than once."""


@lru_cache(MAX_NAMES)
def row_name(row: Row, words: Words) -> str:
    """Return the name of a row, such as ``front``."""
    return words(f"row.{row.key}")


@lru_cache(MAX_NAMES)
def row_label(row: Row, words: Words, *, strict: bool) -> str:
    """Return the label of a row, such as ``Front``. Games with strictly ordered rows (十三張) have other names."""
    return capital(words(f"board.strict.{row.key}") if strict else row_name(row, words))


def category_name(category: Category, words: Words) -> str:
    """Return the name of a category, such as ``full house``."""
    return words(f"category.{category.name.lower()}")


def natural_name(natural: Natural, words: Words) -> str:
    """Return the name of a natural, such as ``six pairs``."""
    return words(f"natural.{natural.name.lower()}")


@lru_cache(MAX_NAMES)
def hand_text(strength: Strength, words: Words) -> str:
    """Return the name of a hand, such as ``pair of queens``, ``9-high straight`` or ``9-8-5-3-2 low``."""
    category, top = category_of(strength), top_rank(strength)
    if category is Category.LOW:
        return low_text(strength, words)
    if category is Category.ROYAL_FLUSH or not top:
        return category_name(category, words)
    sentence = f"hand.{category.name.lower()}"
    if category in _BY_HIGHEST:
        return words(sentence, rank=rank_name(top))
    if category in _BY_TWO:
        return words(sentence, ranks=plural_name(top, words), others=plural_name(second_rank(strength), words))
    return words(sentence, ranks=plural_name(top, words))


def disambiguate(one: Strength, other: Strength, words: Words) -> tuple[str, str]:
    """Return the names of two hands, with their ranks if the names are equal, as in ``K-high, K-9-4``."""
    first, second = hand_text(one, words), hand_text(other, words)
    if first != second:
        return first, second
    return _with_ranks(one, words), _with_ranks(other, words)


def _with_ranks(strength: Strength, words: Words) -> str:
    ranks = [rank for shift in range(16, -1, -4) if (rank := strength >> shift & 15)]
    return words("hand.with_ranks", hand=hand_text(strength, words), ranks=ranks_text(ranks))


def plural_name(rank: int, words: Words) -> str:
    """Return the plural name of a rank, such as ``queens``."""
    return words(f"ranks.{rank}")


def low_text(strength: Strength, words: Words) -> str:
    """Return the name of a qualifying deuce-to-seven low, such as ``9-8-5-3-2 low``."""
    return words("rules.low", ranks=ranks_text(low_ranks(strength)))


def ranks_text(ranks: Iterable[int]) -> str:
    """Return ranks in short form, such as ``9-8-5-3-2``."""
    return "-".join(map(rank_name, ranks))


def typed_hand(code: str) -> str:
    """Return a hand as written in house rules, such as ``QQ`` or ``AAA``. Tens are written as on cards: ``10-10``."""
    return "-".join(["10"] * len(code)) if set(code) == {"T"} else code


def named_hand(code: str, words: Words) -> str:
    """Return a hand such as ``QQ``, or ``queens`` for *Text only*, because ``66`` would be read aloud as a number."""
    if not words.heard:
        return typed_hand(code)
    return words("aloud.pair" if len(code) == 2 else "aloud.trips", ranks=plural_name(RANKS.index(code[0]) + 2, words))


def rank_name(rank: int) -> str:
    """Return the name of a rank, such as ``10``, or ``A`` for the ace (14)."""
    return RANKS[rank - 2].replace("T", "10")


@cache
def card_text(card: Card) -> str:
    """Return the text of a card, such as ``10♠``, or the joker's emoji."""
    if card in JOKERS:
        return JOKER
    return rank_name(rank_of(card)) + SUITS[suit_of(card)]


def row_text(cards: Iterable[Card]) -> str:
    """Return the text of several cards, such as ``A♠ 10♥``."""
    return " ".join(map(card_text, cards))
