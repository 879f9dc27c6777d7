"""Boards as text: labelled rows, sorted when full, with their hands and royalties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache

from bot.chat.kit.faces import Faces
from bot.chat.kit.widgets import Part, separator
from bot.model.choices import BoardSize
from bot.play.queries.views import TableView
from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, JOKERS, ROWS, Card, Row, RowCards, rank_of, suit_of
from bot.pure.ofc.outlook import OPEN, Outlook
from bot.pure.ofc.placement import Preview, RowOrder, preview
from bot.pure.ofc.ranks import MAX_LOW_RANK, Category, category_of, top_rank
from bot.pure.ofc.variants import MiddleRank, Variant
from bot.pure.ofc.view import Facing, HandView, SeatView
from bot.text.cards import disambiguate, hand_text, row_label, row_name
from bot.text.words import Words, capital

Rows = tuple[Facing, Facing, Facing]
MAX_LABELS = 256
"""Maximum number of cached labels: three rows with up to five cards, in each language."""
MAX_ROWS = 4096
"""Maximum number of cached sorted rows, because boards are redrawn often without changes."""
FEW_PLACES = 2
"""Maximum number of free places in a row at which its danger is urgent.

With more free places, such as after an early pair in front, the player still has time.
"""


class Size(Enum):
    """Sizes of a drawn board, from the longest to the shortest."""

    LARGE = "large"
    """Two lines per row: the label, then the cards in a heading, which enlarges emojis."""
    SMALL = "small"
    """One line per row: its letter, its cards and its hand."""
    TIGHT = "tight"
    """Like ``SMALL``, but without empty places."""
    BARE = "bare"
    """Only the cards. Seven full boards in emojis just fit."""
    LETTERS = "letters"
    """Like ``TIGHT``, but with cards in letters. Fits eight boards of two decks, with all their hands."""


def seat_rows(seat: SeatView, variant: Variant) -> Rows:
    """Return a seat's rows as shown: sorted if they're full or were set together, otherwise as placed."""
    at_once = bool(seat.fantasyland) or variant.at_once
    front, middle, back = (
        sorted_row([card for card in cards if card is not None])
        if None not in cards and (at_once or len(cards) == row.size)
        else cards
        for row, cards in zip(ROWS, seat.rows, strict=True)
    )
    return front, middle, back


def own_board(shown: Preview, variant: Variant, words: Words, faces: Faces) -> str:
    """Return the player's own board, large, with each row's hand and royalty so far."""
    hands = preview_lines(shown, words, game=variant)
    return board_text(shown.rows, hands, words, faces, size=Size.LARGE, strict=variant.strict_rows)


@lru_cache(MAX_LABELS)
def button_label(row: Row, filled: int, words: Words) -> str:
    """Return ``Front 1/3``, the label of the button that places a card there."""
    return words("button.row", row=capital(row_name(row, words)), filled=filled, size=row.size)


def hand_labels(rows: Rows, variant: Variant, words: Words) -> list[str]:
    """Return the hand and royalty of each full row; empty for a row that is unfinished or face down."""
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
    """Return the three rows of a board, with ``hands`` next to their labels."""
    texts = [row_text(*each, words, faces, size=size, strict=strict) for each in zip(ROWS, rows, hands, strict=True)]
    return "\n".join(filter(None, texts))


def seat_board(seat: SeatView, variant: Variant, words: Words, faces: Faces, *, size: Size) -> str:
    """Return a seat's board. In large size, only rows with a made hand are named."""
    rows = seat_rows(seat, variant)
    what = (rows, variant, words, size)
    hands = made_hands if size is Size.LARGE and not faces.member_settings.text_only else hand_labels
    return faces.known(what, lambda: _seat_board(rows, hands(rows, variant, words), words, faces, size=size))


def _seat_board(rows: Rows, hands: Sequence[str], words: Words, faces: Faces, *, size: Size) -> str:
    told = [
        row_text(*each, words, faces, size=size, named=bool(each[2])) for each in zip(ROWS, rows, hands, strict=True)
    ]
    return "\n".join(filter(None, told))


def made_hands(rows: Rows, variant: Variant, words: Words) -> list[str]:
    """Return the hands of full rows that have a pair or better, or the low that the game requires in the middle."""
    shown = _whole_rows(rows, variant)
    low = Row.MIDDLE if variant.middle is MiddleRank.DEUCE_TO_SEVEN else None
    return [
        told if row is low or category_of(shown.strengths[row.place]) is not Category.HIGH_CARD else ""
        for row, told in zip(ROWS, preview_lines(shown, words), strict=True)
    ]


def _seat_beside(seat: SeatView, variant: Variant, words: Words, faces: Faces, *, size: Size) -> str:
    """Return an opponent's board for a player's panel.

    Empty rows are left out, except in ``BARE``, which has no labels.
    """
    if size is Size.BARE:
        return seat_board(seat, variant, words, faces, size=size)
    rows = seat_rows(seat, variant)

    def drawn() -> str:
        each = zip(ROWS, rows, hand_labels(rows, variant, words), strict=True)
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
    """Return one row of a board, no larger than the reader's setting allows. ``strict`` is for games of 十三張.

    In *Text only*, an empty row is an empty text. A large row that isn't ``named`` has only its cards.
    """
    label = row_label(row, words, strict=strict)
    if faces.member_settings.text_only and size is not Size.BARE:
        return _row_text(label, cards, hand, words, faces)
    size = Size.SMALL if size is Size.LARGE and faces.member_settings.size is BoardSize.COMPACT else size
    faces = faces.in_letters() if size is Size.LETTERS else faces
    line = faces.row(cards, size=row.size if size in (Size.LARGE, Size.SMALL) else 0) or "·"
    if size is Size.BARE:
        return line
    if size is Size.LARGE and not named:
        return faces.large(line)
    if size is Size.LARGE:
        return f"-# {label} · {hand}\n{faces.large(line)}" if hand else f"-# {label}\n{faces.large(line)}"
    return " ".join(text for text in (f"`{words(f'board.mark.{row.key}')}`", line, hand) if text)


def _row_text(label: str, cards: Facing, hand: str, words: Words, faces: Faces) -> str:
    """Return ``Front: A♠ K♦. A-high.``; empty for an empty row, so that no list of empty places is read out."""
    if not cards:
        return ""
    told = {"row": label, "cards": faces.row(cards)}
    return words("aloud.row_hand", hand=hand, **told) if hand else words("aloud.row", **told)


def places_heard(cards: Sequence[Card], letters: str, words: Words, faces: Faces) -> str:
    """Return ``Front: ace of spades. Discard: two of clubs.`` for ``cards`` placed by ``letters``."""
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


def placement_text(cards: Sequence[Card], letters: str, words: Words, faces: Faces) -> str:
    """Return a street's cards, grouped by row after the row's letter."""
    if words.heard:
        return places_heard(cards, letters, words, faces)
    names = {row.value: words(f"board.mark.{row.key}") for row in ROWS} | {DISCARD: "✕"}
    placed = [
        f"`{name}`\u00a0{faces.row([card for card, where in zip(cards, letters, strict=True) if where == letter])}"
        for letter, name in names.items()
        if letter in letters
    ]
    return " ".join(placed)


def shows_all(seat: SeatView) -> bool:
    """True if the whole board is face up."""
    return sum(card is not None for row in seat.rows for card in row) == BOARD_CARDS


def sorted_row(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sort the cards of a row as players do: groups first, then by rank, jokers last."""
    return _sorted_row(tuple(cards))


@lru_cache(MAX_ROWS)
def _sorted_row(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    counts = Counter(rank_of(card) for card in cards)

    def order(card: Card) -> tuple[bool, int, int, int]:
        return card in JOKERS, -counts[rank_of(card)], -rank_of(card), -suit_of(card)

    return tuple(sorted(cards, key=order))


def drawn_line(seat: SeatView, words: Words, faces: Faces) -> list[str]:
    """Return the open cards that a seat has been dealt and not placed yet; empty if there are none."""
    drawn = [card for card in seat.held if card is not None]
    return [words("table.drawn", cards=faces.row(drawn))] if drawn else []


def preview_lines(preview: Preview, words: Words, *, game: Variant | None = None) -> list[str]:
    """Return a line per row with its hand and royalty so far; empty for an empty row.

    With ``game``, the middle's line also says whether it can still become the low that this game requires.
    """
    lines = []
    for row in ROWS:
        line = hand_text(preview.strengths[row.place], words) if preview.rows[row.place] else ""
        royalty = preview.royalties[row.place] if line and preview.order is not RowOrder.FOUL else 0
        lines.append(words("hand.with_royalty", hand=line, points=words.signed(royalty)) if royalty else line)
    if game is not None and game.middle is MiddleRank.DEUCE_TO_SEVEN:
        lines[Row.MIDDLE.place] = _low_line(preview, words, lines[Row.MIDDLE.place])
    return lines


def low_asked(shown: Preview, variant: Variant, words: Words, *, lost: bool) -> list[str]:
    """Return the reminder that the middle must be a low, in games that require it, until it's full or can't be one."""
    asks = variant.middle is MiddleRank.DEUCE_TO_SEVEN
    return [words("panel.low")] if asks and not lost and len(shown.rows[Row.MIDDLE.place]) < Row.MIDDLE.size else []


def _low_line(preview: Preview, words: Words, line: str) -> str:
    """Return the hand of an unfinished middle that must become a low, and whether it still can.

    A pair or a jack rules it out.
    """
    if not line or len(preview.rows[Row.MIDDLE.place]) == Row.MIDDLE.size:
        return line
    strength = preview.strengths[Row.MIDDLE.place]
    lost = category_of(strength) is not Category.HIGH_CARD or top_rank(strength) > MAX_LOW_RANK
    return words("panel.no_low" if lost else "panel.low_so_far", hand=line)


def warning(
    preview: Preview, words: Words, outlook: Outlook = OPEN, *, brief: bool = False, placed: bool = False
) -> str:
    """Return a warning of a foul or the risk of one, otherwise the Fantasyland earned; empty if there is neither.

    With ``placed``, the player has no draft left to change. With ``brief``, the warning leaves out the fouling hands,
    which are shown next to their rows, and the cost of the foul.
    """
    if preview.order is RowOrder.FOUL or outlook.lost:
        foul = preview.order is RowOrder.FOUL
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
    """True if a row has so few free places left that it may not catch up with the row above."""
    return below.size - len(preview.rows[below.place]) <= FEW_PLACES


def _foul(preview: Preview, words: Words, *, brief: bool) -> str:
    """Return the two rows that are in the wrong order, with their hands."""
    if preview.clash is None:
        return words("panel.foul_low")
    row, below = preview.clash
    upper, lower = preview.strengths[row.place], preview.strengths[below.place]
    named = {"row": row_name(row, words), "below": row_name(below, words)}
    if upper == lower:
        return words("board.foul_equal", **named, hand=hand_text(upper, words))
    if brief:
        return words("board.foul_heard", **named)
    hand, other = disambiguate(upper, lower, words)
    return words("board.foul", **named, hand=hand, other=other)


def _certain_foul(preview: Preview, words: Words, outlook: Outlook) -> str:
    """Return the row that can no longer be saved, and the row above, which is too strong for it."""
    if outlook.clash is None:
        return words("board.foul_certain")
    row, below = outlook.clash
    hand = hand_text(preview.strengths[row.place], words)
    return words("board.foul_ahead", row=row_name(row, words), below=row_name(below, words), hand=hand)


def foul_reason(variant: Variant, rows: RowCards, words: Words) -> str:
    """Return the reason that a full board fouls, as in ``the middle beats the back``, without its hands."""
    judged = preview(variant, rows, fantasyland=0)
    if judged.clash is None:
        return words("board.out_of_order.no_low")
    row, below = judged.clash
    key = "ties" if judged.strengths[row.place] == judged.strengths[below.place] else "beats"
    return words(f"board.out_of_order.{key}", row=row_name(row, words), below=row_name(below, words))


def placed_by(*, clock: bool, fallback: bool) -> list[str]:
    """Return the keys of the notes about an auto-placed street; empty if the player placed it."""
    notes = {"table.by_clock": clock, "table.by_fallback": fallback}
    return [key for key, applies in notes.items() if applies]


# The opponents' boards on a player's panel, in a few lines each, without cards that the player may not see.


def opponents(
    view: TableView, hand: HandView, words: Words, faces: Faces, *, size: Size, brief: bool = False
) -> list[str | Part]:
    """Return the opponents' boards, followed by a line; empty until they show a card.

    With ``brief``, return only their latest placements.
    """
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


MAX_LISTED_CARDS = 4
"""Maximum number of cards listed per opponent. With more, only their number is shown; *Read all* lists them."""


def _since_then(view: TableView, hand: HandView, words: Words, faces: Faces) -> list[str]:
    """Return a line per opponent with the cards placed since the player's last turn."""
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
        few = count <= MAX_LISTED_CARDS
        told.append(
            words("aloud.since", player=player, cards=words.list(placed))
            if few
            else words("aloud.since_many", player=player, count=count)
        )
    return told
