"""Choices that are typed and not taken from the list: a part of a name is enough where it fits one thing alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.base.clean_text import one_line
from bot.model.reasons import ServerReason
from bot.pure.ofc.refusals import Refused
from bot.text.words import Words, escape_name
from bot.text.zones import zone_written, zones, zones_with

T = TypeVar("T")
MOST_NAMED = 30
"""Names in one sentence."""
LONGEST_TYPED = 60
_HIRAGANA = {sign: sign - 0x60 for sign in range(0x30A1, 0x30F7)}
"""Katakana as hiragana, so that either finds the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Generic[T]):
    """Something that can be chosen by its name."""

    name: str
    """The name as its reader sees it."""
    value: T
    others: tuple[str, ...] = ()
    """Other spellings that are understood, such as its name in another language; they are never shown."""
    said: str = ""
    """The one of them by which it's shown once chosen, because ``name`` has facts that change; empty for ``name``."""


def fitting(typed: str, named: Sequence[Named[T]]) -> list[Named[T]]:
    """Return the things whose name is what was typed, or else those with a name that holds it."""
    wanted = folded(typed)
    spelt = [(one, [folded(name) for name in (one.name, *one.others)]) for one in named]
    return [one for one, names in spelt if wanted in names] or [
        one for one, names in spelt if any(wanted in name for name in names)
    ]


def the_one(typed: str, named: Sequence[Named[T]], words: Words) -> T:
    """Return the only thing that was typed, or the only one whose name begins so.

    Raises Refused, which lists the names that fit, or all of them.
    """
    found = fitting(typed, named)
    begun = [one for one in found if folded(one.name).startswith(folded(typed))]
    for alone in (found, begun):
        if len(alone) == 1:
            return alone[0].value
    said = escape_name(one_line(typed)[:LONGEST_TYPED])
    names = said_names(found or named, words)
    raise Refused(ServerReason.SEVERAL_FIT if found else ServerReason.NONE_FITS, typed=said, names=names)


def said_names(named: Sequence[Named[T]], words: Words) -> str:
    """Return the names in one sentence; of many, the first ones and how many more there are."""
    names = [escape_name(one.name) for one in named]
    if more := len(names[MOST_NAMED:]):
        names[MOST_NAMED:] = [words("typed_choice.more", count=more)]
    return words.list(names)


def zone_meant(typed: str, words: Words) -> str | None:
    """Return the time zone of a name or a town, or of a part that fits one zone alone; None for what fits none.

    Raises Refused, which lists those that fit.
    """
    if (known := zone_written(typed)) is not None:
        return known
    found = zones_with(typed, most=len(zones())) if typed.strip() else []
    return the_one(typed, [Named(name=name, value=name) for name in found], words) if found else None


def folded(text: str) -> str:
    """Return the text without what people leave out or write otherwise: case, width, kana, spaces and signs."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_HIRAGANA)
    return "".join(sign for sign in plain if sign.isalnum()) or plain.strip()
