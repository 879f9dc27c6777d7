"""Choices typed freely instead of selected from the list. Part of a name is enough if it's unambiguous."""

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
MAX_NAMED = 30
"""Maximum number of names in a sentence."""
MAX_TYPED_LENGTH = 60
_HIRAGANA = {sign: sign - 0x60 for sign in range(0x30A1, 0x30F7)}
"""Katakana to hiragana, so that each matches the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedChoice(Generic[T]):
    """A choice with its name."""

    name: str
    """The name in the player's language."""
    value: T
    others: tuple[str, ...] = ()
    """Other accepted spellings, such as the name in another language. They are never shown."""
    said: str = ""
    """Spelling from ``others`` to show once it's chosen, if ``name`` contains facts that change; empty for ``name``."""


def fitting(typed: str, named: Sequence[NamedChoice[T]]) -> list[NamedChoice[T]]:
    """Return the entries with exactly the typed name or, if there are none, those whose name contains it."""
    wanted = normalise(typed)
    spelt = [(one, [normalise(name) for name in (one.name, *one.others)]) for one in named]
    return [one for one, names in spelt if wanted in names] or [
        one for one, names in spelt if any(wanted in name for name in names)
    ]


def the_one(typed: str, named: Sequence[NamedChoice[T]], words: Words) -> T:
    """Return the value of the only entry with the typed name, or of the only one whose name starts with it.

    Otherwise, raises Refused with the matching names, or with all names if none match.
    """
    found = fitting(typed, named)
    begun = [one for one in found if normalise(one.name).startswith(normalise(typed))]
    for alone in (found, begun):
        if len(alone) == 1:
            return alone[0].value
    said = escape_name(one_line(typed)[:MAX_TYPED_LENGTH])
    names = said_names(found or named, words)
    raise Refused(ServerReason.SEVERAL_FIT if found else ServerReason.NONE_FITS, typed=said, names=names)


def said_names(named: Sequence[NamedChoice[T]], words: Words) -> str:
    """Return the names as one sentence. After ``MAX_NAMED`` names, it gives the number of remaining ones."""
    names = [escape_name(one.name) for one in named]
    if more := len(names[MAX_NAMED:]):
        names[MAX_NAMED:] = [words("typed_choice.more", count=more)]
    return words.list(names)


def zone_meant(typed: str, words: Words) -> str | None:
    """Return the time zone for a name, town or unambiguous part of one; None if nothing matches.

    If several zones match, raises Refused with a list of them.
    """
    if (known := zone_written(typed)) is not None:
        return known
    found = zones_with(typed, most=len(zones())) if typed.strip() else []
    return the_one(typed, [NamedChoice(name=name, value=name) for name in found], words) if found else None


def normalise(text: str) -> str:
    """Normalise text for comparison by ignoring case, width, kana, spaces and symbols."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_HIRAGANA)
    return "".join(sign for sign in plain if sign.isalnum()) or plain.strip()
