"""Games as declarations: a variant is one value that reads like its page in the rule book.

The engine asks a variant for its properties, never for its name. A game that cannot be played is refused
when it is declared (VariantError). Keys are permanent: logs and custom ids hold them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from bot.ofc.cards import ACE, QUEEN, RANKS
from bot.ofc.ranks import Category
from bot.ofc.rows import BOARD_CARDS
from bot.ofc.royalties import STANDARD, Royalties

TRIPS = 0
"""The entry of :attr:`Fantasyland.entry` that stands for three of a kind on the front."""


class VariantError(ValueError):
    """A declaration that cannot be played; the text says why."""


class TurnOrder(Enum):
    """Who acts when."""

    IN_TURN = "in_turn"
    FIRST_TOGETHER = "first_together"
    ALL_TOGETHER = "all_together"


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

    @property
    def most_cards(self) -> int:
        """The most cards that one seat can be dealt."""
        return max([*self.entry.values(), self.stay_cards or 0])

    @property
    def least_cards(self) -> int:
        """The fewest cards that one seat can be dealt."""
        return min([*self.entry.values(), self.stay_cards or self.most_cards])


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One game, complete: deck, streets, scoring, royalties, Fantasyland."""

    key: str
    min_seats: int = 2
    max_seats: int
    streets: tuple[Street, ...]
    decks: int = 1
    jokers: int = 0
    order: TurnOrder = TurnOrder.IN_TURN
    strict_rows: bool = False
    """True: equal middle and back foul (thirteen-card games in the 十三張 tradition)."""
    row_point: int = 1
    scoop_bonus: int = 3
    royalties: Royalties = STANDARD
    fantasyland: Fantasyland | None = None
    freeze_button: bool = True
    """True: the button stays where it is while somebody is in Fantasyland or enters it."""
    open_discards: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be dealt or laid."""
        if sum(street.lay for street in self.streets) != BOARD_CARDS:
            raise VariantError(f"{self.key}: the streets must lay {BOARD_CARDS} cards in all")
        if any(not 0 < street.lay <= street.deal for street in self.streets):
            raise VariantError(f"{self.key}: a street lays at least one card and no more than it deals")
        if not 2 <= self.min_seats <= self.max_seats:
            raise VariantError(f"{self.key}: a table needs two seats or more")
        if self.decks not in (1, 2) or self.jokers not in (0, 1, 2):
            raise VariantError(f"{self.key}: one or two decks and at most two jokers")
        if self.fantasyland and self.fantasyland.least_cards < BOARD_CARDS:
            raise VariantError(f"{self.key}: Fantasyland deals {BOARD_CARDS} cards or more")
        need = self.max_seats * self.most_cards
        if need > self.deck_cards:
            raise VariantError(f"{self.key}: {self.max_seats} seats need {need} cards of {self.deck_cards}")

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
        """What a fouled board pays to each legal one, before royalties."""
        return 3 * self.row_point + self.scoop_bonus

    def together(self, street: int) -> bool:
        """True when everybody lays street ``street`` (1-based) at the same time, face down."""
        return self.order is TurnOrder.ALL_TOGETHER or (self.order is TurnOrder.FIRST_TOGETHER and street == 1)


def entry_from(rank: int, cards: int) -> Mapping[int, int]:
    """Entry with a pair of ``rank`` or better, or three of a kind, always with the same number of cards."""
    return {**dict.fromkeys(range(rank, ACE + 1), cards), TRIPS: cards}


CLASSIC = Variant(
    key="classic",
    max_seats=4,
    streets=(Street(5, 5), *[Street(1, 1)] * 8),
    fantasyland=Fantasyland(entry=entry_from(QUEEN, 13), stay_cards=13, stay_middle=Category.FULL_HOUSE),
)
"""Classic OFC: five cards, then one at a time; 13-card Fantasyland, which a full house in the middle keeps."""

PINEAPPLE = replace(
    CLASSIC,
    key="pineapple",
    max_seats=3,
    streets=(Street(5, 5), *[Street(3, 2)] * 4),
    fantasyland=Fantasyland(entry=entry_from(QUEEN, 14), stay_cards=14),
)
"""Pineapple OFC: five cards, then four times three of which one is discarded; 14-card Fantasyland."""

PRESETS: Mapping[str, Variant] = {variant.key: variant for variant in (PINEAPPLE, CLASSIC)}
"""The games that are offered, the everyday game first."""


def entry_name(rank: int) -> str:
    """``QQ`` for the rank 12; ``AAA-222`` style three of a kind is ``TRIPS``."""
    return "trips" if rank == TRIPS else RANKS[rank - 2] * 2
