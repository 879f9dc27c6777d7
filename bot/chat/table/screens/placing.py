"""Common parts of panels for placing cards: the draft and its controls."""

from __future__ import annotations

import discord
from discord import ButtonStyle

from bot.chat.kit.faces import Faces
from bot.chat.kit.text_only import group_cards, ranks
from bot.chat.kit.widgets import Part, button, button_rows, select
from bot.chat.table.screens.boards import Size, button_label, low_asked, preview_lines, row_text, warning
from bot.chat.table.screens.placement_draft import BY_RANK, BY_SUIT, PlacementPanel, written
from bot.model.choices import DeckColours
from bot.pure.ofc.cards import BOARD_CARDS, DISCARD, ROWS, Card, Row, rank_of, suit_of
from bot.pure.ofc.placement import OPEN, Preview
from bot.text.cards import card_text, natural_name, row_name
from bot.text.words import Words, capital

# A street


def street_parts(placing: PlacementPanel, words: Words, faces: Faces, *, mine: bool) -> list[str | Part]:
    """Return the player's own board with the draft, and its controls. ``mine`` is True if it's their turn."""
    parts: list[str | Part] = [
        *([words("aloud.cards", cards=faces.row(placing.cards))] if faces.member_settings.text_only else []),
        *filter(None, [own_rows(placing, placing.preview, words, faces)]),
        *([] if placing.brief else earlier_discards(placing, words, faces)),
        *low_asked(placing.preview, placing.hand.variant, words, lost=placing.fouls),
    ]
    parts += [
        text
        for text in (
            warning(placing.preview, words, placing.outlook, brief=placing.brief),
            asked(placing, words, faces, mine=mine),
        )
        if text
    ]
    parts += button_rows(_card_buttons(placing, words, faces))
    row_buttons = []
    for row in ROWS:
        room = placing.placement_draft.room(row.value)
        label, full = button_label(row, row.size - room, words), placing.placement_draft.complete or room <= 0
        row_buttons.append(button(placing.control("row", row.value), label, style=ButtonStyle.primary, disabled=full))
    undo = button(placing.control("undo"), words("button.undo"), disabled=not placing.placement_draft.draft)
    parts += button_rows([*row_buttons, undo])
    confirm = _confirm(placing, words, ready=placing.placement_draft.complete, mine=mine)
    parts += button_rows([confirm, *read_all(placing, words)])
    return parts


def read_all(placing: PlacementPanel, words: Words) -> list[Part]:
    """Return the button that shows everything a brief panel leaves out; empty on other panels."""
    return [button(placing.control("read_all", placing.drawn_as), words("aloud.read_all"))] if placing.brief else []


def own_rows(placing: PlacementPanel, shown: Preview, words: Words, faces: Faces) -> str:
    """Return the player's own board, with or without the draft, and each row's hand."""
    hands = preview_lines(shown, words, game=placing.hand.variant)
    rows = zip(ROWS, shown.rows, hands, strict=True)
    return "\n".join(filter(None, [_row(placing, *each, words, faces) for each in rows]))


def _row(placing: PlacementPanel, row: Row, cards: tuple[Card, ...], hand: str, words: Words, faces: Faces) -> str:
    """Return a large row. On a brief panel with cards in words, a full row has only its ranks and its hand."""
    if placing.brief and len(cards) == row.size and faces.member_settings.deck is DeckColours.WORDS:
        return words("aloud.row_hand", row=capital(row_name(row, words)), cards=ranks(cards, words), hand=hand)
    strict = placing.hand.variant.strict_rows
    what = (row, cards, hand, words, strict)
    return faces.known(what, lambda: row_text(row, cards, hand, words, faces, size=Size.LARGE, strict=strict))


def earlier_discards(placing: PlacementPanel, words: Words, faces: Faces) -> list[str]:
    """Return the player's discards so far, and who can see them."""
    if not placing.seat.discards:
        return []
    return [words(discards_key(placing), cards=faces.row(placing.seat.discards))]


def discards_key(placing: PlacementPanel) -> str:
    """Return the key of the sentence above the discards: secret, open, or turned up with the board."""
    if not placing.hand.variant.open_discards:
        return "panel.discards"
    return "panel.discards_open_later" if placing.seat.fantasyland else "panel.discards_open"


def rest_told(placing: PlacementPanel, words: Words) -> str:
    """Return what happens to the cards left over; empty if there are none."""
    discard = placing.placement_draft.count - placing.placement_draft.to_place
    key = "panel.discards_rest_open" if placing.hand.variant.open_discards else "panel.discards_rest"
    return words(key, count=discard) if discard else ""


def asked(placing: PlacementPanel, words: Words, faces: Faces, *, mine: bool) -> str:
    """Return what to do next, and what happens to the cards left over.

    Players who already know the controls get no explanation.
    """
    placement_draft, rest = placing.placement_draft, rest_told(placing, words)
    if placement_draft.complete and placing.fouls:
        return ""  # the warning is above, and the button's label is clear
    if placement_draft.complete:
        asked = words("panel.ready" if mine else "panel.ready_waiting")
        return words.side_by_side([asked, rest]) if rest and placing.hand.variant.open_discards else asked
    card = placement_draft.next_card
    if card is None or placing.brief:
        return "" if card is None else words("aloud.next_card", card=faces.card(placing.cards[card]))
    if faces.member_settings.has_confirmed:
        return rest if placing.hand.variant.open_discards else ""
    where = "panel.where" if len(placing.cards) - len(placement_draft.draft) > 1 else "panel.where_last"
    return words.side_by_side([text for text in (words(where, card=faces.card(placing.cards[card])), rest) if text])


def card_mark(letter: str, words: Words) -> str:
    """Return the text after a card's name on its button: its row or the discards; empty while it's in neither."""
    if letter == OPEN:
        return ""
    if words.heard:
        return words("aloud.discarded" if letter == DISCARD else "aloud.placed")
    return " ✕" if letter == DISCARD else " ✓"


def _card_buttons(placing: PlacementPanel, words: Words, faces: Faces) -> list[Part]:
    placement_draft = placing.placement_draft
    chosen = None if placement_draft.complete else placement_draft.next_card
    buttons, called = [], [card_text(card) for card in placing.cards]
    for number, (card, letter) in enumerate(zip(placing.cards, placement_draft.letters, strict=True)):
        style = ButtonStyle.primary if number == chosen else ButtonStyle.secondary
        emoji = faces.emoji(card)
        # The card's name is next to the emoji, because screen readers read out the emoji's technical name.
        name = card_text(card)
        if faces.member_settings.text_only and called.count(name) > 1:
            name = words("aloud.twin", card=name, number=called[: number + 1].count(name))
        label = f"{name}{card_mark(letter, words)}"
        if faces.member_settings.text_only and number == chosen:
            label = words("aloud.chosen", card=label)  # colour shows this in the other modes
        argument = str(number)
        buttons.append(button(placing.control("card", argument), label, style=style, emoji=emoji))
    return buttons


def _confirm(placing: PlacementPanel, words: Words, *, ready: bool, mine: bool) -> Part:
    """Return the button that confirms the draft, now or ahead of the turn; red and relabelled if the board fouls."""
    if mine:
        label = words("board.confirm_foul" if placing.fouls else "button.confirm")
    else:
        label = words("board.confirm_foul_ahead" if placing.fouls else "board.confirm_ahead")
    style = ButtonStyle.danger if placing.fouls else ButtonStyle.success
    return button(placing.control("confirm" if mine else "ahead"), label, style=style, disabled=not ready)


# A whole board


def at_once_intro(placing: PlacementPanel, words: Words) -> str:
    """Return how many cards have to be set, and when."""
    count = placing.placement_draft.count
    if placing.seat.fantasyland:
        told = words("panel.in_fantasyland", cards=count, discard=count - BOARD_CARDS)
        return f"{told}\n{words('panel.set_once')}" if placing.hand.variant.own_clock else told
    return words("panel.set_at_once", cards=count)


def at_once_parts(placing: PlacementPanel, words: Words, faces: Faces, *, mine: bool) -> list[str | Part]:
    """Return the cards without a place, and each row above its menu. ``mine`` is True if the board may be set now."""
    parts: list[str | Part] = [
        *_natural_parts(placing, words),
        *low_asked(placing.preview, placing.hand.variant, words, lost=placing.fouls),
        *(text for text in (_left_over(placing, words, faces),) if text),
        *button_rows(
            [button(placing.control("arrange", placing.drawn_as), words("board.arrange"), style=ButtonStyle.primary)]
        ),
    ]
    # A menu with a selection hides its placeholder, so the text above it names the row.
    hands = preview_lines(placing.preview, words, game=placing.hand.variant)
    for row, cards, hand in zip(ROWS, placing.preview.rows, hands, strict=True):
        shown = _row(placing, row, cards, hand, words, faces)
        parts += [*filter(None, [shown]), _row_select(placing, row, words, faces)]
    parts += [text for text in (warning(placing.preview, words, placing.outlook, brief=placing.brief),) if text]
    if placing.seat.fantasyland and placing.seat.placed:
        parts.append(words("panel.set_already"))
    return [*parts, *button_rows(_at_once_buttons(placing, words, mine=mine))]


def _at_once_buttons(placing: PlacementPanel, words: Words, *, mine: bool) -> list[Part]:
    other = BY_SUIT if placing.sort == BY_RANK else BY_RANK
    return [
        _confirm(placing, words, ready=placing.placement_draft.complete and mine, mine=True),
        button(placing.control("sort", written(other, placing.drawing)), words(f"button.sort_{other}")),
        button(
            placing.control("clear", placing.drawn_as),
            words("button.clear"),
            disabled=not placing.placement_draft.draft,
        ),
        *read_all(placing, words),
    ]


def _natural_parts(placing: PlacementPanel, words: Words) -> list[str | Part]:
    """Return the natural that the cards make, with the button that declares it; empty if there is none."""
    if placing.natural is None:
        return []
    points = placing.hand.variant.naturals[placing.natural]
    text = words("panel.natural", natural=natural_name(placing.natural, words), count=points)
    return [
        text,
        *button_rows([button(placing.control("declare"), words("button.declare"), style=ButtonStyle.success)]),
    ]


def _left_over(placing: PlacementPanel, words: Words, faces: Faces) -> str:
    """Return the cards without a place. Once the board is complete, they are the discards."""
    letters = placing.placement_draft.letters
    left = [number for number in _sorted_places(placing) if letters[number] in (OPEN, DISCARD)]
    if not left:
        return ""
    cards = faces.large(faces.row(loose := [placing.cards[number] for number in left]))
    if placing.brief and faces.member_settings.deck is DeckColours.WORDS:
        cards = group_cards(loose, words, by_suit=placing.sort == BY_SUIT)
    return words(discards_key(placing) if placing.placement_draft.complete else "panel.unplaced", cards=cards)


def shown_cards(placing: PlacementPanel) -> list[Card]:
    """Return the cards in the order on screen: as dealt, or sorted if there are menus."""
    places = _sorted_places(placing) if placing.by_select else range(len(placing.cards))
    return [placing.cards[place] for place in places]


def _sorted_places(placing: PlacementPanel) -> list[int]:
    """Return the cards' numbers, sorted by rank (high first) or by suit."""
    cards = placing.cards

    def order(number: int) -> tuple[int, int]:
        rank, suit = -rank_of(cards[number]), -suit_of(cards[number])
        return (rank, suit) if placing.sort == BY_RANK else (suit, rank)

    return sorted(range(len(cards)), key=order)


def _row_select(placing: PlacementPanel, row: Row, words: Words, faces: Faces) -> Part:
    """Return the menu for one row: its cards, and those without a place."""
    letters = placing.placement_draft.letters
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
    # A menu must have an option, even if no cards are left for the row.
    options = options or [discord.SelectOption(label="–", value="-")]
    press = placing.control(f"set_{row.value.lower()}", placing.drawn_as)
    return select(press, options, placeholder=name, most=row.size)
