"""Sentences for refusals."""

from __future__ import annotations

from bot.pure.ofc.refusals import Refused
from bot.text.catalogue import COUNT
from bot.text.durations import duration
from bot.text.event_structure import field_name
from bot.text.words import Words, escape_name, words_for


def refusal(refused: Refused, words: Words) -> str:
    """Return the sentence ``refused.<reason>``, with its numbers, rows, times and mentions formatted."""
    return words(f"refused.{refused.reason.value}", **{k: _said(k, v, words) for k, v in refused.details.items()})


PUBLIC_BUTTONS = {"register": "event.button.register", "withdraw": "event.button.withdraw"}
"""Fields of refusals for buttons of a public message. Their value is the language of that message."""


def _said(name: str, value: int | str, words: Words) -> int | str:
    if name in PUBLIC_BUTTONS:
        return words_for(str(value))(PUBLIC_BUTTONS[name])
    if name == "row":
        return words(f"row.{value}")
    if name == "channels":
        return words.list([f"<#{channel}>" for channel in str(value).split(",")])
    if name == "fields":
        return words.list([field_name(field, words) for field in str(value).split(",")])
    if name == "player":
        return f"<@{value}>"
    if name == "event":
        return escape_name(str(value))
    if name == "role":
        return f"<@&{value}>"
    if name in ("shortest", "longest", "wait") and isinstance(value, int):
        return duration(value, words)
    return words.number(value) if isinstance(value, int) and name != COUNT else value
