"""Refusals in words."""

from __future__ import annotations

from bot.ofc.refusals import Refused
from bot.text.catalogue import COUNT
from bot.text.durations import duration
from bot.text.words import Words


def refusal(refused: Refused, words: Words) -> str:
    """The sentence ``refused.<reason>``, with numbers written out, rows named and times as durations."""
    return words(f"refused.{refused.reason.value}", **{k: _said(k, v, words) for k, v in refused.details.items()})


def _said(name: str, value: int | str, words: Words) -> int | str:
    if name == "row":
        return words(f"row.{value}")
    if name == "example":
        return _typed(str(value), words)
    if name == "channels":
        return words.list([f"<#{channel}>" for channel in str(value).split(",")])
    if name == "player":
        return f"<@{value}>"
    if name == "role":
        return f"<@&{value}>"
    if name in ("shortest", "longest", "wait") and isinstance(value, int):
        return duration(value, words)
    return words.number(value) if isinstance(value, int) and name != COUNT else value


def _typed(placement: str, words: Words) -> str:
    """A placement in the letters that its reader knows the rows by: ``BMD``, or ``下中捨``."""
    names: dict[str, str] = {}
    for name, letter in words.language.typed.places.items():
        names.setdefault(letter, name)
    return "".join(names.get(letter, letter) for letter in placement).upper()
