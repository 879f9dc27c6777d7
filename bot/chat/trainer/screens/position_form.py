"""Entering a position: the panel with the choice of game, the form, typed positions, and their mistakes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from discord import ButtonStyle, SelectOption

from bot.chat.kit.custom_ids import Press, game_argument
from bot.chat.kit.fragments import MAX_OPTIONS, NOWHERE, QUIET_COLOUR
from bot.chat.kit.modals import FormField
from bot.chat.kit.widgets import BLOCK, Part, Screen, button, button_rows, link, screen, select
from bot.pure.ofc.cards import JOKERS, card_name
from bot.pure.ofc.variants import Variant
from bot.pure.trainer.position import EXAMPLE, OPPONENTS, Position, PositionError, Slip
from bot.text.cards import JOKER
from bot.text.games import full_name, preset_name
from bot.text.words import Words

VERB = "an_"
"""Prefix of the controls' verbs."""
MAX_LENGTH = 300
"""Maximum number of characters of a typed position."""
_BOARD, _CARDS, _DISCARDS, _OPPONENTS = 60, 60, 30, 250
"""Maximum number of characters per field of the form."""
_SIGNS = str.maketrans(
    {**dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True)), **dict.fromkeys("\ufe0e\ufe0f`"), "−": "-", "–": "-", "ー": "-"}
)
_AGAINST = re.compile(r"(?<=\s)(?:vs\.?|対)(?=\s|$)", re.IGNORECASE)
_JOKER_SIGN = re.compile(JOKER)
_EMPTY = "//"


def about(game: Variant, verb: str) -> Press:
    """Return a press about positions of a game."""
    return NOWHERE.but(VERB + verb, game_argument(game))


# The panel.


def entry_screen(game: Variant, games: Sequence[Variant], words: Words, *, page: str = "") -> Screen:
    """Draw the panel for entering a position of ``game``, which can be changed to another of ``games``.

    ``page`` is the address of the reader's page, if there is one.
    """
    options = [
        SelectOption(label=_game_name(one, words)[:100], value=game_argument(one), default=one == game)
        for one in games[:MAX_OPTIONS]
    ]
    lines = [
        f"### {words('analysis.entry.title')}",
        words("analysis.entry.text"),
        words("analysis.entry.typed", example=EXAMPLE),
        words("analysis.entry.file"),
    ]
    return screen(
        "\n".join(lines),
        select(about(game, "game"), options, placeholder=words("analysis.entry.game")),
        *button_rows([enter_button(game, words, style=ButtonStyle.success), *page_button(page, words)]),
        colour=QUIET_COLOUR,
    )


def enter_button(
    game: Variant, words: Words, *, change: bool = False, style: ButtonStyle = ButtonStyle.secondary
) -> Part:
    """Return the button that opens the form."""
    return button(about(game, "enter"), words(f"analysis.button.{'change' if change else 'enter'}"), style=style)


def page_button(page: str, words: Words) -> list[Part]:
    """Return the link to the reader's page, if there is one."""
    return [link(page, words("puzzle.button.page"))] if page else []


def _game_name(game: Variant, words: Words) -> str:
    return game.house_name or preset_name(game, words)


# The form.


def position_fields(words: Words, position: str = "") -> list[FormField]:
    """Return the fields of the form, filled in from ``position``, which needn't be a valid one."""
    board, held, discards, opponents = split(position)
    return [
        FormField(
            label=words("analysis.field.board"),
            hint=words("analysis.field.board_hint"),
            value=board[:_BOARD],
            most=_BOARD,
            optional=True,
        ),
        FormField(
            label=words("analysis.field.held"),
            hint=words("analysis.field.held_hint"),
            value=held[:_CARDS],
            most=_CARDS,
            optional=True,
        ),
        FormField(
            label=words("analysis.field.opponents"),
            hint=words("analysis.field.opponents_hint"),
            value=opponents[:_OPPONENTS],
            most=_OPPONENTS,
            long=True,
        ),
        FormField(
            label=words("analysis.field.discards"),
            hint=words("analysis.field.discards_hint"),
            value=discards[:_DISCARDS],
            most=_DISCARDS,
            optional=True,
        ),
    ]


def split(position: str) -> tuple[str, str, str, str]:
    """Return a typed position by field of the form: the board, cards to place, discards and opponents."""
    own, _, others = position.partition(f" {OPPONENTS}")
    words = own.split()
    board = " ".join(word for word in words if word[0] not in "+-")
    held, discards = (" ".join(word[1:] for word in words if word[0] == mark) for mark in "+-")
    return board, held, discards, "\n".join(others.split())


def joined(values: Sequence[str]) -> str:
    """Return the position in the form's fields.

    >>> joined(["/7c / As Ks", "Qh 2c", "", ""])
    '/7c/AsKs +Qh2c'
    """
    board, held, opponents, discards = (plain(value) for value in (*values, "", "", "", "")[:4])
    parts = ["".join(board.split()) or _EMPTY, f"+{_bare(held, '+')}"]
    if away := _bare(discards, "-"):
        parts.append(f"-{away}")
    boards = [one for line in values[2].splitlines() for one in _boards(plain(line))] if opponents else []
    return " ".join([*parts, OPPONENTS, *boards] if boards else parts)


def _bare(text: str, mark: str) -> str:
    return "".join(text.split()).removeprefix(mark)


def _boards(line: str) -> Iterator[str]:
    """Yield the boards of a line, which may be apart or written with blanks between their cards."""
    words = line.removeprefix(OPPONENTS).split()
    if all(word.count("/") == _EMPTY.count("/") or word.startswith("@") for word in words):
        yield from words
    else:
        yield "".join(words)


def plain(text: str) -> str:
    """Return a typed position with the characters of the notation instead of symbols and wide ones.

    >>> plain("Ｋ♦/7♣/ +Q♥2♣ VS //")
    'Kd/7c/ +Qh2c vs //'
    """
    jokers = iter((*map(card_name, JOKERS), *[JOKER] * len(text)))
    named = _JOKER_SIGN.sub(lambda _: next(jokers), text)
    return _AGAINST.sub(OPPONENTS, unicodedata.normalize("NFKC", named).translate(_SIGNS)).strip()


# The position in a message, which its buttons read.


def position_block(position: Position) -> str:
    """Return the position as a part of a message's text, for :func:`shown_position`."""
    return f"{BLOCK}\n{position}\n{BLOCK}"


def shown_position(texts: Sequence[str]) -> str:
    """Return the position that a message shows; empty if it shows none."""
    blocks = [text.strip("`\n") for text in texts if text.startswith(BLOCK + "\n")]
    return next((block for block in blocks if "\n" not in block), "")


# Mistakes in a position.


def slip_text(error: PositionError, game: Variant, words: Words) -> str:
    """Return a sentence about a mistake, with an example."""
    details = dict(error.details)
    if "row" in details:
        details["row"] = words(f"row.{details['row']}")
    if "numbers" in details:
        details["numbers"] = words.list([f"`@{number}`" for number in details["numbers"]])
    for name in ("word", "card", "typed"):
        if name in details:
            details[name] = str(details[name]).replace("`", "")[:40] or "–"
    if error.slip in _OF_GAME:
        details["game"] = full_name(game, words)
    said = words(f"analysis.slip.{error.slip.value}", **details)
    return words("analysis.slip.with_example", slip=said, example=EXAMPLE) if error.slip in _OF_NOTATION else said


_OF_NOTATION = frozenset({Slip.NO_BOARD, Slip.NO_OPPONENT, Slip.MISPLACED, Slip.ROWS})
"""Slips that the example of a whole position helps with. The other sentences have one that fits."""
_OF_GAME = frozenset(
    {
        *(Slip.NOT_IN_DECK, Slip.PLAYERS, Slip.NO_FANTASYLAND, Slip.OTHER_FANTASYLAND, Slip.BOARD),
        Slip.HIDDEN_DISCARDS,
    }
)
"""Slips whose sentence names the game."""
