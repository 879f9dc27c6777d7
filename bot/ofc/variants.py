"""Games as declarations: a variant is one value that reads like its page in the rule book.

The engine asks a variant for its properties, never for its name. A game that cannot be played is refused
when it is declared (VariantError). Keys are permanent: logs and custom ids hold them.

Beside each number stands who says so, and of what. The founding texts:

* [gamefarm] gamefarm.jp, Open-Face Chinese poker (2016)
* [pokerdou] pokerdou.com, チャイポ
* [yau-ichi] yau-ichi.hatenablog.com, 十三張
* [casino-ya] casino-ya.net, OFC

Where they are silent: [rooms] what online rooms do (TonyBet, Pokerdom, SwC, PokerNinja), [wikipedia] the English page
as others quote it, and [here] what no source says and had to be decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType

from bot.ofc.cards import ACE, KING, QUEEN, RANKS
from bot.ofc.naturals import Natural
from bot.ofc.ranks import Category
from bot.ofc.rows import BOARD_CARDS, ROWS, Row
from bot.ofc.royalties import (
    DOUBLE_DECK,
    HIGH_CATEGORIES,
    NO_ROYALTIES,
    STANDARD,
    TWO_SEVEN,
    Fall,
    Royalties,
    fall_of,
)

FRONT_CATEGORIES = (Category.HIGH_CARD, Category.PAIR, Category.THREE_OF_A_KIND)
TRIPS = 0
"""The entry of :attr:`Fantasyland.entry` that stands for three of a kind on the front."""


class VariantError(ValueError):
    """A declaration that cannot be played. ``problem`` is a key of ``data/text``, ``details`` fill in its sentence.

    ``override`` is the key of the house rule that is wrong by itself, empty where the whole is.
    """

    def __init__(self, problem: str, **details: int | str) -> None:
        super().__init__(f"{problem} {details}" if details else problem)
        self.problem = problem
        self.details = details
        self.override = ""


class TurnOrder(Enum):
    """Who acts when."""

    IN_TURN = "in_turn"
    FIRST_TOGETHER = "first_together"
    ALL_TOGETHER = "all_together"


class DealMode(Enum):
    """When the cards of a street that is laid in turn are dealt."""

    STREET = "street"
    """To everybody at once, unseen by the others."""
    TURN = "turn"
    """To each player in his turn, face up, from the stock."""


class MiddleRank(Enum):
    """What the middle is ranked by."""

    HIGH = "high"
    DEUCE_TO_SEVEN = "deuce_to_seven"


@dataclass(frozen=True, slots=True)
class Street:
    """One deal: ``deal`` cards to a seat, of which ``lay`` go on the board; the rest is discarded."""

    deal: int
    lay: int

    @property
    def discard(self) -> int:
        """How many cards are laid aside."""
        return self.deal - self.lay


@dataclass(frozen=True, slots=True, kw_only=True)
class Fantasyland:
    """Who enters Fantasyland, with how many cards, and who stays.

    A player enters with a legal board whose front is a pair listed in ``entry`` or, if listed, three of a kind
    (``TRIPS``); the number is the cards dealt next hand. A player who is in Fantasyland stays with three of a kind on
    the front, ``stay_middle`` or better in the middle (if set) or ``stay_back`` or better on the back.
    """

    entry: Mapping[int, int]
    stay_cards: int | None
    """Cards dealt to a player who stays; None keeps the number that he holds."""
    stay_middle: Category | None = None
    stay_back: Category = Category.FOUR_OF_A_KIND
    wheel_cards: int = 0
    """Cards for 7-5-4-3-2 in the middle of a deuce-to-seven game; 0 if it does not enter."""
    both_cards: int = 0
    """Cards for a front that enters together with 7-5-4-3-2."""
    wheel_stays: bool = False
    own_clock: bool = False
    """True: the board is set once, on a clock that runs from the deal, by somebody who sees no other board. False: it
    may be set anew until the others have laid their last card."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Every number of cards that can be dealt, ascending."""
        return tuple(sorted({*self.entry.values(), self.stay_cards or 0, self.wheel_cards, self.both_cards} - {0}))

    @property
    def most_cards(self) -> int:
        """The most cards that one seat can be dealt."""
        return max(self.numbers, default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One game, complete: deck, streets, scoring, royalties, Fantasyland."""

    key: str
    min_seats: int = 2
    max_seats: int
    streets: tuple[Street, ...]
    decks: int = 1
    jokers: int = 0
    joker_may_copy: bool = True
    """True: a joker may copy a card for five of a kind."""
    double_ace_flush: bool = False
    """True: in a flush a joker may be a second ace; otherwise it is the highest rank that the row lacks."""
    order: TurnOrder = TurnOrder.IN_TURN
    deal_mode: DealMode = DealMode.STREET
    middle: MiddleRank = MiddleRank.HIGH
    strict_rows: bool = False
    """True: equal middle and back foul (thirteen-card games in the 十三張 tradition)."""
    row_point: int = 1
    row_values: Mapping[tuple[Row, Category], int] = field(default_factory=dict)
    """Points for a row won with a hand of this category, where they are not ``row_point``."""
    scoop_bonus: int = 3
    """For three strict wins."""
    majority_bonus: int = 0
    """For more rows won than lost."""
    two_rows_bonus: int = 0
    """For two or three rows won."""
    total_bonus: int = 0
    """For more points than the opponent after everything else."""
    royalties: Royalties = STANDARD
    fantasyland: Fantasyland | None = None
    freeze_button: bool = True
    """True: the button stays where it is while somebody is in Fantasyland or enters it."""
    open_discards: bool = False
    naturals: Mapping[Natural, int] = field(default_factory=dict)
    """Naturals that may be declared before the showdown, with what each opponent pays."""
    surrender: int = 0
    """What a player who surrenders pays to each opponent; 0 where nobody can."""
    netted_results: bool = False
    """True: results tell what each player won from all the others together, from the back to the front."""
    house: Mapping[str, str] = field(default_factory=dict)
    """The overrides of a house on the preset ``key``; empty for the preset itself."""
    house_name: str = ""
    edition: int = 1
    """Which edition of the presets and of the overrides says what this game is; old games keep theirs."""

    def __post_init__(self) -> None:
        """Refuse what cannot be dealt or laid."""
        self._check_deal()
        if self.fantasyland and min(self.fantasyland.numbers, default=0) < BOARD_CARDS:
            raise VariantError("fantasyland_too_few", cards=BOARD_CARDS)
        bonuses = (self.scoop_bonus, self.majority_bonus, self.two_rows_bonus, self.total_bonus)
        if min(self.row_point, self.surrender, *bonuses) < 0:
            raise VariantError("negative_points")
        if self.jokers and self.middle is MiddleRank.DEUCE_TO_SEVEN:
            raise VariantError("jokers_in_two_seven")
        fall = self._first_fall if self.jokers else None
        if fall:
            raise VariantError(
                "royalties_not_monotone",
                row=fall.row.key,
                weaker=fall.weaker,
                more=fall.more,
                stronger=fall.stronger,
                less=fall.less,
            )
        if self.deal_mode is DealMode.TURN and not any(map(self.dealt_in_turn, range(1, len(self.streets) + 1))):
            raise VariantError("turn_deal_needs_turns")
        if self.deal_mode is DealMode.TURN and self.discards and not self.open_discards:
            raise VariantError("turn_deal_shows_discards")
        if self.naturals and (self.jokers or not self.at_once):
            raise VariantError("naturals_need_thirteen")
        if self.surrender and not self.at_once:
            raise VariantError("surrender_needs_thirteen")

    def _check_deal(self) -> None:
        if sum(street.lay for street in self.streets) != BOARD_CARDS:
            raise VariantError("streets_lay_wrong", cards=BOARD_CARDS)
        if any(not 0 < street.lay <= street.deal for street in self.streets):
            raise VariantError("street_lays_wrong")
        if not 2 <= self.min_seats <= self.max_seats:
            raise VariantError("too_few_seats")
        if self.decks not in (1, 2) or self.jokers not in (0, 1, 2):
            raise VariantError("no_such_deck")
        need = self.max_seats * self.most_cards
        if need > self.deck_cards:
            raise VariantError("deck_too_small", seats=self.max_seats, need=need, have=self.deck_cards)

    @property
    def street_cards(self) -> int:
        """How many cards a seat outside Fantasyland is dealt in a hand."""
        return sum(street.deal for street in self.streets)

    @property
    def most_cards(self) -> int:
        """The most cards that one seat can be dealt in a hand."""
        return max(self.street_cards, self.fantasyland.most_cards if self.fantasyland else 0)

    @property
    def deck_cards(self) -> int:
        """How many cards the deck holds."""
        return 52 * self.decks + self.jokers

    @property
    def discards(self) -> int:
        """How many cards a seat outside Fantasyland lays aside in a hand."""
        return self.street_cards - BOARD_CARDS

    @property
    def hides_discards(self) -> bool:
        """True when discards stay secret even after the hand."""
        most_laid_aside = max(self.discards, self.most_cards - BOARD_CARDS)
        return most_laid_aside > 0 and not self.open_discards

    @property
    def foul_points(self) -> int:
        """What a fouled board pays to each legal one for ordinary rows, before royalties."""
        return 3 * self.row_point + self.scoop_bonus + self.majority_bonus + self.two_rows_bonus + self.total_bonus

    @property
    def own_clock(self) -> bool:
        """True when Fantasyland is set once, on a clock of its own."""
        return self.fantasyland is not None and self.fantasyland.own_clock

    @property
    def at_once(self) -> bool:
        """True when the whole board is set in one go, in private."""
        return self.streets == THIRTEEN_AT_ONCE

    @property
    def has_five_of_a_kind(self) -> bool:
        """True when five cards of one rank can come together."""
        return self.decks > 1 or (self.jokers > 0 and self.joker_may_copy)

    def possible(self, row: Row) -> Sequence[Category]:
        """The hands that this row of a legal board can be, weakest first; a low is not among them."""
        if row is Row.FRONT:
            return FRONT_CATEGORIES
        if row is Row.MIDDLE and self.middle is MiddleRank.DEUCE_TO_SEVEN:
            return ()
        best = self._best_back if row is Row.BACK else self._best_middle
        return [category for category in HIGH_CATEGORIES if category <= best]

    @property
    def _best_back(self) -> Category:
        return Category.FIVE_OF_A_KIND if self.has_five_of_a_kind else Category.ROYAL_FLUSH

    @property
    def _best_middle(self) -> Category:
        """The strongest hand in the middle below which the back can still be as strong, or stronger."""
        # Fives of a kind in both rows take two jokers or two decks; royal flushes are all equal.
        if self.has_five_of_a_kind:
            return Category.FIVE_OF_A_KIND if max(self.decks, self.jokers) > 1 else Category.ROYAL_FLUSH
        return Category.STRAIGHT_FLUSH if self.strict_rows else Category.ROYAL_FLUSH

    @property
    def _first_fall(self) -> Fall | None:
        """The first place where a stronger row is paid less, or wins less."""
        possible = {row: self.possible(row) for row in ROWS}
        falls = (
            fall_of(row, [(category.name.lower(), self.row_value(row, category)) for category in categories])
            for row, categories in possible.items()
        )
        return self.royalties.first_fall(possible) or next((fall for fall in falls if fall), None)

    def row_value(self, row: Row, category: Category) -> int:
        """Points for a row won with a hand of this category; five of a kind is worth a royal flush or more."""
        value = self.row_values.get((row, category))
        if value is None and category is Category.FIVE_OF_A_KIND:
            value = self.row_values.get((row, Category.ROYAL_FLUSH))
        return self.row_point if value is None else value

    def together(self, street: int) -> bool:
        """True when everybody lays street ``street`` (1-based) at the same time, face down.

        A board that is set in one go always is: nobody may look before he sets his own.
        """
        if self.order is TurnOrder.FIRST_TOGETHER:
            return street == 1
        return self.order is TurnOrder.ALL_TOGETHER or self.at_once

    def dealt_in_turn(self, street: int) -> bool:
        """True when each player is dealt his cards of street ``street`` (1-based) face up, in his turn."""
        return self.deal_mode is DealMode.TURN and not self.together(street)


def entry_from(rank: int, cards: int) -> Mapping[int, int]:
    """Entry with a pair of ``rank`` or better, or three of a kind, always with the same number of cards."""
    return {**dict.fromkeys(range(rank, ACE + 1), cards), TRIPS: cards}


THIRTEEN_AT_ONCE = (Street(13, 13),)

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
"""Turbo OFC: 5, 4 and 4 cards, all laid."""

# [gamefarm: named as a game of TonyBet]; its streets [here]
TURBO_PINEAPPLE = replace(PINEAPPLE, key="turbo_pineapple", streets=(Street(5, 5), Street(6, 4), Street(6, 4)))
"""Turbo Pineapple: 5 cards, then twice six of which four are laid."""

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
"""Open 十三張: five cards laid open together, then one at a time from the stock, which is turned up in one's turn."""

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


def entry_name(rank: int) -> str:
    """``QQ`` for the rank 12, ``trips`` for three of a kind."""
    return "trips" if rank == TRIPS else RANKS[rank - 2] * 2
