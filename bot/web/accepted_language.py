"""A reader's language, from their browser's header Accept-Language."""

from __future__ import annotations

import re
from typing import Final

from bot.text.languages import LANGUAGES, read_by

MAX_HEADER_LENGTH = 500
"""Characters that are read. Later entries of a longer header are ignored."""
ANY: Final = "*"
"""Stands for all languages that the header doesn't name."""
_ENTRY: Final = re.compile(
    r"(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?", re.IGNORECASE
)
"""A language or ANY, and its weight from 0 to 1, as RFC 9110 writes them."""


def accepted_language(header: str, default: str) -> str:
    """Return the code of the bot's language that the reader weighs most; ``default`` if they accept none.

    Of equal weights, the language named first counts. Malformed entries are ignored.
    """
    if len(header) > MAX_HEADER_LENGTH:  # an entry that's cut off could mean something else
        header = header[:MAX_HEADER_LENGTH].rpartition(",")[0]
    named: dict[str, float] = {}
    others = 0.0
    for part in header.split(","):
        entry = _ENTRY.fullmatch(part.strip(" \t"))
        if entry is None:
            continue
        tag, weight = entry[1], 1.0 if entry[2] is None else float(entry[2])
        if tag == ANY:
            others = max(others, weight)
        elif (language := read_by(tag)) is not None:
            named[language.code] = max(weight, named.get(language.code, 0.0))
    unnamed = [code for code in (default, *LANGUAGES) if code not in named]
    weights = named | dict.fromkeys(unnamed, others)
    best = max(weights, key=weights.__getitem__)
    return best if weights[best] > 0 else default
