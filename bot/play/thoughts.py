"""What play asks those who think: jobs that hold nothing but what the player in question sees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.ofc.cards import Card
from bot.ofc.variants import Variant
from bot.ofc.view import HandView
from bot.play.ports import Job
from bot.solver.arrange import best_arrangement
from bot.solver.levels import Computers, Level


def placement(view: HandView, level: Level) -> Job[str]:
    """What a computer player of this level places."""
    return partial(Computers.choose, view=view, level=level)


def arrangement(variant: Variant, cards: Sequence[Card]) -> Job[str]:
    """The best board of these cards."""
    return partial(_arranged, variant=variant, cards=cards)


def _arranged(_: Computers, *, variant: Variant, cards: Sequence[Card]) -> str:
    return best_arrangement(variant, cards)
