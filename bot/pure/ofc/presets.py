"""The games on offer, each declared as a variant of the most similar one.

This is the only place where a preset is declared, and its page in the rule book is generated from it. Its key is
permanent, because logs and custom ids contain it. docs/contribute/game.md lists the other steps for a new game.

Each number has a comment with its source and the topic there. The founding texts:

* [gamefarm] gamefarm.jp, Open-Face Chinese poker (2016)
* [pokerdou] pokerdou.com, チャイポ
* [yau-ichi] yau-ichi.hatenablog.com, 十三張
* [casino-ya] casino-ya.net, OFC

There are three other sources. [rooms] is the practice of online rooms (TonyBet, Pokerdom, SwC, PokerNinja), and
[wikipedia] is the English page as quoted elsewhere. [here] marks a decision of this project without a source.

Source: docs/rules.md, "The games".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from bot.pure.ofc.cards import ACE, KING, QUEEN, Row
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.royalties import DOUBLE_DECK, NO_ROYALTIES, TWO_SEVEN
from bot.pure.ofc.variants import (
    THIRTEEN_AT_ONCE,
    TRIPS,
    DealMode,
    Fantasyland,
    MiddleRank,
    Street,
    TurnOrder,
    Variant,
    entry_from,
)

# Defaults of all games: 1 point per row won and 3 for a scoop [gamefarm, pokerdou, casino-ya: scoring]. The button
# stays for Fantasyland [gamefarm, pokerdou, casino-ya: button]. The deck limits the number of seats.

CLASSIC = Variant(
    key="classic",
    max_seats=4,  # [gamefarm, pokerdou: players]
    streets=(Street(5, 5), *[Street(1, 1)] * 8),  # [gamefarm, pokerdou: deal]
    fantasyland=Fantasyland(
        entry=entry_from(QUEEN, 13),  # [gamefarm, pokerdou, casino-ya: entry]
        stay_cards=13,
        stay_middle=Category.FULL_HOUSE,  # [gamefarm, pokerdou, casino-ya: stay]
        stay_back=Category.FOUR_OF_A_KIND,
    ),
)
"""Classic OFC: five cards, then one at a time. 13-card Fantasyland; a full house in the middle stays."""

PINEAPPLE = replace(
    CLASSIC,
    key="pineapple",
    max_seats=3,  # [pokerdou, casino-ya: players]
    streets=(Street(5, 5), *[Street(3, 2)] * 4),  # [pokerdou, casino-ya: deal]
    fantasyland=Fantasyland(
        entry=entry_from(QUEEN, 14),  # [casino-ya: entry]
        stay_cards=14,
        stay_middle=None,  # [casino-ya: stay]; some rooms let a full house stay
        stay_back=Category.FOUR_OF_A_KIND,
    ),
)
"""Pineapple OFC: five cards, then four streets of three cards with one discard each. 14-card Fantasyland."""

# [rooms: TonyBet and others deal 5, 4, 4]; the stay is that of 13 cards [here]
TURBO = replace(CLASSIC, key="turbo", streets=(Street(5, 5), Street(4, 4), Street(4, 4)))
"""Turbo OFC: 5, 4 and 4 cards, all placed."""

# [gamefarm: named as a game of TonyBet]; its streets [here]
TURBO_PINEAPPLE = replace(PINEAPPLE, key="turbo_pineapple", streets=(Street(5, 5), Street(6, 4), Street(6, 4)))
"""Turbo Pineapple: five cards, then two streets of six cards, of which four are placed."""

PROGRESSIVE = replace(
    PINEAPPLE,
    key="progressive",
    fantasyland=Fantasyland(
        entry={QUEEN: 14, KING: 15, ACE: 16, TRIPS: 17},  # [gamefarm: progressive; TonyBet, SwC, wikipedia]
        stay_cards=14,  # [gamefarm: progressive]
    ),
)
"""Progressive Pineapple: 14 cards for QQ, 15 for KK, 16 for AA, 17 for three of a kind; a repeat is always 14."""

PROGRESSIVE_16 = replace(
    PROGRESSIVE,
    key="progressive_16",
    fantasyland=Fantasyland(
        entry={QUEEN: 14, KING: 15, ACE: 16, TRIPS: 16},  # [casino-ya: progressive]
        stay_cards=14,
    ),
)
"""Progressive Pineapple as others play it: AA and better get 16 cards."""

ULTIMATE = replace(
    PROGRESSIVE,
    key="ultimate",
    fantasyland=Fantasyland(
        entry={QUEEN: 14, KING: 15, ACE: 16, TRIPS: 17},
        stay_cards=None,  # [casino-ya: ultimate]
    ),
)
"""Ultimate Pineapple: like Progressive, but a repeat keeps its number of cards."""

TWO_SEVEN_PINEAPPLE = replace(
    PINEAPPLE,
    key="two_seven",
    middle=MiddleRank.DEUCE_TO_SEVEN,
    royalties=TWO_SEVEN,
    fantasyland=Fantasyland(
        entry=entry_from(KING, 14),  # [rooms: TonyBet, 2-7]
        stay_cards=14,
        wheel_cards=14,
        both_cards=15,
        wheel_stays=False,  # sources contradict each other [here]
    ),
)
"""2-7 Pineapple: a ten-high or lower deuce-to-seven low in the middle. Fantasyland for KK or 7-5-4-3-2, with 15 cards
for both."""

JOKER_PINEAPPLE = replace(PINEAPPLE, key="joker_pineapple", jokers=2)  # [casino-ya: jokers, one or two]
"""Pineapple with two jokers."""

JOKER_ULTIMATE = replace(ULTIMATE, key="joker_ultimate", jokers=2)  # [casino-ya: jokers]
"""Joker Ultimate Pineapple."""

# [casino-ya: two decks]
DOUBLE_CLASSIC = replace(CLASSIC, key="double_classic", decks=2, max_seats=8, royalties=DOUBLE_DECK)
"""Classic OFC with two decks, up to eight players."""

# [casino-ya: two decks]
DOUBLE_PINEAPPLE = replace(PINEAPPLE, key="double_pineapple", decks=2, max_seats=6, royalties=DOUBLE_DECK)
"""Pineapple with two decks, up to six players."""

# [pokerdou: the older game, with the points and royalties of OFC]
CHINESE = Variant(key="chinese", max_seats=4, streets=THIRTEEN_AT_ONCE, order=TurnOrder.ALL_TOGETHER)
"""Chinese Poker: thirteen cards set in one go and revealed together, without Fantasyland."""

THIRTEEN = replace(
    CHINESE,
    key="thirteen",
    min_seats=4,  # [yau-ichi: players]
    strict_rows=True,  # [yau-ichi: order of the rows]
    scoop_bonus=0,  # [yau-ichi: optional rules by agreement]
    royalties=NO_ROYALTIES,
    row_values={  # [yau-ichi: points of the rows]
        (Row.FRONT, Category.THREE_OF_A_KIND): 3,
        (Row.MIDDLE, Category.FULL_HOUSE): 2,
        **{(row, Category.FOUR_OF_A_KIND): 4 for row in (Row.MIDDLE, Row.BACK)},
        **{
            (row, category): 5
            for row in (Row.MIDDLE, Row.BACK)
            for category in (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
        },
    },
    naturals={  # [yau-ichi: naturals]
        Natural.SIX_PAIRS: 3,
        Natural.THREE_STRAIGHTS: 3,
        Natural.THREE_FLUSHES: 3,
        Natural.COMPLETE_STRAIGHT: 13,
    },
)
"""十三張 (shisan zhang): four players, strictly ordered rows, row points by the winning hand, and naturals."""

OPEN_THIRTEEN = replace(
    THIRTEEN,
    key="open_thirteen",
    streets=CLASSIC.streets,  # [yau-ichi: the open game]
    order=TurnOrder.FIRST_TOGETHER,
    deal_mode=DealMode.TURN,
    naturals={},
    edition=2,
)
"""Open 十三張: all players place five cards together, then one card at a time, dealt face up in turn."""

PRESETS: Mapping[str, Variant] = MappingProxyType(
    {
        variant.key: variant
        for variant in (
            PINEAPPLE,
            CLASSIC,
            PROGRESSIVE,
            PROGRESSIVE_16,
            ULTIMATE,
            TURBO,
            TURBO_PINEAPPLE,
            TWO_SEVEN_PINEAPPLE,
            JOKER_PINEAPPLE,
            JOKER_ULTIMATE,
            DOUBLE_CLASSIC,
            DOUBLE_PINEAPPLE,
            CHINESE,
            THIRTEEN,
            OPEN_THIRTEEN,
        )
    }
)
"""The games on offer, the most common one first."""

EDITION = 2
"""The current edition of the presets and overrides.

A change that would affect how old hands are played or paid needs a new edition, and the old one is kept.
"""
FIRST_EDITION: Mapping[str, Variant] = MappingProxyType(
    {**PRESETS, OPEN_THIRTEEN.key: replace(OPEN_THIRTEEN, deal_mode=DealMode.STREET, edition=1)}
)
"""The presets of the first edition, which dealt every street of Open 十三張 to all players together."""
