"""Refusals in words."""

from __future__ import annotations

from bot.ofc.refusals import Refused
from bot.text.catalogue import COUNT
from bot.text.words import Words


def refusal(refused: Refused, words: Words) -> str:
    """The sentence ``refused.<reason>``: numbers are written out, and ``row`` is named in the language."""
    return words(f"refused.{refused.reason.value}", **{k: _said(k, v, words) for k, v in refused.details.items()})


def _said(name: str, value: int | str, words: Words) -> int | str:
    if name == "row":
        return words(f"row.{value}")
    return words.number(value) if isinstance(value, int) and name != COUNT else value
