"""The state of a hand, derived from its log.

``start`` and ``decide`` make facts, ``evolve`` applies one, and ``audit`` checks and replays a log::

    start --HandStarted--> [FantasylandDealt] --> StreetDealt 1 --> CardsPlaced by every open seat in turn
          --> StreetDealt 2 ... --> the last street is placed --> (wait for Fantasyland) --> HandEnded

Three rules about this file:

* Rule 1: ``evolve`` never judges. Only ``decide`` refuses, before a fact exists. ``audit`` makes the same checks on a
  stored log. So any past hand can be replayed, even by a version that would no longer allow its actions.
* Rule 2: nothing here knows about time, chips or Discord. A timeout is a ``PlaceCards`` like any other.
* Rule 3: if a street is dealt to all seats together, a seat that gave up is dealt to as well. Otherwise the other
  seats' next cards would depend on it.

Streets are per seat. A seat in Fantasyland is dealt all its cards together and sets them face down. It may set them
again until the hand ends, unless Fantasyland has a separate clock. An action and its consequences (the next street, the
end) are one batch of facts. Cards are drawn from the top of the deck in the order above. If a street is dealt in turn,
each seat draws after the previous one has placed. It gets the same cards as if all were dealt together.

Source: docs/rules.md, "Streets", "Fantasyland", "Setting the board"; docs/fairness-spec.md, "Who is dealt which card".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import assert_never

from bot.pure.ofc.cards import BOARD_CARDS, EMPTY, Card, RowCards, counts_of
from bot.pure.ofc.log import (
    CardsPlaced,
    Fact,
    FantasylandDealt,
    FantasylandSet,
    HandEnded,
    HandStarted,
    HandVoided,
    LogError,
    PlacedBy,
    SeatForfeited,
    SeatSurrendered,
    StreetDealt,
    kind_of,
)
from bot.pure.ofc.naturals import Natural, natural_named, natural_of
from bot.pure.ofc.placement import check_placement, place
from bot.pure.ofc.refusals import Reason, Refused
from bot.pure.ofc.scoring import Board, HandScore, score_hand
from bot.pure.ofc.variants import Street, Variant


class HandStatus(Enum):
    """Status of a hand."""

    PLAYING = "playing"
    ENDED = "ended"
    VOIDED = "voided"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceCards:
    """Place this street's cards (or set Fantasyland), with one letter F, M, B or D per card, in the order dealt.

    ``declare`` claims the natural that the cards make.
    """

    seat: int
    rows: str
    by: PlacedBy = PlacedBy.PLAYER
    declare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Surrender:
    """Pay every opponent the fixed price and show no cards, in games with surrender."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Void:
    """Cancel the hand without any payments."""

    reason: str


Action = PlaceCards | Surrender | Void


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSeat:
    """One player's part of the hand."""

    player: str
    fantasyland: int
    """Number of cards dealt in Fantasyland; 0 outside it."""
    rows: RowCards = EMPTY
    shown: tuple[int, int, int] = (0, 0, 0)
    before: tuple[int, int, int] = (0, 0, 0)
    """Number of cards in each row: ``shown`` face up, ``before`` without the last placement."""
    held: tuple[Card, ...] = ()
    """Cards dealt but not yet placed, in the order dealt. In Fantasyland, these are all cards until the hand ends."""
    discards: tuple[Card, ...] = ()
    placed_street: int = 0
    """The last street that the seat placed (1-based); 0 before the first."""
    setting: str | None = None
    """The current Fantasyland placement; None if the board isn't set."""
    forfeited: bool = False
    """True if the seat gave up the hand. Only old logs have such seats."""
    surrendered: bool = False
    natural: Natural | None = None
    """The declared natural, if any."""
    by_clock: tuple[int, ...] = ()
    by_fallback: tuple[int, ...] = ()
    """Streets that were auto-placed by the clock or the fallback; 0 is a Fantasyland board."""

    @property
    def open(self) -> bool:
        """True if the seat plays the streets."""
        return not self.fantasyland and not self.forfeited and not self.surrendered


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """Immutable state of a hand after some facts."""

    variant: Variant
    deck: tuple[Card, ...]
    seats: tuple[HandSeat, ...] = ()
    button: int = 0
    dealt: int = 0
    """Number of cards drawn from the deck."""
    street: int = 0
    """The current street, 1-based; 0 before the first."""
    status: HandStatus = HandStatus.PLAYING

    @property
    def clockwise(self) -> list[int]:
        """The seats in the order they act, from the left of the button to the button."""
        count = len(self.seats)
        return [(self.button + 1 + place) % count for place in range(count)]

    @property
    def rule(self) -> Street:
        """The rule of the current street."""
        return self.variant.streets[self.street - 1]

    @property
    def placing(self) -> list[int]:
        """The open seats that haven't placed the current street, in the order they act."""
        return [s for s in self.clockwise if self.seats[s].open and self.seats[s].placed_street < self.street]

    @property
    def setting(self) -> list[int]:
        """The seats in Fantasyland that haven't set their board, in the order they act."""
        seats = self.seats
        return [
            s for s in self.clockwise if seats[s].fantasyland and seats[s].setting is None and not seats[s].forfeited
        ]

    @property
    def waiting(self) -> list[int]:
        """The seats to act now: the next in turn or all that act together, and those in Fantasyland.

        Seats in Fantasyland act last, or as soon as they're dealt to if Fantasyland has a separate clock.
        Source: docs/rules.md, "Streets", "Fantasyland".
        """
        if self.status is not HandStatus.PLAYING:
            return []
        placing = self.placing if self.variant.together(self.street) else self.placing[:1]
        return placing + self.setting if self.variant.own_clock else placing or self.setting

    @property
    def score(self) -> HandScore:
        """The score of an ended hand, in seat order."""
        boards = [
            Board(
                rows=s.rows,
                fantasyland=s.fantasyland,
                forfeited=s.forfeited,
                natural=s.natural,
                surrendered=s.surrendered,
            )
            for s in self.seats
        ]
        return score_hand(self.variant, boards)


def seat_of(hand: Hand, player: str) -> int:
    """Return the seat of ``player``; raises Refused if they aren't in the hand."""
    for number, seat in enumerate(hand.seats):
        if seat.player == player:
            return number
    raise Refused(Reason.NOT_SEATED)


def start(
    variant: Variant, deck: tuple[Card, ...], *, players: Sequence[str], fantasyland: Sequence[int], button: int
) -> list[Fact]:
    """Return the first facts of a hand, in the order they happen.

    ``players`` and ``fantasyland`` (number of cards dealt there, 0 outside) are in seat order. ``button`` is a seat.
    """
    opening = HandStarted(players=tuple(players), fantasyland=tuple(fantasyland), button=button)
    return with_consequences(Hand(variant=variant, deck=deck), opening)


def decide(hand: Hand, action: Action) -> list[Fact]:
    """Return the fact that an action causes and its consequences; raises Refused if the rules don't allow it.

    Source: docs/rules.md, "Streets", "Setting the board".

    >>> from bot.pure.ofc.cards import full_deck
    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> hand = Hand(variant=PINEAPPLE, deck=full_deck())
    >>> for fact in start(PINEAPPLE, hand.deck, players=['Ann', 'Bob'], fantasyland=[0, 0], button=0):
    ...     hand = evolve(hand, fact)
    >>> decide(hand, PlaceCards(seat=1, rows='BBBMF'))
    [CardsPlaced(seat=1, street=1, rows='BBBMF', by=<PlacedBy.PLAYER: 'player'>, natural=None)]
    """
    if hand.status is not HandStatus.PLAYING:
        raise Refused(Reason.HAND_OVER)
    match action:
        case PlaceCards():
            cause: Fact = _decide_placement(hand, action)
        case Surrender():
            cause = _decide_surrender(hand, action)
        case Void():
            cause = HandVoided(reason=action.reason)
        case _:  # pragma: no cover
            assert_never(action)
    return with_consequences(hand, cause)


def _decide_placement(hand: Hand, action: PlaceCards) -> Fact:
    seat = _check_still_in(hand, action.seat)
    if seat.fantasyland:
        if hand.variant.own_clock and seat.setting is not None:
            raise Refused(Reason.ALREADY_SET)
        check_placement(EMPTY, seat.held, action.rows, to_place=BOARD_CARDS)
        return FantasylandSet(seat=action.seat, rows=action.rows, by=action.by)
    if seat.placed_street == hand.street:
        raise Refused(Reason.ALREADY_PLACED)
    if action.seat not in hand.waiting:
        raise Refused(Reason.NOT_YOUR_TURN)
    check_placement(seat.rows, seat.held, action.rows, to_place=hand.rule.to_place)
    natural = _declared(hand, seat) if action.declare else None
    return CardsPlaced(seat=action.seat, street=hand.street, rows=action.rows, by=action.by, natural=natural)


def _declared(hand: Hand, seat: HandSeat) -> str:
    natural = natural_of(seat.held, hand.variant.naturals)
    if natural is None:
        raise Refused(Reason.NO_NATURAL)
    return natural.key


def _decide_surrender(hand: Hand, action: Surrender) -> Fact:
    if not hand.variant.surrender:
        raise Refused(Reason.NO_SURRENDER)
    if _check_still_in(hand, action.seat).placed_street == hand.street:
        raise Refused(Reason.ALREADY_PLACED)
    return SeatSurrendered(seat=action.seat)


def _check_still_in(hand: Hand, number: int) -> HandSeat:
    """Return the seat with this number; raises Refused if it gave up or surrendered."""
    seat = hand.seats[number]
    if seat.forfeited or seat.surrendered:
        raise Refused(Reason.GAVE_UP)
    return seat


def with_consequences(hand: Hand, cause: Fact) -> list[Fact]:
    """Return ``cause`` and all its automatic consequences."""
    facts = [cause]
    hand = evolve(hand, cause)
    while follow := _next_fact(hand):
        hand = evolve(hand, follow)
        facts.append(follow)
    return facts


def _next_fact(hand: Hand) -> Fact | None:
    """Return the next automatic fact, if any."""
    if hand.status is not HandStatus.PLAYING:
        return None
    if not hand.dealt and any(seat.fantasyland for seat in hand.seats):
        return FantasylandDealt()
    if hand.placing:
        return None
    if hand.street < len(hand.variant.streets) and any(seat.open for seat in hand.seats):
        return StreetDealt(street=hand.street + 1)
    return None if hand.setting else HandEnded()


def evolve(hand: Hand, fact: Fact) -> Hand:
    """Return the hand after ``fact``, without checking whether the rules allow it.

    Raises Refused or a built-in error only if the fact can't be applied at all.
    """
    match fact:
        case HandStarted():
            seats = tuple(
                HandSeat(player=player, fantasyland=cards)
                for player, cards in zip(fact.players, fact.fantasyland, strict=True)
            )
            return replace(hand, seats=seats, button=fact.button)
        case FantasylandDealt():
            return _deal(hand, {s: hand.seats[s].fantasyland for s in hand.clockwise if hand.seats[s].fantasyland})
        case StreetDealt():
            return _street_dealt(replace(hand, street=fact.street))
        case CardsPlaced():
            seat = hand.seats[fact.seat]
            rows, discards = place(seat.rows, seat.held, fact.rows)
            placed = _with_seat(
                hand,
                fact.seat,
                rows=rows,
                before=counts_of(seat.rows),
                discards=seat.discards + discards,
                held=(),
                placed_street=fact.street,
                natural=natural_named(fact.natural) if fact.natural else None,
                by_clock=(*seat.by_clock, fact.street) if fact.by is PlacedBy.CLOCK else seat.by_clock,
                by_fallback=(*seat.by_fallback, fact.street) if fact.by is PlacedBy.FALLBACK else seat.by_fallback,
                shown=seat.shown if hand.variant.together(fact.street) else counts_of(rows),
            )
            return _after_turn(placed)
        case FantasylandSet():
            rows, discards = place(EMPTY, hand.seats[fact.seat].held, fact.rows)
            by_clock = (0,) if fact.by is PlacedBy.CLOCK else ()
            return _with_seat(hand, fact.seat, setting=fact.rows, rows=rows, discards=discards, by_clock=by_clock)
        case SeatSurrendered():
            return _after_turn(_with_seat(hand, fact.seat, surrendered=True))
        case SeatForfeited():
            return _after_turn(_with_seat(hand, fact.seat, forfeited=True))
        case HandEnded():
            return replace(hand, status=HandStatus.ENDED, seats=tuple(map(_reveal_seat, hand.seats)))
        case HandVoided():
            return replace(hand, status=HandStatus.VOIDED)
        case _:  # pragma: no cover
            assert_never(fact)


def audit(variant: Variant, deck: tuple[Card, ...], facts: Iterable[Fact], *, since: Hand | None = None) -> Hand:
    """Replay ``facts`` and return the hand; raises LogError if no hand of this game can have written them.

    ``evolve`` doesn't check facts, so a damaged log could otherwise lead to an unplayable hand. ``since`` is the hand
    after all earlier facts.
    """
    hand = since or Hand(variant=variant, deck=deck)
    number = 0
    try:
        for number, fact in enumerate(facts, 1):
            if not _follows(hand, fact):
                raise LogError(f"fact {number}, {kind_of(fact)}, does not follow from those before it")
            hand = evolve(hand, fact)
        unopened = not hand.seats and hand.status is HandStatus.PLAYING
        if unopened or hand.dealt > len(deck) or _next_fact(hand) is not None:
            raise LogError(f"the log ends after {number} facts")
    except LogError:
        raise
    except (Refused, AttributeError, LookupError, TypeError, ValueError) as error:
        # Report only the kind of error because this is logged, and an error's text may quote a card.
        kind = error.reason.value if isinstance(error, Refused) else type(error).__name__
        raise LogError(f"fact {number} cannot be applied: {kind}") from error
    return hand


def _follows(hand: Hand, fact: Fact) -> bool:
    """True if the rules allow ``fact`` next. Raises an error if it names a missing seat or street."""
    if isinstance(fact, HandStarted):
        return not hand.seats and _can_open(hand.variant, fact)
    if isinstance(fact, HandVoided):
        # A hand can be cancelled at any point, because that's how an unplayable hand ends.
        return hand.status is HandStatus.PLAYING
    follow = _next_fact(hand)
    if follow is not None or hand.status is not HandStatus.PLAYING:
        return fact == follow
    match fact:
        case CardsPlaced():
            declare = fact.natural is not None
            return fact == _decide_placement(
                hand, PlaceCards(seat=fact.seat, rows=fact.rows, by=fact.by, declare=declare)
            )
        case FantasylandSet():
            return fact == _decide_placement(hand, PlaceCards(seat=fact.seat, rows=fact.rows, by=fact.by))
        case SeatSurrendered():
            return fact == _decide_surrender(hand, Surrender(seat=fact.seat))
        case SeatForfeited():
            return not _check_still_in(hand, fact.seat).forfeited
        case _:
            return False


def _can_open(variant: Variant, fact: HandStarted) -> bool:
    sizes = (0, *variant.fantasyland.numbers) if variant.fantasyland else (0,)
    return fact.button in range(len(fact.players)) and all(cards in sizes for cards in fact.fantasyland)


def _with_seat(hand: Hand, number: int, **changes: object) -> Hand:
    seats = list(hand.seats)
    seats[number] = replace(seats[number], **changes)  # type: ignore[arg-type]  # typed by the callers above
    return replace(hand, seats=tuple(seats))


def _deal(hand: Hand, counts: dict[int, int]) -> Hand:
    """Deal ``counts`` cards from the top of the deck, seat by seat in the order of ``counts``.

    A seat that gave up is also dealt cards (rule 3 above).
    """
    seats, dealt = list(hand.seats), hand.dealt
    for number, count in counts.items():
        seats[number] = replace(seats[number], held=seats[number].held + hand.deck[dealt : dealt + count])
        dealt += count
    return replace(hand, seats=tuple(seats), dealt=dealt)


def _street_dealt(hand: Hand) -> Hand:
    """Deal the current street to all who play it, or only to the first of them if it's dealt in turn."""
    if hand.variant.dealt_in_turn(hand.street):
        return _deal_street(hand)
    return _deal(hand, {s: hand.rule.deal for s in hand.clockwise if not hand.seats[s].fantasyland})


def _deal_street(hand: Hand) -> Hand:
    """Deal this street's cards to the seat whose turn it is, unless it has them."""
    on_turn = hand.placing[0]
    return hand if hand.seats[on_turn].held else _deal(hand, {on_turn: hand.rule.deal})


def _after_turn(hand: Hand) -> Hand:
    """Deal to the next seat in turn, or turn the cards up once all seats have placed the street."""
    if hand.placing:
        return _deal_street(hand) if hand.variant.dealt_in_turn(hand.street) else hand
    seats = tuple(seat if seat.fantasyland else replace(seat, shown=counts_of(seat.rows)) for seat in hand.seats)
    return replace(hand, seats=seats)


def _reveal_seat(seat: HandSeat) -> HandSeat:
    """Return the seat with its board turned up, and no cards held if its Fantasyland was set."""
    return replace(seat, shown=counts_of(seat.rows), held=() if seat.setting is not None else seat.held)
