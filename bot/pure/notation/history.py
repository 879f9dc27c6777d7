"""History of a finished hand: its game, cards, actions, results and chips.

Each fact becomes one line of actions. A deal is ``d dh p1 AcKd9h`` as in PHH, with ``??`` for a face-down card. The
only new verb is ``pl``, as in ``p1 pl FMD``. Player ``p1`` is to the left of the button, and the last player has the
button.

Source: docs/notation.md, "Cards", "Actions".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from bot.pure.ofc.cards import Card, CardError, card_name, full_deck, parse_card
from bot.pure.ofc.hand import Hand, HandStatus, PlaceCards, Surrender, decide, evolve, start, with_consequences
from bot.pure.ofc.log import CardsPlaced, Fact, FantasylandSet, PlacedBy, SeatForfeited, SeatSurrendered
from bot.pure.ofc.notation import DECLARED
from bot.pure.ofc.refusals import Refused
from bot.pure.ofc.variants import Variant

UNKNOWN = Card(-1)
"""A face-down card, which was discarded or never placed."""
FACE_DOWN = "??"
_BY = {PlacedBy.PLAYER: "", PlacedBy.COMPUTER: " computer", PlacedBy.CLOCK: " clock", PlacedBy.FALLBACK: " computer"}
_DEAL = re.compile(r"d dh p([1-9][0-9]?) ((?:[0-9A-Za-z?]{2})+)")
_ACT = re.compile(r"p([1-9][0-9]?) (?:pl ([FMBD]{1,17})( !)?( clock| computer)?|(f)( surrender)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHistory:
    """A finished hand. Values per player are in seat order."""

    hand_id: str
    cards: tuple[Card, ...]
    """The dealt cards in order; UNKNOWN for a face-down card."""
    facts: tuple[Fact, ...]
    hand: Hand
    """The final state after all facts."""
    stacks: tuple[int, ...]
    """Chips at the start; all 0 if the hand isn't played for chips."""
    chips: tuple[int, ...]
    """Chips won; negative if lost."""
    point_value: int = 0
    """Chips per point; 0 if the hand isn't played for chips."""
    started: str = ""
    """Time of the deal in UTC, such as ``2026-11-22T21:04:05``; empty if unknown."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.hand.variant

    @property
    def whole(self) -> bool:
        """True if every dealt card is known."""
        return UNKNOWN not in self.cards

    @property
    def deck(self) -> tuple[Card, ...]:
        """The dealt cards, followed by the undealt ones in no particular order."""
        decks, jokers = self.variant.decks, self.variant.jokers
        left = Counter(full_deck(decks=decks, jokers=jokers)) - Counter(self.cards)
        return (*self.cards, *left.elements())


def cards_shown(
    variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact], *, to: Collection[int]
) -> tuple[Card, ...]:
    """Return the dealt cards of a finished hand, with UNKNOWN for those that none of the seats in ``to`` may know.

    Placed cards are known, as are discards in games with open discards. Other discards and unplaced cards are known
    only to their own seat.
    """
    hand = _replay(variant, tuple(map(Card, range(len(deck)))), facts)
    known: set[int] = set()
    for number, seat in enumerate(hand.seats):
        known.update(place for row in seat.rows for place in row)
        if number in to:
            known.update((*seat.held, *seat.discards))
        elif variant.open_discards:
            known.update(seat.discards)
    return tuple(card if place in known else UNKNOWN for place, card in enumerate(deck[: hand.dealt]))


def _replay(variant: Variant, deck: tuple[Card, ...], facts: Sequence[Fact]) -> Hand:
    """Replay the facts with any deck, even with placeholders, since replaying never looks at the cards."""
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        hand = evolve(hand, fact)
    return hand


def build_history(
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
    """Return the history of a finished hand with the cards that the seats ``to`` may know."""
    cards = cards_shown(hand.variant, hand.deck, facts, to=to)
    return HandHistory(
        hand_id=hand_id,
        cards=cards,
        facts=tuple(facts),
        hand=_replay(hand.variant, cards, facts),
        stacks=tuple(stacks),
        chips=tuple(chips),
        point_value=point_value,
        started=started,
    )


class ActionError(ValueError):
    """The actions aren't valid in this game; the message names the line."""


def format_actions(variant: Variant, cards: tuple[Card, ...], facts: Sequence[Fact]) -> list[str]:
    """Return the action lines of a hand; ``cards`` are the dealt cards in order.

    >>> from bot.pure.ofc.cards import full_deck
    >>> from bot.pure.ofc.presets import CLASSIC
    >>> facts = start(CLASSIC, full_deck(), players=("ann", "bob"), fantasyland=(0, 0), button=0)
    >>> format_actions(CLASSIC, full_deck(), facts)
    ['d dh p1 2c2d2h2s3c', 'd dh p2 3d3h3s4c4d']
    """
    hand, lines = Hand(variant=variant, deck=cards), list[str]()
    for fact in facts:
        before, hand = hand, evolve(hand, fact)
        lines += _act(hand, fact)
        lines += _deals(before, hand)
    return lines


def number_of(hand: Hand, seat: int) -> int:
    """Return the player number of a seat in action lines, starting at 1."""
    return hand.clockwise.index(seat) + 1


def _act(hand: Hand, fact: Fact) -> list[str]:
    """Return the line of a player's action; empty for automatic facts."""
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
    """Yield the lines of the deals between two states."""
    dealt = before.dealt
    for number, seat in enumerate(hand.clockwise if hand.dealt > dealt else (), 1):
        held = len(before.seats[seat].held) if before.seats else 0
        count = len(hand.seats[seat].held) - held
        if count > 0:
            yield f"d dh p{number} {format_cards(hand.deck[dealt : dealt + count])}"
            dealt += count


def format_cards(cards: Sequence[Card]) -> str:
    """Return the cards in notation, with ``??`` for face-down cards.

    >>> from bot.pure.ofc.cards import parse_cards
    >>> format_cards([*parse_cards("AhKd"), UNKNOWN])
    'AhKd??'
    """
    return "".join(FACE_DOWN if card == UNKNOWN else card_name(card) for card in cards)


def dealt_in(lines: Sequence[str]) -> tuple[Card, ...]:
    """Return the cards of all deals in order; raises ActionError.

    >>> format_cards(dealt_in(["d dh p1 AcKd9h", "p1 pl FMD", "d dh p2 ??2c"]))
    'AcKd9h??2c'
    """
    return tuple(card for line in lines if (deal := _DEAL.fullmatch(line)) for card in _cards(line, deal[2]))


def _cards(line: str, run: str) -> Iterator[Card]:
    for name in (run[at : at + 2] for at in range(0, len(run), 2)):
        try:
            yield UNKNOWN if name == FACE_DOWN else parse_card(name)
        except CardError as error:
            raise ActionError(f"in {line!r} {error}") from error


def replay_actions(
    variant: Variant, lines: Sequence[str], *, players: Sequence[str], fantasyland: Sequence[int], button: int
) -> tuple[Hand, tuple[Fact, ...]]:
    """Replay action lines and return the finished hand and its facts; raises ActionError.

    ``players`` and ``fantasyland`` are in seat order.
    """
    deck = dealt_in(lines)
    facts = start(variant, deck, players=players, fantasyland=fantasyland, button=button)
    hand = Hand(variant=variant, deck=deck)
    for fact in facts:
        hand = evolve(hand, fact)
    for line in lines:
        try:
            more = _parse_line(hand, line)
        except (Refused, LookupError, ValueError):
            raise ActionError(f"{line!r} is not an action, or is not possible there") from None
        for fact in more:
            hand = evolve(hand, fact)
        facts += more
    if hand.status is not HandStatus.ENDED:
        raise ActionError("the actions end before the hand is over")
    if format_actions(variant, deck, facts) != list(lines):
        raise ActionError("the cards are not dealt in the order of this game")
    return hand, tuple(facts)


def _parse_line(hand: Hand, line: str) -> list[Fact]:
    """Return the facts caused by a line; none for a deal, because deals are automatic."""
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
