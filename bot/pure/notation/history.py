"""A finished hand as it is written down: its game, what was dealt and placed, what it came to, for which chips.

Facts are written as actions, one line each: a deal is ``d dh p1 AcKd9h`` as in PHH, with ``??`` for a card that stays
face down; ``p1 pl FMD`` is the one new verb. ``p1`` is the seat left of the button, and the last one has the button.

Source: docs/notation.md, "Cards", "Actions".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from bot.pure.ofc.cards import Card, CardError, card_name, full_deck, parse_card
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, Surrender, decide, evolve, start, with_consequences
from bot.pure.ofc.log import By, CardsPlaced, Fact, FantasylandSet, SeatForfeited, SeatSurrendered
from bot.pure.ofc.notation import DECLARED
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant

UNKNOWN = Card(-1)
"""A card that stays face down: it was discarded, or never placed."""
FACE_DOWN = "??"
_BY = {By.PLAYER: "", By.COMPUTER: " computer", By.CLOCK: " clock", By.FALLBACK: " computer"}
_DEAL = re.compile(r"d dh p([1-9][0-9]?) ((?:[0-9A-Za-z?]{2})+)")
_ACT = re.compile(r"p([1-9][0-9]?) (?:pl ([FMBD]{1,17})( !)?( clock| computer)?|(f)( surrender)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHistory:
    """A hand that has ended. What belongs to players is in the order of their seats."""

    hand_id: str
    cards: tuple[Card, ...]
    """Those that were dealt, in the order dealt; UNKNOWN for one that stays face down."""
    facts: tuple[Fact, ...]
    hand: Hand
    """The hand that the facts have made."""
    stacks: tuple[int, ...]
    """Chips at the start; 0 each where none are played for."""
    chips: tuple[int, ...]
    """Chips won, below 0 where they were lost."""
    point_value: int = 0
    """Chips a point; 0 where none are played for."""
    started: str = ""
    """When it was dealt, in UTC: ``2026-11-22T21:04:05``; empty where nobody knows."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.hand.variant

    @property
    def whole(self) -> bool:
        """True where every card that was dealt is known."""
        return UNKNOWN not in self.cards

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards that were dealt, then those that were not, of which the order is not known."""
        decks, jokers = self.variant.decks, self.variant.jokers
        left = Counter(full_deck(decks=decks, jokers=jokers)) - Counter(self.cards)
        return (*self.cards, *left.elements())


def cards_shown(
    variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact], *, to: Collection[int]
) -> tuple[Card, ...]:
    """The cards that were dealt in a finished hand, as far as the seats ``to`` may know them together.

    All that was placed is known, discards where the game plays them open; what a seat discarded or never placed is
    known to itself alone.
    """
    hand = _told(variant, tuple(map(Card, range(len(deck)))), facts)
    known: set[int] = set()
    for number, seat in enumerate(hand.seats):
        known.update(place for row in seat.rows for place in row)
        if number in to:
            known.update((*seat.held, *seat.discards))
        elif variant.open_discards:
            known.update(seat.discards)
    return tuple(card if place in known else UNKNOWN for place, card in enumerate(deck[: hand.dealt]))


def _told(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact]) -> Hand:
    """The hand that is dealt the places of the deck in place of its cards: a fold never looks at them."""
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        hand = evolve(hand, fact)
    return hand


def history_of(
    hand: Hand,
    facts: Sequence[Fact],
    *,
    hand_id: str,
    to: Collection[int],
    stacks: Sequence[int],
    chips: Sequence[int],
    point_value: int = 0,
    started: str = "",
) -> HandHistory:
    """A hand that has ended, as the seats ``to`` may know it."""
    cards = cards_shown(hand.variant, hand.deck, facts, to=to)
    return HandHistory(
        hand_id=hand_id,
        cards=cards,
        facts=tuple(facts),
        hand=_told(hand.variant, cards, facts),
        stacks=tuple(stacks),
        chips=tuple(chips),
        point_value=point_value,
        started=started,
    )


class ActionError(ValueError):
    """Actions that no hand of this game can have; the text names the line."""


def actions_of(variant: Variant, cards: tuple[Card, ...], facts: Sequence[Fact]) -> list[str]:
    """The lines of a hand; ``cards`` are those that were dealt, in the order dealt.

    >>> from bot.pure.ofc.cards import full_deck
    >>> from bot.pure.ofc.presets import CLASSIC
    >>> facts = start(CLASSIC, full_deck(), players=("ann", "bob"), fantasyland=(0, 0), button=0)
    >>> actions_of(CLASSIC, full_deck(), facts)
    ['d dh p1 2c2d2h2s3c', 'd dh p2 3d3h3s4c4d']
    """
    hand, lines = Hand(variant=variant, deck=cards), list[str]()
    for fact in facts:
        before, hand = hand, evolve(hand, fact)
        lines += _act(hand, fact)
        lines += _deals(before, hand)
    return lines


def number_of(hand: Hand, seat: int) -> int:
    """The number by which actions call a seat."""
    return hand.clockwise.index(seat) + 1


def _act(hand: Hand, fact: Fact) -> list[str]:
    """The actions of a player, as lines; empty for facts that follow by themselves."""
    match fact:
        case CardsPlaced():
            declared = f" {DECLARED}" if fact.natural else ""
            return [f"p{number_of(hand, fact.seat)} pl {fact.rows}{declared}{_BY[fact.by]}"]
        case FantasylandSet():
            return [f"p{number_of(hand, fact.seat)} pl {fact.rows}{_BY[fact.by]}"]
        case SeatSurrendered():
            return [f"p{number_of(hand, fact.seat)} f surrender"]
        case SeatForfeited():
            return [f"p{number_of(hand, fact.seat)} f"]
        case _:
            return []


def _deals(before: Hand, hand: Hand) -> Iterator[str]:
    """The cards that seats were dealt between two states."""
    dealt = before.dealt
    for number, seat in enumerate(hand.clockwise if hand.dealt > dealt else (), 1):
        held = len(before.seats[seat].held) if before.seats else 0
        count = len(hand.seats[seat].held) - held
        if count > 0:
            yield f"d dh p{number} {names_of(hand.deck[dealt : dealt + count])}"
            dealt += count


def names_of(cards: Sequence[Card]) -> str:
    """Cards in notation, ``??`` for one that stays face down.

    >>> from bot.pure.ofc.cards import parse_cards
    >>> names_of([*parse_cards("AhKd"), UNKNOWN])
    'AhKd??'
    """
    return "".join(FACE_DOWN if card == UNKNOWN else card_name(card) for card in cards)


def dealt_in(lines: Sequence[str]) -> tuple[Card, ...]:
    """The cards of all deals, in order; raises ActionError.

    >>> names_of(dealt_in(["d dh p1 AcKd9h", "p1 pl FMD", "d dh p2 ??2c"]))
    'AcKd9h??2c'
    """
    return tuple(card for line in lines if (deal := _DEAL.fullmatch(line)) for card in _cards(line, deal[2]))


def _cards(line: str, run: str) -> Iterator[Card]:
    for name in (run[at : at + 2] for at in range(0, len(run), 2)):
        try:
            yield UNKNOWN if name == FACE_DOWN else parse_card(name)
        except CardError as error:
            raise ActionError(f"in {line!r} {error}") from error


def facts_of(
    variant: Variant, lines: Sequence[str], *, players: Sequence[str], fantasyland: Sequence[int], button: int
) -> tuple[Hand, tuple[Fact, ...]]:
    """The hand that the lines tell, ended, and its facts; raises ActionError.

    ``players`` and ``fantasyland`` are in the order of seats.
    """
    deck = dealt_in(lines)
    facts = start(variant, deck, players=players, fantasyland=fantasyland, button=button)
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        hand = evolve(hand, fact)
    for line in lines:
        try:
            more = _done(hand, line)
        except (Refused, LookupError, ValueError):
            raise ActionError(f"{line!r} cannot be done there, or is no action") from None
        for fact in more:
            hand = evolve(hand, fact)
        facts += more
    if hand.status is not HandStatus.ENDED:
        raise ActionError("the actions break off before the hand is over")
    if actions_of(variant, deck, facts) != list(lines):
        raise ActionError("the cards are not dealt in the order of this game")
    return hand, tuple(facts)


def _done(hand: Hand, line: str) -> list[Fact]:
    """The facts that a line has caused; none for a deal, which follows by itself."""
    if _DEAL.fullmatch(line):
        return []
    act = _ACT.fullmatch(line)
    if act is None:
        raise ValueError(line)
    number, rows, declared, by, gave_up, surrendered = act.groups()
    seat = hand.clockwise[int(number) - 1]
    if not gave_up:
        who = next(by_whom for by_whom, word in _BY.items() if word == (by or ""))
        return decide(hand, PlaceCards(seat=seat, rows=rows, by=who, declare=bool(declared)))
    return decide(hand, Surrender(seat=seat)) if surrendered else with_consequences(hand, SeatForfeited(seat=seat))
