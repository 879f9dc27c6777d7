"""The half-made placement in a player's panel. Pure: tapping is drawing, only Confirm changes the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.ofc.cards import DISCARD, ROWS, RowCards
from bot.ofc.placement import OPEN
from bot.ui.custom_ids import Draft

_ROW_OF = {row.value: row for row in ROWS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A draft over ``count`` dealt cards of which ``to_place`` are placed on a board with ``rows`` on it."""

    count: int
    to_place: int
    rows: RowCards
    draft: Draft
    chosen: int | None

    @property
    def letters(self) -> str:
        """The draft as a placement with ``.`` for open cards; once enough are placed the rest is discarded."""
        letters = [OPEN] * self.count
        for place, letter in self.draft:
            letters[place] = letter
        text = "".join(letters)
        return text.replace(OPEN, DISCARD) if self.complete else text

    @property
    def complete(self) -> bool:
        """True when every card has its place."""
        return len([letter for _, letter in self.draft if letter != DISCARD]) == self.to_place

    @property
    def next_card(self) -> int | None:
        """The card that the next row button takes: the chosen one, else the next without a place after the last placed.

        Going on from the last placed card, and not from the first open one, passes over a card that is meant for the
        discard without another tap.
        """
        placed = {place for place, _ in self.draft}
        if self.chosen is not None and self.chosen not in placed and self.chosen < self.count:
            return self.chosen
        after = self.draft[-1][0] + 1 if self.draft else 0
        turn = [*range(after, self.count), *range(after)]
        return next((place for place in turn if place not in placed), None)

    def room(self, letter: str) -> int:
        """How many more cards the row takes."""
        row = _ROW_OF[letter]
        return row.size - len(self.rows[row.place]) - [placed for _, placed in self.draft].count(letter)

    def put(self, letter: str) -> Draft:
        """The draft with the next card in that row; unchanged when it is full or nothing is left to place."""
        card = self.next_card
        if card is None or self.complete or self.room(letter) <= 0:
            return self.draft
        return (*self.draft, (card, letter))

    def tap(self, place: int) -> tuple[Draft, int | None]:
        """A tapped card: an open one is chosen, a placed one is taken back and chosen."""
        if place >= self.count:
            return self.draft, None
        return tuple(placed for placed in self.draft if placed[0] != place), place

    def undone(self) -> Draft:
        """The draft without the card placed last."""
        return self.draft[:-1]

    def with_row(self, letter: str, places: Sequence[int]) -> Draft:
        """The draft in which exactly ``places`` are in the row (of a select); they leave other rows."""
        wanted = [place for place in places if place < self.count]
        kept = tuple((place, placed) for place, placed in self.draft if placed != letter and place not in wanted)
        return self._filled(kept + tuple((place, letter) for place in wanted), chosen=letter)

    def _filled(self, draft: Draft, *, chosen: str) -> Draft:
        """The draft with the last row filled, where every card is placed and those left over can go nowhere else.

        The row that was ``chosen`` is left as it is: who takes cards back does not get them again.
        """
        placed = {place for place, _ in draft}
        left = [place for place in range(self.count) if place not in placed]
        after = replace(self, draft=draft)
        rooms = {row.value: room for row in ROWS if (room := after.room(row.value)) > 0}
        if self.count != self.to_place or len(rooms) != 1 or chosen in rooms:
            return draft
        (last,) = rooms
        return draft + tuple((place, last) for place in left)


def sound(draft: Draft, *, count: int, rows: RowCards, to_place: int) -> bool:
    """True for a draft that a panel could have made: each card once, no row too full, not too many placed."""
    if not draft:
        return True
    places, letters = zip(*draft, strict=True)
    if len(set(places)) != len(places) or max(places) >= count:
        return False
    discarded = letters.count(DISCARD)
    fits = all(letters.count(row.value) <= row.size - len(rows[row.place]) for row in ROWS)
    return len(letters) - discarded <= to_place and discarded <= count - to_place and fits
