"""Words: the sentences of one language, with values filled in; lengths of time, and refusals, in words.

Lengths are written and read as ``90s``, ``2 min``, ``1h30m``, ``1日``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from bot.clean_text import one_line
from bot.ofc.refusals import Refused
from bot.text.catalogue import COUNT, Entries, Entry, TextError, load_catalogue
from bot.text.languages import ENGLISH, LANGUAGES, Language, language_of

MINUS = "−"
MOST_LOCALES = 256
"""Locales whose words are kept: Discord has three dozen, and a browser may name any."""
_MARKDOWN = re.compile(r"[\\*_~|`<\[\]:]|^[-#>]")
_UNITS = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_READ = {"weeks": 7 * 86_400, **_UNITS}
_NAMES = {name: unit for language in LANGUAGES.values() for name, unit in language.typed.units.items()}
_PART = re.compile(r"\s*(\d{1,6})\s*([^\W\d_]*)\s*", re.UNICODE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """The sentences of one language: ``words("lobby.full", seats=3)``. There is one of each language."""

    language: Language
    entries: Entries = field(repr=False)
    _signs: dict[int, str] = field(init=False, repr=False)
    """What stands for each sign that Python writes into a number."""

    def __post_init__(self) -> None:
        signs = {",": self.language.thousands, ".": self.language.decimals, "-": MINUS}
        object.__setattr__(self, "_signs", {ord(sign): own for sign, own in signs.items()})

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
        sentence = entry.forms.get(self.language.form(count), entry.other)
        return sentence.format_map({**values, COUNT: self.number(count)})

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
        return f"{number:+,}".translate(self._signs) if number else self.language.zero

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

    def side_by_side(self, things: Sequence[str]) -> str:
        """``1 hour 30 minutes``, or ``1時間30分``."""
        return self.language.space.join(things)


@cache
def _all_words() -> Mapping[str, Words]:
    return {code: Words(language=LANGUAGES[code], entries=entries) for code, entries in load_catalogue().items()}


def words_for(code: str) -> Words:
    """The words of a language by its code, such as a table keeps; English for one that is not spoken here.

    All are loaded and checked at the first call. Raises TextError.
    """
    spoken = _all_words()
    return spoken.get(code, spoken[ENGLISH.code])


@lru_cache(MOST_LOCALES)
def words_of_locale(locale: str) -> Words:
    """The words for people whose Discord is in this locale; English where no language reads it."""
    return words_for(language_of(locale).code)


def escape_name(text: str) -> str:
    """A display name that Discord prints as it is: no markdown, mention, link or emoji, on one line.

    For message text only: in a code block, a button or a menu the backslashes would be seen.
    """
    # A server reads mentions before any backslash: only a character after the @ breaks them.
    return _MARKDOWN.sub(r"\\\g<0>", one_line(text)).replace("@", "@\u200b")


# Lengths of time.


def duration(seconds: int, words: Words) -> str:
    """``1 minute 30 seconds``: the two largest units that are not zero."""
    parts, rest = [], max(0, seconds)
    for unit, size in _UNITS.items():
        if count := rest // size:
            parts.append(words(f"duration.{unit}", count=count))
        rest %= size
    return words.side_by_side(parts[:2]) if parts else words("duration.seconds", count=0)


def short_duration(seconds: int, words: Words) -> str:
    """``90s``, ``2m``, ``3d``: one number, in the largest unit that comes out even."""
    unit, size = next((unit, size) for unit, size in _UNITS.items() if seconds % size == 0)
    return words(f"duration.short_{unit}", number=str(seconds // size))


def parse_duration(text: str) -> int | None:
    """The seconds of a text such as ``90``, ``2m``, ``1h 30min``, ``1日``; None where it is none."""
    rest = text.strip().casefold().translate(str.maketrans("０１２３４５６７８９", "0123456789"))
    if not rest:
        return None
    if rest.isascii() and rest.isdigit() and len(rest) <= 7:
        return int(rest)
    seconds = 0
    while rest:
        part = _PART.match(rest)
        unit = part and (_NAMES.get(part[2]) or _NAMES.get(part[2].removesuffix("s")))
        if part is None or not unit:
            return None
        seconds += int(part[1]) * _READ[unit]
        rest = rest[part.end() :]
    return seconds


# Refusals in words.


def refusal(refused: Refused, words: Words) -> str:
    """The sentence ``refused.<reason>``, with numbers written out, rows named and times as durations."""
    return words(f"refused.{refused.reason.value}", **{k: _said(k, v, words) for k, v in refused.details.items()})


def _said(name: str, value: int | str, words: Words) -> int | str:
    if name == "row":
        return words(f"row.{value}")
    if name == "channels":
        return words.list([f"<#{channel}>" for channel in str(value).split(",")])
    if name == "player":
        return f"<@{value}>"
    if name == "role":
        return f"<@&{value}>"
    if name in ("shortest", "longest", "wait") and isinstance(value, int):
        return duration(value, words)
    return words.number(value) if isinstance(value, int) and name != COUNT else value
