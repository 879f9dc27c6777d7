"""The sentences of one language, with values filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from bot.base.clean_text import one_line
from bot.text.catalogue import COUNT, Entries, Entry, TextError, aloud, load_catalogue
from bot.text.languages import ENGLISH, LANGUAGES, Language, language_of
from bot.text.names import isolated

MINUS = "−"
MOST_LOCALES = 256
"""Locales whose words are kept: Discord has three dozen, and a browser may name any."""
_MARKDOWN = re.compile(r"[\\*_~|`<\[\]:]|^[-#>]")
_ENDS_LATIN = re.compile(r"[A-Za-z][.,!?]?[*)\"']{0,3}$")
_BEGINS_LATIN = re.compile(r"[*(\"']{0,3}[A-Za-z0-9]")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """The sentences of one language: ``words("lobby.full", seats=3)``. There is one of each language."""

    language: Language
    entries: Entries = field(repr=False)
    heard: bool = False
    """True for the sentences that readers of *Text only* get."""
    _aloud: Words | None = field(init=False, repr=False, default=None)
    _signs: dict[int, str] = field(init=False, repr=False)
    """What stands for each sign that Python writes into a number."""

    def __post_init__(self) -> None:
        signs = {",": self.language.thousands, ".": self.language.decimals, "-": MINUS}
        object.__setattr__(self, "_signs", {ord(sign): own for sign, own in signs.items()})

    @property
    def aloud(self) -> Words:
        """The same language for readers of *Text only*. There is one of each language too."""
        if self.heard:
            return self
        if self._aloud is None:
            object.__setattr__(self, "_aloud", replace(self, entries=aloud(self.entries), heard=True))
        assert self._aloud is not None
        return self._aloud

    def __call__(self, key: str, /, **values: str | int) -> str:
        """The sentence ``key`` with each value in its place, verbatim.

        A sentence with a plural takes ``count``, which chooses its form and is written as ``number`` writes it.
        Raises TextError for an unknown key and for a value that is missing or too many.
        """
        entry = self.entries.get(key)
        if entry is None:
            raise TextError(f"{self.language.code}: no sentence {key}")
        if values.keys() != entry.fields:
            raise TextError(f"{entry.place}: takes {sorted(entry.fields)}, was given {sorted(values)}")
        return self._plural(entry, values) if entry.plural else entry.other.format_map(values)

    def _plural(self, entry: Entry, values: Mapping[str, str | int]) -> str:
        count = values[COUNT]
        if not isinstance(count, int):
            raise TextError(f"{entry.place}: count is a whole number, not {count!r}")
        sentence = entry.forms.get(self._language(entry).form(count), entry.other)
        return sentence.format_map({**values, COUNT: self.number(count)})

    def language_of(self, key: str) -> Language:
        """Return the language that a sentence is in: English for one that isn't translated."""
        return self._language(self.entries[key])

    def _language(self, entry: Entry) -> Language:
        return ENGLISH if entry.is_fallback else self.language

    def has(self, key: str) -> bool:
        """True when there is a sentence ``key``."""
        return key in self.entries

    def takes(self, key: str, field: str) -> bool:
        """True for a sentence that has this value in it."""
        entry = self.entries.get(key)
        return entry is not None and field in entry.fields

    def number(self, number: int) -> str:
        """``12,345``; below zero with a real minus sign."""
        return f"{number:,}".translate(self._signs)

    def signed(self, number: int) -> str:
        """``+12`` or ``−12``, and zero as the language writes it."""
        if not number:
            return "0" if self.heard else self.language.zero
        return f"{number:+,}".translate(self._signs)

    def signed_decimal(self, number: float, *, decimals: int) -> str:
        """``+1.5``, ``−1.5`` or ``+0.0``, with so many decimals."""
        return f"{number:+,.{decimals}f}".translate(self._signs)

    def decimal(self, number: float, *, decimals: int) -> str:
        """``1.50``, with so many decimals."""
        return f"{number:,.{decimals}f}".translate(self._signs)

    def percent(self, number: int) -> str:
        """``60%``."""
        return self.number(number) + self.language.percent

    def list(self, things: Sequence[str]) -> str:
        """``A, B and C``, or ``A、B、C``; nothing for an empty list."""
        *front, end = things or ("",)
        return f"{self.language.joint.join(front)}{self.language.last_joint}{end}" if front else end

    @property
    def dot(self) -> str:
        """What stands between short facts on one line."""
        return self("aloud.pause") if self.heard else " · "

    def facts(self, things: Iterable[str], *, unbroken: bool = False) -> str:
        """``A · B``: short facts on one line, without the empty ones; readers of *Text only* get pauses between them.

        With ``unbroken`` a line never breaks between a dot and what follows.
        """
        return (" ·\u00a0" if unbroken and not self.heard else self.dot).join(filter(None, things))

    def adorned(self, sign: str, text: str) -> str:
        """``text`` behind a sign that only adorns it, or alone for readers of *Text only*."""
        return text if self.heard else f"{sign} {text}"

    def side_by_side(self, things: Sequence[str]) -> str:
        """``1 hour 30 minutes``, or ``1時間30分``.

        Latin letters are kept apart in every language, because some sentences may not be translated.
        """
        joined = ""
        for number, thing in enumerate(things):
            space = self.language.space
            if not space and _ENDS_LATIN.search(joined) and _BEGINS_LATIN.match(thing):
                space = " "
            joined += (space if number else "") + thing
        return joined


@cache
def _all_words() -> Mapping[str, Words]:
    return {code: Words(language=LANGUAGES[code], entries=entries) for code, entries in load_catalogue().items()}


def words_for(code: str) -> Words:
    """The words of a language by its code, such as a table keeps; English for one that is not spoken here.

    All are loaded and checked at the first call. Raises TextError.
    """
    spoken = _all_words()
    return spoken.get(code, spoken[ENGLISH.code])


def untranslated() -> Mapping[str, int]:
    """Return how many sentences each language shows in English; languages without any are left out."""
    counts = {code: sum(entry.is_fallback for entry in words.entries.values()) for code, words in _all_words().items()}
    return {code: count for code, count in counts.items() if count}


@lru_cache(MOST_LOCALES)
def words_of_locale(locale: str) -> Words:
    """The words for people whose Discord is in this locale; English where no language reads it."""
    return words_for(language_of(locale).code)


def escape_name(text: str) -> str:
    """A display name that Discord prints as it is: no markdown, mention, link or emoji, on one line.

    Right-to-left names are isolated, so that they don't swap places with what follows. For message text only: in a
    code block, a button or a menu the backslashes would be seen.
    """
    # A server reads mentions before any backslash: only a character after the @ breaks them.
    return isolated(_MARKDOWN.sub(r"\\\g<0>", one_line(text)).replace("@", "@\u200b"))


def range_text(least: int, most: int, words: Words) -> str:
    """``2–3``, or ``2`` when that is all."""
    if least == most:
        return words.number(least)
    return words("rules.range", least=words.number(least), most=words.number(most))


def capital(text: str) -> str:
    """``text`` with a capital letter in front, where its script has capitals."""
    return text[:1].upper() + text[1:]
