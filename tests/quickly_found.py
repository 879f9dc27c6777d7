"""Hands played and puzzles found without a search, for tests of what comes after it."""

from __future__ import annotations

from functools import reduce

import numpy as np

from bot.model.ids import GuildId
from bot.play.trainer.finding import Finding
from bot.pure.ofc.cards import full_deck
from bot.pure.ofc.hand import Hand, PlaceCards, decide, evolve, start
from bot.pure.ofc.placement import automatic_placement
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, view_for
from bot.pure.rating.model import Rating
from bot.pure.solver.levels import Computers
from bot.pure.solver.visible_cards import known
from bot.pure.trainer.position import position_in
from bot.pure.trainer.puzzle import Puzzle, PuzzlePlacement
from bot.pure.trainer.themes import Theme
from tests.quickly_judged import BETTER, FACTS, LOST


async def quickly_found(finding: Finding, view: HandView, guild: GuildId) -> Puzzle:
    """Make a puzzle of a position with three cards to place: the first belongs in front."""
    best, second = (
        PuzzlePlacement(letters=letters, value=value, facts=facts)
        for letters, value, facts in (("FMD", LOST, BETTER), ("MFD", 0.0, FACTS))
    )
    return Puzzle(
        variant=view.variant,
        position=position_in(view),
        placements=(best, second),
        costs={"FMD": 0.0, "MFD": LOST},
        gap=LOST,
        error=0.25,
        theme=Theme.DRAW,
        difficulty=Rating(mean=-0.4, deviation=0.6),
    )


def quickly_played(computers: Computers, variant: Variant, seed: bytes) -> list[HandView]:
    """Deal a hand for two from its seed, place the first street as the clock would, and return the view after it."""
    cards = full_deck(decks=variant.decks, jokers=variant.jokers)
    deck = tuple(cards[number] for number in np.random.default_rng(list(seed)).permutation(len(cards)))
    begun = start(variant, deck, players=["0", "1"], fantasyland=[0, 0], button=1)
    hand = reduce(evolve, begun, Hand(variant=variant, deck=deck))
    while hand.street == 1:
        seat = hand.waiting[0]
        mine = view_for(hand, str(seat)).mine
        assert mine is not None
        front, middle, back = map(known, mine.rows)
        letters = automatic_placement((front, middle, back), known(mine.held), to_place=variant.streets[0].to_place)
        hand = reduce(evolve, decide(hand, PlaceCards(seat=seat, rows=letters)), hand)
    return [view_for(hand, str(hand.waiting[0]))]
