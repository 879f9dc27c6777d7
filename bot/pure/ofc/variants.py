"""Games as declarations: a variant is one value that reads like its page in the rule book.

The engine asks a variant for its properties, never for its name. A game that cannot be played is refused
when it is declared (VariantError). Keys are permanent: logs and custom ids hold them.

The games that are offered are declared in ``bot/pure/ofc/presets.py``, those of houses made by
``bot/pure/ofc/house_rules.py``.

Source: docs/rules.md, "The games".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from bot.pure.ofc.cards import ACE, BOARD_CARDS, RANKS, ROWS, Row
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.ranks import Category
from bot.pure.ofc.royalties import HIGH_CATEGORIES, STANDARD, Fall, Royalties, fall_of

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
    """In what order the seats act."""

    IN_TURN = "in_turn"
    FIRST_TOGETHER = "first_together"
    ALL_TOGETHER = "all_together"


class DealMode(Enum):
    """When the cards of a street that is placed in turn are dealt."""

    STREET = "street"
    """To everybody at once, unseen by the others."""
    TURN = "turn"
    """To each player in turn, face up, from the stock."""


class MiddleRank(Enum):
    """The ranking that the middle is judged by."""

    HIGH = "high"
    DEUCE_TO_SEVEN = "deuce_to_seven"


@dataclass(frozen=True, slots=True)
class Street:
    """One deal: ``deal`` cards to a seat, of which ``to_place`` go on the board; the rest is discarded."""

    deal: int
    to_place: int

    @property
    def discard(self) -> int:
        """How many cards are discarded."""
        return self.deal - self.to_place


THIRTEEN_AT_ONCE = (Street(13, 13),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fantasyland:
    """Which boards enter Fantasyland, with how many cards, and which stay.

    A player enters with a legal board whose front is a pair listed in ``entry`` or, if listed, three of a kind
    (``TRIPS``); the number is the cards dealt next hand. A player who is in Fantasyland stays with three of a kind on
    the front, ``stay_middle`` or better in the middle (if set) or ``stay_back`` or better on the back.
    """

    entry: Mapping[int, int]
    """Rank of the pair (2-14), or ``TRIPS``, to the cards dealt."""
    stay_cards: int | None
    """Cards dealt to a player who stays; None keeps the number that they hold."""
    stay_middle: Category | None = None
    stay_back: Category = Category.FOUR_OF_A_KIND
    wheel_cards: int = 0
    """Cards for 7-5-4-3-2 in the middle of a deuce-to-seven game; 0 if it does not enter."""
    both_cards: int = 0
    """Cards for a front that enters together with 7-5-4-3-2."""
    wheel_stays: bool = False
    own_clock: bool = False
    """True: the board is set once, on a clock that runs from the deal, by somebody who sees no other board. False: it
    may be set again until the others have placed their last card."""

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
    """The points that a player who surrenders pays to each opponent; 0 where nobody can."""
    netted_results: bool = False
    """True: results tell what each player won from all the others together, from the back to the front."""
    house: Mapping[str, str] = field(default_factory=dict)
    """The overrides of a house on the preset ``key``; empty for the preset itself."""
    house_name: str = ""
    edition: int = 1
    """Which edition of the presets and of the overrides says what this game is; old games keep theirs."""
    own_clock: bool = field(init=False, repr=False, compare=False)
    """True when Fantasyland is set once, on a clock of its own."""
    at_once: bool = field(init=False, repr=False, compare=False)
    """True when the whole board is set in one go, in private."""
    _hash: int = field(init=False, repr=False, compare=False)

    def __hash__(self) -> int:  # type: ignore[explicit-override]  # typing has no override before 3.12
        """Of the fields that tell games apart, worked out once: scoring looks its game up at every hand."""
        return self._hash

    def __post_init__(self) -> None:
        """Work out what is asked at every look at a hand; refuse what cannot be dealt or placed."""
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
        """How many cards a seat outside Fantasyland discards in a hand."""
        return self.street_cards - BOARD_CARDS

    @property
    def hides_discards(self) -> bool:
        """True when discards stay secret even after the hand."""
        most_discarded = max(self.discards, self.most_cards - BOARD_CARDS)
        return most_discarded > 0 and not self.open_discards

    @property
    def foul_points(self) -> int:
        """The points that a fouled board pays to each legal one for ordinary rows, before royalties.

        Source: docs/rules.md, "Rows and fouls".
        """
        return 3 * self.row_point + self.all_rows_bonus

    @property
    def all_rows_bonus(self) -> int:
        """The points that a board that wins all rows is paid beyond those for each row."""
        return self.scoop_bonus + self.majority_bonus + self.two_rows_bonus + self.total_bonus

    @property
    def has_five_of_a_kind(self) -> bool:
        """True when five cards of one rank can come together."""
        return self.decks > 1 or (self.jokers > 0 and self.joker_may_copy)

    def possible(self, row: Row) -> Sequence[Category]:
        """The hands that this row of a legal board can be, weakest first; a low is not among them.

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
        """Points for a row won with a hand of this category; five of a kind is worth a royal flush or more.

        Source: docs/rules.md, "Points".
        """
        value = self.row_values.get((row, category))
        if value is None and category is Category.FIVE_OF_A_KIND:
            value = self.row_values.get((row, Category.ROYAL_FLUSH))
        return self.row_point if value is None else value

    def together(self, street: int) -> bool:
        """True when everybody places street ``street`` (1-based) at the same time, face down.

        A board that is set in one go always is: nobody may look before they have set their own.
        """
        if self.order is TurnOrder.FIRST_TOGETHER:
            return street == 1
        return self.order is TurnOrder.ALL_TOGETHER or self.at_once

    def dealt_in_turn(self, street: int) -> bool:
        """True when each player is dealt the cards of street ``street`` (1-based) face up, in turn."""
        return self.deal_mode is DealMode.TURN and not self.together(street)


def entry_from(rank: int, cards: int) -> Mapping[int, int]:
    """Entry with a pair of ``rank`` or better, or three of a kind, always with the same number of cards.

    >>> entry_from(13, 14)
    {13: 14, 14: 14, 0: 14}
    """
    return {**dict.fromkeys(range(rank, ACE + 1), cards), TRIPS: cards}


def entry_name(rank: int) -> str:
    """The name of an entry, ``trips`` for three of a kind.

    >>> entry_name(12), entry_name(TRIPS)
    ('QQ', 'trips')
    """
    return "trips" if rank == TRIPS else RANKS[rank - 2] * 2
