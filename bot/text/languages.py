"""The languages that are spoken here: all that a language does in its own way and that no sentence of it can say.

A language is its folder in ``data/text`` and one entry of ``LANGUAGES``. Nothing else asks which language it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

OTHER = "other"
PLURAL_FORMS = ("zero", "one", "two", "few", "many", OTHER)
"""What languages tell apart by number, as CLDR calls it. No language has all; each has ``other``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. What stands between things brings its spaces along."""

    code: str
    """Its folder in ``data/text``, and what databases hold: permanent."""
    locales: tuple[str, ...]
    """The Discord locales that read it; one without a region (``fr``) stands for all of its regions."""
    documents: str
    """What the names of its documents end in: ``.ja`` of ``rules.ja.md``."""
    zone: str
    """The time zone of those who have named none."""
    dates: str
    """What dateparser calls it."""
    forms: tuple[str, ...]
    """The plural forms that a sentence with a count is written in; of PLURAL_FORMS, in their order."""
    form: Callable[[int], str]
    """The plural form of a number, one of ``forms``."""
    ordinal: Callable[[int], str]
    """What is written behind the number of a place: ``st`` of ``1st``; empty where the sentence says it."""
    thousands: str
    """Between groups of three digits: the comma of ``12,345``."""
    decimals: str
    """Before the decimals: the point of ``1.5``."""
    percent: str
    """Behind a number: ``%``."""
    joint: str
    """Between the things of a list."""
    last_joint: str
    """Before the last thing of a list."""
    space: str
    """Between words that stand side by side: the hours and the minutes of a time."""

    def document(self, name: str) -> str:
        """The file name of a document: ``rules.ja.md`` of ``rules``."""
        return f"{name}{self.documents}.md"


def _english_form(number: int) -> str:
    return "one" if number == 1 else OTHER


def _english_ordinal(number: int) -> str:
    """``st`` of 1, 21 and 101, but ``th`` of 11 and 111."""
    if 10 < number % 100 < 14:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


ENGLISH = Language(
    code="en",
    locales=("en",),
    documents="",
    zone="UTC",
    dates="en",
    forms=("one", OTHER),
    form=_english_form,
    ordinal=_english_ordinal,
    thousands=",",
    decimals=".",
    percent="%",
    joint=", ",
    last_joint=" and ",
    space=" ",
)

JAPANESE = Language(
    code="ja",
    locales=("ja",),
    documents=".ja",
    zone="Asia/Tokyo",
    dates="ja",
    forms=(OTHER,),
    form=lambda number: OTHER,
    ordinal=lambda number: "",
    thousands=",",
    decimals=".",
    percent="%",
    joint="、",
    last_joint="、",
    space="",
)

LANGUAGES: Mapping[str, Language] = {language.code: language for language in (ENGLISH, JAPANESE)}
"""By code. English stands first: the others are checked against it, and who reads none of them reads English."""

_LOCALES = {locale: language for language in LANGUAGES.values() for locale in language.locales}


def language_of(locale: str) -> Language:
    """The language of a Discord locale such as ``en-GB``; English where none reads it."""
    return _LOCALES.get(locale) or _LOCALES.get(locale.partition("-")[0], ENGLISH)


def stored_language(code: str) -> Language:
    """The language of a code from the database; English for one that is not spoken here any more."""
    return LANGUAGES.get(code, ENGLISH)
