"""Declarations of games. A variant is a single value that reads like the game's page in the rule book.

The engine only uses a variant's properties, never its name. Declaring an unplayable game raises VariantError. Keys are
permanent, because logs and custom ids contain them.

The games on offer are declared in ``bot/pure/ofc/presets.py``. ``bot/pure/ofc/house_rules.py`` makes house games.

Source: docs/rules.md, "The games".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from bot.pure.ofc.cards import ACE, BOARD_CARDS, RANKS, ROWS, Row
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.royalties import HIGH_CATEGORIES, STANDARD, Royalties, RoyaltyDrop, fall_of

FRONT_CATEGORIES = (Category.HIGH_CARD, Category.PAIR, Category.THREE_OF_A_KIND)
TRIPS = 0
"""Key in :attr:`Fantasyland.entry` for three of a kind on the front."""


class VariantError(ValueError):
    """The declared game can't be played. ``problem`` is a key of ``data/text``, and ``details`` fill in its sentence.

    ``override`` is the key of the invalid house rule, empty if the combination is invalid.
    """

    def __init__(self, problem: str, **details: int | str) -> None:
        super().__init__(f"{problem} {details}" if details else problem)
        self.problem = problem
        self.details = details
        self.override = ""


class TurnOrder(Enum):
    """Order in which the seats act."""

    IN_TURN = "in_turn"
    FIRST_TOGETHER = "first_together"
    ALL_TOGETHER = "all_together"


class DealMode(Enum):
    """Timing of the deal on streets where players act in turn."""

    STREET = "street"
    """To all players together, hidden from the others."""
    TURN = "turn"
    """To each player in turn, face up, from the rest of the deck."""


class MiddleRank(Enum):
    """Hand ranking of the middle."""

    HIGH = "high"
    DEUCE_TO_SEVEN = "deuce_to_seven"


@dataclass(frozen=True, slots=True)
class Street:
    """One street: each seat is dealt ``deal`` cards, places ``to_place`` and discards the rest."""

    deal: int
    to_place: int

    @property
    def discard(self) -> int:
        """Number of cards discarded."""
        return self.deal - self.to_place


THIRTEEN_AT_ONCE = (Street(13, 13),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fantasyland:
    """Conditions for entering Fantasyland and staying, and the numbers of cards dealt there.

    To enter, a player needs a legal board with a front that's listed in ``entry``, a pair or three of a kind
    (``TRIPS``). The entry's number of cards is dealt next hand. To stay, they need three of a kind on the front,
    ``stay_middle`` or better in the middle (if set) or ``stay_back`` or better on the back.
    """

    entry: Mapping[int, int]
    """Number of cards dealt, by rank of the pair (2-14) or ``TRIPS``."""
    stay_cards: int | None
    """Number of cards dealt to a player who stays; None for their previous number."""
    stay_middle: Category | None = None
    stay_back: Category = Category.FOUR_OF_A_KIND
    wheel_cards: int = 0
    """Number of cards for 7-5-4-3-2 in the middle of a deuce-to-seven game; 0 if it doesn't enter."""
    both_cards: int = 0
    """Number of cards for 7-5-4-3-2 together with a front that enters."""
    wheel_stays: bool = False
    own_clock: bool = False
    """True if the board is set once, on a clock that starts at the deal, without seeing other boards. If False, it may
    be set again until the others have placed their last card."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """All numbers of cards that can be dealt, ascending."""
        return tuple(sorted({*self.entry.values(), self.stay_cards or 0, self.wheel_cards, self.both_cards} - {0}))

    @property
    def max_cards(self) -> int:
        """Maximum number of cards dealt to a seat."""
        return max(self.numbers, default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Complete declaration of a game: deck, streets, scoring, royalties and Fantasyland."""

    key: str
    min_seats: int = 2
    max_seats: int
    streets: tuple[Street, ...]
    decks: int = 1
    jokers: int = 0
    joker_may_copy: bool = True
    """True if a joker may copy a card to make five of a kind."""
    double_ace_flush: bool = False
    """True if a joker in a flush may be a second ace. Otherwise it's the highest rank that the row lacks."""
    order: TurnOrder = TurnOrder.IN_TURN
    deal_mode: DealMode = DealMode.STREET
    middle: MiddleRank = MiddleRank.HIGH
    strict_rows: bool = False
    """True if equal rows foul (thirteen-card games in the 十三張 tradition)."""
    row_point: int = 1
    row_values: Mapping[tuple[Row, Category], int] = field(default_factory=dict)
    """Points for winning a row with a hand of this category, if not ``row_point``."""
    scoop_bonus: int = 3
    """Points for winning all three rows."""
    majority_bonus: int = 0
    """Points for winning more rows than the opponent."""
    two_rows_bonus: int = 0
    """Points for winning two or three rows."""
    total_bonus: int = 0
    """Points for a higher total than the opponent after everything else."""
    royalties: Royalties = STANDARD
    fantasyland: Fantasyland | None = None
    freeze_button: bool = True
    """True if the button doesn't move while a player is in Fantasyland or enters it."""
    open_discards: bool = False
    naturals: Mapping[Natural, int] = field(default_factory=dict)
    """Naturals that may be declared before the showdown, and the points that each opponent pays."""
    surrender: int = 0
    """Points that a player who surrenders pays each opponent; 0 in games without surrender."""
    netted_results: bool = False
    """True if results show each player's net win against all the others, row by row from the back to the front."""
    house: Mapping[str, str] = field(default_factory=dict)
    """The house's overrides of the preset ``key``; empty for the preset itself."""
    house_name: str = ""
    edition: int = 1
    """Edition of the presets and overrides that defines this game. Old games keep theirs."""
    own_clock: bool = field(init=False, repr=False, compare=False)
    """True if Fantasyland is set once, on a separate clock."""
    at_once: bool = field(init=False, repr=False, compare=False)
    """True if the whole board is set in one go, in private."""
    _hash: int = field(init=False, repr=False, compare=False)

    def __hash__(self) -> int:  # type: ignore[explicit-override]  # typing has no override before 3.12
        """Hash of the fields that identify a game. It's cached because every hand looks up the scorer of its game."""
        return self._hash

    def __post_init__(self) -> None:
        """Compute the properties that every view of a hand needs; raises VariantError if the game can't be played."""
        object.__setattr__(self, "own_clock", self.fantasyland is not None and self.fantasyland.own_clock)
        object.__setattr__(self, "at_once", self.streets == THIRTEEN_AT_ONCE)
        object.__setattr__(self, "_hash", hash((self.key, self.edition, frozenset(self.house.items()))))
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
        if sum(street.to_place for street in self.streets) != BOARD_CARDS:
            raise VariantError("streets_place_wrong", cards=BOARD_CARDS)
        if any(not 0 < street.to_place <= street.deal for street in self.streets):
            raise VariantError("street_places_wrong")
        if not 2 <= self.min_seats <= self.max_seats:
            raise VariantError("too_few_seats")
        if self.decks not in (1, 2) or self.jokers not in (0, 1, 2):
            raise VariantError("no_such_deck")
        need = self.max_seats * self.max_cards
        if need > self.deck_cards:
            raise VariantError("deck_too_small", seats=self.max_seats, need=need, have=self.deck_cards)

    @property
    def street_cards(self) -> int:
        """Number of cards dealt to a seat outside Fantasyland in a hand."""
        return sum(street.deal for street in self.streets)

    @property
    def max_cards(self) -> int:
        """Maximum number of cards dealt to a seat in a hand."""
        return max(self.street_cards, self.fantasyland.max_cards if self.fantasyland else 0)

    @property
    def deck_cards(self) -> int:
        """Number of cards in the deck."""
        return 52 * self.decks + self.jokers

    @property
    def discards(self) -> int:
        """Number of cards discarded by a seat outside Fantasyland in a hand."""
        return self.street_cards - BOARD_CARDS

    @property
    def hides_discards(self) -> bool:
        """True if discards stay secret even after the hand."""
        max_discarded = max(self.discards, self.max_cards - BOARD_CARDS)
        return max_discarded > 0 and not self.open_discards

    @property
    def foul_points(self) -> int:
        """Points that a fouled board pays each legal one for ordinary rows, before royalties.

        Source: docs/rules.md, "Rows and fouls".
        """
        return 3 * self.row_point + self.all_rows_bonus

    @property
    def all_rows_bonus(self) -> int:
        """Bonus points for winning all rows, in addition to the points for each row."""
        return self.scoop_bonus + self.majority_bonus + self.two_rows_bonus + self.total_bonus

    @property
    def has_five_of_a_kind(self) -> bool:
        """True if five of a kind is possible."""
        return self.decks > 1 or (self.jokers > 0 and self.joker_may_copy)

    def possible(self, row: Row) -> Sequence[Category]:
        """Return the possible hands in a row of a legal board, weakest first, without lows.

        Source: docs/rules.md, "Poker hands".
        """
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
        """The strongest possible middle, because the back must still be able to match or beat it."""
        # Five of a kind in both rows takes two jokers or two decks. Royal flushes are all equal.
        if self.has_five_of_a_kind:
            return Category.FIVE_OF_A_KIND if max(self.decks, self.jokers) > 1 else Category.ROYAL_FLUSH
        return Category.STRAIGHT_FLUSH if self.strict_rows else Category.ROYAL_FLUSH

    @property
    def _first_fall(self) -> RoyaltyDrop | None:
        """The first drop, where a stronger hand earns a lower royalty or fewer points; None if there isn't one."""
        possible = {row: self.possible(row) for row in ROWS}
        falls = (
            fall_of(row, [(category.name.lower(), self.row_value(row, category)) for category in categories])
            for row, categories in possible.items()
        )
        return self.royalties.first_fall(possible) or next((fall for fall in falls if fall), None)

    def row_value(self, row: Row, category: Category) -> int:
        """Return the points for winning a row with a hand of this category.

        Five of a kind is worth as much as a royal flush, unless the game sets it.

        Source: docs/rules.md, "Points".
        """
        value = self.row_values.get((row, category))
        if value is None and category is Category.FIVE_OF_A_KIND:
            value = self.row_values.get((row, Category.ROYAL_FLUSH))
        return self.row_point if value is None else value

    def together(self, street: int) -> bool:
        """True if all players place street ``street`` (1-based) at the same time, face down.

        This is always so for a board that's set in one go, because no player may see another board before setting
        theirs.
        """
        if self.order is TurnOrder.FIRST_TOGETHER:
            return street == 1
        return self.order is TurnOrder.ALL_TOGETHER or self.at_once

    def dealt_in_turn(self, street: int) -> bool:
        """True if each player is dealt the cards of street ``street`` (1-based) face up, in turn."""
        return self.deal_mode is DealMode.TURN and not self.together(street)


def entry_from(rank: int, cards: int) -> Mapping[int, int]:
    """Return entries for a pair of ``rank`` or better, or three of a kind, all with the same number of cards.

    >>> entry_from(13, 14)
    {13: 14, 14: 14, 0: 14}
    """
    return {**dict.fromkeys(range(rank, ACE + 1), cards), TRIPS: cards}


def entry_name(rank: int) -> str:
    """Return the name of an entry, such as ``QQ``, or ``trips`` for three of a kind.

    >>> entry_name(12), entry_name(TRIPS)
    ('QQ', 'trips')
    """
    return "trips" if rank == TRIPS else RANKS[rank - 2] * 2
