"""What single hands pay, as people write it a line each: ``back royal flush 50``, ``下段 ロイヤルフラッシュ 50``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

from bot.ofc.overrides import CATEGORIES, NATURALS, OVERRIDES, POINTS_OF_HANDS
from bot.ofc.rows import Row
from bot.ofc.variants import VariantError
from bot.text.house_rules import override_name
from bot.text.languages import LANGUAGES
from bot.text.names import category_name, natural_name, row_name
from bot.text.words import Words, words_for

_LINE = re.compile(r"(.*?[^\s=:+−-])[\s=:+]*(\d{1,5})(?:\s*(?:points?|pts?|点))?")
_SAID_TWICE = re.compile(
    r"(?:pair|ワンペア)(?=([2-9tjqka])\1$)|(?:threeofakind|trips|スリーカード)(?=([2-9tjqka])\2\2$)"
    r"|の(?:ワンペア|スリーカード)$"
)
"""What is written beside the ranks of a pair or of three of a kind and says nothing more."""
_SHOWN = 40
"""Characters of a line that cannot be read."""


def royalty_overrides(text: str) -> dict[str, str]:
    """The overrides that such lines write, in any language; raises VariantError naming a line that cannot be read."""
    overrides = {}
    for line in text.splitlines():
        if not line.strip():
            continue
        written = _LINE.fullmatch(unicodedata.normalize("NFKC", line).strip())
        key = _keys().get(_plain(written[1])) if written else None
        if written is None or key is None:
            raise VariantError("unread_royalty", value=line.strip()[:_SHOWN])
        overrides[key] = written[2]
    return overrides


def royalty_line(key: str, value: str, words: Words) -> str:
    """Such a line, as its reader would write it."""
    return f"{_name(key, words)} {value}"


def _name(key: str, words: Words) -> str:
    """``back royal flush``, ``front QQ``; what has no short name says what it is."""
    family, _, place = key.partition(".")
    if key in NATURALS:
        return natural_name(NATURALS[key], words)
    row, _, hand = place.partition(".")
    if family == "royalty" and row != "low":
        named = category_name(CATEGORIES[hand], words) if hand in CATEGORIES else hand
        return f"{row_name(Row[row.upper()], words)} {named}"
    return place.replace(".", " ") if row == "low" else override_name(key, words).replace(":", "").replace("：", " ")


@cache
def _keys() -> Mapping[str, str]:
    """Every override of this kind by all its names, which are told apart by their letters and figures alone."""
    return {_plain(name): key for key in OVERRIDES if key.startswith(POINTS_OF_HANDS) for name in _names(key)}


def _names(key: str) -> Iterator[str]:
    yield key
    yield key.removeprefix("royalty.").removeprefix("natural.")
    family, _, place = key.partition(".")
    row, _, hand = place.partition(".")
    for language in LANGUAGES.values():
        words = words_for(language.code)
        yield _name(key, words)
        yield override_name(key, words)
        if family == "royalty" and row != "low":
            named = category_name(CATEGORIES[hand], words) if hand in CATEGORIES else hand
            letter = Row[row.upper()].value
            for called in (name for name, means in language.typed.places.items() if means == letter and len(name) > 1):
                yield f"{called} {named}"


def _plain(name: str) -> str:
    """Without what people write differently: spaces, hyphens, capitals, T for the ten, and what QQ says by itself."""
    folded = unicodedata.normalize("NFKC", name).casefold().replace("10", "t")
    return _SAID_TWICE.sub("", re.sub(r"[\W_]+", "", folded))
