"""Pieces that several screens share: names, times, rows of cards, hands in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.ofc.cards import JOKERS, Card, rank_of, suit_of
from bot.ofc.placement import Order, Preview
from bot.ofc.rows import ROWS, Row
from bot.ofc.variants import Variant
from bot.ofc.view import SeatView
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
FEW_PLACES = 2
"""A row with more of them free has time: a pair early in the front is no danger."""
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


def game_line(game: Variant, words: Words) -> str:
    """The game in a sentence; what a house has changed in it is told apart."""
    return words(f"variant.{game.key}.summary")


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
    royalty = 0 if preview.order is Order.FOUL else preview.royalties[row.place]
    return words("hand.with_royalty", hand=text, points=words.signed(royalty)) if royalty else text


def warning(preview: Preview, words: Words) -> str:
    """Foul, danger of a foul, or what the board promises; empty when there is nothing to say."""
    if preview.order is Order.FOUL:
        return _foul(preview, words)
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


def _foul(preview: Preview, words: Words) -> str:
    """The two rows that stand in the wrong order, by their hands."""
    if preview.clash is None:
        return words("panel.foul_low")
    row, below = preview.clash
    upper, lower = preview.strengths[row.place], preview.strengths[below.place]
    named = {"row": row_name(row, words), "below": row_name(below, words), "hand": hand_text(upper, words)}
    if upper == lower:
        return words("board.foul_equal", **named)
    return words("board.foul", **named, other=hand_text(lower, words))


def short_hash(digest: bytes) -> str:
    """The first eight digits of a commitment: who wants to check it finds it whole where it was posted."""
    return f"`{digest.hex()[:8]}`"


def root_link(table: Table) -> str:
    """The first digits of the root that fixes a table's decks, linked to the message that has it whole."""
    if table.root_message is None:
        return short_hash(table.commitment)
    address = f"https://discord.com/channels/{table.key.guild}/{table.channel}/{table.root_message}"
    return f"[{short_hash(table.commitment)}]({address})"
