"""Names as players see them: isolated from the surrounding text, and compared as a reader would compare them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from bot.base.clean_text import BLANK, one_line

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
_BRACKETED = re.compile(r"(?<=\S) *\([^()]*\)$")
_LOOKALIKES = str.maketrans(
    # Cyrillic and Greek letters (in lower case) that most fonts draw like Latin ones, then digits and the bar
    "авекмнорстухіјѕԁһԛԝαβεικνορτυχγϲϳ01i|",
    "abekmhopctyxijsdhqwabeiknoptuxycjolll",
)
MAX_COMPARED = 4096
"""Number of names whose comparison keys are cached."""


def isolated(text: str, shown: str | None = None) -> str:
    """Return ``text``, or ``shown`` instead, wrapped in isolates if ``text`` has right-to-left letters.

    Without isolates, such letters pull the numbers and symbols that follow to their other side. Other texts can't do
    that in our sentences, which all run left to right. They are left free of invisible characters, which would count
    towards length limits and be copied along.
    """
    if text.isascii() or not any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in text):
        return text if shown is None else shown
    return f"{FIRST_STRONG_ISOLATE}{text if shown is None else shown}{POP_ISOLATE}"


@lru_cache(MAX_COMPARED)
def as_read(name: str) -> str:
    """Return a key that is equal for names that look or sound the same to most readers.

    It ignores case, fancy letters, invisible characters, letters borrowed from other scripts, and a user name in
    brackets at the end. Names that differ may share a key ("Ali" and "All"). Both are then shown with user names.
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", one_line(name)).casefold())
    seen = "".join(letter for letter in plain if not _is_hidden(letter))
    return _BRACKETED.sub("", " ".join(seen.split()).translate(_LOOKALIKES))


def _is_hidden(letter: str) -> bool:
    variation = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return variation or letter in BLANK or unicodedata.category(letter) == "Cf"
