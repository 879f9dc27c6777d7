"""Pieces that screens of all rooms share: colours, names, times, the length of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.model.ids import is_computer, is_gone
from bot.ofc.variants import Variant
from bot.text.fingerprints import fingerprint
from bot.text.names import computer_name, gone_name
from bot.text.words import Words
from bot.ui.widgets import ACTION_ROW, Part, Screen

TABLE_COLOUR = 0x2E7D5B
TURN_COLOUR = 0xE0A82E
RESULT_COLOUR = 0x5B6EE1
QUIET_COLOUR = 0x80848E
FOUL_COLOUR = 0xC0392B
SHORT = 8
"""Characters of a fingerprint where it is not told whole."""
MOST_TEXT = 4000
"""Characters of text in one message."""


def player_name(player: str, words: Words) -> str:
    """A mention (which names the person and is never sent as a ping), or the computer's name."""
    if is_computer(player):
        return computer_name(player, words)
    if is_gone(player):
        return gone_name(player, words)
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


def text_length(view: Screen) -> int:
    """How many characters of text a message shows, its texts on lines of their own; Discord takes 4,000."""
    return sum(_text_lengths(view.parts))


def _text_lengths(parts: Iterable[Part]) -> Iterator[int]:
    for part in parts:
        if "content" in part:
            yield len(part["content"]) + 1
        elif part["type"] != ACTION_ROW:
            yield from _text_lengths(part.get("components", ()))


def short_hash(digest: bytes) -> str:
    """The first eight digits of a commitment that is told in digits."""
    return f"`{digest.hex()[:SHORT]}`"


def short_fingerprint(digest: bytes) -> str:
    """The beginning of a fingerprint: who wants to check it finds it whole where it was posted."""
    return f"`{fingerprint(digest)[:SHORT]}`"
