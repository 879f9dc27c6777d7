"""The catalogue: sentences from ``data/text/<language>/*.toml``, loaded and checked once.

A language may spread its sentences over several files; nested tables are dotted keys (``table.turn``). A table with
exactly the keys ``one`` and ``other`` is one sentence with a plural, chosen by the field ``count``. A language that
has no plural writes one string in its place.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from string import Formatter
from typing import Literal

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")
"""English first: it is the language that the others are checked against."""

TEXTS = Path(__file__).resolve().parents[2] / "data/text"
COUNT = "count"
_PLURAL = {"one", "other"}
_WORD = re.compile(r"[a-z0-9_-]+")


class TextError(Exception):
    """A mistake in the catalogue or in its use: a programming error. The text names the file and the key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One sentence in one language. ``{name}`` stands for a value; ``fields`` are all that it takes."""

    place: str
    """File and key, for messages."""
    other: str
    one: str | None = None
    """What is said of exactly one thing, where the language tells it apart."""
    plural: bool = False
    """True when the field ``count`` is required, written or not."""
    fields: frozenset[str]


Entries = Mapping[str, Entry]


def load_catalogue(folder: Path = TEXTS) -> Mapping[Language, Entries]:
    """The sentences of every language by key; raises TextError."""
    english = _load(folder, "en")
    catalogue: dict[Language, Entries] = {"en": english}
    for language in LANGUAGES[1:]:
        catalogue[language] = _matched(_load(folder, language), english, language)
    return catalogue


def _load(folder: Path, language: Language) -> dict[str, Entry]:
    """One language from its files, merged."""
    entries: dict[str, Entry] = {}
    for path in sorted((folder / language).glob("*.toml")):
        name = f"{language}/{path.name}"
        for key, entry in _entries(_read(path, name), name, ()):
            if key in entries:
                raise TextError(f"{entry.place}: already defined in {entries[key].place}")
            entries[key] = entry
    if not entries:
        raise TextError(f"{folder / language}: no sentences are there")
    return entries


def _read(path: Path, name: str) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TextError(f"{name}: {error}") from error


def _entries(table: Mapping[str, object], file: str, above: tuple[str, ...]) -> Iterator[tuple[str, Entry]]:
    """Every sentence below ``table`` with its dotted key."""
    for word, value in table.items():
        key = ".".join((*above, word))
        place = f"{file}: {key}"
        if not _WORD.fullmatch(word):
            raise TextError(f"{place}: a key is made of a-z, 0-9, _ and -")
        if isinstance(value, dict) and value.keys() != _PLURAL:
            yield from _entries(value, file, (*above, word))
        elif isinstance(value, dict):
            yield key, _plural_entry(value, place)
        else:
            yield key, Entry(place=place, other=_text(value, place), fields=_fields(value, place))


def _plural_entry(table: Mapping[str, object], place: str) -> Entry:
    one, other = table["one"], table["other"]
    fields = _fields(other, place)
    if stray := _fields(one, place) - fields - {COUNT}:
        raise TextError(f"{place}: {_braced(stray)} stands in one, but not in other")
    return Entry(place=place, other=_text(other, place), one=_text(one, place), plural=True, fields=fields | {COUNT})


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise TextError(f"{place}: {value!r} is not a sentence")
    if not value.strip():
        raise TextError(f"{place}: nothing is written")
    return value


def _fields(value: object, place: str) -> frozenset[str]:
    """The named fields of a sentence; raises TextError for any other use of braces."""
    try:
        parts = list(Formatter().parse(_text(value, place)))
    except ValueError as error:
        raise TextError(f"{place}: {error}") from error
    fields = set()
    for _, field, form, conversion in parts:
        if field is None:
            continue
        if not field.isidentifier() or form or conversion:
            raise TextError(f"{place}: a field is a plain name in braces, such as {{name}}")
        fields.add(field)
    return frozenset(fields)


def _matched(entries: dict[str, Entry], english: Entries, language: Language) -> Entries:
    """``entries`` with English plurals taken over; refused unless keys and fields are those of English."""
    for key in sorted(english.keys() - entries.keys()):
        raise TextError(f"{english[key].place}: not in {language}")
    for key in sorted(entries.keys() - english.keys()):
        raise TextError(f"{entries[key].place}: not in en")
    return {key: _matched_entry(entry, english[key], language) for key, entry in entries.items()}


def _matched_entry(entry: Entry, english: Entry, language: Language) -> Entry:
    if english.plural:
        entry = replace(entry, one=entry.one or entry.other, plural=True, fields=entry.fields | {COUNT})
    if missing := english.fields - entry.fields:
        raise TextError(f"{entry.place}: {_braced(missing)} of {english.place} is missing")
    if unknown := entry.fields - english.fields:
        raise TextError(f"{entry.place}: {_braced(unknown)} is unknown to {english.place}")
    return entry


def _braced(fields: frozenset[str]) -> str:
    return ", ".join(f"{{{field}}}" for field in sorted(fields))
