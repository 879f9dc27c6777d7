"""Cards as small integers, their notation (``As``, ``Td``, jokers ``X1`` and ``X2``), and the rows of a board.

Source: docs/rules.md, "The board", "Poker hands".
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import NewType

Card = NewType("Card", int)
"""0-51: ``(rank - 2) * 4 + suit`` with suits in the order c d h s; 52 and 53 are the jokers.

With two decks, each number occurs twice, so the copies of a card are equal.
"""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
ACE = 14
KING = 13
QUEEN = 12
NAMES: tuple[str, ...] = (*(r + s for r in RANKS for s in SUITS), "X1", "X2")
JOKERS = (Card(52), Card(53))

_BY_NAME = {name.lower(): Card(number) for number, name in enumerate(NAMES)}


RowCards = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
"""Front (up to 3 cards), middle (5) and back (5)."""


class CardError(ValueError):
    """``text`` isn't the name of a card."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not a card. Write rank and suit, for example As, Td or 7h")
        self.text = text


def parse_card(text: str) -> Card:
    """Return the card with the name ``text`` (such as ``As``, ``10h`` or ``th``); raises CardError if there isn't one.

    >>> parse_card('As'), parse_card('10h') == parse_card('Th')
    (51, True)
    """
    card = _BY_NAME.get(text.strip().lower().replace("10", "t", 1))
    if card is None:
        raise CardError(text)
    return card


_SUIT_SIGNS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s", "\ufe0e": "", "\ufe0f": ""})
"""Suits by symbol. A variation selector after a symbol (for display as text or emoji) is dropped."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards in a text such as ``AhKd10c`` (spaces are allowed), in the order written; raises CardError.

    Suits may also be symbols such as ``♠``, as in messages.

    >>> cards_text(parse_cards("ah Kd 10c Q♠"))
    'AhKdTcQs'
    """
    run = "".join(text.split()).replace("10", "T").translate(_SUIT_SIGNS)
    return tuple(parse_card(run[i : i + 2]) for i in range(0, len(run), 2))


def card_name(card: Card) -> str:
    """Return the name of a card, such as ``As`` for the ace of spades.

    >>> [card_name(card) for card in parse_cards('ah10c')]
    ['Ah', 'Tc']
    """
    return NAMES[card]


def cards_text(cards: Iterable[Card]) -> str:
    """Return the names of ``cards`` without separators, such as ``AhKd``."""
    return "".join(NAMES[card] for card in cards)


def rank_of(card: Card) -> int:
    """Return the rank of a card, 2 to 14 (ace); meaningless for a joker."""
    return card // 4 + 2


def ranks_of(cards: Iterable[Card]) -> list[int]:
    """Return the rank of each card, as in :func:`rank_of`.

    >>> ranks_of(parse_cards('ah10c'))
    [14, 10]
    """
    return [card // 4 + 2 for card in cards]


def suit_of(card: Card) -> int:
    """Return the suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades; meaningless for a joker."""
    return card % 4


@cache
def full_deck(*, decks: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """Return the cards in play in canonical order: 0-51 for each deck, then the jokers.

    >>> len(full_deck()), len(full_deck(decks=2, jokers=2))
    (52, 106)
    """
    return tuple(Card(n) for _ in range(decks) for n in range(52)) + JOKERS[:jokers]


class Row(Enum):
    """A row of the board; the value is its letter in a placement (``F M B``)."""

    FRONT = "F"
    MIDDLE = "M"
    BACK = "B"

    def __init__(self, letter: str) -> None:
        self.place = "FMB".index(letter)
        """0 front, 1 middle, 2 back."""
        self.size = 3 if letter == "F" else 5
        """Number of cards in the full row: 3, 5 or 5."""
        self.key = self.name.lower()
        """``front``, ``middle`` or ``back``."""


ROWS = (Row.FRONT, Row.MIDDLE, Row.BACK)
DISCARD = "D"
BOARD_CARDS = 13
EMPTY: RowCards = ((), (), ())


def counts_of(rows: RowCards) -> tuple[int, int, int]:
    """Return the number of cards in front, middle and back.

    >>> counts_of(EMPTY)
    (0, 0, 0)
    """
    front, middle, back = rows
    return len(front), len(middle), len(back)
