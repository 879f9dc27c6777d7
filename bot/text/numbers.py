"""Whole numbers as people write them."""

from __future__ import annotations

import re
import unicodedata

LONGEST_NUMBER = 40
"""Characters of a number in a form: enough that one that is too large is told its limit."""
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:([,. '’_])[0-9]{3})(?:\1[0-9]{3})*")
"""A number whose thousands stand apart."""
_SIGNS = str.maketrans({"−": "-", "–": "-"})


def whole_number(written: str) -> int | None:
    """Return the whole number that was written, of any size; None for what is none, or several.

    Full-width digits, thousands that stand apart and a sign of percent behind it are understood.
    """
    text = unicodedata.normalize("NFKC", written).translate(_SIGNS).strip().removesuffix("%").rstrip()
    sign, plain = (text[0], text[1:].lstrip()) if text[:1] in ("+", "-") else ("", text)
    if _GROUPED.fullmatch(plain):
        plain = re.sub(r"\D", "", plain)
    if not re.fullmatch(rf"[0-9]{{1,{LONGEST_NUMBER}}}", plain):
        return None
    return int(sign + plain)
