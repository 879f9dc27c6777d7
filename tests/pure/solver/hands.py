"""Finished hands for the tests of looking back: dealt by a seed, played by levels or as a test wishes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import reduce

import pytest

from bot.pure.ofc.cards import Card, full_deck, parse_cards
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, decide, evolve, start
from bot.pure.ofc.log import Fact
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from tests.pure.ofc.games import VARIANTS

Chooser = Callable[[HandView], str]

ALIKE = (
    *("turbo", "double_classic", "double_pineapple", "ultimate", "progressive", "no_fantasyland", "strict"),
    *("progressive_16", "joker_ultimate", "first_together", "classic_together", "open_together", "classic_drawn"),
    *("own_clock", "drawn_own_clock", "together_own_clock", "pineapple_drawn", "open_discards"),
)
"""Games whose computers use another game's evaluator, by key."""


def alike(variant: Variant) -> bool:
    """True for a game that only `make deep` lets computers play to its end."""
    return variant.key in ALIKE or (variant.key == "open_thirteen" and variant.edition == 1)


FAMILY = [pytest.param(variant, id=variant.key, marks=[pytest.mark.deep] * alike(variant)) for variant in VARIANTS]
"""All of the family, to be played by computers."""


def shuffled_deck(variant: Variant, seed: int) -> tuple[Card, ...]:
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    random.Random(seed).shuffle(deck)
    return tuple(deck)


def dealing(text: str) -> tuple[Card, ...]:
    """A deck that deals these cards first."""
    first = parse_cards(text)
    rest = [card for card in full_deck() if card not in first]
    random.Random(1).shuffle(rest)
    return (*first, *rest)


def played_log(
    variant: Variant, deck: tuple[Card, ...], choosers: Sequence[Chooser], *, fantasyland: Sequence[int] = ()
) -> list[Fact]:
    """The facts of a whole hand; players are called by the numbers of their seats."""
    names = [str(seat) for seat in range(len(choosers))]
    cards = fantasyland or [0] * len(choosers)
    facts = start(variant, deck, players=names, fantasyland=cards, button=len(choosers) - 1)
    hand = reduce(evolve, facts, Hand(variant=variant, deck=deck))
    while hand.status is HandStatus.PLAYING:
        seat = hand.waiting[0]
        more = decide(hand, PlaceCards(seat=seat, rows=choosers[seat](view_for(hand, names[seat]))))
        hand = reduce(evolve, more, hand)
        facts += more
    return facts
