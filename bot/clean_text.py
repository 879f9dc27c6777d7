"""What people write: a name on one line, or a few lines, of which something can be seen."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"
"""They show nothing, but Persian words and families of emojis are made with them."""
BLANK = "\u115f\u1160\u3164\uffa0\u2800"
"""Letters and signs by their category, and yet nothing is drawn for them."""


def one_line(text: str) -> str:
    """The text on one line, without signs that show nothing or turn the text around; empty where nothing can be seen.

    Spaces of any kind become one. So an empty answer is what every name must be refused for.
    """
    line = " ".join("".join(map(_kept, text)).split())
    return line if any(map(_is_seen, line)) else ""


def few_lines(text: str) -> str:
    """The lines of a text in which something can be seen, each as :func:`one_line` gives it."""
    return "\n".join(filter(None, map(one_line, text.splitlines())))


def _kept(letter: str) -> str:
    category = unicodedata.category(letter)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if letter in BLANK or (category in ("Cf", "Cs") and letter not in JOINERS) else letter


def _is_seen(letter: str) -> bool:
    """True for letters, numbers, punctuation and symbols: an accent alone has nothing to stand on."""
    return unicodedata.category(letter)[0] in "LNPS"
