"""Names of the things of the game: cards, rows, hands, games."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache

from bot.model.careers import RULES, Badge, Earned
from bot.ofc.cards import JOKERS, RANKS, Card, Row, rank_of, suit_of
from bot.ofc.naturals import Natural
from bot.ofc.ranks import Category, Strength, category_of, low_ranks, second_rank, top_rank
from bot.ofc.variants import Variant
from bot.text.words import Words, escape_name

MOST_NAMES = 4096
"""Names of one kind that are kept: a panel names a dozen things, mostly those of the panel before."""
SUITS = ("♣\ufe0e", "♦\ufe0e", "♥\ufe0e", "♠\ufe0e")
"""With the variation selector that keeps clients from drawing them as emojis."""
JOKER = "🃏"
_BY_HIGHEST = frozenset({Category.HIGH_CARD, Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH})
"""Hands that are named by their highest rank."""
_BY_TWO = frozenset({Category.TWO_PAIR, Category.FULL_HOUSE})
"""Hands that are named by two ranks; all the others are named by the one that they hold several times."""


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


def badge_name(badge: Badge, words: Words) -> str:
    """``Royal flush``: what earns it, in a few words."""
    return _of_badge(f"badge.name.{badge.value}", badge, words)


def badge_rule(badge: Badge, words: Words) -> str:
    """``A royal flush on a board that didn't foul``: how it is earned."""
    return _of_badge(f"badge.rule.{badge.value}", badge, words)


def _of_badge(key: str, badge: Badge, words: Words) -> str:
    """What is said of a badge, with its number where the sentence has one."""
    return words(key, **({"least": words.number(RULES[badge].least)} if words.takes(key, "least") else {}))


def earned_name(earned: Earned, words: Words) -> str:
    """The name of a badge, with the month that it is for where it is for one."""
    name = badge_name(earned.badge, words)
    return words("badge.of_month", badge=name, month=month_name(earned.since, words)) if earned.since else name


def month_name(since: int, words: Words) -> str:
    """``November 2026``, of when it began (ms)."""
    began = datetime.fromtimestamp(since // 1000, UTC)
    return words("badge.month", month=words(f"badge.months.{began.month}"), year=str(began.year))


@lru_cache(MOST_NAMES)
def row_name(row: Row, words: Words) -> str:
    """``front``."""
    return words(f"row.{row.key}")


@lru_cache(MOST_NAMES)
def row_label(row: Row, words: Words, *, strict: bool) -> str:
    """``Front``; in the games of 十三張, where rows are strictly in order, with the name that it has there."""
    return capital(words(f"board.strict.{row.key}") if strict else row_name(row, words))


def category_name(category: Category, words: Words) -> str:
    """``full house``."""
    return words(f"category.{category.name.lower()}")


def natural_name(natural: Natural, words: Words) -> str:
    """``six pairs``."""
    return words(f"natural.{natural.name.lower()}")


@lru_cache(MOST_NAMES)
def hand_text(strength: Strength, words: Words) -> str:
    """``pair of queens``, ``fives full of nines``, ``9-high straight``, ``royal flush`` or ``9-8-5-3-2 low``."""
    category, top = category_of(strength), top_rank(strength)
    if category is Category.LOW:
        return low_text(strength, words)
    if category is Category.ROYAL_FLUSH or not top:
        return category_name(category, words)
    sentence = f"hand.{category.name.lower()}"
    if category in _BY_HIGHEST:
        return words(sentence, rank=rank_name(top))
    if category in _BY_TWO:
        return words(sentence, ranks=_several(top, words), others=_several(second_rank(strength), words))
    return words(sentence, ranks=_several(top, words))


def told_apart(one: Strength, other: Strength, words: Words) -> tuple[str, str]:
    """Two hands by their names, and by their ranks too where both have the same name: ``K-high, K-9-4``."""
    first, second = hand_text(one, words), hand_text(other, words)
    if first != second:
        return first, second
    return _with_ranks(one, words), _with_ranks(other, words)


def _with_ranks(strength: Strength, words: Words) -> str:
    ranks = [rank for shift in range(16, -1, -4) if (rank := strength >> shift & 15)]
    return words("hand.with_ranks", hand=hand_text(strength, words), ranks=ranks_text(ranks))


def _several(rank: int, words: Words) -> str:
    """``queens``, as a hand that holds more than one is named."""
    return words(f"ranks.{rank}")


def low_text(strength: Strength, words: Words) -> str:
    """``9-8-5-3-2 low`` for a qualifying deuce-to-seven low."""
    return words("rules.low", ranks=ranks_text(low_ranks(strength)))


def ranks_text(ranks: Iterable[int]) -> str:
    """``9-8-5-3-2``."""
    return "-".join(map(rank_name, ranks))


def typed_hand(code: str) -> str:
    """``QQ`` and ``AAA`` as house rules write them; tens as the cards show them, ``10-10``."""
    return "-".join(["10"] * len(code)) if set(code) == {"T"} else code


def rank_name(rank: int) -> str:
    """``10`` for the rank 10, ``A`` for the ace (14)."""
    return RANKS[rank - 2].replace("T", "10")


@cache
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


def gone_name(pseudonym: str, words: Words) -> str:
    """The name of somebody whose data were deleted, so that two of them can be told apart."""
    return words("name.gone", code=pseudonym[-4:])


def computer_name(computer: str, words: Words) -> str:
    """The name of a computer player, with the mark of one and its level."""
    return words(f"name.{computer.replace('-', '_')}")


# The fingerprint that people are shown of a commitment, to compare it with a record.

FINGERPRINT = 26
"""Characters of a fingerprint: 130 bits."""


def fingerprint(digest: bytes) -> str:
    """The fingerprint of a commitment: its first 130 bits as 26 lower-case letters and digits (base32 of RFC 4648)."""
    return b32encode(digest).decode().lower()[:FINGERPRINT]
