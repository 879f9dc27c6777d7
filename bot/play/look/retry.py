"""The same cards once more, from some street on: one player alone, against the boards that the others made then.

Nothing of it is stored. What was placed so far follows from the letters, which the messages carry.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.model.refusals import Stale
from bot.ofc.cards import Card, RowCards
from bot.ofc.placement import check_placement, place
from bot.ofc.refusals import Refused
from bot.ofc.scoring import Board, HandScore, score_hand
from bot.ofc.view import Facing, HandView, SeatView
from bot.play.look.replays import PastHand


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Another try at a hand."""

    past: PastHand
    start: int
    """The decision from which cards are placed again, by its place among the hand's moments."""
    letters: tuple[str, ...] = ()
    """The placements since then, one for each decision."""

    @property
    def over(self) -> bool:
        """True when the board is full."""
        return self.start + len(self.letters) == len(self.past.moments)

    @property
    def view(self) -> HandView:
        """The decision at hand: the others' boards as they were then, and one's own as it is now."""
        view = self.past.moments[self.start + len(self.letters)].view
        rows, discards = self._placed
        seats = list(view.seats)
        seats[self.past.seat] = replace(seats[self.past.seat], rows=rows, discards=discards)
        # What has to be declared was declared, or not, in the hand.
        return replace(view, seats=tuple(seats), variant=replace(view.variant, naturals={}, surrender=0))

    @property
    def rows(self) -> RowCards:
        """One's own board as far as it is filled."""
        return self._placed[0]

    @property
    def score(self) -> HandScore:
        """The hand with the new board in the place of the old one; the board is full."""
        boards = [
            Board(
                rows=self.rows if number == self.past.seat else _face_up(seat.rows),
                fantasyland=seat.fantasyland,
                forfeited=seat.forfeited,
                natural=None if number == self.past.seat else seat.natural,
                surrendered=seat.surrendered and number != self.past.seat,
            )
            for number, seat in enumerate(self.past.end.seats)
        ]
        return score_hand(self.past.end.variant, boards)

    def then(self, letters: str) -> Retry:
        """After one more placement; raises Stale for one that is none here."""
        further = replace(self, letters=(*self.letters, letters))
        further.check()
        return further

    def check(self) -> None:
        """Raise Stale where the letters were not placed by these rules: buttons are trusted in nothing."""
        moments = self.past.moments
        if not 0 <= self.start < len(moments) or self.start + len(self.letters) > len(moments):
            raise Stale
        rows = _face_up(_mine(moments[self.start].view).rows)
        try:
            for moment, letters in zip(moments[self.start :], self.letters, strict=False):
                held = _held(moment.view)
                check_placement(rows, held, letters, to_place=moment.view.to_place)
                rows, _ = place(rows, held, letters)
        except Refused:
            raise Stale from None

    @property
    def _placed(self) -> tuple[RowCards, tuple[Card, ...]]:
        """Rows and discards."""
        mine = _mine(self.past.moments[self.start].view)
        rows, discards = _face_up(mine.rows), _known(mine.discards)
        for moment, letters in zip(self.past.moments[self.start :], self.letters, strict=False):
            rows, more = place(rows, _held(moment.view), letters)
            discards += more
        return rows, discards


def _mine(view: HandView) -> SeatView:
    assert view.mine
    return view.mine


def _held(view: HandView) -> tuple[Card, ...]:
    return _known(_mine(view).held)


def _known(cards: Facing) -> tuple[Card, ...]:
    return tuple(card for card in cards if card is not None)


def _face_up(rows: tuple[Facing, Facing, Facing]) -> RowCards:
    front, middle, back = map(_known, rows)
    return front, middle, back
