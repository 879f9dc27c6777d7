"""Words: the sentences of one language, with values filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from bot.clean_text import one_line
from bot.text.catalogue import COUNT, Entries, Entry, Language, TextError, load_catalogue

MINUS = "−"
_JOINTS: Mapping[Language, tuple[str, str]] = {"en": (", ", " and "), "ja": ("、", "、")}
"""What stands between the things of a list, and before the last one."""

_MARKDOWN = re.compile(r"[\\*_~|`<\[\]:]|^[-#>]")


def language_of(locale: str | None, default: Language = "en") -> Language:
    """The language for a Discord locale code: ``ja`` is Japanese, any other English, None the default."""
    if locale is None:
        return default
    return "ja" if locale.split("-")[0] == "ja" else "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The sentences of one language: ``words("lobby.full", seats=3)``."""

    language: Language
    entries: Entries = field(repr=False)

    def __call__(self, key: str, /, **values: str | int) -> str:
        """The sentence ``key`` with each value in its place, verbatim.

        A sentence with a plural takes ``count``, which chooses its form and is written as a number (``12,345``).
        Raises TextError for an unknown key and for a value that is missing or too many.
        """
        entry = self.entries.get(key)
        if entry is None:
            raise TextError(f"{self.language}: no sentence {key}")
        if values.keys() != entry.fields:
            raise TextError(f"{entry.place}: takes {sorted(entry.fields)}, was given {sorted(values)}")
        return self._plural(entry, values) if entry.plural else entry.other.format_map(values)

    def _plural(self, entry: Entry, values: Mapping[str, str | int]) -> str:
        count = values[COUNT]
        if not isinstance(count, int):
            raise TextError(f"{entry.place}: count is a whole number, not {count!r}")
        only_one = self.language == "en" and count == 1
        sentence = entry.one if only_one and entry.one else entry.other
        return sentence.format_map({**values, COUNT: self.number(count)})

    def has(self, key: str) -> bool:
        """True when there is a sentence ``key``."""
        return key in self.entries

    def number(self, number: int) -> str:
        """``12,345``; below zero with a real minus sign."""
        return f"{number:,}".replace("-", MINUS)

    def signed(self, number: int) -> str:
        """``+12``, ``−12`` or ``±0``."""
        if not number:
            return "±0"
        return f"+{number:,}" if number > 0 else self.number(number)

    def list(self, things: Sequence[str]) -> str:
        """``A, B and C``, or ``A、B、C``; nothing for an empty list."""
        between, last = _JOINTS[self.language]
        *front, end = things or ("",)
        return f"{between.join(front)}{last}{end}" if front else end


@cache
def _catalogue() -> Mapping[Language, Entries]:
    return load_catalogue()


@cache
def words_for(language: Language) -> Words:
    """The words of a language; the catalogue is loaded and checked at the first call. Raises TextError."""
    return Words(language=language, entries=_catalogue()[language])


def escape_name(text: str) -> str:
    """A display name that Discord prints as it is: no markdown, mention, link or emoji, on one line.

    For message text only: in a code block, a button or a menu the backslashes would be seen.
    """
    # A server reads mentions before any backslash: only a character after the @ breaks them.
    return _MARKDOWN.sub(r"\\\g<0>", one_line(text)).replace("@", "@\u200b")
