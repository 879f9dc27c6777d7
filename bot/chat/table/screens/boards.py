"""Boards as people read them: rows with their labels, sorted once they are whole, and what they are and pay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache

from bot.chat.kit.faces import Faces
from bot.chat.kit.widgets import Part, separator
from bot.model.choices import BoardSize
from bot.play.look.views import TableView
from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, JOKERS, ROWS, Card, Row, RowCards, rank_of, suit_of
from bot.pure.ofc.outlook import OPEN, Outlook
from bot.pure.ofc.placement import Order, Preview, preview
from bot.pure.ofc.ranks import LOWEST_TOP, Category, category_of, top_rank
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.ofc.view import Facing, HandView, SeatView
from bot.text.cards import hand_text, row_label, row_name, told_apart
from bot.text.words import Words, capital

Rows = tuple[Facing, Facing, Facing]
MOST_LABELS = 256
"""Labels of rows that are kept: three rows with up to five cards, in each language."""
MOST_ROWS = 4096
"""Rows that are kept sorted: a board is drawn many times as it stands."""
FEW_PLACES = 2
"""A row with more of them free has time: a pair early in the front is no danger."""


class Size(Enum):
    """How large a board is shown; each step down is shorter."""

    LARGE = "large"
    """A line for each label, and below it the cards in a heading, which enlarges emojis."""
    SMALL = "small"
    """A line for each row: its letter, its cards, its hand."""
    TIGHT = "tight"
    """The same without empty places."""
    BARE = "bare"
    """Nothing but the cards: seven whole boards of emojis are just short enough."""
    LETTERS = "letters"
    """A line for each row as above, with its cards in letters: eight boards of two decks, and all their hands."""


def seat_rows(seat: SeatView, variant: Variant) -> Rows:
    """The rows of a seat as they are shown: sorted where they are whole or were set at once, else as placed."""
    at_once = bool(seat.fantasyland) or variant.at_once
    front, middle, back = (
        sorted_row([card for card in cards if card is not None])
        if None not in cards and (at_once or len(cards) == row.size)
        else cards
        for row, cards in zip(ROWS, seat.rows, strict=True)
    )
    return front, middle, back


def own_board(shown: Preview, variant: Variant, words: Words, faces: Faces) -> str:
    """One's own board, large, with what each row is and is worth so far."""
    hands = preview_lines(shown, words, game=variant)
    return board_text(shown.rows, hands, words, faces, size=Size.LARGE, strict=variant.strict_rows)


@lru_cache(MOST_LABELS)
def button_label(row: Row, filled: int, words: Words) -> str:
    """``Front 1/3``, on the button that places a card there."""
    return words("button.row", row=capital(row_name(row, words)), filled=filled, size=row.size)


def hands_of(rows: Rows, variant: Variant, words: Words) -> list[str]:
    """What each whole row is and pays; empty for one that is unfinished or lies face down."""
    return preview_lines(_whole_rows(rows, variant), words)


def _whole_rows(rows: Rows, variant: Variant) -> Preview:
    front, middle, back = (
        tuple([card for card in cards if card is not None]) if len(cards) == row.size and None not in cards else ()
        for row, cards in zip(ROWS, rows, strict=True)
    )
    return preview(variant, (front, middle, back), fantasyland=0)


def board_text(
    rows: Rows, hands: Sequence[str], words: Words, faces: Faces, *, size: Size, strict: bool = False
) -> str:
    """The three rows of a board with ``hands`` beside their labels."""
    texts = [row_text(*each, words, faces, size=size, strict=strict) for each in zip(ROWS, rows, hands, strict=True)]
    return "\n".join(filter(None, texts))


def seat_board(seat: SeatView, variant: Variant, words: Words, faces: Faces, *, size: Size) -> str:
    """The board of a seat; large, only a row that holds a hand is named."""
    rows = seat_rows(seat, variant)
    what = (rows, variant, words, size)
    hands = made_hands if size is Size.LARGE and not faces.wishes.text_only else hands_of
    return faces.known(what, lambda: _seat_board(rows, hands(rows, variant, words), words, faces, size=size))


def _seat_board(rows: Rows, hands: Sequence[str], words: Words, faces: Faces, *, size: Size) -> str:
    told = [
        row_text(*each, words, faces, size=size, named=bool(each[2])) for each in zip(ROWS, rows, hands, strict=True)
    ]
    return "\n".join(filter(None, told))


def made_hands(rows: Rows, variant: Variant, words: Words) -> list[str]:
    """The hands of whole rows that hold one: a pair or better, or the low that the game asks for in the middle."""
    shown = _whole_rows(rows, variant)
    low = Row.MIDDLE if variant.middle is MiddleRank.DEUCE_TO_SEVEN else None
    return [
        told if row is low or category_of(shown.strengths[row.place]) is not Category.HIGH_CARD else ""
        for row, told in zip(ROWS, preview_lines(shown, words), strict=True)
    ]


def _seat_beside(seat: SeatView, variant: Variant, words: Words, faces: Faces, *, size: Size) -> str:
    """An opponent's board in a player's panel, without empty rows unless only its order names the rows."""
    if size is Size.BARE:
        return seat_board(seat, variant, words, faces, size=size)
    rows = seat_rows(seat, variant)

    def drawn() -> str:
        each = zip(ROWS, rows, hands_of(rows, variant, words), strict=True)
        return "\n".join(row_text(*one, words, faces, size=size) for one in each if one[1])

    return faces.known((rows, variant, words, size, "beside"), drawn)


def row_text(
    row: Row,
    cards: Facing,
    hand: str,
    words: Words,
    faces: Faces,
    *,
    size: Size,
    strict: bool = False,
    named: bool = True,
) -> str:
    """One row of a board, as large as its reader wants it at most; ``strict`` in a game of 十三張.

    Empty for an empty row where only text is read. Without ``named`` a large row is its cards alone.
    """
    label = row_label(row, words, strict=strict)
    if faces.wishes.text_only and size is not Size.BARE:
        return _row_heard(label, cards, hand, words, faces)
    size = Size.SMALL if size is Size.LARGE and faces.wishes.size is BoardSize.COMPACT else size
    faces = faces.in_letters() if size is Size.LETTERS else faces
    line = faces.row(cards, size=row.size if size in (Size.LARGE, Size.SMALL) else 0) or "·"
    if size is Size.BARE:
        return line
    if size is Size.LARGE and not named:
        return faces.large(line)
    if size is Size.LARGE:
        return f"-# {label} · {hand}\n{faces.large(line)}" if hand else f"-# {label}\n{faces.large(line)}"
    return " ".join(text for text in (f"`{words(f'board.mark.{row.key}')}`", line, hand) if text)


def _row_heard(label: str, cards: Facing, hand: str, words: Words, faces: Faces) -> str:
    """``Front: A♠ K♦. A-high.``; nothing for an empty row, which thirteen places would tell."""
    if not cards:
        return ""
    told = {"row": label, "cards": faces.row(cards)}
    return words("aloud.row_hand", hand=hand, **told) if hand else words("aloud.row", **told)


def places_heard(cards: Sequence[Card], letters: str, words: Words, faces: Faces) -> str:
    """``Front: ace of spades. Discard: two of clubs.``: where the cards of a street go, by their letters."""
    sent: dict[str, list[Card]] = {}
    for card, letter in zip(cards, letters, strict=True):
        sent.setdefault(letter, []).append(card)
    told = [
        words("aloud.row", row=capital(row_name(row, words)), cards=faces.row(sent[row.value]))
        for row in ROWS
        if sent.get(row.value)
    ]
    if left := sent.get(DISCARD):
        told.append(words("aloud.discard", cards=faces.row(left)))
    return words.side_by_side(told)


def shows_all(seat: SeatView) -> bool:
    """True when the whole board lies face up."""
    return sum(card is not None for row in seat.rows for card in row) == BOARD_CARDS


def sorted_row(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards of a row as one places them down: groups first, then by rank; jokers last."""
    return _sorted_row(tuple(cards))


@lru_cache(MOST_ROWS)
def _sorted_row(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    counts = Counter(rank_of(card) for card in cards)

    def order(card: Card) -> tuple[bool, int, int, int]:
        return card in JOKERS, -counts[rank_of(card)], -rank_of(card), -suit_of(card)

    return tuple(sorted(cards, key=order))


def drawn_line(seat: SeatView, words: Words, faces: Faces) -> list[str]:
    """The cards that another seat was dealt face up and has still to place; nothing where there are none."""
    drawn = [card for card in seat.held if card is not None]
    return [words("table.drawn", cards=faces.row(drawn))] if drawn else []


def preview_lines(preview: Preview, words: Words, *, game: Variant | None = None) -> list[str]:
    """What each row of a board is worth so far, one line a row, empty for an empty one.

    With ``game`` it is also told whether the middle can become the low that this game asks for.
    """
    lines = []
    for row in ROWS:
        line = hand_text(preview.strengths[row.place], words) if preview.rows[row.place] else ""
        royalty = preview.royalties[row.place] if line and preview.order is not Order.FOUL else 0
        lines.append(words("hand.with_royalty", hand=line, points=words.signed(royalty)) if royalty else line)
    if game is not None and game.middle is MiddleRank.DEUCE_TO_SEVEN:
        lines[Row.MIDDLE.place] = _low_line(preview, words, lines[Row.MIDDLE.place])
    return lines


def low_asked(shown: Preview, variant: Variant, words: Words, *, lost: bool) -> list[str]:
    """That the middle must be a low, in a game that asks for one, until it is full or can't become one."""
    asks = variant.middle is MiddleRank.DEUCE_TO_SEVEN
    return [words("panel.low")] if asks and not lost and len(shown.rows[Row.MIDDLE.place]) < Row.MIDDLE.size else []


def _low_line(preview: Preview, words: Words, line: str) -> str:
    """What a middle is worth that must become a low: a pair in it is none, and neither is a jack."""
    if not line or len(preview.rows[Row.MIDDLE.place]) == Row.MIDDLE.size:
        return line
    strength = preview.strengths[Row.MIDDLE.place]
    lost = category_of(strength) is not Category.HIGH_CARD or top_rank(strength) > LOWEST_TOP
    return words("panel.no_low" if lost else "panel.low_so_far", hand=line)


def warning(
    preview: Preview, words: Words, outlook: Outlook = OPEN, *, brief: bool = False, placed: bool = False
) -> str:
    """Foul, danger of a foul, or what the board promises; empty when there is nothing to say.

    With ``placed`` the player has no draft that they could still change. In ``brief`` a foul is told without the
    hands, which stand beside their rows, and without what it costs.
    """
    if preview.order is Order.FOUL or outlook.lost:
        foul = preview.order is Order.FOUL
        told = _foul(preview, words, brief=brief) if foul else _certain_foul(preview, words, outlook)
        return (
            told
            if brief
            else words.side_by_side([told, words("board.foul_will_cost" if placed else "board.foul_costs")])
        )
    lines = []
    if preview.clash is not None and _is_urgent(preview.clash[1], preview):
        row, below = (row_name(row, words) for row in preview.clash)
        lines.append(words("panel.danger", row=row, below=below))
    if preview.next_fantasyland:
        lines.append(words("panel.fantasyland", count=preview.next_fantasyland))
    return "\n".join(lines)


def _is_urgent(below: Row, preview: Preview) -> bool:
    """True for a row with so few places left that it may not overtake the one above it any more."""
    return below.size - len(preview.rows[below.place]) <= FEW_PLACES


def _foul(preview: Preview, words: Words, *, brief: bool) -> str:
    """The two rows that stand in the wrong order, by their hands."""
    if preview.clash is None:
        return words("panel.foul_low")
    row, below = preview.clash
    upper, lower = preview.strengths[row.place], preview.strengths[below.place]
    named = {"row": row_name(row, words), "below": row_name(below, words)}
    if upper == lower:
        return words("board.foul_equal", **named, hand=hand_text(upper, words))
    if brief:
        return words("board.foul_heard", **named)
    hand, other = told_apart(upper, lower, words)
    return words("board.foul", **named, hand=hand, other=other)


def _certain_foul(preview: Preview, words: Words, outlook: Outlook) -> str:
    """The row that no card can bring into order any more, below the one that is too strong."""
    if outlook.clash is None:
        return words("board.foul_certain")
    row, below = outlook.clash
    hand = hand_text(preview.strengths[row.place], words)
    return words("board.foul_ahead", row=row_name(row, words), below=row_name(below, words), hand=hand)


def foul_reason(variant: Variant, rows: RowCards, words: Words) -> str:
    """Why a full board is a foul: ``the middle beats the back``; its hands stand beside its rows."""
    judged = preview(variant, rows, fantasyland=0)
    if judged.clash is None:
        return words("board.out_of_order.no_low")
    row, below = judged.clash
    key = "ties" if judged.strengths[row.place] == judged.strengths[below.place] else "beats"
    return words(f"board.out_of_order.{key}", row=row_name(row, words), below=row_name(below, words))


def placed_by(*, clock: bool, fallback: bool) -> list[str]:
    """Return the keys of the notes that say who placed a street, if its player didn't."""
    notes = {"table.by_clock": clock, "table.by_fallback": fallback}
    return [key for key, applies in notes.items() if applies]


# The opponents' boards in a player's panel: a few lines each, as far as that player may see them.


def opponents(
    view: TableView, hand: HandView, words: Words, faces: Faces, *, size: Size, brief: bool = False
) -> list[str | Part]:
    """Their boards above a line; nothing while none of them shows a card. In ``brief`` what they have placed since."""
    if brief:
        return [*_since_then(view, hand, words, faces)]
    boards = []
    for seat in hand.seats:
        drawn = drawn_line(seat, words, faces)
        if seat.player == view.you or not (drawn or any(card is not None for row in seat.rows for card in row)):
            continue
        name = faces.names.of(view.table.key.guild, seat.player, words)
        notes = placed_by(clock=seat.clocked, fallback=seat.fallback)
        name = words.facts([name, *map(words, notes)], unbroken=True)
        boards += [name, _seat_beside(seat, hand.variant, words, faces, size=size), *drawn]
    if not boards:
        return []
    if view.event is not None and view.event.conceals:
        boards.insert(0, words("event_table.opponents"))
    elif hand.conceals:
        boards.insert(0, words("panel.opponents"))
    return ["\n".join(boards), separator(line=True)]


MOST_TOLD = 4
"""More cards than these that somebody has placed are counted: they stand behind *Read all*."""


def _since_then(view: TableView, hand: HandView, words: Words, faces: Faces) -> list[str]:
    """What each opponent has placed since one's last turn, in a line each."""
    told = []
    for seat in hand.seats:
        count = sum(map(len, seat.latest))
        if seat.player == view.you or not count:
            continue
        player = faces.names.of(view.table.key.guild, seat.player, words)
        placed = [
            f"{faces.row(cards)}{words(f'place.{row.value.lower()}')}"
            for row, cards in zip(ROWS, seat.latest, strict=True)
            if cards
        ]
        few = count <= MOST_TOLD
        told.append(
            words("aloud.since", player=player, cards=words.list(placed))
            if few
            else words("aloud.since_many", player=player, count=count)
        )
    return told
