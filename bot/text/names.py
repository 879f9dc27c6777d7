"""Names as players see them: isolated from the text around them, and compared as a reader would."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from bot.base.clean_text import BLANK, one_line

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
_BRACKETED = re.compile(r"(?<=\S) *\([^()]*\)$")
_LOOKALIKES = str.maketrans(
    # Cyrillic and Greek letters (in lower case) that most fonts draw like Latin ones, then digits and the bar.
    "авекмнорстухіјѕԁһԛԝαβεικνορτυχγϲϳ01i|",
    "abekmhopctyxijsdhqwabeiknoptuxycjolll",
)
MAX_COMPARED = 4096
"""Names whose comparison keys are cached."""


def isolated(text: str, shown: str | None = None) -> str:
    """Return ``text``, or ``shown`` in its place, wrapped in isolates if ``text`` has right-to-left letters.

    Without isolates, such letters pull the numbers and signs that follow to their other side. Texts without them can't
    do that in our sentences, which all run left to right. So they stay free of invisible characters, which would
    count against length limits and be copied along.
    """
    if text.isascii() or not any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in text):
        return text if shown is None else shown
    return f"{FIRST_STRONG_ISOLATE}{text if shown is None else shown}{POP_ISOLATE}"


@lru_cache(MAX_COMPARED)
def as_read(name: str) -> str:
    """Return a key that is equal for names that look or sound the same to most readers.

    Case, fancy letters, invisible characters and letters borrowed from other scripts don't count, and neither does a
    user name in brackets at the end. Names that differ may share a key ("Ali" and "All"): both then get user names.
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", one_line(name)).casefold())
    seen = "".join(letter for letter in plain if not _is_hidden(letter))
    return _BRACKETED.sub("", " ".join(seen.split()).translate(_LOOKALIKES))


def _is_hidden(letter: str) -> bool:
    variation = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return variation or letter in BLANK or unicodedata.category(letter) == "Cf"
