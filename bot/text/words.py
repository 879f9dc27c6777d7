"""Sentences in a language, with values filled in."""

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
MAX_LOCALES = 256
"""Maximum number of cached locales. Discord has three dozen, but a browser may name any."""
_MARKDOWN = re.compile(r"[\\*_~|`<\[\]:]|^[-#>]")
_ENDS_LATIN = re.compile(r"[A-Za-z][.,!?]?[*)\"']{0,3}$")
_BEGINS_LATIN = re.compile(r"[*(\"']{0,3}[A-Za-z0-9]")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """The sentences of one language, used like ``words("lobby.full", seats=3)``. There's one instance per language."""

    language: Language
    entries: Entries = field(repr=False)
    heard: bool = False
    """True if these are the sentences for readers of *Text only*."""
    _aloud: Words | None = field(init=False, repr=False, default=None)
    _signs: dict[int, str] = field(init=False, repr=False)
    """Replacements for the symbols that Python writes in numbers."""

    def __post_init__(self) -> None:
        signs = {",": self.language.thousands, ".": self.language.decimals, "-": MINUS}
        object.__setattr__(self, "_signs", {ord(sign): own for sign, own in signs.items()})

    @property
    def aloud(self) -> Words:
        """The sentences of this language for readers of *Text only*, with one instance per language too."""
        if self.heard:
            return self
        if self._aloud is None:
            object.__setattr__(self, "_aloud", replace(self, entries=aloud(self.entries), heard=True))
        assert self._aloud is not None
        return self._aloud

    def __call__(self, key: str, /, **values: str | int) -> str:
        """Return the sentence ``key`` with its values filled in verbatim.

        A sentence with plural forms takes ``count``, which selects the form and is formatted like ``number``. Raises
        TextError if the key is unknown or the values don't match its fields.
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
        """Return the language of a sentence, which is English if the sentence isn't translated."""
        return self._language(self.entries[key])

    def _language(self, entry: Entry) -> Language:
        return ENGLISH if entry.is_fallback else self.language

    def has(self, key: str) -> bool:
        """True if there's a sentence ``key``."""
        return key in self.entries

    def takes(self, key: str, field: str) -> bool:
        """True if the sentence ``key`` has this field."""
        entry = self.entries.get(key)
        return entry is not None and field in entry.fields

    def number(self, number: int) -> str:
        """Return a number with separators, such as ``12,345``, and with a proper minus sign."""
        return f"{number:,}".translate(self._signs)

    def signed(self, number: int) -> str:
        """Return a number with its sign, such as ``+12`` or ``−12``, with zero as the language writes it."""
        if not number:
            return "0" if self.heard else self.language.zero
        return f"{number:+,}".translate(self._signs)

    def signed_decimal(self, number: float, *, decimals: int) -> str:
        """Return a number with its sign and ``decimals`` decimals, such as ``+1.5``, ``−1.5`` or ``+0.0``."""
        return f"{number:+,.{decimals}f}".translate(self._signs)

    def decimal(self, number: float, *, decimals: int) -> str:
        """Return a number with ``decimals`` decimals, such as ``1.50``."""
        return f"{number:,.{decimals}f}".translate(self._signs)

    def percent(self, number: int) -> str:
        """Return a percentage, such as ``60%``."""
        return self.number(number) + self.language.percent

    def list(self, things: Sequence[str]) -> str:
        """Return a list in words, such as ``A, B and C`` or ``A、B、C``; empty for an empty list."""
        *front, end = things or ("",)
        return f"{self.language.joint.join(front)}{self.language.last_joint}{end}" if front else end

    @property
    def dot(self) -> str:
        """Separator between short facts on one line."""
        return self("aloud.pause") if self.heard else " · "

    def facts(self, things: Iterable[str], *, unbroken: bool = False) -> str:
        """Return short facts on one line, such as ``A · B``, without empty ones. *Text only* puts pauses between them.

        With ``unbroken``, a line never breaks after a dot.
        """
        return (" ·\u00a0" if unbroken and not self.heard else self.dot).join(filter(None, things))

    def adorned(self, sign: str, text: str) -> str:
        """Return ``text`` after a decorative symbol, or without it for readers of *Text only*."""
        return text if self.heard else f"{sign} {text}"

    def side_by_side(self, things: Sequence[str]) -> str:
        """Join words, as in ``1 hour 30 minutes`` or ``1時間30分``.

        Latin words are separated by spaces in every language, because some sentences may not be translated.
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
    """Return the words for a language code, as stored with tables; English if the code is unknown.

    The first call loads and checks all languages, and raises TextError for a mistake in a file.
    """
    spoken = _all_words()
    return spoken.get(code, spoken[ENGLISH.code])


def untranslated() -> Mapping[str, int]:
    """Return the number of sentences that each language shows in English. Languages with none are left out."""
    counts = {code: sum(entry.is_fallback for entry in words.entries.values()) for code, words in _all_words().items()}
    return {code: count for code, count in counts.items() if count}


@lru_cache(MAX_LOCALES)
def words_of_locale(locale: str) -> Words:
    """Return the words for a Discord locale; English if no language covers it."""
    return words_for(language_of(locale).code)


def escape_name(text: str) -> str:
    """Escape a display name so that Discord shows it unchanged, without Markdown, mentions, links or emojis.

    It becomes a single line. Right-to-left names are isolated, so that they don't swap places with the text after them.
    Use it only for message text, because code blocks, buttons and menus would show the backslashes.
    """
    # Discord's server parses mentions before backslashes, so only a character after the @ breaks them.
    return isolated(_MARKDOWN.sub(r"\\\g<0>", one_line(text)).replace("@", "@\u200b"))


def range_text(least: int, most: int, words: Words) -> str:
    """Return a range such as ``2–3``, or ``2`` if both ends are equal."""
    if least == most:
        return words.number(least)
    return words("rules.range", least=words.number(least), most=words.number(most))


def capital(text: str) -> str:
    """Return ``text`` with its first letter capitalised, if its script has capitals."""
    return text[:1].upper() + text[1:]
