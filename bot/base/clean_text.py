"""Cleaning of user input. Text without visible characters becomes empty."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"
"""Invisible characters that Persian words and emoji sequences need."""
BLANK = "\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\ufffc\U00013441\U00013442\U0001d159"
"""Characters drawn as blanks although their categories are those of letters, symbols and marks."""
MAX_MARKS = 3
"""Maximum number of marks above or below one letter. No language needs more, and higher stacks cover nearby lines."""


def one_line(text: str) -> str:
    """Return the text on one line, without invisible and direction-changing characters; empty if nothing is visible.

    Spaces of any kind become one space. Callers must refuse names that become empty.
    """
    line = _with_few_marks(" ".join("".join(map(_keep_character, text)).split()))
    return line if any(map(_is_seen, line)) else ""


def few_lines(text: str) -> str:
    """Return the lines with visible text, each cleaned by :func:`one_line`."""
    return "\n".join(filter(None, map(one_line, text.splitlines())))


def name_key(text: str) -> str:
    """Return a key that is equal for names that differ only in case, in the width of letters, or in spaces."""
    line = unicodedata.normalize("NFKC", one_line(text)).casefold()
    return " ".join(unicodedata.normalize("NFKC", line).split())


def _keep_character(letter: str) -> str:
    category = unicodedata.category(letter)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if letter in BLANK or (category in ("Cf", "Cs") and letter not in JOINERS) else letter


def _with_few_marks(line: str) -> str:
    """Drop marks that are stacked too high. A joiner between them doesn't start a new stack."""
    if line.isascii():
        return line
    kept, marks = [], 0
    for letter in line:
        if unicodedata.category(letter) in ("Mn", "Me"):
            marks += 1
        elif letter not in JOINERS:
            marks = 0
        if marks <= MAX_MARKS:
            kept.append(letter)
    return "".join(kept)


def _is_seen(letter: str) -> bool:
    """True for letters, numbers, punctuation and symbols. Marks don't count, because they need a letter."""
    return unicodedata.category(letter)[0] in "LNPS"
