"""The jobs of those who think: they hold nothing but what the player in question sees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.ofc.cards import Card
from bot.ofc.variants import Variant
from bot.ofc.view import HandView
from bot.play.look.looking_back import PastHand
from bot.play.session.thinkers import Job
from bot.solver.arrange import completed
from bot.solver.deals import Account, account
from bot.solver.levels import Computers, Level
from bot.solver.review import Decision, Moment, decision


def placement(view: HandView, level: Level) -> Job[str]:
    """The placement of a computer player of this level."""
    return partial(Computers.choose, view=view, level=level)


def arrangement(variant: Variant, cards: Sequence[Card]) -> Job[str]:
    """The board that a master sets from these cards."""
    return partial(Computers.arranged, variant=variant, cards=cards)


def completion(variant: Variant, cards: Sequence[Card], draft: str) -> Job[str]:
    """A legal board of these cards around what somebody has placed."""
    return partial(_completed, variant=variant, cards=cards, draft=draft)


def _completed(computers: Computers, *, variant: Variant, cards: Sequence[Card], draft: str) -> str:
    return completed(variant, cards, draft)


def judgement(moment: Moment) -> Job[Decision]:
    """The cost of a placement in a finished hand."""
    return partial(decision, moment=moment)


def reckoning(past: PastHand) -> Job[Account]:
    """How much of what a finished hand came to was luck."""
    score = past.end.score
    assert score
    return partial(account, variant=past.end.variant, score=score, deals=past.deals, seat=past.seat)
