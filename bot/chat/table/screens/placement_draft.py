"""A player's draft: the placement of their cards before they confirm it.

It's carried in the custom ids of the panel's buttons, so nothing changes in the game before **Confirm**.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from bot.chat.kit.custom_ids import Draft, Press
from bot.chat.table.screens.boards import seat_rows, sorted_row
from bot.model.refusals import Stale
from bot.model.tables import TableState
from bot.play.queries.views import TableView
from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, EMPTY, ROWS, Card, RowCards
from bot.pure.ofc.naturals import Natural, natural_of
from bot.pure.ofc.outlook import MAX_PLACES, Outlook, outlook
from bot.pure.ofc.placement import OPEN, Preview, place, preview
from bot.pure.ofc.view import HandView, SeatView, unseen

_ROW_OF = {row.value: row for row in ROWS}


@dataclass(frozen=True, kw_only=True)
class PlacementDraft:
    """A draft that places ``to_place`` of ``count`` dealt cards on a board that already has ``rows``."""

    count: int
    to_place: int
    rows: RowCards
    draft: Draft
    chosen: int | None

    @cached_property
    def letters(self) -> str:
        """The draft as a placement, with ``.`` for open cards. In a complete draft, open cards become discards."""
        letters = [OPEN] * self.count
        for number, letter in self.draft:
            letters[number] = letter
        text = "".join(letters)
        return text.replace(OPEN, DISCARD) if self.complete else text

    @cached_property
    def complete(self) -> bool:
        """True if enough cards are placed."""
        return len([letter for _, letter in self.draft if letter != DISCARD]) == self.to_place

    @cached_property
    def next_card(self) -> int | None:
        """The card that the next row button places: the chosen one, or the first open one after the last placed card.

        The search starts after the last placed card, so a card to be discarded is skipped without an extra tap.
        """
        placed = {place for place, _ in self.draft}
        if self.chosen is not None and self.chosen not in placed and self.chosen < self.count:
            return self.chosen
        after = self.draft[-1][0] + 1 if self.draft else 0
        turn = [*range(after, self.count), *range(after)]
        return next((place for place in turn if place not in placed), None)

    def room(self, letter: str) -> int:
        """Return the number of free places in the row."""
        row = _ROW_OF[letter]
        return row.size - len(self.rows[row.place]) - [placed for _, placed in self.draft].count(letter)

    def put(self, letter: str) -> Draft:
        """Return the draft with the next card in that row; unchanged if the row is full or nothing is left to place."""
        card = self.next_card
        if card is None or self.complete or self.room(letter) <= 0:
            return self.draft
        return (*self.draft, (card, letter))

    def tap(self, place: int) -> tuple[Draft, int | None]:
        """Return the draft after a tap: an open card is chosen, and a placed card is taken back and chosen."""
        if place >= self.count:
            return self.draft, None
        return tuple(placed for placed in self.draft if placed[0] != place), place

    def undone(self) -> Draft:
        """Return the draft without the card placed last."""
        return self.draft[:-1]

    def with_row(self, letter: str, places: Sequence[int]) -> Draft:
        """Return the draft with exactly ``places`` in the row, as selected in its menu, and in no other row."""
        wanted = [place for place in places if place < self.count]
        kept = tuple((place, placed) for place, placed in self.draft if placed != letter and place not in wanted)
        return self._fill_last_row(kept + tuple((place, letter) for place in wanted), chosen=letter)

    def _fill_last_row(self, draft: Draft, *, chosen: str) -> Draft:
        """Return the draft with the last row filled, if all cards have to be placed and the open ones fit only there.

        The row ``chosen`` isn't filled, so cards taken back from it stay open.
        """
        placed = {place for place, _ in draft}
        left = [place for place in range(self.count) if place not in placed]
        after = replace(self, draft=draft)
        rooms = {row.value: room for row in ROWS if (room := after.room(row.value)) > 0}
        if self.count != self.to_place or len(rooms) != 1 or chosen in rooms:
            return draft
        (last,) = rooms
        return draft + tuple((place, last) for place in left)


def parse_draft(letters: str) -> Draft:
    """Convert the letters of a placement to a draft."""
    return tuple((number, letter) for number, letter in enumerate(letters) if letter in "FMB")


def sound(draft: Draft, *, count: int, rows: RowCards, to_place: int) -> bool:
    """True if a panel could have made the draft: each card used once, no row overfull, not too many cards placed."""
    if not draft:
        return True
    places, letters = zip(*draft, strict=True)
    if len(set(places)) != len(places) or max(places) >= count:
        return False
    discarded = letters.count(DISCARD)
    fits = all(letters.count(row.value) <= row.size - len(rows[row.place]) for row in ROWS)
    return len(letters) - discarded <= to_place and discarded <= count - to_place and fits


# The draft that is shown with a hand


def playable(view: TableView) -> bool:
    """True if the viewer has cards to place or arrange."""
    return (
        view.table.state is TableState.PLAYING
        and view.hand is not None
        and view.hand.mine is not None
        and bool(view.hand.mine.held)
        and not view.hand.mine.forfeited
        and not (view.hand.variant.own_clock and view.hand.mine.fantasyland and view.hand.mine.placed)
    )


def saved_letters(view: TableView) -> str:
    """Return the letters of the viewer's draft saved for this turn; empty if there is none."""
    hand, place = view.hand, view.mine
    if hand is None or hand.mine is None or place is None:
        return ""
    street = 0 if hand.mine.fantasyland else hand.street
    letters = place.seat.draft if place.seat.draft_for == f"{view.table.hand_no}.{street}" else ""
    return letters if len(letters) == len(hand.mine.held) else ""


def saved_draft(view: TableView) -> Draft:
    """Return the draft saved for this turn, or a Fantasyland board that was already set; empty if there is neither."""
    if not playable(view) or view.hand is None or view.hand.mine is None:
        return ()
    mine = view.hand.mine
    if letters := saved_letters(view):
        return parse_draft(letters)
    if not mine.fantasyland or not mine.placed:
        return ()
    free = list(enumerate(mine.held))
    draft: list[tuple[int, str]] = []
    for row, cards in zip(ROWS, mine.rows, strict=True):
        for card in cards:
            place = next(entry for entry in free if entry[1] == card)
            free.remove(place)
            draft.append((place[0], row.value))
    return tuple(draft)


# The draft of the cards in a player's hand, and the controls that change it

MAX_BUTTONS = 6
"""Maximum number of cards that each get a button. With more, cards are placed through menus."""
BY_RANK = "rank"
BY_SUIT = "suit"
ANY_ARRANGEMENT = "FFF" + "M" * 5 + "B" * 5
"""Placement for a natural whose player hasn't arranged it. The rows of a natural don't count."""
_LETTERS = tuple(row.value for row in ROWS)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
Moment: TypeAlias = tuple[str, int, int]  # name of the hand shown, number of the hand, street
DRAWINGS = len(_DIGITS)
"""Number of drawings after which a panel's custom ids repeat."""


@dataclass(frozen=True, kw_only=True)
class PlacementPanel:
    """Cards that a player places, their draft, and their sort order on a whole board.

    Values that every control needs are cached.
    """

    draft: Draft = ()
    chosen: int | None = None
    sort: str = BY_RANK
    drawing: int = 0
    """Number of the panel's drawing, modulo ``DRAWINGS``, so that each drawing has fresh menus."""
    brief: bool = False
    """True to show only what is needed to place the cards. *Read all* shows the rest."""

    @property
    def hand(self) -> HandView:
        """The running hand."""
        raise NotImplementedError

    @property
    def press(self) -> Press:
        """The press on which every control is based, without an argument."""
        raise NotImplementedError

    @property
    def shown_as(self) -> str:
        """The name under which ``MemberSettings.shown`` records that this hand was shown."""
        raise NotImplementedError

    @property
    def moment(self) -> Moment:
        """The hand and the street."""
        return self.shown_as, self.press.hand, 0 if self.seat.fantasyland else self.hand.street

    @property
    def may_place(self) -> bool:
        """True if a complete draft may be placed now."""
        return True

    @property
    def can_confirm(self) -> bool:
        """True for a complete draft that may be placed now and doesn't foul, so no confirmation is needed."""
        return self.may_place and self.placement_draft.complete and not self.fouls

    @property
    def asks_first(self) -> bool:
        """True for a complete draft that may be placed now but fouls avoidably."""
        return self.may_place and self.fouls_needlessly

    @property
    def fouls_needlessly(self) -> bool:
        """True for a complete draft that fouls although another one might not."""
        return self.placement_draft.complete and self.fouls and not replace(self, draft=()).fouls

    def control(self, verb: str, argument: str = "") -> str:
        """Return the custom id of a control."""
        return f"{verb}{self._between}{argument}"

    @cached_property
    def _between(self) -> str:
        """The part between verb and argument, which is the same for all controls."""
        return str(self.press).removeprefix(self.press.verb)

    @property
    def drawn_as(self) -> str:
        """The sort order and the drawing's number, as the controls of a whole board carry them."""
        return written(self.sort, self.drawing)

    @cached_property
    def by_select(self) -> bool:
        """True if rows are filled through menus, because there are too many cards for buttons."""
        return bool(self.seat.fantasyland) or len(self.cards) > MAX_BUTTONS

    @cached_property
    def natural(self) -> Natural | None:
        """The natural that these cards can be declared as; None if they aren't one."""
        if not self.hand.variant.naturals or len(self.cards) != BOARD_CARDS:
            return None
        return natural_of(self.cards, self.hand.variant.naturals)

    @cached_property
    def seat(self) -> SeatView:
        """The player's own seat."""
        mine = self.hand.mine
        assert mine is not None
        return mine

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards to be placed, in the order dealt."""
        return tuple([card for card in self.seat.held if card is not None])

    @cached_property
    def placement_draft(self) -> PlacementDraft:
        """The draft for these cards. An invalid draft is dropped."""
        front, middle, back = [tuple([card for card in row if card is not None]) for row in self.seat.rows]
        rows = EMPTY if self.seat.fantasyland else (front, middle, back)
        to_place = self.hand.to_place
        held = len(self.cards)
        draft = self.draft if sound(self.draft, count=held, rows=rows, to_place=to_place) else ()
        return PlacementDraft(count=held, to_place=to_place, rows=rows, draft=draft, chosen=self.chosen)

    @cached_property
    def preview(self) -> Preview:
        """The board with the draft on it, with its hands and royalties so far."""
        placement_draft = self.placement_draft
        rows, _ = place(placement_draft.rows, self.cards, placement_draft.letters)
        front, middle, back = (
            sorted_row(cards) if self.by_select or len(cards) == row.size else cards
            for row, cards in zip(ROWS, rows, strict=True)
        )
        return preview(self.hand.variant, (front, middle, back), fantasyland=self.seat.fantasyland)

    @cached_property
    def outlook(self) -> Outlook:
        """The possible outcomes of the board with the draft on it, given all the cards that its player has seen."""
        letters, rows = self.placement_draft.letters, self.preview.rows
        pool = tuple([card for card, letter in zip(self.cards, letters, strict=True) if letter == OPEN])
        to_place = self.placement_draft.to_place - sum([letter in _LETTERS for letter in letters])
        if to_place < BOARD_CARDS - sum(map(len, rows)) <= MAX_PLACES:
            pool += unseen(self.hand)
        return outlook(self.hand.variant, rows, pool)

    @cached_property
    def board_outlook(self) -> Outlook:
        """The possible outcomes of the board without the draft."""
        rows = self.board.rows
        full = sum(map(len, rows)) == BOARD_CARDS
        return outlook(self.hand.variant, rows, () if full else unseen(self.hand))

    @property
    def fouls(self) -> bool:
        """True if the board is bound to foul with the draft on it."""
        return self.outlook.lost

    @cached_property
    def board(self) -> Preview:
        """The board without the draft, with its hands and royalties so far."""
        front, middle, back = (
            tuple(card for card in row if card is not None) for row in seat_rows(self.seat, self.hand.variant)
        )
        return preview(self.hand.variant, (front, middle, back), fantasyland=self.seat.fantasyland)


# Drawing

P = TypeVar("P", bound=PlacementPanel)
DRAWING = ("card", "row", "undo", "clear", "sort", "set_f", "set_m", "set_b")
"""The controls that change only the draft."""


def redrawn(placing: P, verb: str, argument: str, values: Sequence[str]) -> P:
    """Return the panel after one of these controls was used; raises Stale for a control that no panel has shown."""
    placement_draft, (sort, drawing) = placing.placement_draft, drawn_as(argument)
    again: dict[str, Any] = {"chosen": None, "sort": sort, "drawing": (drawing + 1) % DRAWINGS}
    match verb:
        case "card":
            draft, chosen = placement_draft.tap(_number(argument))
            return replace(placing, draft=draft, chosen=chosen)
        case "row" if argument in _LETTERS:
            return replace(placing, draft=placement_draft.put(argument), chosen=None)
        case "undo":
            return replace(placing, draft=placement_draft.undone(), chosen=None)
        case "clear":
            return replace(placing, draft=(), **again)
        case "sort":
            return replace(placing, draft=placement_draft.draft, **again)
        case "set_f" | "set_m" | "set_b":
            places = [_number(value) for value in values if value.isascii() and value.isdigit()]
            return replace(placing, draft=placement_draft.with_row(verb[-1].upper(), places), **again)
        case _:
            raise Stale


def filled_in(placing: P, letters: str, argument: str) -> P:
    """Return the panel with a complete draft from ``letters``."""
    draft = tuple((number, letter) for number, letter in enumerate(letters) if letter != DISCARD)
    sort, drawing = drawn_as(argument)
    return replace(placing, draft=draft, chosen=None, sort=sort, drawing=(drawing + 1) % DRAWINGS)


def drawn_as(argument: str) -> tuple[str, int]:
    """Parse a control's sort order and drawing number. The defaults are by rank and the first drawing."""
    sort, _, drawing = argument.partition("_")
    return sort or BY_RANK, max(_DIGITS.find(drawing), 0) if drawing else 0


def written(sort: str, drawing: int) -> str:
    """Return the sort order and the drawing's number as carried by a control."""
    return f"{sort}_{_DIGITS[drawing]}"


def _number(text: str) -> int:
    """Parse a small number from a custom id. Anything invalid becomes 99, which is no card."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else 99
