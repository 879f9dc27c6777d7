"""A finished hand as it is written down: its game, what was dealt and placed, what it came to, and for which chips.

Source: docs/notation.md, "Cards", "Actions".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.notation.actions import UNKNOWN
from bot.ofc.cards import Card, full_deck
from bot.ofc.hand import Hand, evolve
from bot.ofc.log import Fact
from bot.ofc.variants import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHistory:
    """A hand that has ended. What belongs to players is in the order of their seats."""

    hand_id: str
    cards: tuple[Card, ...]
    """Those that were dealt, in the order dealt; UNKNOWN for one that stays face down."""
    facts: tuple[Fact, ...]
    hand: Hand
    """What the facts have made."""
    stacks: tuple[int, ...]
    """Chips at the start; 0 each where none are played for."""
    chips: tuple[int, ...]
    """Chips won, below 0 where they were lost."""
    point_value: int = 0
    """Chips a point; 0 where none are played for."""
    started: str = ""
    """When it was dealt, in UTC: ``2026-11-22T21:04:05``; empty where nobody knows."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.hand.variant

    @property
    def whole(self) -> bool:
        """True where every card that was dealt is known."""
        return UNKNOWN not in self.cards

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards that were dealt, then those that were not, of which the order is not known."""
        decks, jokers = self.variant.decks, self.variant.jokers
        left = Counter(full_deck(decks=decks, jokers=jokers)) - Counter(self.cards)
        return (*self.cards, *left.elements())


def cards_shown(
    variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact], *, to: Collection[int]
) -> tuple[Card, ...]:
    """The cards that were dealt in a finished hand, as far as the seats ``to`` may know them together.

    All that was placed is known, discards where the game plays them open; what a seat discarded or never placed is
    known to itself alone.
    """
    hand = _told(variant, tuple(map(Card, range(len(deck)))), facts)
    known: set[int] = set()
    for number, seat in enumerate(hand.seats):
        known.update(place for row in seat.rows for place in row)
        if number in to:
            known.update((*seat.held, *seat.discards))
        elif variant.open_discards:
            known.update(seat.discards)
    return tuple(card if place in known else UNKNOWN for place, card in enumerate(deck[: hand.dealt]))


def _told(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact]) -> Hand:
    """The hand that is dealt the places of the deck in place of its cards: a fold never looks at them."""
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        hand = evolve(hand, fact)
    return hand


def history_of(
    hand: Hand,
    facts: Sequence[Fact],
    *,
    hand_id: str,
    to: Collection[int],
    stacks: Sequence[int],
    chips: Sequence[int],
    point_value: int = 0,
    started: str = "",
) -> HandHistory:
    """A hand that has ended, as the seats ``to`` may know it."""
    cards = cards_shown(hand.variant, hand.deck, facts, to=to)
    return HandHistory(
        hand_id=hand_id,
        cards=cards,
        facts=tuple(facts),
        hand=_told(hand.variant, cards, facts),
        stacks=tuple(stacks),
        chips=tuple(chips),
        point_value=point_value,
        started=started,
    )
