"""Fantasyland set for rows as well, against the board that is paid most by itself: what it wins, and how long it takes.

Both boards meet what opponents make of the cards that are left, whom the networks play: other boards than any that a
board is chosen by.
"""

from __future__ import annotations

import random
import time

import numpy as np

from bot.ofc.cards import EMPTY, Card, full_deck
from bot.ofc.placement import place
from bot.ofc.variants import Variant
from bot.solver.arrange import best_arrangement
from bot.solver.boards import board_of, counts_of, mixed
from bot.solver.brain import Brain
from bot.solver.fantasyland import against, set_board
from bot.solver.field import Known
from bot.solver.outcomes import board_codes
from bot.solver.rowtables import Floats
from tests.benchmarks.rows import brain_of_game

MET = 64
"""So many boards are played from the cards that are left."""


def won_by_rows(variant: Variant, cards: int, seed: int, number: int) -> dict[str, float]:
    """How much more one deal wins from each opponent that is set for rows as well, and milliseconds for both boards."""
    brain = brain_of_game(variant)
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    random.Random(f"fantasyland:{seed}:{cards}:{number}").shuffle(deck)
    held = tuple(deck[:cards])
    usual = brain.boards_beside(0)
    assert usual
    began = time.thread_time()
    plain = best_arrangement(variant, held)
    between = time.thread_time()
    rows = set_board(brain.scorer, held, (usual,), staying=brain.staying(cards))
    ended = time.thread_time()
    gain = 0.0
    if plain != rows:
        met = _met(brain, held, number)
        own, other = (_worth(brain, held, letters, met) for letters in (rows, plain))
        gain = float((own - other).mean())
    return {"gain": gain, "other": float(plain != rows), "plain": between - began, "rows": ended - between}


def _met(brain: Brain, held: tuple[Card, ...], number: int) -> Known:
    """What the networks make of the cards that are left."""
    game = brain.variant
    unseen = counts_of(full_deck(decks=game.decks, jokers=game.jokers)) - counts_of(held)
    empty = board_of(EMPTY)
    some = np.zeros(MET, dtype=np.intp)
    boards = brain.played_out(empty.at(some), unseen[None][some], np.random.default_rng([number, MET]), after=0)
    return Known(brain.scorer, brain.scorer.finals(board_codes(boards)))


def _worth(brain: Brain, held: tuple[Card, ...], letters: str, met: Known) -> Floats:
    rows, _ = place(EMPTY, held, letters)
    finals = brain.scorer.finals(board_codes(mixed([board_of(rows)])))
    keeps = against(brain.scorer, (met,)).stays
    stay = any(bool(keep[place][0]) for keep, place in zip(keeps, finals.places, strict=True)) and finals.legal[0]
    found: Floats = met.each(finals)[0] + finals.royalties[0] * finals.legal[0] + stay * brain.staying(len(held))
    return found
