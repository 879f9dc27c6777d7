"""Mentions of players with invisible or ambiguous names, in messages that are ready to send."""

from __future__ import annotations

import re
from typing import Any

from bot.chat.kit.faces import DisplayNames
from bot.chat.kit.fragments import MAX_TEXT_LENGTH, text_length
from bot.chat.kit.widgets import BLOCK, CONTAINER, SECTION, TEXT, Part, Screen
from bot.model.ids import GuildId
from bot.text.names import FIRST_STRONG_ISOLATE, POP_ISOLATE
from bot.text.words import Words

_MENTION = re.compile(r"<@!?(\d+)>")
_DRESSED = re.compile(rf"{FIRST_STRONG_ISOLATE}?(<@!?\d+>){POP_ISOLATE}?(?: \([^()]*\)|（[^（）]*）)?")


def with_user_names(shown: Screen, names: DisplayNames, guild: GuildId, words: Words) -> Screen:
    """Return the screen with user names after mentions that need one, and with right-to-left mentions isolated.

    Discord shows mentions by display name, which several players can share. If the result is too long, the screen is
    unchanged.
    """
    told = Screen([_part(part, names, guild, words) for part in shown.parts])
    return told if text_length(told) <= MAX_TEXT_LENGTH else shown


def without_user_names(content: str) -> str:
    """Undo :func:`with_user_names`, to compare a posted text with one written when fewer names were known."""
    return _DRESSED.sub(r"\1", content)


def _part(part: Part, names: DisplayNames, guild: GuildId, words: Words) -> Part:
    changed: dict[str, Any] = dict(part)
    if part["type"] == TEXT and not part["content"].startswith(BLOCK):
        changed["content"] = _text(part["content"], names, guild, words)
    if "components" in part and part["type"] in (SECTION, CONTAINER):
        changed["components"] = [_part(one, names, guild, words) for one in part["components"]]
    return changed


def _text(content: str, names: DisplayNames, guild: GuildId, words: Words) -> str:
    def told(found: re.Match[str]) -> str:
        mention = names.mention(guild, found[1], words)
        before, after = mention.split(f"<@{found[1]}>", 1)
        dressed = content[: found.start()].endswith(before) and content[found.end() :].startswith(after)
        return found[0] if dressed else mention

    return _MENTION.sub(told, content)
