"""Custom ids of buttons, selects and forms. They contain everything that a press needs, so old ones keep working.

A custom id is ``c1:verb:table.tag~terms:hand:street:draft:chosen:argument`` (``s1:`` for a select), at most 100
characters. The tag distinguishes tables or events with the same number, because numbers can be reused after a restore.
The terms are a digest of the conditions shown on a button that takes chips or commits the player
(``bot/play/terms.py``). The draft is an unfinished placement with two characters per card: its position in the order
dealt (base 36) and the letter of its row. Nothing in a custom id is secret. Nothing in it is trusted either, because
permissions are checked against the database.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from typing_extensions import override

from bot.model.ids import TableId
from bot.pure.ofc.variants import Variant

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_FIELDS = (
    r"(?P<verb>[a-z_]{1,16}):(?P<table>\d{1,9})(?:\.(?P<tag>[0-9a-f]{6}))?(?:~(?P<terms>[0-9a-f]{12}))?:"
    r"(?P<hand>\d{1,9}):(?P<street>\d{1,2}):"
    r"(?P<draft>(?:[0-9a-z][FMBD]){0,17}):(?P<chosen>[0-9a-z]?):(?P<argument>[A-Za-z0-9_-]{0,16})"
)
BUTTON_TEMPLATE = re.compile(r"c1:" + _FIELDS)
SELECT_TEMPLATE = re.compile(r"s1:" + _FIELDS)
MODAL_TEMPLATE = re.compile(r"m1:" + _FIELDS)

Draft = tuple[tuple[int, str], ...]
"""Cards placed so far, in the order placed: (position in the order dealt, letter of the row)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A decoded custom id."""

    verb: str
    table: TableId
    tag: str = ""
    """Tag of the table or event that the control was drawn for; empty if it has none."""
    hand: int = 0
    street: int = 0
    draft: Draft = ()
    chosen: int | None = None
    """The card that the next row button places."""
    argument: str = ""
    terms: str = ""
    """The terms shown with the control; empty if it has none."""

    @override
    def __str__(self) -> str:
        draft = "".join(_DIGITS[place] + letter for place, letter in self.draft)
        chosen = "" if self.chosen is None else _DIGITS[self.chosen]
        table = f"{self.table}.{self.tag}" if self.tag else f"{self.table}"
        table += f"~{self.terms}" if self.terms else ""
        return f"{self.verb}:{table}:{self.hand}:{self.street}:{draft}:{chosen}:{self.argument}"

    def but(self, verb: str, argument: str = "", *, terms: str = "") -> Press:
        """Return a copy with another verb and argument, and only the given ``terms``."""
        return Press(
            verb=verb,
            table=self.table,
            tag=self.tag,
            hand=self.hand,
            street=self.street,
            draft=self.draft,
            chosen=self.chosen,
            argument=argument,
            terms=terms,
        )


def decode(match: re.Match[str]) -> Press:
    """Return the press of a custom id that matched a template."""
    draft = match["draft"]
    return Press(
        verb=match["verb"],
        table=TableId(int(match["table"])),
        tag=match["tag"] or "",
        hand=int(match["hand"]),
        street=int(match["street"]),
        draft=tuple((_DIGITS.index(draft[i]), draft[i + 1]) for i in range(0, len(draft), 2)),
        chosen=_DIGITS.index(match["chosen"]) if match["chosen"] else None,
        argument=match["argument"],
        terms=match["terms"] or "",
    )


_ARGUMENT = re.compile(r"[A-Za-z0-9_-]{0,14}")


def as_argument(value: str) -> str:
    """Return ``value`` if it fits in a custom id, otherwise a digest of it."""
    return value if _ARGUMENT.fullmatch(value) else hashlib.sha256(value.encode()).hexdigest()[:12]


# Discord ids in base 36, because an argument has room for 13 digits but not for 19.

_ID = re.compile(r"[0-9a-z]{1,14}")


def short_id(number: int) -> str:
    """Return a Discord id in base 36 for a button."""
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits or "0"


def long_id(text: str) -> int:
    """Return the Discord id of a :func:`short_id`; 0 if it's invalid."""
    return int(text, len(_DIGITS)) if _ID.fullmatch(text) else 0


# A server's own games. Tags stand in for their names, which are too long and varied for custom ids and choices.

OWN = "own-"
"""Prefix of the tag of a server's own game. Presets are chosen by their keys instead."""


def game_tag(name: str) -> str:
    """Return a game's tag of twelve digits."""
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def game_argument(game: Variant) -> str:
    """Return a game as a custom id's argument."""
    return f"-{game_tag(game.house_name)}" if game.house_name else game.key
