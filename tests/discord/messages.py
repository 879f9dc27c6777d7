"""Reading messages: their components, the cards and the hand that they speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bot.chat.application_assets import emoji_name
from bot.chat.art.faces import FACE_NAMES, TWO_COLOURED, TWO_COLOURS
from bot.text.languages import LANGUAGES
from bot.text.words import words_for

Json = dict[str, Any]

CARD_FACES = [face for face in FACE_NAMES if face not in {"back", "slot"}]

_EMOJI = {emoji_name(face): face.removesuffix(TWO_COLOURED) if face in TWO_COLOURS else face for face in CARD_FACES}
_WORD = re.compile(r"\w+")
_PLAIN = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
_SUITS = dict(zip("♣♦♥♠", "cdhs", strict=True))


def walk(components: list[Json]) -> Iterator[Json]:
    """Every component of a message, each before what is inside it. The watch walks through each message many times."""
    ahead = components[::-1]
    while ahead:
        component = ahead.pop()
        yield component
        if accessory := component.get("accessory"):
            ahead.append(accessory)
        if inside := component.get("components"):
            ahead += inside[::-1]


def text_of(components: list[Json]) -> str:
    """All text displays of a message."""
    return "\n".join(c["content"] for c in walk(components) if c["type"] == 10)


_MENTION = re.compile(r"<@!?(\d+)>")
_ROLE_MENTION = re.compile(r"<@&(\d+)>")


def notified(body: Json | None) -> list[str]:
    """Return the users that Discord notifies of a new message.

    An id counts only if the text mentions it *and* ``allowed_mentions`` permits it. Either one on its own notifies no
    one, and adds no one to a thread.
    """
    return _pinged(body, "users", _MENTION)


def notified_roles(body: Json | None) -> list[str]:
    """The roles whose members Discord notifies of a new message."""
    return _pinged(body, "roles", _ROLE_MENTION)


def unnamed(body: Json | None) -> set[str]:
    """Return the users who may be notified but aren't mentioned, so that the ping reaches no one."""
    body = body or {}
    allowed = body.get("allowed_mentions") or {}
    return {str(user) for user in allowed.get("users") or ()} - set(_named(body, _MENTION))


def _pinged(body: Json | None, kind: str, mention: re.Pattern[str]) -> list[str]:
    body = body or {}
    named = _named(body, mention)
    allowed = body.get("allowed_mentions")
    if allowed is None or kind in (allowed.get("parse") or ()):
        return named
    listed = {str(one) for one in allowed.get(kind) or ()}
    return [one for one in named if one in listed]


def _named(body: Json, mention: re.Pattern[str]) -> list[str]:
    """Each id once, in the order of the text."""
    text = f"{body.get('content') or ''}\n{text_of(body.get('components') or [])}"
    return list(dict.fromkeys(mention.findall(text)))


def strings_of(thing: Any) -> list[str]:
    """Every string in a request's body, keys left out."""
    found, ahead = [], [thing]
    while ahead:
        part = ahead.pop()
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, dict):
            ahead += part.values()
        elif isinstance(part, list | tuple):
            ahead += part
    return found


_JOKER = re.compile(r"^-# .* → .*$", re.MULTILINE)
"""The meaning of a joker on a finished board. It follows from the board, so it reveals no card."""


def cards_in(thing: Any) -> set[str]:
    """The names (``As``) of the cards that a request's body shows, as emojis or as text."""
    text = _JOKER.sub("", "\n".join(strings_of(thing)))
    found = {_EMOJI[name] for name in _EMOJI.keys() & _WORD.findall(text)}
    return found | {("T" if rank == "10" else rank) + _SUITS[suit] for rank, suit in _PLAIN.findall(text)}


def _pattern(key: str, field: str, **others: str | int) -> re.Pattern[str]:
    """Matches a sentence in any language and takes the number out of it."""
    texts = [words_for(language)(key, **{field: "@", **others}) for language in LANGUAGES]
    return re.compile("|".join(re.escape(text.split("$")[0].rstrip(" ·")).replace("@", r"(\d+)") for text in texts))


_TABLE = _pattern("table.title", "table", game="$", stakes="$")
_HAND = _pattern("table.hand", "hand")
_RESULT = _pattern("result.heading", "hand", table="$")
_PRESS = re.compile(r"[cs]1:(?!ev_|mi_|pz_)\w+:(\d+)\.")
"""A press about a table, with its stored id."""


def hand_of(components: list[Json]) -> tuple[int, int | None] | None:
    """Table and hand that a message is about; None for one that is about no table.

    The text has the table's number for people, which in an event isn't its stored id. The buttons have the id.
    """
    text = text_of(components)
    table = _number(_TABLE, text)
    if table is None:
        return None
    pressed = pressed_table(components)
    hand = _number(_RESULT, text)
    return table if pressed is None else pressed, _number(_HAND, text) if hand is None else hand


def pressed_table(components: list[Json]) -> int | None:
    """Stored id of the table that a message's buttons are about; None if they're about none, or several."""
    pressed = {int(match[1]) for part in walk(components) if (match := _PRESS.match(part.get("custom_id") or ""))}
    return pressed.pop() if len(pressed) == 1 else None


def _number(pattern: re.Pattern[str], text: str) -> int | None:
    match = pattern.search(text)
    return None if match is None else int(next(group for group in match.groups() if group))
