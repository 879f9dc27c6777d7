"""Hints: what a master thinks of the cards that somebody holds at a practice table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from bot.model.refusals import PlayReason, Stale
from bot.ofc.refusals import Refused
from bot.ofc.view import HandView
from bot.play.look.replays import PastHand
from bot.play.look.views import TableView
from bot.play.session.thinkers import Job
from bot.solver.arrange import best_arrangement, completed
from bot.solver.deals import Account, account
from bot.solver.levels import Computers, Level
from bot.solver.review import Decision, Moment, decision
from bot.solver.search import Judged
from bot.solver.sight import cards_to_place

MOST = 2
"""How many placements are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The best placements of a street, the better one first."""

    hand: HandView
    """As its player has seen it when they asked."""
    letters: tuple[str, ...]
    judged: tuple[Judged, ...]
    """The boards that they lead to; empty in a game with no fitted values."""

    def is_for(self, view: TableView) -> bool:
        """True while the viewer still has to place the cards that it speaks of."""
        return view.may_hint and view.hand is not None and view.hand.mine == self.hand.mine


def asked(view: TableView, *, hand_no: int, street: int) -> HandView:
    """The hand in which somebody asks; raises Refused where they may not, and Stale for another street."""
    if not view.table.terms.practice or view.table.event_no is not None:
        raise Refused(PlayReason.HINTS_ARE_FOR_PRACTICE)
    hand = view.hand
    if hand is None or not view.may_hint or (view.table.hand_no, hand.street) != (hand_no, street):
        raise Stale
    return hand


def hint(view: HandView) -> Job[Hint]:
    """The placement of a master, and the next best."""
    return partial(_hint, view=view)


def _hint(computers: Computers, *, view: HandView) -> Hint:
    judged = tuple(computers.evaluate(view)[:MOST])
    letters = tuple(one.letters for one in judged) or (computers.choose(view, Level.MASTER),)
    return Hint(hand=view, letters=letters, judged=judged)


# The jobs of those who think: they hold nothing but what the player in question sees.


def placement(view: HandView, level: Level, *, entering: Mapping[int, float] | None = None) -> Job[str]:
    """The placement of a computer player of this level; ``entering`` is what Fantasyland counts for a master, where it
    is not the next hand.
    """
    return partial(Computers.choose, view=view, level=level, entering=entering)


def arrangement(view: HandView) -> Job[str]:
    """The whole board that a master sets."""
    return partial(Computers.arranged, view=view)


def quick_arrangement(view: HandView) -> Job[str]:
    """The board that is paid most by itself: for that nobody needs to know how a game is played."""
    return partial(_arranged, view=view)


def _arranged(computers: Computers, *, view: HandView) -> str:
    return best_arrangement(view.variant, cards_to_place(view))


def completion(view: HandView, draft: str) -> Job[str]:
    """A legal board around what somebody has placed."""
    return partial(_completed, view=view, draft=draft)


def _completed(computers: Computers, *, view: HandView, draft: str) -> str:
    return completed(view.variant, cards_to_place(view), draft)


def judgement(moment: Moment) -> Job[Decision]:
    """The cost of a placement in a finished hand."""
    return partial(decision, moment=moment)


def reckoning(past: PastHand) -> Job[Account]:
    """How much of what a finished hand came to was luck."""
    score = past.end.score
    assert score
    return partial(account, variant=past.end.variant, score=score, deals=past.deals, seat=past.seat)
