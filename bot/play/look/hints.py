"""Hints: what a master thinks of the cards that somebody holds at a practice table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from bot.model.refusals import PlayReason, Stale
from bot.model.tables import TableState
from bot.ofc.cards import BOARD_CARDS
from bot.ofc.refusals import Refused
from bot.ofc.view import HandView
from bot.play.look.views import TableView
from bot.play.session.thinkers import Job
from bot.solver.levels import Computers, Level
from bot.solver.search import Judged

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
        return may_hint(view) and view.hand is not None and view.hand.mine == self.hand.mine


def may_hint(view: TableView) -> bool:
    """True where the viewer is to place a street and nothing is at stake. A whole board is arranged instead."""
    table, hand = view.table, view.hand
    return (
        table.terms.practice
        and table.event_no is None
        and table.state is TableState.PLAYING
        and hand is not None
        and view.you in view.waiting
        and hand.to_place < BOARD_CARDS
    )


def asked(view: TableView, *, hand_no: int, street: int) -> HandView:
    """The hand in which somebody asks; raises Refused where they may not, and Stale for another street."""
    if not view.table.terms.practice or view.table.event_no is not None:
        raise Refused(PlayReason.HINTS_ARE_FOR_PRACTICE)
    hand = view.hand
    if hand is None or not may_hint(view) or (view.table.hand_no, hand.street) != (hand_no, street):
        raise Stale
    return hand


def hint(view: HandView) -> Job[Hint]:
    """The placement of a master, and the next best."""
    return partial(_hint, view=view)


def _hint(computers: Computers, *, view: HandView) -> Hint:
    judged = tuple(computers.evaluate(view)[:MOST])
    letters = tuple(one.letters for one in judged) or (computers.choose(view, Level.MASTER),)
    return Hint(hand=view, letters=letters, judged=judged)
