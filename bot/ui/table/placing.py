"""What every panel shares on which somebody places cards: the draft over their cards, and the controls that change it.

Tapping is drawing; only Confirm plays. The draft lives in the custom ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import discord
from discord import ButtonStyle

from bot.model.refusals import Stale
from bot.ofc.cards import BOARD_CARDS, DISCARD, EMPTY, ROWS, Card, Row, rank_of, suit_of
from bot.ofc.naturals import Natural, natural_of
from bot.ofc.outlook import Outlook, outlook
from bot.ofc.placement import OPEN, Preview, place, preview
from bot.ofc.view import HandView, SeatView, unseen
from bot.text.names import capital, card_text, natural_name, row_name
from bot.text.words import Words
from bot.ui.custom_ids import Draft, Press, text_of
from bot.ui.faces import Faces
from bot.ui.fragments import rules_of
from bot.ui.table.boards import (
    Size,
    button_label,
    has_low,
    large,
    low_asked,
    own_board,
    preview_lines,
    row_text,
    seat_rows,
    sorted_row,
    warning,
)
from bot.ui.table.sketch import Sketch, sound
from bot.ui.widgets import Part, button, rows_of, select

MOST_BUTTONS = 6
"""More cards than this are arranged in menus."""
BY_RANK = "rank"
BY_SUIT = "suit"
ANY_ARRANGEMENT = "FFF" + "M" * 5 + "B" * 5
"""Where the cards of a natural go when its player has not arranged them: they count for nothing else."""
_LETTERS = tuple(row.value for row in ROWS)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
Moment: TypeAlias = tuple[str, int, int]  # what was shown, the number of its hand, and the street
DRAWINGS = len(_DIGITS)
"""So many drawings of a panel after one another differ."""


@dataclass(frozen=True, kw_only=True)
class Placing:
    """Cards that somebody places, their draft, and how many cards at once are sorted.

    Each control asks for the same things, so they are worked out once.
    """

    draft: Draft = ()
    chosen: int | None = None
    sort: str = BY_RANK
    drawing: int = 0
    """How often it was drawn anew, counted as far as a digit goes: so the menus of each drawing are new ones."""
    brief: bool = False
    """True where only what is needed to place the cards is told, and the rest behind *Read all*."""

    @property
    def hand(self) -> HandView:
        """The running hand."""
        raise NotImplementedError

    @property
    def press(self) -> Press:
        """What every control carries."""
        raise NotImplementedError

    @property
    def shown_as(self) -> str:
        """The name under which it is known that this hand was shown (``Wishes.shown``)."""
        raise NotImplementedError

    @property
    def moment(self) -> Moment:
        """The hand and the street."""
        return self.shown_as, self.press.hand, 0 if self.seat.fantasyland else self.hand.street

    @property
    def may_place(self) -> bool:
        """True where a whole draft may be placed now."""
        return True

    @property
    def sure_to_stand(self) -> bool:
        """True for a whole draft that may be placed now and doesn't foul: nothing is left to ask."""
        return self.may_place and self.sketch.complete and not self.fouls

    @property
    def asks_first(self) -> bool:
        """True for a whole draft that may be placed now and makes a foul which another one might not."""
        return self.may_place and self.fouls_needlessly

    @property
    def fouls_needlessly(self) -> bool:
        """True for a whole draft that makes a foul which another one might not."""
        return self.sketch.complete and self.fouls and not replace(self, draft=()).fouls

    def control(self, verb: str, argument: str = "") -> str:
        """The press of one control, as its custom id has it."""
        return text_of(verb, self._place, argument)

    @cached_property
    def _place(self) -> str:
        return self.press.place

    @property
    def drawn_as(self) -> str:
        """The order of the cards and which drawing it is, as the controls of a whole board carry them."""
        return _drawn_as(self.sort, self.drawing)

    @cached_property
    def by_select(self) -> bool:
        """True when rows are chosen in menus: there are too many cards for buttons."""
        return bool(self.seat.fantasyland) or len(self.cards) > MOST_BUTTONS

    @cached_property
    def natural(self) -> Natural | None:
        """The natural that these cards can be declared as."""
        if not self.hand.variant.naturals or len(self.cards) != BOARD_CARDS:
            return None
        return natural_of(self.cards, self.hand.variant.naturals)

    @property
    def seat(self) -> SeatView:
        """The player's own seat."""
        mine = self.hand.mine
        assert mine is not None
        return mine

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards to be placed, in the order dealt."""
        return tuple(card for card in self.seat.held if card is not None)

    @cached_property
    def sketch(self) -> Sketch:
        """The draft over these cards; a draft that cannot be is dropped."""
        rows = EMPTY if self.seat.fantasyland else self._rows()
        to_place = self.hand.to_place
        held = len(self.cards)
        draft = self.draft if sound(self.draft, count=held, rows=rows, to_place=to_place) else ()
        return Sketch(count=held, to_place=to_place, rows=rows, draft=draft, chosen=self.chosen)

    def _rows(self) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
        front, middle, back = (tuple(card for card in row if card is not None) for row in self.seat.rows)
        return front, middle, back

    @cached_property
    def preview(self) -> Preview:
        """What the board promises with the draft on it."""
        sketch = self.sketch
        rows, _ = place(sketch.rows, self.cards, sketch.letters)
        front, middle, back = (
            sorted_row(cards) if self.by_select or len(cards) == row.size else cards
            for row, cards in zip(ROWS, rows, strict=True)
        )
        return preview(self.hand.variant, (front, middle, back), fantasyland=self.seat.fantasyland)

    @cached_property
    def outlook(self) -> Outlook:
        """What can become of the board with the draft on it, by all that its player has seen."""
        letters, rows = self.sketch.letters, self.preview.rows
        pool = tuple(card for card, letter in zip(self.cards, letters, strict=True) if letter == OPEN)
        to_place = self.sketch.to_place - sum(letter in _LETTERS for letter in letters)
        if BOARD_CARDS - sum(map(len, rows)) > to_place:
            pool += unseen(self.hand)
        return outlook(self.hand.variant, rows, pool)

    @cached_property
    def board_outlook(self) -> Outlook:
        """What can become of the board as it has been placed."""
        rows = self.board.rows
        full = sum(map(len, rows)) == BOARD_CARDS
        return outlook(self.hand.variant, rows, () if full else unseen(self.hand))

    @property
    def fouls(self) -> bool:
        """True when the draft makes a board that nothing can save."""
        return self.outlook.lost

    @cached_property
    def board(self) -> Preview:
        """What the board promises as it has been placed."""
        front, middle, back = (
            tuple(card for card in row if card is not None) for row in seat_rows(self.seat, self.hand.variant)
        )
        return preview(self.hand.variant, (front, middle, back), fantasyland=self.seat.fantasyland)


# drawing

P = TypeVar("P", bound=Placing)
DRAWING = ("card", "row", "undo", "clear", "sort", "set_f", "set_m", "set_b")
"""The controls that change the draft and nothing else."""


def redrawn(placing: P, verb: str, argument: str, values: Sequence[str]) -> P:
    """The same after one of these controls was used; raises Stale for one that no panel has shown."""
    sketch, (sort, drawing) = placing.sketch, drawn_as(argument)
    again: dict[str, Any] = {"chosen": None, "sort": sort, "drawing": (drawing + 1) % DRAWINGS}
    match verb:
        case "card":
            draft, chosen = sketch.tap(_number(argument))
            return replace(placing, draft=draft, chosen=chosen)
        case "row" if argument in _LETTERS:
            return replace(placing, draft=sketch.put(argument), chosen=None)
        case "undo":
            return replace(placing, draft=sketch.undone(), chosen=None)
        case "clear":
            return replace(placing, draft=(), **again)
        case "sort":
            return replace(placing, draft=sketch.draft, **again)
        case "set_f" | "set_m" | "set_b":
            places = [_number(value) for value in values if value.isascii() and value.isdigit()]
            return replace(placing, draft=sketch.with_row(verb[-1].upper(), places), **again)
        case _:
            raise Stale


def filled_in(placing: P, letters: str, argument: str) -> P:
    """The same with a whole board drafted."""
    draft = tuple((number, letter) for number, letter in enumerate(letters) if letter != DISCARD)
    sort, drawing = drawn_as(argument)
    return replace(placing, draft=draft, chosen=None, sort=sort, drawing=(drawing + 1) % DRAWINGS)


def drawn_as(argument: str) -> tuple[str, int]:
    """The order of the cards, and which drawing it was, of a control: those of older messages say no drawing."""
    sort, _, drawing = argument.partition("_")
    return sort or BY_RANK, max(_DIGITS.find(drawing), 0) if drawing else 0


def _drawn_as(sort: str, drawing: int) -> str:
    return f"{sort}_{_DIGITS[drawing]}"


def _number(text: str) -> int:
    """A small number from a custom id; anything else points at no card."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else 99


# a street


def street_parts(placing: Placing, words: Words, faces: Faces, *, mine: bool) -> list[str | Part]:
    """One's own board with the draft on it, and buttons for each card and row; ``mine`` where it may be placed now."""
    board = own_board(placing.preview, placing.hand.variant, words, faces)
    parts: list[str | Part] = [
        *([words("aloud.cards", cards=faces.row(placing.cards))] if faces.wishes.text_only else []),
        *filter(None, [board]),
        *([] if placing.brief else earlier_discards(placing, words, faces)),
        *low_asked(placing.preview, placing.hand.variant, words, lost=placing.fouls),
    ]
    parts += [
        text
        for text in (warning(placing.preview, words, placing.outlook), _asked(placing, words, faces, mine=mine))
        if text
    ]
    parts += rows_of(_card_buttons(placing, words, faces))
    parts += rows_of([*_row_buttons(placing, words), _undo(placing, words)])
    confirm = _confirm(placing, words, ready=placing.sketch.complete, mine=mine)
    more = [button(placing.control("read_all"), words("aloud.read_all"))] if placing.brief else []
    parts += rows_of([confirm, rules_of(placing.hand.variant, words), *more])
    return parts


def earlier_discards(placing: Placing, words: Words, faces: Faces) -> list[str]:
    """What the player has discarded so far, and who sees it."""
    if not placing.seat.discards:
        return []
    return [words(_discards_key(placing), cards=faces.row(placing.seat.discards))]


def _discards_key(placing: Placing) -> str:
    """The sentence above discards: they are secret, open, or turned up with the board."""
    if not placing.hand.variant.open_discards:
        return "panel.discards"
    return "panel.discards_open_later" if placing.seat.fantasyland else "panel.discards_open"


def _asked(placing: Placing, words: Words, faces: Faces, *, mine: bool) -> str:
    """What to do now, and what becomes of the cards left over."""
    sketch = placing.sketch
    discard, shown = sketch.count - sketch.to_place, placing.hand.variant.open_discards
    rest = words("panel.discards_rest_open" if shown else "panel.discards_rest", count=discard) if discard else ""
    if sketch.complete and placing.fouls:
        return ""  # what is wrong stands above, and the button says what it does
    if sketch.complete:
        asked = words("panel.ready" if mine else "panel.ready_waiting")
        return words.side_by_side([asked, rest]) if rest and shown else asked
    card = sketch.next_card
    if card is None or placing.brief:
        return "" if card is None else words("aloud.next_card", card=faces.card(placing.cards[card]))
    return words.side_by_side(
        [text for text in (words("panel.where", card=faces.card(placing.cards[card])), rest) if text]
    )


def _card_buttons(placing: Placing, words: Words, faces: Faces) -> list[Part]:
    sketch = placing.sketch
    chosen = None if sketch.complete else sketch.next_card
    buttons, called = [], [card_text(card) for card in placing.cards]
    for number, (card, letter) in enumerate(zip(placing.cards, sketch.letters, strict=True)):
        style = ButtonStyle.primary if number == chosen else ButtonStyle.secondary
        emoji = faces.emoji(card)
        mark = "" if letter == OPEN else "✕" if letter == DISCARD else "✓"
        # In words beside its picture: a screen reader says an emoji's name, which is made for machines.
        name = card_text(card)
        if faces.wishes.text_only and called.count(name) > 1:
            name = words("aloud.twin", card=name, number=called[: number + 1].count(name))
        label = f"{name} {mark}".strip()
        if faces.wishes.text_only and number == chosen:
            label = words("aloud.chosen", card=label)  # its colour says so to others
        argument = str(number)
        buttons.append(button(placing.control("card", argument), label, style=style, emoji=emoji))
    return buttons


def _row_buttons(placing: Placing, words: Words) -> list[Part]:
    sketch, buttons = placing.sketch, []
    for row in ROWS:
        room = sketch.room(row.value)
        label = button_label(row, row.size - room, words)
        blocked = sketch.complete or room <= 0
        buttons.append(button(placing.control("row", row.value), label, style=ButtonStyle.primary, disabled=blocked))
    return buttons


def _undo(placing: Placing, words: Words) -> Part:
    return button(placing.control("undo"), words("button.undo"), disabled=not placing.sketch.draft)


def _confirm(placing: Placing, words: Words, *, ready: bool, mine: bool) -> Part:
    """What plays the draft, now or in one's turn; red, and with another name, for a board that fouls."""
    if mine:
        label = words("board.confirm_foul" if placing.fouls else "button.confirm")
    else:
        label = words("board.confirm_foul_ahead" if placing.fouls else "board.confirm_ahead")
    style = ButtonStyle.danger if placing.fouls else ButtonStyle.success
    return button(placing.control("confirm" if mine else "ahead"), label, style=style, disabled=not ready)


# a whole board


def at_once_intro(placing: Placing, words: Words) -> str:
    """How many cards are set, and when."""
    count = placing.sketch.count
    if placing.seat.fantasyland:
        told = words("panel.in_fantasyland", cards=count, discard=count - BOARD_CARDS)
        return f"{told}\n{words('panel.set_once')}" if placing.hand.variant.own_clock else told
    return words("panel.set_at_once", cards=count)


def at_once_parts(placing: Placing, words: Words, faces: Faces, *, mine: bool) -> list[str | Part]:
    """The cards without a place, and each row above a menu; ``mine`` where the board may be set now."""
    parts: list[str | Part] = [
        *_natural_parts(placing, words),
        *low_asked(placing.preview, placing.hand.variant, words, lost=placing.fouls),
        *(text for text in (_left_over(placing, words, faces),) if text),
        *rows_of(
            [button(placing.control("arrange", placing.drawn_as), words("board.arrange"), style=ButtonStyle.primary)]
        ),
    ]
    # A menu that is filled in shows cards and no longer its placeholder: the row above it says which it is.
    hands = preview_lines(placing.preview, words, low=has_low(placing.hand.variant))
    for row, cards, hand in zip(ROWS, placing.preview.rows, hands, strict=True):
        shown = row_text(row, cards, hand, words, faces, size=Size.LARGE, strict=placing.hand.variant.strict_rows)
        parts += [*filter(None, [shown]), _row_select(placing, row, words, faces)]
    parts += [text for text in (warning(placing.preview, words, placing.outlook),) if text]
    if placing.seat.fantasyland and placing.seat.placed:
        parts.append(words("panel.set_already"))
    return [*parts, *rows_of(_at_once_buttons(placing, words, mine=mine))]


def _at_once_buttons(placing: Placing, words: Words, *, mine: bool) -> list[Part]:
    other = BY_SUIT if placing.sort == BY_RANK else BY_RANK
    return [
        _confirm(placing, words, ready=placing.sketch.complete and mine, mine=True),
        button(placing.control("sort", _drawn_as(other, placing.drawing)), words(f"button.sort_{other}")),
        button(placing.control("clear", placing.drawn_as), words("button.clear"), disabled=not placing.sketch.draft),
        rules_of(placing.hand.variant, words),
    ]


def _natural_parts(placing: Placing, words: Words) -> list[str | Part]:
    """The natural that the cards make and the button that declares it, before anybody begins to arrange them."""
    if placing.natural is None:
        return []
    points = placing.hand.variant.naturals[placing.natural]
    text = words("panel.natural", natural=natural_name(placing.natural, words), count=points)
    return [text, *rows_of([button(placing.control("declare"), words("button.declare"), style=ButtonStyle.success)])]


def _left_over(placing: Placing, words: Words, faces: Faces) -> str:
    """The cards without a place; once the board is full they are what will be discarded."""
    letters = placing.sketch.letters
    left = [number for number in _sorted_places(placing) if letters[number] in (OPEN, DISCARD)]
    if not left:
        return ""
    cards = large(faces.row([placing.cards[number] for number in left]), faces)
    return words(_discards_key(placing) if placing.sketch.complete else "panel.unplaced", cards=cards)


def shown_cards(placing: Placing) -> list[Card]:
    """The cards in the order in which they stand on the screen: as dealt, or sorted where there are menus."""
    places = _sorted_places(placing) if placing.by_select else range(len(placing.cards))
    return [placing.cards[place] for place in places]


def _sorted_places(placing: Placing) -> list[int]:
    """The places of the cards sorted by rank (high first) or by suit."""
    cards = placing.cards

    def order(number: int) -> tuple[int, int]:
        rank, suit = -rank_of(cards[number]), -suit_of(cards[number])
        return (rank, suit) if placing.sort == BY_RANK else (suit, rank)

    return sorted(range(len(cards)), key=order)


def _row_select(placing: Placing, row: Row, words: Words, faces: Faces) -> Part:
    """A select of the cards for one row: those in it, and those without a place."""
    letters = placing.sketch.letters
    places = [n for n in _sorted_places(placing) if letters[n] in (OPEN, DISCARD, row.value)]
    options = [
        discord.SelectOption(
            label=card_text(placing.cards[n]),
            value=str(n),
            description=capital(row_name(row, words)) if letters[n] == row.value else words("board.free"),
            emoji=faces.emoji(placing.cards[n]),
            default=letters[n] == row.value,
        )
        for n in places
    ]
    name = words("panel.choose", row=capital(row_name(row, words)), size=row.size)
    # A select must have an option: with none left the row is full of nothing to choose from.
    options = options or [discord.SelectOption(label="–", value="-")]
    press = placing.control(f"set_{row.value.lower()}", placing.drawn_as)
    return select(press, options, placeholder=name, most=row.size)
