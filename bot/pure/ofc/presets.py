"""The games that are offered: each a variant derived from the nearest one.

A preset is declared here and nowhere else; its page in the rule book is printed from it. Its key is permanent: logs and
custom ids hold it. docs/contribute/game.md lists what else a new one needs.

Beside each number stands who says so, and of what. The founding texts:

* [gamefarm] gamefarm.jp, Open-Face Chinese poker (2016)
* [pokerdou] pokerdou.com, チャイポ
* [yau-ichi] yau-ichi.hatenablog.com, 十三張
* [casino-ya] casino-ya.net, OFC

Where they are silent: [rooms] what online rooms do (TonyBet, Pokerdom, SwC, PokerNinja), [wikipedia] the English page
as others quote it, and [here] what no source says and had to be decided.

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

# In every game: a row won 1 point, the scoop 3 more [gamefarm, pokerdou, casino-ya: scoring]; the button stays for
# Fantasyland [gamefarm, pokerdou, casino-ya: button]; seats are what the deck has cards for.

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
"""Classic OFC: five cards, then one at a time; 13-card Fantasyland, which a full house in the middle keeps."""

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
"""Pineapple OFC: five cards, then four times three of which one is discarded; 14-card Fantasyland."""

# [rooms: TonyBet and others deal 5, 4, 4]; the stay is that of 13 cards [here]
TURBO = replace(CLASSIC, key="turbo", streets=(Street(5, 5), Street(4, 4), Street(4, 4)))
"""Turbo OFC: 5, 4 and 4 cards, all placed."""

# [gamefarm: named as a game of TonyBet]; its streets [here]
TURBO_PINEAPPLE = replace(PINEAPPLE, key="turbo_pineapple", streets=(Street(5, 5), Street(6, 4), Street(6, 4)))
"""Turbo Pineapple: 5 cards, then twice six of which four are placed."""

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
"""The other reading: AA and better, 16 cards."""

ULTIMATE = replace(
    PROGRESSIVE,
    key="ultimate",
    fantasyland=Fantasyland(
        entry={QUEEN: 14, KING: 15, ACE: 16, TRIPS: 17},
        stay_cards=None,  # [casino-ya: ultimate]
    ),
)
"""Ultimate Pineapple: as Progressive, and a repeat keeps its number."""

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
"""2-7 Pineapple: a deuce-to-seven low, ten or lower, in the middle; Fantasyland for KK or 7-5-4-3-2, 15 for both."""

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
"""Chinese Poker: thirteen cards set at once and turned over together; no Fantasyland."""

THIRTEEN = replace(
    CHINESE,
    key="thirteen",
    min_seats=4,  # [yau-ichi: players]
    strict_rows=True,  # [yau-ichi: order of the rows]
    scoop_bonus=0,  # [yau-ichi: options that are agreed on]
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
"""十三張 (shisan zhang): four players, rows strictly in order, a row pays by what won it, naturals are declared."""

OPEN_THIRTEEN = replace(
    THIRTEEN,
    key="open_thirteen",
    streets=CLASSIC.streets,  # [yau-ichi: the open game]
    order=TurnOrder.FIRST_TOGETHER,
    deal_mode=DealMode.TURN,
    naturals={},
    edition=2,
)
"""Open 十三張: five cards placed open together, then one at a time from the stock, which is turned up in one's turn."""

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
"""The games that are offered, the everyday game first."""

EDITION = 2
"""The present edition of the presets and of what a house can change in them.

A change by which an old hand would be played or paid otherwise makes a new one, and what it replaces stays.
"""
FIRST_EDITION: Mapping[str, Variant] = MappingProxyType(
    {**PRESETS, OPEN_THIRTEEN.key: replace(OPEN_THIRTEEN, deal_mode=DealMode.STREET, edition=1)}
)
"""The presets as they were: in Open 十三張 every street was dealt to all at once."""
