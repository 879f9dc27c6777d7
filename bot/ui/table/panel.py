"""The private hand: an ephemeral panel with a player's own cards. Tapping is drawing; only Confirm plays.

Outside Fantasyland: tap a row and the next card goes there; tap a card to choose another or to take it back. In
Fantasyland each row stands above a select of its cards. The draft lives in the custom ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import discord
from discord import ButtonStyle

from bot.ofc.cards import Card, rank_of, suit_of
from bot.ofc.naturals import Natural, natural_of
from bot.ofc.placement import OPEN, Order, Preview, place, preview
from bot.ofc.rows import BOARD_CARDS, DISCARD, EMPTY, ROWS, Row
from bot.ofc.view import HandView, SeatView
from bot.play.model import TableState
from bot.play.views import TableView
from bot.text.names import capital, card_text, natural_name, row_name
from bot.text.words import Words
from bot.ui.custom_ids import Draft, Press
from bot.ui.faces import Faces
from bot.ui.fragments import (
    FOUL_COLOUR,
    MOST_TEXT,
    QUIET_COLOUR,
    TABLE_COLOUR,
    TURN_COLOUR,
    moment,
    text_length,
)
from bot.ui.table.boards import (
    Size,
    board_text,
    large,
    opponents,
    preview_lines,
    row_text,
    seat_rows,
    sorted_row,
    warning,
)
from bot.ui.table.lobby import way_in
from bot.ui.table.result import last_hand
from bot.ui.table.sketch import Sketch, sound
from bot.ui.table.title import table_title, waits_text
from bot.ui.widgets import Part, Screen, button, rows_of, screen, select

MOST_BUTTONS = 6
"""More cards than this are arranged in menus."""
BY_RANK = "rank"
BY_SUIT = "suit"


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One drawing of the panel: what its player sees, their draft, and how Fantasyland cards are sorted.

    Each of its buttons asks for the same things, so they are worked out once.
    """

    view: TableView
    draft: Draft = ()
    chosen: int | None = None
    sort: str = BY_RANK
    sure: bool = False
    """True once surrender was pressed: it asks whether that is meant."""
    late: bool = False
    """True while what everybody sees of the table is behind."""

    @cached_property
    def by_select(self) -> bool:
        """True when rows are chosen in menus: there are too many cards for buttons."""
        return bool(self.seat.fantasyland) or len(self.cards) > MOST_BUTTONS

    @cached_property
    def natural(self) -> Natural | None:
        """The natural that these cards can be declared as."""
        if not self.hand.variant.naturals or len(self.cards) != BOARD_CARDS:
            return None
        found = natural_of(self.cards)
        return found if found in self.hand.variant.naturals else None

    @property
    def hand(self) -> HandView:
        """The running hand."""
        assert self.view.hand is not None
        return self.view.hand

    @property
    def seat(self) -> SeatView:
        """The player's own seat."""
        assert self.hand.mine is not None
        return self.hand.mine

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards to be laid, in the order dealt."""
        return tuple(card for card in self.seat.held if card is not None)

    @cached_property
    def sketch(self) -> Sketch:
        """The draft over these cards; a draft that cannot be is dropped."""
        rows = EMPTY if self.seat.fantasyland else self._rows()
        lay = self.hand.lay
        held = len(self.cards)
        draft = self.draft if sound(self.draft, count=held, rows=rows, lay=lay) else ()
        return Sketch(count=held, lay=lay, rows=rows, draft=draft, chosen=self.chosen)

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

    @property
    def fouls(self) -> bool:
        """True when the draft makes a board that nothing can save."""
        return self.preview.order is Order.FOUL

    @property
    def sure_to_stand(self) -> bool:
        """True for a whole draft that may be laid now and doesn't foul: nothing is left to ask."""
        return self.sketch.complete and self.view.you in self.view.waiting and not self.fouls

    @cached_property
    def board(self) -> Preview:
        """What the board promises as it has been laid."""
        front, middle, back = (
            tuple(card for card in row if card is not None) for row in seat_rows(self.seat, self.hand.variant)
        )
        return preview(self.hand.variant, (front, middle, back), fantasyland=self.seat.fantasyland)

    @cached_property
    def press(self) -> Press:
        """What every control of this panel carries."""
        sketch = self.sketch
        return Press(
            verb="panel",
            table=self.view.table.key.table,
            tag=self.view.table.tag,
            hand=self.view.table.hand_no,
            street=self.hand.street,
            draft=sketch.draft,
            chosen=sketch.next_card,
            argument=self.sort if self.by_select else "",
        )


def playable(view: TableView) -> bool:
    """True when the viewer has cards to lay or arrange."""
    return (
        view.table.state is TableState.PLAYING
        and view.hand is not None
        and view.hand.mine is not None
        and bool(view.hand.mine.held)
        and not view.hand.mine.forfeited
        and not (view.hand.variant.own_clock and view.hand.mine.fantasyland and view.hand.mine.laid)
    )


def panel_screen(panel: Panel, words: Words, faces: Faces) -> Screen:
    """The panel as a message."""
    for size in (Size.TIGHT, Size.BARE):
        drawn = _panel_screen(panel, words, faces, others=size)
        if text_length(drawn) <= MOST_TEXT:
            break
    return drawn


def _panel_screen(panel: Panel, words: Words, faces: Faces, *, others: Size) -> Screen:
    """The panel with the opponents' boards in this size."""
    view = panel.view
    between = view.hand is not None and view.hand.mine is not None and view.table.state is TableState.BETWEEN
    if between:
        return _between_screen(panel, words, faces, others=others)
    if view.hand is None or view.hand.mine is None or view.table.state is not TableState.PLAYING:
        return screen(_title(panel, words), _nothing_to_lay(view, words), *way_in(view, words), colour=QUIET_COLOUR)
    if not playable(view):
        return screen(
            _title(panel, words) + "\n" + _whose_turn(view, words, faces),
            *opponents(view, panel.hand, words, faces, size=others),
            _own_board(panel.board, words, faces),
            *_earlier_discards(panel, words, faces),
            *rows_of([button(panel.press.but("panel"), words("button.refresh"))]),
            colour=TABLE_COLOUR,
        )
    if panel.by_select:
        return _select_screen(panel, words, faces, others=others)
    return _street_screen(panel, words, faces, others=others)


def _between_screen(panel: Panel, words: Words, faces: Faces, *, others: Size) -> Screen:
    """The pause after a hand: how it went, and the boards where this player alone may see them."""
    view = panel.view
    hidden = view.event is not None and view.event.conceals
    return screen(
        _title(panel, words),
        *last_hand(view, words),
        *(opponents(view, panel.hand, words, faces, size=others) if hidden else []),
        _own_board(panel.board, words, faces),
        _nothing_to_lay(view, words),
        colour=TABLE_COLOUR,
    )


def _title(panel: Panel, words: Words) -> str:
    table = panel.view.table
    lines = [f"**{table_title(table, words)}**"]
    if table.hand_no:
        lines.append(f"-# {words('table.hand', hand=table.hand_no)}")
    if panel.late:
        lines.append(words("panel.late"))
    return "\n".join(lines)


def _nothing_to_lay(view: TableView, words: Words) -> str:
    if not view.table.open:
        return words(f"closed.{view.table.closed_reason}")
    if view.mine is None:
        return words("panel.not_seated" if view.table.event_no is None else "event_table.not_seated")
    if view.event is not None and (waits := waits_text(view.event, words)):
        return waits
    if view.next_hand_at is not None:
        return words("table.next_hand", when=moment(view.next_hand_at))
    if view.table.state is TableState.PLAYING:
        return words("lobby.joined_next_hand", table=view.table.key.table)
    return words("panel.no_hand")


def _whose_turn(view: TableView, words: Words, faces: Faces) -> str:
    others = [player for player in view.waiting if player != view.you]
    mine = view.hand.mine if view.hand else None
    if mine and mine.fantasyland and mine.held and not mine.laid and view.you not in view.waiting:
        return words("panel.any_time")
    if view.you in view.waiting:
        until = view.until(view.you) if view.you else None
        if until is None:
            return words("panel.your_turn")
        return words("panel.your_turn_until", until=moment(until))
    return words("panel.waiting", players=faces.names.list(view.table.key.guild, others, words)) if others else ""


def _own_board(shown: Preview, words: Words, faces: Faces) -> str:
    """One's own board, large, with what each row is and is worth so far."""
    return board_text(shown.rows, preview_lines(shown, words), words, faces, size=Size.LARGE)


def _earlier_discards(panel: Panel, words: Words, faces: Faces) -> list[str]:
    """What the player has discarded so far, and who sees it."""
    if not panel.seat.discards:
        return []
    return [words(_discards_key(panel), cards=faces.row(panel.seat.discards))]


def _discards_key(panel: Panel) -> str:
    """The sentence above discards: they are secret, open, or turned up with the board."""
    if not panel.hand.variant.open_discards:
        return "panel.discards"
    return "panel.discards_open_later" if panel.seat.fantasyland else "panel.discards_open"


def _street_screen(panel: Panel, words: Words, faces: Faces, *, others: Size) -> Screen:
    view, sketch = panel.view, panel.sketch
    mine = view.you in view.waiting
    parts: list[str | Part] = [
        _title(panel, words) + "\n" + _whose_turn(view, words, faces),
        *opponents(view, panel.hand, words, faces, size=others),
        _own_board(panel.preview, words, faces),
        *_earlier_discards(panel, words, faces),
    ]
    parts += [text for text in (warning(panel.preview, words), _asked(panel, words, faces)) if text]
    parts += rows_of(_card_buttons(panel, faces))
    parts += rows_of([*_row_buttons(panel, words), _undo(panel, words)])
    parts += rows_of([_confirm(panel, words, ready=sketch.complete and mine)])
    return screen(*parts, colour=FOUL_COLOUR if panel.fouls else TURN_COLOUR if mine else TABLE_COLOUR)


def _asked(panel: Panel, words: Words, faces: Faces) -> str:
    """What to do now, and what becomes of the cards left over."""
    sketch = panel.sketch
    discard, shown = sketch.count - sketch.lay, panel.hand.variant.open_discards
    rest = words("panel.discards_rest_open" if shown else "panel.discards_rest", count=discard) if discard else ""
    if sketch.complete and panel.fouls:
        return ""  # what is wrong stands above, and the button says what it does
    if sketch.complete:
        asked = words("panel.ready") if panel.view.you in panel.view.waiting else words("panel.ready_waiting")
        return f"{asked} {rest}" if rest and shown else asked
    card = sketch.next_card
    if card is None:
        return ""
    return " ".join(text for text in (words("panel.where", card=faces.card(panel.cards[card])), rest) if text)


def _card_buttons(panel: Panel, faces: Faces) -> list[Part]:
    sketch = panel.sketch
    chosen = None if sketch.complete else sketch.next_card
    buttons = []
    for number, (card, letter) in enumerate(zip(panel.cards, sketch.letters, strict=True)):
        style = ButtonStyle.primary if number == chosen else ButtonStyle.secondary
        emoji = faces.emoji(card)
        mark = "" if letter == OPEN else "✕" if letter == DISCARD else "✓"
        # In words beside its picture: a screen reader says an emoji's name, which is made for machines.
        label = f"{card_text(card)} {mark}".strip()
        argument = str(number)
        buttons.append(button(panel.press.but("card", argument), label, style=style, emoji=emoji))
    return buttons


def _row_buttons(panel: Panel, words: Words) -> list[Part]:
    sketch = panel.sketch
    complete = sketch.complete
    buttons = []
    for row in ROWS:
        room = sketch.room(row.value)
        label = words("button.row", row=capital(row_name(row, words)), filled=row.size - room, size=row.size)
        blocked = complete or room <= 0
        buttons.append(button(panel.press.but("row", row.value), label, style=ButtonStyle.primary, disabled=blocked))
    return buttons


def _undo(panel: Panel, words: Words) -> Part:
    return button(panel.press.but("undo"), words("button.undo"), disabled=not panel.sketch.draft)


def _confirm(panel: Panel, words: Words, *, ready: bool) -> Part:
    """What plays the draft; red, and with another name, for a board that fouls."""
    label = words("board.confirm_foul" if panel.fouls else "button.confirm")
    style = ButtonStyle.danger if panel.fouls else ButtonStyle.success
    return button(panel.press.but("confirm"), label, style=style, disabled=not ready)


def _select_screen(panel: Panel, words: Words, faces: Faces, *, others: Size) -> Screen:
    """A whole board at once: Fantasyland, or thirteen cards that everybody sets in private."""
    view, sketch = panel.view, panel.sketch
    told = (_title(panel, words), _intro(panel, words), _whose_turn(view, words, faces))
    parts: list[str | Part] = [
        "\n".join(text for text in told if text),
        *opponents(view, panel.hand, words, faces, size=others),
        *_natural_parts(panel, words),
    ]
    parts += [text for text in (_left_over(panel, words, faces),) if text]
    parts += rows_of(
        [button(panel.press.but("arrange", panel.sort), words("board.arrange"), style=ButtonStyle.primary)]
    )
    # A menu that is filled in shows cards and no longer its placeholder: the row above it says which it is.
    hands = preview_lines(panel.preview, words)
    for row, cards, hand in zip(ROWS, panel.preview.rows, hands, strict=True):
        parts += [row_text(row, cards, hand, words, faces, size=Size.LARGE), _row_select(panel, row, words, faces)]
    parts += [text for text in (warning(panel.preview, words),) if text]
    if panel.seat.fantasyland and panel.seat.laid:
        parts.append(words("panel.set_already"))
    other = BY_SUIT if panel.sort == BY_RANK else BY_RANK
    ready = sketch.complete and (bool(panel.seat.fantasyland) or view.you in view.waiting)
    parts += rows_of(
        [
            _confirm(panel, words, ready=ready),
            button(panel.press.but("sort", other), words(f"button.sort_{other}")),
            button(panel.press.but("clear", panel.sort), words("button.clear"), disabled=not sketch.draft),
        ]
    )
    parts += _surrender_parts(panel, words)
    return screen(*parts, colour=FOUL_COLOUR if panel.fouls else TURN_COLOUR)


def _intro(panel: Panel, words: Words) -> str:
    count = panel.sketch.count
    if panel.seat.fantasyland:
        told = words("panel.in_fantasyland", cards=count, discard=count - BOARD_CARDS)
        return f"{told}\n{words('panel.set_once')}" if panel.hand.variant.own_clock else told
    return words("panel.set_at_once", cards=count)


def _natural_parts(panel: Panel, words: Words) -> list[str | Part]:
    """The natural that the cards make and the button that declares it, before anybody begins to arrange them."""
    if panel.natural is None:
        return []
    points = panel.hand.variant.naturals[panel.natural]
    text = words("panel.natural", natural=natural_name(panel.natural, words), count=points)
    return [text, *rows_of([button(panel.press.but("declare"), words("button.declare"), style=ButtonStyle.success)])]


def _surrender_parts(panel: Panel, words: Words) -> list[str | Part]:
    """Surrendering, which asks once more, where the game knows it."""
    price = panel.hand.variant.surrender
    if not price:
        return []
    label = words("button.surrender_sure" if panel.sure else "button.surrender")
    verb = "give_up" if panel.sure else "surrender"
    buttons = rows_of([button(panel.press.but(verb), label, style=ButtonStyle.danger)])
    return [words("panel.surrender", count=price), *buttons] if panel.sure else [*buttons]


def _left_over(panel: Panel, words: Words, faces: Faces) -> str:
    """The cards without a place; once the board is full they are what will be discarded."""
    letters = panel.sketch.letters
    left = [number for number in sorted_places(panel) if letters[number] in (OPEN, DISCARD)]
    if not left:
        return ""
    cards = large(faces.row([panel.cards[number] for number in left]), faces)
    return words(_discards_key(panel) if panel.sketch.complete else "panel.unplaced", cards=cards)


def sorted_places(panel: Panel) -> list[int]:
    """The places of the cards sorted by rank (high first) or by suit."""
    cards = panel.cards

    def order(number: int) -> tuple[int, int]:
        rank, suit = -rank_of(cards[number]), -suit_of(cards[number])
        return (rank, suit) if panel.sort == BY_RANK else (suit, rank)

    return sorted(range(len(cards)), key=order)


def _row_select(panel: Panel, row: Row, words: Words, faces: Faces) -> Part:
    """A select of the cards for one row: those in it, and those without a place."""
    letters = panel.sketch.letters
    places = [n for n in sorted_places(panel) if letters[n] in (OPEN, DISCARD, row.value)]
    options = [
        discord.SelectOption(
            label=card_text(panel.cards[n]),
            value=str(n),
            description=capital(row_name(row, words)) if letters[n] == row.value else words("board.free"),
            emoji=faces.emoji(panel.cards[n]),
            default=letters[n] == row.value,
        )
        for n in places
    ]
    name = words("panel.choose", row=capital(row_name(row, words)), size=row.size)
    # A select must have an option: with none left the row is full of nothing to choose from.
    options = options or [discord.SelectOption(label="–", value="-")]
    press = panel.press.but(f"set_{row.value.lower()}", panel.sort)
    return select(press, options, placeholder=name, most=row.size)
