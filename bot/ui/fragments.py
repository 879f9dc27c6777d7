"""Pieces that several screens share: names, times, rows of cards, hands in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.ofc.cards import JOKERS, Card, rank_of, suit_of
from bot.ofc.placement import Order, Preview
from bot.ofc.rows import ROWS, Row
from bot.ofc.variants import Variant
from bot.ofc.view import Facing, SeatView
from bot.play.event_note import EventNote, Waits
from bot.play.model import Table, is_computer
from bot.text.names import full_name, hand_text, row_name
from bot.text.words import Words, escape_name
from bot.ui.faces import Faces
from bot.ui.widgets import Screen

TABLE_COLOUR = 0x2E7D5B
TURN_COLOUR = 0xE0A82E
RESULT_COLOUR = 0x5B6EE1
QUIET_COLOUR = 0x80848E
FOUL_COLOUR = 0xC0392B
MOST_TEXT = 4000
"""Characters of text in one message."""


def player_name(player: str, words: Words) -> str:
    """A mention (which names the person and is never sent as a ping), or the computer's name."""
    if is_computer(player):
        return words("name.computer", number=player.removeprefix("computer-"))
    return f"<@{player}>"


def names(players: list[str], words: Words) -> str:
    """``A, B and C``."""
    return words.list([player_name(player, words) for player in players])


def moment(milliseconds: int) -> str:
    """A time that counts down by itself in the reader's client."""
    return f"<t:{milliseconds // 1000}:R>"


def table_title(table: Table, words: Words) -> str:
    """``Table 3 · Pineapple OFC · 10 chips per point``."""
    if table.practice:
        stakes = words("table.practice" if table.event_no is None else "event_table.for_points")
    else:
        stakes = words("table.stakes", count=table.point_value)
    return words("table.title", table=table.key.table, game=full_name(table.variant, words), stakes=stakes)


def event_facts(event: EventNote, words: Words) -> list[str]:
    """The event's name, and the level or round that is played."""
    facts = [words("event_table.event", name=escape_name(event.name), number=event.number)]
    if event.round and event.rounds:
        facts.append(words("event_table.round_of", round=event.round, rounds=event.rounds))
    elif event.round:
        facts.append(words("event_table.round", round=event.round))
    if event.level:
        facts.append(words("event_table.level", level=event.level))
    return facts


def waits_text(event: EventNote, words: Words) -> str:
    """Why the table does not deal; empty where nothing keeps it from dealing."""
    if event.waits is Waits.NOTHING:
        return ""
    if event.waits is Waits.BREAK and event.break_until is not None:
        return words("event_table.waits.break_until", when=moment(event.break_until))
    return words(f"event_table.waits.{event.waits.value}")


def sorted_row(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of a row as one lays them down: groups first, then by rank; jokers last."""
    counts = Counter(rank_of(card) for card in cards)

    def order(card: Card) -> tuple[bool, int, int, int]:
        return card in JOKERS, -counts[rank_of(card)], -rank_of(card), -suit_of(card)

    return tuple(sorted(cards, key=order))


def sorted_rows(rows: tuple[Facing, Facing, Facing]) -> tuple[Facing, Facing, Facing]:
    """Each row sorted; one with cards face down stays as it is."""
    front, middle, back = (
        row if None in row else sorted_row([card for card in row if card is not None]) for row in rows
    )
    return front, middle, back


def seat_rows(seat: SeatView, variant: Variant) -> tuple[Facing, Facing, Facing]:
    """The rows of a seat as they are shown: sorted where the whole board was set at once, else in the order laid."""
    return sorted_rows(seat.rows) if seat.fantasyland or variant.at_once else seat.rows


def board_lines(rows: tuple[Facing, Facing, Facing], faces: Faces, *, empty_places: bool = True) -> list[str]:
    """The three rows of a board as lines of cards, with their empty places or a dot for an empty row."""
    return [
        faces.row(cards, size=row.size if empty_places else 0) or "·" for row, cards in zip(ROWS, rows, strict=True)
    ]


def drawn_line(seat: SeatView, words: Words, faces: Faces) -> list[str]:
    """The cards that another seat was dealt face up and has still to lay; nothing where there are none."""
    drawn = [card for card in seat.held if card is not None]
    return [words("table.drawn", cards=faces.row(drawn))] if drawn else []


def text_length(view: Screen) -> int:
    """How many characters of text a message shows, its texts on lines of their own; Discord takes 4,000."""
    return sum(len(item["content"]) + 1 for item in view.walk() if "content" in item)


def preview_lines(preview: Preview, words: Words) -> list[str]:
    """What each row of a board is worth so far, one line a row."""
    return [_preview_line(row, preview, words) for row in ROWS]


def _preview_line(row: Row, preview: Preview, words: Words) -> str:
    if not preview.rows[row.place]:
        return ""
    text = hand_text(preview.strengths[row.place], words)
    royalty = preview.royalties[row.place]
    return words("hand.with_royalty", hand=text, points=words.signed(royalty)) if royalty else text


def warning(preview: Preview, words: Words) -> str:
    """Foul, danger of a foul, or what the board promises; empty when there is nothing to say."""
    clash = {}
    if preview.clash:
        row, below = preview.clash
        clash = {"row": row_name(row, words), "below": row_name(below, words)}
    if preview.order is Order.FOUL:
        return words("panel.foul", **clash) if clash else words("panel.foul_low")
    lines = [words("panel.danger", **clash)] if clash else []
    if preview.next_fantasyland:
        lines.append(words("panel.fantasyland", count=preview.next_fantasyland))
    return "\n".join(lines)


def short_hash(digest: bytes) -> str:
    """The first eight digits of a commitment: who wants to check it finds it whole where it was posted."""
    return f"`{digest.hex()[:8]}`"


def root_link(table: Table) -> str:
    """The first digits of the root that fixes a table's decks, linked to the message that has it whole."""
    if table.root_message is None:
        return short_hash(table.commitment)
    address = f"https://discord.com/channels/{table.key.guild}/{table.channel}/{table.root_message}"
    return f"[{short_hash(table.commitment)}]({address})"
