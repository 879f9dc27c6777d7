"""Games for the tests: variants still to come, boards in notation, and whole hands played at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from bot.ofc.cards import Card, cards_text, full_deck, parse_cards
from bot.ofc.events import By, Event
from bot.ofc.hand import Action, Forfeit, Hand, Lay, Status, Void, decide, evolve, replay, start
from bot.ofc.placement import automatic_placement
from bot.ofc.ranks import Strength, row_strength
from bot.ofc.rows import BOARD_CARDS, DISCARD, EMPTY, ROWS, RowCards
from bot.ofc.scoring import Board, HandScore, score_hand
from bot.ofc.variants import CLASSIC, PINEAPPLE, TRIPS, Fantasyland, Street, TurnOrder, Variant

TURBO = replace(CLASSIC, key="turbo", streets=(Street(5, 5), Street(4, 4), Street(4, 4)))
PROGRESSIVE = replace(
    PINEAPPLE, key="progressive", fantasyland=Fantasyland(entry={12: 14, 13: 15, 14: 16, TRIPS: 17}, stay_cards=14)
)
ULTIMATE = replace(
    PINEAPPLE, key="ultimate", fantasyland=Fantasyland(entry={12: 14, 13: 15, 14: 16, TRIPS: 17}, stay_cards=None)
)
FIRST_TOGETHER = replace(PINEAPPLE, key="first_together", order=TurnOrder.FIRST_TOGETHER)
ALL_TOGETHER = replace(PINEAPPLE, key="all_together", order=TurnOrder.ALL_TOGETHER)
CLASSIC_TOGETHER = replace(CLASSIC, key="classic_together", order=TurnOrder.ALL_TOGETHER)
OPEN_DISCARDS = replace(PINEAPPLE, key="open_discards", open_discards=True)
OPEN_TOGETHER = replace(ALL_TOGETHER, key="open_together", open_discards=True)
DOUBLE_DECK = replace(PINEAPPLE, key="double_deck", decks=2, max_seats=6)
NO_FANTASYLAND = replace(PINEAPPLE, key="no_fantasyland", fantasyland=None)
STRICT = replace(CLASSIC, key="strict", strict_rows=True, fantasyland=None)
VARIANTS = (
    *(PINEAPPLE, CLASSIC, TURBO, PROGRESSIVE, ULTIMATE, FIRST_TOGETHER, ALL_TOGETHER, CLASSIC_TOGETHER),
    *(OPEN_DISCARDS, OPEN_TOGETHER, DOUBLE_DECK, NO_FANTASYLAND, STRICT),
)
"""What is offered, and what the engine must be ready for."""


def row(text: str) -> Strength:
    """The strength of a full row."""
    return row_strength(parse_cards(text))


def rows(text: str) -> RowCards:
    """The rows of a board, full or not: ``QsQd2c/5c5d/`` has an empty back."""
    front, middle, back = (parse_cards(part) for part in text.split("/"))
    return front, middle, back


def board(text: str) -> Board:
    """A complete board, ``@14`` in Fantasyland."""
    written, _, cards = text.partition("@")
    return Board(rows=rows(written), fantasyland=int(cards or 0))


def score(variant: Variant, *boards: str) -> HandScore:
    """The score of boards in notation."""
    return score_hand(variant, [board(text) for text in boards])


def text_of(cards: Sequence[Card | None]) -> str:
    """Cards in notation, those face down as ``--``."""
    return "".join("--" if card is None else cards_text([card]) for card in cards)


class Marked(int):
    """A card that remembers its place in the deck, so that it is known wherever it turns up."""

    place: int


def marked(deck: Sequence[Card]) -> tuple[Card, ...]:
    """The deck in cards that remember their places."""
    cards = [Marked(card) for card in deck]
    for place, card in enumerate(cards):
        card.place = place
    return tuple(Card(card) for card in cards)


@dataclass(frozen=True, slots=True)
class Played:
    """A hand and all the events that made it."""

    hand: Hand
    log: tuple[Event, ...]

    def then(self, *actions: Action) -> Played:
        """The hand after these actions; raises Refused."""
        played = self
        for action in actions:
            events = decide(played.hand, action)
            hand = played.hand
            for event in events:
                hand = evolve(hand, event)
            played = Played(hand, played.log + tuple(events))
        return played

    def lay(self, seat: int, letters: str) -> Played:
        """The hand after ``seat`` laid its cards."""
        return self.then(Lay(seat=seat, rows=letters))


def opened(
    variant: Variant,
    *,
    seats: int = 2,
    fantasyland: Sequence[int] = (),
    button: int = 0,
    deck: tuple[Card, ...] | None = None,
) -> Played:
    """A hand just dealt to players ``p0``, ``p1`` ...; the deck lies in canonical order unless it is given."""
    deck = full_deck(decks=variant.decks, jokers=variant.jokers) if deck is None else deck
    players = [f"p{number}" for number in range(seats)]
    log = start(variant, deck, players=players, fantasyland=[*fantasyland] or [0] * seats, button=button)
    return Played(replay(variant, deck, log), tuple(log))


def on_the_clock(played: Played) -> Played:
    """The hand played to its end by the clock alone."""
    while played.hand.waiting:
        number = played.hand.waiting[0]
        seat = played.hand.seats[number]
        on_board, lay = (EMPTY, BOARD_CARDS) if seat.fantasyland else (seat.rows, played.hand.rule.lay)
        letters = automatic_placement(on_board, seat.held, lay=lay)
        played = played.then(Lay(seat=number, rows=letters, by=By.CLOCK))
    return played


def any_opening(variant: Variant, chance: Random) -> Played:
    """A hand with any number of seats, any of them in Fantasyland, any button and any deck (of marked cards)."""
    seats = chance.randint(variant.min_seats, variant.max_seats)
    rule = variant.fantasyland
    sizes = sorted({*rule.entry.values(), rule.stay_cards or 0} - {0}) if rule else []
    fantasyland = [chance.choice(sizes) if sizes and chance.random() < 0.35 else 0 for _ in range(seats)]
    deck = list(full_deck(decks=variant.decks, jokers=variant.jokers))
    chance.shuffle(deck)
    button = chance.randrange(seats)
    return opened(variant, seats=seats, fantasyland=fantasyland, button=button, deck=marked(deck))


def any_placement(board_rows: RowCards, cards: Sequence[Card], *, lay: int, chance: Random) -> str:
    """Any placement that the rules allow."""
    free = [there.value for there, held in zip(ROWS, board_rows, strict=True) for _ in range(there.size - len(held))]
    letters = chance.sample(free, lay) + [DISCARD] * (len(cards) - lay)
    chance.shuffle(letters)
    return "".join(letters)


def any_lay(hand: Hand, seat: int, chance: Random) -> Lay:
    """Any placement of ``seat`` that the rules allow, or what the clock lays."""
    held = hand.seats[seat].held
    on_board, lay = (EMPTY, BOARD_CARDS) if hand.seats[seat].fantasyland else (hand.seats[seat].rows, hand.rule.lay)
    if chance.random() < 0.2:
        return Lay(seat=seat, rows=automatic_placement(on_board, held, lay=lay), by=By.CLOCK)
    by = chance.choice([By.PLAYER, By.COMPUTER])
    return Lay(seat=seat, rows=any_placement(on_board, held, lay=lay, chance=chance), by=by)


def any_action(hand: Hand, chance: Random) -> Action:
    """Any action that is allowed now: mostly a placement, now and then a forfeit, seldom the end of it all."""
    roll = chance.random()
    playing = [number for number, seat in enumerate(hand.seats) if not seat.forfeited]
    if roll < 0.01:
        return Void(reason="bad_log")
    if roll < 0.04:
        return Forfeit(seat=chance.choice(playing))
    early = [number for number in playing if hand.seats[number].fantasyland]
    return any_lay(hand, chance.choice(early if early and roll < 0.2 else hand.waiting), chance)


def any_hand(variant: Variant, chance: Random) -> Iterator[Played]:
    """A whole hand at random, state after state."""
    played = any_opening(variant, chance)
    yield played
    while played.hand.status is Status.PLAYING:
        played = played.then(any_action(played.hand, chance))
        yield played
