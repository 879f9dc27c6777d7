"""Positions as text: ``Kd/7c7d/AsKs +QhQs2c -3h vs Ah/9c9d/JsTs``.

The words, separated by blanks, are:

* the reader's board as front/middle/back, where a row may be empty, or ``@14`` in Fantasyland with 14 cards;
* ``+`` and the cards to place, in the order dealt;
* ``-`` and the reader's own discards, which may be left out if they aren't known;
* ``vs`` and the opponents clockwise. Each is a board, with ``-`` and their discards if those are face up. ``@14`` is an
  opponent in Fantasyland, whose board isn't visible.

The street and the button follow from the number of cards. A position has no names, and nothing that its reader doesn't
see.

Source: docs/notation.md, "Positions".
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import Any

from typing_extensions import override

from bot.pure.ofc.cards import EMPTY, ROWS, Card, CardError, RowCards, card_name, cards_text, full_deck, parse_cards
from bot.pure.ofc.hand import HandStatus
from bot.pure.ofc.notation import board_text
from bot.pure.ofc.variants import Variant
from bot.pure.ofc.view import HandView, SeatView
from bot.pure.solver.visible_cards import known

EXAMPLE = "Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs"
OPPONENTS = "vs"


class Slip(Enum):
    """Mistakes in a position. Docstrings name the values that a sentence about it uses."""

    NO_BOARD = "no_board"
    NO_OPPONENT = "no_opponent"
    MISPLACED = "misplaced"
    """The ``word`` that has no mark, or one that was used before."""
    FANTASYLAND = "fantasyland"
    """The ``word`` that begins with ``@`` but doesn't go on with a number."""
    ROWS = "rows"
    """The ``word``, which isn't three rows."""
    CARD = "card"
    """The ``card``, which isn't one."""
    NOT_IN_DECK = "not_in_deck"
    """The ``card``."""
    TWICE = "twice"
    """The ``card``, and its number in the deck (``count``)."""
    PLAYERS = "players"
    """The maximum number of players (``count``)."""
    NO_FANTASYLAND = "no_fantasyland"
    OTHER_FANTASYLAND = "other_fantasyland"
    """The ``number`` of cards, and those that are possible (``numbers``)."""
    ROW_FULL = "row_full"
    """The ``row``, its cards as ``typed``, and the maximum (``most``)."""
    BOARD = "board"
    """The ``count`` of cards on the reader's board."""
    HELD = "held"
    """The ``count`` of cards to place that are needed, and that were given (``given``)."""
    DISCARDS = "discards"
    """The ``count`` of discards before this street, and that were given (``given``)."""
    OPPONENT_BOARD = "opponent_board"
    """The ``count`` of cards on an opponent's board, and the ``street``."""
    OPPONENT_DISCARDS = "opponent_discards"
    """The ``count`` of discards that an opponent has, and that were given (``given``)."""
    HIDDEN_DISCARDS = "hidden_discards"
    ORDER = "order"


class PositionError(ValueError):
    """The text isn't a position of the game. The message says what to change."""

    def __init__(self, slip: Slip, message: str, **details: Any) -> None:
        super().__init__(message)
        self.slip = slip
        self.details = details


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """An opponent as the reader sees them."""

    rows: RowCards = EMPTY
    discards: tuple[Card, ...] = ()
    """Face-up discards."""
    fantasyland: int = 0
    """Number of cards in Fantasyland, where the board isn't visible; 0 outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Cards to place on a board, and everything else that the player sees."""

    rows: RowCards
    held: tuple[Card, ...]
    """The cards to place, in the order dealt."""
    discards: tuple[Card, ...] = ()
    """The reader's discards; empty if they aren't known."""
    fantasyland: int = 0
    """Number of cards dealt to the reader in Fantasyland; 0 outside."""
    opponents: tuple[Opponent, ...] = ()
    """Clockwise, starting on the reader's left."""

    @override
    def __str__(self) -> str:
        words = [_board_text(self.rows, self.fantasyland), f"+{cards_text(self.held)}"]
        if self.discards:
            words.append(f"-{cards_text(self.discards)}")
        if self.opponents:
            words.append(OPPONENTS)
        for opponent in self.opponents:
            board = _board_text(opponent.rows, opponent.fantasyland)
            words.append(f"{board}-{cards_text(opponent.discards)}" if opponent.discards else board)
        return " ".join(words)

    def street(self, variant: Variant) -> int:
        """Return the street of the cards to place; in Fantasyland, that of the opponent who is furthest."""
        if self.fantasyland:
            seen = [_streets_placed(opponent.rows, variant) or 0 for opponent in self.opponents]
            return min(max(seen, default=0) + 1, len(variant.streets))
        return (_streets_placed(self.rows, variant) or 0) + 1

    def is_last(self, variant: Variant) -> bool:
        """True if the board is full once the cards are placed."""
        return bool(self.fantasyland) or self.street(variant) == len(variant.streets)


def parse_position(text: str, variant: Variant) -> Position:
    """Return the position of the game written in ``text``; raises PositionError.

    >>> from bot.pure.ofc.presets import PINEAPPLE
    >>> str(parse_position('kd/7c7d/AsKs +QhQs2c vs ah/9c9d/JsTs @14', PINEAPPLE))
    'Kd/7c7d/AsKs +QhQs2c vs Ah/9c9d/JsTs @14'
    """
    position = read_position(text)
    check_position(position, variant)
    return position


def read_position(text: str) -> Position:
    """Return the position written in ``text``, which may lack cards; raises PositionError if it can't be read."""
    words = text.split()
    after = words.index(OPPONENTS) if OPPONENTS in words else len(words)
    if after == 0:
        raise PositionError(Slip.NO_BOARD, f"{text!r} lacks a board. Write a position such as {EXAMPLE}")
    if after == len(words) - 1:
        raise PositionError(Slip.NO_OPPONENT, f"no board follows {OPPONENTS}. Write a position such as {EXAMPLE}")
    rows, fantasyland = _board(words[0])
    marked: dict[str, tuple[Card, ...]] = {}
    for word in words[1:after]:
        if word[0] not in "+-" or word[0] in marked:
            told = f"{word!r} is in the wrong place. Write a position such as {EXAMPLE}"
            raise PositionError(Slip.MISPLACED, told, word=word)
        marked[word[0]] = _cards(word[1:])
    return Position(
        rows=rows,
        held=marked.get("+", ()),
        discards=marked.get("-", ()),
        fantasyland=fantasyland,
        opponents=tuple(map(_opponent, words[after + 1 :])),
    )


def _opponent(word: str) -> Opponent:
    board, _, discards = word.partition("-")
    rows, fantasyland = _board(board)
    return Opponent(rows=rows, discards=_cards(discards), fantasyland=fantasyland)


def _board(word: str) -> tuple[RowCards, int]:
    """Return the rows, and the number of cards in Fantasyland."""
    if word.startswith("@"):
        if not word[1:].isdecimal():
            told = f"{word!r} is no Fantasyland. Write @ and the number of cards, such as @14"
            raise PositionError(Slip.FANTASYLAND, told, word=word)
        return EMPTY, int(word[1:])
    parts = word.split("/")
    if len(parts) != len(ROWS):
        told = f"{word!r} has {len(parts)} rows. Write front/middle/back, such as Kd/7c7d/AsKs or //"
        raise PositionError(Slip.ROWS, told, word=word)
    front, middle, back = map(_cards, parts)
    return (front, middle, back), 0


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except CardError as error:
        raise PositionError(Slip.CARD, str(error), card=error.text) from error


def _board_text(rows: RowCards, fantasyland: int) -> str:
    return f"@{fantasyland}" if fantasyland else board_text(rows)


def check_position(position: Position, variant: Variant) -> None:
    """Raise PositionError unless the position can arise in the game."""
    _check_deck(position, variant)
    if len(position.opponents) >= variant.max_seats:
        told = f"{variant.key} has at most {variant.max_seats} players"
        raise PositionError(Slip.PLAYERS, told, count=variant.max_seats)
    allowed = variant.fantasyland.numbers if variant.fantasyland else ()
    for number in (position.fantasyland, *(opponent.fantasyland for opponent in position.opponents)):
        if number and number not in allowed:
            choices = " or ".join(f"@{cards}" for cards in allowed) or "no Fantasyland"
            slip = Slip.OTHER_FANTASYLAND if allowed else Slip.NO_FANTASYLAND
            told = f"@{number} is not a Fantasyland of {variant.key}. Write {choices}"
            raise PositionError(slip, told, **({"number": number, "numbers": allowed} if allowed else {}))
    for rows in (position.rows, *(opponent.rows for opponent in position.opponents)):
        for row, cards in zip(ROWS, rows, strict=True):
            if len(cards) > row.size:
                told = f"the {row.key} {cards_text(cards)} has {len(cards)} cards, but takes {row.size}"
                raise PositionError(Slip.ROW_FULL, told, row=row.key, typed=cards_text(cards), most=row.size)
    if position.fantasyland:
        _check_held(position, position.fantasyland, 0)
    else:
        placed = _streets_placed(position.rows, variant)
        if placed is None or placed == len(variant.streets):
            told = f"no street begins with a board of {_size(position.rows)} cards in {variant.key}"
            raise PositionError(Slip.BOARD, told, count=_size(position.rows))
        discarded = sum(street.discard for street in variant.streets[:placed])
        _check_held(position, variant.streets[placed].deal, discarded)
    _check_opponents(position, variant)


def _check_deck(position: Position, variant: Variant) -> None:
    deck = Counter(full_deck(decks=variant.decks, jokers=variant.jokers))
    for card, count in Counter(_cards_of(position)).items():
        if not deck[card]:
            told = f"{card_name(card)} is not in the deck of {variant.key}"
            raise PositionError(Slip.NOT_IN_DECK, told, card=card_name(card))
        if count > deck[card]:
            told = f"{card_name(card)} is there {count} times, but the deck has {deck[card]}"
            raise PositionError(Slip.TWICE, told, card=card_name(card), count=deck[card])


def _cards_of(position: Position) -> list[Card]:
    found = [*position.held, *position.discards, *(card for row in position.rows for card in row)]
    for opponent in position.opponents:
        found += [*opponent.discards, *(card for row in opponent.rows for card in row)]
    return found


def _check_held(position: Position, held: int, discards: int) -> None:
    if len(position.held) != held:
        told = f"there are {held} cards to place, but {len(position.held)} after the +"
        raise PositionError(Slip.HELD, told, count=held, given=len(position.held))
    if len(position.discards) not in (0, discards):
        told = f"there are {discards} discards before this street, but {len(position.discards)} after the -"
        raise PositionError(Slip.DISCARDS, told, count=discards, given=len(position.discards))


def _check_opponents(position: Position, variant: Variant) -> None:
    """Check that everyone has placed as many streets as they would have in turn."""
    street = position.street(variant)
    seen: list[int] = []
    for opponent in position.opponents:
        if opponent.fantasyland:
            continue
        placed = _streets_placed(opponent.rows, variant)
        if placed not in (street - 1, street) or (placed == street and variant.together(street)):
            told = f"an opponent's board of {_size(opponent.rows)} cards doesn't belong to street {street}"
            raise PositionError(Slip.OPPONENT_BOARD, told, count=_size(opponent.rows), street=street)
        discarded = sum(rule.discard for rule in variant.streets[:placed])
        if len(opponent.discards) not in (0, discarded):
            told = f"an opponent has {discarded} discards on street {street}, not {len(opponent.discards)}"
            raise PositionError(Slip.OPPONENT_DISCARDS, told, count=discarded, given=len(opponent.discards))
        if opponent.discards and not variant.open_discards:
            told = f"discards are face down in {variant.key}, so leave out those of opponents"
            raise PositionError(Slip.HIDDEN_DISCARDS, told)
        seen.append(placed)
    if seen != sorted(seen):
        told = "opponents who have placed this street come last, because they're on the reader's right"
        raise PositionError(Slip.ORDER, told)


def _streets_placed(rows: RowCards, variant: Variant) -> int | None:
    """Return the number of streets on a board; None if it isn't a whole number."""
    ends = [0, *accumulate(street.to_place for street in variant.streets)]
    return ends.index(_size(rows)) if _size(rows) in ends else None


def _size(rows: RowCards) -> int:
    return sum(map(len, rows))


def view_of(position: Position, variant: Variant) -> HandView:
    """Return the position as its reader's view of a hand. The reader is seat 0, and players have numbers for names."""
    street = position.street(variant)
    own = SeatView(
        player="0",
        fantasyland=position.fantasyland,
        rows=position.rows,
        held=position.held,
        discards=position.discards,
        placed=False,
        waiting=True,
        forfeited=False,
        surrendered=False,
        natural=None,
    )
    seats = (own, *(_seat(number, one, variant, street) for number, one in enumerate(position.opponents, 1)))
    to_act = [number for number, seat in enumerate(seats) if not seat.fantasyland and not seat.placed]
    return HandView(
        variant=variant,
        seats=seats,
        button=max(to_act, default=0),
        street=street,
        status=HandStatus.PLAYING,
        you=0,
        score=None,
    )


def _seat(number: int, opponent: Opponent, variant: Variant, street: int) -> SeatView:
    placed = not opponent.fantasyland and _streets_placed(opponent.rows, variant) == street
    dealt = 0 if placed or variant.dealt_in_turn(street) else variant.streets[street - 1].deal
    return SeatView(
        player=str(number),
        fantasyland=opponent.fantasyland,
        rows=opponent.rows,
        held=(None,) * (opponent.fantasyland or dealt),
        discards=opponent.discards,
        placed=placed,
        waiting=not placed,
        forfeited=False,
        surrendered=False,
        natural=None,
    )


def position_in(view: HandView) -> Position:
    """Return the viewer's position; raises ValueError if they have no seat."""
    if view.mine is None or view.you is None:
        raise ValueError("only a player has a position")
    clockwise = (*view.seats[view.you + 1 :], *view.seats[: view.you])
    rows = EMPTY if view.mine.fantasyland else _known_rows(view.mine)
    return Position(
        rows=rows,
        held=known(view.mine.held),
        discards=known(view.mine.discards),
        fantasyland=view.mine.fantasyland,
        opponents=tuple(
            Opponent(
                rows=EMPTY if seat.fantasyland else _known_rows(seat),
                discards=known(seat.discards),
                fantasyland=seat.fantasyland,
            )
            for seat in clockwise
        ),
    )


def _known_rows(seat: SeatView) -> RowCards:
    front, middle, back = map(known, seat.rows)
    return front, middle, back
