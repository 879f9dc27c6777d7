"""Views of a hand, each limited to the cards that one player may see.

Presenters get only views, never the state of a hand. A view contains no card that its viewer mustn't know, such as the
deck, or other players' dealt cards and discards. Nor does it contain a Fantasyland board, or a street placed together,
before it's turned up. For such a street, it also hides the rows of the cards. Cards dealt in turn are face up for
everyone.

Source: docs/how-to/fair-cards.md, "Who sees your cards".
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
"""Cards of a row; None for each face-down card."""
NOTHING: Final[tuple[Facing, Facing, Facing]] = ((), (), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """A seat as the viewer sees it."""

    player: str
    fantasyland: int
    rows: tuple[Facing, Facing, Facing]
    """Front, middle, back. For other players, a full face-down board is all None. Cards of a face-down street are left
    out, because their rows would help players who haven't placed it."""
    held: Facing
    """Cards dealt but not placed. Each is None unless it's the viewer's or was dealt face up."""
    discards: Facing
    placed: bool
    """True if the seat has placed this street (or set its Fantasyland)."""
    waiting: bool
    """True if it's the seat's turn to act."""
    forfeited: bool
    surrendered: bool
    """True if the seat surrendered. Other players see it only after the boards are turned up."""
    natural: Natural | None
    """The declared natural, if any. Other players see it only after the boards are turned up."""
    latest: tuple[Facing, Facing, Facing] = NOTHING
    """Front, middle, back: the cards placed last, after they are turned up."""
    by_fallback: tuple[int, ...] = ()
    """Face-up streets placed by a computer of a lower level, because the seat's own didn't answer in time."""
    fallback: bool = False
    """True if the last face-up cards were placed by such a computer."""
    by_clock: tuple[int, ...] = ()
    """Auto-placed streets, after they are turned up; 0 is a Fantasyland board."""
    clocked: bool = False
    """True if the last face-up cards were auto-placed."""

    def untouched(self, streets: int) -> bool:
        """True if all cards of the seat were auto-placed in an ended hand of ``streets`` streets."""
        return len(self.by_clock) == (1 if self.fantasyland else streets)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """A hand as one player, or the public (``you`` is None), sees it."""

    variant: Variant
    seats: tuple[SeatView, ...]
    button: int
    street: int
    status: HandStatus
    you: int | None
    score: HandScore | None
    """Score of an ended hand; None until then."""
    conceals: bool = False
    """True if the table shows no board, because a player must still set a Fantasyland without seeing any."""

    @property
    def mine(self) -> SeatView | None:
        """The viewer's seat; None for the public."""
        return None if self.you is None else self.seats[self.you]

    @property
    def to_place(self) -> int:
        """Number of cards that the viewer must place, on this street or for the whole board in Fantasyland."""
        if self.mine is not None and self.mine.fantasyland:
            return BOARD_CARDS
        return self.variant.streets[self.street - 1].to_place if self.street else 0

    @property
    def over(self) -> bool:
        """True if the hand has ended or was cancelled."""
        return self.status is not HandStatus.PLAYING


def view_for(hand: Hand, player: str | None) -> HandView:
    """Return the hand as ``player`` sees it. None, or a player who isn't in the hand, gets the public view.

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
    """Return the cards of the deck that the viewer hasn't seen, in canonical order.

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
        # A Fantasyland's cards count as held until the hand ends, even if its board is set.
        placed = () if seat.fantasyland and any(seat.held) else seat.rows
        for cards in (*placed, seat.held, seat.discards if placed else ()):
            for card in cards:
                if card is not None:
                    left.remove(card)
    return tuple(left)


def face_down(hand: HandView) -> HandView:
    """Return the hand without its cards and score, for viewers who may only see its progress."""
    return replace(hand, seats=tuple(map(seat_face_down, hand.seats)), score=None)


def seat_face_down(seat: SeatView) -> SeatView:
    """Return the seat with all cards face down. They fill the board from the back, to hide their real rows."""
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
    """Return the view of a seat. ``in_turn`` is True if this street's cards are dealt face up."""
    ended = hand.status is HandStatus.ENDED
    if seat.surrendered and not own and not ended:
        seat = _as_if_placed(seat, street=hand.street)
    whole = sum(map(len, seat.rows)) == BOARD_CARDS
    rows: list[Facing] = []
    latest: list[Facing] = []
    for row, before, shown in zip(seat.rows, seat.before, seat.shown, strict=True):
        rows.append(row if own else row[:shown] + (None,) * (len(row) - shown if whole else 0))
        latest.append(row[before:shown])
    # The author of a placement (the clock or a fallback) stays hidden until the street is turned up.
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
    """Return a surrendered seat as others see it before the end: it looks like one that has set its board."""
    cards = iter(seat.held)
    front, middle, back = (tuple(islice(cards, row.size)) for row in ROWS)
    return replace(seat, rows=(front, middle, back), held=(), placed_street=street, surrendered=False)


def _facing_discards(hand: Hand, seat: HandSeat) -> Facing:
    """Return a seat's discards as others see them. Games with open discards show those of turned-up streets."""
    count = len(seat.discards)
    if not hand.variant.open_discards:
        shown = 0
    elif seat.shown == tuple(map(len, seat.rows)):
        shown = count
    else:
        shown = 0 if seat.fantasyland else count - hand.rule.discard
    return seat.discards[:shown] + (None,) * (count - shown)
