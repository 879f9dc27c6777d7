"""Names of the things of the game: cards, rows, hands, games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.ofc.cards import JOKERS, RANKS, Card, rank_of, suit_of
from bot.ofc.naturals import Natural
from bot.ofc.ranks import Category, Strength, category_of, low_ranks, second_rank, top_rank
from bot.ofc.rows import Row
from bot.ofc.variants import Variant
from bot.text.words import Words, escape_name

SUITS = ("♣\ufe0e", "♦\ufe0e", "♥\ufe0e", "♠\ufe0e")
"""With the variation selector that keeps clients from drawing them as emojis."""
JOKER = "🃏"
_TEN = 10
_GROUPS: Mapping[Category, tuple[int, ...]] = {
    Category.PAIR: (2,),
    Category.TWO_PAIR: (2, 2),
    Category.THREE_OF_A_KIND: (3,),
    Category.FULL_HOUSE: (3, 2),
    Category.FOUR_OF_A_KIND: (4,),
    Category.FIVE_OF_A_KIND: (5,),
}
"""How often the first ranks of a hand stand in its name."""
_TOPS: Mapping[Category, str] = {
    Category.HIGH_CARD: "hand.high_card",
    Category.STRAIGHT: "hand.straight",
    Category.FLUSH: "hand.flush",
    Category.STRAIGHT_FLUSH: "hand.straight",
}
"""The sentences of hands that are named by their highest rank."""


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


def row_name(row: Row, words: Words) -> str:
    """``front``."""
    return words(f"row.{row.key}")


def category_name(category: Category, words: Words) -> str:
    """``full house``."""
    return words(f"category.{category.name.lower()}")


def natural_name(natural: Natural, words: Words) -> str:
    """``six pairs``."""
    return words(f"natural.{natural.name.lower()}")


def hand_text(strength: Strength, words: Words) -> str:
    """``pair QQ``, ``full house 555 99``, ``straight to 9``, ``flush A-high`` or ``9-8-5-3-2 low``."""
    category = category_of(strength)
    if category is Category.LOW:
        return low_text(strength, words)
    name, top = category_name(category, words), top_rank(strength)
    if category in _TOPS and top:
        return words(_TOPS[category], category=name, rank=rank_name(top))
    first, *others = _GROUPS.get(category, (0,))
    if not first:
        return name
    if not others:
        return words("hand.of", category=name, ranks=_group(top, first))
    second = _group(second_rank(strength), others[0])
    return words("hand.of_two", category=name, first=_group(top, first), second=second)


def _group(rank: int, count: int) -> str:
    """``QQ``; tens are kept apart, ``10-10``, to be read as the cards show them."""
    return ("-" if rank == _TEN else "").join([rank_name(rank)] * count)


def low_text(strength: Strength, words: Words) -> str:
    """``9-8-5-3-2 low`` for a qualifying deuce-to-seven low."""
    return words("rules.low", ranks=ranks_text(low_ranks(strength)))


def ranks_text(ranks: Iterable[int]) -> str:
    """``9-8-5-3-2``."""
    return "-".join(map(rank_name, ranks))


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
