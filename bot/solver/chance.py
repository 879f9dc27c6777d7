"""Chance that is none: it follows from a view, so that the same view is always answered alike."""

from __future__ import annotations

from itertools import chain

import numpy as np

from bot.ofc.view import HandView

_BACK = 99
"""A card that lies face down."""
_BREAK = 100


def chance_of(view: HandView, *salt: int) -> np.random.Generator:
    """A generator whose numbers follow from the cards in view, and from ``salt``."""
    rows = chain.from_iterable((*seat.rows, seat.held, seat.discards) for seat in view.seats)
    cards = chain.from_iterable((*(_BACK if card is None else card for card in row), _BREAK) for row in rows)
    return np.random.default_rng([*salt, view.street, view.you or 0, *cards])
