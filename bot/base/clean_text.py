"""Cleans text that people type, and empties it if nothing in it is visible."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"
"""They show nothing, but Persian words and families of emojis are made with them."""
BLANK = "\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\ufffc\U00013441\U00013442\U0001d159"
"""Letters, signs and marks by their category, and yet nothing is drawn for them."""
MOST_MARKS = 3
"""Marks above or below one letter. No language needs more, and higher stacks cover the lines around them."""


def one_line(text: str) -> str:
    """The text on one line, without signs that show nothing or turn the text around; empty where nothing can be seen.

    Spaces of any kind become one. So an empty answer is what every name must be refused for.
    """
    line = _with_few_marks(" ".join("".join(map(_kept, text)).split()))
    return line if any(map(_is_seen, line)) else ""


def few_lines(text: str) -> str:
    """The lines of a text in which something can be seen, each as :func:`one_line` gives it."""
    return "\n".join(filter(None, map(one_line, text.splitlines())))


def _kept(letter: str) -> str:
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
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def _is_seen(letter: str) -> bool:
    """True for letters, numbers, punctuation and symbols: an accent alone has nothing to stand on."""
    return unicodedata.category(letter)[0] in "LNPS"
