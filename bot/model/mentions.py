"""Mentions: users' ids within free text, in the forms that Discord and its users write them."""

from __future__ import annotations

import re

from bot.model.ids import Player
from bot.model.reasons import HandReason
from bot.pure.ofc.refusals import Refused

LEFT_OUT = "[…]"
"""Replaces a mention of a deleted person. It's the same for everyone, so it can't be traced to a pseudonym."""
# Both Python and readers take full-width digits for the same number.
_WIDE, _NARROW = "０１２３４５６７８９", "0123456789"
_ASCII = str.maketrans(_WIDE, _NARROW)
_FULL_WIDTH = str.maketrans(_NARROW, _WIDE)
_MENTION = re.compile(r"<@!?([0-9]{1,20})>|(?<![0-9])([0-9]{15,20})(?![0-9])")


def mentioned_in(text: str) -> set[Player]:
    """Return the ids in a text: those in a mention, and numbers as long as Discord's ids.

    >>> sorted(mentioned_in("<@1> and <@!2> owe 3 to 312345678901234567"))
    ['1', '2', '312345678901234567']
    """
    return {Player(mention or number) for mention, number in _MENTION.findall(text.translate(_ASCII))}


def in_wide_digits(player: str) -> str:
    """Return an id in full-width digits."""
    return player.translate(_FULL_WIDTH)


def require_no_mention(text: str) -> None:
    """Raise Refused for a text containing a mention, because a deletion of that person's data wouldn't remove it."""
    if mentioned_in(text):
        raise Refused(HandReason.NAMES_SOMEONE)


def without_mention(text: str, player: str) -> str:
    """Return ``text`` with ``LEFT_OUT`` in place of ``player``, whatever the form of the mention.

    >>> without_mention("soft play with <@42>, 42 hands", "42")
    'soft play with […], […] hands'
    """
    sought = re.compile(rf"<@!?{re.escape(player)}>|(?<![0-9]){re.escape(player)}(?![0-9])")
    parts, end = [], 0
    # Both texts have the same length, so positions in one are valid in the other.
    for found in sought.finditer(text.translate(_ASCII)):
        parts += [text[end : found.start()], LEFT_OUT]
        end = found.end()
    return "".join([*parts, text[end:]])
