"""The view that one player may have of a hand: the one exit of its state.

Nothing else reaches a presenter. A view holds no card that its eyes may not know: not the deck, not another
player's dealt cards or discards, not a Fantasyland board or a street placed together before it is turned up: of such a
street not even the rows that its cards went to. What was dealt in turn lies face up for all.

Source: docs/tables.md, "Who sees what".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from bot.pure.ofc.cards import BOARD_CARDS, ROWS, Card, full_deck
from bot.pure.ofc.hand import Hand, HandSeat, HandStatus
from bot.pure.ofc.naturals import Natural
from bot.pure.ofc.scoring import HandScore
from bot.pure.ofc.variants import Variant

Facing = tuple[Card | None, ...]
"""Cards of a row; None is a card that lies face down."""
NOTHING: Final[tuple[Facing, Facing, Facing]] = ((), (), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One seat as its viewer sees it."""

    player: str
    fantasyland: int
    rows: tuple[Facing, Facing, Facing]
    """Front, middle, back. To others a full board that lies face down is all None, and a street that lies face down is
    not there yet: its rows would tell those who have not placed it."""
    held: Facing
    """Cards dealt and not placed: the viewer's own, or None each; those of all where they are dealt face up."""
    discards: Facing
    placed: bool
    """True when this street (or the Fantasyland set) is done."""
    waiting: bool
    """True when the hand waits for this seat."""
    forfeited: bool
    surrendered: bool
    """Only once the boards are turned up, and always to the viewer whose seat it is."""
    natural: Natural | None
    """The natural that was declared, once the boards are turned up, and always to the viewer whose seat it is."""
    latest: tuple[Facing, Facing, Facing] = NOTHING
    """Front, middle, back: the cards that its player placed last, once they lie face up."""
    by_fallback: tuple[int, ...] = ()
    """Face-up streets that a lower level placed, because the computer player in the seat got no answer in time."""
    fallback: bool = False
    """True if the last face-up cards were placed so."""
    by_clock: tuple[int, ...] = ()
    """The streets that the clock has placed, once they are turned up; 0 is a board that was set in Fantasyland."""
    clocked: bool = False
    """True where the clock has placed the last cards that lie face up."""

    def untouched(self, streets: int) -> bool:
        """True at the end of a hand of so many streets whose player has placed nothing: the clock has placed it all."""
        return len(self.by_clock) == (1 if self.fantasyland else streets)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """The hand as one player, or the public (``you`` is None), sees it."""

    variant: Variant
    seats: tuple[SeatView, ...]
    button: int
    street: int
    status: HandStatus
    you: int | None
    score: HandScore | None
    """Only of an ended hand."""
    conceals: bool = False
    """True while the table shows no board, because somebody has still to set a Fantasyland unseen and unseeing."""

    @property
    def mine(self) -> SeatView | None:
        """The viewer's own seat."""
        return None if self.you is None else self.seats[self.you]

    @property
    def to_place(self) -> int:
        """How many cards the viewer places now: the street's number, or the whole board in Fantasyland."""
        if self.mine is not None and self.mine.fantasyland:
            return BOARD_CARDS
        return self.variant.streets[self.street - 1].to_place if self.street else 0

    @property
    def over(self) -> bool:
        """True when nothing more can be placed."""
        return self.status is not HandStatus.PLAYING


def view_for(hand: Hand, player: str | None) -> HandView:
    """The hand through the eyes of ``player``; None, or a stranger, sees what everybody sees.

    >>> from bot.pure.ofc.cards import full_deck
    >>> from bot.pure.ofc.hand import evolve, start
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> hand = Hand(variant=PINEAPPLE, deck=full_deck())
    >>> for fact in start(PINEAPPLE, hand.deck, players=['Ann', 'Bob'], fantasyland=[0, 0], button=0):
    ...     hand = evolve(hand, fact)
    >>> view_for(hand, 'Bob').seats[1].held
    (0, 1, 2, 3, 4)
    >>> view_for(hand, 'Ann').seats[1].held
    (None, None, None, None, None)
    """
    you = next((number for number, seat in enumerate(hand.seats) if seat.player == player), None)
    waiting = hand.waiting
    conceals = hand.variant.own_clock and hand.status is HandStatus.PLAYING and bool(hand.setting)
    blind = conceals and (you is None or you in hand.setting)
    in_turn = bool(hand.street) and hand.variant.dealt_in_turn(hand.street)
    seats = []
    for number, seat in enumerate(hand.seats):
        seen = _seat_view(hand, seat, own=number == you, waiting=number in waiting, in_turn=in_turn)
        seats.append(seat_face_down(seen) if blind and number != you else seen)
    return HandView(
        variant=hand.variant,
        seats=tuple(seats),
        button=hand.button,
        street=hand.street,
        status=hand.status,
        you=you,
        score=hand.score if hand.status is HandStatus.ENDED else None,
        conceals=conceals,
    )


def unseen(hand: HandView) -> tuple[Card, ...]:
    """The cards of the deck that its viewer has not seen, in their canonical order.

    >>> from bot.pure.ofc.cards import full_deck
    >>> from bot.pure.ofc.hand import evolve, start
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> hand = Hand(variant=PINEAPPLE, deck=full_deck())
    >>> for fact in start(PINEAPPLE, hand.deck, players=['Ann', 'Bob'], fantasyland=[0, 14], button=0):
    ...     hand = evolve(hand, fact)
    >>> len(unseen(view_for(hand, 'Bob'))), len(unseen(view_for(hand, None)))
    (38, 52)
    """
    left = sorted(full_deck(decks=hand.variant.decks, jokers=hand.variant.jokers))
    for seat in hand.seats:
        # The cards of a Fantasyland that was set are still held.
        placed = () if seat.fantasyland and any(seat.held) else seat.rows
        for cards in (*placed, seat.held, seat.discards if placed else ()):
            for card in cards:
                if card is not None:
                    left.remove(card)
    return tuple(left)


def face_down(hand: HandView) -> HandView:
    """A hand as those see it who must not know its cards: how far it is, and no card."""
    return replace(hand, seats=tuple(map(seat_face_down, hand.seats)), score=None)


def seat_face_down(seat: SeatView) -> SeatView:
    """A seat without its cards. Nor is it seen to which rows they went: all boards fill up from the back."""
    left = sum(map(len, seat.rows))
    rows: list[Facing] = []
    for row in reversed(ROWS):
        rows.insert(0, (None,) * min(left, row.size))
        left -= len(rows[0])
    front, middle, back = rows
    return replace(
        seat,
        rows=(front, middle, back),
        latest=NOTHING,
        held=(),
        discards=(),
        surrendered=False,
        natural=None,
        by_clock=(),
        by_fallback=(),
        clocked=False,
        fallback=False,
    )


def _seat_view(hand: Hand, seat: HandSeat, *, own: bool, waiting: bool, in_turn: bool) -> SeatView:
    """A seat; ``in_turn`` where the cards of this street were turned up when they were dealt."""
    ended = hand.status is HandStatus.ENDED
    if seat.surrendered and not own and not ended:
        seat = _as_if_placed(seat, street=hand.street)
    whole = sum(map(len, seat.rows)) == BOARD_CARDS
    rows: list[Facing] = []
    latest: list[Facing] = []
    for row, before, shown in zip(seat.rows, seat.before, seat.shown, strict=True):
        rows.append(row if own else row[:shown] + (None,) * (len(row) - shown if whole else 0))
        latest.append(row[before:shown])
    # Before a street lies face up nobody is told who has placed it.
    hidden = {0, hand.street} if hand.variant.together(hand.street) and hand.placing else {0}
    by_clock, by_fallback = (
        streets if ended else tuple(street for street in streets if street not in hidden)
        for streets in (seat.by_clock, seat.by_fallback)
    )
    placed = seat.setting is not None if seat.fantasyland else seat.placed_street == hand.street
    last = 0 if seat.fantasyland else hand.street if placed else hand.street - 1
    return SeatView(
        player=seat.player,
        fantasyland=seat.fantasyland,
        rows=(rows[0], rows[1], rows[2]),
        latest=(latest[0], latest[1], latest[2]),
        held=seat.held if own or (in_turn and not seat.fantasyland) else (None,) * len(seat.held),
        discards=seat.discards if own else _facing_discards(hand, seat),
        placed=placed,
        waiting=waiting,
        forfeited=seat.forfeited,
        surrendered=seat.surrendered,
        natural=seat.natural if own or ended else None,
        by_clock=by_clock,
        by_fallback=by_fallback,
        clocked=last in by_clock,
        fallback=last in by_fallback,
    )


def _as_if_placed(seat: HandSeat, *, street: int) -> HandSeat:
    """A seat that surrendered as others see it before the end: nothing tells it from one that has set its board."""
    cards = iter(seat.held)
    front, middle, back = (tuple(islice(cards, row.size)) for row in ROWS)
    return replace(seat, rows=(front, middle, back), held=(), placed_street=street, surrendered=False)


def _facing_discards(hand: Hand, seat: HandSeat) -> Facing:
    """A seat's discards as others see them: in an open game those that went with cards which are turned up by now."""
    count = len(seat.discards)
    if not hand.variant.open_discards:
        shown = 0
    elif seat.shown == tuple(map(len, seat.rows)):
        shown = count
    else:
        shown = 0 if seat.fantasyland else count - hand.rule.discard
    return seat.discards[:shown] + (None,) * (count - shown)
