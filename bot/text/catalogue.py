"""The catalogue of sentences from ``data/text/<language>/*.toml``, loaded and checked once.

A language's sentences may be spread over several files. Nested tables become dotted keys (``table.turn``). A table of
plural forms, such as ``one`` and ``other``, is one sentence, and the field ``count`` selects the form. If a language
uses the same wording for all numbers, a plain string is enough.

English is complete. If another language lacks a sentence, or has one that no longer fits, the English sentence is
shown, so that a change in English never has to wait for a translation. ``python -m bot.text`` lists the gaps.

A sentence with symbols needs a twin for readers of *Text only*, such as ``turn_until-aloud`` for ``turn_until``. A
symbol that only decorates the start of a line needs no twin, because those readers get the line without it. Each
language has only the twins it needs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from string import Formatter

from bot.base.installation import SHIPPED
from bot.text.languages import ENGLISH, LANGUAGES, OTHER, PLURAL_FORMS, Language

TEXTS = SHIPPED / "text"
COUNT = "count"
ALOUD = "-aloud"
"""Suffix of the keys of twins for readers of *Text only*."""
_PICTURE = "[\u231a\u231b\u23e9-\u23ff\u25a0-\u25ff\u2600-\u265f\u2668-\u27bf\u2b50\U0001f300-\U0001faff]\ufe0f?"
ADORNMENT = re.compile(rf"^((?:-# |- |#+ |\*\*)*){_PICTURE}[ \u00a0]?(?=.)", re.MULTILINE)
"""A picture at the start of a line, after any Markdown. Suits of cards don't count."""
_WORD = re.compile(r"[a-z0-9_-]+")


class TextError(Exception):
    """A mistake in the catalogue or its use, which is a programming error. The text names the file and the key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A sentence in one language, with ``{name}`` for a value. ``fields`` are the names of all its values."""

    place: str
    """File and key, for error messages."""
    other: str
    forms: Mapping[str, str] = field(default_factory=dict)
    """The wording by plural form; ``other`` is for all remaining numbers."""
    plural: bool = False
    """True if the field ``count`` is required, even if the sentence doesn't show it."""
    fields: frozenset[str]
    is_fallback: bool = False
    """True if this is an English sentence in place of a translation."""


Entries = Mapping[str, Entry]


class GapKind(Enum):
    """Differences between a language and English."""

    MISSING = "missing"
    """There is no translation."""
    DIFFERENT = "different"
    """The translation has different values from the English sentence."""
    UNUSED = "unused"
    """There is a translation but no English sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A mismatch between English and another language. The English sentence is shown, unless the kind is UNUSED."""

    kind: GapKind
    text: str
    """File, key and difference."""


def load_catalogue(folder: Path = TEXTS, languages: Mapping[str, Language] = LANGUAGES) -> Mapping[str, Entries]:
    """Return the sentences of ``languages`` by code and key, with all gaps filled in English.

    Raises TextError for a mistake in a file.
    """
    return {code: entries for code, (entries, _) in _matched_languages(folder, languages).items()}


def find_gaps(folder: Path = TEXTS, languages: Mapping[str, Language] = LANGUAGES) -> Mapping[str, list[Gap]]:
    """Return the gaps of every language except English, by code; raises TextError for a mistake in a file."""
    matched = _matched_languages(folder, languages)
    return {code: sorted(gaps, key=lambda gap: gap.text) for code, (_, gaps) in matched.items() if code != ENGLISH.code}


def _matched_languages(folder: Path, languages: Mapping[str, Language]) -> dict[str, tuple[Entries, list[Gap]]]:
    english = _load(folder, ENGLISH)
    others = {code: language for code, language in languages.items() if language is not ENGLISH}
    matched = {code: _matched(_load(folder, language), english) for code, language in others.items()}
    return {ENGLISH.code: (english, []), **matched}


def aloud(entries: Entries) -> Entries:
    """Return the sentences for readers of *Text only*: the twin if there is one, else the sentence without decorations.

    Raises TextError for a twin without its sentence, or with a field that the sentence lacks.
    """
    for key in entries:
        if key.endswith(ALOUD):
            _check_twin(entries[key], entries.get(key.removesuffix(ALOUD)))
    twins = {key.removesuffix(ALOUD): twin for key, twin in entries.items() if key.endswith(ALOUD)}
    return {key: _twin(twins[key], entry) if key in twins else _plain(entry) for key, entry in entries.items()}


def _check_twin(twin: Entry, sentence: Entry | None) -> None:
    if sentence is None:
        raise TextError(f"{twin.place}: is the twin of a sentence that does not exist")
    if unknown := twin.fields - sentence.fields:
        raise TextError(_unknown(twin, unknown, sentence))


def _twin(twin: Entry, sentence: Entry) -> Entry:
    """Return ``twin`` with the fields of ``sentence``, though it needn't use them all."""
    return replace(twin, plural=sentence.plural, fields=sentence.fields)


def _plain(entry: Entry) -> Entry:
    forms = {form: ADORNMENT.sub(r"\1", text) for form, text in entry.forms.items()}
    return replace(entry, other=ADORNMENT.sub(r"\1", entry.other), forms=forms)


def _load(folder: Path, language: Language) -> dict[str, Entry]:
    """Return the sentences of a language, merged from its files."""
    entries: dict[str, Entry] = {}
    for path in sorted((folder / language.code).glob("*.toml")):
        name = f"{language.code}/{path.name}"
        for key, entry in _entries(_read(path, name), name, (), language):
            if key in entries:
                raise TextError(f"{entry.place}: already defined in {entries[key].place}")
            entries[key] = entry
    if not entries:
        raise TextError(f"{folder / language.code}: there are no sentences")
    return entries


def _read(path: Path, name: str) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TextError(f"{name}: {error}") from error


def _entries(
    table: Mapping[str, object], file: str, above: tuple[str, ...], language: Language
) -> Iterator[tuple[str, Entry]]:
    """Yield every sentence below ``table`` with its dotted key."""
    for word, value in table.items():
        key = ".".join((*above, word))
        place = f"{file}: {key}"
        if not _WORD.fullmatch(word):
            raise TextError(f"{place}: a key is made of a-z, 0-9, _ and -")
        if not isinstance(value, dict):
            yield key, Entry(place=place, other=_text(value, place), fields=_fields(value, place))
        elif _is_plural(value):
            yield key, _plural_entry(value, place, language)
        else:
            yield from _entries(value, file, (*above, word), language)


def _is_plural(table: Mapping[str, object]) -> bool:
    """True if the table has the plural forms of one sentence; False if it has separate sentences."""
    return len(table) > 1 and OTHER in table and table.keys() <= {*PLURAL_FORMS}


def _plural_entry(table: Mapping[str, object], place: str, language: Language) -> Entry:
    """Return a sentence with plural forms; raises TextError unless they're exactly those of the language."""
    if table.keys() != {*language.forms}:
        known, written = ", ".join(language.forms), ", ".join(table)
        raise TextError(f"{place}: the plural forms of {language.code} are {known}; here are {written}")
    forms = {form: _text(table[form], place) for form in language.forms}
    fields = _fields(forms[OTHER], place)
    for form, sentence in forms.items():
        if stray := _fields(sentence, place) - fields - {COUNT}:
            raise TextError(f"{place}: {_braced(stray)} is in {form}, but not in {OTHER}")
    return Entry(place=place, other=forms.pop(OTHER), forms=forms, plural=True, fields=fields | {COUNT})


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise TextError(f"{place}: {value!r} is not a sentence")
    if not value.strip():
        raise TextError(f"{place}: the sentence is empty")
    return value


def _fields(value: object, place: str) -> frozenset[str]:
    """Return the named fields of a sentence; raises TextError for any other use of braces."""
    try:
        parts = list(Formatter().parse(_text(value, place)))
    except ValueError as error:
        raise TextError(f"{place}: {error}") from error
    fields = set()
    for _, name, form, conversion in parts:
        if name is None:
            continue
        if not name.isidentifier() or form or conversion:
            raise TextError(f"{place}: a field is a plain name in braces, such as {{name}}")
        fields.add(name)
    return frozenset(fields)


def _matched(entries: Entries, english: Entries) -> tuple[Entries, list[Gap]]:
    """Return the sentences of one language, with gaps filled from ``english``, and the gaps themselves."""
    matched: dict[str, Entry] = {}
    gaps: list[Gap] = []
    keys = list(dict.fromkeys((*entries, *english)))
    for key in keys:
        own, original = entries.get(key), english.get(key)
        if key.endswith(ALOUD):
            continue
        if original is None:
            gaps += [Gap(kind=GapKind.UNUSED, text=own.place)] if own else []
            continue
        if own is None:
            gaps.append(Gap(kind=GapKind.MISSING, text=original.place))
        elif difference := _difference(own, original):
            gaps.append(Gap(kind=GapKind.DIFFERENT, text=difference))
            own = None
        matched[key] = _with_plural(own, original) if own else replace(original, is_fallback=True)
    for key in filter(lambda key: key.endswith(ALOUD), keys):
        twin, sentence = entries.get(key), matched.get(key.removesuffix(ALOUD))
        if twin and sentence is None:
            gaps.append(Gap(kind=GapKind.UNUSED, text=twin.place))
        elif twin and sentence and (unknown := twin.fields - sentence.fields):
            gaps.append(Gap(kind=GapKind.DIFFERENT, text=_unknown(twin, unknown, sentence)))
            twin = None
        # Each language has only the twins it needs, so an English twin is used only with its English sentence.
        if twin is None and sentence and sentence.is_fallback and key in english:
            twin = replace(english[key], is_fallback=True)
        if twin and sentence:
            matched[key] = twin
    return matched, gaps


def _with_plural(entry: Entry, english: Entry) -> Entry:
    """Return ``entry``, which requires ``count`` if the English sentence does."""
    return replace(entry, plural=True, fields=entry.fields | {COUNT}) if english.plural else entry


def _difference(entry: Entry, english: Entry) -> str:
    """Return the difference between the values of ``entry`` and the English ones, as text; empty if there's none."""
    entry = _with_plural(entry, english)
    if missing := english.fields - entry.fields:
        return f"{entry.place}: {_braced(missing)} of {english.place} is missing"
    unknown = entry.fields - english.fields
    return _unknown(entry, unknown, english) if unknown else ""


def _unknown(entry: Entry, fields: frozenset[str], original: Entry) -> str:
    return f"{entry.place}: {_braced(fields)} is unknown to {original.place}"


def _braced(fields: frozenset[str]) -> str:
    return ", ".join(f"{{{field}}}" for field in sorted(fields))
