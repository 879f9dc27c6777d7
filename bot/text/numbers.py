"""Parser for whole numbers as people write them."""

from __future__ import annotations

import re
import unicodedata

from bot.text.languages import LANGUAGES

MAX_NUMBER_LENGTH = 40
"""Maximum number of digits in a form, high enough that a number that's too large gets a refusal stating the limit."""
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:([,. '’_])[0-9]{3})(?:\1[0-9]{3})*")
"""A number with thousands separators."""
_MULTIPLES = {name: times for language in LANGUAGES.values() for name, times in language.typed.multiples.items()}
_MULTIPLE = re.compile(rf"(.*[0-9])\s*({'|'.join(map(re.escape, _MULTIPLES))})")
"""A number with a word that multiplies it, such as ``10k`` and ``1万``."""
_SIGNS = str.maketrans({"−": "-", "–": "-"})


def whole_number(written: str) -> int | None:
    """Return the whole number in a text, of any size; None if there is none or more than one.

    It may have full-width digits, thousands separators, and at the end a word that multiplies it or a percent sign.
    """
    text = unicodedata.normalize("NFKC", written).translate(_SIGNS).strip().removesuffix("%").rstrip()
    sign, plain = (text[0], text[1:].lstrip()) if text[:1] in ("+", "-") else ("", text)
    multiplied = _MULTIPLE.fullmatch(plain.casefold())
    plain, times = (multiplied[1], _MULTIPLES[multiplied[2]]) if multiplied else (plain, 1)
    if _GROUPED.fullmatch(plain):
        plain = re.sub(r"\D", "", plain)
    if not re.fullmatch(rf"[0-9]{{1,{MAX_NUMBER_LENGTH}}}", plain):
        return None
    return int(sign + plain) * times
