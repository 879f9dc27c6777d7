"""Typed placements such as ``bmd`` or ``Ah b Kd m``: parsing, errors and suggestions."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bot.chat.kit.text_only import rank_heard, spoken
from bot.chat.table.screens.panel import Panel
from bot.chat.table.screens.placement_draft import PlacementPanel
from bot.chat.table.screens.placing import shown_cards
from bot.model.choices import MemberSettings
from bot.model.tables import Table
from bot.pure.ofc.cards import DISCARD, EMPTY, JOKERS, RANKS, ROWS, Card, CardError, Row, card_name, parse_card
from bot.pure.ofc.variants import Variant
from bot.text.cards import JOKER, card_text, rank_name, row_name, row_text
from bot.text.games import full_name
from bot.text.languages import LANGUAGES
from bot.text.words import Words, capital

MAX_LETTERS = 5
"""Maximum number of cards placed by letters only. With more, cards must be named because they're shown sorted."""
_LETTERS = {name: letter for language in LANGUAGES.values() for name, letter in language.typed.places.items()}
_JOKERS = sorted({JOKER, *(name for language in LANGUAGES.values() for name in language.typed.jokers)}, key=len)
_SUITS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs", "\ufe0e\ufe0f")
_JOKER = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(map(re.escape, reversed(_JOKERS)))})", re.IGNORECASE)
_CARDS = re.compile(r"(?<![a-z0-9])((?:(?:10|[2-9tjqka])[cdhs])+)", re.IGNORECASE)
_CARD = re.compile(r"(?:10|[2-9tjqka])[cdhs]", re.IGNORECASE)
_ROWS = re.compile(
    "|".join(sorted(map(re.escape, filter(lambda name: not name.isascii(), _LETTERS)), key=len)[::-1]), re.IGNORECASE
)
"""Row names in scripts that no card uses, so they need no gap."""
_PLACE = re.compile("|".join(sorted(map(re.escape, _LETTERS), key=len)[::-1]), re.IGNORECASE)
"""A row or the discards, by its letter or its full name."""
_BETWEEN = re.compile(r"[\s,、・:=→]+")
_EXAMPLE = "BMBFM"
"""The order of rows in an example."""
_RANKS = {name.casefold(): rank for rank in range(2, 15) for name in {rank_name(rank), RANKS[rank - 2]}}
_SHOWN = 20
"""Maximum number of characters of an unknown word that an error repeats."""


class TypedCardsError(Exception):
    """A typed placement isn't valid. ``kind`` is a sentence of ``typed.slip``, and ``details`` are its values."""

    def __init__(self, kind: str, **details: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.details = details


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedCards:
    """A typed text without its trailing ``!`` or ``!!``, and their meaning."""

    text: str
    declares: bool
    """True if the text ended in ``!``, which declares the natural."""
    insists: bool
    """True if the text ended in ``!!``, which confirms it even if it fouls."""

    @property
    def order(self) -> str:
        """``undo``, ``arrange`` or ``confirm`` for a draft; empty for a placement."""
        orders = {name: order for language in LANGUAGES.values() for name, order in language.typed.orders.items()}
        return orders.get(self.text.casefold(), "")


def read(text: str) -> TypedCards:
    """Parse the ``!`` or ``!!`` at the end of ``text``."""
    plain = unicodedata.normalize("NFKC", text).strip()
    bare = plain.rstrip("! ")
    marks = plain[len(bare) :].count("!")
    return TypedCards(text=bare, declares=marks == 1, insists=marks > 1)


def parse_letters(text: str, held: Sequence[Card], *, to_place: int, room: Mapping[Row, int] | None = None) -> str:
    """Return the typed placement, one letter per card in the order dealt; raises TypedCardsError.

    Up to five cards may be placed by letters only, in the order dealt, which is also the order shown. Otherwise, cards
    are named together with their rows, as in ``9h 9c f`` or ``f: 9h 9c``. Once ``to_place`` cards have been named, the
    rest are discarded. ``room`` is the number of free places in each row.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_SUITS)
    compact = _BETWEEN.sub("", plain)
    if not compact:
        raise TypedCardsError("nothing")
    places, rest = _places(compact)
    if not rest:
        letters = _by_letters(places, held)
    elif not _JOKER.search(plain) and not _CARDS.search(plain) and len(places + rest) == len(held) <= MAX_LETTERS:
        raise TypedCardsError("no_row", what=rest[0])
    else:
        letters = _by_names(_groups(_tokens(plain)), held, to_place=to_place)
    _check(letters, held, to_place=to_place, room={row: row.size for row in ROWS} if room is None else room)
    return letters


def names_no_card(text: str) -> bool:
    """True if a placement names only rows, so that it would fit any cards held."""
    return not _places(_BETWEEN.sub("", unicodedata.normalize("NFKC", text)))[1]


def _places(compact: str) -> tuple[str, str]:
    """Return the placement at the start of a text without gaps, and the rest, which names no row.

    Each row is typed by its letter or its whole name: ``bmd``, ``下中捨`` or ``したなかすて``.
    """
    letters, end = "", 0
    while name := _PLACE.match(compact, end):
        letters += _LETTERS[name[0].casefold()]
        end = name.end()
    return letters, compact[end:]


def _by_letters(letters: str, held: Sequence[Card]) -> str:
    if len(held) > MAX_LETTERS:
        raise TypedCardsError("name_them", count=len(held))
    if len(letters) != len(held):
        raise TypedCardsError("letters", count=len(letters), cards=len(held))
    return letters


def _tokens(plain: str) -> list[str]:
    """Split a placement into cards, rows and unknown words. A card and its row need no gap."""
    apart = _JOKER.sub(f" {JOKER} ", plain)
    apart = _CARDS.sub(lambda run: f" {' '.join(_CARD.findall(run[1]))} ", apart)
    apart = _ROWS.sub(r" \g<0> ", apart)
    return [token for token in _BETWEEN.split(apart) if token]


def _groups(tokens: Sequence[str]) -> list[tuple[str, str]]:
    """Return each card with its row's letter. Rows follow their cards, unless the text starts with a row.

    Raises TypedCardsError. An unknown word counts before anything that may only follow from it, such as rows without
    cards.
    """
    for token in sorted(tokens, key=lambda token: not _places(token)[1]):
        if token.casefold() not in _LETTERS:
            _meant(token)
    first = bool(tokens) and tokens[0].casefold() in _LETTERS
    pairs: list[tuple[str, str]] = []
    waiting: list[str] = []
    row = ""
    for token in tokens:
        letter = _LETTERS.get(token.casefold())
        if letter is None:
            waiting.append(token)
            continue
        if not waiting and (row or not first):
            raise TypedCardsError("row_alone", what=token)
        pairs += [(card, row or letter) for card in waiting] if not first or row else []
        waiting, row = [], letter if first else ""
    if waiting and not row:
        raise TypedCardsError("no_row_for", what=_told(waiting[-1]))
    return pairs + [(card, row) for card in waiting]


def _by_names(pairs: Sequence[tuple[str, str]], held: Sequence[Card], *, to_place: int) -> str:
    letters: list[str] = [""] * len(held)
    # Full names are matched first, so that a bare rank then means the remaining card.
    for alone in (False, True):
        for name, letter in pairs:
            if (name.casefold() in _RANKS) == alone:
                letters[_find_card(name, held, letters)] = letter
    if sum(letter not in ("", DISCARD) for letter in letters) == to_place:
        letters = [letter or DISCARD for letter in letters]
    if missing := [card for card, letter in zip(held, letters, strict=True) if not letter]:
        raise TypedCardsError("missing", count=len(missing), what=row_text(missing))
    return "".join(letters)


def _find_card(name: str, held: Sequence[Card], letters: Sequence[str]) -> int:
    """Return the number of the card that ``name`` means, among the held cards not named yet."""
    meant = _meant(name)
    having = [place for place, card in enumerate(held) if card in meant]
    free = [place for place in having if not letters[place]]
    if not having:
        raise TypedCardsError(
            "not_held", what=name if name.casefold() in _RANKS or name == JOKER else card_name(meant[0])
        )
    if not free:
        raise TypedCardsError("twice", what=_told(name))
    if name.casefold() in _RANKS and len({held[place] for place in free}) > 1:
        raise TypedCardsError("which_suit", what=row_text(held[place] for place in free))
    return free[0]


def _meant(name: str) -> tuple[Card, ...]:
    if name == JOKER:
        return JOKERS
    if rank := _RANKS.get(name.casefold()):
        return tuple(Card((rank - 2) * 4 + suit) for suit in range(4))
    try:
        return (parse_card(name.casefold()),)
    except CardError:
        raise TypedCardsError("unknown", what=name[:_SHOWN].replace("`", "'")) from None


def _told(name: str) -> str:
    if name == JOKER:
        return JOKER
    rank = _RANKS.get(name.casefold())
    return rank_name(rank) if rank else card_text(parse_card(name.casefold()))


def _check(letters: str, held: Sequence[Card], *, to_place: int, room: Mapping[Row, int]) -> None:
    for row in ROWS:
        typed = letters.count(row.value)
        if typed and not room[row]:
            raise TypedCardsError("full", row=row)
        if typed > room[row]:
            raise TypedCardsError("no_room", row=row, count=room[row], typed=typed)
    if letters.count(DISCARD) != (discard := len(held) - to_place):
        raise (
            TypedCardsError("wrong_count", to_place=to_place, discard=discard)
            if discard
            else TypedCardsError("no_discard")
        )


def open_places(placing: PlacementPanel) -> dict[Row, int]:
    """Return the free places of each row. In Fantasyland, all places are free because the board is set from scratch."""
    rows = EMPTY if placing.seat.fantasyland else placing.seat.rows
    return {row: row.size - sum(card is not None for card in rows[row.place]) for row in ROWS}


# Responses to the player


def table_named(table: Table, words: Words) -> str:
    """``Table 13 · 2-7 Pineapple``."""
    return words("typed.table", table=table.number, game=full_name(table.terms.variant, words))


def which_text(waiting: Sequence[Panel], words: Words, *, where: str, other_try: bool) -> str:
    """Return a text saying that nothing was placed because the hand is ambiguous, and the hands with cards to place.

    ``where`` names the last table shown, if it has no cards to place.
    """
    if other_try:
        told = words("typed.other_try")
    else:
        told = words("typed.nothing_waits", where=where) if where else words("typed.which")
    if not waiting:
        return told
    return "\n".join([told, *(f"- {waiting_text(panel, words)}" for panel in waiting), words("typed.name_it")])


def waiting_text(panel: Panel, words: Words) -> str:
    """Return ``Table 13 · 2-7 Pineapple: 3 cards``, or only the name of a table with no cards to place."""
    where = table_named(panel.view.table, words)
    return words("typed.waits", where=where, count=len(panel.cards)) if panel.waits else where


def slip_text(slip: TypedCardsError, placing: PlacementPanel, words: Words, *, where: str) -> str:
    """Return the error, the table, the cards held, and how to type them."""
    told = words(f"typed.slip.{slip.kind}", **{name: _in_words(value, words) for name, value in slip.details.items()})
    held = placing.cards
    cards = words("typed.cards", count=len(held), cards=row_text(shown_cards(placing)))
    return f"**{where}**\n{told}\n{cards}\n{_how(placing, words)}"


def _how(placing: PlacementPanel, words: Words) -> str:
    if len(placing.cards) > MAX_LETTERS:
        return words("typed.how_names")
    language = words.language
    names: dict[str, str] = {}
    for name, letter in language.typed.places.items():
        names.setdefault(letter, name)
    letters = _example(placing)
    example = "".join(names.get(letter, letter) for letter in letters).upper()
    whole = language.space.join(language.typed.place_words.get(letter, letter) for letter in letters)
    return words("typed.how_letters", example=example, whole=whole)


def _in_words(value: Any, words: Words) -> str | int:
    if isinstance(value, Row):
        return row_name(value, words)
    if isinstance(value, Variant):
        return full_name(value, words)
    return value if isinstance(value, int) else str(value)


def done_text(placing: PlacementPanel, letters: str, words: Words, *, where: str, ahead: bool = False) -> str:
    """Return the cards that were just placed, or confirmed ``ahead`` of the player's turn, and the table."""
    placed = [
        f"{row_text(cards)}{words(f'place.{letter.lower()}')}"
        for letter in (*(row.value for row in ROWS), DISCARD)
        if (cards := [card for card, its in zip(placing.cards, letters, strict=True) if its == letter])
    ]
    return words("typed.placed_ahead" if ahead else "typed.placed", where=where, cards=words.list(placed))


def _example(placing: PlacementPanel) -> str:
    """Return an example placement of these cards in letters, such as ``BMD``."""
    room, to_place = {row.value: count for row, count in open_places(placing).items()}, placing.hand.to_place
    letters = ""
    while len(letters) < to_place:
        free = [letter for letter in _EXAMPLE if letters.count(letter) < room[letter]]
        turn = _EXAMPLE[len(letters) % len(_EXAMPLE)]
        letters += turn if turn in free else free[0]
    return letters + DISCARD * (len(placing.cards) - to_place)


# Suggestions while the player types

MAX_CHOICES = 25
MAX_CARDS_TO_SUGGEST = 6
MAX_COMPARED = 250
"""Maximum number of placements compared per keystroke."""
LETTERS = "BMFD"
"""The order of rows in suggestions."""
MAX_TEXT_ONLY_SUGGESTIONS = 5
"""Maximum number of suggestions in *Text only*, because they're read aloud one after the other."""
CHOICE_LENGTH = 100


def typed_in(text: str, placing: PlacementPanel) -> str:
    """Return the placement typed for a panel, one letter per card; raises TypedCardsError."""
    return parse_letters(text, placing.cards, to_place=placing.hand.to_place, room=open_places(placing))


def suggested(
    placing: PlacementPanel, current: str, words: Words, member_settings: MemberSettings, *, where: str = ""
) -> list[tuple[str, str]]:
    """Return the suggestions in their reader's words, each with the text to type."""
    return [
        (spoken(name, words, member_settings)[:CHOICE_LENGTH], as_typed(letters, placing.cards))
        for letters, name in suggestions(placing, current, words, where=where)
    ]


def suggestions(placing: PlacementPanel, current: str, words: Words, *, where: str = "") -> list[tuple[str, str]]:
    """Return up to 25 placements (letters, text) that start with the typed letters or contain the typed words.

    Only the first ``MAX_COMPARED`` are searched, so that a keystroke doesn't delay other players' presses.
    """
    held = placing.cards
    if len(held) > MAX_CARDS_TO_SUGGEST:
        return []
    room = {row.value: count for row, count in open_places(placing).items()}
    room[DISCARD] = len(held) - placing.hand.to_place
    wanted = current.strip().casefold()
    compact = _BETWEEN.sub("", unicodedata.normalize("NFKC", wanted))
    begins = _places_so_far(compact)
    if words.heard:
        return _few(room, held, begins, wanted="" if begins else wanted, words=words, where=where)
    named = [{letter: f"{card_text(card)}{words(f'place.{letter.lower()}')}" for letter in room} for card in held]
    found = (
        (letters, _suggestion_text(where, [one[letter] for one, letter in zip(named, letters, strict=True)], words))
        for letters in islice(_placements(room, count=len(held), begins=begins), MAX_COMPARED)
    )
    fitting = (one for one in found if begins or wanted in one[1].casefold())
    return [(letters, name[:CHOICE_LENGTH]) for letters, name in islice(fitting, MAX_CHOICES)]


def _suggestion_text(where: str, placed: Sequence[str], words: Words) -> str:
    """Return ``Table 3 · Pineapple OFC: A♠→back K♥→back 2♣→discard``."""
    # Languages without spaces need a comma.
    cards = (words.language.space or words("aloud.pause")).join(placed)
    return words("typed.suggested", where=where, cards=cards) if where else cards


def _places_so_far(compact: str) -> str:
    """Return the placement in a text that may end in the middle of a row's name; empty if it contains anything else."""
    for end in range(len(compact), 0, -1):
        letters, rest = _places(compact[:end])
        if not rest and any(name.startswith(compact[end:]) for name in _LETTERS):
            return letters
    return ""


def _few(
    room: Mapping[str, int], held: Sequence[Card], begins: str, *, wanted: str, words: Words, where: str
) -> list[tuple[str, str]]:
    """Return the suggestions for *Text only*: one placement for each row the next card can go to, read row by row."""
    found: Iterator[str]
    if wanted:
        found = islice(_placements(room, count=len(held), begins=""), MAX_COMPARED)
    else:
        nexts = [begins + letter for letter in LETTERS] if len(begins) < len(held) else [begins]
        each = (next(_placements(room, count=len(held), begins=beginning), None) for beginning in nexts)
        found = (letters for letters in each if letters is not None)
    ranks = Counter(rank_heard(card, words) for card in held)
    # The suit is needed only if two cards have the same rank.
    called = [card_text(card) if ranks[rank_heard(card, words)] > 1 else rank_heard(card, words) for card in held]
    names: dict[str, str] = {}
    for letters in found:
        name = words.side_by_side([*_rows_heard(called, letters, words), where]).strip()
        if wanted in name.casefold():
            names.setdefault(name, letters)
    return [(letters, name) for name, letters in islice(names.items(), MAX_TEXT_ONLY_SUGGESTIONS)]


def _rows_heard(called: Sequence[str], letters: str, words: Words) -> list[str]:
    """Return ``Front: queen. Back: ace, king.``"""
    told = []
    for letter, row in (*((row.value, capital(row_name(row, words))) for row in ROWS), (DISCARD, "")):
        if cards := words("aloud.pause").join(name for name, its in zip(called, letters, strict=True) if its == letter):
            told.append(words("aloud.row", row=row, cards=cards) if row else words("aloud.discard", cards=cards))
    return told


def as_typed(letters: str, held: Sequence[Card]) -> str:
    """Return a placement as a player would type it: in letters, or with card names if there are many cards."""
    if len(held) <= MAX_LETTERS:
        return letters
    return " ".join(
        f"{letter.lower()}: {' '.join(names)}"
        for letter in (*(row.value for row in ROWS), DISCARD)
        if (names := [card_name(card) for card, its in zip(held, letters, strict=True) if its == letter])
    )


def _placements(room: Mapping[str, int], *, count: int, begins: str, letters: str = "") -> Iterator[str]:
    """Yield the placements of ``count`` cards that start with ``begins`` and fit the free places in ``room``."""
    to_place = count - len(letters)
    if len(begins) > count or room[DISCARD] - letters.count(DISCARD) > to_place:
        return
    if not to_place:
        yield letters
        return
    for letter in begins[len(letters)] if len(letters) < len(begins) else LETTERS:
        if letters.count(letter) < room[letter]:
            yield from _placements(room, count=count, begins=begins, letters=letters + letter)
